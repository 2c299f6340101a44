"""Answers of the stream process: heads with the manners of the service, and errors as everywhere."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from service.http import cors, metrics, problems, security, session_problems, streaming
from service.http.caching import SECRET
from service.http.problems import MIMETYPE, Problem
from service.http.session_problems import SOON
from service.streams.asked import Asked
from service.streams.places import TooManyStreams

Send = Callable[[Mapping[str, Any]], Awaitable[None]]
STREAMING = {
    "Content-Type": f"{streaming.MIMETYPE}; charset=utf-8",
    "X-Accel-Buffering": "no",  # for nginx
}
VARY = "Authorization, Accept-Language"


@dataclass(frozen=True)
class Reply:
    """An answer; the body of a stream comes later."""

    status: int
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None  # the name of the problem

    def head(self, asked: Asked) -> dict[str, Any]:
        """The beginning of the answer."""
        origins = frozenset(asked.settings.cors_origins)
        preflight = self.status == 204 and asked.method == "OPTIONS"
        every = {
            "Content-Language": asked.outside.language,
            "Cache-Control": SECRET,
            "Vary": VARY if not origins or "*" in origins else f"{VARY}, Origin",
            "Content-Security-Policy": security.DATA,
            "X-Request-Id": asked.name,
            **dict(security.ALWAYS),
            **cors.allowed(origins, asked.headers.get("origin"), preflight),
            **asked.limits,
            **self.headers,
        }
        raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in every.items()]
        return {"type": "http.response.start", "status": self.status, "headers": raw}

    async def give(self, asked: Asked, send: Send) -> None:
        """Answer with this and nothing else."""
        sized = (
            {**self.headers, "Content-Length": str(len(self.body))} if self.status != 204 else self.headers
        )
        await send(Reply(self.status, b"", sized).head(asked))
        await send({"type": "http.response.body", "body": b"" if asked.method == "HEAD" else self.body})


def problem(asked: Asked, error: Exception) -> Reply:
    """The answer to an error, as the main service gives it."""
    made = problem_of(error)
    document = problems.details(made, asked.path)
    metrics.REFUSALS.labels(made.name).inc()
    body = msgspec.json.encode(document, order="deterministic")
    return Reply(document["status"], body, {"Content-Type": MIMETYPE, **made.headers}, made.name)


def problem_of(error: Exception) -> Problem:
    """The problem that an error is answered with."""
    if isinstance(error, TooManyStreams):
        return Problem("too-many-streams", status=429 if error.mine else None, headers=SOON)
    for kind in type(error).__mro__:
        if kind in session_problems.MAKERS:
            found: Problem = session_problems.MAKERS[kind](error)
            return found
    return problems.problem_of(error)


def json(value: Mapping[str, Any], status: int = 200) -> Reply:
    """A small answer."""
    return Reply(status, msgspec.json.encode(value), {"Content-Type": "application/json"})
