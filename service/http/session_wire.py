"""From a visit to JSON, with texts in a language."""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from service.engine.event import Event
from service.engine.options import Tries
from service.engine.words import people
from service.http import streaming
from service.http.locale import language
from service.http.wire import Teller
from service.sessions import referee, sitting
from service.sessions.acting import Made
from service.sessions.ledger import Entry
from service.sessions.opening import Opened
from service.sessions.reading import Page
from service.sessions.sitting import Sitting
from service.sessions.undoing import UndoRefused
from service.sessions.visit import Visit

Json = dict[str, Any]
CALLS = ("actions", "options", "events", "record", "undo", "rewind")


def facts(visit: Visit) -> Json:
    """`{"id", "version", "provenance", "chance", "links"}`: the same as long as the version is, for the tag says so."""
    at = f"/v1/sessions/{visit.session}"
    return {
        "id": visit.session,
        "version": visit.version,
        "provenance": visit.state.provenance,
        "chance": sitting.promised(visit, visit.desk.fairness),
        "links": {"self": at, **{call: f"{at}/{call}" for call in CALLS}, **_streams(visit.session)},
    }


def _streams(session: str) -> dict[str, str]:
    """Where the stream is, if there is one."""
    at = streaming.address(session)
    return {} if at is None else {"stream": at}


def _used(visit: Visit) -> Json:
    """The table in an answer that is given once; it tells when the session ends, too."""
    ends = datetime.fromtimestamp(visit.expires, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    shown = table(visit)
    return {**shown, "session": {**shown["session"], "expires_at": ends}}


def table(visit: Visit) -> Json:
    """What the bearer may know of the table."""
    return {
        "session": facts(visit),
        "view": referee.seen(visit.state, visit.bearer.seat),  # a host or dealer sees what a spectator does
        "decisions": decisions(visit),
        "outcome": visit.state.outcome,
    }


def opened(made: Opened) -> Json:
    """A new session with its tokens."""
    return {**_used(made.visit), "tokens": made.tokens}


def moved(made: Made) -> Json:
    """A new version with what the bearer saw happen."""
    return {**_used(made.visit), "events": seen(made.visit, made.events)}


def decisions(at: Sitting) -> list[Json]:
    """Who must decide; for given chance, who may answer."""
    return [
        {**decision.to_wire(), **({} if answered is None else {"answered_by": answered})}
        for decision, answered in sitting.deciding(at)
    ]


def options(visit: Visit, limit: int | None) -> Json:
    """The bearer's options."""
    tries = Tries()
    found = referee.listed(sitting.options(visit, tries), limit, tries)
    shown = [teller(visit).option(o) for o in found.options]
    told = {"session": facts(visit), "decisions": decisions(visit)}
    return {**told, "options": shown, "complete": found.complete}


def page(visit: Visit, found: Page) -> Json:
    """A part of the log as the bearer saw it."""
    events = [{"version": v, **e} for v, entry in found.entries for e in _entry(visit, entry)]
    return {"events": events, "version": found.version, "complete": found.complete}


def _entry(visit: Visit, entry: Entry) -> list[Json]:
    if not entry.to:
        return seen(visit, [logged.event() for logged in entry.events])
    who = people(visit.state.seats).get(entry.seat, entry.seat)
    text = words()[entry.kind][language()].format(who=who, to=entry.to)
    return [{"kind": entry.kind, "by": entry.by, "to": entry.to, "text": text}]


def seen(at: Sitting, events: Sequence[Event]) -> list[Json]:
    """Events as the bearer saw them, with their sentences; those that he did not see are not there."""
    return told(teller(at), at.bearer.seat, events)


def told(by: Teller, seat: str | None, events: Sequence[Event]) -> list[Json]:
    """Events as a seat (None: a spectator) saw them."""
    shown = (event.seen_by(seat) for event in events)
    return [{**wire, "text": by.voice.event(wire)} for wire in shown if wire is not None]


def in_the_way(visit: Visit, refused: UndoRefused) -> Json:
    """What stands in the way of an undo, as far as the bearer may see it."""
    found: Json = {"why": refused.why}
    if refused.version is not None:
        found["version"] = refused.version
    if refused.actor is not None:
        found["actor"] = refused.actor
    if refused.event is not None and (shown := seen(visit, [refused.event])):
        found["event"] = shown[0]
    return found


def teller(at: Sitting) -> Teller:
    """Who tells it, in the language of the request."""
    return Teller(at.rules, language(), at.state.seats)


@cache
def words() -> Mapping[str, Mapping[str, str]]:
    """The sentences about sessions by themselves."""
    return tomllib.loads(Path(__file__).with_name("sessions.toml").read_text(encoding="utf-8"))
