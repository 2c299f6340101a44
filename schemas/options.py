"""The list of options."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schemas.adjudication import DecisionSchema, OptionSchema, Posted
from schemas.base import Bool, Choice, Int, Items, Schema, SeatName, Within
from schemas.checks import Length, Range

MOST = 10_000


class OptionsQuerySchema(Posted):
    """Who must decide, and every legal option; of one actor, of some kinds, at most `limit`, where named."""

    actor = SeatName()
    limit = Int(validate=Range(1, MOST))


def options_query_schema(prefix: str, state: Any, kinds: Sequence[str]) -> type[Schema]:
    """The request of one ruleset."""
    declared = {
        "state": state,
        "kinds": Items(Choice(kinds), validate=Length(1)),
        "__doc__": OptionsQuerySchema.__doc__,
    }
    return type(f"{prefix}OptionsQuerySchema", (OptionsQuerySchema,), declared)


class OptionsSchema(Schema):
    """Who must decide, and the options; not `complete` where `limit` cut them, or a family was left out untried."""

    decisions = Items(Within(DecisionSchema), required=True)
    options = Items(Within(OptionSchema), required=True)
    complete = Bool(required=True)
