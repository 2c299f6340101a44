"""Reasons why a turn cannot have come to where it stands: who is home for it, who has moved, what is going on."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.components import on_space
from service.games.simurgh.v1.figures import EXPLORATION, figures
from service.games.simurgh.v1.gains import Gain, Occasion
from service.games.simurgh.v1.moment import Moment
from service.games.simurgh.v1.state import Placement, Stride, TilePlacement, Turn
from service.games.simurgh.v1.surplus_problems import main_action_problems


def turn_problems(t: Table, m: Moment, f: Turn, at: str) -> Iterator[Problem]:
    """Whoever stays at home this turn is at home, and came there from a tile; who has moved has moved on a tile."""
    for kind, n in f.resting.items():
        if n > t.board.seats[f.seat].available.get(kind, 0):
            message = say("more vassals have come home than are there")
            yield Problem(f"{at}/resting/{kind}", message, "SIM-PLACE-10")
        elif n > _most_sent_home(t, f, kind):
            message = say("no tile that was removed this turn sent so many home")
            yield Problem(f"{at}/resting/{kind}", message, "SIM-REMOVE-4")
    yield from _turn_step(t, f, at)
    yield from main_action_problems(t, f, at)
    if f.moved and not _can_have_moved(t, f):
        yield Problem(
            f"{at}/moved", say("there is no Exploration Tile on which a rider can have moved"), "SIM-EXPL-4"
        )


def _most_sent_home(t: Table, f: Turn, kind: str) -> int:
    """No fewer than can have come home: before the Main Action a rider from the end of his path alone (SIM-EXPL-10)."""
    fig = figures(t)
    explored = [fig.tiles[tile].type == EXPLORATION for tile in t.board.chronicle]
    rider = int(kind == "dragonrider" and f.moved and any(explored))
    if f.step == "act" or all(explored):
        return rider
    return rider + int(fig.table["full-at"][str(len(t.seats))])


def _can_have_moved(t: Table, f: Turn) -> bool:
    """Whether a rider has come down a path, or may have and be gone from it (SIM-TURN-8)."""
    fig, p = figures(t), t.board.seats[f.seat]
    if any(fig.tiles[tile].type == EXPLORATION for tile in t.board.chronicle):
        return True
    paths = [tile for tile in t.board.wilds.values() if tile is not None and tile in fig.move_costs]
    return any(not on_space(p, fig.spaces_of[tile][0]) or _has_come_back(t, f, tile) for tile in paths)


def _has_come_back(t: Table, f: Turn, tile: str) -> bool:
    """Whether the rider at the top of a path may be another one, of the Main Action, after the first was paid.

    Somebody else's has kept the tile in the Wilds meanwhile (SIM-EXPL-11, SIM-EXPL-16).
    """
    fig = figures(t)
    placed = [x.space for x in t.frames if isinstance(x, Placement)]
    others = [p for seat, p in t.board.seats.items() if seat != f.seat]
    kept = any(on_space(p, place) for p in others for place in fig.spaces_of[tile])
    return f.step != "act" and kept and placed in ([], [fig.spaces_of[tile][0]])


def _turn_step(t: Table, f: Turn, at: str) -> Iterator[Problem]:
    """The Main Action is done once it has begun; what else is going on came freely, before its end."""
    above = t.frames[t.index(f) + 1 :]
    if any(isinstance(x, Placement | TilePlacement) for x in above) and f.step != "finish":
        yield Problem(f"{at}/step", say("the Main Action has begun"), "SIM-TURN-1")
    elif any(isinstance(x, Gain | Occasion | Stride) for x in above) and f.step not in ("act", "finish"):
        message = say("free actions come before or after the Main Action, not at the end of the turn")
        yield Problem(f"{at}/step", message, "SIM-TURN-6")
