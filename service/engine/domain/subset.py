"""`Subset`: some of these things, as a bag or in an order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from service.engine.domain.bags import bags, broken_in, fill, filled, how_many
from service.engine.domain.base import MANY, MOST, Items, Limits, Open, is_bag, limit_shown, no_limits
from service.engine.rule import Violation

if TYPE_CHECKING:
    from service.engine.table import Table


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

    def _held(self, t: Table, act: Any) -> tuple[dict[str, int], int]:
        """What there is to choose from, by id, and how many may be chosen at most."""
        held = {what: n for what, n in sorted(self.of(t, act).items()) if n > 0}
        total = sum(held.values())
        return held, total if self.most is None else min(self.most, total)

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"of", "least", "most", "ordered", "limits"?}`."""
        held, most = self._held(t, act)
        shown: dict[str, Any] = {"of": held, "least": self.least, "most": most, "ordered": self.ordered}
        limits = [limit_shown(s) for s in self.limits(t, act)]
        return {**shown, "limits": limits} if limits else shown

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """Things that are there, as many as asked, and every statement holds."""
        held, most = self._held(t, act)
        bag = self._bag(value)
        if bag is None:
            return self.unknown(value)
        lacking = self.lacking(bag, held)
        if lacking:
            return lacking
        wrong = self.wrong_size(sum(bag.values()), self.least, most)
        return wrong + [self.broken(s, chosen=n) for s, n in broken_in(self.limits(t, act), bag)]

    def _bag(self, value: Any) -> Mapping[str, int] | None:
        if self.ordered:
            fine = isinstance(value, list) and all(isinstance(v, str) for v in value)
            return Counter(value) if fine else None
        return value if is_bag(value) else None

    def _value(self, bag: Mapping[str, int]) -> Any:
        if self.ordered:
            return [what for what in sorted(bag) for _ in range(bag[what])]
        return dict(sorted(bag.items()))

    def example(self, t: Table, act: Any) -> Any:
        """A small legal choice, lowest ids first."""
        held, most = self._held(t, act)
        bag = filled(held, list(held), self.least, most, list(self.limits(t, act)))
        return self._value(bag) if bag is not None else None

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A legal choice with some more things added at random."""
        held, most = self._held(t, act)
        statements = list(self.limits(t, act))
        order = list(held)
        rng.shuffle(order)
        bag = filled(held, order, self.least, most, statements)
        if bag is None:
            return None
        fill(bag, held, order, rng.randint(0, most - sum(bag.values())), statements)
        value = self._value(bag)
        if self.ordered:
            rng.shuffle(value)
        return value

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every bag (or every order of it) of a permitted size; None beyond 20,000."""
        held, most = self._held(t, act)
        if how_many(held, self.least, most, self.ordered) > MANY:
            return None
        chosen = bags(held, self.least, most)
        return (o for bag in chosen for o in _orders(self._value(bag))) if self.ordered else chosen


def _orders(things: list[str]) -> Iterator[list[str]]:
    """Every different order of a sorted list, in lexical order."""
    while True:
        yield list(things)
        i = next((i for i in range(len(things) - 2, -1, -1) if things[i] < things[i + 1]), None)
        if i is None:
            return
        j = next(j for j in range(len(things) - 1, i, -1) if things[i] < things[j])
        things[i], things[j] = things[j], things[i]
        things[i + 1 :] = reversed(things[i + 1 :])


def small_choices(things: Sequence[str], least: int, most: int) -> Iterator[tuple[str, ...]]:
    """Every choice of `least` to `most` different things, in order; for games' own domains."""
    for k in range(least, most + 1):
        yield from combinations(things, k)
