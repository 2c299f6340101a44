"""Answers in a session as examples for the document: one is played, in memory, with placeholders for what is random."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, cast

from flask import Flask

from service.http.context import DESK, TARGETS, of
from service.http.examples import examples
from service.http.metrics import INSIDE
from service.http.outside import Outside, telling
from service.sessions.memory import MemoryStore
from service.sessions.visit import Desk
from service.webhooks.targets import Targets

AT = "/v1/sessions"
IN_ONE = f"{AT}/{{session}}"
ID = "0123456789abcdef" * 2
RECEIVER = "https://player.example.org/arbitr"
PUBLIC = "8.8.8.8"  # where names lead that are looked up for an example
SECRET = re.compile(r"whsec_[A-Za-z0-9+/=]{44}")
BYTES = 22  # of a token
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
    """What the calls of a session of the first game answer, from its opening to a seat that changes hands."""
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
    yield table.asked("a player's address", actor, "put", "/webhook", {"url": RECEIVER})
    yield table.asked("a new webhook", actor, "get", "/webhook")
    yield from _seats(table, actor, other)


def _seats(table: "_Table", actor: str, other: str) -> Iterator[Answer]:
    """Seats that come and go."""
    yield table.asked("who sits where", "spectator", "get", "/seats")
    yield table.asked("a name", actor, "post", f"/seats/{actor}/rename", {"name": "Zuzana"})
    yield table.asked("nothing", "host", "post", f"/seats/{actor}/automate", {})
    yield table.asked("nothing", actor, "post", f"/seats/{actor}/take-back", {})
    yield table.asked("nothing", other, "post", f"/seats/{other}/hand-over", {})
    yield table.asked("nothing", other, "post", f"/seats/{other}/leave", {})
    yield table.asked("nothing", "host", "post", f"/seats/{other}/invite", {})
    yield table.asked("a name", "invitation", "post", f"/seats/{other}/claim", {"name": "Zuzana"})


def _placeholder(name: str) -> str:
    return f"token-of-{name}".ljust(BYTES, "-")[:BYTES]


class _Table:
    """A session and the requests of the people at it."""

    def __init__(self, app: Flask) -> None:
        held = of(app)
        contract = held.contract(next(iter(held.registry)))
        self.client = app.test_client()
        desk = Desk(MemoryStore(), held.registry, held.fairness, lambda: NOW)
        self.client.environ_base.update(
            cast(Any, {INSIDE: "yes", DESK: desk, TARGETS: Targets(resolve=lambda _: [PUBLIC])})
        )
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
        told: Json = answer.json or {}
        self.version = told.get("session", {}).get("version", self.version)
        for secret in told.keys() & {"invitation", "token"}:
            self.tokens[secret] = told[secret]
            self.placeholders[told[secret]] = _placeholder("the-seat" if secret == "token" else "invitation")
        named = (
            name if path in ("/undo", "/rewind", "/webhook") or "/seats/" in path else f"{self.game}: {name}"
        )
        shown_at = IN_ONE + re.sub("/seats/[^/]+", "/seats/{seat}", path)
        return Answer(shown_at, method, answer.status_code, named, self._shown(told))

    def ticket(self, who: str) -> Answer:
        """A ticket, as it is issued where there are streams."""
        with telling(Outside("en", STREAMS)):
            given = self.asked("a ticket", who, "post", "/stream-tickets")
        text = json.dumps(given.value).replace(given.value["ticket"], "ticket-to-be-used-once")
        return given._replace(value=json.loads(text))

    def _placeholders(self) -> Iterator[tuple[str, str]]:
        roles: Mapping[str, str] = {role: self.tokens[role] for role in ("host", "dealer", "spectator")}
        yield self.id, ID
        for name, token in (*self.tokens["seats"].items(), *roles.items()):
            yield token, _placeholder(name)

    def _shown(self, answer: Any) -> Any:
        text = json.dumps(answer)
        for secret, shown in self.placeholders.items():
            text = text.replace(secret, shown)
        return json.loads(SECRET.sub(f"whsec_{'A' * 43}=", text))
