"""Webhooks over HTTP: who may have one, what is told of it, and where none may go."""

from __future__ import annotations

import base64
import threading
from collections.abc import Sequence
from typing import Any

import pytest
from flask import Flask

from service.http.problems import table
from service.webhooks.rounds import Rounds
from service.webhooks.targets import LOOKUPS, SHARE, Targets
from tests.http.conftest import problem
from tests.http.kept import Kept, kept_app, opened

URL = "https://player.example.org/arbitr"
REASONS = ("form", "scheme", "credentials", "port", "address")


def resolve(host: str) -> Sequence[str]:
    """Where names lead in these tests."""
    return {"player.example.org": ["8.8.8.8"], "inside.example.org": ["8.8.8.8", "10.0.0.7"]}.get(host, [])


@pytest.fixture(scope="module")
def app() -> Flask:
    app = kept_app()
    app.extensions["arbitr"].targets = Targets(resolve=resolve)
    return app


@pytest.fixture
def session(app: Flask) -> Kept:
    return opened(app.test_client())


def put(session: Kept, who: str | None, body: Any, **headers: str) -> Any:
    path = f"/v1/sessions/{session.id}/webhook"
    return session.client.put(path, json=body, headers=session.headers(who, **headers))


def delete(session: Kept, who: str | None) -> Any:
    return session.client.delete(f"/v1/sessions/{session.id}/webhook", headers=session.headers(who))


@pytest.mark.parametrize("who", ["ann", "bob", "host", "dealer"])
def test_it_is_set_seen_and_taken_away(session: Kept, who: str) -> None:
    problem(session.get(who, "/webhook"), 404, "no-webhook")
    answer = put(session, who, {"url": URL})
    assert answer.status_code == 201
    made = answer.json
    secret = made.pop("secret")
    assert made == {"url": URL, "seat": who if who in ("ann", "bob") else None, "state": "new", "tries": 0}
    assert len(base64.b64decode(secret.removeprefix("whsec_"), validate=True)) == 32
    assert answer.headers["Sunset"]
    assert session.get(who, "/webhook").json == made, "and the secret is not told again"
    assert delete(session, who).status_code == 204
    problem(session.get(who, "/webhook"), 404, "no-webhook")
    assert delete(session, who).status_code == 204


def test_each_has_his_own_and_nobody_sees_anothers(session: Kept) -> None:
    secrets = set()
    for who in ("ann", "bob", "host", "dealer"):
        secrets.add(put(session, who, {"url": f"{URL}/{who}"}).json["secret"])
    assert len(secrets) == 4
    for who in ("ann", "bob", "host", "dealer"):
        assert session.get(who, "/webhook").json["url"] == f"{URL}/{who}"
    for who in ("ann", "bob", "host", "dealer", "spectator"):
        for path in ("", "/options", "/events", "/record"):
            text = session.get(who, path).text
            assert URL not in text
            assert "whsec_" not in text


def test_a_new_one_has_another_secret(session: Kept) -> None:
    first, second = (put(session, "ann", {"url": URL}).json["secret"] for _ in range(2))
    assert first != second


def test_the_spectator_has_none(session: Kept) -> None:
    problem(put(session, "spectator", {"url": URL}), 403, "not-allowed")
    problem(session.get("spectator", "/webhook"), 403, "not-allowed")
    problem(delete(session, "spectator"), 403, "not-allowed")


def test_without_a_token_of_the_session_there_is_nothing(session: Kept) -> None:
    other = opened(session.client)
    problem(put(session, None, {"url": URL}), 401, "no-token")
    foreign = {"Authorization": f"Bearer {other.token('ann')}"}
    for method in ("put", "get", "delete"):
        at = f"/v1/sessions/{session.id}/webhook"
        answer = session.client.open(at, method=method, json={"url": URL}, headers=foreign)
        problem(answer, 404, "unknown-session")


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("https://player.example.org/#x", "form"),
        ("https://2130706433/", "form"),
        ("https://[::1/", "form"),
        ("http://player.example.org/", "scheme"),
        ("javascript:alert(1)", "scheme"),
        ("https://ann:word@player.example.org/", "credentials"),
        ("https://player.example.org:6379/", "port"),
        ("https://127.0.0.1/", "address"),
        ("https://169.254.169.254/latest/meta-data/", "address"),
        ("https://localhost/", "address"),
        ("https://[::ffff:127.0.0.1]/", "address"),
        ("https://inside.example.org/", "address"),
        ("https://nowhere.example.org/", "address"),
    ],
)
@pytest.mark.parametrize("language", ["en", "cs"])
def test_where_no_message_goes(session: Kept, url: str, why: str, language: str) -> None:
    put(session, "ann", {"url": URL})
    answer = problem(put(session, "ann", {"url": url}, Accept_Language=language), 422, "target-refused")
    assert answer["why"] == why
    assert answer["detail"] == table()["target-refused"]["why"][why][language]
    assert url not in str(answer)
    assert session.get("ann", "/webhook").json["url"] == URL, "what there was stays"


