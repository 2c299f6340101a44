"""What one call costs each part of a deployment, in CPU time and bytes: the figures that docs/scaling.md reckons with.

`python -m benchmarks.costs` prints them. CPU time, so that other work on the machine matters little.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from benchmarks import sessions
from benchmarks.games import WIRE, Game, play
from benchmarks.load import Load, once, request_of
from benchmarks.server import KEY, ROOT, Server, _cpu, _resident, running
from benchmarks.trust import sealed
from service.addresses import is_up
from service.process import Child
from service.sessions.clients import connect
from service.sessions.redis_store import CHANNEL

CONNECTIONS = 32
CALLS, ACTIONS = 2000, 1000  # of each game
STREAMS, TABLES = 600, 150  # streams, and sessions that they are of: each player's
STREAM_PORT = 18_431
CHANGES = 20_000  # of sessions that nobody follows


def main() -> None:
    """Measure and print."""
    with running() as server:
        store = Stored(server.store)
        for name in ("zavandor", "simurgh", "root"):
            game = play(1, 4, name)
            print(f"{name}: a sealed adjudication", _adjudications(server, game))
            print(f"{name}: an action in a session", _actions(server, store, game))
            print(f"{name}: a session that was played", _kept(server, store, game))
        print("a stream", _streams(server, store, play(1, 4)))


class Stored:
    """The store, and what it has used."""

    def __init__(self, url: str) -> None:
        self.client = connect(url)

    def used(self) -> dict[str, float]:
        """CPU seconds, bytes in and out, bytes of the log, and of memory."""
        told = {**self.client.info("cpu"), **self.client.info("stats"), **self.client.info("persistence")}
        told |= self.client.info("memory")
        return {
            "cpu": told["used_cpu_sys"] + told["used_cpu_user"],
            "in": told["total_net_input_bytes"],
            "out": told["total_net_output_bytes"],
            "log": told["aof_current_size"],
            "memory": told["used_memory"],
        }


def _adjudications(server: Server, game: Game) -> str:
    """Of plies of a whole game."""
    route = f"/v1/games/{game.rules.game}/adjudications"
    asked = [request_of(route, sealed(ply)) for ply in game.plies]
    answers = [len(once(server.port, request)) for request in asked[:50]]
    load = Load(server.port).open(CONNECTIONS)
    before = server.cpu()
    made = load.run(asked, 600, CALLS)
    used = (server.cpu() - before) / made.count
    load.close()
    sizes = f"{_mean([*map(len, asked)]):.0f} bytes in, {_mean(answers):.0f} out"
    return f"{used * 1e6:.0f} us CPU of the workers, {sizes} ({made.count} calls, {made.refused} refused)"


def _actions(server: Server, store: Stored, game: Game) -> str:
    """One action in each of many sessions, which stand where a game stood."""
    todo = list(islice(cycle(game.plies), ACTIONS + CONNECTIONS))
    opened = [sessions.opened(server, ply) for ply in todo]
    acts = [sessions.action_of(session, ply) for session, ply in zip(opened, todo, strict=True)]
    load = Load(server.port).open(CONNECTIONS)
    before, cpu = store.used(), server.cpu()
    made = load.run(acts, 600, ACTIONS)
    after = store.used()
    each = {name: (after[name] - before[name]) / made.count for name in after}
    load.close()
    return (
        f"{(server.cpu() - cpu) / made.count * 1e6:.0f} us CPU of the workers, "
        f"{each['cpu'] * 1e6:.0f} us of the store, "
        f"{each['in']:.0f} bytes to the store, {each['out']:.0f} from it, {each['log']:.0f} to its log "
        f"({made.count} actions, {made.refused} refused)"
    )


def _kept(server: Server, store: Stored, game: Game) -> str:
    """What is kept of a game, most of it its log."""
    session = sessions.opened(server, game.plies[0])
    path, tokens = f"{session['session']['links']['self']}/actions", session["tokens"]["seats"]
    for version, ply in enumerate(game.plies, 1):
        told = {"Authorization": f"Bearer {tokens[ply.action['actor']]}", "If_Match": f'"{version}"'}
        once(server.port, request_of(path, WIRE.encode({"action": ply.action}), **told))
    of = f"arbitr:{{{session['session']['id']}}}"
    held, log = (store.client.memory_usage(f"{of}:{part}", samples=0) for part in ("session", "log"))
    assert store.client.xlen(f"{of}:log") == len(game.plies) + 1
    return f"{held} bytes, and {log / len(game.plies):.0f} of log an action ({len(game.plies)} actions)"


@contextmanager
def _stream_process(server: Server) -> Iterator[int]:
    """The process of the streams over the same store; the number of its worker."""
    with tempfile.TemporaryDirectory() as data:
        told = {
            "ARBITR_REDIS_URL": server.store,
            "ARBITR_DATA": data,
            "ARBITR_KEYS": KEY.hex(),
            "ARBITR_RATE": "0",
            "ARBITR_LOG_LEVEL": "error",
            "ARBITR_STREAM_PORT": str(STREAM_PORT),
            "PYTHONPATH": str(ROOT),
        }
        env = {**{k: v for k, v in os.environ.items() if not k.startswith("ARBITR_")}, **told}
        child = Child([sys.executable, "-m", "service.streams.run"], death=signal.SIGTERM, cwd=ROOT, env=env)
        try:
            while not is_up("127.0.0.1", STREAM_PORT):
                time.sleep(0.1)
            (worker,) = Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()
            yield int(worker)
        finally:
            child.stop(20)


def _streams(server: Server, store: Stored, game: Game) -> str:
    """Memory of an open stream, CPU of a message on one, and of a change that concerns no stream."""
    plies = [ply for ply in game.plies if ply.kind not in ("start-auction",)][:TABLES]
    opened = [sessions.opened(server, ply) for ply in plies]
    with _stream_process(server) as worker:
        before = _cpu(worker)
        for n in range(CHANGES):
            store.client.publish(CHANNEL, f"{n:032x} 2 0")
            if n % 100 == 0:
                time.sleep(0.05)  # not so many at once that they are told together
        time.sleep(1)
        heard = (_cpu(worker) - before) / CHANGES * 1e6
        return f"{asyncio.run(_followed(server, worker, opened, plies))}; {heard:.0f} us CPU a change that is heard"


async def _followed(server: Server, worker: int, opened: Sequence[Any], plies: Sequence[Any]) -> str:
    least, counted = _resident(worker), [0]
    readers = [
        asyncio.create_task(_read(session, n // len(opened), counted))
        for n, session in enumerate(islice(cycle(opened), STREAMS))
    ]
    while counted[0] < STREAMS:
        await asyncio.sleep(0.1)
    await asyncio.sleep(2)
    held, before, begun = _resident(worker) - least, _cpu(worker), counted[0]
    acts = [sessions.action_of(session, ply) for session, ply in zip(opened, plies, strict=True)]
    for act in acts:
        await asyncio.to_thread(once, server.port, act)
    while counted[0] < begun + STREAMS:
        await asyncio.sleep(0.1)
    used, told = _cpu(worker) - before, counted[0] - begun
    for reader in readers:
        reader.cancel()
    return (
        f"{held * 1024 / STREAMS:.0f} KiB each of {STREAMS} open ones beside {least:.0f} MiB; "
        f"{used / told * 1e6:.0f} us CPU a message ({told} messages of {len(acts)} actions)"
    )


async def _read(session: Any, turn: int, counted: list[int]) -> None:
    """Follow a session as one of its seats does, each in its turn, and then a spectator; count what comes."""
    tokens = [*session["tokens"]["seats"].values(), session["tokens"]["spectator"]]
    token = tokens[turn % len(tokens)]
    path = urlsplit(unquote(session["session"]["links"]["self"])).path
    reader, writer = await asyncio.open_connection("127.0.0.1", STREAM_PORT, limit=1 << 20)
    writer.write(f"GET {path}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    while line := await reader.readline():
        counted[0] += line.startswith(b"id: ")


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    main()
