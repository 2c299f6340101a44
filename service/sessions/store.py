"""What a store of sessions does, whichever keeps them: typed records, one commit a version, and its errors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from service.sessions.rates import Rate, Spent


class StoreAway(Exception):
    """The store cannot be reached, or does not answer in time. Nothing is known to have been written."""


class StoreMissing(StoreAway):
    """This server has no store, and will have none however often it is asked."""


class Unconfirmed(StoreAway):
    """It was written, but in the given time by fewer replicas than it has to be. Asked for again, it may be."""


class StoreFull(Exception):
    """The store has no room. Nothing was written."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An answer that was given once, and a digest of the request that it was given to."""

    asked: bytes
    answer: bytes


@dataclass(frozen=True, slots=True)
class Stored:
    """A session as it was read. `state` is None where it was not asked for; times in seconds since 1970.

    `window`: the version at which the simultaneous window opened that is open now; 0 where none is.
    `about`: what never changes (rules, digests of tokens, time-to-live). `kept`: the answer under the key asked for.
    """

    version: int
    window: int
    expires: int
    about: bytes
    state: bytes | None = None
    kept: Kept | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What one commit writes: version `before` + 1, and an entry of the log.

    `expires` and `ttl` in seconds; `key` and `kept`: the answer to keep, where the request had a key. `by`: who acts,
    where he may do so only so often.
    `about` only where the session is new (`before` is 0).
    """

    before: int
    state: bytes
    window: int
    entry: bytes
    expires: int
    ttl: int
    about: bytes = b""
    key: str | None = None
    kept: Kept | None = None
    by: str = ""

    @property
    def version(self) -> int:
        """The version that the commit makes."""
        return self.before + 1


@dataclass(frozen=True, slots=True)
class Stale:
    """Nothing was written: the session is at another version (0: there is no such session)."""

    version: int


class Changed(NamedTuple):
    """A session that has come to a version; 0: it has ended; None: to one that is not told. `hooks`: whether it had
    webhooks then; None where that is not told."""

    session: str
    version: int | None
    hooks: bool | None = None


class Store(Protocol):
    """Keeps sessions. Every call may raise StoreAway, those that write StoreFull; `commit`, `confirm` and `close`
    Unconfirmed."""

    def read(self, session: str, *, state: bool = True, key: str | None = None) -> Stored | None:
        """A session, with the answer kept under a key, in one round trip; None where there is none."""

    def commit(self, session: str, change: Change) -> Kept | Stale | None:
        """Write everything or nothing. None: it was written; Kept: the key has been used, and this was answered.

        Raises TooOften where `by` has done so too often.
        """

    def spend(self, name: str, rate: Rate) -> Spent:
        """Take one from a bucket that all servers share."""

    def renew(self, session: str, expires: int, ttl: int) -> None:
        """Let a session live on."""

    def plan(self, session: str, at: int | None) -> None:
        """Note that a session is to be looked at, at a time (ms since 1970); None: no more. There is one plan for all
        sessions, so it may be behind, and name what is there no more."""

    def planned(self, until: int, most: int) -> list[tuple[str, int]]:
        """The sessions to be looked at until a time, and when each was to be, the earliest first, `most` at most."""

    def replan(self, session: str, before: int, at: int | None) -> None:
        """Plan a session anew, unless the plan has another time for it now than it had before."""

    def next_planned(self) -> int | None:
        """When the next session is to be looked at; None where none is."""

    def confirm(self, session: str, expires: int, ttl: int) -> None:
        """Let a session live on, where what was written before may not have been confirmed. Raises Unconfirmed."""

    def log(self, session: str, after: int = 0, limit: int | None = None) -> list[tuple[int, bytes]]:
        """Versions after that one with their entries, in order."""

    def close(self, session: str) -> bool:
        """Remove a session; whether there was one."""

    def hooks(self, session: str) -> bytes:
        """What is kept of a session's webhooks; empty where there is nothing, or no such session."""

    def swap_hooks(self, session: str, before: bytes, after: bytes) -> bool:
        """Keep `after` in the place of `before` (either may be empty); false where it was not there any more, or there
        is no such session."""

    def plan_hook(self, name: str, at: int) -> None:
        """Have a webhook looked at, at a time (ms since 1970). The plan is one for all sessions: it may be behind."""

    def drop_hooks(self, names: Sequence[str]) -> None:
        """Have these webhooks not looked at any more."""

    def planned_hooks(self, until: int | None, most: int, past: int = 0) -> list[str]:
        """The webhooks to look at until a time (None: all), the earliest first, `most` at most, after so many."""

    def keep_ticket(self, session: str, name: str, ticket: bytes, ttl: int) -> None:
        """Keep what can be taken once, for so many seconds."""

    def take_ticket(self, session: str, name: str) -> bytes | None:
        """Take it, so that nobody else can; None where it is not there, or not any more."""

    def changes(self) -> Iterator[Changed | None]:
        """Each session that changes, for ever, and None about once a second. What is told may get lost."""

    def unreachable(self) -> str | None:
        """None if the store answers, else why it does not."""

    def clock(self) -> float | None:
        """The time there (seconds since 1970); None where it tells none."""


class NoStore:
    """No store is set, whatever is asked."""

    def __getattr__(self, name: str) -> object:
        raise StoreMissing("no store is set")

    def unreachable(self) -> str | None:
        """Why it does not answer."""
        return "no store is set (ARBITR_REDIS_URL)"

    def clock(self) -> float | None:
        """It has none."""
        return None
