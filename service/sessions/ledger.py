"""The log of a session: what was done at each version, packed for the store, and which of it stands.

Nothing is ever taken out of it. An undo or a rewind is an entry that goes back to a version; what stands at a version
are the actions on the way back to the opening, past whatever was taken back. A change of seats is an entry of its own
that leaves the table as it is, and is never taken back.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import msgspec

from service.engine.event import Event, Played
from service.sessions.stretches import Mark
from service.sessions.tokens import AUTOMATED

OPEN, ACT, UNDO, REWIND, SEATS = "open", "act", "undo", "rewind", "seats"
LEVEL = 1
PAGE = 64  # every so many versions, at least, an entry holds its state, so that no way back is longer


class LoggedEvent(msgspec.Struct, omit_defaults=True):
    """An event with who may know of it."""

    kind: str
    because: str
    facts: dict[str, Any]
    whole: list[str] | None = None
    rest: dict[str, Any] | None = None

    def event(self) -> Event:
        """The engine's event."""
        whole = None if self.whole is None else frozenset(self.whole)
        return Event(self.kind, self.because, self.facts, whole, self.rest)


class LoggedPlay(msgspec.Struct, omit_defaults=True):
    """An action as it was played, with who may know it whole."""

    action: dict[str, Any]
    whole: list[str] | None = None
    open_part: dict[str, Any] = {}
    draw: int | None = None

    def played(self) -> Played:
        """The engine's play."""
        whole = None if self.whole is None else frozenset(self.whole)
        return Played(self.action, whole, self.open_part, self.draw)


class Entry(msgspec.Struct, omit_defaults=True):
    """One version: what was done (`kind`), by whom (`role`, and whose `seat`), back `to` which version, what happened.

    `acts`: what was proposed, where that is not what was `played`: an answer of a simultaneous window is played when
    the last one is in. `setup` is that of the opening; `state` that after it, and where a page begins (see `marked`).
    `changes`: what has become of seats, as everybody is told it. `waits`: for whom the game waits then, by the names
    of bearers; None where that was not noted. `clock`: where it stands, for whoever goes back to this version.
    """

    kind: str
    role: str = ""
    seat: str = ""
    to: int = 0
    events: list[LoggedEvent] = []
    played: list[LoggedPlay] = []
    acts: list[dict[str, Any]] | None = None
    state: Any = None
    setup: Any = None
    waits: list[str] | None = None
    changes: list[dict[str, Any]] = []
    clock: Mark | None = None

    @property
    def by(self) -> dict[str, str]:
        """Who did it, as records tell it; a seat may be called as a role is. What was done for a seat has both."""
        if self.role == AUTOMATED:
            return {"seat": self.seat, "role": self.role}
        return {"seat": self.seat} if self.seat else {"role": self.role}

    @property
    def proposed(self) -> list[dict[str, Any]]:
        """The actions that lead to the same state again, answers of chance (with the numbers of their draws) and of
        automated seats among them."""
        return [p.played().to_wire() for p in self.played] if self.acts is None else self.acts


class Log(Protocol):
    """Entries by version."""

    def __getitem__(self, version: int, /) -> Entry:
        """What was done at a version."""


class Waits(msgspec.Struct):
    """Of an entry no more than for whom the game waits."""

    waits: list[str] | None = None


_ENTRY = msgspec.json.Decoder(Entry)
_WAITS = msgspec.json.Decoder(Waits)
_ENCODER = msgspec.json.Encoder(order="sorted")


def logged_events(events: Sequence[Event]) -> list[LoggedEvent]:
    """Events for the log."""
    return [
        LoggedEvent(
            e.kind, e.because, dict(e.facts), _seats(e.whole), None if e.rest is None else dict(e.rest)
        )
        for e in events
    ]


def logged_plays(played: Sequence[Played]) -> list[LoggedPlay]:
    """Plays for the log."""
    return [LoggedPlay(dict(p.action), _seats(p.whole), dict(p.open_part), p.draw) for p in played]


def _seats(whole: frozenset[str] | None) -> list[str] | None:
    return None if whole is None else sorted(whole)


def packed(value: bytes) -> bytes:
    """Bytes as the store keeps them."""
    return zlib.compress(value, LEVEL)


def unpacked(kept: bytes) -> bytes:
    """And back."""
    return zlib.decompress(kept)


def encoded(entry: Entry) -> bytes:
    """An entry for the store."""
    return packed(_ENCODER.encode(entry))


def decoded(kept: bytes) -> Entry:
    """An entry from the store."""
    return _ENTRY.decode(unpacked(kept))


def waits_of(kept: bytes) -> list[str] | None:
    """For whom the game waits after an entry from the store; None where that was not noted."""
    return _WAITS.decode(unpacked(kept)).waits


def log_of(found: Sequence[tuple[int, bytes]]) -> dict[int, Entry]:
    """Entries by version."""
    return {version: decoded(kept) for version, kept in found}


def marked(entry: Entry, version: int, state: Any, waits: list[str]) -> Entry:
    """An entry as it is kept for its version: with whom the game waits for, and the state, where a page begins.

    It begins anew with what goes back to an earlier page, too: the way on from there passes over the entry that has
    the state of this one, and, where moves are taken back all the time, would pass over every other one as well.
    """
    entry = msgspec.structs.replace(entry, waits=waits)
    begins = before(entry, version) // PAGE < version // PAGE
    return msgspec.structs.replace(entry, state=state) if begins else entry


def back(log: Log, version: int) -> Iterator[int]:
    """The versions whose actions stand at a version, the last one first: what was taken back is passed over."""
    while version > 1:
        entry = log[version]
        if entry.kind == ACT:
            yield version
        version = before(entry, version)


def before(entry: Entry, version: int) -> int:
    """The version that the table of this one came from."""
    return version - 1 if entry.kind in (ACT, SEATS) else entry.to


def line(log: Log, version: int) -> list[int]:
    """The same from the opening on."""
    return [*back(log, version)][::-1]


def way(log: Log, version: int) -> tuple[Any, list[int]]:
    """The shortest way to a version: a state that was kept, and the versions whose actions stand after it."""
    standing: list[int] = []
    while (entry := log[version]).state is None:
        if entry.kind == ACT:
            standing.append(version)
        version = before(entry, version)
    return entry.state, standing[::-1]
