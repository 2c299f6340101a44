"""Judging many at once: one answer an item, in order, and a bad item spoils no other."""

from __future__ import annotations

import gzip
import json
from time import process_time
from typing import Any

import pytest
from flask.testing import FlaskClient

from schemas import Contract
from schemas.batch import MOST_ITEMS
from service.engine import problems as searching
from service.http.problems import LARGEST_BATCH, LARGEST_BODY, MOST_IN_BATCH
from tests.http import toy
from tests.http.conftest import TOY, begin, encoded, faults, post, problem

JUDGE = f"{TOY}/adjudications"
BATCH = f"{JUDGE}/batch"
END = {"kind": "end-turn", "actor": "ann"}
PLAY = {"kind": "play", "actor": "bob", "card": "apple", "points": 9}
ANSWERS = Contract(toy.make()).judgements()


def judged(client: FlaskClient, body: Any, query: str = "", **headers: str) -> list[Any]:
    answer = client.post(BATCH + query, json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    assert ANSWERS.validate(answer.json) == {}
    return answer.json["judgements"]


def alone(client: FlaskClient, body: Any, query: str = "") -> Any:
    return client.post(JUDGE + query, json=body).json


@pytest.mark.parametrize("query", ["", "?explain=true"])
def test_every_item_is_answered_as_it_would_be_alone(client: FlaskClient, state: Any, query: str) -> None:
    after = alone(client, {"state": state, "action": END})["state"]
    items = [
        {"state": state, "action": END},
        {"state": after, "action": END},
        {"state": state, "action": PLAY},
        {"state": state, "actions": [END, {**END, "actor": "bob"}]},
    ]
    found = judged(client, {"items": items}, query)
    assert found == [alone(client, item, query) for item in items]
    assert [j["verdict"] for j in found] == ["legal", "illegal", "illegal", "legal"]


@pytest.mark.parametrize("query", ["", "?explain=true"])
def test_alternatives_on_one_state_are_answered_as_they_would_be_alone(
    client: FlaskClient, state: Any, query: str
) -> None:
    items = [{"action": END}, {"action": PLAY}, {"actions": [END, END]}, {"action": END}]
    found = judged(client, {"state": state, "items": items}, query)
    assert found == [alone(client, {"state": state, **item}, query) for item in items]


def test_a_shared_state_is_looked_through_once(
    client: FlaskClient, state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []
    sound = searching.problems
    monkeypatch.setattr(searching, "problems", lambda *given: looked.append(1) or sound(*given))
    judged(client, {"state": state, "items": [{"action": END}] * 50})
    assert len(looked) == 1


def bad_items(state: Any) -> list[tuple[Any, int, str, list[str]]]:
    """Items, the status and name of the problem in their place, and the pointers of its errors."""
    good = {"state": state, "action": END}
    return [
        (7, 400, "off-schema", [""]),
        (None, 400, "off-schema", [""]),
        ([], 400, "off-schema", [""]),
        ({}, 400, "off-schema", ["", "/state"]),
        ({"state": state}, 400, "off-schema", [""]),
        ({**good, "actions": [END]}, 400, "off-schema", [""]),
        ({**good, "action": {**END, "hat": 1}, "x/y": 1}, 400, "off-schema", ["/action/hat", "/x~1y"]),
        ({**good, "seal": 7}, 400, "off-schema", ["/seal"]),
        ({**good, "seal": "x"}, 422, "broken-seal", []),
        ({**good, "state": {**state, "turn": "0"}}, 400, "off-schema", ["/state/turn"]),
        ({**good, "state": {**state, "game": "chess"}}, 422, "wrong-game", []),
        ({**good, "state": {**state, "ruleset": "2.0"}}, 422, "unknown-ruleset", []),
        ({**good, "state": {**state, "house": {"a": 1}}}, 422, "impossible-state", []),
        ({**good, "state": {**state, "game_id": "another"}}, 422, "impossible-state", []),
    ]


@pytest.mark.parametrize("number", range(14))
def test_a_bad_item_is_a_problem_in_its_place_and_spoils_no_other(
    client: FlaskClient, state: Any, number: int
) -> None:
    bad, status, name, pointers = bad_items(state)[number]
    good = {"state": state, "action": END}
    first, found, last = judged(client, {"items": [good, bad, good]})
    assert first == last == alone(client, good)
    assert (found["status"], found["type"]) == (status, f"/docs/problems/{name}")
    assert [e["pointer"] for e in found.get("errors", ())] == [f"/items/1{p}" for p in pointers]
    if isinstance(bad, dict) and name != "off-schema":
        single = alone(client, bad)
        assert {k: v for k, v in found.items() if k != "instance"} == {
            k: v for k, v in single.items() if k != "instance"
        }


@pytest.mark.parametrize(
    ("item", "name"),
    [
        (b'{"action": {"kind": "end-turn", "actor": "ann", "actor": "bob"}}', "duplicate-keys"),
        (b'{"action": {"kind": "play", "actor": "ann", "card": "plum", "points": 1e999}}', "not-json"),
        (b'{"action": ' + b"[" * 500 + b"]" * 500 + b"}", "off-schema"),
    ],
)
def test_an_item_that_is_no_sound_json_spoils_no_other(
    client: FlaskClient, state: Any, item: bytes, name: str
) -> None:
    good = b'{"action": ' + encoded(END) + b"}"
    sent = b'{"state": ' + encoded(state) + b', "items": [' + b",".join((good, item, good)) + b"]}"
    first, found, last = post(client, BATCH, sent).json["judgements"]
    assert first["verdict"] == last["verdict"] == "legal"
    assert found["type"] == f"/docs/problems/{name}"


def test_an_item_of_a_shared_state_has_none_of_its_own(client: FlaskClient, state: Any) -> None:
    first, second = judged(
        client, {"state": state, "items": [{"state": state, "action": END}, {"action": END}]}
    )
    assert first["errors"] == [{"pointer": "/items/0/state", "message": "There is no such field here."}]
    assert second["verdict"] == "legal"


def test_a_shared_state_that_cannot_be_judged_refuses_the_batch(client: FlaskClient, state: Any) -> None:
    items = [{"action": END}]
    for change, status, name in (
        ({"turn": "0"}, 400, "off-schema"),
        ({"game": "chess"}, 422, "wrong-game"),
        ({"ruleset": "2.0"}, 422, "unknown-ruleset"),
        ({"house": {"a": 1}}, 422, "impossible-state"),
    ):
        problem(client.post(BATCH, json={"state": {**state, **change}, "items": items}), status, name)


@pytest.mark.parametrize(
    ("items", "pointer"),
    [(None, "/items"), ({}, "/items"), ([], "/items"), ([{}] * (MOST_ITEMS + 1), "/items"), ("[]", "/items")],
)
def test_a_batch_has_a_list_of_1_to_200_items(client: FlaskClient, items: Any, pointer: str) -> None:
    answer = client.post(BATCH, json={"items": items})
    problem(answer, 400, "off-schema")
    assert list(faults(answer)) == [pointer]


def test_a_batch_without_items_or_with_more_fields_is_off_the_schema(client: FlaskClient) -> None:
    answer = client.post(BATCH, json={"hat": 1, "seal": ""})
    assert list(faults(answer)) == ["/hat", "/items", "/seal"]


@pytest.mark.parametrize("twice", ["state", "items"])
def test_a_batch_with_a_key_twice_is_refused(client: FlaskClient, state: Any, twice: str) -> None:
    members = {"state": encoded(state), "items": b'[{"action":' + encoded(END) + b"}]"}
    pairs = [(k, v) for k, v in members.items() for _ in range(2 if k == twice else 1)]
    sent = b"{" + b",".join(b'"' + k.encode() + b'":' + v for k, v in pairs) + b"}"
    assert f'"{twice}"' in problem(post(client, BATCH, sent), 400, "duplicate-keys")["detail"]


def test_200_items_are_judged_within_a_second(client: FlaskClient, state: Any) -> None:
    items = [{"state": state, "action": END}] * MOST_ITEMS
    began = process_time()
    assert [j["verdict"] for j in judged(client, {"items": items})] == ["legal"] * MOST_ITEMS
    assert process_time() - began < 1


def test_a_batch_may_have_eight_megabytes_and_an_item_one(client: FlaskClient, state: Any) -> None:
    large = {"state": {**state, "game_id": "x" * LARGEST_BODY}, "action": END}
    first, second = judged(client, {"items": [large, {"state": state, "action": END}]})
    assert first["type"] == "/docs/problems/too-large"
    assert second["verdict"] == "legal"
    sent = b'{"items": ["' + b"x" * LARGEST_BATCH + b'"]}'
    for packed in (False, True):
        answer = (
            post(client, BATCH, gzip.compress(sent), Content_Encoding="gzip")
            if packed
            else post(client, BATCH, sent)
        )
        assert f"{LARGEST_BATCH}" in problem(answer, 413, "too-large")["detail"]


def test_items_are_told_in_the_asked_language(client: FlaskClient, state: Any) -> None:
    bad, illegal = judged(
        client, {"state": state, "items": [{"hat": 1}, {"action": PLAY}]}, **{"Accept-Language": "cs"}
    )
    assert bad["title"] == "Tělo neodpovídá schématu"
    assert bad["errors"][0]["message"] != "There is no such field here."
    assert illegal["verdict"] == "illegal"


def test_items_may_be_of_different_versions(client: FlaskClient, state: Any) -> None:
    older = begin(client, ruleset="0.9")["state"]
    items = [{"state": s, "action": END} for s in (state, older)]
    assert [j["ruleset"] for j in judged(client, {"items": items})] == ["toy 1.0", "toy 0.9"]


def test_rules_that_break_down_on_one_item_spoil_no_other(
    client: FlaskClient, state: Any, monkeypatch: pytest.MonkeyPatch, toys: Any
) -> None:
    rules = toys.extensions["arbitr"].registry.get("toy")
    monkeypatch.setattr(rules, "watches", [(lambda t: 1 / 0, None)])
    found = judged(client, {"state": state, "items": [{"action": END}, {"action": PLAY}]})
    assert [j.get("type", j.get("verdict")) for j in found] == ["/docs/problems/unplayable-state", "illegal"]


def test_an_unknown_query_is_refused(client: FlaskClient, state: Any) -> None:
    problem(
        client.post(BATCH + "?fast=1", json={"state": state, "items": [{"action": END}]}), 400, "bad-query"
    )


def test_a_batch_of_bad_items_ends_within_a_second(client: FlaskClient, state: Any) -> None:
    """As many faulty values as a batch may hold; more are refused unread."""
    worst = {"state": {**state, "options": {f"k{i}": None for i in range(2_500)}}, "action": END}
    few = MOST_IN_BATCH // 2_600
    began = process_time()
    found = post(client, BATCH, json.dumps({"items": [worst] * few}).encode()).json["judgements"]
    assert len(found) == few
    assert all(j["complete"] is False for j in found)
    assert process_time() - began < 2  # a second on a quiet machine
    sent = json.dumps({"items": [worst] * MOST_ITEMS}).encode()
    assert len(sent) < LARGEST_BATCH
    answer = problem(post(client, BATCH, sent), 413, "too-many-values")
    assert f"{MOST_IN_BATCH}" in answer["detail"]
