"""What a record claims beside its actions: that it is whole, whose its seed is, what was done.

The service and the stranger's program say the same of it.
"""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout
from copy import deepcopy
from functools import cache
from typing import Any
from unittest import mock

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.engine.state import NAME
from tests.http.kept import kept_app
from tests.http.test_verifications import SEATS, _of_a_client, _of_a_session, changed, checked, without
from tests.records import GAMES
from tools import verify_draws

KEPT = json.loads((GAMES / "zavandor" / "records" / "1.0" / "two.json").read_text(encoding="utf-8"))
CODES = {"match": 0, "differ": 1, "unknown": 2}


@cache
def the_app() -> Flask:
    return kept_app()


@pytest.fixture
def client() -> FlaskClient:
    return the_app().test_client()


@cache
def _with_odds(chance: str) -> str:
    record = json.loads(_of_a_client(chance))
    answer = (
        the_app().test_client().post("/v1/games/harbour/verifications?odds=true", json={"record": record})
    )
    return json.dumps({**record, "odds": answer.json["odds"]})


@pytest.fixture
def fair() -> Any:
    """A fair game that a client has kept, with its odds."""
    return json.loads(_with_odds('{"client_seed": "ours"}'))


@pytest.fixture
def opened() -> Any:
    """The same with a seed of the client's."""
    return json.loads(_with_odds('{"seed": "7"}'))


@pytest.fixture
def session() -> Any:
    """The record of a session, with steps back in it."""
    return json.loads(_of_a_session())


def found(client: FlaskClient, record: Any) -> tuple[str, str, str]:
    """What the service says of a record, and why of its draws; the stranger's program says the same of the draws."""
    answer = client.post(f"/v1/games/{record['game']}/verifications", json={"record": record})
    assert answer.status_code == 200, answer.text
    told = answer.json
    code, said = checked(record)
    assert code == CODES[told["draws"]], (told, said)
    return told.get("reason", told["verdict"]), told["draws"], told.get("difference", {}).get("why", "")


# -- whole --------------------------------------------------------------------------------------------------------


def cut(record: Any, actions: int, *names: str) -> Any:
    """The record without its end, and with the odds of the draws that are left."""
    left = record["actions"][:actions]
    drawn = sum(action["actor"] == "chance" for action in left)
    return {**without(record, "digest", *names), "actions": left, "odds": record["odds"][:drawn]}


def test_a_record_whose_end_is_missing_is_not_over(client: FlaskClient) -> None:
    short = cut(KEPT, 150)
    assert found(client, short) == ("not-over", "differ", "number")
    assert found(client, without(short, "complete")) == ("valid", "differ", "number")
    drawn = len(short["odds"])
    assert found(client, changed(short, next_draw=drawn)) == ("not-over", "match", "")
    assert found(client, without(changed(short, next_draw=drawn), "complete")) == ("valid", "match", "")
    assert found(client, changed(KEPT, next_draw=90)) == ("valid", "differ", "number")


def test_the_seed_of_a_fair_game_is_told_when_it_is_over_and_not_before(
    client: FlaskClient, fair: Any
) -> None:
    assert found(client, fair) == ("valid", "match", "")
    short = cut(fair, 20)
    assert found(client, short) == ("not-over", "differ", "number")
    assert found(client, changed(short, next_draw=len(short["odds"]))) == ("not-over", "match", "")
    assert found(client, without(short, "chance")) == ("valid", "unknown", "")


# -- whose seed ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["key_id", "commitment", "next_draw"])
def test_a_seed_without_all_of_its_promise_shows_nothing(client: FlaskClient, fair: Any, name: str) -> None:
    assert found(client, {**fair, "chance": without(fair["chance"], name)}) == ("valid", "unknown", "")
    assert found(client, {**KEPT, "chance": without(KEPT["chance"], name)}) == ("valid", "unknown", "")


def test_fair_is_what_the_set_up_makes_of_it(client: FlaskClient, fair: Any, opened: Any) -> None:
    assert found(client, opened) == ("valid", "match", "")
    assert found(client, changed(opened, fair=True)) == ("valid", "differ", "promise")
    assert found(client, changed(fair, fair=False)) == ("valid", "differ", "promise")


