"""What the engine takes by itself, without HTTP: microseconds, medians."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.games import WIRE, Game
from service.engine.judge import judge, proposal
from service.engine.options import options
from service.engine.problems import problems
from service.engine.table import Table

TIMES = 5  # of each call; the quickest counts, so that what else the machine does is left out


def quickest(call: Callable[[], Any], times: int = TIMES) -> float:
    """Microseconds of a call."""
    best = float("inf")
    for _ in range(times):
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best * 1e6


@dataclass(frozen=True)
class Promise:
    """What a game promises: microseconds, `state` in KiB, `whole` in seconds, `http` and
    `sealed` in rates of an echo."""

    frequent: Sequence[str]
    judgement: int
    options: int
    state: int
    problems: int = 200
    whole: float = 0.5
    ahead: int = 1_000
    ever: int = 20_000
    http: float = 0.3
    by_itself: int = 3_000
    sealed: float = 0.55


PROMISES = {
    "zavandor": Promise(("bid", "pass", "buy-gem", "end-turn"), judgement=60, options=1_500, state=8),
    "simurgh": Promise(
        ("place-vassal", "retrieve-vassals", "place-tile", "use-ability", "end-turn"),
        judgement=100,
        options=3_000,
        state=10,
    ),
    "root": Promise(
        ("move", "battle", "recruit", "craft", "add-to-decree", "mobilize", "slip", "aid", "ritual-recruit"),
        judgement=80,
        options=2_000,
        state=10,
        http=0.25,
        sealed=0.45,
    ),
}


@contextmanager
def settled() -> Iterator[None]:
    """As in a worker: what is there already is out of the collector's sight."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def judgements(game: Game) -> dict[str, list[float]]:
    """Microseconds of every judgement of a game, by kind."""
    found: dict[str, list[float]] = {}
    for ply in game.plies:
        spent = quickest(lambda p=ply: judge(game.rules, p.state, p.action, game.draws))
        found.setdefault(ply.kind, []).append(spent)
    return found


def looking_ahead(game: Game) -> list[float]:
    """Microseconds of the judgements that had to look ahead."""
    return [
        quickest(lambda p=ply: judge(game.rules, p.state, p.action, game.draws))
        for ply in game.plies
        if looks_ahead(Table(game.rules, ply.state, game.draws), ply.action)
    ]


def looks_ahead(t: Table, action: Mapping[str, Any]) -> bool:
    """Whether judging it takes a search for a way to finish."""
    act, _ = proposal(t, action)
    return act is not None and act.must_finish is not None and act.business(t) is not None


def turns_by_itself(game: Game) -> list[float]:
    """Microseconds of the judgements in which a seat that never decides has its turn, from its beginning on."""
    found = []
    for ply in game.plies:
        t = Table(game.rules, ply.state)
        events = judge(game.rules, ply.state, ply.action, game.draws).events
        if any(e.kind == "turn-begins" and game.rules.idle(t, e.facts["seat"]) for e in events):
            found.append(quickest(lambda p=ply: judge(game.rules, p.state, p.action, game.draws)))
    return found


def whole_game(game: Game) -> float:
    """Seconds of all judgements of a game, each once."""
    begin = time.perf_counter()
    for ply in game.plies:
        judge(game.rules, ply.state, ply.action, game.draws)
    return time.perf_counter() - begin


def option_lists(game: Game) -> list[float]:
    """Microseconds of every option list of a game, as it goes on the wire."""

    def listed(ply: Any) -> list[Any]:
        return [o.to_wire() for o in options(Table(game.rules, ply.state))]

    return [quickest(lambda p=ply: listed(p), 3) for ply in game.plies]


def searches(game: Game) -> list[float]:
    """Microseconds of the search for problems in every state of a game."""
    return [quickest(lambda p=ply: problems(game.rules, p.state)) for ply in game.plies]


def sizes(game: Game) -> list[int]:
    """Bytes of every state of a game."""
    return [len(WIRE.encode(s)) for s in [*(p.state for p in game.plies), game.last]]


def medians(values: dict[str, list[float]]) -> dict[str, float]:
    return {name: median(found) for name, found in values.items()}
