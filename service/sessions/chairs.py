"""Who sits where, as far as a log tells it: by whom each version was made, and what it changes of seats.

Who holds a seat no log shows; only that nobody does, from when it was left until it is claimed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from service.engine.state import NAME
from service.sessions import about, clocks
from service.sessions.about import CLAIMED, INVITED, LEFT, OFFERED, RENAMED, RETAKEN, TIMED_OUT, TURNED_ON
from service.sessions.ledger import ACT, OPEN, REWIND, SEATS, UNDO
from service.sessions.tokens import AUTOMATED, CLOCK, DEALER, HOST

Logged = Mapping[str, Any]
THEN = (clocks.NOTHING, clocks.AUTOMATE, clocks.END)
# By which roles a version of each kind is made (None: by a seat), and each change of a seat (by that one).
MAKERS: Mapping[str, Collection[str | None]] = {
    OPEN: (HOST,),
    ACT: (None, AUTOMATED, HOST, DEALER),
    UNDO: (None,),
    REWIND: (HOST,),
    SEATS: (None, HOST, CLOCK),
}
CHANGERS: Mapping[str, Collection[str | None]] = {
    INVITED: (HOST,),
    OFFERED: (None,),
    CLAIMED: (None,),
    RENAMED: (None, HOST),
    LEFT: (None,),
    TURNED_ON: (HOST,),
    RETAKEN: (None, HOST),
    TIMED_OUT: (CLOCK,),
}
# What a change tells beside its kind and seat; a name may be given with a claim.
TOLD: Mapping[str, Sequence[str]] = {RENAMED: ("name",), TIMED_OUT: ("at", "then")}
LONGEST_NAME = 200
MOMENT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z")


class Misplaced(Exception):
    """Something that nobody who is there may do, or that cannot be changed so."""


@dataclass(frozen=True)
class Doer:
    """Who made a version: a seat, or a role, or the prudent player for a seat."""

    seat: str | None
    role: str | None


@dataclass
class Chairs:
    """The seats of a session as its log goes on.

    `names`: what each is called; `always`: those that play by themselves from the beginning on, where they know what to
    do; `automated`: those for which the prudent player acts by somebody's word; `taken`: those that somebody has
    claimed, or that it has been let act for; `left`: those that nobody holds; `then`: what happens when somebody's time
    is up; `ended`: whether that has ended the session. `claimed`: those that have been claimed;
    `invited`: those with an invitation that the log tells of; `vacant`: whether nobody held a seat at the opening, and
    to each there was an invitation (None: that has not shown yet).
    """

    names: dict[str, str]
    always: Collection[str]
    automated: set[str] = field(default_factory=set)
    taken: set[str] = field(default_factory=set)
    left: set[str] = field(default_factory=set)
    then: str | None = None
    ended: bool = False
    claimed: set[str] = field(default_factory=set)
    invited: set[str] = field(default_factory=set)
    vacant: bool | None = None

    @property
    def seats(self) -> Collection[str]:
        """All seats."""
        return self.names.keys()

    def as_now(self) -> Chairs:
        """Who is where now, which stays so when the log goes on."""
        sets = {name: set(getattr(self, name)) for name in ("automated", "left", "claimed")}
        return replace(self, **sets)  # type: ignore[arg-type]

    def empty(self, seat: str, vacant: bool | None) -> bool:
        """Whether it may be that nobody sits at a seat, or the prudent player acts for it. `vacant`: as the whole log
        tells it."""
        unclaimed = vacant is not False and seat not in self.claimed
        return unclaimed or seat in self.left or seat in self.automated or seat in self.always

    def doer(self, entry: Logged) -> Doer:
        """Who made this version. Raises Misplaced where nobody who is there may."""
        by, kind = entry.get("by", {}), entry["kind"]
        found = Doer(by.get("seat"), by.get("role"))
        of_a_seat = found.role is None or found.role == AUTOMATED
        if found.role not in MAKERS[kind] or (found.seat is not None) != of_a_seat:
            raise Misplaced
        if found.seat is not None and found.seat not in self.seats:
            raise Misplaced
        if self.ended and kind != SEATS:
            raise Misplaced
        if found.role == AUTOMATED and found.seat not in self.automated:
            raise Misplaced
        claims = kind == SEATS and [c.get("kind") for c in entry["changes"]] == [CLAIMED]
        if found.role is None and found.seat is not None and not claims:
            self._demand_held(found.seat)
        return found

    def _demand_held(self, seat: str) -> None:
        """Somebody may hold the seat. Who does something there before it is claimed has held it from the opening on."""
        if seat in self.left:
            raise Misplaced
        if seat not in self.claimed and seat not in self.always:
            if self.vacant:
                raise Misplaced
            self.vacant = False

    def change(self, entry: Logged, doer: Doer) -> None:
        """Go on by this version. Raises Misplaced where seats cannot change so."""
        changes = entry.get("changes", [])
        if "changes" in entry and not changes:
            raise Misplaced
        if entry["kind"] != SEATS:
            taken_back = doer.role is None and doer.seat in self.automated
            if changes != ([{"kind": RETAKEN, "seat": doer.seat}] if taken_back else []):
                raise Misplaced
        elif len(changes) > 1 and (doer.role != CLOCK or _twice(changes)):
            raise Misplaced  # the time of several may be up at once
        for change in changes:
            self._demand(change, doer)
            self._take(change)
        timed_out = any(change.get("then") == clocks.END for change in changes)
        self.ended = self.ended or timed_out

    def _demand(self, change: Logged, doer: Doer) -> None:
        kind, seat = change.get("kind"), change.get("seat")
        if kind not in about.KINDS or not isinstance(seat, str) or seat not in self.seats:
            raise Misplaced
        if doer.role not in CHANGERS[kind] or (doer.role is None and seat != doer.seat):
            raise Misplaced
        told = change.keys() - {"kind", "seat"}
        if told != set(TOLD.get(kind, ())) and not (kind == CLAIMED and told == {"name"}):
            raise Misplaced
        if not all(isinstance(change[name], str) for name in told):
            raise Misplaced
        if "name" in told and not _is_name(change["name"]):
            raise Misplaced
        if kind == RENAMED and change["name"] == self.names[seat]:
            raise Misplaced
        if kind == TIMED_OUT:
            self._demand_late(change)
        if kind == TURNED_ON and (self.ended or seat in self.automated or seat in self.always):
            raise Misplaced
        if kind == RETAKEN and seat not in self.automated:
            raise Misplaced
        if kind == CLAIMED and seat not in self.invited:  # then by an invitation of the opening
            if self.vacant is False or seat in self.claimed or seat in self.always:
                raise Misplaced
            self.vacant = True

    def _demand_late(self, change: Logged) -> None:
        """The clock goes on until it has ended the session, and begins when all seats have been taken once."""
        if (
            self.ended
            or change["then"] not in ((self.then,) if self.then else THEN)
            or not _is_moment(change["at"])
        ):
            raise Misplaced
        if not set(self.seats) <= {*self.taken, *self.always}:
            if self.vacant:
                raise Misplaced
            self.vacant = False

    def _take(self, change: Logged) -> None:
        kind, seat = change["kind"], change["seat"]
        self.names[seat] = change.get("name", self.names[seat])
        if kind in (CLAIMED, TURNED_ON):
            self.taken.add(seat)
        if kind in (RETAKEN, CLAIMED):
            self.automated.discard(seat)
        if kind in (INVITED, OFFERED):
            self.invited.add(seat)
        elif kind == CLAIMED:
            self.left.discard(seat)
            self.invited.discard(seat)
            self.claimed.add(seat)
        elif kind == LEFT:
            self.left.add(seat)
        elif kind == TURNED_ON:
            self.automated.add(seat)
        elif kind == TIMED_OUT:
            self.then = change["then"]
            if self.then == clocks.AUTOMATE:
                self.automated.add(seat)


def _is_name(name: str) -> bool:
    """Whether a seat can be called so."""
    return len(name) <= LONGEST_NAME and re.match(NAME, name) is not None


def _is_moment(at: str) -> bool:
    """Whether a moment is told as sessions tell it."""
    try:
        return MOMENT.fullmatch(at) is not None and bool(datetime.strptime(at, "%Y-%m-%dT%H:%M:%S.%fZ"))
    except ValueError:
        return False


def _twice(changes: Sequence[Logged]) -> bool:
    """Whether a seat is named twice."""
    seats = [str(change.get("seat")) for change in changes]
    return len(set(seats)) < len(seats)
