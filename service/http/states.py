"""Setting up: a game before its first decision, or from the middle of one."""

from typing import Any

from schemas.held import HeldStartedSchema
from service.engine.judge import Judgement
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.state import told_id
from service.http.api import BODY_ERRORS, Blueprint
from service.http.context import context
from service.http.locale import language
from service.http.posted import shown, whole
from service.http.queries import demand_query
from service.http.wire import Teller
from service.sessions import referee, seatkeys
from service.sessions.seated import Seated
from service.sessions.tokens import SPECTATOR, Bearer
from service.sessions.wrapping import Origin

blueprint = Blueprint("states", __name__, url_prefix="/v1/games", description="Setting up a game.")


@blueprint.route("/<game>/states", methods=["POST"])
@blueprint.answers(("started", HeldStartedSchema), errors=BODY_ERRORS, example="setup")
@blueprint.takes("setup")
def set_up(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """Set up a game; with `position` (a table) it starts from there, and problems say why it cannot. With `hold` the
    state is held in a token, and there is a key for each seat."""
    demand_query()
    wished, held = wish(rules, asked), context()
    begun = referee.set_up(rules, wished, held.fairness)
    assert begun.state is not None
    held.gate.demand_issued(begun.state)
    told = _in_token(rules, begun) if asked.get("hold") == "token" else _in_full(rules, begun)
    return {"ruleset": rules.name, **told}


def _in_full(rules: Ruleset, begun: Judgement) -> dict[str, Any]:
    assert begun.state is not None
    return whole(Teller(rules, language(), begun.state.seats), begun)


def _in_token(rules: Ruleset, begun: Judgement) -> dict[str, Any]:
    """As a spectator sees it, with the keys of all."""
    assert begun.state is not None
    state = begun.state
    origin = Origin.of(rules.game, told_id(state))
    dealt = state.chance.mode == "given"
    keys = seatkeys.keys_of(context().keys, origin, [s.id for s in state.seats], dealt)
    spectator = Seated(rules, state, Bearer(SPECTATOR))
    return {"keys": keys, **shown(Teller(rules, language(), state.seats), spectator, begun, origin)}


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
