"""A string that names a seat of the table, declared on its type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated


@dataclass(frozen=True)
class IsSeat:
    """The string names a seat of the table."""


SeatRef = Annotated[str, IsSeat()]
