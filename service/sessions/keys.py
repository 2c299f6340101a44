"""The server keys: the first signs, all verify. For each purpose a key of its own is derived from them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

SEAL, TOKEN, SEATS, HOOK = b"seal", b"token", b"seats", b"hook"


class Key:
    """A server key. Its name gives nothing away; what is made with it is made with what is derived for the purpose."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self.id = hashlib.sha256(b"arbitr server key\n" + secret).hexdigest()[:16]
        self._derived = {purpose: self._of(purpose) for purpose in (SEAL, TOKEN, SEATS, HOOK)}

    def _of(self, purpose: bytes) -> bytes:
        return hmac.digest(self.secret, b"arbitr " + purpose + b" key", "sha256")

    def mac(self, purpose: bytes, *message: bytes) -> bytes:
        """The HMAC-SHA256 of a message under the key for a purpose."""
        return hmac.digest(self._derived[purpose], b"".join(message), "sha256")


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
