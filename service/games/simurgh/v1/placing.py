"""Chapter 5, placing vassals: which spaces may be used, and what happens on them (SIM-PLACE-1 to SIM-PLACE-10)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from service.engine.action import derived, no, requires
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import laid_tiles, on_space, placeable, player
from service.games.simurgh.v1.effects import KINDS, PURCHASE
from service.games.simurgh.v1.figures import ENTRIES, Figures, figures
from service.games.simurgh.v1.gains import Gain, Occasion
from service.games.simurgh.v1.payment import Cost, paid_facts
from service.games.simurgh.v1.purse import Busy
from service.games.simurgh.v1.receiving import dragons_are_there, missing_of, missing_with, vassals_are_there
from service.games.simurgh.v1.removal import remove_full
from service.games.simurgh.v1.spending import pay
from service.games.simurgh.v1.state import Placement, TilePlacement, Turn
from service.games.simurgh.v1.unfinished import Endangered, on_offer


def open_spaces(t: Table, actor: str) -> Sequence[str]:
    """The spaces of the City and of the tiles in the Wilds, of Exploration Tiles the first level."""
    return _spaces(figures(t), tuple(laid_tiles(t).values()))


@lru_cache(maxsize=1024)
def _spaces(f: Figures, laid: tuple[str, ...]) -> tuple[str, ...]:
    return (*f.city, *(space for tile in laid for space in f.entries_of[tile]))


def is_level(t: Table, space: str) -> bool:
    """Whether a space is the first level of an Exploration Tile."""
    return space in figures(t).levels


def occupants(t: Table, space: str) -> int:
    """The vassals of all players on a space."""
    return sum(on_space(p, space) for p in t.board.seats.values())


def has_room(t: Table, place: str) -> bool:
    """A single space takes one vassal, a level as many as it has spaces, a multi space any number (SIM-PLACE-1, -2)."""
    f = figures(t)
    if place in f.levels:
        most = f.table["exploration-capacity"][str(f.levels[place].level)]
        return not most or occupants(t, place) < most
    return f.spaces[place].slots == "multi" or not occupants(t, place)


def may_enter(t: Table, space: str, kind: str) -> bool:
    """Dragonriders go anywhere, Spearmen on spaces without the symbol (SIM-PLACE-3, SIM-PLACE-4, SIM-EXPL-13)."""
    f = figures(t)
    return kind != "spearman" or (space in f.spaces and f.spaces[space].who == "vassal")


def explored_by(t: Table, seat: str, tile: str) -> bool:
    """Whether a player has a rider on an Exploration Tile."""
    return any(on_space(player(t, seat), place) for place in figures(t).spaces_of[tile])


def first_of_his(t: Table, seat: str, space: str) -> Any:
    """Whether nobody of a player's rides on the tile of a level yet; any other space is no matter of that."""
    if not is_level(t, space):
        return True
    tile = figures(t).tile_at[space]
    return not explored_by(t, seat, tile) or no(tile=tile)


def busy(t: Table, act: Any) -> Busy:
    """The vassal that is being placed cannot pay (SIM-PAY-4)."""
    return Busy(vassal=act.vassal, spaces=frozenset([act.space]))


class EntryCost(Cost):
    """What a space costs; the first level of an Exploration Tile, the movement cost."""

    def due(self, t: Table, act: Any) -> str | None:
        """The clause of the level, on a tile that has just been laid or that lies there already."""
        laid = isinstance(act.frame, TilePlacement)
        return ("SIM-EXPL-2" if laid else "SIM-EXPL-3") if is_level(t, act.space) else None

    def clause(self, t: Table, act: Any) -> str:
        """That of the level, or of a space that cannot be resolved in full."""
        return self.due(t, act) or super().clause(t, act)

    def rules(self) -> list[str]:
        """Its clauses."""
        return [*super().rules(), "SIM-EXPL-2", "SIM-EXPL-3"]


