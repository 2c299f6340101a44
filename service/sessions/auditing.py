"""Auditing a log: is it one that a session writes?

Looked at are its form, who did what, who sits where as far as the log tells it, and, by the rules of the game, all that
was done, taken back or not. Not looked at is what no log shows: who held a seat, when something was done, and whether
the time of who was asked was up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.engine import given
from service.engine.disclosure import discloses
from service.engine.event import Event
from service.engine.flow import window
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, AnyState
from service.engine.table import Table
from service.sessions import acting, chairs, ledger
from service.sessions.about import CLAIMED, RETAKEN, TIMED_OUT, TURNED_ON
from service.sessions.chairs import Chairs, Misplaced
from service.sessions.clocks import AUTOMATE
from service.sessions.ledger import ACT, OPEN, REWIND, SEATS, UNDO, Entry
from service.sessions.replay import DRAW, Broken, Drawing, Drawn, Line, by_hand
from service.sessions.tokens import AUTOMATED, CLOCK, DEALER, HOST
from service.sessions.undoing import InTheWay, before_own

BACK = (UNDO, REWIND)
PLAYS = (OPEN, ACT)
Logged = Mapping[str, Any]
# What is wrong with a version, as the texts about records call it.
VERSIONS, FORM, BY, ACTS, WAY, UNDONE, CHANGES, REFUSED, NUMBERED, OVER, LINE, TOO_LONG = (
    "log-versions",
    "log-form",
    "log-by",
    "log-acts",
    "log-back",
    "log-undo",
    "log-seats",
    "log-illegal",
    "log-number",
    "log-over",
    "log-line",
    "log-length",
)
FAULTS = (VERSIONS, FORM, BY, ACTS, WAY, UNDONE, CHANGES, REFUSED, NUMBERED, OVER, LINE, TOO_LONG)


class NoLog(Exception):
    """A log that no session writes: which `fault` it has, and where (a JSON Pointer into the record)."""

    def __init__(self, fault: str, pointer: str) -> None:
        super().__init__(f"{pointer}: {fault}")
        self.fault, self.pointer = fault, pointer


def audited(
    rules: Ruleset, first: AnyState, record: Mapping[str, Any], due: int | None, drawing: Drawing | None
) -> list[Drawn]:
    """Every answer of chance in the log of a record, those that were taken back too. Raises NoLog.

    `first`: the state that the record begins with; `due`: the number of the next draw then, None where people draw;
    `drawing`: what brings a draw that nobody saw.
    """
    log: Sequence[Logged] = record["log"]
    for at, entry in enumerate(log):
        _demand_form(at, entry)
    if not log:
        raise NoLog(VERSIONS, "/log")
    if "state" in record and log[0]["actions"]:  # it is opened as it stands
        raise NoLog(ACTS, "/log/0/actions/0")
    sitting = Chairs({seat.id: seat.name for seat in first.seats}, _automated(record, first))
    seated: dict[int, Chairs] = {}
    for at, entry in enumerate(log):
        if entry.get("by", {}).get("role") in (CLOCK, DEALER):
            seated[at] = sitting.as_now()
        _demand_by(at, entry, sitting)
    entries = {
        v: Entry(e["kind"], to=e.get("to", 0), acts=list(e.get("actions", ()))) for v, e in enumerate(log, 1)
    }
    stands = [action for v in (1, *ledger.line(entries, len(log))) for action in entries[v].proposed]
    if stands != list(record["actions"]):
        raise NoLog(LINE, "/log")
    if log[-1]["kind"] in BACK:  # a log is told when all is over
        raise NoLog(OVER, f"/log/{len(log) - 1}")
    audit = _Audit(rules, drawing, due, {0: by_hand(first)}, seated, sitting.vacant)
    for at, entry in enumerate(log):
        audit.take(at, entry)
    return audit.drawn


def _automated(record: Mapping[str, Any], first: AnyState) -> set[str]:
    """The seats that play by themselves from the beginning on."""
    if "setup" in record:
        return {seat["id"] for seat in record["setup"]["seats"] if seat.get("automated", False)}
    return {seat.id for seat in first.seats if seat.automated}


# -- form, and who -------------------------------------------------------------------------------------------------


def _demand_form(at: int, entry: Logged) -> None:
    """Each version has its number and what one of its kind has: `to`, `actions`, `changes`; and a log as long as that
    goes on so."""
    here, kind = f"/log/{at}", entry["kind"]
    if entry["version"] != at + 1 or (kind == OPEN) != (at == 0):
        raise NoLog(VERSIONS, f"{here}/version")
    if ("to" in entry) != (kind in BACK) or ("actions" in entry) != (kind in PLAYS):
        raise NoLog(FORM, here)
    if (kind == ACT and not entry["actions"]) or (kind == SEATS and not entry.get("changes")):
        raise NoLog(FORM, here)
    if kind in BACK and not 1 <= entry["to"] < at:  # the version before is where the table stands already
        raise NoLog(WAY, f"{here}/to")
    changes = [str(change.get("kind")) for change in entry.get("changes", ())]
    by_clock = (
        entry.get("by", {}).get("role") == CLOCK
    )  # of a session that was full before its length ended it
    if entry["version"] > acting.last_version(kind, changes) and not by_clock:
        raise NoLog(TOO_LONG, f"{here}/version")


def _demand_by(at: int, entry: Logged, sitting: Chairs) -> None:
    """Who did it may, as far as the log tells who sits where; what it changes there can be changed so."""
    here = f"/log/{at}"
    try:
        doer = sitting.doer(entry)
    except Misplaced:
        raise NoLog(BY, f"{here}/by") from None
    if entry["kind"] in PLAYS:
        _demand_own(here, entry, doer, sitting)
    try:
        sitting.change(entry, doer)
    except Misplaced:
        raise NoLog(CHANGES, f"{here}/changes") from None


def _demand_own(here: str, entry: Logged, doer: chairs.Doer, sitting: Chairs) -> None:
    """The first action is that of who acted, or an answer of chance that people gave, which has no number; what follows
    from it is drawn, or done by seats that play by themselves."""
    actions = list(entry["actions"])
    if entry["kind"] == ACT:
        own = actions.pop(0)
        actor = own.get("actor")
        given_chance = actor == CHANCE and DRAW not in own and doer.role != AUTOMATED
        if not given_chance and (actor != doer.seat or doer.seat is None):
            raise NoLog(ACTS, f"{here}/actions/0")
    for n, action in enumerate(actions, len(entry["actions"]) - len(actions)):
        follows = DRAW in action if action.get("actor") == CHANCE else action.get("actor") in sitting.always
        if not follows:
            raise NoLog(ACTS, f"{here}/actions/{n}")


# -- by the rules of the game --------------------------------------------------------------------------------------


@dataclass
class _Audit:
    """A log that is judged again, version by version.

    `seated`: who sat where before what the clock or the dealer did; `vacant`: whether nobody held a seat at the
    opening; `late`: the seats of which it is told that their time is up, which is told once.
    """

    rules: Ruleset
    drawing: Drawing | None
    due: int | None
    states: dict[int, AnyState]
    seated: Mapping[int, Chairs]
    vacant: bool | None
    late: set[str] = field(default_factory=set)
    entries: dict[int, Entry] = field(default_factory=dict)
    drawn: list[Drawn] = field(default_factory=list)
    over: bool = False

    def take(self, at: int, entry: Logged) -> None:
        """The next version. Raises NoLog."""
        here, version, by = f"/log/{at}", at + 1, entry["by"]
        before = entry.get("to", version - 1)
        if self.over and entry["kind"] in BACK:
            raise NoLog(OVER, here)
        if entry["kind"] == UNDO:
            self._demand_undo(here, version, by["seat"], entry["to"])
        line = Line(self.rules, self.states[before], self.drawing)
        if entry["kind"] == ACT and entry["actions"][0]["actor"] == CHANCE:
            self._demand_answerer(at, line.state, by)
        logged = Entry(entry["kind"], by.get("role", ""), by.get("seat", ""), entry.get("to", 0))
        for n, action in enumerate(entry.get("actions", ())):
            self._play(f"{here}/actions/{n}", line, action, logged)
        if entry["kind"] == SEATS:
            self._demand_seats(at, entry, line.state)
        self.states[version], self.entries[version] = line.state, logged
        self.over = self.over or line.state.outcome is not None
        self.drawn += line.drawn
        self._forget(entry, line.state)

    def _demand_seats(self, at: int, entry: Logged, state: AnyState) -> None:
        """Somebody is late who is asked, and does not play by himself; the prudent player is let act where there is
        one, as long as there is anything to do."""
        for change in entry["changes"]:
            automates = change["kind"] == TURNED_ON or change.get("then") == AUTOMATE
            may = not (automates and (self.rules.prudent is None or self.over))
            if change["kind"] == TIMED_OUT:
                seat = change["seat"]
                asked = seat in self._asked(state) and seat not in self.seated[at].automated
                may = may and asked and seat not in self.late
                self.late.add(seat)
            if not may:
                raise NoLog(CHANGES, f"/log/{at}/changes")

    def _forget(self, entry: Logged, state: AnyState) -> None:
        """Of whom it would be told again: others are asked now, somebody went back, or is there again for the seat."""
        if entry["kind"] in BACK:
            self.late.clear()
        self.late -= {c["seat"] for c in entry.get("changes", ()) if c["kind"] in (RETAKEN, CLAIMED)}
        if self.late and (asked := self._asked(state)):
            self.late &= asked

    def _asked(self, state: AnyState) -> set[str]:
        """The seats that must answer."""
        w = window(Table(self.rules, state))
        return set() if w is None else {*w.actors} - {CHANCE}

    def _play(self, here: str, line: Line, action: Mapping[str, Any], logged: Entry) -> None:
        """One action, and what is kept of it for an undo: who acted, and what came to light."""
        try:
            judged = line.play(action)
        except Broken:
            raise NoLog(REFUSED, here) from None
        if action["actor"] == CHANCE:
            if action.get(DRAW) != self.due:  # where people draw there is no number
                raise NoLog(NUMBERED, f"{here}/{DRAW}")
            self.due = None if self.due is None else self.due + 1
        told: list[Event] = [event for event in judged.events if discloses(self.rules, event)]
        logged.events += ledger.logged_events(told)
        logged.played += [ledger.LoggedPlay({"actor": p.action["actor"]}) for p in judged.played]

    def _demand_undo(self, here: str, version: int, seat: str, to: int) -> None:
        """It takes the seat's last action back, which nothing stood in the way of."""
        try:
            due = before_own(self.rules, self.entries, version - 1, seat)
        except InTheWay:
            raise NoLog(UNDONE, here) from None
        if to != due:
            raise NoLog(UNDONE, f"{here}/to")

    def _demand_answerer(self, at: int, state: AnyState, by: Mapping[str, str]) -> None:
        """What is public, host or dealer answer; what is hidden, who sees it, or the dealer where nobody sits there."""
        table = Table(self.rules, state)
        w = given.asked_of_chance(table)
        if w is None:
            return
        seats = given.answerers(table, w)
        if seats is None:
            may = by.get("role") in (HOST, DEALER)
        elif by.get("role") == DEALER:
            may = all(self.seated[at].empty(seat, self.vacant) for seat in seats)
        else:
            may = by.get("seat") in seats
        if not may:
            raise NoLog(BY, f"/log/{at}/by")
