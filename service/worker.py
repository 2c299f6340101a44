"""gunicorn's threaded worker with what strangers need: deadlines, refusals that are problem documents, a slow end."""

import logging
import select
import selectors
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from gunicorn.http import errors, wsgi
from gunicorn.workers import gthread

from service.config import Settings
from service.http import metrics
from service.http.lean import AT_ONCE
from service.http.readiness import STOPPING
from service.http.slow import TooSlow
from service.http.unasked import unasked
from service.turns import Turns

STATUS = {
    errors.LimitRequestLine: 414,
    errors.ExpectationFailed: 417,
    errors.LimitRequestHeaders: 431,
    errors.UnsupportedTransferCoding: 501,
}
SETTINGS = Settings.from_env()
READ_TIME = SETTINGS.read_time
MOST_AT_ONCE = 65536  # bytes of a body that are copied behind its head
# Fields that have few values, and those of them that gunicorn has let through.
FEW = frozenset(
    (
        "Content-Type", "Content-Language", "Vary", "X-Content-Type-Options", "Referrer-Policy",
        "Content-Security-Policy", "Cache-Control", "Content-Encoding",
    )
)  # fmt: skip
MOST_PASSED = 256
PASSED: set[tuple[str, str]] = set()
LINGER = 2.0  # seconds in which a client may read its last answer before its connection is closed
MOST_DROPPED = 65536  # bytes that it may send meanwhile
LOG = logging.getLogger(__name__)


class Paced(socket.socket):
    """A client's socket: a request must have arrived, and its answer be taken, by an end that is set for each."""

    end: float | None = None
    worker: "Worker | None" = None
    stands_aside = False

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Inside, the request waits for something else than us and lets another be worked on; it may do so twice."""
        assert self.worker is not None
        if self.stands_aside:
            yield
            return
        self.stands_aside = True
        self.worker.turns.release()
        try:
            yield
        finally:
            self.worker.turns.acquire()
            self.stands_aside = False

    def in_vain(self) -> bool:
        """Whether nobody need wait here any more: the worker is to end, or the client has gone."""
        return (self.worker is not None and not self.worker.alive) or self._hung_up()

    def _hung_up(self) -> bool:
        """Whether the other end sends no more; what it has sent already, the next request, is left to be read."""
        ready = select.poll()
        ready.register(self, select.POLLIN)
        try:
            return bool(ready.poll(0)) and not super().recv(1, socket.MSG_PEEK)
        except OSError:
            return True

    def begin(self) -> None:
        """A request begins."""
        self.end = time.monotonic() + READ_TIME

    def _hurry(self) -> None:
        """Let the next call wait until the end and no longer. Raises TooSlow."""
        if self.end is not None:
            left = self.end - time.monotonic()
            if left <= 0:
                raise TooSlow(READ_TIME)
            self.settimeout(left)

    def shutdown(self, how: int) -> None:
        """Say that no more is sent; gunicorn then waits for the client to close, which must not take its time."""
        self.end = time.monotonic() + LINGER
        super().shutdown(how)

    def recv(self, *given: Any) -> bytes:
        """Receive, if something comes in time."""
        try:
            self._hurry()
            return super().recv(*given)
        except TimeoutError:
            raise TooSlow(READ_TIME) from None

    def sendall(self, *given: Any) -> None:
        """Send, if the client takes it in time; reading the request has taken its own."""
        self.begin()
        try:
            self._hurry()
            super().sendall(*given)
        except TimeoutError:
            raise TooSlow(READ_TIME) from None


class Connection(gthread.TConn):
    """A connection whose end nobody waits for."""

    def close(self, graceful: bool = False) -> None:
        """Close it; `graceful`: once the client has read its answer, for which it has LINGER seconds."""
        if graceful:
            self.sock.worker.linger(self.sock)
        else:
            super().close()


class Silent(wsgi.Response):
    """An answer that does not tell what the server is, and goes out by one call where all of it is there.

    `at_once`: whether that has been asked for.
    """

    headers_sent: bool
    at_once = False

    def default_headers(self) -> list[str]:
        """gunicorn's headers without `Server`."""
        return [line for line in super().default_headers() if not line.startswith("Server:")]

    def process_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        """What gunicorn does, but that a field which it has let through as it stands is not looked at again."""
        for field in headers:
            if field in PASSED:
                self.headers.append(field)
                continue
            before = len(self.headers)
            super().process_headers((field,))
            if field[0] in FEW and self.headers[before:] == [field] and len(PASSED) < MOST_PASSED:
                PASSED.add(field)

    def write(self, part: bytes) -> None:
        """What gunicorn does, with the head before a body that is all there: one call instead of two."""
        whole = type(part) is bytes and 0 < len(part) == self.response_length <= MOST_AT_ONCE
        if not (whole and self.at_once) or self.headers_sent or self._omits_body:
            super().write(part)
            return
        head = [*self.default_headers(), *[f"{name}: {value}\r\n" for name, value in self.headers], "\r\n"]
        self.sock.sendall("".join(head).encode("latin-1") + part)
        self.headers_sent, self.sent = True, len(part)


