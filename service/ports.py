"""The ports that a service listens on, held for it so that nobody else can join."""

import contextlib
import errno
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from service.config import OFF, Settings, UserError

PORT_WAIT = 1.0  # seconds that a predecessor who was killed may take to let go of the port


@contextlib.contextmanager
def hold_port(settings: Settings) -> Iterator[Settings]:
    """Take the port for us and yield the settings with the address and port as numbers.

    gunicorn listens with SO_REUSEPORT, which a second service of the same user could join unnoticed. So
    the port is bound here without it, which fails where anybody has it, and kept; only then is the option
    set, which lets our own gunicorn in. SO_REUSEADDR gets the port past connections that are dying, but
    would let a rival do the same as long as nobody listens, so it is taken off. This socket never listens.
    """
    with _held(Place(settings.bind, settings.port)) as (host, port):
        yield replace(settings, bind=host, port=port)


@contextlib.contextmanager
def hold_stream_port(settings: Settings) -> Iterator[Settings]:
    """The same for the port of the stream process, if there is to be one; the main service has its own already."""
    if settings.stream_port == OFF:
        yield settings
        return
    asked = settings.stream_port
    place = Place(settings.bind, _next(settings.port) if asked is None else asked, "ARBITR_STREAM_PORT")
    with contextlib.ExitStack() as held:
        try:
            _, port = held.enter_context(_held(place))
        except UserError:
            if asked is not None:
                raise
            _, port = held.enter_context(_held(replace(place, port=0)))
        yield replace(settings, stream_port=port)


@dataclass(frozen=True)
class Place:
    """Where to listen, and the setting that says so."""

    host: str
    port: int
    setting: str = "PORT"


@contextlib.contextmanager
def _held(place: Place) -> Iterator[tuple[str, int]]:
    """Hold a port as long as we are inside; its address and port as numbers. Raises UserError."""
    family, address = _resolve(place)
    with socket.socket(family, socket.SOCK_STREAM) as guard:
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        _bind(guard, address, place)
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 0)
        guard.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        yield guard.getsockname()[:2]


def _resolve(place: Place) -> tuple[int, tuple[object, ...]]:
    """Return family and address to bind. Raises UserError for a name that is none."""
    try:
        found = socket.getaddrinfo(place.host, place.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UserError(f"ARBITR_BIND {place.host!r} is no address of this machine") from None
    return found[0][0], found[0][4]


def _bind(guard: socket.socket, address: tuple[object, ...], place: Place) -> None:
    """Bind the socket. Raises UserError that says what is in the way."""
    end = time.monotonic() + PORT_WAIT
    while True:
        try:
            return guard.bind(address)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > end:
                raise UserError(_in_the_way(place, error.errno)) from None
        time.sleep(0.1)


def _in_the_way(place: Place, number: int | None) -> str:
    """Return the line that tells why the port cannot be had."""
    where = f"port {place.port} on {place.host}"
    if number == errno.EADDRINUSE:
        # Of two services that stand beside each other each has two ports.
        return f"{where} is taken; choose another with {place.setting}={_next(_next(place.port))}"
    if number == errno.EACCES:
        return f"{where} needs more rights than yours; choose another with {place.setting}=8000"
    return f"ARBITR_BIND {place.host!r} is no address of this machine"


def _next(port: int) -> int:
    """Return a port to propose."""
    return port + 1 if port < 65535 else 8000
