"""The figures of The Scepter of Zavandor, read from `components.json`: what is printed on cards and boards."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from service.engine.domain import AtLeast
from service.engine.table import Table

HERE = Path(__file__).parent


class Character(Struct):
    """A character: its start track and what its owner begins with."""

    id: str
    track: str
    stage: int
    hand_limit: int
    dust: int
    cards: dict[str, int]
    early_ruby_stage: int | None
    early_rubies: int


class Gem(Struct):
    """A kind of gem. `price`: base price; `needs`: what gives the right to buy it."""

    id: str
    price: int
    vp: int
    supply: int
    colour: str | None
    needs: str | None
    most_owned: int | None


class Restricted(Struct, frozen=True):
    """A kind of gem that not everybody may buy. `needs`: what gives the right; `early`: the Druid has one before.

    `keys` are the artifacts that give the right (none: the Fire track does), `cards` the energy cards of its colour,
    `producers` the artifacts that give such cards without any gem.
    """

    gem: str
    colour: str
    vp: int
    needs: str
    early: bool
    keys: frozenset[str]
    cards: frozenset[str]
    producers: tuple[str, ...]


class EnergyCard(Struct):
    """An energy card; `count` copies are in the deck of its colour."""

    id: str
    colour: str
    value: int
    count: int


class Concentrated(Struct):
    """The concentrated card of a colour."""

    colour: str
    value: int


class Track(Struct):
    """A knowledge track: cost of each stage, hand-limit change, and the effect by stage."""

    id: str
    costs: list[int]
    hand_limit: int
    percent: list[int] = []
    dust: list[int] = []
    rubies: list[bool] = []
    reward: list[dict[str, Any]] = []
    artifact_discount: list[int] = []
    sentinel_discount: list[int] = []
    places: list[int] = []


class Token(Struct):
    """A purchasable knowledge token."""

    price: int


class Artifact(Struct):
    """An artifact card."""

    id: str
    letter: str
    least_bid: int
    vp: int
    copies: int
    most_owned: int | None
    discounts: dict[str, int]
    sentinel_discount: int
    hand_limit: int
    places: int
    free_advances: int
    free_token: bool
    free_gem: str | None
    produces: str | None
    others_lose_gem: bool
    unlocks: str | None
    needs_active_gem: bool


class Sentinel(Struct):
    """A sentinel card and what its bonus counts."""

    id: str
    least_bid: int
    vp: int
    bonus_each: int
    bonus_cap: int | None
    counts: dict[str, Any]


class Position(Struct):
    """A position card and its modifier of prices."""

    position: int
    condition: str | None
    artifact: int
    sentinel: int


class Dust(Struct):
    """Tokens of magic dust, their weights, and what opals yield."""

    tokens: list[int]
    weights: dict[str, int]
    opals: list[int]
    three_opals: int


class Figures:
    """All figures of one game, by id."""

    def __init__(self, components: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        def read(kind: str, type_: type[Struct], key: str = "id") -> dict[Any, Any]:
            return {item[key]: msgspec.convert(item, type_) for item in components[kind]}

        self.characters: dict[str, Character] = read("characters", Character)
        self.gems: dict[str, Gem] = read("gems", Gem)
        self.energy: dict[str, EnergyCard] = read("energy-cards", EnergyCard)
        self.concentrated: dict[str, Concentrated] = read("concentrated", Concentrated, "colour")
        self.tracks: dict[str, Track] = read("tracks", Track)
        self.tokens: dict[int, Token] = read("tokens", Token, "price")
        self.artifacts: dict[str, Artifact] = read("artifacts", Artifact)
        self.sentinels: dict[str, Sentinel] = read("sentinels", Sentinel)
        self.positions: dict[int, Position] = read("positions", Position, "position")
        self.dust: Dust = msgspec.convert(components["dust"][0], Dust)
        self.table: dict[str, Any] = {item["id"]: item["value"] for item in components["table"]}

    @cached_property
    def prices(self) -> tuple[dict[str, int], ...]:
        """A player's own price of each gem, by the stage of his Gems track from 0 on (ZAV-GEM-1, ZAV-KNOW-GEMS-1)."""
        percents = (100, *self.tracks["gems"].percent)
        return tuple({g.id: g.price * percent // 100 for g in self.gems.values()} for percent in percents)

    @cached_property
    def unlocks(self) -> dict[str, tuple[str, ...]]:
        """The artifacts that give the right to buy a gem, by gem."""
        return {g: tuple(a.id for a in self.artifacts.values() if a.unlocks == g) for g in self.gems}

    @cached_property
    def restricted(self) -> tuple[Restricted, ...]:
        """The kinds of gems that take a right to buy (ZAV-GEM-1), with what comes of them."""
        return tuple(
            self._restricted(g, g.colour, g.needs) for g in self.gems.values() if g.colour and g.needs
        )

    def _restricted(self, gem: Gem, colour: str, needs: str) -> Restricted:
        cards = frozenset(c.id for c in self.energy.values() if c.colour == colour)
        producers = tuple(a.id for a in self.artifacts.values() if a.produces == colour)
        keys = frozenset(self.unlocks[gem.id])
        return Restricted(gem.id, colour, gem.vp, needs, needs == "fire", keys, cards, producers)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The artifacts that give the right to buy some kind of gem."""
        return frozenset(a for kind in self.restricted for a in kind.keys)

    @cached_property
    def least_by_key(self) -> int:
        """The fewest victory points of a gem that takes such an artifact."""
        return min(kind.vp for kind in self.restricted if kind.keys)

    @cached_property
    def first_bids(self) -> dict[str, tuple[AtLeast]]:
        """What limits the first bid on each card that is put up for auction: its printed minimum (ZAV-AUC-2)."""
        cards: list[Artifact | Sentinel] = [*self.artifacts.values(), *self.sentinels.values()]
        return {c.id: (AtLeast("ZAV-AUC-2", c.least_bid, facts={"least": c.least_bid}),) for c in cards}

    @cached_property
    def most_gems(self) -> tuple[tuple[str, int], ...]:
        """The kinds of gems of which a player may own so many only (ZAV-GEM-7)."""
        return tuple((g.id, g.most_owned) for g in self.gems.values() if g.most_owned is not None)

    @cached_property
    def most_artifacts(self) -> tuple[tuple[str, int], ...]:
        """The artifacts of which a player may own so many only (ZAV-AUC-7)."""
        return tuple((a.id, a.most_owned) for a in self.artifacts.values() if a.most_owned is not None)

    @cached_property
    def dearest(self) -> tuple[Gem, ...]:
        """The kinds of gems, those first that count most."""
        return tuple(sorted(self.gems.values(), key=lambda g: -g.vp))

    @cached_property
    def deeper(self) -> dict[str, frozenset[str]]:
        """The artifacts that lie below those of a letter in the deck, by letter (ZAV-SETUP-8)."""
        order = self.table["deck-order"]
        below = {x: order[i + 1 :] for i, x in enumerate(order)}
        return {x: frozenset(a.id for a in self.artifacts.values() if a.letter in below[x]) for x in order}

    @cached_property
    def free_positions(self) -> int:
        """How many position cards there are: the most players."""
        return len(self.positions)


COMPONENTS: dict[str, list[dict[str, Any]]] = json.loads(
    (HERE / "components.json").read_text(encoding="utf-8")
)
PRINTED = Figures(COMPONENTS)

GEMS = tuple(PRINTED.gems)
COLOURS = tuple(PRINTED.concentrated)
ENERGY = tuple(PRINTED.energy)
TRACKS = tuple(PRINTED.tracks)
TOP = len(PRINTED.tracks[TRACKS[0]].costs)  # the highest stage of every track (ZAV-KNOW-6)
TOKENS = tuple(PRINTED.tokens)
ARTIFACTS = tuple(PRINTED.artifacts)
SENTINELS = tuple(PRINTED.sentinels)
CHARACTERS = tuple(PRINTED.characters)
PLACES = ("active", "inactive")


def figures(t: Table) -> Figures:
    """The figures that hold in this game."""
    found: Figures = t.figures
    return found
