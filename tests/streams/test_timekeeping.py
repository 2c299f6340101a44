"""Keeping time: what is due at a session is done though nobody comes by."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from service.sessions import automata, opening, referee, seating
from service.sessions.clocks import Clock
from service.sessions.opening import Wishes
from service.sessions.store import StoreAway
from service.sessions.tokens import HOST, Bearer
from service.sessions.visit import watching
from service.streams import timekeeping
from service.streams.duties import DUTIES
from service.streams.timekeeping import keep_time, pause
from tests.conformance.toy import RULES as HARBOUR
from tests.sessions.games import desk_of

NOW = 1_900_000_000_000


class Office:
    """As much of one as the duty needs."""

    def __init__(self, desk: Any) -> None:
        self.desk, self.pool = desk, ThreadPoolExecutor(2)

    async def call(self, function: Any, *given: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.pool, function, *given)


def kept_time(desk: Any, until: Any) -> None:
    """Keep time until something is so."""

    async def keep() -> None:
        duty = asyncio.create_task(keep_time(Office(desk)))  # type: ignore[arg-type]
        async with asyncio.timeout(30):
            while not until():
                await asyncio.sleep(0.01)
        duty.cancel()

    asyncio.run(keep())


def opened(desk: Any) -> str:
    from service.engine.ruleset import SetupSeat

    wish = referee.Wish([SetupSeat("ann"), SetupSeat("bob")], {}, "seeded", "7")
    begun = referee.set_up(HARBOUR, wish, desk.fairness)
    wishes = Wishes(3600, clock=Clock("turn", 60, on_timeout="automate"))
    return opening.open_session(desk, HARBOUR, begun.state, wishes).visit.session


def test_time_that_is_up_is_told_though_nobody_comes_by() -> None:
    moment = [NOW]
    desk = replace(desk_of(HARBOUR), millis=lambda: moment[0])
    session = opened(desk)
    assert desk.store.next_planned() == NOW + 60_000
    moment[0] += 60_000
    kept_time(
        desk, lambda: desk.store.next_planned() == NOW + 120_000
    )  # now it is the other's time that runs
    assert desk.store.read(session).version > 2


def test_no_clock_waits_for_the_moves_of_automated_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = [NOW]
    desk = replace(desk_of(HARBOUR), millis=lambda: moment[0])
    own, other = opened(desk), opened(desk)
    kept = watching(desk, own)
    for seat in kept.about.tokens.seats:
        kept = replace(kept, bearer=Bearer(HOST))
        seating.automate(kept, seat, lambda made: b"")
        kept = kept.again()
    desk.store.plan(own, NOW)
    told, playing = threading.Event(), threading.Event()

    def play_on(visit: Any, most: int) -> Any:
        playing.set()
        assert told.wait(20)
        return visit

    def until() -> bool:
        if playing.is_set():
            moment[0] = NOW + 60_000
        if desk.store.read(other).version > 1:
            told.set()
        return told.is_set()

    monkeypatch.setattr(automata, "play_on", play_on)
    kept_time(desk, until)


def test_a_store_that_is_away_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[float] = []

    def sweep(desk: Any, tables: Any) -> None:
        calls.append(time.monotonic())
        raise StoreAway("away")

    monkeypatch.setattr(timekeeping, "sweep", sweep)
    monkeypatch.setattr(timekeeping, "AWAY", 0.01)
    kept_time(desk_of(HARBOUR), lambda: len(calls) > 2)


def test_it_waits_for_what_is_due_and_a_second_at_most() -> None:
    assert pause(None, NOW) == 1.0
    assert pause(NOW + 60_000, NOW) == 1.0
    assert pause(NOW + 300, NOW) == 0.3
    assert pause(NOW - 5, NOW) == 0.05, "others have a turn too"


def test_it_is_a_duty_of_the_stream_process() -> None:
    assert keep_time in DUTIES
