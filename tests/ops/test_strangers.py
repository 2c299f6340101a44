"""What strangers may send to a running service: slow, broken, too much. Each gets a clear answer, and nobody waits."""

import json
import socket
import time
import urllib.request
from contextlib import ExitStack

import pytest

from tests.ops.conftest import ARBITR, Running
from tests.patience import PATIENCE, Pace

READ_TIME = 2
SETUP = json.dumps(
    {"seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"mode": "seeded", "seed": "s"}}
).encode()
STATES = "/v1/games/zavandor/states"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    env = {
        "ARBITR_READ_TIME": READ_TIME,
        "ARBITR_WORKERS": 1,
        "ARBITR_THREADS": 4,
        "ARBITR_REDIS_URL": "redis://127.0.0.1:1/0",
        "ARBITR_LOG_LEVEL": "error",
        "ARBITR_RATE": 0,
    }
    running = Running((*ARBITR, "serve"), tmp_path_factory.mktemp("service"), **env)
    with Pace() as running.pace:
        yield running.wait_up()
    running.end()


def link(service):
    return socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)


def head(path=STATES, method="POST", length=None, **headers):
    named = {
        "Host": "x",
        "Content-Type": "application/json",
        **{k.replace("_", "-"): v for k, v in headers.items()},
    }
    if length is not None:
        named["Content-Length"] = str(length)
    lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in named.items())]
    return "\r\n".join([*lines, "", ""]).encode()


def answers(client):
    """Everything that comes until the connection is closed."""
    found = b""
    try:
        while part := client.recv(65536):
            found += part
    except ConnectionResetError:
        pass
    return found


def said(service, sent):
    """The answer to these very bytes, on a connection of their own: status, headers, JSON."""
    with link(service) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        return parted(answers(client))


def parted(answer):
    top, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = top.decode().split("\r\n")
    headers = dict(line.split(": ", 1) for line in lines)
    if "Content-Length" in headers:
        body = body[: int(headers["Content-Length"])]
    return int(first.split()[1]), headers, json.loads(body) if body else None


def quick(service, seconds=1.0):
    began = begin(service)
    assert service.get("/livez")
    return took(service, began) < seconds


def begin(service):
    """When something begins; from now on it is noted how slow the machine is."""
    assert service.pace.slower
    return time.monotonic()


def took(service, began):
    """Seconds since then, as they would be on a machine that has nothing else to do."""
    return (time.monotonic() - began) / service.pace.slower


def test_a_body_that_trickles_is_refused_in_time_and_closed(service):
    with link(service) as client:
        client.sendall(head(length=len(SETUP)) + SETUP[:10])
        began = begin(service)
        client.settimeout(0.2)
        found = b""
        while time.monotonic() - began < PATIENCE:
            try:
                client.sendall(b" ")
                found += client.recv(65536)
                break
            except TimeoutError:
                continue
            except OSError:
                break
        client.settimeout(PATIENCE)
        status, headers, problem = parted(found + answers(client))
    assert time.monotonic() - began > READ_TIME - 0.5
    assert took(service, began) < 2 * READ_TIME
    assert (status, problem["type"]) == (408, "/docs/problems/too-slow")
    assert headers["Content-Type"] == "application/problem+json"
    assert str(READ_TIME) in problem["detail"]


def test_a_request_line_that_trickles_is_closed_in_time(service):
    with link(service) as client:
        began = begin(service)
        client.sendall(b"POST /v1/games")
        assert answers(client) == b""
    assert took(service, began) < 2 * READ_TIME


def test_a_connection_that_says_nothing_is_closed_in_time(service):
    with link(service) as client:
        began = begin(service)
        assert answers(client) == b""
    assert took(service, began) < 3 * READ_TIME


def test_silent_connections_hold_no_thread(service):
    with ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(link(service))
        time.sleep(0.2)
        assert quick(service)


def test_slow_bodies_hold_the_threads_no_longer_than_the_time_to_read(service):
    with ExitStack() as stack:
        for _ in range(4):
            stack.enter_context(link(service)).sendall(head(length=100) + b"{")
        time.sleep(0.2)
        assert quick(service, READ_TIME + 1.5)
    assert quick(service)


def test_a_client_that_takes_no_answer_holds_its_thread_no_longer(service):
    """More answers than the socket's buffers hold, and nobody who reads them."""
    with link(service) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(0.5)
        try:
            for _ in range(400):
                client.sendall(head("/v1/games/zavandor/rules", "GET"))
        except TimeoutError:
            pass
        assert quick(service)
        time.sleep(READ_TIME + 0.5)
        assert quick(service)


