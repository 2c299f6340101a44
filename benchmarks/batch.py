"""A batch of a hundred beside single calls: the same sealed plies, one after the other, over HTTP."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import msgspec

from benchmarks.games import WIRE, Game, Ply
from benchmarks.load import Load, Measured, once, request_of
from benchmarks.server import Server
from benchmarks.trust import sealed

SIZE = 100
CONNECTIONS = 8  # of batches: each keeps a worker busy for longer
WARM = 0.5


@dataclass(frozen=True)
class Round:
    """`own`: every item brings its own sealed state; `shared`: all ask about one."""

    single: Measured
    own: Measured
    shared: Measured

    def rate(self, which: str) -> float:
        """Judgements a second."""
        each = 1 if which == "single" else SIZE
        return float(getattr(self, which).rate) * each


def items(plies: Sequence[Ply], first: int) -> list[msgspec.Raw]:
    """A hundred plies in turn, each with its own state and seal."""
    return [msgspec.Raw(sealed(plies[(first + n) % len(plies)])) for n in range(SIZE)]


def of_own(plies: Sequence[Ply], first: int) -> bytes:
    """A batch of them."""
    return WIRE.encode({"items": items(plies, first)})


def of_one(ply: Ply) -> bytes:
    """A batch of a hundred times the same question about one state."""
    rest = msgspec.json.decode(sealed(ply), type=dict[str, msgspec.Raw])
    action = rest.pop("action")
    return WIRE.encode({**rest, "items": [{"action": action}] * SIZE})


def measure(
    server: Server, game: Game, plies: Sequence[Ply], connections: int, rounds: int, seconds: float
) -> list[Round]:
    """So many rounds, after a short one that does not count."""
    route = f"/v1/games/{game.rules.game}/adjudications"
    single = [request_of(route, sealed(ply)) for ply in plies]
    own = [request_of(f"{route}/batch", of_own(plies, n * 7)) for n in range(4)]
    shared = [request_of(f"{route}/batch", of_one(ply)) for ply in plies[:4]]
    for request in (*own, *shared):
        told = msgspec.json.decode(once(server.port, request))["judgements"]
        assert [j.get("verdict") for j in told] == ["legal"] * SIZE, told[0]
    found = []
    for n in range(rounds + 1):
        spent = seconds if n else WARM
        found.append(
            Round(
                _measured(server, single, connections, spent),
                _measured(server, own, CONNECTIONS, spent),
                _measured(server, shared, CONNECTIONS, spent),
            )
        )
    return found[1:]


def _measured(server: Server, requests: Sequence[bytes], connections: int, seconds: float) -> Measured:
    load = Load(server.port).open(connections)
    try:
        made = load.run(requests, seconds)
    finally:
        load.close()
    if made.refused:
        raise RuntimeError(f"{made.refused} requests were refused")
    return made


def ratio(rounds: Sequence[Round], which: str) -> float:
    """Judgements a second in batches for each in single calls; the median of the rounds."""
    return median(r.rate(which) / r.rate("single") for r in rounds)
