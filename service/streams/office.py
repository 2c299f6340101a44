"""What everything in the stream process works with."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar, TypeVarTuple, Unpack

from service.config import Settings
from service.sessions.visit import Desk
from service.streams.follower import Follower

T = TypeVar("T")
Ts = TypeVarTuple("Ts")
THREADS = 4  # for what blocks: the store and the rules


@dataclass(frozen=True)
class Office:
    """Settings, the sessions, who tells that they change, and threads for what blocks.

    Whatever asks `desk.store` or works with rules blocks: `await office.call(function, ...)` runs it in a thread.
    """

    settings: Settings
    desk: Desk
    follower: Follower
    pool: ThreadPoolExecutor

    @classmethod
    def opened(cls, settings: Settings, desk: Desk) -> Office:
        """An office with a follower that listens from now on; to be opened inside the loop, after the fork."""
        pool = ThreadPoolExecutor(THREADS, thread_name_prefix="office")
        follower = Follower(desk.store, asyncio.get_running_loop(), pool)
        follower.listen()
        return cls(settings, desk, follower, pool)

    async def call(self, function: Callable[[Unpack[Ts]], T], *given: *Ts) -> T:
        """What a function returns that is run in a thread, or raises what it raises."""
        return await asyncio.get_running_loop().run_in_executor(self.pool, function, *given)

    def close(self) -> None:
        """Wait for nobody."""
        self.follower.stop()
        self.pool.shutdown(wait=False, cancel_futures=True)
