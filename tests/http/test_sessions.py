"""Sessions: opening, looking, acting, and who may."""

from __future__ import annotations

import gzip
import re
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.engine.registry import Registry
from tests.conformance.toy import RULES as HARBOUR
from tests.http.conftest import begin, problem, settings
from tests.http.kept import AT, NOW, Kept, filled, kept_app, opened

END = {"kind": "end-turn", "actor": "ann"}
STRANGER = "A" * 22


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


# -- opening ----------------------------------------------------------------------------------------------------


def test_a_session_is_opened_with_a_set_up(client: FlaskClient) -> None:
    body = {"game": "toy", "seats": [{"id": "ann"}, {"id": "host"}]}
    answer = client.post(AT, json=body)
    assert answer.status_code == 201
    told = answer.json
    assert answer.headers["Location"] == told["session"]["links"]["self"] == f"{AT}/{told['session']['id']}"
    assert told["session"]["version"] == 1
    assert told["session"]["expires_at"] == "2030-04-16T17:46:40Z"
    assert told["view"]["seat"] is None
    assert [d["actor"] for d in told["decisions"]] == ["ann"]
    tokens = told["tokens"]
    assert set(tokens["seats"]) == {"ann", "host"}
    every = [*tokens["seats"].values(), tokens["host"], tokens["dealer"], tokens["spectator"]]
    assert len(set(every)) == 5
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{22}", token) for token in every)
    assert "private" in answer.headers["Cache-Control"]


def test_a_session_is_opened_with_a_state(client: FlaskClient) -> None:
    state = begin(client, chance={"seed": "7"})["state"]
    answer = client.post(AT, json={"game": "toy", "state": state, "ttl": 60})
    assert answer.status_code == 201
    kept = Kept(client, answer.json)
    assert kept.get("ann").json["view"]["table"]["seats"]["ann"]["hand"] == {"plum": 1}
    assert kept.done(END)["session"]["version"] == 2


def test_only_digests_of_tokens_are_kept() -> None:
    app = kept_app()
    kept = opened(app.test_client())
    kept.done(END)
    client = app.extensions["arbitr"].store._connected()
    everything = b"".join(client.dump(key) for key in client.keys("*"))
    assert kept.id.encode() in b"".join(client.keys("*"))
    for who in ("ann", "bob", "host", "dealer", "spectator"):
        assert kept.token(who).encode() not in everything


@pytest.mark.parametrize(
    ("body", "status", "name", "pointer"),
    [
        ({}, 400, "off-schema", "/game"),
        ({"game": "chess"}, 400, "off-schema", "/game"),
        ({"game": 7}, 400, "off-schema", "/game"),
        ({"game": "toy"}, 400, "off-schema", "/seats"),
        ({"game": "toy", "seats": [{"id": "ann"}]}, 400, "off-schema", "/seats"),
        ({"game": "toy", "seats": [{"id": "a"}, {"id": "b"}], "ttl": 59}, 400, "off-schema", "/ttl"),
        ({"game": "toy", "seats": [{"id": "a"}, {"id": "b"}], "ttl": 31622401}, 400, "off-schema", "/ttl"),
        ({"game": "toy", "state": {}, "seats": []}, 400, "off-schema", "/seats"),
        ({"game": "toy", "seats": [{"id": "a"}, {"id": "a"}]}, 400, "setup-refused", "/seats/1/id"),
    ],
)
def test_what_cannot_be_opened_is_refused(
    client: FlaskClient, body: Any, status: int, name: str, pointer: str
) -> None:
    found = problem(client.post(AT, json=body), status, name)
    assert pointer in [e["pointer"] for e in found["errors"]]


def test_a_state_that_cannot_exist_opens_nothing(client: FlaskClient) -> None:
    state = begin(client)["state"]
    state["seats"] = state["seats"][:1]
    problem(client.post(AT, json={"game": "toy", "state": state}), 422, "impossible-state")
    state["game"] = "zavandor"
    problem(client.post(AT, json={"game": "toy", "state": state}), 422, "wrong-game")


# -- looking ----------------------------------------------------------------------------------------------------


def test_every_seat_sees_its_own(kept: Kept) -> None:
    seen = {who: kept.get(who).json["view"] for who in ("ann", "bob", "host", "dealer", "spectator")}
    assert seen["ann"]["table"]["seats"]["ann"]["hand"] == {"plum": 1}
    for who in ("bob", "host", "dealer", "spectator"):
        assert seen[who]["table"]["seats"]["ann"]["hand"] == 1
    assert seen["host"] == seen["dealer"] == seen["spectator"]


