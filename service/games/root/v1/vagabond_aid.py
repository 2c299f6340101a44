"""Chapter 16, aid, and how it improves relationships (ROOT-VAG-27, ROOT-VAG-50 to -52, ROOT-VAG-56)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.cards import hand_at, hand_pick, seen_between
from service.games.root.v1.components import Plugs, player
from service.games.root.v1.figures import ITEMS, RELATIONSHIPS, figures, matches, suit_of_clearing
from service.games.root.v1.giving import give
from service.games.root.v1.turn import prompt
from service.games.root.v1.vagabond import ALLIED, pawn_of, relate, relation
from service.games.root.v1.vagabond_items import (
    at_spot,
    exhaust_item,
    in_a_clearing,
    is_vagabond,
    place_for,
    ready_item,
)
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import is_present


class Aid(Action, kind="aid"):
    """Exhaust any item, and give a card that matches the clearing to a player who has a piece there."""

    player = Pick("ROOT-VAG-27", lambda t, actor: t.seats)
    card = hand_pick("ROOT-VAG-27")
    item = ready_item("ROOT-VAG-1")
    is_in_a_clearing = in_a_clearing()

    @requires("ROOT-VAG-27", "player", "is_in_a_clearing")
    def is_there(t: Table, act: Any) -> Any:
        """Another player with any piece in the clearing, a Hostile one too."""
        there = act.player != act.actor and is_present(t, act.player, pawn_of(t, act.actor))
        return there or no(player=act.player, clearing=pawn_of(t, act.actor))

    @requires("ROOT-VAG-27", "card", "is_in_a_clearing")
    def matches_the_clearing(t: Table, act: Any) -> Any:
        """The card counts as one of the clearing's suit."""
        here = pawn_of(t, act.actor)
        suit = suit_of_clearing(here)
        return matches(act.card, suit) or no(card=act.card, clearing=here, suit=suit)

    def resolve(self, t: Table) -> Control:
        """The card is given; what comes of it is a frame, since a gift may win the game (ROOT-BOT-3, ROOT-WIN-1)."""
        exhaust_item(t, "ROOT-VAG-27", self.actor, self.item)
        give(t, "ROOT-VAG-27", self.card, hand_at(t, self.actor), self.player)
        return Gift(seat=self.actor, giver=self.player)

    def sight(self, t: Table) -> frozenset[str] | None:
        """Giver and receiver know the card (ROOT-INFO-10)."""
        return seen_between(t, self.actor, self.player)

    def open_part(self) -> dict[str, Any]:
        """The others see who is aided, and the item."""
        return {"kind": self.kind, "actor": self.actor, "player": self.player, "item": self.item}


def improve(t: Table, f: Any, seat: str, other: str) -> None:
    """Aids in one turn add up to a step; those used for it do not count again (ROOT-VAG-51).

    An ally gives points for each (ROOT-VAG-52); a Hostile faction stays as it is (ROOT-VAG-56).
    """
    faction, now = str(player(t, other).faction), str(relation(t, seat, other))
    if now == ALLIED:
        score(t, "ROOT-VAG-52", seat, figures(t).table["aid-allied-points"])
        return
    needed = figures(t).relationships[now].aids_to_next
    if needed is None:
        return
    given = f.aids.get(faction, 0) + 1
    f.aids = {**f.aids, faction: 0 if given >= needed else given}
    if given >= needed:
        step = figures(t).relationships[RELATIONSHIPS[RELATIONSHIPS.index(now) + 1]]
        relate(t, "ROOT-VAG-51", seat, faction, step.id)
        score(t, "ROOT-VAG-51", seat, step.points)


# -- what he may take ---------------------------------------------------------------------------------------------


class Gift(Frame, kw_only=True):
    """After aid the relationship improves, and a Vagabond may take an item from the receiver's Crafted Items."""

    seat: Public[SeatRef]
    giver: Public[SeatRef]


def improve_by_aid(t: Table, f: Gift) -> Control:
    """Whom he has aided looks more kindly on him; other Vagabonds have no relationships (ROOT-VAG-50)."""
    if not is_vagabond(t, f.giver):
        improve(t, t.below(f), f.seat, f.giver)
    return None


class TakeItem(Action, kind="take-item"):
    """Take one of them, face up."""

    item = Pick("ROOT-VAG-27", ITEMS)

    @requires("ROOT-VAG-27", "item")
    def is_there(t: Table, act: Any) -> Any:
        """The receiver has such an item."""
        giver = act.frame.giver
        return act.item in player(t, giver).items or no(item=act.item, owner=giver)

    def resolve(self, t: Table) -> Control:
        """It is his now."""
        spot = place_for(t, self.actor, self.item)
        source = ("seats", self.frame.giver, "items")
        t.moved("ROOT-VAG-27", {self.item: 1}, source, at_spot(self.actor, spot))
        return None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Gift,
        improve_by_aid,
        prompt(
            "gift",
            lambda t, f: f.seat if player(t, f.giver).items else None,
            (TakeItem, Pass),
            "ROOT-VAG-27",
        ),
    )
