"""The table of The Scepter of Zavandor: what lies where, and who may see it (ZAV-INFO-1 to ZAV-INFO-3)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

from service.engine.audience import Distinct, Holds, Own, Pile, Public, SeatRef, Seats
from service.engine.deck import Deck
from service.engine.frames import Frame
from service.games.zavandor.v1.figures import (
    ARTIFACTS,
    CHARACTERS,
    COLOURS,
    ENERGY,
    GEMS,
    SENTINELS,
    TOKENS,
    TRACKS,
)

Gem = Literal[GEMS]  # type: ignore[valid-type]
Colour = Literal[COLOURS]  # type: ignore[valid-type]
Card = Literal[ENERGY]  # type: ignore[valid-type]
TrackId = Literal[TRACKS]  # type: ignore[valid-type]
TokenPrice = Literal[TOKENS]  # type: ignore[valid-type]
ArtifactId = Literal[ARTIFACTS]  # type: ignore[valid-type]
SentinelId = Literal[SENTINELS]  # type: ignore[valid-type]
CharacterId = Literal[CHARACTERS]  # type: ignore[valid-type]

Positive = Annotated[int, Meta(ge=1, le=10_000)]
Amount = Annotated[int, Meta(ge=0, le=1_000_000)]
Price = Amount
Stage = Annotated[int, Meta(ge=1, le=4)]


def by_colour(cards: Mapping[str, int]) -> dict[str, int]:
    """How many cards of each colour: the backs, which everyone sees (ZAV-INFO-2)."""
    shown: dict[str, int] = {}
    for card, n in sorted(cards.items()):
        colour = card.partition("-")[0]
        shown[colour] = shown.get(colour, 0) + n
    return shown


class Player(Struct, forbid_unknown_fields=True):
    """One player's board and hand.

    `energy` is the hand of energy cards; `waiting` what lies under the position card until the next round
    (ZAV-KNOW-SAGES-4); `tokens` the prices of the knowledge tokens not yet bought; `bought` the tokens on the
    pentagon; `early_rubies` how many rubies the Druid has bought before Fire stage 4.
    """

    character: Public[CharacterId | None] = None
    energy: Annotated[dict[Card, Positive], Own(rest=by_colour), Holds("energy")] = {}
    concentrated: Public[dict[Colour, Positive]] = {}
    dust: Public[Amount] = 0
    active: Annotated[Public[dict[Gem, Positive]], Holds("gem")] = {}
    inactive: Annotated[Public[dict[Gem, Positive]], Holds("gem")] = {}
    waiting: Annotated[dict[Card, Positive], Own(rest=by_colour), Holds("energy")] = {}
    waiting_dust: Public[Amount] = 0
    tracks: Public[dict[TrackId, Stage]] = {}
    tokens: Annotated[Public[list[TokenPrice]], Distinct("ZAV-SETUP-5")] = []
    bought: Public[Amount] = 0
    artifacts: Annotated[Public[dict[ArtifactId, Positive]], Holds("artifact")] = {}
    sentinels: Annotated[Public[list[SentinelId]], Holds("sentinel")] = []
    vp: Public[Amount] = 0
    early_rubies: Public[Amount] = 0
    out: Public[bool] = False


class Board(Struct, forbid_unknown_fields=True):
    """The table. `order`: the seats by position card, I first; `gone_*`: what a Curse has taken out of the game."""

    seats: Seats[dict[str, Player]]
    supply: Annotated[Public[dict[Gem, Positive]], Holds("gem")]
    decks: Annotated[dict[Colour, Deck], Pile(), Holds("energy")]
    discards: Annotated[Public[dict[Colour, dict[Card, Positive]]], Holds("energy")]
    deck: Annotated[Deck, Pile(members=True), Holds("artifact")]
    display: Annotated[Public[dict[ArtifactId, Positive]], Holds("artifact")] = {}
    sentinels: Annotated[Public[list[SentinelId]], Holds("sentinel")] = []
    gone_artifacts: Annotated[Public[dict[ArtifactId, Positive]], Holds("artifact")] = {}
    gone_sentinels: Annotated[Public[list[SentinelId]], Holds("sentinel")] = []
    order: Annotated[Public[list[SeatRef]], Distinct("ZAV-ORDER-2")] = []
    round: Public[Amount] = 0


class Round(Frame, kw_only=True):
    """One pass through the four phases; `waiting`: the seats whose income or turn is still to come."""

    waiting: Annotated[Public[list[SeatRef]], Distinct("ZAV-ROUND-2")] = []


class Turn(Frame, kw_only=True):
    """One player's turn in phase 3; `advanced`: whether the paid advancement of the round is used (ZAV-KNOW-2)."""

    seat: Public[SeatRef]
    advanced: Public[bool] = False
