"""`python -m benchmarks` (`make bench`): every number of the promise in one run, with its target and a verdict.

Ratios are what counts: on another machine, or on a busy one, all times move together. Exit code 1: a target was missed.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import batch, inprocess, sessions, steps, trust
from benchmarks.app import ECHO
from benchmarks.games import Game, play
from benchmarks.hard import hard
from benchmarks.load import Load, Measured, once, request_of
from benchmarks.server import WORKERS, Server, running
from service.app import create_app
from service.config import Settings
from service.http import logs

LATEST = Path(__file__).with_name("latest.json")
CONNECTIONS = 32
SIMURGH = ((1, 4, "dragonlord"), (2, 2, "spearman"), (3, 5, "dragonlord"))
MECHANICAL = [{"faction": f} for f in ("mechanical-marquise", "eyrie", "alliance", "cult")]
ROOT = ((1, 5), (2, 2), (3, 6))  # five seats play each faction once
MIX = 64  # plies in a row from the middle of a game, sent in turn


@dataclass(frozen=True)
class Line:
    """One number, and what it must be: at least or at most."""

    what: str
    value: float
    unit: str
    least: float | None = None
    most: float | None = None

    @property
    def held(self) -> bool | None:
        if self.least is None and self.most is None:
            return None
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    def __str__(self) -> str:
        target = (
            "" if self.held is None else f">= {self.least:g}" if self.most is None else f"<= {self.most:g}"
        )
        verdict = {None: "", True: "holds", False: "MISSED"}[self.held]
        return f"{self.what:<64} {self.value:>9.{_digits(self.value)}f} {self.unit:<6} {target:>8}  {verdict}"


def _digits(value: float) -> int:
    return 2 if value < 10 else 1 if value < 100 else 0


# -- over HTTP ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Round:
    """Echo and adjudication of the same bytes over the same connections, one right after the other."""

    echo: Measured
    judged: Measured

    @property
    def ratio(self) -> float:
        return self.judged.rate / self.echo.rate

    @property
    def cpu_ratio(self) -> float:
        return (self.echo.server_cpu / self.echo.count) / (self.judged.server_cpu / self.judged.count)


def measure(
    server: Server, bodies: Sequence[bytes], rounds: int, seconds: float, route: str = steps.ROUTE
) -> list[Round]:
    """So many rounds, each with connections of its own, after a round that does not count."""
    echoes = [request_of(ECHO, body) for body in bodies]
    asked = [request_of(route, body) for body in bodies]
    for echo, ask, body in zip(echoes, asked, bodies, strict=True):
        assert once(server.port, echo) == body
        answer = once(server.port, ask)
        assert answer.startswith(b'{"verdict":"legal"'), answer[:300]
    found = []
    for n in range(rounds + 1):
        load = Load(server.port).open(CONNECTIONS)
        try:
            pair = [_measured(server, load, r, seconds if n else 0.5) for r in (echoes, asked)]
        finally:
            load.close()
        found.append(Round(*pair))
    return found[1:]


def measure_game(server: Server, game: Game, rounds: int, seconds: float) -> list[Round]:
    """The same with plies from the middle of another game."""
    route = f"/v1/games/{game.rules.game}/adjudications"
    return measure(server, [ply.body() for ply in game.middle(MIX)], rounds, seconds, route)


def _measured(server: Server, load: Load, requests: Sequence[bytes], seconds: float) -> Measured:
    before = server.cpu()
    made = load.run(requests, seconds)
    made.server_cpu = server.cpu() - before
    if made.refused:
        raise RuntimeError(f"{made.refused} requests were refused")
    return made


def http_lines(rounds: Sequence[Round], resident: Sequence[float]) -> list[Line]:
    def mid(read: Any) -> float:
        return median(read(r) for r in rounds)

    judged_cpu = mid(lambda r: r.judged.server_cpu / r.judged.count) * 1e6
    echo_cpu = mid(lambda r: r.echo.server_cpu / r.echo.count) * 1e6
    generator = mid(lambda r: r.judged.generator_cpu / r.judged.count) * 1e6
    return [
        Line(
            "adjudication / raw Flask echo of the same bytes, requests a second",
            mid(lambda r: r.ratio),
            "",
            0.3,
        ),
        Line("  the same by CPU time of the workers", mid(lambda r: r.cpu_ratio), ""),
        Line("  adjudications", mid(lambda r: r.judged.rate), "/s"),
        Line("  echoes", mid(lambda r: r.echo.rate), "/s"),
        Line("  CPU of the workers, an adjudication", judged_cpu, "us"),
        Line("  CPU of the workers, an echo", echo_cpu, "us"),
        Line("  CPU of the load generator, an adjudication", generator, "us"),
        Line("adjudication, p50", mid(lambda r: r.judged.percentile(50)) * 1e3, "ms"),
        Line("adjudication, p99", mid(lambda r: r.judged.percentile(99)) * 1e3, "ms"),
        Line(
            "adjudication, p99 / p50",
            mid(lambda r: r.judged.percentile(99) / r.judged.percentile(50)),
            "",
            None,
            4,
        ),
        Line("  echo, p99 / p50", mid(lambda r: r.echo.percentile(99) / r.echo.percentile(50)), ""),
        Line("resident memory of a worker after that", max(resident), "MiB", None, 120),
    ]


def other_lines(game: str, rounds: Sequence[Round]) -> list[Line]:
    """The same ratio for the other games, whose states take longer to look through."""
    least = inprocess.PROMISES[game].http
    what = f"adjudication / echo, {game.capitalize()}"
    return [
        Line(what, median(r.ratio for r in rounds), "", least),
        Line("  the same by CPU time of the workers", median(r.cpu_ratio for r in rounds), ""),
    ]


LISTED = "call for all options / sealed adjudication of the same state"


def trust_lines(game: str, rounds: Sequence[trust.Round]) -> list[Line]:
    """What seals and tokens bring and cost."""
    least = {
        ("sealed", "echo"): inprocess.PROMISES[game].sealed,
        ("sealed", "plain"): 1,
        ("token", "sealed"): 0.75,
    }
    told = {
        ("sealed", "echo"): "sealed adjudication / echo of the same bytes",
        ("sealed", "plain"): "sealed / unsealed adjudication",
        ("token", "sealed"): "adjudication by token / sealed",
    }
    found = []
    for pair, what in told.items():
        found.append(Line(f"{what}, {game.capitalize()}", trust.ratio(rounds, *pair), "", least[pair]))
        found.append(Line("  the same by CPU time of the workers", trust.cpu_ratio(rounds, *pair), ""))
    spread = median(r.sealed.percentile(99) / r.sealed.percentile(50) for r in rounds)
    quieter = median(r.sealed.quieter for r in rounds)
    return [
        *found,
        Line(f"{LISTED}, {game.capitalize()}", trust.ratio(rounds, "sealed", "listed"), "", None, 10),
        Line("  sealed adjudications", median(r.sealed.rate for r in rounds), "/s"),
        Line("sealed adjudication, p99 / p50", spread, "", None, 4),
        Line("CPU time of the quieter worker / of the busier one", quieter, "", 0.5),
    ]


def batch_lines(game: str, rounds: Sequence[batch.Round]) -> list[Line]:
    """What is won by asking a hundred questions at once."""
    name = game.capitalize()
    return [
        Line(
            f"judgements in batches of {batch.SIZE} / in single calls, {name}",
            batch.ratio(rounds, "own"),
            "",
            1.5,
        ),
        Line("  the same where a batch asks about one state", batch.ratio(rounds, "shared"), ""),
        Line("  judgements in batches", median(r.rate("own") for r in rounds), "/s"),
    ]


def session_lines(rounds: Sequence[sessions.Round], weight: tuple[float, float]) -> list[Line]:
    acting, asking = (
        "session action / adjudication of the same action, requests a second",
        "GET with 304 / Flask hello",
    )
    return [
        Line(acting, sessions.ratio(rounds, "acted", "judged"), "", 0.5),
        Line("  the same by CPU time of the workers", sessions.cpu_ratio(rounds, "acted", "judged"), ""),
        Line("  session actions", median(r.acted.rate for r in rounds), "/s"),
        Line("  session action, p99", median(r.acted.percentile(99) for r in rounds) * 1e3, "ms"),
        Line(asking, sessions.ratio(rounds, "unchanged", "hello"), "", 0.45),
        Line("  the same by CPU time of the workers", sessions.cpu_ratio(rounds, "unchanged", "hello"), ""),
        Line("  GET with 304", median(r.unchanged.rate for r in rounds), "/s"),
        Line("an idle session in the store", weight[0], "KiB", None, 6),
        Line("  its log", weight[1], "KiB"),
    ]


# -- in process -----------------------------------------------------------------------------------------------


def engine_lines(games: Sequence[Game]) -> list[Line]:
    """The first game's times and the largest state of all; the games are of one ruleset."""
    game = games[0]
    promise = inprocess.PROMISES[game.rules.game]
    with inprocess.settled():
        every, ahead = inprocess.judgements(game), inprocess.looking_ahead(game)
        lists, searches = inprocess.option_lists(game), inprocess.searches(game)
        whole = median(inprocess.whole_game(game) for _ in range(5))
    by_kind = inprocess.medians(every)
    largest = max(size for g in games for size in inprocess.sizes(g))
    rest = sorted(by_kind.keys() - set(promise.frequent))
    return [
        *(
            Line(f"judgement of {kind}", by_kind[kind], "us", None, promise.judgement)
            for kind in promise.frequent
            if kind in by_kind
        ),
        *(Line(f"  {kind}", by_kind[kind], "us") for kind in rest),
        Line(
            "judgement, median of all of the game",
            median(us for spent in every.values() for us in spent),
            "us",
            None,
            promise.judgement,
        ),
        *([Line("judgement that looks ahead", median(ahead), "us", None, promise.ahead)] if ahead else []),
        Line("the longest judgement of the game", max(map(max, every.values())), "us", None, promise.ever),
        Line("option list", median(lists), "us", None, promise.options),
        Line(
            "option list / judgement, medians of all of the game",
            median(lists) / median(us for spent in every.values() for us in spent),
            "",
            None,
            10,
        ),
        Line("  the longest one of the game", max(lists), "us"),
        Line("problems of a state", median(searches), "us", None, promise.problems),
        Line("largest state of all games played here", largest / 1024, "KiB", None, promise.state),
        Line(f"all {len(game.plies)} judgements of a whole game", whole, "s", None, promise.whole),
    ]


