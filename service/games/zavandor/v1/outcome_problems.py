"""Reasons why an outcome of Zavandor cannot be: it is worked out again from the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.state import Standing
from service.engine.table import Table
from service.games.zavandor.v1.components import living, player
from service.games.zavandor.v1.figures import figures
from service.games.zavandor.v1.scoring import parts_of, sold

ALONE, SCORED = "ZAV-CURSE-4", "ZAV-END-2"


def outcome_problems(t: Table) -> Iterator[Problem]:
    """Why the game ended, who won, and every score with its parts."""
    if t.outcome is None:
        return
    left, because = living(t), t.outcome.because
    most = figures(t).table["sentinels-to-end"]
    if because not in (ALONE, SCORED):
        yield Problem("/outcome/because", say("no game ends by {clause}", clause=because), "ZAV-END-1")
        return
    if because == ALONE and len(left) != 1:
        message = say("{n} players are in the game, so nobody wins alone", n=len(left))
        yield Problem("/outcome/because", message, ALONE)
    elif because == SCORED and len(left) == 1:
        message = say("{seat} is alone in the game and has won by that", seat=left[0])
        yield Problem("/outcome/because", message, ALONE)
    elif because == SCORED and (n := sold(t)) < most:
        message = say("{n} sentinels are sold; the game ends with {most}", n=n, most=most)
        yield Problem("/outcome/because", message, "ZAV-END-1")
    parts = {s: parts_of(t, player(t, s)) for s in left}
    yield from _winners(t, parts)
    yield from _standings(t, parts)
    if because == SCORED:
        yield from _track(t, parts)


def _winners(t: Table, parts: Mapping[str, Mapping[str, int]]) -> Iterator[Problem]:
    assert t.outcome is not None
    totals = {s: sum(p.values()) for s, p in parts.items()}
    winners = [s for s in t.seats if s in totals and totals[s] == max(totals.values())]
    if t.outcome.winners != winners:
        message = say("most victory points: {winners}", winners=", ".join(winners))
        yield Problem("/outcome/winners", message, SCORED)


def _standings(t: Table, parts: Mapping[str, Mapping[str, int]]) -> Iterator[Problem]:
    """Every seat in table order; who is out of the game scores nothing."""
    assert t.outcome is not None
    if [s.seat for s in t.outcome.standings] != list(t.seats):
        yield Problem("/outcome/standings", say("every seat stands here once, in the order of the table"))
        return
    for i, standing in enumerate(t.outcome.standings):
        yield from _standing(f"/outcome/standings/{i}", standing, parts.get(standing.seat, {}))


def _standing(at: str, standing: Standing, parts: Mapping[str, int]) -> Iterator[Problem]:
    total = sum(parts.values())
    if standing.score != total:
        facts = {"score": standing.score, "total": total}
        yield Problem(
            f"{at}/score", say("{score} victory points; the table shows {total}", **facts), "ZAV-SCORE-1"
        )
    for name in sorted(standing.parts.keys() | parts.keys()):
        given, wanted = standing.parts.get(name), parts.get(name)
        if given != wanted:
            where = f"{at}/parts" + (f"/{name}" if given is not None else "")
            message = say("{name}: {given}; the table shows {wanted}", name=name, given=given, wanted=wanted)
            yield Problem(where, message, "ZAV-SCORE-1")


def _track(t: Table, parts: Mapping[str, Mapping[str, int]]) -> Iterator[Problem]:
    """The victory point track shows the last scoring."""
    for seat, scored in parts.items():
        vp, total = player(t, seat).vp, sum(scored.values())
        if vp != total:
            message = say("{vp} victory points; the last scoring gave {total}", vp=vp, total=total)
            yield Problem(f"/table/seats/{seat}/vp", message, "ZAV-SCORE-2")
