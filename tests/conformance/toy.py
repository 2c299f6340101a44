"""Harbour: a small game with everything in it that makes a referee hard, to hold the battery to account.

Goods lie in a secret deck and in hidden hands; crates on the shore are auctioned, or fetched by sailing.
`harbour()` makes the ruleset; its keywords put a faulty part in the place of a sound one, for the tests that
plant faults.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

from msgspec import Meta, Struct

from service.engine.action import Action, ChanceAction, no, requires, waives
from service.engine.audience import Holds, Own, Pile, Public, SeatRef, Seats, count
from service.engine.control import DONE, END, NEXT, calls, goto, unwind
from service.engine.deck import Count, Deck, Positive, pool_of
from service.engine.domain import MOST, Amount, AtLeast, AtMost, Open, Pick, Subset, is_int
from service.engine.frames import Ask, Each, Frame, Free, SealedFrame
from service.engine.options import options
from service.engine.rule import load_rulebook
from service.engine.ruleset import Option, Ruleset
from service.engine.state import CHANCE
from service.engine.words import Words

WORTH = {"ale": 1, "bread": 2, "cloth": 3, "dye": 4}
COPIES, CRATES, ROUNDS, ACTS = 6, 9, 6, 2


class Player(Struct, forbid_unknown_fields=True):
    hand: Annotated[dict[str, Positive], Own(count), Holds("good")] = {}
    looked: Annotated[dict[str, Positive], Own(count), Holds("good")] = {}
    crates: Annotated[Public[dict[str, Positive]], Holds("crate")] = {}
    charm: Public[bool] = True


class Board(Struct, forbid_unknown_fields=True):
    seats: Seats[dict[str, Player]]
    deck: Annotated[Deck, Pile(), Holds("good")]
    shore: Annotated[Public[dict[str, Positive]], Holds("crate")]
    discard: Annotated[Public[dict[str, Positive]], Holds("good")] = {}
    round: Public[Count] = 0


class Season(SealedFrame):
    left: Public[list[SeatRef]] = []
    shown: Public[dict[SeatRef, str]] = {}


class Draw(Frame):
    seat: Public[SeatRef]
    n: Public[Count]
    to: Public[str] = "hand"


class Turn(Frame):
    seat: Public[SeatRef]
    acts: Public[Count] = 0
    auctioned: Public[bool] = False


class Auction(Frame):
    bidders: Public[list[SeatRef]]
    price: Public[Count] = 0
    winner: Public[SeatRef | None] = None
    objectors: Public[list[SeatRef]] = []


class Look(Frame):
    seat: Public[SeatRef]


class Sailing(Frame):
    seat: Public[SeatRef]
    stowed: Public[list[str]] = []


def hand(t: Any, seat: str) -> Mapping[str, int]:
    player = t.board.seats.get(seat)
    return player.hand if player else {}


def worth(bag: Mapping[str, int]) -> int:
    return sum(WORTH[good] * n for good, n in bag.items())


def mine(t: Any, act: Any) -> Mapping[str, int]:
    return hand(t, act.actor)


def looked(t: Any, act: Any) -> Mapping[str, int]:
    player = t.board.seats.get(act.actor)
    return player.looked if player else {}


def held(t: Any, seat: str) -> list[str]:
    return sorted(hand(t, seat))


class Tender(Open):
    """Goods of the own hand worth the price, none of which could be left out."""

    shape = dict[str, Annotated[int, Meta(ge=1, le=MOST)]]

    def describe(self, t: Any, act: Any) -> dict[str, Any]:
        return {"price": act.frame.price, "purse": dict(sorted(mine(t, act).items()))}

    def check(self, t: Any, act: Any, value: Any) -> list[Any]:
        purse = mine(t, act)
        fine = isinstance(value, dict) and all(
            is_int(n) and 0 < n <= purse.get(good, 0) for good, n in value.items()
        )
        if not fine:
            return self.unknown(value)
        price, offered = act.frame.price, worth(value)
        refused = [] if offered >= price else [self.broken(AtLeast("TOY-PAY-1", price), price=price)]
        if value and offered - min(WORTH[good] for good in value) >= price:
            refused.append(self.broken(AtMost("TOY-PAY-2", price), price=price, offered=offered))
        return refused

    def every(self, t: Any, act: Any) -> Iterator[Any]:
        return Subset("TOY-PAY-1", mine).every(t, act) or iter(())

    def _legal(self, t: Any, act: Any) -> list[Any]:
        return [bag for bag in self.every(t, act) if not self.check(t, act, bag)]

    def example(self, t: Any, act: Any) -> Any:
        return min(self._legal(t, act), key=lambda bag: (worth(bag), sum(bag.values())), default=None)

    def sample(self, t: Any, act: Any, rng: random.Random) -> Any:
        legal = self._legal(t, act)
        return rng.choice(legal) if legal else None


class TurnAction(Action):
    @requires("TOY-TURN-2")
    def acts_left(t, act):
        return act.frame.acts < ACTS or no(acts=ACTS)


class OpenAuction(TurnAction, kind="open-auction"):
    @requires("TOY-AUC-1")
    def first_this_turn(t, act):
        return not act.frame.auctioned

    def resolve(self, t):
        self.frame.acts, self.frame.auctioned = self.frame.acts + 1, True
        return Auction(bidders=order_from(t, self.actor))


class Trade(TurnAction, kind="trade"):
    goods = Subset(
        "TOY-TRADE-1",
        mine,
        least=1,
        most=3,
        limits=lambda t, act: [AtMost("TOY-TRADE-2", 1, frozenset(["dye"]))],
        limit_rules=["TOY-TRADE-2"],
    )

    @waives("acts_left", "TOY-TURN-3")
    def charmed(t, act):
        return act.frame.acts == ACTS and t.board.seats[act.actor].charm

    def resolve(self, t):
        self.frame.acts += 1
        t.moved("TOY-TRADE-1", self.goods, ("seats", self.actor, "hand"), ("discard",))
        return Draw(seat=self.actor, n=sum(self.goods.values()))


class StartLook(TurnAction, kind="look"):
    @requires("TOY-LOOK-1")
    def two_in_deck(t, act):
        return t.board.deck.size >= 2 or no(cards=t.board.deck.size)

    def resolve(self, t):
        self.frame.acts += 1
        return Look(seat=self.actor)


class Sail(TurnAction, kind="sail", must_finish="TOY-SAIL-1"):
    def resolve(self, t):
        self.frame.acts += 1
        return Sailing(seat=self.actor)


class EndTurn(Action, kind="end-turn"):
    def resolve(self, t):
        return DONE


class Charm(Action, kind="use-charm"):
    @requires("TOY-CHARM-2")
    def unused(t, act):
        return t.board.seats[act.actor].charm

    def resolve(self, t):
        t.set("TOY-CHARM-2", False, "seats", self.actor, "charm")
        return Draw(seat=self.actor, n=1)


class Bid(Action, kind="bid"):
    amount = Amount(
        "TOY-AUC-2",
        lambda t, act: [
            AtLeast("TOY-AUC-2", act.frame.price + 1),
            AtMost("TOY-AUC-3", worth(mine(t, act)), facts={"means": worth(mine(t, act))}),
        ],
        ["TOY-AUC-3"],
        least=1,
        most=200,
    )

    def resolve(self, t):
        auction = self.frame
        auction.price, auction.winner = self.amount, self.actor
        auction.bidders = [*auction.bidders[1:], self.actor]


class Pass(Action, kind="pass"):
    def resolve(self, t):
        self.frame.bidders = self.frame.bidders[1:]


class Object(Action, kind="object"):
    @requires("TOY-AUC-5")
    def has_dye(t, act):
        return "dye" in mine(t, act)

    def resolve(self, t):
        t.moved("TOY-AUC-5", {"dye": 1}, ("seats", self.actor, "hand"), ("discard",))
        self.frame.price += 1
        return NEXT


class Accept(Action, kind="accept"):
    def resolve(self, t):
        self.frame.objectors = self.frame.objectors[1:]


class Roll(ChanceAction, kind="roll", rule="TOY-STORM-1"):
    die = Pick("TOY-STORM-1", (1, 2, 3, 4, 5, 6))

    @classmethod
    def odds(cls, t, frame):
        return dict.fromkeys(range(1, 7), 1)

    def resolve(self, t):
        t.tell("rolled", "TOY-STORM-1", {"die": self.die})
        return unwind(Turn, "TOY-STORM-1") if self.die == 1 and t.options["storms"] else None


class Pay(Action, kind="pay"):
    goods = Tender("TOY-PAY-1", limit_rules=["TOY-PAY-2"])

    def resolve(self, t):
        t.moved("TOY-PAY-1", self.goods, ("seats", self.actor, "hand"), ("discard",))
        t.moved("TOY-AUC-6", {"crate": 1}, ("shore",), ("seats", self.actor, "crates"))


class Default(Action, kind="default"):
    @requires("TOY-PAY-3")
    def cannot_pay(t, act):
        return worth(mine(t, act)) < act.frame.price or no(price=act.frame.price)

    def resolve(self, t):
        return None


class PutBack(Action, kind="put-back"):
    order = Subset("TOY-LOOK-2", looked, 2, 2, ordered=True)

    def sight(self, t):
        return frozenset([self.actor])

    def resolve(self, t):
        ends = ("seats", self.actor, "looked"), ("deck",)
        t.returned("TOY-LOOK-2", self.order, *ends, known_to=[self.actor])


class Stow(Action, kind="stow"):
    good = Pick("TOY-SAIL-2", held, vocabulary=tuple(WORTH))

    @requires("TOY-SAIL-3", "good")
    def another_good(t, act):
        return act.good not in act.frame.stowed

    def resolve(self, t):
        t.moved("TOY-SAIL-2", {self.good: 1}, ("seats", self.actor, "hand"), ("discard",))
        self.frame.stowed = [*self.frame.stowed, self.good]


class Show(Action, kind="show"):
    good = Pick("TOY-SHOW-2", lambda t, seat: [*held(t, seat), "nothing"], vocabulary=(*WORTH, "nothing"))

    def resolve(self, t):
        if self.good != "nothing":
            t.moved("TOY-SHOW-2", {self.good: 1}, ("seats", self.actor, "hand"), ("discard",))
        self.frame.shown = {**self.frame.shown, self.actor: self.good}


class DrawCard(ChanceAction, kind="draw", rule="TOY-DECK-1"):
    good = Pick("TOY-DECK-1", tuple(WORTH))

    @classmethod
    def odds(cls, t, frame):
        return t.board.deck.odds()

    def sight(self, t):
        return frozenset([self.frame.seat])

    def resolve(self, t):
        self.frame.n -= 1
        t.moved("TOY-DECK-1", {self.good: 1}, ("deck",), ("seats", self.frame.seat, self.frame.to))


def order_from(t, seat):
    at = t.seats.index(seat)
    return [*t.seats[at:], *t.seats[:at]]


def deal(t, season):
    return calls(*(Draw(seat=seat, n=3) for seat in t.seats))


def new_round(t, season):
    if t.board.round == ROUNDS:
        return end(t, "TOY-END-1")
    season.left = order_from(t, t.seats[t.board.round % len(t.seats)])
    t.set("TOY-TURN-1", t.board.round + 1, "round")
    return None


def take_turn(t, season, seat):
    return Turn(seat=seat)


def reward(t, season):
    shown, season.shown = season.shown, {}
    copies = Counter(shown.values())
    alone = [seat for seat in t.seats if copies[shown[seat]] == 1 and shown[seat] != "nothing"]
    best = max(alone, key=lambda seat: WORTH[shown[seat]], default=None)
    return Draw(seat=best, n=2) if best else None


def next_round(t, season):
    return goto("new-round")


def end(t, because):
    scores = {seat: sum(t.board.seats[seat].crates.values()) for seat in t.seats}
    best = max(scores.values())
    winners = [seat for seat in t.seats if scores[seat] == best]
    t.finish(because, winners, [(seat, n, {"crates": n}) for seat, n in scores.items()])
    return END


def find_card(t, draw):
    if not draw.n:
        return DONE
    if not t.board.deck.size:
        if not t.board.discard:
            return DONE
        t.shuffled("TOY-DECK-2", ("discard",), ("deck",))
    return None


def more_cards(t, draw):
    return goto("find-card")


def next_bidder(t, auction):
    settled = auction.winner is not None and auction.bidders == [auction.winner]
    return auction.bidders[0] if auction.bidders and not settled else None


def name_objectors(t, auction):
    if auction.winner is None:
        return DONE
    auction.objectors = order_from(t, auction.winner)[1:]
    return None


def look_at_two(t, look):
    return Draw(seat=look.seat, n=2, to="looked")


def land(t, sailing):
    t.moved("TOY-SAIL-2", {"crate": 1}, ("shore",), ("seats", sailing.seat, "crates"))


def shore_empty(t):
    return None if t.board.shore else end(t, "TOY-END-2")


def prudent(t, seat):
    """End turns, pass, accept; where that is no answer, whatever comes first."""
    found = list(options(t, seat))
    quiet = [o.act for o in found if o.act.kind in ("end-turn", "pass", "accept")]
    busy = [o.act for o in found if o.act.kind == "sail"]
    return next(iter([*busy, *quiet, *(o.act for o in found)]), None)


def harbour(version: str = "1.0", **other: Any) -> Ruleset:
    """The ruleset; `other` puts parts in the place of those of the same name (`Bid=`, `land=` …)."""

    def part(sound: Any) -> Any:
        return other.get(sound.__name__, sound)

    def its_seat(t: Any, frame: Any) -> Any:
        return frame.seat

    board = part(Board)
    rules = Ruleset(
        "harbour",
        version,
        board=board,
        book=other.get("book") or load_rulebook(Path(__file__).with_name("toy.toml")),
        words=Words({}, {}),
        components={"goods": [{"id": good, "worth": n} for good, n in WORTH.items()]},
        seats=(2, 4),
        over="TOY-END-1",
        options=[Option("storms", True, (True, False), "TOY-R-1")],
    )

    @rules.begin(Season)
    def begin(seats: Any, options: Any, figures: Any) -> Any:
        goods = dict.fromkeys(WORTH, COPIES)
        player = part(Player)
        return board({s.id: player() for s in seats}, pool_of(goods), {"crate": CRATES})

    @rules.pieces
    def pieces(state: Any, figures: Any) -> Any:
        return other.get("pieces", {"good": dict.fromkeys(WORTH, COPIES), "crate": {"crate": CRATES}})

    rules.procedure(
        Season,
        part(deal),
        part(new_round),
        Each("left", take_turn),
        Ask("show", lambda t, f: t.seats, (part(Show),), "TOY-SHOW-1", together=True),
        part(reward),
        part(next_round),
        may_call=(Draw, Turn),
    )
    rules.procedure(
        Draw,
        part(find_card),
        Ask("draw", lambda t, f: CHANCE, (part(DrawCard),), "TOY-DECK-1"),
        part(more_cards),
    )
    main = tuple(part(c) for c in (OpenAuction, Trade, StartLook, Sail, EndTurn))
    rules.procedure(
        Turn,
        Ask("act", other.get("turn_seat", its_seat), main, "TOY-TURN-2", "TOY-TURN-1", again=True),
        free=Free((part(Charm),), its_seat, "TOY-CHARM-1"),
        may_call=(Draw, Auction, Look, Sailing),
    )
    rules.procedure(
        Auction,
        Ask("bid", part(next_bidder), (part(Bid), part(Pass)), "TOY-AUC-2", "TOY-AUC-4", again=True),
        part(name_objectors),
        Ask("object", lambda t, f: f.objectors[:1], (part(Object), part(Accept)), "TOY-AUC-5", again=True),
        Ask("roll", lambda t, f: CHANCE, (part(Roll),), "TOY-STORM-1"),
        Ask("pay", lambda t, f: f.winner, (part(Pay), part(Default)), "TOY-PAY-1"),
    )
    rules.procedure(
        Look,
        part(look_at_two),
        Ask("put-back", its_seat, (part(PutBack),), "TOY-LOOK-2", gap=True),
        may_call=(Draw,),
    )
    rules.procedure(
        Sailing,
        Ask(
            "stow",
            lambda t, f: f.seat if len(f.stowed) < 2 else None,
            (part(Stow),),
            "TOY-SAIL-2",
            again=True,
        ),
        part(land),
    )
    rules.watch(part(shore_empty))
    rules.automate(prudent)
    rules.close(Path(__file__).parent / "none", "TOY")
    return rules


RULES = harbour()
