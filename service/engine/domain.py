"""Domains: what a parameter may be on this table, never what is allowed.

A closed domain (`Pick`) is a finite list. An open one follows one protocol: `describe`, `check`, `example`, `sample`
and `every` (on small cases). What narrows an open parameter is data: a limit function returns statements, and
`describe`, `check` and `example` all read the same ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice, permutations, product
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from msgspec import Meta

from service.engine.rule import BROKEN_RULE, UNKNOWN_VALUE, Violation

if TYPE_CHECKING:
    from service.engine.action import Action
    from service.engine.table import Table

MOST = 1_000_000
MANY = 20_000


@dataclass(frozen=True, slots=True)
class AtLeast:
    """At least `n` (of the items in `of`, where the domain has items); otherwise `rule` is broken, with these facts."""

    rule: str
    n: int
    of: frozenset[str] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def holds(self, n: int) -> bool:
        """Whether `n` is enough."""
        return n >= self.n


@dataclass(frozen=True, slots=True)
class AtMost:
    """At most `n` (of the items in `of`); otherwise `rule` is broken, with these facts."""

    rule: str
    n: int
    of: frozenset[str] | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)

    def holds(self, n: int) -> bool:
        """Whether `n` is little enough."""
        return n <= self.n


Statement = AtLeast | AtMost
Limits = Callable[["Table", Any], Iterable[Statement]]


def no_limits(t: Table, act: Any) -> tuple[Statement, ...]:
    """Nothing narrows the parameter."""
    return ()


class Domain:
    """A parameter of an action: its name, the clause of its domain, and the JSON type of its values (`shape`)."""

    closed = False
    shape: Any = Any

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, act: Any, owner: type | None = None) -> Any:
        if act is None:
            return self
        raise AttributeError(f"{self.name} is not bound yet")

    def unknown(self, value: Any) -> list[Violation]:
        """The refusal of a value that does not exist on this table."""
        return [Violation(UNKNOWN_VALUE, self.rule, (f"/{self.name}",), {"value": value})]

    def broken(self, statement: Statement, **facts: Any) -> Violation:
        """The refusal that a statement makes."""
        return Violation(BROKEN_RULE, statement.rule, (f"/{self.name}",), {**facts, **statement.facts})

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """Every reason why `value` is refused; empty when it is fine."""
        raise NotImplementedError

    def rules(self) -> list[str]:
        """The clause ids that are known without a table."""
        return [self.rule]


class Open(Domain):
    """The protocol of an open parameter."""

    needs: tuple[str, ...] | None = None
    depends_on: tuple[str, ...] = ()

    def __init__(self, rule: str, limits: Limits = no_limits, limit_rules: Sequence[str] = ()) -> None:
        super().__init__(rule)
        self.limits = limits
        self.limit_rules = tuple(limit_rules)

    def given(self, *needs: str, depends_on: tuple[str, ...] = ()) -> Self:
        """Say what must be bound or hold before a value can be checked (by default: every earlier parameter), and
        which earlier open parameters the description was made for."""
        self.needs, self.depends_on = needs, depends_on
        return self

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """What a client needs to fill the parameter in."""
        raise NotImplementedError

    def example(self, t: Table, act: Any) -> Any:
        """A legal value, or None when there is none."""
        raise NotImplementedError

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A random legal value (not uniform), or None when there is none."""
        raise NotImplementedError

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every structural value, for look-ahead and brute force; None when there are too many."""
        raise NotImplementedError

    def rules(self) -> list[str]:
        """The domain's clause and those that its limits may name."""
        return [self.rule, *self.limit_rules]


class Pick(Domain):
    """A closed parameter: one of a finite list, by table and actor alone. `vocabulary`: all values the game knows."""

    closed = True

    def __init__(
        self,
        rule: str,
        values: Sequence[Any] | Callable[[Table, str], Iterable[Any]],
        vocabulary: Sequence[Any] | None = None,
        shape: Any = None,
    ) -> None:
        super().__init__(rule)
        self._values = values
        fixed = vocabulary if vocabulary is not None else values if not callable(values) else None
        self.shape = shape if shape is not None else Literal[tuple(fixed)] if fixed else str  # type: ignore[valid-type]
        self.vocabulary = tuple(fixed) if fixed is not None else None

    def values(self, t: Table, actor: str) -> Sequence[Any]:
        """What may be named here and now."""
        return tuple(self._values(t, actor)) if callable(self._values) else self._values

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """A value that is not in the list does not exist here."""
        for known in self.values(t, act.actor):
            if known == value and type(known) is type(value):
                return []
        return self.unknown(value)


