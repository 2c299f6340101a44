"""Operation and documentation: live, ready, the document, the pages."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from time import time

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from schemas.operation import PARTS
from service.app import create_app
from service.http import readiness
from service.http.context import of as context_of
from service.http.problems import table
from tests.http.conftest import problem, settings, toy_app
from tests.sessions.stores import imitation


def test_a_worker_is_live(client: FlaskClient) -> None:
    assert client.get("/livez").json == {"status": "ok"}


@pytest.fixture
def ready() -> FlaskClient:
    """A service that has all it needs."""
    return toy_app(store=imitation()).test_client()


def missing(answer: TestResponse) -> dict[str, str]:
    """What is missing, and why."""
    told = problem(answer, 503, "not-ready")
    assert answer.headers["Retry-After"] == "5"
    assert told["detail"] == " ".join(each["message"] for each in told["missing"])
    return {each["what"]: each["why"] for each in told["missing"]}


def test_a_service_that_has_all_it_needs_is_ready(ready: FlaskClient) -> None:
    assert ready.get("/readyz").json == {"status": "ok", "checked": list(PARTS)}


def test_without_a_store_it_is_not_ready_and_says_what_is_missing(client: FlaskClient) -> None:
    assert missing(client.get("/readyz")) == {"store": "no store is set (ARBITR_REDIS_URL)"}


def test_a_store_that_cannot_be_reached_is_missing() -> None:
    client = toy_app(ARBITR_REDIS_URL="unix:///nonexistent/store.sock").test_client()
    assert missing(client.get("/readyz")) == {"store": "ConnectionError"}
    assert client.get("/v1/games").status_code == 200


@pytest.mark.parametrize("off", [-30.0, 30.0])
def test_a_clock_that_does_not_go_with_that_of_the_store_is_told(
    ready: FlaskClient, monkeypatch: pytest.MonkeyPatch, off: float
) -> None:
    """Deadlines come early or late by as much."""
    held = context_of(ready.application)
    monkeypatch.setattr(held.store, "clock", lambda: time() + off, raising=False)
    why = missing(ready.get("/readyz"))["time"]
    assert re.fullmatch(r"(29\.\d|30\.0) s off the store's clock", why)
    monkeypatch.setattr(held.store, "clock", lambda: time() + off / 30, raising=False)
    assert ready.get("/readyz").status_code == 200, (
        "a second is what clocks that are kept together may differ by"
    )


def test_a_stream_process_that_does_not_answer_is_missing() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        port = nobody.getsockname()[1]
        client = toy_app(store=imitation(), ARBITR_STREAM_PORT=str(port)).test_client()
        assert missing(client.get("/readyz")) == {"streams": f"no answer on port {port}"}


def test_streams_elsewhere_are_not_looked_for() -> None:
    told = {"ARBITR_STREAM_PORT": "off", "ARBITR_STREAM_URL": "https://streams.example"}
    assert toy_app(store=imitation(), **told).test_client().get("/readyz").status_code == 200


def test_a_service_without_games_is_not_ready(ready: FlaskClient) -> None:
    context_of(ready.application).contracts = {}
    assert missing(ready.get("/readyz")) == {"games": "none is loaded"}


def test_keys_that_cannot_be_read_are_missing(tmp_path: Path) -> None:
    (tmp_path / "server.key").write_text("no key\n")
    app = create_app(settings(ARBITR_KEY="", ARBITR_DATA=str(tmp_path)), store=imitation())
    assert missing(app.test_client().get("/readyz")) == {"keys": "server.key cannot be read"}


def test_a_service_that_is_to_end_is_not_ready_and_goes_on(
    ready: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness.STOPPING, "asked", True)
    assert missing(ready.get("/readyz")) == {"process": "stopping"}
    assert ready.get("/livez").status_code == 200
    assert ready.get("/v1/games").status_code == 200


def test_all_that_is_missing_is_listed_in_both_languages() -> None:
    app = toy_app(ARBITR_REDIS_URL="unix:///nonexistent/store.sock")
    context_of(app).contracts = {}
    for language, text in (("en", "There are no games."), ("cs", "Nejsou tu žádné hry.")):
        answer = app.test_client().get("/readyz", headers={"Accept-Language": language})
        assert list(missing(answer)) == ["store", "games"]
        assert (answer.json or {})["missing"][1]["message"] == text
    assert table()["not-ready"]["missing"].keys() == set(PARTS), "each has its text"


def test_what_is_not_to_be_looked_at_can_be_named(client: FlaskClient) -> None:
    """Who has no use for sessions need not be taken out with their store."""
    answer = client.get("/readyz?exclude=store,time")
    assert answer.json == {"status": "ok", "checked": ["process", "streams", "games", "keys"]}
    for query in ("exclude=moon", "exclude=", "exclude=store&exclude=time", "include=store"):
        problem(client.get(f"/readyz?{query}"), 400, "bad-query")


def test_a_store_that_is_left_out_is_not_asked_for_the_time(
    ready: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a clock that is off would take out every pod whose probe leaves the store out."""
    asked = []
    monkeypatch.setattr(context_of(ready.application).store, "clock", lambda: asked.append(1) or time() + 9)
    assert list(missing(ready.get("/readyz"))) == ["time"]
    assert len(asked) == 1
    for query in ("exclude=store", "exclude=store,time", "exclude=time,store"):
        answer = ready.get(f"/readyz?{query}")
        assert answer.json == {"status": "ok", "checked": ["process", "streams", "games", "keys"]}
    assert len(asked) == 1
    answer = ready.get("/readyz?exclude=time")
    assert answer.json == {"status": "ok", "checked": ["process", "store", "streams", "games", "keys"]}


def test_the_pages_need_no_internet(client: FlaskClient) -> None:
    assert client.get("/docs").status_code == 308
    page = client.get("/docs/")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert "http://" not in page.text
    assert "https://" not in page.text
    for part in ("swagger-ui-bundle.js", "swagger-ui-standalone-preset.js", "swagger-ui.css", "index.css"):
        with client.get(f"/docs/{part}") as answer:
            assert answer.status_code == 200
            assert part in page.text


def test_a_page_that_is_not_there_is_404(client: FlaskClient) -> None:
    problem(client.get("/docs/nope.js"), 404, "not-found")
    problem(client.get("/docs/../../etc/passwd"), 404, "not-found")
