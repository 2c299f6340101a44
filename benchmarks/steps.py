"""Where the time of one adjudication goes: timers around the steps of real requests through the WSGI application."""

from __future__ import annotations

import io
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any
from unittest.mock import patch

from flask import Flask

from service.http import manners

ROUTE = "/v1/games/zavandor/adjudications"
REST = "Flask: request, routing, headers, answer"
STEPS: tuple[tuple[str, str, str], ...] = (
    ("read the body", "service.http.api", "read_body"),
    ("split the envelope, choose the rules", "service.http.context.Context", "receive"),
    ("load envelope and action (marshmallow)", "service.http.context.Context", "_loaded"),
    ("decode the state (msgspec)", "schemas.state.StateField", "_deserialize"),
    ("look for duplicate keys", "service.http.context", "demand_unique"),
    ("judgement_id", "service.sessions.referee.Questions", "__init__"),
    ("judgement_id", "service.sessions.referee.Questions", "id"),
    ("search the state for problems", "service.sessions.referee", "admit"),
    ("judge and play on", "service.sessions.referee", "adjudicate"),
    ("the new state, its seal, events and texts", "service.http.posted", "whole"),
    ("the new state, its seal, events and texts", "service.http.wire.Teller", "judgement"),
    ("encode the answer", "service.http.api", "answer"),
)
MEASURING = "metrics and log line"
MANNERS = "headers, limits, packing"


class Clock:
    """Time by step; a step that calls another one is not charged for it."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}
        self._stack: list[float] = []

    def around(self, label: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            self._stack.append(0.0)
            begin = time.perf_counter()
            try:
                return call(*args, **kwargs)
            finally:
                whole = time.perf_counter() - begin
                self.spent[label] = self.spent.get(label, 0.0) + whole - self._stack.pop()
                if self._stack:
                    self._stack[-1] += whole

        return timed


def breakdown(app: Flask, bodies: Sequence[bytes], times: int = 40) -> dict[str, float]:
    """Microseconds a request by step, in the order of STEPS: the mean over these bodies, each at its quickest."""
    labels = dict.fromkeys([REST, *(label for label, _, _ in STEPS), MANNERS, MEASURING])
    total = dict.fromkeys(labels, 0.0)
    for body in bodies:
        best = min((_run(app, body) for _ in range(times)), key=lambda run: sum(run.values()))
        for label in labels:
            total[label] += best.get(label, 0.0) / len(bodies) * 1e6
    return total


def _run(app: Flask, body: bytes) -> dict[str, float]:
    clock = Clock()
    with ExitStack() as stack:
        for label, owner, name in STEPS:
            found: Any = _resolved(owner)
            stack.enter_context(patch.object(found, name, clock.around(label, getattr(found, name))))
        before = [clock.around(_manner(hook), hook) for hook in app.before_request_funcs[None]]
        stack.enter_context(patch.dict(app.before_request_funcs, {None: before}))
        after = tuple(clock.around(_manner(step), step) for step in manners.FROM_GAMES)
        stack.enter_context(patch.object(manners, "FROM_GAMES", after))
        clock.around(REST, call)(app, ROUTE, body)
    return clock.spent


def _manner(hook: Any) -> str:
    return MEASURING if hook.__module__.endswith((".metrics", ".logs")) else MANNERS


def _resolved(path: str) -> Any:
    """A module, or a class in one."""
    if path in sys.modules:
        return sys.modules[path]
    module, _, name = path.rpartition(".")
    return getattr(sys.modules[module], name)


def call(
    app: Flask, path: str, body: bytes, fields: Mapping[str, str] | None = None, status: str = "200"
) -> bytes:
    """One request through the WSGI application, as a server makes it."""
    environ = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "SCRIPT_NAME": "",
        "QUERY_STRING": "",
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_HOST": "127.0.0.1",
        "HTTP_ACCEPT": "*/*",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        **(fields or {}),
    }
    told: list[str] = []
    parts = app(environ, lambda line, headers, exc_info=None: told.append(line))
    try:
        answer = b"".join(parts)
    finally:
        getattr(parts, "close", lambda: None)()
    if not told[0].startswith(status):
        raise RuntimeError(f"{told[0]}: {answer[:300]!r}")
    return answer
