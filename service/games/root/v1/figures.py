"""The figures of Root, read from `components.json`: what is printed on cards, boards and the map."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from service.engine.table import Table

HERE = Path(__file__).parent


class Card(Struct):
    """A card of the shared deck. `cost`: suits of crafting pieces; `favors`: the suit that a Favor sweeps."""

    id: str
    suit: str
    kind: str
    cost: list[str]
    item: str | None
    points: int
    favors: str | None
    count: int


class Item(Struct):
    """An item: how many the supply has, how many lie under ruins, how many the Mechanical Marquise sells."""

    id: str
    supply: int
    ruins: int
    for_sale: int
    track: bool


class MarkedItem(Struct):
    """An item of a ruin in a game of two Vagabonds: what it is, and how many of them lie under ruins."""

    id: str
    item: str
    count: int


class Clearing(Struct):
    """A clearing of the autumn map; `opposite` is None where it is no corner, `rank` its place in the bot's diagram."""

    id: str
    suit: str
    slots: int
    ruin: bool
    paths: list[str]
    rivers: list[str]
    rank: int
    opposite: str | None
    forests: list[str]


class Forest(Struct):
    """A forest and what it borders on."""

    id: str
    clearings: list[str]
    forests: list[str]


class Faction(Struct):
    """A faction; `setup` is its place in the order of set-up, `copies` how many seats may play it.

    `automatic`: the rules alone play it; `borrows`: pieces of another faction that it plays with, which it excludes.
    `reach`: how far over the map the first of them reaches, and the second (ROOT-SCEN-3); nothing where nobody knows.
    """

    id: str
    setup: str
    copies: int
    automatic: bool
    borrows: list[str]
    reach: list[int] = []


class Piece(Struct):
    """A warrior, building or token. The n-th of a kind on the map costs `cost[n-1]` and scores `points[n-1]`.

    `draw`: card icons by uncovered space; `leaves_game`: once removed it does not come back.
    """

    id: str
    faction: str
    kind: str
    count: int
    suit: str | None
    cost: list[int]
    points: list[int]
    draw: list[int]
    leaves_game: bool


class Leader(Struct):
    """A leader of the Eyrie and the columns of its two Loyal Viziers."""

    id: str
    viziers: list[str]


class Character(Struct):
    """A character of the Vagabond with its starting items."""

    id: str
    items: dict[str, int]
    special: str


class Quest(Struct):
    """A quest: its suit and the two items that it takes."""

    id: str
    suit: str
    items: dict[str, int]


class Relationship(Struct):
    """A space of the relationship chart."""

    id: str
    aids_to_next: int | None
    points: int


class Service(Struct):
    """What is for sale at the start of a buyer's Birdsong."""

    id: str


class Figures:
    """All figures of the game, by id."""

    def __init__(self, components: Mapping[str, Sequence[Mapping[str, Any]]]) -> None:
        def read(kind: str, type_: type[Struct]) -> dict[str, Any]:
            return {item["id"]: msgspec.convert(item, type_) for item in components[kind]}

        self.cards: dict[str, Card] = read("cards", Card)
        self.items: dict[str, Item] = read("items", Item)
        self.marked: dict[str, MarkedItem] = read("marked-items", MarkedItem)
        self.clearings: dict[str, Clearing] = read("clearings", Clearing)
        self.forests: dict[str, Forest] = read("forests", Forest)
        self.factions: dict[str, Faction] = read("factions", Faction)
        self.pieces: dict[str, Piece] = read("pieces", Piece)
        self.leaders: dict[str, Leader] = read("leaders", Leader)
        self.characters: dict[str, Character] = read("characters", Character)
        self.quests: dict[str, Quest] = read("quests", Quest)
        self.relationships: dict[str, Relationship] = read("relationships", Relationship)
        self.services: dict[str, Service] = read("services", Service)
        self.table: dict[str, Any] = {item["id"]: item["value"] for item in components["table"]}


COMPONENTS: dict[str, list[dict[str, Any]]] = json.loads(
    (HERE / "components.json").read_text(encoding="utf-8")
)
PRINTED = Figures(COMPONENTS)

