"""Chapter 11, points and victory: one way to score, one watch that ends the game (ROOT-WIN-1 to ROOT-WIN-5)."""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.control import END, Control
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs, everything, in_turn_order, player, turn_player
from service.games.root.v1.figures import figures

POINTS = "points"


def score(t: Table, because: str, seat: str, n: int) -> None:
    """Points for a player, unless his marker has left the track (ROOT-DOM-1)."""
    if n > 0 and player(t, seat).score is not None:
        t.moved(because, {POINTS: n}, None, ("seats", seat, "score"))


def lose(t: Table, because: str, seat: str, n: int) -> None:
    """Points lost; a score never falls below 0 (ROOT-GEN-11)."""
    held = player(t, seat).score
    if held is not None:
        t.moved(because, {POINTS: min(n, held)}, ("seats", seat, "score"), None)


def at_thirty(t: Table) -> list[str]:
    """Who has points enough to win, the turn player first, then those who come next (ROOT-WIN-2)."""
    enough = figures(t).table["points-to-win"]
    found = [s for s, p in t.board.seats.items() if p.score is not None and p.score >= enough]
    return [s for s in in_turn_order(t, turn_player(t)) if s in found] if found else []


def watch_points(t: Table) -> Control:
    """30 points end the game at once, at any moment of any turn (ROOT-WIN-1)."""
    winning = at_thirty(t)
    return win(t, "ROOT-WIN-1" if len(winning) == 1 else "ROOT-WIN-2", winning[0]) if winning else None


def win(t: Table, because: str, seat: str) -> Control:
    """The game is over; who shares the victory wins too (ROOT-VAG-61)."""
    winners = [seat, *everything(t, "wins-with", seat)]
    finish(t, because, winners)
    return END


def finish(t: Table, because: str, winners: Sequence[str]) -> None:
    """How it ended: the winners, and everybody's points."""
    scores = [(s, player(t, s).score or 0, {POINTS: player(t, s).score or 0}) for s in t.seats]
    t.finish(because, winners, scores)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.watch(watch_points)
