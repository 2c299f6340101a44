"""Who waits hears of changes from one listener, which may lose the store and come back."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from queue import Queue
from typing import Any

from service.sessions.store import Changed, StoreAway
from service.sessions.waiting import Waiting
from tests.patience import PATIENCE


class Told:
    """A store that tells what the test says: a session, None, or that it is away."""

    def __init__(self) -> None:
        self.said: Queue[str | StoreAway | None] = Queue()

    def changes(self) -> Iterator[Changed | None]:
        """See `Store`."""
        while True:
            said = self.said.get()  # for ever; the listener ends with the process
            if isinstance(said, StoreAway):
                raise said
            yield None if said is None else Changed(said, 2)


def test_who_waits_looks_when_the_listener_has_lost_the_store_and_when_it_has_it_back() -> None:
    store: Any = Told()
    looked, seen = threading.Semaphore(0), []

    def changed() -> bool:
        seen.append(len(seen))
        looked.release()
        return len(seen) == 5

    waiting = Waiting(store, 2)
    waiter = threading.Thread(target=waiting.until, args=("x", 2 * PATIENCE, changed))
    waiter.start()
    assert looked.acquire(timeout=PATIENCE), "at the beginning"
    for said, why in (
        ("x", "the session has changed"),
        (StoreAway("lost"), "the store is away"),
        (None, "it is back, and what was told meanwhile was not heard"),
        ("x", "and tells again"),
    ):
        store.said.put("another")
        store.said.put(said)
        assert looked.acquire(timeout=PATIENCE), why
    waiter.join(PATIENCE)
    assert not waiter.is_alive()
