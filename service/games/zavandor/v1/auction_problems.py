"""Reasons why an auction of Zavandor, or what its card does, cannot stand as it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.engine.frames import FINISHED
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.zavandor.v1.artifacts import FreeGem, GemLoss, GemLosses, immediate_effects, victims
from service.games.zavandor.v1.auctions import (
    CARDS,
    Auction,
    cyclic,
    least_bid,
    net_price,
    next_bidder,
    on_offer,
    owns_the_only_one,
)
from service.games.zavandor.v1.components import in_order
from service.games.zavandor.v1.energy import means
from service.games.zavandor.v1.figures import figures
from service.games.zavandor.v1.free_advances import FreeAdvance, FreeSteps
from service.games.zavandor.v1.gems import active_gems
from service.games.zavandor.v1.moment import Moment

OPEN = ("bid", "pay")  # the steps before the winner has the card


def auction_problems(t: Table, m: Moment, f: Auction, at: str) -> Iterator[Problem]:
    """The card, the bids and passes in their order, and the price once it is fixed."""
    if f.card not in CARDS or (f.step in OPEN and f.card not in on_offer(t)):
        yield Problem(f"{at}/card", say("{card} is not on offer", card=f.card), "ZAV-AUC-1")
        return
    if f.step in OPEN:
        yield from _start(t, m, f, at)
    bidders = in_order(t)
    for field in ("leader", "last"):
        if getattr(f, field) not in bidders:
            message = say("{seat} takes no part in the auction", seat=getattr(f, field))
            out = t.board.seats[getattr(f, field)].out
            yield Problem(f"{at}/{field}", message, "ZAV-CURSE-4" if out else "ZAV-AUC-4")
            return
    yield from _passes(t, f, at, bidders)
    yield from _bids(t, m, f, at)
    if f.step in OPEN and owns_the_only_one(t, f.leader, f.card):
        message = say("{seat} owns {card} already", seat=f.leader, card=f.card)
        yield Problem(f"{at}/leader", message, "ZAV-AUC-7")
    elif f.step == "bid":
        if f.price:
            message = say("price {price} before the auction is won", price=f.price)
            yield Problem(f"{at}/price", message, "ZAV-AUC-9")
    else:
        yield from _won(t, f, at)


def _start(t: Table, m: Moment, f: Auction, at: str) -> Iterator[Problem]:
    """The active player can have put the card up."""
    if m.turn is None:
        return
    seat, artifact = m.turn.seat, figures(t).artifacts.get(f.card)
    if owns_the_only_one(t, seat, f.card):
        message = say("{seat} owns {card} and cannot have put it up", seat=seat, card=f.card)
        yield Problem(f"{at}/card", message, "ZAV-AUC-7")
    if artifact is not None and artifact.needs_active_gem and not active_gems(t.board.seats[seat]):
        message = say("{seat} has no active gem and cannot have put {card} up", seat=seat, card=f.card)
        yield Problem(f"{at}/card", message, "ZAV-AUC-8")


def _bids(t: Table, m: Moment, f: Auction, at: str) -> Iterator[Problem]:
    least = least_bid(t, f.card)
    if f.bid < least:
        message = say("a bid of {bid}; the printed minimum is {least}", bid=f.bid, least=least)
        yield Problem(f"{at}/bid", message, "ZAV-AUC-2")
    elif m.turn is not None and f.leader != m.turn.seat and f.bid < least + figures(t).table["bid-step"]:
        message = say("a bid of {bid}, yet {seat} bid first", bid=f.bid, seat=m.turn.seat)
        yield Problem(f"{at}/bid", message, "ZAV-AUC-3")


def _passes(t: Table, f: Auction, at: str, bidders: list[str]) -> Iterator[Problem]:
    """Passes are final, and everyone between the highest bidder and the one who acted last has passed."""
    if f.leader in f.passed:
        message = say("{seat} bid highest and cannot have passed", seat=f.leader)
        yield Problem(f"{at}/leader", message, "ZAV-AUC-5")
    for i, seat in enumerate(f.passed):
        if seat not in bidders:
            yield Problem(
                f"{at}/passed/{i}", say("{seat} takes no part in the auction", seat=seat), "ZAV-CURSE-4"
            )
    if f.step in OPEN:
        for seat in bidders:
            if seat not in f.passed and seat != f.leader and owns_the_only_one(t, seat, f.card):
                message = say("{seat} owns {card} and counts as having passed", seat=seat, card=f.card)
                yield Problem(f"{at}/passed", message, "ZAV-AUC-7")
    if f.last != f.leader:
        if not f.passed or f.passed[-1] != f.last:
            message = say("{seat} acted last, yet neither bid highest nor passed last", seat=f.last)
            yield Problem(f"{at}/last", message, "ZAV-AUC-4")
        since = cyclic(bidders, f.leader)
        skipped = [s for s in since[: since.index(f.last)] if s not in f.passed]
        if skipped:
            message = say("{seat} acted before {skipped}", seat=f.last, skipped=", ".join(skipped))
            yield Problem(f"{at}/last", message, "ZAV-AUC-4")


def _won(t: Table, f: Auction, at: str) -> Iterator[Problem]:
    """The auction is over: everyone else has passed, and the price follows from the bid."""
    if next_bidder(t, f) is not None:
        yield Problem(
            f"{at}/step", say("the auction is not over, for not all others have passed"), "ZAV-AUC-6"
        )
    if f.last == f.leader and not all(owns_the_only_one(t, s, f.card) for s in f.passed):
        message = say("{seat} bid highest, so somebody else acted last", seat=f.leader)
        yield Problem(f"{at}/last", message, "ZAV-AUC-6")
    price = net_price(t, f.leader, f.card, f.bid)
    if f.price not in (price, *_earlier_prices(t, f, price)):
        message = say("price {price}; the net price is {wanted}", price=f.price, wanted=price)
        yield Problem(f"{at}/price", message, "ZAV-AUC-9")
    elif f.step == "pay" and (purse := means(t, f.leader)) < price:
        message = say("{seat} cannot pay {price} with {purse}", seat=f.leader, price=price, purse=purse)
        yield Problem(f"{at}/price", message, "ZAV-CURSE-1")


def _earlier_prices(t: Table, f: Auction, price: int) -> Iterator[int]:
    """Prices before the card that was won moved the marker that gives discounts."""
    if any(isinstance(g, FreeAdvance | FreeSteps) and g.step == FINISHED for g in t.frames):
        track = figures(t).tracks["artifacts"]
        stage = t.board.seats[f.leader].tracks.get("artifacts", 0)
        now = track.artifact_discount[stage - 1] if stage else 0
        yield from (price + now - by for by in (0, *track.artifact_discount[: max(0, stage - 1)]))


# -- what the card does ---------------------------------------------------------------------------------


RULES: dict[str, str] = {
    "FreeAdvance": "ZAV-KNOW-10",
    "FreeSteps": "ZAV-ART-TALISMAN-1",
    "FreeToken": "ZAV-ART-MIRROR-1",
    "GemLosses": "ZAV-ART-MIRROR-2",
    "GemLoss": "ZAV-ART-MIRROR-2",
    "FreeGem": "ZAV-ART-ELIXIR-2",
}


def effect_problems(t: Table, m: Moment, f: Any, at: str) -> Iterator[Problem]:
    """An effect of the card that was won, in the hands of the one who has won it."""
    auction: Auction | None = t.frame(Auction)
    if auction is None:
        return
    rule = RULES[type(f).__name__]
    if isinstance(f, GemLoss):
        yield from _loss(t, f, at, auction)
        return
    artifact = auction.card in figures(t).artifacts
    due = immediate_effects(t, auction.leader, auction.card) if artifact else []
    wanted: Any = next((e for e in due if type(e) is type(f)), None)
    if wanted is None:
        card = getattr(f, "card", auction.card)
        field = "card" if hasattr(f, "card") else "gem"
        yield Problem(f"{at}/{field}", say("{card} has no such effect", card=card), rule)
        return
    for field in ("card", "seat", "gem"):
        if getattr(f, field, None) != getattr(wanted, field, None):
            given, here = getattr(f, field), getattr(wanted, field)
            message = say("{field} is {given}; here it is {wanted}", field=field, given=given, wanted=here)
            yield Problem(f"{at}/{field}", message, rule)
    if auction.card not in t.board.seats[auction.leader].artifacts:
        message = say("{seat} does not own {card}", seat=auction.leader, card=auction.card)
        yield Problem(f"{at}/{'gem' if isinstance(f, FreeGem) else 'card'}", message, rule)
    yield from _in_turn(t, f, at, due, auction)


def _in_turn(t: Table, f: Any, at: str, due: Any, auction: Auction) -> Iterator[Problem]:
    """Effects come in the order of the card's text: those that follow this one wait below it."""
    i = t.index(f)
    after = [type(e) for e in due][[type(e) for e in due].index(type(f)) + 1 :]
    below = [type(g) for g in t.frames[t.index(auction) + 1 : i]][::-1]
    if below != after:
        yield Problem(f"{at}/frame", say("what the card does comes in the order of its text"), "ZAV-AUC-14")
    if isinstance(f, GemLosses):
        yield from _victims(t, f, at, auction)


