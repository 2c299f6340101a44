"""Records are judged again: the first bad action, the end, and whether the draws are those of the revealed seed."""

from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from schemas.record import MOST_PLIES
from service.http.problems import LARGEST_BATCH, MOST_IN_BATCH
from tests.http.conftest import KEY, encoded, faults, post, problem
from tests.http.kept import AT, Kept, filled, kept_app, opened
from tests.http.test_session_promise import played_out

VERIFY = "/v1/games/harbour/verifications"
TOOL = Path(__file__).parents[2] / "tools" / "verify_draws.py"
SEATS = [{"id": s} for s in ("ann", "bob", "cyd")]


@cache
def the_app() -> Flask:
    return kept_app()


@pytest.fixture
def client() -> FlaskClient:
    return the_app().test_client()


@cache
def _of_a_session() -> str:
    kept = opened(the_app().test_client(), "harbour", seats="ann bob cyd", chance={"client_seed": "ours"})
    return json.dumps(played_out(kept))


@cache
def _of_a_client(chance: str = '{"client_seed": "ours"}') -> str:
    """A record that a client without a session has put together: its set-up, and what was played at every call."""
    client = the_app().test_client()
    setup = {"seats": SEATS, "chance": json.loads(chance)}
    told = client.post("/v1/games/harbour/states", json=setup).json
    actions = list(told["played"])
    for n in range(2000):
        if told["outcome"] is not None:
            break
        assert "chance" not in told, "no seed is told before the end"
        listed = client.post("/v1/games/harbour/options", json={"state": told["state"]}).json["options"]
        asked = {"state": told["state"], "action": filled(listed[n * 7 % len(listed)])}
        told = client.post("/v1/games/harbour/adjudications", json=asked).json
        actions += told["played"]
    head = {"schema": 1, "game": "harbour", "ruleset": told["state"]["ruleset"], "setup": setup}
    return json.dumps({**head, "actions": actions, "digest": told["digest"], "chance": told["chance"]})


@pytest.fixture
def record() -> Any:
    """The record of a session, with steps back in it."""
    return json.loads(_of_a_session())


@pytest.fixture
def plain() -> Any:
    """The record of a game that a client has kept by itself."""
    return json.loads(_of_a_client())


def verified(client: FlaskClient, record: Any, query: str = "") -> Any:
    answer = client.post(VERIFY + query, json={"record": record})
    assert answer.status_code == 200, answer.text
    return answer.json


def without(record: Any, *names: str) -> Any:
    return {name: value for name, value in record.items() if name not in names}


