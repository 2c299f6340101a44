"""Reasons why a game of Simurgh cannot have ended as it says."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.scoring import parts_of, ranking


def outcome_problems(t: Table) -> Iterator[Problem]:
    """The score follows from the table (SIM-SCORE-1 to SIM-SCORE-6)."""
    if t.outcome is None:
        return
    if t.outcome.because != "SIM-SCORE-5":
        yield Problem("/outcome/because", say("a game of Simurgh ends by scoring"), "SIM-SCORE-5")
    if t.board.ending is None:
        yield Problem("/table/ending", say("nobody has triggered the end"), "SIM-END-4")
    scores = {seat: parts_of(t, seat) for seat in t.seats}
    totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
    for i, standing in enumerate(t.outcome.standings):
        if standing.seat in scores and standing.parts != scores[standing.seat]:
            message = say(
                "{seat} scores {points} by parts that differ",
                seat=standing.seat,
                points=totals[standing.seat],
            )
            yield Problem(f"/outcome/standings/{i}/parts", message, "SIM-SCORE-1")
        if standing.seat in totals and standing.score != totals[standing.seat]:
            message = say("{seat} scores {points}", seat=standing.seat, points=totals[standing.seat])
            yield Problem(f"/outcome/standings/{i}/score", message, "SIM-SCORE-1")
    wanted = ranking(t, scores)
    if [s.seat for s in t.outcome.standings] != wanted:
        yield Problem("/outcome/standings", say("the order is {seats}", seats=wanted), "SIM-SCORE-6")
    winners = [seat for seat in t.seats if totals[seat] == max(totals.values())]
    if t.outcome.winners != winners:
        yield Problem("/outcome/winners", say("the winners are {seats}", seats=winners), "SIM-SCORE-5")