def test_the_tag_is_strong_and_differs_by_version_seat_and_language(kept: Kept) -> None:
    def tags() -> dict[Any, str]:
        return {
            (who, spoken): kept.get(who, Accept_Language=spoken).headers["ETag"]
            for who in ("ann", "bob", "host", "spectator")
            for spoken in ("en", "cs")
        }

    first = tags()
    assert first == tags()
    kept.done(END)
    every = [*first.values(), *tags().values()]
    assert len(set(every)) == 16
    assert not any(tag.startswith("W/") for tag in every)


def test_who_has_it_is_told_so(kept: Kept) -> None:
    tag = kept.get("ann").headers["ETag"]
    same = kept.get("ann", If_None_Match=tag)
    assert (same.status_code, same.data, same.headers["ETag"]) == (304, b"", tag)
    assert "Authorization" in same.headers["Vary"]
    assert kept.get("ann", If_None_Match=f'"x", {tag}').status_code == 304
    assert kept.get("ann", If_None_Match="*").status_code == 304, "there is a session"
    assert kept.get("bob", If_None_Match=tag).status_code == 200
    assert kept.get("ann", If_None_Match=tag, Accept_Language="cs").status_code == 200
    kept.done(END)
    news = kept.get("ann", If_None_Match=tag)
    assert news.status_code == 200
    assert news.headers["ETag"] != tag


def test_a_packed_answer_has_its_own_tag(client: FlaskClient) -> None:
    kept = opened(client, "zavandor")
    plain, packed = kept.get("ann"), kept.get("ann", Accept_Encoding="gzip")
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["ETag"] == plain.headers["ETag"][:-1] + '-gzip"'
    assert kept.get("ann", If_None_Match=packed.headers["ETag"]).status_code == 304
    assert kept.act(filled(kept.options(kept.actor)[0]), If_Match=packed.headers["ETag"]).status_code == 201


def test_options_are_the_bearers(kept: Kept) -> None:
    assert [o["kind"] for o in kept.options("ann")] == ["throw", "end-turn"]
    for who in ("bob", "host", "dealer", "spectator"):
        assert kept.options(who) == []
    cut = kept.get("ann", "/options?limit=1").json
    assert (len(cut["options"]), cut["complete"]) == (1, False)
    for query in ("limit=0", "limit=x", "limit=1&limit=2", "seat=bob"):
        problem(kept.get("ann", f"/options?{query}"), 400, "bad-query")


# -- acting -----------------------------------------------------------------------------------------------------


def test_an_accepted_action_is_a_version(kept: Kept) -> None:
    answer = kept.act(END, If_Match=kept.get("ann").headers["ETag"])
    assert answer.status_code == 201
    assert answer.json["session"]["version"] == 2
    assert answer.json["events"][0]["kind"] == "moved"
    assert answer.json["decisions"][0]["actor"] == "bob"
    seen = kept.get("ann")
    assert (seen.json["view"], seen.headers["ETag"]) == (answer.json["view"], answer.headers["ETag"])


def test_what_happens_is_told_as_the_actor_saw_it(kept: Kept) -> None:
    events = kept.done(END)["events"]
    assert events[0]["what"] == 1, "the card that bob drew is his secret"


def test_without_a_version_nothing_is_done(kept: Kept) -> None:
    for given in ({}, {"If-Match": ""}, {"If-Match": " "}):
        headers = {**kept.headers("ann"), **given}
        answer = kept.client.post(f"{AT}/{kept.id}/actions", json={"action": END}, headers=headers)
        problem(answer, 428, "version-missing")
    assert kept.version == 1


@pytest.mark.parametrize("given", ["*", "1", '"1', "W/1", '"1" "2"', '"1",x', "*, *", ","])
def test_what_names_no_version_is_told_so(kept: Kept, given: str) -> None:
    found = problem(kept.act(END, If_Match=given), 428, "version-unnamed")
    assert "names no version" in found["detail"]
    assert kept.version == 1


@pytest.mark.parametrize("given", ['"1","2"', '"x" , "1"', 'W/"1", "1"', ',"7",,"1-ab-gzip",', '"1","1"'])
def test_of_several_versions_one_must_be_right(kept: Kept, given: str) -> None:
    assert kept.act(END, If_Match=given).json["session"]["version"] == 2


