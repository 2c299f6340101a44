"""Traces: a span a request where they are wished for, and nothing in it that anybody must not know."""

from __future__ import annotations

import json
import logging
import os
import socket
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode

from service import serve
from service.config import SettingError, Settings
from service.http import tracing
from service.http.context import of as context_of
from tests.http.conftest import TOY, begin, toy_app
from tests.http.kept import opened
from tests.sessions.stores import imitation

ROOT = Path(__file__).parents[2]
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


class Traced:
    """A client of an app whose spans stay here."""

    def __init__(self, **more: str) -> None:
        self.exporter = InMemorySpanExporter()
        provider = TracerProvider(shutdown_on_exit=False)
        provider.add_span_processor(SimpleSpanProcessor(self.exporter))
        app = toy_app(store=imitation(), ARBITR_TRACES="1", **more)
        app.extensions[tracing.KEY] = (provider.get_tracer("test"), app.extensions[tracing.KEY][1])
        self.app = app
        self.client: FlaskClient = app.test_client()

    def spans(self) -> list[ReadableSpan]:
        """Those that have ended since this was asked."""
        found = list(self.exporter.get_finished_spans())
        self.exporter.clear()
        return found


@pytest.fixture
def traced() -> Traced:
    return Traced()


def test_a_judgement_is_a_span_that_tells_what_the_log_tells(traced: Traced) -> None:
    state = begin(traced.client)["state"]
    traced.spans()
    body = {"state": state, "action": {"kind": "end-turn", "actor": "bob"}}
    traced.client.post(f"{TOY}/adjudications", json=body, headers={"X-Request-Id": "r-1"})
    (span,) = traced.spans()
    assert (span.name, span.kind) == ("POST /v1/games/<game>/adjudications", SpanKind.SERVER)
    assert dict(span.attributes or {}) == {
        "http.request.method": "POST",
        "http.route": "/v1/games/<game>/adjudications",
        "http.response.status_code": 200,
        "arbitr.request_id": "r-1",
        "arbitr.game": "toy",
        "arbitr.verdict": "illegal",
        "arbitr.judged": 1,
    }
    assert span.parent is None
    assert span.end_time is not None


def test_refusals_tell_their_problem_and_faults_are_errors(
    traced: Traced, monkeypatch: pytest.MonkeyPatch
) -> None:
    traced.client.get("/nowhere/at/all")
    (span,) = traced.spans()
    assert (span.name, (span.attributes or {})["arbitr.reason"]) == ("GET none", "not-found")
    assert span.status.status_code is StatusCode.UNSET, "that was the client's fault"
    monkeypatch.setattr(context_of(traced.app).store, "unreachable", lambda: "gone", raising=False)
    assert traced.client.get("/readyz").status_code == 503
    (span,) = traced.spans()
    assert (span.attributes or {})["arbitr.reason"] == "not-ready"
    assert (span.status.status_code, span.status.description) == (StatusCode.ERROR, None)
    assert span.events == (), "no text of an error"


def test_nothing_in_a_span_is_anybody_s_secret(traced: Traced) -> None:
    kept = opened(traced.client)
    given = kept.opened["tokens"]
    tokens = [*given["seats"].values(), *(token for who, token in given.items() if who != "seats")]
    assert len(tokens) > 3
    kept.get("ann")
    kept.post("ann", "/actions", {"action": {"kind": "end-turn", "actor": "ann"}})
    traced.client.get(f"/v1/sessions/{kept.id}/events?after=0&ticket=tttttttttttttttttttttttt")
    traced.client.post(f"{TOY}/adjudications", data=b'{"state": "a-secret-state"}')
    told = "\n".join(span.to_json() for span in traced.spans())
    assert "/v1/sessions/<session>" in told
    for secret in (*tokens, kept.id, "tttttttttt", "a-secret-state", "Bearer", "plum"):
        assert secret not in told, secret


@pytest.mark.parametrize(("proxies", "believed"), [("0", False), ("1", True)])
def test_whose_part_a_request_is_proxies_say_and_strangers_do_not(proxies: str, believed: bool) -> None:
    traced = Traced(ARBITR_TRUSTED_PROXIES=proxies)
    traced.client.get("/v1/games", headers={"traceparent": PARENT})
    (span,) = traced.spans()
    assert (span.context.trace_id == int(PARENT.split("-")[1], 16)) is believed


