"""How often sessions may be opened and changed: by an address here, over all workers; by a token in the commit."""

from flask import request

from service.http import limits
from service.http.context import context, desk
from service.http.metrics import observed
from service.http.problems import Problem
from service.sessions.rates import Rate, TooOften
from service.sessions.store import StoreAway, StoreFull

ADDRESS = "address-actions"


def charge() -> None:
    """Charge the address for a request that is to open or change a session. Raises TooOften.

    The bucket has a key of its own, which may be on another server than the session: where it cannot be had, that is no
    reason to refuse anything.
    """
    settings = context().settings
    rate = Rate(ADDRESS, settings.address_rate if settings.rate else 0)
    if not (rate.a_second and observed()):
        return
    try:
        spent = desk().store.spend(limits.address_of(request.remote_addr or ""), rate)
    except (StoreAway, StoreFull):
        return
    if not spent.enough:
        raise TooOften(spent)
    limits.note_spent(spent)


def from_too_often(error: TooOften) -> Problem:
    """When to go on."""
    limits.note_spent(error.spent)
    seconds = error.spent.wait
    return Problem("too-many-requests", headers={"Retry-After": str(seconds)}, seconds=seconds)
