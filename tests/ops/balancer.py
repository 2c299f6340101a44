"""A small balancer before several services: each connection goes to one that is ready, as a cluster's would send it."""

from __future__ import annotations

import http.client
import selectors
import socket
import threading
import time
from contextlib import suppress

LOOK_EVERY = 0.1  # seconds between two looks at who is ready
READY_WITHIN = 10.0  # seconds that a connection waits for anybody to be ready


class Balancer:
    """Carries connections (not requests, so it repeats none) from its port to one of `ports`, which may change."""

    def __init__(self, ports: list[int]) -> None:
        self.ports = list(ports)
        self.ready: list[int] = []
        self.carried: dict[int, int] = {}  # connections that each port has got
        self._turn = 0
        self._over = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port: int = self._listener.getsockname()[1]
        for work in (self._look, self._listen):
            threading.Thread(target=work, daemon=True).start()

    def close(self) -> None:
        self._over.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _look(self) -> None:
        while not self._over.wait(LOOK_EVERY):
            self.ready = [port for port in self.ports if is_ready(port)]

    def _listen(self) -> None:
        while not self._over.is_set():
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._carry, args=(client,), daemon=True).start()

    def _connected(self) -> socket.socket | None:
        """A connection to somebody who is ready, or to anybody where nobody is.

        Who refuses it is passed over, for nothing has been sent yet.
        """
        end = time.monotonic() + READY_WITHIN
        while time.monotonic() < end and not self._over.is_set():
            self._turn += 1
            ready = self.ready or list(self.ports)
            for n in range(len(ready)):
                port = ready[(self._turn + n) % len(ready)]
                with suppress(OSError):
                    found = socket.create_connection(("127.0.0.1", port), timeout=2)
                    self.carried[port] = self.carried.get(port, 0) + 1
                    return found
            time.sleep(LOOK_EVERY / 2)
        return None

    def _carry(self, client: socket.socket) -> None:
        server = self._connected()
        with client:
            if server is not None:
                with server:
                    carry(client, server)


def carry(client: socket.socket, server: socket.socket) -> None:
    """Hand on what either end says until one of them has ended."""
    for link in (client, server):
        link.settimeout(None)
    with selectors.DefaultSelector() as ready:
        ready.register(client, selectors.EVENT_READ, server)
        ready.register(server, selectors.EVENT_READ, client)
        while True:
            for key, _ in ready.select():
                try:
                    said = key.fileobj.recv(65536)  # type: ignore[union-attr]
                    if not said:
                        return
                    key.data.sendall(said)
                except OSError:
                    return


def is_ready(port: int) -> bool:
    """Whether a service says that it has all it needs."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
    try:
        link.request("GET", "/readyz")
        return link.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        link.close()
