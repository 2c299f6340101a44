"""Chapter 11, points and victory: one way to score, one watch that ends the game (ROOT-WIN-1 to ROOT-WIN-5).

In a joint game humans win and lose together (ROOT-COOP-2 to ROOT-COOP-5).
"""

from __future__ import annotations

from collections.abc import Sequence

from service.engine.control import END, Control, unwind
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.campaign import following, keepers
from service.games.root.v1.components import Plugs, everything, in_turn_order, player, turn_player
from service.games.root.v1.figures import figures
from service.games.root.v1.modes import humans, is_human, is_joint, opponents
from service.games.root.v1.state import Game

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
    """Who has points enough to win."""
    enough = figures(t).table["points-to-win"]
    return [s for s, p in t.board.seats.items() if p.score is not None and p.score >= enough]


def watch_points(t: Table) -> Control:
    """30 points end the game at once, at any moment of any turn (ROOT-WIN-1), unless humans win together.

    Of several the turn player wins, then who comes next (ROOT-WIN-2).
    """
    reached = at_thirty(t)
    if not reached:
        return None
    if is_joint(t):
        return together(t, reached)
    first = next(s for s in in_turn_order(t, turn_player(t)) if s in reached)
    return win(t, won_by(t, reached), first)


def won_by(t: Table, reached: Sequence[str]) -> str:
    """The clause by which one of these wins; the opponent that acts by itself wins like anyone (ROOT-WIN-3)."""
    if len(reached) > 1:
        return "ROOT-WIN-2"
    return "ROOT-WIN-1" if is_human(t, reached[0]) else "ROOT-WIN-3"


def win(t: Table, because: str, seat: str) -> Control:
    """The game is over; who shares the victory wins too (ROOT-VAG-61)."""
    winners = [seat, *everything(t, "wins-with", seat)]
    finish(t, because, winners)
    return END


# -- together (ROOT-COOP-2 to ROOT-COOP-5) ------------------------------------------------------------------------


def together(t: Table, reached: Sequence[str]) -> Control:
    """Humans play on until all have reached 30 (ROOT-COOP-3); the opponent wins if it has them before (ROOT-COOP-4)."""
    fresh = [s for s in reached if not player(t, s).reached]
    if not fresh or not is_played(t):
        return None
    for seat in fresh:
        if is_human(t, seat):
            t.set("ROOT-COOP-3", True, "seats", seat, "reached")
    if have_won(t) and (is_human(t, turn_player(t)) or not beaten(t)):
        return unwind(Game, together_by(t)) if keepers(t) else win_together(t)
    if beaten(t):
        finish(t, together_by(t), opponents(t))
        return END
    return None


def is_played(t: Table) -> bool:
    """Whether turns are still taken: not while cards are kept at the end of a campaign's game."""
    return bool(t.frames[0].step == "play-turns")


def have_won(t: Table) -> bool:
    """Whether every human has reached 30 (ROOT-COOP-2)."""
    return is_joint(t) and all(player(t, s).reached for s in humans(t))


def beaten(t: Table) -> bool:
    """Whether the opponent has reached 30 (ROOT-COOP-4)."""
    enough = figures(t).table["points-to-win"]
    return any((player(t, s).score or 0) >= enough for s in opponents(t))


def together_by(t: Table) -> str:
    """The clause by which a joint game ends; of both sides at the same moment the turn player's wins (ROOT-COOP-5)."""
    if not have_won(t):
        return "ROOT-COOP-4"
    return "ROOT-COOP-5" if beaten(t) else "ROOT-COOP-2"


def win_together(t: Table) -> Control:
    """All humans win, and the next game of a campaign may follow."""
    finish(t, together_by(t), humans(t))
    return END


def finish(t: Table, because: str, winners: Sequence[str]) -> None:
    """How it ended: the winners, everybody's points, and what a campaign goes on with."""
    scores = [(s, player(t, s).score or 0, {POINTS: player(t, s).score or 0}) for s in t.seats]
    won = is_joint(t) and list(winners) == humans(t)
    t.finish(because, winners, scores, following(t) if won else None)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.watch(watch_points, concerned=at_thirty)