def is_int(value: Any) -> bool:
    """A JSON integer: no boolean."""
    return isinstance(value, int) and not isinstance(value, bool)


class Amount(Open):
    """An interval of whole numbers from `least` to `most`, narrowed by statements without `of`."""

    def __init__(
        self,
        rule: str,
        limits: Limits = no_limits,
        limit_rules: Sequence[str] = (),
        least: int = 0,
        most: int = MOST,
    ) -> None:
        super().__init__(rule, limits, limit_rules)
        self.least, self.most = least, most
        self.shape = Annotated[int, Meta(ge=least, le=most)]

    def _bounds(self, t: Table, act: Any) -> tuple[int, int]:
        least, most = self.least, self.most
        for s in self.limits(t, act):
            least, most = (max(least, s.n), most) if isinstance(s, AtLeast) else (least, min(most, s.n))
        return least, most

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"least", "most"?}`; no `most` where the rules set none."""
        least, most = self._bounds(t, act)
        return {"least": least} if most == MOST else {"least": least, "most": most}

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """A number in range that every statement allows."""
        if not is_int(value) or not self.least <= value <= self.most:
            return self.unknown(value)
        return [self.broken(s, **{self.name: value}) for s in self.limits(t, act) if not s.holds(value)]

    def example(self, t: Table, act: Any) -> Any:
        """The least legal number."""
        least, most = self._bounds(t, act)
        return least if least <= most else None

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A number near the lower bound, now and then far from it."""
        least, most = self._bounds(t, act)
        if least > most:
            return None
        return rng.randint(least, min(most, least + rng.choice((3, 10, 50))))

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """All numbers where both ends are near."""
        return iter(range(self.least, self.most + 1)) if self.most - self.least < MANY else None


Items = Callable[["Table", Any], Mapping[str, int]]


class Subset(Open):
    """`least` to `most` of these things: a bag `{what: n}`, or, where order counts, a list."""

    def __init__(
        self,
        rule: str,
        of: Items,
        least: int = 0,
        most: int | None = None,
        ordered: bool = False,
        limits: Limits = no_limits,
        limit_rules: Sequence[str] = (),
    ) -> None:
        super().__init__(rule, limits, limit_rules)
        self.of, self.least, self.most, self.ordered = of, least, most, ordered
        self.shape = list[str] if ordered else dict[str, Annotated[int, Meta(ge=1, le=MOST)]]

    def _size(self, t: Table, act: Any) -> tuple[int, int, dict[str, int]]:
        held = dict(sorted(self.of(t, act).items()))
        total = sum(held.values())
        return self.least, total if self.most is None else min(self.most, total), held

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"of", "least", "most", "ordered"}` and the limits in force."""
        least, most, held = self._size(t, act)
        shown: dict[str, Any] = {"of": held, "least": least, "most": most, "ordered": self.ordered}
        limits = [_limit_shown(s) for s in self.limits(t, act)]
        return {**shown, "limits": limits} if limits else shown

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """Things that are there, as many as asked, and every statement holds."""
        least, most, held = self._size(t, act)
        bag = self._bag(value)
        if (
            bag is None
            or any(n > held.get(what, 0) for what, n in bag.items())
            or not least <= sum(bag.values()) <= most
        ):
            return self.unknown(value)
        return [self.broken(s) for s in self.limits(t, act) if not s.holds(_counted(s, bag))]

    def _bag(self, value: Any) -> dict[str, int] | None:
        if self.ordered:
            if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
                return None
            return {what: value.count(what) for what in value}
        if not isinstance(value, dict) or not all(
            isinstance(k, str) and is_int(n) and n > 0 for k, n in value.items()
        ):
            return None
        return value

    def _bags(self, held: Mapping[str, int]) -> Iterator[dict[str, int]]:
        for counts in product(*(range(n + 1) for n in held.values())):
            yield {what: n for what, n in zip(held, counts, strict=True) if n}

    def _legal_bag(self, t: Table, act: Any, order: Sequence[str]) -> dict[str, int] | None:
        """The smallest legal bag, filling statement by statement in the given order of things."""
        least, most, held = self._size(t, act)
        statements = list(self.limits(t, act))
        bag: dict[str, int] = {}
        for s in statements:
            if isinstance(s, AtLeast):
                _fill(
                    bag,
                    held,
                    [w for w in order if s.of is None or w in s.of],
                    s.n - _counted(s, bag),
                    statements,
                )
        _fill(bag, held, order, least - sum(bag.values()), statements)
        fine = least <= sum(bag.values()) <= most and all(s.holds(_counted(s, bag)) for s in statements)
        return bag if fine else None

    def example(self, t: Table, act: Any) -> Any:
        """The smallest legal choice, lowest ids first."""
        bag = self._legal_bag(t, act, sorted(self.of(t, act)))
        return self._value(bag) if bag is not None else None

    def _value(self, bag: Mapping[str, int]) -> Any:
        if self.ordered:
            return [what for what in sorted(bag) for _ in range(bag[what])]
        return dict(sorted(bag.items()))

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A legal choice with some more things added at random."""
        least, most, held = self._size(t, act)
        order = sorted(held)
        rng.shuffle(order)
        bag = self._legal_bag(t, act, order)
        if bag is None:
            return None
        _fill(bag, held, order, rng.randint(0, most - sum(bag.values())), list(self.limits(t, act)))
        value = self._value(bag)
        if self.ordered:
            rng.shuffle(value)
        return value

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every bag (or every order of it) of a permitted size."""
        least, most, held = self._size(t, act)
        if _product(n + 1 for n in held.values()) > MANY:
            return None
        bags = (b for b in self._bags(held) if least <= sum(b.values()) <= most)
        if not self.ordered:
            return bags
        orders = (list(o) for b in bags for o in sorted(set(permutations(self._value(b)))))
        return iter(list(islice(orders, MANY)))


def _fill(
    bag: dict[str, int],
    held: Mapping[str, int],
    order: Iterable[str],
    n: int,
    statements: Sequence[Statement],
) -> None:
    for what in order:
        while n > 0 and bag.get(what, 0) < held[what]:
            bag[what] = bag.get(what, 0) + 1
            if any(isinstance(s, AtMost) and not s.holds(_counted(s, bag)) for s in statements):
                bag[what] -= 1
                if not bag[what]:
                    del bag[what]
                break
            n -= 1


def _counted(s: Statement, bag: Mapping[str, int]) -> int:
    return sum(n for what, n in bag.items() if s.of is None or what in s.of)


def _limit_shown(s: Statement) -> dict[str, Any]:
    word = "least" if isinstance(s, AtLeast) else "most"
    return {word: s.n, "rule": s.rule, **({"of": sorted(s.of)} if s.of is not None else {})}


def _product(numbers: Iterable[int]) -> int:
    total = 1
    for n in numbers:
        total *= n
        if total > MANY * MANY:
            break
    return total


class Split(Open):
    """A total divided over keys with caps: `{key: n}`; keys with nothing are left out."""

    def __init__(
        self,
        rule: str,
        total: Callable[[Table, Any], int],
        caps: Items,
        limits: Limits = no_limits,
        limit_rules: Sequence[str] = (),
    ) -> None:
        super().__init__(rule, limits, limit_rules)
        self.total, self.caps = total, caps
        self.shape = dict[str, Annotated[int, Meta(ge=1, le=MOST)]]

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"total", "caps"}` and the limits in force."""
        shown = {"total": self.total(t, act), "caps": dict(sorted(self.caps(t, act).items()))}
        limits = [_limit_shown(s) for s in self.limits(t, act)]
        return {**shown, "limits": limits} if limits else shown

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """The parts make the total, none is over its cap, and every statement holds."""
        caps = self.caps(t, act)
        fine = isinstance(value, dict) and all(
            is_int(n) and 0 < n <= caps.get(k, 0) for k, n in value.items()
        )
        if not fine or sum(value.values()) != self.total(t, act):
            return self.unknown(value)
        return [self.broken(s) for s in self.limits(t, act) if not s.holds(_counted(s, value))]

    def example(self, t: Table, act: Any) -> Any:
        """The first division that is legal, lowest keys first."""
        return self._divide(t, act, sorted(self.caps(t, act)))

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A legal division in a random order of keys."""
        order = sorted(self.caps(t, act))
        rng.shuffle(order)
        return self._divide(t, act, order)

    def _divide(self, t: Table, act: Any, order: Sequence[str]) -> Any:
        caps, total, bag = self.caps(t, act), self.total(t, act), dict[str, int]()
        statements = list(self.limits(t, act))
        for s in statements:
            if isinstance(s, AtLeast):
                _fill(
                    bag,
                    caps,
                    [k for k in order if s.of is None or k in s.of],
                    s.n - _counted(s, bag),
                    statements,
                )
        _fill(bag, caps, order, total - sum(bag.values()), statements)
        fine = sum(bag.values()) == total and all(s.holds(_counted(s, bag)) for s in statements)
        return dict(sorted(bag.items())) if fine else None

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every division within the caps."""
        caps, total = dict(sorted(self.caps(t, act).items())), self.total(t, act)
        if _product(min(c, total) + 1 for c in caps.values()) > MANY:
            return None
        counts = product(*(range(min(c, total) + 1) for c in caps.values()))
        return ({k: n for k, n in zip(caps, c, strict=True) if n} for c in counts if sum(c) == total)