def test_off_nothing_of_it_is_there() -> None:
    """Where the packages are installed the client of the store looks at them by itself; we do not."""
    code = (
        "import sys; from service.config import Settings; from service.app import create_app; "
        "create_app(Settings.from_env({})); "
        "assert 'service.http.tracing' not in sys.modules; "
        "assert not any(m.startswith('opentelemetry.exporter') for m in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_without_the_packages_it_cannot_be_wished_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(name: str) -> Any:
        raise ModuleNotFoundError(name)

    monkeypatch.setattr("service.config.find_spec", nothing)
    with pytest.raises(SettingError, match=r"ARBITR_TRACES must be 0 unless the extra otel is installed"):
        Settings.from_env({"ARBITR_TRACES": "1"})
    assert Settings.from_env({}).traces == "0"


# -- a collector that does not do what it should -----------------------------------------------------------------------

SENDS = """
from time import monotonic
from opentelemetry import trace
from service.http import logs, tracing

logs.tell_faults()
tracing.start()
for n in range(5):
    trace.get_tracer("test").start_span("a").end()
before = monotonic()
tracing.stop()
print(monotonic() - before)
"""


def sent(port: int) -> tuple[float, str]:
    """How long the end takes, with spans that are to be sent there, and what stands on stderr."""
    told = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{port}", "OTEL_EXPORTER_OTLP_TIMEOUT": "10"}
    found = subprocess.run(
        [sys.executable, "-c", SENDS], check=True, capture_output=True, text=True, env={**os.environ, **told}
    )
    return float(found.stdout), found.stderr


def test_a_collector_that_hangs_holds_up_no_end() -> None:
    with socket.create_server(("127.0.0.1", 0)) as hole:  # it takes connections, and answers nothing
        took, _ = sent(hole.getsockname()[1])
        hole.settimeout(1)
        connection, _ = hole.accept()
        with connection:
            assert connection.recv(10).startswith(b"POST"), "it has been tried"
    assert tracing.LAST - 0.2 < took < tracing.LAST + 1


def test_a_collector_that_refuses_is_told_of_in_one_line_of_json() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # and does not listen
        _, stderr = sent(nobody.getsockname()[1])
        (line,) = stderr.splitlines()
        told = json.loads(line)
        assert (told["event"], told["level"]) == ("traces cannot be sent", "warning")


def test_what_it_says_again_and_again_is_told_once_a_minute(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now = [1000.0]
    monkeypatch.setattr(tracing, "monotonic", lambda: now[0])
    handler = tracing.Seldom()
    for _ in range(100):
        handler.handle(record("opentelemetry.exporter.otlp.proto.http", "at http://secret@collector"))
    assert caplog.messages == ["traces cannot be sent"]
    now[0] += tracing.SELDOM
    handler.handle(record("opentelemetry.sdk._shared_internal", "Exception while exporting"))
    assert len(caplog.messages) == 2


def record(name: str, message: str) -> logging.LogRecord:
    return logging.makeLogRecord({"name": name, "levelno": logging.ERROR, "msg": message})


def test_what_is_said_of_something_else_is_not_told_as_that(caplog: pytest.LogCaptureFixture) -> None:
    for name in (
        "opentelemetry.sdk.trace.sampling",
        "opentelemetry.attributes",
        "opentelemetry.sdk.resources",
    ):
        tracing.Seldom().handle(record(name, "Couldn't recognize sampler %s."))
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("OTEL_BSP_MAX_QUEUE_SIZE", "100", "max_export_batch_size"),
        ("OTEL_BSP_SCHEDULE_DELAY", "-1", "schedule_delay_millis"),
        ("OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT", "many", "OTEL_SPAN_ATTRIBUTE_COUNT_LIMIT"),
    ],
)
def test_what_the_library_cannot_take_is_one_line_before_anything_is_started(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(SettingError, match=said) as refused:
        serve.demand_traces(Settings.from_env({"ARBITR_TRACES": "1"}))
    assert str(refused.value).startswith("ARBITR_TRACES=1 cannot be with these OTEL_ variables: ")
    assert "\n" not in str(refused.value)
    serve.demand_traces(Settings.from_env({}))  # nobody asks


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("OTEL_TRACES_SAMPLER", "bogus", "sampler"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "bogus", "Header format invalid"),
    ],
)
def test_what_the_library_passes_over_is_a_warning_without_the_value(
    name: str, value: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(name, value)
    serve.demand_traces(Settings.from_env({"ARBITR_TRACES": "1"}))
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("arbitr: warning: of the OTEL_ variables: ")
    assert said in line
    assert value not in line


@pytest.mark.parametrize(("wished", "times"), [("0", 0), ("1", 1)])
def test_the_end_of_a_worker_goes_so(monkeypatch: pytest.MonkeyPatch, wished: str, times: int) -> None:
    done = []
    monkeypatch.setattr(tracing, "stop", lambda: done.append(1))
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")  # it is another one while the file is read
    monkeypatch.setenv("ARBITR_TRACES", wished)
    spec = spec_from_file_location("conf_of_a_test", ROOT / "service/gunicorn_conf.py")
    assert spec is not None
    assert spec.loader is not None
    conf = module_from_spec(spec)
    spec.loader.exec_module(conf)
    conf.worker_exit(None, None)
    conf.on_exit(None)
    assert len(done) == times
