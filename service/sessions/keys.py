"""The server keys: the first signs, all verify. For each purpose a key of its own is derived from them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

SEAL, TOKEN, SEATS, HOOK = b"seal", b"token", b"seats", b"hook"
BLOCK = 64  # bytes of a block of SHA-256
# Where more is hashed at once, Python lets other threads take over, which takes longer than to hash so few bytes.
STRETCH, LONG = 2047, 32_768


class Key:
    """A server key. Its name gives nothing away; what is made with it is made with what is derived for the purpose."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.id = hashlib.sha256(b"arbitr server key\n" + secret).hexdigest()[:16]
        self._begun = {purpose: begun(self._of(purpose)) for purpose in (SEAL, TOKEN, SEATS, HOOK)}

    def _of(self, purpose: bytes) -> bytes:
        return hmac.digest(self.secret, b"arbitr " + purpose + b" key", "sha256")

    def mac(self, purpose: bytes, *message: bytes) -> bytes:
        """The HMAC-SHA256 of a message under the key for a purpose."""
        inner, outer = self._begun[purpose]
        told, sealed = inner.copy(), outer.copy()
        for part in message:
            if len(part) <= STRETCH:
                told.update(part)
            else:
                feed(told, part)
        sealed.update(told.digest())
        return sealed.digest()


def begun(key: bytes) -> tuple[Any, Any]:
    """The two digests of an HMAC-SHA256 (RFC 2104) under a key no longer than a block, before its message."""
    padded = key.ljust(BLOCK, b"\0")
    return tuple(hashlib.sha256(bytes([byte ^ pad for byte in padded])) for pad in (0x36, 0x5C))  # type: ignore[return-value]


def feed(made: Any, data: bytes) -> None:
    """Update a digest, in stretches so short that no other thread takes over in between, unless there is much."""
    if STRETCH < len(data) <= LONG:
        view = memoryview(data)
        for at in range(0, len(data), STRETCH):
            made.update(view[at : at + STRETCH])
    else:
        made.update(data)


class Keyring:
    """All server keys; `ask` is asked for them when the first is needed, not before."""

    def __init__(self, ask: Callable[[], Sequence[bytes]]) -> None:
        self._ask = ask

    @cached_property
    def _keys(self) -> dict[str, Key]:
        return {key.id: key for key in map(Key, self._ask())}

    @property
    def first(self) -> Key:
        """The key that signs."""
        return next(iter(self))

    def get(self, key_id: str) -> Key | None:
        """The key of this name, if we have it."""
        return self._keys.get(key_id)

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys.values())
