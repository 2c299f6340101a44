"""`python -m benchmarks.peers` (`make peers`): judgements a second of one core, by turns, in rounds.

The peers run in environments of their own (`.venv-peers`, `node_modules`); where one is not installed it is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

from benchmarks.games import WIRE, Game, Ply, play
from benchmarks.inprocess import settled
from benchmarks.load import Load, once, request_of
from benchmarks.peers.clock import rate
from benchmarks.server import Server, running
from benchmarks.trust import sealed
from service.engine.judge import judge
from service.engine.state import encode

HERE = Path(__file__).parent
PYTHON = HERE.parents[1] / ".venv-peers/bin/python"
RESULTS = HERE / "results.json"
MIDDLE, ITEMS, CONNECTIONS, BATCHES = 64, 100, 32, 4
ORDER = ("python-chess", "OpenSpiel", "boardgame.io", "Arbitr")
Found = Mapping[str, Mapping[str, float]]


# -- Arbitr -----------------------------------------------------------------------------------------------------------


def in_process(game: Game, plies: Sequence[Ply], seconds: float) -> float:
    """State bytes in, judgement, state bytes out, without HTTP."""
    rules = game.rules

    def judged(given: tuple[bytes, Mapping[str, Any]]) -> bytes:
        found = judge(rules, rules.decode(given[0]), given[1], game.draws)
        assert found.legal
        return encode(found.state)

    with settled():
        return rate(judged, [(encode(ply.state), ply.action) for ply in plies], seconds)


def over_http(server: Server, game: Game, plies: Sequence[Ply], seconds: float) -> float:
    """Stateless calls: a state under its seal with an action in, judgement and new state out."""
    return _rate(server, _route(game), [sealed(ply) for ply in plies], CONNECTIONS, seconds)


def in_batches(server: Server, game: Game, plies: Sequence[Ply], seconds: float) -> float:
    """The same, so many in one request, each with its own state."""
    bodies = [sealed(ply) for ply in (plies * 2)[:ITEMS]]
    batch = WIRE.encode({"items": [msgspec.Raw(body) for body in bodies]})
    return _rate(server, f"{_route(game)}/batch", [batch], BATCHES, seconds, ITEMS)


def _route(game: Game) -> str:
    return f"/v1/games/{game.rules.game}/adjudications"


def _rate(
    server: Server, route: str, bodies: Sequence[bytes], connections: int, seconds: float, items: int = 1
) -> float:
    """Judgements a second of the workers' CPU time; so many `items` in each request."""
    requests = [request_of(route, body) for body in bodies]
    answer = once(server.port, requests[0])
    assert answer.count(b'"verdict":"legal"') == items, answer[:300]
    load = Load(server.port).open(connections)
    try:
        load.run(requests, seconds / 5)
        before = server.cpu()
        made = load.run(requests, seconds)
        spent = server.cpu() - before
    finally:
        load.close()
    if made.refused:
        raise RuntimeError(f"{made.refused} requests were refused")
    answered = made.count + connections  # the last answer of each came when the time was over
    return answered * items / spent if spent else 0.0


def arbitr(
    server: Server, games: Sequence[Game], seconds: float
) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Each game in three ways."""
    ways: Mapping[str, Callable[[Game, Sequence[Ply]], float]] = {
        "in process": lambda game, plies: in_process(game, plies, seconds),
        "stateless HTTP": lambda game, plies: over_http(server, game, plies, seconds),
        f"batches of {ITEMS}": lambda game, plies: in_batches(server, game, plies, seconds),
    }
    for game in games:
        plies = game.middle(MIDDLE)
        size = sum(len(encode(ply.state)) for ply in plies) / len(plies)
        for told, way in ways.items():
            yield f"Arbitr, {game.rules.game.capitalize()}, {told}", {"rate": way(game, plies), "bytes": size}


# -- the others -------------------------------------------------------------------------------------------------------


def peers() -> dict[str, Sequence[str]]:
    """The commands of those that are installed here."""
    node, found = shutil.which("node"), {}
    if PYTHON.exists():
        found |= {name: (str(PYTHON), f"{name}.py") for name in ("python_chess", "open_spiel")}
    if node and (HERE / "node_modules").exists():
        found["boardgame_io"] = (node, "boardgame_io.mjs")
    return found


def asked(command: Sequence[str], seconds: float) -> Found:
    """What a peer says of itself."""
    done = subprocess.run(
        [*command, str(seconds)], cwd=HERE, stdout=subprocess.PIPE, text=True, timeout=300, check=True
    )
    found: Found = json.loads(done.stdout)
    return found


# -- the run ----------------------------------------------------------------------------------------------------------


def measure(rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """By name, the median of the rounds; in each all are measured, one after the other."""
    games = [play(1, 4), play(1, 4, "simurgh", {"variant": "dragonlord"}), play(1, 5, "root")]
    every: list[dict[str, Mapping[str, float]]] = []
    with running() as server:
        for n in range(rounds):
            print(f"round {n + 1} of {rounds}", file=sys.stderr)
            found: dict[str, Mapping[str, float]] = {}
            for command in peers().values():
                found |= asked(command, seconds)
            every.append(found | dict(arbitr(server, games, seconds)))
    names = sorted(every[0], key=lambda name: ORDER.index(name.partition(",")[0]))
    return {
        name: {"rate": median(r[name]["rate"] for r in every), "bytes": every[0][name]["bytes"]}
        for name in names
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, keep."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.peers", description="Judgements a second beside others."
    )
    parser.add_argument("--rounds", type=int, default=5, help="rounds, of which the median counts [5]")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds of each in a round [2]")
    args = parser.parse_args(arguments)
    found = measure(args.rounds, args.seconds)
    print(f"{'judgements a second of one core':<44} {'':>9} {'bytes of a state':>17}\n")
    for name, told in found.items():
        print(f"{name:<44} {told['rate']:>9,.0f} {told['bytes']:>17,.0f}")
    machine = {"cores": os.cpu_count(), "load": round(os.getloadavg()[0], 2)}
    RESULTS.write_text(json.dumps({"machine": machine, "found": found}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
