"""Seals over HTTP: every call that takes a state takes its seal, and every state that is answered has one."""

from __future__ import annotations

import json
import random
from copy import deepcopy
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.engine import problems as searching
from service.engine.state import encode
from tests.http.conftest import KEY, OPEN, SEATS, TOY, begin, faults, problem, toy_app
from tests.http.kept import AT, kept_app

END = {"kind": "end-turn", "actor": "ann"}
THEN = {**END, "actor": "bob"}
OTHER = "77" * 32
# The calls that take a state, and what each needs beside it.
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("adjudications", {"action": END}),
    ("adjudications", {"actions": [END, THEN]}),
    ("adjudications/batch", {"items": [{"action": END}]}),
    ("options", {}),
    ("views", {"seat": "ann"}),
    ("problems", {}),
)
every_call = pytest.mark.parametrize(("call", "more"), CALLS)


@pytest.fixture
def begun(client: FlaskClient) -> Any:
    return begin(client)


def asked(begun: Any, more: Any = {}) -> dict[str, Any]:  # noqa: B006
    return {"state": begun["state"], "seal": begun["seal"], **more}


def judged(client: FlaskClient, begun: Any, *actions: Any) -> Any:
    answer = client.post(f"{TOY}/adjudications", json=asked(begun, {"actions": list(actions)}))
    assert answer.status_code == 200, answer.text
    return answer.json