GARBAGE = [
    (b"\x00\x01\x02\x03\r\n\r\n", 400),
    (b"GARBAGE\r\n\r\n", 400),
    (b"GET /livez HTTP/9.9\r\nHost: x\r\n\r\n", 400),
    (b"GET /livez HTTP/1.1\r\nHost x\r\n\r\n", 400),
    (b"GET /livez HTTP/1.1\r\nHost: x\r\nX Y: 1\r\n\r\n", 400),
    (b"G@T /livez HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 9 + b"\r\n\r\n", 400),
    (b"GET /" + b"x" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    (b"GET /livez HTTP/1.1\r\n" + b"".join(b"X-%d: 1\r\n" % i for i in range(200)) + b"\r\n", 431),
    (b"GET /livez HTTP/1.1\r\nX: " + b"x" * 20_000 + b"\r\n\r\n", 431),
    (b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n", 400),
    (b"POST /livez HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
    (b"POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 400),
    (b"POST /livez HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: tar, chunked\r\n\r\n", 501),
    (b"GET /livez HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n", 417),
]


@pytest.mark.parametrize(("sent", "status"), GARBAGE)
def test_what_is_no_http_is_refused_by_a_problem_document(service, sent, status):
    found, headers, problem = said(service, sent)
    assert (found, problem["status"]) == (status, status)
    assert problem["type"] == "/docs/problems/bad-request"
    assert headers["Content-Type"] == "application/problem+json"
    assert headers["X-Request-Id"]
    assert "Server" not in headers
    assert quick(service)


@pytest.mark.parametrize("sent", [b"", b"\r\n", b"\r\n\r\n", b"GET"])
def test_next_to_nothing_is_closed_or_refused(service, sent):
    with link(service) as client:
        client.sendall(sent)
        client.shutdown(socket.SHUT_WR)
        assert answers(client)[:12] in (b"", b"HTTP/1.1 400")
    assert quick(service)


def test_pipelined_requests_are_answered_in_order_and_garbage_after_them_is_refused(service):
    good = head(length=len(SETUP)) + SETUP
    with link(service) as client:
        client.sendall(good + head("/v1/games", "GET") + b"\x00garbage\r\n\r\n" + good)
        client.shutdown(socket.SHUT_WR)
        found = answers(client)
    statuses = [part[:3] for part in found.split(b"HTTP/1.1 ")[1:]]
    assert statuses == [b"200", b"200", b"400"]


@pytest.mark.parametrize(
    "pieces",
    [b"zz\r\n{}\r\n", b"5\r\n{}\r\n0\r\n\r\n", b"-1\r\n", b"2\r\n{}", b"", b"fffffffffffffffffff\r\n{}"],
)
def test_broken_pieces_of_a_body_are_refused(service, pieces):
    sent = head(Transfer_Encoding="chunked") + pieces
    status, _, problem = said(service, sent)
    assert (status, problem["type"]) == (400, "/docs/problems/bad-request")
    assert quick(service)


def test_a_body_in_pieces_is_read(service):
    pieces = b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in (SETUP[:20], SETUP[20:])) + b"0\r\n\r\n"
    assert said(service, head(Transfer_Encoding="chunked") + pieces)[0] == 200


def test_a_body_that_ends_early_is_refused(service):
    status, _, problem = said(service, head(length=len(SETUP) + 50) + SETUP)
    assert (status, problem["type"]) == (400, "/docs/problems/bad-request")
    assert quick(service)


@pytest.mark.parametrize("length", [(1 << 20) + 1, 10**12])
def test_a_body_that_says_it_is_too_large_is_refused_unread(service, length):
    began = begin(service)
    status, _, problem = said(service, head(length=length) + b"{}")
    assert (status, problem["type"]) == (413, "/docs/problems/too-large")
    assert took(service, began) < 1


def test_expect_100_continue_is_answered(service):
    with link(service) as client:
        client.sendall(head(length=len(SETUP), Expect="100-continue"))
        assert client.recv(65536).startswith(b"HTTP/1.1 100")
        client.sendall(SETUP)
        assert client.recv(65536).startswith(b"HTTP/1.1 200")


def test_answers_do_not_tell_what_the_server_is(service):
    for path in ("/livez", "/nope", "/docs/", "/metrics"):
        _, headers, _ = (*said_raw(service, path), None)
        assert "server" not in headers


def said_raw(service, path):
    request = urllib.request.Request(f"http://127.0.0.1:{service.port}{path}")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, {k.lower(): v for k, v in answer.headers.items()}
    except urllib.error.HTTPError as error:
        return error.code, {k.lower(): v for k, v in error.headers.items()}


def test_who_does_not_close_after_the_last_answer_stops_nobody(service):
    """Each of them may take its time to close, and the worker, which is the only one, goes on meanwhile."""
    with ExitStack() as open_still:
        for _ in range(50):
            client = open_still.enter_context(link(service))
            client.sendall(head("/livez", "GET", Connection="close"))
            assert b" 200 " in answers(client)
        assert said_raw(service, "/livez")[0] == 200  # were each waited for, nobody's patience would last


def test_what_is_still_sent_after_the_last_answer_costs_nobody_that_answer(service):
    with link(service) as client:
        client.sendall(head("/livez", "GET", Connection="close"))
        for _ in range(100):
            try:
                client.sendall(b"x" * 100)
            except (BrokenPipeError, ConnectionResetError):
                break
            time.sleep(0.001)
        assert b" 200 " in client.recv(65536)


def test_nothing_of_all_this_is_a_fault_of_ours(service):
    assert "fault" not in service.errors.read_text()
    assert "Traceback" not in service.errors.read_text()


def test_a_client_that_hangs_up_is_noticed_and_one_that_sends_on_is_not():
    from service.worker import Paced

    ours, theirs = socket.socketpair()
    paced = Paced(fileno=ours.detach())
    with paced, theirs:
        paced.settimeout(30)
        assert not paced.in_vain()
        theirs.sendall(b"GET ")
        assert not paced.in_vain()
        assert paced.recv(9) == b"GET ", "it is still there to be read"
        assert not paced.in_vain()
        theirs.close()
        assert paced.in_vain()