@pytest.mark.parametrize(
    "tag",
    ['"0"', '"2"', 'W/"1"', '"x"', '"1-zz"', '"2","3"', 'W/"1","2"', '""', '"*"', '"' + "9" * 400 + '"'],
)
def test_another_version_is_stale(kept: Kept, tag: str) -> None:
    answer = kept.act(END, If_Match=tag)
    assert problem(answer, 412, "stale-version")["version"] == 1
    assert answer.headers["ETag"] == kept.get("ann").headers["ETag"]


def test_an_illegal_action_is_refused_with_every_clause(kept: Kept) -> None:
    answer = kept.act({"kind": "play", "actor": "ann", "card": "plum", "points": 9})
    found = problem(answer, 422, "illegal-action")
    assert [v["rule"] for v in found["violations"]] == ["TOY-4", "TOY-3"]
    assert found["violations"][1]["message"] == "At most 3."
    assert found["violations"][0]["citation"] == {"document": "toy-rules", "page": 4}
    czech = kept.act({"kind": "play", "actor": "ann", "card": "plum", "points": 9}, Accept_Language="cs")
    assert czech.json["violations"][1]["message"] == "Nejvýše 3."
    out_of_turn = kept.act({**END, "actor": "bob"})
    assert problem(out_of_turn, 422, "illegal-action")["violations"][0]["reason"] == "not-your-decision"
    assert kept.version == 1


@pytest.mark.parametrize(
    ("body", "name"),
    [
        (b"", "not-json"),
        (b"{", "not-json"),
        (b"[]", "off-schema"),
        (b"{}", "off-schema"),
        (b'{"action": {"kind": "fly", "actor": "ann"}}', "off-schema"),
        (b'{"action": {"kind": "end-turn", "actor": "ann"}, "x": 1}', "off-schema"),
        (b'{"action": {"kind": "end-turn", "actor": "ann", "actor": "bob"}}', "duplicate-keys"),
    ],
)
def test_a_wrong_body_is_refused(kept: Kept, body: bytes, name: str) -> None:
    headers = kept.headers("ann", If_Match='"1"', Content_Type="application/json")
    problem(kept.client.post(f"{AT}/{kept.id}/actions", data=body, headers=headers), 400, name)


def test_nobody_acts_for_another(kept: Kept) -> None:
    for who in ("bob", "host", "dealer", "spectator"):
        problem(kept.act(END, who), 403, "not-yours")
    problem(kept.act({**END, "actor": "zed"}, "ann"), 403, "not-yours")
    never = problem(
        kept.act({"kind": "deal", "actor": "chance", "card": "plum"}, "ann"), 422, "illegal-action"
    )
    assert never["violations"][0]["reason"] == "unknown-value", "nobody asks chance"
    assert kept.version == 1


# -- tokens -----------------------------------------------------------------------------------------------------

CALLS = (
    ("GET", ""),
    ("GET", "/options"),
    ("GET", "/events"),
    ("GET", "/record"),
    ("POST", "/actions"),
    ("POST", "/undo"),
    ("POST", "/rewind"),
    ("DELETE", ""),
)


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_without_a_token_nobody_is_told_whether_there_is_a_session(
    kept: Kept, method: str, path: str
) -> None:
    answers = []
    for session in (kept.id, "0" * 32, "x"):
        for given in (
            None,
            "",
            "Bearer",
            "Basic YTpi",
            "Bearer x",
            f"Bearer {STRANGER}!",
            f"Bearer {STRANGER} x",
        ):
            headers = {"If-Match": '"1"'} if given is None else {"Authorization": given, "If-Match": '"1"'}
            answer = kept.client.open(f"{AT}/{session}{path}", method=method, headers=headers, json={})
            problem(answer, 401, "no-token")
            assert answer.headers["WWW-Authenticate"] == "Bearer"
            answers.append(answer.data.replace(session.encode(), b"ID"))
    assert len(set(answers)) == 1


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_a_foreign_token_is_answered_as_an_unknown_session_is(
    client: FlaskClient, kept: Kept, method: str, path: str
) -> None:
    other = opened(client)
    gone = opened(client)
    assert client.delete(f"{AT}/{gone.id}", headers=gone.headers("host")).status_code == 204
    asked = (
        (kept.id, STRANGER),  # forged
        (kept.id, other.token("ann")),  # another session's
        (kept.id, kept.token("ann").swapcase()),
        (gone.id, gone.token("host")),  # ended
        ("0" * 32, kept.token("host")),  # never was
        ("x", kept.token("host")),
        ("0" * 33, kept.token("host")),
    )
    answers = set()
    for session, token in asked:
        headers = {"Authorization": f"Bearer {token}", "If-Match": '"1"', "X-Request-Id": "r"}
        answer = client.open(f"{AT}/{session}{path}", method=method, headers=headers, json={"to": 1})
        problem(answer, 404, "unknown-session")
        answers.add(
            (
                answer.data.replace(session.encode(), b"ID"),
                str(sorted(answer.headers.items())).replace(str(len(answer.data)), "N"),
            )
        )
    assert len(answers) == 1


