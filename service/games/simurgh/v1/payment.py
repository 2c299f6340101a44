"""Chapter 5, costs: what is paid, and spending vassals (SIM-EFF-2 to SIM-EFF-5, SIM-PAY-1 to SIM-PAY-7)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, Literal

from msgspec import Struct

from service.engine.domain import MANY, Open, is_int
from service.engine.rule import BROKEN_RULE, Violation
from service.engine.table import Table
from service.games.simurgh.v1.components import player
from service.games.simurgh.v1.effects import KINDS, MARKER, TOKENS, added
from service.games.simurgh.v1.figures import ABILITIES, PLACES
from service.games.simurgh.v1.purse import (
    HOME,
    PRICE,
    Busy,
    Facts,
    Purse,
    bags,
    busy_places,
    obstacles,
    vassals_for,
)
from service.games.simurgh.v1.receiving import reasons
from service.games.simurgh.v1.state import AbilityId, Kind, Positive, Token

MOST_TOLD = 8  # so many ways to pay are told in a sentence
NOTHING: Mapping[str, int] = {}
From = Literal[(HOME, *PLACES)]  # type: ignore[valid-type]


class Paid(Struct, forbid_unknown_fields=True):
    """What is paid: resources and points, vassals by where they stand, markers by ability; no part is empty."""

    tokens: dict[Token, Positive] = {}
    vassals: dict[Kind, dict[From, Positive]] = {}
    markers: dict[AbilityId, Positive] = {}


Way = Mapping[str, int]
Ways = Callable[[Table, Any], Sequence[Way]]
Keeps = Callable[[Table, Any, Mapping[str, Mapping[str, int]]], bool]
Missing = Callable[[Table, Any, Way], Sequence[str]]


class Cost(Open):
    """What is handed over: one of the ways to pay, and from where vassals and markers are taken.

    `short`: the clause of the price, broken where nothing can be paid; `busy`: what cannot pay; `keeps`: whether a Main
    Action stays possible once these vassals are paid (SIM-TURN-12); `missing`: what is not there of the gain once
    a way is paid (SIM-PLACE-5).

    Where something can be paid, a wrong offer breaks the clauses of the offer. Where nothing can, the offer does not
    matter: the price is what is broken, and what bars every way to pay it.
    """

    shape = Paid

    def __init__(
        self,
        rule: str,
        ways: Ways,
        short: str,
        busy: Callable[[Table, Any], Busy] = lambda t, act: Busy(),
        keeps: Keeps | None = None,
        missing: Missing | None = None,
    ) -> None:
        super().__init__(rule)
        self.every_way, self.short, self.busy, self.keeps, self.missing = ways, short, busy, keeps, missing

    def ways(self, t: Table, act: Any) -> Sequence[Way]:
        """The ways to pay after which the gain can be received; all, where it never can, which no price mends."""
        ways = self.every_way(t, act)
        if self.missing is None or len(ways) < 2:
            return ways
        return [way for way in ways if not self.missing(t, act, way)] or ways

    def purse(self, t: Table, act: Any) -> Purse:
        """What the actor could pay with."""
        busy = self.busy(t, act)
        still = busy_places(t)
        return Purse(player(t, act.actor), replace(busy, spaces=busy.spaces | still) if still else busy)

    def is_free(self, t: Table, act: Any) -> bool:
        """Whether nothing is to be paid."""
        return tuple(self.ways(t, act)) == (NOTHING,)

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"ways": bags of which one is paid, "purse": tokens at hand, "from"?: where vassals and markers come from}`.

        `from` has `active`, the number of vassals of which one must be left, where vassals can be paid.
        """
        ways = [dict(way) for way in self.ways(t, act)]
        purse = self.purse(t, act)
        needed = {what for way in ways for what in way}
        found: dict[str, Any] = {
            "ways": ways,
            "purse": {x: n for x, n in purse.tokens.items() if x in needed},
        }
        vassals = {k: _sources(purse, k) for k in KINDS if k in needed}
        markers = purse.markers if MARKER in needed else {}
        if vassals or markers:
            found["from"] = {"vassals": vassals, "markers": markers, "active": purse.active}
        return found

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """A way to pay, with what the actor has, vassals as SIM-PAY-2 to SIM-PAY-4 want them."""
        if value == NOTHING and self.is_free(t, act):
            return []
        parts = _parts(value)
        if parts is None:
            return self.unknown(value)
        purse = self.purse(t, act)
        found = self._wrong(t, act, parts, purse)
        return found and (self._hopeless(t, act, parts, purse) or found)

    def _wrong(self, t: Table, act: Any, parts: Paid, purse: Purse) -> list[Violation]:
        """What is wrong with an offer."""
        amount = [*self._amount(t, act, parts), *self._owned(t, act, parts, purse)]
        return [*amount, *_spent(self.name, parts, purse)] or self._kept(t, act, parts)

    def _kept(self, t: Table, act: Any, parts: Paid) -> list[Violation]:
        """That these vassals leave no Main Action, if they do not."""
        fine = self.keeps is None or not parts.vassals or self.keeps(t, act, parts.vassals)
        return [] if fine else [self._leaves_none(parts)]

    def _amount(self, t: Table, act: Any, parts: Paid) -> Iterator[Violation]:
        ways, paid = self.ways(t, act), bag_of(parts)
        if paid in ways:
            return
        if paid in self.every_way(t, act):
            why = () if self.missing is None else reasons(self.missing(t, act, paid))
            for rule in (self.short, *why):
                yield Violation(BROKEN_RULE, rule, (f"/{self.name}",), {"spent": paid})
            return
        swapped = any(_but_for_kinds(way) == _but_for_kinds(paid) for way in ways)
        less = any(all(way.get(what, 0) >= n for what, n in paid.items()) for way in ways)
        rule = "SIM-EFF-2" if len(ways) > 1 else "SIM-EFF-4"
        rule = "SIM-PAY-6" if swapped else (less and self.due(t, act)) or rule
        yield Violation(BROKEN_RULE, rule, (f"/{self.name}",), _offered(paid, ways))

    def due(self, t: Table, act: Any) -> str | None:
        """The clause that is broken where less is offered than is there; None where it is the exchange itself."""
        return None

    def clause(self, t: Table, act: Any) -> str:
        """The clause of the price."""
        return self.short

    def _owned(self, t: Table, act: Any, parts: Paid, purse: Purse) -> Iterator[Violation]:
        """What is offered and is not there. Only of an offer that is a way to pay it is said that it is to be paid."""
        yield from self._tokens_owned(t, act, parts, purse)
        yield from self._markers_owned(parts, purse)
        for kind, places in sorted(parts.vassals.items()):
            for place, n in sorted(places.items()):
                has = purse.held(kind, place)
                if has < n <= has + purse.waiting(kind, place):
                    at, facts = f"/{self.name}/vassals/{kind}/{place}", {"vassal": kind, "space": purse.here}
                    yield Violation(BROKEN_RULE, "SIM-PAY-4", (at,), facts)
                elif n > has:
                    facts = {"what": kind, "offered": n, "from": place, "has": has}
                    yield self._absent(f"vassals/{kind}/{place}", facts)

    def _tokens_owned(self, t: Table, act: Any, parts: Paid, purse: Purse) -> Iterator[Violation]:
        held = purse.tokens
        for what, n in sorted(parts.tokens.items()):
            if n > (has := held.get(what, 0)):
                rule = "SIM-COMP-6" if what == "pp" else self.due(t, act) or "SIM-EFF-4"
                count = "needs" if bag_of(parts) in self.every_way(t, act) else "offered"
                yield _lacking(rule, f"/{self.name}/tokens/{what}", what, n, has, count)

    def _markers_owned(self, parts: Paid, purse: Purse) -> Iterator[Violation]:
        held = purse.markers if parts.markers else {}
        for ability, n in sorted(parts.markers.items()):
            if n > (has := held.get(ability, 0)):
                used = {"used": ability} if purse.takes(ability) else {}
                facts = {"what": MARKER, "offered": n, "from": ability, "has": has, **used}
                yield self._absent(f"markers/{ability}", facts)

    def _absent(self, part: str, facts: Facts) -> Violation:
        return Violation(BROKEN_RULE, "SIM-EFF-5", (f"/{self.name}/{part}",), facts)

    # -- where nothing can be paid ------------------------------------------------------------------------------

    def _hopeless(self, t: Table, act: Any, parts: Paid, purse: Purse) -> list[Violation]:
        """What is broken whatever is offered; nothing where something could be offered that is accepted."""
        closed = [obstacles(purse, way) for way in self.ways(t, act)]
        if {} in closed:
            return [] if self.keeps is None or self.can_pay(t, act) else [self._leaves_none(parts)]
        barred = {rule: facts for rule, facts in closed[0].items() if all(rule in other for other in closed)}
        barred.pop(PRICE, None)
        return [
            *self._price(t, act, parts, purse),
            *(self._barred(x, facts, parts) for x, facts in barred.items()),
        ]

    def _price(self, t: Table, act: Any, parts: Paid, purse: Purse) -> Iterator[Violation]:
        """The clause of the price: by each resource that is lacking, where the offer is a way to pay and names it."""
        rule, ways, paid, tokens = self.clause(t, act), self.ways(t, act), bag_of(parts), purse.tokens
        less = [x for x, n in sorted(parts.tokens.items()) if x != "pp" and n > tokens.get(x, 0)]
        if less and paid in ways:
            for x in less:
                yield _lacking(rule, f"/{self.name}/tokens/{x}", x, parts.tokens[x], tokens.get(x, 0))
        else:
            yield Violation(BROKEN_RULE, rule, (f"/{self.name}",), _offered(paid, ways))

    def _barred(self, rule: str, facts: Facts, parts: Paid) -> Violation:
        """A clause that bars every way, about that part of the offer of which it speaks, if there is one."""
        what = facts.get("what", "")
        part = "tokens" if what == "pp" else "markers" if what == MARKER else "vassals"
        about = f"/{self.name}/{part}" if getattr(parts, part) else f"/{self.name}"
        return Violation(BROKEN_RULE, rule, (about,), facts)

    def _leaves_none(self, parts: Paid) -> Violation:
        about = f"/{self.name}/vassals" if parts.vassals else f"/{self.name}"
        return Violation(BROKEN_RULE, "SIM-TURN-12", (about,), {})

    def example(self, t: Table, act: Any) -> Any:
        """The first way that can be paid."""
        if self.is_free(t, act):
            return {}
        purse = self.purse(t, act)
        return next(
            (v for v in self._payable(t, act, purse) if not self._wrong(t, act, Paid(**v), purse)), None
        )

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """Any way that can be paid."""
        purse = self.purse(t, act)
        fine = [
            v for v in islice(self._payable(t, act, purse), MANY) if not self._wrong(t, act, Paid(**v), purse)
        ]
        return rng.choice(fine) if fine else None

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every way, with every source of vassals and markers; None beyond 20,000."""
        found = list(islice(self._all(t, act), MANY + 1))
        return iter(found) if len(found) <= MANY else None

    def _all(self, t: Table, act: Any) -> Iterator[dict[str, Any]]:
        purse = self.purse(t, act)
        for way in self.ways(t, act):
            for vassals in vassals_for(purse, way):
                yield from _values(purse, way, vassals)

    def _payable(self, t: Table, act: Any, purse: Purse) -> Iterator[dict[str, Any]]:
        """The same without what is closed by the way to pay or by its vassals, whichever markers are paid."""
        for way in self.ways(t, act):
            for vassals in () if obstacles(purse, way) else vassals_for(purse, way):
                parts = Paid(vassals=vassals)
                if not any(_spent(self.name, parts, purse)) and not self._kept(t, act, parts):
                    yield from _values(purse, way, vassals)

    def can_pay(self, t: Table, act: Any) -> bool:
        """Whether anything at all can be offered that is accepted."""
        return self.example(t, act) is not None

    def rules(self) -> list[str]:
        """The clauses that a payment can break."""
        amounts = ["SIM-EFF-2", "SIM-EFF-4", "SIM-EFF-5", "SIM-COMP-6"]
        kept = [] if self.keeps is None else ["SIM-TURN-12"]
        why = [] if self.missing is None else ["SIM-COMP-3", "SIM-EFF-7"]
        vassals = ["SIM-PAY-2", "SIM-PAY-3", "SIM-PAY-4", "SIM-PAY-6"]
        return [self.rule, self.short, *amounts, *vassals, *kept, *why]


class Price(Cost):
    """A cost with a clause of its own, which is broken as well where too little is offered."""

    def due(self, t: Table, act: Any) -> str | None:
        """The clause that is broken where a token is missing."""
        return self.clause(t, act)


def _offered(paid: Way, ways: Sequence[Way]) -> Facts:
    """What is offered and what is asked, told where it is short."""
    listed = [dict(way) for way in ways]
    price = {} if len(ways) > MOST_TOLD else {"price": listed[0] if len(ways) == 1 else listed}
    return {"paid": paid, **price, "ways": listed}


def _but_for_kinds(bag: Mapping[str, int]) -> dict[str, int]:
    """A bag in which a vassal is a vassal, of whichever kind."""
    return added({"vassal" if what in KINDS else what: n} for what, n in bag.items())


def _sources(purse: Purse, kind: str) -> dict[str, int]:
    """From where vassals of a kind may be paid: not from the space that is being resolved."""
    places = [place for place in purse.places(kind) if place not in purse.busy.spaces]
    return {place: n for place in places if (n := purse.held(kind, place))}


def _lacking(rule: str, at: str, what: str, n: int, has: int, count: str = "needs") -> Violation:
    return Violation(BROKEN_RULE, rule, (at,), {"what": what, count: n, "has": has})


def _values(purse: Purse, way: Way, vassals: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every payment of a way with these vassals, by the markers."""
    tokens = {what: n for what, n in way.items() if what in TOKENS}
    for markers in bags(dict(sorted(purse.markers.items())), way.get(MARKER, 0)):
        parts = {"tokens": tokens, "vassals": vassals, "markers": markers}
        yield {name: part for name, part in parts.items() if part}


