"""Tokens with a state in them: whatever is done to one, it opens as it was or not at all."""

from __future__ import annotations

import binascii
import random
import tracemalloc
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.sessions import wrapping
from service.sessions.keys import Keyring
from service.sessions.wrapping import HEAD, LARGEST, LENGTH, NONCE, STEP, TAG, BrokenToken, Origin, Wrapping

KEY, OTHER = b"k" * 32, b"o" * 32
ORIGIN = Origin("toy", "0123456789abcdef" * 2, b"salt" * 4)
STATE = b'{"a":1}' + bytes(range(256)) * 6
OPENED = Wrapping(Keyring(lambda: [KEY]))


def url(whole: bytes) -> str:
    return binascii.b2a_base64(whole, newline=False).decode().rstrip("=").replace("+", "-").replace("/", "_")


def raw(token: str) -> bytes:
    plain = token.replace("-", "+").replace("_", "/")
    return binascii.a2b_base64(plain + "=" * (-len(plain) % 4))


def refused(token: str, game: str = "toy", by: Wrapping = OPENED) -> str:
    with pytest.raises(BrokenToken) as broken:
        by.unwrap(game, token)
    return broken.value.why


@pytest.fixture(scope="module")
def token() -> str:
    return OPENED.wrap(ORIGIN, STATE)


def test_a_token_opens_as_it_was(token: str) -> None:
    assert OPENED.unwrap("toy", token) == (ORIGIN, STATE)


@given(st.binary(max_size=20_000))
def test_every_state_comes_back(state: bytes) -> None:
    assert OPENED.unwrap("toy", OPENED.wrap(ORIGIN, state)) == (ORIGIN, state)


def test_its_length_shows_in_steps_of_a_kilobyte_alone() -> None:
    rng = random.Random(1)
    lengths = [len(raw(OPENED.wrap(ORIGIN, rng.randbytes(n)))) for n in range(0, 3000, 7)]
    assert set(lengths) == {HEAD.size + NONCE + TAG + STEP * n for n in (1, 2, 3)}


def test_two_tokens_of_one_state_are_not_alike() -> None:
    one, two = (raw(OPENED.wrap(ORIGIN, STATE)) for _ in range(2))
    assert one[: HEAD.size] == two[: HEAD.size]
    assert one[HEAD.size :][:NONCE] != two[HEAD.size :][:NONCE]
    same = sum(a == b for a, b in zip(one[HEAD.size :], two[HEAD.size :], strict=True))
    assert same < len(one) / 20


def test_nothing_of_the_state_stands_in_it_in_the_clear() -> None:
    whole = raw(OPENED.wrap(ORIGIN, b"emerald" * 300))
    assert b"emerald" not in whole
    assert zlib.compress(b"emerald" * 300, wrapping.LEVEL)[:20] not in whole


def test_every_byte_of_it_counts(token: str) -> None:
    """Flipped in every bit, each byte of head, nonce, contents, padding and tag."""
    whole = raw(token)
    for at in range(len(whole)):
        for bit in range(8):
            changed = bytearray(whole)
            changed[at] ^= 1 << bit
            why = refused(url(bytes(changed)))
            expected = {0: "unknown-version"}.get(at, "unknown-key" if 1 <= at <= 8 else "does-not-open")
            assert why == expected, (at, bit)


@pytest.mark.parametrize("length", [1, 2, 3])
def test_every_letter_of_it_counts(length: int) -> None:
    """The last one too, some bits of which stand for nothing where the bytes do not come out even."""
    token = next(t for t in (_of_length(n) for n in range(1, 4)) if len(raw(t)) % 3 == length % 3)
    alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    places = [*range(60), *range(60, len(token) - 8, 97), *range(len(token) - 8, len(token))]
    for at in places:
        for letter in alphabet if at > len(token) - 9 else "A_z":
            if letter != token[at]:
                refused(token[:at] + letter + token[at + 1 :])


def _of_length(steps: int) -> str:
    return OPENED.wrap(ORIGIN, random.Random(steps).randbytes(steps * STEP - 100))


