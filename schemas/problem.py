"""Problems: of a state that cannot exist, and problem details (RFC 9457) of a request."""

from __future__ import annotations

from typing import Any

from schemas.adjudication import Posted
from schemas.base import Bool, Int, Items, Open, Schema, Text, Within


class ProblemsQuerySchema(Posted):
    """Why this state cannot exist."""


def problems_query_schema(prefix: str, state: Any) -> type[Schema]:
    """The request of one ruleset."""
    declared = {"state": state, "__doc__": ProblemsQuerySchema.__doc__}
    return type(f"{prefix}ProblemsQuerySchema", (ProblemsQuerySchema,), declared)


class ProblemSchema(Schema):
    """One reason why a state cannot exist: where, and why."""

    pointer = Text(required=True)
    rule = Text()
    message = Text(required=True)


class ProblemsSchema(Schema):
    """Every reason; none where the state can exist. Not `complete` where there are too many to list."""

    problems = Items(Within(ProblemSchema), required=True)
    complete = Bool()


class FaultSchema(Schema):
    """One fault of a request: where (a JSON Pointer into the body; with `in`, into the query), and what."""

    pointer = Text(required=True)
    message = Text(required=True)
    rule = Text()


FaultSchema._declared_fields["in"] = Text()


class MissingSchema(Schema):
    """Something that a service lacks: what, why (for its operator), and what that means."""

    what = Text(required=True)
    why = Text(required=True)
    message = Text(required=True)


class ProblemDetailsSchema(Open):
    """What went wrong (RFC 9457). `type` leads to a page that explains it."""

    type = Text(required=True, metadata={"format": "uri-reference"})
    title = Text(required=True)
    status = Int(required=True)
    detail = Text(required=True)
    instance = Text(required=True, metadata={"format": "uri-reference"})
    errors = Items(Within(FaultSchema))
    problems = Items(Within(ProblemSchema))
    complete = Bool()
    missing = Items(Within(MissingSchema))
