"""Reasons why a draw, or a random card of a hand, cannot be due: who takes it, how many, by which clause, to where.

What calls a draw says what it must be (the points `draw-due` and `random-card-due`); of frames that say nothing only
so much is known as holds of every draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from service.engine.frames import WAITING, Frame
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.root.v1.cards import Draw, TakeRandomCard, hand_size
from service.games.root.v1.components import everything, faction_of, first_answer, player
from service.games.root.v1.figures import figures
from service.games.root.v1.setup import Game
from service.games.root.v1.state import Turn
from service.games.root.v1.turn import Birdsong, Daylight


@dataclass(frozen=True)
class Due:
    """What a draw must be: by which clause, for which seats, how many cards at most, to where.

    `times`: how many such draws may wait at once; `card`: the crafted card that was used for it.
    """

    because: str
    seats: tuple[str, ...]
    most: int = 1
    to: str = "hand"
    times: int = 1
    card: str | None = None


class Dues:
    """The function of a point: what the draws are that frames of these types call."""

    def __init__(self, by_cause: Mapping[type[Frame], Callable[[Table, Any, Any], Due | None]]) -> None:
        self.by_cause = by_cause

    def __call__(self, t: Table, cause: Any, draw: Any) -> Due | None:
        """What is due where `cause` has called `draw`; None where another module knows."""
        found = self.by_cause.get(type(cause))
        return None if found is None else found(t, cause, draw)


# -- draws that belong to no faction ------------------------------------------------------------------------------


def _dealt(t: Table, cause: Game, draw: Draw) -> Due:
    """Hands at set-up (ROOT-SETUP-4)."""
    seats = tuple(s for s in t.seats if first_answer(t, "no-hand", s) is None)
    return Due("ROOT-SETUP-4", seats, figures(t).table["starting-hand"], times=len(seats))


def _bank(t: Table, cause: Turn, draw: Draw) -> Due:
    """A card each, first for the owner, then for another (ROOT-FX-8)."""
    first = draw.step != WAITING and sum(isinstance(f, Draw) for f in t.frames) > 1
    seats = (cause.seat,) if first else tuple(s for s in t.seats if s != cause.seat)
    return Due("ROOT-FX-8", seats, times=2, card="better-burrow-bank")


def _tax(t: Table, cause: Daylight, draw: Draw) -> Due:
    """A card for a warrior (ROOT-FX-7)."""
    return Due("ROOT-FX-7", (cause.seat,), card="tax-collector")


def _robbery(t: Table, cause: Birdsong, take: TakeRandomCard) -> Due:
    """A card of another player, who has scored for it (ROOT-FX-6)."""
    return Due("ROOT-FX-6", (cause.seat,), card="stand-and-deliver")


draws_of_all = Dues({Game: _dealt, Turn: _bank, Daylight: _tax})
random_cards_of_all = Dues({Birdsong: _robbery})


# -- the checks ---------------------------------------------------------------------------------------------------


PHASES = (
    (Birdsong, "birdsong"),
    (Daylight, "daylight"),
)  # what offers free actions, and the faction's part of it


def _dues(t: Table, f: Any, point: str) -> list[Due]:
    """What may be due here: what the frame below calls, and, between the steps of a phase, what the phase offers."""
    cause = t.below(f)
    callers = [cause]
    for phase, own in PHASES:
        if type(cause) is not phase and (free := t.frame(phase)) is not None:
            callers += [free] if type(cause) is getattr(faction_of(t, free.seat), own) else []
    return [due for caller in callers for due in everything(t, point, caller, f)]


def _matched(t: Table, f: Any, at: str, dues: list[Due]) -> Iterator[Problem]:
    """Clause and seat, and the card that was used."""
    due = next((d for d in dues if d.because == f.because), None)
    if due is None:
        clauses = ", ".join(d.because for d in dues)
        message = say("what is drawn here is drawn by {clauses}", clauses=clauses)
        yield Problem(f"{at}/because", message, dues[0].because)
        return
    if f.seat not in due.seats:
        message = say("nothing is drawn here by {seat}", seat=f.seat)
        yield Problem(f"{at}/seat", message, due.because)
    turn: Turn | None = t.frame(Turn)
    if due.card is not None and turn is not None and due.card not in turn.used:
        message = say("{card} has not been used this turn", card=due.card)
        yield Problem(f"/stack/{t.index(turn)}/used", message, due.because)


def draw_problems(t: Table, f: Draw, at: str) -> Iterator[Problem]:
    """What is drawn is what is due."""
    if f.to not in everything(t, "draw-places", f.seat):
        yield Problem(f"{at}/to", say("no cards are drawn to this place"), "ROOT-CARD-6")
    if not (f.left or f.step == WAITING) or not 0 <= f.left <= MOST_DRAWN:
        yield Problem(f"{at}/left", say("{n} cards are never drawn", n=f.left), "ROOT-CARD-6")
    dues = _dues(t, f, "draw-due")
    if dues:
        yield from _matched(t, f, at, dues)
        yield from _amount(t, f, at, next((d for d in dues if d.because == f.because), None))


MOST_DRAWN = 100  # with the figures of any house


def _amount(t: Table, f: Draw, at: str, due: Due | None) -> Iterator[Problem]:
    """No more than is due, all of it where none is drawn yet; what is drawn is in the hand."""
    if due is None:
        return
    if f.to != due.to:
        yield Problem(f"{at}/to", say("no such card is drawn here"), due.because)
    if f.left > due.most or (f.step == WAITING and f.left != due.most):
        message = say("{n} cards at most are drawn here", n=due.most)
        yield Problem(f"{at}/left", message, due.because)
    elif due.to == "hand" and hand_size(t, f.seat) < due.most - f.left:
        message = say("{n} cards have been drawn, and are not in the hand", n=due.most - f.left)
        yield Problem(f"{at}/left", message, due.because)
    if sum(isinstance(g, Draw) for g in t.frames) > due.times:
        yield Problem(at, say("so many draws are not due at once"), due.because)


def random_card_problems(t: Table, f: TakeRandomCard, at: str) -> Iterator[Problem]:
    """Who takes a card may, and whoever it is taken from has one."""
    if f.seat == f.source or not hand_size(t, f.source):
        message = say("{seat} has no card that could be taken", seat=f.source)
        yield Problem(f"{at}/source", message, "ROOT-GEN-13")
    if f.because == "ROOT-FX-6" and player(t, f.source).score == 0:
        message = say("{seat} has not scored for the card", seat=f.source)
        yield Problem(f"{at}/source", message, "ROOT-FX-6")
    if dues := _dues(t, f, "random-card-due"):
        yield from _matched(t, f, at, dues)
