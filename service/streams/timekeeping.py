"""The duty of keeping time: what is due at sessions by itself is done though nobody comes by.

Clocks and automated seats are looked after beside each other, in two threads, so that none waits for a move.
"""

from __future__ import annotations

import asyncio
import time

from service.sessions.store import StoreAway
from service.sessions.sweeping import Tables, play, sweep
from service.streams.office import Office

SHORTEST, LONGEST = 0.05, 1.0  # seconds between two sweeps; no clock has less than a second
AWAY = 5.0  # seconds before a store that is away is asked again


async def keep_time(office: Office) -> None:
    """Sweep again and again, and let automated seats act meanwhile.

    Several processes may: whatever is due is done by one of them.
    """
    tables = Tables()
    async with asyncio.TaskGroup() as group:
        group.create_task(_sweep(office, tables))
        group.create_task(_play(office, tables))


async def _sweep(office: Office, tables: Tables) -> None:
    """When the next is due, and every second, for what others have planned meanwhile."""
    while True:
        try:
            at = await office.call(sweep, office.desk, tables)
        except StoreAway:
            await asyncio.sleep(AWAY)
            continue
        await asyncio.sleep(pause(at, office.desk.moment()))


async def _play(office: Office, tables: Tables) -> None:
    """One action after the other, with as long a rest after each as it took."""
    while True:
        began = time.monotonic()
        try:
            played = await office.call(play, office.desk, tables) if tables else False
        except StoreAway:
            await asyncio.sleep(AWAY)
            continue
        await asyncio.sleep(time.monotonic() - began if played else SHORTEST)


def pause(at: int | None, now: int) -> float:
    """How long to wait for what is due at a time (ms since 1970), in seconds."""
    return LONGEST if at is None else min(LONGEST, max(SHORTEST, (at - now) / 1000))
