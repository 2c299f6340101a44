"""Judging: is this action legal on this state, and what happens if it is."""

from typing import Any

from service.engine.ruleset import Ruleset
from service.http.api import Blueprint
from service.http.context import context
from service.http.locale import language
from service.http.queries import flag
from service.http.wire import Teller
from service.sessions import referee

blueprint = Blueprint("adjudications", __name__, url_prefix="/v1/games", description="Judging.")


@blueprint.route("/<game>/adjudications", methods=["POST"])
@blueprint.answers("judgement", errors=(400, 404, 406, 413, 415, 422), query=("explain",))
@blueprint.takes("adjudication")
def adjudicate(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """Judge an action, or a line of play (all or nothing). An illegal one is an answer, not an error."""
    explain, actions = flag("explain"), asked.get("actions") or [asked["action"]]
    question = referee.judgement_id(asked["state"], actions)
    state = referee.admit(rules, asked["state"])
    judged = referee.adjudicate(rules, state, actions, context().fairness, explain)
    return Teller(rules, language()).judgement(judged, question, explain)
