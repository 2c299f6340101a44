"""Reasons why a turn cannot have come so far by what it can have done: surplus, gaps, an end that was met.

When a turn begins the display is full, hands and resources are within their limits, and an end that was met is
triggered (SIM-TURN-13). What has come since, the turn must be able to explain.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.components import gaps
from service.games.simurgh.v1.doings import at_home_before, doings, most_removed, under_way
from service.games.simurgh.v1.figures import DISPLAY
from service.games.simurgh.v1.limits import Limits
from service.games.simurgh.v1.moment import Moment
from service.games.simurgh.v1.scoring import is_met
from service.games.simurgh.v1.setup import next_seat
from service.games.simurgh.v1.state import Turn

LAST = "look-for-the-end"  # the limits are behind, the display is being filled


# -- limits -----------------------------------------------------------------------------------------------------


def most_tiles(t: Table, m: Moment, seat: str) -> float:
    """The most tiles that can have come to a hand since its limit was last looked at (SIM-LIMIT-7, SIM-TURN-14)."""
    turn = _going_on(t, m)
    if turn is None or turn.seat != seat or _hand_is_limited(t, turn):
        return 0
    return doings(t, turn).most(lambda y: y.tiles)


def most_resources(t: Table, m: Moment, seat: str) -> float:
    """The most resources that can have come since their limit was last looked at (SIM-LIMIT-7, SIM-TURN-14)."""
    turn = _going_on(t, m)
    if turn is None or turn.seat != seat or turn.step == LAST:
        return 0
    return doings(t, turn).most(lambda y: y.resources)


def _going_on(t: Table, m: Moment) -> Turn | None:
    """The turn; of a position the one with which it begins, in which abilities may have been used already."""
    return Turn(seat=next_seat(t, t.board.ending), step="act") if m.stage == "position" else m.turn


def _hand_is_limited(t: Table, turn: Turn) -> bool:
    """Whether the hand has been looked at in this turn; surplus tiles lie on the deck then (SIM-LIMIT-8)."""
    return turn.step == LAST or any(isinstance(x, Limits) and x.step != "tiles" for x in t.frames)


# -- the display ------------------------------------------------------------------------------------------------


def gap_problems(t: Table, m: Moment) -> Iterator[Problem]:
    """With tiles in the deck the display is full at the end of every turn, and without it has no gap between tiles.

    SIM-SCOUT-7, SIM-SCOUT-8.
    """
    empty = gaps(t) if m.playing else []
    if not empty or m.stage == "position":
        return  # a position may show what has been fetched already in the turn with which it begins
    if (m.turn is None or not _may_be_filled_from_nothing(t, m.turn)) and t.board.tiles.size:
        message = say("the deck is not empty, and nothing can have left this space empty")
    else:
        lies = [i for i, place in enumerate(DISPLAY) if t.board.display[place] is not None]
        empty = [place for place in empty if DISPLAY.index(place) < max(lies, default=0)]
        message = say("a tile lies above it, and nothing can have left this space empty")
    if empty and len(empty) > _most_taken(t, m):
        yield Problem(f"/table/display/{empty[-1]}", message, "SIM-SCOUT-7")


def _may_be_filled_from_nothing(t: Table, turn: Turn) -> bool:
    """Whether the deck may have been empty until surplus tiles were put back (SIM-LIMIT-8)."""
    return _hand_is_limited(t, turn) and t.board.tiles.size <= doings(t, turn).most(lambda y: y.tiles)


def _most_taken(t: Table, m: Moment) -> float:
    """The most tiles that can have been taken from the display since it was filled."""
    if m.turn is None:
        return 0
    done = doings(t, m.turn)
    first = m.turn.seat == next_seat(t, t.board.ending)
    if first and t.state.turn <= done.most(lambda y: y.actions) + _actions_at_the_end(t, m.turn):
        return inf  # it may be the turn with which a position began
    return done.most(lambda y: y.shown)


def _actions_at_the_end(t: Table, turn: Turn) -> int:
    """The most actions since the Main Action that are no free ones: the end, one for each limit, tiles turned up."""
    if turn.step == LAST:
        return 3 + len(DISPLAY)
    return 2 if any(isinstance(x, Limits) for x in t.frames) else 0


# -- the end ----------------------------------------------------------------------------------------------------


def must_have_ended(t: Table, m: Moment) -> bool:
    """Whether the end was met when the last turn ended: what has come since does not count (SIM-END-1, SIM-END-2)."""
    if m.turn is None:
        return m.stage in ("position", "over") and is_met(t)
    return is_met(t, doings(t, m.turn).most(lambda y: y.objectives), most_removed(t, m.turn))


# -- the Main Action --------------------------------------------------------------------------------------------


def main_action_problems(t: Table, turn: Turn, at: str) -> Iterator[Problem]:
    """Whoever comes to the end of his turn has placed a vassal or retrieved one (SIM-TURN-1)."""
    if turn.step == "act" or under_way(t) or at_home_before(t, turn) > 0:
        return
    if not doings(t, turn).mains:
        yield Problem(f"{at}/step", say("no vassal can have been placed or retrieved"), "SIM-TURN-1")
