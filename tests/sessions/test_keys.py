"""The ring of server keys, and the keys of seats that are worked out from them."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from service.sessions import seatkeys
from service.sessions.keys import LONG, SEAL, SEATS, STRETCH, TOKEN, Keyring, feed
from service.sessions.seatkeys import WrongKey
from service.sessions.tokens import DEALER, SEAT, SPECTATOR, Bearer, well_formed
from service.sessions.wrapping import Origin

OLD, NEW = b"o" * 32, b"n" * 32
ORIGIN = Origin("toy", "ab" * 16, b"s" * 16)
TABLE = ("ann", "bob", "dealer")


def ring(*secrets: bytes) -> Keyring:
    return Keyring(lambda: secrets)


def test_the_first_key_signs_and_all_are_known_by_their_names() -> None:
    keys = ring(NEW, OLD)
    names = [hashlib.sha256(b"arbitr server key\n" + k).hexdigest()[:16] for k in (NEW, OLD)]
    assert keys.first.id == names[0]
    assert [k.secret for k in map(keys.get, names) if k is not None] == [NEW, OLD]
    assert keys.get("0" * 16) is None


@pytest.mark.parametrize(
    "size", [0, 1, 63, 64, 65, STRETCH - 1, STRETCH, STRETCH + 1, 5000, LONG, LONG + 1, 100_000]
)
def test_a_mac_is_that_of_the_standard_library_whatever_its_message(size: int) -> None:
    key, message = ring(OLD).first, bytes(n % 251 for n in range(size))
    for purpose in (SEAL, TOKEN, SEATS):
        derived = hmac.digest(OLD, b"arbitr " + purpose + b" key", "sha256")
        wanted = hmac.digest(derived, message, "sha256")
        for _ in range(2):  # what is begun once is not used up
            assert key.mac(purpose, message) == wanted
            assert key.mac(purpose, message[:7], b"", message[7:]) == wanted


@pytest.mark.parametrize("size", [0, STRETCH, STRETCH + 1, LONG, LONG + 1])
def test_what_is_fed_in_stretches_is_what_is_hashed_at_once(size: int) -> None:
    made, data = hashlib.sha256(b"begun"), bytes(n % 253 for n in range(size))
    feed(made, data)
    assert made.digest() == hashlib.sha256(b"begun" + data).digest()


def test_each_purpose_has_a_key_of_its_own() -> None:
    key = ring(NEW).first
    macs = {key.mac(purpose, b"the same") for purpose in (SEAL, TOKEN, SEATS)}
    assert len(macs) == 3
    derived = hmac.digest(NEW, b"arbitr seal key", "sha256")
    assert key.mac(SEAL, b"the ", b"same") == hmac.digest(derived, b"the same", "sha256")


def test_a_seat_key_is_that_of_one_seat_in_one_game() -> None:
    keys = seatkeys.keys_of(ring(NEW), ORIGIN, TABLE, dealt=True)
    every = [*keys.seats.values(), keys.spectator, keys.dealer]
    assert len(set(every)) == len(every) == 5
    assert all(well_formed(key) for key in every if key is not None)
    found = {seat: seatkeys.bearer(ring(NEW), ORIGIN, TABLE, key) for seat, key in keys.seats.items()}
    assert found == {seat: Bearer(SEAT, seat) for seat in TABLE}
    assert seatkeys.bearer(ring(NEW), ORIGIN, TABLE, keys.spectator) == Bearer(SPECTATOR)
    assert seatkeys.bearer(ring(NEW), ORIGIN, TABLE, str(keys.dealer)) == Bearer(DEALER)


@pytest.mark.parametrize(
    "other",
    [
        Origin("pot", ORIGIN.game_id, ORIGIN.salt),
        Origin("toy", "ba" * 16, ORIGIN.salt),
        Origin("toy", ORIGIN.game_id, b"t" * 16),
    ],
)
def test_a_key_of_another_game_is_nobodys_here(other: Origin) -> None:
    """Another salt, too: who sets up the same game again, from the same seed, gets other keys."""
    key = seatkeys.keys_of(ring(NEW), ORIGIN, TABLE, dealt=False).seats["ann"]
    with pytest.raises(WrongKey):
        seatkeys.bearer(ring(NEW), other, TABLE, key)


@pytest.mark.parametrize("given", ["", "x", "š", "A" * 22, "A" * 1_000_000])
def test_what_is_no_key_is_nobodys(given: str) -> None:
    with pytest.raises(WrongKey):
        seatkeys.bearer(ring(NEW), ORIGIN, TABLE, given)


def test_seat_keys_outlive_a_new_server_key_and_not_the_loss_of_theirs() -> None:
    key = seatkeys.keys_of(ring(OLD), ORIGIN, TABLE, dealt=False).seats["ann"]
    assert seatkeys.bearer(ring(NEW, OLD), ORIGIN, TABLE, key) == Bearer(SEAT, "ann")
    with pytest.raises(WrongKey):
        seatkeys.bearer(ring(NEW), ORIGIN, TABLE, key)


def test_who_has_left_the_table_is_nobody() -> None:
    key = seatkeys.keys_of(ring(OLD), ORIGIN, TABLE, dealt=False).seats["bob"]
    with pytest.raises(WrongKey):
        seatkeys.bearer(ring(OLD), ORIGIN, ("ann",), key)
