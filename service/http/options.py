"""Listing: who must decide, and every legal option."""

from typing import Any

from schemas.options import OptionsSchema
from service.engine.ruleset import Ruleset
from service.http.api import BODY_ERRORS, Blueprint
from service.http.context import context
from service.http.locale import language
from service.http.queries import demand_query
from service.http.wire import Teller, decisions
from service.sessions import referee

blueprint = Blueprint("options", __name__, url_prefix="/v1/games", description="Listing what is legal.")


@blueprint.route("/<game>/options", methods=["POST"])
@blueprint.answers(OptionsSchema, errors=BODY_ERRORS)
@blueprint.takes("options")
def list_options(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """Who must decide, and every legal option. One without `open` is an action that can be posted as it is."""
    demand_query()
    state = referee.admit(rules, asked["state"], context().fairness)
    found, deciding = referee.options(
        rules, state, asked.get("actor"), asked.get("kinds"), asked.get("limit")
    )
    teller = Teller(rules, language(), state.seats)
    shown = [teller.option(o) for o in found.options]
    return {"decisions": decisions(deciding), "options": shown, "complete": found.complete}
