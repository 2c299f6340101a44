"""Whether a server of the store is there, as far as we know: one that was away just now is not asked at once again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

import redis

from service.sessions.store import StoreAway

AWAY = 0.5  # seconds for which a server that was away is not asked again


class Presence:
    """What we know of one server. `away_until`: 0 as long as it answers."""

    def __init__(self) -> None:
        self.away_until = 0.0
        self.trial = Lock()

    @contextmanager
    def asked(self) -> Iterator[None]:
        """Inside, the server is asked. Raises StoreAway, at once where it was away just now."""
        trying = self._may_try()
        try:
            with self._watched():
                yield
        finally:
            if trying:
                self.trial.release()

    def _may_try(self) -> bool:
        """Whether this call is the one that tries if the server is back, while all others are told that it is away: a
        server that hangs keeps one thread, not all. Raises StoreAway."""
        if not self.away_until:
            return False
        if monotonic() < self.away_until or not self.trial.acquire(blocking=False):
            raise StoreAway("it was away just now")
        return True

    @contextmanager
    def _watched(self) -> Iterator[None]:
        """Whether the server is there shows inside: a refusal is an answer too."""
        try:
            yield
        except redis.ResponseError:
            self.away_until = 0.0
            raise
        except (redis.RedisError, OSError):
            self.away_until = monotonic() + AWAY
            raise
        self.away_until = 0.0
