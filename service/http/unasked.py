"""The answer to what is no request: it never comes to the application, so it is told, counted and logged here."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime

import msgspec
from werkzeug.http import HTTP_STATUS_CODES

from service.http import logs, metrics
from service.http.problems import MIMETYPE, problem_type, table


def unasked(name: str, status: int, log_level: str) -> bytes:
    """A whole HTTP answer, counted and logged: an error in English, after which the connection is closed.

    `log_level`: what the log is to tell (`ARBITR_LOG_LEVEL`).
    """
    request_id = uuid.uuid4().hex
    metrics.REFUSALS.labels(name).inc()
    metrics.REQUESTS.labels("none", status).inc()
    level = "error" if status == 500 else "info"
    if logs.LEVELS[level] >= logs.LEVELS[log_level]:
        line = {"request_id": request_id, "route": "none", "status": status, "reason": name}
        line |= {"event": "request", "level": level, "timestamp": datetime.now(UTC)}
        logs.STDOUT.write(msgspec.json.encode(line) + b"\n")
    return _answer(name, status, request_id)


def _answer(name: str, status: int, request_id: str) -> bytes:
    entry = table()[name]
    document = {"type": problem_type(name), "title": entry["title"]["en"], "status": status}
    body = msgspec.json.encode({**document, "detail": entry["detail"]["en"], "instance": "/"})
    lines = [
        f"HTTP/1.1 {status} {HTTP_STATUS_CODES[status]}",
        f"Content-Type: {MIMETYPE}",
        f"Content-Length: {len(body)}",
        f"X-Request-Id: {request_id}",
        "Content-Language: en",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body
