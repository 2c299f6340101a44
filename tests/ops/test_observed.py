"""What a running service tells of itself: counts of all workers together, and a log line a request."""

import json
import os
import signal
import socket
import urllib.error
import urllib.request
from pathlib import Path
from tempfile import gettempdir

from service import counts
from tests.patience import PATIENCE, until

SETUP = {"seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"mode": "seeded", "seed": "s"}}
STATES = "/v1/games/zavandor/states"
QUIET = {"ARBITR_REDIS_URL": "redis://127.0.0.1:1/0"}


def post(service, path, body, **headers):
    """Post on a connection of its own, so that the workers take turns."""
    sent = json.dumps(body).encode()
    named = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(f"http://127.0.0.1:{service.port}{path}", sent, named)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, error.headers, json.loads(error.read())


def count(service, line):
    """The value that /metrics tells for these labels."""
    found = [row for row in service.get("/metrics").decode().splitlines() if row.startswith(line + " ")]
    return float(found[0].rpartition(" ")[2]) if found else 0


def folders(service):
    """Where the workers of this service count."""
    gunicorn = min(service.named("gunicorn"))
    return [f for base in ("/dev/shm", gettempdir()) for f in Path(base).glob(f"{counts.PREFIX}{gunicorn}-*")]


def test_the_workers_count_together_and_a_dead_worker_s_counts_stay(start):
    service = start(**QUIET, ARBITR_LOG_LEVEL="error")
    line = f'arbitr_requests_total{{route="{STATES.replace("zavandor", "<game>")}",status="200"}}'
    for _ in range(30):
        assert post(service, STATES, SETUP)[0] == 200
    assert {count(service, line) for _ in range(6)} == {30}
    workers = sorted(service.named("gunicorn"))[1:]
    os.kill(workers[0], signal.SIGKILL)
    assert until(lambda: len(service.named("gunicorn")) == 3 and workers[0] not in service.named("gunicorn"))
    assert until(lambda: count(service, line) == 30)
    assert until(lambda: post(service, STATES, SETUP)[0] == 200)
    assert until(lambda: count(service, line) == 31)


def test_the_counts_begin_at_nothing_and_leave_nothing_behind(start):
    service = start(**QUIET, ARBITR_LOG_LEVEL="error")
    (folder,) = folders(service)
    service.leader.terminate()
    assert service.leader.wait(PATIENCE) == 0
    assert until(lambda: not folder.exists())


def test_what_a_killed_service_left_is_removed_and_what_a_living_one_has_is_not(tmp_path, monkeypatch):
    monkeypatch.setattr(counts, "_LOCKS", [])
    mine, left = (counts.make_folder(str(tmp_path)) for _ in range(2))
    os.close(counts._LOCKS.pop())
    for folder in (mine, left):
        os.utime(folder, (0, 0))
    fresh = counts.make_folder(str(tmp_path))
    assert (mine.exists(), left.exists(), fresh.exists()) == (True, False, True)
    for lock in counts._LOCKS:
        os.close(lock)


def test_what_is_no_http_is_counted_and_logged_by_both_processes(start):
    service = start(ARBITR_STREAM_PORT=0, ARBITR_REDIS_URL="redis://127.0.0.1:1/0", ARBITR_WORKERS=1)
    for port in (service.port, service.streams):
        for _ in range(3):
            with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as client:
                client.sendall(b"GET /livez HTTP/1.1\r\nHost: a\r\nHost: b\r\nContent-Length: x\r\n\r\n")
                assert client.recv(65536).startswith(b"HTTP/1.1 400")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            told = answer.read().decode()
        assert 'arbitr_refusals_total{reason="bad-request"} 3.0' in told
        assert 'arbitr_requests_total{route="none",status="400"} 3.0' in told
    os.kill(service.leader.pid, signal.SIGTERM)
    assert service.leader.wait(PATIENCE) == 0
    lines = [json.loads(line) for line in service.all_logged() if line.startswith("{")]
    refused = [line for line in lines if line.get("reason") == "bad-request"]
    assert len(refused) == 6
    assert {(line["route"], line["status"]) for line in refused} == {("none", 400)}


def test_each_request_is_a_line_on_stdout_and_health_checks_are_none(start):
    service = start(**QUIET)
    _, _, begun = post(service, STATES, SETUP, **{"X-Request-Id": "r-1"})
    action = {"kind": begun["decisions"][0]["kinds"][0], "actor": "bob"}
    judging = {"state": begun["state"], "action": action}
    post(service, "/v1/games/zavandor/adjudications", judging, Authorization="Bearer sesame")
    service.get("/livez")
    service.leader.terminate()
    lines = [json.loads(line) for line in service.all_logged()]
    assert [(line["route"], line["status"]) for line in lines] == [
        (STATES.replace("zavandor", "<game>"), 200),
        ("/v1/games/<game>/adjudications", 200 if "verdict" in lines[1] else 400),
    ]
    assert lines[0]["request_id"] == "r-1"
    assert "sesame" not in json.dumps(lines)
    assert service.errors.read_text() == ""


def test_an_address_that_asks_too_often_is_told_to_wait(start):
    service = start(**QUIET, ARBITR_RATE=1, ARBITR_WORKERS=1, ARBITR_LOG_LEVEL="error")
    answers = [post(service, STATES, SETUP) for _ in range(15)]
    refused = [(status, headers) for status, headers, _ in answers if status != 200]
    assert answers[0][0] == 200
    assert len(refused) >= 3
    assert {status for status, _ in refused} == {429}
    assert all(int(headers["Retry-After"]) >= 1 for _, headers in refused)
    assert service.get("/livez")
