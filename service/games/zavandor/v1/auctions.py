"""Chapter 8, auctions: starting, bidding, the net price, paying, taking the card (ZAV-AUC-1 to ZAV-AUC-17)."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from typing import Annotated, Any

from service.engine.action import Action, no, one_of, requires
from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import DONE, Control, calls
from service.engine.domain import Amount, AtLeast, Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.artifacts import GAINS, immediate_effects
from service.games.zavandor.v1.components import in_order, player
from service.games.zavandor.v1.curse import strike
from service.games.zavandor.v1.energy import Payment, means, pay
from service.games.zavandor.v1.figures import ARTIFACTS, SENTINELS, figures
from service.games.zavandor.v1.gems import active_gems
from service.games.zavandor.v1.state import Board, Price, Turn

CARDS = (*ARTIFACTS, *SENTINELS)


class Auction(Frame, kw_only=True):
    """An open auction: the card, the highest bid and its bidder, who acted last, who has passed, the net price."""

    card: Public[str]
    bid: Public[Price]
    leader: Public[SeatRef]
    last: Public[SeatRef]
    passed: Annotated[Public[list[SeatRef]], Distinct("ZAV-AUC-5")] = []
    price: Public[Price] = 0


def on_offer(t: Table) -> set[str]:
    """The artifacts face up and the sentinels not yet sold (ZAV-AUC-1)."""
    return {*t.board.display, *t.board.sentinels}


def least_bid(t: Table, card: str) -> int:
    """The printed minimum (ZAV-AUC-2)."""
    f = figures(t)
    return f.artifacts[card].least_bid if card in f.artifacts else f.sentinels[card].least_bid


def owns_the_only_one(t: Table, seat: str, card: str) -> bool:
    """Magic Belt and Magic Wand: at most one per player (ZAV-AUC-7)."""
    f = figures(t)
    most = f.artifacts[card].most_owned if card in f.artifacts else None
    return most is not None and player(t, seat).artifacts.get(card, 0) >= most


def printed_minimum(t: Table, act: Any) -> Iterable[AtLeast]:
    """The first bid is at least the printed minimum (ZAV-AUC-2)."""
    return figures(t).first_bids[act.card]


class StartAuction(Action, kind="start-auction"):
    """Put a face-up artifact or an unsold sentinel up for auction, with the first bid."""

    card = Pick("ZAV-AUC-1", CARDS)
    bid = Amount("ZAV-AUC-1", printed_minimum, ("ZAV-AUC-2",)).given("card")

    @one_of("ZAV-AUC-1", "card")
    def is_on_offer(t: Table, act: Any) -> Container[str]:
        """Face up, or unsold."""
        return on_offer(t)

    @requires("ZAV-AUC-7", "card")
    def no_second_one(t: Table, act: Any) -> Any:
        """Nobody owns a second Belt or Wand."""
        return not owns_the_only_one(t, act.actor, act.card) or no(card=act.card)

    @requires("ZAV-AUC-8", "card")
    def has_an_active_gem(t: Table, act: Any) -> Any:
        """Mirror and Cloak are put up by owners of an active gem only."""
        f = figures(t)
        needs = act.card in f.artifacts and f.artifacts[act.card].needs_active_gem
        return not needs or active_gems(player(t, act.actor)) > 0 or no(card=act.card)

    def resolve(self, t: Table) -> Control:
        """The first bid is made; those who own the only one they may count as having passed (ZAV-AUC-7)."""
        t.tell("bid", "ZAV-AUC-1", {"seat": self.actor, "card": self.card, "bid": self.bid})
        passed = [s for s in in_order(t) if owns_the_only_one(t, s, self.card)]
        for seat in passed:
            t.tell("passed", "ZAV-AUC-7", {"seat": seat, "card": self.card})
        return Auction(card=self.card, bid=self.bid, leader=self.actor, last=self.actor, passed=passed)

    def notes(self, t: Table) -> list[dict[str, Any]]:
        """A private warning: the least bid is beyond the bidder's means (ZAV-INFO-4)."""
        return beyond_means(t, self.actor, self.card, least_bid(t, self.card))


