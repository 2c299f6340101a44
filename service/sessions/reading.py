"""Reading: what a bearer may know of a session, its options, its log and its record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from service.engine import view as showing
from service.sessions import ledger, odds
from service.sessions.acting import sealed
from service.sessions.ledger import Entry, Log
from service.sessions.logbook import Logbook
from service.sessions.referee import sound
from service.sessions.replay import begun, digest, every_draw
from service.sessions.tokens import HOST
from service.sessions.undoing import state_at
from service.sessions.visit import Visit

MOST_VERSIONS = 100  # of one answer about the log
SCHEMA = 1  # of records; a release that writes another one reads this one too


@dataclass(frozen=True)
class Page:
    """A part of the log: versions and entries, the last version it tells of, and whether that is the last there is."""

    entries: Sequence[tuple[int, Entry]]
    version: int
    complete: bool


def page(visit: Visit, after: int, limit: int | None) -> Page:
    """The log after a version; of `limit` versions at most."""
    if after >= visit.version:
        return Page((), visit.version, True)
    found = Logbook(visit).after(after, min(limit or MOST_VERSIONS, MOST_VERSIONS))
    last = found[-1][0]
    return Page(found, last, last >= visit.version)


# -- the record ---------------------------------------------------------------------------------------------------


def record(visit: Visit) -> dict[str, Any]:
    """The set-up and the line of play that stands: whole for the host of a game that is over, else what the bearer
    may know."""
    log = Logbook(visit).whole()
    standing = ledger.line(log, visit.version)
    told = {"schema": SCHEMA, "game": visit.about.game, "ruleset": visit.about.ruleset}
    if visit.bearer.role == HOST and visit.over:
        return told | _whole(visit, log, standing)
    return told | _seen(visit, log, standing)


def _whole(visit: Visit, log: Log, standing: Sequence[int]) -> dict[str, Any]:
    """Enough to judge the whole game again, and all that was ever done. What was secret is not any more."""
    opening = log[1]
    start = {"setup": opening.setup} if opening.setup is not None else {"state": opening.state}
    told = {
        **start,
        "actions": [action for v in (1, *standing) for action in log[v].proposed],
        "digest": digest(visit.state),
        "complete": True,
        "chance": visit.desk.fairness.revealed(visit.state),
        "log": [_logged(version, log[version]) for version in range(1, visit.version + 1)],
    }
    return told | ({"odds": _odds(visit, log)} if visit.state.chance.mode == "seeded" else {})


def _odds(visit: Visit, log: Log) -> list[dict[str, Any]]:
    """What could come up at each draw there was."""
    opening = log[1]
    if opening.setup is not None:
        first = begun(visit.rules, opening.setup)
    else:
        first = msgspec.convert(opening.state, visit.rules.state_type)
    every = ((v, log[v].to, log[v].proposed) for v in range(1, visit.version + 1))
    with sound():
        return odds.listed([drawn.odds for drawn in every_draw(visit.rules, first, every)])


def _logged(version: int, entry: Entry) -> dict[str, Any]:
    told: dict[str, Any] = {"version": version, "kind": entry.kind, "by": entry.by}
    if entry.kind != ledger.SEATS:
        told |= {"to": entry.to} if entry.to else {"actions": entry.proposed}
    return {**told, "changes": entry.changes} if entry.changes else told


def _seen(visit: Visit, log: Log, standing: Sequence[int]) -> dict[str, Any]:
    seat, opening = visit.bearer.seat, log[1]
    plays = [play.played() for v in (1, *standing) for play in log[v].played]
    own = [{"actor": s, **part} for s, part in sealed(visit.state).items() if s == seat]
    start = {} if opening.setup is None else {"setup": _open_part(opening.setup)}
    if opening.setup is None or "position" in opening.setup:
        start["start"] = showing.view(state_at(visit, log, 1), seat)
    return {**start, "actions": [*(p.seen_by(seat) for p in plays), *own], "complete": False}


def _open_part(setup: Mapping[str, Any]) -> dict[str, Any]:
    """A set-up without its seed, and without a position, which shows every hand."""
    chance = {k: v for k, v in setup["chance"].items() if k != "seed"}
    return {k: v for k, v in setup.items() if k != "position"} | {"chance": chance}