class Sequence_(Open):
    """A list of sub-actions of these classes, each judged as if those before it had been done."""

    def __init__(
        self,
        rule: str,
        of: Sequence[type[Action]],
        least: int = 1,
        most: int = 10,
        limits: Limits = no_limits,
        limit_rules: Sequence[str] = (),
        whole: Callable[[Table, Any], bool] | None = None,
    ) -> None:
        super().__init__(rule, limits, limit_rules)
        self.of, self.least, self.most = tuple(of), least, most
        self.whole = whole
        self.shape = list[Any]

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"items": the kinds, "least", "most"}`."""
        return {"items": [c.kind for c in self.of], "least": self.least, "most": self.most}

    def after(self, t: Table, act: Any, value: Sequence[Any]) -> Table:
        """A fork of the table on which all the sub-actions (legal ones) have been done."""
        fork = t.fork()
        for item in value:
            self._bound(fork, act, item).resolve(fork)
        return fork

    def _bound(self, t: Table, act: Any, item: Mapping[str, Any]) -> Action:
        kind = next(c for c in self.of if c.kind == item["kind"])
        return kind.bind(t, act.frame, act.actor, item)

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """As many as asked, of the kinds allowed, each legal after those before it."""
        from service.engine.judge import examine

        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            return self.unknown(value)
        fork = t.fork()
        for i, item in enumerate(value):
            kind = next((c for c in self.of if isinstance(item, dict) and c.kind == item.get("kind")), None)
            if kind is None:
                return [Violation(UNKNOWN_VALUE, self.rule, (f"/{self.name}/{i}",), {"value": item})]
            part, violations = examine(fork, kind, act.frame, act.actor, item)
            if violations or part is None:
                return [v.under(f"/{self.name}/{i}") for v in violations]
            part.resolve(fork)
        return []

    def _next(self, fork: Table, act: Any) -> list[Action]:
        from service.engine.options import legal_acts

        return [a for kind in self.of for a in legal_acts(fork, kind, act.frame, act.actor)]

    def example(self, t: Table, act: Any) -> Any:
        """The first shortest list that is legal."""
        return self._walk(t, act, lambda parts: parts[0], self.least)

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A random legal list."""
        return self._walk(t, act, rng.choice, rng.randint(self.least, min(self.most, self.least + 2)))

    def _walk(self, t: Table, act: Any, choose: Callable[[list[Action]], Action], length: int) -> Any:
        fork, value = t.fork(), []
        while len(value) < length:
            parts = self._next(fork, act)
            if not parts:
                break
            part = choose(parts)
            value.append(part.part_wire())
            part.resolve(fork)
        return value if len(value) >= self.least else None

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Not enumerated: sequences are walked, not listed."""
        return None

    def rules(self) -> list[str]:
        """The domain's clause, its limits' and those of the sub-actions."""
        return [self.rule, *self.limit_rules, *(r for c in self.of for r in c.rules())]


def small_choices(things: Sequence[str], least: int, most: int) -> Iterator[tuple[str, ...]]:
    """Every choice of `least` to `most` different things, in order; a helper for games' own domains."""
    for k in range(least, most + 1):
        yield from combinations(things, k)
