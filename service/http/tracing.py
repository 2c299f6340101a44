"""Traces by OpenTelemetry: a span a request, where they are wished for (`ARBITR_TRACES=1` and the extra `otel`).

A span tells what the line in the log tells, and no more: method, route, status, game, verdict, the problem, the id of
the request. No address, no query, no header, no body, and of a fault of ours its type alone.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Mapping
from threading import Thread
from time import monotonic
from typing import Any

from flask import Flask, Response, g
from flask.globals import request_ctx
from opentelemetry import trace
from opentelemetry.context import Context
from opentelemetry.trace import SpanKind, Status, StatusCode, Tracer, TracerProvider
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from service import __version__
from service.config import Settings
from service.http import metrics

KEY = "arbitr-tracer"
NAME = "arbitr"
PARENTS = {"traceparent": "HTTP_TRACEPARENT", "tracestate": "HTTP_TRACESTATE"}
LAST = 1.5  # seconds that what is left may take to be sent at the end
SENDERS = (  # loggers of what sends; others tell of variables and of spans
    "opentelemetry.exporter.",
    "opentelemetry.sdk._shared_internal",
    "opentelemetry.sdk.trace.export",
)
SELDOM = 60.0  # seconds between two lines that say that nothing can be sent
LOG = logging.getLogger(__name__)
_PROPAGATOR = TraceContextTextMapPropagator()
_sending: list[Any] = []  # the provider of this process


def start() -> None:
    """Let spans be sent where the `OTEL_*` variables say; to be called in each worker: the sender is a thread."""
    theirs = logging.getLogger("opentelemetry")
    theirs.handlers, theirs.propagate = [logging.NullHandler()], False  # `check` has told of the variables
    provider = _sender()
    theirs.handlers = [Seldom()]
    trace.set_tracer_provider(provider)
    _sending.append(provider)


def check() -> None:
    """See that spans can be sent with the `OTEL_*` variables as they are: exits with a line that says why not.

    On stdout stands a line for each that the library does not take for what it says. Its values stand in none: one may
    hold the password of a collector. To be called in a process of its own, for what is made here are threads.
    """
    told = Doubts()
    theirs = logging.getLogger("opentelemetry")
    theirs.handlers, theirs.propagate = [told], False
    try:
        _sender().shutdown()
    except Exception as error:
        raise SystemExit(" ".join(f"{type(error).__name__}: {error}".split())) from None
    for line in dict.fromkeys(told.lines):
        print(line)


class Doubts(logging.Handler):
    """What the library says of its variables, without their values."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep a line."""
        self.lines.append(" ".join(str(record.msg).replace("%s", "...").split()))


def _sender() -> Any:
    """The provider whose spans are sent; whatever the library says against its variables it raises."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider as Sending
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    os.environ.setdefault("OTEL_SERVICE_NAME", NAME)
    # At the end of the process it would wait for a collector that does not answer: `stop` does that for a while.
    provider = Sending(resource=Resource.create({"service.version": __version__}), shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider


def stop(within: float = LAST) -> None:
    """Send what is left, as far as that can be done within so many seconds; the rest is dropped."""
    while _sending:
        last = Thread(target=_sending.pop().shutdown, daemon=True)  # a daemon: nobody waits for it
        last.start()
        last.join(within)


class Seldom(logging.Handler):
    """Says in our words, and seldom, that spans cannot be sent: a collector that is away shall not fill the log."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.next = 0.0

    def emit(self, record: logging.LogRecord) -> None:
        """One line for all that is told in a minute; what the library says may hold the collector's address."""
        if record.name.startswith(SENDERS) and monotonic() >= self.next:
            self.next = monotonic() + SELDOM
            LOG.warning("traces cannot be sent")


def init_app(app: Flask, settings: Settings, provider: TracerProvider | None = None) -> None:
    """Give every request from outside a span; `provider`: another than the one of the process."""
    app.extensions[KEY] = (trace.get_tracer(NAME, __version__, provider), settings.trusted_proxies > 0)
    app.before_request(_begin)
    app.after_request(_end)


def _begin() -> None:
    asked = request_ctx.request
    if not metrics.from_outside(asked):
        return
    tracer: Tracer
    tracer, behind = request_ctx.app.extensions[KEY]
    name = f"{asked.method[:20]} {metrics.route(asked)}"
    # Strangers do not say which requests are traced, and as parts of what.
    parent = _parent(asked.environ) if behind else None
    g.span = tracer.start_span(name, parent or Context(), SpanKind.SERVER)


def _parent(environ: Mapping[str, Any]) -> Context:
    """What the request is a part of, as the proxies in front say."""
    return _PROPAGATOR.extract(
        {name: environ[key] for name, key in PARENTS.items() if key in environ}, Context()
    )


def _end(response: Response) -> Response:
    """Tell what became of it."""
    span = g.pop("span", None)
    if span is None:
        return response
    if span.is_recording():
        asked = request_ctx.request
        span.set_attributes(
            {
                "http.request.method": asked.method[:20],
                "http.route": metrics.route(asked),
                "http.response.status_code": response.status_code,
                **{f"arbitr.{name}": value for name, value in _noted().items() if value is not None},
            }
        )
        if response.status_code >= 500:
            span.set_status(Status(StatusCode.ERROR))
    span.end()
    return response


def _noted() -> dict[str, Any]:
    """What was noted while it was worked on, as for the log."""
    told = g.get("told", {})
    return {"request_id": g.get("request_id"), "reason": g.get("refused"), **told}