def test_an_expired_session_is_an_unknown_one(app: Flask, kept: Kept) -> None:
    store = app.extensions["arbitr"].store._connected()
    before = problem(kept.client.get(f"{AT}/{'0' * 32}", headers=kept.headers("ann")), 404, "unknown-session")
    store.pexpire(f"arbitr:{{{kept.id}}}:session", 1)
    import time

    time.sleep(0.01)
    after = problem(kept.get("ann"), 404, "unknown-session")
    assert {**before, "instance": ""} == {**after, "instance": ""}


TO_ONE = {"to": 1}


@pytest.mark.parametrize(
    ("who", "method", "path", "body"),
    [
        ("ann", "GET", "/record", None),
        ("host", "GET", "/record", None),
        ("ann", "GET", "/events", None),
        ("ann", "GET", "/events?after=1&wait=1", None),
        ("ann", "POST", "/undo", {}),
        ("host", "POST", "/rewind", TO_ONE),
        ("bob", "POST", "/actions", {"action": {**END, "actor": "bob"}}),
    ],
)
def test_a_session_that_ends_in_the_middle_of_a_request_is_an_unknown_one(
    app: Flask, kept: Kept, monkeypatch: pytest.MonkeyPatch, who: str, method: str, path: str, body: Any
) -> None:
    kept.done(END)
    store = app.extensions["arbitr"].store
    for name in ("log", "commit"):
        sound = getattr(store, name)
        monkeypatch.setattr(store, name, partial(_after_the_end, store, kept.id, sound))
    headers = kept.headers(who, If_Match='"2"')
    answer = kept.client.open(f"{AT}/{kept.id}{path}", method=method, headers=headers, json=body)
    problem(answer, 404, "unknown-session")
    problem(kept.get(who), 404, "unknown-session")


def _after_the_end(store: Any, session: str, sound: Any, *given: Any) -> Any:
    store.close(session)
    return sound(*given)


def test_digests_are_compared_in_constant_time_and_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    import hmac

    from service.sessions import tokens

    given = tokens.fresh(["ann", "bob"])
    compared = []
    sound = hmac.compare_digest
    monkeypatch.setattr(tokens.hmac, "compare_digest", lambda a, b: compared.append(b) or sound(a, b))
    for token in (given.seats["ann"], given.spectator, STRANGER):
        compared.clear()
        found = given.digested().bearer(token)
        assert len(compared) == 5
        assert (found is None) == (token == STRANGER)


# -- idle time --------------------------------------------------------------------------------------------------


def test_a_session_lives_on_by_use() -> None:
    app = kept_app()
    held, kept = app.extensions["arbitr"], opened(app.test_client(), ttl=3000)
    now = [NOW]
    held.desk = type(held.desk)(held.store, held.registry, held.fairness, lambda: now[0])

    def left() -> int:
        return held.store._connected().ttl(f"arbitr:{{{kept.id}}}:session")

    assert 2990 < left() <= 3000
    first = kept.get("ann")
    tag, ends = first.headers["ETag"], first.headers["Sunset"]
    assert ends == "Sun, 17 Mar 2030 18:36:40 GMT"
    now[0] += 90
    assert kept.get("ann", If_None_Match=tag).headers["Sunset"] == ends, "so soon it is not written anew"
    now[0] += 20
    renewed = kept.get("ann", If_None_Match=tag)
    assert renewed.status_code == 304, "what it shows is the same"
    assert renewed.headers["Sunset"] == "Sun, 17 Mar 2030 18:38:30 GMT"
    again = kept.get("ann")
    assert (again.headers["ETag"], again.data) == (tag, first.data), "a strong tag is one of bytes"
    for path in ("/options", "/record", "/events"):
        assert kept.get("ann", path).headers["Sunset"] == renewed.headers["Sunset"]
    held.store._connected().pexpire(f"arbitr:{{{kept.id}}}:session", 5000)
    acted = kept.act(END, version=1)
    assert acted.json["session"]["expires_at"] == "2030-03-17T18:38:30Z"
    assert 2990 < left() <= 3000


