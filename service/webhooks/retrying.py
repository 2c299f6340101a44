"""How it goes on after a message was sent: told, tried again later and later, given up, or not wanted."""

from __future__ import annotations

from msgspec.structs import replace

from service.webhooks.hooks import Hook, Message
from service.webhooks.telling import without

SECOND = 1000  # ms
FIRST_PAUSE, LONGEST_PAUSE = 10 * SECOND, 3600 * SECOND
GIVE_UP = 24 * 3600 * SECOND  # after the first try
GONE = 410


def pause(tries: int, chance: float) -> int:
    """How long (ms) to wait after so many failures: twice as long each time, and of that a random half more or less,
    so that receivers which failed together are not asked together again. `chance`: from 0 to 1."""
    whole = min(FIRST_PAUSE * 2 ** min(tries - 1, 30), LONGEST_PAUSE)
    return int(whole * (0.5 + chance / 2))


def succeeded(hook: Hook, message: Message, status: int, now: int) -> Hook:
    """The hook when a message has arrived."""
    told = without(hook, message)
    return replace(
        told, tries=0, since=0, next_at=0, lease=0, gave_up=False, result=str(status), at=now, seen=now
    )


def failed(hook: Hook, message: Message, why: str, now: int, chance: float) -> Hook:
    """The hook when a message has not arrived.

    After a day it is given up, and from then on each message is tried once, until one arrives.
    """
    since = hook.since or now
    tried = replace(hook, lease=0, result=why, at=now, seen=now)
    if hook.gave_up or now - since >= GIVE_UP:
        return replace(without(tried, message), tries=0, since=0, next_at=0, gave_up=True)
    tries = hook.tries + 1
    return replace(tried, tries=tries, since=since, next_at=now + pause(tries, chance))
