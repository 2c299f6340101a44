"""The time that a request may take: loops that could run long ask whether it is over."""

from __future__ import annotations

from contextvars import ContextVar
from math import inf
from time import monotonic

_END: ContextVar[float] = ContextVar("end", default=inf)


class OutOfTime(Exception):
    """The time of the request is over before its work is done."""


class within:
    """Inside, `tick` raises OutOfTime once so many seconds have passed; 0 sets no end."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        self._token = _END.set(monotonic() + self._seconds if self._seconds else inf)

    def __exit__(self, *gone: object) -> None:
        _END.reset(self._token)


def end() -> float:
    """When the time is over, by `monotonic`; `inf` for never. A short loop asks once and compares by itself."""
    return _END.get()


def tick() -> None:
    """Raise OutOfTime if the time is over."""
    end = _END.get()
    if end != inf and monotonic() > end:
        raise OutOfTime
