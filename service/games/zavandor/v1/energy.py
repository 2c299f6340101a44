"""Chapter 4, energy and payment: dust, what things are worth, and the payment of a price (ZAV-PAY-1 to ZAV-PAY-10)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Annotated, Any

from msgspec import Meta, Struct, field

from service.engine.domain import MANY, AtLeast, Limits, Open, Statement, is_int, no_limits
from service.engine.rule import BROKEN_RULE, UNKNOWN_VALUE, Violation, pointer
from service.engine.table import Table
from service.games.zavandor.v1.components import discard_energy, gain_dust, player, possible
from service.games.zavandor.v1.figures import PLACES, Figures, figures
from service.games.zavandor.v1.handful import Item
from service.games.zavandor.v1.purse import NOTHING, Purse
from service.games.zavandor.v1.state import Card, Colour, Gem, Player

Count = Annotated[int, Meta(ge=1, le=1000)]


class OwnGems(Struct, forbid_unknown_fields=True):
    """Own gems by place."""

    active: dict[Gem, Count] = {}
    inactive: dict[Gem, Count] = {}


class PaymentShape(Struct, forbid_unknown_fields=True):
    """What is handed over for a price: energy cards, concentrated cards, own gems; the rest comes from dust."""

    cards: dict[Card, Count] = {}
    concentrated: dict[Colour, Count] = {}
    gems: OwnGems = field(default_factory=OwnGems)


# -- worth ------------------------------------------------------------------------------------------------------


def own_price(f: Figures, p: Player, gem: str) -> int:
    """A player's price of a gem: the base price less 10 % a stage of his Gems track (ZAV-GEM-1, ZAV-KNOW-GEMS-1)."""
    return f.prices[p.tracks.get("gems", 0)][gem]


def sale_value(f: Figures, p: Player, gem: str) -> int:
    """Half of the current own price, rounded down (ZAV-GEM-5)."""
    return f.prices[p.tracks.get("gems", 0)][gem] // 2


def means(t: Table, seat: str) -> int:
    """All that a seat could pay: cards, concentrated, dust, and the sale value of all its gems (ZAV-CURSE-1)."""
    found: int = t.once(means_of, player(t, seat))
    return found


def means_of(t: Table, p: Player) -> int:
    """The same of a board and hand."""
    f = figures(t)
    found = p.dust
    for card, n in p.energy.items():
        found += f.energy[card].value * n
    for colour, n in p.concentrated.items():
        found += f.concentrated[colour].value * n
    for gems in (p.active, p.inactive):
        for gem, n in gems.items():
            found += sale_value(f, p, gem) * n
    return found


def worth_of(t: Table, p: Player, items: Iterable[str]) -> dict[str, int]:
    """What one of each of these things is worth, by id (ZAV-PAY-1)."""
    f = figures(t)
    worth = {}
    for item in items:
        kind, _, what = item.partition(":")
        if kind == "gem":
            worth[item] = sale_value(f, p, what.partition(":")[2])
        else:
            worth[item] = (f.energy[what] if kind == "card" else f.concentrated[what]).value
    return worth


def held(p: Player, item: str) -> int:
    """How many of a thing there are, by its id."""
    kind, _, what = item.partition(":")
    if kind == "gem":
        place, _, gem = what.partition(":")
        return (p.active if place == "active" else p.inactive).get(gem, 0)
    return (p.energy if kind == "card" else p.concentrated).get(what, 0)


def items_of(t: Table, p: Player) -> list[Item]:
    """What can be handed over, by id: what it is worth and how many there are; dust is not an item (ZAV-PAY-1)."""
    f = figures(t)
    found = [Item(f"card:{c}", f.energy[c].value, n) for c, n in p.energy.items()]
    found += [Item(f"concentrated:{c}", f.concentrated[c].value, n) for c, n in p.concentrated.items()]
    for place, gems in (("active", p.active), ("inactive", p.inactive)):
        found += [Item(f"gem:{place}:{g}", sale_value(f, p, g), n) for g, n in gems.items()]
    return sorted(found)  # no id is there twice


