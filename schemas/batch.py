"""Many questions at once: independent ones, or alternatives on one state."""

from __future__ import annotations

from typing import Any

import msgspec

from schemas.adjudication import Posted, Proposed, proposal
from schemas.base import Either, Items, Schema, Within
from schemas.checks import Length
from schemas.problem import ProblemDetailsSchema

MOST_ITEMS = 200


class RawItems(Items):
    """A list whose entries are left as they came: each is loaded by itself, so that a bad one spoils no other."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> list[Any]:
        try:
            return msgspec.json.decode(value, type=list[msgspec.Raw])
        except msgspec.ValidationError:
            raise self.make_error("list") from None


class BatchSchema(Posted):
    """Judge many actions or lines of play: each item on its own state, or all on the one `state`."""


class BatchItemSchema(Proposed):
    """An action (`action`) or a line of play (`actions`); with its own `state` where the batch has none."""


def batch_schema(prefix: str, state: Any, own: Any, action: type[Schema]) -> type[Schema]:
    """The request of one ruleset; `state`: the field of the shared state, `own`: that of an item's."""
    item = _item(f"{prefix}BatchItemSchema", action, {"state": own})
    items = RawItems(Within(item), required=True, validate=Length(1, MOST_ITEMS))
    declared = {"state": state, "items": items, "__doc__": BatchSchema.__doc__}
    return type(f"{prefix}BatchSchema", (BatchSchema,), declared)


def alternative_schema(prefix: str, action: type[Schema]) -> type[Schema]:
    """An item of a batch that has one state for all."""
    return _item(f"{prefix}AlternativeSchema", action, {})


def _item(name: str, action: type[Schema], state: dict[str, Any]) -> type[Schema]:
    declared = {**state, **proposal(action), "__doc__": BatchItemSchema.__doc__}
    return type(name, (BatchItemSchema,), declared)


def judgements_schema(prefix: str, judgement: type[Schema]) -> type[Schema]:
    """One answer an item, in their order: a judgement, or what was wrong with the item."""
    either = Either([Within(judgement), Within(ProblemDetailsSchema)], required=True)
    doc = "A judgement or a problem for every item, in the order of the items."
    return type(
        f"{prefix}JudgementsSchema", (Schema,), {"judgements": Items(either, required=True), "__doc__": doc}
    )