def beyond_means(t: Table, seat: str, card: str, bid: int) -> list[dict[str, Any]]:
    """The warning that a bid could not be paid: legal, and it calls down the Curse (ZAV-CURSE-1)."""
    price, can_pay = net_price(t, seat, card, bid), means(t, seat)
    return (
        [{"note": "beyond-means", "rule": "ZAV-CURSE-1", "price": price, "means": can_pay}]
        if price > can_pay
        else []
    )


# -- bidding ----------------------------------------------------------------------------------------------------


def cyclic(seats: list[str], after: str) -> list[str]:
    """The seats from the one after `after`, around the table."""
    at = seats.index(after) + 1
    return seats[at:] + seats[:at]


def next_bidder(t: Table, f: Auction) -> str | None:
    """Position order from the active player on, cyclic, without those who have passed (ZAV-AUC-4, -5, -6)."""
    bidders = [s for s in cyclic(in_order(t), f.last) if s not in f.passed]
    return next((s for s in bidders if s != f.leader), None)


def passed_or_out_of_order(t: Table, f: Auction, seat: str) -> str:
    """The clause that a bid by somebody else breaks: a Curse, a second Belt or Wand, a final pass, or the order."""
    if player(t, seat).out:
        return "ZAV-CURSE-4"
    if owns_the_only_one(t, seat, f.card):
        return "ZAV-AUC-7"
    return "ZAV-AUC-5" if seat in f.passed else "ZAV-AUC-4"


def above_the_highest(t: Table, act: Any) -> Iterable[AtLeast]:
    """Each later bid exceeds the highest by at least 1 (ZAV-AUC-3)."""
    highest: int = act.frame.bid
    return [AtLeast("ZAV-AUC-3", highest + figures(t).table["bid-step"], facts={"highest": highest})]


class Bid(Action, kind="bid"):
    """Bid more."""

    amount = Amount("ZAV-AUC-3", above_the_highest)

    def resolve(self, t: Table) -> Control:
        """The highest bid is his."""
        f: Auction = self.frame
        f.bid, f.leader, f.last = self.amount, self.actor, self.actor
        t.tell("bid", "ZAV-AUC-3", {"seat": self.actor, "card": f.card, "bid": self.amount})
        return None

    def notes(self, t: Table) -> list[dict[str, Any]]:
        """A private warning: the least bid is beyond the bidder's means (ZAV-INFO-4)."""
        return beyond_means(t, self.actor, self.frame.card, self.frame.bid + figures(t).table["bid-step"])


class Pass(Action, kind="pass"):
    """Pass: final for this auction (ZAV-AUC-5)."""

    def resolve(self, t: Table) -> Control:
        """Everyone sees it (ZAV-AUC-17)."""
        f: Auction = self.frame
        f.passed, f.last = [*f.passed, self.actor], self.actor
        t.tell("passed", "ZAV-AUC-5", {"seat": self.actor, "card": f.card})
        return None


# -- the net price ----------------------------------------------------------------------------------------------


def net_price(t: Table, seat: str, card: str, bid: int) -> int:
    """Winning bid, position modifier, track discount, artifact discounts; never below 0 (ZAV-AUC-9)."""
    artifacts = figures(t).artifacts
    for_artifact, for_sentinel = t.once(added, t.board, seat)
    price: int
    if card in artifacts:
        price = bid + for_artifact
        for a, n in player(t, seat).artifacts.items():
            price -= n * artifacts[a].discounts.get(card, 0)
    else:
        price = bid + for_sentinel
    return price if price > 0 else 0


def added(t: Table, board: Board, seat: str) -> tuple[int, int]:
    """What is added to a seat's bid for whatever artifact, and for whatever sentinel; below 0 it is taken off.

    Of what its artifacts take off (ZAV-AUC-10) only that which holds for every sentinel.
    """
    artifact, sentinel = modifiers(t, board, seat)
    p = board.seats[seat]
    if stage := p.tracks.get("artifacts", 0):
        track = figures(t).tracks["artifacts"]  # Knowledge of Artifacts (ZAV-KNOW-ART-1)
        artifact -= track.artifact_discount[stage - 1]
        sentinel -= track.sentinel_discount[stage - 1]
    owned = figures(t).artifacts
    return artifact, sentinel - sum([owned[a].sentinel_discount * n for a, n in p.artifacts.items()])


