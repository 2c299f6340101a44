"""A store in memory: sessions that end with their maker, for the examples of the document. Nothing runs out in it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from service.sessions.rates import Rate, Spent
from service.sessions.store import Change, Changed, Kept, Stale, Stored


@dataclass
class _Session:
    stored: Stored
    log: list[tuple[int, bytes]] = field(default_factory=list)
    kept: dict[str, Kept] = field(default_factory=dict)


class MemoryStore:
    """See `Store`."""

    def __init__(self) -> None:
        self._sessions: dict[str, _Session] = {}
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
