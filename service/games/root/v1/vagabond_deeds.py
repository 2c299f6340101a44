"""Chapter 16, what a Vagabond does in Daylight besides moving and fighting (ROOT-VAG-26 to ROOT-VAG-32)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.table import Table
from service.games.root.v1.cards import Draw
from service.games.root.v1.components import owner
from service.games.root.v1.crafting import Crafting, take_effect
from service.games.root.v1.figures import PIECES, PRINTED, QUESTS, figures, suit_of_clearing
from service.games.root.v1.state import Removal
from service.games.root.v1.vagabond import pawn_of
from service.games.root.v1.vagabond_items import (
    DAMAGED,
    READY,
    count_kind,
    exhaust,
    has_ready,
    in_a_clearing,
    reference_pick,
    repair,
    vagabond,
)
from service.games.root.v1.vagabond_setup import NewQuest
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import warriors


def here(t: Table, act: Any) -> str:
    """The clearing (or forest) where the actor's pawn stands."""
    return pawn_of(t, act.actor)


# -- quest (ROOT-VAG-29) ------------------------------------------------------------------------------------------


class DoQuest(Action, kind="quest"):
    """Two items for a quest of the clearing's suit: points, or two cards."""

    quest = Pick("ROOT-VAG-29", lambda t, actor: t.board.quests, vocabulary=QUESTS)
    reward = Pick("ROOT-VAG-29", ("points", "cards"))
    is_in_a_clearing = in_a_clearing()

    @requires("ROOT-VAG-29", "quest", "is_in_a_clearing")
    def is_of_the_suit(t: Table, act: Any) -> Any:
        """The quest's suit is that of the clearing."""
        suit = PRINTED.quests[act.quest].suit
        return suit_of_clearing(here(t, act)) == suit or no(quest=act.quest, suit=suit, clearing=here(t, act))

    @requires("ROOT-VAG-1", "quest")
    def has_the_items(t: Table, act: Any) -> Any:
        """Both are face up and undamaged."""
        wanted = figures(t).quests[act.quest].items
        for item, n in wanted.items():
            ready = count_kind(t, act.actor, item, *READY)
            if ready < n:
                return no(item=item, ready=ready, n=n)
        return True

    def resolve(self, t: Table) -> Control:
        """The quest lies with him, a new one is turned up."""
        seat = self.actor
        for item, n in figures(t).quests[self.quest].items.items():
            exhaust(t, "ROOT-VAG-29", seat, item, n)
        t.moved("ROOT-VAG-29", {self.quest: 1}, ("quests",), ("seats", seat, "vagabond", "quests"))
        if self.reward == "cards":
            return calls(
                NewQuest(), Draw(seat=seat, left=figures(t).table["quest-cards"], because="ROOT-VAG-29")
            )
        score(t, "ROOT-VAG-29", seat, completed(t, seat, PRINTED.quests[self.quest].suit))
        return NewQuest()


def completed(t: Table, seat: str, suit: str) -> int:
    """How many quests of a suit a Vagabond has completed (ROOT-VAG2-5: each counts his own)."""
    return sum(PRINTED.quests[q].suit == suit for q in vagabond(t, seat).quests)


# -- strike (ROOT-VAG-30) -----------------------------------------------------------------------------------------


class Strike(Action, kind="strike"):
    """A crossbow removes a warrior, or a building or token of a player who has no warriors there."""

    player = Pick("ROOT-VAG-30", lambda t, actor: t.seats)
    piece = Pick("ROOT-VAG-30", PIECES)
    is_in_a_clearing = in_a_clearing()
    has_a_crossbow = has_ready("crossbow")

    @requires("ROOT-VAG-30", "player", "piece", "is_in_a_clearing")
    def is_there(t: Table, act: Any) -> Any:
        """The piece is that player's, and stands where the pawn does."""
        there = act.piece in t.board.map[here(t, act)] and owner(t, act.piece) == act.player
        return there or no(piece=act.piece, player=act.player, clearing=here(t, act))

    @requires("ROOT-VAG-30", "player", "piece", "is_there")
    def warriors_go_first(t: Table, act: Any) -> Any:
        """Nothing else of a player who has warriors there."""
        fine = PRINTED.pieces[act.piece].kind == "warrior" or not warriors(t, act.player, here(t, act))
        return fine or no(piece=act.piece, defended=act.player)

    def resolve(self, t: Table) -> Control:
        """It is no battle: no ambush, no infamy."""
        exhaust(t, "ROOT-VAG-30", self.actor, "crossbow")
        losses = {self.actor: {here(t, self): {self.piece: 1}}}
        return Removal(losses=losses, because="ROOT-VAG-30", scoring="ROOT-VAG-30")


# -- repair (ROOT-VAG-31) -----------------------------------------------------------------------------------------


class Repair(Action, kind="repair"):
    """A hammer repairs a damaged item."""

    item = reference_pick("ROOT-VAG-31", *DAMAGED)
    has_a_hammer = has_ready("hammer")

    def resolve(self, t: Table) -> Control:
        """Its face stays as it is."""
        exhaust(t, "ROOT-VAG-31", self.actor, "hammer")
        repair(t, "ROOT-VAG-31", self.actor, self.item)
        return None


# -- craft (ROOT-VAG-32) ------------------------------------------------------------------------------------------


class VagabondCraft(Crafting, kind="craft"):
    """A hammer for each symbol; all have the suit of the clearing."""

    is_in_a_clearing = in_a_clearing()

    @requires("ROOT-VAG-32", "card", "can_be_crafted", "is_in_a_clearing")
    def is_of_one_suit(t: Table, act: Any) -> Any:
        """Every symbol is that of the clearing, or any."""
        suit = suit_of_clearing(here(t, act))
        wrong = [s for s in figures(t).cards[act.card].cost if s not in (suit, "any")]
        return not wrong or no(card=act.card, suit=suit, clearing=here(t, act))

    @requires("ROOT-VAG-32", "card", "can_be_crafted")
    def has_the_hammers(t: Table, act: Any) -> Any:
        """One face up for each symbol."""
        n, ready = len(figures(t).cards[act.card].cost), count_kind(t, act.actor, "hammer", *READY)
        return ready >= n or no(card=act.card, n=n, ready=ready)

    def resolve(self, t: Table) -> Control:
        """The card does what it does."""
        exhaust(t, "ROOT-VAG-32", self.actor, "hammer", len(figures(t).cards[self.card].cost))
        t.tell("crafted", "ROOT-VAG-32", {"seat": self.actor, "card": self.card})
        return take_effect(t, self.actor, self.card)


CALLED: tuple[type[Frame], ...] = (NewQuest, Draw, Removal)
