"""Tokens: who holds one is who sits there. Only their digests are kept."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

BYTES = 16  # 128 random bits
FORM = re.compile(r"[A-Za-z0-9_-]{22}")
SEAT, HOST, DEALER, SPECTATOR = "seat", "host", "dealer", "spectator"


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who asks: the role, and the seat of a seat's token."""

    role: str
    seat: str | None = None

    @property
    def name(self) -> str:
        """One name for role and seat together."""
        return f"{self.role}:{self.seat}" if self.seat is not None else self.role


class Tokens(msgspec.Struct, frozen=True):
    """The tokens of a session, or their digests."""

    seats: dict[str, str]
    host: str
    dealer: str
    spectator: str

    def digested(self) -> Tokens:
        """What is kept of them."""
        seats = {seat: digest(token) for seat, token in self.seats.items()}
        return Tokens(seats, digest(self.host), digest(self.dealer), digest(self.spectator))

    def bearer(self, token: str) -> Bearer | None:
        """Whose token it is, of these digests; None if nobody's."""
        return self.holder(digest(token))

    def holder(self, given: str) -> Bearer | None:
        """The same of a token's digest. All are compared, each in constant time."""
        found = None
        for role, seat, kept in self._each():
            if hmac.compare_digest(given, kept):
                found = Bearer(role, seat)
        return found

    def _each(self) -> list[tuple[str, str | None, str]]:
        seats: list[tuple[str, str | None, str]] = [(SEAT, seat, kept) for seat, kept in self.seats.items()]
        roles = [(HOST, None, self.host), (DEALER, None, self.dealer), (SPECTATOR, None, self.spectator)]
        return seats + roles


def fresh(seats: Sequence[str]) -> Tokens:
    """New tokens for a session with these seats."""
    each = {seat: secrets.token_urlsafe(BYTES) for seat in seats}
    return Tokens(each, *(secrets.token_urlsafe(BYTES) for _ in range(3)))


def digest(token: str) -> str:
    """The digest of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def well_formed(token: str) -> bool:
    """Whether it could be a token of ours."""
    return FORM.fullmatch(token) is not None
