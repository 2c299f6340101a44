"""How often abilities can have been used in a turn, and what that can have brought at most.

Each was used once for the marker that has left it, and once more for each marker that came; and what asks for a vassal
no more often than vassals of the kind can have been paid (SIM-DRAGON-4, SIM-PAY-1).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import product

from service.games.simurgh.v1.effects import KINDS
from service.games.simurgh.v1.yields import Yield

Measure = Callable[[Yield], float]
FREE = ""  # what asks for no vassal, or for one of those that may have come back


@dataclass(frozen=True, slots=True)
class Uses:
    """`once`: the abilities without a marker; `again`: those to which one can have come.

    `paid`: the inactive vassals of the kinds that no ability brings back: no more of them have been paid.
    """

    once: tuple[Yield, ...]
    again: tuple[Yield, ...]
    paid: Mapping[str, int]

    def most(self, measure: Measure, fresh: float, back: Collection[str]) -> float:
        """The most of something, by so many markers that came, where vassals of the kinds `back` may have come too."""
        once, again = self._by_kind(self.once, measure, back), self._by_kind(self.again, measure, back)
        best = {kind: max(values, default=0) for kind, values in again.items()}
        total = sum(once[FREE])
        limits = [self.paid[kind] if once[kind] or again[kind] else 0 for kind in KINDS]
        return total + max(
            _times(fresh - sum(ns), best[FREE])
            + sum(
                n * best[kind] + sum(nlargest(limit - n, once[kind]))
                for kind, n, limit in zip(KINDS, ns, limits, strict=True)
            )
            for ns in product(*(range(int(min(fresh, limit)) + 1) for limit in limits))
            if sum(ns) <= fresh
        )

    def _by_kind(
        self, every: Iterable[Yield], measure: Measure, back: Collection[str]
    ) -> dict[str, list[float]]:
        """What each use brings that brings any, by the kind of which it takes one from those that never came back."""
        found: dict[str, list[float]] = {kind: [] for kind in (*KINDS, FREE)}
        for y in every:
            if (n := measure(y)) > 0:
                found[next((k for k in self.paid if k in y.asks and k not in back), FREE)].append(n)
        return found


def _times(n: float, each: float) -> float:
    return n * each if each else 0


def walked(path: Sequence[Yield], steps: int, measure: Measure) -> float:
    """The most of something that so many steps down a path have brought, each as far as it brings any."""
    return sum(nlargest(steps, (n for y in path if (n := measure(y)) > 0)))