def _victims(t: Table, f: GemLosses, at: str, auction: Auction) -> Iterator[Problem]:
    """Everyone who has still to lose a gem, in their order (ZAV-ART-MIRROR-4)."""
    due = victims(t, auction.leader)
    loss = t.frame(GemLoss)
    if loss is not None and loss.seat in due:
        due = due[due.index(loss.seat) + 1 :]
    if f.victims != due:
        message = say("still to lose a gem: {due}", due=", ".join(due) or "nobody")
        yield Problem(f"{at}/victims", message, "ZAV-ART-MIRROR-4")


def _loss(t: Table, f: GemLoss, at: str, auction: Auction) -> Iterator[Problem]:
    if f.card != auction.card:
        message = say(
            "{field} is {given}; here it is {wanted}", field="card", given=f.card, wanted=auction.card
        )
        yield Problem(f"{at}/card", message, "ZAV-ART-MIRROR-2")
    if f.seat not in victims(t, auction.leader):
        yield Problem(f"{at}/seat", say("{seat} loses nothing", seat=f.seat), "ZAV-ART-MIRROR-2")
    elif len(t.board.seats[f.seat].active) < 2:
        message = say("{seat} has no choice between kinds of active gems", seat=f.seat)
        yield Problem(f"{at}/seat", message, "ZAV-ART-MIRROR-4")