def test_a_token_that_is_cut_off_or_goes_on_is_none(token: str) -> None:
    for end in range(len(token)):
        refused(token[:end])
    for more in ("A", "AA", "AAA", "AAAA", "=", "==", "\n", " ", token):
        assert refused(token + more) == "malformed"
        assert refused(more + token) in ("malformed", "unknown-version", "unknown-key", "does-not-open")


@pytest.mark.parametrize(
    "token", ["", "x", "=", "š" * 8, "A" * 2000, "+/" * 900, "\x00" * 1500, "A" * 100_000]
)
def test_what_is_no_token_is_refused(token: str) -> None:
    assert refused(token) in ("malformed", "unknown-version")


def test_a_token_is_one_of_its_game(token: str) -> None:
    assert refused(token, "tox") == "does-not-open"
    assert refused(token, "") == "does-not-open"


@pytest.mark.parametrize(
    "other", [Origin("toy", "ff" * 16, ORIGIN.salt), Origin("toy", ORIGIN.game_id, b"x" * 16)]
)
def test_contents_cannot_be_put_under_the_head_of_another_game(token: str, other: Origin) -> None:
    head = raw(OPENED.wrap(other, STATE))[: HEAD.size]
    assert refused(url(head + raw(token)[HEAD.size :])) == "does-not-open"


def test_tokens_of_an_older_key_open_and_those_of_a_lost_one_do_not() -> None:
    older = Wrapping(Keyring(lambda: [OTHER])).wrap(ORIGIN, STATE)
    assert refused(older) == "unknown-key"
    assert Wrapping(Keyring(lambda: [KEY, OTHER])).unwrap("toy", older) == (ORIGIN, STATE)


@pytest.mark.parametrize("version", [0, 2, 255])
def test_a_token_of_another_version_is_told_apart(token: str, version: int) -> None:
    assert refused(url(bytes([version]) + raw(token)[1:])) == "unknown-version"


# -- what only somebody with our key could make ------------------------------------------------------------------


def forged(monkeypatch: pytest.MonkeyPatch, padded: bytes) -> str:
    """A token whose tag is right, whatever is in it."""
    with monkeypatch.context() as patch:
        patch.setattr(wrapping, "_padded", lambda state: padded + bytes(-len(padded) % STEP))
        return OPENED.wrap(ORIGIN, b"")


def test_a_decompression_bomb_is_refused_before_it_goes_off(monkeypatch: pytest.MonkeyPatch) -> None:
    packed = zlib.compress(bytes(200 << 20), 9)
    token = forged(monkeypatch, LENGTH.pack(len(packed)) + packed)
    del packed
    tracemalloc.start()
    try:
        assert refused(token) == "malformed"
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


def test_a_state_may_be_as_large_as_a_body(monkeypatch: pytest.MonkeyPatch) -> None:
    for size, fits in ((LARGEST, True), (LARGEST + 1, False)):
        packed = zlib.compress(bytes(size), 9)
        token = forged(monkeypatch, LENGTH.pack(len(packed)) + packed)
        if fits:
            assert OPENED.unwrap("toy", token) == (ORIGIN, bytes(size))
        else:
            assert refused(token) == "malformed"


PACKED = zlib.compress(b"a state", 1)


@pytest.mark.parametrize(
    "padded",
    [
        LENGTH.pack(len(PACKED)) + PACKED + b"\x00\x01",
        LENGTH.pack(len(PACKED) + 1) + PACKED,
        LENGTH.pack(len(PACKED) - 1) + PACKED,
        LENGTH.pack(2**32 - 1) + PACKED,
        LENGTH.pack(0) + PACKED,
        LENGTH.pack(0),
        LENGTH.pack(2 * len(PACKED)) + PACKED + PACKED,
        LENGTH.pack(7) + b"a state",
    ],
)
def test_what_is_not_padded_and_packed_as_ours_is_refused(
    monkeypatch: pytest.MonkeyPatch, padded: bytes
) -> None:
    assert refused(forged(monkeypatch, padded)) == "malformed"
