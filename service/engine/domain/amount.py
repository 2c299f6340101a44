"""`Amount`: a whole number in an interval."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from service.engine.domain.base import MANY, MOST, AtLeast, Limits, Open, is_int, no_limits
from service.engine.rule import Violation

if TYPE_CHECKING:
    from service.engine.table import Table


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
            if isinstance(s, AtLeast):
                if s.n > least:
                    least = s.n
            elif s.n < most:
                most = s.n
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
