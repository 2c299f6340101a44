"""Turns: so many threads work at once, and the others get theirs in the order of their coming."""

from collections import deque
from threading import Lock


class Turns:
    """So many at once; whoever has waited longest is next.

    A `threading.Semaphore` lets a thread that has just released it take it again before those that it woke: under
    load a few requests then wait five times as long as most.
    """

    def __init__(self, count: int) -> None:
        self._free = count
        self._lock = Lock()
        self._queue: deque[Lock] = deque()

    def acquire(self) -> None:
        """Wait for a turn."""
        with self._lock:
            if self._free:
                self._free -= 1
                return
            mine = Lock()
            mine.acquire()
            self._queue.append(mine)
        mine.acquire()

    def release(self) -> None:
        """Hand the turn to whoever has waited longest, if anybody waits."""
        with self._lock:
            if self._queue:
                self._queue.popleft().release()
            else:
                self._free += 1

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *ended: object) -> None:
        self.release()
