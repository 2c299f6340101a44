"""Clock: automated seats of both kinds, set-up options, and a start from a position.

The players and a clockwork rival, which only procedures move, add to a pile in turn; who brings it to the goal wins.
A seat with `automated` is played by the ruleset's prudent player. Endless games test the fuse.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from service.engine.action import Action, ChanceAction, no, requires
from service.engine.audience import Holds, Public, SeatRef, Seats
from service.engine.control import END, goto
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Option, Problem, Ruleset
from service.engine.state import CHANCE
from tests.engine.kit import ruleset

PINS = 30
CLAUSES = {
    "TOY-CLOCK-1": "Whoever lays the pin that makes the goal wins.",
    "TOY-CLOCK-2": "Lay one or two pins.",
    "TOY-CLOCK-3": "The clockwork lays one pin after every round, and it wins, too.",
    "TOY-CLOCK-4": "The goal may be set.",
    "TOY-CLOCK-5": "Nobody goes past the goal.",
    "TOY-CLOCK-6": "At dusk a coin says whether the clockwork runs.",
    "TOY-CLOCK-7": "Nobody goes twice in a row.",
}


class Player(Struct, forbid_unknown_fields=True):
    laid: Public[int] = 0
    badge: Public[str] = ""


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Player]]
    pile: Annotated[Public[dict[str, int]], Holds("pin")]
    box: Annotated[Public[dict[str, int]], Holds("pin")]
    clockwork: Public[int] = 0


class Game(Frame):
    at: Public[int] = 0


class Turn(Frame):
    seat: Public[SeatRef]


class Lay(Action, kind="lay"):
    pins = Pick("TOY-CLOCK-2", (1, 2))

    @requires("TOY-CLOCK-5", "pins")
    def not_past(t, act):
        return pile(t) + act.pins <= goal(t) or no(goal=goal(t))

    def resolve(self, t):
        t.moved("TOY-CLOCK-2", {"pin": self.pins}, ("box",), ("pile",))
        t.set("TOY-CLOCK-2", t.board.seats[self.actor].laid + self.pins, "seats", self.actor, "laid")


class Coin(ChanceAction, kind="coin", rule="TOY-CLOCK-6"):
    heads = Pick("TOY-CLOCK-6", (False, True))

    @classmethod
    def odds(cls, t, frame):
        return {True: 1, False: 1}

    def resolve(self, t):
        if self.heads:
            lay_by_itself(t)


def pile(t: Any) -> int:
    return t.board.pile.get("pin", 0)


def goal(t: Any) -> int:
    return t.options["goal"]


def lay_by_itself(t: Any) -> None:
    """The clockwork: no action, no actor, only what the rules say it does."""
    t.moved("TOY-CLOCK-3", {"pin": 1}, ("box",), ("pile",))
    t.set("TOY-CLOCK-3", t.board.clockwork + 1, "clockwork")


def next_turn(t: Any, frame: Game) -> Turn:
    return Turn(seat=t.seats[frame.at])


def round_over(t: Any, frame: Game) -> Any:
    frame.at = (frame.at + 1) % len(t.seats)
    return goto("next-turn") if frame.at else None


def tick(t: Any, frame: Game) -> Any:
    return goto("next-turn")


def full(t: Any) -> Any:
    if pile(t) < goal(t):
        return None
    t.finish("TOY-CLOCK-1", [], [(s, p.laid, {}) for s, p in t.board.seats.items()])
    return END


def prudent(t: Any, seat: str) -> Action | None:
    """Lays two where it can."""
    frame = t.frames[-1]
    return Lay(t, frame, seat, {"pins": min(2, goal(t) - pile(t))})


def begin(seats: Any, options: Any, figures: Any) -> Board:
    players = {s.id: Player(badge=s.choice.get("badge", "")) for s in seats}
    return Board(players, {}, {"pin": PINS})


def resume(board: Board, seats: Any) -> list[Frame]:
    laid = [board.seats[s].laid for s in seats]
    at = laid.index(min(laid))
    return [Game(step="round-over", at=at), Turn(seat=seats[at], step="lay")]


def pieces(state: Any, figures: Any) -> Any:
    return {"pin": {"pin": PINS}}


def laid_is_the_pile(t: Any) -> list[Problem]:
    laid = sum(p.laid for p in t.board.seats.values()) + t.board.clockwork
    return [] if laid == pile(t) else [Problem("/table/pile", f"{laid} pins were laid", "TOY-CLOCK-2")]


def make(version: str, lay: type[Lay], clauses: dict[str, str], seats: tuple[int, int] = (1, 3)) -> Ruleset:
    """A version of the game: its chapters, of which another version may have changed one."""
    rules = ruleset(
        "clock",
        Board,
        clauses,
        over="TOY-CLOCK-1",
        seats=seats,
        version=version,
        options=(
            Option("goal", 12, (6, 12, 24), "TOY-CLOCK-4"),
            Option("strict", False, (False, True), "TOY-CLOCK-4"),
        ),
        choices={"badge": ("sun", "moon")},
    )
    rules.procedure(
        Game,
        next_turn,
        round_over,
        Ask("dusk", lambda t, f: CHANCE, (Coin,), "TOY-CLOCK-6"),
        tick,
        may_call=(Turn,),
    )
    rules.procedure(Turn, Ask("lay", lambda t, f: f.seat, (lay,), "TOY-CLOCK-2", "TOY-CLOCK-7"))
    rules.watch(full)
    rules.automate(prudent)
    rules.begin(Game)(begin)
    rules.resume(resume)
    rules.pieces(pieces)
    rules.check(laid_is_the_pile)
    rules.close(Path(__file__).parent, "TOY-CLOCK")
    return rules


rules = make("1.0", Lay, CLAUSES)
