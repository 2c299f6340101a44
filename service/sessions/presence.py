"""Whether a server of the store is there, as far as we know: one that was away just now is not asked at once again."""

from __future__ import annotations

import logging
import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

import redis

from service.sessions.store import StoreAway

LOG = logging.getLogger(__name__)
NOTED: set[str] = set()  # what the operator has been told
MOST_NOTED, MOST_SAID = 20, 300
AWAY = 0.5  # seconds for which a server that was away is not asked again


def note(error: Exception) -> None:
    """Tell the operator, once for each reason, what no waiting mends: a certificate, a password, a database."""
    lasting = isinstance(error, redis.ResponseError | redis.AuthenticationError) or any(
        isinstance(each, ssl.SSLError) for each in _causes(error)
    )
    reason = f"{type(error).__name__}: {str(error)[:MOST_SAID]}"
    if lasting and reason not in NOTED and len(NOTED) < MOST_NOTED:
        NOTED.add(reason)
        LOG.error(f"the store cannot be used: {reason}")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


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
