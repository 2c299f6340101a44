"""The table of Root: what lies where, and who may see it (ROOT-INFO-1 to ROOT-INFO-8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct, field

from service.engine.audience import Distinct, Holds, Own, Pile, Public, SeatRef, Seats, count
from service.engine.deck import Deck
from service.engine.frames import Frame
from service.games.root.v1.figures import (
    CARDS,
    CHARACTERS,
    CLEARING_SUITS,
    CLEARINGS,
    COLUMNS,
    DECREE_CARDS,
    FACTIONS,
    FORESTS,
    ITEMS,
    LEADERS,
    OWN_ITEMS,
    PIECES,
    QUESTS,
    REFERENCES,
    RELATIONSHIPS,
    SERVICES,
    SPOTS,
)

CardId = Literal[CARDS]  # type: ignore[valid-type]
DecreeCard = Literal[DECREE_CARDS]  # type: ignore[valid-type]
ClearingId = Literal[CLEARINGS]  # type: ignore[valid-type]
ClearingSuit = Literal[CLEARING_SUITS]  # type: ignore[valid-type]
FactionId = Literal[FACTIONS]  # type: ignore[valid-type]
ItemId = Literal[ITEMS]  # type: ignore[valid-type]
LeaderId = Literal[LEADERS]  # type: ignore[valid-type]
Column = Literal[COLUMNS]  # type: ignore[valid-type]
PieceId = Literal[PIECES]  # type: ignore[valid-type]

CharacterId = Literal[CHARACTERS]  # type: ignore[valid-type]
QuestId = Literal[QUESTS]  # type: ignore[valid-type]
RelationshipId = Literal[RELATIONSHIPS]  # type: ignore[valid-type]
OwnItem = Literal[OWN_ITEMS]  # type: ignore[valid-type]
Spot = Literal[SPOTS]  # type: ignore[valid-type]
PlaceId = Literal[(*CLEARINGS, *FORESTS)]  # type: ignore[valid-type]
ServiceId = Literal[SERVICES]  # type: ignore[valid-type]
LossId = Literal[(*PIECES, *REFERENCES)]  # type: ignore[valid-type]

Positive = Annotated[int, Meta(ge=1, le=1_000)]
Amount = Annotated[int, Meta(ge=0, le=1_000)]
Points = Annotated[int, Meta(ge=0, le=10_000)]  # who has enough to win may play on for long (ROOT-COOP-3)


class Eyrie(Struct, forbid_unknown_fields=True):
    """The board of the Eyrie Dynasties: the leader, those deposed, and the Decree with its viziers."""

    leader: Public[LeaderId | None] = None
    deposed: Annotated[Public[list[LeaderId]], Distinct("ROOT-EYRIE-18")] = []
    decree: Annotated[Public[dict[Column, dict[DecreeCard, Positive]]], Holds("card")] = field(
        default_factory=lambda: {column: {} for column in COLUMNS}
    )


class Alliance(Struct, forbid_unknown_fields=True):
    """The board of the Woodland Alliance: the Supporters, which only it knows (ROOT-INFO-4), and the Officers."""

    supporters: Annotated[dict[CardId, Positive], Own(rest=count), Holds("card")] = {}
    officers: Annotated[Public[dict[PieceId, Positive]], Holds("piece")] = {}


class Cult(Struct, forbid_unknown_fields=True):
    """The board of the Lizard Cult: Outcast, acolytes, revealed cards, Lost Souls; all of it is open (ROOT-INFO-6)."""

    outcast: Public[ClearingSuit | None] = None
    hated: Public[bool] = False
    acolytes: Annotated[Public[dict[PieceId, Positive]], Holds("piece")] = {}
    revealed: Annotated[Public[dict[CardId, Positive]], Holds("card")] = {}
    lost_souls: Annotated[Public[dict[CardId, Positive]], Holds("card")] = {}


class Vagabond(Struct, forbid_unknown_fields=True):
    """The board of a Vagabond: character, where the pawn stands, items by where they lie and with which face.

    `looking`: items of a ruin that he looks at; `quests`: those completed; `relationships`: by faction; `coalition`:
    the seat of his partner; `second`: of two Vagabonds, he set up after the other.
    """

    character: Public[CharacterId | None] = None
    pawn: Public[PlaceId | None] = None
    items: Annotated[Public[dict[Spot, dict[OwnItem, Positive]]], Holds("item")] = field(
        default_factory=lambda: {spot: {} for spot in SPOTS}
    )
    looking: Annotated[dict[OwnItem, Positive], Own(rest=count), Holds("item")] = {}
    quests: Annotated[Public[list[QuestId]], Distinct("ROOT-VAG-29"), Holds("quest")] = []
    relationships: Public[dict[FactionId, RelationshipId]] = {}
    coalition: Public[SeatRef | None] = None
    second: Public[bool] = False


class Riverfolk(Struct, forbid_unknown_fields=True):
    """The board of the Riverfolk Company: the hand, which lies open, boxes of warriors, and what services cost.

    `spaces`: the warriors on the spaces of its trade posts, by suit (ROOT-RIVER-3, ROOT-RIVER-35).
    """

    hand: Annotated[Public[dict[CardId, Positive]], Holds("card")] = {}
    payments: Annotated[Public[dict[PieceId, Positive]], Holds("piece")] = {}
    funds: Annotated[Public[dict[PieceId, Positive]], Holds("piece")] = {}
    committed: Annotated[Public[dict[PieceId, Positive]], Holds("piece")] = {}
    spaces: Annotated[Public[dict[ClearingSuit, dict[PieceId, Positive]]], Holds("piece")] = field(
        default_factory=lambda: {suit: {} for suit in CLEARING_SUITS}
    )
    prices: Public[dict[ServiceId, Positive]] = {}


class MechanicalMarquise(Struct, forbid_unknown_fields=True):
    """The board of the Mechanical Marquise: the order row, which nobody sees (ROOT-INFO-7), and the order turned up.

    `row`: leftmost order on top; `keep`: the corner where its keep is placed at set-up.
    """

    row: Annotated[Deck, Pile(aside="deck"), Holds("card")] = field(default_factory=Deck)
    order: Annotated[Public[CardId | None], Holds("card")] = None
    keep: Public[ClearingId | None] = None


BOARDS: Mapping[str, type[Struct]] = {
    "eyrie": Eyrie,
    "alliance": Alliance,
    "cult": Cult,
    "vagabond": Vagabond,
    "riverfolk": Riverfolk,
    "mechanical-marquise": MechanicalMarquise,
}  # who has more than pieces


def field_of(faction: str) -> str:
    """The field of a player that holds the board of his faction."""
    return faction.replace("-", "_")


class Player(Struct, forbid_unknown_fields=True):
    """One player. `score` is None once the marker has left the track (ROOT-DOM-1).

    `supply` holds the faction's pieces that are not on the map: its warriors, and what still covers its tracks.
    `crafted`: persistent cards in the play area; `spies`: those played there (ROOT-SPY-2); `items`: the Crafted Items
    box. `reached`: whether he has had 30 points in a game that humans play together (ROOT-COOP-3); `kept`: which of his
    crafted cards come from games of a campaign before, or go on to the next one. What only one faction has stands in
    the field that is called like it.
    """

    faction: Public[FactionId | None] = None
    score: Public[Points | None] = 0
    reached: Public[bool] = False
    hand: Annotated[dict[CardId, Positive], Own(rest=count), Holds("card")] = {}
    crafted: Annotated[Public[list[CardId]], Distinct("ROOT-CRAFT-6"), Holds("card")] = []
    kept: Annotated[Public[list[CardId]], Distinct("ROOT-CAMP-3")] = []
    dominance: Annotated[Public[CardId | None], Holds("card")] = None
    spies: Annotated[Public[list[CardId]], Distinct("ROOT-SPY-4"), Holds("card")] = []
    items: Annotated[Public[dict[ItemId, Positive]], Holds("item")] = {}
    supply: Annotated[Public[dict[PieceId, Positive]], Holds("piece")] = {}
    eyrie: Public[Eyrie | None] = None
    alliance: Public[Alliance | None] = None
    cult: Public[Cult | None] = None
    vagabond: Public[Vagabond | None] = None
    riverfolk: Public[Riverfolk | None] = None
    mechanical_marquise: Public[MechanicalMarquise | None] = None


class Board(Struct, forbid_unknown_fields=True):
    """The table. `order`: the seats clockwise, the first player first; `box`: pieces that have left the game.

    `buried`: the items under ruins that nobody has seen; `unearthed`: those under a ruin that a Vagabond has looked at;
    `scorched`: the torches that close a clearing; `item_box`: items that have left the game.
    """

    seats: Seats[dict[str, Player]]
    map: Annotated[Public[dict[ClearingId, dict[PieceId, Positive]]], Holds("piece")]
    deck: Annotated[Deck, Pile(), Holds("card")]
    items: Annotated[Public[dict[ItemId, Positive]], Holds("item")]
    quest_deck: Annotated[Deck, Pile(members=True), Holds("quest")]
    buried: Annotated[Deck, Pile(), Holds("item")]
    ruins: Annotated[Public[list[ClearingId]], Distinct("ROOT-MAP-8")] = []
    discard: Annotated[Public[dict[CardId, Positive]], Holds("card")] = {}
    available: Annotated[Public[dict[CardId, Positive]], Holds("card")] = {}
    box: Annotated[Public[dict[PieceId, Positive]], Holds("piece")] = {}
    order: Annotated[Public[list[SeatRef]], Distinct("ROOT-SETUP-2")] = []
    quests: Annotated[Public[list[QuestId]], Distinct("ROOT-VAG-29"), Holds("quest")] = []
    unearthed: Annotated[dict[ClearingId, Deck], Pile(), Holds("item")] = {}
    scorched: Annotated[Public[dict[ClearingId, dict[OwnItem, Positive]]], Holds("item")] = {}
    item_box: Annotated[Public[dict[OwnItem, Positive]], Holds("item")] = {}


class Game(Frame, kw_only=True):
    """The whole game. `waiting`: the seats that have still to set up; `last`: whose turn it is or was last."""

    waiting: Annotated[Public[list[SeatRef]], Distinct("ROOT-SETUP-7")] = []
    last: Public[SeatRef | None] = None


class Turn(Frame, kw_only=True):
    """One player's turn. `used`: effects that were used and work once a turn; `activated`: crafting pieces, by suit.

    `services`: what he has bought this turn, in order (ROOT-RIVER-11).
    """

    seat: Public[SeatRef]
    used: Annotated[Public[list[CardId]], Distinct("ROOT-FX-13")] = []
    activated: Public[dict[ClearingSuit, Positive]] = {}
    services: Public[list[ServiceId]] = []


class Battle(Frame, kw_only=True):
    """A battle between two players in a clearing.

    `ambush`: the ambush in force; `dice`: as they fell; `rolled` and `extra`: the hits that each side deals, rolled
    ones within its cap; `toppled`: how many buildings and tokens each has removed in this battle. `ally`: whose
    warriors fight as the attacker's; `enlisted`: who protects the defender; `instigator`: who made the two fight.
    `ally_hits` and `own_hits`: how many hits the attacker has taken on the ally's warriors and on what is his own.
    """

    attacker: Public[SeatRef]
    defender: Public[SeatRef]
    clearing: Public[ClearingId]
    ambush: Public[CardId | None] = None
    dice: Public[list[Amount]] = []
    rolled: Public[dict[SeatRef, Amount]] = {}
    extra: Public[dict[SeatRef, Amount]] = {}
    toppled: Public[dict[SeatRef, Amount]] = {}
    ally: Public[SeatRef | None] = None
    enlisted: Public[SeatRef | None] = None
    instigator: Public[SeatRef | None] = None
    ally_hits: Public[Amount] = 0
    own_hits: Public[Amount] = 0


class Removal(Frame, kw_only=True):
    """Pieces that leave the map by one effect: by who removes them, and by clearing.

    `because`: the clause that removes them; `scoring`: the one that gives points for buildings and tokens.
    """

    losses: Public[dict[SeatRef, dict[ClearingId, dict[PieceId, Positive]]]]
    because: Public[str]
    scoring: Public[str]
    in_battle: Public[bool] = False
