"""The states that this process read or made last: a session whose bytes are still the same is not decoded again."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from service.engine.ruleset import Ruleset
from service.engine.state import AnyState
from service.sessions import ledger

MOST = 128  # sessions; a state takes some tens of KiB


class Recent:
    """States by session, each with the bytes that the store has of it.

    It is asked with the bytes that were read just now, so whatever has become of a session meanwhile (another process,
    undo, a new session of the same name) it answers what decoding would: it knows nothing but what bytes mean.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._states: OrderedDict[str, tuple[str, bytes, AnyState]] = OrderedDict()
        self._lock = Lock()

    def state(self, session: str, rules: Ruleset, packed: bytes) -> AnyState:
        """The state of these bytes, which nobody may change. Raises msgspec.DecodeError."""
        found = self._states.get(session)
        if found is not None and found[1] == packed and found[0] == rules.name:
            return found[2]
        state = rules.decode(ledger.unpacked(packed))
        self.note(session, rules, packed, state)
        return state

    def note(self, session: str, rules: Ruleset, packed: bytes, state: AnyState) -> None:
        """Remember a state and its bytes; the longest unused is forgotten."""
        with self._lock:
            self._states[session] = rules.name, packed, state
            self._states.move_to_end(session)
            if len(self._states) > self._most:
                self._states.popitem(last=False)
