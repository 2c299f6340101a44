"""What the store keeps of when to look at which session: one plan for all of them.

It lies in another slot of a cluster than they do, so no script writes it together with a session.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

PLAN = "arbitr:plan"
REPLAN = "replan.lua"


class RedisPlan:
    """The part of a store on Redis that is about the plan."""

    _scripts: dict[str, Any]

    def _asked(self, session: str = "", key: str | None = None) -> AbstractContextManager[Any]:
        raise NotImplementedError

    def plan(self, session: str, at: int | None) -> None:
        """See `Store`."""
        with self._asked(key=PLAN) as client:
            if at is None:
                client.zrem(PLAN, session)
            else:
                client.zadd(PLAN, {session: at})

    def planned(self, until: int, most: int) -> list[tuple[str, int]]:
        """See `Store`."""
        with self._asked(key=PLAN) as client:
            found = client.zrangebyscore(PLAN, "-inf", until, start=0, num=most, withscores=True)
        return [(session.decode("ascii", "replace"), int(at)) for session, at in found]

    def replan(self, session: str, before: int, at: int | None) -> None:
        """See `Store`; one run of `replan.lua`."""
        with self._asked(key=PLAN) as client:
            self._scripts[REPLAN]([PLAN], (session, before, "" if at is None else at), client)

    def next_planned(self) -> int | None:
        """See `Store`."""
        with self._asked(key=PLAN) as client:
            found = client.zrange(PLAN, 0, 0, withscores=True)
        return int(found[0][1]) if found else None
