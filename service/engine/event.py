"""Events: one thing that happened, the rule that made it happen, and who may know of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct


class Event(Struct, frozen=True):
    """One happening. `whole`: the seats that see it in full (None: everyone); `rest`: what the others see, if any."""

    kind: str
    because: str
    facts: Mapping[str, Any] = {}
    whole: frozenset[str] | None = None
    rest: Mapping[str, Any] | None = None

    def to_wire(self) -> dict[str, Any]:
        """The event in full, plain JSON."""
        return {"kind": self.kind, "because": self.because, **self.facts}

    def seen_by(self, seat: str | None) -> dict[str, Any] | None:
        """What this seat (None: a spectator) sees of it; None if nothing."""
        if self.whole is None or seat in self.whole:
            return self.to_wire()
        if self.rest is None:
            return None
        return {"kind": self.kind, "because": self.because, **self.rest}


class Played(Struct, frozen=True):
    """An action as it was played (chance and automated seats included), and who may know its secret parts.

    `draw`: the number of the draw, of an answer of chance that the service drew.
    """

    action: Mapping[str, Any]
    whole: frozenset[str] | None = None
    open_part: Mapping[str, Any] = {}
    draw: int | None = None

    def to_wire(self) -> dict[str, Any]:
        """The action in full, as records have it: `{"kind", "actor", …parameters, "draw"?}`."""
        return self._numbered(self.action)

    def seen_by(self, seat: str | None) -> dict[str, Any]:
        """The action as this seat saw it."""
        return self._numbered(self.action if self.whole is None or seat in self.whole else self.open_part)

    def _numbered(self, part: Mapping[str, Any]) -> dict[str, Any]:
        return dict(part) if self.draw is None else {**part, "draw": self.draw}