@pytest.mark.parametrize("chance", [{"seed": "7"}, {}])
def test_a_record_from_a_state_need_not_tell_again_whether_it_is_fair(
    client: FlaskClient, chance: Any
) -> None:
    begun = client.post("/v1/games/harbour/states", json={"seats": SEATS, "chance": chance}).json
    whole = json.loads(_of_a_client(json.dumps(chance)))
    state, own = begun["state"], whole["chance"]
    if not chance:  # a fair game is another each time
        own = {**own, "game_id": state["game_id"], "commitment": state["chance"]["commitment"]}
        own = without(own, "seed") | {"next_draw": state["chance"]["next_draw"]}
    head = {"schema": 1, "game": "harbour", "ruleset": begun["ruleset"].split()[1], "state": state}
    actions = whole["actions"][len(begun["played"]) :] if chance else []
    record = {**head, "actions": actions, "chance": own}
    asked = "/v1/games/harbour/verifications?odds=true"
    record["odds"] = client.post(asked, json={"record": record}).json["odds"]
    draws = "match" if chance else "unknown"
    for told in (own, without(own, "fair")):
        assert found(client, {**record, "chance": told}) == ("valid", draws, "")
    lied = {**own, "fair": not own["fair"]}
    assert found(client, {**record, "chance": lied}) == ("valid", "differ", "promise")


@pytest.mark.parametrize(
    ("key_id", "draws"), [("", "unknown"), ("0123456789abcdef", "differ"), ("open", "differ")]
)
def test_an_open_game_cannot_be_passed_off_as_a_fair_one(
    client: FlaskClient, opened: Any, key_id: str, draws: str
) -> None:
    claimed = {**changed(opened, fair=True, key_id=key_id), "setup": {"seats": SEATS}}
    assert found(client, claimed)[:2] == ("valid", draws)


@pytest.mark.parametrize(
    "change",
    [
        {"chance": {"mode": "seeded", "seed": "2"}},
        {"seats": KEPT["setup"]["seats"][::-1]},
        {"seats": [{"id": "ann", "name": "Ann"}, {"id": "bob"}]},
        {"options": {"mirror_cloak_hits_owner": True}},
        {"house": {"gems": {"opal": {"price": 11}}}},
    ],
)
def test_the_seed_of_an_open_game_is_that_of_its_set_up(client: FlaskClient, change: Any) -> None:
    assert found(client, KEPT) == ("valid", "match", "")
    other = {**KEPT, "setup": {**KEPT["setup"], **change}}
    told = client.post("/v1/games/zavandor/verifications", json={"record": other}).json
    assert told["draws"] == "differ"
    assert checked(other)[0] == 1
    same = {**KEPT["setup"], "options": {"mirror_cloak_hits_owner": False}, "house": {}}
    assert found(client, {**KEPT, "setup": same}) == ("valid", "match", "")


# -- what was done ------------------------------------------------------------------------------------------------


def test_nothing_is_taken_back_when_the_game_is_over(client: FlaskClient, session: Any) -> None:
    last = len(session["log"])
    more = {"version": last + 1, "kind": "rewind", "by": {"role": "host"}, "to": last}
    assert found(client, session) == ("valid", "match", "")
    assert found(client, {**session, "log": [*session["log"], more]}) == ("valid", "differ", "log")
    act = {"version": last + 1, "kind": "act", "actions": [{"kind": "end-turn", "actor": "ann"}]}
    undo = {**more, "version": last + 2, "kind": "undo", "by": {"seat": "ann"}}
    assert found(client, {**session, "log": [*session["log"], act, undo]}) == ("valid", "differ", "log")


def test_what_was_done_was_done_by_somebody_at_the_table(client: FlaskClient, session: Any) -> None:
    log = deepcopy(session["log"])
    at = next(n for n, entry in enumerate(log) if "seat" in entry["by"])
    log[at]["by"] = {"seat": "zed"}
    told = client.post("/v1/games/harbour/verifications", json={"record": {**session, "log": log}}).json
    assert (told["draws"], told["difference"]["why"]) == ("differ", "log")


# -- what is no record --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "odds",
    [
        [],
        [["a", 0]],
        [["a", 2**300]],
        [["a", -5]],
        [["a", 1.5]],
        [["a", None]],
        [["a", True]],
        [["a", 1], [1, 1]],
        [[["a"], 1]],
        [["a", 1, 1]],
        "a",
        7,
    ],
)
def test_odds_that_are_none_are_no_record(odds: Any) -> None:
    code, said = checked({**KEPT, "odds": [{"of": odds}, *KEPT["odds"][1:]]})
    assert (code, said[:8], said.count("\n")) == (2, "unknown:", 1)


