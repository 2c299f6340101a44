"""How long tests wait: for what must come, patiently; for what must not take long, by the pace of the machine."""

from __future__ import annotations

import subprocess
import sys
import time
import urllib.error
from collections.abc import Callable
from typing import Any

PATIENCE = 60.0  # seconds; only what is broken takes as long


def until(condition: Callable[[], Any], seconds: float = PATIENCE, every: float = 0.02) -> bool:
    """Wait for the condition and return whether it came.

    A connection that is refused or reset is no answer yet: whoever was in the queue of a killed worker asks again.
    """
    end = time.monotonic() + seconds
    while not (came := _held(condition)) and time.monotonic() < end:
        time.sleep(every)
    return bool(came)


def _held(condition: Callable[[], Any]) -> Any:
    try:
        return condition()
    except (ConnectionError, urllib.error.URLError):
        return False


# Sleeps and works in turns: how late it comes is how long anybody on this machine has to wait for his turn.
ROUNDS = """
import select, sys, time
usual, worst = 0.012, 1.0
while True:
    begun = time.perf_counter()
    for _ in range(20_000):
        pass
    time.sleep(0.01)
    worst = max(worst, (time.perf_counter() - begun) / usual)
    if select.select([sys.stdin], [], [], 0)[0]:
        if not sys.stdin.readline():
            break
        print(worst, flush=True)
        worst = 1.0
"""


class Pace:
    """How slow the machine is while something else is measured, by another process.

    Promises in seconds are for a machine that has nothing else to do: `took < 1.0 * pace.slower`.
    """

    _last: float | None = None

    def __enter__(self) -> Pace:
        command = [sys.executable, "-S", "-c", ROUNDS]
        self._rounds = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    @property
    def slower(self) -> float:
        """How many times slower than usual it was at its slowest, at least 1: since this was last asked; after the
        `with`, inside it."""
        if self._last is not None:
            return self._last
        assert self._rounds.stdin is not None
        assert self._rounds.stdout is not None
        self._rounds.stdin.write("\n")
        self._rounds.stdin.flush()
        return float(self._rounds.stdout.readline())

    def __exit__(self, *fault: object) -> None:
        self._last = self.slower
        self._rounds.communicate("")
