"""Whisper: simultaneous secret answers, and automated seats among those who give them.

Every round all players whisper at once: a number, or that they sit out. The highest number that nobody else whispered
takes the prize. Rounds of one window that asks again follow: `chorus`, all at once until nobody wants more.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from service.engine.action import Action, no, requires
from service.engine.audience import Holds, Own, Public, SeatRef, Seats, count
from service.engine.control import END, NEXT, goto
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame, SealedFrame
from tests.engine.kit import ruleset

ROUNDS = 3
CLAUSES = {
    "TOY-WHISPER-1": "After three rounds the most prizes win.",
    "TOY-WHISPER-2": "All whisper a number at once, or sit out.",
    "TOY-WHISPER-3": "A number that you have whispered is spent.",
    "TOY-WHISPER-4": "All sing at once, until somebody stops.",
    "TOY-WHISPER-5": "Whoever has stopped listens to the applause.",
}


class Player(Struct, forbid_unknown_fields=True):
    numbers: Annotated[dict[str, int], Own(count), Holds("number")]
    prizes: Public[int] = 0


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Player]]
    spent: Annotated[Public[dict[str, int]], Holds("number")] = {}
    round: Public[int] = 0
    verses: Public[int] = 0


class Game(SealedFrame):
    said: Public[dict[SeatRef, str]] = {}


class Applause(Frame):
    seat: Public[SeatRef]


class Whisper(Action, kind="whisper"):
    number = Pick("TOY-WHISPER-2", ("1", "2", "3", "4"))

    @requires("TOY-WHISPER-3", "number")
    def not_spent(t, act):
        return act.number in t.board.seats[act.actor].numbers or no(number=act.number)

    def resolve(self, t):
        t.moved("TOY-WHISPER-3", {self.number: 1}, ("seats", self.actor, "numbers"), ("spent",))
        self.frame.said = {**self.frame.said, self.actor: self.number}


class SitOut(Action, kind="sit-out"):
    def resolve(self, t):
        self.frame.said = {**self.frame.said, self.actor: ""}


class SingOn(Action, kind="sing-on"):
    def resolve(self, t):
        t.set("TOY-WHISPER-4", t.board.verses + 1, "verses")


class Stop(Action, kind="stop"):
    def resolve(self, t):
        return NEXT


class StopAndBow(Action, kind="bow"):
    def resolve(self, t):
        return Applause(seat=self.actor)


class Enjoy(Action, kind="enjoy"):
    def resolve(self, t):
        return None


def new_round(t: Any, frame: Game) -> None:
    t.set("TOY-WHISPER-1", t.board.round + 1, "round")
    frame.said = {}


def prize(t: Any, frame: Game) -> None:
    numbers = [n for n in frame.said.values() if n]
    alone = [s for s, n in frame.said.items() if n and numbers.count(n) == 1]
    if alone:
        best = max(alone, key=lambda s: frame.said[s])
        t.set("TOY-WHISPER-2", t.board.seats[best].prizes + 1, "seats", best, "prizes")


def go_on(t: Any, frame: Game) -> Any:
    if t.board.round < ROUNDS:
        return goto("new-round")
    t.finish("TOY-WHISPER-1", [], [(s, t.board.seats[s].prizes, {}) for s in t.seats])
    return END


def everybody(t: Any, frame: Game) -> tuple[str, ...]:
    return t.seats


rules = ruleset("whisper", Board, CLAUSES, over="TOY-WHISPER-1", seats=(2, 4))
rules.procedure(
    Game,
    new_round,
    Ask("whisper", everybody, (Whisper, SitOut), "TOY-WHISPER-2", together=True),
    prize,
    Ask("chorus", everybody, (SingOn, Stop, StopAndBow), "TOY-WHISPER-4", together=True, again=True),
    go_on,
    may_call=(Applause,),
)
rules.procedure(Applause, Ask("enjoy", lambda t, f: f.seat, (Enjoy,), "TOY-WHISPER-5"))


@rules.automate
def prudent(t: Any, seat: str) -> Action:
    """Whispers its highest number and always stops singing."""
    frame = t.frames[-1]
    if frame.step == "chorus":
        return Stop(t, frame, seat)
    return Whisper(t, frame, seat, {"number": max(t.board.seats[seat].numbers)})


@rules.begin(Game)
def begin(seats: Any, options: Any, figures: Any) -> Board:
    return Board({s.id: Player(dict.fromkeys("1234", 1)) for s in seats})


@rules.pieces
def pieces(state: Any, figures: Any) -> Any:
    return {"number": dict.fromkeys("1234", len(state.seats))}


rules.close(Path(__file__).parent, "TOY-WHISPER")
