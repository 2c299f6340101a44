"""Addresses of the store."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from service.addresses import CLUSTER, ONE, SENTINELS, Address, address_of
from service.config import SettingError, Settings
from service.serve import demand_store
from service.sessions.clients import demand


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://host/?db=2",
        "redis://:p%40ss@host:6379/0",
        "redis://host/",
        "redis://[::1]:7000/15?db=3",
        "rediss://user:secret@host:1/2",
        "unix:///run/redis.sock",
        "unix://%2Frun/redis.sock?db=1",
    ],
)
def test_one_server(url: str) -> None:
    assert address_of(url) == Address(url, ONE, secure=url.startswith("rediss"))
    demand(url)


@pytest.mark.parametrize(
    ("url", "places"),
    [
        ("rediss://host:1/2", ()),
        ("rediss+sentinel://a/m", (("a", 26379),)),
        ("rediss+cluster://a", (("a", 6379),)),
    ],
)
def test_tls(url: str, places: Any) -> None:
    assert (address_of(url).secure, address_of(url).tls, address_of(url).places) == (True, (), places)
    found = address_of(f"{url}?ssl_ca_certs=/a%20b/ca.pem&ssl_check_hostname=false")
    assert found.tls == (("ssl_ca_certs", "/a b/ca.pem"), ("ssl_check_hostname", False))
    assert found.places == places
    demand(url)
    demand(f"{url}?ssl_check_hostname=true")


@pytest.mark.parametrize("name", ["ssl_ca_certs", "ssl_certfile", "ssl_keyfile"])
@pytest.mark.parametrize(
    "url", ["rediss://ann:hunter2@host/0", "rediss+sentinel://a/m", "rediss+cluster://a"]
)
def test_certificates_that_cannot_be_read_are_told_at_start(url: str, name: str, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    for file in ("empty", "none"):
        with pytest.raises(
            SettingError, match=r"ARBITR_REDIS_URL names certificates \(ssl_…\) that cannot"
        ) as caught:
            demand_store(Settings.from_env({"ARBITR_REDIS_URL": f"{url}?{name}={tmp_path}/{file}"}))
        assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("a:1,b:2/main", ((("a", 1), ("b", 2)), "main", 0, None, None)),
        ("a/main/", ((("a", 26379),), "main", 0, None, None)),
        (
            "ann:p%2Fq%40@[::1]:5,10.0.0.1:7/my.table-1/12",
            ((("::1", 5), ("10.0.0.1", 7)), "my.table-1", 12, "ann", "p/q@"),
        ),
        (":only@a:1/m", ((("a", 1),), "m", 0, None, "only")),
    ],
)
def test_sentinels(rest: str, expected: Any) -> None:
    url = f"redis+sentinel://{rest}"
    assert address_of(url) == Address(url, SENTINELS, *expected)


@pytest.mark.parametrize(
    ("rest", "expected"),
    [
        ("a:1,b:2", ((("a", 1), ("b", 2)), "", 0, None, None)),
        ("a,[2001:db8::1]:7001/", ((("a", 6379), ("2001:db8::1", 7001)), "", 0, None, None)),
        ("ann:x@a:1/0", ((("a", 1),), "", 0, "ann", "x")),
    ],
)
def test_a_cluster(rest: str, expected: Any) -> None:
    url = f"redis+cluster://{rest}"
    assert address_of(url) == Address(url, CLUSTER, *expected)


BEGIN = (
    "must begin with redis://, rediss://, unix://, redis+sentinel://, redis+cluster://, rediss+sentinel:// or "
    "rediss+cluster://"
)
PLACES = "must name hosts, each with a port from 1 to 65535"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("localhost:6379", BEGIN),
        ("redis", BEGIN),
        ("valkey://host", BEGIN),
        ("REDIS://host", BEGIN),
        ("redis+sentinels://host/main", BEGIN),
        ("redis://host:0", "must have a port from 1 to 65535"),
        ("redis://host:70000", "must have a port"),
        ("redis://host:port/0", "must have a port"),
        ("redis://host/zero", "must end with the number of a database"),
        ("redis://[::1/0", "must be an address such as redis://"),
        ("unix://", "must name a socket"),
        ("unix:///", "must name a socket"),
        ("redis+sentinel://a:1", "must name the service that the sentinels watch"),
        ("redis+sentinel://a:1/", "must name the service"),
        ("redis+sentinel://a:1/my main", "must name the service"),
        ("redis+sentinel://a:1/main/zero", "must name the service"),
        ("redis+sentinel://a:1/main?db=1", "must have no ?"),
        ("redis+sentinel://a:1/main#x", "must have no #"),
        ("redis://host/0#x", "must have no #"),
        ("redis://ann:12#3@host", "must have no # (in a password write %23)"),
        ("unix:///run/a#b.sock", "must have no #"),
        ("redis://host/0?foo=1", "must have nothing after ? but db, each once"),
        ("redis://host/0?socket_timeout=60", "must have nothing after ? but db"),
        ("redis://host/0?health_check_interval=x", "must have nothing after ? but db"),
        ("redis://host/0?decode_responses=true", "must have nothing after ? but db"),
        ("redis://host/?db=1&db=2", "must have nothing after ? but db, each once"),
        ("redis://host/?db=abc", "must have a number for db"),
        ("unix:///a.sock?db=x", "must have a number for db"),
        ("redis://host/0?ssl_ca_certs=/ca", "must have nothing after ? but db"),
        (
            "rediss://host/0?foo=1",
            "must have nothing after ? but db, ssl_ca_certs, ssl_certfile, ssl_keyfile, ssl_c",
        ),
        ("rediss://host/0?ssl_check_hostname=maybe", "must have true or false for ssl_check_hostname"),
        ("rediss://host/0?ssl_ca_certs=", "must name a file for ssl_ca_certs"),
        ("rediss+cluster://a?db=0", "must have nothing after ? but ssl_ca_certs"),
        ("redis+sentinel:///main", PLACES),
        ("redis+sentinel://a:1,,b:1/main", PLACES),
        ("redis+sentinel://a:0/main", PLACES),
        ("redis+sentinel://a:65536/main", PLACES),
        ("redis+sentinel://a:1:2/main", PLACES),
        ("redis+sentinel://a:1,a:1/main", "must not name a host and port twice"),
        ("redis+cluster://", PLACES),
        ("redis+cluster://a:1,b:x", PLACES),
        ("redis+cluster://a:1/1", "must end with its hosts: a cluster has no databases but the first"),
        ("redis+cluster://a:1?x", "must have no ?"),
    ],
)
def test_a_wrong_address_is_told_in_one_line_that_does_not_repeat_it(url: str, said: str) -> None:
    with pytest.raises(SettingError) as caught:
        Settings.from_env({"ARBITR_REDIS_URL": url})
    told = str(caught.value)
    assert told.startswith(f"ARBITR_REDIS_URL {said}")
    assert "\n" not in told
    secret = url.replace("://", "://ann:hunter2@", 1)
    if "://" in url:
        with pytest.raises(SettingError) as caught:
            Settings.from_env({"ARBITR_REDIS_URL": secret})
        assert "hunter2" not in str(caught.value)
