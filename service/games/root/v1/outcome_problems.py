"""Reasons why an outcome of Root cannot be: it is worked out again from the table."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.root.v1.campaign import following
from service.games.root.v1.components import everything, player
from service.games.root.v1.dominance import has_dominated
from service.games.root.v1.figures import figures
from service.games.root.v1.modes import humans, is_joint, opponents
from service.games.root.v1.victory import POINTS, beaten, have_won, together_by, won_by

BY_POINTS, BY_DOMINANCE = ("ROOT-WIN-1", "ROOT-WIN-2", "ROOT-WIN-3"), ("ROOT-DOM-2", "ROOT-DOM-3")
TOGETHER = ("ROOT-COOP-2", "ROOT-COOP-4", "ROOT-COOP-5")


def outcome_problems(t: Table) -> Iterator[Problem]:
    """Why the game ended, who won, everybody's points, and what a campaign goes on with."""
    if t.outcome is None:
        return
    because, winners = t.outcome.because, t.outcome.winners
    if because not in (TOGETHER if is_joint(t) else (*BY_POINTS, *BY_DOMINANCE)):
        yield Problem("/outcome/because", say("no game ends by {clause}", clause=because), "ROOT-WIN-1")
        return
    yield from (_sides if is_joint(t) else _winners)(t, because, winners)
    yield from _standings(t)
    due = following(t) if is_joint(t) and winners == humans(t) else None
    if t.outcome.next != due:
        yield Problem("/outcome/next", say("the next game takes over something else"), "ROOT-CAMP-2")


def _winners(t: Table, because: str, winners: list[str]) -> Iterator[Problem]:
    least = figures(t).table["points-to-win"]
    reached = [s for s in t.seats if (player(t, s).score or 0) >= least]
    first = winners[0] if winners and winners[0] in t.seats else None
    by_points = because in BY_POINTS
    if first is None or (first not in reached if by_points else not has_dominated(t, first, because)):
        yield Problem("/outcome/winners", say("the table shows no victory of theirs"), because)
    elif winners != [first, *everything(t, "wins-with", first)]:
        yield Problem("/outcome/winners", say("nobody else wins with {seat}", seat=first), because)
    if by_points and reached and because != (due := won_by(t, reached)):
        message = say("{n} players have reached {least} points", n=len(reached), least=least)
        rule = "ROOT-WIN-2" if "ROOT-WIN-2" in (because, due) else "ROOT-WIN-3"
        yield Problem("/outcome/because", message, rule)


def _sides(t: Table, because: str, winners: list[str]) -> Iterator[Problem]:
    """All humans, or the one that they play against (ROOT-COOP-2, ROOT-COOP-4); of both either (ROOT-COOP-5)."""
    sides = [humans(t)] * have_won(t) + [opponents(t)] * beaten(t)
    if winners not in sides:
        yield Problem("/outcome/winners", say("the table shows no victory of theirs"), because)
    elif because != (due := together_by(t)):
        yield Problem("/outcome/because", say("this game ends by {clause}", clause=due), due)


def _standings(t: Table) -> Iterator[Problem]:
    assert t.outcome is not None
    if [s.seat for s in t.outcome.standings] != list(t.seats):
        yield Problem("/outcome/standings", say("every seat stands here once, in the order of the table"))
        return
    for i, standing in enumerate(t.outcome.standings):
        points = player(t, standing.seat).score or 0
        if standing.score != points or standing.parts != {POINTS: points}:
            message = say("{seat} has {points} points", seat=standing.seat, points=points)
            yield Problem(f"/outcome/standings/{i}", message, "ROOT-WIN-1")
