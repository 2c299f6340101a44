"""What a type declares of the ids in it: that a string names a seat of the table, that a list names each thing once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True)
class IsSeat:
    """The string names a seat of the table."""


@dataclass(frozen=True)
class Distinct:
    """The list names nothing twice; `rule`: the clause that says so."""

    rule: str | None = None


SeatRef = Annotated[str, IsSeat()]