def _parts(value: Any) -> Paid | None:
    """A well-formed payment; None for any other JSON."""
    if not isinstance(value, dict) or not set(value) <= {"tokens", "vassals", "markers"}:
        return None
    if not value:
        return Paid()
    tokens, vassals, markers = (value.get(name, {}) for name in ("tokens", "vassals", "markers"))
    if not _is_bag(tokens, TOKENS) or not _is_bag(markers, ABILITIES) or not isinstance(vassals, dict):
        return None
    if not all(kind in KINDS and _is_bag(places, (HOME, *PLACES)) for kind, places in vassals.items()):
        return None
    return Paid(tokens, vassals, markers)


def _is_bag(value: Any, of: Sequence[str]) -> bool:
    if not isinstance(value, dict):
        return False
    return not value or all(what in of and is_int(n) and n >= 1 for what, n in value.items())


def bag_of(paid: Paid) -> dict[str, int]:
    """A payment as one bag, in order of ids."""
    vassals = {kind: sum(places.values()) for kind, places in paid.vassals.items()}
    bag = {**paid.tokens, **vassals, MARKER: sum(paid.markers.values())}
    return {what: n for what, n in sorted(bag.items()) if n}


def paid_facts(cost: Any) -> dict[str, Any]:
    """For texts: what is paid as one bag, if anything is."""
    bag = bag_of(_parts(cost) or Paid())
    return {"paid": bag} if bag else {}


# -- spending vassals -------------------------------------------------------------------------------------------


def _spent(name: str, parts: Paid, purse: Purse) -> Iterator[Violation]:
    """Never the last, those at home first, never from the space that is being resolved (SIM-PAY-2 to SIM-PAY-4)."""
    for kind, places in sorted(parts.vassals.items()):
        away = [place for place in sorted(places) if place != HOME]
        left = purse.held(kind, HOME) - places.get(HOME, 0)
        for place in away:
            at = (f"/{name}/vassals/{kind}/{place}",)
            if left > 0:
                yield Violation(BROKEN_RULE, "SIM-PAY-3", at, {"vassal": kind, "available": left})
            if place in purse.busy.spaces:
                yield Violation(BROKEN_RULE, "SIM-PAY-4", at, {"vassal": kind, "space": place})
    paid = sum(n for places in parts.vassals.values() for n in places.values())
    if paid and purse.active - paid < 1:
        yield Violation(
            BROKEN_RULE, "SIM-PAY-2", (f"/{name}/vassals",), {"paid": paid, "active": purse.active}
        )
