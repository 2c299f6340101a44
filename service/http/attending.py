"""What is due at a session, done by whoever comes by: nothing that goes wrong in it is in his way."""

import logging

from service.engine.budget import OutOfTime, within
from service.http.context import context
from service.sessions import attending
from service.sessions.attending import AWHILE
from service.sessions.fairness import ChanceRefused
from service.sessions.referee import UnplayableState
from service.sessions.store import StoreAway, StoreFull
from service.sessions.visit import StaleVersion, UnknownSession, Visit

LOG = logging.getLogger(__name__)


def attended(visit: Visit) -> Visit:
    """The session once what is due has been done, as far as that can be now. Raises UnknownSession."""
    if not attending.needed(visit):
        return visit
    try:
        with within(min(AWHILE, context().settings.budget or AWHILE)):
            return attending.attend(visit)
    except (OutOfTime, StaleVersion, StoreAway, StoreFull):
        return _so_far(visit)  # the rest is done when somebody comes by again
    except UnknownSession:
        raise
    except (ChanceRefused, UnplayableState) as refused:  # what a player who acts there is refused for, too
        LOG.warning("what is due at a session cannot be done", exc_info=refused)
        return visit
    except Exception:
        LOG.exception("what was due at a session could not be done")
        return visit


def _so_far(visit: Visit) -> Visit:
    """The session with what has been done before something was in the way. Raises UnknownSession."""
    try:
        return visit.again()
    except StoreAway:
        return visit


def aftermath(visit: Visit) -> None:
    """What is due after a change has been made; its answer stands already."""
    try:
        attended(attending.afresh(visit))
    except (StoreAway, StoreFull, UnknownSession):
        return
