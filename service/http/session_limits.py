"""How often sessions may be opened and changed: by an address here, over all workers; by a token in the commit."""

from flask import request

from service.http import limits
from service.http.context import context, desk
from service.http.metrics import observed
from service.http.problems import Problem
from service.sessions.rates import Rate, TooOften
from service.sessions.store import StoreAway, StoreFull

ADDRESS, WEBHOOKS = "address-actions", "session-webhooks"
WEBHOOK_RATE = 1  # that may be set a second in one session


def charge() -> None:
    """Charge the address for a request that is to open or change a session. Raises TooOften.

    The bucket has a key of its own, which may be on another server than the session: where it cannot be had, that is no
    reason to refuse anything.
    """
    _charge(limits.address_of(request.remote_addr or ""), ADDRESS, context().settings.address_rate)


def charge_webhook(session: str) -> None:
    """Charge a session for a webhook that is to be set, each of which sends a message. Raises TooOften."""
    _charge(f"webhooks:{session}", WEBHOOKS, WEBHOOK_RATE)


def _charge(name: str, policy: str, a_second: int) -> None:
    rate = Rate(policy, a_second if context().settings.rate else 0)
    if not (rate.a_second and observed()):
        return
    try:
        spent = desk().store.spend(name, rate)
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
