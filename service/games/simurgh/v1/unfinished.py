"""Business that must come to its end: a tile that must be acquired or used (SIM-SCOUT-2, SIM-TILE-7, SIM-DEC-21)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.engine.action import Action
from service.engine.frames import FINISHED
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import tokens_of
from service.games.simurgh.v1.effects import MARKER, Part, added, most_gained
from service.games.simurgh.v1.figures import DISPLAY, figures
from service.games.simurgh.v1.state import Acquisition, Player, TilePlacement, Turn


def pending(t: Table) -> bool:
    """Whether a tile has still to be acquired or used."""
    waits = [f for f in t.frames if isinstance(f, Acquisition | TilePlacement)]
    return any(f.step != FINISHED for f in waits)


class Endangered(Action, must_finish="SIM-PLACE-5"):
    """What could make business impossible that has begun: it is refused then."""

    def business(self, t: Table) -> Any:
        """The rest of the turn, where something has still to be done in it."""
        return t.frame(Turn) if pending(t) else None


# -- a bound on what could still help ---------------------------------------------------------------------------


def on_offer(t: Table) -> list[str]:
    """The display spaces with a tile, and the deck if it has one."""
    return [s for s in DISPLAY if t.board.display[s] is not None] + (["deck"] if t.board.tiles.size else [])


def may_acquire(t: Table) -> bool:
    """False where no tile can be paid for even if everything that may come in the gap came for nothing.

    Every ability that could be paid from such a plenty gives its most, once a marker, and so does every event.
    """
    f = next((f for f in t.frames if isinstance(f, Acquisition) and f.step != FINISHED), None)
    if f is None:
        return True
    prices = [way for shelf in on_offer(t) for way in figures(t).prices[shelf]]
    have = plenty(t, t.board.seats[f.seat], t.frame(Turn).moved)
    return any(covers(have, way) for way in prices)


def covers(have: Mapping[str, int], way: Mapping[str, int]) -> bool:
    """Whether a bag is enough."""
    return all(have.get(what, 0) >= n for what, n in way.items())


def plenty(t: Table, p: Player, moved: bool) -> dict[str, int]:
    """No less of anything than a player can have before the turn ends, for no payment takes anything away."""
    f = figures(t)
    have = added([tokens_of(p), {MARKER: sum(p.markers.values())}, vassals(p)])
    left = [] if moved else strides(t, p)
    fresh = any(most_gained(gain).get(MARKER) for _, gain in left)
    abilities = [a for d in p.dragons for a in f.abilities_of[d] if fresh or a in p.markers]
    left += [(f.effects[a].costs, f.effects[a].gain) for a in abilities]
    while usable := [way for way in left if _payable(way[0], have)]:
        left = [way for way in left if way not in usable]
        have = added([have, *(most_gained(gain) for _, gain in usable)])
    return have


Way = tuple[Sequence[Mapping[str, int]], tuple[Part, ...]]


def strides(t: Table, p: Player) -> list[Way]:
    """Steps down: what one costs, and all that the levels below a rider can give."""
    f = figures(t)
    found: list[Way] = []
    for place in p.assigned:
        if place in f.levels:
            tile = f.tile_at[place]
            below = f.spaces_of[tile][f.levels[place].level :]
            found.append(
                (f.move_costs[tile], tuple(part for level in below for part in f.effects[level].gain))
            )
    return found


def vassals(p: Player) -> dict[str, int]:
    """All vassals that a player has received, by kind."""
    return added([p.available, *p.assigned.values()])


def _payable(costs: Sequence[Mapping[str, int]], have: Mapping[str, int]) -> bool:
    return any(covers(have, way) for way in costs)


def is_within_reach(t: Table) -> bool:
    """Whether a tile can be paid for with what is at hand, so that no draw can leave the player without one."""
    f = next((f for f in t.frames if isinstance(f, Acquisition) and f.step != FINISHED), None)
    if f is None:
        return True
    have = tokens_of(t.board.seats[f.seat])
    return any(covers(have, way) for shelf in sure(t) for way in figures(t).prices[shelf])


def sure(t: Table) -> list[str]:
    """What is on offer even if the next draw takes the last tile of the deck."""
    return [shelf for shelf in on_offer(t) if shelf != "deck" or t.board.tiles.size > 1]


def declare(rules: Ruleset) -> None:
    """Register the bounds."""
    rules.hook("may-finish", may_acquire)
    rules.hook("at-chance", is_within_reach)