# -- once and no more -------------------------------------------------------------------------------------------


def test_the_same_request_gets_the_first_answer_byte_for_byte(kept: Kept) -> None:
    first = kept.act(END, version=1, Idempotency_Key="k")
    kept.done({**END, "actor": "bob"})
    again = kept.act(END, version=1, Idempotency_Key="k", Accept_Language="cs")
    assert (again.status_code, again.data) == (201, first.data)
    for name in ("ETag", "Content-Language", "Content-Type"):
        assert again.headers[name] == first.headers[name]
    assert kept.version == 3


def test_a_key_stands_for_one_request(kept: Kept) -> None:
    kept.act(END, version=1, Idempotency_Key="k")
    other = {"kind": "throw", "actor": "ann", "cards": {"plum": 1}}
    problem(kept.act(other, version=1, Idempotency_Key="k"), 422, "key-reused")
    problem(kept.post("ann", "/undo", {}, Idempotency_Key="k"), 422, "key-reused")
    for version in (2, 7):
        problem(kept.act(END, version=version, Idempotency_Key="k"), 422, "key-reused")
    assert kept.version == 2


def test_a_tag_and_its_number_are_one_version(kept: Kept) -> None:
    first = kept.act(END, If_Match=kept.get("ann").headers["ETag"], Idempotency_Key="k")
    assert kept.act(END, If_Match='"1"', Idempotency_Key="k").data == first.data


def test_a_key_is_its_bearers_own(kept: Kept) -> None:
    kept.act(END, version=1, Idempotency_Key="k")
    theirs = kept.act({**END, "actor": "bob"}, version=2, Idempotency_Key="k")
    assert theirs.json["session"]["version"] == 3


def test_what_was_refused_is_judged_again_under_its_key(kept: Kept) -> None:
    problem(kept.act(END, version=9, Idempotency_Key="k"), 412, "stale-version")
    assert kept.act(END, version=1, Idempotency_Key="k").status_code == 201


@pytest.mark.parametrize("key", ["", " ", "a b", "é", "x" * 256])
def test_what_is_no_key_is_refused(kept: Kept, key: str) -> None:
    problem(kept.act(END, version=1, Idempotency_Key=key), 400, "bad-idempotency-key")


# -- the end ----------------------------------------------------------------------------------------------------


def test_the_host_closes_it(kept: Kept) -> None:
    for who in ("ann", "dealer", "spectator"):
        answer = kept.client.delete(f"{AT}/{kept.id}", headers=kept.headers(who))
        problem(answer, 403, "not-allowed")
    assert kept.client.delete(f"{AT}/{kept.id}", headers=kept.headers("host")).status_code == 204
    problem(kept.get("host"), 404, "unknown-session")
    problem(kept.act(END, version=1), 404, "unknown-session")


def test_a_whole_game_is_played_and_its_record_is_the_hosts(client: FlaskClient) -> None:
    kept = opened(client)
    while not (outcome := kept.get("spectator").json["outcome"]):
        kept.done({**END, "actor": kept.actor})
    assert outcome["because"] == "TOY-5"
    record = kept.get("host", "/record").json
    assert record["complete"]
    assert len([a for a in record["actions"] if a["kind"] == "end-turn"]) == 8
    assert kept.get("ann", "/record").json["complete"] is False
    problem(kept.post("host", "/rewind", {"to": 1}), 422, "game-over")
    refused = problem(kept.act(END), 422, "illegal-action")
    assert refused["violations"][0]["rule"] == "TOY-5"


