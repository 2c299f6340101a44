"""Two versions of one game's rules, side by side: games in play keep theirs, new ones get the current one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import recording
from service.app import create_app
from service.engine.registry import Registry
from tests.engine.games import clock, clock_2
from tests.http.conftest import problem, settings
from tests.http.kept import AT, Kept
from tests.sessions.stores import imitation

GAME = "/v1/games/clock"
SETUP = {"seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"seed": "1"}}
THREE = {"kind": "lay", "actor": "ann", "pins": 3}
RECORDS = Path(__file__).parents[1] / "engine" / "records"
VERSIONS = {
    "1.0": clock.make("1.0", clock.Lay, clock.CLAUSES, seats=(2, 3)),
    "1.1": clock.make("1.1", clock_2.Lay, clock_2.CLAUSES, seats=(2, 3)),
}


def app_of(*versions: str, store: Any = None) -> Flask:
    registry = Registry()
    for version in versions:
        registry.add(VERSIONS[version])
    return create_app(settings(), registry, store or imitation())


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return app_of("1.0", "1.1").test_client()


def state_of(client: FlaskClient, **more: Any) -> Any:
    answer = client.post(f"{GAME}/states", json={**SETUP, **more})
    assert answer.status_code == 200, answer.text
    return answer.json["state"]


def judged(client: FlaskClient, state: Any, action: Any = THREE) -> Any:
    answer = client.post(f"{GAME}/adjudications", json={"state": state, "action": action})
    assert answer.status_code in (200, 400), answer.text
    return answer.json


def test_a_new_game_is_of_the_current_version_where_it_names_none(client: FlaskClient) -> None:
    assert client.get("/v1/games").json["games"][0]["rulesets"] == ["1.0", "1.1"]
    assert [state_of(client, **more)["ruleset"] for more in ({}, {"ruleset": "1.0"}, {"ruleset": "1.1"})] == [
        "1.1",
        "1.0",
        "1.1",
    ]


def test_each_state_is_judged_by_its_own_version(client: FlaskClient) -> None:
    old, new = state_of(client, ruleset="1.0"), state_of(client)
    for state in (old, new):
        told = judged(client, state, {**THREE, "pins": 2})
        assert (told["verdict"], told["ruleset"]) == ("legal", f"clock {state['ruleset']}")
        assert told["state"]["ruleset"] == state["ruleset"]
    assert judged(client, new)["verdict"] == "legal"
    assert judged(client, old)["errors"][0]["pointer"] == "/action/pins"
    for state, most in ((old, 2), (new, 3)):
        listed = client.post(f"{GAME}/options", json={"state": state}).json["options"]
        assert max(option["pins"] for option in listed) == most
    batch = {"items": [{"state": state, "action": THREE} for state in (old, new)]}
    answers = client.post(f"{GAME}/adjudications/batch", json=batch).json["judgements"]
    assert [answer.get("verdict") for answer in answers] == [None, "legal"]


@pytest.mark.parametrize("call", ["adjudications", "options", "views", "problems"])
def test_a_version_that_nobody_knows_is_refused_with_those_that_are_known(
    client: FlaskClient, call: str
) -> None:
    state = {**state_of(client), "ruleset": "2.0"}
    more = {"adjudications": {"action": THREE}, "views": {"seat": None}}.get(call, {})
    answer = client.post(f"{GAME}/{call}", json={"state": state, **more})
    if call == "problems":
        assert [p["pointer"] for p in answer.json["problems"]] == ["/ruleset"]
    else:
        assert problem(answer, 422, "unknown-ruleset")["known"] == ["1.0", "1.1"]


def test_so_is_a_set_up_a_session_and_a_record_of_one(client: FlaskClient) -> None:
    named = {**SETUP, "ruleset": "2.0"}
    state = {**state_of(client), "ruleset": "2.0"}
    record = {"game": "clock", "ruleset": "2.0", "setup": SETUP, "actions": []}
    for path, body in (
        (f"{GAME}/states", named),
        (AT, {"game": "clock", **named}),
        (AT, {"game": "clock", "state": state}),
        (f"{GAME}/verifications", {"record": record}),
    ):
        told = problem(client.post(path, json=body), 422, "unknown-ruleset")
        assert told["known"] == ["1.0", "1.1"]
        assert "1.0, 1.1" in told["detail"]


def test_the_catalogue_tells_of_every_version(client: FlaskClient) -> None:
    texts = {
        version: client.get(f"{GAME}/rules/TOY-CLOCK-2", query_string={"ruleset": version} if version else {})
        for version in ("1.0", "1.1", "")
    }
    assert texts["1.0"].json["text"] == "Lay one or two pins."
    assert texts["1.1"].json["text"] == texts[""].json["text"] == "Lay one, two or three pins."
    for path in ("", "/rules", "/rules/TOY-CLOCK-2", "/components"):
        assert client.get(f"{GAME}{path}?ruleset=1.0").status_code == 200
        told = problem(client.get(f"{GAME}{path}?ruleset=2.0"), 422, "unknown-ruleset")
        assert told["known"] == ["1.0", "1.1"]
        problem(client.get(f"{GAME}{path}?version=1.0"), 400, "bad-query")
    old, new = (client.get(f"{GAME}?ruleset={version}").json for version in VERSIONS)
    assert "3" not in json.dumps(old["actions"])
    assert "3" in json.dumps(new["actions"])


def test_a_session_goes_on_by_the_rules_that_it_began_with() -> None:
    """It was opened before there was another version, and goes on after the release that brought it."""
    store = imitation()
    before = app_of("1.0", store=store).test_client()
    opened = Kept(before, before.post(AT, json={"game": "clock", **SETUP}).json)
    after = app_of("1.0", "1.1", store=store).test_client()
    kept = Kept(after, opened.opened)
    assert max(option["pins"] for option in kept.options("ann")) == 2
    assert kept.act(THREE).status_code == 400
    while kept.get("ann").json["outcome"] is None:
        kept.done(_bare(kept.options(kept.actor)[-1]))
    record = kept.get("host", "/record").json
    assert record["ruleset"] == "1.0"
    found = after.post(f"{GAME}/verifications", json={"record": record}).json
    assert (found["verdict"], found["ruleset"], found["draws"]) == ("valid", "clock 1.0", "match")
    newer = Kept(after, after.post(AT, json={"game": "clock", **SETUP}).json)
    assert newer.act(THREE).status_code == 201


def _bare(option: Any) -> Any:
    return {name: value for name, value in option.items() if name != "text"}


def test_a_session_of_rules_that_are_gone_is_told_so() -> None:
    store = imitation()
    old = app_of("1.0", store=store).test_client()
    opened = Kept(old, old.post(AT, json={"game": "clock", **SETUP}).json)
    kept = Kept(app_of("1.1", store=store).test_client(), opened.opened)
    assert problem(kept.get("ann"), 422, "unknown-ruleset")["known"] == ["1.1"]


def kept_record(version: str) -> Any:
    return json.loads((RECORDS / version / "clock.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("version", VERSIONS)
def test_the_record_of_each_version_is_judged_again_by_it(client: FlaskClient, version: str) -> None:
    record = kept_record(version)
    assert record["ruleset"] == version
    found = client.post(f"{GAME}/verifications", json={"record": record}).json
    assert (found["verdict"], found["digest"], found["draws"]) == ("valid", record["digest"], "match")
    assert found["outcome"] is not None


def test_what_the_newer_rules_allow_the_older_ones_refuse_still(client: FlaskClient) -> None:
    record = kept_record("1.1")
    assert any(action.get("pins") == 3 for action in record["actions"])
    answer = client.post(f"{GAME}/verifications", json={"record": {**record, "ruleset": "1.0"}})
    problem(answer, 400, "off-schema")
    older = {**kept_record("1.0"), "ruleset": "1.1"}
    assert client.post(f"{GAME}/verifications", json={"record": older}).json["verdict"] == "valid"


def test_kept_records_are_what_the_command_plays() -> None:
    for version, rules in VERSIONS.items():
        setup = recording.setup_of(rules, "1", ("ann", "bob"), ("goal=24",))
        played = recording.written(recording.played_record(rules, setup, "random"))
        assert played == (RECORDS / version / "clock.json").read_text(encoding="utf-8")
