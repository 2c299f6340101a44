"""A service to put load on: gunicorn on a free port of the loopback address, and what its workers use."""

import contextlib
import http.client
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from service.config import Settings
from service.process import Child
from service.serve import hold_port
from service.sessions.embedded import EmbeddedStore, find_server

ROOT = Path(__file__).parents[1]
WORKERS = 2
KEY = bytes(32)  # so that load can be sealed before it is sent
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Server:
    """Where it listens, and the process that its workers are children of."""

    port: int
    pid: int
    store: str  # where the sessions are kept

    def workers(self) -> list[int]:
        return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]

    def cpu(self) -> float:
        """Seconds of CPU that the workers have used."""
        return sum(self.each_cpu())

    def each_cpu(self) -> list[float]:
        """The same of each."""
        return [_cpu(pid) for pid in self.workers()]

    def resident(self) -> list[float]:
        """Megabytes (2^20) of memory that each worker holds, shared pages included."""
        return [_resident(pid) for pid in self.workers()]


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _resident(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS:")) / 1024


@contextlib.contextmanager
def running() -> Iterator[Server]:
    """Start the service with the settings that nobody touched, but for limits, which would answer 429."""
    with tempfile.TemporaryDirectory() as data, stored(Path(data) / "store") as store:
        told = {
            "ARBITR_REDIS_URL": store,
            "PORT": "0",
            "ARBITR_DATA": data,
            "ARBITR_WORKERS": str(WORKERS),
            "ARBITR_RATE": "0",
            "ARBITR_KEYS": KEY.hex(),
        }
        with hold_port(Settings.from_env(told)) as settings:
            ours = {k: v for k, v in os.environ.items() if k != "PORT" and not k.startswith("ARBITR_")}
            env = {**ours, **told, "PORT": str(settings.port), "PYTHONPATH": str(ROOT)}
            command = [sys.executable, "-m", "gunicorn", "-c", "python:benchmarks.gunicorn_conf"]
            with (Path(data) / "log").open("wb") as log:
                child = Child(command, death=signal.SIGTERM, cwd=ROOT, env=env, stdout=log, stderr=log)
            try:
                server = Server(settings.port, child.pid, store)
                _wait_up(child, server, Path(data) / "log")
                yield server
            finally:
                child.stop(10)


@contextlib.contextmanager
def stored(data: Path) -> Iterator[str]:
    """The embedded store, as `arbitr serve` starts it, and its address."""
    found = find_server()
    if found is None:
        raise SystemExit("sessions cannot be measured: there is no server to keep them")
    store = EmbeddedStore(found, data)
    store.start()
    try:
        yield store.url
    finally:
        store.stop()


def _wait_up(child: Child, server: Server, log: Path) -> None:
    end = time.monotonic() + 60
    while child.poll() is None and time.monotonic() < end:
        if len(server.workers()) == WORKERS and _answers(server.port):
            return
        time.sleep(0.05)
    raise SystemExit(f"the service did not start:\n{log.read_text()}")


def _answers(port: int) -> bool:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        link.request("GET", "/livez")
        return link.getresponse().status == 200
    except OSError:
        return False
    finally:
        link.close()
