"""Chapters 12 and 13: objectives, the end of the game, the final score (SIM-OBJ, SIM-END, SIM-SCORE)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.table import Table
from service.games.simurgh.v1.components import player, variant
from service.games.simurgh.v1.figures import STATUE, figures
from service.games.simurgh.v1.state import Player


def face_up(t: Table) -> list[str]:
    """The objectives at the Statue."""
    return [t.board.statue[space] for space in STATUE if t.board.statue[space] is not None]


def is_met(t: Table, objectives: float = 0, tiles: float = 0) -> bool:
    """Whether enough objectives lie face up, or enough tiles in the Chronicle (SIM-END-1 to SIM-END-3).

    `objectives`, `tiles`: so many of them are left out.
    """
    length = figures(t).lengths[str(t.options["length"])]
    shown, removed = len(face_up(t)) - objectives, len(t.board.chronicle) - tiles
    return shown >= length.objectives or removed >= length.chronicle


def check_for_the_end(t: Table, seat: str) -> None:
    """The first to meet a condition triggers the end; later ones change nothing (SIM-END-4, SIM-END-6)."""
    if t.board.ending is None and is_met(t):
        met = len(face_up(t)) >= figures(t).lengths[str(t.options["length"])].objectives
        t.set("SIM-END-1" if met else "SIM-END-2", seat, "ending")


# -- objectives -------------------------------------------------------------------------------------------------


def counted(t: Table, p: Player, objective: str) -> int:
    """The quantity that an objective counts (SIM-OBJ-5, SIM-OBJ-7)."""
    f = figures(t)
    counts = f.objectives[objective].counts
    if counts.what == "dragons-of-colours":
        return sum(f.dragons[d].colour in counts.of for d in p.dragons)
    if counts.what == "ability-markers-on-all-dragons":
        return sum(p.markers.values())
    return sum(p.resources.get(what, 0) for what in counts.of)


def points_for(t: Table, objective: str) -> dict[str, int]:
    """What an objective gives each seat: tied players share the best place, those after are skipped (SIM-OBJ-2, -3).

    Who has none of what counts gets no place (SIM-OBJ-4).
    """
    points = figures(t).objectives[objective].points
    have = {seat: counted(t, player(t, seat), objective) for seat in t.seats}
    ranks = {seat: sum(other > n for other in have.values()) for seat, n in have.items()}
    return {s: points[ranks[s]] if have[s] and ranks[s] < len(points) else 0 for s in t.seats}


# -- the final score --------------------------------------------------------------------------------------------


def leftover_points(t: Table, resources: int) -> int:
    """For resources left over: so many points for every few, or by their number (SIM-SCORE-3, SIM-SCORE-4)."""
    rows = figures(t).table["leftovers"][variant(t)]
    for row in rows:
        if "every" in row:
            return int(resources // row["every"] * row["pp"])
        if resources <= row["most"]:
            return int(row["pp"])
    return 0


def parts_of(t: Table, seat: str) -> dict[str, int]:
    """A player's score by where it comes from (SIM-SCORE-1); objectives come first and spend nothing (SIM-OBJ-8)."""
    p = player(t, seat)
    return {
        "track": p.pp,
        "objectives": sum(points_for(t, objective)[seat] for objective in face_up(t)),
        "resources": leftover_points(t, sum(p.resources.values())),
    }


def ranking(t: Table, scores: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The seats by points, then by markers on dragons, then as they sit (SIM-SCORE-6)."""

    def worth(seat: str) -> tuple[int, int]:
        return -sum(scores[seat].values()), -sum(player(t, seat).markers.values())

    return sorted(t.seats, key=worth)


def score_all(t: Table) -> None:
    """The highest total wins; tied players share it (SIM-SCORE-5, SIM-SCORE-6).

    The standings are in the order of the ranking, so that players who want a single winner find him first.
    """
    scores = {seat: parts_of(t, seat) for seat in t.seats}
    totals = {seat: sum(parts.values()) for seat, parts in scores.items()}
    winners = [seat for seat in t.seats if totals[seat] == max(totals.values())]
    if len(winners) > 1:
        _tell_of_the_tie(t, winners)
    t.finish("SIM-SCORE-5", winners, [(s, totals[s], scores[s]) for s in ranking(t, scores)])


def _tell_of_the_tie(t: Table, winners: Sequence[str]) -> None:
    """The markers of those who share the victory, by which they may name one winner (SIM-SCORE-6)."""
    for seat in winners:
        t.tell("markers-compared", "SIM-SCORE-6", {"seat": seat, "n": sum(player(t, seat).markers.values())})
    t.tell("victory-shared", "SIM-SCORE-6", {"seats": list(winners)})