@pytest.mark.parametrize(
    ("place", "value"),
    [("draw", 0.5), ("draw", False), ("draw", "0"), ("draw", None), ("draw", -1), ("more", 1)],
)
def test_an_answer_of_chance_that_is_none_is_no_record(place: str, value: Any) -> None:
    record = deepcopy(KEPT)
    first = next(action for action in record["actions"] if action["actor"] == "chance")
    first[place] = value
    code, said = checked(record)
    assert (code, said[:8], said.count("\n")) == (2, "unknown:", 1)


@pytest.mark.parametrize(
    "chance",
    [
        {"mode": "x"},
        {"mode": None},
        {"next_draw": 89.5},
        {"next_draw": "89"},
        {"client_seed": None},
        {"seed": 7},
    ],
)
def test_a_chance_that_is_none_is_no_record(chance: Any) -> None:
    code, said = checked(changed(KEPT, **chance))
    assert (code, said[:8], said.count("\n")) == (2, "unknown:", 1)


@pytest.mark.parametrize("change", [{"schema": 2}, {"schema": True}, {"setup": None}, {"state": {}}])
def test_what_begins_in_no_known_way_is_no_record(change: Any) -> None:
    record = {k: v for k, v in {**KEPT, **change}.items() if v is not None}
    code, said = checked(record)
    assert (code, said[:8], said.count("\n")) == (2, "unknown:", 1)


@pytest.mark.parametrize("value", ["x\nmatch: 89 draws are what the seed says", "ř" * 1000])
def test_what_a_stranger_writes_is_told_in_one_short_line(value: str) -> None:
    record = deepcopy(KEPT)
    first = next(action for action in record["actions"] if action["actor"] == "chance")
    first[next(name for name in first if name not in ("kind", "actor", "draw"))] = value
    code, said = checked(record)
    assert (code, said[:7], said.count("\n"), said.isascii()) == (1, "differ:", 1, True)
    assert len(said) < 320


def test_odds_too_many_to_be_looked_through_are_told_so() -> None:
    """Short entries that name a thousand values again and again, one for each of as many draws."""
    drawn = [{"kind": "draw", "actor": "chance", "draw": n} for n in range(1_100)]
    odds = [{"of": [[n, 1] for n in range(1000)]}, *({"like": 0, "but": []} for _ in drawn[1:])]
    record = {**without(changed(KEPT, next_draw=len(drawn)), "digest"), "actions": drawn, "odds": odds}
    assert checked(record) == (2, "unknown: the odds are too many to be looked through\n")


# -- of another form: what the service refuses, the program does not take ------------------------------------------


def placed(record: Any, path: str, value: Any) -> Any:
    """The record with another value at a place; `GONE` takes away what is there."""
    twin = deepcopy(record)
    *way, last = (int(part) if part.isdigit() else part for part in path.split("/"))
    at = twin
    for part in way:
        at = at[part]
    if value is GONE:
        del at[last]
    else:
        at[last] = value
    return twin


