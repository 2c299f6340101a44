"""Chapter 18, the Riverfolk Company: the river, the open hand, boxes of warriors, set-up (ROOT-RIVER-1 to -4).

Services, the turn, trade posts and mercenaries have modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control
from service.engine.domain import AtLeast, AtMost, Pick, Split, Statement, Subset
from service.engine.frames import Frame
from service.engine.rule import UNKNOWN_VALUE, Violation
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs, limited, owner, player, who_plays
from service.games.root.v1.figures import PIECES, PRINTED, RIVER, SERVICES, figures, pieces_of
from service.games.root.v1.state import Riverfolk, Turn
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.woodland import closed_by, place

RIVERFOLK = "riverfolk"
WARRIOR = "riverfolk-warrior"
HAND_CARD, RIVERBOATS, MERCENARIES = SERVICES
WARRIORS = tuple(p for p in PIECES if PRINTED.pieces[p].kind == "warrior")


def company(t: Table) -> str | None:
    """The seat that plays the Riverfolk; None where nobody does."""
    return who_plays(t, RIVERFOLK)


def is_company(t: Table, seat: str) -> bool:
    """Whether a seat plays the Riverfolk."""
    return player(t, seat).faction == RIVERFOLK


def riverfolk(t: Table, seat: str) -> Riverfolk:
    """The Riverfolk's board; for a player of another faction, who may ask, an empty one."""
    return player(t, seat).riverfolk or Riverfolk()


def box(seat: str, *name: str) -> tuple[str, ...]:
    """Where the warriors of a box lie, or those of the spaces: `("spaces", suit)` (ROOT-RIVER-3)."""
    return ("seats", seat, RIVERFOLK, *name)


def open_hand(t: Table, seat: str) -> tuple[str, ...] | None:
    """The Riverfolk's hand lies above their board, for all to see (ROOT-RIVER-2, ROOT-INFO-3)."""
    return ("seats", seat, RIVERFOLK, "hand") if player(t, seat).riverfolk is not None else None


# -- the river (ROOT-RIVER-1, ROOT-RIVER-16) ----------------------------------------------------------------------


def has_riverboats(t: Table, seat: str) -> bool:
    """Whether a player has bought Riverboats this turn."""
    turn: Turn | None = t.frame(Turn)
    return turn is not None and turn.seat == seat and RIVERBOATS in turn.services


def by_river(t: Table, seat: str, clearing: str) -> list[str]:
    """The river is a path for the Riverfolk, and for who has boats (ROOT-MAP-3, ROOT-R-RIVER-1)."""
    rivers = PRINTED.clearings[clearing].rivers
    return rivers if rivers and (is_company(t, seat) or has_riverboats(t, seat)) else []


def swims(t: Table, seat: str, origin: str, to: str) -> bool:
    """Along the river the Riverfolk move whoever rules; who has only boats does not (ROOT-MOVE-3)."""
    return to in PRINTED.clearings[origin].rivers and is_company(t, seat)


# -- funds (ROOT-RIVER-3, ROOT-RIVER-4) ---------------------------------------------------------------------------


def funds(t: Table, seat: str) -> Mapping[str, int]:
    """The warriors in the Funds box, of whatever owner."""
    return riverfolk(t, seat).funds


def warriors_in_play(t: Table, actor: str) -> list[str]:
    """The warriors of all factions at the table."""
    return [p for seat in t.seats for p in pieces_of(str(player(t, seat).faction), "warrior")]


def fund_pick() -> Pick:
    """A parameter that names a fund by whose warrior it is."""
    return Pick("ROOT-RIVER-3", warriors_in_play, vocabulary=WARRIORS)


def a_fund() -> Any:
    """The requirement that such a warrior lies in the Funds box; the other boxes are no funds."""

    @requires("ROOT-RIVER-3", "fund")
    def is_a_fund(t: Table, act: Any) -> Any:
        """There it lies."""
        return act.fund in funds(t, act.actor) or no(fund=act.fund)

    return is_a_fund


def commit(t: Table, because: str, seat: str, fund: str) -> None:
    """A fund goes to the Committed box."""
    t.moved(because, {fund: 1}, box(seat, "funds"), box(seat, "committed"))


