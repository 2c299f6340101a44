"""Limits: how much one address may ask, and how long one request may be worked on."""

from __future__ import annotations

from itertools import count
from time import sleep
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.engine import budget
from service.http import limits
from service.http.limits import DEAREST, MOST_ADDRESSES, WINDOW, Limits, address_of
from tests.http.conftest import TOY, encoded, post, problem, toy_app

END = {"kind": "end-turn", "actor": "ann"}
JUDGE = f"{TOY}/adjudications"


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Time stands still, for what requests are worked on too, unless a test says otherwise."""
    clock = Clock()
    monkeypatch.setattr(Limits.__init__, "__defaults__", (clock,))
    monkeypatch.setattr(limits, "thread_time", lambda: 0.0)
    return clock


@pytest.fixture
def limited(clock: Clock) -> FlaskClient:
    """A client that may ask twice a second, twenty times at once."""
    return toy_app(ARBITR_RATE="2").test_client()


def drained(client: FlaskClient, **environ: Any) -> int:
    """How many requests are answered before one is not."""
    for n in range(200):
        if client.get("/v1/games", environ_overrides=environ).status_code == 429:
            return n
    raise AssertionError("no end")


def test_an_address_may_ask_for_ten_seconds_at_once_and_then_at_its_rate(
    limited: FlaskClient, clock: Clock
) -> None:
    assert drained(limited) == 2 * WINDOW
    clock.now += 1
    assert drained(limited) == 2
    clock.now += 1000
    assert drained(limited) == 2 * WINDOW


def test_a_refusal_says_when_to_go_on(limited: FlaskClient, clock: Clock) -> None:
    first = limited.get("/v1/games")
    assert first.headers["RateLimit-Policy"] == '"address";q=20;w=10'
    assert first.headers["RateLimit"] == '"address";r=19;t=1'
    drained(limited)
    answer = limited.get("/v1/games")
    problem(answer, 429, "too-many-requests")
    assert answer.headers["Retry-After"] == "1"
    assert answer.headers["RateLimit"] == '"address";r=0;t=10'
    clock.now += 1
    assert limited.get("/v1/games").status_code == 200


def test_each_address_has_its_own_measure(limited: FlaskClient) -> None:
    drained(limited)
    assert limited.get("/v1/games", environ_overrides={"REMOTE_ADDR": "10.0.0.9"}).status_code == 200


def test_operation_documents_and_questions_of_browsers_are_free(limited: FlaskClient) -> None:
    drained(limited)
    for path in ("/livez", "/metrics", "/openapi.yaml", "/docs/"):
        assert limited.get(path).status_code == 200
    assert limited.options(JUDGE).status_code == 200


def test_without_a_rate_there_is_no_limit(client: FlaskClient) -> None:
    answers = [client.get("/v1/games") for _ in range(50)]
    assert {a.status_code for a in answers} == {200}
    assert "RateLimit" not in answers[0].headers


def test_who_keeps_failing_pays_more(clock: Clock) -> None:
    client = toy_app(ARBITR_RATE="20").test_client()
    n = 0
    while post(client, JUDGE, b"nope").status_code == 400:
        n += 1
    assert n < 20 * WINDOW / 3
    kept = Limits(20, clock)
    for _ in range(100):
        kept.note("a", 1)
    assert kept._buckets["a"].price == DEAREST
    for _ in range(3):
        kept.note("a", 0)
    assert kept._buckets["a"].price < DEAREST / 2


def test_a_request_pays_for_the_work_that_it_makes(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    client = toy_app(ARBITR_RATE="20").test_client()
    for worked, paid in ((0.0009, 1), (0.0105, 11)):
        times = iter((0.0, worked))
        monkeypatch.setattr(limits, "thread_time", lambda times=times: next(times))
        left = client.application.extensions[limits.KEY]._bucket("127.0.0.1").left
        client.get("/v1/games")
        assert client.application.extensions[limits.KEY]._bucket("127.0.0.1").left == left - paid


def test_a_batch_pays_for_its_items(clock: Clock) -> None:
    client = toy_app(ARBITR_RATE="20").test_client()
    items = [{"action": END}] * 150
    assert client.post(f"{JUDGE}/batch", json={"state": {}, "items": items}).status_code == 400
    setup = {"seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"mode": "seeded", "seed": "s"}}
    state = client.post(f"{TOY}/states", json=setup).json["state"]
    answers = [client.post(f"{JUDGE}/batch", json={"state": state, "items": items}) for _ in range(3)]
    assert [a.status_code for a in answers] == [200, 200, 429]
    assert int(answers[2].headers["Retry-After"]) >= 5


@pytest.mark.parametrize(
    ("proxies", "forwarded", "same"),
    [
        ("0", "1.2.3.4", True),
        ("1", "1.2.3.4", False),
        ("1", "6.6.6.6, 1.2.3.4", False),
        ("2", "1.2.3.4, 5.5.5.5", False),
    ],
)
def test_the_address_behind_trusted_proxies_counts(
    clock: Clock, proxies: str, forwarded: str, same: bool
) -> None:
    client = toy_app(ARBITR_RATE="2", ARBITR_TRUSTED_PROXIES=proxies).test_client()
    drained(client)
    answer = client.get("/v1/games", headers={"X-Forwarded-For": forwarded})
    assert (answer.status_code == 429) == same
    left = "1.2.3.4" in client.application.extensions[limits.KEY]._buckets
    assert left != same


def test_what_a_client_puts_before_the_trusted_entry_does_not_count(clock: Clock) -> None:
    client = toy_app(ARBITR_RATE="2", ARBITR_TRUSTED_PROXIES="1").test_client()
    answers = [client.get("/v1/games", headers={"X-Forwarded-For": f"9.9.9.{n}, 1.2.3.4"}) for n in range(30)]
    assert answers[-1].status_code == 429


@pytest.mark.parametrize(
    ("remote", "known"),
    [
        ("10.1.2.3", "10.1.2.3"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("::FFFF:192.0.2.2", "192.0.2.2"),
        ("::ffff:c000:203%eth0", "192.0.2.3"),
        ("a:b", "a:b"),
        ("", ""),
    ],
)
def test_of_ipv6_the_network_counts(remote: str, known: str) -> None:
    assert address_of(remote) == known


def test_the_memory_of_addresses_is_bounded() -> None:
    kept = Limits(5)
    for n in range(MOST_ADDRESSES + 50):
        kept.take(str(n))
    assert len(kept._buckets) == MOST_ADDRESSES
    assert "0" not in kept._buckets


# -- time ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> FlaskClient:
    """An app under which a lot of time passes at every look at the clock."""
    times = count(0, 100)
    monkeypatch.setattr(budget, "monotonic", lambda: next(times))
    return toy_app(ARBITR_BUDGET="5").test_client()


@pytest.mark.parametrize(("call", "more"), [("adjudications", {"action": END}), ("options", {})])
def test_a_request_that_takes_too_long_is_broken_off(
    hasty: FlaskClient, state: Any, call: str, more: dict[str, Any]
) -> None:
    answer = post(hasty, f"{TOY}/{call}", encoded({"state": state, **more}))
    problem(answer, 503, "out-of-time")
    assert answer.headers["Retry-After"] == "1"


def test_of_a_batch_what_was_done_in_time_is_answered(
    client: FlaskClient, state: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    once = budget.monotonic
    slow = toy_app(ARBITR_BUDGET="5").test_client()
    calls = []

    def passing() -> float:
        calls.append(1)
        return once() if len(calls) < 12 else once() + 100

    monkeypatch.setattr(budget, "monotonic", passing)
    found = slow.post(f"{JUDGE}/batch", json={"state": state, "items": [{"action": END}] * 9}).json[
        "judgements"
    ]
    assert found[0]["verdict"] == "legal"
    assert found[-1]["type"] == "/docs/problems/out-of-time"
    assert len(found) == 9


def test_the_time_of_one_request_is_not_that_of_the_next(client: FlaskClient) -> None:
    with budget.within(0.001):
        sleep(0.002)
        with pytest.raises(budget.OutOfTime):
            budget.tick()
    budget.tick()
    with budget.within(0):
        budget.tick()