def test_every_reason_is_told_in_both_languages() -> None:
    told = table()["target-refused"]["why"]
    assert set(told) == set(REASONS)
    assert all(set(texts) == {"en", "cs"} for texts in told.values())


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"url": None},
        {"url": 7},
        {"url": ""},
        {"url": "https://player.example.org/\n"},
        {"url": "https://player.example.org/ä"},
        {"url": "https://player.example.org/\\x"},
        {"url": f"https://player.example.org/{'x' * 2000}"},
        {"url": URL, "secret": "mine"},
        {"url": URL, "seat": "bob"},
    ],
)
def test_what_is_off_schema_says_where(session: Kept, body: Any) -> None:
    answer = problem(put(session, "ann", body), 400, "off-schema")
    assert answer["errors"][0]["pointer"] in ("/url", "/secret", "/seat")


def test_other_bodies_and_queries_are_refused(session: Kept) -> None:
    at, headers = f"/v1/sessions/{session.id}/webhook", session.headers("ann")
    twice = f'{{"url": "{URL}", "url": "{URL}"}}'.encode()
    for data, kind, status, name in (
        (b"[]", "application/json", 400, "off-schema"),
        (twice, "application/json", 400, "duplicate-keys"),
        (b"url", "text/plain", 415, "unsupported-media-type"),
        (b"{", "application/json", 400, "not-json"),
    ):
        problem(session.client.put(at, data=data, content_type=kind, headers=headers), status, name)
    for method in ("put", "get", "delete"):
        answer = session.client.open(f"{at}?x=1", method=method, json={"url": URL}, headers=headers)
        problem(answer, 400, "bad-query")
    problem(session.client.post(at, json={"url": URL}, headers=headers), 405, "method-not-allowed")


def test_how_it_goes_is_told(app: Flask, session: Kept) -> None:
    held, actor, now = app.extensions["arbitr"], session.actor, [1_900_000_000_000]
    rounds = Rounds(held.store, held.keys, lambda: now[0], lambda: 1.0)
    put(session, actor, {"url": URL})

    def taken() -> Any:
        (id_,) = rounds.of(session.id)
        return rounds.take(session.id, id_)

    def shown() -> Any:
        return {k: v for k, v in session.get(actor, "/webhook").json.items() if k not in ("url", "seat")}

    rounds.unanswered(taken(), "time-out")
    last = {"result": "time-out", "at": "2030-03-17T17:46:40Z"}
    assert shown() == {"state": "retrying", "tries": 1, "last": last, "next_at": "2030-03-17T17:46:50Z"}
    now[0] += 10_000
    rounds.answered(taken(), 204)
    assert shown() == {"state": "ok", "tries": 0, "last": {"result": "204", "at": "2030-03-17T17:46:50Z"}}
    session.done({"kind": "end-turn", "actor": actor})
    session.done({"kind": "end-turn", "actor": session.actor})
    rounds.unanswered(taken(), "tls")
    now[0] += 24 * 3600_000
    rounds.unanswered(taken(), "tls")
    last = {"result": "tls", "at": "2030-03-18T17:46:50Z"}
    assert shown() == {"state": "failing", "tries": 2, "last": last, "next_at": "2030-03-18T17:47:10Z"}


