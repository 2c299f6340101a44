"""Chapter 5, costs: what is paid, and spending vassals (SIM-EFF-2 to SIM-EFF-5, SIM-PAY-1 to SIM-PAY-7)."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice, product
from typing import Any, Literal

from msgspec import Struct

from service.engine.domain import MANY, Open, is_int
from service.engine.rule import BROKEN_RULE, Violation
from service.engine.table import Table
from service.games.simurgh.v1.components import active, on_space, player, tokens_of
from service.games.simurgh.v1.effects import KINDS, MARKER, TOKENS, added
from service.games.simurgh.v1.figures import ABILITIES, PLACES, figures
from service.games.simurgh.v1.state import AbilityId, Kind, Placement, Player, Positive, Stride, Token

HOME = "available"
MOST_TOLD = 8  # so many ways to pay are told in a sentence
NOTHING: Mapping[str, int] = {}
From = Literal[(HOME, *PLACES)]  # type: ignore[valid-type]


class Paid(Struct, forbid_unknown_fields=True):
    """What is paid: resources and points, vassals by where they stand, markers by ability; no part is empty."""

    tokens: dict[Token, Positive] = {}
    vassals: dict[Kind, dict[From, Positive]] = {}
    markers: dict[AbilityId, Positive] = {}


@dataclass(frozen=True)
class Busy:
    """What cannot pay: a vassal that is being placed, those on these spaces, the marker of the ability in use."""

    vassal: str | None = None
    spaces: frozenset[str] = frozenset()
    ability: str | None = None


def busy_spaces(t: Table) -> frozenset[str]:
    """The spaces that are being resolved: whoever stands there pays for nothing meanwhile (SIM-PAY-4)."""
    return frozenset(f.space for f in t.frames if isinstance(f, Placement))


def busy_places(t: Table) -> frozenset[str]:
    """Those spaces, and the levels of tiles on which a step is being resolved, whose rider pays for nothing either."""
    found: set[str] = set()
    for f in t.frames:
        if isinstance(f, Placement):
            found.add(f.space)
        elif isinstance(f, Stride):
            found.update(figures(t).spaces_of.get(f.tile, ()))
    return frozenset(found)


@dataclass(slots=True)
class Purse:
    """What a player could pay with, once what is busy is set aside."""

    owner: Player
    busy: Busy

    @property
    def tokens(self) -> dict[str, int]:
        """Resources and Power Points."""
        return tokens_of(self.owner)

    @property
    def markers(self) -> dict[str, int]:
        """Ability markers, by ability."""
        used = self.busy.ability
        return {a: n - (a == used) for a, n in self.owner.markers.items() if n > (a == used)}

    @property
    def active(self) -> int:
        """All vassals, those that are busy among them."""
        return active(self.owner)

    def held(self, kind: str, place: str) -> int:
        """The vassals of this kind at home or on a space."""
        if place == HOME:
            return max(0, self.owner.available.get(kind, 0) - (kind == self.busy.vassal))
        return on_space(self.owner, place, kind)

    def places(self, kind: str) -> list[str]:
        """Where vassals of this kind are."""
        return [HOME, *(space for space, there in sorted(self.owner.assigned.items()) if there.get(kind))]


Ways = Callable[[Table, Any], Sequence[Mapping[str, int]]]
Keeps = Callable[[Table, Any, Mapping[str, Mapping[str, int]]], bool]


class Cost(Open):
    """What is handed over: one of the ways to pay, and from where vassals and markers are taken.

    `short`: the clause that is broken where a token is missing; `busy`: what
    cannot pay; `keeps`: whether a Main Action stays possible once these vassals are paid (SIM-TURN-12).
    """

    shape = Paid

    def __init__(
        self,
        rule: str,
        ways: Ways,
        short: str,
        busy: Callable[[Table, Any], Busy] = lambda t, act: Busy(),
        keeps: Keeps | None = None,
    ) -> None:
        super().__init__(rule)
        self.ways, self.short, self.busy, self.keeps = ways, short, busy, keeps

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
        found = [
            *self._amount(t, act, parts),
            *self._owned(t, act, parts, purse),
            *_spent(self.name, parts, purse),
        ]
        if self.keeps is not None and parts.vassals and not found and not self.keeps(t, act, parts.vassals):
            found = [Violation(BROKEN_RULE, "SIM-TURN-12", (f"/{self.name}/vassals",), {})]
        return found

    def _amount(self, t: Table, act: Any, parts: Paid) -> Iterator[Violation]:
        ways = self.ways(t, act)
        paid = bag_of(parts)
        if paid not in ways:
            swapped = any(_but_for_kinds(way) == _but_for_kinds(paid) for way in ways)
            short = any(all(way.get(what, 0) >= n for what, n in paid.items()) for way in ways)
            rule = "SIM-EFF-2" if len(ways) > 1 else "SIM-EFF-4"
            rule = "SIM-PAY-6" if swapped else (short and self._too_little(t, act)) or rule
            listed = [dict(way) for way in ways]
            price = {} if len(ways) > MOST_TOLD else {"price": listed[0] if len(ways) == 1 else listed}
            yield Violation(BROKEN_RULE, rule, (f"/{self.name}",), {"paid": paid, **price, "ways": listed})

    def _too_little(self, t: Table, act: Any) -> str | None:
        """The clause broken by too little: what is not there at all cannot be paid in full, whatever is offered."""
        return self.due(t, act) or (None if self.can_pay(t, act) else self.clause(t, act))

    def due(self, t: Table, act: Any) -> str | None:
        """The clause that is broken where less is offered than is there; None where it is the exchange itself."""
        return None

    def clause(self, t: Table, act: Any) -> str:
        """The clause that is broken where a token is missing."""
        return self.short

    def _owned(self, t: Table, act: Any, parts: Paid, purse: Purse) -> Iterator[Violation]:
        tokens, markers = purse.tokens, purse.markers if parts.markers else {}
        for what, n in sorted(parts.tokens.items()):
            if n > (has := tokens.get(what, 0)):
                rule = "SIM-COMP-6" if what == "pp" else self.clause(t, act)
                yield _lacking(rule, f"/{self.name}/tokens/{what}", what, n, has)
        for ability, n in sorted(parts.markers.items()):
            if n > (has := markers.get(ability, 0)):
                yield _lacking("SIM-EFF-5", f"/{self.name}/markers/{ability}", MARKER, n, has)
        for kind, places in sorted(parts.vassals.items()):
            for place, n in sorted(places.items()):
                if n > (has := purse.held(kind, place)):
                    yield _lacking("SIM-EFF-5", f"/{self.name}/vassals/{kind}/{place}", kind, n, has)

    def example(self, t: Table, act: Any) -> Any:
        """The first way that can be paid."""
        if self.is_free(t, act):
            return {}
        return next((v for v in self._all(t, act) if not self.check(t, act, v)), None)

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """Any way that can be paid."""
        fine = [v for v in islice(self._all(t, act), MANY) if not self.check(t, act, v)]
        return rng.choice(fine) if fine else None

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every way, with every source of vassals and markers; None beyond 20,000."""
        found = list(islice(self._all(t, act), MANY + 1))
        return iter(found) if len(found) <= MANY else None

    def _all(self, t: Table, act: Any) -> Iterator[dict[str, Any]]:
        purse = self.purse(t, act)
        for way in self.ways(t, act):
            tokens = {what: n for what, n in way.items() if what in TOKENS}
            kinds = [k for k in KINDS if k in way]
            sources = [list(_bags(purse.places(k), way[k])) for k in kinds]
            for chosen in product(*sources, list(_bags(sorted(purse.markers), way.get(MARKER, 0)))):
                yield _value(tokens, dict(zip(kinds, chosen[:-1], strict=True)), chosen[-1])

    def can_pay(self, t: Table, act: Any) -> bool:
        """Whether anything at all can be offered that is accepted."""
        return self.example(t, act) is not None

    def rules(self) -> list[str]:
        """The clauses that a payment can break."""
        amounts = ["SIM-EFF-2", "SIM-EFF-4", "SIM-EFF-5", "SIM-COMP-6"]
        kept = [] if self.keeps is None else ["SIM-TURN-12"]
        return [self.rule, self.short, *amounts, "SIM-PAY-2", "SIM-PAY-3", "SIM-PAY-4", "SIM-PAY-6", *kept]


