"""The log: one JSON line a request on stdout, faults of ours on stderr. No state, no card, no token is in it."""

import logging
import os
import traceback
from datetime import UTC, datetime
from typing import Any

import msgspec
from flask import Flask, Request, Response, g, has_request_context

from service.http import metrics
from service.http.lean import extensions, noted
from service.http.outside import outside
from service.sessions.fairness import ChanceRefused

QUIET = frozenset({"/livez", "/readyz", "/metrics"})  # told at level debug: something asks them all the time
LEVELS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
KEY = "arbitr-log"
_ENCODER = msgspec.json.Encoder()


class Descriptor:
    """A file descriptor to write whole lines to; a reader who has gone is no fault of a request."""

    def __init__(self, number: int) -> None:
        self.number = number

    def write(self, line: bytes) -> None:
        """Write a line at once, so that lines of several processes do not mix."""
        try:
            os.write(self.number, line)
        except OSError:
            return


STDOUT, STDERR = Descriptor(1), Descriptor(2)


def init_app(app: Flask, level: str) -> None:
    """Give the app its log: lines of this level and above."""
    app.extensions[KEY] = LEVELS[level]
    tell_faults()


def tell_faults() -> None:
    """Let the faults that our modules log be written as the log is."""
    ours = logging.getLogger("service")
    if not any(isinstance(h, FaultHandler) for h in ours.handlers):
        ours.addHandler(FaultHandler())


def tell(response: Response, asked: Request) -> Response:
    """Log an answered request: its route, never its address, which may hold what is nobody's business."""
    if metrics.from_outside(asked):
        status, route = response.status_code, metrics.route(asked)
        level = "error" if status == 500 else "debug" if route in QUIET else "info"
        if LEVELS[level] >= extensions()[KEY]:
            STDOUT.write(_ENCODER.encode(_line(asked.method[:20], route, status, level)) + b"\n")
    return response


def _line(method: str, route: str, status: int, level: str) -> dict[str, Any]:
    """These facts of a request, with what was noted while it was worked on."""
    here = noted()
    line = {
        "request_id": here.get("request_id"),
        "method": method,
        "route": route,
        "status": status,
        "ms": metrics.milliseconds(),
    }
    if "told" in here:
        line.update(here["told"])
    if "api_key" in here:
        line["api_key"] = here["api_key"]  # the name that the operator gave to it
    if "refused" in here:
        line["reason"] = here["refused"]
    line["event"], line["level"], line["timestamp"] = "request", level, datetime.now(UTC)
    return line


class FaultHandler(logging.Handler):
    """Writes what our modules log as JSON: for an error its type and place, not its text, which may tell a state.

    What nobody is answered for, in a thread or a duty, is counted here: an error, and that a key of ours is missing.
    """

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line to stderr."""
        if record.exc_info and not hasattr(record, "counted"):
            _count(record.levelno, record.exc_info[1])
        level = record.levelname.lower()
        line: dict[str, Any] = {"event": str(record.msg), "level": level, "request_id": _request_id()}
        if record.exc_info and record.exc_info[1] is not None:
            frames = traceback.extract_tb(record.exc_info[2])
            places = [f"{f.filename}:{f.lineno} {f.name}" for f in frames[-12:]]
            line |= {"error": type(record.exc_info[1]).__name__, "at": places}
        STDERR.write(msgspec.json.encode(line) + b"\n")


def _count(level: int, error: BaseException | None) -> None:
    if level >= logging.ERROR:
        metrics.fault()
    elif isinstance(error, ChanceRefused) and error.key_missing:
        metrics.key_missing_beside()


def _request_id() -> str | None:
    told = outside()
    if told is not None:
        return told.request_id
    return g.get("request_id") if has_request_context() else None