def modifiers(t: Table, board: Board, seat: str) -> tuple[int, int]:
    """By the position card of this round and the victory point track, for artifacts and sentinels (ZAV-AUC-11, -12)."""
    f = figures(t)
    position = f.positions[board.order.index(seat) + 1]
    if position.condition is not None:
        own = position.condition == "own-vp"
        vp = board.seats[seat].vp if own else max([p.vp for p in board.seats.values() if not p.out])
        if vp < f.table["surcharge-vp"]:
            return 0, 0
    return position.artifact, position.sentinel


# -- the end of an auction ----------------------------------------------------------------------------------------


def fix_price(t: Table, f: Auction) -> Control:
    """All but the highest bidder have passed (ZAV-AUC-6): what he has to pay (ZAV-AUC-9)."""
    f.price = net_price(t, f.leader, f.card, f.bid)
    t.tell("auction-won", "ZAV-AUC-6", {"seat": f.leader, "card": f.card, "bid": f.bid, "price": f.price})
    return None


def strike_curse(t: Table, f: Auction) -> Control:
    """A winner who cannot pay the net price is struck by the Curse of the Nine Sages (ZAV-CURSE-1)."""
    return None if means(t, f.leader) >= f.price else strike(t, f.leader, f.card, f.price)


class Pay(Action, kind="pay"):
    """Pay the net price of the card won (ZAV-AUC-13)."""

    payment = Payment(lambda t, act: act.frame.price)

    def resolve(self, t: Table) -> Control:
        """At once, gems included, also out of turn."""
        pay(t, self.actor, self.payment, self.frame.price)
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the price."""
        return {"price": self.frame.price}


def take_card(t: Table, f: Auction) -> Control:
    """The winner takes the card; its immediate effects come before anything else (ZAV-AUC-14)."""
    if f.card in figures(t).artifacts:
        t.moved("ZAV-AUC-13", {f.card: 1}, ("display",), ("seats", f.leader, "artifacts"))
        return calls(*immediate_effects(t, f.leader, f.card))
    t.moved("ZAV-AUC-13", {f.card: 1}, ("sentinels",), ("seats", f.leader, "sentinels"))
    return None


def end_auction(t: Table, f: Auction) -> Control:
    """All passes are forgotten; the active player goes on (ZAV-AUC-14, -17)."""
    return DONE


def out_of_turn(clause: str) -> Callable[[Table, Any, str], str]:
    """A clause about one's own turn; what the active player breaks is that an auction is open."""
    return lambda t, f, seat: "ZAV-ACT-3" if t.frame(Turn).seat == seat else clause


MEANWHILE: dict[str, str | Callable[[Table, Any, str], str | None]] = {
    "start-auction": "ZAV-AUC-1",
    "move-gem": out_of_turn("ZAV-GEM-4"),
    "sell-gems": out_of_turn("ZAV-GEM-6"),
}
NOT_YET = dict.fromkeys(("buy-gem", "buy-token", "advance", "end-turn"), "ZAV-ACT-3")
OVER = dict.fromkeys(("bid", "pass"), "ZAV-AUC-6")


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.disclose("ZAV-AUC-6", "ZAV-CURSE-1")  # whether the winner can pay comes out with his win
    rules.procedure(
        Auction,
        Ask(
            "bid",
            next_bidder,
            takes=(Bid, Pass),
            rule="ZAV-ACT-3",
            wrong=passed_or_out_of_order,
            because="ZAV-AUC-4",
            again=True,
            also=MEANWHILE,
        ),
        fix_price,
        strike_curse,
        Ask(
            "pay",
            lambda t, f: f.leader if f.price else None,
            takes=(Pay,),
            rule="ZAV-CURSE-5",
            wrong="ZAV-AUC-13",
            because="ZAV-AUC-13",
            skipped="ZAV-PAY-8",
            also={**MEANWHILE, **NOT_YET, **OVER, "combine": "ZAV-PAY-7"},
        ),
        take_card,
        end_auction,
        may_call={"take-card": GAINS},
    )
