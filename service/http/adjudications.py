"""Judging: is this action legal on this state, and what happens if it is."""

from collections.abc import Callable, Mapping
from typing import Any

from schemas.held import HeldJudgementSchema
from service.engine.ruleset import Ruleset
from service.http import metrics
from service.http.api import HELD_ERRORS, Blueprint
from service.http.posted import posted
from service.http.queries import flag

blueprint = Blueprint("adjudications", __name__, url_prefix="/v1/games", description="Judging.")


@blueprint.route("/<game>/adjudications", methods=["POST"])
@blueprint.answers(("judgement", HeldJudgementSchema), errors=HELD_ERRORS, query=("explain",))
@blueprint.takes("adjudication")
def adjudicate(rules: Ruleset, asked: dict[str, Any]) -> dict[str, Any]:
    """Judge an action, or a line of play (all or nothing). An illegal one is an answer, not an error."""
    return judging(rules, asked, flag("explain"))(asked)


def judging(
    rules: Ruleset, shared: Mapping[str, Any], explain: bool
) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """What judges proposals on a posted state, or one in a token, which is looked through once.

    Raises BrokenSeal, ForeignState, ImpossibleState, WrongKey.
    """
    about = posted(rules, shared)

    def judged(asked: Mapping[str, Any]) -> dict[str, Any]:
        actions = asked.get("actions") or [asked["action"]]
        found, after = about.adjudicated(actions, explain)
        told = about.teller.judgement(found, about.questions.id(actions), after, explain)
        metrics.verdict(rules.game, actions[-1 if found.at is None else found.at], told)
        return told

    return judged
