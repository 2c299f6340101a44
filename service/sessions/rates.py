"""How often something may be done: a bucket that fills by itself, in words that every limiter shares."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

WINDOW = 10  # seconds' worth that may be done at once


@dataclass(frozen=True, slots=True)
class Rate:
    """A policy by its name: so many a second, ten times as many at once; 0 sets no limit."""

    policy: str
    a_second: int

    @property
    def most(self) -> int:
        """What a full bucket holds."""
        return self.a_second * WINDOW


@dataclass(frozen=True, slots=True)
class Spent:
    """What is left in a bucket, and whether there was enough."""

    rate: Rate
    left: float
    enough: bool = True

    @property
    def wait(self) -> int:
        """Seconds, at least one, after which there is enough again for one."""
        return max(1, ceil((1 - self.left) / self.rate.a_second))

    @property
    def full_in(self) -> int:
        """Seconds until the bucket is full."""
        return ceil((self.rate.most - self.left) / self.rate.a_second)


class TooOften(Exception):
    """There was not enough left in a bucket, and nothing was done."""

    def __init__(self, spent: Spent) -> None:
        super().__init__(spent.rate.policy)
        self.spent = spent
