"""What a turn can have done until now, as the table shows it: what it can have brought at most.

A marker that has left its ability may have been used in this turn; a vassal on the board may have been placed in it.
Of what can have been done more is told than was done, and never less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf
from typing import NamedTuple

from service.engine.table import Table
from service.games.simurgh.v1.components import laid_tiles, on_space
from service.games.simurgh.v1.effects import AGAIN, KINDS, PURCHASE, STATUE, Effect, Special
from service.games.simurgh.v1.figures import EXPLORATION, Figures, figures
from service.games.simurgh.v1.gains import Gain, Viewing
from service.games.simurgh.v1.removal import wilds_of
from service.games.simurgh.v1.state import Acquisition, Placement, Player, TilePlacement, Turn
from service.games.simurgh.v1.uses import Measure, Uses, walked
from service.games.simurgh.v1.yields import NOTHING, Yield, on_tile, yield_of, yields


class Main(NamedTuple):
    """One Main Action that can have been done: the space, the income if a tile was laid, the tiles it removed."""

    space: Yield
    incomes: tuple[Yield, ...] = ()
    removed: int = 0

    def most(self, measure: Measure) -> float:
        """The most of something that it brought."""
        return measure(self.space) + max((0, *map(measure, self.incomes)))


IDLE = Main(NOTHING)


@dataclass(frozen=True, slots=True)
class Doings:
    """What can have been done in a turn.

    `uses`: of abilities; `endless`: they bring markers themselves; `paths`: the levels that a rider can have come to,
    one row a tile; `steps`: so many of one row; `mains`: one of these.
    """

    uses: Uses
    endless: bool
    steps: int
    paths: tuple[tuple[Yield, ...], ...]
    mains: tuple[Main, ...]

    @property
    def free(self) -> Iterator[Yield]:
        """All free actions that are possible."""
        yield from self.uses.once
        yield from self.uses.again
        for path in self.paths:
            yield from path

    @property
    def came(self) -> Iterator[Yield]:
        """All that is possible beside abilities."""
        for path in self.paths:
            yield from path
        for main in self.mains:
            yield from (main.space, *main.incomes)

    def most(self, measure: Measure, beside: Callable[[Main], float] = lambda main: 0) -> float:
        """The most of something that the turn can have brought; `beside`: what each Main Action brought of it, too.

        By one Main Action, one path, and the abilities, as often as the markers that these brought allow.
        """
        found = -inf
        for (fresh, back), main in self._mains(measure, beside).items():
            for path in (*self.paths, ()):
                more = inf if self.endless else fresh + walked(path, self.steps, _markers)
                came = back.union(*(y.gives for y in path))
                used = self.uses.most(measure, more, came)
                found = max(found, main + walked(path, self.steps, measure) + used)
        return found

    def _mains(
        self, measure: Measure, beside: Callable[[Main], float]
    ) -> dict[tuple[float, frozenset[str]], float]:
        """The most that any Main Action brought, by the markers and the kinds of vassals that came with it."""
        found: dict[tuple[float, frozenset[str]], float] = {}
        for main in self.mains or (IDLE,):
            key = main.most(_markers), main.space.gives.union(*(y.gives for y in main.incomes))
            found[key] = max(found.get(key, -inf), main.most(measure) + beside(main))
        return found


def _markers(y: Yield) -> float:
    return y.markers


def doings(t: Table, turn: Turn) -> Doings:
    """What can have been done in this turn until now; anywhere, by a vassal who may have been paid since."""
    done = _doings(t, turn, paid_later=False)
    if turn.step == "act" or under_way(t) or not any(y.pays for y in done.free):
        return done
    return _doings(t, turn, paid_later=True)


def _doings(t: Table, turn: Turn, paid_later: bool) -> Doings:
    f, p = figures(t), t.board.seats[turn.seat]
    own = [a for dragon in p.dragons for a in f.abilities_of[dragon]]
    every = yields(f)
    gone = turn.step != "act" or any(every[a].pays for a in own)
    rows = tuple(_paths(t, turn, gone)) if turn.moved else ()
    came = Doings(Uses((), (), {}), False, 3, rows, tuple(_mains(t, turn, paid_later)))
    endless = any(every[a].markers for a in own)
    fresh = endless or came.most(_markers) > 0
    used = _possible(f, p, [a for a in own if fresh or a not in p.markers], came, turn.moved)
    once = [a for a in used if a not in p.markers]
    again = [a for a in used if fresh and not f.abilities[a].one_use]
    back = {kind for a in used for kind in every[a].gives}
    paid = {kind: p.inactive.get(kind, 0) for kind in KINDS if kind not in back}
    uses = Uses(tuple(every[a] for a in once), tuple(every[a] for a in again), paid)
    steps = 3 if fresh else 1 + sum(AGAIN in f.specials[a] for a in once)
    return replace(came, uses=uses, endless=endless, steps=steps)


def _possible(f: Figures, p: Player, names: Sequence[str], came: Doings, moved: bool) -> list[str]:
    """The abilities that can have been used: with vassals to pay, and to answer an event that was (SIM-DRAGON-10)."""
    every = yields(f)
    actions = [a for a in names if f.abilities[a].trigger is None]
    back = {kind for y in (*came.came, *(every[a] for a in actions)) for kind in y.gives}
    actions = [a for a in actions if not every[a].pays or _was_payable(f, p, a, back)]
    done = [*came.came, *(every[a] for a in actions)]
    taken, paid = {what for y in done for what in y.takes}, {kind for y in done for kind in y.pays}
    return [a for a in names if a in actions or _was_answered(f, a, taken, paid, moved)]


def _was_payable(f: Figures, p: Player, ability: str, back: set[str]) -> bool:
    """Whether what was paid is among the inactive vassals, or may have come back from there (SIM-PAY-1)."""
    ways = f.effects[ability].costs
    return any(all(k in back or p.inactive.get(k, 0) >= way.get(k, 0) for k in KINDS) for way in ways)


def _was_answered(f: Figures, ability: str, taken: set[str], paid: set[str], moved: bool) -> bool:
    """Whether there may have been the event that an ability answers."""
    trigger = f.abilities[ability].trigger
    if trigger is None:
        return False
    if trigger.on == "move-rider":
        return moved
    about = {"take": taken, "pay-vassal": paid}.get(trigger.on)
    return about is None or not about.isdisjoint(trigger.of or about)


# -- the Main Action --------------------------------------------------------------------------------------------


def under_way(t: Table) -> bool:
    """Whether the Main Action has begun and is not over."""
    return any(isinstance(x, Placement | TilePlacement) for x in t.frames)


def _mains(t: Table, turn: Turn, paid_later: bool) -> Iterator[Main]:
    """The Main Actions that can have been done; none before it.

    Whoever was placed may have come home from a tile that was removed since, or have been paid.
    """
    if turn.step == "act":
        return
    if under_way(t):
        yield _begun(t)
        return
    at_home = at_home_before(t, turn)
    if at_home > 0 or paid_later:
        every = sum(kind.count for kind in figures(t).vassals.values())
        yield Main(NOTHING._replace(actions=1), removed=every if paid_later else at_home)
    if paid_later:
        yield from map(Main, on_tile(figures(t))[""])
        for tile in laid_tiles(t).values():
            yield from _on(t, tile)
    if turn.resting or paid_later:
        for tile in t.board.chronicle:
            yield from _on(t, tile)
    for place in sorted(_used(t, turn)):
        at = figures(t).tile_at.get(place)
        yield from [Main(yields(figures(t))[place])] if at is None else _on(t, at, place)


def at_home_before(t: Table, turn: Turn) -> int:
    """The vassals at home that no tile sent there in this turn."""
    return sum(t.board.seats[turn.seat].available.values()) - sum(turn.resting.values())


def _used(t: Table, turn: Turn) -> set[str]:
    """The spaces on which the vassal of this turn can have been placed, if he has not left the board since.

    He stands there, or has moved down from there.
    """
    f, used = figures(t), set()
    for place in t.board.seats[turn.seat].assigned:
        if place not in f.levels or f.levels[place].level == 1:
            used.add(place)
        elif turn.moved:
            used.add(f.spaces_of[f.levels[place].tile][0])
    return used


def _on(t: Table, tile: str, place: str | None = None) -> Iterator[Main]:
    """This space of a tile, or each, and what laying the tile brought, if that was done for it."""
    f, where = figures(t), wilds_of(t, tile)
    laid = tuple(yields(f)[w] for w in (t.board.wilds if where is None else (where,)))
    for space in on_tile(f)[tile] if place is None else (yields(f)[place],):
        yield Main(space, laid, 2 if where is None else 1)


def _begun(t: Table) -> Main:
    """The one that is under way, as far as it has come."""
    f = figures(t)
    laid = next((x for x in t.frames if isinstance(x, TilePlacement)), None)
    where = None if laid is None else wilds_of(t, laid.tile)
    incomes = () if where is None else (yields(f)[where],)
    placement = next((x for x in t.frames if isinstance(x, Placement)), None)
    space = NOTHING if placement is None else _until(f, placement.space, _parts_begun(t, placement))
    return Main(space, incomes, int(laid is not None))


@lru_cache(maxsize=1024)
def _until(f: Figures, space: str, part: int) -> Yield:
    """A space of whose gain the first parts have come; draws may have begun the next."""
    effect = f.effects[space]
    begun = yield_of(f, Effect(effect.costs, effect.gain[:part]))
    return begun._replace(actions=yields(f)[space].actions)


def _parts_begun(t: Table, f: Placement) -> int:
    """How many parts of the gain have begun, and have brought something."""
    gain = next((x for x in t.frames[t.index(f) + 1 :] if isinstance(x, Gain) and x.source == f.space), None)
    if gain is None:
        return 0
    waits = [PURCHASE for x in t.frames if isinstance(x, Acquisition) and x.step == "acquire"]
    waits += [STATUE for x in t.frames if isinstance(x, Viewing) and x.step in ("look", "place")]
    last = figures(t).effects[f.space].gain[: gain.part][-1:]
    return gain.part - any(isinstance(part, Special) and part.name in waits for part in last)


# -- riders -----------------------------------------------------------------------------------------------------


def _paths(t: Table, turn: Turn, gone: bool) -> Iterator[tuple[Yield, ...]]:
    """The levels below the first that the rider who has moved can have come to, on each tile that he can have used.

    `gone`: he may have been paid or retrieved since, and another one have begun the same path.
    """
    f, p = figures(t), t.board.seats[turn.seat]
    for tile in laid_tiles(t).values():
        if tile in f.move_costs:
            places = f.spaces_of[tile]
            level = next((n for n, place in enumerate(places, 1) if on_space(p, place)), 0)
            yield tuple(yields(f)[x] for x in places[1 : len(places) if gone and level < 2 else level])
    for tile in t.board.chronicle:
        if f.tiles[tile].type == EXPLORATION:
            yield tuple(yields(f)[x] for x in f.spaces_of[tile][1:])


# -- tiles that were removed ------------------------------------------------------------------------------------


def most_removed(t: Table, turn: Turn) -> float:
    """The most tiles that can have been removed in this turn.

    Each vassal who was retrieved, or was paid from the board, leaves one empty; one is full, one makes room for
    another, and at the end of one path one goes (SIM-REMOVE-1, SIM-REMOVE-2, SIM-PAY-5, SIM-TILE-2, SIM-EXPL-10).
    """
    f, done = figures(t), doings(t, turn)
    away = _from_the_board(t, turn, (*done.free, *done.came))

    def paid(y: Yield) -> int:
        return sum(n for kind, n in y.pays.items() if kind in away) if y.pays else 0

    arrived = turn.moved and any(f.tiles[x].type == EXPLORATION for x in t.board.chronicle)
    return done.most(paid, lambda main: main.removed) + arrived


def _from_the_board(t: Table, turn: Turn, every: Iterable[Yield]) -> set[str]:
    """The kinds of which one may have been paid from the board: never while one is at home (SIM-PAY-3).

    Before the Main Action nobody comes home but new ones, and those who are home for the turn.
    """
    if turn.step != "act":
        return set(KINDS)
    new = {kind for y in every for kind in y.gives}
    at_home = t.board.seats[turn.seat].available
    return {k for k in KINDS if k in new or at_home.get(k, 0) <= turn.resting.get(k, 0)}
