"""Chapter 8, Exploration Tiles: moving riders down (SIM-EXPL-1 to SIM-EXPL-16)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.action import derived, no, requires
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1 import main_action
from service.games.simurgh.v1.components import laid_tiles, on_space, player
from service.games.simurgh.v1.figures import EXPLORATION, PRINTED, figures
from service.games.simurgh.v1.gains import Gain, Occasion
from service.games.simurgh.v1.payment import Price, paid_facts
from service.games.simurgh.v1.placing import has_room, occasions
from service.games.simurgh.v1.purse import Busy
from service.games.simurgh.v1.receiving import dragons_are_there, missing_of, missing_with, vassals_are_there
from service.games.simurgh.v1.removal import remove_tile, wilds_of
from service.games.simurgh.v1.spending import pay
from service.games.simurgh.v1.state import Stride
from service.games.simurgh.v1.unfinished import Endangered

PATHS = tuple(PRINTED.of_type(EXPLORATION))


def level_of(t: Table, seat: str, tile: str) -> int:
    """On which level a player's rider stands; 0 if he has none on the tile."""
    places = figures(t).spaces_of[tile]
    return next((n for n, place in enumerate(places, 1) if on_space(player(t, seat), place)), 0)


def explored(t: Table, actor: str) -> list[str]:
    """The Exploration Tiles on which a player has a rider."""
    f = figures(t)
    return [tile for tile in laid_tiles(t).values() if tile in f.move_costs and level_of(t, actor, tile)]


def level_below(t: Table, seat: str, tile: str) -> str | None:
    """The place right below a player's rider; None at the end of the path."""
    places = figures(t).spaces_of[tile]
    at = level_of(t, seat, tile)
    return places[at] if 0 < at < len(places) else None


def ends_path(t: Table, place: str) -> bool:
    """Whether a level is the last of its tile."""
    f = figures(t)
    return f.spaces_of[f.tile_at[place]][-1] == place


class Move(Endangered):
    """One step down; how the tile is known is for the kinds to say."""

    def step_down(self, t: Table, tile: str, cost: Any) -> Control:
        """Pay, move; the rest is a frame (SIM-EXPL-15)."""
        seat = self.actor
        here = figures(t).spaces_of[tile][level_of(t, seat, tile) - 1]
        below = level_below(t, seat, tile)
        assert below is not None
        paid = pay(t, "SIM-EXPL-4", seat, cost)
        source, target = ("seats", seat, "assigned", here), ("seats", seat, "assigned", below)
        t.moved("SIM-EXPL-4", {"dragonrider": 1}, source, target)
        return Stride(seat=seat, tile=tile, level=figures(t).levels[below].level, paid=paid)


def room_below(t: Table, seat: str, tile: str) -> Any:
    """An empty space in the row below; nobody moves beyond the last (SIM-EXPL-5)."""
    below = level_below(t, seat, tile)
    return (below is not None and has_room(t, below)) or no(tile=tile)


def keeps_a_main_action(t: Table, act: Any, tile: str, paid: main_action.Vassals = main_action.NONE) -> bool:
    """Whether a Main Action is left after a step down a tile, at the end of whose path all riders go home."""
    below = level_below(t, act.actor, tile)
    if below is None:
        return True
    gone = {*leaving(t), tile} if ends_path(t, below) else leaving(t)
    return main_action.stays(t, act, paid, figures(t).effects[below].gain, gone)


def leaving(t: Table) -> set[str]:
    """The tiles at the end of whose path a rider has come, while the rest of his step is under way (SIM-EXPL-15)."""
    ends = (f for f in t.frames if isinstance(f, Stride) and f.level == len(figures(t).spaces_of[f.tile]))
    return {f.tile for f in ends}


def moving(t: Table, tile: str) -> Busy:
    """The rider that moves does not pay for it (SIM-PAY-4)."""
    return Busy(spaces=frozenset(figures(t).spaces_of.get(tile, ())))


