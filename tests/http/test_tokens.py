"""Games held in tokens, over HTTP: a key sees and does what its seat may, and nothing hidden comes out in any form."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from schemas.held import HeldJudgementSchema, HeldOptionsSchema, HeldStartedSchema, HeldViewSchema
from service.engine import problems as searching
from service.engine.state import CHANCE, encode
from service.engine.table import Table
from service.games import REGISTRY
from service.sessions import seatkeys
from service.sessions.keys import Keyring
from service.sessions.wrapping import Origin, Wrapping
from tests.conformance.hidden import variants
from tests.conformance.subjects import given, spots_of, walk
from tests.conformance.toy import RULES as HARBOUR
from tests.http.conftest import (
    KEY,
    SEATS,
    TOY,
    begin,
    encoded,
    every_game_in_turn,
    faults,
    problem,
    toy_app,
)
from tests.http.kept import AT, Kept, filled, kept_app
from tests.http.test_fuzz import GOOD, mutated
from tests.http.test_session_secrets import _gives_away, _probes

END = {"kind": "end-turn", "actor": "ann"}
THEN = {**END, "actor": "bob"}
OTHER = "77" * 32


@pytest.fixture
def begun(client: FlaskClient) -> Any:
    return begin(client, hold="token")


def of(begun: Any, who: str, token: str | None = None, /, **more: Any) -> dict[str, Any]:
    return {"token": token or begun["token"], "key": begun["keys"]["seats"][who], **more}


def post(client: FlaskClient, call: str, body: Any, game: str = "toy", **headers: str) -> Any:
    return client.post(f"/v1/games/{game}/{call}", json=body, headers=headers)


def done(client: FlaskClient, begun: Any, seat: str, *actions: Any, token: str | None = None) -> Any:
    answer = post(client, "adjudications", of(begun, seat, token, actions=list(actions)))
    assert answer.status_code == 200, answer.text
    assert HeldJudgementSchema().validate(answer.json) == {}
    return answer.json


# -- a game -------------------------------------------------------------------------------------------------------


def test_a_set_up_gives_a_token_and_a_key_a_seat_and_no_state(begun: Any) -> None:
    assert HeldStartedSchema().validate(begun) == {}
    assert set(begun) == {
        *("ruleset", "keys", "token", "chance", "view", "events", "played", "decisions", "outcome")
    }
    assert set(begun["keys"]) == {"seats", "spectator"}
    assert set(begun["keys"]["seats"]) == {"ann", "bob"}
    assert begun["view"]["seat"] is None
    assert begun["view"]["table"]["seats"]["ann"]["hand"] == 1  # how many, not which


def test_a_whole_game_is_played_with_tokens_as_with_states(client: FlaskClient) -> None:
    plain, held = begin(client), begin(client, hold="token")
    state, seal, token = plain["state"], plain["seal"], held["token"]
    while plain["decisions"]:
        actor = plain["decisions"][0]["actor"]
        action = {**END, "actor": actor}
        sent = {"state": state, "seal": seal, "action": action}
        plain = post(client, "adjudications", sent).json
        found = done(client, held, actor, action, token=token)
        state, seal, token = plain["state"], plain["seal"], found["token"]
        seen = post(client, "views", {"state": state, "seal": seal, "seat": actor}).json
        assert found["view"] == seen["view"]
        assert found["decisions"] == seen["decisions"] == plain["decisions"]
        assert found["outcome"] == plain["outcome"]
    assert plain["outcome"] is not None


@pytest.mark.parametrize("spaced", [False, True])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"key":', b'"key":"' + OTHER.encode() + b'","key":'),
        (b'"actor":"ann"', b'"actor":"bob","actor":"ann"'),
        (b'"actor":"ann"', b'"actor":"ann","act\\u006fr":"ann"'),
    ],
)
def test_a_body_with_a_token_has_no_key_twice_either(
    client: FlaskClient, begun: Any, old: bytes, new: bytes, spaced: bool
) -> None:
    body = encoded(of(begun, "ann", action=END))
    assert old in body
    for sent in (body, body.replace(old, new, 1)):
        written = sent.replace(b",", b" ,\n ").replace(b'":', b'" : ') if spaced else sent
        answer = client.post(f"{TOY}/adjudications", data=written, content_type="application/json")
        if sent is body:
            assert answer.json["verdict"] == "legal"
        else:
            problem(answer, 400, "duplicate-keys")


@pytest.mark.parametrize("hold", ["state", None])
def test_a_state_is_held_by_the_client_where_nothing_else_is_asked_for(
    client: FlaskClient, hold: Any
) -> None:
    found = begin(client, **({} if hold is None else {"hold": hold}))
    assert "token" not in found
    assert "keys" not in found
    assert found["state"]["provenance"] == "issued"


def test_a_key_sees_its_own_hand_and_no_other(client: FlaskClient, begun: Any) -> None:
    for seat, other in (("ann", "bob"), ("bob", "ann")):
        answer = post(client, "views", of(begun, seat))
        assert HeldViewSchema().validate(answer.json) == {}
        seats = answer.json["view"]["table"]["seats"]
        assert isinstance(seats[seat]["hand"], dict)
        assert isinstance(seats[other]["hand"], int)
        assert post(client, "views", of(begun, seat, seat=seat)).json == answer.json
        assert post(client, "views", of(begun, seat, seat=None)).json["view"] == begun["view"]
        problem(post(client, "views", of(begun, seat, seat=other)), 403, "not-yours")
        problem(post(client, "views", of(begun, seat, seat="zoe")), 403, "not-yours")


def test_a_spectator_sees_what_everybody_sees_and_does_nothing(client: FlaskClient, begun: Any) -> None:
    body = {"token": begun["token"], "key": begun["keys"]["spectator"]}
    assert post(client, "views", body).json["view"] == begun["view"]
    assert post(client, "options", body).json["options"] == []
    for action in (END, THEN):
        problem(post(client, "adjudications", {**body, "action": action}), 403, "not-yours")


def test_a_key_lists_what_its_seat_may_do(client: FlaskClient, begun: Any) -> None:
    answer = post(client, "options", of(begun, "ann"))
    assert HeldOptionsSchema().validate(answer.json) == {}
    assert {o["actor"] for o in answer.json["options"]} == {"ann"}
    assert {o["kind"] for o in answer.json["options"]} >= {"end-turn", "throw"}
    assert post(client, "options", of(begun, "ann", actor="ann")).json == answer.json
    assert post(client, "options", of(begun, "bob")).json["options"] == []
    problem(post(client, "options", of(begun, "bob", actor="ann")), 403, "not-yours")
    narrowed = post(client, "options", of(begun, "ann", kinds=["end-turn"])).json
    assert [o["kind"] for o in narrowed["options"]] == ["end-turn"]
    cut = post(client, "options", of(begun, "ann", limit=1)).json
    assert (len(cut["options"]), cut["complete"]) == (1, False)


def test_a_key_acts_for_its_seat_alone(client: FlaskClient, begun: Any) -> None:
    for actor in ("bob", "zoe"):
        found = post(client, "adjudications", of(begun, "ann", action={**END, "actor": actor}))
        problem(found, 403, "not-yours")
    line = of(begun, "ann", actions=[END, THEN])
    problem(post(client, "adjudications", line), 403, "not-yours")
    assert done(client, begun, "ann", END)["decisions"][0]["actor"] == "bob"


def test_a_refusal_is_an_answer_and_a_line_says_where(client: FlaskClient, begun: Any) -> None:
    found = done(client, begun, "bob", THEN)
    assert (found["verdict"], found["violations"][0]["reason"]) == ("illegal", "not-your-decision")
    assert found.keys().isdisjoint({"state", "seal", "token", "view"})
    line = done(client, begun, "ann", END, END)
    assert (line["verdict"], line["at"]) == ("illegal", 1)
    assert "at" not in post(client, "adjudications", of(begun, "bob", action=THEN)).json


def test_a_drawn_card_is_told_to_who_draws_it_alone(client: FlaskClient, begun: Any) -> None:
    """Ann ends her turn, and Bob draws: her answer does not say what."""
    found = done(client, begun, "ann", END)
    assert found["played"] == [END, {"kind": "deal", "actor": "chance", "draw": 1}]
    (drawn,) = [e for e in found["events"] if e["because"] == "TOY-1"]
    assert drawn["what"] == 1
    before = post(client, "views", of(begun, "bob")).json["view"]["table"]["seats"]["bob"]["hand"]
    after = post(client, "views", of(begun, "bob", found["token"])).json["view"]["table"]["seats"]["bob"][
        "hand"
    ]
    assert sum(after.values()) == sum(before.values()) + 1
    assert found["view"]["table"]["seats"]["bob"]["hand"] == sum(after.values())


def test_alternatives_are_judged_on_one_token(client: FlaskClient, begun: Any) -> None:
    items = [{"action": END}, {"action": THEN}, {"actions": [END, END]}, {"hat": 1}]
    answer = post(client, "adjudications/batch", of(begun, "ann", items=items))
    found = answer.json["judgements"]
    assert [j.get("verdict", j.get("status")) for j in found] == ["legal", 403, "illegal", 400]
    assert all(j.keys().isdisjoint({"state", "seal"}) for j in found)
    own = [
        of(begun, "ann", action=END),
        {**of(begun, "bob", action=THEN), "token": "x"},
        of(begun, "bob", action=END),
    ]
    found = post(client, "adjudications/batch", {"items": own}).json["judgements"]
    assert [j.get("verdict", j.get("status")) for j in found] == ["legal", 422, 403]


def test_an_explanation_tells_what_was_checked(client: FlaskClient, begun: Any) -> None:
    answer = post(client, "adjudications?explain=true", of(begun, "ann", action=END))
    assert {"rule": "TOY-2", "about": ["/actor"], "held": True} in answer.json["checks"]


def test_an_automated_seat_plays_on_behind_the_token(client: FlaskClient) -> None:
    begun = begin(client, hold="token", seats=[{"id": "ann"}, {"id": "bob", "automated": True}])
    found = done(client, begun, "ann", END)
    assert [p["actor"] for p in found["played"]] == ["ann", "chance", "bob", "chance"]


def test_an_older_token_can_be_posted_again(client: FlaskClient, begun: Any) -> None:
    """What tokens do not protect against, as the guide says: they hold no memory."""
    one, two = (done(client, begun, "ann", END) for _ in range(2))
    assert one["view"] == two["view"]
    assert one["token"] != two["token"]


# -- what is refused ----------------------------------------------------------------------------------------------

CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("adjudications", {"action": END}),
    ("adjudications", {"actions": [END]}),
    ("adjudications/batch", {"items": [{"action": END}]}),
    ("options", {}),
    ("views", {}),
)
every_call = pytest.mark.parametrize(("call", "more"), CALLS)


@every_call
def test_a_call_needs_the_key_and_takes_no_state_beside_a_token(
    client: FlaskClient, begun: Any, call: str, more: Any
) -> None:
    assert post(client, call, of(begun, "ann", **more)).status_code == 200
    for change, pointer in (
        ({"key": 7}, "/key"),
        ({"key": None}, "/key"),
        ({"token": 7}, "/token"),
        ({"token": None}, "/token"),
        ({"seal": "x"}, "/seal"),
        ({"state": {}}, "/state"),
    ):
        answer = post(client, call, of(begun, "ann", **more) | change)
        problem(answer, 400, "off-schema")
        assert list(faults(answer)) == [pointer]
    lacking = {"token": begun["token"], **more}
    assert list(faults(post(client, call, lacking))) == ["/key"]


@every_call
@pytest.mark.parametrize("key", ["", "x", "A" * 22, "š"])
def test_a_wrong_key_is_nobodys(client: FlaskClient, begun: Any, call: str, more: Any, key: str) -> None:
    problem(post(client, call, {"token": begun["token"], "key": key, **more}), 403, "wrong-key")


@every_call
def test_a_key_of_another_game_is_nobodys(client: FlaskClient, begun: Any, call: str, more: Any) -> None:
    """Of the same set-up, too, from the same seed: who begins the same game gets other keys."""
    again = begin(client, hold="token")
    assert again["view"] == begun["view"]
    assert again["keys"] != begun["keys"]
    mixed = {"token": begun["token"], "key": again["keys"]["seats"]["ann"], **more}
    problem(post(client, call, mixed), 403, "wrong-key")


@every_call
def test_a_token_that_cannot_be_opened_is_told_apart(
    client: FlaskClient, begun: Any, call: str, more: Any
) -> None:
    good = of(begun, "ann", **more)
    middle = len(good["token"]) // 2
    flipped = (
        good["token"][:middle] + ("A" if good["token"][middle] != "A" else "B") + good["token"][middle + 1 :]
    )
    for token, why in (
        ("", "malformed"),
        ("not a token", "malformed"),
        (good["token"][:-1], "malformed"),
        (flipped, "does-not-open"),
        ("AgAA" + good["token"][4:], "unknown-version"),
    ):
        found = problem(post(client, call, {**good, "token": token}), 422, "broken-token")
        assert found["why"] == why, token
    lost = toy_app(ARBITR_KEY=OTHER).test_client()
    assert problem(post(lost, call, good), 422, "broken-token")["why"] == "unknown-key"


def test_a_token_of_another_game_is_not_opened(real: FlaskClient) -> None:
    begun = begin(real, "zavandor", hold="token")
    found = problem(post(real, "views", of(begun, "ann"), "simurgh"), 422, "broken-token")
    assert found["why"] == "does-not-open"


def test_a_token_says_why_in_both_languages(client: FlaskClient) -> None:
    told = [
        post(client, "views", {"token": "x", "key": "y"}, Accept_Language="en").json["detail"],
        client.post(f"{TOY}/views", json={"token": "x", "key": "y"}, headers={"Accept-Language": "cs"}).json[
            "detail"
        ],
    ]
    assert told == ["It is no token by its form.", "Podobou to není token."]


@pytest.mark.parametrize("text", [b"{}", b"7", b"", b"\xff", b'{"game": "toy"}', b"[" * 2000])
def test_what_only_a_later_release_can_have_put_in_is_refused(toys: Flask, text: bytes) -> None:
    held = toys.extensions["arbitr"]
    token = held.wrapping.wrap(Origin("toy", "ab" * 16, b"s" * 16), text)
    found = problem(post(toys.test_client(), "views", {"token": token, "key": "x"}), 422, "broken-token")
    assert found["why"] == "unknown-version"


def test_rules_from_the_future_are_named_and_those_known_are_listed(toys: Flask, begun: Any) -> None:
    held = toys.extensions["arbitr"]
    origin, text = held.wrapping.unwrap("toy", begun["token"])
    token = held.wrapping.wrap(origin, text.replace(b'"ruleset":"1.0"', b'"ruleset":"9.0"'))
    found = problem(post(toys.test_client(), "views", of(begun, "ann", token)), 422, "unknown-ruleset")
    assert found["known"] == ["0.9", "1.0"]
    token = held.wrapping.wrap(origin, text.replace(b'"schema":1', b'"schema":2'))
    found = problem(post(toys.test_client(), "views", of(begun, "ann", token)), 422, "broken-token")
    assert (found["why"], found["of"], found["known"]) == ("unknown-version", "schema", [1])
    token = "Ag" + begun["token"][2:]  # the first byte says of which version it is
    found = problem(post(toys.test_client(), "views", of(begun, "ann", token)), 422, "broken-token")
    assert (found["why"], found["of"], found["known"]) == ("unknown-version", "token", [1])


@pytest.mark.parametrize("call", ["problems", "components", "states"])
def test_no_other_call_takes_a_token(client: FlaskClient, begun: Any, call: str) -> None:
    """`problems` would tell what is in it; nobody could have changed it anyway."""
    answer = post(client, call, of(begun, "ann"))
    problem(answer, 400, "off-schema")
    assert {"/token", "/key"} <= set(faults(answer))


def test_no_session_is_opened_with_a_token(begun: Any) -> None:
    """Who opens one gets the tokens of all seats."""
    answer = kept_app().test_client().post(AT, json={"game": "toy", **of(begun, "ann")})
    assert {"/token", "/key"} <= set(faults(answer))
    answer = kept_app().test_client().post(AT, json={"game": "toy", "seats": SEATS, "hold": "token"})
    assert list(faults(answer)) == ["/hold"]


def test_nothing_is_searched_for_problems(
    client: FlaskClient, begun: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching, "problems", lambda *given: 1 / 0)
    assert done(client, begun, "ann", END)["verdict"] == "legal"


def test_a_position_in_a_token_stays_foreign(client: FlaskClient, toys: Flask) -> None:
    table = begin(client)["state"]["table"]
    begun = begin(client, hold="token", position=table)
    found = done(client, begun, "ann", END)
    _, text = toys.extensions["arbitr"].wrapping.unwrap("toy", found["token"])
    assert json.loads(text)["provenance"] == "foreign"
    strict = toy_app(ARBITR_REQUIRE_SEAL="1").test_client()
    problem(post(strict, "views", of(begun, "ann")), 422, "foreign-state")


def test_keys_outlive_a_new_server_key(client: FlaskClient, begun: Any) -> None:
    both = toy_app(ARBITR_KEY="", ARBITR_KEYS=f"{OTHER},{KEY}").test_client()
    found = done(both, begun, "ann", END)
    assert done(both, begun, "bob", THEN, token=found["token"])["verdict"] == "legal"
    answer = post(client, "views", of(begun, "bob", found["token"]))
    assert problem(answer, 422, "broken-token")["why"] == "unknown-key"


def test_the_promise_is_told_and_not_the_commitment(client: FlaskClient) -> None:
    """Who knew it could write a state of the same game and have the stateless calls draw."""
    begun = begin(client, hold="token", chance={"mode": "seeded", "client_seed": "mine"})
    assert begun["chance"].keys() == {"mode", "fair", "client_seed", "promise"}
    found = done(client, begun, "ann", END)
    assert found["chance"] == begun["chance"]
    assert "commitment" not in json.dumps([begun, found])


def test_the_seed_is_told_when_the_game_is_over(client: FlaskClient) -> None:
    """To who ends it, and to everybody who looks; it keeps what was promised at the beginning."""
    begun = begin(client, hold="token", chance={"client_seed": "mine"})
    promised, found, everybody = begun["chance"], begun, [*begun["keys"]["seats"].values()]
    assert promised["fair"]
    for _ in range(50):
        if found["outcome"] is not None:
            break
        assert not found.keys() & {"digest"}
        asked = [{"token": found["token"], "key": key} for key in (*everybody, begun["keys"]["spectator"])]
        assert [post(client, "views", ask).json["chance"] for ask in asked] == [promised] * 3
        actor = found["decisions"][0]["actor"]
        found = done(client, begun, actor, {**END, "actor": actor}, token=found["token"])
    told = found["chance"]
    assert told.keys() - promised.keys() == {"game_id", "key_id", "commitment", "next_draw", "seed"}
    assert promised.items() <= told.items()
    assert sha256(bytes.fromhex(told["seed"])).hexdigest() == told["commitment"]
    assert sha256(told["commitment"].encode()).hexdigest() == promised["promise"]
    asked = [{"token": found["token"], "key": key} for key in (*everybody, begun["keys"]["spectator"])]
    assert [post(client, "views", ask).json["chance"] for ask in asked] == [told] * 3
    assert HeldViewSchema().validate(post(client, "views", asked[0]).json) == {}


def test_a_server_that_has_lost_the_key_of_the_draws_tells_no_seed() -> None:
    """The token was made by the new key, after the old one had begun the game."""
    old = toy_app(ARBITR_KEYS=OTHER, ARBITR_KEY="").test_client()
    both = toy_app(ARBITR_KEY="", ARBITR_KEYS=f"{KEY},{OTHER}").test_client()
    begun = begin(old, hold="token", chance={})
    found = begun
    while found["outcome"] is None:
        actor = found["decisions"][0]["actor"]
        found = done(both, begun, actor, {**END, "actor": actor}, token=found["token"])
    assert sha256(bytes.fromhex(found["chance"]["seed"])).hexdigest() == found["chance"]["commitment"]
    origin, state = Wrapping(Keyring(lambda: [bytes.fromhex(KEY)])).unwrap("toy", found["token"])
    keys = seatkeys.keys_of(Keyring(lambda: [bytes.fromhex(KEY)]), origin, ["ann", "bob"], dealt=False)
    new = toy_app(ARBITR_KEY=KEY).test_client()
    answer = post(new, "views", {"token": found["token"], "key": keys.spectator})
    assert answer.status_code == 200, answer.text
    assert "seed" not in answer.json["chance"]
    assert b"outcome" in state
    for lost in (begun["keys"]["spectator"], begun["keys"]["seats"]["ann"]):
        problem(post(new, "views", {"token": found["token"], "key": lost}), 403, "wrong-key")


@every_game_in_turn
def test_no_mutation_of_a_call_with_a_token_causes_a_fault_of_ours(of_game: FlaskClient, game: str) -> None:
    rng, client = random.Random(6), of_game
    begun = begin(client, game, hold="token")
    actor = begun["decisions"][0]["actor"]
    option = post(client, "options", of(begun, actor, limit=1), game).json["options"][0]
    action = filled(option)
    calls: list[tuple[str, Any]] = [
        ("adjudications", of(begun, actor, action=action)),
        ("adjudications", of(begun, actor, actions=[action, action])),
        ("adjudications/batch", of(begun, actor, items=[{"action": action}, {"actions": [action]}])),
        ("adjudications/batch", {"items": [of(begun, actor, action=action)] * 2}),
        ("options", of(begun, actor, actor=actor, kinds=[action["kind"]], limit=5)),
        ("views", of(begun, actor, seat=None)),
        ("states", {"seats": [{"id": "ann"}, {"id": "bob"}], "hold": "token"}),
    ]
    seen: set[int] = set()
    for n in range(250):
        call, request = calls[n % len(calls)]
        answer = client.post(
            f"/v1/games/{game}/{call}", data=mutated(rng, request), content_type="application/json"
        )
        seen.add(answer.status_code)
        assert answer.status_code in GOOD | {403}, (call, answer.text)
        assert b'"commitment"' not in answer.data or call == "states"
    assert seen >= {200, 400}


# -- real cards ---------------------------------------------------------------------------------------------------


def test_people_who_draw_answer_for_what_they_see(client: FlaskClient) -> None:
    begun = begin(client, hold="token", chance={"mode": "given"})
    assert set(begun["keys"]) == {"seats", "spectator", "dealer"}
    (deciding,) = begun["decisions"]
    assert (deciding["actor"], deciding["answered_by"]) == ("chance", {"seats": ["ann"]})
    deal = {"kind": "deal", "actor": "chance", "card": "plum"}
    problem(post(client, "adjudications", of(begun, "bob", action=deal)), 403, "not-yours")
    dealer = {"token": begun["token"], "key": begun["keys"]["dealer"], "action": deal}
    problem(post(client, "adjudications", dealer), 403, "not-yours")
    assert post(client, "options", of(begun, "bob")).json["options"] == []
    listed = post(client, "options", of(begun, "ann")).json["options"]
    assert [o["card"] for o in listed] == ["apple", "cherry", "plum"]
    found = done(client, begun, "ann", deal)
    assert found["view"]["table"]["seats"]["ann"]["hand"] == {"plum": 1}
    assert post(client, "options", of(begun, "ann", found["token"], actor="chance")).json["options"] == []


def test_a_card_that_lies_elsewhere_cannot_have_come_up_and_no_more_is_said(app: Flask) -> None:
    """Of six ales ann has three and bob three; in a line of play, too, where the draw comes second."""
    client = app.test_client()
    begun = begin(client, "harbour", hold="token", chance={"mode": "given"})
    ale = {"kind": "draw", "actor": "chance", "good": "ale"}
    token = begun["token"]
    for who in ("ann", "bob"):
        for _ in range(3):
            token = post(client, "adjudications", of(begun, who, token, action=ale), "harbour").json["token"]
    found = post(client, "options", of(begun, "ann", token), "harbour").json
    actor = found["decisions"][0]["actor"]
    trade = {"kind": "trade", "actor": actor, "goods": {"ale": 1}}
    answer = post(client, "adjudications", of(begun, actor, token, actions=[trade, ale]), "harbour").json
    assert (answer["verdict"], answer["at"]) == ("illegal", 1)
    (violation,) = answer["violations"]
    assert (violation["reason"], violation["about"], violation["facts"]) == ("card-elsewhere", ["/good"], {})
    token = post(client, "adjudications", of(begun, actor, token, action=trade), "harbour").json["token"]
    listed = post(client, "options", of(begun, actor, token), "harbour").json["options"]
    assert "ale" in [o["good"] for o in listed]
    other = "bob" if actor == "ann" else "ann"
    problem(post(client, "adjudications", of(begun, other, token, action=ale), "harbour"), 403, "not-yours")


def test_the_dealer_answers_for_what_everybody_sees(real: FlaskClient) -> None:
    begun = begin(real, "zavandor", hold="token", chance={"mode": "given"})
    assert begun["decisions"][0]["answered_by"] == {"roles": ["dealer"]}
    dealer = {"token": begun["token"], "key": begun["keys"]["dealer"]}
    listed = post(real, "options", dealer, "zavandor").json["options"]
    assert {o["kind"] for o in listed} == {"deal-character"}
    deal = {k: v for k, v in listed[0].items() if k != "text"}
    for who in (of(begun, "ann"), {**dealer, "key": begun["keys"]["spectator"]}):
        problem(post(real, "adjudications", {**who, "action": deal}, "zavandor"), 403, "not-yours")
    found = post(real, "adjudications", {**dealer, "action": deal}, "zavandor").json
    assert (found["verdict"], found["view"]["seat"]) == ("legal", None)


@pytest.mark.parametrize("game", ["harbour", "simurgh"])
def test_the_dealer_answers_for_the_cards_of_automated_seats(game: str) -> None:
    """In secret they choose by themselves, so that the dealer alone brings the game of two on."""
    client, bots = kept_app().test_client(), [{"id": seat, "automated": True} for seat in ("ann", "bob")]
    wish = {"options": {"variant": "dragonlord"}} if game == "simurgh" else {}
    told = begin(client, game, hold="token", chance={"mode": "given"}, seats=bots, **wish)
    dealer, seen = told["keys"]["dealer"], set()
    for _ in range(60):
        if told["outcome"] is not None:
            break
        (decision,) = told["decisions"]
        assert decision["actor"] == "chance", "no automated seat is waited for"
        answered = decision["answered_by"]
        assert answered["roles"] == ["dealer"]
        seen |= set(answered.get("seats", ()))
        asked = {"token": told["token"], "key": dealer}
        tried = (
            post(client, "adjudications", {**asked, "action": filled(option)}, game).json
            for option in post(client, "options", asked, game).json["options"]
        )
        told = next(found for found in tried if found["verdict"] == "legal")  # others lie elsewhere
    assert seen == {"ann", "bob"}, "cards that these alone see"


# -- law 2: nothing hidden, in any form ---------------------------------------------------------------------------

SEEDS, SPOTS = (4, 5), 40


class Twins:
    """Two tokens of one game whose states somebody cannot tell apart: whatever he asks, he is answered the same."""

    def __init__(self, app: Flask, rules: Any, state: Any, twin: Any, seat: str | None) -> None:
        held, self.client, self.game = app.extensions["arbitr"], app.test_client(), rules.game
        origin = Origin(rules.game, "ab" * 16, b"salt" * 4)
        keys = seatkeys.keys_of(held.keys, origin, [s.id for s in state.seats], dealt=True)
        self.key = keys.spectator if seat is None else keys.seats[seat]
        self.tokens = [held.wrapping.wrap(origin, encode(s)) for s in (state, twin)]

    def same(self, call: str, **more: Any) -> Any:
        """Asks both; the answer, but for the token and the id of the question."""
        answers = [
            self.client.post(f"/v1/games/{self.game}/{call}", json={"token": token, "key": self.key, **more})
            for token in self.tokens
        ]
        told = [self._told(answer) for answer in answers]
        assert told[0] == told[1], (call, more)
        after = [answer.json.get("token") for answer in answers]
        if after[0] is not None:
            self.tokens = after
        return answers[0]

    @staticmethod
    def _told(answer: Any) -> Any:
        headers = {k: v for k, v in answer.headers.items() if k not in ("X-Request-Id", "Content-Length")}
        assert answer.json.keys().isdisjoint({"state", "seal", "commitment"})
        plain = {k: v for k, v in answer.json.items() if k not in ("token", "judgement_id")}
        return answer.status_code, json.dumps(plain), headers

    def read(self) -> None:
        self.same("views")
        self.same("views", seat=None)
        self.same("options")
        self.same("options", limit=2)


def pairs(rules: Any, rng: random.Random) -> Iterator[tuple[str | None, Any, Any]]:
    """A seat (None: a spectator), a state that was reached, and one that the seat cannot tell from it."""
    for spot in spots_of([walk(rules, seed, "random") for seed in SEEDS], SPOTS, rng):
        state = given(spot.state)
        for seat in [*(s.id for s in state.seats), None]:
            for twin in variants(rules, state, seat, rng, 1):
                yield seat, state, twin


@pytest.mark.parametrize("rules", [HARBOUR, *REGISTRY], ids=lambda rules: rules.game)
def test_no_token_tells_a_seat_what_it_cannot_see(app: Flask, rules: Any) -> None:
    """Views, options, refusals with all that was checked, events, plays: law 2 over every call that takes a token."""
    rng, compared, acted = random.Random(3), 0, 0
    for seat, state, twin in pairs(rules, rng):
        twins = Twins(app, rules, state, twin, seat)
        twins.read()
        for action in _probes(rules, state, seat, rng):
            if _gives_away(rules, state, twin, action):
                continue
            answer = twins.same("adjudications?explain=true", action=action)
            if answer.status_code == 200 and answer.json["verdict"] == "legal":
                acted += 1
                twins.read()
                break
        compared += 1
    assert compared > 20
    assert acted > 5


def test_what_may_be_drawn_does_not_tell_what_others_hold(app: Flask) -> None:
    """Given chance: the list is every card that the seat does not see."""
    compared = 0
    for seed in (1, 2):
        for ply in walk(HARBOUR, seed, "random").plies:
            state = given(ply.state)
            if CHANCE not in _deciding(state):
                continue
            for seat in [s.id for s in state.seats]:
                for twin in variants(HARBOUR, state, seat, random.Random(seed), 1):
                    Twins(app, HARBOUR, state, twin, seat).same("options")
                    compared += 1
            if compared > 30:
                break
    assert compared > 10


def _deciding(state: Any) -> list[str]:
    from service.engine.flow import decisions

    return [d.actor for d in decisions(Table(HARBOUR, state))]


# -- where it comes from ------------------------------------------------------------------------------------------


def test_everybody_with_a_key_is_told_that_nobody_vouches_for_the_game(client: FlaskClient) -> None:
    table = begin(client)["state"]["table"]
    for more, provenance in (({}, "issued"), ({"position": table}, "foreign")):
        begun = begin(client, hold="token", **more)
        assert begun["view"]["provenance"] == provenance
        for who in ("ann", "bob"):
            assert post(client, "views", of(begun, who)).json["view"]["provenance"] == provenance
        looks = {"token": begun["token"], "key": begun["keys"]["spectator"]}
        assert post(client, "views", looks).json["view"]["provenance"] == provenance


def test_everybody_at_a_session_is_told_that_nobody_vouches_for_the_game() -> None:
    client = kept_app().test_client()
    begun = begin(client)
    for seal, provenance in (({"seal": begun["seal"]}, "issued"), ({}, "foreign")):
        kept = Kept(client, client.post(AT, json={"game": "toy", "state": begun["state"], **seal}).json)
        for who in ("ann", "bob", "spectator", "host"):
            seen = kept.get(who).json
            assert (seen["session"]["provenance"], seen["view"]["provenance"]) == (provenance, provenance)
            for call in ("/options", "/events", "/record"):
                told = kept.get(who, call).json
                assert told.get("session", told.get("start", seen["session"]))["provenance"] == provenance
