"""Memory of streams that have gone is given back, and work is saved for that."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from typing import Any

import pytest

from service.streams import freeing, hub
from service.streams.freeing import FEWEST, SETTLE, Leavings
from tests.http.kept import opened
from tests.streams.readers import House, until


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Nothing is collected but by whoever asks for it."""
    gc.disable()
    yield
    gc.enable()


class Circle:
    """What nobody but itself holds, as a connection and its tasks do."""

    def __init__(self) -> None:
        self.itself = self


def circle() -> weakref.ref[Circle]:
    return weakref.ref(Circle())


def gone(leavings: Leavings, n: int) -> None:
    for _ in range(n):
        leavings.left()


def test_what_has_gone_is_collected_when_nothing_else_holds_it_any_more(uncollected: None) -> None:
    leavings, left = Leavings(), circle()
    gone(leavings, FEWEST)
    assert not leavings.cleared(0, 100.0), "gunicorn holds them still"
    assert not leavings.cleared(0, 100.0 + SETTLE - 0.1)
    assert left() is not None
    assert leavings.cleared(0, 100.0 + SETTLE)
    assert left() is None
    assert not any(leavings.cleared(0, 100.0 + n) for n in range(10, 30)), "nothing is left"


def test_those_that_go_meanwhile_are_not_forgotten() -> None:
    leavings = Leavings()
    gone(leavings, FEWEST)
    assert not leavings.cleared(0, 100.0)
    gone(leavings, FEWEST)
    assert leavings.cleared(0, 100.0 + SETTLE)
    assert not leavings.cleared(0, 101.0 + SETTLE)
    assert leavings.cleared(0, 101.0 + 2 * SETTLE)


@pytest.mark.parametrize(
    ("left", "still_open", "collects"),
    [(FEWEST - 1, 0, False), (FEWEST, 0, True), (999, 2000, False), (1000, 2000, True), (2500, 5000, True)],
)
def test_it_is_done_when_a_third_of_all_has_gone(left: int, still_open: int, collects: bool) -> None:
    leavings = Leavings()
    gone(leavings, left)
    assert not leavings.cleared(still_open, 100.0)
    assert leavings.cleared(still_open, 100.0 + SETTLE) is collects


def test_readers_who_hang_up_leave_nothing_behind(monkeypatch: pytest.MonkeyPatch, uncollected: None) -> None:
    trimmed: list[int] = []
    monkeypatch.setattr(freeing, "FEWEST", 2)
    monkeypatch.setattr(freeing, "SETTLE", 0.05)
    monkeypatch.setattr(hub, "TICK", 0.02)
    monkeypatch.setattr(hub, "trim", lambda: trimmed.append(1))

    async def test(house: House) -> None:
        kept = opened(house.main.test_client())
        readers = [house.read(kept, who) for who in ("ann", "spectator")]
        await until(lambda: len(house.streams.hub._every()) == 2)
        held: list[Any] = []
        for stream in house.streams.hub._every():
            stream.itself = stream  # type: ignore[attr-defined]
            held.append(weakref.ref(stream))
        del stream
        for reader in readers:
            reader.gone.set()
        await asyncio.gather(*(reader.task for reader in readers))
        readers.clear()
        await until(lambda: all(ref() is None for ref in held))
        await until(lambda: bool(trimmed))

    House.open().run(test)


def test_memory_can_be_given_back_whatever_the_library() -> None:
    freeing.trim()
