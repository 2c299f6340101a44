"""Setting up over HTTP: seats, options, chance, a position."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from flask.testing import FlaskClient

from schemas import Contract
from tests.http import toy
from tests.http.conftest import OPEN, SEATS, TOY, begin, faults, problem, toy_app

STATES = f"{TOY}/states"


def refused(client: FlaskClient, **setup: Any) -> dict[str, str]:
    answer = client.post(STATES, json={"seats": SEATS, **setup})
    problem(answer, 400, "off-schema")
    return faults(answer)


def test_a_game_begins_at_its_first_decision(client: FlaskClient) -> None:
    begun = begin(client)
    assert Contract(toy.make()).started().validate(begun) == {}
    assert begun["decisions"] == [
        {"actor": "ann", "kinds": ["play", "throw", "end-turn"], "because": "TOY-2"}
    ]
    assert begun["events"][0]["text"].endswith("moved.")
    assert begun["played"][0]["kind"] == "deal"
    assert (begun["ruleset"], begun["outcome"]) == ("toy 1.0", None)


def test_seats_keep_names_and_wishes(client: FlaskClient) -> None:
    seats = [{"id": "ann", "name": "Anička", "colour": "red"}, {"id": "bob", "automated": True}]
    state = begin(client, seats=seats)["state"]
    assert state["seats"][0] == {"id": "ann", "name": "Anička", "automated": False}
    assert state["seats"][1]["automated"]
    assert state["table"]["seats"]["ann"]["colour"] == "red"


def test_options_are_kept_and_the_others_have_their_defaults(client: FlaskClient) -> None:
    assert begin(client, options={"hand": 3})["state"]["options"] == {"short": False, "hand": 3}


def test_an_older_version_of_the_rules_may_be_named(client: FlaskClient) -> None:
    assert begin(client, ruleset="0.9")["ruleset"] == "toy 0.9"


def test_an_unknown_version_is_refused_with_those_we_know(client: FlaskClient) -> None:
    answer = client.post(STATES, json={"seats": SEATS, "ruleset": "7.0"})
    assert problem(answer, 422, "unknown-ruleset")["known"] == ["0.9", "1.0"]


def test_a_fair_game_promises_a_seed_and_does_not_hold_it(client: FlaskClient) -> None:
    first, second = (client.post(STATES, json={"seats": SEATS}).json["state"] for _ in range(2))
    assert first["chance"]["fair"]
    assert len(first["chance"]["commitment"]) == 64
    assert first["game_id"] != second["game_id"]
    assert set(first["chance"]) == {"mode", "fair", "key_id", "commitment", "client_seed", "next_draw"}


def test_a_seed_makes_the_game_reproducible_and_openly_unfair_on_every_server(client: FlaskClient) -> None:
    setup = {"seats": SEATS, "chance": {**OPEN, "client_seed": "c"}}
    other = toy_app(ARBITR_KEY="77" * 32).test_client()
    first, second = client.post(STATES, json=setup), other.post(STATES, json=setup)
    seals = [answer.json["seal"].encode() for answer in (first, second)]
    assert first.data.replace(seals[0], b"") == second.data.replace(seals[1], b"")
    assert seals[0] != seals[1]
    chance = first.json["state"]["chance"]
    assert (chance["fair"], chance["key_id"], chance["client_seed"]) == (False, "open", "c")
    seed = hashlib.sha256(b"arbitr open game\n" + first.json["state"]["game_id"].encode()).digest()
    assert chance["commitment"] == hashlib.sha256(seed).hexdigest()


@pytest.mark.parametrize(
    "change",
    [{"chance": {**OPEN, "seed": "b"}}, {"options": {"hand": 3}}, {"seats": [{"id": "ann"}, {"id": "cyd"}]}],
)
def test_another_set_up_is_another_game(client: FlaskClient, change: dict[str, Any]) -> None:
    assert begin(client)["state"]["game_id"] != begin(client, **change)["state"]["game_id"]


def test_chance_is_seeded_unless_it_says_otherwise(client: FlaskClient) -> None:
    assert begin(client, chance={"seed": OPEN["seed"]}) == begin(client)


def test_given_chance_is_asked_of_the_client(client: FlaskClient) -> None:
    begun = begin(client, chance={"mode": "given"})
    assert begun["decisions"] == [{"actor": "chance", "kinds": ["deal"], "because": "TOY-1"}]
    assert begun["played"] == []


def test_a_position_is_where_the_game_begins(client: FlaskClient, state: dict[str, Any]) -> None:
    table = state["table"]
    table["seats"]["bob"]["hand"], table["seats"]["ann"]["hand"] = table["seats"]["ann"]["hand"], {}
    begun = begin(client, position=table)
    assert sum(begun["state"]["table"]["seats"]["bob"]["hand"].values()) == 1
    assert begun["state"]["provenance"] == "foreign"


def test_the_problems_of_a_position_point_into_it(client: FlaskClient, state: dict[str, Any]) -> None:
    state["table"]["discard"] = {"plum": 1}
    answer = client.post(STATES, json={"seats": SEATS, "position": state["table"]})
    found = problem(answer, 422, "impossible-state")["problems"]
    assert found[0]["pointer"].startswith("/position")
    assert "plum" in found[0]["message"]


def test_a_position_off_the_schema_is_refused_with_pointers(
    client: FlaskClient, state: dict[str, Any]
) -> None:
    state["table"]["seats"]["ann"]["hand"] = {"fig": 1}
    state["table"]["extra"] = 1
    assert list(refused(client, position=state["table"])) == [
        "/position/extra",
        "/position/seats/ann/hand/fig",
    ]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"seats": [{"id": "ann"}]}, "/seats"),
        ({"seats": [{"id": s} for s in ("ann", "bob", "cyd", "dan")]}, "/seats"),
        ({"seats": [{"id": "Ann"}, {"id": "bob"}]}, "/seats/0/id"),
        ({"seats": [{"id": "ann\n"}, {"id": "bob"}]}, "/seats/0/id"),
        ({"seats": [{"id": "chance"}, {"id": "bob"}]}, "/seats/0/id"),
        ({"seats": [{"id": "ann", "colour": "blue"}, {"id": "bob"}]}, "/seats/0/colour"),
        ({"seats": [{"id": "ann", "hat": "blue"}, {"id": "bob"}]}, "/seats/0/hat"),
        ({"seats": [{"name": "Ann"}, {"id": "bob"}]}, "/seats/0/id"),
        ({"seats": "ann"}, "/seats"),
        ({"options": {"hand": 4}}, "/options/hand"),
        ({"options": {"hand": True}}, "/options/hand"),
        ({"options": {"short": 0}}, "/options/short"),
        ({"options": {"hands": 4}}, "/options/hands"),
        ({"chance": {"mode": "dice"}}, "/chance/mode"),
        ({"chance": {"mode": "given", "seed": "x"}}, "/chance/seed"),
        ({"chance": {"mode": "given", "client_seed": "x"}}, "/chance/client_seed"),
        ({"chance": {"mode": "seeded", "seed": 7}}, "/chance/seed"),
        ({"ruleset": 7}, "/ruleset"),
        ({"position": []}, "/position"),
    ],
)
def test_a_set_up_off_the_schema_is_refused_with_its_pointer(
    client: FlaskClient, change: dict[str, Any], pointer: str
) -> None:
    assert list(refused(client, **change)) == [pointer]


def test_every_fault_is_told_at_once(client: FlaskClient) -> None:
    found = refused(client, seats=[{"id": 7}, {"id": "bob", "hat": 1}], options={"x": 1}, chance={"mode": 1})
    assert list(found) == ["/chance/mode", "/options/x", "/seats/0/id", "/seats/1/hat"]


@pytest.mark.parametrize("hold", [{}, None, "", "Token", "state ", 1, ["token"]])
def test_a_state_is_held_in_one_of_two_ways(client: FlaskClient, hold: Any) -> None:
    assert list(refused(client, hold=hold)) == ["/hold"]


def test_two_seats_of_one_name_are_refused_by_the_rules(client: FlaskClient) -> None:
    answer = client.post(STATES, json={"seats": [{"id": "ann"}, {"id": "ann"}]})
    problem(answer, 400, "setup-refused")
    assert faults(answer) == {"/seats/1/id": "ann sits here twice."}


def test_an_option_of_seven_point_zero_is_seven(client: FlaskClient) -> None:
    assert begin(client, options={"hand": 3.0})["state"]["options"]["hand"] == 3