def itself_lines(games: Sequence[Game]) -> list[Line]:
    """What a turn takes that a faction plays by itself, with the end of the turn before it."""
    promise = inprocess.PROMISES[games[0].rules.game]
    with inprocess.settled():
        turns = [us for game in games for us in inprocess.turns_by_itself(game)]
    return [
        Line("a turn that is played by itself", median(turns), "us", None, promise.by_itself),
        Line("  the longest one", max(turns), "us"),
    ]


def hard_lines(game: Game) -> list[Line]:
    """Looking ahead where it is hard: in microseconds, and beside a vassal placed in that game."""
    promise = inprocess.PROMISES[game.rules.game]
    with inprocess.settled():
        placed = median(inprocess.judgements(game)["place-vassal"])
        spent = [(x.what, x.spent()) for x in hard()]
    most = promise.ever / promise.judgement
    return [
        line
        for what, us in spent
        for line in (
            Line(what, us, "us", None, promise.ever),
            Line("  the same / a placed vassal", us / placed, "", None, most),
        )
    ]


def step_lines(bodies: Sequence[bytes]) -> list[Line]:
    app = create_app(Settings.from_env({"ARBITR_KEY": "00" * 32, "ARBITR_RATE": "0"}))
    with inprocess.settled(), Path(os.devnull).open("wb") as nowhere:
        logs.STDOUT.number = nowhere.fileno()
        found = steps.breakdown(app, bodies)
    return [Line("one adjudication in the WSGI application", sum(found.values()), "us")] + [
        Line(f"  {label}", us, "us") for label, us in found.items()
    ]


