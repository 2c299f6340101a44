"""Automated seats: the prudent player acts for them, and everything that it does is judged like what people do.

It is let play by whatever happens at the session: the action that makes it the one who is asked, or whoever looks next.
So there is no process of its own, and what it does is a version each, which only one of many that try can make.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

from service.engine import options as listing
from service.sessions.acting import IllegalAction, Next, Proposal, Wire, commit, played
from service.sessions.referee import sound
from service.sessions.tokens import AUTOMATED, Bearer
from service.sessions.visit import SessionFull, Visit

LOG = logging.getLogger(__name__)
MOST = 20  # actions in one go; the rest is done when somebody comes by again


class _NotAsked(Exception):
    """No automated seat has to answer now."""


def play_on(visit: Visit, most: int = MOST) -> Visit:
    """Let automated seats act until somebody else is asked, so often at most. The session as it is then.

    Raises UnknownSession, StaleVersion, OutOfTime, and what the store raises; what was done until then is done.
    """
    for _ in range(most):
        if not visit.about.automated():
            return visit
        visit = visit.whole
        seat = asked(visit)
        if seat is None:
            return visit
        try:
            commit(_as(visit, seat), Proposal((), b""), lambda made: b"", _step)
        except (_NotAsked, SessionFull):
            return visit.again()
        visit = visit.again()
    return visit


def asked(visit: Visit) -> str | None:
    """The first automated seat that must answer now; None where none must."""
    w, automated = visit.window, visit.about.automated()
    return None if w is None else next((seat for seat in w.actors if seat in automated), None)


def waits(visit: Visit) -> bool:
    """Whether an automated seat must answer, and has not come to it yet."""
    return bool(visit.about.automated()) and asked(visit.whole) is not None


def _as(visit: Visit, seat: str) -> Visit:
    """The same session as the prudent player visits it: by nobody's token, and under no key."""
    return visit.as_other(Bearer(AUTOMATED, seat))


def _step(visit: Visit) -> Next:
    """The version that the seat makes which is asked now, whatever others have done meanwhile. Raises _NotAsked."""
    seat = asked(visit)
    if seat is None:
        raise _NotAsked
    for action in choices(visit, seat):
        try:
            return played(_as(visit, seat), action)
        except IllegalAction as refused:
            LOG.error("the prudent player of %s may not do this: %s", visit.rules.name, refused)
    raise _NotAsked


def choices(visit: Visit, seat: str) -> Iterator[Wire]:
    """What the prudent player would do; where it knows nothing, or what is not allowed, the first legal answer, so that
    the table is not blocked."""
    prudent, w = visit.rules.prudent, visit.window
    with sound():
        act = None if prudent is None else prudent(visit.table, seat)
    if act is not None:
        yield act.to_wire()
    with sound():
        kinds = [] if w is None else [cls.kind for cls in w.ask.takes]
        first = next(listing.options(visit.table, seat, kinds), None)
    if first is not None:
        yield first.filled()