def missing_below(t: Table, seat: str, tile: str) -> tuple[str, ...]:
    """All that is not there of the reward below."""
    below = level_below(t, seat, tile)
    return () if below is None else missing_of(t, seat, below)


def missing_below_with(t: Table, seat: str, tile: str, way: Mapping[str, int]) -> tuple[str, ...]:
    """All that is not there of the reward below once this is paid for the step."""
    below = level_below(t, seat, tile)
    return () if below is None else missing_with(t, seat, below, way)


class MoveRider(Move, kind="move-rider"):
    """The free action: one own rider, one step (SIM-TURN-8)."""

    tile = Pick("SIM-EXPL-4", explored, PATHS)
    cost = Price(
        "SIM-EXPL-4",
        lambda t, act: figures(t).move_costs[act.tile],
        "SIM-EXPL-4",
        lambda t, act: moving(t, act.tile),
        lambda t, act, paid: keeps_a_main_action(t, act, act.tile, paid),
        lambda t, act, way: missing_below_with(t, act.actor, act.tile, way),
    ).given("tile")

    @requires("SIM-TURN-8")
    def has_not_moved(t: Table, act: Any) -> Any:
        """Once a turn."""
        return not act.frame.moved

    @requires("SIM-EXPL-5", "tile")
    def has_room_below(t: Table, act: Any) -> Any:
        """An empty space in the row below; nobody moves beyond the last."""
        return room_below(t, act.actor, act.tile)

    @derived
    def missing(t: Table, act: Any) -> tuple[str, ...]:
        """All that is not there of the reward."""
        return missing_below(t, act.actor, act.tile)

    @requires("SIM-EFF-7", "tile")
    def can_take_the_reward(t: Table, act: Any) -> Any:
        """A level is resolved in full."""
        return dragons_are_there(act.missing, tile=act.tile)

    @requires("SIM-PLACE-5", "tile")
    def can_gain_it_all(t: Table, act: Any) -> Any:
        """An inactive vassal for one to come."""
        return vassals_are_there(act.missing, space=level_below(t, act.actor, act.tile))

    @requires("SIM-COMP-3", "tile")
    def keeps_to_the_pieces(t: Table, act: Any) -> Any:
        """Nobody has more of a kind in play than there are."""
        return vassals_are_there(act.missing, tile=act.tile)

    @requires("SIM-TURN-12", "has_room_below", about=("tile",))
    def leaves_a_main_action(t: Table, act: Any) -> Any:
        """Whoever takes the last rider home before the Main Action could neither place nor retrieve."""
        return keeps_a_main_action(t, act, act.tile) or no(tile=act.tile)

    def resolve(self, t: Table) -> Control:
        """The step; there is no second one this turn."""
        self.frame.moved = True
        return self.step_down(t, self.tile, self.cost)

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: what is paid."""
        return paid_facts(self.cost)


def answer_price(t: Table, f: Stride) -> Control:
    """Abilities that answer what was paid."""
    return calls(*occasions(f.seat, f.paid))


def reward(t: Table, f: Stride) -> Control:
    """What the level gives."""
    return Gain(seat=f.seat, source=figures(t).spaces_of[f.tile][f.level - 1])


def answer_move(t: Table, f: Stride) -> Control:
    """Abilities that answer the move, in any order (SIM-EXPL-15)."""
    return Occasion(seat=f.seat, event="move-rider", tile=f.tile)


def arrive(t: Table, f: Stride) -> Control:
    """At the end of the path the tile goes, and all riders on it go home (SIM-EXPL-10)."""
    places = figures(t).spaces_of[f.tile]
    if f.level == len(places) and wilds_of(t, f.tile) is not None:
        remove_tile(t, "SIM-EXPL-10", f.tile)
    return None


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Stride,
        answer_price,
        reward,
        answer_move,
        arrive,
        may_call={"answer-price": (Occasion,), "reward": (Gain,), "answer-move": (Occasion,)},
    )
