"""`Split`: a total divided over keys."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from service.engine.domain.bags import bags, broken_in, fill, filled, how_many
from service.engine.domain.base import (
    MANY,
    MOST,
    AtLeast,
    Items,
    Limits,
    Open,
    is_bag,
    limit_shown,
    no_limits,
)
from service.engine.rule import Violation

if TYPE_CHECKING:
    from service.engine.table import Table


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

    def _caps(self, t: Table, act: Any) -> dict[str, int]:
        return {key: n for key, n in sorted(self.caps(t, act).items()) if n > 0}

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"total", "caps", "limits"?}`."""
        shown = {"total": self.total(t, act), "caps": self._caps(t, act)}
        limits = [limit_shown(s) for s in self.limits(t, act)]
        return {**shown, "limits": limits} if limits else shown

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """The parts make the total, none is over its cap, and every statement holds."""
        if not is_bag(value):
            return self.unknown(value)
        lacking = self.lacking(value, self.caps(t, act))
        if lacking:
            return lacking
        due, given = self.total(t, act), sum(value.values())
        wrong = [] if given == due else [self.wrong_number(due=due, given=given)]
        return wrong + [self.broken(s, given=n) for s, n in broken_in(self.limits(t, act), value)]

    def example(self, t: Table, act: Any) -> Any:
        """The first division that is legal, lowest keys first."""
        caps, total = self._caps(t, act), self.total(t, act)
        bag = filled(caps, list(caps), total, total, list(self.limits(t, act)))
        return dict(sorted(bag.items())) if bag is not None else None

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A legal division dealt out at random, as far as the statements let it."""
        caps, total = self._caps(t, act), self.total(t, act)
        statements = list(self.limits(t, act))
        bag: dict[str, int] = {}
        for s in statements:
            if isinstance(s, AtLeast):
                deal = [k for k in caps for _ in range(caps[k]) if s.of is None or k in s.of]
                rng.shuffle(deal)
                _deal(bag, caps, deal, s.n - sum(n for k, n in bag.items() if k in deal), statements)
        deal = [k for k in caps for _ in range(min(caps[k], total))]
        rng.shuffle(deal)
        _deal(bag, caps, deal, total - sum(bag.values()), statements)
        if sum(bag.values()) == total and not broken_in(statements, bag):
            return dict(sorted(bag.items()))
        return self.example(t, act)

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every division within the caps; None beyond 20,000."""
        total = self.total(t, act)
        caps = self._caps(t, act)
        return bags(caps, total, total) if how_many(caps, total, total) <= MANY else None


def _deal(
    bag: dict[str, int], caps: dict[str, int], deal: list[str], n: int, statements: Sequence[Any]
) -> None:
    """Give out up to `n`, one at a time, to the keys as they were dealt."""
    for key in deal:
        if n <= 0:
            return
        before = bag.get(key, 0)
        fill(bag, caps, [key], 1, statements)
        n -= bag.get(key, 0) - before
