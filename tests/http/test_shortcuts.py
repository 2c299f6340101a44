"""No shortcut on the way of a request changes a byte of its answer: whole games, beside the plain way."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from functools import cache
from hmac import digest
from secrets import token_hex
from typing import Any

import marshmallow as ma
import msgspec
import pytest
from flask import Flask
from marshmallow_oneofschema import OneOfSchema
from werkzeug.test import EnvironBuilder, run_wsgi_app

from benchmarks.games import Game, Ply, play
from schemas import base
from service.engine.state import encode
from service.engine.words import Voice, _parsed
from service.games import REGISTRY
from service.http import answers, body, context, manners, packing
from service.http.answers import Answer
from service.http.headers import add
from service.http.lean import Lean
from service.sessions.keys import Key, Keyring
from service.sessions.seals import Seals
from tests.http.conftest import KEY

Request = tuple[str, str, str, bytes, dict[str, str]]
SEALS = Seals(Keyring(lambda: [bytes.fromhex(KEY)]))
GAMES = [rules.game for rules in REGISTRY]
HEADERS: list[dict[str, str]] = [
    {},
    {"Accept-Language": "cs"},
    {"Accept-Encoding": "gzip"},
    {"Accept": "text/html"},
    {"Origin": "https://example.org"},
]


@cache
def game_of(name: str) -> Game:
    return play(2, 3, name)


def sealed(ply: Ply) -> bytes:
    return ply.body(seal=SEALS.seal(ply.state, encode(ply.state), None))


def good(name: str) -> Iterator[Request]:
    """A whole game, under seals and (each fifth ply) without, and what else is asked of such states."""
    at = f"/v1/games/{name}"
    for n, ply in enumerate(game_of(name).plies):
        headers = HEADERS[n // 2 % len(HEADERS)] if n % 2 else {}
        yield "POST", f"{at}/adjudications", "explain=true" if n % 9 == 0 else "", sealed(ply), headers
        if n % 5 == 0:
            yield "POST", f"{at}/adjudications", "", ply.body(), headers
        if n % 20 == 0:
            asked = json.loads(sealed(ply))
            action = asked.pop("action")
            yield "POST", f"{at}/options", "", json.dumps(asked).encode(), headers
            items = [{"action": action}, {"action": {}}, {"actions": [action, action]}]
            yield (
                "POST",
                f"{at}/adjudications/batch",
                "",
                json.dumps({**asked, "items": items}).encode(),
                headers,
            )


def bad(name: str, each: int = 6) -> Iterator[Request]:
    """Requests that are refused for this or that, and some that are not."""
    dice = random.Random(7)
    for n, ply in enumerate(game_of(name).plies):
        if n % each == 0:
            headers = HEADERS[n % len(HEADERS)]
            for _ in range(4):
                yield "POST", f"/v1/games/{name}/adjudications", "", spoilt(dice, sealed(ply)), headers


ODD: list[Any] = [None, 1, "x", [], {}, 7.0, True, "1.0", -1, ["x"], {"x": 1}]


def spoilt(dice: random.Random, text: bytes) -> bytes:
    """A body with one thing changed."""
    asked = json.loads(text)
    if dice.random() < 0.15:
        return text[: dice.randrange(len(text))]
    if dice.random() < 0.15:
        at = dice.randrange(len(text))
        return text[:at] + bytes([dice.randrange(256)]) + text[at + 1 :]
    if dice.random() < 0.15:
        return text.replace(b'"turn":', b'"turn":1,"turn":', 1)
    where = dice.choice([asked, asked["action"], asked["state"], asked["state"]["chance"]])
    name = dice.choice([*where, "surplus"])
    if dice.random() < 0.3:
        where.pop(name, None)
    else:
        where[name] = dice.choice(ODD)
    return json.dumps(asked, separators=(",", ":") if dice.random() < 0.7 else None).encode()


def other(name: str) -> Iterator[Request]:
    """Calls without a game's body, and addresses that are none."""
    for method in ("GET", "HEAD", "POST", "DELETE"):
        for path in (
            f"/v1/games/{name}",
            f"/v1/games/{name}/adjudications",
            "/v1/sessions",
            "/nope",
            "/livez",
        ):
            for headers in HEADERS:
                yield method, path, "", b"{}" if method == "POST" else b"", headers


