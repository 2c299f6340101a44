"""Load: one process, one loop, keep-alive connections that each wait for their answer and send the next request.

Only the loopback address, and never longer than it is told.
"""

from __future__ import annotations

import re
import select
import socket
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import cycle

HOST = "127.0.0.1"
END = b"\r\n\r\n"
LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)
GOOD = (b"200", b"201", b"304")
PATIENCE = 10.0  # seconds without any answer


@dataclass
class Measured:
    """What a time of load showed; latencies in seconds, sorted."""

    seconds: float
    latencies: list[float]
    generator_cpu: float
    server_cpu: float = 0.0
    refused: int = 0
    quieter: float = 1.0  # the CPU time of the worker that had least to do, for each of the busiest one's

    @property
    def count(self) -> int:
        return len(self.latencies)

    @property
    def rate(self) -> float:
        return self.count / self.seconds

    def percentile(self, p: float) -> float:
        return self.latencies[min(self.count - 1, int(self.count * p / 100))]


def together(parts: Sequence[Measured]) -> Measured:
    """Several times of the same load as one."""
    return Measured(
        sum(p.seconds for p in parts),
        sorted(latency for p in parts for latency in p.latencies),
        sum(p.generator_cpu for p in parts),
        sum(p.server_cpu for p in parts),
        sum(p.refused for p in parts),
        min(p.quieter for p in parts),
    )


@dataclass
class Connection:
    """One keep-alive connection with at most one request on its way."""

    socket: socket.socket
    since: float = 0.0
    got: bytes = b""
    need: int = 0


@dataclass
class Load:
    """Connections that stay open from one measurement to the next."""

    port: int
    connections: list[Connection] = field(default_factory=list)

    def open(self, n: int) -> Load:
        self.connections = [Connection(_connected(self.port)) for _ in range(n)]
        return self

    def close(self) -> None:
        for connection in self.connections:
            connection.socket.close()

    def run(self, requests: Sequence[bytes], seconds: float, most: int = 200_000) -> Measured:
        """Send these requests in turn for so long; the answers that came in that time count."""
        latencies: list[float] = []
        poll = select.epoll()
        by_number = {c.socket.fileno(): c for c in self.connections}
        for number in by_number:
            poll.register(number, select.EPOLLIN)
        turn, cpu, refused = cycle(requests), time.process_time(), 0
        begin = time.perf_counter()
        end = begin + seconds
        for connection in self.connections:
            _send(connection, next(turn))
        waiting = len(self.connections)
        while waiting:
            ready = poll.poll(PATIENCE)
            if not ready:
                raise RuntimeError(f"no answer for {PATIENCE} s")
            for number, _ in ready:
                connection = by_number[number]
                answer = _received(connection)
                if answer is None:
                    continue
                now = time.perf_counter()
                refused += answer[9:12] not in GOOD
                if now < end and len(latencies) < most:
                    latencies.append(now - connection.since)
                    _send(connection, next(turn))
                else:
                    waiting -= 1
        poll.close()
        spent = min(time.perf_counter(), end) - begin
        return Measured(spent, sorted(latencies), time.process_time() - cpu, refused=refused)


def _connected(port: int) -> socket.socket:
    link = socket.create_connection((HOST, port), timeout=PATIENCE)
    link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return link


def _send(connection: Connection, request: bytes) -> None:
    connection.got, connection.need = b"", 0
    connection.since = time.perf_counter()
    connection.socket.sendall(request)


def _received(connection: Connection) -> bytes | None:
    """The answer once it is whole."""
    part = connection.socket.recv(1 << 18)
    if not part:
        raise RuntimeError("the server closed a connection")
    connection.got += part
    if not connection.need:
        head = connection.got.find(END)
        if head < 0:
            return None
        length = LENGTH.search(connection.got, 0, head + 2)
        if length is None and connection.got[9:12] != b"304":
            raise RuntimeError("an answer that does not tell its length")
        connection.need = head + len(END) + (0 if length is None else int(length[1]))
    return connection.got if len(connection.got) >= connection.need else None


def request_of(path: str, body: bytes, **headers: str) -> bytes:
    """The bytes of a POST, as a plain client sends them."""
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept: */*\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n{more}\r\n"
    )
    return head.encode() + body


def get_of(path: str, **headers: str) -> bytes:
    """The bytes of a GET."""
    more = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    return f"GET {path} HTTP/1.1\r\nHost: {HOST}\r\nAccept: */*\r\n{more}\r\n".encode()


def once(port: int, request: bytes) -> bytes:
    """The body of the answer to one request."""
    load = Load(port).open(1)
    try:
        _send(load.connections[0], request)
        while (answer := _received(load.connections[0])) is None:
            pass
        return answer.partition(END)[2]
    finally:
        load.close()
