"""Clients of two apps: one with the toy game, one with every game."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Settings
from service.engine.registry import Registry
from service.games import REGISTRY
from service.sessions.store import Store
from service.webhooks.targets import Targets
from tests.http import toy
from tests.sessions.stores import imitation

KEY = "5a" * 32
TOY = "/v1/games/toy"
TOYS = toy.make("0.9"), toy.make("1.0")
SEATS = [{"id": "ann"}, {"id": "bob"}]
OPEN = {"mode": "seeded", "seed": "a test"}
GAMES = ("toy", *(rules.game for rules in REGISTRY))
every_game_in_turn = pytest.mark.parametrize("game", GAMES)


def settings(**more: str) -> Settings:
    quiet = {"ARBITR_KEY": KEY, "ARBITR_RATE": "0", "ARBITR_LOG_LEVEL": "error", "ARBITR_BUDGET": "0"}
    return Settings.from_env({**quiet, **more})


def toy_app(store: Store | None = None, **more: str) -> Flask:
    registry = Registry()
    for rules in TOYS:
        registry.add(rules)
    return create_app(settings(**more), registry, store)


@pytest.fixture(scope="session")
def toys() -> Flask:
    return toy_app()


@pytest.fixture
def client(toys: Flask) -> FlaskClient:
    return toys.test_client()


@pytest.fixture(scope="session")
def every_game() -> Flask:
    app = create_app(settings(), store=imitation())
    app.extensions["arbitr"].targets = Targets(resolve=lambda _: ["8.8.8.8"])  # nobody is asked for names
    return app


@pytest.fixture
def real(every_game: Flask) -> FlaskClient:
    return every_game.test_client()


@pytest.fixture(scope="module")
def app() -> Flask:
    """An app for sessions: two games of the tests and all others; its clock stands still."""
    from tests.http.kept import kept_app

    return kept_app()


@pytest.fixture
def kept(app: Flask) -> Any:
    """A session of the toy game, of ann and bob: ann's turn."""
    from tests.http.kept import opened

    return opened(app.test_client())


@pytest.fixture
def of_game(game: str, client: FlaskClient, real: FlaskClient) -> FlaskClient:
    """A client of the app that has this game."""
    return client if game == "toy" else real


@pytest.fixture
def state(client: FlaskClient) -> dict[str, Any]:
    """A toy state: ann's turn, a plum in her hand."""
    return begin(client)["state"]


def begin(client: FlaskClient, game: str = "toy", **more: Any) -> dict[str, Any]:
    setup = {"seats": SEATS, "chance": OPEN, **more}
    answer = client.post(f"/v1/games/{game}/states", json=setup)
    assert answer.status_code == 200, answer.text
    return answer.json


def faults(answer: Any) -> dict[str, str]:
    """The faults of a problem document: message by pointer."""
    return {fault["pointer"]: fault["message"] for fault in answer.json["errors"]}


def problem(answer: Any, status: int, name: str) -> Any:
    """A well-formed problem document of this status and name."""
    assert (answer.status_code, answer.json["type"]) == (status, f"/docs/problems/{name}"), answer.text
    assert answer.mimetype == "application/problem+json"
    assert answer.json["status"] == status
    assert answer.json["title"]
    assert "{" not in answer.json["detail"]
    assert answer.headers["X-Request-Id"]
    assert answer.headers["Content-Language"] in ("en", "cs")
    return answer.json


def post(client: FlaskClient, path: str, body: bytes | str, **headers: str) -> Any:
    """Post these very bytes as JSON."""
    given = {"Content-Type": "application/json", **{k.replace("_", "-"): v for k, v in headers.items()}}
    return client.post(path, data=body, headers=given)


def encoded(value: Any) -> bytes:
    return msgspec.json.encode(value)
