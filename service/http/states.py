"""Setting up: a game before its first decision, or from the middle of one."""

from typing import Any

from service.engine.ruleset import Ruleset, SetupSeat
from service.http.api import BODY_ERRORS, Blueprint
from service.http.context import context
from service.http.locale import language
from service.http.queries import demand_query
from service.http.wire import Teller
from service.sessions import referee

blueprint = Blueprint("states", __name__, url_prefix="/v1/games", description="Setting up a game.")


@blueprint.route("/<game>/states", methods=["POST"])
@blueprint.answers("started", errors=BODY_ERRORS, example="setup")
@blueprint.takes("setup")
def set_up(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """Set up a game; with `position` (a table) it starts from there, and problems say why it cannot."""
    demand_query()
    wished = wish(rules, asked)
    begun = referee.set_up(rules, wished, context().fairness)
    return Teller(rules, language(), wished.seats).started(begun)


def wish(rules: Ruleset, asked: dict[str, Any]) -> referee.Wish:
    """The set-up that a body asks for."""
    chance = asked.get("chance", {})
    return referee.Wish(
        [_seat(s) for s in asked["seats"]],
        {name: asked.get("options", {}).get(name, o.default) for name, o in rules.options.items()},
        chance.get("mode", "seeded"),
        chance.get("seed"),
        chance.get("client_seed", ""),
        asked.get("position"),
        asked.get("house", {}),
    )


def _seat(asked: dict[str, Any]) -> SetupSeat:
    choice = {k: v for k, v in asked.items() if k not in ("id", "name", "automated")}
    return SetupSeat(asked["id"], asked.get("name", ""), asked.get("automated", False), choice)
