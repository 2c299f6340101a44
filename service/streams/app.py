"""The ASGI application: streams of sessions, and how the process is."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import replace
from datetime import UTC, datetime
from math import ceil
from time import perf_counter, time
from typing import Any

import msgspec
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from service.config import Settings, server_keys
from service.engine.registry import Registry
from service.games import REGISTRY
from service.http import logs, metrics, problems, readiness
from service.http.limits import FAULTS, Limits, told
from service.http.outside import telling
from service.http.problems import Problem
from service.sessions import tickets
from service.sessions.fairness import Fairness
from service.sessions.keys import Keyring
from service.sessions.redis_store import RedisStore
from service.sessions.store import NoStore, Store, StoreAway, StoreFull
from service.sessions.tokens import digest
from service.sessions.visit import Desk, UnknownSession, Visit, enter
from service.streams import counts, messages, replies
from service.streams.asked import Asked
from service.streams.duties import DUTIES, on_duty
from service.streams.hub import Hub
from service.streams.messages import HELLO, Audience
from service.streams.office import Office
from service.streams.places import Places
from service.streams.replies import STREAMING, Reply, Send
from service.streams.stream import Stream

Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Scope = Mapping[str, Any]
CUT = "arbitr.cut"  # the extension of the server that ends a connection at once
METHODS, PLAIN_METHODS = "GET, OPTIONS", "GET, HEAD, OPTIONS"
LOG = logging.getLogger(__name__)


class Streams:
    """Answers `GET /v1/sessions/{id}/stream`, and does the duties of the process."""

    def __init__(self, settings: Settings, registry: Registry = REGISTRY, store: Store | None = None) -> None:
        self.settings = settings
        fairness = Fairness(Keyring(lambda: server_keys(settings)))
        self.desk = Desk(
            store or _store(settings), registry, fairness, lambda: int(time()), lambda: int(time() * 1000)
        )
        self.places = Places(settings.streams)
        counts.LIMIT.set(settings.streams)
        metrics.know(problems.table())
        self.limits = Limits(settings.rate) if settings.rate else None
        self.hub: Hub
        self._duties: asyncio.Task[None]
        logs.tell_faults()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
        elif scope["type"] == "http":
            asked = Asked.of(self.settings, scope)
            with telling(asked.outside):
                await self._answer(asked, scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    # -- the process ----------------------------------------------------------------------------------------------

    async def _live(self, receive: Receive, send: Send) -> None:
        await receive()
        self.open()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.close()
        await send({"type": "lifespan.shutdown.complete"})

    def open(self) -> None:
        """Begin to work, inside the loop and after the fork."""
        office = Office.opened(self.settings, self.desk)
        self.hub = Hub(office)
        every = (self.hub.follow, self.hub.tick, *DUTIES)
        self._duties = asyncio.create_task(on_duty(office, every))

    async def close(self) -> None:
        """Stop working; the streams have ended."""
        self._duties.cancel()
        await asyncio.wait([self._duties])
        self.hub.office.close()

    def end_streams(self) -> None:
        """The process is to end: end all streams, whose readers will come back to another."""
        self.hub.close()

    # -- a request ------------------------------------------------------------------------------------------------

    async def _answer(self, asked: Asked, scope: Scope, receive: Receive, send: Send) -> None:
        begun, status, log = perf_counter(), 200, dict[str, Any]()
        try:
            if asked.method == "GET" and asked.session is not None:
                await self._stream(asked, asked.session, scope, receive, send, log)
            else:
                reply = self._other(asked)
                status = reply.status
                await reply.give(asked, send)
        except Exception as error:
            reply = replies.problem(asked, error)
            status, log["reason"] = reply.status, reply.reason
            self._settle(asked, status)
            await reply.give(asked, send)
        finally:
            self._log(asked, status, begun, log)

    def _other(self, asked: Asked) -> Reply:
        """What is no stream. Raises Problem."""
        if asked.route == "none":
            raise Problem("not-found", path=asked.path)
        if asked.method == "OPTIONS" and self.settings.cors_origins:
            return Reply(204)
        plain = asked.session is None
        if asked.method != "GET" and not (plain and asked.method == "HEAD"):
            methods = PLAIN_METHODS if plain else METHODS
            headers = {"Allow": methods}
            raise Problem("method-not-allowed", method=asked.method[:20], allowed=methods, headers=headers)
        if asked.route == "/metrics":
            return Reply(200, generate_latest(), {"Content-Type": CONTENT_TYPE_LATEST})
        if asked.route == "/readyz":
            without = readiness.excluded(asked.parameters.items())
            readiness.demand_ready(readiness.missing(self._checks(), without))
        return replies.json({"status": "ok"})

    def _checks(self) -> dict[str, readiness.Check]:
        """What the process needs; nothing of it is asked here, in the loop."""
        follower = self.hub.office.follower
        return {
            readiness.PROCESS: readiness.stopping,
            readiness.STORE: lambda: None if follower.listening else "not listening",
        }

    def _log(self, asked: Asked, status: int, begun: float, log: Mapping[str, Any]) -> None:
        """A line as the main service writes it, at the end of the answer."""
        metrics.REQUESTS.labels(asked.route, status).inc()
        quiet = asked.route in logs.QUIET
        level = "error" if status == 500 else "debug" if quiet else "info"
        if logs.LEVELS[level] < logs.LEVELS[self.settings.log_level]:
            return
        line = {"request_id": asked.name, "method": asked.method[:20], "route": asked.route, "status": status}
        line |= {"ms": round((perf_counter() - begun) * 1000, 3), **log}
        line |= {"event": "request", "level": level, "timestamp": datetime.now(UTC)}
        logs.STDOUT.write(msgspec.json.encode(line) + b"\n")

    # -- a stream -------------------------------------------------------------------------------------------------

    async def _stream(
        self, asked: Asked, session: str, scope: Scope, receive: Receive, send: Send, log: dict[str, Any]
    ) -> None:
        """Answer with a stream, as long as it lasts; `log`: what is written of it. Raises what stands against it."""
        self._demand_room(asked)
        asked.demand_stream()
        after, ticket = asked.after, asked.ticket
        token = asked.token if ticket is None else ""
        with self.places.place(session, asked.client):
            visit, holder = await self._entered(session, token, ticket)
            audience = Audience(visit.bearer.seat, replace(asked.outside, request_id=None))
            cut = scope.get("extensions", {}).get(CUT, lambda: None)
            stream = Stream(audience, visit.bearer, holder, cut)
            try:
                visit = await self.hub.entered(stream, visit)
                self._settle(asked, 200)
                await send(Reply(200, headers=STREAMING).head(asked))
                await self._send_all(stream, visit, after, receive, send)
            finally:
                self.hub.leave(stream, session)
                log |= {"messages": stream.sent, **({"dropped": True} if stream.dropped else {})}

    def _demand_room(self, asked: Asked) -> None:
        """Whether the address may ask at all. Raises Problem."""
        if self.limits is not None and asked.client is not None:
            left, wait = self.limits.take(asked.client)
            asked.limits.update(told([self.limits.spent(left)]))
            if wait:
                seconds = ceil(wait)
                headers = {"Retry-After": str(seconds)}
                raise Problem("too-many-requests", headers=headers, seconds=seconds)

    def _settle(self, asked: Asked, status: int) -> None:
        """Remember how a request went that an address has paid for: who keeps failing pays more, who does not, less."""
        if self.limits is not None and asked.client is not None and asked.limits and status != 429:
            self.limits.note(asked.client, int(status in FAULTS))

    async def _entered(self, session: str, token: str, ticket: str | None) -> tuple[Visit, str]:
        """The visit of whoever asks, and the digest of his token. Raises UnknownSession."""
        if ticket is not None:
            return await self.hub.office.call(tickets.redeem, self.desk, session, ticket)
        return await self.hub.office.call(enter, self.desk, session, token), digest(token)

    async def _send_all(
        self, stream: Stream, visit: Visit, after: int | None, receive: Receive, send: Send
    ) -> None:
        """Send everything until one of the two ends it."""

        async def out(body: bytes) -> None:
            await send({"type": "http.response.body", "body": body, "more_body": True})

        gone = asyncio.create_task(_gone(receive))
        gone.add_done_callback(lambda _: stream.leave())
        with counts.OPEN.track_inprogress():
            try:
                await self._send_each(stream, visit, after, out)
            finally:
                left = gone.done()
                gone.cancel()
                counts.MESSAGES.inc(stream.sent)
                counts.DROPPED.inc(stream.dropped)
        if not (stream.dropped or left):
            await send({"type": "http.response.body", "body": b""})

    async def _send_each(
        self, stream: Stream, visit: Visit, after: int | None, out: Callable[[bytes], Awaitable[None]]
    ) -> None:
        """Send what the stream has to tell; where that cannot go on, the client may come back."""
        try:
            await stream.send(out, HELLO)
            async for message in self.hub.beginning(stream, visit, after):
                await stream.send(out, message)
            async for message in stream.messages():
                await stream.send(out, message)
        except UnknownSession:
            await stream.send(out, messages.end(stream.cursor, messages.SESSION_OVER))
        except (StoreAway, StoreFull):
            LOG.debug("the store is away")
        except Exception:
            LOG.exception("a fault of ours")


async def _gone(receive: Receive) -> None:
    """Return when the client has hung up."""
    while (await receive())["type"] != "http.disconnect":
        pass


def _store(settings: Settings) -> Store:
    if not settings.redis_url:
        return NoStore()  # type: ignore[return-value]
    return RedisStore.at(settings.redis_url, sure=(settings.wait_replicas, settings.wait_time))
