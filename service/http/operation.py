"""Operation: whether the worker answers, and whether it has all it needs."""

from functools import partial
from typing import Any

from flask import request

from schemas.operation import PARTS, LiveSchema, ReadySchema
from service.http import readiness
from service.http.api import Blueprint
from service.http.context import Context, context
from service.http.readiness import GAMES, KEYS, PROCESS, STORE, STREAMS, TIME, Check

blueprint = Blueprint("operation", __name__, description="Operation.")


@blueprint.route("/livez")
@blueprint.answers(LiveSchema, errors=(406,))
def livez() -> dict[str, str]:
    """Say that this worker answers."""
    return {"status": "ok"}


@blueprint.route("/readyz")
@blueprint.answers(ReadySchema, errors=(400, 406, 503), query=("exclude",))
def readyz() -> dict[str, Any]:
    """Say whether the worker has all that it needs, or list what is missing; the stateless calls need no store."""
    without = readiness.excluded(request.args.lists())
    readiness.demand_ready(readiness.missing(checks(context()), without))
    return {"status": "ok", "checked": [what for what in PARTS if what not in without]}


def checks(held: Context) -> dict[str, Check]:
    """What is looked at, in this order."""
    return {
        PROCESS: readiness.stopping,
        STORE: held.store.unreachable,
        TIME: partial(readiness.skew, held.store),
        STREAMS: partial(readiness.stream_process, held.settings),
        GAMES: partial(readiness.games, held.contracts),
        KEYS: partial(readiness.keys, held.settings, held.keys),
    }
