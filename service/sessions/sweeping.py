"""Sweeping: what is due at sessions by itself is done though nobody comes by, clocks first.

That somebody's time is up costs one commit. To let automated seats act takes longer, and a table where all play by
themselves never has enough: so that is done beside the clocks, by one action at one table after the other, and no table
is in the way of another.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Lock

from service.engine.budget import OutOfTime, within
from service.sessions import automata, timing
from service.sessions.attending import AWHILE, settled
from service.sessions.fairness import ChanceRefused
from service.sessions.referee import UnplayableState
from service.sessions.store import StoreAway, StoreFull
from service.sessions.visit import Desk, RulesGone, StaleVersion, UnknownSession, Visit, watching

LOG = logging.getLogger(__name__)
MOST = 100  # sessions that are looked at in one sweep
TABLES = 1000  # where automated seats have to go on, of which a process takes care at a time
FULL = 1_000  # milliseconds after which a session is looked at again that there was no room for
SOON = 5_000  # the same for one whose node of the store was away
RARELY = 3_600_000  # the same for one whose rules are not here: another release may have them
LATER = 30_000  # the same for one in which something went wrong, or of which some process takes care


class Tables:
    """Sessions where automated seats have to go on, in the order in which it is their turn.

    They are kept here alone. Each is in the plan all the same, at a later time: should this process be gone by then,
    another finds it there.
    """

    def __init__(self) -> None:
        self._planned: OrderedDict[str, int] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._planned)

    def add(self, session: str, planned: int) -> bool:
        """Have a session wait for its turn, unless there are too many. `planned`: when it is to be looked at."""
        with self._lock:
            if session not in self._planned and len(self._planned) >= TABLES:
                return False
            self._planned[session] = planned  # one that waits already stays where it is
            return True

    def take(self) -> tuple[str, int] | None:
        """The session whose turn it is, and when it is planned; it waits no longer."""
        with self._lock:
            return self._planned.popitem(last=False) if self._planned else None


def sweep(desk: Desk, tables: Tables, most: int = MOST) -> int | None:
    """Tell whose time is up at all sessions of which it is noted that something is due, the earliest first, `most` at
    most; where automated seats have to go on they are put to the `tables`.

    When the next is due (ms since 1970); None where no more is noted. Any number of processes may sweep at once.
    Raises StoreAway.
    """
    for session, at in desk.store.planned(desk.moment(), most):
        after = _guarded(desk, partial(_looked_at, desk, session, tables))
        with suppress(StoreFull):
            desk.store.replan(session, at, after)  # unless it has been noted anew meanwhile
    return desk.store.next_planned()


def play(desk: Desk, tables: Tables) -> bool:
    """Let an automated seat act once, at the table whose turn it is; whether there was one. Raises StoreAway."""
    turn = tables.take()
    if turn is None:
        return False
    session, planned = turn
    after = _guarded(desk, partial(_played, desk, session, planned, tables))
    if after != planned:
        with suppress(StoreFull):
            desk.store.replan(session, planned, after)
    return True


def _guarded(desk: Desk, look: Callable[[], int | None]) -> int | None:
    """When to look at a session again; None: not at all. What goes wrong there is in nobody else's way."""
    try:
        with within(AWHILE):
            return look()
    except UnknownSession:
        return None
    except RulesGone:
        return desk.moment() + RARELY
    except (OutOfTime, StaleVersion, StoreFull):
        return desk.moment() + LATER
    except StoreAway:
        # In a cluster it is its node alone; where all of the store is away, this cannot be noted either.
        return desk.moment() + SOON
    except (ChanceRefused, UnplayableState) as refused:  # what a player who acts there is refused for, too
        LOG.warning("what is due at a session cannot be done", exc_info=refused)
        return desk.moment() + LATER
    except Exception:
        LOG.exception("what was due at a session could not be done")
        return desk.moment() + LATER


def _looked_at(desk: Desk, session: str, tables: Tables) -> int | None:
    visit = settled(watching(desk, session))
    if not automata.waits(visit):
        return timing.next_due(visit.about)
    planned = _cared_for(visit)
    return planned if tables.add(session, planned) else desk.moment() + FULL


def _played(desk: Desk, session: str, planned: int, tables: Tables) -> int | None:
    before = settled(watching(desk, session))
    visit = automata.play_on(before, most=1)
    if not automata.waits(visit):
        return timing.next_due(visit.about)
    if visit.version == before.version:
        return desk.moment() + LATER  # it knows nothing to do
    if planned < desk.moment() + LATER // 2:
        planned = _cared_for(visit)
    tables.add(session, planned)
    return planned


def _cared_for(visit: Visit) -> int:
    """When to look at a session of which this process takes care: when somebody's time is up in it, or later."""
    due, later = timing.next_due(visit.about), visit.desk.moment() + LATER
    return later if due is None else min(due, later)
