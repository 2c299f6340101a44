"""Chapter 20, spies: they look at an order in Daylight, and two orders may be swapped (ROOT-SPY-1 to ROOT-SPY-10).

They take the place of the dominance cards where the Mechanical Marquise plays, and are spent, discarded and taken like
those. Orders are counted from the left, and the leftmost is 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.aside import card_at
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, NEXT, Control
from service.engine.deck import Deck
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.cards import hand_at, hand_pick, spend
from service.games.root.v1.components import Plugs, player
from service.games.root.v1.effects import use
from service.games.root.v1.figures import CARDS, SPIES, suit_of
from service.games.root.v1.house import OVERRIDABLE
from service.games.root.v1.mechanical import SeenOrder, mechanical, row_of, seen_by, who_is_mechanical
from service.games.root.v1.state import CardId, Positive, Turn
from service.games.root.v1.turn import prompt

PLACES = tuple(range(1, OVERRIDABLE.bounds["table.orders"][1] + 1))


# -- the order row ------------------------------------------------------------------------------------------------


def order_row(t: Table) -> Deck:
    """The orders that lie face down; none where the Mechanical Marquise does not play."""
    seat = who_is_mechanical(t)
    return Deck() if seat is None else mechanical(t, seat).row


def order_at(t: Table, position: int) -> str | None:
    """The order at a position; None while nobody has seen it. IndexError beyond the row."""
    return card_at(order_row(t), position - 1)


def order_pick(rule: str) -> Pick:
    """A parameter that names the position of an order."""
    return Pick(rule, lambda t, actor: range(1, order_row(t).size + 1), vocabulary=PLACES)


# -- playing and using a spy (ROOT-SPY-2, ROOT-SPY-5) -------------------------------------------------------------


class PlaySpy(Action, kind="play-spy"):
    """A spy goes from the hand to the play area, for free (ROOT-SPY-2)."""

    card = hand_pick("ROOT-SPY-2")

    @requires("ROOT-SPY-2", "card")
    def is_a_spy(t: Table, act: Any) -> Any:
        """It is one."""
        return act.card in SPIES or no(card=act.card)

    def resolve(self, t: Table) -> Control:
        """There it no longer counts for the hand (ROOT-SPY-4)."""
        t.moved("ROOT-SPY-2", {self.card: 1}, hand_at(t, self.actor), ("seats", self.actor, "spies"))
        return None


class UseSpy(Action, kind="use-spy"):
    """A spy looks at one order, once in its owner's Daylight (ROOT-SPY-5)."""

    spy = Pick("ROOT-SPY-5", lambda t, actor: sorted(player(t, actor).spies), vocabulary=SPIES)
    position = order_pick("ROOT-SPY-5")

    @requires("ROOT-INFO-7", about=("kind",))
    def has_a_spy(t: Table, act: Any) -> Any:
        """Without one nobody sees an order."""
        return bool(player(t, act.actor).spies)

    @requires("ROOT-SPY-5", "spy")
    def is_unused(t: Table, act: Any) -> Any:
        """It has not looked at an order yet."""
        return act.spy not in used(t) or no(spy=act.spy)

    def resolve(self, t: Table) -> Control:
        """Everybody sees where he looks (ROOT-SPY-9)."""
        use(t, self.spy)
        where = {"seat": self.actor, "spy": self.spy, "position": self.position}
        t.tell("spy-looks", "ROOT-SPY-5", where)
        return Spying(seat=self.actor, spy=self.spy, position=self.position)


def used(t: Table) -> Sequence[str]:
    """What has been used this turn (ROOT-R-SPY-2)."""
    turn: Turn | None = t.frame(Turn)
    return () if turn is None else turn.used


class Spying(Frame, kw_only=True):
    """A spy looks at the order at a position."""

    seat: Public[SeatRef]
    spy: Public[CardId]
    position: Public[Positive]


class LookAtOrder(SeenOrder, kind="look-at-order", rule="ROOT-SPY-5"):
    """What the order is; only who looks sees it."""

    card = Pick("ROOT-SPY-5", CARDS)

    @classmethod
    def place(cls, frame: Spying) -> int:
        """Where the spy looks."""
        return frame.position - 1

    def sight(self, t: Table) -> frozenset[str] | None:
        """The spy's owner (ROOT-SPY-9)."""
        return frozenset([self.frame.seat])

    def resolve(self, t: Table) -> Control:
        """He knows it from now on, wherever it lies."""
        f: Spying = self.frame
        seen_by(t, self.card, self.place(f), [f.seat])
        facts = {"seat": f.seat, "position": f.position, "card": self.card}
        t.tell("order-seen", "ROOT-SPY-5", facts, to=[f.seat])
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: where it lies."""
        return {"position": self.frame.position}


# -- what comes of it (ROOT-SPY-6 to ROOT-SPY-8) ------------------------------------------------------------------


def gives_away(spy: str, order: str) -> bool:
    """Whether an order has the suit of the spy; birds are not wild here (ROOT-SPY-7)."""
    return suit_of(spy) == suit_of(order)


def discard_the_spy(t: Table, f: Spying) -> Control:
    """An order of its own suit takes the spy out of play at once, and nothing is swapped (ROOT-SPY-6)."""
    if not gives_away(f.spy, str(order_at(t, f.position))):
        return None
    spend(t, "ROOT-SPY-6", f.seat, f.spy, "spies")
    return DONE


def may_swap(t: Table, f: Spying) -> str | None:
    """Who has looked, if there are two orders."""
    return f.seat if order_row(t).size > 1 else None


class Swap(Action, kind="swap"):
    """Any two orders change places (ROOT-SPY-8, ROOT-DEC-32)."""

    i = order_pick("ROOT-SPY-8")
    j = order_pick("ROOT-SPY-8")

    @requires("ROOT-SPY-8", "i", "j")
    def are_two(t: Table, act: Any) -> Any:
        """They are not one and the same."""
        return act.i != act.j or no(position=act.i)

    def resolve(self, t: Table) -> Control:
        """They stay face down, and everybody sees which they are."""
        t.swapped(row_of(str(who_is_mechanical(t))), self.i - 1, self.j - 1)
        t.tell("swapped", "ROOT-SPY-8", {"seat": self.actor, "i": self.i, "j": self.j})
        return NEXT


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Spying,
        Ask("look", lambda t, f: CHANCE, takes=(LookAtOrder,), rule="ROOT-SPY-5"),
        discard_the_spy,
        prompt("swap", may_swap, (Swap, Pass), "ROOT-SPY-8"),
    )
