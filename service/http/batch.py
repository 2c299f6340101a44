"""Judging many actions in one request, each by itself: a bad item spoils no other."""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from flask import g

from service.engine.budget import tick
from service.engine.ruleset import Ruleset
from service.http import metrics
from service.http.adjudications import judging
from service.http.api import HELD_ERRORS, Blueprint
from service.http.body import demand_small
from service.http.context import context
from service.http.problems import LARGEST_BATCH, details, problem_of
from service.http.queries import flag

blueprint = Blueprint("batch", __name__, url_prefix="/v1/games", description="Judging many at once.")

Json = dict[str, Any]


@blueprint.route("/<game>/adjudications/batch", methods=["POST"])
@blueprint.answers("judgements", errors=HELD_ERRORS, query=("explain",))
@blueprint.takes("batch", most=LARGEST_BATCH)
def adjudicate_batch(rules: Ruleset, asked: dict[str, Any]) -> Json:
    """Judge many actions or lines of play. Each gets its own answer in its place: a judgement or a problem."""
    judge = _one_state(rules, asked) if "state" in asked else _own_states(rules)
    g.items = len(asked["items"])
    return {"judgements": [_answered(judge, item, i) for i, item in enumerate(asked["items"])]}


def _one_state(rules: Ruleset, asked: Json) -> Callable[[bytes], Json]:
    """Judges alternatives on the state that all share. Raises what `judging` does."""
    judged, held = judging(rules, asked, flag("explain")), context()
    return lambda item: judged(held.read(rules, "alternative", item))


def _own_states(current: Ruleset) -> Callable[[bytes], Json]:
    """Judges items that bring their own state."""
    explain, held = flag("explain"), context()

    def judge(item: bytes) -> Json:
        rules, asked = held.receive(current.game, "adjudication", item)
        return judging(rules, asked, explain)(asked)

    return judge


def _answered(judge: Callable[[bytes], Json], item: msgspec.Raw, number: int) -> Json:
    """The judgement of an item, or what is wrong with it; pointers start at the body."""
    try:
        tick()
        return judge(demand_small(bytes(item)))
    except Exception as error:
        problem = problem_of(error)
        metrics.refusal(problem.name)
        return _within(details(problem), f"/items/{number}")


def _within(problem: Json, place: str) -> Json:
    errors: list[Mapping[str, Any]] = problem.get("errors", [])
    placed = [{**e, "pointer": place + e["pointer"]} for e in errors]
    return {**problem, "errors": placed} if placed else problem
