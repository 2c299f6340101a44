"""Listing over HTTP."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask.testing import FlaskClient

from schemas.options import OptionsSchema
from service.battery.games import NOT_PARAMETERS
from tests.http.conftest import TOY, begin, every_game_in_turn, faults, problem
from tests.http.kept import filled


def listed(client: FlaskClient, state: Any, **more: Any) -> Any:
    answer = client.post(f"{TOY}/options", json={"state": state, **more})
    assert answer.status_code == 200, answer.text
    assert OptionsSchema().validate(answer.json) == {}
    return answer.json


@pytest.fixture
def apple(client: FlaskClient) -> Any:
    """Ann has an apple."""
    state = begin(client, chance={"mode": "given"})["state"]
    deal = {"kind": "deal", "actor": "chance", "card": "apple"}
    return client.post(f"{TOY}/adjudications", json={"state": state, "action": deal}).json["state"]


def test_every_legal_option_is_listed_with_its_sentence(client: FlaskClient, apple: Any) -> None:
    found = listed(client, apple)
    assert found["complete"]
    assert found["decisions"][0]["actor"] == "ann"
    assert found["options"][0] == {
        "kind": "play",
        "actor": "ann",
        "card": "apple",
        "open": {"points": {"least": 0, "most": 3, "example": 0}},
        "text": "Play apple.".replace("apple", "Apple"),
    }
    assert [o["kind"] for o in found["options"]] == ["play", "throw", "end-turn"]


def test_an_option_filled_with_its_examples_is_legal(client: FlaskClient, apple: Any) -> None:
    for option in listed(client, apple)["options"]:
        action = {k: v for k, v in option.items() if k not in NOT_PARAMETERS}
        action |= {name: d["example"] for name, d in option.get("open", {}).items()}
        answer = client.post(f"{TOY}/adjudications", json={"state": apple, "action": action})
        assert answer.json["verdict"] == "legal"


def test_limit_cuts_the_list_and_says_so(client: FlaskClient, apple: Any) -> None:
    cut, whole = listed(client, apple, limit=2), listed(client, apple, limit=3)
    assert (len(cut["options"]), cut["complete"]) == (2, False)
    assert (len(whole["options"]), whole["complete"]) == (3, True)


def test_kinds_and_actors_can_be_chosen(client: FlaskClient, apple: Any) -> None:
    assert [o["kind"] for o in listed(client, apple, kinds=["end-turn"])["options"]] == ["end-turn"]
    assert listed(client, apple, actor="bob")["options"] == []
    assert len(listed(client, apple, actor="ann")["options"]) == 3
    assert listed(client, apple, actor="chance")["options"] == []


def test_chance_is_listed_like_any_other_actor(client: FlaskClient) -> None:
    found = listed(client, begin(client, chance={"mode": "given"})["state"])
    assert [o["card"] for o in found["options"]] == ["apple", "cherry", "plum"]


def test_a_stranger_has_no_options(client: FlaskClient, apple: Any) -> None:
    answer = client.post(f"{TOY}/options", json={"state": apple, "actor": "zoe"})
    assert problem(answer, 422, "unknown-seat")["pointer"] == "/actor"


@pytest.mark.parametrize(
    ("more", "pointer"),
    [
        ({"limit": 0}, "/limit"),
        ({"limit": "3"}, "/limit"),
        ({"limit": True}, "/limit"),
        ({"limit": 10**400}, "/limit"),
        ({"kinds": ["dance"]}, "/kinds/0"),
        ({"kinds": []}, "/kinds"),
        ({"kinds": "play"}, "/kinds"),
        ({"actor": 7}, "/actor"),
        ({"seal": 7}, "/seal"),
    ],
)
def test_a_request_off_the_schema_is_refused(
    client: FlaskClient, state: Any, more: dict[str, Any], pointer: str
) -> None:
    answer = client.post(f"{TOY}/options", json={"state": state, **more})
    problem(answer, 400, "off-schema")
    assert list(faults(answer)) == [pointer]


def test_an_impossible_state_has_no_options(client: FlaskClient, state: Any) -> None:
    state["stack"] = []
    problem(client.post(f"{TOY}/options", json={"state": state}), 422, "impossible-state")


@every_game_in_turn
def test_every_option_of_every_game_is_legal_as_it_is_listed(of_game: FlaskClient, game: str) -> None:
    rng, tried = random.Random(6), 0
    state = begin(of_game, game)["state"]
    for _ in range(8):
        listed = of_game.post(f"/v1/games/{game}/options", json={"state": state}).json["options"]
        if not listed:
            break
        items = [{"action": filled(option)} for option in listed]
        body = {"state": state, "items": rng.sample(items, min(len(items), 60))}
        judged = of_game.post(f"/v1/games/{game}/adjudications/batch", json=body).json["judgements"]
        assert [j["verdict"] for j in judged] == ["legal"] * len(body["items"])
        tried += len(judged)
        state = rng.choice(judged)["state"]
    assert tried > 15
