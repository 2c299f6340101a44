"""Addresses of the store: one server, a master that sentinels watch over, or a cluster (see docs/operations.md).

And whether a service answers at an address of this machine.
"""

import http.client
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import unquote, urlsplit

ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}
ONE, SENTINELS, CLUSTER = "one", "sentinels", "cluster"
KINDS = {
    "redis": ONE,
    "rediss": ONE,
    "unix": ONE,
    "redis+sentinel": SENTINELS,
    "redis+cluster": CLUSTER,
    "rediss+sentinel": SENTINELS,
    "rediss+cluster": CLUSTER,
}
# What may stand after a ? where there is TLS.
SECURE = ("ssl_ca_certs", "ssl_certfile", "ssl_keyfile", "ssl_check_hostname")
YES_NO = {"true": True, "false": False}
SCHEMES = tuple(f"{scheme}://" for scheme in KINDS)
PORTS = {SENTINELS: 26379, CLUSTER: 6379}  # where an address names none
PLACE = re.compile(r"(\[[0-9A-Fa-f:.%]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?")
SERVICE = re.compile(r"[A-Za-z0-9._-]+")
NUMBER = re.compile(r"[0-9]{1,5}")


@dataclass(frozen=True)
class Address:
    """Where the store is. `kind` ONE: as `url` says; else the `places` (host, port) that know where.

    `service`: what the sentinels call the master; `db`: the number of its database. `secure`: over TLS, `tls`: with
    what for certificates (see SECURE).
    """

    url: str
    kind: str
    places: tuple[tuple[str, int], ...] = ()
    service: str = ""
    db: int = 0
    username: str | None = None
    password: str | None = None
    secure: bool = False
    tls: tuple[tuple[str, Any], ...] = ()


def address_of(url: str) -> Address:
    """What an address says. Raises ValueError with what is wrong, which never repeats the address: it is a secret."""
    scheme, _, rest = url.partition("://")
    kind = KINDS.get(scheme) if "://" in url else None
    if kind is None:
        raise ValueError(f"must begin with {', '.join(SCHEMES[:-1])} or {SCHEMES[-1]}")
    if "#" in rest:
        raise ValueError("must have no # (in a password write %23)")
    secure, (rest, _, query) = scheme.startswith("rediss"), rest.partition("?")
    tls = _options(query, ("db",) if kind == ONE else (), secure)
    if kind == ONE:
        _demand_one(scheme, url)
        return Address(url, kind, secure=secure, tls=tls)
    before, _, path = rest.partition("/")
    who, _, where = before.rpartition("@")
    username, _, password = (unquote(part) or None for part in who.partition(":"))
    places = _places(where, PORTS[kind])
    return Address(url, kind, places, *_rest(kind, path), username, password, secure, tls)


def _options(query: str, others: Sequence[str], secure: bool) -> tuple[tuple[str, Any], ...]:
    """What stands after the ?, each thing once: of TLS, and of the others, which are numbers."""
    allowed = (*others, *(SECURE if secure else ()))
    found = [
        (name, unquote(value))
        for name, _, value in (part.partition("=") for part in query.split("&") if query)
    ]
    if not {name for name, _ in found} <= set(allowed) or len(dict(found)) < len(found):
        named = f"nothing after ? but {', '.join(allowed)}, each once" if allowed else "no ?"
        raise ValueError(f"must have {named} (in a password write %3F)")
    for name, value in found:
        if name in others and not NUMBER.fullmatch(value):
            raise ValueError(f"must have a number for {name}")
        if name == "ssl_check_hostname" and value not in YES_NO:
            raise ValueError(f"must have true or false for {name}")
        if name in SECURE and not value:
            raise ValueError(f"must name a file for {name}")
    return tuple((name, YES_NO.get(value, value)) for name, value in found if name in SECURE)


def _demand_one(scheme: str, url: str) -> None:
    """Raises ValueError unless redis-py can make something of the address of one server."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError("must be an address such as redis://host:6379/0") from None
    if scheme == "unix":
        if not parts.path.strip("/"):
            raise ValueError("must name a socket: unix:///run/redis.sock")
        return
    try:
        port = parts.port
    except ValueError:
        port = 0
    if port == 0:
        raise ValueError("must have a port from 1 to 65535")
    if not re.fullmatch(r"/?|/[0-9]{1,5}", parts.path):
        raise ValueError("must end with the number of a database, or without one: redis://host:6379/0")


def _places(text: str, port: int) -> tuple[tuple[str, int], ...]:
    """Hosts and ports, separated by commas."""
    found = [PLACE.fullmatch(place) for place in text.split(",")]
    places = [(place[1].strip("[]"), int(place[2] or port)) for place in found if place]
    if len(places) < len(found) or not all(0 < number < 65536 for _, number in places):
        raise ValueError(
            "must name hosts, each with a port from 1 to 65535, separated by commas: host:port,host:port"
        )
    if len(set(places)) < len(places):
        raise ValueError("must not name a host and port twice")
    return tuple(places)


def _rest(kind: str, path: str) -> tuple[str, int]:
    """The name of the service, and the number of the database."""
    if kind == CLUSTER:
        if path not in ("", "0"):
            raise ValueError("must end with its hosts: a cluster has no databases but the first")
        return "", 0
    service, _, db = path.strip("/").partition("/")
    if not SERVICE.fullmatch(service) or (db and not NUMBER.fullmatch(db)):
        raise ValueError(
            "must name the service that the sentinels watch, and may name a database: "
            "redis+sentinel://host:26379,host:26379/mymaster/0"
        )
    return service, int(db or 0)


def is_up(host: str, port: int | None, seconds: float = 5.0) -> bool:
    """Whether a service of ours answers at an address of this machine, within a time."""
    link = http.client.HTTPConnection(ANY_ADDRESS.get(host, host), port, timeout=seconds)
    try:
        link.request("GET", "/livez")
        return link.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        link.close()
