"""The log as each seat saw it, page by page, and waiting for more."""

from __future__ import annotations

import threading
import time
from typing import Any

import pytest
from flask import Flask

from tests.http.conftest import problem
from tests.http.kept import AT, Kept, kept_app, opened
from tests.patience import until

END = {"kind": "end-turn", "actor": "ann"}


def events(kept: Kept, who: str, query: str = "", **headers: str) -> Any:
    answer = kept.get(who, f"/events{query}", **headers)
    assert answer.status_code == 200, answer.text
    return answer.json


def test_the_log_begins_with_the_set_up(kept: Kept) -> None:
    told = events(kept, "ann")
    assert (told["version"], told["complete"]) == (1, True)
    (drawn,) = told["events"]
    assert (drawn["version"], drawn["kind"], drawn["what"]) == (1, "moved", {"plum": 1})


def test_every_seat_reads_what_it_saw(kept: Kept) -> None:
    kept.done(END)
    assert [e["what"] for e in events(kept, "ann")["events"]] == [{"plum": 1}, 1]
    (second,) = events(kept, "bob", "?after=1")["events"]
    assert isinstance(second["what"], dict)
    for who in ("host", "dealer", "spectator"):
        assert [e["what"] for e in events(kept, who)["events"]] == [1, 1]


def test_the_log_comes_in_parts(kept: Kept) -> None:
    for who in ("ann", "bob", "ann"):
        kept.done({**END, "actor": who})
    whole = events(kept, "ann")
    parts, after = [], 0
    while True:
        part = events(kept, "ann", f"?after={after}&limit=1")
        parts += part["events"]
        assert part["version"] == after + 1
        after = part["version"]
        if part["complete"]:
            break
    assert parts == whole["events"]
    assert whole["version"] == after == 4
    assert events(kept, "ann", "?after=4") == {"events": [], "version": 4, "complete": True}


def test_texts_are_in_the_language_of_the_request(kept: Kept) -> None:
    assert events(kept, "ann", Accept_Language="cs")["events"][0]["text"].endswith(": přesun.")


@pytest.mark.parametrize("query", ["after=-1", "after=x", "limit=0", "limit=101", "wait=26", "wait=", "x=1"])
def test_a_wrong_query_is_refused(kept: Kept, query: str) -> None:
    problem(kept.get("ann", f"/events?{query}"), 400, "bad-query")


# -- waiting ----------------------------------------------------------------------------------------------------


def test_there_is_no_waiting_for_what_is_there(kept: Kept) -> None:
    begun = time.monotonic()
    assert events(kept, "ann", "?wait=20")["version"] == 1
    assert time.monotonic() - begun < 10


def test_waiting_ends_with_its_time(kept: Kept) -> None:
    begun = time.monotonic()
    assert events(kept, "ann", "?after=1&wait=1") == {"events": [], "version": 1, "complete": True}
    assert 0.9 < time.monotonic() - begun < 10, "a wait that is not its own takes 25"


def waiter(kept: Kept, who: str, query: str, found: list[Any]) -> threading.Thread:
    mine = Kept(kept.client.application.test_client(), kept.opened)
    thread = threading.Thread(target=lambda: found.append(mine.get(who, f"/events{query}")))
    thread.start()
    return thread


def wait(app: Any, n: int) -> None:
    """Until so many wait."""
    waiting = app.extensions["arbitr"].waiting
    assert until(lambda: waiting._waiting == n, every=0.005), waiting._waiting


def test_waiting_ends_with_the_next_version(app: Flask, kept: Kept) -> None:
    found: list[Any] = []
    threads = [waiter(kept, who, "?after=1&wait=25", found) for who in ("ann", "bob")]
    wait(app, 2)
    begun = time.monotonic()
    kept.done(END)
    for thread in threads:
        thread.join()
    assert time.monotonic() - begun < 10
    assert [a.json["version"] for a in found] == [2, 2]


def test_waiting_ends_with_the_session(app: Flask, kept: Kept) -> None:
    found: list[Any] = []
    thread = waiter(kept, "ann", "?after=1&wait=25", found)
    wait(app, 1)
    kept.client.delete(f"{AT}/{kept.id}", headers=kept.headers("host"))
    thread.join()
    problem_of(found[0], 404)


def problem_of(answer: Any, status: int) -> None:
    assert answer.status_code == status


@pytest.mark.parametrize(("places", "sessions"), [("2", 2), ("16", 1)])
def test_no_more_may_wait_than_are_allowed(places: str, sessions: int) -> None:
    """In all; and for one session no more than half of them."""
    client = kept_app(ARBITR_WAITING=places).test_client()
    tables = [opened(client) for _ in range(sessions)]
    kept, found = tables[0], list[Any]()
    each = (int(places) + 1) // 2
    threads = [waiter(table, "ann", "?after=1&wait=25", found) for table in tables for _ in range(each)]
    wait(client.application, len(threads))
    for table in (*tables, *([opened(client)] if sessions == 2 else [])):
        refused = table.get("bob", "/events?after=1&wait=5")
        problem(refused, 503, "too-many-wait")
        assert refused.headers["Retry-After"] == "1"
    assert events(kept, "bob", "?after=1")["events"] == [], "who does not wait is answered"
    for table in tables:
        table.done(END)
    for thread in threads:
        thread.join()
    assert [a.status_code for a in found] == [200] * len(threads)
    assert events(kept, "bob", "?after=2&wait=1")["version"] == 2, "and there is room again"


def test_one_address_takes_half_of_the_places() -> None:
    client = kept_app(ARBITR_WAITING="4", ARBITR_RATE="200").test_client()
    tables, found = [opened(client) for _ in range(3)], list[Any]()
    threads = [waiter(table, "ann", "?after=1&wait=25", found) for table in tables[:2]]
    wait(client.application, 2)
    problem(tables[2].get("bob", "/events?after=1&wait=1"), 503, "too-many-wait")
    other = client.get(
        f"{AT}/{tables[2].id}/events?after=1&wait=1",
        headers=tables[2].headers("bob"),
        environ_base={"REMOTE_ADDR": "10.0.0.7"},
    )
    assert other.status_code == 200
    for table in tables[:2]:
        table.done(END)
    for thread in threads:
        thread.join()
    assert [a.status_code for a in found] == [200, 200]
    assert tables[2].get("bob", "/events?after=1&wait=1").status_code == 200