def checked(record: Any, *arguments: str) -> tuple[int, str]:
    """What the stranger's program says."""
    ran = subprocess.run(
        [sys.executable, "-I", TOOL, "-", *arguments],
        input=json.dumps(record),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ran.stderr == ""
    return ran.returncode, ran.stdout


# -- what holds ---------------------------------------------------------------------------------------------------


def test_the_record_of_a_session_verifies(client: FlaskClient, record: Any) -> None:
    found = verified(client, record)
    assert (found["verdict"], found["draws"]) == ("valid", "match")
    assert found["digest"] == record["digest"]
    assert found["outcome"]["winners"]
    assert not found.keys() & {"at", "violations", "reason", "difference"}


def test_a_stranger_finds_the_same(record: Any) -> None:
    code, said = checked(record)
    assert (code, said) == (0, f"match: {record['chance']['next_draw']} draws are what the seed says\n")


def test_gaps_in_the_numbers_are_where_something_was_taken_back(record: Any) -> None:
    numbers = [a["draw"] for a in record["actions"] if a["actor"] == "chance"]
    every = [a["draw"] for e in record["log"] for a in e.get("actions", ()) if a["actor"] == "chance"]
    assert numbers == sorted(set(numbers))
    assert every == list(range(record["chance"]["next_draw"]))
    assert len(numbers) < len(every), "nothing was taken back"


def test_the_record_that_a_client_has_kept_verifies(client: FlaskClient, plain: Any) -> None:
    found = verified(client, plain, "?odds=true")
    assert (found["verdict"], found["draws"], found["digest"]) == ("valid", "match", plain["digest"])
    assert checked({**plain, "odds": found["odds"]})[0] == 0
    code, said = checked(plain)
    assert (code, "odds" in said) == (2, True)
    assert "odds" not in verified(client, plain)


def test_an_open_game_needs_no_seed_to_be_told(client: FlaskClient) -> None:
    record = json.loads(_of_a_client('{"seed": "7"}'))
    assert verified(client, record)["draws"] == "match"
    assert verified(client, without(record, "chance"))["draws"] == "match"
    other = {**record, "setup": {**record["setup"], "chance": {"seed": "8"}}}
    assert verified(client, without(other, "chance"))["draws"] == "differ"
    assert verified(client, other)["difference"]["why"] == "promise"


def test_what_nobody_reveals_is_unknown(client: FlaskClient, plain: Any) -> None:
    """Of a game of ours that still goes on the seed could be worked out: nobody is told whether a guess is right."""
    chance = without(plain["chance"], "seed")
    assert verified(client, {**plain, "chance": chance})["draws"] == "unknown"
    guess = deepcopy(plain)
    guess["chance"] = chance
    first = next(a for a in guess["actions"] if a["actor"] == "chance")
    (name,) = first.keys() - {"kind", "actor", "draw"}
    others = {a[name] for a in guess["actions"] if a["kind"] == first["kind"]} - {first[name]}
    assert others
    for other in others:
        first[name] = other
        assert verified(client, guess)["draws"] == "unknown"
    assert checked(guess) == (2, "unknown: the record reveals no seed\n")


def test_what_people_drew_is_unknown(client: FlaskClient, plain: Any) -> None:
    actions = [without(a, "draw") for a in plain["actions"]]
    given = {
        **without(plain, "chance"),
        "setup": {"seats": SEATS, "chance": {"mode": "given"}},
        "actions": actions,
    }
    found = verified(client, given)
    assert (found["verdict"], found["digest"], found["draws"]) == ("valid", plain["digest"], "unknown")


def test_a_game_that_goes_on_is_valid_so_far(client: FlaskClient, plain: Any) -> None:
    begun = {**without(plain, "digest", "chance"), "actions": plain["actions"][:20]}
    found = verified(client, begun)
    assert (found["verdict"], found["outcome"], found["draws"]) == ("valid", None, "unknown")


@pytest.mark.parametrize(("sealed", "provenance"), [(True, "issued"), (False, "foreign")])
def test_a_session_from_a_state_has_a_record_that_verifies(
    client: FlaskClient, sealed: bool, provenance: str
) -> None:
    told = client.post("/v1/games/harbour/states", json={"seats": SEATS}).json
    option = client.post("/v1/games/harbour/options", json={"state": told["state"]}).json["options"][-1]
    told = client.post(
        "/v1/games/harbour/adjudications",
        json={"state": told["state"], **({"seal": told["seal"]} if sealed else {}), "action": filled(option)},
    ).json
    seal = {"seal": told["seal"]} if sealed else {}
    answer = client.post(AT, json={"game": "harbour", "state": told["state"], **seal})
    record = played_out(Kept(client, answer.json))
    found = verified(client, record)
    assert (found["verdict"], found["draws"], found["digest"]) == ("valid", "match", record["digest"])
    assert record["state"]["chance"]["next_draw"] > 0
    assert record["state"]["provenance"] == provenance
    assert checked(record)[0] == 0


def test_the_seed_is_told_to_everybody_when_the_game_is_over(client: FlaskClient) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd", chance={"client_seed": "ours"})
    assert not kept.get("ann").json["session"]["chance"].keys() & {"seed", "commitment"}
    record = played_out(kept)
    for who in ("ann", "spectator", "host"):
        told = kept.get(who).json["session"]["chance"]
        assert (told["seed"], told["commitment"]) == (
            record["chance"]["seed"],
            record["chance"]["commitment"],
        )
    assert checked(record, "--promise", told["promise"])[0] == 0
    assert checked(record, "--promise", "0" * 64)[0] == 1


# -- what does not ------------------------------------------------------------------------------------------------


def bad(client: FlaskClient, record: Any) -> Any:
    """Not a good record in every way: an action is illegal, the end is another, or the draws differ."""
    found = verified(client, record)
    assert found["verdict"] == "invalid" or found["draws"] == "differ", record
    if "at" in found:
        assert found["violations"]
        assert found["reason"] == "illegal-action"
    return found


def test_a_missing_action_is_found(client: FlaskClient, plain: Any) -> None:
    for at in range(0, len(plain["actions"]), 5):
        found = bad(client, {**plain, "actions": plain["actions"][:at] + plain["actions"][at + 1 :]})
        assert found.get("at", at) >= at


def test_a_doubled_action_is_found(client: FlaskClient, plain: Any) -> None:
    for at in range(0, len(plain["actions"]), 5):
        found = bad(client, {**plain, "actions": plain["actions"][: at + 1] + plain["actions"][at:]})
        assert found.get("at", at + 1) > at


def test_exchanged_actions_are_found(client: FlaskClient, plain: Any) -> None:
    """But for answers of seats that are asked together: they may as well come in the other order."""
    tried = 0
    for at in range(0, len(plain["actions"]) - 1, 4):
        one, two = plain["actions"][at : at + 2]
        turned = [*plain["actions"][:at], two, one, *plain["actions"][at + 2 :]]
        if "chance" in (one["actor"], two["actor"]) or one["kind"] != two["kind"]:
            bad(client, {**plain, "actions": turned})
            tried += 1
    assert tried > 5


def test_an_action_of_another_seat_is_found_where_it_stands(client: FlaskClient, plain: Any) -> None:
    seats = [s["id"] for s in SEATS]
    tried = 0
    for at, action in enumerate(plain["actions"]):
        if action["actor"] == "chance" or at % 5:
            continue
        other = seats[(seats.index(action["actor"]) + 1) % 3]
        actions = [*plain["actions"][:at], {**action, "actor": other}, *plain["actions"][at + 1 :]]
        found = bad(client, {**plain, "actions": actions})
        assert found["at"] >= at
        if found["at"] == at:  # where several are asked together, only the next answer is one too many
            reasons = {v["reason"] for v in found["violations"]}
            assert reasons & {"not-your-decision", "unknown-value"}
            tried += 1
    assert tried > 5


def test_an_action_after_the_end_is_found(client: FlaskClient, plain: Any) -> None:
    last = next(a for a in reversed(plain["actions"]) if a["actor"] != "chance")
    found = bad(client, {**plain, "actions": [*plain["actions"], last]})
    assert found["at"] == len(plain["actions"])


def test_a_wrong_digest_is_told_with_the_right_one(client: FlaskClient, plain: Any) -> None:
    found = bad(client, {**plain, "digest": "0" * 32})
    assert (found["verdict"], found["reason"], found["digest"]) == (
        "invalid",
        "wrong-digest",
        plain["digest"],
    )


def changed(record: Any, **chance: Any) -> Any:
    return {**record, "chance": {**record["chance"], **chance}}


def test_another_seed_than_the_promised_one_is_found(client: FlaskClient, record: Any) -> None:
    import hashlib

    seed = "11" * 32
    forged = {"seed": seed, "commitment": hashlib.sha256(bytes.fromhex(seed)).hexdigest()}
    wrong: tuple[dict[str, Any], ...] = (
        {"seed": seed},
        forged,
        {"client_seed": "theirs"},
        {"game_id": "0" * 32},
        {"commitment": "0" * 64},
        {"mode": "given"},
    )
    for change in wrong:
        found = verified(client, changed(record, **change))
        assert (found["verdict"], found["draws"], found["difference"]["why"]) == (
            "valid",
            "differ",
            "promise",
        )
    for change in wrong[:5]:
        if "game_id" not in change:  # whose seed it is, only the server can say
            assert checked(changed(record, **change))[0] == 1, change


def test_of_another_servers_game_the_values_tell_that_the_seed_is_another(
    client: FlaskClient, plain: Any
) -> None:
    import hashlib

    seed = "11" * 32
    forged = {"seed": seed, "commitment": hashlib.sha256(bytes.fromhex(seed)).hexdigest(), "key_id": "theirs"}
    found = verified(client, changed(plain, **forged))
    assert (found["draws"], found["difference"]["why"]) == ("differ", "value")
    assert found["difference"]["at"] <= 5


def test_seeds_of_older_keys_are_known_as_those_of_the_last(record: Any) -> None:
    """A game that began before the server key was changed: its seed is told true from false as long as the old one is
    there."""
    import hashlib

    seed, new = "11" * 32, "77" * 32
    forged = {"seed": seed, "commitment": hashlib.sha256(bytes.fromhex(seed)).hexdigest()}
    both = kept_app(ARBITR_KEY="", ARBITR_KEYS=f"{new},{KEY}").test_client()
    assert verified(both, record)["draws"] == "match"
    assert verified(both, changed(record, **forged))["difference"]["why"] == "promise"
    alone = kept_app(ARBITR_KEY=new).test_client()
    assert verified(alone, record)["draws"] == "match", "by what the record itself tells"
    assert verified(alone, changed(record, **forged))["difference"]["why"] == "value"


def test_a_fair_game_is_not_drawn_from_a_seed_that_everybody_knows(client: FlaskClient) -> None:
    opened_ = json.loads(_of_a_client('{"seed": "7"}'))
    setup = {**opened_["setup"], "chance": {}}
    found = verified(client, {**opened_, "setup": setup})
    assert (found["verdict"], found["draws"], found["difference"]["why"]) == ("valid", "differ", "promise")
    odds = verified(client, opened_, "?odds=true")["odds"]
    assert checked({**opened_, "odds": odds})[0] == 0
    assert checked({**opened_, "odds": odds, "setup": setup})[0] == 1


def test_a_value_that_was_not_drawn_is_found_where_it_stands(client: FlaskClient, record: Any) -> None:
    for at, action in enumerate(record["actions"][:9]):
        (name,) = action.keys() - {"kind", "actor", "draw"}
        for other in {a[name] for a in record["actions"][:9]} - {action[name]}:
            spoiled = deepcopy(without(record, "log", "odds", "digest"))
            spoiled["actions"][at][name] = other
            spoiled["actions"] = spoiled["actions"][:9]
            found = verified(client, spoiled)
            assert found["difference"] | {"message": ""} == {"why": "value", "at": at, "message": ""}


@pytest.mark.parametrize("number", [None, 0, 3, 99])
def test_a_number_out_of_turn_is_found(client: FlaskClient, plain: Any, number: int | None) -> None:
    plain["actions"][4].pop("draw")
    if number is not None:
        plain["actions"][4]["draw"] = number
    found = verified(client, plain)
    assert (found["difference"]["why"], found["difference"]["at"]) == ("number", 4)


def test_without_its_log_a_record_with_gaps_is_not_believed(client: FlaskClient, record: Any) -> None:
    found = verified(client, without(record, "log", "odds"))
    assert (found["draws"], found["difference"]["why"]) == ("differ", "number")


def test_a_log_that_does_not_hold_is_found(client: FlaskClient, record: Any) -> None:
    back = next(i for i, e in enumerate(record["log"]) if "to" in e)
    seats = next(i for i, e in enumerate(record["log"]) if e["kind"] == "seats")
    act = max(i for i, e in enumerate(record["log"]) if e["kind"] == "act")

    def spoiled(at: int, **change: Any) -> Any:
        twin = deepcopy(record)
        twin["log"][at] |= change
        return twin

    cut = deepcopy(record)
    cut["log"][back - 1]["actions"][0]["actor"] = "nobody"  # what was taken back had to be legal, too
    wrong = [
        {**record, "log": []},
        {**record, "log": record["log"][1:]},
        {**record, "log": record["log"][:-1]},
        {**record, "log": [*record["log"], record["log"][-1]]},
        spoiled(back, to=record["log"][back]["version"]),
        spoiled(seats, actions=record["log"][act]["actions"]),
        spoiled(seats, to=1),
        spoiled(act, kind="seats"),
        spoiled(back, to=1 if record["log"][back]["to"] != 1 else 2),
        spoiled(back, kind="act"),
        spoiled(back, kind="open"),
        spoiled(0, kind="act"),
        spoiled(act, actions=[]),
        spoiled(act, to=1),
        cut,
    ]
    for n, each in enumerate(wrong):
        found = verified(client, each)
        assert (n, found["draws"], found.get("difference", {}).get("why")) == (n, "differ", "log")
        assert n == len(wrong) - 1 or checked(each)[0] in (1, 2), n


def test_odds_that_there_were_not_are_found(client: FlaskClient, record: Any) -> None:
    def spoiled(odds: Any) -> Any:
        return {**record, "odds": odds}

    first = record["odds"][0]["of"]
    more = [{"of": [[value, weight + 1] for value, weight in first]}, *record["odds"][1:]]
    for odds in (more, record["odds"][:-1], [], [{"of": [first[0], first[0]]}], [{"like": 0, "but": []}]):
        found = verified(client, spoiled(odds))
        assert (found["draws"], found["difference"]["why"]) == ("differ", "odds")
    for odds in (record["odds"][:-1], [], [{"like": 0, "but": []}]):
        assert checked(spoiled(odds))[0] == 1


# -- what is no record --------------------------------------------------------------------------------------------


def test_off_schema_bodies_are_told_with_pointers(client: FlaskClient, plain: Any) -> None:
    def told(**change: Any) -> dict[str, str]:
        answer = client.post(VERIFY, json={"record": {**plain, **change}})
        problem(answer, 400, "off-schema")
        return faults(answer)

    assert "/record/schema" in told(schema=2)
    assert "/record/complete" in told(complete=False)
    assert "/record/extra" in told(extra=1)
    assert "/record" in told(state=None) or "/record/state" in told(state=None)
    assert "/record/actions/3/kind" in told(
        actions=[*plain["actions"][:3], {"kind": "dance", "actor": "ann"}]
    )
    assert "/record/actions/0" in told(actions=[1])
    played = next(a for a in plain["actions"] if a["actor"] != "chance")
    assert "/record/actions/0/draw" in told(actions=[{**played, "draw": 1}])
    assert "/record/chance/seed" in told(chance={**plain["chance"], "seed": "xyz"})
    assert "/record/odds/0" in told(odds=[{"of": [["a", 1]], "like": 0}])
    assert "/record/odds/0/of/0" in told(odds=[{"of": [["a", -1]]}])
    assert "/record/setup/seats" in told(setup={"seats": SEATS[:1]})
    for body in ({}, {"record": 1}, {"record": None}, {"record": []}, {"record": {}}):
        problem(client.post(VERIFY, json=body), 400, "off-schema")


def test_what_a_seat_is_told_of_a_record_is_refused_as_that(client: FlaskClient) -> None:
    kept = opened(client, "harbour", seats="ann bob cyd")
    answer = client.post(VERIFY, json={"record": kept.get("ann", "/record").json})
    problem(answer, 400, "off-schema")
    assert "host" in faults(answer)["/record/complete"]


def test_a_set_up_that_no_game_has_is_refused(client: FlaskClient, plain: Any) -> None:
    setup = {"seats": [SEATS[0], SEATS[0]]}
    answer = client.post(VERIFY, json={"record": {**without(plain, "chance"), "setup": setup}})
    problem(answer, 400, "setup-refused")


def test_a_state_that_cannot_exist_is_refused(client: FlaskClient, plain: Any) -> None:
    state = client.post("/v1/games/harbour/states", json={"seats": SEATS}).json["state"]
    start = {**without(plain, "setup", "chance"), "state": {**state, "seats": state["seats"][1:]}}
    problem(client.post(VERIFY, json={"record": start}), 422, "impossible-state")


def test_rules_that_we_do_not_know_are_told_with_those_that_we_do(client: FlaskClient, plain: Any) -> None:
    answer = client.post(VERIFY, json={"record": {**plain, "ruleset": "9.9"}})
    told = problem(answer, 422, "unknown-ruleset")
    assert told["known"] == [plain["ruleset"]]
    problem(client.post(VERIFY, json={"record": {**plain, "game": "toy"}}), 422, "wrong-game")
    problem(client.post("/v1/games/toy/verifications", json={"record": plain}), 422, "wrong-game")


def test_huge_records_are_refused_at_once(client: FlaskClient, plain: Any) -> None:
    plies = [{"kind": "end-turn", "actor": "ann"}] * (MOST_PLIES + 1)
    answer = client.post(VERIFY, json={"record": {**plain, "actions": plies}})
    problem(answer, 400, "off-schema")
    assert f"{MOST_PLIES}" in faults(answer)["/record/actions"]
    most = {**without(plain, "digest"), "actions": plies[1:]}
    assert bad(client, most)["at"] == 0
    many = encoded({"record": {**plain, "actions": [0] * (MOST_IN_BATCH + 2)}})
    problem(post(client, VERIFY, many), 413, "too-many-values")
    problem(post(client, VERIFY, b" " * (LARGEST_BATCH + 1)), 413, "too-large")
    elsewhere = encoded({"state": {}, "more": [0] * 5_001})
    problem(post(client, VERIFY, elsewhere), 413, "too-many-values")


def test_deep_records_are_refused(client: FlaskClient) -> None:
    for deep in ("[" * 50_000, "[" * 500 + "]" * 500, '{"a":' * 500 + "1" + "}" * 500):
        for member in ("actions", "setup", "log", "odds", "state"):
            body = f'{{"record": {{"game": "harbour", "ruleset": "1.0", "{member}": {deep}}}}}'
            answer = post(client, VERIFY, body)
            assert answer.status_code in (400, 422), answer.text


def test_keys_that_stand_twice_are_refused(client: FlaskClient, plain: Any) -> None:
    body = json.dumps({"record": plain}).replace('"digest"', '"digest": "", "digest"', 1)
    problem(post(client, VERIFY, body), 400, "duplicate-keys")


def test_it_is_said_in_the_language_that_is_asked_for(client: FlaskClient, record: Any) -> None:
    wrong = changed(record, seed="00" * 32)
    told = {
        spoken: client.post(
            VERIFY, json={"record": {**wrong, "digest": "0"}}, headers={"Accept-Language": spoken}
        )
        for spoken in ("en", "cs")
    }
    for where in (("message",), ("difference", "message")):
        said = []
        for answer in told.values():
            value = answer.json
            for name in where:
                value = value[name]
            said.append(value)
        assert len(set(said)) == 2
        assert all(said)


# -- real games ---------------------------------------------------------------------------------------------------


def test_the_record_of_a_session_with_secret_choices_and_an_automated_seat_verifies(
    client: FlaskClient,
) -> None:
    """Of Simurgh's Dragonlord, whose dragons are chosen in secret, with an automated seat that is asked first."""
    seats = [{"id": "bob", "automated": True}, {"id": "ann"}, {"id": "cyd", "automated": True}]
    setup = {"game": "simurgh", "seats": seats, "options": {"variant": "dragonlord", "length": "short"}}
    kept = Kept(client, client.post(AT, json=setup).json)
    for n in range(600):
        if kept.get("ann").json["outcome"] is not None:
            break
        options = kept.options("ann")
        kept.done(filled(options[n % len(options)]))
        if n % 9 == 2:
            kept.post("ann", "/undo", {})
    record = kept.get("host", "/record").json
    assert record["complete"]
    answer = client.post("/v1/games/simurgh/verifications", json={"record": record}).json
    assert (answer["verdict"], answer["draws"], answer["digest"]) == ("valid", "match", record["digest"])
    assert checked(record)[0] == 0


def begun_record(client: FlaskClient, game: str, setup: Any) -> Any:
    """The record of a game of which nothing but its set-up has been played."""
    told = client.post(f"/v1/games/{game}/states", json=setup)
    assert told.status_code == 200, told.text
    head = {"game": game, "ruleset": told.json["state"]["ruleset"], "setup": setup}
    return {**head, "actions": told.json["played"]}


def test_a_record_begins_with_a_position_or_a_house_as_well(client: FlaskClient) -> None:
    seats = [{"id": "ann"}, {"id": "bob"}]
    table = client.post("/v1/games/toy/states", json={"seats": seats}).json["state"]["table"]
    position = {"seats": seats, "chance": {"seed": "1"}, "position": table}
    house = {"gems": {"opal": {"price": 12}}, "energy-cards": {"blue-3": {"count": 9}}}
    for game, setup in (
        ("toy", position),
        ("zavandor", {"seats": seats, "chance": {"seed": "1"}, "house": house}),
        ("zavandor", {"seats": seats, "chance": {"seed": "1", "client_seed": "c"}}),
    ):
        record = begun_record(client, game, setup)
        at = f"/v1/games/{game}/verifications"
        assert client.post(at, json={"record": record}).json["draws"] == "match"
        assert any(action["actor"] == "chance" for action in record["actions"])
        other = {**record, "setup": {**setup, "chance": {**setup["chance"], "seed": "2"}}}
        assert client.post(at, json={"record": other}).json["draws"] == "differ"
    table["discard"] = {"plum": 1}
    record = {**begun_record(client, "toy", {"seats": seats}), "setup": {**position, "position": table}}
    answer = client.post("/v1/games/toy/verifications", json={"record": record})
    found = problem(answer, 422, "impossible-state")["problems"]
    assert found[0]["pointer"].startswith("/record/setup/position/")
    assert "/record/setup/position/" in found[0]["message"]
