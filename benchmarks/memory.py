"""`python -m benchmarks.memory` (a part of `make growth`): what the processes hold, and what idle sessions take.

Writes `memory.json`. Exit code 1: something takes more than it may.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.__main__ import Line
from benchmarks.games import WIRE, Game, Ply, play
from benchmarks.growth import desk
from benchmarks.load import Load, once, request_of
from benchmarks.server import ROOT, Server
from benchmarks.sessions import action_of, opened
from benchmarks.trust import sealed
from service.sessions import opening
from service.sessions.visit import Desk

JSON = Path(__file__).with_name("memory.json")
SEATS = {"zavandor": 4, "simurgh": 4, "root": 4}
IDLE = 10_000
MIB = 1024**2
FIELDS = {"Rss": "resident", "Pss": "share", "Private_Clean": "own", "Private_Dirty": "own"}


# -- processes ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    """MiB that a process holds: `resident`, all of it; `share`, its part where pages are shared; its `own`."""

    what: str
    resident: float
    share: float
    own: float


def held(pid: int, what: str) -> Held:
    """What the kernel says of a process (`smaps_rollup`)."""
    found = {"resident": 0.0, "share": 0.0, "own": 0.0}
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        name, _, size = line.partition(":")
        if name in FIELDS:
            found[FIELDS[name]] += int(size.split()[0]) / 1024
    return Held(what, **found)


def below(pid: int) -> list[int]:
    """The processes that one has started."""
    told = "".join(path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/children"))
    return [int(child) for child in told.split()]


def processes(serve: int) -> list[tuple[int, str]]:
    """Those of a running `arbitr serve`, by what they are."""
    found = [(serve, "arbitr serve")]
    for child in below(serve):
        command = Path(f"/proc/{child}/cmdline").read_bytes()
        if b"gunicorn" in command:
            found += [(child, "service: master"), *((pid, "service: worker") for pid in below(child))]
        elif b"streams" in command:
            found += [(child, "streams: master"), *((pid, "streams: worker") for pid in below(child))]
        else:
            found.append((child, "store"))
    return found


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """`arbitr serve` with its defaults, but for limits: its process, and its port."""
    kept = {k: v for k, v in os.environ.items() if k != "PORT" and not k.startswith("ARBITR_")}
    with tempfile.TemporaryDirectory() as data:
        told = {"PORT": "0", "ARBITR_DATA": data, "ARBITR_RATE": "0", "ARBITR_LOG_LEVEL": "error"}
        env = {**kept, **told, "ARBITR_KEYS": "00" * 32, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "service.cli", "serve"]
        child = subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True)
        try:
            assert child.stdout is not None
            ports = []
            for line in child.stdout:
                ports += re.findall(r"http://127\.0\.0\.1:(\d+)$", line.strip())
                if "Streams come from" in line:
                    break
            yield child.pid, int(ports[0])
        finally:
            child.send_signal(signal.SIGTERM)
            child.communicate(timeout=30)


def used(server: Server, game: Game) -> None:
    """Judgements, options and sessions of a game, over so many connections that every worker has some."""
    at, plies = f"/v1/games/{game.rules.game}", game.middle(64)
    asks = [request_of(f"{at}/adjudications", sealed(ply)) for ply in plies]
    asks += [request_of(f"{at}/options", WIRE.encode({"state": ply.state})) for ply in plies[:8]]
    load = Load(server.port).open(32)
    try:
        made = load.run(asks, 3, 2_000)
    finally:
        load.close()
    assert not made.refused
    for ply in plies[:8]:
        answer = json.loads(once(server.port, action_of(opened(server, ply), ply)))
        assert answer["session"]["version"] == 2


def resident(games: Sequence[Game]) -> list[Held]:
    """What every process holds when all games have been used."""
    with served() as (serve, port):
        for game in games:
            used(Server(port, serve, ""), game)
        time.sleep(1)
        return [held(pid, what) for pid, what in processes(serve)]


# -- idle sessions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Idle:
    """Bytes of the store's memory that a session takes, keys and all; by itself and its log, as the store says; and
    how many were opened in a second."""

    sessions: int
    each: float
    session: float
    log: float
    rate: float


def idle(at: Desk, games: Sequence[Game], sessions: int) -> Idle:
    """So many sessions, each from another state of a game."""
    plies = [(game, ply) for game in games for ply in _spread(game)]
    client: Any = at.store._connected()
    opening.open_session(at, games[0].rules, games[0].plies[0].state)  # scripts and all
    before, begin = client.info("memory")["used_memory"], time.perf_counter()
    ids = []
    for n in range(sessions):
        game, ply = plies[n % len(plies)]
        ids.append(opening.open_session(at, game.rules, ply.state).visit.session)
    spent = time.perf_counter() - begin
    taken = client.info("memory")["used_memory"] - before
    some = ids[:: max(1, sessions // 300)]
    session, log = (
        sum(client.memory_usage(f"arbitr:{{{id_}}}:{part}", samples=0) for id_ in some) / len(some)
        for part in ("session", "log")
    )
    return Idle(sessions, taken / sessions, session, log, sessions / spent)


def _spread(game: Game, most: int = 100) -> list[Ply]:
    return game.plies[:: max(1, len(game.plies) // most)]


# -- the run ------------------------------------------------------------------------------------------------------


def lines(found: Sequence[Held], kept: Idle) -> list[Line]:
    """What each may take."""
    workers = [h for h in found if h.what == "service: worker"]
    told = []
    for each in found:
        most = 150 if each.what.endswith("worker") else None
        told.append(Line(f"{each.what}, resident", each.resident, "MiB", None, most))
        told.append(Line("  its part of what is shared, and its own", each.share, "MiB"))
        told.append(Line("  its own", each.own, "MiB"))
    most = max(h.own / h.resident for h in workers)
    return [
        *told,
        Line("a worker's own, of what it holds", most, "", None, 0.5),
        Line("all processes together, shared pages once", sum(h.share for h in found), "MiB"),
        Line(f"an idle session of {kept.sessions:,}, keys and log", kept.each / 1024, "KiB", None, 6),
        Line("  the session", kept.session / 1024, "KiB", None, 6),
        Line("  its log", kept.log / 1024, "KiB"),
        Line("  sessions opened", kept.rate, "/s"),
        Line(f"all {kept.sessions:,}", kept.each * kept.sessions / MIB, "MiB"),
    ]


def main() -> int:
    """Measure, print, keep."""
    games = [play(1, seats, name) for name, seats in SEATS.items()]
    found = resident(games)
    with desk() as at:
        kept = idle(at, games, IDLE)
    told = lines(found, kept)
    print("", *told, sep="\n")
    missed = [line.what for line in told if line.held is False]
    print(f"\n{len(missed)} too large: {', '.join(missed)}" if missed else "\nall within their bounds")
    JSON.write_text(json.dumps([asdict(line) for line in told], indent=1) + "\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