def test_an_action_does_not_touch_the_receiver(
    app: Flask, session: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Acting asks for no name and connects to nobody: what is to be told is told by another process."""
    for who in ("ann", "bob", "host"):
        put(session, who, {"url": URL})

    def fail(*given: Any, **more: Any) -> Any:
        raise AssertionError("somebody connects")

    monkeypatch.setattr(app.extensions["arbitr"], "targets", None)
    monkeypatch.setattr("socket.socket.connect", fail)
    monkeypatch.setattr("socket.getaddrinfo", fail)
    for _ in range(4):
        session.done({"kind": "end-turn", "actor": session.actor})


def test_a_name_for_which_no_thread_is_free_may_be_set_again(
    app: Flask, session: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is nothing that the name can help: who asks again shortly may succeed."""
    monkeypatch.setattr("service.webhooks.targets.LOOKUP_WAIT", 0.05)
    hang = threading.Event()

    def slow(host: str) -> Sequence[str]:
        if host.startswith("slow"):
            hang.wait(30)
        return ["8.8.8.8"]

    targets = Targets(resolve=slow)
    monkeypatch.setattr(app.extensions["arbitr"], "targets", targets)
    for n in range(LOOKUPS):
        targets.looked_up(f"slow.example{n}.org")
    for language in ("en", "cs"):
        answer = put(session, "ann", {"url": URL}, Accept_Language=language)
        problem(answer, 503, "too-many-lookups")
        assert int(answer.headers["Retry-After"]) > 0
    hang.set()
    monkeypatch.setattr("service.webhooks.targets.LOOKUP_WAIT", 10)
    assert put(session, "ann", {"url": URL}).status_code == 201


def test_names_that_hang_for_one_session_or_address_are_nothing_to_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("service.webhooks.targets.LOOKUP_WAIT", 0.05)
    hang = threading.Event()

    def slow(host: str) -> Sequence[str]:
        if host.startswith("slow"):
            hang.wait(30)
        return ["8.8.8.8"]

    app = kept_app(ARBITR_RATE="1000", ARBITR_TRUSTED_PROXIES="1")
    app.extensions["arbitr"].targets = Targets(resolve=slow)
    evil, other, good = (opened(app.test_client()) for _ in range(3))
    for n in range(SHARE):
        answer = put(evil, "ann", {"url": f"https://slow.evil{n}.org/"}, X_Forwarded_For="6.6.6.6")
        problem(answer, 422, "target-refused")
    for session in (evil, other):
        problem(put(session, "bob", {"url": URL}, X_Forwarded_For="6.6.6.6"), 503, "too-many-lookups")
    problem(put(evil, "bob", {"url": URL}, X_Forwarded_For="1.2.3.4"), 503, "too-many-lookups")
    assert put(good, "ann", {"url": URL}, X_Forwarded_For="1.2.3.4").status_code == 201
    hang.set()


def test_webhooks_of_one_session_are_set_at_a_rate() -> None:
    app = kept_app(ARBITR_RATE="1000", ARBITR_ADDRESS_RATE="0")
    app.extensions["arbitr"].targets = Targets(resolve=resolve)
    session, another = opened(app.test_client()), opened(app.test_client())
    answers = [put(session, ("ann", "bob", "host")[n % 3], {"url": URL}) for n in range(30)]
    refused = answers[-1]
    assert 10 <= [a.status_code for a in answers].count(201) <= 20
    problem(refused, 429, "too-many-requests")
    assert '"session-webhooks";r=0' in refused.headers["RateLimit"]
    assert int(refused.headers["Retry-After"]) > 0
    assert put(another, "ann", {"url": URL}).status_code == 201
    assert session.get("ann", "/webhook").status_code == 200


def test_where_nobody_sends_none_is_set() -> None:
    """Whoever may not be told must know."""
    off = kept_app(ARBITR_STREAM_PORT="off")
    elsewhere = kept_app(ARBITR_STREAM_PORT="off", ARBITR_STREAM_URL="https://play.example.org")
    for app in (off, elsewhere):
        app.extensions["arbitr"].targets = Targets(resolve=resolve)
    session = opened(off.test_client())
    for language in ("en", "cs"):
        answer = put(session, "ann", {"url": URL}, Accept_Language=language)
        problem(answer, 503, "no-webhooks")
        assert "Retry-After" not in answer.headers
    problem(session.get("ann", "/webhook"), 404, "no-webhook")
    assert put(opened(elsewhere.test_client()), "ann", {"url": URL}).status_code == 201
