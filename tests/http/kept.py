"""A session over HTTP and the people at it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.battery.games import NOT_PARAMETERS
from service.engine.registry import Registry
from service.games import REGISTRY
from tests.conformance.toy import RULES as HARBOUR
from tests.http import toy
from tests.http.conftest import settings
from tests.sessions.stores import imitation

AT = "/v1/sessions"
NOW = 1_900_000_000
TOY = toy.make("1.0")


def kept_app(store: Any = None, **more: str) -> Flask:
    """An app with two games of the tests and all others, whose clock stands still."""
    registry = Registry()
    for rules in (TOY, HARBOUR, *REGISTRY):
        registry.add(rules)
    app = create_app(settings(**more), registry, store or imitation())
    held = app.extensions["arbitr"]
    held.desk = type(held.desk)(held.store, registry, held.fairness, lambda: NOW)
    return app


@dataclass
class Kept:
    """A session; `who` is a seat or a role, `role:host` also where a seat is called so."""

    client: FlaskClient
    opened: Any

    @property
    def id(self) -> str:
        return self.opened["session"]["id"]

    def token(self, who: str) -> str:
        tokens = self.opened["tokens"]
        return tokens["seats"].get(who) or tokens[who.removeprefix("role:")]

    def headers(self, who: str | None, **more: str) -> dict[str, str]:
        bearer = {} if who is None else {"Authorization": f"Bearer {self.token(who)}"}
        return {**bearer, **{k.replace("_", "-"): v for k, v in more.items()}}

    def get(self, who: str | None, path: str = "", **headers: str) -> Any:
        return self.client.get(f"{AT}/{self.id}{path}", headers=self.headers(who, **headers))

    def post(self, who: str | None, path: str, body: Any, version: int | None = None, **headers: str) -> Any:
        at = f'"{self.version if version is None else version}"'
        given = self.headers(who, **{"If_Match": at, **headers})
        return self.client.post(f"{AT}/{self.id}{path}", json=body, headers=given)

    def act(
        self, action: dict[str, Any], who: str | None = None, version: int | None = None, **more: str
    ) -> Any:
        return self.post(who or action["actor"], "/actions", {"action": action}, version, **more)

    def done(self, action: dict[str, Any], who: str | None = None) -> Any:
        answer = self.act(action, who)
        assert answer.status_code == 201, answer.text
        return answer.json

    @property
    def version(self) -> int:
        return self.get("spectator").json["session"]["version"]

    @property
    def actor(self) -> str:
        return self.get("spectator").json["decisions"][0]["actor"]

    def options(self, who: str) -> Any:
        return self.get(who, "/options").json["options"]


def opened(client: FlaskClient, game: str = "toy", seats: str = "ann bob", **more: Any) -> Kept:
    setup = {"game": game, "seats": [{"id": s} for s in seats.split()], "chance": {"seed": "7"}, **more}
    answer = client.post(AT, json=setup)
    assert answer.status_code == 201, answer.text
    return Kept(client, answer.json)


def filled(option: dict[str, Any]) -> dict[str, Any]:
    """An option with its examples."""
    values = {name: shown["example"] for name, shown in option.get("open", {}).items()}
    return {k: v for k, v in option.items() if k not in NOT_PARAMETERS} | values
