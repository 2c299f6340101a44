"""A thousand open streams while actions go on: how late a message is, on two cores."""

from __future__ import annotations

import asyncio
import random
import statistics
import time
from pathlib import Path
from typing import Any

import pytest

from tests.ops.players import Game, opened

SETTINGS = {"ARBITR_RATE": 0, "ARBITR_LOG_LEVEL": "error", "ARBITR_STREAM_PORT": 0}
WHO = ("ann", "bob", "host", "spectator")
LATEST = 0.050  # seconds, of 99 in 100


class Crowd:
    """Many open streams, and when each version came on each; `answered`: when who acted was answered."""

    def __init__(self) -> None:
        self.open = 0
        self.came: dict[tuple[str, int], list[float]] = {}
        self.answered: dict[tuple[str, int], float] = {}

    async def read(self, port: int, game: Game, who: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
        head = f"GET {game.path}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: {game.token(who)}\r\n\r\n"
        writer.write(head.encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 200"), await reader.read(500)
        first = True
        try:
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    self.came.setdefault((game.id, int(line[4:])), []).append(time.perf_counter())
                    self.open += first
                    first = False
        finally:
            writer.close()

    def late(self) -> list[float]:
        """How long after the answer to the action each reader had its message; who had it before that is not late."""
        return sorted(
            max(0.0, when - answered)
            for key, answered in self.answered.items()
            for when in self.came.get(key, ())
        )


def acted(game: Game, crowd: Crowd, rng: random.Random) -> None:
    """Do one thing, and note when it was answered."""
    assert game.step(rng), "the game goes on"
    crowd.answered[game.id, len(game.done) + 1] = time.perf_counter()


async def measured(service: Any, tables: int, each: int, seconds: float, pause: float) -> Crowd:
    """Open `each` streams of so many games, and act in all of them by turns."""
    games, crowd = [opened(service.port, str(n)) for n in range(tables)], Crowd()
    reading = [
        asyncio.create_task(crowd.read(service.streams, game, WHO[n % len(WHO)]))
        for game in games
        for n in range(each)
    ]
    while crowd.open < len(reading):
        failed = [task for task in reading if task.done()]
        assert not failed, failed[0].exception()
        await asyncio.sleep(0.05)
    end, n, rng = time.monotonic() + seconds, 0, random.Random(tables)
    while time.monotonic() < end:
        begun = time.monotonic()
        await asyncio.to_thread(acted, games[n % tables], crowd, rng)
        n += 1
        await asyncio.sleep(max(0.0, pause - (time.monotonic() - begun)))
    for _ in range(100):
        if all(len(crowd.came.get(key, ())) == each for key in crowd.answered):
            break
        await asyncio.sleep(0.1)
    assert all(len(crowd.came[key]) == each for key in crowd.answered), "everybody was told everything"
    for task in reading:
        task.cancel()
    await asyncio.gather(*reading, return_exceptions=True)
    return crowd


def told(crowd: Crowd, service: Any) -> str:
    late = crowd.late()
    worker = sorted(service.named("service.streams"))[1]
    memory = int(Path(f"/proc/{worker}/statm").read_text().split()[1]) * 4 // 1024
    p50, p99 = statistics.median(late), statistics.quantiles(late, n=100)[98]
    return (
        f"{crowd.open} streams, {len(crowd.answered)} actions, {len(late)} messages: "
        f"p50 {p50 * 1000:.1f} ms, p99 {p99 * 1000:.1f} ms, most {late[-1] * 1000:.1f} ms; {memory} MiB"
    )


@pytest.mark.long
@pytest.mark.parametrize(("tables", "each", "latest"), [(250, 4, LATEST), (10, 100, LATEST), (1, 1000, 0.5)])
def test_a_thousand_streams_are_told_in_time(
    start: Any, tables: int, each: int, latest: float, record_property: Any
) -> None:
    """Of 99 messages in a hundred none is later than 50 ms after the answer to the action; where a thousand look at
    one table, nine megabytes go out at once (and come in here, on the same cores), which takes longer."""
    service = start(**SETTINGS)
    crowd = asyncio.run(measured(service, tables, each, 30, 0.05 if each < 1000 else 0.5))
    said = told(crowd, service)
    record_property("counted", said)
    late = crowd.late()
    assert statistics.quantiles(late, n=100)[98] < latest, said


def test_a_hundred_streams_are_told_everything(start: Any) -> None:
    service = start(**SETTINGS, ARBITR_WORKERS=1)
    crowd = asyncio.run(measured(service, 5, 20, 2, 0.02))
    assert len(crowd.answered) > 3
