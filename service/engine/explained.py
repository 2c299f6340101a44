"""What the rules chose by themselves, and why: told to who asks for explanations, and worked out for nobody else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Reasoned:
    """A choice that a clause made: what was looked at, and what of it was chosen.

    `of`: every candidate, `{"value", "chosen", …}` with the figures that decided. It tells what everybody sees.
    """

    about: str
    because: str
    facts: Mapping[str, Any]
    of: Sequence[Mapping[str, Any]]

    def to_wire(self) -> dict[str, Any]:
        """`{"about", "because", …facts, "of"}`."""
        return {"about": self.about, "because": self.because, **self.facts, "of": [dict(c) for c in self.of]}

    def told(self) -> dict[str, Any]:
        """The facts for its sentence: with the values that were `chosen`, and those that were `left`."""
        chosen = [c["value"] for c in self.of if c["chosen"]]
        left = [c["value"] for c in self.of if not c["chosen"]]
        return {"about": self.about, "because": self.because, **self.facts, "chosen": chosen, "left": left}
