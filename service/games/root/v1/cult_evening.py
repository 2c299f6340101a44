"""Chapter 17, the Cult's Evening: cards back to the hand, crafting, cards drawn (ROOT-CULT-21 to ROOT-CULT-24)."""

from __future__ import annotations

from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import EndPhase
from service.games.root.v1.cards import Draw, HandLimit, hand_size
from service.games.root.v1.components import Faction, Plugs
from service.games.root.v1.cult import CULT, GARDENS, GardenCraft, box, cult, gardens_that_craft
from service.games.root.v1.cult_birdsong import Converting, Crusade, CultBirdsong, Sanctifying
from service.games.root.v1.cult_daylight import CultDaylight
from service.games.root.v1.cult_setup import CultSetup
from service.games.root.v1.state import Removal
from service.games.root.v1.turn import prompt
from service.games.root.v1.woodland import cards_uncovered


class CultEvening(Frame, kw_only=True):
    """The Cult's Evening."""

    seat: Public[SeatRef]


def take_back(t: Table, f: CultEvening) -> Control:
    """All revealed cards return to the hand (ROOT-CULT-21)."""
    t.moved("ROOT-CULT-21", cult(t, f.seat).revealed, box(f.seat, "revealed"), ("seats", f.seat, "hand"))
    return None


def has_cards(t: Table, f: CultEvening) -> str | None:
    """The Cult, as long as it holds cards that it might craft (ROOT-CULT-22)."""
    return f.seat if hand_size(t, f.seat) else None


def draws(t: Table) -> int:
    """One card, and the card icons that its gardens have uncovered (ROOT-CULT-23, ROOT-CULT-24)."""
    return 1 + sum(cards_uncovered(t, garden) for garden in GARDENS.values())


def draw_cards(t: Table, f: CultEvening) -> Control:
    """As many as its gardens allow."""
    return Draw(seat=f.seat, left=draws(t), because="ROOT-CULT-23")


def keep_five(t: Table, f: CultEvening) -> Control:
    """Down to the hand limit."""
    return HandLimit(seat=f.seat)


FACTION = Faction(
    CULT,
    setup=CultSetup,
    birdsong=CultBirdsong,
    daylight=CultDaylight,
    evening=CultEvening,
    more=(Crusade, Converting, Sanctifying),
    crafting=gardens_that_craft,
)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        CultEvening,
        take_back,
        prompt("craft", has_cards, (GardenCraft, EndPhase), "ROOT-CULT-22", again=True),
        draw_cards,
        keep_five,
        may_call={"craft": (Removal,), "draw-cards": (Draw,), "keep-five": (HandLimit,)},
    )
