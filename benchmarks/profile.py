"""`python -m benchmarks.profile [GAME …]`: where one sealed adjudication goes, and one action in a session.

In one process, without a server (but for the store). Microseconds move with the machine; calls of functions do not, so
that a cut can be seen on a machine that is not alone.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks import inprocess, sessions, steps, trust
from benchmarks.app import ECHO, create_app
from benchmarks.games import SEATS as SITTING
from benchmarks.games import WIRE, Game, Ply, play
from benchmarks.server import KEY, stored
from service.http import logs

TIMES = 30  # each body; the quickest counts
MOST = 64  # bodies
SEATS = {"zavandor": 4, "simurgh": 4, "root": 5}
SESSION_TIMES = 12  # each ply; every time in a session of its own
AROUND = "around it: Flask, headers, log"
# Functions at which a part begins, by file and name; what they call is of that part, unless another begins there.
PARTS: dict[tuple[str, str], str] = {
    ("body.py", "read_body"): "reading the body",
    ("context.py", "receive"): "envelope, action, state",
    ("posted.py", "posted"): "the seal, the id of the question",
    ("referee.py", "adjudicate"): "judging",
    ("posted.py", "whole"): "the new state and its seal",
    ("wire.py", "happened"): "events and texts",
    ("answers.py", "answer"): "encoding the answer",
    ("manners.py", "_see_off"): "headers, metrics, log",
}
# The same of an action in a session.
ACTING: dict[tuple[str, str], str] = {
    ("visit.py", "enter"): "reading the session",
    ("context.py", "read"): "envelope, action",
    ("judge.py", "judge"): "judging",
    ("acting.py", "_change"): "state and entry for the store",
    ("sessions.py", "told"): "the view, events and texts",
    ("redis_store.py", "commit"): "the commit",
    ("manners.py", "_see_off"): "headers, metrics, log",
}


def quickest(call: Callable[[bytes], Any], bodies: Sequence[bytes], times: int = TIMES) -> float:
    """Microseconds of a call: the mean over the bodies, each at its quickest."""
    best = [float("inf")] * len(bodies)
    for _ in range(times):
        for n, body in enumerate(bodies):
            begin = time.perf_counter()
            call(body)
            best[n] = min(best[n], time.perf_counter() - begin)
    return sum(best) / len(best) * 1e6


def calls(
    call: Callable[[Any], Any], requests: Sequence[Any], parts: Mapping[tuple[str, str], str] = PARTS
) -> dict[str, float]:
    """How many functions are called for one request, by part."""
    found: Counter[str] = Counter()
    stack: list[str] = [AROUND]

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            code = frame.f_code
            stack.append(parts.get((code.co_filename.rpartition("/")[2], code.co_name), stack[-1]))
            found[stack[-1]] += 1
        elif event == "return" and len(stack) > 1:
            stack.pop()
        elif event == "c_call":
            found[stack[-1]] += 1

    sys.setprofile(seen)
    try:
        for request in requests:
            call(request)
    finally:
        sys.setprofile(None)
    return {part: found[part] / len(requests) for part in (AROUND, *parts.values())}


def profiled(app: Any, game: Game, times: int = TIMES) -> Iterable[str]:
    """Lines about one game."""
    route = f"/v1/games/{game.rules.game}/adjudications"
    plies = game.middle(min(MOST, len(game.plies)))
    bodies, plain = [trust.sealed(ply) for ply in plies], [ply.body() for ply in plies]

    def asking(path: str) -> Callable[[bytes], Any]:
        return lambda body: steps.call(app, path, body)

    with inprocess.settled():
        for body in bodies:
            asking(route)(body)  # once before: what is remembered is remembered
        counted = calls(asking(route), bodies)
        yield f"{game.rules.game}: {sum(map(len, bodies)) / len(bodies):.0f} bytes a request"
        for what, path, sent in (
            ("echo", ECHO, bodies),
            ("sealed", route, bodies),
            ("unsealed", route, plain),
        ):
            yield f"  {what:<40} {quickest(asking(path), sent, times):>8.1f} us"
    yield from _counted("sealed", counted)


def _counted(what: str, counted: Mapping[str, float]) -> Iterable[str]:
    yield f"  {f'calls of functions, {what}':<40} {sum(counted.values()):>8.0f}"
    for part, n in counted.items():
        yield f"    {part:<38} {n:>8.0f}"


def acting(app: Any, game: Game, times: int = SESSION_TIMES) -> Iterable[str]:
    """The same of actions in sessions, each of which stands at the ply before and is left after it."""
    plies = [ply for ply in game.middle(min(MOST, len(game.plies))) if ply.action["actor"] in SITTING]

    def act(made: tuple[str, bytes, dict[str, str]]) -> None:
        steps.call(app, *made, status="201")

    best = [float("inf")] * len(plies)
    with inprocess.settled():
        for _ in range(times):
            for n, made in enumerate([opened(app, ply) for ply in plies]):
                begin = time.perf_counter()
                act(made)
                best[n] = min(best[n], time.perf_counter() - begin)
        counted = calls(act, [opened(app, ply) for ply in plies], ACTING)
    yield f"  {'action in a session':<40} {sum(best) / len(best) * 1e6:>8.1f} us"
    yield from _counted("action in a session", counted)


def opened(app: Any, ply: Ply) -> tuple[str, bytes, dict[str, str]]:
    """Address, body and fields of the action in a new session that stands at this ply."""
    asked = WIRE.encode({"game": ply.state.game, "state": ply.state})
    made = json.loads(steps.call(app, sessions.AT, asked, status="201"))
    token = made["tokens"]["seats"][ply.action["actor"]]
    fields = {"HTTP_AUTHORIZATION": f"Bearer {token}", "HTTP_IF_MATCH": '"1"'}
    return f"{made['session']['links']['self']}/actions", WIRE.encode({"action": ply.action}), fields


def main(arguments: Sequence[str] | None = None) -> None:
    """Tell it of these games, or of all."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.profile", description="Where a sealed adjudication goes."
    )
    parser.add_argument("games", nargs="*", default=[*SEATS], metavar="GAME")
    asked = parser.parse_args(arguments)
    with (
        tempfile.TemporaryDirectory() as data,
        stored(Path(data) / "store") as store,
        Path(os.devnull).open("wb") as nowhere,
    ):
        os.environ |= {"ARBITR_KEYS": KEY.hex(), "ARBITR_RATE": "0", "ARBITR_REDIS_URL": store}
        app = create_app()
        logs.STDOUT.number = nowhere.fileno()
        for name in asked.games:
            game = play(1, SEATS.get(name, 3), name)
            print(*profiled(app, game), *acting(app, game), sep="\n", flush=True)


if __name__ == "__main__":
    main()
