"""Reasons why the victory point track cannot stand where it does."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.zavandor.v1.figures import TOP, Figures, Gem, Sentinel, figures
from service.games.zavandor.v1.gems import capacity, right_to
from service.games.zavandor.v1.moment import Moment
from service.games.zavandor.v1.scoring import parts_of
from service.games.zavandor.v1.state import Player


def points_problems(t: Table, m: Moment, at: str, p: Player) -> Iterator[Problem]:
    """3 before the first scoring, exact until somebody acts again, and never more than he can have counted."""
    start, vp = figures(t).table["start-vp"], p.vp
    if not m.scored(t):
        if vp != start:
            message = say(
                "{vp} victory points; before the first scoring everybody has {start}", vp=vp, start=start
            )
            yield Problem(f"{at}/vp", message, "ZAV-SETUP-6")
    elif m.just_scored and not p.out:
        if vp != (total := sum(parts_of(t, p).values())):
            message = say("{vp} victory points; the last scoring gave {total}", vp=vp, total=total)
            yield Problem(f"{at}/vp", message, "ZAV-SCORE-2")
    elif (
        vp > figures(t).table["active-places"] and vp > _surely(figures(t), p) and vp > (most := _most(t, p))
    ):
        message = say("{vp} victory points; at most {most} can have been counted", vp=vp, most=most)
        yield Problem(f"{at}/vp", message, "ZAV-SCORE-1")


def _most(t: Table, p: Player) -> int:
    """No fewer than the last scoring can have given; of who is out of the game nothing is known any more."""
    return most_of_all(figures(t), len(t.seats)) if p.out else most_points(t, p)


def _surely(f: Figures, p: Player) -> int:
    """Some of what `most_points` counts, which is quicker, and for most players enough."""
    points: int = f.table["active-places"]
    if not f.keys.isdisjoint(p.artifacts):
        points *= f.least_by_key
    for artifact, n in p.artifacts.items():
        points += f.artifacts[artifact].vp * n
    return points


# -- one player -------------------------------------------------------------------------------------------


def most_points(t: Table, p: Player) -> int:
    """The cards and markers that he has now, and the best gems that he can have had on his active places.

    Cards stay and markers do not go down, so nothing else can have counted at an earlier scoring.
    """
    f, places = figures(t), capacity(t, p)
    points, free = f.table["top-stage-vp"] * tops(p), places
    for artifact, n in p.artifacts.items():
        points += f.artifacts[artifact].vp * n
    for gem in f.dearest:
        n = min(free, attainable(t, p, gem))
        points, free = points + n * gem.vp, free - n
    return points + sum(_sentinel(t, f.sentinels[s], p, places) for s in p.sentinels)


def attainable(t: Table, p: Player, gem: Gem) -> int:
    """How many gems of a kind a player can have had at once."""
    if right_to(t, p, gem.id):
        return gem.most_owned or gem.supply
    return p.early_rubies if gem.needs == "fire" else 0


def tops(p: Player) -> int:
    """How many markers stand on stage 4."""
    return sum(stage == TOP for stage in p.tracks.values())


def _sentinel(t: Table, sentinel: Sentinel, p: Player, places: int) -> int:
    """A sentinel with the greatest bonus that it can have had."""
    what, of, gems = sentinel.counts["what"], sentinel.counts["of"], figures(t).gems
    if what == "active-gem-kinds":
        n = sum(attainable(t, p, gems[g]) > 0 for g in of)
    elif what == "tracks-at-top":
        n = tops(p)
    elif what == "active-gems":
        n = min(places, sum(attainable(t, p, gems[g]) for g in of))
    else:
        n = sum(p.artifacts.get(a, 0) for a in of)
    bonus = sentinel.bonus_each * n
    return sentinel.vp + (bonus if sentinel.bonus_cap is None else min(bonus, sentinel.bonus_cap))


# -- anybody ----------------------------------------------------------------------------------------------


@lru_cache(maxsize=16)
def most_of_all(f: Figures, seats: int) -> int:
    """No fewer victory points than anybody can have: the best gems on all places, all tracks, all cards."""
    copies = {
        a.id: min(f.table["copies-by-seats"][str(seats)], a.copies, a.most_owned or a.copies)
        for a in f.artifacts.values()
    }
    places = f.table["active-places"] + max(f.tracks["accumulation"].places)
    places += sum(a.places * copies[a.id] for a in f.artifacts.values())
    best = sorted((g.vp for g in f.gems.values() for _ in range(g.most_owned or g.supply)), reverse=True)
    points = sum(best[:places]) + f.table["top-stage-vp"] * len(f.tracks)
    points += sum(a.vp * copies[a.id] for a in f.artifacts.values())
    return points + sum(s.vp + _most_bonus(s, copies, places) for s in f.sentinels.values())


def _most_bonus(sentinel: Sentinel, copies: Mapping[str, int], places: int) -> int:
    """Its cap, or what all the cards (tracks, kinds, gems on all places) count together that it looks at."""
    if sentinel.bonus_cap is not None:
        return sentinel.bonus_cap
    of = sentinel.counts["of"]
    most = {"artifacts": sum(copies.get(what, 0) for what in of), "active-gems": places}
    return sentinel.bonus_each * most.get(sentinel.counts["what"], len(of))
