"""Sessions: an action in one beside the stateless adjudication of the same action, and what a session weighs."""

from __future__ import annotations

import http.client
import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from statistics import median
from typing import Any

from benchmarks import steps
from benchmarks.app import HELLO
from benchmarks.games import WIRE, Ply
from benchmarks.load import Load, Measured, get_of, once, request_of, together
from benchmarks.server import Server
from service.sessions.redis_store import RedisStore

AT = "/v1/sessions"
CONNECTIONS = 32
SLICES = 8
EACH = 1024  # actions of a round; each has a session of its own, for it can be done once


@dataclass(frozen=True)
class Round:
    """Measured one right after the other over the same connections."""

    judged: Measured
    acted: Measured
    hello: Measured
    unchanged: Measured


def opened(server: Server, ply: Ply) -> Any:
    """A session that stands at this ply."""
    return json.loads(
        once(server.port, request_of(AT, WIRE.encode({"game": ply.state.game, "state": ply.state})))
    )


def action_of(session: Any, ply: Ply) -> bytes:
    """The request that acts in it."""
    token = session["tokens"]["seats"][ply.action["actor"]]
    body = WIRE.encode({"action": ply.action})
    path = f"{session['session']['links']['self']}/actions"
    return request_of(path, body, Authorization=f"Bearer {token}", If_Match='"1"')


def unchanged_of(server: Server, session: Any) -> bytes:
    """The request of one who has it already."""
    path, bearer = session["session"]["links"]["self"], f"Bearer {session['tokens']['spectator']}"
    tag = _tag(server, path, bearer)
    return get_of(path, Authorization=bearer, If_None_Match=tag)


def _tag(server: Server, path: str, bearer: str) -> str:
    link = http.client.HTTPConnection("127.0.0.1", server.port)
    try:
        link.request("GET", path, headers={"Authorization": bearer})
        answer = link.getresponse()
        answer.read()
        return str(answer.headers["ETag"])
    finally:
        link.close()


def measure(
    server: Server, plies: Sequence[Ply], rounds: int, seconds: float, each: int = EACH
) -> list[Round]:
    """So many rounds, after a short one that does not count."""
    return [_round(server, plies, seconds, each) for _ in range(rounds + 1)][1:]


def _round(server: Server, plies: Sequence[Ply], seconds: float, each: int) -> Round:
    todo = list(islice(cycle(plies), each + CONNECTIONS))
    sessions = [opened(server, ply) for ply in todo]
    acts = [action_of(session, ply) for session, ply in zip(sessions, todo, strict=True)]
    asks = [request_of(steps.ROUTE, ply.body()) for ply in todo]
    unchanged_asks = [unchanged_of(server, opened(server, ply)) for ply in plies]
    load = Load(server.port).open(CONNECTIONS)
    try:
        acted = _measured(server, load, acts, 60, each)  # first, while the versions are those
        judged = _measured(server, load, asks, 60, each)
        hello, unchanged = _in_turns(server, load, ([get_of(HELLO)], unchanged_asks), seconds)
    finally:
        load.close()
    return Round(judged, acted, hello, unchanged)


def _in_turns(server: Server, load: Load, asked: Sequence[Sequence[bytes]], seconds: float) -> list[Measured]:
    """Each for so long, in short slices one after the other: whatever else the machine does meets all alike."""
    slices = [[_measured(server, load, one, seconds / SLICES) for one in asked] for _ in range(SLICES)]
    return [together(each) for each in zip(*slices, strict=True)]


def _measured(
    server: Server, load: Load, requests: Sequence[bytes], seconds: float, most: int = 200_000
) -> Measured:
    before = server.cpu()
    made = load.run(requests, seconds, most)
    made.server_cpu = server.cpu() - before
    if made.refused:
        raise RuntimeError(f"{made.refused} of {made.count} were refused")
    return made


def ratio(rounds: Sequence[Round], one: str, other: str) -> float:
    """How many requests a second of one for each of the other; the median of the rounds."""
    return median(getattr(r, one).rate / getattr(r, other).rate for r in rounds)


def cpu_ratio(rounds: Sequence[Round], one: str, other: str) -> float:
    """The same by the CPU time of the workers."""

    def each(measured: Measured) -> float:
        return measured.server_cpu / measured.count

    return median(each(getattr(r, other)) / each(getattr(r, one)) for r in rounds)


def weight(server: Server, ply: Ply) -> tuple[float, float]:
    """KiB of memory in the store that an idle session takes, and that its log takes."""
    session = opened(server, ply)["session"]["id"]
    client = RedisStore.at(server.store)._connected()
    sizes = [client.memory_usage(f"arbitr:{{{session}}}:{part}", samples=0) for part in ("session", "log")]
    return sizes[0] / 1024, sizes[1] / 1024
