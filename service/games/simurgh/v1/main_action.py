"""Chapter 4, the Main Action that must stay possible: nothing is done before it that leaves none (SIM-TURN-12)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from service.engine.table import Table
from service.games.simurgh.v1.components import on_space, placeable, player
from service.games.simurgh.v1.effects import KINDS, Part, Take
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.purse import HOME
from service.games.simurgh.v1.state import Turn
from service.games.simurgh.v1.unfinished import to_come

Vassals = Mapping[str, Mapping[str, int]]  # paid, by kind and place
NONE: Vassals = {}


def is_due(t: Table) -> bool:
    """Whether the Main Action of the turn is still to come."""
    turn = t.frame(Turn)
    return turn is not None and turn.step == "act"


def is_left(t: Table, seat: str, paid: Vassals, gain: Sequence[Part], gone: Collection[str]) -> bool:
    """Whether a vassal can still be placed or retrieved.

    Once these are paid, the gain and all that is under way have come, and all that stand on the tiles `gone` are home
    for the turn.
    """
    if any(kind in part.bag for part in (*gain, *to_come(t)) if isinstance(part, Take) for kind in KINDS):
        return True
    p, places = player(t, seat), {place for tile in gone for place in figures(t).spaces_of[tile]}
    away = sum(on_space(p, place) for place in p.assigned if place not in places)
    away -= sum(
        n for held in paid.values() for place, n in held.items() if place != HOME and place not in places
    )
    return away > 0 or any(_rested(t, seat, kind, paid.get(kind, {}).get(HOME, 0)) > 0 for kind in KINDS)


def _rested(t: Table, seat: str, kind: str, paid: int) -> int:
    """How many of a kind can be placed once some are paid, those that must stay at home first (SIM-PAY-7)."""
    at_home: int = player(t, seat).available.get(kind, 0)
    return min(placeable(t, seat, kind), at_home - paid)


def stays(t: Table, act: Any, paid: Vassals, gain: Sequence[Part], gone: Collection[str] = ()) -> bool:
    """Whether the actor keeps a Main Action, if it is still to come."""
    return not is_due(t) or is_left(t, act.actor, paid, gain, gone)
