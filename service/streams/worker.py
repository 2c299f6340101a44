"""gunicorn's worker for ASGI with what strangers need: a time for heads, problem documents, and an end that is told."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

from gunicorn.asgi import protocol
from gunicorn.workers import gasgi

from service.config import Settings
from service.http.limits import address_of
from service.http.readiness import STOPPING
from service.http.unasked import unasked
from service.streams.app import CUT

SPARE = 200  # connections beside the streams: such as have only begun, or are to be refused
STATUSES = {400, 414, 417, 431, 501}

protocol._CACHED_SERVER_HEADER = b""  # an answer does not tell what the server is


class Protocol(protocol.ASGIProtocol):
    """A connection: its head must arrive in time, and it can be cut."""

    late: asyncio.TimerHandle | None = None
    peer = ""

    def connection_made(self, transport: Any) -> None:
        """Let it in, if there is room, in all and for its address."""
        super().connection_made(transport)
        settings: Settings = self.worker.settings
        self.peer = peer_of(settings, transport.get_extra_info("peername"))
        self.worker.peers[self.peer] += 1
        most = settings.streams + SPARE
        if self.worker.nr_conns > most or (self.peer and self.worker.peers[self.peer] > (most + 1) // 2):
            transport.abort()
            return
        self.late = self.worker.loop.call_later(settings.read_time, transport.abort)

    def _is_websocket_upgrade(self, request: Any) -> bool:
        """We have no web sockets; who would like one is answered as if he had not said so."""
        return False

    def _on_headers_complete(self) -> Any:
        self._in_time()
        return super()._on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._in_time()
        if not self._conn_lost_handled:
            self.worker.peers[self.peer] -= 1
            self.worker.peers += Counter()  # forgets who has none
        super().connection_lost(exc)
        self.resume_writing()  # whoever waits to write need not

    def _in_time(self) -> None:
        if self.late is not None:
            self.late.cancel()

    def _build_http_scope(self, *given: Any) -> dict[str, Any]:
        """The scope, with a way to end the connection whatever it still has to send."""
        scope: dict[str, Any] = super()._build_http_scope(*given)
        extensions: Mapping[str, Any] = scope.get("extensions", {})
        return {**scope, "extensions": {**extensions, CUT: self._cut}}

    def _cut(self) -> None:
        self.transport.abort()
        self.resume_writing()

    def _send_error_response(self, status: int, message: str, extra_headers: Any = ()) -> None:
        """Refuse what is not HTTP as we understand it by a problem document."""
        if self.transport is None or self.transport.is_closing():  # nobody is there to be told
            return
        name = "internal-error" if status == 500 else "bad-request"
        known = status if status in STATUSES or status == 500 else 400
        self._safe_write(unasked(name, known, self.worker.settings.log_level))


def peer_of(settings: Settings, peer: Any) -> str:
    """Whose connection it is, as far as connections are shared out: not where addresses are not limited, nor behind
    proxies, of whose clients nothing is known before the head is there."""
    shared = settings.rate and not settings.trusted_proxies and isinstance(peer, tuple)
    return address_of(peer[0]) if shared else ""


class Worker(gasgi.ASGIWorker):
    """A worker whose application ends its streams before it is waited for them."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.settings = Settings.from_env()
        self.peers: Counter[str] = Counter()  # connections of each address
        gasgi.ASGIProtocol = Protocol

    def handle_exit_signal(self) -> None:
        """End, but first go on for a while, if that is set (`ARBITR_DRAIN`), and be not ready meanwhile."""
        wait = 0 if STOPPING.asked else self.settings.drain
        STOPPING.asked = True
        self.loop.call_later(wait, super().handle_exit_signal)

    async def _shutdown(self) -> None:
        self.asgi.end_streams()
        await super()._shutdown()
