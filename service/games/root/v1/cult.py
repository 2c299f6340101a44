"""Chapter 17, the Lizard Cult: what is always on (ROOT-CULT-1 to -6, ROOT-RULE-4, ROOT-CARD-5).

Gardens, Lost Souls, the Outcast, acolytes and Revenge, Fear of the Faithful. Set-up and the phases of its turn have
modules of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control
from service.engine.domain import AtMost, Pick, Split, Statement
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.root.v1.cards import RandomCard, hand_size, spend
from service.games.root.v1.components import Plugs, limited, player, who_plays
from service.games.root.v1.crafting import Craft, by_suit, covers_the_cost
from service.games.root.v1.figures import (
    CARDS,
    CLEARING_SUITS,
    PRINTED,
    figures,
    pieces_of,
    suit_of_clearing,
)
from service.games.root.v1.removal import lost
from service.games.root.v1.state import Battle, Cult, Removal

CULT = "cult"
WARRIOR = "cult-warrior"
GARDENS: Mapping[str, str] = {str(PRINTED.pieces[g].suit): g for g in pieces_of(CULT, "building")}


def cult(t: Table, seat: str) -> Cult:
    """The Cult's board; for a player of another faction, who may ask, an empty one."""
    return player(t, seat).cult or Cult()


def box(seat: str, place: str) -> tuple[str, ...]:
    """A place of the Cult's board: `acolytes`, `revealed` or `lost_souls`."""
    return ("seats", seat, CULT, place)


# -- gardens and Pilgrims (ROOT-RULE-4, ROOT-CULT-2) --------------------------------------------------------------


def garden_of(clearing: str) -> str:
    """The garden of a clearing's suit."""
    return GARDENS[suit_of_clearing(clearing)]


def has_garden(t: Table, clearing: str) -> bool:
    """Whether a garden stands there."""
    here = t.board.map[clearing]
    return any(garden in here for garden in GARDENS.values())


def pilgrims(t: Table, clearing: str) -> str | None:
    """With one garden the Cult rules, whatever else is there."""
    return who_plays(t, CULT) if has_garden(t, clearing) else None


# -- Lost Souls (ROOT-CULT-5) -------------------------------------------------------------------------------------


def lost_souls(t: Table, card: str) -> tuple[str, ...] | None:
    """While the Cult plays, every card that anybody spends or discards goes to the Lost Souls pile."""
    seat = who_plays(t, CULT)
    return None if seat is None else box(seat, "lost_souls")


# -- the Outcast, and crafting by its gardens (ROOT-CULT-1, ROOT-CULT-22) -----------------------------------------


def is_outcast(t: Table, seat: str, clearing: str) -> bool:
    """Whether a clearing is of the Outcast suit."""
    return suit_of_clearing(clearing) == cult(t, seat).outcast


def gardens_that_craft(t: Table, seat: str) -> dict[str, int]:
    """Its crafting pieces: the gardens of the Outcast suit."""
    return {s: n for s, n in by_suit(t, *GARDENS.values()).items() if s == cult(t, seat).outcast}


def by_the_outcast(t: Table, act: Any) -> Iterable[Statement]:
    """What any craft costs, and no garden of another suit."""
    yield from covers_the_cost(t, act)
    outcast = cult(t, act.actor).outcast
    others = frozenset(CLEARING_SUITS) - {outcast}
    yield AtMost("ROOT-CULT-1", 0, others, facts={"suit": outcast})


class GardenCraft(Craft, kind="craft"):
    """Craft with gardens of the Outcast suit: how many of them are activated."""

    pieces = Split(
        "ROOT-CRAFT-1",
        lambda t, act: len(figures(t).cards[act.card].cost),
        lambda t, act: by_suit(t, *GARDENS.values()),
        by_the_outcast,
        ("ROOT-CRAFT-2", "ROOT-CULT-1"),
    ).given("card", "can_be_crafted")


# -- acolytes and Revenge (ROOT-CULT-4) ---------------------------------------------------------------------------


def acolytes(t: Table, seat: str) -> int:
    """How many acolytes it has."""
    return sum(cult(t, seat).acolytes.values())


def revenge(t: Table, f: Removal, remover: str, piece: str) -> tuple[str, ...] | None:
    """Warriors that it loses as the defender in a battle become acolytes; all others go to the supply."""
    battle: Battle | None = t.frame(Battle) if f.in_battle and piece == WARRIOR else None
    if battle is None or player(t, battle.defender).faction != CULT:
        return None
    return box(battle.defender, "acolytes")


def convince(t: Table, because: str, seat: str) -> None:
    """A warrior of the supply becomes an acolyte, if there is one (ROOT-GEN-4)."""
    bag = limited({WARRIOR: 1}, player(t, seat).supply)
    t.moved(because, bag, ("seats", seat, "supply"), box(seat, "acolytes"))


# -- revealed cards (ROOT-CULT-16) --------------------------------------------------------------------------------


def no_more_of_the_hand(t: Table, seat: str, card: str) -> str | None:
    """A revealed card is no card of the hand until the Evening."""
    return "ROOT-CULT-16" if card in cult(t, seat).revealed else None


# -- Fear of the Faithful (ROOT-CULT-6) ---------------------------------------------------------------------------


class Fear(Frame, kw_only=True):
    """A garden was removed: the Cult discards a random card of its hand, if it has one."""

    seat: Public[SeatRef]


def fear_of_the_faithful(t: Table, f: Removal) -> list[Frame]:
    """One card for each garden."""
    n = sum(sum(lost(t, f, garden).values()) for garden in GARDENS.values())
    return [Fear(seat=str(who_plays(t, CULT))) for _ in range(n)]


class FearfulCard(RandomCard, kind="random-card", rule="ROOT-CULT-6"):
    """Which card of the Cult's hand it is; where it goes, everyone sees it."""

    card = Pick("ROOT-CULT-6", CARDS)

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[str, int]:
        """Each card of the hand alike."""
        return player(t, frame.seat).hand

    def sight(self, t: Table) -> frozenset[str] | None:
        """Only the Cult sees which cards it may be."""
        return frozenset([self.frame.seat])

    def answered_by(self, t: Table) -> frozenset[str] | None:
        """The Cult, whose hand it is."""
        return frozenset([self.frame.seat])

    def resolve(self, t: Table) -> Control:
        """It is discarded."""
        spend(t, "ROOT-CULT-6", self.frame.seat, self.card)
        return DONE

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: whose card it is, and that he discards it."""
        return {"seat": self.frame.seat, "discarder": self.frame.seat}


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Fear,
        Ask(
            "card",
            lambda t, f: CHANCE if hand_size(t, f.seat) else None,
            takes=(FearfulCard,),
            rule="ROOT-CULT-6",
        ),
    )
