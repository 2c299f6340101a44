"""Metrics for Prometheus. Labels come from routes and rulebooks, never from what a client writes."""

import os
from collections.abc import Iterable, Mapping
from functools import cache
from time import perf_counter
from typing import Any

from flask import Flask, Request, Response, g
from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Histogram,
    generate_latest,
    multiprocess,
)

from service.http.lean import asked as asked_now
from service.http.lean import noted

INSIDE = "arbitr.inside"  # in the environ of requests that the service makes to itself
COUNTED: Mapping[str, Any] = {"counted": True}  # `extra` of a fault that is counted where it is answered
FOLDER = "PROMETHEUS_MULTIPROC_DIR"
BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

VERDICTS = Counter(
    "arbitr_verdicts", "Judgements; `clause`: the first one broken.", ("game", "kind", "verdict", "clause")
)
REFUSALS = Counter("arbitr_refusals", "Requests and items that were refused, by problem.", ("reason",))
KEYS_MISSING = Counter(
    "arbitr_keys_missing", "Draws of games of our own for which the server key is missing."
)
REQUESTS = Counter("arbitr_requests", "Answered requests.", ("route", "status"))
SECONDS = Histogram("arbitr_request_seconds", "How long requests took.", ("route",), buckets=BUCKETS)


def init_app(app: Flask) -> None:
    """Measure every request, and serve what was measured."""
    app.before_request(_begin)
    app.add_url_rule("/metrics", "metrics", _metrics)


def observed() -> bool:
    """Whether the request comes from outside."""
    return from_outside(asked_now())


def from_outside(asked: Request) -> bool:
    """Whether a request does."""
    return not asked.environ.get(INSIDE)


def route(asked: Request) -> str:
    """The route of a request, as it was declared."""
    return "none" if asked.url_rule is None else asked.url_rule.rule


def milliseconds() -> float:
    """How long the request has taken so far."""
    now = perf_counter()
    return round((now - noted().get("begun", now)) * 1000, 3)


def verdict(game: str, action: Mapping[str, Any], told: Mapping[str, Any]) -> None:
    """Count a judgement."""
    broken = told.get("violations")
    here = noted()
    judged = here["told"]["judged"] + 1 if "told" in here else 1
    here["told"] = {"game": game, "verdict": told["verdict"], "judged": judged}
    if observed():
        clause = broken[0]["rule"] if broken else ""
        _child(VERDICTS, game, action["kind"], told["verdict"], clause).inc()


def kept(game: str, kind: str, clause: str = "") -> None:
    """Count a judgement in a session; `clause`: the first one that the action breaks."""
    told = "illegal" if clause else "legal"
    g.told = {"game": game, "verdict": told}
    if observed():
        _child(VERDICTS, game, kind, told, clause).inc()


def know(reasons: Iterable[str]) -> None:
    """Count these refusals from nothing on: the first one is then an increase, which an alert can see."""
    for reason in reasons:
        REFUSALS.labels(reason)


def refusal(reason: str) -> None:
    """Count a refused request or item."""
    g.refused = reason
    g.refusals = g.get("refusals", 0) + 1
    if observed():
        REFUSALS.labels(reason).inc()


def fault() -> None:
    """Count a fault of ours in something that no request waits for."""
    REFUSALS.labels("internal-error").inc()


def key_missing() -> None:
    """Count a draw of a game of our own that cannot be made."""
    if observed():
        KEYS_MISSING.inc()


def key_missing_beside() -> None:
    """Count the same where no request waits for it: an automated seat or a clock cannot go on."""
    KEYS_MISSING.inc()


def measure(response: Response, asked: Request) -> Response:
    """Count an answered request."""
    if from_outside(asked):
        where = route(asked)
        _child(REQUESTS, where, response.status_code).inc()
        _child(SECONDS, where).observe(milliseconds() / 1000)
    return response


@cache
def _child(metric: Any, *labels: Any) -> Any:
    """The part of a metric with these labels, of which there are few."""
    return metric.labels(*labels)


def _begin() -> None:
    noted()["begun"] = perf_counter()


def _metrics() -> Response:
    registry = REGISTRY
    if FOLDER in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)
    return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)