GONE = object()
SEED = KEPT["chance"]["seed"]
FIRST = next(n for n, action in enumerate(KEPT["actions"]) if action["actor"] == "chance")
OWN = next(n for n, action in enumerate(KEPT["actions"]) if action["actor"] != "chance")
NO_NAMES = ("a\u0007", "ann\n", "\u009b1m", "\u202eann", "an\u2066n", "ann\u2028")
MALFORMED: tuple[tuple[str, Any], ...] = (
    *(("complete", v) for v in (False, None, 1, "true")),
    *(("schema", v) for v in (2, True, "1", None)),
    *(("digest", v) for v in (7, None, "x" * 201)),
    *(("game", v) for v in (7, GONE)),
    *(("ruleset", v) for v in (1, GONE)),
    *(("more", v) for v in (1, None)),
    ("start", {}),
    ("state", {}),
    *(("setup", v) for v in (None, [], GONE)),
    *(("setup/position", v) for v in (None, [], 1)),
    *(("setup/house", v) for v in (None, [])),
    *(("setup/options", v) for v in (None, [])),
    ("setup/more", 1),
    ("setup/hold", "hand"),
    ("setup/ruleset", "0.1"),
    *(("setup/chance", v) for v in (None, [], {"seed": 7}, {"seed": "2", "more": 1}, {"mode": "x"})),
    *(("setup/chance/client_seed", v) for v in (None, 7, "x" * 201)),
    ("setup/chance/mode", "given"),
    *(("setup/seats", v) for v in (None, [], {}, ["ann", "bob"])),
    *(("setup/seats/0/id", v) for v in (7, "Ann", "", "a" * 33, "ann\n", "chance", GONE)),
    *(("setup/seats/0/automated", v) for v in (1, "true", None)),
    *(("setup/seats/0/name", v) for v in (7, None, "x" * 201, *NO_NAMES)),
    ("setup/seats", [*KEPT["setup"]["seats"], KEPT["setup"]["seats"][0]]),
    *(("actions", v) for v in (None, {}, GONE)),
    *((f"actions/{FIRST}", v) for v in (None, [], "x")),
    *((f"actions/{FIRST}/kind", v) for v in (None, 7, GONE)),
    *((f"actions/{FIRST}/actor", v) for v in (None, 7, "Chance", GONE)),
    *((f"actions/{FIRST}/draw", v) for v in (0.5, "0", True, None, -1, 1_000_000_001)),
    (f"actions/{FIRST}/more", 1),
    *((f"actions/{OWN}/draw", v) for v in (0, 3, None)),
    *(("chance", v) for v in (None, [], {})),
    ("chance/more", 1),
    *(("chance/game_id", v) for v in (None, 7, "x" * 201, GONE)),
    *(("chance/mode", v) for v in (None, "x", GONE)),
    *(("chance/fair", v) for v in (None, 0, "false")),
    *((f"chance/{n}", v) for n in ("key_id", "commitment", "client_seed") for v in (None, 7, "x" * 201)),
    *(("chance/next_draw", v) for v in (None, "89", 89.5, True, -1)),
    *(
        ("chance/seed", v)
        for v in (None, 7, "", SEED + " ", " ".join([SEED[:32], SEED[32:]]), SEED.upper(), SEED[:-1])
    ),
    *(("chance/seed", v) for v in (SEED + "\n", "ab" * 129)),
    *(("odds", v) for v in (None, {}, 7)),
    *(
        ("odds/0", v)
        for v in (
            None,
            [],
            {},
            {"of": []},
            {"of": [["a", 1]], "like": 0},
            {"of": [["a", 1]], "but": []},
            {"of": [["a", 1]], "like": 0, "but": []},
            {"like": 0},
            {"but": []},
            {"like": 0.5, "but": []},
            {"like": -1, "but": []},
            {"of": [["a", 1, 1]]},
            {"of": [["a"]]},
            {"of": [["a", -1]]},
            {"of": [["a", 1.5]]},
            {"of": [["a", True]]},
            {"of": [["a", 1_000_000_001]]},
            {"of": [[None, 1]]},
            {"of": [[1.5, 1]]},
            {"of": [{"a": 1}]},
            {"of": [["a", 1]], "more": 1},
        )
    ),
    *(("log", v) for v in (None, {}, [None], [[]], [{}])),
)
ENTRY = {"version": 1, "kind": "open", "by": {"role": "host"}, "actions": []}
MALFORMED_ENTRIES: tuple[tuple[str, Any], ...] = (
    *(("version", v) for v in (True, "1", None, 0, 1.5, GONE)),
    *(("kind", v) for v in ("close", None, 7, GONE)),
    *(("to", v) for v in (True, "1", None, 0, 1.5)),
    *(("by", v) for v in (None, [], {"seat": 7}, {"role": None}, {"seat": "ann", "more": 1})),
    *(("actions", v) for v in (None, {}, [7], [{"kind": "x"}], [{"actor": "ann"}])),
    *(("changes", v) for v in (None, {}, [7], [{}] * 21)),
    ("more", 1),
)


def agreed(client: FlaskClient, text: str) -> tuple[int, int]:
    """What the service answers to the text of a record, and what the program says of it in the same words."""
    game = "zavandor"
    answer = client.post(
        f"/v1/games/{game}/verifications", data=f'{{"record": {text}}}', content_type="application/json"
    )
    code = said(text)
    if answer.status_code == 200:
        assert code == CODES[answer.json["draws"]], answer.text
    return answer.status_code, code


