"""The log of a session, as its bearer saw it; who is up to date may wait for more."""

from flask import Response, g

from schemas.session import EventsSchema
from service.engine.budget import within
from service.http import bearer, session_wire
from service.http.answers import answer
from service.http.api import Blueprint
from service.http.aside import aside, in_vain
from service.http.attending import attended
from service.http.context import context, desk
from service.http.queries import number
from service.http.sessions import READ, lasting
from service.sessions import reading
from service.sessions.reading import MOST_VERSIONS
from service.sessions.visit import Visit, enter
from service.sessions.waiting import MOST_WAIT

BOUNDS = {"after": (0, 10**9), "limit": (1, MOST_VERSIONS), "wait": (0, MOST_WAIT)}
QUERY = tuple(BOUNDS)

blueprint = Blueprint(
    "events", __name__, url_prefix="/v1/sessions", description="What happened in a session."
)


@blueprint.route("/<session>/events")
@blueprint.answers(EventsSchema, errors=READ, secured=True, query=("after", "most-versions", "wait"))
def list_events(session: str) -> Response:
    """What the bearer saw happen after version `after` (from the beginning, if that is not given), of `limit` versions
    at most. With `wait` an answer that would be empty waits so many seconds for something to happen."""
    after, limit, wait = (number(name, *BOUNDS[name], *QUERY) for name in QUERY)
    visit = attended(enter(desk(), session, bearer.token()))
    if wait and (after or 0) >= visit.version:
        visit = _changed(visit, after or 0, wait)
    with within(context().settings.budget):
        return lasting(answer(session_wire.page(visit, reading.page(visit, after or 0, limit))), visit)


def _changed(visit: Visit, after: int, seconds: int) -> Visit:
    """The session once it has come past a version, or when the time is over."""
    seen = [visit]

    def changed() -> bool:
        seen[0] = attended(visit.again())
        return seen[0].version > after

    with aside():
        context().waiting.until(visit.session, seconds, changed, in_vain, g.get("address"))
    return seen[0]
