import contextlib
import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import redis

from service import __version__, serve
from service.config import Settings
from tests.ops.conftest import ARBITR, ROOT, Running, arbitr, clean_env
from tests.patience import PATIENCE, Pace, until


def store_of(service, data=".arbitr"):
    return redis.Redis(unix_socket_path=str(service.cwd / data / "store.sock"), socket_timeout=PATIENCE)


def test_version(tmp_path):
    done = arbitr("--version", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"arbitr {__version__}\n")


def test_no_command_is_a_usage_error(tmp_path):
    done = arbitr(cwd=tmp_path)
    assert done.returncode == 2
    assert "usage: arbitr" in done.stderr


def test_help_lists_the_settings(tmp_path):
    done = arbitr("serve", "--help", cwd=tmp_path)
    assert done.returncode == 0
    assert "ARBITR_REDIS_URL" in done.stdout


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    """One for all that leave it alone."""
    service = Running((*ARBITR, "serve"), tmp_path_factory.mktemp("first"))
    yield service.wait_up()
    service.end()


def test_it_says_where_it_listens_and_answers(first):
    service = first
    assert service.said == [
        f"Arbitr is listening on http://127.0.0.1:{service.port}",
        f"The API is described at http://127.0.0.1:{service.port}/docs",
    ]
    assert service.get("/livez")
    assert store_of(service).ping()
    assert service.errors.read_text() == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("whole_group", [True, False])
def test_a_stop_leaves_nothing(start, number, whole_group):
    service = start()
    assert len(service.members) == 5, "leader, store, gunicorn and two workers"
    (os.killpg if whole_group else os.kill)(service.leader.pid, number)
    assert service.leader.wait(PATIENCE) == 0
    assert until(lambda: not service.left()), service.left()
    assert service.errors.read_text() == ""
    assert not (service.cwd / ".arbitr" / "store.sock").exists()


def test_a_service_started_with_sigint_ignored_still_stops(start):
    # What a shell without job control does to `arbitr serve &`.
    service = start(["sh", "-c", 'trap "" INT; exec "$@"', "sh", *ARBITR, "serve"])
    os.kill(service.leader.pid, signal.SIGINT)
    assert service.leader.wait(PATIENCE) == 0
    assert until(lambda: not service.left())


def test_a_stop_does_not_wait_for_an_idle_connection(start):
    service = start()
    with socket.create_connection(("127.0.0.1", service.port)) as link:
        link.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
        assert link.recv(4096).startswith(b"HTTP/1.1 200")
        with Pace() as pace:
            begun = time.monotonic()
            service.leader.send_signal(signal.SIGTERM)
            assert service.leader.wait(PATIENCE) == 0
            took = time.monotonic() - begun
        assert took < 8 * pace.slower


def test_a_stop_does_not_wait_for_connections_that_say_nothing(start):
    service = start(ARBITR_READ_TIME=60, ARBITR_STREAM_PORT=0, ARBITR_REDIS_URL="redis://127.0.0.1:1/0")
    with contextlib.ExitStack() as links:
        for port in (service.port, service.port, service.streams):
            links.enter_context(socket.create_connection(("127.0.0.1", port)))
        time.sleep(0.5)
        with Pace() as pace:
            begun = time.monotonic()
            service.leader.send_signal(signal.SIGTERM)
            assert service.leader.wait(PATIENCE) == 0
            took = time.monotonic() - begun
        assert took < 6 * pace.slower
    assert service.errors.read_text() == ""


@pytest.fixture
def slow(tmp_path):
    """Settings under which a request whose query is a number takes that many seconds, and leaves a file `begun`."""
    (tmp_path / "sitecustomize.py").write_text(SLOW)
    return {"PYTHONPATH": f"{tmp_path}:{ROOT}", "BEGUN": tmp_path / "begun"}


SLOW = """
import os, time, flask
answer = flask.Flask.wsgi_app
def slowly(app, environ, start):
    if environ["QUERY_STRING"]:
        open(os.environ["BEGUN"], "w").close()
        time.sleep(float(environ["QUERY_STRING"]))
    return answer(app, environ, start)
flask.Flask.wsgi_app = slowly
"""


