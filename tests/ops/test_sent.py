"""What our worker sends is what gunicorn sends, to the byte, but for `Server`; what is all there goes out at once."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.config import Config
from gunicorn.http import errors
from werkzeug.test import EnvironBuilder, run_wsgi_app

from service import worker
from service.http.lean import AT_ONCE, Lean
from service.worker import MOST_AT_ONCE, MOST_PASSED, Silent

PLAIN: Any = Silent.__mro__[1]
Fields = list[tuple[str, str]]
TYPE = ("Content-Type", "application/json")
USUAL: Fields = [TYPE, ("Content-Length", "5"), ("Vary", "Accept-Language"), ("X-Request-Id", "one")]


class Sock:
    """What was sent, call by call."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []

    def sendall(self, data: bytes) -> None:
        self.calls.append(data)


def sent(kind: Any, fields: Fields, parts: list[bytes], method: str = "POST", status: str = "200 OK") -> Any:
    """What goes to the client, and what gunicorn knows of it afterwards; or how it was refused."""
    sock = Sock()
    request = SimpleNamespace(method=method, version=(1, 1), should_close=lambda: False)
    response = kind(request, sock, Config())
    response.at_once = True
    try:
        write = response.start_response(status, fields)
        for part in parts:
            write(part)
        response.close()
    except Exception as error:
        return type(error), str(error), nameless(sock)
    told = response.sent, response.headers_sent, response.headers, response.should_close()
    return nameless(sock), *told


def nameless(sock: Sock) -> bytes:
    lines = b"".join(sock.calls).split(b"\r\n")
    return b"\r\n".join(line for line in lines if not line.startswith(b"Server: "))


@pytest.fixture(autouse=True)
def _same_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gunicorn.util.http_date", lambda *at: "Mon, 30 Nov 2026 12:00:00 GMT")
    monkeypatch.setattr(worker, "PASSED", set())


CASES: list[tuple[Fields, list[bytes], str, str]] = [
    (USUAL, [b"hello"], "POST", "200 OK"),
    (USUAL, [b"hello", b"more"], "POST", "200 OK"),  # more than was told is not sent
    (USUAL, [b"hel", b"lo"], "POST", "200 OK"),
    (USUAL, [b"", b"hello"], "POST", "200 OK"),
    (USUAL, [b"hello"], "HEAD", "200 OK"),
    (USUAL, [], "POST", "200 OK"),
    (USUAL, [b"hell"], "POST", "200 OK"),
    (USUAL, [b"hello"], "GET", "304 NOT MODIFIED"),
    (USUAL, ["hello"], "POST", "200 OK"),  # type: ignore[list-item]
    (USUAL, [bytearray(b"hello")], "POST", "200 OK"),  # type: ignore[list-item]
    ([TYPE], [b"a", b"b"], "GET", "200 OK"),
    ([TYPE, ("Content-Length", "0")], [b""], "POST", "200 OK"),
    ([TYPE, ("Content-Length", str(MOST_AT_ONCE + 1))], [b"x" * (MOST_AT_ONCE + 1)], "POST", "200 OK"),
    ([*USUAL, ("Connection", "close"), ("Vary", " padded ")], [b"hello"], "POST", "200 OK"),
    ([*USUAL, ("vary", "x"), ("Vary", "Accept-Language")], [b"hello"], "POST", "200 OK"),
    ([*USUAL, ("Cache-Control", "é")], [b"hello"], "POST", "200 OK"),
    ([*USUAL, ("Cache-Control", "a\r\nb: c")], [b"hello"], "POST", "200 OK"),
    ([*USUAL, ("Cache Control", "a")], [b"hello"], "POST", "200 OK"),
    ([*USUAL, ("Cache-Control", 5)], [b"hello"], "POST", "200 OK"),  # type: ignore[list-item]
    ([*USUAL, ("Cache-Control", "one\tand\ttwo")], [b"hello"], "POST", "500 no"),
    ([*USUAL, ("Cache-Control", "ω")], [b"hello"], "POST", "200 OK"),  # no Latin letter
]


@pytest.mark.parametrize(("fields", "parts", "method", "status"), CASES)
def test_the_same_bytes_as_gunicorn(fields: Fields, parts: list[bytes], method: str, status: str) -> None:
    for _ in range(3):  # the second time fields are known
        ours = sent(Silent, fields, parts, method, status)
        assert ours == sent(PLAIN, fields, parts, method, status)


def test_what_is_known_of_one_answer_is_not_taken_for_another() -> None:
    """Whatever has been sent before, an answer is what it would be alone."""
    for fields, parts, method, status in [*CASES, *reversed(CASES)]:
        assert sent(Silent, fields, parts, method, status) == sent(PLAIN, fields, parts, method, status)
    assert TYPE in worker.PASSED
    assert all(value == value.strip(" \t") and "\n" not in value for _, value in worker.PASSED)


def test_only_fields_with_few_values_are_known_and_not_too_many() -> None:
    for n in range(MOST_PASSED + 9):
        sent(Silent, [*USUAL, ("ETag", str(n)), ("Cache-Control", str(n))], [b"hello"])
    names = {name for name, _ in worker.PASSED}
    assert names == {"Content-Type", "Vary", "Cache-Control"}
    assert len(worker.PASSED) == MOST_PASSED


@pytest.mark.parametrize(
    ("asked", "parts", "calls"), [(True, [b"hello"], 1), (True, [b"he", b"llo"], 3), (False, [b"hello"], 2)]
)
def test_an_answer_that_is_all_there_goes_out_at_once(asked: bool, parts: list[bytes], calls: int) -> None:
    sock = Sock()
    request = SimpleNamespace(method="POST", version=(1, 1), should_close=lambda: False)
    response = Silent(request, sock, Config())
    response.at_once = asked
    write = response.start_response("200 OK", USUAL)
    for part in parts:
        write(part)
    assert len(sock.calls) == calls


def test_what_gunicorn_refuses_is_refused_once_more() -> None:
    for _ in range(2):
        kind, *_ = sent(Silent, [("Vary", "a\nb")], [])
        assert issubclass(kind, errors.InvalidResponseHeader)
    assert not worker.PASSED


def test_our_app_asks_for_it_and_a_server_without_it_is_as_good(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Silent(SimpleNamespace(method="GET", version=(1, 1)), Sock(), Config())
    monkeypatch.setattr(worker, "_create", lambda *given: (made, EnvironBuilder("/nope").get_environ()))
    answer, environ = worker.wsgi.create()
    assert answer is made
    assert not made.at_once
    app = Lean("test", static_folder=None)
    with_it = run_wsgi_app(app, environ)
    assert made.at_once
    del environ[AT_ONCE]
    without = run_wsgi_app(app, environ)
    assert [*map(list, (with_it[0], with_it[2]))] == [*map(list, (without[0], without[2]))]
    assert with_it[1].startswith("404")
