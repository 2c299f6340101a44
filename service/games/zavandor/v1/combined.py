"""Combined purchases: several non-auction purchases, one price, one payment (ZAV-PAY-6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.engine.action import Action, derived
from service.engine.control import Control, calls
from service.engine.domain import AtLeast, Sequence_
from service.engine.options import legal_acts
from service.engine.table import Table
from service.games.zavandor.v1.components import player
from service.games.zavandor.v1.energy import Payment, pay
from service.games.zavandor.v1.gems import SALE_RULES, GemPurchase, capacity, needed_sales
from service.games.zavandor.v1.knowledge import Advancement, TokenPurchase


class GemPart(GemPurchase, kind="buy-gem"):
    """A gem as a part; while the list is checked only its price and the right to buy count (ZAV-PAY-10)."""

    def resolve(self, t: Table) -> Control:
        """As if bought: nothing that a later part depends on but the Druid's early ruby."""
        self.note_early_ruby(t)
        return None


class TokenPart(TokenPurchase, kind="buy-token"):
    """A knowledge token as a part."""

    def resolve(self, t: Table) -> Control:
        """As if bought."""
        self.take_effect(t)
        return None


class AdvancePart(Advancement, kind="advance"):
    """The paid advancement as a part."""

    def resolve(self, t: Table) -> Control:
        """As if advanced; what the Nine Sages give is drawn after the payment."""
        self.take_effect(t)
        return None


PARTS: tuple[type[Action], ...] = (GemPart, TokenPart, AdvancePart)


def part(t: Table, frame: Any, actor: str, wire: Mapping[str, Any]) -> Any:
    """A part of the list, bound on a table."""
    cls = next(c for c in PARTS if c.kind == wire["kind"])
    return cls.bind(t, frame, actor, wire)


class Parts(Sequence_):
    """Two or more purchases in order."""

    def example(self, t: Table, act: Any) -> Any:
        """The cheapest two parts that can be paid for; None if there are none."""
        for _, pair in sorted(self._pairs(t, act), key=lambda p: p[0]):
            whole = act.extended(self.name, pair)
            if Combine.payment.example(t, whole) is not None:
                return pair
        return None

    def _pairs(self, t: Table, act: Any) -> list[tuple[int, list[dict[str, Any]]]]:
        pairs = []
        for first in self._next(t, act):
            fork = t.trial()
            twin = act.on(fork, t.twin(act.frame, fork))
            first.on(fork, twin.frame).resolve(fork)
            for second in self._next(fork, twin):
                pairs.append((first.price + second.price, [first.part_wire(), second.part_wire()]))
        return pairs

    def _next(self, t: Table, act: Any) -> list[Any]:
        return [a for cls in PARTS for a in legal_acts(t, cls, act.frame, act.actor)]


def priced(t: Table, act: Any) -> tuple[int, list[tuple[str, str]], list[int]]:
    """The total price of the parts in their order, the gems they buy, and the active capacity at each (ZAV-R-9)."""
    fork = t.trial()
    frame = t.twin(act.frame, fork)
    total, bought, places = 0, list[tuple[str, str]](), list[int]()
    for wire in act.parts:
        one = part(fork, frame, act.actor, wire)
        total += one.price
        if isinstance(one, GemPart):
            bought.append((one.gem, one.place))
            places.append(capacity(fork, player(fork, act.actor)))
        one.resolve(fork)
    return total, bought, places


def sales_for_all(t: Table, act: Any) -> list[AtLeast]:
    """The gems that paying for all parts together must sell."""
    _, bought, places = act.plan
    return needed_sales(t, act.actor, bought, places)


class Combine(Action, kind="combine"):
    """Several purchases at one price, paid at once; if one part is illegal, nothing happens."""

    parts = Parts("ZAV-PAY-6", PARTS, least=2, most=20)
    payment = Payment(lambda t, act: act.plan[0], sales_for_all, SALE_RULES).given(
        "parts", depends_on=("parts",)
    )

    @derived
    def plan(t: Table, act: Any) -> tuple[int, Sequence[tuple[str, str]], Sequence[int]]:
        """Total price, gems bought and capacities."""
        return priced(t, act)

    def resolve(self, t: Table) -> Control:
        """Pay once, then each part takes effect in order."""
        pay(t, self.actor, self.payment, self.plan[0], "ZAV-PAY-6")
        done = [part(t, self.frame, self.actor, wire).take_effect(t) for wire in self.parts]
        return calls(*(reward for reward in done if reward is not None))

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the total price."""
        return {"price": self.plan[0]}
