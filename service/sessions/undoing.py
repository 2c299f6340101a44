"""Undo and rewind: back to an earlier version by a new one. What was drawn stays drawn, and nothing is deleted."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from service.engine.disclosure import discloses
from service.engine.event import Event
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, AnyState
from service.sessions import ledger, timing
from service.sessions.acting import Next, Proposal, Tell, commit, retaken, window_since
from service.sessions.ledger import Entry, Log
from service.sessions.logbook import Logbook
from service.sessions.referee import sound
from service.sessions.replay import replayed
from service.sessions.tokens import HOST, SEAT
from service.sessions.visit import GameOver, StaleVersion, Visit

HIDDEN, DRAWN, OTHER, NOTHING = "hidden-came-out", "chance-answered", "another-acted", "nothing-to-undo"


class InTheWay(Exception):
    """What stands in the way of an undo: why, at which version, who acted, and the event by which it came out."""

    def __init__(
        self, why: str, version: int | None = None, actor: str | None = None, event: Event | None = None
    ) -> None:
        super().__init__(why)
        self.why, self.version, self.actor, self.event = why, version, actor, event


class UndoRefused(Exception):
    """What stands in the way of an undo: why, at which version, who acted, and the event as the bearer saw it."""

    def __init__(self, visit: Visit, found: InTheWay) -> None:
        super().__init__(found.why)
        self.visit, self.why = visit, found.why
        self.version, self.actor, self.event = found.version, found.actor, found.event


class NoSuchVersion(Exception):
    """A rewind to what is no earlier version."""

    def __init__(self, to: int, version: int) -> None:
        super().__init__(to)
        self.to, self.version = to, version


def undo(visit: Visit, proposal: Proposal, tell: Tell) -> bytes:
    """Take back the bearer's last action. Raises NotAllowed, StaleVersion, GameOver, UndoRefused."""
    visit.demand(SEAT)
    return commit(visit, proposal, tell, lambda at: _went_back(at, proposal, ledger.UNDO, _before_mine))


def rewind(visit: Visit, to: int, proposal: Proposal, tell: Tell) -> bytes:
    """Go back to a version. Raises NotAllowed, StaleVersion, GameOver, NoSuchVersion."""
    visit.demand(HOST)

    def there(at: Visit, log: Log) -> int:
        if not 0 < to < at.version:
            raise NoSuchVersion(to, at.version)
        return to

    return commit(visit, proposal, tell, lambda at: _went_back(at, proposal, ledger.REWIND, there))


def _went_back(visit: Visit, proposal: Proposal, kind: str, whereto: Callable[[Visit, Log], int]) -> Next:
    if not visit.made_for(proposal.versions):
        raise StaleVersion(visit)
    if visit.over:
        raise GameOver
    log = Logbook(visit)
    to = whereto(visit, log)
    state = state_at(visit, log, to)
    # What was drawn is known to somebody: the next draw is another one than it was then.
    state.chance = visit.state.chance
    about, changes = retaken(visit, fresh=False)
    about = timing.went_back(visit.about if about is None else about, log[to], visit.desk.moment())
    entry = Entry(kind, visit.bearer.role, visit.bearer.seat or "", to, changes=changes)
    return Next(state, entry, (), window_since(visit.rules, None, state, visit.version + 1), about)


def state_at(visit: Visit, log: Log, version: int) -> AnyState:
    """The state that the table was in at a version, worked out from the last one on the way that was kept."""
    kept, standing = ledger.way(log, version)
    start: AnyState = msgspec.convert(kept, visit.rules.state_type)
    actions = [action for v in standing for action in log[v].proposed]
    with sound():
        state = replayed(visit.rules, start, actions)
    state.turn = start.turn + len(standing)
    return state


def _before_mine(visit: Visit, log: Log) -> int:
    """The version before the bearer's last action that stands. Raises UndoRefused."""
    seat = visit.bearer.seat
    assert seat is not None
    try:
        return before_own(visit.rules, log, visit.version, seat)
    except InTheWay as found:
        raise UndoRefused(visit, found) from None


def before_own(rules: Ruleset, log: Log, last: int, seat: str) -> int:
    """The version before the last action of a seat that stands at version `last`. Raises InTheWay."""
    passed: list[int] = []
    for version in ledger.back(log, last):
        passed.append(version)
        if log[version].seat == seat:
            break
    else:
        raise InTheWay(NOTHING)
    for between in range(version, last + 1):
        _demand_quiet(rules, seat, between, log[between], between in passed)
    return version - 1


def _demand_quiet(rules: Ruleset, seat: str, version: int, entry: Entry, stands: bool) -> None:
    """Nothing came out at this version, and, where it stands, nobody but the seat did anything."""
    for event in (logged.event() for logged in entry.events):
        if discloses(rules, event):
            raise InTheWay(HIDDEN, version, event=event)
    # A role acts for chance alone.
    actors = (
        [entry.seat or CHANCE, *(p.action["actor"] for p in entry.played)] if entry.kind == ledger.ACT else []
    )
    if CHANCE in actors:
        raise InTheWay(DRAWN, version, CHANCE)
    other = next((actor for actor in actors if actor != seat), None)
    if other is not None and stands:
        raise InTheWay(OTHER, version, other)
