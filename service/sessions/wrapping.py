"""Tokens that hold a state which nobody can read: compressed, padded, encrypted, and bound to their game.

A token is base64url without padding of HEAD, a nonce, and what AES-256-GCM makes of the padded state with its tag. The
head stands in the clear; the encryption is bound to it and to the name of the game. docs/seals.md says it to the byte.
"""

from __future__ import annotations

import binascii
import secrets
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from service.sessions.keys import TOKEN, Key, Keyring

VERSION = 1
STEP = 1024  # bytes; how long a state is shows in steps of so many
LARGEST = 1 << 20  # bytes of a state
LEVEL = 1
NONCE, TAG = 12, 16
HEAD = struct.Struct(">B8s16s16s")  # version, key id, game id, salt
LENGTH = struct.Struct(">I")
TO_URL, FROM_URL = bytes.maketrans(b"+/", b"-_"), bytes.maketrans(b"-_", b"+/")


class BrokenToken(Exception):
    """A token that cannot be opened, and `why`.

    `of`: where something is of an unknown version, what (`token` or `schema`); `known`: the versions of it that we
    know.
    """

    def __init__(self, why: str, of: str = "", known: Sequence[int] = ()) -> None:
        super().__init__(why)
        self.why, self.of, self.known = why, of, known


@dataclass(frozen=True)
class Origin:
    """What all tokens of a game have in common. `salt` tells games apart whose set-ups, and so their ids, are alike."""

    game: str
    game_id: str
    salt: bytes

    @classmethod
    def of(cls, game: str, game_id: str) -> Origin:
        """A game that begins."""
        return cls(game, game_id, secrets.token_bytes(16))


class Wrapping:
    """Puts states into tokens and takes them out."""

    def __init__(self, ring: Keyring) -> None:
        self._ring = ring

    def wrap(self, origin: Origin, state: bytes) -> str:
        """A token with this state."""
        key, nonce = self._ring.first, secrets.token_bytes(NONCE)
        head = HEAD.pack(VERSION, bytes.fromhex(key.id), bytes.fromhex(origin.game_id), origin.salt)
        closed = _cipher(key, origin).encrypt(nonce, _padded(state), _bound_to(head, origin.game))
        return _text(head + nonce + closed)

    def unwrap(self, game: str, token: str) -> tuple[Origin, bytes]:
        """The game that a token is of, and its state. Raises BrokenToken."""
        whole = _bytes(token)
        head, nonce, closed = whole[: HEAD.size], whole[HEAD.size :][:NONCE], whole[HEAD.size + NONCE :]
        version, key_id, game_id, salt = HEAD.unpack(head)
        if version != VERSION:
            raise BrokenToken("unknown-version", "token", (VERSION,))
        if len(closed) <= TAG or (len(closed) - TAG) % STEP:
            raise BrokenToken("malformed")
        key, origin = self._ring.get(key_id.hex()), Origin(game, game_id.hex(), salt)
        if key is None:
            raise BrokenToken("unknown-key")
        try:
            padded = _cipher(key, origin).decrypt(nonce, closed, _bound_to(head, game))
        except InvalidTag:
            raise BrokenToken("does-not-open") from None
        return origin, _unpadded(padded)


@lru_cache(maxsize=4096)
def _cipher(key: Key, origin: Origin) -> AESGCM:
    """A key for each game, so that random nonces never come near to being used up."""
    return AESGCM(key.mac(TOKEN, bytes.fromhex(origin.game_id), origin.salt))


def _bound_to(head: bytes, game: str) -> bytes:
    return b"arbitr token\n" + head + game.encode()


def _padded(state: bytes) -> bytes:
    packed = zlib.compress(state, LEVEL)
    told = LENGTH.pack(len(packed)) + packed
    return told + bytes(-len(told) % STEP)


def _unpadded(padded: bytes) -> bytes:
    """The state; what is not as we pad it and pack it, or would be larger than any state, is refused."""
    (length,) = LENGTH.unpack_from(padded)
    packed, rest = padded[LENGTH.size :][:length], padded[LENGTH.size + length :]
    stream = zlib.decompressobj()
    try:
        state = stream.decompress(packed, LARGEST + 1)
    except zlib.error:
        raise BrokenToken("malformed") from None
    if (
        not stream.eof
        or stream.unused_data
        or len(state) > LARGEST
        or len(packed) != length
        or rest.strip(b"\0")
    ):
        raise BrokenToken("malformed")
    return state


def _text(whole: bytes) -> str:
    return binascii.b2a_base64(whole, newline=False).rstrip(b"=").translate(TO_URL).decode()


def _bytes(token: str) -> bytes:
    """Of the texts that some readers take for the same bytes only one is taken."""
    if not token.isascii() or any(letter in token for letter in "+/="):
        raise BrokenToken("malformed")
    try:
        plain = token.encode().translate(FROM_URL)
        whole = binascii.a2b_base64(plain + b"=" * (-len(plain) % 4), strict_mode=True)
    except binascii.Error:
        raise BrokenToken("malformed") from None
    tail = len(whole) % 3
    if len(whole) < HEAD.size or (tail and _text(whole[-tail:]) != token[-tail - 1 :]):
        raise BrokenToken("malformed")
    return whole
