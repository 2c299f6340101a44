"""Maze: a composite of windows (a march of two moves with a reaction between), and look-ahead.

An explorer who enters must come out again on the other side: each room is left by one of its doors, each door is used
once a walk. The rooms and doors of each entrance are made so that one is a tempting dead end.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from msgspec import Struct

from service.engine.action import Action, ChanceAction, no, requires
from service.engine.audience import Public, SeatRef, Seats
from service.engine.control import DONE, END, NEXT
from service.engine.domain import Amount, Pick
from service.engine.frames import Ask, Frame
from service.engine.state import CHANCE
from tests.engine.kit import ruleset

# entrance -> the rooms behind it: {room: where its doors lead}; "out" is the way out, "" an endless ring of rooms
MAZES: dict[str, dict[str, list[str]]] = {
    "north": {"start": ["hall"], "hall": ["out"]},
    "east": {"start": ["gold"], "gold": ["pit"], "pit": []},
    "south": {"start": ["ring"], "ring": ["bend"], "bend": ["ring"]},
    "west": {"start": ["dice"], "dice": []},
    "locked": {"start": ["door"], "door": []},
    "well": {"start": ["rope"], "rope": []},
}
DEEP = {f"r{i}": [f"r{i + 1}"] for i in range(400)}
MAZES["deep"] = {"start": ["r0"], **DEEP, "r400": ["out"]}
MAZES["hopeless"] = {"start": ["r0"], **DEEP, "r400": []}
ROOMS = tuple(dict.fromkeys(room for maze in MAZES.values() for room in (*maze, "out")))
CLAUSES = {
    "TOY-MAZE-1": "The game ends when all have rested.",
    "TOY-MAZE-2": "Enter a maze, march, or rest.",
    "TOY-MAZE-3": "Enter only where there is a way out.",
    "TOY-MAZE-4": "Leave a room by one of its doors.",
    "TOY-MAZE-5": "Doors lock behind you: no room twice.",
    "TOY-MAZE-6": "In the room of dice chance says where you are.",
    "TOY-MAZE-7": "A key opens the locked door; you find it by looking.",
    "TOY-MAZE-8": "A rope of some length leads out of the well.",
    "TOY-MAZE-9": "A march is one move or two, and the other may block between them.",
    "TOY-MAZE-10": "Others block the way or let you pass.",
}


class Board(Struct, forbid_unknown_fields=True):
    at: Seats[dict[str, int]]
    keys: Public[int] = 0
    blocked: Public[bool] = False
    hopeless: Public[bool] = False
    looked: Public[int] = 0


class Round(Frame):
    pass


class Walk(Frame):
    maze: Public[str]
    room: Public[str] = "start"
    been: Public[list[str]] = []


class March(Frame):
    seat: Public[SeatRef]
    moves: Public[int] = 0


class Block(Frame):
    seat: Public[SeatRef]


class Enter(Action, kind="enter", must_finish="TOY-MAZE-3"):
    maze = Pick("TOY-MAZE-2", tuple(MAZES))

    def resolve(self, t):
        return Walk(maze=self.maze)


class Rest(Action, kind="rest"):
    def resolve(self, t):
        t.finish("TOY-MAZE-1", [], [])
        return END


class Door(Action, kind="door"):
    to = Pick("TOY-MAZE-4", ROOMS)

    @requires("TOY-MAZE-4", "to")
    def leads_there(t, act):
        return act.to in doors(t, act.frame) or no(room=act.frame.room)

    @requires("TOY-MAZE-5", "to")
    def not_twice(t, act):
        return act.to not in act.frame.been

    def resolve(self, t):
        frame = self.frame
        frame.been, frame.room = [*frame.been, frame.room], self.to
        return NEXT if self.to == "out" else None


class Look(Action, kind="look", gain=True):
    """A pure gain; looking once more finds nothing, which must not lead look-ahead in circles."""

    def resolve(self, t):
        t.set("TOY-MAZE-7", 1, "keys")


class Climb(Action, kind="climb"):
    length = Amount("TOY-MAZE-8")

    @requires("TOY-MAZE-8")
    def in_the_well(t, act):
        return act.frame.room == "rope"

    def resolve(self, t):
        return DONE


class Fall(ChanceAction, kind="fall", rule="TOY-MAZE-6"):
    room = Pick("TOY-MAZE-6", ("out", "pit"))

    @classmethod
    def odds(cls, t, frame):
        return {"out": 1, "pit": 1}

    def resolve(self, t):
        return DONE if self.room == "out" else None


class Begin(Action, kind="march"):
    def resolve(self, t):
        return March(seat=self.actor)


class Move(Action, kind="move"):
    @requires("TOY-MAZE-10")
    def not_blocked(t, act):
        return not t.board.blocked

    def resolve(self, t):
        self.frame.moves += 1
        t.set("TOY-MAZE-9", t.board.at[self.actor] + 1, "at", self.actor)
        others = [s for s in t.seats if s != self.actor]
        return Block(seat=others[0]) if self.frame.moves == 1 else NEXT


class StopThere(Action, kind="stop"):
    def resolve(self, t):
        return NEXT


class SetBlock(Action, kind="block"):
    def resolve(self, t):
        t.set("TOY-MAZE-10", True, "blocked")


class LetPass(Action, kind="let-pass"):
    def resolve(self, t):
        return None


def doors(t: Any, frame: Walk) -> list[str]:
    if frame.maze == "locked" and frame.room == "door" and t.board.keys:
        return ["out"]
    return MAZES[frame.maze][frame.room]


def its_walker(t: Any, frame: Walk) -> str | None:
    return None if frame.room == "dice" else t.seats[0]


def clear(t: Any, frame: March) -> None:
    t.set("TOY-MAZE-10", False, "blocked")


rules = ruleset("maze", Board, CLAUSES, over="TOY-MAZE-1", seats=(2, 2))
rules.hook("may-finish", lambda t: not t.board.hopeless)
rules.procedure(
    Round,
    Ask("act", lambda t, f: t.seats[0], (Enter, Begin, Rest), "TOY-MAZE-2", again=True),
    may_call=(Walk, March),
)
rules.procedure(
    Walk,
    Ask("door", its_walker, (Look, Door, Climb), "TOY-MAZE-4", again=True),
    Ask("fall", lambda t, f: CHANCE if f.room == "dice" else None, (Fall,), "TOY-MAZE-6"),
)
rules.procedure(
    March,
    Ask("move", lambda t, f: f.seat, (Move, StopThere), "TOY-MAZE-9", again=True),
    clear,
    may_call=(Block,),
)
rules.procedure(Block, Ask("react", lambda t, f: f.seat, (SetBlock, LetPass), "TOY-MAZE-10"))


@rules.begin(Round)
def begin(seats: Any, options: Any, figures: Any) -> Board:
    return Board({s.id: 0 for s in seats})


rules.close(Path(__file__).parent, "TOY-MAZE")
