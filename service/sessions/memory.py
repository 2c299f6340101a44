"""A store in memory: sessions that end with their maker, for the examples of the document. Nothing runs out in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from service.sessions.rates import Rate, Spent
from service.sessions.store import Change, Changed, Kept, Stale, Stored


@dataclass
class _Session:
    stored: Stored
    log: list[tuple[int, bytes]] = field(default_factory=list)
    kept: dict[str, Kept] = field(default_factory=dict)
    hooks: bytes = b""


class MemoryStore:
    """See `Store`."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
        self._planned_hooks: dict[str, int] = {}
        self._plan: dict[str, int] = {}
        self._tickets: dict[tuple[str, str], bytes] = {}

    def read(self, session: str, *, state: bool = True, key: str | None = None) -> Stored | None:
        """See `Store`."""
        found = self._sessions.get(session)
        if found is None:
            return None
        kept = None if key is None else found.kept.get(key)
        return replace(found.stored, kept=kept, state=found.stored.state if state else None)

    def commit(self, session: str, change: Change) -> Kept | Stale | None:
        """See `Store`."""
        found = self._sessions.get(session) or _Session(Stored(0, 0, 0, change.about))
        if change.key in found.kept:
            return found.kept[change.key]
        if found.stored.version != change.before:
            return Stale(found.stored.version)
        about = change.about or found.stored.about
        found.stored = Stored(change.version, change.window, change.expires, about, change.state)
        found.log.append((change.version, change.entry))
        if change.key is not None and change.kept is not None:
            found.kept[change.key] = change.kept
        self._sessions[session] = found
        return None

    def renew(self, session: str, expires: int, ttl: int) -> None:
        """See `Store`."""
        if session in self._sessions:
            found = self._sessions[session]
            found.stored = replace(found.stored, expires=expires)

    def plan(self, session: str, at: int | None) -> None:
        """See `Store`."""
        self._plan.pop(session, None)
        if at is not None:
            self._plan[session] = at

    def planned(self, until: int, most: int) -> list[tuple[str, int]]:
        """See `Store`."""
        due = sorted((at, session) for session, at in self._plan.items() if at <= until)
        return [(session, at) for at, session in due[:most]]

    def replan(self, session: str, before: int, at: int | None) -> None:
        """See `Store`."""
        if self._plan.get(session) == before:
            self.plan(session, at)

    def next_planned(self) -> int | None:
        """See `Store`."""
        return min(self._plan.values(), default=None)

    def confirm(self, session: str, expires: int, ttl: int) -> None:
        """See `Store`; there are no replicas."""

    def spend(self, name: str, rate: Rate) -> Spent:
        """See `Store`; nothing runs out."""
        return Spent(rate, rate.most)

    def log(self, session: str, after: int = 0, limit: int | None = None) -> list[tuple[int, bytes]]:
        """See `Store`."""
        return self._sessions[session].log[after:][:limit] if session in self._sessions else []

    def close(self, session: str) -> bool:
        """See `Store`."""
        return self._sessions.pop(session, None) is not None

    def hooks(self, session: str) -> bytes:
        """See `Store`."""
        return self._sessions[session].hooks if session in self._sessions else b""

    def swap_hooks(self, session: str, before: bytes, after: bytes) -> bool:
        """See `Store`."""
        found = self._sessions.get(session)
        if found is None or found.hooks != before:
            return False
        found.hooks = after
        return True

    def plan_hook(self, name: str, at: int) -> None:
        """See `Store`."""
        self._planned_hooks[name] = at

    def drop_hooks(self, names: Sequence[str]) -> None:
        """See `Store`."""
        for name in names:
            self._planned_hooks.pop(name, None)

    def planned_hooks(self, until: int | None, most: int, past: int = 0) -> list[str]:
        """See `Store`."""
        due = sorted((at, name) for name, at in self._planned_hooks.items() if until is None or at <= until)
        return [name for _, name in due[past : past + most]]

    def keep_ticket(self, session: str, name: str, ticket: bytes, ttl: int) -> None:
        """See `Store`."""
        self._tickets[session, name] = ticket

    def take_ticket(self, session: str, name: str) -> bytes | None:
        """See `Store`."""
        return self._tickets.pop((session, name), None)

    def changes(self) -> Iterator[Changed | None]:
        """See `Store`; nobody else changes anything."""
        while True:
            yield None

    def unreachable(self) -> str | None:
        """See `Store`."""
        return None

    def clock(self) -> float | None:
        """See `Store`."""
        return None
