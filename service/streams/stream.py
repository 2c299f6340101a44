"""One open stream: what it has still to be sent, in order, each version once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from time import monotonic
from typing import Any

from service.sessions.tokens import Bearer
from service.streams.messages import COMMENT, Audience

QUEUE = 256  # messages that may wait for a reader; who falls further behind is dropped, and can come back
QUIET = 15.0  # seconds of silence after which a comment is sent
STALLED = 30.0  # seconds that a reader may take over one message


class Stream:
    """What a bearer is sent. `told`: the digest of his token; `cut` ends the connection, at once.

    `cursor` is the last version that was sent: what comes twice, from the log and from the hub, is sent once. `anew`:
    how often it has begun anew.
    """

    def __init__(self, audience: Audience, bearer: Bearer, told: str, cut: Callable[[], None]) -> None:
        self.audience, self.bearer, self.told = audience, bearer, told
        self.cursor = self.sent = self.anew = 0
        self.over = False  # nothing is to be sent any more, whatever still waits
        self.dropped = False
        self._cut = cut
        self._queue: deque[tuple[int | None, bytes]] = deque()
        self._any = asyncio.Event()
        self._end: bytes | None = None
        self._since: float | None = None  # when the message that is being sent began to be
        self._last = monotonic()

    # -- what the hub does ----------------------------------------------------------------------------------------

    def push(self, version: int | None, message: bytes) -> None:
        """Send a message when its turn has come; None: one that is of no version. After the end nothing is taken."""
        if self.over or self._end is not None:
            return
        if len(self._queue) >= QUEUE:
            self.drop()
        else:
            self._queue.append((version, message))
            self._any.set()

    def begin_anew(self) -> None:
        """Forget what waits, and how far we have come: the store has lost what it held."""
        self._queue.clear()
        self.cursor, self.anew = 0, self.anew + 1

    def finish(self, message: bytes | None = None) -> None:
        """Send what waits, then this, then nothing."""
        if self._end is None:
            self._end = message or b""
        self._any.set()

    def leave(self) -> None:
        """Send nothing any more: the reader has gone."""
        self.over = True
        self._any.set()

    def drop(self) -> None:
        """The reader is too slow: his connection ends, and what waits for him is forgotten."""
        if not self.over:
            self.dropped = True
            self._queue.clear()
            self.leave()
            self._cut()

    def tick(self, now: float) -> None:
        """Comment on a silence; drop who does not read. To be called now and then."""
        if self._since is not None:
            if now - self._since > STALLED:
                self.drop()
        elif now - self._last >= QUIET and not self._queue:
            self.push(None, COMMENT)

    # -- what the connection does ---------------------------------------------------------------------------------

    async def messages(self) -> AsyncIterator[bytes]:
        """What is to be sent, until the end."""
        while not self.over:
            while self._queue and not self.over:
                version, message = self._queue.popleft()
                if version is None or version > self.cursor:
                    self.cursor = version or self.cursor
                    yield message
            if self._end is not None and not self.over:
                self.over = True
                yield self._end
            if not self.over:
                self._any.clear()
                await self._any.wait()

    async def send(self, send: Callable[[bytes], Any], message: bytes) -> None:
        """Send a message; meanwhile it is known since when."""
        self._since = monotonic()
        await send(message)
        self._since, self._last, self.sent = None, monotonic(), self.sent + 1
