"""Waiting for a session to change: one listener a worker, however many wait, and no more of those than are allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic, sleep

from service.sessions.store import Store, StoreAway, StoreFull

MOST_WAIT = 25  # seconds
PAUSE = 0.5  # seconds before a listener that lost the store asks for it again
GLANCE = 1.0  # seconds after which whoever waits looks if there is still somebody to wait for
LOOK_EVERY = 5.0  # seconds; messages can be lost, so whoever waits looks for himself now and then


class TooManyWait(Exception):
    """As many requests wait in this worker as may: in all, for one session, or for one client."""


class Waiting:
    """Those who wait in this worker. The listener starts with the first of them: after the fork.

    Half of the places may be taken for one session, and half by one client, so that nobody takes all.
    """

    def __init__(self, store: Store, most: int) -> None:
        self.store, self.most, self.share = store, most, (most + 1) // 2
        self._lock = Lock()
        self._events: dict[str, set[Event]] = {}
        self._held: Counter[str] = Counter()  # places by client
        self._waiting = 0
        self._listener: Thread | None = None

    def until(
        self,
        session: str,
        seconds: float,
        changed: Callable[[], bool],
        over: Callable[[], bool] = lambda: False,
        client: str | None = None,
    ) -> None:
        """Return when `changed()`, when it is `over()` or when the time is. Raises TooManyWait; what `changed` raises.

        `changed`, which asks the store, is called at the beginning and the end, after every message about the session,
        when the listener has lost the store and when it has it back, and every few seconds; `over`, which does not,
        every second.
        """
        end = monotonic() + seconds
        with self._registered(session, client) as event:
            while not changed() and monotonic() < end:
                if _asleep(event, min(end, monotonic() + LOOK_EVERY), over):
                    return
                event.clear()

    @contextmanager
    def _registered(self, session: str, client: str | None) -> Iterator[Event]:
        event = Event()
        with self._lock:
            mine = 0 if client is None else self._held[client]
            if self._waiting >= self.most or max(mine, len(self._events.get(session, ()))) >= self.share:
                raise TooManyWait
            self._waiting += 1
            self._events.setdefault(session, set()).add(event)
            if client is not None:
                self._held[client] += 1
            if self._listener is None:
                self._listener = Thread(target=self._listen, name="listener", daemon=True)
                self._listener.start()
        try:
            yield event
        finally:
            with self._lock:
                self._leave(session, client, event)

    def _leave(self, session: str, client: str | None, event: Event) -> None:
        self._waiting -= 1
        self._events[session].discard(event)
        if not self._events[session]:
            del self._events[session]
        if client is not None:
            self._held[client] -= 1
            if not self._held[client]:
                del self._held[client]

    def _listen(self) -> None:
        lost = False
        while True:
            try:
                for change in self.store.changes():
                    if lost:  # what was told meanwhile has not been heard
                        self._wake_all()
                        lost = False
                    elif change is not None:
                        self._wake(change.session)
            except (StoreAway, StoreFull):
                lost = True
                self._wake_all()
                sleep(PAUSE)

    def _wake_all(self) -> None:
        with self._lock:
            for events in self._events.values():
                for event in events:
                    event.set()

    def _wake(self, session: str) -> None:
        with self._lock:
            for event in self._events.get(session, ()):
                event.set()


def _asleep(event: Event, end: float, over: Callable[[], bool]) -> bool:
    """Wait for the event or the end; true, as soon as that is seen, if it is over before."""
    while (left := end - monotonic()) > 0:
        if over():
            return True
        if event.wait(min(left, GLANCE)):
            return False
    return False
