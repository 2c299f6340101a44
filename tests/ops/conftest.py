"""Starts `arbitr serve` as a person would and knows every process that it started."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

from tests.patience import PATIENCE, until

ROOT = Path(__file__).parents[2]
ARBITR = [sys.executable, "-m", "service.cli"]


def clean_env(**more):
    """The environment without settings of ours, which whoever runs the tests may have, plus `more`."""
    env = {k: v for k, v in os.environ.items() if k != "PORT" and not k.startswith("ARBITR_")}
    # A caller's virtual environment, or the make that runs us, is none of the children's business.
    for name in ("VIRTUAL_ENV", "PYTHONPATH", "MAKELEVEL", "MAKEFLAGS", "MFLAGS"):
        env.pop(name, None)
    return {**env, "PYTHONPATH": str(ROOT), **{k: str(v) for k, v in more.items()}}


def arbitr(*arguments, cwd, **env):
    """Run the command to its end."""
    return subprocess.run(
        [*ARBITR, *arguments],
        cwd=cwd,
        env=clean_env(**env),
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
    )


def processes():
    """Every living process as {pid: parent}; a dead one that nobody has collected yet does not count."""
    found = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            state, parent = stat.read_text().rpartition(")")[2].split()[:2]
            if state not in "ZX":
                found[int(stat.parent.name)] = int(parent)
    return found


def family(pid):
    """`pid` and all its living descendants."""
    everybody, found = processes(), [pid]
    for member in found:
        found += [child for child, parent in everybody.items() if parent == member]
    return set(found)


class Running:
    """A service that was started, its address and its processes."""

    def __init__(self, command, cwd, **env):
        self.cwd = cwd
        self.env = env
        self.errors = cwd / "stderr.txt"
        with self.errors.open("ab") as errors:
            self.leader = subprocess.Popen(
                command,
                cwd=env.pop("_cwd", cwd),
                env=clean_env(**{"PORT": 0, "ARBITR_STREAM_PORT": "off", **env}),
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                start_new_session=True,
            )
        self.said, self.logged = [], []
        self.up = threading.Event()
        self.listener = threading.Thread(target=self._listen, daemon=True)
        self.listener.start()
        self.members = {self.leader.pid}

    def _listen(self):
        """Take everything off the pipe: a service whose lines nobody takes stands still when it is full."""
        for line in self.leader.stdout:
            (self.logged if self.up.is_set() else self.said).append(line.strip())
            if "/docs" in line:
                self.up.set()

    def all_logged(self):
        """The lines after the start of a service that ends."""
        self.listener.join(PATIENCE)
        assert not self.listener.is_alive()
        return self.logged

    def wait_up(self):
        assert until(lambda: self.up.is_set() or not self.listener.is_alive())
        if not self.up.is_set():
            raise AssertionError(f"not up: {self.said} {self.errors.read_text()}")
        told = next(line for line in self.said if "listening on" in line)
        self.port = int(re.search(r":(\d+)$", told)[1])
        workers = int(self.env.get("ARBITR_WORKERS", 2))
        assert until(lambda: len(self.named("gunicorn")) == 1 + workers)
        if self.env.get("ARBITR_STREAM_PORT", "off") != "off":
            assert until(lambda: len(self.named("service.streams")) == 2)
            assert until(lambda: any("Streams" in line for line in self.logged), 60)
            self.streams = int(next(line for line in self.logged if "Streams" in line).rpartition(":")[2])
        self.members = family(self.leader.pid)
        return self

    def get(self, path):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=PATIENCE) as answer:
            return answer.read()

    def named(self, word):
        """The members whose command line holds the word."""
        found = []
        for pid in family(self.leader.pid):
            with contextlib.suppress(OSError):
                if word in Path(f"/proc/{pid}/cmdline").read_text():
                    found.append(pid)
        return found

    def left(self):
        """The members that still live."""
        return self.members & set(processes())

    def end(self):
        for pid in self.left() | family(self.leader.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.leader.wait(PATIENCE)
        self.listener.join(PATIENCE)
        self.leader.stdout.close()


@pytest.fixture
def start(tmp_path):
    """Start a service in an empty folder; whatever is left of it afterwards is killed."""
    services = []

    def start(command=(*ARBITR, "serve"), cwd=tmp_path, up=True, **env):
        service = Running(command, cwd, **env)
        services.append(service)
        return service.wait_up() if up else service

    yield start
    for service in services:
        service.end()
