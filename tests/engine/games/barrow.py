"""Barrow: stratified pools, known runs, hidden hands, and chance that is given or drawn.

The barrow is dug from the top: three of the four upper tiles (one was set aside unseen), then the four lower ones.
Diggers keep tiles hidden, look at the next two and put them back as they like, bury a tile, or pour the spoil back.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from service.engine.action import Action, ChanceAction, no, requires
from service.engine.audience import Holds, Own, Pile, Public, SeatRef, Seats, count
from service.engine.control import END, NEXT, calls, goto
from service.engine.deck import Deck, Pool, Stratum
from service.engine.domain import Pick, Subset
from service.engine.frames import Ask, Frame
from service.engine.state import CHANCE
from tests.engine.kit import ruleset

UPPER, LOWER = {"bone": 2, "gold": 2}, {"idol": 1, "rat": 3}
TILES = {**UPPER, **LOWER}
CLAUSES = {
    "TOY-BARROW-1": "When the barrow is empty, the dig is over.",
    "TOY-BARROW-2": "Dig, look, bury, spill, pour or leave.",
    "TOY-BARROW-3": "Tiles come up by chance.",
    "TOY-BARROW-4": "Nobody digs in an empty barrow.",
    "TOY-BARROW-5": "Who has looked puts the two tiles back in any order.",
    "TOY-BARROW-6": "Bury a tile of yours at the bottom; you alone remember it.",
    "TOY-BARROW-7": "What is spilt lies open; pour it back and all is mixed.",
    "TOY-BARROW-8": "The curse is known to nobody.",
}


def by_metal(bag: Any) -> dict[str, int]:
    """What others see of a pocket: how many tiles shine, and how many do not."""
    shine = sum(n for what, n in bag.items() if what in ("gold", "idol"))
    return {"bright": shine, "dull": count(bag) - shine}


class Digger(Struct, forbid_unknown_fields=True):
    hand: Annotated[dict[str, int], Own(count), Holds("tile")] = {}
    pocket: Annotated[dict[str, int], Own(by_metal), Holds("tile")] = {}
    shoe: Annotated[dict[str, int], Own(), Holds("tile")] = {}
    looking: Annotated[dict[str, int], Own(count), Holds("tile")] = {}


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Digger]]
    barrow: Annotated[Deck, Pile(), Holds("tile")]
    spoil: Annotated[Public[dict[str, int]], Holds("tile")] = {}
    curse: str = "none"


class Dig(Frame):
    at: Public[int] = 0


class Turn(Frame):
    seat: Public[SeatRef]


class Draw(Frame):
    seat: Public[SeatRef]
    n: Public[int]
    to: Public[str] = "hand"


class Sort(Frame):
    seat: Public[SeatRef]


class DigOne(Action, kind="dig"):
    @requires("TOY-BARROW-4")
    def some_left(t, act):
        return t.board.barrow.size > 0 or no(left=0)

    def resolve(self, t):
        return Draw(seat=self.actor, n=1)


class LookAtTwo(Action, kind="look"):
    @requires("TOY-BARROW-4")
    def two_left(t, act):
        return t.board.barrow.size > 1 or no(left=t.board.barrow.size)

    def resolve(self, t):
        return calls(Draw(seat=self.actor, n=2, to="looking"), Sort(seat=self.actor))


class Bury(Action, kind="bury"):
    tile = Pick("TOY-BARROW-6", lambda t, actor: sorted(t.board.seats[actor].hand), vocabulary=tuple(TILES))

    def resolve(self, t):
        hand = ("seats", self.actor, "hand")
        t.returned("TOY-BARROW-6", [self.tile], hand, ("barrow",), bottom=True, known_to=[self.actor])


class Hide(Action, kind="hide"):
    tile = Pick("TOY-BARROW-2", lambda t, actor: sorted(t.board.seats[actor].hand), vocabulary=tuple(TILES))
    where = Pick("TOY-BARROW-2", ("pocket", "shoe"))

    def resolve(self, t):
        t.moved(
            "TOY-BARROW-2", {self.tile: 1}, ("seats", self.actor, "hand"), ("seats", self.actor, self.where)
        )

    def sight(self, t):
        return frozenset([self.actor])


class Spill(Action, kind="spill"):
    def resolve(self, t):
        t.moved("TOY-BARROW-7", t.board.seats[self.actor].hand, ("seats", self.actor, "hand"), ("spoil",))


class Pour(Action, kind="pour"):
    def resolve(self, t):
        t.shuffled("TOY-BARROW-7", ("spoil",), ("barrow",))


class Curse(Action, kind="curse"):
    def resolve(self, t):
        t.set("TOY-BARROW-8", "slow", "curse")


class Leave(Action, kind="leave"):
    def resolve(self, t):
        return NEXT


class Tile(ChanceAction, kind="tile", rule="TOY-BARROW-3"):
    tile = Pick("TOY-BARROW-3", tuple(TILES))

    @classmethod
    def odds(cls, t, frame):
        return t.board.barrow.odds()

    def resolve(self, t):
        t.moved("TOY-BARROW-3", {self.tile: 1}, ("barrow",), ("seats", self.frame.seat, self.frame.to))
        self.frame.n -= 1

    def sight(self, t):
        return frozenset([self.frame.seat])


def looked_at(t: Any, act: Any) -> Any:
    return t.board.seats[act.actor].looking


class PutBack(Action, kind="put-back"):
    tiles = Subset("TOY-BARROW-5", looked_at, least=2, ordered=True)

    def resolve(self, t):
        looking = ("seats", self.actor, "looking")
        t.returned("TOY-BARROW-5", self.tiles, looking, ("barrow",), known_to=[self.actor])

    def sight(self, t):
        return frozenset([self.actor])


def turn(t: Any, frame: Dig) -> Any:
    return Turn(seat=t.seats[frame.at])


def next_digger(t: Any, frame: Dig) -> Any:
    if t.board.barrow.size == 0:
        t.finish("TOY-BARROW-1", [], [])
        return END
    frame.at = (frame.at + 1) % len(t.seats)
    return goto("turn")


rules = ruleset("barrow", Board, CLAUSES, over="TOY-BARROW-1", seats=(1, 3))
rules.procedure(Dig, turn, next_digger, may_call=(Turn,))
rules.procedure(
    Turn,
    Ask("act", lambda t, f: f.seat, (DigOne, LookAtTwo, Bury, Hide, Spill, Pour, Curse, Leave),
        "TOY-BARROW-2", again=True),
    may_call=(Draw, Sort),
)  # fmt: skip
rules.procedure(Draw, Ask("draw", lambda t, f: CHANCE if f.n else None, (Tile,), "TOY-BARROW-3", again=True))
rules.procedure(Sort, Ask("sort", lambda t, f: f.seat, (PutBack,), "TOY-BARROW-5"))


@rules.begin(Dig)
def begin(seats: Any, options: Any, figures: Any) -> Board:
    barrow = Deck([Pool([Stratum(dict(UPPER), 3)]), Pool([Stratum(dict(LOWER), 4)])])
    return Board({s.id: Digger() for s in seats}, barrow)


@rules.pieces
def pieces(state: Any, figures: Any) -> Any:
    return {"tile": TILES}


rules.close(Path(__file__).parent, "TOY-BARROW")
