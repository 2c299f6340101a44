"""Views: what one seat may know."""

from typing import Any

from schemas.held import HeldViewSchema
from schemas.view import ViewSchema
from service.engine.ruleset import Ruleset
from service.http.api import HELD_ERRORS, Blueprint
from service.http.posted import posted
from service.http.queries import demand_query

blueprint = Blueprint("views", __name__, url_prefix="/v1/games", description="What a seat may know.")


@blueprint.route("/<game>/views", methods=["POST"])
@blueprint.answers((ViewSchema, HeldViewSchema), errors=HELD_ERRORS)
@blueprint.takes("view")
def view(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """What a seat may know of a state; `seat: null` is a spectator."""
    demand_query()
    return posted(rules, asked).view(asked)
