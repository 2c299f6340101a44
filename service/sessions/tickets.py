"""Tickets: who cannot send a token (a browser's EventSource) shows a ticket, which is good once and not for long."""

from __future__ import annotations

import secrets

from service.sessions.tokens import BYTES, digest
from service.sessions.visit import FORM, Desk, UnknownSession, Visit, known

LIFE = 60  # seconds


def issue(visit: Visit, token: str) -> str:
    """A ticket for the bearer of this token, whose visit it is. Raises StoreFull."""
    ticket = secrets.token_urlsafe(BYTES)
    visit.desk.store.keep_ticket(visit.session, digest(ticket), digest(token).encode(), LIFE)
    return ticket


def redeem(desk: Desk, session: str, ticket: str) -> tuple[Visit, str]:
    """The visit of whom a ticket was issued to, and the digest of his token; the ticket is no good after that.

    Raises UnknownSession, also where the token is nobody's any more.
    """
    told = desk.store.take_ticket(session, digest(ticket)) if FORM.fullmatch(session) else None
    if told is None:
        raise UnknownSession
    return known(desk, session, told.decode()), told.decode()