COMPETITIVE, COOPERATIVE, SOLO = (
    "competitive",
    "cooperative",
    "solo",
)  # how humans play (ROOT-COOP-1, ROOT-SOLO-1)
SUITS = tuple(s["id"] for s in COMPONENTS["suits"])
CLEARING_SUITS = tuple(s["id"] for s in COMPONENTS["suits"] if s["clearings"])
BIRD = "bird"
CARDS = tuple(PRINTED.cards)
VIZIER = "vizier"
DECREE_CARDS = (*CARDS, VIZIER)
ITEMS = tuple(PRINTED.items)
CLEARINGS = tuple(PRINTED.clearings)
RIVER = tuple(c.id for c in PRINTED.clearings.values() if c.rivers)
CORNERS = tuple(c.id for c in PRINTED.clearings.values() if c.opposite is not None)
FORESTS = tuple(PRINTED.forests)
FACTIONS = tuple(PRINTED.factions)
PIECES = tuple(PRINTED.pieces)
LEADERS = tuple(PRINTED.leaders)
CHARACTERS = tuple(PRINTED.characters)
QUESTS = tuple(PRINTED.quests)
RELATIONSHIPS = tuple(PRINTED.relationships)
SERVICES = tuple(PRINTED.services)
MARKED = tuple(PRINTED.marked)
OWN_ITEMS = (*ITEMS, *MARKED)  # what a Vagabond may have
COLUMNS: tuple[str, ...] = tuple(PRINTED.table["decree-columns"])


def of_kind(kind: str) -> tuple[str, ...]:
    """The cards of a kind: item, favor, persistent, ambush, dominance, spy."""
    return tuple(c.id for c in PRINTED.cards.values() if c.kind == kind)


AMBUSHES, DOMINANCES, PERSISTENT = of_kind("ambush"), of_kind("dominance"), of_kind("persistent")
FAVORS = of_kind("favor")
SPIES = of_kind("spy")
KEPT_BY = frozenset({*DOMINANCES, *SPIES})  # what lies beside the map for the taking when it is spent


def kind_of(item: str) -> str:
    """What an item is, whether it is marked as one of a ruin or not (ROOT-DEC-31)."""
    return PRINTED.marked[item].item if item in PRINTED.marked else item


def on_track(item: str) -> bool:
    """Whether a Vagabond has a track for items of this kind: tea, coins and bags (ROOT-VAG-2)."""
    return PRINTED.items[kind_of(item)].track


# Where a Vagabond's items lie: a track, the satchel or the damaged box; face up or down (ROOT-VAG-1).
SPOTS = tuple(s["id"] for s in COMPONENTS["spots"])
REFERENCES = {
    f"{spot}-{item}": (spot, item)
    for spot in SPOTS
    for item in OWN_ITEMS
    if spot != "track" or on_track(item)
}


def references() -> list[dict[str, Any]]:
    """The names of all references to items, for texts: what it is, and how it lies (ROOT-DEC-31)."""
    lies = {spot["id"]: spot["lies"] for spot in COMPONENTS["spots"]}
    called = {item["id"]: item["name"] for kind in ("items", "marked-items") for item in COMPONENTS[kind]}
    return [
        {
            "id": ref,
            "name": {
                language: f"{called[item][language]} {lies[spot][language]}" for language in ("en", "cs")
            },
        }
        for ref, (spot, item) in REFERENCES.items()
    ]


def suit_of(card: str) -> str:
    """The printed suit of a card (ROOT-CARD-1); viziers are birds (ROOT-EYRIE-2)."""
    return BIRD if card == VIZIER else PRINTED.cards[card].suit


def suit_of_clearing(clearing: str) -> str:
    """The printed suit of a clearing (ROOT-MAP-1)."""
    return PRINTED.clearings[clearing].suit


def matches(card: str, suit: str) -> bool:
    """Whether a card counts as one of this suit: birds are wild (ROOT-CARD-2), others are not (ROOT-CARD-4)."""
    return suit_of(card) in (suit, BIRD)


@cache
def pieces_of(faction: str, *kinds: str) -> tuple[str, ...]:
    """The pieces of a faction, of these kinds or all: its own, and those that it borrows."""
    borrowed = PRINTED.factions[faction].borrows if faction in PRINTED.factions else ()
    return tuple(
        p.id
        for p in PRINTED.pieces.values()
        if (p.faction == faction or p.id in borrowed) and (not kinds or p.kind in kinds)
    )


@cache
def played_by(piece: str) -> tuple[str, ...]:
    """The factions that play with a piece: its own, and who borrows it."""
    return tuple(f for f in FACTIONS if piece in pieces_of(f))


@cache
def excluded_by(faction: str) -> tuple[str, ...]:
    """The other factions that play with pieces of this one (ROOT-COMP-6)."""
    return tuple(f for f in FACTIONS if f != faction and set(pieces_of(f)) & set(pieces_of(faction)))


def figures(t: Table) -> Figures:
    """The figures that hold in this game."""
    found: Figures = t.figures
    return found
