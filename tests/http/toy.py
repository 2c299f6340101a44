"""A small game for the tests of the HTTP layer: draw cards from a deck, play them for points, give some away.

It has what the layer must carry: a hidden hand, a deck of unknown order, seeded and given chance, open
parameters, set-up options, seat choices and an end.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from service.engine.action import Action, ChanceAction, no, requires
from service.engine.audience import Holds, Own, Pile, Public, SeatRef, Seats, count
from service.engine.control import DONE, END, Control, calls
from service.engine.deck import Deck, pool_of
from service.engine.domain import Amount, AtMost, Pick, Subset
from service.engine.frames import Ask, Frame
from service.engine.rule import Rule, Rulebook
from service.engine.ruleset import Option, Ruleset, SetupSeat
from service.engine.state import State
from service.engine.table import Table
from service.engine.words import Words

CARDS = ("apple", "cherry", "plum")
Card = Literal["apple", "cherry", "plum"]
Positive = Annotated[int, Meta(ge=1, le=100)]
HOME = Path(__file__).parent


class Player(Struct, forbid_unknown_fields=True):
    """One player."""

    hand: Annotated[dict[Card, Positive], Own(rest=count), Holds("card")] = {}
    played: Annotated[Public[dict[Card, Positive]], Holds("card")] = {}
    points: Public[Annotated[int, Meta(ge=0)]] = 0
    colour: Public[str | None] = None


class Board(Struct, forbid_unknown_fields=True):
    """The table."""

    seats: Seats[dict[str, Player]]
    deck: Annotated[Deck, Pile(), Holds("card")]
    discard: Annotated[Public[dict[Card, Positive]], Holds("card")] = {}


class Game(Frame, kw_only=True):
    """The whole game."""

    turn: Public[int] = 0


class Turn(Frame, kw_only=True):
    """One turn."""

    seat: Public[SeatRef]


class Draw(Frame, kw_only=True):
    """One card drawn."""

    seat: Public[SeatRef]


class Play(Action, kind="play"):
    """Play a card and claim points for it."""

    card = Pick("TOY-2", lambda t, actor: tuple(sorted(t.board.seats[actor].hand)), vocabulary=CARDS)
    points = Amount("TOY-3", lambda t, act: [AtMost("TOY-3", 3, facts={"most": 3})], ("TOY-3",), most=50)

    @requires("TOY-4", "card")
    def no_plums(t: Table, act: Any) -> Any:
        return act.card != "plum" or no(card=act.card)

    def resolve(self, t: Table) -> Control:
        t.moved("TOY-2", {self.card: 1}, ("seats", self.actor, "hand"), ("seats", self.actor, "played"))
        t.set("TOY-3", t.at("seats", self.actor, "points") + self.points, "seats", self.actor, "points")
        return None


class Throw(Action, kind="throw"):
    """Throw cards away."""

    cards = Subset("TOY-2", lambda t, act: t.board.seats[act.actor].hand, least=1)

    def resolve(self, t: Table) -> Control:
        t.moved("TOY-2", self.cards, ("seats", self.actor, "hand"), ("discard",))
        return None


class End(Action, kind="end-turn"):
    """End the turn."""

    def resolve(self, t: Table) -> Control:
        return DONE


class Deal(ChanceAction, kind="deal", rule="TOY-1"):
    """The card drawn."""

    card = Pick("TOY-1", CARDS)

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[Any, int]:
        return t.board.deck.odds()

    def sight(self, t: Table) -> frozenset[str]:
        return frozenset([self.frame.seat])

    def resolve(self, t: Table) -> Control:
        t.moved("TOY-1", {self.card: 1}, ("deck",), ("seats", self.frame.seat, "hand"))
        return DONE


def next_turn(t: Table, f: Any) -> Control:
    if f.turn >= 4 * len(t.seats):
        scores = [(s, t.board.seats[s].points, {"points": t.board.seats[s].points}) for s in t.seats]
        best = max(score for _, score, _ in scores)
        t.finish("TOY-5", [s for s, score, _ in scores if score == best], scores)
        return END
    seat = t.seats[f.turn % len(t.seats)]
    f.turn += 1
    return calls(Draw(seat=seat), Turn(seat=seat), again=True)


def prudent(t: Table, seat: str) -> Action | None:
    frame = t.frames[-1]
    return End(t, frame, seat) if isinstance(frame, Turn) else None


def _rule(n: int, en: str, message: dict[str, str] | None = None) -> Rule:
    text = {"en": en, "cs": f"Česky: {en}"}
    return Rule(f"TOY-{n}", "all", "limit", "toy-rules", n, text, message)


def _book() -> Rulebook:
    rules = [
        _rule(1, "A turn begins with a card drawn."),
        _rule(2, "Cards are played from the hand."),
        _rule(3, "A card is worth at most three points.", {"en": "At most {most}.", "cs": "Nejvýše {most}."}),
        _rule(4, "Plums are not played."),
        _rule(5, "The game ends after four turns each."),
    ]
    names = {"toy-rules": {"en": "The toy rules", "cs": "Pravidla hračky"}}
    return Rulebook({r.id: r for r in rules}, {"all": {"en": "All", "cs": "Vše"}}, names)


WORDS = {
    "actions": {
        "play": {"en": "play", "cs": "zahrát", "option": {"en": "Play {card}.", "cs": "Zahrát {card}."}}
    },
    "events": {"moved": {"en": "{what} moved.", "cs": "{what}: přesun."}},
    "terms": {"toy": {"en": "The Toy", "cs": "Hračka"}},
}


def make(version: str = "1.0") -> Ruleset:
    """A fresh ruleset of the toy game."""
    components = {
        "cards": [{"id": c, "name": {"en": c.title(), "cs": c}, "certainty": "rulebook"} for c in CARDS]
    }
    names = {c["id"]: c["name"] for c in components["cards"]}
    rules = Ruleset(
        "toy",
        version,
        board=Board,
        book=_book(),
        words=Words(WORDS, names),
        components=components,
        seats=(2, 3),
        over="TOY-5",
        options=[Option("short", False, (False, True), "TOY-5"), Option("hand", 2, (1, 2, 3), "TOY-1")],
        choices={"colour": ("red", "green")},
    )
    _declare(rules)
    rules.close(HOME, "TOY")
    return rules


def _declare(rules: Ruleset) -> None:
    rules.procedure(Game, next_turn, may_call=(Turn, Draw))
    takes = (Play, Throw, End)
    rules.procedure(Turn, Ask("act", lambda t, f: f.seat, takes=takes, rule="TOY-2", again=True))
    rules.procedure(
        Draw,
        Ask("draw", lambda t, f: "chance" if t.board.deck.size else None, takes=(Deal,), rule="TOY-1"),
        may_call=(),
    )
    rules.automate(prudent)

    @rules.begin(Game)
    def begin(seats: list[SetupSeat], options: Mapping[str, Any], figures: Any) -> Board:
        players = {s.id: Player(colour=s.choice.get("colour")) for s in seats}
        return Board(players, pool_of(dict.fromkeys(CARDS, 8)))

    @rules.resume
    def resume(board: Board, seats: list[str]) -> list[Frame]:
        return [Game(step="next-turn", turn=0)]

    @rules.pieces
    def pieces(state: State[Any, Any], figures: Any) -> Mapping[str, Mapping[str, int]]:
        return {"card": dict.fromkeys(CARDS, 8)}
