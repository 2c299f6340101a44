"""Sending one message: to the very address that was looked at, in bounded time, following no redirect, by no proxy."""

from __future__ import annotations

import asyncio
import re
import ssl
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import cache
from math import ceil

from service.webhooks.targets import LookupsBusy, Target, TargetRefused, Targets

WAIT = 5.0  # seconds for all of it: looking up, connecting, sending, and the answer's head
PATIENCE, PAUSE = (
    3.0,
    0.05,
)  # seconds before that, in which there must be a thread that looks up; between two tries
LEAVE = 1.0  # seconds that the rest of an answer may take, so that the receiver need not see us hang up
MOST_READ = 16 << 10  # bytes of an answer, whatever they are of it
MOST_BEFORE = 4  # interim answers before the answer
STATUS = re.compile(rb"HTTP/1\.[01] ([1-5][0-9]{2})(?: [^\r\n]*)?\r?\n")
AGENT = "Arbitr-Webhooks"


Room = Callable[[str, int], bool]


class NoRoom(Exception):
    """As many messages are on their way to the receiver's addresses as may be."""


class Unsent(Exception):
    """A message that did not arrive, and `why`: target-refused, unreachable, tls, time-out or no-answer."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


async def post(
    targets: Targets,
    url: str,
    headers: Mapping[str, str],
    body: bytes,
    trust: ssl.SSLContext | None = None,
    whose: str = "",
    room: Room = lambda address, port: True,
    seconds: float | None = None,
) -> int:
    """The status of the answer to a message.

    `trust`: other authorities than the system's; `whose`: for whom the name is looked up; `room`: whether an address
    may be connected to now; `seconds`: another time than WAIT. Raises Unsent; LookupsBusy and NoRoom, where it is
    nothing that the receiver can help.
    """
    writer = None
    try:
        target = targets.read(url)
        looked_up = await _thread(targets, target.host, whose)
        async with asyncio.timeout(WAIT if seconds is None else seconds):
            addresses = await asyncio.wrap_future(looked_up)
            reader, writer = await _connected(target, addresses, trust, room)
            writer.write(_request(target, headers, body))
            status, taken = await _status(reader)
        await _left(reader, taken)
        return status
    except TargetRefused:
        raise Unsent("target-refused") from None
    except TimeoutError:
        raise Unsent("time-out") from None
    except ssl.SSLError:
        raise Unsent("tls") from None
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError):
        raise Unsent("no-answer") from None
    except OSError:
        raise Unsent("unreachable") from None
    finally:
        if writer is not None:
            writer.transport.abort()


async def _thread(targets: Targets, host: str, whose: str) -> Future[list[str]]:
    """A look-up that has a thread, which may take a while. Raises LookupsBusy."""
    mine = [whose] if whose else []
    for _ in range(ceil(PATIENCE / PAUSE)):
        try:
            return targets.looked_up(host, *mine)
        except LookupsBusy:
            await asyncio.sleep(PAUSE)
    return targets.looked_up(host, *mine)


async def _connected(
    target: Target, addresses: Sequence[str], trust: ssl.SSLContext | None, room: Room
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection to the first address that takes one, and has room; the certificate must be that of the name."""
    secure = (trust or _trusted()) if target.scheme == "https" else None
    name = target.host if secure else None
    refused: Exception = OSError("no address")
    for address in addresses:
        if not room(address, target.port):
            refused = NoRoom()
            continue
        try:
            return await asyncio.open_connection(
                address, target.port, ssl=secure, server_hostname=name, limit=MOST_READ
            )
        except ssl.SSLError:
            raise
        except OSError as error:
            refused = refused if isinstance(refused, NoRoom) else error
    raise refused


@cache
def _trusted() -> ssl.SSLContext:
    """The authorities that the system trusts."""
    return ssl.create_default_context()


def _request(target: Target, headers: Mapping[str, str], body: bytes) -> bytes:
    """The request; of what the holder chose there is nothing in it but the target, which is printable ASCII."""
    lines = [f"POST {target.path} HTTP/1.1", f"Host: {target.authority}", f"User-Agent: {AGENT}"]
    lines += [
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Accept: */*",
        "Connection: close",
    ]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("ascii") + body


async def _status(reader: asyncio.StreamReader) -> tuple[int, int]:
    """The status of the answer, past interim ones, and how many bytes were read for it."""
    taken = 0

    async def line() -> bytes:
        nonlocal taken
        text = await reader.readuntil(b"\n")
        taken += len(text)
        if taken > MOST_READ:
            raise ValueError("too much")
        return text

    for _ in range(MOST_BEFORE):
        found = STATUS.fullmatch(await line())
        if found is None:
            raise ValueError("no HTTP")
        if int(found[1]) >= 200:
            return int(found[1]), taken
        while (await line()).strip():
            pass
    raise ValueError("no answer after all")


async def _left(reader: asyncio.StreamReader, taken: int) -> None:
    """Take what is left of an answer, if it comes soon, and not much of it; nobody reads it."""
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(LEAVE):
            while taken < MOST_READ and (part := await reader.read(MOST_READ - taken)):
                taken += len(part)
