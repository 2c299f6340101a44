"""Siege: battles with `Each`, watches that end things at any moment, unwinds, and windows that rules skip.

A campaign is a list of orders. An assault runs its waves one by one; a wave may breach (the assault is done), rout
(everything unwinds to the campaign) or take the crown (the game ends). Whoever has 10 points wins in mid-battle.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from service.engine.action import Action
from service.engine.audience import Public, Seats
from service.engine.control import DONE, END, goto, unwind
from service.engine.domain import Pick
from service.engine.frames import Ask, Each, Frame
from tests.engine.kit import ruleset

WAVES = ("push", "breach", "rout", "crown", "duel", "panic")
CLAUSES = {
    "TOY-SIEGE-1": "Ten points win at once, even in mid-battle.",
    "TOY-SIEGE-2": "The commander orders an assault or a rest.",
    "TOY-SIEGE-3": "A rout sends everybody back to camp.",
    "TOY-SIEGE-4": "Without walls there is nothing to repair.",
    "TOY-SIEGE-5": "The defender repairs a wall.",
    "TOY-SIEGE-6": "The crown ends the war.",
    "TOY-SIEGE-7": "A duel is won or fled.",
    "TOY-SIEGE-8": "In a panic all leave the field: the watch calls them home.",
}


class Side(Struct, forbid_unknown_fields=True):
    points: Public[int] = 0


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Side]]
    walls: Public[int] = 0
    panic: Public[bool] = False


class War(Frame):
    orders: Public[int] = 0


class Assault(Frame):
    waves: Public[list[str]] = []
    done: Public[list[str]] = []


class Duel(Frame):
    pass


class Attack(Action, kind="attack"):
    first = Pick("TOY-SIEGE-2", WAVES)
    second = Pick("TOY-SIEGE-2", WAVES)

    def resolve(self, t):
        return Assault(waves=[self.first, self.second])


class Rest(Action, kind="rest"):
    def resolve(self, t):
        return None


class Repair(Action, kind="repair"):
    def resolve(self, t):
        t.set("TOY-SIEGE-5", t.board.walls - 1, "walls")


class Win(Action, kind="win"):
    def resolve(self, t):
        score(t, 4)
        return DONE


class Flee(Action, kind="flee"):
    def resolve(self, t):
        return unwind(War, "TOY-SIEGE-3")


class Linger(Action, kind="linger"):
    def resolve(self, t):
        return None


def score(t: Any, n: int) -> None:
    seat = t.seats[0]
    t.set("TOY-SIEGE-1", t.board.seats[seat].points + n, "seats", seat, "points")


def wave(t: Any, frame: Assault, what: str) -> Any:
    frame.done = [*frame.done, what]
    if what == "push":
        score(t, 3)
    if what == "breach":
        t.set("TOY-SIEGE-5", t.board.walls + 1, "walls")
        return DONE
    if what == "rout":
        return unwind(War, "TOY-SIEGE-3")
    if what == "crown":
        t.finish("TOY-SIEGE-6", [], [])
        return END
    if what == "panic":
        t.set("TOY-SIEGE-8", True, "panic")
    return Duel() if what == "duel" else None


def victory(t: Any, frame: Assault) -> None:
    score(t, 1)


def march(t: Any, frame: War) -> Any:
    frame.orders += 1
    t.set("TOY-SIEGE-8", False, "panic")
    return goto("order")


rules = ruleset("siege", Board, CLAUSES, over="TOY-SIEGE-6", seats=(2, 2))
rules.procedure(
    War,
    Ask("order", lambda t, f: t.seats[0], (Attack, Rest), "TOY-SIEGE-2"),
    Ask("repair", lambda t, f: t.seats[1] if t.board.walls else None, (Repair,), "TOY-SIEGE-5",
        skipped="TOY-SIEGE-4"),
    march,
    may_call=(Assault,),
)  # fmt: skip
rules.procedure(Assault, Each("waves", wave), victory, may_call=(Duel,))
rules.procedure(Duel, Ask("duel", lambda t, f: t.seats[1], (Win, Flee, Linger), "TOY-SIEGE-7", again=True))


@rules.watch
def ten_points(t: Any) -> Any:
    seat = t.seats[0]
    if t.board.seats[seat].points < 10:
        return None
    t.finish("TOY-SIEGE-1", [seat], [(s, t.board.seats[s].points, {}) for s in t.seats])
    return END


@rules.watch
def panic(t: Any) -> Any:
    return unwind(War, "TOY-SIEGE-8") if t.board.panic else None


@rules.begin(War)
def begin(seats: Any, options: Any, figures: Any) -> Board:
    return Board({s.id: Side() for s in seats})


rules.close(Path(__file__).parent, "TOY-SIEGE")
