"""A store over TLS: certificates are believed as far as the address says, and what is wrong with them is told once."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from service.http.logs import tell_faults
from service.sessions import presence
from service.sessions.embedded import EmbeddedStore, find_server
from service.sessions.redis_store import RedisStore
from service.sessions.store import Change, StoreAway
from tests.sessions.tls import HOST, Authority, Proxy
from tests.sessions.topologies import KINDS, free_ports, until

BEGUN = Change(0, b"state", 0, b"entry", 2_000_000_000, 3600, about=b"about")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedStore]:
    found = EmbeddedStore(str(find_server()), tmp_path_factory.mktemp("store"))
    found.start()
    yield found
    found.stop()


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "certificates")


def before(store: EmbeddedStore, issued: Any, **more: Any) -> Proxy:
    """A proxy in front of the embedded store."""

    def reach() -> socket.socket:
        link = socket.socket(socket.AF_UNIX)
        link.connect(str(store.socket))
        return link

    return Proxy(reach, issued, **more)


@pytest.fixture(autouse=True)
def _nothing_told_yet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence, "NOTED", set())


def test_a_certificate_of_an_authority_that_the_address_names(store: Any, authority: Authority) -> None:
    proxy = before(store, authority.issue(HOST))
    over = RedisStore.at(f"rediss://{HOST}:{proxy.port}/0?ssl_ca_certs={authority.ca}")
    assert over.unreachable() is None
    over.commit("named", BEGUN)
    found = over.read("named")
    assert found
    assert found.version == 1
    assert proxy.let_in >= 1
    changes = over.changes()
    assert next(changes) is None
    over.close("named")
    assert next(changes) == ("named", 0, False)
    proxy.close()


def test_an_authority_that_the_system_is_told_of(
    store: Any, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = before(store, authority.issue(HOST))
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.ca))
    assert RedisStore.at(f"rediss://{HOST}:{proxy.port}").unreachable() is None
    proxy.close()


@pytest.mark.parametrize(
    ("issued", "named", "said"),
    [
        (HOST, False, "unable to get local issuer certificate"),
        ("other.example.org", True, "IP address mismatch"),
    ],
)
def test_a_certificate_that_is_not_believed_is_told_once(
    store: Any, authority: Authority, capfd: pytest.CaptureFixture[str], issued: str, named: bool, said: str
) -> None:
    tell_faults()
    proxy = before(store, authority.issue(issued))
    over = RedisStore.at(
        f"rediss://ann:hunter2@{HOST}:{proxy.port}" + f"?ssl_ca_certs={authority.ca}" * named
    )
    for _ in range(3):
        assert over.unreachable() == "ConnectionError"
        with pytest.raises(StoreAway):
            over.read("x")
    (line,) = capfd.readouterr().err.splitlines()
    told = json.loads(line)
    assert told["event"].startswith("the store cannot be used: ConnectionError")
    assert "certificate verify failed" in told["event"]
    assert said in told["event"]
    assert "hunter2" not in line
    if named:
        loose = RedisStore.at(
            f"rediss://{HOST}:{proxy.port}?ssl_ca_certs={authority.ca}&ssl_check_hostname=false"
        )
        assert loose.unreachable() is None
    proxy.close()


def test_who_has_to_show_a_certificate_shows_it(store: Any, authority: Authority) -> None:
    proxy = before(store, authority.issue(HOST), clients_of=authority.ca)
    at = f"rediss://{HOST}:{proxy.port}?ssl_ca_certs={authority.ca}"
    certificate, key = authority.issue("arbitr")
    assert RedisStore.at(f"{at}&ssl_certfile={certificate}&ssl_keyfile={key}").unreachable() is None
    assert RedisStore.at(at).unreachable() is not None
    proxy.close()


@pytest.mark.parametrize(("db", "said"), [("99", "DB index is out of range"), ("0", "")])
def test_a_database_that_is_none_is_told(
    store: Any, capfd: pytest.CaptureFixture[str], db: str, said: str
) -> None:
    """Without it sessions cannot be kept: that there is an answer is not enough."""
    tell_faults()
    over = RedisStore.at(f"{store.url}?db={db}")
    assert (over.unreachable() is None) == (not said)
    assert said in capfd.readouterr().err


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_sentinels_and_clusters_over_tls(kind: str, authority: Authority, tmp_path: Path) -> None:
    topology = KINDS[kind](str(find_server()), tmp_path / "servers")
    try:
        topology.start()
        servers = [*topology.servers, *getattr(topology, "watchers", [])]
        ports = [server.port for server in servers]
        known = dict(zip(ports, free_ports(len(ports)), strict=True))
        issued = authority.issue(HOST)
        proxies = [
            Proxy(
                lambda port=port: socket.create_connection((HOST, port)),
                issued,
                port=known[port],
                known=known,
            )  # type: ignore[misc]
            for port in ports
        ]
        url = topology.url.replace("redis+", "rediss+")
        for theirs, ours in known.items():
            url = url.replace(str(theirs), str(ours))
        over = RedisStore.at(f"{url}?ssl_ca_certs={authority.ca}")
        for n in range(9):
            over.commit(f"{n:032x}", BEGUN)
        assert all(over.read(f"{n:032x}") for n in range(9))
        assert sum(proxy.let_in for proxy in proxies) > 1
        assert RedisStore.at(url).unreachable() is not None, "nobody vouches for that authority"
        victim = topology.master_of(f"{1:032x}")
        victim.kill()
        until(lambda: topology.replaced(victim), "another master")
        until(lambda: readable(over), "the session at the new master")
        for proxy in proxies:
            proxy.close()
    finally:
        topology.stop()


def readable(store: RedisStore) -> bool:
    try:
        return store.read(f"{1:032x}") is not None
    except StoreAway:
        return False