def spend_funds(t: Table, because: str, seat: str, bag: Mapping[str, int]) -> None:
    """Funds return to the supplies of their owners."""
    for piece in sorted(bag):
        home = str(owner(t, piece))
        t.moved(because, {piece: bag[piece]}, box(seat, "funds"), ("seats", home, "supply"))


def pay_in(t: Table, because: str, seat: str, n: int) -> None:
    """The Riverfolk put so many own warriors of the supply into the Payments box, or all there are (ROOT-RIVER-23)."""
    bag = limited({WARRIOR: n}, player(t, seat).supply)
    t.moved(because, bag, ("seats", seat, "supply"), box(seat, "payments"))


# -- prices -------------------------------------------------------------------------------------------------------


class Prices(Subset):
    """The prices of all services; what is no price is told the highest."""

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """`unknown-value` with the highest price."""
        return with_fact(super().check(t, act, value), highest=figures(t).table["highest-price"])


def with_fact(refused: Iterable[Violation], **facts: Any) -> list[Violation]:
    """The same refusals, those of unknown values with these facts besides."""
    return [v if v.reason != UNKNOWN_VALUE else replace(v, facts={**v.facts, **facts}) for v in refused]


def prices_pick(rule: str) -> Prices:
    """A parameter that names the prices of all services: `{service: n}`, each from 1 to the highest (4)."""

    def one_price_each(t: Table, act: Any) -> Iterable[Statement]:
        return [AtLeast(rule, 1, frozenset([s]), facts={"service": s}) for s in SERVICES]

    def at_the_highest(t: Table, act: Any) -> dict[str, int]:
        return dict.fromkeys(SERVICES, figures(t).table["highest-price"])

    return Prices(rule, at_the_highest, limits=one_price_each)


def prices_told(prices: Mapping[str, int]) -> dict[str, Any]:
    """For texts: the prices one by one."""
    names = {HAND_CARD: "card_price", RIVERBOATS: "boats_price", MERCENARIES: "mercenary_price"}
    return {names[service]: n for service, n in prices.items() if service in names}


def set_prices(t: Table, because: str, seat: str, prices: Mapping[str, int]) -> None:
    """The markers move; one that stays is no news."""
    for service in SERVICES:
        t.set(because, prices[service], *box(seat, "prices", service))


# -- set-up (ROOT-SETUP-14) ---------------------------------------------------------------------------------------


class RiverfolkSetup(Frame, kw_only=True):
    """The Riverfolk set up."""

    seat: Public[SeatRef]


def on_the_river(t: Table, act: Any) -> Iterable[Statement]:
    """Nobody else places pieces at the keep (ROOT-MARQ-2)."""
    closed = frozenset(c for c in RIVER if closed_by(t, act.actor, c) is not None)
    return [AtMost("ROOT-MARQ-2", 0, closed, facts={"clearing": min(closed)})] if closed else []


class FirstWarriors(Split):
    """The first warriors by clearing; who names others, or too few, is told how many there are."""

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """`unknown-value` with the number due."""
        return with_fact(super().check(t, act, value), due=self.total(t, act))


class SetupRiverfolk(Action, kind="setup-riverfolk"):
    """Choose where the first warriors stand on the river, and what services cost (ROOT-DEC-5)."""

    warriors = FirstWarriors(
        "ROOT-SETUP-14",
        lambda t, act: figures(t).table["river-warriors"],
        lambda t, act: dict.fromkeys(RIVER, figures(t).table["river-warriors"]),
        on_the_river,
        ("ROOT-MARQ-2",),
    )
    prices = prices_pick("ROOT-SETUP-14")

    def resolve(self, t: Table) -> Control:
        """Warriors to the river and into the Payments box; the prices stand."""
        for clearing in sorted(self.warriors, key=int):
            place(t, "ROOT-SETUP-14", self.actor, {WARRIOR: self.warriors[clearing]}, clearing)
        pay_in(t, "ROOT-SETUP-14", self.actor, figures(t).table["river-payments"])
        set_prices(t, "ROOT-SETUP-14", self.actor, self.prices)
        return DONE

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the prices."""
        return prices_told(self.prices)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(RiverfolkSetup, prompt("set-up", its_seat, (SetupRiverfolk,), "ROOT-SETUP-14"))