def test_without_a_store_sessions_are_away_and_nothing_else_is() -> None:
    from service.sessions.store import NoStore

    client = kept_app(NoStore()).test_client()
    state = begin(client)["state"]
    headers = {"Authorization": f"Bearer {STRANGER}", "If-Match": '"1"'}
    for method, path in (("POST", AT), *((m, f"{AT}/{'0' * 32}{p}") for m, p in CALLS)):
        body = {"game": "toy", "state": state} if path == AT else {}
        answer = client.open(path, method=method, headers=headers, json=body)
        problem(answer, 503, "no-store")
        assert "Retry-After" not in answer.headers, "it will not be better in a while"
    judged = client.post("/v1/games/toy/adjudications", json={"state": state, "action": END})
    assert judged.json["verdict"] == "legal"


def test_judgements_in_sessions_are_counted_and_nothing_of_them_is_logged(
    kept: Kept, capfd: pytest.CaptureFixture[str]
) -> None:
    def count(verdict: str) -> float:
        text = kept.client.get("/metrics").text
        lines = [line for line in text.splitlines() if line.startswith("arbitr_verdicts_total{")]
        return sum(float(line.rpartition(" ")[2]) for line in lines if f'verdict="{verdict}"' in line)

    before = count("legal"), count("illegal")
    kept.act({"kind": "play", "actor": "ann", "card": "plum", "points": 9})
    kept.done(END)
    assert (count("legal"), count("illegal")) == (before[0] + 1, before[1] + 1)
    said = "".join(capfd.readouterr())
    assert not any(kept.token(who) in said for who in ("ann", "host"))
    assert kept.id not in said


def test_an_answer_of_a_session_is_for_its_bearer_alone(kept: Kept) -> None:
    for path in ("", "/options", "/events", "/record"):
        answer = kept.get("ann", path)
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert {"Authorization", "Accept-Language"} <= set(answer.headers["Vary"].split(", "))


def test_errors_and_what_is_told_once_are_kept_by_nobody(client: FlaskClient, kept: Kept) -> None:
    illegal = {"kind": "play", "actor": "ann", "card": "plum", "points": 9}
    every = {
        201: kept.act(END),
        400: kept.get("ann", "/options?limit=0"),
        401: kept.get(None),
        403: kept.post("ann", "/rewind", {"to": 1}),
        404: client.get(f"{AT}/{'0' * 32}", headers=kept.headers("ann")),
        405: client.put(f"{AT}/{kept.id}", headers=kept.headers("ann")),
        406: kept.get("ann", Accept="image/png"),
        412: kept.act(END, version=7),
        415: client.post(AT, data=b"{}", content_type="text/plain"),
        422: kept.act(illegal),
        428: kept.act(END, If_Match=""),
    }
    opened_now = client.post(AT, json={"game": "toy", "seats": [{"id": "a"}, {"id": "b"}]})
    for status, answer in [*every.items(), (201, opened_now)]:
        assert answer.status_code == status
        assert answer.headers["Cache-Control"] == "private, no-store", status
        assert {"Authorization", "Accept-Language"} <= set(answer.headers["Vary"].split(", ")), status


@pytest.mark.parametrize(("path", "work"), [("", "table"), ("/events", "page"), ("/options", "options")])
def test_reading_has_its_time_and_no_more(monkeypatch: pytest.MonkeyPatch, path: str, work: str) -> None:
    from service.engine.budget import tick
    from service.http import session_wire

    kept = opened(kept_app(ARBITR_BUDGET="1").test_client())

    def endless(*given: Any) -> None:
        while True:
            tick()

    monkeypatch.setattr(session_wire, work, endless)
    problem(kept.get("ann", path), 503, "out-of-time")


def test_rules_that_break_down_in_a_session_are_no_fault_of_ours(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    from service.sessions import acting

    def judge(*given: Any) -> Any:
        raise KeyError("a state that never was")

    monkeypatch.setattr(acting, "judge", judge)
    problem(kept.act(END), 422, "unplayable-state")
    assert kept.version == 1


def test_a_session_of_rules_that_are_gone_is_told_to_its_people_alone(app: Flask, kept: Kept) -> None:
    registry = Registry()
    registry.add(HARBOUR)
    younger = create_app(settings(), registry, app.extensions["arbitr"].store).test_client()
    later = Kept(younger, kept.opened)
    found = problem(later.get("ann"), 422, "unknown-ruleset")
    assert (found["known"], "toy 1.0" in found["detail"]) == ([], True)
    stranger = younger.get(f"{AT}/{kept.id}", headers={"Authorization": f"Bearer {STRANGER}"})
    problem(stranger, 404, "unknown-session")
