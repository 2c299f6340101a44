"""Waiting for a session to change: one listener a worker, however many wait, and no more of those than are allowed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic, sleep

from service.sessions.store import Store, StoreAway

MOST_WAIT = 25  # seconds
PAUSE = 0.5  # seconds before a listener that lost the store asks for it again
LOOK_EVERY = 5.0  # seconds; messages can be lost, so whoever waits looks for himself now and then


class TooManyWait(Exception):
    """As many requests wait in this worker as may."""


class Waiting:
    """Those who wait in this worker. The listener starts with the first of them: after the fork."""

    def __init__(self, store: Store, most: int) -> None:
        self.store, self.most = store, most
        self._lock = Lock()
        self._events: dict[str, set[Event]] = {}
        self._waiting = 0
        self._listener: Thread | None = None

    def until(self, session: str, seconds: float, changed: Callable[[], bool]) -> None:
        """Return when `changed()` or when the time is over. Raises TooManyWait; what `changed` raises.

        `changed` is asked at the beginning, after every message about the session, and every few seconds.
        """
        end = monotonic() + seconds
        with self._registered(session) as event:
            while not changed():
                left = end - monotonic()
                if left <= 0:
                    return
                event.wait(min(left, LOOK_EVERY))
                event.clear()

    @contextmanager
    def _registered(self, session: str) -> Iterator[Event]:
        event = Event()
        with self._lock:
            if self._waiting >= self.most:
                raise TooManyWait
            self._waiting += 1
            self._events.setdefault(session, set()).add(event)
            if self._listener is None:
                self._listener = Thread(target=self._listen, name="listener", daemon=True)
                self._listener.start()
        try:
            yield event
        finally:
            with self._lock:
                self._waiting -= 1
                self._events[session].discard(event)
                if not self._events[session]:
                    del self._events[session]

    def _listen(self) -> None:
        while True:
            try:
                for session in self.store.changes():
                    if session is not None:
                        self._wake(session)
            except StoreAway:
                sleep(PAUSE)

    def _wake(self, session: str) -> None:
        with self._lock:
            for event in self._events.get(session, ()):
                event.set()