def purse_of(t: Table, p: Player) -> Purse:
    """The same with the dust, ready to be asked for the best payment of any price."""
    return Purse(items_of(t, p), p.dust)


def shown_purse(t: Table, p: Player) -> dict[str, Any]:
    """`{"cards", "concentrated", "gems", "dust"}`: what can be handed over, with how many there are and their worth."""
    purse: dict[str, Any] = {
        "cards": {},
        "concentrated": {},
        "gems": {"active": {}, "inactive": {}},
        "dust": p.dust,
    }
    for item, value, count in t.once(purse_of, p).items:
        place, what = path_of(item)
        part = purse
        for name in place:
            part = part[name]
        part[what] = {"count": count, "value": value}
    return purse


PARTS = {"cards", "concentrated", "gems"}


# -- payments as bags of item ids --------------------------------------------------------------------------------


def as_bag(payment: Mapping[str, Any]) -> dict[str, int]:
    """A payment from the wire as a bag of item ids."""
    gems = payment.get("gems", {})
    bag = {f"card:{c}": n for c, n in payment.get("cards", {}).items()}
    bag |= {f"concentrated:{c}": n for c, n in payment.get("concentrated", {}).items()}
    return bag | {f"gem:{place}:{g}": n for place in PLACES for g, n in gems.get(place, {}).items()}


@cache
def path_of(item: str) -> tuple[tuple[str, ...], str]:
    """Where an item stands in the wire form of a payment, and what it is called there."""
    kind, _, what = item.partition(":")
    if kind == "gem":
        place, _, gem = what.partition(":")
        return ("gems", place), gem
    return ("cards" if kind == "card" else kind,), what


def as_payment(bag: Mapping[str, int]) -> dict[str, Any]:
    """The wire form of a bag of item ids; kinds that are not used are left out."""
    payment: dict[str, Any] = {}
    for item in sorted(bag):
        place, what = path_of(item)
        part = payment
        for name in place:
            part = part.setdefault(name, {})
        part[what] = bag[item]
    return payment


@cache
def gem_items(gems: tuple[str, ...], places: tuple[str, ...] = PLACES) -> frozenset[str]:
    """The item ids of these gems."""
    return frozenset(f"gem:{place}:{gem}" for place in places for gem in gems)


def well_formed(value: Any) -> bool:
    """Whether a value from the wire has the shape of a payment."""
    if not isinstance(value, dict) or not value.keys() <= PARTS:
        return False
    gems = value.get("gems", {})
    if not isinstance(gems, dict) or not gems.keys() <= {*PLACES}:
        return False
    for bag in (value.get("cards", {}), value.get("concentrated", {}), *gems.values()):
        if not isinstance(bag, dict):
            return False
        for n in bag.values():
            if not is_int(n) or n < 1:
                return False
    return True


