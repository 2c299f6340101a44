"""Sessions: games that the service keeps. A token says who asks; a version says what is acted on."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from flask import Response, request
from werkzeug.http import http_date

from schemas.options import MOST
from schemas.record import RecordSchema
from schemas.session import (
    MovedSchema,
    OpenedSchema,
    RewindSchema,
    SessionOptionsSchema,
    TableSchema,
    UndoSchema,
)
from service.engine.budget import within
from service.engine.ruleset import Ruleset
from service.http import api_keys, bearer, idempotency, metrics, preconditions, session_limits, session_wire
from service.http.answers import answer, encoded
from service.http.api import Blueprint
from service.http.attending import aftermath, attended
from service.http.body import read_body
from service.http.context import context, desk, loaded
from service.http.idempotency import KeptAnswer
from service.http.locale import language
from service.http.queries import demand_query, number
from service.http.states import wish
from service.sessions import acting, opening, reading, referee, undoing
from service.sessions.acting import IllegalAction, Made, Proposal
from service.sessions.clocks import Clock
from service.sessions.visit import Visit, enter

READ = (400, 401, 404, 406, 429, 503)
WRITE = (400, 401, 403, 404, 406, 408, 412, 413, 415, 422, 428, 429, 503)
OPEN = (400, 401, 406, 408, 413, 415, 422, 429, 503)
VERSIONED = ("If-Match", "Idempotency-Key")
Change = Callable[[Proposal], bytes]

blueprint = Blueprint("sessions", __name__, url_prefix="/v1/sessions", description="Games that are kept.")


@blueprint.route("", methods=["POST"])
@blueprint.answers(OpenedSchema, status=201, errors=OPEN, takes=("opening", "resumed"), keyed=True)
def open_session() -> Response:
    """Open a session with a new game or with a state. Its tokens are told this once: one for each seat, and one each
    for host, dealer and spectator. An `Idempotency-Key` has no effect here: each request opens a session of its own.
    Where the operator gives out API keys, one is needed here, as `Authorization: Bearer KEY`."""
    demand_query()
    api_keys.demand()
    session_limits.charge()
    with within(context().settings.budget):
        rules, asked = context().receive_opening(read_body())
        made = _resumed(rules, asked) if "state" in asked else _begun(rules, asked)
        response = tagged(answer(session_wire.opened(made), 201), made.visit)
    response.headers["Location"] = f"/v1/sessions/{made.visit.session}"
    return response


def _begun(rules: Ruleset, asked: dict[str, Any]) -> opening.Opened:
    begun = referee.set_up(rules, wish(rules, asked), context().fairness)
    assert begun.state is not None
    context().gate.demand_issued(begun.state)
    setup: dict[str, Any] = {k: v for k, v in asked.items() if k in ("seats", "options", "position", "house")}
    setup["chance"] = {"mode": "seeded", **asked.get("chance", {})}
    wishes = _wishes(asked)
    return opening.open_session(desk(), rules, begun.state, wishes, setup, begun.events, begun.played)


def _resumed(rules: Ruleset, asked: dict[str, Any]) -> opening.Opened:
    state = context().gate.admit(rules, asked["state"], asked["canonical"], asked.get("seal"))
    return opening.open_session(desk(), rules, state, _wishes(asked))


def _wishes(asked: dict[str, Any]) -> opening.Wishes:
    """What is asked for beside the game."""
    clock = Clock(**asked["clock"]) if "clock" in asked else None
    return opening.Wishes(asked.get("ttl", opening.TTL), asked.get("invitations", False), clock)


@blueprint.route("/<session>")
@blueprint.answers(TableSchema, errors=READ, secured=True, headers=("If-None-Match",), not_modified=True)
def look(session: str) -> Response:
    """What the bearer may know of the table, and who must decide. The `ETag` is that of the version; with
    `If-None-Match` 304 says that nothing has changed."""
    demand_query()
    visit = attended(enter(desk(), session, bearer.token(), state=not preconditions.asks_for_news()))
    tag = preconditions.etag(visit)
    if preconditions.has_it(tag):
        return lasting(preconditions.not_modified(tag), visit)
    whole = visit.whole
    with within(context().settings.budget):
        return tagged(answer(session_wire.table(whole)), whole)


@blueprint.route("/<session>", methods=["DELETE"])
@blueprint.answers(None, status=204, errors=(401, 403, 404, 406, 429, 503), secured=True)
def close(session: str) -> Response:
    """Close the session and forget it; for the host."""
    demand_query()
    opening.close(enter(desk(), session, bearer.token(), state=False, renew=False))
    return Response(status=204)


@blueprint.route("/<session>/options")
@blueprint.answers(SessionOptionsSchema, errors=READ, secured=True, query=("most-options",))
def list_session_options(session: str) -> Response:
    """Everything that the bearer may do now; answers of chance too, where they are his to give."""
    limit = number("limit", 1, MOST)
    visit = attended(enter(desk(), session, bearer.token()))
    with within(context().settings.budget):
        return tagged(answer(session_wire.options(visit, limit)), visit)


@blueprint.route("/<session>/record")
@blueprint.answers(RecordSchema, errors=READ, secured=True)
def get_record(session: str) -> Response:
    """The line of play that stands: whole for the host once the game is over, else what the bearer may know."""
    demand_query()
    visit = attended(enter(desk(), session, bearer.token()))
    with within(context().settings.budget):
        return tagged(answer(reading.record(visit)), visit)


@blueprint.route("/<session>/actions", methods=["POST"])
@blueprint.answers(
    MovedSchema, status=201, errors=WRITE, secured=True, headers=VERSIONED, takes="move", refused=True
)
def act(session: str) -> Response:
    """Act. `If-Match` names the version that the action is made for; one action is accepted a version. With an
    `Idempotency-Key` the same request gets the first answer again."""
    return changed(session, _acting)


def _acting(visit: Visit, body: bytes) -> Change:
    action = context().read(visit.rules, "move", body)["action"]
    game, kind = visit.rules.game, action["kind"]

    def change(proposal: Proposal) -> bytes:
        try:
            made = acting.act(visit, action, proposal, told)
        except IllegalAction as refused:
            metrics.kept(game, kind, refused.violations[0].rule)
            raise
        metrics.kept(game, kind)
        return made

    return change


@blueprint.route("/<session>/undo", methods=["POST"])
@blueprint.answers(
    MovedSchema,
    status=201,
    errors=WRITE,
    secured=True,
    headers=VERSIONED,
    takes=UndoSchema,
    examples={"nothing": {}},
)
def undo(session: str) -> Response:
    """Take back the bearer's last action, where nothing hidden came out, no chance was answered and nobody else acted
    since; else 422 says what stands in the way."""
    return changed(session, _undoing)


def _undoing(visit: Visit, body: bytes) -> Change:
    if body:
        loaded(UndoSchema, body)
    return lambda proposal: undoing.undo(visit, proposal, told)


@blueprint.route("/<session>/rewind", methods=["POST"])
@blueprint.answers(
    MovedSchema,
    status=201,
    errors=WRITE,
    secured=True,
    headers=VERSIONED,
    takes=RewindSchema,
    examples={"back": {"to": 1}},
)
def rewind(session: str) -> Response:
    """Go back to a version; for the host. It makes a new version: nothing is deleted, and no draw comes again."""
    return changed(session, _rewinding)


def _rewinding(visit: Visit, body: bytes) -> Change:
    to = loaded(RewindSchema, body)["to"]
    return lambda proposal: undoing.rewind(visit, to, proposal, told)


# -- what they share ----------------------------------------------------------------------------------------------


def changed(session: str, make: Callable[[Visit, bytes], Change]) -> Response:
    """Make a new version: token, version, session, body, in this order; the answer may be one that is kept."""
    demand_query()
    token, versions, key = bearer.token(), preconditions.wanted_versions(), idempotency.key()
    session_limits.charge()
    visit = attended(enter(desk(), session, token, key=key, renew=False))
    body = read_body() if request.content_length or "Transfer-Encoding" in request.headers else b""
    with within(context().settings.budget):
        asked = idempotency.digest(versions, body)
        made = make(visit, body)(Proposal(versions, asked, visit.bearer.name))
    if visit.about.automated():
        aftermath(visit)
    return idempotency.answered(made)


def told(made: Made) -> bytes:
    """The answer to whoever made a version."""
    body = encoded(session_wire.moved(made))
    return idempotency.kept(KeptAnswer(preconditions.etag(made.visit), language(), body))


def tagged(response: Response, visit: Visit) -> Response:
    """An answer with the tag of its version."""
    response.headers["ETag"] = preconditions.etag(visit)
    return lasting(response, visit)


def lasting(response: Response, visit: Visit) -> Response:
    """An answer that tells beside its body, which has a strong tag, when the session ends if nobody uses it."""
    response.headers["Sunset"] = _date(visit.expires)
    return response


_date = lru_cache(maxsize=1024)(http_date)  # whoever polls is told the same for long
