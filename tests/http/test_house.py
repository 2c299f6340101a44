"""Figures of the house over HTTP: set-ups, states, views, components, sessions and their records."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from service.games import REGISTRY
from service.sessions.replay import begun, digest, replayed
from tests.http.conftest import OPEN, SEATS, begin, faults, problem

HOUSE = {"gems": {"opal": {"price": 13}}, "sentinels": {"owl": {"least_bid": 20}}}
ZAVANDOR = "/v1/games/zavandor"


def refused(
    client: FlaskClient, house: Any, name: str = "off-schema", game: str = "zavandor"
) -> dict[str, str]:
    answer = client.post(f"/v1/games/{game}/states", json={"seats": SEATS, "chance": OPEN, "house": house})
    problem(answer, 400, name)
    return faults(answer)


def test_a_set_up_keeps_its_house_in_state_and_view(real: FlaskClient) -> None:
    state = begin(real, "zavandor", house=HOUSE)["state"]
    assert state["house"] == HOUSE
    for seat in ("ann", None):
        shown = real.post(f"{ZAVANDOR}/views", json={"state": state, "seat": seat}).json
        assert shown["view"]["house"] == HOUSE


def test_an_action_is_judged_by_the_house(real: FlaskClient) -> None:
    started = begin(real, "zavandor", house=HOUSE)
    actor = started["decisions"][0]["actor"]
    action = {"kind": "buy-gem", "actor": actor, "gem": "opal", "place": "active", "payment": {}}
    judged = real.post(f"{ZAVANDOR}/adjudications", json={"state": started["state"], "action": action}).json
    assert judged["verdict"] == "legal"
    before, after = (s["table"]["seats"][actor]["dust"] for s in (started["state"], judged["state"]))
    assert before - after == 13
    assert judged["state"]["house"] == HOUSE


def test_a_house_of_seven_point_nought_is_one_of_seven(real: FlaskClient) -> None:
    one = begin(real, "zavandor", house={"gems": {"opal": {"price": 7.0}}})
    other = begin(real, "zavandor", house={"gems": {"opal": {"price": 7}}})
    assert one == other


def test_a_game_with_a_house_is_another_game(real: FlaskClient) -> None:
    ids = {begin(real, "zavandor", **more)["state"]["game_id"] for more in ({}, {"house": HOUSE})}
    assert len(ids) == 2
    assert begin(real, "zavandor")["state"] == begin(real, "zavandor", house={})["state"]


@pytest.mark.parametrize(
    ("house", "pointer"),
    [
        ([], "/house"),
        ({"dice": {}}, "/house/dice"),
        ({"gems": []}, "/house/gems"),
        ({"gems": {"pearl": {"price": 1}}}, "/house/gems/pearl"),
        ({"gems": {"opal": {"weight": 1}}}, "/house/gems/opal/weight"),
        ({"gems": {"opal": {"id": "pearl"}}}, "/house/gems/opal/id"),
        ({"gems": {"opal": {"colour": "blue"}}}, "/house/gems/opal/colour"),
        ({"gems": {"opal": {"price": "14"}}}, "/house/gems/opal/price"),
        ({"gems": {"opal": {"price": -1}}}, "/house/gems/opal/price"),
        ({"gems": {"opal": {"price": 601}}}, "/house/gems/opal/price"),
        ({"gems": {"opal": {"price": None}}}, "/house/gems/opal/price"),
        ({"tracks": {"gems": {"costs": [1, 2, 3]}}}, "/house/tracks/gems/costs"),
        ({"tracks": {"gems": {"costs": [1, 2, 3, True]}}}, "/house/tracks/gems/costs/3"),
        (
            {"tracks": {"sages": {"reward": [{"colour": "pink", "cards": 1}] * 4}}},
            "/house/tracks/sages/reward/0/colour",
        ),
        ({"table": {"copies-by-seats": {"value": {"2": 1}}}}, "/house/table/copies-by-seats/value/3"),
        ({"table": {"deck-order": {"value": ["D", "C", "B", "A"]}}}, "/house/table/deck-order"),
    ],
)
def test_a_house_off_the_schema_is_refused_with_its_pointer(
    real: FlaskClient, house: Any, pointer: str
) -> None:
    assert pointer in refused(real, house)


def test_every_fault_of_a_house_is_told_at_once(real: FlaskClient) -> None:
    house = {"gems": {"opal": {"price": -1, "x": 1}, "pearl": {}}, "table": {"bid-step": {"value": 0}}}
    assert list(refused(real, house)) == [
        "/house/gems/opal/price", "/house/gems/opal/x", "/house/gems/pearl", "/house/table/bid-step/value",
    ]  # fmt: skip


def test_objects_of_several_forms_are_told_apart_by_their_keys(real: FlaskClient) -> None:
    found = refused(
        real, {"spaces": {"armory": {"effect": {"take": {"wood": 1}, "gain": {}}}}}, game="simurgh"
    )
    assert list(found) == ["/house/spaces/armory/effect"]
    assert "choose_one" in found["/house/spaces/armory/effect"]
    deep = {"effect": {"pay": {"fixed": {"gold": 1}}, "gain": {"choose_one": [{"take": {"wood": 0}}, 7]}}}
    assert list(refused(real, {"spaces": {"armory": deep}}, game="simurgh")) == [
        "/house/spaces/armory/effect/gain/choose_one/0/take/wood",
        "/house/spaces/armory/effect/gain/choose_one/1",
        "/house/spaces/armory/effect/pay/fixed/gold",
    ]


def test_a_gain_of_nothing_is_told_what_it_could_have(real: FlaskClient) -> None:
    house = {"spaces": {"armory": {"effect": {"take": {}}}}}
    (told,) = refused(real, house, game="simurgh").values()
    assert told.startswith("It has at least 1 of these keys: weapon, wisdom, vegetable, ")


def test_a_price_of_nothing_is_a_price(real: FlaskClient) -> None:
    house = {"display": {"display-1": {"price": {"fixed": {}}}}, "table": {"removal-price": {"value": {}}}}
    answer = real.post("/v1/games/simurgh/states", json={"seats": SEATS, "house": house})
    assert answer.status_code == 200, answer.text
    assert answer.json["state"]["house"] == house


def test_figures_that_do_not_go_together_are_refused_by_the_rules(real: FlaskClient) -> None:
    found = refused(real, {"table": {"active-places": {"value": 2}}}, "setup-refused")
    assert found == {"/house/table/active-places/value": "3 active gems at the start on 2 places."}
    czech = {"Accept-Language": "cs"}
    body = {"seats": SEATS, "house": {"table": {"active-places": {"value": 2}}}}
    answer = real.post(f"{ZAVANDOR}/states", json=body, headers=czech)
    assert faults(answer) == {
        "/house/table/active-places/value": "Aktivní drahokamy na začátku: 3; aktivní místa: 2."
    }


@pytest.mark.parametrize(
    ("house", "pointer"),
    [
        ({"gems": {"opal": {"price": -1}}}, "/house/gems/opal/price"),
        ({"gems": 7}, "/house/gems"),
        ({"table": {"active-places": {"value": 2}}}, "/house/table/active-places/value"),
        ({"energy-cards": {"red-17": {"count": 4}}}, "/table/decks/red"),
    ],
)
def test_a_state_with_a_house_that_cannot_be_is_impossible(
    real: FlaskClient, house: Any, pointer: str
) -> None:
    state = begin(real, "zavandor")["state"] | {"house": house}
    found = real.post(f"{ZAVANDOR}/problems", json={"state": state}).json["problems"]
    assert any(p["pointer"].startswith(pointer) for p in found), found
    problem(real.post(f"{ZAVANDOR}/views", json={"state": state, "seat": None}), 422, "impossible-state")


def test_components_are_shown_with_a_house(real: FlaskClient) -> None:
    printed = real.get(f"{ZAVANDOR}/components").json["components"]
    shown = real.post(f"{ZAVANDOR}/components", json={"house": HOUSE}).json["components"]
    opal, owl = shown["gems"][0], next(s for s in shown["sentinels"] if s["id"] == "owl")
    assert opal["price"] == 13
    assert opal["certainty"] == {"price": "house", "supply": "cross-checked", "*": "rulebook"}
    assert (owl["least_bid"], owl["certainty"]) == (20, {"least_bid": "house", "*": "rulebook"})
    assert shown["tokens"] == printed["tokens"]
    assert real.post(f"{ZAVANDOR}/components", json={"house": {}}).json["components"] == printed
    problem(real.post(f"{ZAVANDOR}/components", json={"house": {"gems": 1}}), 400, "off-schema")
    unsound = {"house": {"table": {"active-places": {"value": 2}}}}
    problem(real.post(f"{ZAVANDOR}/components", json=unsound), 400, "setup-refused")


def test_a_game_that_has_no_figures_has_no_house(client: FlaskClient) -> None:
    answer = client.post("/v1/games/toy/states", json={"seats": SEATS, "house": {"cards": {}}})
    problem(answer, 400, "off-schema")
    assert faults(answer) == {"/house/cards": "There is no such field here."}


def test_a_session_keeps_a_house_and_its_record_is_judged_again(real: FlaskClient) -> None:
    house = {**HOUSE, "table": {"sentinels-to-end": {"value": 1}}}
    setup = {
        "game": "zavandor",
        "seats": [{**s, "automated": True} for s in SEATS],
        "chance": OPEN,
        "house": house,
    }
    opened = real.post("/v1/sessions", json=setup)
    assert opened.status_code == 201, opened.text
    host = {"Authorization": f"Bearer {opened.json['tokens']['host']}"}
    at = f"/v1/sessions/{opened.json['session']['id']}"
    assert opened.json["view"]["house"] == house
    record = real.get(f"{at}/record", headers=host).json
    assert record["complete"]
    assert record["setup"]["house"] == house
    rules = REGISTRY.get("zavandor")
    again = replayed(rules, begun(rules, record["setup"]), record["actions"])
    assert digest(again) == record["digest"]
    assert again.outcome is not None
    other = {k: v for k, v in record["setup"].items() if k != "house"}
    assert begun(rules, other).house == {}