# -- the run --------------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="benchmarks", description="Measure, compare with the targets, and say so."
    )
    parser.add_argument(
        "--rounds", type=int, default=5, help="rounds of load, of which the median counts [5]"
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of each half of a round [3]")
    args = parser.parse_args(arguments)
    games = [play(1, 4), play(2, 2), play(3, 6)]
    others = [play(n, seats, "simurgh", {"variant": v}) for n, seats, v in SIMURGH]
    forests = [play(n, seats, "root") for n, seats in ROOT]
    clockwork = [play(1, len(MECHANICAL), "root", choices=MECHANICAL)]
    bodies = [ply.body() for ply in games[0].middle(MIX)]
    with running() as server:
        rounds = measure(server, bodies, args.rounds, args.seconds)
        beside = [
            line
            for game in (others[0], forests[0])
            for line in other_lines(game.rules.game, measure_game(server, game, args.rounds, args.seconds))
        ]
        trusted = [
            line
            for game in (games[0], others[0], forests[0])
            for line in trust_lines(
                game.rules.game,
                trust.measure(server, game, game.middle(MIX), CONNECTIONS, args.rounds, args.seconds),
            )
        ]
        batched = [
            line
            for game in (games[0], others[0], forests[0])
            for line in batch_lines(
                game.rules.game,
                batch.measure(server, game, game.middle(MIX), CONNECTIONS, args.rounds, args.seconds),
            )
        ]
        resident = server.resident()
        kept = sessions.measure(server, games[0].middle(MIX), max(1, args.rounds // 2), args.seconds)
        weight = max(sessions.weight(server, game.middle(1)[0]) for game in games)
    load = (
        f"Over HTTP: {WORKERS} workers, {CONNECTIONS} keep-alive connections, load from the same machine "
        f"({os.cpu_count()} cores);\n{MIX} plies in a row from the middle of a game of 4; "
        f"medians of {args.rounds} rounds of {args.seconds:g} s each"
    )
    parts = {
        load: http_lines(rounds, resident) + beside,
        "Seals and tokens, over the same connections": trusted,
        "A hundred at once, under seals": batched,
        "Sessions, over the same connections": session_lines(kept, weight),
        "In process, medians over a whole game of Zavandor of 4": engine_lines(games),
        "In process, medians over a whole game of Simurgh of 4": engine_lines(others),
        "In process, where looking ahead is hard in Simurgh": hard_lines(others[0]),
        "In process, medians over a whole game of Root of 4": engine_lines(forests),
        "In process, Root of 4 with the Mechanical Marquise": itself_lines(clockwork),
        "Where the time of one adjudication goes, mean of the same plies": step_lines(bodies),
    }
    for title, lines in parts.items():
        print(f"\n{title}\n", *lines, sep="\n")
    every = [line for lines in parts.values() for line in lines]
    missed = [line.what for line in every if line.held is False]
    print(f"\n{len(missed)} targets missed: {', '.join(missed)}" if missed else "\nevery target holds")
    LATEST.write_text(
        json.dumps({"machine": _machine(), "lines": [_record(line) for line in every]}, indent=1) + "\n"
    )
    return 1 if missed else 0


def _record(line: Line) -> dict[str, Any]:
    return {**asdict(line), "what": line.what.strip(), "held": line.held}


def _machine() -> dict[str, Any]:
    return {"python": platform.python_version(), "cores": os.cpu_count(), "load": os.getloadavg()[0]}


if __name__ == "__main__":
    sys.exit(main())