@pytest.fixture
def searched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows with every search for problems."""
    found: list[int] = []
    sound = searching.problems
    monkeypatch.setattr(searching, "problems", lambda *given: found.append(1) or sound(*given))
    return found


@every_call
def test_under_a_seal_nothing_is_searched(
    client: FlaskClient, begun: Any, searched: list[int], call: str, more: Any
) -> None:
    answer = client.post(f"{TOY}/{call}", json=asked(begun, more))
    assert answer.status_code == 200, answer.text
    assert "broken-seal" not in answer.text
    assert bool(searched) == (call == "problems")  # which is asked for the search


@every_call
def test_without_one_everything_is(
    client: FlaskClient, begun: Any, searched: list[int], call: str, more: Any
) -> None:
    answer = client.post(f"{TOY}/{call}", json={"state": begun["state"], **more})
    assert answer.status_code == 200, answer.text
    assert len(searched) == 1


@every_call
@pytest.mark.parametrize("change", ["state", "seal", "empty", "of another state", "of a later version"])
def test_a_broken_seal_is_never_taken_for_none(
    client: FlaskClient, begun: Any, searched: list[int], call: str, more: Any, change: str
) -> None:
    """The state could be judged without it."""
    sent = deepcopy(asked(begun, more))
    why = "does-not-hold"
    if change == "state":
        sent["state"]["turn"] += 1
    elif change == "seal":
        sent["seal"] = sent["seal"][:-1] + ("0" if sent["seal"][-1] != "0" else "1")
    elif change == "empty":
        sent["seal"], why = "", "malformed"
    elif change == "of another state":
        sent["seal"] = judged(client, begun, END)["seal"]
    else:
        sent["seal"], why = "2" + sent["seal"][1:], "unknown-version"
    found = problem(client.post(f"{TOY}/{call}", json=sent), 422, "broken-seal")
    assert found["why"] == why
    assert not searched


@every_call
def test_a_seal_of_a_key_that_the_server_has_not_got_is_broken(
    client: FlaskClient, begun: Any, call: str, more: Any
) -> None:
    other = toy_app(ARBITR_KEY=OTHER).test_client()
    found = problem(other.post(f"{TOY}/{call}", json=asked(begun, more)), 422, "broken-seal")
    assert found["why"] == "unknown-key"
    assert other.post(f"{TOY}/{call}", json={"state": begun["state"], **more}).status_code == 200


def test_a_seal_says_why_it_does_not_hold_in_both_languages(client: FlaskClient, begun: Any) -> None:
    told = {}
    for language in ("en", "cs"):
        sent = {**asked(begun), "seal": "x"}
        answer = client.post(f"{TOY}/options", json=sent, headers={"Accept-Language": language})
        told[language] = problem(answer, 422, "broken-seal")["detail"]
    assert told == {"en": "It is no seal by its form.", "cs": "Podobou to není pečeť."}


@pytest.mark.parametrize(
    ("call", "more"),
    [("adjudications", {"action": END}), ("options", {}), ("views", {"seat": None}), ("problems", {})],
)
@pytest.mark.parametrize("seal", [None, 7, ["x"], {}, True])
def test_what_is_no_text_is_no_seal(client: FlaskClient, begun: Any, call: str, more: Any, seal: Any) -> None:
    answer = client.post(f"{TOY}/{call}", json={**asked(begun, more), "seal": seal})
    assert [e["pointer"] for e in problem(answer, 400, "off-schema")["errors"]] == ["/seal"]


# -- how a state is written ---------------------------------------------------------------------------------------


def shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        names = list(value)
        rng.shuffle(names)
        return {name: shuffled(value[name], rng) for name in names}
    return [shuffled(entry, rng) for entry in value] if isinstance(value, list) else value


@pytest.mark.parametrize("style", ["compact", "indented", "escaped", "floats", "shuffled"])
def test_key_order_and_white_space_do_not_matter(client: FlaskClient, style: str) -> None:
    begun = begin(client, seats=[{"id": "ann", "name": "Řehoř 😀"}, {"id": "bob"}])
    sent = asked(begun, {"action": END})
    plain = client.post(f"{TOY}/adjudications", json=sent).json
    if style == "shuffled":
        sent = shuffled(sent, random.Random(1))
    if style == "floats":
        sent["state"]["turn"] = float(sent["state"]["turn"])
    text = json.dumps(
        sent,
        ensure_ascii=style == "escaped",
        indent="\t" if style == "indented" else None,
        separators=(",", ":") if style == "compact" else None,
    )
    answer = client.post(f"{TOY}/adjudications", data=text, content_type="application/json")
    assert answer.json == plain
    assert plain["state"]["provenance"] == "issued"


def test_a_field_left_out_that_has_a_default_is_the_same_state(client: FlaskClient, begun: Any) -> None:
    sent = asked(begun, {"action": END})
    del sent["state"]["outcome"]
    assert client.post(f"{TOY}/adjudications", json=sent).json["verdict"] == "legal"


def test_a_house_is_sealed_in_whole_numbers(real: FlaskClient) -> None:
    """A client that writes 12 for 12.0 breaks no seal, whichever of both the state came with."""
    path = "/v1/games/zavandor"
    house = {"gems": {"opal": {"price": 12}}}
    begun = begin(real, "zavandor", house=house)
    actor = begun["decisions"][0]["actor"]
    action = {"kind": "end-turn", "actor": actor}
    for seal in ({"seal": begun["seal"]}, {}):
        state = {**begun["state"], "house": {"gems": {"opal": {"price": 12.0}}}}
        found = real.post(f"{path}/adjudications", json={"state": state, **seal, "action": action})
        assert found.json["verdict"] == "legal", found.text
        assert '"price":12}' in found.text
        again = json.loads(json.dumps({"state": found.json["state"], "seal": found.json["seal"]}))
        assert real.post(f"{path}/options", json=again).status_code == 200


def test_a_key_twice_is_refused_under_a_seal_too(client: FlaskClient, begun: Any) -> None:
    text = json.dumps(asked(begun, {"action": END}))
    for twice in ('"turn": 0, "turn": 0', '"turn": 5, "turn": 0'):
        sent = text.replace('"turn": 0', twice, 1)
        assert sent != text
        answer = client.post(f"{TOY}/adjudications", data=sent, content_type="application/json")
        problem(answer, 400, "duplicate-keys")


# -- what is answered ---------------------------------------------------------------------------------------------


def test_every_state_that_is_answered_is_sealed_with_its_parent(client: FlaskClient, begun: Any) -> None:
    import hashlib

    assert begun["seal"].split(".")[2] == "0"
    line = judged(client, begun, END, THEN)
    one = client.post(f"{TOY}/adjudications", json=asked(begun, {"action": END})).json
    batch = client.post(f"{TOY}/adjudications/batch", json={"items": [asked(begun, {"action": END})]}).json
    assert batch["judgements"] == [one]
    shared = asked(begun, {"items": [{"action": END}]})
    assert client.post(f"{TOY}/adjudications/batch", json=shared).json["judgements"] == [one]
    parent = hashlib.sha256(begun["seal"].encode()).hexdigest()
    for answer in (line, one):
        assert answer["seal"].split(".")[2] == parent
        assert client.post(f"{TOY}/options", json=asked(answer)).status_code == 200
    unsealed = client.post(f"{TOY}/adjudications", json={"state": begun["state"], "action": END}).json
    assert unsealed["seal"].split(".")[2] == "0"


def test_a_refusal_has_neither_state_nor_seal(client: FlaskClient, begun: Any) -> None:
    found = client.post(f"{TOY}/adjudications", json=asked(begun, {"action": THEN})).json
    assert found["verdict"] == "illegal"
    assert found.keys().isdisjoint({"state", "seal", "token"})


def test_the_same_question_has_the_same_bytes_for_an_answer(client: FlaskClient, begun: Any) -> None:
    sent = asked(begun, {"action": END})
    one, two = (client.post(f"{TOY}/adjudications", json=sent).data for _ in range(2))
    assert one == two


def test_a_batch_has_a_seal_for_a_state_of_its_own_only(client: FlaskClient, begun: Any) -> None:
    answer = client.post(
        f"{TOY}/adjudications/batch", json={"seal": begun["seal"], "items": [{"action": END}]}
    )
    assert [e["pointer"] for e in problem(answer, 400, "off-schema")["errors"]] == ["/seal"]
    bad = {**asked(begun, {"action": END}), "seal": "x"}
    items = [asked(begun, {"action": END}), bad, asked(begun, {"action": THEN})]
    found = client.post(f"{TOY}/adjudications/batch", json={"items": items}).json["judgements"]
    assert [j.get("verdict", j.get("why")) for j in found] == ["legal", "malformed", "illegal"]


# -- provenance ---------------------------------------------------------------------------------------------------


def test_what_was_issued_stays_so_under_its_seals(client: FlaskClient, begun: Any) -> None:
    for actor in ("ann", "bob", "ann"):
        assert begun["state"]["provenance"] == "issued"
        begun = judged(client, begun, {**END, "actor": actor})


def test_what_once_came_without_a_seal_is_foreign_for_ever(client: FlaskClient, begun: Any) -> None:
    stripped = client.post(f"{TOY}/adjudications", json={"state": begun["state"], "action": END}).json
    assert stripped["state"]["provenance"] == "foreign"
    assert judged(client, stripped, THEN)["state"]["provenance"] == "foreign"


def test_a_foreign_state_cannot_be_laundered(client: FlaskClient, begun: Any) -> None:
    foreign = client.post(f"{TOY}/adjudications", json={"state": begun["state"], "action": END}).json
    claimed = {**foreign["state"], "provenance": "issued"}
    sent = {"state": claimed, "seal": foreign["seal"], "action": THEN}
    problem(client.post(f"{TOY}/adjudications", json=sent), 422, "broken-seal")
    unsealed = client.post(f"{TOY}/adjudications", json={"state": claimed, "action": THEN}).json
    assert unsealed["state"]["provenance"] == "foreign"


def test_a_position_is_foreign_and_sealed_so(client: FlaskClient, begun: Any) -> None:
    found = begin(client, position=begun["state"]["table"])
    assert found["state"]["provenance"] == "foreign"
    assert judged(client, found, END)["state"]["provenance"] == "foreign"


# -- a server that judges only what was issued --------------------------------------------------------------------


@pytest.fixture(scope="module")
def strict() -> Flask:
    return toy_app(ARBITR_REQUIRE_SEAL="1")


@pytest.mark.parametrize(("call", "more"), [c for c in CALLS if c[0] != "problems"])
def test_a_strict_server_refuses_what_is_foreign(
    client: FlaskClient, strict: Flask, begun: Any, call: str, more: Any
) -> None:
    """Without a seal, or under one that says that it was foreign once; this server has the same keys."""
    picky = strict.test_client()
    assert picky.post(f"{TOY}/{call}", json=asked(begun, more)).status_code == 200
    found = problem(picky.post(f"{TOY}/{call}", json={"state": begun["state"], **more}), 422, "foreign-state")
    assert "seal" in found["detail"]
    foreign = begin(client, position=begun["state"]["table"])
    problem(picky.post(f"{TOY}/{call}", json=asked(foreign, more)), 422, "foreign-state")


def test_a_strict_server_begins_no_game_from_a_position(strict: Flask, begun: Any) -> None:
    for hold in ("state", "token"):
        setup = {"seats": SEATS, "chance": OPEN, "position": begun["state"]["table"], "hold": hold}
        problem(strict.test_client().post(f"{TOY}/states", json=setup), 422, "foreign-state")


def test_a_strict_server_still_says_why_a_state_cannot_exist(strict: Flask, begun: Any) -> None:
    state = {**begun["state"], "stack": []}
    assert strict.test_client().post(f"{TOY}/problems", json={"state": state}).json["problems"]


def test_a_strict_server_judges_records_that_begin_with_any_state(strict: Flask, begun: Any) -> None:
    record = {"game": "toy", "ruleset": "1.0", "state": begun["state"], "actions": [END]}
    answer = strict.test_client().post(f"{TOY}/verifications", json={"record": record})
    assert (answer.json["verdict"], answer.json["outcome"]) == ("valid", None)
    assert not answer.json.keys() & {"state", "seal"}, "nothing that could be played on"


def test_a_strict_server_opens_sessions_with_what_was_issued_alone(begun: Any) -> None:
    app = kept_app(ARBITR_REQUIRE_SEAL="1", ARBITR_KEY=KEY)
    client = app.test_client()
    assert client.post(AT, json={"game": "toy", **asked(begun)}).status_code == 201
    problem(client.post(AT, json={"game": "toy", "state": begun["state"]}), 422, "foreign-state")
    position = {"game": "toy", "seats": SEATS, "chance": OPEN, "position": begun["state"]["table"]}
    problem(client.post(AT, json=position), 422, "foreign-state")
    assert client.post(AT, json={"game": "toy", "seats": SEATS, "chance": OPEN}).status_code == 201


# -- sessions -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sealed", "provenance"), [(True, "issued"), (False, "foreign")])
def test_a_session_goes_on_from_a_state_with_its_provenance(
    begun: Any, searched: list[int], sealed: bool, provenance: str
) -> None:
    app = kept_app()
    client = app.test_client()
    seal = {"seal": begun["seal"]} if sealed else {}
    answer = client.post(AT, json={"game": "toy", "state": begun["state"], **seal})
    assert answer.status_code == 201, answer.text
    assert len(searched) == (0 if sealed else 1)
    kept = app.extensions["arbitr"].desk.store.read(answer.json["session"]["id"], state=True, key=None)
    from service.sessions.ledger import unpacked

    assert json.loads(unpacked(kept.state))["provenance"] == provenance


def test_a_session_is_not_opened_under_a_broken_seal(begun: Any) -> None:
    sent = {"game": "toy", "state": {**begun["state"], "turn": 1}, "seal": begun["seal"]}
    problem(kept_app().test_client().post(AT, json=sent), 422, "broken-seal")


# -- keys ---------------------------------------------------------------------------------------------------------


def test_a_server_with_a_new_key_takes_what_the_old_one_sealed(client: FlaskClient) -> None:
    """And it draws on for the game, whose seed is of the old key; what it answers is of the new one."""
    both = toy_app(ARBITR_KEY="", ARBITR_KEYS=f"{OTHER},{KEY}").test_client()
    new = toy_app(ARBITR_KEY=OTHER).test_client()
    begun = client.post(f"{TOY}/states", json={"seats": SEATS}).json
    first = judged(client, begun, END)
    found = judged(both, begun, END)
    assert found["state"] == first["state"]
    assert found["seal"].split(".")[1] != begun["seal"].split(".")[1]
    assert new.post(f"{TOY}/options", json=asked(found)).status_code == 200
    problem(client.post(f"{TOY}/options", json=asked(found)), 422, "broken-seal")
    fresh = both.post(f"{TOY}/states", json={"seats": SEATS}).json
    assert fresh["state"]["chance"]["key_id"] == fresh["seal"].split(".")[1] == found["seal"].split(".")[1]


@pytest.mark.rule("ROOT-CAMP-1")
def test_what_the_next_game_takes_over_is_sealed_in_whole_numbers(real: FlaskClient) -> None:
    """The set-up of the next game is plain JSON in the state, as a house is: 1.0 is 1 there, and a house in it too."""
    state = begin(real, "root")["state"]
    coming = {
        "seats": [{"id": "ann"}, {"id": "bob"}],
        "options": {"wins": 1},
        "house": {"x": {"y": {"z": [2]}}},
    }
    over = {"winners": ["ann"], "standings": [], "because": "ROOT-COOP-2", "next": coming}
    held = real.application.extensions["arbitr"]
    rules = held.registry.get("root")
    typed = rules.decode(json.dumps({**state, "outcome": over}).encode())
    seal = held.seals.seal(typed, encode(typed), None)
    text = json.dumps({"state": json.loads(encode(typed)), "seal": seal})
    for written, other in (
        ("", ""),
        ('"wins": 1', '"wins": 1.0'),
        ('"wins": 1', '"wins": 1e0'),
        ("[2]", "[2.0]"),
    ):
        assert written in text
        sent = text.replace(written, other, 1) if written else text
        answer = real.post("/v1/games/root/options", data=sent, content_type="application/json")
        assert answer.status_code == 200, (other, answer.text)
    sent = text.replace('"wins": 1', '"wins": 2.0', 1)
    broken = real.post("/v1/games/root/options", data=sent, content_type="application/json")
    assert problem(broken, 422, "broken-seal")["why"] == "does-not-hold"


# None has the form of a seal; the last two begin with the version that there is, or with what is no version.
MALFORMED_SEALS = ("", "zz", "1.zz", "99999.zz")


@every_call
def test_a_sealed_state_of_a_later_release_is_told_as_that_and_not_as_off_schema(
    client: FlaskClient, begun: Any, call: str, more: Any
) -> None:
    """It has what no state of ours has, in its form (`schema`) or in that of its seal."""
    sent = asked(begun, more)
    late = {**sent["state"], "weather": "fine"}
    for state, seal in (
        ({**late, "schema": 2}, sent["seal"]),
        ({**late, "schema": 2}, "2" + sent["seal"][1:]),
        (late, "2" + sent["seal"][1:]),
        (late, "2.whatever"),
        ({**late, "schema": 2}, "2.whatever"),
    ):
        answer = client.post(f"{TOY}/{call}", json={**sent, "state": state, "seal": seal})
        assert problem(answer, 422, "broken-seal")["why"] == "unknown-version"
    for wrong in (
        {**sent, "state": late},
        {**sent, "state": {**late, "schema": "2"}},
        {**sent, "state": late, "seal": 2},
        *({**sent, "state": {**late, "schema": 2}, "seal": seal} for seal in MALFORMED_SEALS),
        *({**sent, "state": late, "seal": seal} for seal in MALFORMED_SEALS),
    ):
        assert "/state/weather" in faults(client.post(f"{TOY}/{call}", json=wrong))


@pytest.mark.parametrize("validate", ["fast", "plain"])
@pytest.mark.parametrize("schema", [2, 0, 99])
def test_a_sealed_state_relabelled_is_one_of_an_unknown_version_on_every_way_in(
    validate: str, schema: int
) -> None:
    """Its old seal would not hold either; that it cannot be known here comes first."""
    client = toy_app(ARBITR_VALIDATE=validate).test_client()
    sent = asked(begin(client))
    over = {**sent, "state": {**sent["state"], "schema": schema}}
    for call, more in CALLS:
        told = problem(client.post(f"{TOY}/{call}", json={**over, **more}), 422, "broken-seal")
        assert (told["why"], told["of"], told["known"]) == ("unknown-version", "schema", [1]), call
    item = {**over, "action": END}
    batch = client.post(f"{TOY}/adjudications/batch", json={"items": [item, {**sent, "action": END}]}).json
    first, second = batch["judgements"]
    assert (first["why"], first["known"], second["verdict"]) == ("unknown-version", [1], "legal")
    cut = {**over, "seal": over["seal"][:-1]}
    assert problem(client.post(f"{TOY}/options", json=cut), 422, "broken-seal")["why"] == "malformed"
    seal = {**sent, "seal": "3" + sent["seal"][1:]}
    told = problem(client.post(f"{TOY}/options", json=seal), 422, "broken-seal")
    assert (told["why"], told["of"], told["known"]) == ("unknown-version", "seal", [1])
    assert "schema" not in told["detail"]
    rules = {**over, "state": {**over["state"], "ruleset": "7.0"}}
    assert problem(client.post(f"{TOY}/options", json=rules), 422, "unknown-ruleset")["known"] == [
        "0.9",
        "1.0",
    ]


def test_a_session_is_not_opened_from_a_relabelled_state() -> None:
    client = kept_app().test_client()
    begun = begin(client)
    over = {**asked(begun), "game": "toy", "state": {**begun["state"], "schema": 2}}
    told = problem(client.post(AT, json=over), 422, "broken-seal")
    assert (told["why"], told["of"], told["known"]) == ("unknown-version", "schema", [1])
