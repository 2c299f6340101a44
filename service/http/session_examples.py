"""Answers in a session as examples for the document: one is played, in memory, with placeholders for what is random."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from flask import Flask

from service.http.context import DESK, of
from service.http.examples import examples
from service.http.metrics import INSIDE
from service.http.outside import Outside, telling
from service.sessions.memory import MemoryStore
from service.sessions.visit import Desk

AT = "/v1/sessions"
IN_ONE = f"{AT}/{{session}}"
ID = "0123456789abcdef" * 2
STREAMS = "https://streams.example.org"
NOW = 1_800_000_000  # seconds since 1970
Json = dict[str, Any]


class Answer(NamedTuple):
    """An answer and the operation that gave it."""

    path: str
    method: str
    status: int
    name: str
    value: Any


def answers(app: Flask) -> Iterator[Answer]:
    """What the calls of a session of the first game answer, from its opening to a rewind."""
    table = _Table(app)
    yield table.opened
    actor, action = table.action["actor"], table.action
    other = next(seat for seat in table.tokens["seats"] if seat != actor)
    yield table.asked("what a seat sees", actor, "get", "")
    yield table.asked("the first three", actor, "get", "/options", query="limit=3")
    yield table.asked("out of turn", other, "post", "/actions", {"action": {**action, "actor": other}})
    yield table.asked("an action", actor, "post", "/actions", {"action": action})
    yield table.asked("what came after version 1", other, "get", "/events", query="after=1")
    yield table.ticket(other)
    yield table.asked("while the game goes on", actor, "get", "/record")
    yield table.asked("nothing", actor, "post", "/undo", {})
    yield table.asked("back", "host", "post", "/rewind", {"to": 1})


class _Table:
    """A session and the requests of the people at it."""

    def __init__(self, app: Flask) -> None:
        held = of(app)
        contract = held.contract(next(iter(held.registry)))
        self.client = app.test_client()
        desk = Desk(MemoryStore(), held.registry, held.fairness, lambda: NOW)
        self.client.environ_base.update(cast(Any, {INSIDE: "yes", DESK: desk}))
        self.game = contract.rules.game
        self.action: Json = examples(held, contract, "move")["an action"]["value"]["action"]
        body = examples(held, contract, "opening")["a reproducible game"]["value"]
        told: Json = self.client.post(AT, json=body).json or {}
        self.version: int = told["session"]["version"]
        self.id, self.tokens = told["session"]["id"], told["tokens"]
        self.placeholders = dict(self._placeholders())
        self.opened = Answer(AT, "post", 201, f"{self.game}: a reproducible game", self._shown(told))

    def asked(self, name: str, who: str, method: str, path: str, body: Any = None, query: str = "") -> Answer:
        """The answer to one request, which is made for the version that there is."""
        token = self.tokens["seats"].get(who) or self.tokens[who]
        headers = {"Authorization": f"Bearer {token}", "If-Match": f'"{self.version}"'}
        at = f"{AT}/{self.id}{path}?{query}"
        answer = self.client.open(at, method=method.upper(), json=body, headers=headers)
        self.version += answer.status_code == 201
        named = name if path in ("/undo", "/rewind") else f"{self.game}: {name}"
        return Answer(f"{IN_ONE}{path}", method, answer.status_code, named, self._shown(answer.json))

    def ticket(self, who: str) -> Answer:
        """A ticket, as it is issued where there are streams."""
        with telling(Outside("en", STREAMS)):
            given = self.asked("a ticket", who, "post", "/stream-tickets")
        self.version -= 1  # nothing has happened
        text = json.dumps(given.value).replace(given.value["ticket"], "ticket-to-be-used-once")
        return given._replace(value=json.loads(text))

    def _placeholders(self) -> Iterator[tuple[str, str]]:
        roles: Mapping[str, str] = {role: self.tokens[role] for role in ("host", "dealer", "spectator")}
        yield self.id, ID
        for name, token in (*self.tokens["seats"].items(), *roles.items()):
            yield token, f"token-of-{name}".ljust(len(token), "-")[: len(token)]

    def _shown(self, answer: Any) -> Any:
        text = json.dumps(answer)
        for secret, shown in self.placeholders.items():
            text = text.replace(secret, shown)
        return json.loads(text)