def said(text: str) -> int:
    """The exit code of the program, which says one line."""
    return told_by_the_program(text)[0]


def told_by_the_program(text: str) -> tuple[int, str]:
    """The exit code of the program, and the line that it says."""
    out = io.StringIO()
    with mock.patch("sys.stdin", io.StringIO(text)), redirect_stdout(out):
        code = verify_draws.main(["-"])
    assert out.getvalue().count("\n") == 1
    return code, out.getvalue()


@pytest.mark.parametrize(("path", "value"), MALFORMED, ids=lambda v: "gone" if v is GONE else repr(v)[:40])
def test_what_is_off_the_schema_is_no_record_to_either(client: FlaskClient, path: str, value: Any) -> None:
    status, code = agreed(client, json.dumps(placed(KEPT, path, value)))
    assert (status in (400, 422), code) == (True, 2)


@pytest.mark.parametrize("path", ["seats/0/name", "seats"])
def test_what_is_no_table_in_a_state_is_none_to_either(client: FlaskClient, path: str) -> None:
    setup = {"seats": [{"id": "ann"}, {"id": "bob"}]}
    state = client.post("/v1/games/zavandor/states", json=setup).json["state"]
    record = {"game": "zavandor", "ruleset": "1.0", "state": state, "actions": []}
    assert agreed(client, json.dumps(record)) == (200, 2), "it has no seed"
    assert "no record" not in told_by_the_program(json.dumps(record))[1]
    values = NO_NAMES if path == "seats/0/name" else ([*state["seats"], state["seats"][0]],)
    for value in values:
        text = json.dumps({**record, "state": placed(state, path, value)})
        status, code = agreed(client, text)
        assert (status in (400, 422), code) == (True, 2)
        assert "no record" in told_by_the_program(text)[1]


def test_the_program_knows_what_a_name_is_as_the_service_does() -> None:
    for character in map(chr, (*range(0x500), *range(0x2000, 0x2100), 0xFEFF, 0x1F600)):
        for name in (character, f"a{character}", f"{character}b"):
            assert bool(re.fullmatch(verify_draws.NAME, name)) == bool(re.match(NAME, name))


def test_of_rules_that_it_cannot_know_the_program_says_what_the_draws_are(
    client: FlaskClient, fair: Any
) -> None:
    for name, value in (("ruleset", "2.0"), ("game", "no-such-game")):
        text = json.dumps({**fair, name: value})
        answer = client.post("/v1/games/harbour/verifications", json={"record": json.loads(text)})
        assert (answer.status_code, said(text)) == (422, verify_draws.MATCH)


@pytest.mark.parametrize(("name", "value"), MALFORMED_ENTRIES, ids=lambda v: "gone" if v is GONE else None)
def test_an_entry_of_a_log_off_the_schema_makes_no_record(client: FlaskClient, name: str, value: Any) -> None:
    record = {**KEPT, "log": [placed(ENTRY, name, value)]}
    assert agreed(client, json.dumps(record)) == (400, 2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ('"complete": true', '"complete": true, "complete": true'),
        ('"mode": "seeded"', '"mode": "seeded", "mode": "seeded"'),
        ('"next_draw": 89', '"next_draw": NaN'),
        ('"next_draw": 89', '"next_draw": 1e400'),
        ('"game_id": "', '"game_id": "\\ud800'),
    ],
)
def test_what_is_no_json_that_the_service_takes_is_no_record(
    client: FlaskClient, one: str, other: str
) -> None:
    text = json.dumps(KEPT)
    assert one in text
    assert agreed(client, text.replace(one, other, 1)) == (400, 2)


def test_seven_point_nought_is_seven_to_both(client: FlaskClient, session: Any) -> None:
    """In every number of a record."""
    numbers = {"draw", "next_draw", "schema", "version", "to", "like"}

    def pointed(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {k: pointed(v, k) for k, v in value.items()}
        if isinstance(value, list):
            return [pointed(v, name) for v in value]
        return float(value) if type(value) is int and name in numbers | {"of", "but"} else value

    for record in (KEPT, session):
        assert json.dumps(pointed(record)).count(".0") > 50
        assert found(client, pointed(record)) == ("valid", "match", "")
