"""What a space, level, ability or Wilds space can bring at most each time it is used; worked out once a house."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from service.games.simurgh.v1.effects import (
    DRAW_TILE,
    FETCH,
    KINDS,
    MARKER,
    PURCHASE,
    RESOURCES,
    STATUE,
    TOKENS,
    Bag,
    Draw,
    Effect,
    One,
    Part,
    Special,
    Take,
    Total,
    every_part,
    most_gained,
    most_together,
)
from service.games.simurgh.v1.figures import Figures

EVERY_RESOURCE = frozenset(RESOURCES)


class Yield(NamedTuple):
    """The most that one use brings, and what it can be about.

    `resources`: more than are paid for it; `tiles`: to the hand, `shown`: those of them that lay on the display;
    `actions`: how many it is, with all choices, draws and answers declined. `takes`: tokens whose receipt can be
    answered; `gives`: kinds of vassals that come; `pays`: vassals that are paid, by kind; `asks`: kinds of which one is
    paid whichever way. Markers are those that may go anywhere: a new dragon's are on abilities that had none.
    """

    resources: int = 0
    tiles: int = 0
    shown: int = 0
    objectives: int = 0
    markers: int = 0
    actions: int = 0
    takes: frozenset[str] = frozenset()
    gives: frozenset[str] = frozenset()
    pays: Bag = {}
    asks: frozenset[str] = frozenset()


NOTHING = Yield()


@lru_cache(maxsize=64)
def yields(f: Figures) -> dict[str, Yield]:
    """Of every source, by its id."""
    found = {x: yield_of(f, effect) for x, effect in f.effects.items()}
    for wilds in f.wilds:
        found[wilds] = _laying(f, found[wilds])
    for level in f.levels:  # whose step is an event of its own, which may be left unanswered
        found[level] = found[level]._replace(actions=found[level].actions + 1)
    return found


@lru_cache(maxsize=64)
def on_tile(f: Figures) -> dict[str, tuple[Yield, ...]]:
    """The spaces of a tile on which a vassal may be placed, by tile; those of the City, as `""`."""
    rows = {**f.entries_of, "": f.city}
    return {tile: tuple(yields(f)[place] for place in places) for tile, places in rows.items()}


def _laying(f: Figures, income: Yield) -> Yield:
    """What covering a Wilds space brings; a tile may have been removed for it (SIM-TILE-2, SIM-TILE-6)."""
    pays = _most_paid([f.table["removal-price"]])
    return income._replace(actions=income.actions + sum(pays.values()), pays=pays)


def yield_of(f: Figures, effect: Effect) -> Yield:
    """Of an effect, or of one that has been resolved in part."""
    parts = list(every_part(effect.gain))
    named = [part.name for part in parts if isinstance(part, Special)]
    most, bought = most_gained(effect.gain), [way for x in _shops(f, named) for way in f.prices[x]]
    spent, came = min(_resources(way) for way in effect.costs), most_together(effect.gain, EVERY_RESOURCE)
    pays = _most_paid(effect.costs)
    for kind, n in _most_paid(bought).items():
        pays[kind] = pays.get(kind, 0) + n
    return Yield(
        resources=came - spent,
        tiles=sum(name in (PURCHASE, FETCH, DRAW_TILE) for name in named),
        shown=sum(name in (PURCHASE, FETCH) for name in named),
        objectives=named.count(STATUE),
        markers=most.get(MARKER, 0),
        actions=1 + sum(pays.values()) + sum(map(_actions, effect.gain)),
        takes=frozenset(most).intersection(TOKENS) | (frozenset(["pp"]) if bought else frozenset()),
        gives=frozenset(most).intersection(KINDS),
        pays=pays,
        asks=frozenset(kind for kind in KINDS if all(kind in way for way in effect.costs)),
    )


def _shops(f: Figures, named: Sequence[str]) -> list[str]:
    """Where something may be bought meanwhile: display spaces and the deck, or objective spaces."""
    return [*(f.display if PURCHASE in named else ()), *(f.statue if STATUE in named else ())]


def _resources(way: Bag) -> int:
    return sum(n for what, n in way.items() if what in EVERY_RESOURCE)


def _most_paid(ways: Iterable[Mapping[str, int]]) -> dict[str, int]:
    """The most vassals of each kind that any of these prices asks for."""
    most: dict[str, int] = {}
    for way in ways:
        for kind in KINDS:
            if (n := way.get(kind, 0)) > most.get(kind, 0):
                most[kind] = n
    return most


def _actions(part: Part) -> int:
    """What a part asks for: choices, draws, markers to place, an event to be left unanswered."""
    if isinstance(part, Take):
        return part.bag.get(MARKER, 0) + 1
    if isinstance(part, Total):
        return 2
    if isinstance(part, One):
        return 1 + max((sum(map(_actions, branch)) for branch in part.branches), default=0)
    if isinstance(part, Draw):
        return part.n + 2  # one is kept, the others go back
    return part.n + 3  # of the procedures the Statue asks for most: draws, a choice, an event, the way back
