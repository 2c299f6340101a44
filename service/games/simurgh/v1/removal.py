"""Chapter 9: removing tiles, the Chronicle, and returning what was drawn (SIM-REMOVE, SIM-CHRON, SIM-RETURN)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from service.engine.action import Action
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import AtLeast, Pick, Subset
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import laid_tiles, player
from service.games.simurgh.v1.figures import EXPLORATION, figures
from service.games.simurgh.v1.state import Turn

ENDS = ("top", "bottom")


def wilds_of(t: Table, tile: str) -> str | None:
    """The Wilds space on which a tile lies; None if it lies on none."""
    return next((w for w, laid in laid_tiles(t).items() if laid == tile), None)


def vassals_on(t: Table, tile: str) -> int:
    """The vassals of all players on all spaces of a tile."""
    places = figures(t).spaces_of[tile]
    return sum(
        sum(p.assigned[place].values())
        for p in t.board.seats.values()
        for place in places
        if place in p.assigned
    )


def remove_tile(t: Table, because: str, tile: str) -> None:
    """To the Chronicle; the vassals on it go home for this turn (SIM-REMOVE-4, -5, SIM-CHRON-1)."""
    where = wilds_of(t, tile)
    assert where is not None
    for seat in t.seats:
        for place in figures(t).spaces_of[tile]:
            if place in player(t, seat).assigned:
                _send_home(t, seat, place)
    t.moved(because, {tile: 1}, ("wilds", where), ("chronicle",))


def _send_home(t: Table, seat: str, place: str) -> None:
    turn = t.frame(Turn)
    for kind, n in sorted(player(t, seat).assigned[place].items()):
        t.moved("SIM-REMOVE-4", {kind: n}, ("seats", seat, "assigned", place), ("seats", seat, "available"))
        if turn is not None and turn.seat == seat:
            turn.resting = {**turn.resting, kind: turn.resting.get(kind, 0) + n}


def remove_empty(t: Table) -> None:
    """Every tile on whose spaces no vassal is left (SIM-REMOVE-1, SIM-EXPL-11); several at once (SIM-REMOVE-6)."""
    for tile in laid_tiles(t).values():
        if not vassals_on(t, tile):
            explored = figures(t).tiles[tile].type == EXPLORATION
            remove_tile(t, "SIM-EXPL-11" if explored else "SIM-REMOVE-1", tile)


def remove_full(t: Table, tile: str) -> None:
    """A tile whose vassals have reached the number; Exploration Tiles are never full (SIM-REMOVE-2, SIM-EXPL-12)."""
    f = figures(t)
    if f.tiles[tile].type == EXPLORATION or vassals_on(t, tile) < f.table["full-at"][str(len(t.seats))]:
        return
    if wilds_of(t, tile) is not None:
        remove_tile(t, "SIM-REMOVE-2", tile)


# -- returning --------------------------------------------------------------------------------------------------

PILES = {"looked_at": "dragons", "considered": "objectives"}


class Returning(Frame, kw_only=True):
    """Drawn tiles that were not chosen go back to their deck (SIM-RETURN-1)."""

    seat: Public[SeatRef]
    held: Public[Literal["looked_at", "considered"]]


def drawn(t: Table, f: Returning, seat: str) -> list[str]:
    """The tiles that go back."""
    held: list[str] = getattr(player(t, seat), f.held)
    return held


def all_of_them(t: Table, act: Any) -> Iterable[AtLeast]:
    """Nothing drawn is kept back (SIM-RETURN-1)."""
    return [AtLeast("SIM-RETURN-1", len(drawn(t, act.frame, act.actor)))]


class ReturnTiles(Action, kind="return-tiles"):
    """To one end of the deck, in the order that the player wants, top first (SIM-RETURN-2)."""

    end = Pick("SIM-RETURN-1", ENDS)
    order = Subset(
        "SIM-RETURN-2",
        lambda t, act: dict.fromkeys(drawn(t, act.frame, act.actor), 1),
        ordered=True,
        limits=all_of_them,
        limit_rules=("SIM-RETURN-1",),
    ).given()

    def sight(self, t: Table) -> frozenset[str] | None:
        """The order is the player's own secret; the end is not (SIM-INFO-4)."""
        return frozenset([self.actor])

    def open_part(self) -> dict[str, Any]:
        """What the others see."""
        return {"kind": self.kind, "actor": self.actor, "end": self.end}

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the deck."""
        return {"deck": PILES[self.frame.held]}

    def resolve(self, t: Table) -> Control:
        """A run that he alone remembers (SIM-INFO-4)."""
        f: Returning = self.frame
        source, deck = ("seats", f.seat, f.held), (PILES[f.held],)
        t.returned(
            "SIM-RETURN-2", self.order, source, deck, bottom=self.end == "bottom", known_to=[self.actor]
        )
        return None


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Returning,
        Ask(
            "return",
            lambda t, f: f.seat if drawn(t, f, f.seat) else None,
            takes=(ReturnTiles,),
            rule="SIM-DEC-22",
            wrong="SIM-TURN-14",
            because="SIM-RETURN-1",
        ),
    )
