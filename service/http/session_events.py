"""The log of a session, as its bearer saw it; who is up to date may wait for more."""

from flask import Response, g, request

from schemas.session import EventsSchema, TicketSchema
from service.engine.budget import within
from service.http import bearer, session_wire, streaming
from service.http.answers import answer
from service.http.api import Blueprint
from service.http.aside import aside, in_vain
from service.http.attending import attended
from service.http.context import context, desk
from service.http.queries import demand_query, number, whole
from service.http.sessions import READ, lasting
from service.sessions import reading, tickets
from service.sessions.reading import MOST_VERSIONS
from service.sessions.visit import Visit, enter
from service.sessions.waiting import MOST_WAIT

BOUNDS = {"after": (0, 10**9), "limit": (1, MOST_VERSIONS), "wait": (0, MOST_WAIT)}
QUERY = tuple(BOUNDS)
TICKET = (400, 401, 404, 406, 429, 503)

blueprint = Blueprint(
    "events", __name__, url_prefix="/v1/sessions", description="What happened in a session."
)


@blueprint.route("/<session>/events")
@blueprint.answers(
    EventsSchema, errors=READ, secured=True, query=("after", "most-versions", "wait"), streamed=True
)
def list_events(session: str) -> Response:
    """What the bearer saw happen after version `after` (from the beginning, if that is not given), of `limit` versions
    at most. With `wait` an answer that would be empty waits so many seconds for something to happen. Who accepts
    `text/event-stream` is sent on to a live stream (`links.stream` of the session), which tells every version."""
    if streaming.wanted():
        return _elsewhere(session)
    after, limit, wait = (number(name, *BOUNDS[name], *QUERY) for name in QUERY)
    visit = attended(enter(desk(), session, bearer.token()))
    if wait and (after or 0) >= visit.version:
        visit = _changed(visit, after or 0, wait)
    with within(context().settings.budget):
        return lasting(answer(session_wire.page(visit, reading.page(visit, after or 0, limit))), visit)


def _elsewhere(session: str) -> Response:
    """To the stream, with a ticket: its own, or a new one for the bearer."""
    after, ticket = number("after", *BOUNDS["after"], "ticket"), request.args.get("ticket")
    # As it does there, the header goes first; not every client takes it along.
    if seen := request.headers.get("Last-Event-ID", ""):
        after = whole("Last-Event-ID", seen, *BOUNDS["after"], "header")
    if ticket is None:
        token = bearer.token()
        ticket = tickets.issue(enter(desk(), session, token), token)
    query: dict[str, str | int] = {} if after is None else {"after": after}
    return streaming.elsewhere(session, **query, ticket=ticket)


@blueprint.route("/<session>/stream-tickets", methods=["POST"])
@blueprint.answers(TicketSchema, status=201, errors=TICKET, secured=True)
def issue_ticket(session: str) -> Response:
    """A ticket for the bearer's stream. It is for clients that cannot send a token, as a browser's `EventSource`, and
    is good once, within a minute, as `ticket` in the query of the stream's address."""
    demand_query()
    streaming.demand_streams()
    token = bearer.token()
    visit = enter(desk(), session, token, state=False)
    ticket = tickets.issue(visit, token)
    told = {"ticket": ticket, "expires_in": tickets.LIFE, "stream": streaming.address(session, ticket=ticket)}
    return lasting(answer(told, 201), visit)


def _changed(visit: Visit, after: int, seconds: int) -> Visit:
    """The session once it has come past a version, or when the time is over."""
    seen = [visit]

    def changed() -> bool:
        seen[0] = attended(visit.again())
        return seen[0].version > after

    with aside():
        context().waiting.until(visit.session, seconds, changed, in_vain, g.get("address"))
    return seen[0]
