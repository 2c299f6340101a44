"""Camp: free actions through a nested frame, gaps, hooks, loops.

Each day every camper takes a turn: scout ahead (others may look over the shoulder: a window with a gap), quarrel (a
window without one) or rest. In the own turn a camper may sing, whistle or go home at any moment that the rules leave
open. What a scout finds goes past the finders, the dog first.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from service.engine.action import Action, no, requires
from service.engine.audience import Holds, Public, SeatRef, Seats
from service.engine.control import AGAIN, DONE, END, NEXT, goto
from service.engine.domain import Pick
from service.engine.frames import Ask, Each, Frame, Free
from tests.engine.kit import ruleset

FOUND = ("berries", "bones", "sticks")
CLAUSES = {
    "TOY-CAMP-1": "Three days, then all go home.",
    "TOY-CAMP-2": "Every camper has one turn a day, in the order of the seats.",
    "TOY-CAMP-3": "A turn is scouting, quarrelling or resting, until you rest.",
    "TOY-CAMP-4": "Out scouting you say what you have found.",
    "TOY-CAMP-5": "In a quarrel you say sorry or stamp your foot.",
    "TOY-CAMP-6": "You may sing at any moment of your turn, twice a day.",
    "TOY-CAMP-7": "You may whistle; then you hear the echo.",
    "TOY-CAMP-8": "You may go home at any moment of your turn.",
    "TOY-CAMP-9": "The dog takes the bones.",
    "TOY-CAMP-10": "Three stamps end a quarrel.",
}


class Camper(Struct, forbid_unknown_fields=True):
    bag: Annotated[Public[dict[str, int]], Holds("find")] = {}
    songs: Public[int] = 0


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Camper]]
    woods: Annotated[Public[dict[str, int]], Holds("find")]
    dog: Annotated[Public[dict[str, int]], Holds("find")] = {}
    day: Public[int] = 0


class Holiday(Frame):
    left: Public[list[SeatRef]] = []


class Turn(Frame):
    seat: Public[SeatRef]
    sung: Public[int] = 0


class Scout(Frame):
    seat: Public[SeatRef]


class Quarrel(Frame):
    seat: Public[SeatRef]
    stamps: Public[int] = 0


class Echo(Frame):
    seat: Public[SeatRef]


class GoScouting(Action, kind="scout"):
    def resolve(self, t):
        return Scout(seat=self.actor)


class StartQuarrel(Action, kind="quarrel"):
    def resolve(self, t):
        return Quarrel(seat=self.actor)


class Rest(Action, kind="rest"):
    def resolve(self, t):
        return NEXT


class Say(Action, kind="say"):
    find = Pick("TOY-CAMP-4", lambda t, actor: sorted(t.board.woods), vocabulary=FOUND)

    def resolve(self, t):
        t.moved("TOY-CAMP-4", {self.find: 1}, ("woods",), t.rules.run_hook("found", t, self.actor, self.find))


class Sorry(Action, kind="sorry"):
    def resolve(self, t):
        return DONE


class Stamp(Action, kind="stamp"):
    def resolve(self, t):
        self.frame.stamps += 1
        return NEXT if self.frame.stamps == 3 else AGAIN


class Sing(Action, kind="sing"):
    @requires("TOY-CAMP-6")
    def twice(t, act):
        return act.frame.sung < 2 or no(sung=act.frame.sung)

    def resolve(self, t):
        self.frame.sung += 1
        t.set("TOY-CAMP-6", t.board.seats[self.actor].songs + 1, "seats", self.actor, "songs")


class Whistle(Action, kind="whistle"):
    def resolve(self, t):
        return Echo(seat=self.actor)


class GoHome(Action, kind="go-home"):
    def resolve(self, t):
        return DONE


class Listen(Action, kind="listen"):
    def resolve(self, t):
        return None


def dawn(t: Any, frame: Holiday) -> Any:
    if t.board.day == 3:
        t.finish("TOY-CAMP-1", [], [(s, t.board.seats[s].songs, {}) for s in t.seats])
        return END
    t.set("TOY-CAMP-1", t.board.day + 1, "day")
    frame.left = list(t.seats)
    return None


def take_turn(t: Any, frame: Holiday, seat: str) -> Turn:
    return Turn(seat=seat)


def dusk(t: Any, frame: Holiday) -> Any:
    return goto("dawn")


def dog_first(t: Any, seat: str, find: str) -> Any:
    return ("dog",) if find == "bones" else None


def its_seat(t: Any, frame: Any) -> str:
    return frame.seat


rules = ruleset("camp", Board, CLAUSES, over="TOY-CAMP-1")
rules.hook("found", dog_first, lambda t, seat, find: ("seats", seat, "bag"))
rules.procedure(Holiday, dawn, Each("left", take_turn), dusk, may_call=(Turn,))
rules.procedure(
    Turn,
    Ask("act", its_seat, (GoScouting, StartQuarrel, Rest), "TOY-CAMP-3", "TOY-CAMP-2", again=True),
    free=Free((Sing, Whistle, GoHome), its_seat, "TOY-CAMP-6"),
    may_call=(Scout, Quarrel, Echo),
)
rules.procedure(Scout, Ask("say", its_seat, (Say,), "TOY-CAMP-4", gap=True))
rules.procedure(Quarrel, Ask("say", its_seat, (Sorry, Stamp), "TOY-CAMP-5", again=True))
rules.procedure(Echo, Ask("listen", its_seat, (Listen,), "TOY-CAMP-7"))


@rules.begin(Holiday)
def begin(seats: Any, options: Any, figures: Any) -> Board:
    return Board({s.id: Camper() for s in seats}, dict.fromkeys(FOUND, 4))


@rules.pieces
def pieces(state: Any, figures: Any) -> Any:
    return {"find": dict.fromkeys(FOUND, 4)}


rules.close(Path(__file__).parent, "TOY-CAMP")