def answered(app: Flask, asked: Request) -> Any:
    """Status, fields in their order, and body."""
    method, path, query, text, headers = asked
    made = EnvironBuilder(
        path,
        method=method,
        query_string=query,
        data=text or None,
        content_type="application/json",
        headers={**headers, "X-Request-Id": "one"},
    )
    body_parts, status, fields = run_wsgi_app(app, made.get_environ())
    told = [(key, value) for key, value in fields if key not in ("Date", "Allow")]
    return status, told, b"".join(body_parts)


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Every shortcut undone."""
    for name in Lean.__dict__.keys() & Flask.__dict__.keys() - {"__init__", "__module__", "__doc__"}:
        monkeypatch.setattr(Lean, name, getattr(Flask, name))
    for name in ("request_context", "app_context", "full_dispatch_request", "do_teardown_request"):
        assert getattr(Lean, name) is getattr(Flask, name)
    monkeypatch.setattr(Lean, "process_response", Flask.process_response)
    monkeypatch.setattr(manners, "FROM_GAMES", manners.ON_THE_WAY_OUT)
    monkeypatch.setattr(Answer, "of", classmethod(plainly_made))
    monkeypatch.setattr(Answer, "__call__", Flask.response_class.__call__)
    monkeypatch.setattr(answers, "encoded", plainly_encoded)
    monkeypatch.setattr(context.Context, "_at_once", lambda held, rules, document: None)
    monkeypatch.setattr(manners, "fresh_id", lambda: token_hex(16))
    monkeypatch.setattr(
        Key, "mac", lambda key, purpose, *text: digest(key._of(purpose), b"".join(text), "sha256")
    )
    monkeypatch.setattr(packing, "_says_it", lambda response: False)
    monkeypatch.setattr(body, "_length", lambda asked: asked.content_length or 0)
    monkeypatch.setattr(context, "demand_unique", lambda text, *rest: body.demand_unique(text))
    monkeypatch.setattr(base.Schema, "load", ma.Schema.load)
    monkeypatch.setattr(base.Schema, "_deserialize", ma.Schema._deserialize)
    monkeypatch.setattr(base.OneOf, "load", OneOfSchema.load)
    monkeypatch.setattr(base.Told, "deserialize", as_marshmallow_does)
    monkeypatch.setattr(Voice, "fill", plainly_filled)
    monkeypatch.setattr(Voice, "name", lambda voice, value, form="": voice._sought(value, form) or value)
    return monkeypatch


def plainly_made(cls: type[Answer], text: bytes, status: int, mimetype: str, spoken: str) -> Answer:
    made = cls(text, status, mimetype=mimetype)
    add(made, ("Content-Language", spoken), ("Vary", "Accept-Language"))
    return made


def plainly_encoded(value: Any) -> bytes:
    members = {
        name: msgspec.Raw(msgspec.json.encode(member, order="deterministic"))
        for name, member in value.items()
    }
    return msgspec.json.encode(members)


def as_marshmallow_does(field: Any, value: Any, attr: Any = None, data: Any = None, **kwargs: Any) -> Any:
    return super(base.Told, field).deserialize(value, attr, data, **kwargs)  # type: ignore[misc]


def plainly_filled(voice: Voice, template: str, facts: Any) -> str:
    told = "".join(
        text + (voice._field(facts, name, part, spec) if name else "")
        for text, name, part, spec in _parsed(template)
    )
    return told.replace("!.", "!")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("asked", [good, bad, other])
def test_no_shortcut_changes_an_answer(
    every_game: Flask, request: pytest.FixtureRequest, name: str, asked: Any
) -> None:
    requests = list(asked(name))
    quick = [answered(every_game, each) for each in requests]
    again = [answered(every_game, each) for each in requests]  # routes and texts are remembered by now
    request.getfixturevalue("plain")
    slow = [answered(every_game, each) for each in requests]
    for each, *found in zip(requests, quick, again, slow, strict=True):
        assert found[0] == found[1] == found[2], each
    met = {status[:3] for status, _, _ in slow}
    assert met >= {good: {"200", "406"}, bad: {"400", "422"}, other: {"200", "404", "405"}}[asked], met


def test_it_would_be_seen(every_game: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shortcut that leaves a field out is not passed over."""
    asked = next(good(GAMES[0]))
    before = answered(every_game, asked)
    monkeypatch.setattr(manners, "FROM_GAMES", manners.FROM_GAMES[1:])
    assert answered(every_game, asked) != before
