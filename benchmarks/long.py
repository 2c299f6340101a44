"""A session that grows long, and fresh ones beside it: what an action takes in each, and what it asks of the store."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.games import Game, Ply
from service.engine.judge import judge
from service.engine.options import options
from service.engine.table import Table as Board
from service.sessions import acting, opening, reading, undoing
from service.sessions.acting import Proposal
from service.sessions.ledger import PAGE
from service.sessions.visit import Desk, enter

MOST = 100  # versions in an answer about the log
PAGES = 2


@dataclass(frozen=True)
class Measured:
    """From a version on: microseconds of an action and of an entry in a page of the log, the quickest, and of a way
    back, the median of two pages; commands and bytes of an action as the store counts them. `…_beside`: beside the
    same in a session that has just begun, one right after the other; the median of the ratios."""

    version: int
    action: float
    action_beside: float
    back: float
    back_beside: float
    page: float
    commands: int
    carried: int


class Table:
    """A session in which one move is made and taken back for ever; by a move the other way where the game has one
    (a gem of Zavandor), else by its host."""

    def __init__(self, desk: Desk, game: Game) -> None:
        self.desk, self.game = desk, game
        self.ply, self.reverse = _there_and_back(game)
        self.id, self.tokens = self._opened()
        self.version = 1

    def _opened(self) -> tuple[str, Any]:
        opened = opening.open_session(self.desk, self.game.rules, self.ply.state)
        return opened.visit.session, opened.tokens

    def measured(self, version: int) -> Measured:
        """What it takes from the first page on that begins at a version or later, beside a session from its beginning
        on: both go through as many pages of the log, so ways back are as long in one as in the other."""
        while self.version < version or self.version % PAGE != 1:
            self._round(self.id, self.tokens, self.version, cheap=True)
            self.version += 2
        begun, young = self.version, self._opened()
        long, fresh = [], []
        for n in range(PAGES * PAGE // 2):
            long.append(self._round(self.id, self.tokens, self.version))
            self.version += 2
            fresh.append(self._round(*young, 1 + 2 * n))
        ratios = [median(a[n] / b[n] for a, b in zip(long, fresh, strict=True)) for n in (0, 1)]
        action, back = min(r[0] for r in long), median(r[1] for r in long)
        page = min(self._page() for _ in range(PAGE))
        commands, carried = self._counted()
        return Measured(begun, action, ratios[0], back, ratios[1], page, commands, carried)

    def _round(self, id_: str, tokens: Any, version: int, cheap: bool = False) -> tuple[float, float]:
        """There and back; microseconds of each. `cheap`: by a move where there is one, else always by the host."""
        there = self._timed(lambda: self._act(id_, tokens, version, self.ply.action))
        if cheap and self.reverse is not None:
            return there, self._timed(lambda: self._act(id_, tokens, version + 1, self.reverse))
        return there, self._timed(lambda: self._back(id_, tokens, version + 1))

    def _act(self, id_: str, tokens: Any, version: int, action: Any) -> None:
        visit = enter(self.desk, id_, tokens.seats[action["actor"]])
        acting.act(visit, action, Proposal((version,), b"asked"), lambda made: b"{}")

    def _back(self, id_: str, tokens: Any, version: int) -> None:
        visit = enter(self.desk, id_, tokens.host)
        undoing.rewind(visit, version - 1, Proposal((version,), b"asked"), lambda made: b"{}")

    def _page(self) -> float:
        visit = enter(self.desk, self.id, self.tokens.spectator)
        after = max(0, self.version - MOST)
        return self._timed(lambda: reading.page(visit, after, MOST)) / min(MOST, self.version)

    def _counted(self) -> tuple[int, int]:
        """Commands (those of scripts too) and bytes in and out of one action."""
        before = self._stats()
        nothing = _less(self._stats(), before)  # what asking takes by itself
        before = self._stats()
        self._act(self.id, self.tokens, self.version, self.ply.action)
        spent = _less(self._stats(), before)
        self._back(self.id, self.tokens, self.version + 1)
        self.version += 2
        commands, carried = _less(spent, nothing)
        return commands, carried

    def _stats(self) -> tuple[int, int]:
        client = self.desk.store._connected()
        info, calls = client.info("stats"), client.info("commandstats")
        carried = info["total_net_input_bytes"] + info["total_net_output_bytes"]
        return sum(c["calls"] for c in calls.values()), carried

    @staticmethod
    def _timed(call: Callable[[], Any]) -> float:
        begin = time.perf_counter()
        call()
        return (time.perf_counter() - begin) * 1e6


def _less(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    return a[0] - b[0], a[1] - b[1]


def _there_and_back(game: Game) -> tuple[Ply, dict[str, Any] | None]:
    """A ply in a game after which no chance was asked, with the action that undoes it where there is one."""
    plies = game.plies[len(game.plies) // 3 :]
    for ply in plies[:60]:
        for action, back in _reversible(game, ply):
            return Ply(ply.state, action), back
    for ply in plies:
        after = judge(game.rules, ply.state, ply.action, game.draws).state
        if after is not None and after.chance == ply.state.chance and after.outcome is None:
            return ply, None
    raise ValueError("there is no such ply")


def _reversible(game: Game, ply: Ply) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """A gem of Zavandor that is put away and back."""
    for option in options(Board(game.rules, ply.state)):
        action = option.to_wire()
        if action["kind"] != "move-gem":
            continue
        other = {"active": "inactive", "inactive": "active"}.get(action["to"], "")
        after = judge(game.rules, ply.state, action, game.draws).state
        back = {**action, "to": other}
        if after is None:
            continue
        again = judge(game.rules, after, back, game.draws)
        if again.legal and again.state is not None and again.state.table == ply.state.table:
            yield action, back
