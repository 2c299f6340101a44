import os
import signal
import subprocess
import sys

import pytest

from service.process import Child
from tests.ops.conftest import clean_env, family, processes
from tests.patience import PATIENCE, until

SLEEP = [sys.executable, "-c", "import time; time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(flush=True); time.sleep(600)",
]


@pytest.mark.parametrize("watchdog", [False, True])
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_a_child_never_outlives_its_parent(watchdog, end):
    code = f"""
import sys, time
from service.process import Child
print(Child({SLEEP!r}, watchdog={watchdog}).pid, flush=True)
time.sleep(600)
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=clean_env()) as parent:
        child = int(parent.stdout.readline())
        members = family(parent.pid)
        assert child in members
        parent.send_signal(end)
        parent.wait()
    assert until(lambda: not members & set(processes()))


@pytest.mark.parametrize("watchdog", [False, True])
def test_a_child_is_stopped_and_its_watchdog_with_it(watchdog):
    others = family(os.getpid())  # whatever fixtures of other tests keep running
    child = Child(SLEEP, watchdog=watchdog)
    members = family(os.getpid()) - others
    assert child.pid in members
    assert child.poll() is None
    assert child.stop(PATIENCE) == -signal.SIGTERM
    assert until(lambda: not members & set(processes()))


@pytest.mark.parametrize("options", [{"seconds": 0.1}, {"seconds": 600, "hurry": lambda: True}])
def test_a_child_that_will_not_end_is_killed(options):
    read, write = os.pipe()
    child = Child(STUBBORN, stdout=write)
    os.read(read, 1)
    assert child.stop(**options) == -signal.SIGKILL
    os.close(read)
    os.close(write)


def test_the_exit_code_is_reported():
    child = Child([sys.executable, "-c", "raise SystemExit(7)"])
    assert until(lambda: child.poll() == 7)
    assert child.stop(PATIENCE) == 7


def test_a_child_is_in_a_session_of_its_own():
    child = Child(SLEEP)
    assert os.getsid(child.pid) == child.pid != os.getsid(0)
    child.stop(PATIENCE)
