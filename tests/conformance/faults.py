"""Harbour with one fault each: what the laws must catch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from msgspec import Struct

from service.engine.action import Action, no, requires
from service.engine.audience import Holds, Pile, Public, Seats
from service.engine.control import AGAIN, DONE, goto
from service.engine.deck import Count, Deck, Positive
from service.engine.domain import Amount, AtLeast, Pick, Subset
from service.engine.rule import Rulebook, load_rulebook
from tests.conformance import toy


def named(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A step that takes the place of the one of this name."""

    def rename(fn: Callable[..., Any]) -> Callable[..., Any]:
        fn.__name__ = name
        return fn

    return rename


def others(t: Any, seat: str) -> Any:
    return [toy.hand(t, s) for s in t.seats if s != seat]


# -- twin


class BoastfulAmount(Amount):
    def describe(self, t, act):
        return {"least": 1, "most": 200}


class BoastfulBid(toy.Bid):
    amount = BoastfulAmount("TOY-AUC-2", lambda t, act: [AtLeast("TOY-AUC-2", act.frame.price + 1)])


class ShyPick(Pick):
    """Takes what it does not list."""

    def values(self, t, actor):
        return [v for v in super().values(t, actor) if v != "dye"]

    def check(self, t, act, value):
        return [] if value == "dye" and "dye" in toy.hand(t, act.actor) else super().check(t, act, value)


class ShyShow(toy.Show):
    good = ShyPick("TOY-SHOW-2", lambda t, s: [*toy.held(t, s), "nothing"], (*toy.WORTH, "nothing"))


class RashTender(toy.Tender):
    def sample(self, t, act, rng):
        return dict(sorted(toy.mine(t, act).items()))


class RashPay(toy.Pay):
    goods = RashTender("TOY-PAY-1", limit_rules=["TOY-PAY-2"])


class SlyStow(toy.Stow):
    """Its requirement reads a parameter that it does not name, so that options test it too early."""

    @requires("TOY-SAIL-3")
    def another_good(t, act):
        return act.__dict__.get("good") not in act.frame.stowed


class WrongSubset(Subset):
    def example(self, t, act):
        return dict(sorted(self.of(t, act).items())) or None


class WrongTrade(toy.Trade):
    goods = WrongSubset("TOY-TRADE-1", toy.mine, least=1, most=2)


# -- secrets


class PryingTrade(toy.Trade):
    @requires("TOY-TRADE-1")
    def somebody_has_dye(t, act):
        return any("dye" in hand for hand in others(t, act.actor))


class TellingObject(toy.Object):
    @requires("TOY-AUC-5")
    def has_dye(t, act):
        return "dye" in toy.mine(t, act) or no(others=[dict(h) for h in others(t, act.actor)])


@named("name_objectors")
def name_those_who_can_object(t: Any, auction: Any) -> Any:
    """A window that opens on what a hand holds."""
    if auction.winner is None:
        return DONE
    after = toy.order_from(t, auction.winner)[1:]
    auction.objectors = [s for s in after if "dye" in toy.hand(t, s)]
    return None


class LoudDraw(toy.DrawCard):
    def resolve(self, t):
        t.tell("drawn", "TOY-DECK-1", {"good": self.good})
        super().resolve(t)


class GlassBoard(Struct, forbid_unknown_fields=True):
    """Shows what is left in the deck, and so what the hands hold together."""

    seats: Seats[dict[str, toy.Player]]
    deck: Annotated[Deck, Pile(members=True), Holds("good")]
    shore: Annotated[Public[dict[str, Positive]], Holds("crate")]
    discard: Annotated[Public[dict[str, Positive]], Holds("good")] = {}
    round: Public[Count] = 0


# -- conservation


class CopyingPay(toy.Pay):
    def resolve(self, t):
        t.moved("TOY-AUC-6", {"crate": 1}, None, ("seats", self.actor, "crates"))


@named("land")
def lose_a_crate(t: Any, sailing: Any) -> None:
    t.moved("TOY-SAIL-2", {"crate": 1}, ("shore",), None)


class LooseBoard(Struct, forbid_unknown_fields=True):
    """The starter is a seat that the type does not declare as one."""

    seats: Seats[dict[str, toy.Player]]
    deck: Annotated[Deck, Pile(), Holds("good")]
    shore: Annotated[Public[dict[str, Positive]], Holds("crate")]
    discard: Annotated[Public[dict[str, Positive]], Holds("good")] = {}
    round: Public[Count] = 0
    starter: Public[str] = "ann"


# -- purity


class WritingAccept(toy.Accept):
    def resolve(self, t):
        self.frame.objectors.pop(0)


class WritingObject(toy.Object):
    @requires("TOY-AUC-5")
    def has_dye(t, act):
        t.board.seats[act.actor].charm = False
        return "dye" in toy.mine(t, act)


@named("name_objectors")
def name_in_any_order(t: Any, auction: Any) -> Any:
    if auction.winner is None:
        return DONE
    t.tell("named", "TOY-AUC-5", {"marks": list({f"{seat}-{i}" for seat in t.seats for i in range(4)})})
    auction.objectors = list({*t.seats} - {auction.winner})
    return None


HASHED = toy.harbour(name_objectors=name_in_any_order)


class UnsortedStow(toy.Stow):
    good = Pick("TOY-SAIL-2", lambda t, seat: list(toy.hand(t, seat)), tuple(toy.WORTH))

    @requires("TOY-SAIL-3", "good")
    def another_good(t, act):
        return act.good not in act.frame.stowed


# -- round trip


class TupleStow(toy.Stow):
    def resolve(self, t):
        super().resolve(t)
        self.frame.stowed = tuple(self.frame.stowed)


class DebtBid(toy.Bid):
    def resolve(self, t):
        super().resolve(t)
        self.frame.price = -self.amount


# -- rules


def book_with(rule: str, **changes: Any) -> Rulebook:
    """The toy's rulebook with one clause changed."""
    book = load_rulebook(Path(toy.__file__).with_name("toy.toml"))
    return Rulebook({**book.rules, rule: replace(book[rule], **changes)}, book.chapters, book.documents)


class UncitedPay(toy.Pay):
    def resolve(self, t):
        super().resolve(t)
        t.tell("paid", "TOY-PAY-99", {})


class UncitedObject(toy.Object):
    @requires("TOY-AUC" + "-99")
    def has_dye(t, act):
        return "dye" in toy.mine(t, act)


# -- ends


class StuckPutBack(toy.PutBack):
    @requires("TOY-LOOK-2")
    def never(t, act):
        return False


class ThirstyShow(toy.Show):
    good = Pick("TOY-SHOW-2", lambda t, s: [g for g in toy.held(t, s) if g == "ale"], tuple(toy.WORTH))


@named("next_round")
def round_and_round(t: Any, season: Any) -> Any:
    return AGAIN if t.board.round % 2 else goto("new-round")


@named("new_round")
def for_ever(t: Any, season: Any) -> None:
    season.left = list(t.seats)


@named("shore_empty")
def no_end(t: Any) -> None:
    return None


class Never(Action, kind="never"):
    @requires("TOY-TURN-2")
    def never(t, act):
        return False
