"""Views: what one seat may know."""

from typing import Any

from schemas.view import ViewSchema
from service.engine.ruleset import Ruleset
from service.http.api import BODY_ERRORS, Blueprint
from service.http.context import context
from service.http.queries import demand_query
from service.http.wire import decisions
from service.sessions import referee

blueprint = Blueprint("views", __name__, url_prefix="/v1/games", description="What a seat may know.")


@blueprint.route("/<game>/views", methods=["POST"])
@blueprint.answers(ViewSchema, errors=BODY_ERRORS)
@blueprint.takes("view")
def view(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """What a seat may know of a state; `seat: null` is a spectator."""
    demand_query()
    state = referee.admit(rules, asked["state"], context().fairness)
    seen, deciding = referee.view(rules, state, asked["seat"])
    return {"view": seen, "decisions": decisions(deciding)}
