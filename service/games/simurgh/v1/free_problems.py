"""What free actions can have done since a turn began, and what they cannot explain (SIM-TURN-6, SIM-TURN-13).

When a turn begins the display is full, hands and resources are within their limits, and an end that was met is
triggered. Before the Main Action only abilities and one rider's steps can have changed that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.components import gaps
from service.games.simurgh.v1.effects import (
    DRAW_TILE,
    FETCH,
    KINDS,
    MARKER,
    RESOURCES,
    Draw,
    Effect,
    every_part,
    most_gained,
    most_together,
)
from service.games.simurgh.v1.figures import EXPLORATION, Figures, figures
from service.games.simurgh.v1.moment import Moment
from service.games.simurgh.v1.scoring import is_met
from service.games.simurgh.v1.setup import next_seat
from service.games.simurgh.v1.state import Turn


@dataclass(frozen=True, slots=True)
class Doings:
    """The abilities that can have been used in a turn; `often`: markers may have come, so each any number of times."""

    abilities: tuple[str, ...]
    often: bool


def doings(t: Table, turn: Turn) -> Doings:
    """Those of one's dragons without a marker; all of them, where one may have come back (SIM-DRAGON-4)."""
    f, p = figures(t), t.board.seats[turn.seat]
    own = tuple(a for dragon in p.dragons for a in f.abilities_of[dragon])
    sources = (*own, *(f.levels if turn.moved else ()))
    if any(_gives_markers(f.effects[source]) for source in sources):
        return Doings(own, True)
    return Doings(tuple(a for a in own if a not in p.markers), False)


def _gives_markers(effect: Effect) -> bool:
    """Whether markers come, by themselves or on a dragon."""
    return MARKER in most_gained(effect.gain) or any(isinstance(x, Draw) for x in every_part(effect.gain))


def _times(f: Figures, done: Doings, *names: str) -> float:
    """How often a named procedure can have been done at the most."""
    n = sum(not f.specials[a].isdisjoint(names) for a in done.abilities)
    return inf if n and done.often else n


# -- limits -----------------------------------------------------------------------------------------------------


def most_tiles(t: Table, m: Moment, seat: str) -> float:
    """The most tiles that can have come to a hand since its limit was last looked at (SIM-LIMIT-7, SIM-TURN-14)."""
    if m.turn is None or m.turn.seat != seat:
        return 0
    return _times(figures(t), doings(t, m.turn), FETCH, DRAW_TILE) if m.turn.step == "act" else inf


def most_resources(t: Table, m: Moment, seat: str) -> float:
    """The most resources that can have come since their limit was last looked at (SIM-LIMIT-7, SIM-TURN-14)."""
    if m.turn is None or m.turn.seat != seat:
        return 0
    if m.turn.step != "act" or m.turn.moved:
        return inf
    done, f = doings(t, m.turn), figures(t)
    n = sum(most_together(f.effects[a].gain, frozenset(RESOURCES)) for a in done.abilities)
    return inf if n and done.often else n


# -- the display ------------------------------------------------------------------------------------------------


def gap_problems(t: Table, m: Moment) -> Iterator[Problem]:
    """With tiles in the deck the display is full at the end of every turn (SIM-SCOUT-7)."""
    empty = gaps(t) if m.playing and t.board.tiles.size else []
    if empty and len(empty) > _most_gaps(t, m):
        message = say("the deck is not empty, and nothing can have left this space empty")
        yield Problem(f"/table/display/{empty[-1]}", message, "SIM-SCOUT-7")


def _most_gaps(t: Table, m: Moment) -> float:
    """The most tiles that can have been taken from the display since it was filled.

    A position may show what has been fetched already in the turn with which it begins.
    """
    if m.turn is None:
        return 0 if m.stage == "over" else inf
    if m.turn.seat == next_seat(t, t.board.ending):
        return inf
    if m.turn.step == "act":
        return _times(figures(t), doings(t, m.turn), FETCH)
    if m.turn.step != "finish":
        return inf  # tiles that were put back lie on the deck before the display is filled (SIM-LIMIT-8)
    own = t.board.seats[m.turn.seat].dragons
    fetches = any(FETCH in figures(t).specials[a] for d in own for a in figures(t).abilities_of[d])
    return inf if fetches else 1


# -- the end ----------------------------------------------------------------------------------------------------


def must_have_ended(t: Table, m: Moment) -> bool:
    """Whether the end was met when the last turn ended: what has come since does not count (SIM-END-1, SIM-END-2)."""
    if m.turn is None:
        return m.stage in ("position", "over") and is_met(t)
    if m.turn.step == "act":
        return is_met(t, 0, _most_removed(t, m.turn))
    return is_met(
        t, 1, inf
    )  # an objective a turn (SIM-STATUE-2); vassals that go home leave any number of tiles


def _most_removed(t: Table, turn: Turn) -> float:
    """The most tiles that free actions can have removed: by vassals that pay, or at the end of a path (SIM-PAY-5)."""
    f = figures(t)
    costs = [way for a in doings(t, turn).abilities for way in f.effects[a].costs]
    if turn.moved:
        costs += [way for ways in f.move_costs.values() for way in ways]
    if any(kind in way for way in costs for kind in KINDS):
        return inf
    return int(turn.moved and any(f.tiles[x].type == EXPLORATION for x in t.board.chronicle))
