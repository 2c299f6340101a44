"""Seats of a session: who sits where, and how that changes. No version is asked for: the table stays as it is."""

from collections.abc import Callable
from typing import Any

from flask import Response, request

from schemas.base import Schema
from schemas.session import (
    ClaimedSchema,
    ClaimSchema,
    InvitedSchema,
    RenamingSchema,
    SeatChangeSchema,
    SeatsSchema,
)
from service.engine.budget import within
from service.http import bearer, idempotency, preconditions, session_limits, session_wire
from service.http.answers import answer, encoded
from service.http.api import Blueprint
from service.http.attending import aftermath, attended
from service.http.body import read_body
from service.http.context import context, desk, loaded
from service.http.idempotency import KeptAnswer
from service.http.locale import language
from service.http.queries import demand_query
from service.http.sessions import READ, tagged
from service.sessions import seating
from service.sessions.acting import Made, Tell
from service.sessions.visit import Visit, enter, invited

CHANGE = (400, 401, 403, 404, 406, 408, 412, 413, 415, 422, 429, 503)
NOTHING: Any = {"takes": SeatChangeSchema, "examples": {"nothing": {}}}

blueprint = Blueprint(
    "seats", __name__, url_prefix="/v1/sessions", description="Who sits where in a session."
)


@blueprint.route("/<session>/seats")
@blueprint.answers(SeatsSchema, errors=READ, secured=True)
def list_seats(session: str) -> Response:
    """Who sits where: names, who is there, who is invited, and for whom the prudent player acts."""
    demand_query()
    visit = attended(enter(desk(), session, bearer.token()))
    return tagged(answer({"session": session_wire.facts(visit)}), visit)


@blueprint.route("/<session>/seats/<seat>/invite", methods=["POST"])
@blueprint.answers(InvitedSchema, errors=CHANGE, secured=True, **NOTHING)
def invite(session: str, seat: str) -> Response:
    """Invite somebody to a seat; for the host. The invitation is told this once and good once; who claims the seat
    takes it from whoever held it. A later one replaces it. An `Idempotency-Key` has no effect: what is secret is not
    kept."""
    return _inviting(session, seat, "host")


@blueprint.route("/<session>/seats/<seat>/hand-over", methods=["POST"])
@blueprint.answers(InvitedSchema, errors=CHANGE, secured=True, **NOTHING)
def hand_over(session: str, seat: str) -> Response:
    """Hand the own seat over: the answer has an invitation to pass on. Until somebody claims the seat by it, its holder
    stays; then his token is good no more. An `Idempotency-Key` has no effect: what is secret is not kept."""
    return _inviting(session, seat, "seat")


def _inviting(session: str, seat: str, role: str) -> Response:
    visit = _entered(session, SeatChangeSchema)[0]
    visit.demand(role)
    return _answered(
        lambda: seating.invite(visit, seat, lambda made, secret: _told(made, seat=seat, invitation=secret))
    )


@blueprint.route("/<session>/seats/<seat>/claim", methods=["POST"])
@blueprint.answers(
    ClaimedSchema, errors=CHANGE, secured=True, takes=ClaimSchema, examples={"a name": {"name": "Zuzana"}}
)
def claim(session: str, seat: str) -> Response:
    """Take a seat by its invitation, which stands where else the token does (`Authorization: Bearer`). The answer has
    the seat's token, which is told this once. An `Idempotency-Key` has no effect: what is secret is not kept; if the
    answer is lost, the host invites anew."""
    demand_query()
    invitation = bearer.token()
    session_limits.charge()
    asked = _body(ClaimSchema)
    attended(invited(desk(), session, seat, invitation))

    def tell(made: Made, token: str) -> bytes:
        return _told(made, seat=seat, token=token)

    return _answered(lambda: seating.claim(desk(), session, seat, invitation, asked.get("name"), tell))


@blueprint.route("/<session>/seats/<seat>/rename", methods=["POST"])
@blueprint.answers(
    SeatsSchema, errors=CHANGE, secured=True, takes=RenamingSchema, examples={"a name": {"name": "Zuzana"}}
)
def rename(session: str, seat: str) -> Response:
    """Call a seat by another name; for its holder and the host."""
    visit, asked = _entered(session, RenamingSchema)
    return _answered(lambda: seating.rename(visit, seat, asked["name"], _told))


@blueprint.route("/<session>/seats/<seat>/leave", methods=["POST"])
@blueprint.answers(SeatsSchema, errors=CHANGE, secured=True, **NOTHING)
def leave(session: str, seat: str) -> Response:
    """Leave the own seat: its token is good no more, and the host may invite somebody or let the prudent player act."""
    return _changing(session, seat, seating.leave)


@blueprint.route("/<session>/seats/<seat>/automate", methods=["POST"])
@blueprint.answers(SeatsSchema, errors=CHANGE, secured=True, **NOTHING)
def automate(session: str, seat: str) -> Response:
    """Let the prudent player act for a seat; for the host. Whoever holds the seat can take it back."""
    return _changing(session, seat, seating.automate)


@blueprint.route("/<session>/seats/<seat>/take-back", methods=["POST"])
@blueprint.answers(SeatsSchema, errors=CHANGE, secured=True, **NOTHING)
def take_back(session: str, seat: str) -> Response:
    """Let the prudent player act for a seat no longer; for its holder and the host."""
    return _changing(session, seat, seating.take_back)


# -- what they share ----------------------------------------------------------------------------------------------


def _changing(session: str, seat: str, change: Callable[[Visit, str, Tell], bytes]) -> Response:
    visit, _ = _entered(session, SeatChangeSchema)
    response = _answered(lambda: change(visit, seat, _told))
    aftermath(visit)
    return response


def _entered(session: str, schema: type[Schema]) -> tuple[Visit, dict[str, Any]]:
    """Who asks, and what: token, session, body, in this order."""
    demand_query()
    token = bearer.token()
    session_limits.charge()
    return attended(enter(desk(), session, token, renew=False)), _body(schema)


def _body(schema: type[Schema]) -> dict[str, Any]:
    """The body, which may be missing where nothing needs to be said."""
    body = read_body() if request.content_length or "Transfer-Encoding" in request.headers else b""
    return loaded(schema, body or b"{}")


def _told(made: Made, **more: str) -> bytes:
    """The answer to whoever changed a seat; as for other changes, made before the commit."""
    told = {"session": session_wire.lasting_facts(made.visit), **more}
    return idempotency.kept(KeptAnswer(preconditions.etag(made.visit), language(), encoded(told)))


def _answered(make: Callable[[], bytes]) -> Response:
    with within(context().settings.budget):
        made = make()
    return idempotency.answered(made, 200)
