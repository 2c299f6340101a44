"""The memory of streams that have gone, given back to the system.

A stream that has gone is still held by itself, in a circle: its connection, its tasks, what they wait for. Only the
collector finds that, which looks at what is old hardly ever (`run.when_ready`); and what it frees the C library keeps.
"""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable
from contextlib import suppress

FEWEST = 100  # streams that have gone, before it is worth looking: some MiB
SETTLE = 5.0  # seconds; gunicorn holds a connection that was lost for 3 more


class Leavings:
    """Counts who goes. What they leave is cleared away when it is a third of all: so much is held at most, and the
    work, tenths of a second where thousands are still open, is shared by many."""

    def __init__(self) -> None:
        self._gone = 0
        self._settling: tuple[int, float] | None = (
            None  # how many, and when nothing but themselves holds them
        )

    def left(self) -> None:
        """A stream has gone."""
        self._gone += 1

    def cleared(self, still_open: int, now: float) -> bool:
        """Whether so many had gone that it was time to collect; then the C library has something to give back. To be
        called now and then."""
        if self._settling is None:
            if self._gone >= max(FEWEST, still_open // 2):
                self._settling = self._gone, now + SETTLE
            return False
        settled, when = self._settling
        if now < when:
            return False
        self._gone, self._settling = self._gone - settled, None
        gc.collect()
        return True


def _trimmer() -> Callable[[int], object]:
    """What has the C library give back; only that of GNU has it, the others do so by themselves, or not."""
    with suppress(OSError, AttributeError):
        return ctypes.CDLL(None).malloc_trim
    return lambda keep: None


_trim = _trimmer()


def trim() -> None:
    """Give back what is free; takes some ms, in which the interpreter goes on with other threads."""
    _trim(0)
