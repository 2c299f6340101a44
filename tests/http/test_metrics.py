"""Metrics and the log: what happened, and nothing of what was sent."""

from __future__ import annotations

import json
import logging
import re
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.http import games, logs
from service.http.unasked import unasked
from service.sessions.referee import UnplayableState, sound
from tests.http.conftest import TOY, begin, encoded, post, toy_app

END = {"kind": "end-turn", "actor": "ann"}
JUDGE = f"{TOY}/adjudications"


def counts(client: FlaskClient, name: str) -> dict[str, float]:
    """The values of a metric by labels."""
    found = re.findall(rf"^{name}\{{(.*)\}} (\S+)$", client.get("/metrics").text, re.M)
    return {labels: float(value) for labels, value in found}


def grown(client: FlaskClient, name: str, before: dict[str, float]) -> dict[str, float]:
    return {k: v - before.get(k, 0) for k, v in counts(client, name).items() if v != before.get(k, 0)}


def test_verdicts_are_counted_by_game_kind_verdict_and_first_clause(client: FlaskClient, state: Any) -> None:
    before = counts(client, "arbitr_verdicts_total")
    client.post(JUDGE, json={"state": state, "action": END})
    client.post(JUDGE, json={"state": state, "action": {**END, "actor": "bob"}})
    client.post(JUDGE, json={"state": state, "actions": [END, END]})
    client.post(f"{JUDGE}/batch", json={"state": state, "items": [{"action": END}, {}]})
    assert grown(client, "arbitr_verdicts_total", before) == {
        'clause="",game="toy",kind="end-turn",verdict="legal"': 2,
        'clause="TOY-2",game="toy",kind="end-turn",verdict="illegal"': 2,
    }


def test_refusals_are_counted_by_reason(client: FlaskClient, state: Any) -> None:
    before = counts(client, "arbitr_refusals_total")
    post(client, JUDGE, b"nope")
    client.get("/nope")
    client.post(f"{JUDGE}/batch", json={"state": state, "items": [{}, {}]})
    assert grown(client, "arbitr_refusals_total", before) == {
        'reason="not-json"': 1,
        'reason="not-found"': 1,
        'reason="off-schema"': 2,
    }


def test_requests_are_measured_by_route(client: FlaskClient) -> None:
    before = counts(client, "arbitr_requests_total")
    seconds = counts(client, "arbitr_request_seconds_count")
    client.get(f"{TOY}/rules/TOY-1")
    client.get(f"{TOY}/rules/TOY-2")
    client.get("/nope/secret")
    found = grown(client, "arbitr_requests_total", before)
    assert found['route="/v1/games/<game>/rules/<rule>",status="200"'] == 2
    assert found['route="none",status="404"'] == 1
    assert (
        grown(client, "arbitr_request_seconds_count", seconds)['route="/v1/games/<game>/rules/<rule>"'] == 2
    )


def test_nothing_that_a_client_writes_becomes_a_label(client: FlaskClient, state: Any) -> None:
    for word in ("wordone", "wordtwo"):
        client.get(f"/v1/games/{word}")
        client.open(f"/{word}", method=word.upper())
        client.post(f"/v1/games/{word}/adjudications", json={"state": state, "action": END})
        client.post(JUDGE, json={"state": state, "action": {"kind": word, "actor": word}})
        client.post(JUDGE, json={"state": {**state, "game": word}, "action": END})
    assert "word" not in client.get("/metrics").text.lower()


def test_what_the_service_asks_itself_is_not_counted() -> None:
    client = toy_app().test_client()
    before = counts(client, "arbitr_verdicts_total")
    assert client.get("/openapi.yaml").status_code == 200
    assert grown(client, "arbitr_verdicts_total", before) == {}