class Payment(Open):
    """Energy for a price (ZAV-PAY-3): cards, concentrated and gems, none of them superfluous; the rest from dust.

    `price` works the price out; `limits` state which gems the payment itself must sell (ZAV-PAY-10).
    """

    shape = PaymentShape

    def __init__(
        self,
        price: Callable[[Table, Any], int],
        limits: Limits = no_limits,
        limit_rules: Sequence[str] = (),
        rule: str = "ZAV-PAY-1",
    ) -> None:
        super().__init__(
            rule, limits, ("ZAV-PAY-3", "ZAV-PAY-4", "ZAV-GEM-6", "ZAV-KNOW-SAGES-4", *limit_rules)
        )
        self.price = price

    def looked_at(self, t: Table, act: Any) -> list[str]:
        """All its clauses: each of them bears on every payment."""
        return self.rules()

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"price", "purse": {"cards", "concentrated", "gems", "dust"}, "must_sell"?}` with what each is worth."""
        purse = t.once(shown_purse, player(t, act.actor))
        shown: dict[str, Any] = {"price": self.price(t, act), "purse": purse}
        if limits := self.limits(t, act):
            shown["must_sell"] = [{"least": s.n, "of": _gems_of(s.of or ()), "rule": s.rule} for s in limits]
        return shown

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """Things that the payer has, enough of them, none superfluous, and the gems that must be sold among them."""
        if not well_formed(value):
            return self.unknown(value)
        p, bag = player(t, act.actor), as_bag(value)
        lacking = self._lacking(p, bag)
        if lacking:
            return lacking
        refused = self._value(self.price(t, act), p, bag, worth_of(t, p, bag))
        for s in self.limits(t, act):
            if not s.holds(sum(n for item, n in bag.items() if s.of is None or item in s.of)):
                refused.append(self.broken(s))
        return refused

    def _lacking(self, p: Player, bag: Mapping[str, int]) -> list[Violation]:
        """What is named but not there; cards under the position card cannot be spent (ZAV-KNOW-SAGES-4)."""
        refused = []
        for item, n in bag.items():
            if n <= (owned := held(p, item)):
                continue
            kind, _, what = item.partition(":")
            place, name = path_of(item)
            about = (pointer(self.name, *place, name),)
            if kind == "card" and n <= owned + p.waiting.get(what, 0):
                refused.append(Violation(BROKEN_RULE, "ZAV-KNOW-SAGES-4", about, {"card": what}))
            else:
                rule = "ZAV-GEM-6" if kind == "gem" else self.rule
                facts = {"value": _thing(item), "owned": owned, "offered": n}
                refused.append(Violation(UNKNOWN_VALUE, rule, about, facts))
        return refused

    def _value(
        self, price: int, p: Player, bag: Mapping[str, int], worth: Mapping[str, int]
    ) -> list[Violation]:
        value = sum(worth[item] * n for item, n in bag.items())
        about = (f"/{self.name}",)
        if value + p.dust < price:
            facts = {"price": price, "offered": value, "dust": p.dust}
            return [Violation(BROKEN_RULE, "ZAV-PAY-3", about, facts)]
        superfluous = sorted({_thing(item) for item in bag if value - worth[item] >= price})
        if superfluous:
            more = {"price": price, "value": value, "superfluous": superfluous}
            return [Violation(BROKEN_RULE, "ZAV-PAY-4", about, more)]
        return []

    def example(self, t: Table, act: Any) -> Any:
        """No gem sold if avoidable, then the least value lost, the fewest items, the lowest ids."""
        purse: Purse = t.once(purse_of, player(t, act.actor))
        price = self.price(t, act)
        if price > purse.total:
            return None
        limits = self.limits(t, act)
        if not limits:
            return purse.paid(price, as_payment)
        best = purse.best(price, smallest_sales(purse, limits))
        return None if best is None else as_payment(best)

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A random payment without anything superfluous."""
        p, price = player(t, act.actor), self.price(t, act)
        items = items_of(t, p)
        worth = {item.id: item.value for item in items}
        forced = rng.choice(smallest_sales(t.once(purse_of, p), self.limits(t, act)) or NOTHING)
        rest = [i.id for i in items for _ in range(i.count - forced.get(i.id, 0))]
        rng.shuffle(rest)
        bag = dict(forced)
        while rest and sum(worth[i] * n for i, n in bag.items()) < price:
            if rng.random() < 0.15:
                break
            item = rest.pop()
            bag[item] = bag.get(item, 0) + 1
        value = as_payment(_needed(bag, worth, price, forced))
        return value if not self.check(t, act, value) else self.example(t, act)

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every bag of what the payer has."""
        items = items_of(t, player(t, act.actor))
        total = 1
        for item in items:
            total *= item.count + 1
            if total > MANY:
                return None
        counts = product(*(range(i.count + 1) for i in items))
        return (as_payment({i.id: n for i, n in zip(items, c, strict=True) if n}) for c in counts)


def smallest_sales(purse: Purse, statements: Iterable[Statement]) -> Sequence[Mapping[str, int]]:
    """The smallest bags of gems that satisfy every statement; the empty bag where there is none."""
    if not statements:
        return NOTHING
    return smallest_bags(purse.gems, [s for s in statements if isinstance(s, AtLeast)])


def smallest_bags(gems: Mapping[str, int], statements: Sequence[AtLeast]) -> list[dict[str, int]]:
    """Every bag of gems that satisfies the statements and from which none can be left out."""
    if len(statements) == 1 and statements[0].n == 1:
        of = statements[0].of
        return [{g: 1} for g in sorted(gems) if gems[g] and (of is None or g in of)]
    bags: list[dict[str, int]] = [{}]
    for s in statements:
        wanted = [g for g in sorted(gems) if s.of is None or g in s.of]
        if sum(gems[g] for g in wanted) < s.n:
            return []
        bags = [more for bag in bags for more in _raised(bag, wanted, gems, s)]
    unique = {tuple(sorted(b.items())): b for b in bags}
    return [unique[key] for key in sorted(unique)]


def _raised(
    bag: dict[str, int], wanted: Sequence[str], gems: Mapping[str, int], s: AtLeast
) -> Iterator[dict[str, int]]:
    lack = s.n - sum(bag.get(g, 0) for g in wanted)
    if lack <= 0:
        yield bag
        return
    for counts in product(*(range(min(lack, gems[g] - bag.get(g, 0)) + 1) for g in wanted)):
        if sum(counts) == lack:
            more = {g: bag.get(g, 0) + n for g, n in zip(wanted, counts, strict=True) if n or g in bag}
            yield {**bag, **more}


def _needed(
    bag: dict[str, int], worth: Mapping[str, int], price: int, forced: Mapping[str, int]
) -> dict[str, int]:
    """The bag with superfluous things taken out again, the cheapest first."""
    for item in sorted(bag, key=lambda i: worth[i]):
        while (
            bag[item] > forced.get(item, 0)
            and sum(worth[i] * n for i, n in bag.items()) - worth[item] >= price
        ):
            bag[item] -= 1
    return {item: n for item, n in bag.items() if n}


def _gems_of(items: Iterable[str]) -> dict[str, list[str]]:
    """Item ids of gems as the wire shows them: kinds by place."""
    return {place: list(gems) for place, gems in _by_place(frozenset(items))}


@cache
def _by_place(items: frozenset[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    found: dict[str, tuple[str, ...]] = {}
    for item in sorted(items):
        _, place, gem = item.split(":")
        found[place] = (*found.get(place, ()), gem)
    return tuple(found.items())


def _thing(item: str) -> str:
    kind, _, what = item.partition(":")
    return f"concentrated-{what}" if kind == "concentrated" else what.rpartition(":")[2]


def value_of(f: Figures, p: Player, payment: Mapping[str, Any]) -> int:
    """What a payment is worth, without the dust that completes it (ZAV-PAY-1)."""
    value = 0
    for card, n in payment.get("cards", {}).items():
        value += f.energy[card].value * n
    for colour, n in payment.get("concentrated", {}).items():
        value += f.concentrated[colour].value * n
    for bag in payment.get("gems", {}).values():
        for gem, n in bag.items():
            value += sale_value(f, p, gem) * n
    return value


# -- paying -----------------------------------------------------------------------------------------------------


def pay(t: Table, seat: str, payment: Mapping[str, Any], price: int) -> None:
    """Gems to the supply, cards to the discard piles, concentrated to the bank; then change, or the rest from dust."""
    p, gems = player(t, seat), payment.get("gems", {})
    value = value_of(figures(t), p, payment)
    for place in PLACES:
        t.moved("ZAV-GEM-6", gems.get(place, {}), ("seats", seat, place), ("supply",))
    discard_energy(t, "ZAV-PAY-3", seat, payment.get("cards", {}))
    t.moved("ZAV-PAY-3", payment.get("concentrated", {}), ("seats", seat, "concentrated"), None)
    if value >= price:
        gain_dust(t, "ZAV-PAY-3", seat, possible(value - price))
    else:
        left = possible(p.dust - (price - value))
        t.moved("ZAV-PAY-3", {"dust": p.dust - left}, ("seats", seat, "dust"), None)
