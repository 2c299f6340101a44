"""Judging: is this action legal on this state, and what happens if it is."""

from collections.abc import Callable, Mapping
from typing import Any

from service.engine.ruleset import Ruleset
from service.engine.state import AnyState
from service.http import metrics
from service.http.api import BODY_ERRORS, Blueprint
from service.http.context import context
from service.http.locale import language
from service.http.queries import flag
from service.http.wire import Teller
from service.sessions import referee

blueprint = Blueprint("adjudications", __name__, url_prefix="/v1/games", description="Judging.")


@blueprint.route("/<game>/adjudications", methods=["POST"])
@blueprint.answers("judgement", errors=BODY_ERRORS, query=("explain",))
@blueprint.takes("adjudication")
def adjudicate(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """Judge an action, or a line of play (all or nothing). An illegal one is an answer, not an error."""
    return judging(rules, asked["state"], flag("explain"))(asked)


def judging(rules: Ruleset, posted: AnyState, explain: bool) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """What judges proposals on a posted state, which is looked through once. Raises ImpossibleState."""
    questions, fairness = referee.Questions(posted), context().fairness
    teller = Teller(rules, language(), posted.seats)
    state = referee.admit(rules, posted, fairness)

    def judged(asked: Mapping[str, Any]) -> dict[str, Any]:
        actions = asked.get("actions") or [asked["action"]]
        found = referee.adjudicate(rules, state, actions, fairness, explain)
        told = teller.judgement(found, questions.id(actions), explain)
        metrics.verdict(rules.game, actions[-1 if found.at is None else found.at], told)
        return told

    return judged
