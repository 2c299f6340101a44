"""Seals: a state that comes back as it was answered needs no search for problems, and cannot have been altered.

docs/seals.md says what is sealed, to the byte.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

from service.engine.state import SCHEMA, AnyState, encode
from service.sessions.keys import SEAL, Key, Keyring

VERSION = 1
NO_PARENT = "0"
FORM = re.compile(r"([1-9][0-9]{0,3})\.(.*)", re.ASCII | re.DOTALL)
FIRST_FORM = re.compile(r"([0-9a-f]{16})\.(0|[0-9a-f]{64})\.([0-9a-f]{64})", re.ASCII)


class BrokenSeal(Exception):
    """A seal that does not hold, and `why`; it is never taken for none.

    `of`: where something is of an unknown version, what (`seal` or `schema`); `known`: the versions of it that we know.
    """

    def __init__(self, why: str, of: str = "", known: Sequence[int] = ()) -> None:
        super().__init__(why)
        self.why, self.of, self.known = why, of, known


class Seals:
    """Seals states, and says whether a seal holds."""

    def __init__(self, ring: Keyring) -> None:
        self._ring = ring

    def seal(self, state: AnyState, canonical: bytes, parent: str | None) -> str:
        """The seal of a state. `canonical`: the state's canonical JSON; `parent`: the seal of the state that it
        came from."""
        above = NO_PARENT if parent is None else hashlib.sha256(parent.encode()).hexdigest()
        key = self._ring.first
        return f"{VERSION}.{key.id}.{above}.{_mac(key, state, canonical, above).hex()}"

    def demand(self, state: AnyState, canonical: bytes, seal: str) -> None:
        """Raises BrokenSeal where the seal is not that of this state.

        First comes its form, then whether state and seal are of versions that we know, then the key, then the digest.
        """
        key_id, above, mac = read(seal, state.schema)
        key = self._ring.get(key_id)
        if key is None:
            raise BrokenSeal("unknown-key")
        if not hmac.compare_digest(_mac(key, state, canonical, above), mac):
            raise BrokenSeal("does-not-hold")


def read(seal: str, schema: int) -> tuple[str, str, bytes]:
    """The key id, the parent and the digest that a seal names; `schema`: that of the state under it.

    Raises BrokenSeal where it is none by its form, or where either is of a version that we do not know.
    """
    versioned = FORM.fullmatch(seal)
    if versioned is None:
        raise BrokenSeal("malformed")
    if int(versioned[1]) != VERSION:
        raise BrokenSeal("unknown-version", "seal", (VERSION,))
    parts = FIRST_FORM.fullmatch(versioned[2])
    if parts is None:
        raise BrokenSeal("malformed")
    if schema != SCHEMA:  # what is sealed in it, only a release knows that writes it
        raise BrokenSeal("unknown-version", "schema", (SCHEMA,))
    return parts[1], parts[2], bytes.fromhex(parts[3])


def _mac(key: Key, state: AnyState, canonical: bytes, above: str) -> bytes:
    """Both parts are JSON, so that the line feed between them can be nowhere else."""
    ruleset = f"{state.game} {state.ruleset}"
    head = encode(["arbitr seal", VERSION, key.id, ruleset, state.schema, state.game_id, above])
    return key.mac(SEAL, head, b"\n", canonical)
