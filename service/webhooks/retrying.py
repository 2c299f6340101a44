"""How it goes on after a message was sent: told, tried again later and later, given up, or not wanted."""

from __future__ import annotations

from msgspec.structs import replace

from service.webhooks.hooks import Hook, Message
from service.webhooks.telling import without

SECOND = 1000  # ms
FIRST_PAUSE, LONGEST_PAUSE = 10 * SECOND, 3600 * SECOND
GIVE_UP = 24 * 3600 * SECOND  # after the first try
GONE = 410
LATER = (408, 425, 429)  # of 4xx those that ask for patience
REFUSALS = 3  # in a row


def pause(tries: int, chance: float) -> int:
    """How long (ms) to wait after so many failures: twice as long each time, and of that a random half more or less,
    so that receivers which failed together are not asked together again. `chance`: from 0 to 1."""
    whole = min(FIRST_PAUSE * 2 ** min(tries - 1, 30), LONGEST_PAUSE)
    return int(whole * (0.5 + chance / 2))


def succeeded(hook: Hook, message: Message, status: int, now: int) -> Hook:
    """The hook when a message has arrived."""
    told = without(hook, message)
    return replace(
        told,
        tries=0,
        refused=0,
        since=0,
        next_at=0,
        lease=0,
        gave_up=False,
        result=str(status),
        at=now,
        seen=now,
    )


def failed(hook: Hook, message: Message, why: str, now: int, chance: float) -> Hook:
    """The hook when a message has not arrived.

    It is given up after a day, and where the receiver has said no REFUSALS times; from then on each message is tried
    once, until one arrives. However it is with the messages, each failure makes the pause longer.
    """
    tries, refused = hook.tries + 1, hook.refused + 1 if no(why) else 0
    since, next_at = hook.since or now, now + pause(tries, chance)
    tried = replace(
        hook,
        lease=0,
        result=why,
        at=now,
        seen=now,
        tries=tries,
        refused=refused,
        since=since,
        next_at=next_at,
    )
    if hook.gave_up or refused >= REFUSALS or now - since >= GIVE_UP:
        return replace(without(tried, message), since=0, gave_up=True)
    return tried


def no(why: str) -> bool:
    """Whether a result is an answer that says that it is the message, or the address, that is not right."""
    return len(why) == 3 and why.startswith("4") and int(why) not in LATER
