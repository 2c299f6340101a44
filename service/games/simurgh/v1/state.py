"""The table of Simurgh: what lies where, and who may see it (SIM-INFO-1 to SIM-INFO-5)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.engine.audience import Heaps, Holds, Own, Pile, Public, SeatRef, Seats, count
from service.engine.deck import Deck
from service.engine.frames import Frame
from service.games.simurgh.v1.effects import KINDS, RESOURCES, TOKENS
from service.games.simurgh.v1.figures import (
    ABILITIES,
    DISPLAY,
    DRAGONS,
    OBJECTIVES,
    PLACES,
    STATUE,
    TILES,
    WILDS,
)

# No game comes near these. Play stops counting there, so that no state grows out of what states may hold.
MOST_POINTS, MOST_TOKENS = 100_000, 10_000

Resource = Literal[RESOURCES]  # type: ignore[valid-type]
Token = Literal[TOKENS]  # type: ignore[valid-type]
Kind = Literal[KINDS]  # type: ignore[valid-type]
TileId = Literal[TILES]  # type: ignore[valid-type]
DragonId = Literal[DRAGONS]  # type: ignore[valid-type]
AbilityId = Literal[ABILITIES]  # type: ignore[valid-type]
ObjectiveId = Literal[OBJECTIVES]  # type: ignore[valid-type]
DisplayId = Literal[DISPLAY]  # type: ignore[valid-type]
WildsId = Literal[WILDS]  # type: ignore[valid-type]
StatueId = Literal[STATUE]  # type: ignore[valid-type]
PlaceId = Literal[PLACES]  # type: ignore[valid-type]

Positive = Annotated[int, Meta(ge=1, le=10_000)]
Amount = Annotated[int, Meta(ge=0, le=1_000_000)]
Points = Annotated[int, Meta(ge=0, le=MOST_POINTS)]
Tokens = Annotated[int, Meta(ge=1, le=MOST_TOKENS)]
Vassals = dict[Kind, Positive]


class Player(Struct, forbid_unknown_fields=True):
    """One player's board and hand.

    `hand`: Action Tiles; `offered`, `looked_at`, `considered`: Power Tiles, dragons and objectives to choose from;
    `available`, `inactive`, `assigned`: the vassals, those on the board by space or level; `markers`: Ability markers
    by ability.
    """

    hand: Annotated[list[TileId], Own(rest=count), Holds("tile")] = []
    offered: Annotated[list[TileId], Own(rest=count), Holds("tile")] = []
    looked_at: Annotated[list[DragonId], Own(rest=count), Holds("dragon")] = []
    considered: Annotated[list[ObjectiveId], Own(rest=count), Holds("objective")] = []
    resources: Public[dict[Resource, Tokens]] = {}
    pp: Public[Points] = 0
    available: Annotated[Public[Vassals], Holds("vassal")] = {}
    inactive: Annotated[Public[Vassals], Holds("vassal")] = {}
    assigned: Annotated[
        Public[dict[PlaceId, Annotated[Vassals, Meta(min_length=1)]]], Holds("vassal"), Heaps()
    ] = {}
    dragons: Annotated[Public[list[DragonId]], Holds("dragon")] = []
    markers: Public[dict[AbilityId, Positive]] = {}


class Board(Struct, forbid_unknown_fields=True):
    """The table.

    `tiles`: the action deck; `power`: the Power Tiles that nobody got; `row`: the face-up tiles of a draft; `wilds`:
    the open Wilds spaces with the tiles on them; `statue`: the objective spaces; `ending`: who has triggered the end.
    """

    seats: Seats[dict[str, Player]]
    tiles: Annotated[Deck, Pile(), Holds("tile")]
    power: Annotated[Deck, Pile(), Holds("tile")]
    dragons: Annotated[Deck, Pile(), Holds("dragon")]
    objectives: Annotated[Deck, Pile(), Holds("objective")]
    wilds: Annotated[Public[dict[WildsId, TileId | None]], Holds("tile")]
    statue: Annotated[Public[dict[StatueId, ObjectiveId | None]], Holds("objective")]
    display: Annotated[Public[dict[DisplayId, TileId | None]], Holds("tile")]
    row: Annotated[Public[list[TileId]], Holds("tile")] = []
    chronicle: Annotated[Public[list[TileId]], Holds("tile")] = []
    ending: Public[SeatRef | None] = None


class Turn(Frame, kw_only=True):
    """One player's turn.

    `moved`: whether the rider of the free action has moved (SIM-TURN-8);
    `resting`: own available vassals that came home from a removed tile and stay at home this turn (SIM-PLACE-10).
    """

    seat: Public[SeatRef]
    moved: Public[bool] = False
    resting: Public[dict[Kind, Positive]] = {}


class TilePlacement(Frame, kw_only=True):
    """A tile has been laid, and a vassal must go on it (SIM-TILE-7)."""

    seat: Public[SeatRef]
    tile: Public[TileId]


class Acquisition(Frame, kw_only=True):
    """The Scouts' Quarter: an Action Tile must be acquired (SIM-SCOUT-2)."""

    seat: Public[SeatRef]


class Placement(Frame, kw_only=True):
    """A vassal stands on a space, which is being resolved; `paid`: the kinds of vassals paid (SIM-DEC-23)."""

    seat: Public[SeatRef]
    space: Public[PlaceId]
    paid: Public[list[str]] = []


class Stride(Frame, kw_only=True):
    """A rider has moved down to a level: its reward, what answers the move, the end of the path (SIM-EXPL-15)."""

    seat: Public[SeatRef]
    tile: Public[TileId]
    level: Public[Amount]
    paid: Public[list[str]] = []
