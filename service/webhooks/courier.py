"""The courier: sends what is due as long as its process runs. Nothing that somebody does at a table waits for it."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from math import ceil
from typing import Any, TypeVar

from service.sessions.store import Changed, StoreAway, StoreFull, StoreMissing
from service.webhooks.hooks import Hook
from service.webhooks.posting import NoRoom, Unsent, post
from service.webhooks.retrying import LATER
from service.webhooks.rounds import Job, Rounds
from service.webhooks.shares import Shares
from service.webhooks.targets import LookupsBusy, TargetRefused, Targets

LOOK_EVERY = 1.0  # seconds between two looks at what is due
MOST_TAKEN = 1000  # hooks that are looked after at once; the others stay in the plan
KEEP_TRIES = 20  # to keep how a message went, where the store is away
THERE = ("time-out", "no-answer")  # of what there was instead of an answer that which may be due to one URL
THREADS = 4  # that ask the store
LOG = logging.getLogger(__name__)
T = TypeVar("T")


def _is_well(status: int) -> bool:
    """What an answer says of its host. One that refuses an URL, or would have us look elsewhere, is well for all
    others."""
    return status < 500 and status not in LATER


class Courier:
    """Follows the changes of sessions and the plan, and sends. `count` is told what came of each message: `2xx`, or
    another class of answers, or why there was none. `trust`: other authorities than the system's."""

    def __init__(
        self,
        rounds: Rounds,
        targets: Targets,
        count: Callable[[str], None] = lambda result: None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._rounds, self._targets, self._count, self._trust = rounds, targets, count, trust
        self._shares = Shares()
        self._taken: dict[
            tuple[str, str], bool
        ] = {}  # hooks that are looked after; whether there is news of them
        self._tasks: set[asyncio.Task[None]] = set()
        self._any = False  # whether there is any hook at all, as far as we know
        self._unsure = True  # whether something may have happened that we have not heard of
        self._pool = ThreadPoolExecutor(THREADS, thread_name_prefix="courier")

    def interested(self, change: Changed) -> bool:
        """Whether a change may be news for anybody. Who tells of it says whether the session has webhooks, but for a
        server of an earlier release. One that is set after the change is in the plan."""
        return self._any if change.hooks is None else change.hooks

    async def run(
        self, changes: AsyncIterator[tuple[str, int]], listening: Callable[[], bool] = lambda: True
    ) -> None:
        """Send until cancelled. `changes`: sessions that have changed, and their versions, which are not told as long
        as nobody is `listening`."""
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._follow(changes))
                group.create_task(self._keep_to_the_plan(listening))
        finally:
            for task in self._tasks:
                task.cancel()
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _follow(self, changes: AsyncIterator[tuple[str, int]]) -> None:
        """Look after the hooks of each session that has changed."""
        async for session, version in changes:
            if version:
                with self._patience():
                    await self._look_after_all(
                        [(session, id_) for id_ in await self._asked(self._rounds.of, session)]
                    )

    async def _keep_to_the_plan(self, listening: Callable[[], bool]) -> None:
        """Look after those hooks whose time has come; and after all, where something may not have been heard."""
        while True:
            if not listening():
                self._unsure = True
            with self._patience():
                if self._unsure and listening():
                    self._unsure = False
                    await self._look_after_all(await self._asked(self._rounds.every))
                for pair in await self._asked(self._rounds.planned, MOST_TAKEN):
                    self._any = True
                    if len(self._taken) < MOST_TAKEN:
                        self._look_after(*pair)
            await asyncio.sleep(LOOK_EVERY)

    async def _look_after_all(self, every: Sequence[tuple[str, str]]) -> None:
        for pair in every:
            self._any = True
            while len(self._taken) >= MOST_TAKEN:
                await asyncio.sleep(0.1)
            self._look_after(*pair)

    @contextmanager
    def _patience(self) -> Iterator[None]:
        """Inside, the store may be away: what cannot be done then is done when it is back. A fault with one hook is
        none of the others."""
        try:
            yield
        except StoreMissing:
            pass
        except (StoreAway, StoreFull):
            self._unsure = True
        except Exception:
            LOG.exception("a fault of ours")

    # -- one hook -------------------------------------------------------------------------------------------------

    def _look_after(self, session: str, id_: str) -> None:
        """See to a hook; whoever does so already looks once more."""
        if (session, id_) in self._taken:
            self._taken[session, id_] = True
            return
        self._taken[session, id_] = False
        task = asyncio.create_task(self._see_to(session, id_))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _see_to(self, session: str, id_: str) -> None:
        try:
            with self._patience():
                try:
                    await self._send_all(session, id_)
                except (StoreAway, StoreFull):
                    raise
                except Exception:
                    await self._asked(self._rounds.put_off, session, id_)
                    raise
        finally:
            del self._taken[session, id_]

    async def _send_all(self, session: str, id_: str) -> None:
        more = True
        while more:
            self._taken[session, id_] = False
            try:
                job = await self._asked(self._rounds.take, session, id_, self._place)
                if job is not None:
                    await self._send(job)
            finally:
                self._give_back((session, id_))
            more = job is not None or self._taken[session, id_]

    def _place(self, session: str, hook: Hook) -> int:
        """Take a place for a message of a hook; 0, or the ms after which to look at it again."""
        failing = hook.gave_up or bool(hook.tries)
        return ceil(1000 * self._shares.take((session, hook.id), self._host(hook), failing, hook.url))

    def _give_back(self, key: tuple[str, str]) -> None:
        for pair in self._shares.give_back(key):
            if len(self._taken) < MOST_TAKEN:
                self._look_after(*pair)

    def _host(self, hook: Hook) -> str:
        """The receiver of a hook's messages; nobody is asked where to find him."""
        try:
            return self._targets.read(hook.url).authority
        except TargetRefused:
            return ""

    async def _send(self, job: Job) -> None:
        key = job.session, job.hook.id

        def room(address: str, port: int) -> bool:
            return self._shares.connect(key, address, port)

        whose = f"session:{job.session}"
        try:
            status = await post(self._targets, job.hook.url, job.headers, job.body, self._trust, whose, room)
        except (LookupsBusy, NoRoom):
            self._give_back(key)
            await self._kept(self._rounds.put_back, job)
        except Unsent as unsent:
            self._went(job, unsent.why, well=False, there=unsent.why in THERE)
            await self._kept(self._rounds.unanswered, job, unsent.why)
        else:
            self._went(job, f"{status // 100}xx", well=_is_well(status))
            await self._kept(self._rounds.answered, job, status)

    def _went(self, job: Job, result: str, well: bool, there: bool = True) -> None:
        """Count a message, and give its place back: to keep how it went may take longer than to send it. `well`: what
        that says of the host; `there`: it could be spoken to, so it may be that URL alone."""
        self._count(result)
        self._shares.went(self._host(job.hook), well, job.hook.url if well or there else None)
        self._give_back((job.session, job.hook.id))

    async def _kept(self, put_back: Callable[..., None], *given: Any) -> None:
        """Have it kept how a message went, as long as nobody else may send it: or it is sent once more."""
        for _ in range(KEEP_TRIES):
            try:
                return await self._asked(put_back, *given)
            except (StoreAway, StoreFull):
                await asyncio.sleep(LOOK_EVERY)
        raise StoreAway("it stays away")

    # -- the store ------------------------------------------------------------------------------------------------

    async def _asked(self, function: Callable[..., T], *given: Any) -> T:
        """What a function that asks the store answers, in a thread."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, function, *given)