def test_a_stop_lets_a_running_request_finish(start, slow):
    service = start(**slow)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(service.get, "/livez?1")
        assert until(slow["BEGUN"].exists)
        os.killpg(service.leader.pid, signal.SIGINT)
        assert answer.result()
    assert service.leader.wait(PATIENCE) == 0


def test_a_second_stop_does_not_wait(start, slow):
    service = start(**slow)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(service.get, "/livez?8")
        assert until(slow["BEGUN"].exists)
        with Pace() as pace:
            begun = time.monotonic()
            os.killpg(service.leader.pid, signal.SIGINT)
            time.sleep(0.3)
            os.killpg(service.leader.pid, signal.SIGINT)
            assert service.leader.wait(PATIENCE) == 0
            took = time.monotonic() - begun
        assert took < 4 * pace.slower
        with pytest.raises((OSError, http.client.HTTPException)):
            answer.result()
    assert until(lambda: not service.left())


def test_kill_9_ends_the_store_and_the_workers(start):
    service = start()
    store_of(service).set("kept", "yes")
    service.leader.kill()
    service.leader.wait()
    assert until(lambda: not service.left()), service.left()
    assert store_of(start()).get("kept") == b"yes"


def test_kill_9_waits_for_no_drain(start):
    """The port is free again for whoever starts it anew."""
    service = start(ARBITR_DRAIN=40, ARBITR_STREAM_PORT=0)
    with Pace() as pace:
        begun = time.monotonic()
        service.leader.kill()
        service.leader.wait()
        assert until(lambda: not service.left()), service.left()
        took = time.monotonic() - begun
    assert took < 6 * pace.slower
    start(PORT=service.port)


def test_what_the_store_holds_survives_a_restart(start):
    first = start()
    store_of(first).set("kept", "yes")
    first.leader.terminate()
    assert first.leader.wait(PATIENCE) == 0
    assert store_of(start()).get("kept") == b"yes"


def test_a_store_that_ends_is_started_again(start):
    service = start()
    store_of(service).set("kept", "yes")
    (store,) = service.named("valkey-server")
    os.kill(store, signal.SIGKILL)
    assert until(lambda: [pid for pid in service.named("valkey-server") if pid != store])
    assert until(lambda: (service.cwd / ".arbitr" / "store.sock").exists())
    assert store_of(service).get("kept") == b"yes"
    assert service.get("/livez")
    assert "starting it again" in service.errors.read_text()
    service.leader.terminate()
    assert service.leader.wait(PATIENCE) == 0
    assert not service.named("valkey-server")


def test_a_worker_that_is_killed_is_replaced(start):
    service = start(ARBITR_WORKERS=1)
    _, worker = sorted(service.named("gunicorn"))
    os.kill(worker, signal.SIGKILL)
    assert until(lambda: len(service.named("gunicorn")) == 2 and worker not in service.named("gunicorn"))
    assert until(lambda: service.get("/livez"))
    assert service.leader.poll() is None


def test_a_second_service_does_not_touch_the_first_ones_data(start, first):
    store_of(first).set("mine", "yes")
    before = (first.cwd / ".arbitr" / "store.log").read_bytes()
    done = arbitr("serve", cwd=first.cwd, PORT=0)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"arbitr: the data folder {first.cwd}/.arbitr is in use by another arbitr serve "
        f"(process {first.leader.pid}); stop that one, or name another folder with ARBITR_DATA\n"
    )
    assert store_of(first).get("mine") == b"yes"
    assert (first.cwd / ".arbitr" / "store.log").read_bytes() == before
    second = start(ARBITR_DATA="other")
    assert store_of(second, "other").get("mine") is None


def test_a_taken_port_is_told_before_anything_is_started(first):
    done = arbitr("serve", cwd=first.cwd, PORT=first.port, ARBITR_DATA="other")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"arbitr: port {first.port} on 127.0.0.1 is taken; choose another with PORT={first.port + 2}\n"
    )
    assert not (first.cwd / "other").exists()


def test_a_port_of_another_program_is_taken_even_if_it_shares(tmp_path):
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        other.bind(("127.0.0.1", 0))
        other.listen()
        done = arbitr("serve", cwd=tmp_path, PORT=other.getsockname()[1])
    assert done.returncode == 2
    assert "is taken" in done.stderr