class Price(Cost):
    """A cost with a clause of its own, which is broken as well where too little is offered."""

    def due(self, t: Table, act: Any) -> str | None:
        """The clause that is broken where a token is missing."""
        return self.clause(t, act)


def _but_for_kinds(bag: Mapping[str, int]) -> dict[str, int]:
    """A bag in which a vassal is a vassal, of whichever kind."""
    return added({"vassal" if what in KINDS else what: n} for what, n in bag.items())


def _sources(purse: Purse, kind: str) -> dict[str, int]:
    """From where vassals of a kind may be paid: not from the space that is being resolved."""
    places = [place for place in purse.places(kind) if place not in purse.busy.spaces]
    return {place: n for place in places if (n := purse.held(kind, place))}


def _lacking(rule: str, at: str, what: str, n: int, has: int) -> Violation:
    return Violation(BROKEN_RULE, rule, (at,), {"what": what, "needs": n, "has": has})


def _bags(of: Sequence[str], n: int) -> Iterator[dict[str, int]]:
    """Every bag of `n` of these; one empty bag for none."""
    for chosen in combinations_with_replacement(of, n):
        yield added({what: 1} for what in chosen)


def _value(
    tokens: dict[str, int], vassals: dict[str, dict[str, int]], markers: dict[str, int]
) -> dict[str, Any]:
    parts = {"tokens": tokens, "vassals": vassals, "markers": markers}
    return {name: part for name, part in parts.items() if part}


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
