"""Streams inside the test: the application of the stream process beside that of the service, over one store."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from flask import Flask

from service.engine.registry import Registry
from service.sessions.redis_store import RedisStore
from service.sessions.visit import Desk
from service.streams.app import CUT, Streams
from tests.http.conftest import settings
from tests.http.kept import NOW, Kept, kept_app
from tests.sessions.stores import imitation

PORT = "8001"
HOST = b"table.example"


@dataclass
class House:
    """Both applications. `main` may be asked as ever; streams are read inside `House.run`."""

    main: Flask
    streams: Streams
    store: RedisStore

    @classmethod
    def open(cls, **more: str) -> House:
        given = {"ARBITR_STREAM_PORT": PORT, **more}
        main, store = _main(tuple(given.items()))
        registry: Registry = main.extensions["arbitr"].registry
        streams = Streams(settings(**given), registry, store)
        streams.desk = Desk(store, registry, streams.desk.fairness, lambda: NOW)
        return cls(main, streams, store)

    def run(self, test: Callable[[House], Coroutine[Any, Any, None]], seconds: float = 60) -> None:
        """Run a test while the stream process works."""

        async def working() -> None:
            self.streams.open()
            try:
                await until(lambda: self.streams.hub.office.follower.listening)
                async with asyncio.timeout(seconds):
                    await test(self)
            finally:
                await self.streams.close()

        asyncio.run(working())

    def read(self, kept: Kept, who: str | None, query: str = "", **headers: str) -> Reader:
        """Begin to read the stream of a bearer."""
        at = f"/v1/sessions/{kept.id}/stream"
        given = {k.lower(): v for k, v in kept.headers(who, **headers).items()}
        return self.ask("GET", at, query, given)

    def ask(self, method: str, path: str, query: str = "", headers: Any = None) -> Reader:
        """Send any request."""
        given = {"host": HOST.decode(), "accept": "text/event-stream", **(headers or {})}
        reader = Reader()
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": query.encode(),
            "headers": [(k.encode(), v.encode("latin-1")) for k, v in given.items()],
            "client": (given.pop("peer", "10.0.0.1"), 1),
            "scheme": "http",
            "extensions": {CUT: reader.cut},
        }
        reader.task = asyncio.create_task(self.streams(scope, reader.receive, reader.send))
        return reader


@cache
def _main(given: tuple[tuple[str, str], ...]) -> tuple[Flask, RedisStore]:
    """The service; putting it together takes longer than most tests."""
    store = imitation()
    return kept_app(store, **dict(given)), store


@dataclass
class Reader:
    """A client: what it has been sent. While `open` is clear it takes nothing."""

    task: Any = None
    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: bytes = b""
    done: bool = False
    was_cut: bool = False

    def __post_init__(self) -> None:
        self.open, self.gone = asyncio.Event(), asyncio.Event()
        self.open.set()
        self.begun = False

    async def receive(self) -> Any:
        if not self.begun:
            self.begun = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        if self.gone.is_set():
            return
        if message["type"] == "http.response.start":
            assert not self.status, "an answer begins once"
            self.status = message["status"]
            self.headers = {k.decode().lower(): v.decode() for k, v in message["headers"]}
            return
        self.text += message["body"]
        self.done = not message.get("more_body")
        await self.open.wait()

    def cut(self) -> None:
        """What the server does to a connection that it ends at once."""
        self.was_cut = True
        self.gone.set()
        self.open.set()

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Everything that came whole: `{"id", "event"?, "data"}`."""
        found = []
        for block in self.text.decode().split("\n\n")[:-1]:
            fields = dict(line.split(": ", 1) for line in block.split("\n") if ": " in line)
            if "data" in fields:
                found.append({**fields, "id": int(fields["id"]), "data": json.loads(fields["data"])})
        return found

    @property
    def told(self) -> list[dict[str, Any]]:
        """The messages about versions."""
        return [message for message in self.messages if "event" not in message]

    @property
    def ids(self) -> list[int]:
        return [message["id"] for message in self.told]

    @property
    def last(self) -> Any:
        return self.told[-1]["data"]

    @property
    def events(self) -> list[Any]:
        return [event for message in self.told for event in message["data"]["events"]]

    @property
    def json(self) -> Any:
        return json.loads(self.text)

    async def come(self, n: int) -> Reader:
        """Wait for so many messages, and see that there are no more."""
        assert await until(lambda: len(self.ids) >= n or self.done), (self.status, self.ids)
        assert len(self.ids) == n, (self.status, self.ids)
        return self

    async def ended(self) -> Reader:
        """Wait for the end of the answer."""
        await asyncio.wait_for(asyncio.shield(self.task), 10)
        return self

    async def hang_up(self) -> None:
        self.gone.set()
        self.open.set()
        with suppress(asyncio.CancelledError):
            await asyncio.wait_for(self.task, 10)


async def until(condition: Callable[[], bool], seconds: float = 10) -> bool:
    end = asyncio.get_running_loop().time() + seconds
    while not condition() and asyncio.get_running_loop().time() < end:
        await asyncio.sleep(0.005)
    return condition()
