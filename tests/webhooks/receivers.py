"""Receivers of messages: small servers on this machine that answer as a test wants, however badly."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Answer = Callable[["Receiver", asyncio.StreamWriter], Awaitable[None]]


@dataclass(frozen=True)
class Received:
    """A request as it came."""

    line: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


@dataclass
class Receiver:
    """Takes requests and answers each by `answer`; `came`: what came so far."""

    answer: Answer
    secure: ssl.SSLContext | None = None
    came: list[Received] = field(default_factory=list)
    connections: int = 0
    news: asyncio.Event = field(default_factory=asyncio.Event)

    async def __aenter__(self) -> Receiver:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=self.secure)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *given: object) -> None:
        self._server.close()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/told?a=b"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("ascii").split("\r\n")
            headers = {k.lower(): v for k, _, v in (line.partition(": ") for line in head[1:] if line)}
            body = await reader.readexactly(int(headers["content-length"]))
            self.came.append(Received(head[0], headers, body))
            self.news.set()
            await self.answer(self, writer)
            await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def until(self, n: int, seconds: float = 20) -> list[Received]:
        """The first `n` requests, when they have come."""
        async with asyncio.timeout(seconds):
            while len(self.came) < n:
                self.news.clear()
                await self.news.wait()
        return self.came[:n]


def saying(text: bytes) -> Answer:
    """Always the same bytes."""

    async def answer(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
        writer.write(text)

    return answer


def status(number: int, *lines: str) -> Answer:
    """Always this status, with these header lines."""
    head = [f"HTTP/1.1 {number} Whatever", *lines, "Content-Length: 2", "", "ok"]
    return saying("\r\n".join(head).encode())


def in_turn(*answers: Answer) -> Answer:
    """One answer after the other; the last one for ever."""

    async def answer(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
        await answers[min(len(receiver.came), len(answers)) - 1](receiver, writer)

    return answer


async def hanging(receiver: Receiver, writer: asyncio.StreamWriter) -> None:
    """No answer, ever."""
    await asyncio.sleep(3600)