_create = wsgi.create


def create(*given: Any) -> tuple[Silent, dict[str, Any]]:
    """An answer to a request and its environ, with what asks for the answer to go out by one call."""
    answer, environ = _create(*given)
    environ[AT_ONCE] = partial(setattr, answer, "at_once", True)
    return answer, environ


wsgi.Response, wsgi.create = Silent, create


class Worker(gthread.ThreadWorker):
    """Threads are held by requests only: not by silent connections, and not for long by slow ones.

    There are more threads than requests that are worked on at once (`turns`): the others are for those that wait.
    """

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.turns = Turns(SETTINGS.threads)
        self.end: float | None = None  # when to end, if that has been asked for
        self.lingering: dict[Paced, tuple[float, int]] = {}  # till when, and how many bytes were dropped

    def handle_exit(self, sig: int, frame: Any) -> None:
        """End, but first go on for a while, if that is set (`ARBITR_DRAIN`): not ready, and closing connections.

        This interrupts anything, so it takes no lock and starts no thread: the loop sees to the end.
        """
        if not SETTINGS.drain or STOPPING.asked:
            super().handle_exit(sig, frame)
        else:
            self.max_keepalived = 0  # so that gunicorn lets no connection live on beyond its next answer
            self.end = time.monotonic() + SETTINGS.drain
        STOPPING.asked = True

    def murder_pending(self) -> None:
        """Close connections that say nothing, about once a second; and end when that is due."""
        super().murder_pending()
        now = time.monotonic()
        for client in [client for client, (till, _) in self.lingering.items() if till <= now]:
            self._let_go(client)
        if self.end is not None and time.monotonic() >= self.end:
            self.alive = False

    def set_accept_enabled(self, enabled: bool) -> None:
        """At the end take in who has come already, and refuse others at once, who then know that nothing was done."""
        super().set_accept_enabled(enabled)
        if enabled or self.alive:
            return
        for listener in self.sockets:
            for _ in range(self.cfg.backlog):
                if not self._taken_in(listener):
                    break
            listener.close()

    def _cap_keepalive(self, deadline: float) -> None:
        """At the end connections have until then: those that are kept alive, and those that never said a word."""
        super()._cap_keepalive(deadline)
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, deadline)

    def accept(self, listener: socket.socket) -> None:
        """Let a new connection wait outside the threads until its request begins to arrive."""
        self._taken_in(listener)

    def _taken_in(self, listener: socket.socket) -> bool:
        """Take the next connection, if there is one."""
        try:
            client, address = listener.accept()
        except (BlockingIOError, ConnectionAbortedError, InterruptedError):
            return False
        self.nr_conns += 1
        paced = Paced(fileno=client.detach())
        paced.worker = self
        conn = Connection(self.cfg, paced, address, listener.getsockname())
        conn.timeout = time.monotonic() + READ_TIME
        self.pending_conns.append(conn)
        ready = partial(self.on_pending_socket_readable, conn)
        self.poller.register(paced, selectors.EVENT_READ, ready)
        return True

    def linger(self, client: Paced) -> None:
        """Say that nothing more comes, and close once the client has closed, or has had its time.

        Were it closed at once, what still comes in would make the system throw away an answer that was not read.
        gunicorn waits for that where all other connections wait, too: anybody could stop a worker by not closing.
        """
        self.nr_conns += 1  # it is one still, also for the end of the worker
        try:
            client.shutdown(socket.SHUT_WR)
            client.setblocking(False)
            self.poller.register(client, selectors.EVENT_READ, self._drop)
        except (OSError, ValueError):
            self.nr_conns -= 1
            client.close()
        else:
            self.lingering[client] = time.monotonic() + LINGER, 0

    def _drop(self, client: Paced) -> None:
        """Read away what a client sends to a connection that is at its end."""
        try:
            part = socket.socket.recv(client, 4096)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        till, dropped = self.lingering[client]
        self.lingering[client] = till, dropped + len(part)
        if not part or dropped + len(part) >= MOST_DROPPED:
            self._let_go(client)

    def _let_go(self, client: Paced) -> None:
        del self.lingering[client]
        self.nr_conns -= 1
        self.poller.unregister(client)
        client.close()

    def handle(self, conn: Any) -> Any:
        """Answer the next request of a connection."""
        with self.turns:
            conn.sock.begin()
            return super().handle(conn)

    def handle_error(self, req: Any, client: Paced, address: Any, error: Exception) -> None:
        """Refuse what is not HTTP as we understand it by a problem document."""
        ours = not isinstance(error, errors.ParseException)
        if ours:
            LOG.error("a fault of ours", exc_info=error, extra=metrics.COUNTED)
        status = 500 if ours else STATUS.get(type(error), 400)
        answer = unasked("internal-error" if ours else "bad-request", status, SETTINGS.log_level)
        try:
            client.sendall(answer)
        except OSError:
            LOG.debug("a client did not wait for its refusal")
