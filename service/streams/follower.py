"""Which sessions change: one subscription a process, however many follow, and what gets lost is found again."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Iterable
from concurrent.futures import Executor
from contextlib import suppress
from threading import Thread
from time import monotonic, sleep

from service.sessions.store import Changed, Store, StoreAway, StoreFull, StoreMissing

LOOK_EVERY = (
    5.0  # seconds; messages can be lost, so the sessions that somebody watches are looked at now and then
)
PAUSE = 0.5  # seconds before the listener asks again for a store that it has lost
SLICE = 50  # sessions that are looked at in one go: the store, and a thread, are others' too
LOG = logging.getLogger(__name__)


class Follower:
    """Tells changes of sessions as `(session, version)`, soon after they were committed:

        async for session, version in office.follower.follow():
            ...

    - Every session of the store is told of, whoever made the change: one listener thread has the one subscription of
      this process and hands on what it hears to everybody who follows.
    - `version` is the version that the session has come to, and 0 where it has ended. What was committed while the
      follower was busy is told once, with the last version: read the log (`store.log`) after what you know.
    - What is published may get lost (the store was away, a server was killed). So the sessions that `watched()` names
      are looked at in the beginning, every `every` seconds, and at once when the store is back; their end by time is
      found by this alone. Name whatever must not be missed.
    - The same version may be told again; one that is lower than before also (a store that lost what it held).
    - It goes on for ever and raises nothing of the store's: while that is away, nothing is told.
    - Several processes may follow the same store: who must do a thing only once has to see to that in the store.
    - Each process hears every change of the store, so what nobody here wants is dropped where it is heard: `only` says
      which changes somebody wants to be told of, in the listener's thread, so it must be quick and take no lock.
    """

    def __init__(self, store: Store, loop: asyncio.AbstractEventLoop, threads: Executor) -> None:
        self._store, self._loop, self._threads = store, loop, threads
        self._ears: set[_Ear] = set()
        self._over = False
        self.listening = False  # whether the subscription stands, as far as we know

    def listen(self) -> None:
        """Begin to listen: after the fork."""
        Thread(target=self._listen, name="listener", daemon=True).start()

    def stop(self) -> None:
        """Let the listener end within a second or so."""
        self._over = True

    async def follow(
        self,
        watched: Callable[[], Iterable[str]] = tuple,
        every: float = LOOK_EVERY,
        only: Callable[[Changed], bool] = lambda change: True,
    ) -> AsyncIterator[tuple[str, int]]:
        """Changes of all sessions (or `only` of some), and, found again if need be, of those that are `watched()`; see
        the class."""
        ear, known = _Ear(only), dict[str, int]()
        self._ears.add(ear)
        try:
            due = monotonic()  # what has been published before nobody has told
            while True:
                await ear.heard(due - monotonic())
                news = ear.taken()
                unsure = [session for session, version in news.items() if version is None]
                for session, version in [*news.items(), *await self._looked_at(unsure)]:
                    if version is not None and known.get(session) != version:
                        known[session] = version
                        yield session, version
                if not ear.missed and monotonic() < due:
                    continue
                ear.missed, due = False, monotonic() + every
                known = {session: known.get(session, -1) for session in watched()}
                for session, version in await self._looked_at(list(known)):
                    if version is not None and known[session] != version:
                        known[session] = version
                        yield session, version
        finally:
            self._ears.discard(ear)

    async def _looked_at(self, sessions: list[str]) -> list[tuple[str, int | None]]:
        """The versions of sessions; none of those that the store does not tell now."""
        found: list[tuple[str, int | None]] = []
        for at in range(0, len(sessions), SLICE):
            part = sessions[at : at + SLICE]
            found += await self._loop.run_in_executor(self._threads, self._versions, part)
        return found

    def _versions(self, sessions: Iterable[str]) -> list[tuple[str, int]]:
        """Each session by itself: its node may be lost, which is in the way of no other's. The store asks a node that
        was away just now no second time, so it is not waited for once for each."""
        versions = []
        for session in sessions:
            with suppress(StoreAway, StoreFull):
                found = self._store.read(session, state=False)
                versions.append((session, 0 if found is None else found.version))
        return versions

    # -- the listener's thread ------------------------------------------------------------------------------------

    def _listen(self) -> None:
        lost = True  # whoever follows already has heard nothing yet
        while not self._over:
            try:
                for change in self._store.changes():
                    if self._over:
                        return
                    if lost:
                        self._tell(None)
                        lost = False
                    if change is not None and any(ear.only(change) for ear in tuple(self._ears)):
                        self._tell(change)
            except StoreMissing:
                return
            except (StoreAway, StoreFull):
                pass
            except Exception:
                LOG.exception("a fault of ours")
            lost, self.listening = True, False
            sleep(PAUSE)

    def _tell(self, change: Changed | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._heard, change)
        except RuntimeError:  # the loop has been closed
            self._over = True

    # -- the loop -------------------------------------------------------------------------------------------------

    def _heard(self, change: Changed | None) -> None:
        self.listening = True
        for ear in self._ears:
            if change is None or ear.only(change):
                ear.hear(change)


class _Ear:
    """What somebody who follows has not taken yet: of each session the last. `only`: which changes he wants."""

    def __init__(self, only: Callable[[Changed], bool]) -> None:
        self.only, self.missed = only, False
        self._news: dict[str, int | None] = {}
        self._any = asyncio.Event()

    def hear(self, change: Changed | None) -> None:
        """A session has changed; None: something may not have been heard."""
        if change is None:
            self.missed = True
        else:
            self._news[change.session] = change.version
        self._any.set()

    async def heard(self, seconds: float) -> None:
        """Return as soon as there is something, or after the time."""
        if not self._any.is_set():
            try:
                async with asyncio.timeout(max(0.0, seconds)):
                    await self._any.wait()
            except TimeoutError:
                return
        self._any.clear()

    def taken(self) -> dict[str, int | None]:
        """All of it."""
        news, self._news = self._news, {}
        return news
