"""The OpenAPI document: current, valid, and true, example by example."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from service.games import REGISTRY
from service.http import openapi
from tests.http.conftest import toy_app

JSON = "application/json"


@pytest.fixture(scope="module")
def document(every_game: Flask) -> Any:
    return openapi.document_of(every_game)


def pointed(document: Any, reference: str) -> Any:
    for part in reference.removeprefix("#/").split("/"):
        document = document[part]
    return document


def errors(document: Any, schema: Any, value: Any) -> list[str]:
    whole = {**schema, "components": document["components"]}
    return [e.message for e in Draft202012Validator(whole).iter_errors(value)]


def operations(document: Any) -> Iterator[tuple[str, str, Any]]:
    for path, methods in document["paths"].items():
        yield from ((path, method, op) for method, op in methods.items() if method != "parameters")


KEPT = "/v1/sessions"


def good(operation: Any) -> Any:
    """The answer where nothing is wrong."""
    return next(answer for status, answer in operation["responses"].items() if status.startswith("2"))


def test_the_committed_document_is_the_one_that_the_routes_make(every_game: Flask) -> None:
    assert Path(openapi.FILE).read_text(encoding="utf-8") == openapi.text_of(every_game), "run `make openapi`"


def test_it_is_valid(document: Any) -> None:
    validate(document)
    assert document["openapi"] == "3.1.0"


def test_it_is_valid_for_two_games_too() -> None:
    from service.app import create_app
    from service.engine.registry import Registry
    from service.games import REGISTRY
    from tests.http import toy
    from tests.http.conftest import settings

    games = Registry()
    games.add(toy.make())
    for rules in REGISTRY:
        games.add(rules)
    document = openapi.document_of(create_app(settings(), games))
    validate(document)
    body = document["paths"]["/v1/games/{game}/adjudications"]["post"]["requestBody"]["content"][JSON]
    assert {s["$ref"].rpartition("/")[2] for s in body["schema"]["anyOf"]} >= {"ToyAdjudication"}


def test_it_is_served(client: FlaskClient) -> None:
    answer = client.get("/openapi.yaml")
    assert answer.mimetype == "application/yaml"
    assert yaml.safe_load(answer.text)["info"]["title"] == "Arbitr"


def test_it_has_every_route(every_game: Flask, document: Any) -> None:
    outside = ("/docs", "/openapi.yaml", "/metrics")
    routes = {
        (str(rule).replace("<", "{").replace(">", "}"), method.lower())
        for rule in every_game.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not str(rule).startswith(outside)
    }
    assert routes == {(path, method) for path, method, _ in operations(document)}


def test_every_operation_says_what_it_does_and_every_body_has_examples(document: Any) -> None:
    names = [op["operationId"] for _, _, op in operations(document)]
    assert len(names) == len(set(names))
    for path, method, operation in operations(document):
        assert operation["summary"]
        assert method == "delete" or good(operation)["content"][JSON]["schema"]
        if method == "post" and not path.endswith("/stream-tickets"):  # which takes none
            assert operation["requestBody"]["content"][JSON]["examples"]


def test_every_example_is_what_its_schema_says_and_is_answered_as_shown(
    document: Any, real: FlaskClient
) -> None:
    for path, method, operation in operations(document):
        if method != "post" or path.startswith(KEPT):
            continue
        body, shown = (
            operation["requestBody"]["content"][JSON],
            operation["responses"]["200"]["content"][JSON],
        )
        for name, example in body["examples"].items():
            assert errors(document, body["schema"], example["value"]) == []
            answer = real.post(path.replace("{game}", name.partition(":")[0]), json=example["value"])
            assert answer.status_code == 200, answer.text
            assert errors(document, shown["schema"], answer.json) == []
            if name in shown.get("examples", {}):
                assert shown["examples"][name]["value"] == openapi.unsealed(answer.json)


def test_a_state_says_of_which_game_it_is(document: Any) -> None:
    """So that a client made from the document can tell the answers of one game from those of another."""
    for rules in REGISTRY:
        schema = document["components"]["schemas"][f"{rules.game.title()}State"]
        assert schema["properties"]["game"] == {"type": "string", "enum": [rules.game]}


def test_every_catalogue_answer_is_what_its_schema_says(document: Any, real: FlaskClient) -> None:
    for path, method, operation in operations(document):
        if method == "get" and not path.startswith(KEPT):
            answer = real.get(path.replace("{game}", "zavandor").replace("{rule}", "ZAV-GEM-1"))
            schema = operation["responses"]["200"]["content"][JSON]["schema"]
            assert errors(document, schema, answer.json) == []


def test_every_example_of_a_session_is_what_its_schema_says_and_is_answered_so(
    document: Any, real: FlaskClient
) -> None:
    """The calls in the order of a game, each with the token that may make it."""
    paths = document["paths"]
    opening = paths[KEPT]["post"]
    openings = opening["requestBody"]["content"][JSON]
    for name, example in openings["examples"].items():
        assert errors(document, openings["schema"], example["value"]) == []
        opened = real.post(KEPT, json=example["value"])
        assert opened.status_code == 201, opened.text
        assert errors(document, good(opening)["content"][JSON]["schema"], opened.json) == []
        if "fair" in name or "house" in name:
            continue  # who begins is another one every time, or in another game
        tokens = opened.json["tokens"]
        action = paths[f"{KEPT}/{{session}}/actions"]["post"]["requestBody"]["content"][JSON]["examples"]
        actor = action[f"{name.partition(':')[0]}: an action"]["value"]["action"]["actor"]
        tokens |= {"actor": tokens["seats"][actor]}
        taken_back = True
        for call, who in CALLS:
            method, _, what = call.partition(" ")
            if what == "/actions" and not taken_back:
                continue  # the action still stands
            path = f"{KEPT}/{{session}}{what}"
            status = ask(document, real, path, method, opened.json["session"]["id"], tokens[who], name)
            taken_back = what != "/undo" or status < 300


CALLS = (
    ("get ", "actor"),
    ("get /options", "actor"),
    ("post /actions", "actor"),
    ("post /undo", "actor"),
    ("post /actions", "actor"),
    ("post /rewind", "host"),
    ("get /events", "spectator"),
    ("get /record", "host"),
    ("delete ", "host"),
)


def ask(document: Any, real: FlaskClient, path: str, method: str, session: str, token: str, name: str) -> int:
    operation = document["paths"][path][method]
    headers = {"Authorization": f"Bearer {token}"}
    at = path.replace("{session}", session)
    if method != "post":
        answer = real.open(at, method=method.upper(), headers=headers)
    else:
        headers["If-Match"] = real.get(f"{KEPT}/{session}", headers=headers).headers["ETag"]
        body = operation["requestBody"]["content"][JSON]
        wanted = f"{name.partition(':')[0]}: an action"
        value = body["examples"].get(wanted, next(iter(body["examples"].values())))["value"]
        assert errors(document, body["schema"], value) == []
        answer = real.post(at, json=value, headers=headers)
    assert str(answer.status_code) in operation["responses"], answer.text
    if path.endswith("/undo") and answer.status_code == 422:
        assert answer.json["in_the_way"]["why"] == "hidden-came-out", "what chance drew after it stays"
        return 422
    assert answer.status_code < 300, answer.text
    if answer.status_code != 204:
        assert errors(document, good(operation)["content"][JSON]["schema"], answer.json) == []
    return answer.status_code


def test_wrong_bodies_do_not_fit(document: Any) -> None:
    body = document["paths"]["/v1/games/{game}/adjudications"]["post"]["requestBody"]["content"][JSON]
    good = next(iter(body["examples"].values()))["value"]
    action = good["action"]
    for wrong in (
        {**good, "action": {**action, "kind": "dance"}},
        {**good, "action": {**action, "hat": 1}},
        {**good, "action": {k: v for k, v in action.items() if k != "actor"}},
        {**good, "state": {**good["state"], "turn": "0"}},
        {**good, "state": {**good["state"], "table": {}}},
        {**good, "extra": 1},
        {"action": action},
    ):
        assert errors(document, body["schema"], wrong)


def test_every_call_of_a_session_shows_what_it_answers(document: Any) -> None:
    shown = 0
    for path, method, operation in operations(document):
        if not path.startswith(KEPT) or method == "delete":
            continue
        answers = [good(operation)["content"][JSON]]
        if path.endswith("/actions"):
            answers.append(operation["responses"]["422"]["content"]["application/problem+json"])
        for answer in answers:
            assert answer["examples"], path
            for example in answer["examples"].values():
                assert errors(document, answer["schema"], example["value"]) == [], path
                shown += 1
    assert shown == 10


def test_ids_and_tokens_in_examples_are_of_the_right_form_and_of_nobody(document: Any) -> None:
    from service.sessions import tokens, visit

    (opened,) = good(document["paths"][KEPT]["post"])["content"][JSON]["examples"].values()
    told = opened["value"]
    every = [*told["tokens"]["seats"].values(), *(told["tokens"][r] for r in ("host", "dealer", "spectator"))]
    assert all(tokens.well_formed(token) and token.startswith("token-of-") for token in every)
    assert len(set(every)) == len(every)
    assert visit.FORM.fullmatch(told["session"]["id"])
    assert told["session"]["links"]["self"] == f"{KEPT}/0123456789abcdef0123456789abcdef"


def test_examples_of_sessions_leave_the_store_alone(every_game: Flask) -> None:
    held = every_game.extensions["arbitr"]
    before = len(held.store._connected().keys("*"))
    assert "token-of-" in openapi.text_of(every_game)
    assert len(held.store._connected().keys("*")) == before


def test_actions_are_one_of_many_told_apart_by_kind(document: Any, every_game: Flask) -> None:
    for rules in every_game.extensions["arbitr"].registry:
        action = pointed(document, f"#/components/schemas/{rules.game.title()}Action")
        assert action["discriminator"]["propertyName"] == "kind"
        assert set(action["discriminator"]["mapping"]) == set(rules.kinds)
        for kind, reference in action["discriminator"]["mapping"].items():
            schema = pointed(document, reference)
            assert schema["properties"]["kind"]["enum"] == [kind]
            assert schema["additionalProperties"] is False


def test_error_examples_fit(document: Any) -> None:
    for response in document["components"]["responses"].values():
        shown = response["content"]["application/problem+json"]
        assert errors(document, shown["schema"], shown["example"]) == []


def test_check_tells_what_is_behind(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(openapi, "FILE", tmp_path / "openapi.yaml")
    monkeypatch.setenv("ARBITR_DATA", str(tmp_path))
    assert openapi.main(["--check"]) == 1
    assert "openapi.yaml is behind" in capsys.readouterr().err
    assert openapi.main([]) == 0
    assert openapi.main(["--check"]) == 0


def test_both_ways_of_validating_are_documented_alike() -> None:
    assert openapi.text_of(toy_app()) == openapi.text_of(toy_app(ARBITR_VALIDATE="plain"))
