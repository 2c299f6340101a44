"""`python -m benchmarks.growth` (`make growth`): what grows with the length of a game, its seats and its state.

Writes `growth.json`, and `growth.svg` of it. Everything is measured in process, sessions over the embedded store.
Exit code 1: something grows faster than it may.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import charts
from benchmarks.__main__ import Line
from benchmarks.games import Game, Ply, play
from benchmarks.inprocess import quickest, settled
from benchmarks.long import Table as LongTable
from service.engine.judge import judge
from service.engine.options import options
from service.engine.state import encode
from service.engine.table import Table
from service.games import REGISTRY
from service.sessions import acting, opening
from service.sessions.acting import Proposal
from service.sessions.embedded import EmbeddedStore, find_server
from service.sessions.fairness import Fairness
from service.sessions.redis_store import RedisStore
from service.sessions.visit import Desk, enter

JSON, SVG = (Path(__file__).with_name(f"growth.{kind}") for kind in ("json", "svg"))
GAMES = {"zavandor": range(2, 7), "simurgh": range(2, 6), "root": range(2, 7)}
COSTS = ("judgement", "options", "encode", "commit")  # of options: for each one listed
VERSIONS = (1, 100, 500, 1_000, 2_000, 3_000, 4_000, 5_000)
PARTS = 5  # of games by progress, and of states by size: the medians of each are compared
EVERY = 6  # plies: one of so many is measured
TIMES = 5
FLAT, LINEAR = 1.25, 1.25
# How many times what it costs at the beginning of a game. What an option costs depends on what there is to decide then.
GAME = {"judgement": 1.5, "options": 3.0, "encode": 1.5, "commit": 1.5}


@dataclass(frozen=True)
class Point:
    """What was measured at one state: microseconds, `size` in bytes, `progress` from 0 to 1 of its game, `listed`: so
    many options were listed in `options`."""

    seats: int
    progress: float
    size: int
    listed: int
    judgement: float
    options: float
    encode: float
    commit: float


@contextmanager
def desk() -> Iterator[Desk]:
    """Sessions over a store of their own."""
    found = find_server()
    if found is None:
        raise SystemExit("growth cannot be measured: there is no server to keep sessions")
    with tempfile.TemporaryDirectory() as data:
        server = EmbeddedStore(found, Path(data) / "store")
        server.start()
        try:
            yield Desk(
                RedisStore.at(server.url), REGISTRY, Fairness(lambda: bytes(32)), lambda: int(time.time())
            )
        finally:
            server.stop()


# -- one state ----------------------------------------------------------------------------------------------------


def points(at: Desk, game: Game, every: int = EVERY) -> list[Point]:
    """One of `every` plies of a game."""
    last, found = len(game.plies) - 1, []
    with settled():
        for n in range(0, len(game.plies), every):
            found.append(point(at, game, game.plies[n], n / last))
    return found


def point(at: Desk, game: Game, ply: Ply, progress: float) -> Point:
    """What this ply costs."""
    rules, state = game.rules, ply.state

    def listed() -> list[Any]:
        return [o.to_wire() for o in options(Table(rules, state))]

    return Point(
        len(state.seats),
        progress,
        len(encode(state)),
        len(listed()),
        quickest(lambda: judge(rules, state, ply.action, game.draws), TIMES),
        quickest(listed, TIMES),
        quickest(lambda: encode(state), TIMES),
        min(acted(at, game, ply) for _ in range(TIMES)),
    )


def acted(at: Desk, game: Game, ply: Ply) -> float:
    """Microseconds of the action in a new session that stands there: read, judged, committed."""
    opened = opening.open_session(at, game.rules, ply.state)
    session, token = opened.visit.session, opened.tokens.seats[ply.action["actor"]]
    begin = time.perf_counter()
    acting.act(enter(at, session, token), ply.action, Proposal((1,), b"asked"), lambda made: b"{}")
    return (time.perf_counter() - begin) * 1e6


# -- what comes of it ---------------------------------------------------------------------------------------------


Curve = list[tuple[float, float]]


def curve(found: Sequence[Point], x: Callable[[Point], float], cost: str, parts: int = 0) -> Curve:
    """A cost by `x`: at each value, or in so many parts of equal number. Medians; of options the mean for each one."""
    ordered = sorted(found, key=x)
    if parts:
        cuts = [len(ordered) * n // parts for n in range(parts + 1)]
        groups = [ordered[a:b] for a, b in pairwise(cuts)]
    else:
        groups = [[p for p in ordered if x(p) == value] for value in sorted({x(p) for p in ordered})]
    return [(median(map(x, group)), typical(group, cost)) for group in groups]


def typical(group: Sequence[Point], cost: str) -> float:
    """What it costs among these. A list takes as long as it is, from one option to hundreds, so it is taken by them."""
    if cost == "options":
        return sum(p.options for p in group) / sum(p.listed for p in group)
    return median(getattr(p, cost) for p in group)


def curves(found: Sequence[Point]) -> dict[str, dict[str, Curve]]:
    """By what it may grow with, and by cost."""
    axes: dict[str, tuple[Callable[[Point], float], int]] = {
        "length": (lambda p: p.progress, PARTS),
        "seats": (lambda p: p.seats, 0),
        "size": (lambda p: p.size / 1024, PARTS),
    }
    return {axis: {cost: curve(found, x, cost, parts) for cost in COSTS} for axis, (x, parts) in axes.items()}


def lines(game: str, made: dict[str, dict[str, Curve]], versions: Sequence[Any]) -> list[Line]:
    """The ratios of the last to the first of each curve, and what they may be.

    With seats and size a cost may grow as these do, and no faster; the end of a game may cost little more than its
    beginning, and a version of a session no more than any other.
    """
    told = []
    for axis, by_cost in made.items():
        for cost, points_ in by_cost.items():
            (x0, y0), (x1, y1) = points_[0], points_[-1]
            what = "end of the game / beginning" if axis == "length" else f"most {axis} / least"
            most = GAME[cost] if axis == "length" else x1 / x0 * LINEAR
            told.append(Line(f"{game.capitalize()}, {cost}: {what}", y1 / y0, "", None, most))
    first, early, last = versions[0], versions[1], versions[-1]
    name = game.capitalize()
    told += [
        Line(f"{name}, %s at version {last.version:,} / %s" % pair, ratio, "", None, most)
        for pair, ratio, most in (
            (("action", "in a fresh session"), last.action_beside, FLAT),
            (("rewind", "in a fresh session"), last.back_beside, FLAT),
            (("entry of the log", f"at {early.version}"), last.page / early.page, FLAT),
            (("commands of an action", f"at {first.version}"), last.commands / first.commands, 1),
            (("bytes of an action", f"at {first.version}"), last.carried / first.carried, 1.02),
        )
    ]
    return told


def measured(at: Desk, name: str, seats: Sequence[int], every: int) -> list[Point]:
    """Games with each number of seats."""
    return [p for n in seats for p in points(at, play(1, n, name), every)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, keep and draw."""
    parser = argparse.ArgumentParser(prog="benchmarks.growth", description="What grows with what.")
    parser.add_argument("--every", type=int, default=EVERY, help=f"one ply of so many is measured [{EVERY}]")
    parser.add_argument(
        "--versions", type=int, default=VERSIONS[-1], help="how long a session to make [5000]"
    )
    args = parser.parse_args(arguments)
    kept: dict[str, Any] = {}
    told: list[Line] = []
    for name, seats in GAMES.items():
        with desk() as at:
            made = curves(measured(at, name, seats, args.every))
            table = LongTable(at, play(1, 4, name))
            versions = [table.measured(v) for v in VERSIONS if v <= args.versions]
        kept[name] = {**made, "versions": [asdict(v) for v in versions]}
        told += lines(name, made, versions)
    print(*told, sep="\n")
    missed = [line.what for line in told if line.held is False]
    print(
        f"\n{len(missed)} grow too fast: {', '.join(missed)}"
        if missed
        else "\nnothing grows faster than it may"
    )
    JSON.write_text(json.dumps(kept, indent=1) + "\n")
    charts.draw(kept, SVG)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
