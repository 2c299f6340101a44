"""Operation: whether the worker answers, and whether it has all it needs."""

from typing import Any

from schemas.operation import LiveSchema, ReadySchema
from service.http.api import Blueprint
from service.http.context import context
from service.http.problems import Problem

RETRY_AFTER = "5"

blueprint = Blueprint("operation", __name__, description="Operation.")


@blueprint.route("/livez")
@blueprint.answers(LiveSchema, errors=(406,))
def livez() -> dict[str, str]:
    """Say that this worker answers."""
    return {"status": "ok"}


@blueprint.route("/readyz")
@blueprint.answers(ReadySchema, errors=(406, 503))
def readyz() -> dict[str, str]:
    """Say whether the store of the sessions can be reached; the stateless calls work without it."""
    missing = context().store.unreachable()
    if missing is not None:
        extra: dict[str, Any] = {"missing": [{"what": "store", "why": missing}]}
        raise Problem("store-unavailable", extra=extra, headers={"Retry-After": RETRY_AFTER})
    return {"status": "ok", "store": "ok"}
