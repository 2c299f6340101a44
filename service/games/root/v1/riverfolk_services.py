"""Chapter 18, services: what others buy at the start of their Birdsong, and how they pay (ROOT-RIVER-10 to -20).

Who has warriors pays with those of his supply; who has none exhausts items instead (ROOT-RIVER-13). Supplies, items,
prices and the Riverfolk's hand are seen by all, and so is whether a window opens. Since the order of what belongs to
the start of Birdsong is the turn player's (ROOT-X-14), Better Burrow Bank may be used between purchases.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from service.engine.action import Action, no, requires
from service.engine.control import Control
from service.engine.domain import Pick, Split
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.cards import hand_at, hand_of
from service.games.root.v1.components import first_answer, player
from service.games.root.v1.effects import BetterBurrowBank, has
from service.games.root.v1.figures import CARDS, pieces_of
from service.games.root.v1.riverfolk import (
    HAND_CARD,
    MERCENARIES,
    RIVERBOATS,
    box,
    company,
    pay_in,
    riverfolk,
)
from service.games.root.v1.riverfolk_posts import POST_OF
from service.games.root.v1.state import Turn
from service.games.root.v1.turn import prompt
from service.games.root.v1.woodland import is_present

# -- how many, and for how much -----------------------------------------------------------------------------------


def most_services(t: Table, seat: str) -> int:
    """One service a turn, and one more for each clearing with a trade post and a piece of the buyer (ROOT-RIVER-11)."""
    at_posts = [c for c, here in t.board.map.items() if POST_OF[c] in here and is_present(t, seat, c)]
    return 1 + len(at_posts)


def price(t: Table, service: str) -> int:
    """What a service costs now (ROOT-RIVER-12)."""
    seat = company(t)
    return 0 if seat is None else riverfolk(t, seat).prices.get(service, 0)


def for_sale(t: Table, actor: str) -> list[str]:
    """The cards in the Riverfolk's hand."""
    seat = company(t)
    return [] if seat is None else sorted(hand_of(t, seat))


def warrior_of(t: Table, seat: str) -> str | None:
    """The id of a player's warriors; None for who has none."""
    return next(iter(pieces_of(str(player(t, seat).faction), "warrior")), None)


def items_of(t: Table, seat: str) -> Mapping[str, int]:
    """The items that a player could exhaust; none for who has no such items."""
    found: Mapping[str, int] = first_answer(t, "items-to-exhaust", seat, default={})
    return found


def purse(t: Table, seat: str) -> int:
    """How much a player can pay."""
    warrior = warrior_of(t, seat)
    return sum(items_of(t, seat).values()) if warrior is None else player(t, seat).supply.get(warrior, 0)


# -- what every purchase asks for ---------------------------------------------------------------------------------


class Purchase(Action):
    """One service, checked and paid before the next; each kind and each way to pay is a subclass."""

    service: ClassVar[str] = ""

    @requires("ROOT-RIVER-10", about=("kind",))
    def is_offered(t: Table, act: Any) -> Any:
        """The Riverfolk sell, to others."""
        return company(t) not in (None, act.actor)

    @requires("ROOT-RIVER-21", about=("kind",))
    def buys_at_all(t: Table, act: Any) -> Any:
        """Somebody decides for him: who acts by himself buys nothing."""
        return first_answer(t, "acts-by-itself", act.actor) is None

    @requires("ROOT-RIVER-11", about=("kind",))
    def may_buy_another(t: Table, act: Any) -> Any:
        """As many as his pieces at trade posts allow."""
        bought = act.frame.services
        return not bought or len(bought) < (most := most_services(t, act.actor)) or no(most=most)

    @requires("ROOT-RIVER-20", about=("kind",))
    def not_twice(t: Table, act: Any) -> Any:
        """What lasts for the turn is bought once."""
        again = act.service != HAND_CARD and act.service in act.frame.services
        return not again or no(service=act.service)

    def resolve(self, t: Table) -> Control:
        """It is paid; then he has it."""
        self.pay(t)
        turn: Turn = self.frame
        turn.services = [*turn.services, self.service]
        t.tell("buys", "ROOT-RIVER-10", {"seat": self.actor, "service": self.service})
        self.deliver(t)
        return None

    def pay(self, t: Table) -> None:
        """The price goes to the Payments box."""
        raise NotImplementedError

    def deliver(self, t: Table) -> None:
        """What lasts for the turn needs nothing more."""

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the price."""
        return {"price": price(t, self.service)}


class PaidWithWarriors(Purchase):
    """Paid with warriors of the supply (ROOT-RIVER-12)."""

    @requires("ROOT-RIVER-12", about=("kind",))
    def has_the_warriors(t: Table, act: Any) -> Any:
        """As many as it costs; those on the map are no money."""
        n, held = price(t, act.service), purse(t, act.actor)
        return held >= n or no(price=n, held=held)

    def pay(self, t: Table) -> None:
        """They lie in the Payments box."""
        bag = {str(warrior_of(t, self.actor)): price(t, self.service)}
        t.moved("ROOT-RIVER-12", bag, ("seats", self.actor, "supply"), box(str(company(t)), "payments"))


class PaidWithItems(Purchase):
    """Paid by exhausting an item for each point of the price (ROOT-RIVER-13)."""

    items = Split(
        "ROOT-RIVER-13", lambda t, act: price(t, act.service), lambda t, act: items_of(t, act.actor)
    )

    @requires("ROOT-RIVER-13", about=("kind",))
    def has_the_items(t: Table, act: Any) -> Any:
        """As many as it costs are face up and undamaged."""
        n, held = price(t, act.service), purse(t, act.actor)
        return held >= n or no(price=n, held=held)

    def pay(self, t: Table) -> None:
        """The Riverfolk take as many warriors of their own."""
        for item in sorted(self.items):
            for _ in range(self.items[item]):
                t.rules.run_hook("exhausts", t, "ROOT-RIVER-13", self.actor, item)
        pay_in(t, "ROOT-RIVER-13", str(company(t)), price(t, self.service))


# -- the three services -------------------------------------------------------------------------------------------


def hand_over(t: Table, act: Any) -> None:
    """A card from the open hand to the buyer's; everybody has seen it there (ROOT-RIVER-15, ROOT-INFO-10)."""
    t.moved("ROOT-RIVER-15", {act.card: 1}, hand_at(t, str(company(t))), hand_at(t, act.actor))


