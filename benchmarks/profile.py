"""`python -m benchmarks.profile [GAME …]`: where one sealed adjudication goes, in one process and without a server.

Microseconds move with the machine; calls of functions do not, so that a cut can be seen on a machine that is not alone.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

from benchmarks import inprocess, steps, trust
from benchmarks.app import ECHO, create_app
from benchmarks.games import Game, play
from benchmarks.server import KEY
from service.http import logs

TIMES = 30  # each body; the quickest counts
MOST = 64  # bodies
SEATS = {"zavandor": 4, "simurgh": 4, "root": 5}
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


def quickest(call: Callable[[bytes], Any], bodies: Sequence[bytes], times: int = TIMES) -> float:
    """Microseconds of a call: the mean over the bodies, each at its quickest."""
    best = [float("inf")] * len(bodies)
    for _ in range(times):
        for n, body in enumerate(bodies):
            begin = time.perf_counter()
            call(body)
            best[n] = min(best[n], time.perf_counter() - begin)
    return sum(best) / len(best) * 1e6


def calls(call: Callable[[bytes], Any], bodies: Sequence[bytes]) -> dict[str, float]:
    """How many functions are called for one request, by part."""
    found: Counter[str] = Counter()
    stack: list[str] = [AROUND]

    def seen(frame: FrameType, event: str, _: Any) -> None:
        if event == "call":
            code = frame.f_code
            stack.append(PARTS.get((code.co_filename.rpartition("/")[2], code.co_name), stack[-1]))
            found[stack[-1]] += 1
        elif event == "return" and len(stack) > 1:
            stack.pop()
        elif event == "c_call":
            found[stack[-1]] += 1

    for body in bodies:
        call(body)  # once before: what is remembered is remembered
    sys.setprofile(seen)
    try:
        for body in bodies:
            call(body)
    finally:
        sys.setprofile(None)
    return {part: found[part] / len(bodies) for part in (AROUND, *PARTS.values())}


def profiled(app: Any, game: Game, times: int = TIMES) -> Iterable[str]:
    """Lines about one game."""
    route = f"/v1/games/{game.rules.game}/adjudications"
    plies = game.middle(min(MOST, len(game.plies)))
    bodies, plain = [trust.sealed(ply) for ply in plies], [ply.body() for ply in plies]

    def asking(path: str) -> Callable[[bytes], Any]:
        return lambda body: steps.call(app, path, body)

    with inprocess.settled():
        counted = calls(asking(route), bodies)
        yield f"{game.rules.game}: {sum(map(len, bodies)) / len(bodies):.0f} bytes a request"
        for what, path, sent in (
            ("echo", ECHO, bodies),
            ("sealed", route, bodies),
            ("unsealed", route, plain),
        ):
            yield f"  {what:<40} {quickest(asking(path), sent, times):>8.1f} us"
    yield f"  {'calls of functions, sealed':<40} {sum(counted.values()):>8.0f}"
    for part, n in counted.items():
        yield f"    {part:<38} {n:>8.0f}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Tell it of these games, or of all."""
    parser = argparse.ArgumentParser(
        prog="benchmarks.profile", description="Where a sealed adjudication goes."
    )
    parser.add_argument("games", nargs="*", default=[*SEATS], metavar="GAME")
    asked = parser.parse_args(arguments)
    os.environ |= {"ARBITR_KEYS": KEY.hex(), "ARBITR_RATE": "0"}
    app = create_app()
    with Path(os.devnull).open("wb") as nowhere:
        logs.STDOUT.number = nowhere.fileno()
        for name in asked.games:
            print(*profiled(app, play(1, SEATS.get(name, 3), name)), sep="\n", flush=True)


if __name__ == "__main__":
    main()
