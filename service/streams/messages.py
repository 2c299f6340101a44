"""What streams say: a message a version, told by the code that answers `GET` on the session and on its events.

On the wire a message has the version as its `id` and JSON as its `data`. The last version there is comes with the
table; of those before it nobody needs to know how the table was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import randint
from typing import Any

from service.http import session_wire
from service.http.answers import encoded
from service.http.outside import Outside, telling
from service.sessions.ledger import Entry
from service.sessions.reading import Page
from service.sessions.tokens import SEAT, SPECTATOR, Bearer
from service.sessions.visit import Visit

COMMENT = b":\n\n"
HELLO = b"retry: 1000\n\n"  # milliseconds after which a browser comes back
SOONEST, LATEST = 250, 3000  # milliseconds after which those come back whose process ends
GAME_OVER, SESSION_OVER, TOKEN_VOID = "game-over", "session-over", "token-void"
Entries = Sequence[tuple[int, Entry]]


@dataclass(frozen=True, slots=True)
class Audience:
    """Who is told the same: everybody of a seat (None: whoever sees what a spectator does), told in one way."""

    seat: str | None
    how: Outside


def table(visit: Visit, to: Audience) -> bytes:
    """The first message of a stream that begins anew: the table as it is, as if nothing had happened."""
    with telling(to.how):
        return framed(visit.version, {"events": [], **session_wire.table(_as(visit, to))})


def told(visit: Visit, entries: Entries, to: Audience) -> list[tuple[int, bytes]]:
    """Versions and their messages; with the one that the visit is at comes the table."""
    with telling(to.how):
        seen = _as(visit, to)
        return [(version, _told(seen, version, entry)) for version, entry in entries]


def _told(seen: Visit, version: int, entry: Entry) -> bytes:
    events = session_wire.page(seen, Page(((version, entry),), version, True))["events"]
    shown = session_wire.table(seen) if version == seen.version else {}
    return framed(version, {"events": events, **shown})


def _as(visit: Visit, to: Audience) -> Visit:
    """The visit of somebody in the audience: what may be seen hangs on the seat alone."""
    return replace(visit, bearer=Bearer(SPECTATOR if to.seat is None else SEAT, to.seat))


def come_back() -> bytes:
    """What a stream ends with when its process does: come back after a time, which is not the same for everybody."""
    return b"retry: %d\n\n" % randint(SOONEST, LATEST)


def end(version: int, why: str) -> bytes:
    """The last message: nothing comes any more, and there is no use in coming back."""
    return framed(version, {"events": [], "why": why}, b"event: end\n")


def framed(version: int, data: Mapping[str, Any], kind: bytes = b"") -> bytes:
    """A message as it goes over the wire; JSON of ours has no line breaks."""
    return b"%sid: %d\ndata: %b\n\n" % (kind, version, encoded({"version": version, **data}))
