"""Listing: who must decide, and every legal option."""

from typing import Any

from schemas.held import HeldOptionsSchema
from schemas.options import OptionsSchema
from service.engine.ruleset import Ruleset
from service.http.api import HELD_ERRORS, Blueprint
from service.http.posted import posted
from service.http.queries import demand_query

blueprint = Blueprint("options", __name__, url_prefix="/v1/games", description="Listing what is legal.")


@blueprint.route("/<game>/options", methods=["POST"])
@blueprint.answers((OptionsSchema, HeldOptionsSchema), errors=HELD_ERRORS)
@blueprint.takes("options")
def list_options(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """Who must decide, and every legal option. One without `open` is an action that can be posted as it is."""
    demand_query()
    return posted(rules, asked).options(asked)
