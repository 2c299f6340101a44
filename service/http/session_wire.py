"""From a visit to JSON, with texts in a language."""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from service.engine.event import Event
from service.engine.options import Tries
from service.engine.words import people
from service.http import streaming
from service.http.locale import language
from service.http.wire import Teller
from service.sessions import clocks, referee, seating, sitting
from service.sessions.acting import Made
from service.sessions.ledger import Entry
from service.sessions.opening import Opened
from service.sessions.reading import Page
from service.sessions.sitting import Sitting
from service.sessions.undoing import UndoRefused
from service.sessions.visit import Visit

Json = dict[str, Any]
CALLS = ("actions", "options", "events", "record", "undo", "rewind", "webhook", "seats")


def facts(visit: Visit) -> Json:
    """Id, version, provenance, chance, seats, clock and links: the same as long as the version is, as its tag says."""
    at = f"/v1/sessions/{visit.session}"
    return {
        "id": visit.session,
        "version": visit.version,
        "provenance": visit.state.provenance,
        "chance": sitting.promised(visit, visit.desk.fairness),
        "seats": seats(visit),
        **_clock(visit),
        **_ended(visit),
        "links": {"self": at, **{call: f"{at}/{call}" for call in CALLS}, **_streams(visit.session)},
    }


def seats(visit: Visit) -> Json:
    """Who sits where: `{"name", "held", "invited", "automated"}` by seat."""
    return {
        seat.id: {
            "name": seat.name,
            "held": visit.about.held(seat.id),
            "invited": visit.about.invited(seat.id),
            "automated": seating.plays_itself(visit, seat.id),
        }
        for seat in visit.state.seats
    }


def _clock(visit: Visit) -> Json:
    """Until when each seat may think."""
    about = visit.about
    if about.clock is None or about.hands is None:
        return {}
    clock, ends = about.clock, clocks.deadlines(about.hands)
    told: Json = {"per": clock.per, "seconds": clock.seconds, "on_timeout": clock.on_timeout}
    told |= {"increment": clock.increment} if clock.per == clocks.BANK else {}
    told["seats"] = {
        seat: {
            **({"deadline": clocks.written(ends[seat])} if seat in ends else {"left_ms": left}),
            "timed_out": seat in about.hands.up,
        }
        for seat, left in about.hands.left.items()
    }
    return {"clock": told}


def _ended(visit: Visit) -> Json:
    """Why the session is over though its game is not."""
    ended = visit.about.ended
    if ended is None:
        return {}
    return {"ended": {"because": ended.because, "seats": ended.seats, "at": clocks.written(ended.at)}}


def _streams(session: str) -> dict[str, str]:
    """Where the stream is, and where tickets for it are, if there is one."""
    at = streaming.address(session)
    return {} if at is None else {"stream": at, "stream-tickets": f"/v1/sessions/{session}/stream-tickets"}


def _used(visit: Visit) -> Json:
    """The table in an answer that is given once; it tells when the session ends, too."""
    return _table(visit, lasting_facts(visit))


def lasting_facts(visit: Visit) -> Json:
    """The facts in an answer that is given once."""
    return {**facts(visit), "expires_at": _written(visit.expires)}


@lru_cache(maxsize=64)
def _written(seconds: int) -> str:
    """A moment (seconds since 1970); those that are told are of this second, mostly."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def table(visit: Visit) -> Json:
    """What the bearer may know of the table."""
    return _table(visit, facts(visit))


def _table(visit: Visit, session: Json) -> Json:
    return {
        "session": session,
        "view": referee.seen(visit.state, visit.bearer.seat),  # a host or dealer sees what a spectator does
        "decisions": decisions(visit),
        "outcome": visit.state.outcome,
    }


def opened(made: Opened) -> Json:
    """A new session with its tokens."""
    told = {**_used(made.visit), "tokens": made.tokens}
    return {**told, "invitations": made.invitations} if made.invitations else told


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
    happened = seen(visit, [logged.event() for logged in entry.events])
    if entry.to:
        text = words()[entry.kind][language()].format(who=_called(visit, entry.seat), to=entry.to)
        happened = [{"kind": entry.kind, "by": entry.by, "to": entry.to, "text": text}]
    return happened + [_change(visit, entry, change) for change in entry.changes]


def _change(visit: Visit, entry: Entry, change: Mapping[str, Any]) -> Json:
    """What has become of a seat."""
    facts = {"name": "", **change, "who": _called(visit, change["seat"])}
    name = "-".join([change["kind"], *([change["then"]] if "then" in change else ())])
    return {**change, "by": entry.by, "text": words()[name][language()].format_map(facts)}


def _called(visit: Visit, seat: str) -> str:
    return people(visit.state.seats).get(seat, seat)


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
