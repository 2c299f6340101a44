"""gunicorn's worker for ASGI with what strangers need: a time for heads, problem documents, and an end that is told."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from gunicorn.asgi import protocol
from gunicorn.workers import gasgi

from service.config import Settings
from service.http.problems import unasked
from service.http.readiness import STOPPING
from service.streams.app import CUT

SPARE = 200  # connections beside the streams: such as have only begun, or are to be refused
STATUSES = {400, 414, 417, 431, 501}

protocol._CACHED_SERVER_HEADER = b""  # an answer does not tell what the server is


class Protocol(protocol.ASGIProtocol):
    """A connection: its head must arrive in time, and it can be cut."""

    late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Let it in, if there is room."""
        super().connection_made(transport)
        settings: Settings = self.worker.settings
        if self.worker.nr_conns > settings.streams + SPARE:
            transport.abort()
            return
        self.late = self.worker.loop.call_later(settings.read_time, transport.abort)

    def _on_headers_complete(self) -> Any:
        self._in_time()
        return super()._on_headers_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """It has ended."""
        self._in_time()
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
        name = "internal-error" if status == 500 else "bad-request"
        known = status if status in STATUSES or status == 500 else 400
        self._safe_write(unasked(name, known))


class Worker(gasgi.ASGIWorker):
    """A worker whose application ends its streams before it is waited for them."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.settings = Settings.from_env()
        gasgi.ASGIProtocol = Protocol

    def handle_exit_signal(self) -> None:
        """End, but first go on for a while, if that is set (`ARBITR_DRAIN`), and be not ready meanwhile."""
        wait = 0 if STOPPING.asked else self.settings.drain
        STOPPING.asked = True
        self.loop.call_later(wait, super().handle_exit_signal)

    async def _shutdown(self) -> None:
        self.asgi.end_streams()
        await super()._shutdown()
