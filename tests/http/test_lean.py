"""What our Flask leaves out changes no answer: routes that are remembered, hooks, and bytes that go as they stand."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from flask import Flask, Response, after_this_request, request
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder, run_wsgi_app

from service.http.answers import Answer
from service.http.lean import MOST_ROUTES, Lean
from tests.http.conftest import TOY

CALLS = [
    ("GET", "/v1/games/toy/rules/TOY-1", {}),
    ("GET", "/v1/games/nope/rules/TOY-1", {}),
    ("HEAD", "/v1/games", {}),
    ("GET", "/v1/games", {"Host": "else.example:81"}),
    ("GET", "/v1/games", {"Host": "no host/at all"}),
    ("GET", "/v1/games", {"Connection": "upgrade", "Upgrade": "websocket"}),
    ("GET", "/v1//games", {}),
    ("GET", "/v1/games/", {}),
    ("GET", "/v1/games/a%2Fb", {}),
    ("DELETE", "/v1/games", {}),
    ("OPTIONS", "/v1/games", {}),
    ("POST", "/v1/games/toy/adjudications", {}),
    ("POST", "/v1/games/toy/adjudications?explain=perhaps", {}),
    ("GET", "/v1/sessions/abc", {}),
    ("GET", "/nope", {}),
]


def shown(app: Flask, method: str, path: str, headers: dict[str, str]) -> Any:
    """An answer, but for the id of its request."""
    found = app.test_client().open(path, method=method, headers={**headers, "X-Request-Id": "one"})
    return found.status, list(found.headers), found.data


@pytest.mark.parametrize(("method", "path", "headers"), CALLS)
def test_a_route_that_is_remembered_is_the_one_that_flask_finds(
    toys: Flask, monkeypatch: pytest.MonkeyPatch, method: str, path: str, headers: dict[str, str]
) -> None:
    first, again = shown(toys, method, path, headers), shown(toys, method, path, headers)
    monkeypatch.setattr(Lean, "create_url_adapter", Flask.create_url_adapter)
    monkeypatch.setattr(Lean, "request_context", Flask.request_context)
    assert first == again == shown(toys, method, path, headers)


def test_only_what_was_found_is_remembered_and_not_for_ever(client: FlaskClient, toys: Lean) -> None:
    toys.routes.clear()
    client.get("/nope")
    client.delete("/v1/games")
    client.get("/v1/games?x=1")
    assert not toys.routes
    for n in range(MOST_ROUTES + 5):
        client.get(f"/v1/games/{n}")
    assert 0 < len(toys.routes) <= MOST_ROUTES


def test_no_view_can_change_what_is_remembered(client: FlaskClient, toys: Lean) -> None:
    path = f"{TOY}/rules/TOY-1"
    client.get(path)
    with client:
        client.get(path)
        assert request.view_args is not None
        request.view_args["rule"] = "TOY-2"
    assert b"TOY-1" in client.get(path).data


def test_the_hooks_are_those_of_the_app(toys: Flask, every_game: Flask) -> None:
    """What `Lean` does not look at is not there: nothing that a blueprint or a cookie wants is left out."""
    for app in (toys, every_game):
        for hooks in (app.before_request_funcs, app.after_request_funcs, app.teardown_request_funcs):
            assert not [name for name, those in hooks.items() if those and name is not None]
        assert not [name for name, those in app.url_value_preprocessors.items() if those]
        assert not app.config["SECRET_KEY"]


@pytest.mark.parametrize("path", ["/x", "/nope"])
def test_what_is_asked_for_this_answer_is_done_before_what_is_done_to_each(path: str) -> None:
    """As Flask does, also where the route is remembered; and to no other answer."""

    def told(kind: type[Flask]) -> list[str | None]:
        app = kind("toy")

        def add(what: str, response: Response) -> Response:
            response.headers["X-Done"] = f"{response.headers.get('X-Done', '')}{what}"
            return response

        @app.before_request
        def ask() -> None:
            if request.args or "ask" in request.headers:
                after_this_request(partial(add, "a"))
                after_this_request(partial(add, "b"))

        app.after_request(partial(add, "each"))
        app.add_url_rule("/x", "x", lambda: "x")
        client = app.test_client()
        return [client.get(path, headers=h).headers["X-Done"] for h in ({"ask": "1"}, {}, {"ask": "1"})]

    assert told(Lean) == told(Flask) == ["abeach", "each", "abeach"]


@pytest.mark.parametrize("status", [200, 201, 204, 304])
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST"])
@pytest.mark.parametrize("place", [None, "/v1/žluť"])
def test_an_answer_goes_out_as_any_response_does(status: int, method: str, place: str | None) -> None:
    sent = []
    for kind in (Answer, Response):
        made = kind(b'{"a":1}', status, mimetype="application/json")
        made.headers["Content-Language"] = "en"
        if place is not None and status == 201:
            made.headers["Location"] = place
        body, line, headers = run_wsgi_app(made, EnvironBuilder(method=method).get_environ())
        sent.append((b"".join(body), line, list(headers)))
    assert sent[0] == sent[1]
