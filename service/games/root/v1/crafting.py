"""Chapter 8, crafting: pieces are activated, and the card does what it does (ROOT-CRAFT-1 to ROOT-CRAFT-9)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control
from service.engine.domain import AtLeast, AtMost, Split, Statement
from service.engine.table import Table
from service.games.root.v1.cards import hand_at, hand_pick, spend
from service.games.root.v1.components import Faction, everything, faction_of, first_answer, player
from service.games.root.v1.figures import CLEARING_SUITS, PRINTED, figures, suit_of_clearing
from service.games.root.v1.state import Removal, Turn
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import bag_in, where

CRAFTED_KINDS = ("item", "favor", "persistent")


class Crafting(Action):
    """What crafting a card asks for, whoever does it; how the cost is paid is up to the subclass."""

    card = hand_pick("ROOT-CRAFT-1")

    @requires("ROOT-CRAFT-7", "card")
    def can_be_crafted(t: Table, act: Any) -> Any:
        """Ambush and dominance cards cannot, nor can spies."""
        kind = PRINTED.cards[act.card].kind
        return kind in CRAFTED_KINDS or no(card=act.card)

    @requires("ROOT-CRAFT-4", "card")
    def item_is_there(t: Table, act: Any) -> Any:
        """The item is in the supply."""
        item = PRINTED.cards[act.card].item
        return item is None or item in t.board.items or no(card=act.card, item=item)

    @requires("ROOT-CRAFT-6", "card")
    def no_second_one(t: Table, act: Any) -> Any:
        """The same persistent card is not there yet."""
        return act.card not in player(t, act.actor).crafted or no(card=act.card)


def take_effect(t: Table, seat: str, card: str) -> Control:
    """An item and its points (ROOT-CRAFT-4), a persistent effect (ROOT-CRAFT-6), or a Favor (ROOT-CRAFT-5)."""
    printed = PRINTED.cards[card]
    if printed.kind == "persistent":
        t.moved("ROOT-CRAFT-6", {card: 1}, hand_at(t, seat), ("seats", seat, "crafted"))
        return None
    if printed.item is None:
        spend(t, "ROOT-CRAFT-5", seat, card)
        return favor(t, seat, str(printed.favors))
    t.moved("ROOT-CRAFT-4", {printed.item: 1}, ("items",), first_answer(t, "item-to", seat, printed.item))
    rule, points = first_answer(t, "item-points", seat, card)
    spend(t, "ROOT-CRAFT-4", seat, card)
    score(t, rule, seat, points)
    return None


def crafted_items_box(t: Table, seat: str, item: str) -> tuple[str, ...]:
    """Items go to the Crafted Items box (ROOT-CRAFT-4)."""
    return ("seats", seat, "items")


def printed_points(t: Table, seat: str, card: str) -> tuple[str, int]:
    """The points on the card (ROOT-CRAFT-4)."""
    return "ROOT-CRAFT-4", figures(t).cards[card].points


# -- crafting pieces on the map -----------------------------------------------------------------------------------


def by_suit(t: Table, *pieces: str) -> dict[str, int]:
    """Pieces on the map counted by the suit of their clearings (ROOT-CRAFT-2)."""
    found: dict[str, int] = {}
    for piece in pieces:
        for clearing, n in where(t, piece).items():
            suit = suit_of_clearing(clearing)
            found[suit] = found.get(suit, 0) + n
    return found


def crafting_pieces(t: Table, seat: str) -> Mapping[str, int]:
    """A player's crafting pieces on the map by suit, those already activated included."""
    faction: Faction = faction_of(t, seat)
    return faction.crafting(t, seat)


def activated(t: Table) -> Mapping[str, int]:
    """Crafting pieces already activated this turn, by suit."""
    turn: Turn | None = t.frame(Turn)
    return {} if turn is None else turn.activated


def covers_the_cost(t: Table, act: Any) -> Iterable[Statement]:
    """Each symbol by a piece of its suit (ROOT-CRAFT-1), none activated twice a turn (ROOT-CRAFT-2)."""
    cost = figures(t).cards[act.card].cost
    for suit in CLEARING_SUITS:
        of = frozenset([suit])
        if n := cost.count(suit):
            yield AtLeast(
                "ROOT-CRAFT-1", n, of, facts={"suit": suit, "n": n, "card": act.card}, about=("card",)
            )
        if used := activated(t).get(suit, 0):
            left = crafting_pieces(t, act.actor).get(suit, 0) - used
            yield AtMost("ROOT-CRAFT-2", max(left, 0), of, facts={"suit": suit, "left": max(left, 0)})


class Craft(Crafting, kind="craft"):
    """Craft with pieces on the map: how many of which suit are activated."""

    pieces = Split(
        "ROOT-CRAFT-1",
        lambda t, act: len(figures(t).cards[act.card].cost),
        lambda t, act: crafting_pieces(t, act.actor),
        covers_the_cost,
        ("ROOT-CRAFT-2",),
    ).given("card", "can_be_crafted")

    def resolve(self, t: Table) -> Control:
        """The pieces stay where they are (ROOT-CRAFT-3)."""
        activate(t, self.pieces)
        t.tell("crafted", "ROOT-CRAFT-1", {"seat": self.actor, "card": self.card, "pieces": self.pieces})
        return take_effect(t, self.actor, self.card)


def activate(t: Table, pieces: Mapping[str, int]) -> None:
    """Remember which pieces were activated this turn."""
    turn: Turn = t.frame(Turn)
    suits = sorted({*turn.activated, *pieces})
    turn.activated = {suit: turn.activated.get(suit, 0) + pieces.get(suit, 0) for suit in suits}


# -- Favors -------------------------------------------------------------------------------------------------------


def favor(t: Table, seat: str, suit: str) -> Control:
    """All enemy pieces leave every clearing of the suit; pawns and ruins stay (ROOT-FX-12)."""
    losses = {
        clearing.id: bag
        for clearing in PRINTED.clearings.values()
        if clearing.suit == suit and (bag := enemy_pieces(t, seat, clearing.id))
    }
    t.tell("favor", "ROOT-FX-12", {"seat": seat, "suit": suit})
    if not losses:
        return None
    return Removal(losses={seat: losses}, because="ROOT-FX-12", scoring="ROOT-FX-12")


def enemy_pieces(t: Table, seat: str, clearing: str) -> dict[str, int]:
    """All pieces of a player's enemies in a clearing; pawns are none."""
    enemies = [s for s in t.seats if s != seat and is_enemy(t, seat, s)]
    return {p: n for s in enemies for p, n in bag_in(t, s, clearing).items()}


def is_enemy(t: Table, seat: str, other: str) -> bool:
    """Every other player is an enemy, save a partner (ROOT-GEN-12)."""
    return not any(everything(t, "partners", seat, other))


class Crafters:
    """The crafting pieces of a faction whose pieces on the map of these ids they are."""

    def __init__(self, *pieces: str) -> None:
        self.pieces = pieces

    def __call__(self, t: Table, seat: str) -> Mapping[str, int]:
        """Those on the map, by suit."""
        return by_suit(t, *self.pieces)


def crafters(*pieces: str) -> Crafters:
    """What a faction plugs in that crafts with pieces of these ids."""
    return Crafters(*pieces)
