"""Clients of the store's servers: of one, of the master that sentinels name, of a cluster. None waits long."""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, ClassVar

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from redis.sentinel import Sentinel, SentinelManagedConnection

from service.addresses import CLUSTER, SENTINELS, Address, address_of
from service.sessions.cluster import Cluster

CONNECT_WAIT = 0.4  # seconds
PROMPT = 0.05  # seconds; who waits longer for an answer stands aside
ANSWER_WAIT = 0.8  # seconds; who waits for a store that hangs is told within one
SCOUT_WAIT = 0.2  # seconds for each of those that know where the store is: there are several
Aside = Callable[[], AbstractContextManager[None]]


def connect(url: str, aside: Aside = nullcontext) -> Any:
    """A client that never waits long and never tries twice. It connects with its first command.

    Inside `aside` it waits for an answer that does not come at once, so that others can work meanwhile.
    """
    address = address_of(url)
    if address.kind == SENTINELS:
        return _master(address, aside)
    if address.kind == CLUSTER:
        return _cluster(address, aside)
    kind = next((kind for scheme, kind in KINDS.items() if url.startswith(scheme)), redis.Connection)
    return redis.Redis.from_url(url, connection_class=_patient(kind, aside), **_never_twice())


def demand(url: str) -> None:
    """Make what a client is made of, once, before anything is started. Raises ValueError, which does not repeat the
    address, where that cannot be."""
    address = address_of(url)
    try:
        client = connect(url)
        if isinstance(client, redis.Redis):
            client.connection_pool.make_connection()
    except (ValueError, TypeError, redis.RedisError):
        raise ValueError("is none that the client of the store can use") from None
    if address.secure:
        _demand_certificates(dict(address.tls))


def _demand_certificates(tls: Mapping[str, Any]) -> None:
    context = ssl.create_default_context()
    try:
        if "ssl_ca_certs" in tls:
            context.load_verify_locations(tls["ssl_ca_certs"])
        if "ssl_certfile" in tls or "ssl_keyfile" in tls:
            context.load_cert_chain(tls.get("ssl_certfile", ""), tls.get("ssl_keyfile"))
    except (OSError, ValueError) as error:  # an SSLError is an OSError
        why = error.strerror or "no certificate and its key" if isinstance(error, OSError) else "no file"
        raise ValueError(f"names certificates (ssl_…) that cannot be read: {why}") from None


def _master(address: Address, aside: Aside) -> redis.Redis:
    """A client of whichever server the sentinels say is the master; they are asked for every new connection."""
    secure = {"ssl": True, **dict(address.tls)} if address.secure else {}
    sentinels = Sentinel(address.places, sentinel_kwargs={**secure, **_never_twice(SCOUT_WAIT, SCOUT_WAIT)})
    return sentinels.master_for(
        address.service,
        connection_class=_patient(_NamedSecure if address.secure else _Named, aside),
        **_who(address),
        **dict(address.tls),
        db=address.db,
        **_never_twice(),
    )


def _cluster(address: Address, aside: Aside) -> Cluster:
    """A client that knows which node has what."""

    def node(host: str, port: int, connect: float = CONNECT_WAIT, answer: float = ANSWER_WAIT) -> redis.Redis:
        pool = redis.ConnectionPool(
            connection_class=_patient(
                redis.SSLConnection if address.secure else redis.Connection, aside, answer
            ),
            host=host,
            port=port,
            **_who(address),
            **dict(address.tls),
            **_never_twice(connect, answer),
        )
        return redis.Redis(connection_pool=pool)

    return Cluster(address.places, node, lambda host, port: node(host, port, SCOUT_WAIT, SCOUT_WAIT))


def _who(address: Address) -> dict[str, Any]:
    return {"username": address.username, "password": address.password}


def _never_twice(connect: float = CONNECT_WAIT, answer: float = ANSWER_WAIT) -> dict[str, Any]:
    never = Retry(NoBackoff(), 0)
    return {"protocol": 2, "socket_connect_timeout": connect, "socket_timeout": answer, "retry": never}


def _patient(kind: type[Any], aside: Aside, answer: float = ANSWER_WAIT) -> type[Any]:
    """A kind of connection that stands aside while the server is silent, and waits so many seconds for its answer."""
    return type("Patient", (_Patient, kind), {"aside": staticmethod(aside), "answer_wait": answer})


class _Patient:
    """What a connection does while the server is silent: it lets somebody else be worked on."""

    aside: ClassVar[Any]  # an Aside
    answer_wait: ClassVar[float]  # seconds

    def _connect(self) -> Any:
        with self.aside():
            return super()._connect()  # type: ignore[misc]

    def read_response(self: Any, *given: Any, **more: Any) -> Any:
        """The answer, or TimeoutError, as ever; who listens for messages says himself how long."""
        if "timeout" not in more and not self.can_read(PROMPT):
            with self.aside():
                came = self.can_read(self.answer_wait - PROMPT)
            if not came:
                self.disconnect()
                raise redis.TimeoutError("no answer")
        return super().read_response(*given, **more)  # type: ignore[misc]


class _Named(SentinelManagedConnection):
    """A connection to the master that the sentinels name."""

    aside: ClassVar[Any]

    def connect(self) -> Any:
        """Connect, if we are not; to ask the sentinels takes time, too."""
        if self._sock:
            return None
        with self.aside():
            return super().connect()

    def send_packed_command(self, *given: Any, **more: Any) -> Any:
        """Send, to the master."""
        self.connect()  # redis-py would connect to no matter whom
        return super().send_packed_command(*given, **more)


class _NamedSecure(_Named, redis.SSLConnection):
    """The same over TLS."""


KINDS = {"unix": redis.UnixDomainSocketConnection, "rediss": redis.SSLConnection}  # by the address's scheme
