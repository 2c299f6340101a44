"""Attending to a session: what is due in it by itself is done by whoever comes by.

Those are the players' own calls, and, so that nobody has to come, `sweep`, which some process may call now and then.
There is no scheduler, and nothing rests on there being one.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import replace

from service.engine.budget import OutOfTime, within
from service.sessions import automata, ledger, timing
from service.sessions.acting import Next, Proposal, commit
from service.sessions.store import StoreAway, StoreFull
from service.sessions.visit import Desk, StaleVersion, UnknownSession, Visit, watching

LOG = logging.getLogger(__name__)
AWHILE = 2  # seconds for one session
MOST = 100  # sessions in one sweep
SOON = 5_000  # milliseconds after which a session is looked at again whose node of the store was away
LATER = 30_000  # milliseconds after which a session is looked at again in which something went wrong


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


def sweep(desk: Desk, most: int = MOST) -> int | None:
    """Do what is due at all sessions of which it is noted that something is, the earliest first, `most` at most.

    When the next is due (ms since 1970); None where no more is noted. Any number of processes may sweep at once.
    Raises StoreAway.
    """
    for session, at in desk.store.planned(desk.moment(), most):
        after = _swept(desk, session)
        with suppress(StoreFull):
            desk.store.replan(session, at, after)  # unless it has been noted anew meanwhile
    return desk.store.next_planned()


def _swept(desk: Desk, session: str) -> int | None:
    """When to look at a session again, after what was due has been done; None: not at all."""
    try:
        with within(AWHILE):
            before = watching(desk, session)
            visit = attend(before)
    except UnknownSession:
        return None
    except (OutOfTime, StaleVersion, StoreFull):
        return desk.moment() + LATER
    except StoreAway:
        # In a cluster it is its node alone; where all of the store is away, this cannot be noted either.
        return desk.moment() + SOON
    except Exception:
        LOG.exception("what was due at a session could not be done")
        return desk.moment() + LATER
    if not automata.waits(visit):
        return timing.next_due(visit.about)
    return desk.moment() + (0 if visit.version > before.version else LATER)
