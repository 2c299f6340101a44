"""Seats and clocks where several servers work over one store: what only one of them may do, one does."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from service.sessions import attending, automata, ledger, seating
from service.sessions.clocks import Clock
from service.sessions.redis_store import RedisStore
from service.sessions.store import StoreAway
from service.sessions.sweeping import Tables, sweep
from service.sessions.visit import Desk, UnknownSession, enter
from tests.conformance.toy import RULES as HARBOUR
from tests.sessions.games import Kept, begin, desk_of

NOW = 1_900_000_000_000


@pytest.fixture
def desk(store: RedisStore) -> Desk:
    return replace(desk_of(HARBOUR), store=store)


def at_once(*tasks: Callable[[], Any]) -> list[Any]:
    """What each of these returns, or raises, all of them begun at the same moment."""
    start, found = threading.Barrier(len(tasks)), []

    def run(task: Callable[[], Any]) -> None:
        start.wait()
        try:
            found.append(task())
        except Exception as error:
            found.append(error)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def log(kept: Kept) -> list[ledger.Entry]:
    return [ledger.decoded(entry) for _, entry in kept.desk.store.log(kept.id)]


def test_of_two_servers_that_let_somebody_claim_a_seat_one_does(desk: Desk) -> None:
    kept = begin(desk, HARBOUR)
    given: list[str] = []
    seating.invite(kept.visit("host"), "ann", lambda made, secret: given.append(secret) or b"")  # type: ignore[func-returns-value]

    def claim() -> bytes:
        return seating.claim(
            replace(desk), kept.id, "ann", given[0], None, lambda made, token: token.encode()
        )

    found = at_once(*[claim] * 6)
    (token,) = (each for each in found if isinstance(each, bytes))
    assert sum(isinstance(each, UnknownSession) for each in found) == 5
    assert enter(desk, kept.id, token.decode()).bearer.seat == "ann"
    assert [e.kind for e in log(kept)] == ["open", "seats", "seats"]


def test_of_two_servers_that_find_time_to_be_up_one_tells_it_and_lets_the_seat_act_once(desk: Desk) -> None:
    desk = replace(desk, millis=lambda: NOW)
    kept = begin(desk, HARBOUR, clock=Clock("turn", 60, on_timeout="automate"))
    late = replace(desk, millis=lambda: NOW + 60_000)
    found = at_once(*[lambda: attending.due(late, kept.id)] * 4, *[lambda: sweep(late, Tables())] * 2)
    assert not [each for each in found if isinstance(each, Exception)]
    entries = log(kept)
    assert [e.changes[0]["seat"] for e in entries if e.kind == "seats"] == [entries[2].seat]
    assert {e.seat for e in entries if e.kind == "act"} == {entries[2].seat}
    visit = kept.visit("spectator")
    assert automata.asked(visit) is None
    assert visit.window is not None


def test_an_action_and_a_time_out_at_the_same_moment(desk: Desk) -> None:
    """Whichever comes first: the action is one version, or it is late."""
    for _ in range(5):
        kept = begin(
            replace(desk, millis=lambda: NOW), HARBOUR, clock=Clock("turn", 60, on_timeout="automate")
        )
        late = replace(desk, millis=lambda: NOW + 60_000)
        actor = kept.visit("spectator").window.actors[0]  # type: ignore[union-attr]
        at_once(
            lambda kept=kept, actor=actor: kept.act({"kind": "end-turn", "actor": actor}),  # type: ignore[misc]
            lambda kept=kept, late=late: attending.due(late, kept.id),  # type: ignore[misc]
        )
        entries = log(kept)
        ended = [
            e for e in entries if e.kind == "act" and e.proposed[0] == {"kind": "end-turn", "actor": actor}
        ]
        assert len(ended) <= 1
        assert len([e for e in entries if e.kind == "seats"]) <= 1
        versions = [version for version, _ in desk.store.log(kept.id)]
        assert versions == list(range(1, len(versions) + 1))


def test_a_store_without_a_plan_keeps_sessions(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*given: Any) -> None:
        raise StoreAway("away")

    monkeypatch.setattr(desk.store, "plan", away)
    kept = begin(replace(desk, millis=lambda: NOW), HARBOUR, clock=Clock("turn", 60))
    assert kept.visit("ann").version == 1
