"""Problems of states over HTTP."""

from __future__ import annotations

from typing import Any

from flask.testing import FlaskClient

from schemas.problem import ProblemsSchema
from tests.http.conftest import TOY, faults, problem


def found(client: FlaskClient, state: Any, game: str = "toy") -> Any:
    answer = client.post(f"/v1/games/{game}/problems", json={"state": state})
    assert answer.status_code == 200, answer.text
    return ProblemsSchema().load(answer.json)["problems"]


def test_a_possible_state_has_none(client: FlaskClient, state: Any) -> None:
    assert found(client, state) == []


def test_each_problem_has_a_pointer_and_a_sentence(client: FlaskClient, state: Any) -> None:
    state["table"]["seats"]["cyd"] = {}
    state["options"]["hand"] = 9
    rules = {p["pointer"]: p.get("rule") for p in found(client, state)}
    assert rules == {"/table/seats/cyd": None, "/options/hand": "TOY-1"}


def test_an_unknown_version_is_a_problem_and_no_error(client: FlaskClient, state: Any) -> None:
    (only,) = found(client, {**state, "ruleset": "7"})
    assert only == {"pointer": "/ruleset", "message": "There is no toy 7; we know: 0.9, 1.0."}


def test_another_game_is_a_problem_and_no_error(client: FlaskClient, state: Any) -> None:
    (only,) = found(client, {**state, "game": "chess"})
    assert only["pointer"] == "/game"


def test_a_state_off_the_schema_is_an_error(client: FlaskClient, state: Any) -> None:
    answer = client.post(f"{TOY}/problems", json={"state": {**state, "turn": -1}})
    problem(answer, 400, "off-schema")
    assert list(faults(answer)) == ["/state/turn"]