class PlaceVassal(Endangered, kind="place-vassal", must_finish="SIM-SCOUT-6"):
    """Put an available vassal on a space and resolve it (SIM-TURN-2)."""

    vassal = Pick("SIM-COMP-3", KINDS)
    space = Pick("SIM-TURN-2", open_spaces, ENTRIES)
    cost = EntryCost(
        "SIM-EFF-4",
        lambda t, act: figures(t).effects[act.space].costs,
        "SIM-PLACE-5",
        busy,
        missing=lambda t, act, way: missing_with(t, act.actor, act.space, way),
    ).given("vassal", "space")

    @requires("SIM-TURN-2", "vassal")
    def is_available(t: Table, act: Any) -> Any:
        """With the player, unassigned (SIM-PLACE-9)."""
        return player(t, act.actor).available.get(act.vassal, 0) > 0 or no(vassal=act.vassal)

    @requires("SIM-PLACE-10", "is_available", about=("vassal",))
    def is_not_just_back(t: Table, act: Any) -> Any:
        """Who came home from a removed tile in this turn stays there."""
        return placeable(t, act.actor, act.vassal) > 0 or no(vassal=act.vassal)

    @requires("SIM-TILE-7", "space")
    def is_on_the_new_tile(t: Table, act: Any) -> Any:
        """Whoever has laid a tile uses it."""
        f = act.frame
        if not isinstance(f, TilePlacement):
            return True
        return act.space in figures(t).spaces_of[f.tile] or no(space=act.space, tile=f.tile)

    @requires("SIM-PLACE-4", "vassal", "space")
    def is_a_rider(t: Table, act: Any) -> Any:
        """Where the symbol says so."""
        fine = is_level(t, act.space) or may_enter(t, act.space, act.vassal)
        return fine or no(space=act.space)

    @requires("SIM-EXPL-13", "vassal", "space")
    def is_no_spearman_exploring(t: Table, act: Any) -> Any:
        """Riders alone explore."""
        return not is_level(t, act.space) or act.vassal == "dragonrider" or no(space=act.space)

    @requires("SIM-PLACE-1", "space")
    def is_free(t: Table, act: Any) -> Any:
        """A single space is for one vassal."""
        return is_level(t, act.space) or has_room(t, act.space) or no(space=act.space)

    @requires("SIM-EXPL-5", "space")
    def has_an_empty_row(t: Table, act: Any) -> Any:
        """A level is for as many as it has spaces."""
        return not is_level(t, act.space) or has_room(t, act.space) or no(space=act.space)

    @requires("SIM-EXPL-6", "space")
    def is_the_only_one(t: Table, act: Any) -> Any:
        """One rider a player on an Exploration Tile."""
        return first_of_his(t, act.actor, act.space)

    @requires("SIM-EXPL-16", "space")
    def is_alone_there(t: Table, act: Any) -> Any:
        """Level 1 is not entered behind an own rider."""
        return first_of_his(t, act.actor, act.space)

    @derived
    def missing(t: Table, act: Any) -> tuple[str, ...]:
        """All that is not there of the gain of the space (SIM-PLACE-5)."""
        return missing_of(t, act.actor, act.space)

    @requires("SIM-PLACE-5", "space")
    def can_gain_it_all(t: Table, act: Any) -> Any:
        """An inactive vassal for one to come."""
        return vassals_are_there(act.missing, space=act.space)

    @requires("SIM-COMP-3", "space")
    def keeps_to_the_pieces(t: Table, act: Any) -> Any:
        """Nobody has more of a kind in play than there are."""
        return vassals_are_there(act.missing, space=act.space)

    @requires("SIM-EFF-7", "space")
    def has_dragons_to_draw(t: Table, act: Any) -> Any:
        """Without dragons in the deck none can be drawn."""
        return dragons_are_there(act.missing, space=act.space)

    @requires("SIM-SCOUT-6", "space")
    def has_tiles_to_acquire(t: Table, act: Any) -> Any:
        """The Scouts need a tile on the display or in the deck."""
        return PURCHASE not in figures(t).specials[act.space] or bool(on_offer(t)) or no(space=act.space)

    def business(self, t: Table) -> Any:
        """Only the Scouts ask for something that may turn out impossible (SIM-SCOUT-6)."""
        return t.frame(Turn) if PURCHASE in figures(t).specials[self.space] else None

    def resolve(self, t: Table) -> Control:
        """The vassal, then the cost; the rest is a frame."""
        seat = self.actor
        target = ("seats", seat, "assigned", self.space)
        t.moved("SIM-TURN-2", {self.vassal: 1}, ("seats", seat, "available"), target)
        because = "SIM-EXPL-2" if is_level(t, self.space) else "SIM-EFF-4"
        return Placement(seat=seat, space=self.space, paid=pay(t, because, seat, self.cost))

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: what is paid."""
        return paid_facts(self.cost)


def occasions(seat: str, paid: Sequence[str]) -> list[Frame]:
    """An event for each vassal paid (SIM-DRAGON-27)."""
    return [Occasion(seat=seat, event="pay-vassal", of=[kind]) for kind in paid]


def answer_payment(t: Table, f: Placement) -> Control:
    """Abilities that answer what was paid (SIM-DEC-23)."""
    return calls(*occasions(f.seat, f.paid)) if f.paid else None


def gain(t: Table, f: Placement) -> Control:
    """What the space gives (SIM-PLACE-8)."""
    return Gain(seat=f.seat, source=f.space)


def check_tile(t: Table, f: Placement) -> Control:
    """A tile that is full now goes, after the effect (SIM-REMOVE-3)."""
    tile = figures(t).tile_at.get(f.space)
    if tile is not None:
        remove_full(t, tile)
    return None


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Placement,
        answer_payment,
        gain,
        check_tile,
        may_call={"answer-payment": (Occasion,), "gain": (Gain,)},
    )
