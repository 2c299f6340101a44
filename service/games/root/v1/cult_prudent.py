"""How the prudent player plays the Cult: gardens first, then points, and acolytes for what stands in the way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.engine.action import Action
from service.engine.table import Table
from service.games.root.v1.cult import CULT, GARDENS, acolytes, garden_of, has_garden
from service.games.root.v1.cult_birdsong import Convert, CrusadeBattle, CrusadeFollowUp, CrusadeMove, Sanctify
from service.games.root.v1.cult_daylight import RitualBuild, RitualRecruit, RitualSacrifice, RitualScore
from service.games.root.v1.cult_setup import SetupCult, SetupCultInACorner
from service.games.root.v1.figures import figures, suit_of
from service.games.root.v1.prudent import prey, taste, worth_of_battle, worth_of_move
from service.games.root.v1.rule import ruler, strength
from service.games.root.v1.woodland import on_map, open_slots, warriors

NEVER = -1.0
ENOUGH_ACOLYTES = 6


def points_of(t: Table, garden: str, n: int) -> int:
    """What a Score gives with so many gardens of the suit on the map."""
    track = figures(t).pieces[garden].points
    return track[min(n, len(track)) - 1] if n else 0


# -- Birdsong -----------------------------------------------------------------------------------------------------


def worth_of_sanctifying(t: Table, act: Any) -> float:
    """A point, a garden and the clearing at once: nothing is better."""
    return 40.0 + taste(t, act.actor, act.clearing)


def worth_of_converting(t: Table, act: Any) -> float:
    """Where it comes to rule, best with room for a garden; else with acolytes to spare."""
    there = strength(t, act.clearing)
    turns = ruler(t, act.clearing) != act.actor and there[act.actor] + 1 > there[act.player] - 1
    return 8.0 + open_slots(t, act.clearing) if turns else 1.0 if acolytes(t, act.actor) > 3 else NEVER


def worth_of_crusading(t: Table, act: Any) -> float:
    """A battle where there is something to topple."""
    return worth_of_battle(t, act) if prey(t, act.defender, act.clearing) else NEVER


def worth_of_following_up(t: Table, act: Any) -> float:
    """As any battle, in the clearing to which the Crusade went."""
    here = act.frame.clearing
    mine, theirs = (warriors(t, s, here) for s in (act.actor, act.defender))
    return 1.0 + prey(t, act.defender, here) if mine >= theirs else NEVER


# -- Daylight -----------------------------------------------------------------------------------------------------


def worth_of_garden(t: Table, act: Any) -> float:
    """The more the next space of the track gives, and where the Cult would rule by it from now on."""
    garden = garden_of(act.clearing)
    return 12.0 + points_of(t, garden, on_map(t, garden) + 1) + (not has_garden(t, act.clearing))


def worth_of_scoring(t: Table, act: Any) -> float:
    """From two points on; as soon as gardens no longer come with the card."""
    points = points_of(t, GARDENS[suit_of(act.card)], on_map(t, GARDENS[suit_of(act.card)]))
    return 6.0 + points if points > 1 else NEVER


def worth_of_recruit(t: Table, act: Any) -> float:
    """Where a garden could be built once the clearing is ruled; then where the fewest stand."""
    there = strength(t, act.clearing)
    others = max((n for s, n in there.items() if s != act.actor), default=0)
    lacking = others - there[act.actor]
    wanted = open_slots(t, act.clearing) > 0 and ruler(t, act.clearing) != act.actor
    return 5.0 - max(lacking, 0) + taste(t, act.actor, act.clearing) if wanted else 1.0


def worth_of_sacrifice(t: Table, act: Any) -> float:
    """Until there are acolytes enough for two conspiracies."""
    return 4.0 if acolytes(t, act.actor) < ENOUGH_ACOLYTES else NEVER


def worth_of_set_up(t: Table, act: Any) -> float:
    """As one likes."""
    return sum(taste(t, act.actor, f"{CULT}-{n}-{act.__dict__[n]}") for n in act.params)


WORTH: Mapping[type[Action], Callable[[Table, Any], float]] = {
    SetupCult: worth_of_set_up,
    SetupCultInACorner: worth_of_set_up,
    Sanctify: worth_of_sanctifying,
    Convert: worth_of_converting,
    CrusadeBattle: worth_of_crusading,
    CrusadeMove: worth_of_move,
    CrusadeFollowUp: worth_of_following_up,
    RitualBuild: worth_of_garden,
    RitualScore: worth_of_scoring,
    RitualRecruit: worth_of_recruit,
    RitualSacrifice: worth_of_sacrifice,
}


def worth(t: Table, act: Action) -> float | None:
    """The worth of an action of the Cult."""
    fn = WORTH.get(type(act))
    return None if fn is None else fn(t, act)
