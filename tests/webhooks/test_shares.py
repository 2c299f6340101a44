"""Who may send at once, and how long a host that fails is left alone."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from service.webhooks.shares import (
    AT_ONCE,
    FAILING,
    FAILING_FOR_RECEIVER,
    FIRST_PAUSE,
    FOR_RECEIVER,
    FOR_SESSION,
    KNOWN,
    LATEST,
    LONGEST_PAUSE,
    MOST_WAITING,
    Shares,
)


@dataclass
class Clock:
    seconds: float = 1000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def shares(clock: Clock) -> Shares:
    return Shares(clock)


def taken(
    shares: Shares, n: int, host: str | None = None, session: str | None = None, failing: bool = False
) -> int:
    """How many of so many hooks get a place."""
    return sum(
        shares.take((session or f"s{n}", f"h{n} {host} {session}"), host or f"{n}.example.org", failing) == 0
        for n in range(n)
    )


def test_all_together_a_host_and_a_session_have_so_many_places(shares: Shares) -> None:
    assert taken(shares, 10, host="a.example.org") == FOR_RECEIVER
    assert taken(shares, 10, session="one") == FOR_SESSION
    assert taken(shares, 2 * AT_ONCE) == AT_ONCE - FOR_RECEIVER - FOR_SESSION


def test_hooks_that_fail_leave_room_for_those_that_do_not(shares: Shares) -> None:
    assert taken(shares, 10, host="a.example.org", failing=True) == FAILING_FOR_RECEIVER
    assert taken(shares, 2 * AT_ONCE, failing=True) == FAILING - FAILING_FOR_RECEIVER
    assert shares.take(("x", "y"), "a.example.org", False) == 0


def test_who_has_a_place_keeps_it_and_who_has_none_gives_none_back(shares: Shares) -> None:
    for _ in range(3 * FOR_RECEIVER):
        assert shares.take(("s", "h"), "a", False) == 0
    shares.give_back(("s", "h"))
    assert shares.give_back(("s", "h")) == []
    assert taken(shares, 10, host="a") == FOR_RECEIVER


@pytest.mark.parametrize(
    ("addresses", "most"),
    [
        (["8.8.8.8"], FOR_RECEIVER),
        (["2606:4700::1", "2606:4700::2", "2606:4700:0:0:9::"], FOR_RECEIVER),
        (["2606:4700::1", "2606:4700:0:1::1"], 2 * FOR_RECEIVER),
        (["8.8.8.8", "8.8.4.4"], 2 * FOR_RECEIVER),
    ],
)
def test_of_an_address_so_many_places_whatever_the_hosts_are_called(
    shares: Shares, addresses: list[str], most: int
) -> None:
    assert taken(shares, 20) == 20
    found = [
        shares.connect((f"s{n}", f"h{n} None None"), addresses[n % len(addresses)], 443) for n in range(20)
    ]
    assert found.count(True) == most
    for n in range(20):
        shares.give_back((f"s{n}", f"h{n} None None"))
    assert shares.take(("s", "h"), "x", False) == 0
    assert shares.connect(("s", "h"), addresses[0], 443)


def test_who_tries_the_next_address_leaves_the_last_one(shares: Shares) -> None:
    assert taken(shares, 2) == 2
    first, second = ("s0", "h0 None None"), ("s1", "h1 None None")
    for _ in range(10):
        assert shares.connect(first, "8.8.8.8", 443)
        assert shares.connect(first, "8.8.4.4", 443)
    assert shares.connect(second, "8.8.8.8", 443)


def test_a_host_that_fails_is_left_alone_ever_longer_and_others_are_not(shares: Shares, clock: Clock) -> None:
    pauses = []
    for _ in range(12):
        assert shares.take(("s", "h"), "a", False) == 0
        shares.went("a", False)
        shares.went("a", False)  # one that was on its way, too
        shares.give_back(("s", "h"))
        assert shares.take(("s", "other"), "b", False) == 0
        shares.give_back(("s", "other"))
        pauses.append(shares._hosts["a"].until - clock.seconds)
        clock.seconds += pauses[-1] - 0.01
        assert shares.take(("s2", "h2"), "a", False) > 0
        clock.seconds += 0.02
    assert pauses == [min(FIRST_PAUSE * 2**n, LONGEST_PAUSE) for n in range(12)]
    shares.went("a", True)
    shares.went("a", False)
    assert shares._hosts["a"].until - clock.seconds == FIRST_PAUSE


def test_one_url_that_fails_is_left_alone_and_with_a_second_one_the_host(
    shares: Shares, clock: Clock
) -> None:
    def free(url: str) -> bool:
        found = shares.take(("s", url), "a", False, url) == 0
        shares.give_back(("s", url))
        return found

    for _ in range(3):
        shares.went("a", False, "a/1")
        assert [free(url) for url in ("a/1", "a/2")] == [False, True]
        clock.seconds += LONGEST_PAUSE
    shares.went("a", True, "a/2")
    shares.went("a", False, "a/3")
    assert [free(url) for url in ("a/1", "a/2", "a/3")] == [True, True, False], "one arrived in between"
    shares.went("a", False, "a/4")
    assert [free(url) for url in ("a/1", "a/2", "a/3", "a/4")] == [False] * 4
    assert shares.take(("s", "b"), "b", False, "b/1") == 0
    clock.seconds += LONGEST_PAUSE
    shares.went("a", True, "a/4")
    assert all(free(url) for url in ("a/1", "a/2", "a/3", "a/4"))


def test_those_who_are_sent_away_come_back_one_after_the_other(shares: Shares) -> None:
    waits = [shares.take((f"s{n}", "h"), "a", True) for n in range(200)][FAILING_FOR_RECEIVER:]
    assert waits == sorted(waits)
    assert len(set(waits)) == len(waits)
    for n in range(10_000):
        assert shares.take((f"t{n}", "h"), "a", True) <= LATEST + 1


def test_the_first_who_waits_is_called(shares: Shares) -> None:
    assert taken(shares, FOR_RECEIVER + 3, host="a") == FOR_RECEIVER
    assert shares.give_back(("s0", "h0 a None")) == [(f"s{FOR_RECEIVER}", f"h{FOR_RECEIVER} a None")]
    assert shares.give_back(("s1", "h1 a None"))[0] == (f"s{FOR_RECEIVER + 1}", f"h{FOR_RECEIVER + 1} a None")


def test_what_is_remembered_is_bounded(shares: Shares) -> None:
    for n in range(KNOWN + 100):
        assert shares.take(("s", f"{n}"), f"{n}", False) == 0
        shares.went(f"{n}", False)
        shares.give_back(("s", f"{n}"))
    assert len(shares._hosts) == KNOWN
    taken(shares, 10 * MOST_WAITING, host="a")
    assert sum(map(len, shares._waiting.values())) <= MOST_WAITING
    for n in range(10 * MOST_WAITING):
        shares.give_back((f"s{n}", f"h{n} a None"))
    assert (shares._waiting, shares._held, dict(shares._taken)) == ({}, {}, {})
