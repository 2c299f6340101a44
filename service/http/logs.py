"""The log: one JSON line a request on stdout, faults of ours on stderr. No state, no card, no token is in it."""

import logging
import os
import traceback
from contextlib import suppress
from typing import Any

import msgspec
import structlog
from flask import Flask, Response, current_app, g, has_request_context, request

from service.http import metrics

QUIET = frozenset({"/livez", "/readyz", "/metrics"})  # told at level debug: something asks them all the time
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
KEY = "arbitr-log"


class Descriptor:
    """A file descriptor to write whole lines to; a reader who has gone is no fault of a request."""

    def __init__(self, number: int) -> None:
        self.number = number

    def write(self, line: bytes) -> None:
        """Write a line at once, so that lines of several processes do not mix."""
        with suppress(OSError):
            os.write(self.number, line)

    def flush(self) -> None:
        """Nothing is held back."""


STDOUT, STDERR = Descriptor(1), Descriptor(2)


def init_app(app: Flask, level: str) -> None:
    """Give the app its log."""
    app.extensions[KEY] = _logger(level)
    ours = logging.getLogger("service")
    if not any(isinstance(h, FaultHandler) for h in ours.handlers):
        ours.addHandler(FaultHandler())


def _logger(level: str) -> Any:
    made = structlog.wrap_logger(
        structlog.BytesLogger(STDOUT),  # type: ignore[arg-type]
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(serializer=lambda event, **_: msgspec.json.encode(event)),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
    )
    return made.bind()  # once, not at every line


def tell(response: Response) -> Response:
    """Log an answered request: its route, never its address, which may hold what is nobody's business."""
    if metrics.observed():
        log, status = current_app.extensions[KEY], response.status_code
        quiet = metrics.route() in QUIET
        say = log.error if status == 500 else log.debug if quiet else log.info
        say("request", **_facts(status))
    return response


def _facts(status: int) -> dict[str, Any]:
    facts = {
        "request_id": g.get("request_id"),
        "method": request.method[:20],
        "route": metrics.route(),
        "status": status,
        "ms": metrics.milliseconds(),
        **g.get("told", {}),
    }
    return {**facts, "reason": g.refused} if "refused" in g else facts


class FaultHandler(logging.Handler):
    """Writes what our modules log as JSON: for an error its type and place, not its text, which may tell a state."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line to stderr."""
        level = record.levelname.lower()
        line: dict[str, Any] = {"event": str(record.msg), "level": level, "request_id": _request_id()}
        if record.exc_info and record.exc_info[1] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            places = [f"{f.filename}:{f.lineno} {f.name}" for f in frames[-12:]]
            line |= {"error": type(record.exc_info[1]).__name__, "at": places}
        STDERR.write(msgspec.json.encode(line) + b"\n")


def _request_id() -> str | None:
    return g.get("request_id") if has_request_context() else None
