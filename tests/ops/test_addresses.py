"""Addresses of the store."""

from __future__ import annotations

from typing import Any

import pytest

from service.addresses import CLUSTER, ONE, SENTINELS, Address, address_of
from service.config import SettingError, Settings


@pytest.mark.parametrize(
    "url",
    [
        "redis://localhost",
        "redis://:p%40ss@host:6379/0",
        "redis://host/",
        "redis://[::1]:7000/15?db=3",
        "rediss://user:secret@host:1/2",
        "unix:///run/redis.sock",
        "unix://%2Frun/redis.sock?db=1",
    ],
)
def test_one_server(url: str) -> None:
    assert address_of(url) == Address(url, ONE)


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


BEGIN = "must begin with redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://"
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
        ("redis+sentinel://a:1/main#x", "must have no ?"),
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
