"""Chapter 7, placing Action Tiles as a free action (SIM-TILE-1 to SIM-TILE-10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import placeable, player
from service.games.simurgh.v1.effects import KINDS, One, Take
from service.games.simurgh.v1.figures import EXPLORATION, TILES, WILDS, figures
from service.games.simurgh.v1.gains import Gain, Occasion, receive
from service.games.simurgh.v1.markers import Markers
from service.games.simurgh.v1.payment import Price
from service.games.simurgh.v1.placing import PlaceVassal, may_enter, occasions
from service.games.simurgh.v1.purse import Busy
from service.games.simurgh.v1.receiving import missing
from service.games.simurgh.v1.removal import remove_tile
from service.games.simurgh.v1.spending import pay
from service.games.simurgh.v1.state import Placement, TilePlacement


def incomes(t: Table, wilds: str) -> list[dict[str, int]]:
    """What covering a Wilds space brings, one bag a choice (SIM-TILE-6)."""
    bags: list[dict[str, int]] = []
    for part in figures(t).effects[wilds].gain:
        branches = [b[0] for b in part.branches] if isinstance(part, One) else [part]
        bags += [branch.bag for branch in branches if isinstance(branch, Take)]
    return bags


def income_to_come(t: Table, seat: str, wilds: str, chosen: int) -> Gain:
    """The same as a gain that comes after something else."""
    choice = isinstance(figures(t).effects[wilds].gain[0], One)
    return Gain(seat=seat, source=wilds, branch=[0, chosen] if choice else [])


def empty_spaces(t: Table) -> list[str]:
    """The open Wilds spaces without a tile."""
    return [w for w in WILDS if w in t.board.wilds and t.board.wilds[w] is None]


class _Lay(Action, must_finish="SIM-TILE-8"):
    """Lay a tile on a Wilds space and take its income; a vassal must follow (SIM-TILE-5 to SIM-TILE-8)."""

    tile = Pick("SIM-TILE-1", lambda t, actor: sorted(player(t, actor).hand), TILES)
    wilds = Pick("SIM-TILE-1", WILDS)
    income = Pick("SIM-TILE-6", tuple(range(6)))

    @requires("SIM-SETUP-14", "wilds")
    def is_open(t: Table, act: Any) -> Any:
        """Some spaces are closed for small tables."""
        return act.wilds in t.board.wilds or no(wilds=act.wilds)

    @requires("SIM-TILE-6", "wilds", "income")
    def is_an_income(t: Table, act: Any) -> Any:
        """One of those that the space shows."""
        return act.income < len(incomes(t, act.wilds)) or no(wilds=act.wilds, income=act.income)

    def business(self, t: Table) -> Any:
        """Nothing can go wrong where a space of the tile asks for nothing."""
        return None if asks_for_nothing(t, self.actor, self.tile) else self.frame

    def lay(self, t: Table, before: Sequence[Frame] = ()) -> Control:
        """The tile, its income, and the window for the vassal; `before`: what comes before the income."""
        seat, bag = self.actor, incomes(t, self.wilds)[self.income]
        t.moved("SIM-TILE-5", {self.tile: 1}, ("seats", seat, "hand"), ("wilds", self.wilds))
        placing = TilePlacement(seat=seat, tile=self.tile)
        if before:
            return calls(*before, income_to_come(t, seat, self.wilds, self.income), placing)
        return calls(*receive(t, "SIM-TILE-6", seat, bag), placing)

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the income."""
        bags = incomes(t, self.wilds)
        return {"what": bags[self.income]} if self.income < len(bags) else {}


def asks_for_nothing(t: Table, seat: str, tile: str) -> bool:
    """Whether a placeable vassal can surely use a space of a tile that has just been laid."""
    f = figures(t)
    return any(
        f.effects[space].free
        and not missing(t, seat, f.effects[space].gain, {})
        and any(placeable(t, seat, kind) > 0 and may_enter(t, space, kind) for kind in KINDS)
        for space in f.entries_of[tile]
    )


class PlaceTile(_Lay, kind="place-tile"):
    """On an empty space (SIM-TILE-1)."""

    @requires("SIM-TILE-1", "is_open", about=("wilds",))
    def is_empty(t: Table, act: Any) -> Any:
        """No tile lies there."""
        return t.board.wilds[act.wilds] is None or no(wilds=act.wilds, lies=t.board.wilds[act.wilds])

    def resolve(self, t: Table) -> Control:
        """Steps 2 to 4."""
        return self.lay(t)


def removed(t: Table, act: Any) -> Busy:
    """Who stands on the tile that is to be removed does not pay for that (SIM-PAY-4)."""
    return Busy(spaces=frozenset(figures(t).spaces_of.get(t.board.wilds.get(act.wilds) or "", ())))


class ReplaceTile(_Lay, kind="replace-tile"):
    """In place of one that is removed for a weapon (SIM-TILE-2 to SIM-TILE-4)."""

    cost = Price(
        "SIM-TILE-2", lambda t, act: (figures(t).table["removal-price"],), "SIM-TILE-2", removed
    ).given("wilds")

    @requires("SIM-TILE-3")
    def finds_all_taken(t: Table, act: Any) -> Any:
        """Only when no open space is empty."""
        empty = empty_spaces(t)
        return not empty or no(empty=empty)

    @requires("SIM-TILE-3", "is_open", about=("wilds",))
    def lies_there(t: Table, act: Any) -> Any:
        """There is a tile to remove."""
        return t.board.wilds[act.wilds] is not None or no(empty=[act.wilds])

    @requires("SIM-TILE-2", "lies_there", about=("wilds",))
    def can_be_removed(t: Table, act: Any) -> Any:
        """Never an Exploration Tile."""
        lies = t.board.wilds[act.wilds]
        return figures(t).tiles[lies].type != EXPLORATION or no(lies=lies)

    @requires("SIM-EXPL-12", "lies_there", about=("wilds",))
    def is_no_path(t: Table, act: Any) -> Any:
        """A path goes at its end, and not for a weapon."""
        lies = t.board.wilds[act.wilds]
        return figures(t).tiles[lies].type != EXPLORATION or no(lies=lies)

    def business(self, t: Table) -> Any:
        """A vassal that is paid may be the one that was to be placed."""
        return self.frame if self.cost.get("vassals") else super().business(t)

    def resolve(self, t: Table) -> Control:
        """Steps 1 to 4; vassals on the removed tile go home.

        What answers a vassal paid in step 1 comes once the tile lies, before its income (SIM-DRAGON-10, SIM-DRAGON-27).
        """
        answers = occasions(self.actor, pay(t, "SIM-TILE-2", self.actor, self.cost))
        remove_tile(t, "SIM-TILE-2", t.board.wilds[self.wilds])
        return self.lay(t, answers)


LAID = (TilePlacement, Occasion, Markers, Gain)


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        TilePlacement,
        Ask(
            "place",
            lambda t, f: f.seat,
            takes=(PlaceVassal,),
            rule="SIM-TILE-7",
            wrong="SIM-TURN-14",
            also={
                **dict.fromkeys(("use-ability", "fetch-tile", "move-rider"), "SIM-TURN-11"),
                **dict.fromkeys(("place-tile", "replace-tile"), "SIM-TURN-7"),
            },
        ),
        may_call={"place": (Placement,)},
    )
