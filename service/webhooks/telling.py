"""What is told to whom: worked out from nothing but for whom the game waited at each version, which everybody knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from service.webhooks.hooks import GAME_OVER, YOUR_DECISION, Hook, Message, seat_of

Waits = Sequence[str] | None  # names of bearers; nobody: the game is over; None: that was not noted


def begun(hook: Hook, waits: Sequence[str]) -> Hook:
    """A new hook at the version that it begins with: what its holder must decide then he is told."""
    return _at(hook, hook.told, waits, hook.seen)


def caught_up(hook: Hook, entries: Iterable[tuple[int, Waits]], now: int) -> Hook:
    """The hook after the versions that followed: whoever the game waits for anew is told, who has decided is not."""
    for version, waits in entries:
        if version > hook.told:
            hook = replace(hook, told=version) if waits is None else _at(hook, version, waits, now)
    return hook


def _at(hook: Hook, version: int, waits: Sequence[str], now: int) -> Hook:
    mine = [name for name in waits if hook.concerns(name)]
    due = {name: at for name, at in hook.due.items() if name in mine}
    due |= {name: version for name in mine if name not in hook.waiting}
    over = hook.over or (0 if waits else version)
    if (mine, due, over) == (hook.waiting, hook.due, hook.over):
        return replace(hook, told=version)
    after = replace(hook, told=version, seen=now, waiting=mine, due=due, over=over)
    # With the last message that could not be delivered goes its day, not how the receiver has failed: he is left alone.
    return after if messages(after) else replace(after, since=0)


def messages(hook: Hook) -> list[Message]:
    """What is still to be told, the oldest first."""
    found = [Message(YOUR_DECISION, at, name) for name, at in hook.due.items()]
    if hook.over and not hook.over_told:
        found.append(Message(GAME_OVER, hook.over, hook.bearer))
    return sorted(found, key=lambda message: (message.version, message.name))


def without(hook: Hook, message: Message) -> Hook:
    """The hook when a message needs not be told any more."""
    if message.kind == GAME_OVER:
        return replace(hook, over_told=True)
    due = {name: at for name, at in hook.due.items() if (name, at) != (message.name, message.version)}
    return replace(hook, due=due)


def body(session: str, game: str, message: Message) -> bytes:
    """The body of a message: that there is something to look at, and where; the receiver's token shows him what."""
    at = f"/v1/sessions/{session}"
    told = {
        "type": message.kind,
        "session": session,
        "game": game,
        "version": message.version,
        "seat": seat_of(message.name),
        "links": {"self": at, **{call: f"{at}/{call}" for call in ("options", "actions", "events")}},
    }
    return msgspec.json.encode(told)
