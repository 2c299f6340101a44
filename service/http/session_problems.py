"""What can go wrong with a session, as problem documents."""

from collections.abc import Mapping
from typing import Any

from flask import Flask

from service.engine.words import people
from service.http import preconditions
from service.http.locale import language
from service.http.problems import Problem, respond, table
from service.http.session_limits import from_too_often
from service.http.session_wire import in_the_way, teller, words
from service.sessions.acting import MOST_ACTED, MOST_ELSE, IllegalAction, KeyReused
from service.sessions.rates import TooOften
from service.sessions.seating import NoSuchSeat, SeatRefused
from service.sessions.store import StoreAway, StoreFull, StoreMissing, Unconfirmed
from service.sessions.undoing import NoSuchVersion, UndoRefused
from service.sessions.visit import (
    GameOver,
    NotAllowed,
    RulesGone,
    SessionFull,
    StaleVersion,
    UnknownSession,
)
from service.sessions.waiting import TooManyWait
from service.webhooks.registering import NoWebhook
from service.webhooks.targets import LookupsBusy, TargetRefused

SOON, BUSY, LATER = {"Retry-After": "1"}, {"Retry-After": "5"}, {"Retry-After": "30"}


def from_stale(error: StaleVersion) -> Problem:
    """Somebody was quicker: the answer says which version there is now."""
    visit = error.visit
    headers = {"ETag": preconditions.etag(visit)}
    return Problem("stale-version", extra={"version": visit.version}, headers=headers, version=visit.version)


def from_illegal(error: IllegalAction) -> Problem:
    """Every clause that the action breaks."""
    voice = teller(error.visit)
    told = [voice.violation(v) for v in error.violations]
    return Problem("illegal-action", extra={"violations": told}, n=len(told))


def from_undo(error: UndoRefused) -> Problem:
    """What stands in the way."""
    found = in_the_way(error.visit, error)
    actor = people(error.visit.state.seats).get(error.actor or "", error.actor)
    reason = words()[error.why][language()].format(version=error.version, actor=actor)
    return Problem("undo-refused", extra={"in_the_way": found}, reason=reason)


def from_seat(error: SeatRefused) -> Problem:
    """Why a seat is not changed so."""
    reason = words()[error.why][language()].format(seat=error.seat)
    return Problem("seat-refused", extra={"why": error.why}, reason=reason)


def from_rules_gone(error: RulesGone) -> Problem:
    """A session that was begun by a server which knows other rules."""
    about, known = error.about, error.known
    facts: dict[str, Any] = {"game": about.game, "given": about.ruleset, "known": ", ".join(known) or "-"}
    return Problem("unknown-ruleset", extra={"known": known}, **facts)


def from_target(error: TargetRefused) -> Problem:
    """An address that no message goes to; `why` says which way."""
    reason = table()["target-refused"]["why"][error.why][language()]
    return Problem("target-refused", extra={"why": error.why}, reason=reason)


MAKERS: Mapping[type[Exception], Any] = {
    UnknownSession: lambda error: Problem("unknown-session"),
    NotAllowed: lambda error: Problem("not-allowed", who=error.who),
    StaleVersion: from_stale,
    IllegalAction: from_illegal,
    KeyReused: lambda error: Problem("key-reused"),
    UndoRefused: from_undo,
    NoSuchVersion: lambda error: Problem("no-such-version", to=error.to, version=error.version),
    RulesGone: from_rules_gone,
    NoSuchSeat: lambda error: Problem("no-such-seat", seat=error.seat, known=", ".join(error.known)),
    SeatRefused: from_seat,
    GameOver: lambda error: Problem("game-over"),
    SessionFull: lambda error: Problem("session-full", acted=MOST_ACTED, other=MOST_ELSE),
    TooOften: from_too_often,
    StoreAway: lambda error: Problem("store-unavailable", headers=SOON),
    StoreMissing: lambda error: Problem("no-store"),
    Unconfirmed: lambda error: Problem("not-confirmed", headers=SOON),
    StoreFull: lambda error: Problem("store-full", headers=LATER),
    NoWebhook: lambda error: Problem("no-webhook"),
    TargetRefused: from_target,
    LookupsBusy: lambda error: Problem("too-many-lookups", headers=BUSY),
    TooManyWait: lambda error: Problem("too-many-wait", headers=SOON),
}


def init_app(app: Flask) -> None:
    """Answer these errors."""
    for kind, make in MAKERS.items():
        app.register_error_handler(kind, lambda error, make=make: respond(make(error)))
