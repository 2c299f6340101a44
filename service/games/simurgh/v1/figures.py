"""The figures of Simurgh, read from `components.json`: what is printed on tiles, dragons, objectives and the board."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from service.engine.table import Table
from service.games.simurgh.v1.effects import (
    Effect,
    costs_of,
    effect_of,
    every_part,
    may_be_lacking,
    specials_in,
)

HERE = Path(__file__).parent


class Resource(Struct):
    """A resource and how many everybody starts with."""

    id: str
    start: int


class Vassal(Struct):
    """A kind of vassal: figures of each colour, and how many of them everybody starts with."""

    id: str
    count: int
    start: int


class Tile(Struct):
    """An Action Tile; Exploration Tiles have a cost of movement instead of spaces."""

    id: str
    number: int
    type: str
    move_cost: dict[str, Any] | None


class Space(Struct):
    """An Action Space of the City (no `tile`) or of a tile. `slots`: single or multi; `who`: vassal or dragonrider."""

    id: str
    tile: str | None
    number: int
    slots: str
    who: str
    effect: dict[str, Any]


class Level(Struct):
    """A level of an Exploration Tile and its reward."""

    id: str
    tile: str
    level: int
    effect: dict[str, Any]


class Dragon(Struct):
    """A Dragon Tile."""

    id: str
    number: int
    pair: str
    colour: str


class Trigger(Struct):
    """What a trigger ability answers: an event, and the kinds that it must be about (none: any)."""

    on: str
    of: list[str]


class Ability(Struct):
    """An ability of a dragon; without a trigger it is used as a free action."""

    id: str
    dragon: str
    slot: int
    one_use: bool
    trigger: Trigger | None
    effect: dict[str, Any]


class Counts(Struct):
    """What an objective counts."""

    what: str
    of: list[str]


class Objective(Struct):
    """An Objective Tile: what it counts, and the points of the first three places."""

    id: str
    number: int
    counts: Counts
    points: list[int]


class Shelf(Struct):
    """A display space, or the top of the deck: its price and points."""

    id: str
    number: int
    price: dict[str, Any]
    pp: int


class Wild(Struct):
    """A Wilds space: from how many players on it is open, and what covering it brings."""

    id: str
    min_players: int
    income: dict[str, Any]


class Pedestal(Struct):
    """An objective space at the Statue: its price and points."""

    id: str
    price: dict[str, Any]
    pp: int


class Length(Struct):
    """How many face-up objectives, or tiles in the Chronicle, end a game of this length."""

    id: str
    objectives: int
    chronicle: int


class Figures:
    """All figures of one game, by id."""

    def __init__(self, components: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        def read(kind: str, type_: type[Struct]) -> dict[str, Any]:
            return {item["id"]: msgspec.convert(item, type_) for item in components[kind]}

        self.resources: dict[str, Resource] = read("resources", Resource)
        self.vassals: dict[str, Vassal] = read("vassals", Vassal)
        self.tiles: dict[str, Tile] = read("tiles", Tile)
        self.spaces: dict[str, Space] = read("spaces", Space)
        self.levels: dict[str, Level] = read("levels", Level)
        self.dragons: dict[str, Dragon] = read("dragons", Dragon)
        self.abilities: dict[str, Ability] = read("abilities", Ability)
        self.objectives: dict[str, Objective] = read("objectives", Objective)
        self.display: dict[str, Shelf] = read("display", Shelf)
        self.wilds: dict[str, Wild] = read("wilds", Wild)
        self.statue: dict[str, Pedestal] = read("statue", Pedestal)
        self.lengths: dict[str, Length] = read("lengths", Length)
        self.table: dict[str, Any] = {item["id"]: item["value"] for item in components["table"]}

    @cached_property
    def effects(self) -> dict[str, Effect]:
        """What every space, level, ability and Wilds space does, by its id.

        Level 1 of an Exploration Tile is entered like a space: its cost is that of movement (SIM-EXPL-2, -3).
        """
        found = {s.id: effect_of(s.effect) for s in self.spaces.values()}
        found |= {a.id: effect_of(a.effect) for a in self.abilities.values()}
        found |= {w.id: effect_of(w.income) for w in self.wilds.values()}
        for level in self.levels.values():
            found[level.id] = Effect(self.move_costs[level.tile], effect_of(level.effect).gain)
        return found

    @cached_property
    def doubtful(self) -> frozenset[str]:
        """The sources whose gain may be impossible to receive: vassals, or what comes off a deck (SIM-PLACE-5)."""
        return frozenset(
            x for x, effect in self.effects.items() if any(map(may_be_lacking, every_part(effect.gain)))
        )

    @cached_property
    def move_costs(self) -> dict[str, tuple[dict[str, int], ...]]:
        """The ways to pay one step on each Exploration Tile (SIM-EXPL-9)."""
        return {t.id: costs_of(t.move_cost) for t in self.tiles.values() if t.move_cost is not None}

    @cached_property
    def prices(self) -> dict[str, tuple[dict[str, int], ...]]:
        """The ways to pay for display spaces, the top of the deck and objective spaces."""
        shelves = {s.id: costs_of(s.price) for s in self.display.values()}
        return shelves | {s.id: costs_of(s.price) for s in self.statue.values()}

    @cached_property
    def specials(self) -> dict[str, frozenset[str]]:
        """The named procedures that each effect begins."""
        return {source: specials_in(effect) for source, effect in self.effects.items()}

    @cached_property
    def spaces_of(self) -> dict[str, tuple[str, ...]]:
        """The places for vassals on each tile: its spaces, or the levels of an Exploration Tile, top first."""
        places = [(s.tile, s.id) for s in self.spaces.values() if s.tile is not None]
        places += [(level.tile, level.id) for level in self.levels.values()]
        return {tile: tuple(p for on, p in places if on == tile) for tile in self.tiles}

    @cached_property
    def tile_at(self) -> dict[str, str]:
        """The tile that each place for vassals outside the City belongs to."""
        return {place: tile for tile, places in self.spaces_of.items() for place in places}

    @cached_property
    def entries_of(self) -> dict[str, tuple[str, ...]]:
        """The spaces of each tile on which a vassal may be placed: of an Exploration Tile level 1 alone."""
        return {t: p[:1] if t in self.move_costs else p for t, p in self.spaces_of.items()}

    @cached_property
    def city(self) -> tuple[str, ...]:
        """The Action Spaces of the City."""
        return tuple(s.id for s in self.spaces.values() if s.tile is None)

    @cached_property
    def abilities_of(self) -> dict[str, tuple[str, ...]]:
        """The abilities of each dragon, left to right."""
        rows = sorted(self.abilities.values(), key=lambda a: a.slot)
        return {d: tuple(a.id for a in rows if a.dragon == d) for d in self.dragons}

    def of_type(self, type_: str) -> list[str]:
        """The tiles of one type."""
        return [t.id for t in self.tiles.values() if t.type == type_]


COMPONENTS: dict[str, list[dict[str, Any]]] = json.loads(
    (HERE / "components.json").read_text(encoding="utf-8")
)
PRINTED = Figures(COMPONENTS)

TILES = tuple(PRINTED.tiles)
DRAGONS = tuple(PRINTED.dragons)
ABILITIES = tuple(PRINTED.abilities)
OBJECTIVES = tuple(PRINTED.objectives)
SHELVES = tuple(PRINTED.display)
DISPLAY = tuple(s for s in PRINTED.display if PRINTED.display[s].number)
WILDS = tuple(PRINTED.wilds)
STATUE = tuple(PRINTED.statue)
LENGTHS = tuple(PRINTED.lengths)
PLACES = (*PRINTED.spaces, *PRINTED.levels)
ENTRIES = (*PRINTED.city, *(e for tile in PRINTED.tiles for e in PRINTED.entries_of[tile]))
VARIANTS = ("spearman", "dragonlord")
TYPES = tuple(dict.fromkeys(t.type for t in PRINTED.tiles.values()))
EXPLORATION, POWER = "exploration", "power"


def figures(t: Table) -> Figures:
    """The figures that hold in this game."""
    found: Figures = t.figures
    return found
