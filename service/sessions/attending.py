"""Attending to a session: what is due in it by itself is done by whoever comes by.

Those are the players' own calls, and, so that nobody has to come, whoever sweeps (see `sweeping`). There is no
scheduler, and nothing rests on there being one.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from service.sessions import automata, ledger, timing
from service.sessions.acting import Next, Proposal, commit
from service.sessions.visit import Desk, Visit, watching

AWHILE = 2  # seconds for one session


def needed(visit: Visit) -> bool:
    """Whether anything can be due at this session by itself; asks neither the store nor the rules."""
    return bool(visit.about.automated() or timing.overdue(visit))


def attend(visit: Visit) -> Visit:
    """Do what is due: tell whose time is up, and let automated seats act. The session as it is then.

    Raises UnknownSession, StaleVersion, OutOfTime, and what the store raises; what was done until then is done.
    """
    after = automata.play_on(settled(visit))
    if after.version > visit.version and automata.waits(after):  # for somebody who comes by and lets it go on
        timing.note(visit.desk, visit.session, visit.desk.moment())
    return after


def afresh(visit: Visit) -> Visit:
    """The session as it is now, whatever has become of the token that somebody came by. Raises UnknownSession."""
    return replace(visit, key=None, held="").again()


def settled(visit: Visit) -> Visit:
    """The session once it is told whose time is up. Of many who try one tells it."""
    if not timing.overdue(visit):
        return visit
    with suppress(_InTime):
        commit(timing.as_clock(visit.whole), Proposal((), b""), lambda made: b"", _ran_out)
    return visit.again()


class _InTime(Exception):
    """Nobody's time is up, as it turns out: somebody else has told it, or the game has gone on."""


def _ran_out(visit: Visit) -> Next:
    late = timing.overdue(visit)
    if not late:
        raise _InTime
    about, told = timing.ran_out(visit, late)
    entry = ledger.Entry(ledger.SEATS, role=visit.bearer.role, changes=told)
    return Next(visit.state, entry, (), visit.stored.window, about.beside(visit.version))


# -- coming by on purpose ----------------------------------------------------------------------------------------


def due(desk: Desk, session: str) -> Visit:
    """Do what is due at a session; for the service itself. Raises as `attend` does, and RulesGone."""
    return attend(watching(desk, session))
