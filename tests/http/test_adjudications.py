"""Judging over HTTP."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from schemas import Contract
from tests.http import toy
from tests.http.conftest import TOY, begin, faults, problem, toy_app

JUDGE = f"{TOY}/adjudications"
END = {"kind": "end-turn", "actor": "ann"}
JUDGEMENT = Contract(toy.make()).judgement()


def judged(client: FlaskClient, state: Any, *actions: Any, query: str = "", **headers: str) -> Any:
    asked = {"action": actions[0]} if len(actions) == 1 else {"actions": list(actions)}
    answer = client.post(JUDGE + query, json={"state": state, **asked}, headers=headers)
    assert answer.status_code == 200, answer.text
    assert JUDGEMENT.validate(answer.json) == {}
    return answer.json


def test_a_legal_action_gives_the_new_state_and_what_happened(client: FlaskClient, state: Any) -> None:
    found = judged(client, state, END)
    assert (found["verdict"], found["ruleset"], found["outcome"]) == ("legal", "toy 1.0", None)
    assert [p["kind"] for p in found["played"]] == ["end-turn", "deal"]
    assert found["events"][0]["because"] == "TOY-1"
    assert found["decisions"][0]["actor"] == "bob"
    assert found["state"]["turn"] == 1


def test_a_state_that_nobody_vouches_for_is_foreign(client: FlaskClient, state: Any) -> None:
    assert state["provenance"] == "issued"
    assert judged(client, state, END)["state"]["provenance"] == "foreign"


def test_an_illegal_action_is_an_answer_with_every_clause_that_it_breaks(
    client: FlaskClient, state: Any
) -> None:
    found = judged(client, state, {"kind": "play", "actor": "bob", "card": "apple", "points": 9})
    assert found["verdict"] == "illegal"
    assert [(v["reason"], v["rule"], v["about"]) for v in found["violations"]] == [
        ("not-your-decision", "TOY-2", ["/actor"]),
        ("unknown-value", "TOY-2", ["/card"]),
    ]
    assert found["violations"][0]["citation"] == {"document": "toy-rules", "page": 2}
    assert "state" not in found


def test_a_refusal_carries_facts_and_a_sentence_in_the_asked_language(
    client: FlaskClient, state: Any
) -> None:
    state["table"]["seats"]["ann"]["hand"], state["table"]["deck"] = (
        {"apple": 1},
        _deck(apple=7, cherry=8, plum=8),
    )
    play = {"kind": "play", "actor": "ann", "card": "apple", "points": 9}
    (english,) = judged(client, state, play)["violations"]
    (czech,) = judged(client, state, play, **{"Accept-Language": "cs"})["violations"]
    assert (english["message"], czech["message"]) == ("At most 3.", "Nejvýše 3.")
    assert english["facts"] == czech["facts"] == {"points": 9, "most": 3}


def _deck(**members: int) -> dict[str, Any]:
    pool = {"segment": "pool", "strata": [{"members": members, "size": sum(members.values())}]}
    return {"segments": [pool]}


def test_explain_tells_what_was_checked_and_held(client: FlaskClient, state: Any) -> None:
    card = next(iter(state["table"]["seats"]["ann"]["hand"]))
    play = {"kind": "play", "actor": "ann", "card": card, "points": 1}
    plain = judged(client, state, play)
    found = judged(client, state, play, query="?explain=true")
    assert "checks" not in plain
    assert found["judgement_id"] == plain["judgement_id"]
    assert {c["rule"] for c in found["checks"]} >= {"TOY-3", "TOY-4"}


def test_the_same_question_has_the_same_id(client: FlaskClient, state: Any) -> None:
    ids = [judged(client, state, END)["judgement_id"] for _ in range(2)]
    other = judged(client, state, {**END, "actor": "bob"})["judgement_id"]
    shuffled = {key: state[key] for key in sorted(state, reverse=True)}
    assert ids[0] == ids[1] == judged(client, shuffled, END)["judgement_id"] != other
    assert len(other) == 32


def test_a_line_of_play_is_judged_whole(client: FlaskClient, state: Any) -> None:
    found = judged(client, state, END, {**END, "actor": "bob"}, END)
    assert found["state"]["turn"] == 3
    assert [p["actor"] for p in found["played"]] == ["ann", "chance", "bob", "chance", "ann", "chance"]


def test_a_refused_line_says_where(client: FlaskClient, state: Any) -> None:
    found = judged(client, state, END, END)
    assert (found["verdict"], found["at"]) == ("illegal", 1)


def test_a_line_may_have_one_action(client: FlaskClient, state: Any) -> None:
    answer = client.post(JUDGE, json={"state": state, "actions": [END]})
    assert answer.json["verdict"] == "legal"


def test_seven_point_zero_is_a_whole_number(client: FlaskClient, state: Any) -> None:
    state["turn"] = 0.0
    play = {"kind": "play", "actor": "ann", "card": "apple"}
    ids = {judged(client, state, {**play, "points": points})["judgement_id"] for points in (2, 2.0)}
    assert len(ids) == 1


@pytest.mark.parametrize(
    ("action", "pointer", "message"),
    [
        ({"kind": "dance", "actor": "ann"}, "/action/kind", "one of: deal, end-turn, play, throw"),
        ({"actor": "ann"}, "/action/kind", "required"),
        ({"kind": 7, "actor": "ann"}, "/action/kind", "one of"),
        ({"kind": ["end-turn"], "actor": "ann"}, "/action/kind", "one of"),
        ({"kind": "end-turn"}, "/action/actor", "required"),
        ({"kind": "end-turn", "actor": None}, "/action/actor", "null"),
        ({"kind": "end-turn", "actor": "Ann"}, "/action/actor", "lower-case"),
        ({"kind": "end-turn", "actor": "ann", "hat": 1}, "/action/hat", "no such field"),
        ({"kind": "play", "actor": "ann", "points": 1}, "/action/card", "required"),
        ({"kind": "play", "actor": "ann", "card": "fig", "points": 1}, "/action/card", "apple, cherry, plum"),
        ({"kind": "play", "actor": "ann", "card": "plum", "points": "1"}, "/action/points", "whole number"),
        ({"kind": "play", "actor": "ann", "card": "plum", "points": True}, "/action/points", "whole number"),
        ({"kind": "play", "actor": "ann", "card": "plum", "points": 1.5}, "/action/points", "whole number"),
        ({"kind": "play", "actor": "ann", "card": "plum", "points": 51}, "/action/points", "from 0 to 50"),
        ({"kind": "play", "actor": "ann", "card": "plum", "points": -1}, "/action/points", "from 0 to 50"),
        ({"kind": "throw", "actor": "ann", "cards": []}, "/action/cards", "object"),
        ({"kind": "throw", "actor": "ann", "cards": {"plum": 0}}, "/action/cards/plum", "from 1"),
        ("end-turn", "/action", "object"),
        (None, "/action", "null"),
    ],
)
def test_an_action_off_the_schema_is_refused_with_its_pointer(
    client: FlaskClient, state: Any, action: Any, pointer: str, message: str
) -> None:
    answer = client.post(JUDGE, json={"state": state, "action": action})
    problem(answer, 400, "off-schema")
    assert list(faults(answer)) == [pointer]
    assert message in faults(answer)[pointer]


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"action": END}, ["/state"]),
        ({}, ["", "/state"]),
        ({"state": 7, "action": END}, ["/state"]),
        ({"state": [], "actions": []}, ["/actions", "/state"]),
        ({"state": None, "action": END, "seal": 7}, ["/seal", "/state"]),
    ],
)
def test_a_request_off_the_schema_is_refused(client: FlaskClient, body: Any, pointers: list[str]) -> None:
    answer = client.post(JUDGE, json=body)
    problem(answer, 400, "off-schema")
    assert list(faults(answer)) == pointers


def test_action_or_actions_but_not_both_and_not_neither(client: FlaskClient, state: Any) -> None:
    for asked in ({}, {"action": END, "actions": [END]}):
        answer = client.post(JUDGE, json={"state": state, **asked})
        assert faults(answer) == {"": "Give either action or actions."}


def test_every_fault_of_a_state_is_told(client: FlaskClient, state: Any) -> None:
    del state["game_id"]
    state["turn"], state["_schema"], state["table"]["deck"]["segments"][0]["segment"] = "0", 1, "heap"
    state["stack"][1]["seat"], state["table"]["seats"]["ann"]["hand"] = None, {"plum": True, "fig/~": 0}
    answer = client.post(JUDGE, json={"state": state, "action": {**END, "hat": 1}})
    assert list(faults(answer)) == [
        "/action/hat",
        "/state/_schema",
        "/state/game_id",
        "/state/stack/1/seat",
        "/state/table/deck/segments/0/segment",
        "/state/table/seats/ann/hand/fig~1~0",
        "/state/table/seats/ann/hand/plum",
        "/state/turn",
    ]


def test_an_impossible_state_is_refused_with_its_problems(client: FlaskClient, state: Any) -> None:
    state["table"]["discard"] = {"plum": 1}
    answer = client.post(JUDGE, json={"state": state, "action": END})
    found = problem(answer, 422, "impossible-state")["problems"]
    assert [p["pointer"].split("/")[1] for p in found] == ["table"]
    assert "plum" in found[0]["message"]


def test_a_game_without_figures_of_its_own_has_no_house(client: FlaskClient, state: Any) -> None:
    state["house"] = {"cards": 9}
    found = problem(client.post(JUDGE, json={"state": state, "action": END}), 422, "impossible-state")
    assert found["problems"][0]["pointer"] == "/house/cards"


def test_a_state_of_unknown_rules_is_refused_with_those_we_know(client: FlaskClient, state: Any) -> None:
    answer = client.post(JUDGE, json={"state": {**state, "ruleset": "2.0"}, "action": END})
    assert problem(answer, 422, "unknown-ruleset")["known"] == ["0.9", "1.0"]


def test_a_state_is_judged_by_the_version_that_it_names(client: FlaskClient) -> None:
    state = begin(client, ruleset="0.9")["state"]
    assert client.post(JUDGE, json={"state": state, "action": END}).json["ruleset"] == "toy 0.9"


def test_a_state_of_another_game_is_refused(real: FlaskClient, state: Any) -> None:
    answer = real.post("/v1/games/zavandor/adjudications", json={"state": state, "action": END})
    assert problem(answer, 422, "wrong-game")["detail"] == "The state is of toy, the address of zavandor."


def test_an_unknown_game_is_404_whatever_is_posted(client: FlaskClient, state: Any) -> None:
    problem(
        client.post("/v1/games/chess/adjudications", json={"state": state, "action": END}),
        404,
        "unknown-game",
    )


def test_a_draw_needs_the_key_of_the_game(client: FlaskClient) -> None:
    state = client.post(f"{TOY}/states", json={"seats": [{"id": "ann"}, {"id": "bob"}]}).json["state"]
    other = toy_app(ARBITR_KEY="77" * 32).test_client()
    throw = {"kind": "throw", "actor": "ann", "cards": state["table"]["seats"]["ann"]["hand"]}
    assert other.post(JUDGE, json={"state": state, "action": throw}).json["verdict"] == "legal"
    found = problem(other.post(JUDGE, json={"state": state, "action": END}), 422, "unknown-key")
    assert found["problems"][0]["pointer"] == "/chance/key_id"


@pytest.mark.parametrize("change", [{"game_id": "another"}, {"chance": "0" * 64}])
def test_a_state_keeps_the_promise_of_its_game(
    client: FlaskClient, state: Any, change: dict[str, str]
) -> None:
    state["game_id"] = change.get("game_id", state["game_id"])
    state["chance"]["commitment"] = change.get("chance", state["chance"]["commitment"])
    found = problem(client.post(JUDGE, json={"state": state, "action": END}), 422, "impossible-state")
    assert [p["pointer"] for p in found["problems"]] == ["/chance/commitment"]


def test_given_chance_is_answered_like_any_other_decision(client: FlaskClient) -> None:
    state = begin(client, chance={"mode": "given"})["state"]
    deal = {"kind": "deal", "actor": "chance", "card": "plum"}
    found = judged(client, state, deal)
    assert found["state"]["table"]["seats"]["ann"]["hand"] == {"plum": 1}
    assert judged(client, state, {**deal, "actor": "ann"})["verdict"] == "illegal"


def test_an_automated_seat_plays_on(client: FlaskClient) -> None:
    state = begin(client, seats=[{"id": "ann"}, {"id": "bob", "automated": True}])["state"]
    found = judged(client, state, END)
    assert found["decisions"][0]["actor"] == "ann"
    assert [p["actor"] for p in found["played"]] == ["ann", "chance", "bob", "chance"]


def test_a_game_ends_with_an_outcome_and_nothing_is_legal_after_it(client: FlaskClient, state: Any) -> None:
    line = [{**END, "actor": ("ann", "bob")[i % 2]} for i in range(8)]
    found = judged(client, state, *line)
    assert found["outcome"]["winners"] == ["ann", "bob"]
    assert found["outcome"]["because"] == "TOY-5"
    assert found["decisions"] == []
    assert judged(client, found["state"], END)["violations"][0]["rule"] == "TOY-5"


@pytest.mark.parametrize(
    "query", ["?explain=yes", "?explain=", "?explain=true&explain=true", "?verbose=true"]
)
def test_a_bad_query_is_refused(client: FlaskClient, state: Any, query: str) -> None:
    answer = client.post(JUDGE + query, json={"state": state, "action": END})
    assert problem(answer, 400, "bad-query")["errors"][0]["in"] == "query"
