"""What one call costs each part of a deployment, in CPU time and bytes: the figures that docs/scaling.md reckons with.

`python -m benchmarks.costs` prints them, `python -m benchmarks.costs streams` those of streams alone. CPU time, so that
other work on the machine matters little.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import cycle, islice
from pathlib import Path
from select import EPOLLIN, epoll
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
SPREAD = 4  # processes over which the readers of a table come to lie behind a balancer that knows nothing of tables
SETTLE, IDLE = (
    2,
    5,
)  # seconds until what begins has begun; in which is measured what is used though nobody acts
CHANGES = 20_000  # of sessions that nobody follows
LISTENERS, TOGETHER = (0, 40, 400), (1, 4, 20)  # processes that hear each change; changes that come at once


def main() -> None:
    """Measure and print."""
    with running() as server:
        store = Stored(server.store)
        for name in ("zavandor", "simurgh", "root") if "streams" not in sys.argv else ():
            game = play(1, 4, name)
            print(f"{name}: a sealed adjudication", _adjudications(server, game))
            print(f"{name}: an action in a session", _actions(server, store, game))
            print(f"{name}: a session that was played", _kept(server, store, game))
        _listening(store)
        _hearing(server, store)
        for processes in (0, 1, SPREAD):
            print(
                f"streams in {processes} processes:",
                _streams(server, store, play(1, 4), processes),
                flush=True,
            )


class Stored:
    """The store, and what it has used."""

    def __init__(self, url: str) -> None:
        self.url, self.client = url, connect(url)

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
def _stream_processes(server: Server, count: int) -> Iterator[list[int]]:
    """So many processes of the streams over the same store, at STREAM_PORT and after; the numbers of their workers."""
    with ExitStack() as each:
        children = [each.enter_context(_stream_process(server, STREAM_PORT + n)) for n in range(count)]
        yield [_worker(child, STREAM_PORT + n) for n, child in enumerate(children)]


@contextmanager
def _stream_process(server: Server, port: int) -> Iterator[Child]:
    with tempfile.TemporaryDirectory() as data:
        told = {
            "ARBITR_REDIS_URL": server.store,
            "ARBITR_DATA": data,
            "ARBITR_KEYS": KEY.hex(),
            "ARBITR_RATE": "0",
            "ARBITR_LOG_LEVEL": "error",
            "ARBITR_STREAM_PORT": str(port),
            "PYTHONPATH": str(ROOT),
        }
        env = {**{k: v for k, v in os.environ.items() if not k.startswith("ARBITR_")}, **told}
        child = Child([sys.executable, "-m", "service.streams.run"], death=signal.SIGTERM, cwd=ROOT, env=env)
        try:
            yield child
        finally:
            child.stop(20)


def _worker(child: Child, port: int) -> int:
    """The number of its worker, as soon as that listens."""
    while not is_up("127.0.0.1", port):
        time.sleep(0.1)
    (worker,) = Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()
    return int(worker)


def _heard(store: Stored, worker: int, hooks: bool) -> tuple[float, float]:
    """CPU seconds that a change costs a process that has no stream of its session, and the store: which has webhooks
    or none."""
    before, used = _cpu(worker), store.used()["cpu"]
    for n in range(CHANGES):
        store.client.publish(CHANNEL, f"{n:032x} 2 {int(hooks)}")
        if n % 100 == 0:
            time.sleep(0.05)  # not so many at once that they are told together
    least = _cpu(worker)
    while least != (least := _cpu(worker)):
        time.sleep(1)
    return (least - before) / CHANGES, (store.used()["cpu"] - used) / CHANGES


def _hearing(server: Server, store: Stored) -> None:
    with _stream_processes(server, 1) as (worker,):
        time.sleep(SETTLE)
        none, told = _heard(store, worker, hooks=False)
        asked, answered = _heard(store, worker, hooks=True)
        print(
            f"a change that is heard: {none * 1e6:.0f} us CPU of the process; with webhooks {asked * 1e6:.0f} us, and "
            f"{(answered - told) * 1e6:.0f} us of the store for each process that asks"
        )


def _listening(store: Stored) -> None:
    """CPU of the store for a change that many processes hear: what is written to each."""
    with ExitStack() as each:
        held, drain = list[Any](), epoll()
        for most in LISTENERS:
            while len(held) < most:
                held.append(each.enter_context(connect(store.url).pubsub()))
                held[-1].subscribe(CHANNEL)
                drain.register(held[-1].connection._sock, EPOLLIN)
            used = [_published(store, held, drain, together) for together in TOGETHER]
            told = ", ".join(f"{us * 1e6:.1f} us {n} at once" for us, n in zip(used, TOGETHER, strict=True))
            print(f"a change that {most} processes hear, CPU of the store: {told}")


def _published(store: Stored, held: Sequence[Any], drain: epoll, together: int) -> float:
    """CPU seconds of the store for each of many changes, so many of which come at once."""
    by_number = {one.connection._sock.fileno(): one.connection._sock for one in held}
    before, changes = store.used()["cpu"], CHANGES // 10
    for _ in range(changes // together):
        with store.client.pipeline(transaction=False) as pipe:
            for n in range(together):
                pipe.publish(CHANNEL, f"{n:032x} 2 0")
            pipe.execute()
        while ready := drain.poll(0):
            for number, _ in ready:
                by_number[number].recv(1 << 16)
    return (store.used()["cpu"] - before) / changes


def _streams(server: Server, store: Stored, game: Game, processes: int) -> str:
    """Memory of an open stream, CPU of a message on one, and of the store for an action; the readers of a table, each
    in its turn, are spread over so many processes. 0: nobody reads."""
    plies = list(islice(cycle(ply for ply in game.plies if ply.kind != "start-auction"), TABLES))
    opened = [sessions.opened(server, ply) for ply in plies]
    acts = [sessions.action_of(session, ply) for session, ply in zip(opened, plies, strict=True)]
    with _stream_processes(server, processes) as workers:
        return asyncio.run(_followed(server, store, workers, opened, acts))


async def _followed(
    server: Server, store: Stored, workers: Sequence[int], opened: Sequence[Any], acts: Sequence[bytes]
) -> str:
    readers, counted = STREAMS if workers else 0, [0]
    least = sum(map(_resident, workers))
    tasks = [
        asyncio.create_task(_read(session, n // len(opened), len(workers), counted))
        for n, session in enumerate(islice(cycle(opened), readers))
    ]
    while counted[0] < readers:
        await asyncio.sleep(0.1)
    await asyncio.sleep(SETTLE)
    held = sum(map(_resident, workers)) - least
    idle = _used(store, workers)
    await asyncio.sleep(IDLE)
    idle = [(after - before) / IDLE for after, before in zip(_used(store, workers), idle, strict=True)]
    before, begin = _used(store, workers), time.monotonic()
    load = Load(server.port).open(CONNECTIONS)
    made = await asyncio.to_thread(load.run, acts, 600, len(acts) - CONNECTIONS)  # so each is sent once
    while counted[0] < 2 * readers:
        await asyncio.sleep(0.1)
    seconds = time.monotonic() - begin
    load.close()
    kept, told = (
        after - was - seconds * rest
        for after, was, rest in zip(_used(store, workers), before, idle, strict=True)
    )
    for task in tasks:
        task.cancel()
    of_the_store = (
        f"{kept / len(acts) * 1e6:.0f} us of the store an action ({len(acts)}, {made.refused} refused)"
    )
    if not workers:
        return of_the_store
    return (
        f"{told / readers * 1e6:.0f} us CPU a message, {of_the_store}; "
        f"{held * 1024 / readers:.0f} KiB each of {readers} open ones beside {least / len(workers):.0f} MiB a process"
    )


def _used(store: Stored, workers: Sequence[int]) -> list[float]:
    """CPU seconds of the store, and of the processes of the streams together."""
    return [store.used()["cpu"], sum(map(_cpu, workers))]


async def _read(session: Any, turn: int, processes: int, counted: list[int]) -> None:
    """Follow a session as one of its seats does, each in its turn, and then a spectator; count what comes."""
    tokens = [*session["tokens"]["seats"].values(), session["tokens"]["spectator"]]
    token = tokens[turn % len(tokens)]
    path = urlsplit(unquote(session["session"]["links"]["self"])).path
    port = STREAM_PORT + turn % processes
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    writer.write(f"GET {path}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n".encode())
    while line := await reader.readline():
        counted[0] += line.startswith(b"id: ")


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values)


if __name__ == "__main__":
    main()
