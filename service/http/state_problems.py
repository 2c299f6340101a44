"""Problems: why a state cannot exist."""

from typing import Any

from schemas.problem import ProblemsSchema
from service.http.api import BODY_ERRORS, Blueprint, noted
from service.http.body import read_body
from service.http.context import context
from service.http.problems import ForeignRules, details, problem_list
from service.http.queries import demand_query
from service.sessions import referee

blueprint = Blueprint("problems", __name__, url_prefix="/v1/games", description="Why a state cannot exist.")


def find_problems(game: str) -> dict[str, Any]:
    """Every reason why this state cannot exist; none where it can. A `seal` must hold; the state is searched all the
    same."""
    demand_query()
    try:
        rules, asked = context().receive(game, "problems", read_body())
    except ForeignRules as foreign:
        return {"problems": [{"pointer": foreign.pointer, "message": details(foreign.problem)["detail"]}]}
    if "seal" in asked:
        context().seals.demand(asked["state"], asked["canonical"], asked["seal"])
    return problem_list(referee.problems(rules, asked["state"], context().fairness))


blueprint.route("/<game>/problems", methods=["POST"])(
    blueprint.answers(ProblemsSchema, errors=BODY_ERRORS)(noted(find_problems, takes="problems"))
)
