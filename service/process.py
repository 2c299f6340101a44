"""Child processes that never outlive this one, however it ends."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

PR_SET_PDEATHSIG = 1
SLICE = 0.05  # seconds between two looks at a process that is to end


def _load_prctl() -> Any:
    """Return Linux's prctl, or None where there is none."""
    if not sys.platform.startswith("linux"):
        return None
    return getattr(ctypes.CDLL(None, use_errno=True), "prctl", None)


# Loaded here, not in the forked child, where nothing but the call itself is safe.
_prctl = _load_prctl()


def _die_with(parent: int, death: int) -> Callable[[], None]:
    """Return what a forked child runs so that the kernel sends it `death` when `parent` ends."""

    def tie() -> None:
        _prctl(PR_SET_PDEATHSIG, death, 0, 0, 0)
        if os.getppid() != parent:  # the parent ended before the line above
            os._exit(1)

    return tie


class Child:
    """A running child in a session of its own, so that Ctrl-C reaches it only through its parent.

    When this process ends in any way, kill -9 included, the child gets the signal `death`. On Linux the
    kernel sees to it (start the child from the main thread: the promise is tied to the thread), elsewhere a
    small watchdog process. `watchdog=True` asks for the watchdog on Linux as well.
    """

    def __init__(
        self,
        command: Sequence[str],
        death: signal.Signals = signal.SIGKILL,
        watchdog: bool | None = None,
        **options: Any,
    ) -> None:
        watched = _prctl is None if watchdog is None else watchdog
        tie = None if watched else _die_with(os.getpid(), death)
        self._popen = subprocess.Popen(
            command, start_new_session=True, preexec_fn=tie, stdin=subprocess.DEVNULL, **options
        )
        self._watchdog = _start_watchdog(self._popen.pid, death) if watched else None

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal, or None while it runs."""
        code = self._popen.poll()
        if code is not None:
            self._stand_down()
        return code

    def ask(self) -> None:
        """Ask it to end, and do not wait for that."""
        if self.poll() is None:
            self._popen.send_signal(signal.SIGTERM)

    def stop(self, seconds: float, hurry: Callable[[], bool] = lambda: False) -> int:
        """Ask it to end (SIGTERM) and return its exit code; kill it after `seconds`, or once `hurry()`."""
        self.ask()
        end = time.monotonic() + seconds
        while self.poll() is None:
            if time.monotonic() > end or hurry():
                self.kill()
            time.sleep(SLICE)
        return self._popen.returncode

    def kill(self) -> None:
        """End it and what it started, at once."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.wait()

    def _stand_down(self) -> None:
        """End the watchdog: its process is gone and the number may soon be another's."""
        if self._watchdog is not None:
            self._watchdog.communicate(b"done")
            self._watchdog = None


def _start_watchdog(pid: int, death: int) -> subprocess.Popen[bytes]:
    """Start a process that sends `death` to `pid` when this one ends."""
    command = [sys.executable, __file__, str(pid), str(int(death))]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True)


def _watch(pid: int, death: int) -> None:
    """Wait until the other end of stdin is closed; signal `pid` unless something was written before."""
    if not sys.stdin.buffer.read():
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, death)


if __name__ == "__main__":
    _watch(int(sys.argv[1]), int(sys.argv[2]))
