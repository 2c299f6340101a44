"""Many questions at once: independent ones, or alternatives on one state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma
import msgspec

from schemas.adjudication import Posted, Proposed, proposal
from schemas.base import Either, Items, Schema, Text, Within
from schemas.checks import Length
from schemas.faults import Fault
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
    """Judge many actions or lines of play: each item on its own state, or all on the one `state` (with its `seal`)."""

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def sealed_state(self, data: Mapping[str, Any], original: Any, **kwargs: Any) -> None:
        """A seal is that of the shared state."""
        if isinstance(original, Mapping) and "seal" in original and "state" not in original:
            raise ma.ValidationError({"seal": [Fault("seal-alone")]})


class BatchItemSchema(Proposed):
    """An action (`action`) or a line of play (`actions`); where the batch has no state, with its own `state` (and its
    `seal`), or a `token` that holds it with the `key` of a seat."""


class AlternativeSchema(Proposed):
    """An action (`action`) or a line of play (`actions`) on the state of the batch."""


def batch_schema(prefix: str, state: Any, own: Any, action: type[Schema]) -> type[Schema]:
    """The request of one ruleset; `state`: the field of the shared state, `own`: that of an item's."""
    brought = {"state": own, "seal": Text(), "token": Text(), "key": Text()}
    item = {**brought, **proposal(action), "__doc__": BatchItemSchema.__doc__}
    items = raw_items(type(f"{prefix}BatchItemSchema", (BatchItemSchema,), item))
    declared = {"state": state, "items": items, "__doc__": BatchSchema.__doc__}
    return type(f"{prefix}BatchSchema", (BatchSchema,), declared)


def raw_items(item: type[Schema]) -> RawItems:
    """The field of the items of a batch."""
    return RawItems(Within(item), required=True, validate=Length(1, MOST_ITEMS))


def alternative_schema(prefix: str, action: type[Schema]) -> type[Schema]:
    """An item of a batch that has one state for all."""
    declared = {**proposal(action), "__doc__": AlternativeSchema.__doc__}
    return type(f"{prefix}AlternativeSchema", (AlternativeSchema,), declared)


def judgements_schema(prefix: str, judgement: type[Schema], held: type[Schema]) -> type[Schema]:
    """One answer an item, in their order: a judgement (`held`: of a state in a token), or what was wrong with it."""
    either = Either([Within(judgement), Within(held), Within(ProblemDetailsSchema)], required=True)
    doc = "A judgement or a problem for every item, in the order of the items."
    return type(
        f"{prefix}JudgementsSchema", (Schema,), {"judgements": Items(either, required=True), "__doc__": doc}
    )
