"""Combined purchases: several non-auction purchases, one price, one payment (ZAV-PAY-6)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any, TypeAlias

from service.engine.action import Action, derived
from service.engine.control import Control, calls
from service.engine.domain import AtLeast, Sequence_
from service.engine.options import legal_act
from service.engine.table import Table
from service.games.zavandor.v1.components import player
from service.games.zavandor.v1.energy import Payment, means, own_price, pay
from service.games.zavandor.v1.figures import GEMS, PLACES, TOKENS, TRACKS, figures
from service.games.zavandor.v1.gems import SALE_RULES, GemPurchase, capacity, needed_sales
from service.games.zavandor.v1.knowledge import (
    Advancement,
    TokenPurchase,
    may_advance,
    stage_price,
    token_price,
)
from service.games.zavandor.v1.state import Player


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


Priced: TypeAlias = (
    "tuple[int, bool, type[Action], Mapping[str, Any]]"  # with whether it needs an active place
)


class Purchases:
    """What may be bought as a part, cheap things first; each is judged when its turn comes."""

    def __init__(self, t: Table, act: Any, purse: int) -> None:
        priced: Sequence[Priced] = t.once(by_price, player(t, act.actor))
        self._found: list[Any] = []
        self._judged = (
            part
            for price, _, cls, values in priced
            if price <= purse and (part := legal_act(t, cls, act.frame, act.actor, values)) is not None
        )

    def __iter__(self) -> Iterator[Any]:
        n = 0
        while True:
            if n == len(self._found):
                more = next(self._judged, None)
                if more is None:
                    return
                self._found.append(more)
            yield self._found[n]
            n += 1


def by_price(t: Table, p: Player) -> list[Priced]:
    """All purchases by price, and for one price those first that need no active place; whether they are legal apart."""
    f = figures(t)
    found: list[Priced] = [
        (own_price(f, p, gem), place == "active", GemPart, {"gem": gem, "place": place})
        for gem in GEMS
        for place in PLACES
    ]
    found += [(token_price(f, x), False, TokenPart, {"token": x}) for x in TOKENS if x in p.tokens]
    found += [
        (stage_price(f, track, p.tracks.get(track, 0) + 1), False, AdvancePart, {"track": track})
        for track in TRACKS
        if may_advance(p, track)
    ]
    return sorted(found, key=itemgetter(0, 1))


class Parts(Sequence_):
    """Two or more purchases in order."""

    def example(self, t: Table, act: Any) -> Any:
        """Two cheap parts that can be paid for together; None if there are none.

        A longer list begins with a pair that costs less, so where no pair can be paid for, nothing can.
        """
        purse = means(t, act.actor)
        firsts = Purchases(t, act, purse)
        for first in firsts:
            fork = t.trial()
            twin = act.on(fork, t.twin(act.frame, fork))
            first.on(fork, twin.frame).resolve(fork)
            left = purse - first.price
            # a gem changes nothing that a later part depends on
            same = fork.board is t.board and twin.frame == act.frame
            seconds = firsts if same else Purchases(fork, twin, left)
            for second in seconds:
                if second.price > left:
                    break
                tried = act.extended(self.name, [first.part_wire(), second.part_wire()])
                tried.__dict__["plan"] = _with(_with(NO_PARTS, t, first), fork, second)
                payment = Combine.payment.example(t, tried)
                if payment is not None:
                    act.__dict__["tried"] = tried.with_one_more("payment", payment)
                    return tried.parts
        return None

    def looked_at(self, t: Table, act: Any) -> list[str]:
        """The clauses of all kinds of parts."""
        return self.rules()

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Too many to list; `example` finds a pair if there is one."""
        return None


Plan: TypeAlias = "tuple[int, Sequence[tuple[str, str]], Sequence[int]]"
NO_PARTS: Plan = (0, (), ())


def _with(plan: Plan, t: Table, part: Any) -> Plan:
    """A plan with one more part, which comes on this table."""
    total, bought, places = plan
    if isinstance(part, GemPart):
        bought = (*bought, (part.gem, part.place))
        places = (*places, capacity(t, player(t, part.actor)))
    return total + part.price, bought, places


def priced(t: Table, act: Any) -> Plan:
    """The total price of the parts in their order, the gems they buy, and the active capacity at each (ZAV-R-9)."""
    fork = t.trial()
    frame = t.twin(act.frame, fork)
    plan = NO_PARTS
    for wire in act.parts:
        one = part(fork, frame, act.actor, wire)
        plan = _with(plan, fork, one)
        one.resolve(fork)
    return plan


def sales_for_all(t: Table, act: Any) -> Sequence[AtLeast]:
    """The gems that paying for all parts together must sell."""
    _, bought, places = act.plan
    return needed_sales(t, act.actor, bought, places)


class Together(Payment):
    """The payment of all parts; of the pair that was just found to be payable it is known."""

    def example(self, t: Table, act: Any) -> Any:
        """As of every payment."""
        tried = act.__dict__.get("tried")
        return tried.payment if tried is not None and tried.parts is act.parts else super().example(t, act)


class Combine(Action, kind="combine"):
    """Several purchases at one price, paid at once; if one part is illegal, nothing happens."""

    parts = Parts("ZAV-PAY-6", PARTS, least=2, most=100)
    payment = Together(lambda t, act: act.plan[0], sales_for_all, SALE_RULES).given(
        "parts", depends_on=("parts",)
    )

    @derived
    def plan(t: Table, act: Any) -> Plan:
        """Total price, gems bought and capacities; of the pair that was just found to be payable they are known."""
        tried = act.__dict__.get("tried")
        return priced(t, act) if tried is None or tried.parts is not act.parts else tried.plan

    def resolve(self, t: Table) -> Control:
        """Pay once, then each part takes effect in order."""
        pay(t, self.actor, self.payment, self.plan[0])
        done = [part(t, self.frame, self.actor, wire).take_effect(t) for wire in self.parts]
        return calls(*(reward for reward in done if reward is not None))

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the total price."""
        return {"price": self.plan[0]}