def test_of_services_that_start_at_once_one_gets_the_port(start, tmp_path):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    rivals = [start(up=False, PORT=port, ARBITR_DATA=f"data{n}") for n in range(3)]
    assert until(lambda: sum(rival.leader.poll() == 2 for rival in rivals) == 2)
    (winner,) = [rival for rival in rivals if rival.leader.poll() is None]
    assert winner.wait_up().port == port


@pytest.mark.parametrize(
    ("env", "said"),
    [
        ({"PORT": "x"}, "arbitr: PORT must be a whole number from 0 to 65535, not 'x'\n"),
        ({"ARBITR_BIND": "203.0.113.7"}, "arbitr: ARBITR_BIND '203.0.113.7' is no address of this machine\n"),
        ({"ARBITR_BIND": "a..b"}, "arbitr: ARBITR_BIND 'a..b' is no address of this machine\n"),
        ({"ARBITR_DATA": "/proc/x"}, "arbitr: the data folder /proc/x cannot be used ("),
    ],
)
def test_what_is_wrong_is_one_line_and_exit_2(tmp_path, env, said):
    done = arbitr("serve", cwd=tmp_path, **{"PORT": 0, **env})
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_an_unknown_variable_is_a_warning(tmp_path):
    done = arbitr("serve", cwd=tmp_path, PORT="x", ARBITR_BINT="y")
    assert "arbitr: warning: ARBITR_BINT is no setting; did you mean ARBITR_BIND?\n" in done.stderr


def test_a_named_redis_starts_no_store_and_is_not_needed_to_answer(start):
    service = start(ARBITR_REDIS_URL="redis://127.0.0.1:1/0")
    assert service.get("/livez")
    assert service.named("valkey-server") == []
    assert sorted(path.name for path in (service.cwd / ".arbitr").iterdir()) == ["server.key"]


def test_without_any_server_a_line_says_so(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(serve, "find_server", lambda: None)
    settings = Settings.from_env({"ARBITR_DATA": str(tmp_path)})
    assert serve.start_store(settings, serve.Signals()) is None
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("arbitr: no store: ")
    assert "ARBITR_REDIS_URL" in line


def test_a_service_that_cannot_load_ends_with_1_and_leaves_nothing(start, tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import sys; sys.modules['service.app'] = None")
    service = start(up=False, PYTHONPATH=f"{tmp_path}:{ROOT}")
    assert service.leader.wait(PATIENCE) == 1
    assert "arbitr: the service ended by itself (see above)" in service.errors.read_text()
    assert until(lambda: not service.left())


def test_packages_of_the_working_directory_do_not_shadow_ours(start, tmp_path):
    (tmp_path / "service").mkdir()
    (tmp_path / "service" / "__init__.py").write_text("raise SystemExit('shadowed')")
    command = [sys.executable, "-P", "-m", "service.cli", "serve"]
    assert start(command).get("/livez")


def test_each_worker_has_a_queue_of_its_own(first):
    # SO_REUSEPORT: else nearly all keep-alive connections may land on one worker.
    listening = [
        fields
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if (fields := line.split())[3] == "0A" and int(fields[1].split(":")[1], 16) == first.port
    ]
    assert len(listening) >= 2


@pytest.mark.parametrize("whole_group", [True, False])
def test_ctrl_c_ends_make_run(start, tmp_path, whole_group):
    service = start(["make", "run"], _cwd=ROOT, ARBITR_DATA=tmp_path / "data")
    assert service.get("/livez")
    leader = min(service.named("service.cli"))
    os.killpg(service.leader.pid, signal.SIGINT) if whole_group else os.kill(leader, signal.SIGINT)
    service.leader.wait(PATIENCE)
    assert until(lambda: not service.left()), service.left()
    assert "Error" not in service.errors.read_text()


def test_make_run_says_what_is_wrong_and_exits_2(tmp_path):
    env = clean_env(PORT="x")
    done = subprocess.run(
        ["make", "run"], cwd=ROOT, env=env, capture_output=True, text=True, timeout=2 * PATIENCE
    )
    assert done.returncode == 2
    assert done.stderr.startswith("arbitr: PORT must be a whole number")
