"""What every domain has: the protocol of open parameters, closed ones, and the statements that narrow open ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from msgspec import Struct

from service.engine.rule import BROKEN_RULE, UNKNOWN_VALUE, Violation

if TYPE_CHECKING:
    from service.engine.table import Table

MOST = 1_000_000
MANY = 20_000


class AtLeast(Struct, frozen=True):
    """At least `n` (of the items in `of`, where the domain has items); else `rule` is broken, with these facts.

    `about`: earlier parameters that bring the limit about; the refusal points at them first.
    """

    rule: str
    n: int
    of: frozenset[str] | None = None
    facts: Mapping[str, Any] = {}
    about: tuple[str, ...] = ()

    def holds(self, n: int) -> bool:
        """Whether `n` is enough."""
        return n >= self.n


class AtMost(Struct, frozen=True):
    """At most `n` (of the items in `of`); else `rule` is broken, with these facts. `about` as in `AtLeast`."""

    rule: str
    n: int
    of: frozenset[str] | None = None
    facts: Mapping[str, Any] = {}
    about: tuple[str, ...] = ()

    def holds(self, n: int) -> bool:
        """Whether `n` is little enough."""
        return n <= self.n


Statement: TypeAlias = AtLeast | AtMost
Limits: TypeAlias = Callable[["Table", Any], Iterable[Statement]]
Items: TypeAlias = Callable[["Table", Any], Mapping[str, int]]


def no_limits(t: Table, act: Any) -> tuple[Statement, ...]:
    """Nothing narrows the parameter."""
    return ()


def limit_shown(s: Statement) -> dict[str, Any]:
    """A statement as descriptors show it: `{"least" or "most", "rule", "of"?}`."""
    word = "least" if isinstance(s, AtLeast) else "most"
    return {word: s.n, "rule": s.rule, **({"of": sorted(s.of)} if s.of is not None else {})}


def is_int(value: Any) -> bool:
    """A JSON integer: no boolean."""
    return type(value) is int


def is_bag(value: Any) -> bool:
    """A JSON object whose values are whole numbers from 1."""
    return isinstance(value, dict) and all(
        isinstance(k, str) and is_int(n) and n > 0 for k, n in value.items()
    )


class Domain:
    """A parameter of an action: its name, the clause of its domain, and the JSON type of its values (`shape`)."""

    closed = False
    shape: Any = Any

    def __init__(self, rule: str) -> None:
        self.rule = rule
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name.rstrip("_")  # `from_` in code is `from` on the wire

    def __get__(self, act: Any, owner: type | None = None) -> Any:
        if act is None:
            return self
        if self.name in act.__dict__:  # a word of Python's own, which is called otherwise in code
            return act.__dict__[self.name]
        raise AttributeError(f"{self.name} is not bound yet")

    def unknown(self, value: Any) -> list[Violation]:
        """The refusal of a value that does not exist on this table."""
        return [Violation(UNKNOWN_VALUE, self.rule, (f"/{self.name}",), {"value": value})]

    def lacking(self, bag: Mapping[str, int], there: Mapping[str, int]) -> list[Violation]:
        """The refusal of the first part of a bag that is not there, or not so often: then with both numbers.

        `there`: how often each may be named at most.
        """
        for what, n in bag.items():
            if n > (most := there.get(what, 0)):
                facts = {"value": what, "offered": n, "most": most} if most > 0 else {"value": what}
                return [Violation(UNKNOWN_VALUE, self.rule, (f"/{self.name}",), facts)]
        return []

    def wrong_number(self, **facts: int) -> Violation:
        """The refusal of things that are all there, but are not as many as the clause wants."""
        return Violation(BROKEN_RULE, self.rule, (f"/{self.name}",), facts)

    def wrong_size(self, chosen: int, least: int, most: int) -> list[Violation]:
        """The refusal of fewer things than `least`, or of more than `most`; empty when the number is fine."""
        if chosen < least:
            return [self.wrong_number(chosen=chosen, least=least)]
        return [self.wrong_number(chosen=chosen, most=most)] if chosen > most else []

    def broken(self, statement: Statement, **facts: Any) -> Violation:
        """The refusal that a statement makes; the statement's own facts come on top of `facts`."""
        about = tuple(f"/{name}" for name in (*statement.about, self.name))
        return Violation(BROKEN_RULE, statement.rule, about, {**facts, **statement.facts})

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """Every reason why `value` is refused; empty when it is fine. Total: `value` may be any JSON."""
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
        """Say what must be bound or hold before a value can be checked (by default: every earlier parameter).

        `depends_on`: the earlier open parameters that the description was made for.
        """
        self.needs, self.depends_on = needs, depends_on
        return self

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """What a client needs to fill the parameter in: a document of its own, to which an example is added."""
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

    def looked_at(self, t: Table, act: Any) -> list[str]:
        """The clauses that `check` looks at now: the domain's own and those of the statements in force."""
        return list(dict.fromkeys([self.rule, *(s.rule for s in self.limits(t, act))]))

    def rules(self) -> list[str]:
        """The domain's clause and those that its limits may name."""
        return [self.rule, *self.limit_rules]


class Pick(Domain):
    """A closed parameter: one of a finite list of strings, numbers or flags, by table and actor alone.

    `vocabulary`: all values the game knows, where `values` is a function.
    """

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
        self.shape = shape if shape is not None else Literal[tuple(fixed)] if fixed else str
        self.vocabulary = tuple(fixed) if fixed is not None else None

    def values(self, t: Table, actor: str) -> Sequence[Any]:
        """What may be named here and now."""
        return tuple(self._values(t, actor)) if callable(self._values) else self._values

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """A value that is not in the list does not exist here."""
        values = self.values(t, act.actor)
        if type(value) is str:
            return [] if value in values else self.unknown(value)
        return [] if any(x == value and type(x) is type(value) for x in values) else self.unknown(value)
