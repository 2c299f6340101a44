"""The duty of keeping time: what is due at sessions by itself is done though nobody comes by."""

from __future__ import annotations

import asyncio

from service.sessions.attending import sweep
from service.sessions.store import StoreAway
from service.streams.office import Office

SHORTEST, LONGEST = 0.05, 1.0  # seconds between two sweeps; no clock has less than a second
AWAY = 5.0  # seconds before a store that is away is asked again


async def keep_time(office: Office) -> None:
    """Sweep again and again: when the next is due, and every second, for what others have planned meanwhile.

    Several processes may: whatever is due is done by one of them.
    """
    while True:
        try:
            at = await office.call(sweep, office.desk)
        except StoreAway:
            await asyncio.sleep(AWAY)
            continue
        await asyncio.sleep(pause(at, office.desk.moment()))


def pause(at: int | None, now: int) -> float:
    """How long to wait for what is due at a time (ms since 1970), in seconds."""
    return LONGEST if at is None else min(LONGEST, max(SHORTEST, (at - now) / 1000))
