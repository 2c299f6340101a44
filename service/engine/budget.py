"""The time that a request may take: loops that could run long ask whether it is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from math import inf
from time import monotonic

_END: ContextVar[float] = ContextVar("end", default=inf)


class OutOfTime(Exception):
    """The time of the request is over before its work is done."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Inside, `tick` raises OutOfTime once so many seconds have passed; 0 sets no end."""
    token = _END.set(monotonic() + seconds if seconds else inf)
    try:
        yield
    finally:
        _END.reset(token)


def tick() -> None:
    """Raise OutOfTime if the time is over."""
    end = _END.get()
    if end != inf and monotonic() > end:
        raise OutOfTime
