"""Ferry: windows for other seats inside my turn, whose results flow back to the frame that called.

On a turn the traveller asks the owner of a ferry to cross (the owner names a toll or declines), or lets everybody
else vote; several votes are called at once and their sum comes home to the one who called them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from service.engine.action import Action, no, requires
from service.engine.audience import Holds, Public, SeatRef, Seats
from service.engine.control import END, Calls, calls, done, goto
from service.engine.domain import Amount, AtMost, Pick
from service.engine.frames import Ask, Frame
from tests.engine.kit import ruleset

COINS, CROSSINGS = 5, 3
CLAUSES = {
    "TOY-FERRY-1": "Whoever has crossed three times wins.",
    "TOY-FERRY-2": "Travel by somebody else's ferry or call a vote.",
    "TOY-FERRY-3": "The owner names a toll, or declines.",
    "TOY-FERRY-4": "Nobody names a toll that the traveller cannot pay.",
    "TOY-FERRY-5": "You cannot hire your own ferry.",
    "TOY-FERRY-6": "In a vote all others say aye or no; more ayes than noes carry you over.",
    "TOY-FERRY-7": "It is the traveller's turn.",
}


class Traveller(Struct, forbid_unknown_fields=True):
    coins: Annotated[Public[dict[str, int]], Holds("coin")]
    crossings: Public[int] = 0


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Traveller]]
    rounds: Public[int] = 0


class Journey(Frame):
    """The root; `result` is what the trip brought: whether the traveller is over."""

    at: Public[int] = 0
    result: Public[bool] = False


class Trip(Frame):
    """`result` takes what the owner or the last voter answers."""

    seat: Public[SeatRef]
    result: Public[int] = 0


class Deal(Frame):
    owner: Public[SeatRef]
    traveller: Public[SeatRef]


class Vote(Frame):
    """It has a `result` of its own, which another vote that stands above it must not write."""

    voter: Public[SeatRef]
    result: Public[int] = 99


class Hire(Action, kind="hire"):
    owner = Pick("TOY-FERRY-2", lambda t, actor: t.seats)

    @requires("TOY-FERRY-5", "owner")
    def another(t, act):
        return act.owner != act.actor or no(owner=act.owner)

    def resolve(self, t):
        return Deal(owner=self.owner, traveller=self.actor)


class CallVote(Action, kind="call-vote"):
    def resolve(self, t):
        return calls(*(Vote(voter=s) for s in t.seats if s != self.actor))


def purse(t: Any, act: Any) -> tuple[AtMost]:
    return (AtMost("TOY-FERRY-4", t.board.seats[act.frame.traveller].coins.get("coin", 0)),)


class Toll(Action, kind="toll"):
    coins = Amount("TOY-FERRY-3", purse, ("TOY-FERRY-4",), least=1, most=20)

    def resolve(self, t):
        pay = (("seats", self.frame.traveller, "coins"), ("seats", self.actor, "coins"))
        t.moved("TOY-FERRY-3", {"coin": self.coins}, *pay)
        return done(1)


class Decline(Action, kind="decline"):
    def resolve(self, t):
        return done(0)


class Aye(Action, kind="aye"):
    def resolve(self, t):
        return count(t, self.frame, 1)


class Nay(Action, kind="nay"):
    def resolve(self, t):
        return count(t, self.frame, -1)


def count(t: Any, vote: Vote, n: int) -> Any:
    trip = t.below(vote)
    return done(trip.result + n)


def set_out(t: Any, frame: Journey) -> Calls:
    return calls(Trip(seat=t.seats[frame.at]))


def arrive(t: Any, frame: Journey) -> Any:
    seat = t.seats[frame.at]
    if frame.result:
        t.set("TOY-FERRY-1", t.board.seats[seat].crossings + 1, "seats", seat, "crossings")
    t.set("TOY-FERRY-1", t.board.rounds + 1, "rounds")
    if t.board.seats[seat].crossings == CROSSINGS or t.board.rounds == 30:
        t.finish("TOY-FERRY-1", [seat], [(s, t.board.seats[s].crossings, {}) for s in t.seats])
        return END
    frame.at, frame.result = (frame.at + 1) % len(t.seats), False
    return goto("set-out")


def hand_over(t: Any, frame: Trip) -> Any:
    return done(frame.result > 0)


rules = ruleset("ferry", Board, CLAUSES, over="TOY-FERRY-1", seats=(2, 4))
rules.procedure(Journey, set_out, arrive, may_call=(Trip,))
rules.procedure(
    Trip,
    Ask("travel", lambda t, f: f.seat, (Hire, CallVote), "TOY-FERRY-2", "TOY-FERRY-7"),
    hand_over,
    may_call=(Deal, Vote),
)
rules.procedure(Deal, Ask("answer", lambda t, f: f.owner, (Toll, Decline), "TOY-FERRY-3"))
rules.procedure(Vote, Ask("vote", lambda t, f: f.voter, (Aye, Nay), "TOY-FERRY-6"))


@rules.begin(Journey)
def begin(seats: Any, options: Any, figures: Any) -> Board:
    return Board({s.id: Traveller({"coin": COINS}) for s in seats})


@rules.pieces
def pieces(state: Any, figures: Any) -> Any:
    return {"coin": {"coin": COINS * len(state.seats)}}


rules.close(Path(__file__).parent, "TOY-FERRY")
