"""What is paid in lists of options, found the plain way: each price by itself, and every part of a pair judged anew."""

from __future__ import annotations

from typing import Any

from service.engine.domain import AtLeast
from service.engine.options import legal_acts
from service.engine.table import Table
from service.games.zavandor.v1.combined import PARTS, part
from service.games.zavandor.v1.components import living, player
from service.games.zavandor.v1.energy import Payment, as_payment, items_of, smallest_bags
from service.games.zavandor.v1.figures import figures
from service.games.zavandor.v1.gems import capacity, needed_sales
from tests.games.zavandor.plain_purse import cheapest


def plain_payment(domain: Payment, t: Table, act: Any) -> Any:
    """The best of the payments that sell what they must."""
    p = player(t, act.actor)
    items, price = items_of(t, p), domain.price(t, act)
    gems = {i.id: i.count for i in items if i.id.startswith("gem:")}
    must = [s for s in domain.limits(t, act) if isinstance(s, AtLeast)]
    found = [cheapest(price, items, p.dust, forced) for forced in smallest_bags(gems, [*must, *must])]
    paid = [best for best in found if best is not None]
    return as_payment(min(paid, key=lambda best: best[0])[1]) if paid else None


def plain_price(t: Table, seat: str, card: str, bid: int) -> int:
    """The net price of a card, clause by clause (ZAV-AUC-9 to ZAV-AUC-12, ZAV-KNOW-ART-1)."""
    f, p = figures(t), player(t, seat)
    artifact, price = card in f.artifacts, bid
    position, highest = f.positions[t.board.order.index(seat) + 1], max(player(t, s).vp for s in living(t))
    seen = {None: None, "own-vp": p.vp, "highest-vp": highest}[position.condition]
    if seen is None or seen >= f.table["surcharge-vp"]:
        price += position.artifact if artifact else position.sentinel
    if stage := p.tracks.get("artifacts", 0):
        track = f.tracks["artifacts"]
        price -= (track.artifact_discount if artifact else track.sentinel_discount)[stage - 1]
    for a, n in p.artifacts.items():
        price -= n * (f.artifacts[a].discounts.get(card, 0) if artifact else f.artifacts[a].sentinel_discount)
    return max(0, price)


def plain_plan(t: Table, act: Any) -> tuple[int, list[tuple[str, str]], list[int]]:
    """The total price of a list of parts, its gems, and the places that there are for each."""
    fork = t.trial()
    frame = t.twin(act.frame, fork)
    total, bought, places = 0, list[tuple[str, str]](), list[int]()
    for wire in act.parts:
        one = part(fork, frame, act.actor, wire)
        total += one.price
        if one.kind == "buy-gem":
            bought.append((one.gem, one.place))
            places.append(capacity(fork, player(fork, act.actor)))
        one.resolve(fork)
    return total, bought, places


def plain_pair(domain: Any, t: Table, act: Any) -> Any:
    """The first two cheap parts that can be paid for together."""
    p = player(t, act.actor)
    means = p.dust + sum(item.value * item.count for item in items_of(t, p))
    for first in _parts(t, act, means):
        fork = t.trial()
        twin = act.on(fork, t.twin(act.frame, fork))
        first.on(fork, twin.frame).resolve(fork)
        for second in _parts(fork, twin, means - first.price):
            tried = act.extended(domain.name, [first.part_wire(), second.part_wire()])
            price, bought, places = plain_plan(t, tried)
            payment = Payment(
                lambda t, act, price=price: price,
                lambda t, act, bought=bought, places=places: needed_sales(t, act.actor, bought, places),
            )
            if plain_payment(payment, t, tried) is not None:
                return tried.parts
    return None


def _parts(t: Table, act: Any, means: int) -> list[Any]:
    every = [a for cls in PARTS for a in legal_acts(t, cls, act.frame, act.actor)]
    fine = [a for a in every if a.price <= means]  # type: ignore[attr-defined]
    return sorted(fine, key=lambda a: (a.price, getattr(a, "place", "") == "active"))  # type: ignore[attr-defined]