class BuyCard(PaidWithWarriors, kind="buy-card"):
    """Any card of the Riverfolk's hand (ROOT-RIVER-15)."""

    service = HAND_CARD
    card = Pick("ROOT-RIVER-15", for_sale, vocabulary=CARDS)

    def deliver(self, t: Table) -> None:
        """It is his."""
        hand_over(t, self)


class BuyRiverboats(PaidWithWarriors, kind="buy-riverboats"):
    """The river is a path until the end of the turn (ROOT-RIVER-16)."""

    service = RIVERBOATS


class HireMercenaries(PaidWithWarriors, kind="hire-mercenaries"):
    """The Riverfolk's warriors rule and fight as his own, in Daylight and Evening (ROOT-RIVER-17)."""

    service = MERCENARIES


class BuyCardWithItems(PaidWithItems, kind="buy-card"):
    """The same for who pays with items."""

    service = HAND_CARD
    card = Pick("ROOT-RIVER-15", for_sale, vocabulary=CARDS)

    def deliver(self, t: Table) -> None:
        """It is his."""
        hand_over(t, self)


class BuyRiverboatsWithItems(PaidWithItems, kind="buy-riverboats"):
    """The same for who pays with items."""

    service = RIVERBOATS


# -- the windows --------------------------------------------------------------------------------------------------


def wanted(t: Table, f: Turn) -> dict[str, int]:
    """The services that this player could buy now, with their prices, his purse and his limit apart.

    There may come to be a card for sale as long as Better Burrow Bank is to be used.
    """
    cards = bool(for_sale(t, f.seat)) or has(t, f.seat, "better-burrow-bank")
    open_to_him = {
        HAND_CARD: cards,
        RIVERBOATS: RIVERBOATS not in f.services,
        MERCENARIES: MERCENARIES not in f.services and warrior_of(t, f.seat) is not None,
    }
    return {service: price(t, service) for service, is_open in open_to_him.items() if is_open}


def could_buy(t: Table, f: Turn) -> bool:
    """Whether anything can be bought, which everyone sees; who acts by itself buys nothing (ROOT-RIVER-21)."""
    if first_answer(t, "acts-by-itself", f.seat) is not None:
        return False
    if company(t) in (None, f.seat):
        return False
    if f.services and len(f.services) >= most_services(t, f.seat):  # one is open to all
        return False
    return min(wanted(t, f).values(), default=1_000) <= purse(t, f.seat)


def bought_all(t: Table, seat: str) -> tuple[str, ...] | None:
    """The clauses for who has bought this turn as many services as he may; later in it he breaks the time as well."""
    turn: Turn | None = t.frame(Turn)
    if turn is None or turn.seat != seat or not turn.services or len(turn.services) < most_services(t, seat):
        return None
    steps = t.rules.procedures[Turn].index
    at_the_start = steps.get(turn.step, 0) <= steps["bank"]
    return ("ROOT-RIVER-11",) if at_the_start else ("ROOT-RIVER-10", "ROOT-RIVER-11")


def buyer(t: Table, f: Turn) -> str | None:
    """The turn player, if he could buy and pays with warriors."""
    return f.seat if warrior_of(t, f.seat) is not None and could_buy(t, f) else None


def buyer_with_items(t: Table, f: Turn) -> str | None:
    """The turn player, if he could buy and pays with items."""
    return f.seat if warrior_of(t, f.seat) is None and could_buy(t, f) else None


WINDOWS = (
    prompt(
        "services",
        buyer,
        (BuyCard, BuyRiverboats, HireMercenaries, BetterBurrowBank, Pass),
        "ROOT-RIVER-10",
        again=True,
    ),
    prompt(
        "services-for-items",
        buyer_with_items,
        (BuyCardWithItems, BuyRiverboatsWithItems, BetterBurrowBank, Pass),
        "ROOT-RIVER-13",
        again=True,
        also={"hire-mercenaries": "ROOT-RIVER-17"},
    ),
)
