"""Registering a webhook at a session: one for each token of a seat, for the host's and for the dealer's."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from service.sessions.keys import Keyring
from service.sessions.sitting import awaited
from service.sessions.tokens import DEALER, HOST, SEAT
from service.sessions.visit import UnknownSession, Visit
from service.webhooks import hooks, signing
from service.webhooks.hooks import Hook
from service.webhooks.telling import begun

TRIES = 50  # changes that others may make before
LATER = 30_000  # ms; more than it takes to write a hook
WHO = (SEAT, HOST, DEALER)


class NoWebhook(Exception):
    """The bearer has none."""


@dataclass(frozen=True)
class Registered:
    """A new hook with its secret, which is told this once."""

    hook: Hook
    secret: bytes


def register(visit: Visit, url: str, keys: Keyring) -> Registered:
    """Give the bearer a webhook in the place of any that he has; the URL has been looked at. The state of the table
    must have been read. Raises NotAllowed; UnknownSession also where the token has been taken away meanwhile."""
    visit.demand(*WHO)
    store, now, key = visit.desk.store, visit.desk.now() * 1000, keys.first
    found = Hook(
        id=secrets.token_hex(8),
        bearer=visit.bearer.name,
        holder=_holder(visit),
        url=url,
        key_id=key.id,
        told=visit.version,
        seen=now,
    )
    hook = begun(found, awaited(visit))
    # Planned first, for the case that we are killed; for later, since what is due and not there is crossed out.
    store.plan_hook(name_of(visit.session, hook), now + LATER)
    gone = _changed(visit, lambda others: [*others, hook])
    store.plan_hook(name_of(visit.session, hook), now)
    store.drop_hooks([name_of(visit.session, each) for each in gone])
    return Registered(hook, signing.secret(key, visit.session, hook.id))


def registered(visit: Visit) -> Hook:
    """The bearer's webhook. Raises NotAllowed, NoWebhook."""
    visit.demand(*WHO)
    every = hooks.read(visit.desk.store.hooks(visit.session))
    mine = [hook for hook in every if _his(visit, hook) and hook.holder == _holder(visit)]
    if not mine:
        raise NoWebhook
    return mine[0]


def remove(visit: Visit) -> None:
    """Take the bearer's webhook away, if he has one. Raises as `register`."""
    visit.demand(*WHO)
    gone = _changed(visit, lambda others: others)
    visit.desk.store.drop_hooks([name_of(visit.session, each) for each in gone])


def name_of(session: str, hook: Hook) -> str:
    """The name of a hook in the plan."""
    return f"{session}/{hook.id}"


def _his(visit: Visit, hook: Hook) -> bool:
    return hook.bearer == visit.bearer.name


def _holder(visit: Visit) -> str:
    return hooks.holder(hooks.about(visit.stored.about).tokens, visit.bearer.name) or ""


def _changed(visit: Visit, change: Callable[[list[Hook]], Sequence[Hook]]) -> list[Hook]:
    """Change the hooks of all others to what is to be there; those that the bearer had.

    His token is looked at after the hooks: whoever has his place now may set one only after that, and then the hooks
    are others than those that were read. So of the hooks in his name none is a successor's.
    """
    store = visit.desk.store
    for _ in range(TRIES):
        before = store.hooks(visit.session)
        visit.again()
        every = hooks.read(before)
        after = hooks.kept(change([hook for hook in every if not _his(visit, hook)]))
        if after == before or store.swap_hooks(visit.session, before, after):
            return [hook for hook in every if _his(visit, hook)]
    raise UnknownSession  # it has ended: nobody is quicker fifty times
