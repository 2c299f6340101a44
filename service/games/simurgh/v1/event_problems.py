"""Reasons why an event that abilities may answer cannot stand as it does: what it is of, and what has answered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.dragons import moves_again
from service.games.simurgh.v1.effects import FETCH, KINDS, MARKER, TOKENS, One, Part, Take, Total, every_part
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.gain_problems import impossible, parts_below, wrong
from service.games.simurgh.v1.gains import Gain, Occasion, Share, Viewing
from service.games.simurgh.v1.moment import Moment
from service.games.simurgh.v1.removal import wilds_of
from service.games.simurgh.v1.state import Acquisition, Placement, Stride, TilePlacement, Turn
from service.games.simurgh.v1.tiles import incomes


def called_together(t: Table, f: Any) -> list[Any]:
    """The frames that were called together with this one, the next to run first."""
    below = t.below(f)
    return [x for x in reversed(t.frames) if x is not below and t.below(x) is below]


def occasion_problems(t: Table, m: Moment, f: Occasion, at: str) -> Iterator[Problem]:
    """An event of the game; what has answered it fits it and has no marker left (SIM-DRAGON-10)."""
    known = {"take": TOKENS, "pay-vassal": KINDS, "move-rider": ()}[f.event]
    fine = f.of == sorted(set(f.of)) and set(f.of) <= set(known) and bool(f.of) == (f.event != "move-rider")
    if not fine or (f.event == "pay-vassal" and len(f.of) > 1):
        yield impossible(at, "of", "SIM-DRAGON-10")
    below = t.below(f)
    wanted = below.tile if isinstance(below, Stride) and f.event == "move-rider" else ""
    if f.tile != wanted:
        yield wrong(at, "tile", f.tile, wanted, "SIM-DRAGON-20")
    if not _has_come(t, f, below):
        yield impossible(at, "event", "SIM-DRAGON-10")
    yield from _used(t, f, at)


def _has_come(t: Table, f: Occasion, below: Any) -> bool:
    """Whether what is below brings about such an event, and once."""
    together = called_together(t, f)
    if f.event == "pay-vassal":
        paid = [x.of[0] for x in together if isinstance(x, Occasion) and x.event == f.event and x.of]
        return any(paid == kinds[len(kinds) - len(paid) :] for kinds in _payments(t, below, together))
    if sum(isinstance(x, Occasion) and x.event == f.event for x in together) > 1:
        return False
    if f.event == "move-rider":
        return isinstance(below, Stride) and below.step == "arrive"
    return any(f.of == sorted(bag) for bag in _receipts(t, f, below, together)) or _divided(f, below)


def _payments(t: Table, below: Any, together: Sequence[Any]) -> list[list[str]]:
    """The kinds of vassals that may have been paid, in order."""
    fig = figures(t)
    if isinstance(below, Placement):
        return [below.paid] if below.step == "gain" else []
    if isinstance(below, Stride):
        return [below.paid] if below.step == "reward" else []
    if isinstance(below, Acquisition | Viewing) and below.step != "acquire":
        return [kinds_of(way) for ways in fig.prices.values() for way in ways]
    if any(isinstance(x, TilePlacement) for x in together):
        return [kinds_of(fig.table["removal-price"])]
    gain = next((x for x in together if isinstance(x, Gain)), None)
    if gain is not None:
        return [kinds_of(way) for way in fig.effects[gain.source].costs] if gain.source in fig.effects else []
    fetching = [a for a in fig.abilities if FETCH in fig.specials[a]]
    return [kinds_of(way) for a in fetching for way in fig.effects[a].costs]


def kinds_of(way: Mapping[str, int]) -> list[str]:
    """The kinds of vassals in a price, each as often as it is paid."""
    return [kind for kind in KINDS for _ in range(way.get(kind, 0))]


def _receipts(t: Table, f: Occasion, below: Any, together: Sequence[Any]) -> list[list[str]]:
    """The kinds of tokens that may have been taken at once."""
    bags: list[Mapping[str, int]] = []
    if isinstance(below, Gain) and not below.quiet:
        bags = [part.bag for part in parts_below(t, f) if isinstance(part, Take)]
    elif isinstance(below, Acquisition | Viewing):
        bags = [{"pp": 1}]
    elif isinstance(below, Turn):
        laid = next((x for x in together if isinstance(x, TilePlacement)), None)
        where = None if laid is None else wilds_of(t, laid.tile)
        bags = [] if where is None else [*incomes(t, where)]
    return [[what for what in bag if what in TOKENS] for bag in bags]


def _divided(f: Occasion, below: Any) -> bool:
    """Whether it may be what a player made of a total."""
    return (
        isinstance(below, Share) and not below.quiet and set(f.of) <= set(below.of) and len(f.of) <= below.n
    )


def _used(t: Table, f: Occasion, at: str) -> Iterator[Problem]:
    p = t.board.seats[f.seat]
    for i, ability in enumerate(f.used):
        known = figures(t).abilities[ability]
        fits = known.trigger is not None and known.trigger.on == f.event
        fits = fits and (not known.trigger.of or bool(set(known.trigger.of) & set(f.of)))  # type: ignore[union-attr]
        if known.dragon not in p.dragons or not fits:
            message = say("{ability} cannot have answered this", ability=ability)
            yield Problem(f"{at}/used/{i}", message, "SIM-DRAGON-10")
        elif ability in p.markers and not any(_refills(t, a) for a in f.used[i:]):
            message = say("{ability} has its marker still", ability=ability)
            yield Problem(f"{at}/used/{i}", message, "SIM-DRAGON-4")


def _refills(t: Table, ability: str) -> bool:
    """Whether markers may have come with an answer: by a step, by what it gives, or freely in a gap of its gain."""
    gain = figures(t).effects[ability].gain
    gives = any(isinstance(p, Take) and MARKER in p.bag for p in every_part(gain))
    return moves_again(t, ability) or gives or leaves_a_gap(gain)


def leaves_a_gap(parts: Sequence[Part]) -> bool:
    """Whether a choice comes after another part of the same gain (SIM-TURN-11)."""
    choices = [p for p in parts if isinstance(p, One)]
    later = any(isinstance(p, One) or (isinstance(p, Total) and len(p.of) > 1) for p in parts[1:])
    return later or any(leaves_a_gap(branch) for one in choices for branch in one.branches)
