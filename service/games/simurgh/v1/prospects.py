"""What can still matter once a tile is laid or the Scouts are at work: a table without all that cannot help.

A `Prospect` is a value: one player's tokens, markers and vassals, and what has still to happen, the next last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple

from service.engine.table import Table
from service.games.simurgh.v1.components import DrawTiles, on_space
from service.games.simurgh.v1.effects import KINDS, MARKER, TOKENS
from service.games.simurgh.v1.figures import DISPLAY, Figures, figures
from service.games.simurgh.v1.gains import Gain, Hatching, Occasion, Share
from service.games.simurgh.v1.markers import Markers
from service.games.simurgh.v1.purse import busy_spaces
from service.games.simurgh.v1.state import Acquisition, Placement, Stride, TilePlacement, Turn

Pair = tuple[int, int]  # Spearmen, Dragonriders
Way = Mapping[str, int]


class Gaining(NamedTuple):
    """A gain, at its next part."""

    source: str
    branch: tuple[int, ...]
    part: int
    quiet: bool


class Dividing(NamedTuple):
    """`n` tokens of these kinds to be divided."""

    n: int
    of: tuple[str, ...]
    quiet: bool
    later: bool


class Answering(NamedTuple):
    """An event that abilities may answer."""

    event: str
    of: tuple[str, ...]
    tile: str
    used: frozenset[str]


class Marking(NamedTuple):
    """Markers to be put on dragons."""

    left: int


class Arriving(NamedTuple):
    """The end of a step: at the end of the path the rider comes home."""

    tile: str
    level: int


class Goal(NamedTuple):
    """A tile must be acquired, or used."""

    acquires: bool


class Prospect(NamedTuple):
    """What of a player's holdings can matter, and what has still to happen.

    `marked`: the abilities with a marker; `home`, `away`: vassals that can pay, by kind, but for the `riders` on
    paths, which stand with their levels; `idle`: the inactive ones; `others`: active ones that cannot pay; `moved`:
    whether the free step is done; `shelves`: display spaces with a tile; `deck`: its tiles; `dragons`: those of theirs.
    """

    tokens: tuple[int, ...]
    marked: frozenset[str]
    home: Pair
    away: Pair
    idle: Pair
    riders: tuple[tuple[str, int], ...]
    others: int
    moved: bool
    shelves: tuple[str, ...]
    deck: int
    dragons: int
    todo: tuple[Any, ...]


def prospect(t: Table) -> Prospect:
    """What matters of a table in the midst of a turn."""
    turn: Turn = t.frame(Turn)
    f, p = figures(t), t.board.seats[turn.seat]
    still = busy_spaces(t)
    riders = tuple(
        (f.tile_at[place], f.levels[place].level)
        for place in sorted(p.assigned)
        if place in f.levels and place not in still
    )
    elsewhere = [x for x in p.assigned if x not in f.levels and x not in still]
    drawing = sum(x.left for x in t.frames if isinstance(x, DrawTiles))
    return Prospect(
        tokens=(*[p.resources.get(x, 0) for x in TOKENS[:-1]], p.pp),
        marked=frozenset(p.markers),
        home=_pair(p.available),
        away=(
            sum(on_space(p, x, KINDS[0]) for x in elsewhere),
            sum(on_space(p, x, KINDS[1]) for x in elsewhere),
        ),
        idle=_pair(p.inactive),
        riders=riders,
        others=sum(on_space(p, x) for x in still if x in p.assigned),
        moved=turn.moved,
        shelves=tuple(x for x in DISPLAY if t.board.display[x] is not None),
        deck=t.board.tiles.size - drawing,
        dragons=t.board.dragons.size + len(p.looked_at) - sum(map(_is_keeping, t.frames)),
        todo=tuple(x for frame in t.frames[t.index(turn) + 1 :] for x in _left_of(f, frame)),
    )


def _is_keeping(x: Any) -> bool:
    """Whether a dragon has still to be kept of those that are drawn; the others go back."""
    return isinstance(x, Hatching) and x.step in ("draw-to-choose", "only-one", "keep")


def _pair(bag: Mapping[str, int]) -> Pair:
    return bag.get(KINDS[0], 0), bag.get(KINDS[1], 0)


def _left_of(f: Figures, x: Any) -> Sequence[Any]:
    """What a frame has still to do; what chance brings counts for nothing."""
    if isinstance(x, Placement):
        return [Gaining(x.space, (), 0, False)] if x.step in ("answer-payment", "gain") else []
    if isinstance(x, Gain):
        return [Gaining(x.source, tuple(x.branch), x.part, x.quiet)]
    if isinstance(x, Share):
        over = x.step == "end" or (x.step == "choose-later" and not x.later)
        return [] if over else [Dividing(x.n, tuple(x.of), x.quiet, x.later)]
    if isinstance(x, Occasion):
        return [Answering(x.event, tuple(x.of), x.tile, frozenset(x.used))]
    if isinstance(x, Markers):
        return [Marking(x.left)]
    if isinstance(x, Stride):
        return stride(f, x.tile, x.level)[: {"reward": 3, "answer-move": 2, "arrive": 1}.get(x.step, 0)]
    if isinstance(x, Acquisition | TilePlacement):
        return [] if x.step == "end" else [Goal(isinstance(x, Acquisition))]
    return []


def stride(f: Figures, tile: str, level: int) -> list[Any]:
    """What a step to this level brings, the first last (SIM-EXPL-15)."""
    reward = Gaining(f.spaces_of[tile][level - 1], (), 0, False)
    return [Arriving(tile, level), Answering("move-rider", (), tile, frozenset()), reward]


def is_closed(o: Prospect) -> bool:
    """Whether no free action is possible: between a cost and its gain, and before a laid tile is used (SIM-TURN-11)."""
    return any(
        x.event == "pay-vassal" if isinstance(x, Answering) else isinstance(x, Goal) and not x.acquires
        for x in o.todo
    )


# -- paying -----------------------------------------------------------------------------------------------------


def affords(o: Prospect, way: Way, placed: int | None = None, used: str | None = None) -> bool:
    """Whether a price can be paid, `placed` being the kind of a vassal that cannot pay, `used` the ability in use."""
    vassals = 0
    for what, n in way.items():
        if what == MARKER:
            if len(o.marked) - (used in o.marked) < n:
                return False
        elif what in KINDS:
            i = KINDS.index(what)
            vassals += n
            if o.home[i] - (placed == i) + o.away[i] + (i and len(_free(o))) < n:
                return False
        elif o.tokens[TOKENS.index(what)] < n:
            return False
    return not vassals or active(o) - vassals >= 1


def active(o: Prospect) -> int:
    """All vassals that the player has received."""
    return sum(o.home) + sum(o.away) + len(o.riders) + o.others


def without(marked: frozenset[str], n: int) -> Iterator[frozenset[str]]:
    """Every choice of markers that may be left when so many are paid."""
    for chosen in combinations(sorted(marked), n):
        yield marked.difference(chosen)


def paid(
    o: Prospect,
    way: Way,
    used: str | None = None,
    moving: str = "",
    paying: Callable[[frozenset[str], int], Iterator[frozenset[str]]] = without,
) -> Iterator[Prospect]:
    """Every outlook after a price is paid, by where vassals and markers come from (SIM-PAY-2 to SIM-PAY-4).

    `used`: the ability in use, whose marker is gone; `moving`: the path of a rider that moves and cannot pay; `paying`:
    which markers may be left.
    """
    left = o._replace(
        tokens=tuple(n - way.get(what, 0) for what, n in zip(TOKENS, o.tokens, strict=True)),
        marked=o.marked - {used},
    )
    gone = way.get(KINDS[0], 0) + way.get(KINDS[1], 0)
    if min(left.tokens) < 0 or (gone and active(o) - gone < 1):
        return
    for marked in paying(left.marked, way.get(MARKER, 0)):
        for after in _spent(left, way, moving) if gone else (left,):
            yield after._replace(marked=marked)


def _spent(o: Prospect, way: Way, moving: str) -> Iterator[Prospect]:
    """Those at home first; then any others of the kind."""
    s, d = way.get(KINDS[0], 0), way.get(KINDS[1], 0)
    idle = (o.idle[0] + s, o.idle[1] + d)
    at_home = min(s, o.home[0]), min(d, o.home[1])
    s, d = s - at_home[0], d - at_home[1]
    if s > o.away[0]:
        return
    free = _free(o, moving)
    for n in range(max(0, d - o.away[1]), min(d, len(free)) + 1):
        for chosen in combinations(free, n):
            yield o._replace(
                home=(o.home[0] - at_home[0], o.home[1] - at_home[1]),
                away=(o.away[0] - s, o.away[1] - (d - n)),
                idle=idle,
                riders=tuple(r for r in o.riders if r not in chosen),
            )


def _free(o: Prospect, moving: str = "") -> list[tuple[str, int]]:
    """The riders on paths that can pay: nobody whose step is being resolved (SIM-PAY-4)."""
    busy = {moving, *(x.tile for x in o.todo if isinstance(x, Arriving))}
    return [r for r in o.riders if r[0] not in busy]


# -- receiving --------------------------------------------------------------------------------------------------


def received(o: Prospect, bag: Way, quiet: bool) -> Prospect:
    """Tokens and vassals come, then markers to place and an event to answer."""
    s, d = bag.get(KINDS[0], 0), bag.get(KINDS[1], 0)
    taken = tuple(sorted(what for what in bag if what in TOKENS))
    todo = list(o.todo)
    if taken and not quiet:
        todo.append(Answering("take", taken, "", frozenset()))
    if bag.get(MARKER):
        todo.append(Marking(bag[MARKER]))
    return o._replace(
        tokens=tuple(n + bag.get(what, 0) for what, n in zip(TOKENS, o.tokens, strict=True)),
        home=(o.home[0] + s, o.home[1] + d),
        idle=(o.idle[0] - s, o.idle[1] - d),
        todo=tuple(todo),
    )


def splits(n: int, of: Sequence[str]) -> Iterator[dict[str, int]]:
    """Every way to divide `n` tokens."""
    for chosen in combinations_with_replacement(of, n):
        yield {what: chosen.count(what) for what in of if what in chosen}
