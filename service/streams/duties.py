"""What the stream process does beside its streams, as long as it runs.

A duty is an async function of the `Office`: it is started with the process, cancelled at its end, and begun anew, after
a pause, where it fails. To add one, write it in a module of its own and name it in DUTIES:

    async def remind(office: Office) -> None:
        async for session, version in office.follower.follow():
            ...  # what blocks: await office.call(function, ...)

A deployment may run several such processes, or none (ARBITR_STREAM_PORT=off): a duty must not be done twice, nor may
anything rest on its being done soon.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from service.streams.office import Office

FIRST_PAUSE, LONGEST_PAUSE = (
    1.0,
    30.0,
)  # seconds before a duty that failed is begun anew; twice as long each time
LOG = logging.getLogger(__name__)
Duty = Callable[[Office], Coroutine[Any, Any, None]]

DUTIES: tuple[Duty, ...] = ()


async def on_duty(office: Office, duties: Sequence[Duty] = DUTIES) -> None:
    """Do all duties, beside each other, until it is cancelled."""
    async with asyncio.TaskGroup() as group:
        for duty in duties:
            group.create_task(_again_and_again(duty, office), name=duty.__name__)


async def _again_and_again(duty: Duty, office: Office) -> None:
    """Do a duty; after a fault, which is logged, once more. One that returns is done."""
    pause = FIRST_PAUSE
    while True:
        try:
            await duty(office)
            return
        except Exception:
            LOG.exception("a fault of ours")
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
