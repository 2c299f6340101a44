"""What one seat may know of a state."""

from __future__ import annotations

from typing import Any

from schemas.adjudication import DecisionSchema, Posted
from schemas.base import Items, Keyed, Schema, SeatName, Within


class ViewQuerySchema(Posted):
    """What a seat may know; null asks for what a spectator sees."""

    seat = SeatName(required=True, allow_none=True, chance=False)


def view_query_schema(prefix: str, state: Any) -> type[Schema]:
    """The request of one ruleset."""
    declared = {"state": state, "__doc__": ViewQuerySchema.__doc__}
    return type(f"{prefix}ViewQuerySchema", (ViewQuerySchema,), declared)


class ViewSchema(Schema):
    """The view and who must decide."""

    view = Keyed(required=True)
    decisions = Items(Within(DecisionSchema), required=True)
