"""Seat keys of games that are held in tokens: who has one is who sits there. None is kept: they are worked out."""

from __future__ import annotations

import hmac
from binascii import b2a_base64
from collections.abc import Iterator, Sequence
from functools import lru_cache

import msgspec

from service.engine.state import encode
from service.sessions.keys import SEATS, Key, Keyring
from service.sessions.tokens import DEALER, SEAT, SPECTATOR, Bearer
from service.sessions.wrapping import Origin

BYTES = 16  # of the HMAC; 128 bits, as tokens of sessions have


class WrongKey(Exception):
    """A key that is nobody's in this game."""


class SeatKeys(msgspec.Struct, frozen=True, omit_defaults=True):
    """The keys of a game. `dealer` answers for chance where people draw and no seat sees it."""

    seats: dict[str, str]
    spectator: str
    dealer: str | None = None


def keys_of(ring: Keyring, origin: Origin, seats: Sequence[str], dealt: bool) -> SeatKeys:
    """The keys of a game that begins; `dealt`: people draw."""
    first = ring.first
    each = {seat: _key(first, origin, Bearer(SEAT, seat)) for seat in seats}
    dealer = _key(first, origin, Bearer(DEALER)) if dealt else None
    return SeatKeys(each, _key(first, origin, Bearer(SPECTATOR)), dealer)


@lru_cache(maxsize=4096)
def bearer(ring: Keyring, origin: Origin, seats: tuple[str, ...], given: str) -> Bearer:
    """Whose key it is. All are compared, each in constant time; whoever was found is remembered. Raises WrongKey."""
    found: Bearer | None = None
    for key in ring:
        for one in _bearers(seats):
            if hmac.compare_digest(_key(key, origin, one).encode(), given.encode()):
                found = one
    if found is None:
        raise WrongKey
    return found


def _bearers(seats: Sequence[str]) -> Iterator[Bearer]:
    yield from (Bearer(SEAT, seat) for seat in seats)
    yield Bearer(DEALER)
    yield Bearer(SPECTATOR)


def _key(key: Key, origin: Origin, who: Bearer) -> str:
    told = encode([origin.game, origin.game_id, origin.salt.hex(), who.role, who.seat])
    mac = key.mac(SEATS, told)[:BYTES]
    return b2a_base64(mac, newline=False).rstrip(b"=").replace(b"+", b"-").replace(b"/", b"_").decode()