def test_a_fault_is_counted_once_whether_a_request_waits_for_it_or_nobody(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault, before = 'reason="internal-error"', counts(client, "arbitr_refusals_total")
    try:
        raise ValueError("in a thread")
    except ValueError:
        logging.getLogger("service.of.a.test").exception("a fault of ours")
    assert grown(client, "arbitr_refusals_total", before) == {fault: 1}
    monkeypatch.setattr(games.catalogue, "game", lambda *given: 1 / 0)
    assert client.get("/v1/games").status_code == 500
    assert grown(client, "arbitr_refusals_total", before) == {fault: 2}


def test_what_stands_in_the_log_and_is_no_fault_of_a_duty_is_not_counted(client: FlaskClient) -> None:
    """What a stranger's state brings about is answered; an operator's mistake is told, and is no fault."""
    before = counts(client, "arbitr_refusals_total")
    with pytest.raises(UnplayableState), sound():
        raise ValueError("the rules broke down")
    logging.getLogger("service.of.a.test").error("the store cannot be used")
    assert grown(client, "arbitr_refusals_total", before) == {}


# -- the log ------------------------------------------------------------------------------------------------------


class Lines:
    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def write(self, line: bytes) -> None:
        assert line.endswith(b"\n")
        assert line.count(b"\n") == 1
        self.lines.append(json.loads(line))

    def flush(self) -> None:
        pass


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Lines:
    lines = Lines()
    monkeypatch.setattr(logs, "STDOUT", lines)
    return lines


@pytest.fixture
def told(log: Lines) -> FlaskClient:
    return toy_app(ARBITR_LOG_LEVEL="info").test_client()


def test_every_request_is_one_line(told: FlaskClient, log: Lines) -> None:
    state = begin(told)["state"]
    told.post(JUDGE, json={"state": state, "action": END}, headers={"X-Request-Id": "r-1"})
    told.post(JUDGE, json={"state": state, "action": {**END, "actor": "bob"}})
    post(told, JUDGE, b"nope")
    told.get("/nope/secret")
    assert [line["status"] for line in log.lines] == [200, 200, 200, 400, 404]
    judged = log.lines[1]
    assert judged.pop("ms") > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT[\d:.]+Z", judged.pop("timestamp"))
    assert judged == {
        "event": "request",
        "level": "info",
        "request_id": "r-1",
        "method": "POST",
        "route": "/v1/games/<game>/adjudications",
        "status": 200,
        "game": "toy",
        "verdict": "legal",
        "judged": 1,
    }
    assert log.lines[2]["verdict"] == "illegal"
    assert log.lines[3]["reason"] == "not-json"
    assert log.lines[4]["route"] == "none"


def test_no_line_tells_what_was_sent(told: FlaskClient, log: Lines) -> None:
    setup = {
        "seats": [{"id": "secretann", "name": "Secret Ann"}, {"id": "bob"}],
        "chance": {"seed": "secretseed"},
    }
    state = told.post(f"{TOY}/states", json=setup).json["state"]
    authorization = {"Authorization": "Bearer secrettoken"}
    told.post(JUDGE, json={"state": state, "action": {**END, "actor": "secretann"}}, headers=authorization)
    told.post(f"{TOY}/views", json={"state": state, "seat": "secretann"})
    told.post(JUDGE, json={"state": {**state, "secretfield": 1}, "action": END})
    told.get("/v1/sessions/secretid?ticket=secretticket")
    told.open("/v1/games", method="SECRETMETHOD" * 10)
    text = json.dumps(log.lines).replace("SECRETMETHODSECRETME", "")
    assert "secret" not in text.lower()
    assert not {"plum", "apple", "cherry", "table", "hand"} & set(re.findall(r"\w+", text))


def test_what_is_no_request_is_counted_and_told_as_one(client: FlaskClient, log: Lines) -> None:
    refusals, requests = counts(client, "arbitr_refusals_total"), counts(client, "arbitr_requests_total")
    answer = unasked("bad-request", 431, "info")
    unasked("internal-error", 500, "error")
    unasked("bad-request", 400, "error")
    assert grown(client, "arbitr_refusals_total", refusals) == {
        'reason="bad-request"': 2,
        'reason="internal-error"': 1,
    }
    found = grown(client, "arbitr_requests_total", requests)
    assert {found[f'route="none",status="{status}"'] for status in (431, 500, 400)} == {1}
    assert [(line["status"], line["level"], line["reason"]) for line in log.lines] == [
        (431, "info", "bad-request"),
        (500, "error", "internal-error"),
    ]
    assert f"X-Request-Id: {log.lines[0]['request_id']}\r\n".encode() in answer


def test_health_checks_are_told_at_level_debug_only(told: FlaskClient, log: Lines) -> None:
    for path in ("/livez", "/readyz", "/metrics"):
        told.get(path)
    assert log.lines == []
    toy_app(ARBITR_LOG_LEVEL="debug").test_client().get("/livez")
    assert [line["route"] for line in log.lines] == ["/livez"]


@pytest.mark.parametrize("level", ["warning", "error"])
def test_the_level_is_respected(log: Lines, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    client = toy_app(ARBITR_LOG_LEVEL=level).test_client()
    client.get("/v1/games")
    assert log.lines == []
    monkeypatch.setattr(games.catalogue, "game", lambda *given: 1 / 0)
    assert client.get("/v1/games").status_code == 500
    assert [line["level"] for line in log.lines] == ["error"]


def test_a_fault_of_ours_is_told_by_its_type_and_place_not_by_its_text(
    told: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = Lines()
    monkeypatch.setattr(logs, "STDERR", lines)

    def broken(*given: Any) -> Any:
        raise KeyError("a hidden card")

    monkeypatch.setattr(games.catalogue, "game", broken)
    told.get("/v1/games", headers={"X-Request-Id": "r-7"})
    (line,) = lines.lines
    assert (line["request_id"], line["error"], line["level"]) == ("r-7", "KeyError", "error")
    assert "broken" in line["at"][-1]
    assert "hidden" not in json.dumps(line)


def test_a_reader_of_the_log_who_has_gone_is_no_fault() -> None:
    logs.Descriptor(12345).write(b"x\n")


def test_measured_states_are_told_the_same(told: FlaskClient, client: FlaskClient, state: Any) -> None:
    sent = encoded({"state": state, "action": END})
    assert post(told, JUDGE, sent).data == post(client, JUDGE, sent).data
