"""What the store keeps of webhooks: a field of the session, with which it ends, and a plan of when to look at which."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Any

PLAN = "arbitr:hooks"  # of all sessions: so it lies in another slot, and may name what is there no more
SWAP = "hooks.lua"
FIELD = "hooks"


class RedisHooks:
    """The part of a store on Redis that is about webhooks."""

    _scripts: dict[str, Any]

    def _asked(self, session: str = "", key: str | None = None) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def _key(self, session: str) -> str:
        raise NotImplementedError

    def hooks(self, session: str) -> bytes:
        """See `Store`."""
        with self._asked(session) as client:
            found: bytes = client.hget(self._key(session), FIELD) or b""
        return found

    def swap_hooks(self, session: str, before: bytes, after: bytes) -> bool:
        """See `Store`; one run of `hooks.lua`."""
        with self._asked(session) as client:
            return bool(self._scripts[SWAP]([self._key(session)], (before, after), client))

    def plan_hook(self, name: str, at: int) -> None:
        """See `Store`."""
        with self._asked(key=PLAN) as client:
            client.zadd(PLAN, {name: at})

    def drop_hooks(self, names: Sequence[str]) -> None:
        """See `Store`."""
        if names:
            with self._asked(key=PLAN) as client:
                client.zrem(PLAN, *names)

    def planned_hooks(self, until: int | None, most: int, past: int = 0) -> list[str]:
        """See `Store`."""
        latest = "+inf" if until is None else until
        with self._asked(key=PLAN) as client:
            found = client.zrangebyscore(PLAN, "-inf", latest, start=past, num=most)
        return [name.decode("ascii", "replace") for name in found]
