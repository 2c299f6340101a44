"""Chapter 17, the Cult's Daylight: a ritual for each card that is revealed (ROOT-CULT-16 to ROOT-CULT-20)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, Requirement, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import EndPhase
from service.games.root.v1.cards import card_matches_clearing, hand_pick, is_a_bird, spend
from service.games.root.v1.components import Plugs, limited, player
from service.games.root.v1.cult import GARDENS, WARRIOR, box, convince, garden_of
from service.games.root.v1.figures import BIRD, figures, suit_of
from service.games.root.v1.rule import is_ruled
from service.games.root.v1.state import ClearingSuit
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import clearing_pick, on_map, open_slot, open_to_place, place


class CultDaylight(Frame, kw_only=True):
    """The Cult's Daylight. `scored`: the suits with which it has scored this turn, each as often as it did."""

    seat: Public[SeatRef]
    scored: Public[list[ClearingSuit]] = []


def no_bird() -> Requirement:
    """The requirement that the card is no bird: in rituals a bird is a bird and nothing else (ROOT-CULT-3)."""

    @requires("ROOT-CULT-3", "card")
    def is_no_bird(t: Table, act: Any) -> Any:
        """It is a card of one of the three suits."""
        return suit_of(act.card) != BIRD or no(card=act.card)

    return is_no_bird


class Ritual(Action):
    """A card of the hand is revealed for what its suit allows; each ritual is a subclass."""

    card = hand_pick("ROOT-CULT-16")

    def reveal(self, t: Table) -> None:
        """It lies open, and is no card of the hand until the Evening."""
        t.moved("ROOT-CULT-16", {self.card: 1}, ("seats", self.actor, "hand"), box(self.actor, "revealed"))


class RitualBuild(Ritual, kind="ritual-build"):
    """A garden in a clearing that the Cult rules."""

    clearing = clearing_pick("ROOT-CULT-17")
    is_no_bird = no_bird()
    of_its_suit = requires("ROOT-CULT-17", "card", "clearing")(card_matches_clearing)
    is_ruled = requires("ROOT-CULT-17", "clearing")(is_ruled)
    has_an_open_slot = open_slot()
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-CULT-17", "clearing")
    def garden_is_left(t: Table, act: Any) -> Any:
        """A garden of its suit is left."""
        garden = garden_of(act.clearing)
        return garden in player(t, act.actor).supply or no(garden=garden)

    def resolve(self, t: Table) -> Control:
        """There it stands."""
        self.reveal(t)
        place(t, "ROOT-CULT-17", self.actor, {garden_of(self.clearing): 1}, self.clearing)
        return None


class RitualRecruit(Ritual, kind="ritual-recruit"):
    """A warrior in a clearing of the suit, whoever rules there."""

    clearing = clearing_pick("ROOT-CULT-18")
    is_no_bird = no_bird()
    of_its_suit = requires("ROOT-CULT-18", "card", "clearing")(card_matches_clearing)
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    def resolve(self, t: Table) -> Control:
        """There it stands, if the supply has one (ROOT-GEN-4)."""
        self.reveal(t)
        bag = limited({WARRIOR: 1}, player(t, self.actor).supply)
        place(t, "ROOT-CULT-18", self.actor, bag, self.clearing)
        return None


class RitualSacrifice(Ritual, kind="ritual-sacrifice"):
    """An acolyte for a bird."""

    is_a_bird = requires("ROOT-CULT-19", "card")(is_a_bird)

    def resolve(self, t: Table) -> Control:
        """A warrior of the supply, never of the map."""
        self.reveal(t)
        convince(t, "ROOT-CULT-19", self.actor)
        return None


class RitualScore(Ritual, kind="ritual-score"):
    """The card is spent for the points of its suit's track."""

    is_no_bird = no_bird()

    @requires("ROOT-CULT-20", "card", "is_no_bird")
    def space_is_empty(t: Table, act: Any) -> Any:
        """A garden of the suit is on the map."""
        suit = suit_of(act.card)
        return on_map(t, GARDENS[suit]) > 0 or no(none_of=suit)

    @requires("ROOT-CULT-20", "card", "is_no_bird")
    def not_scored_yet(t: Table, act: Any) -> Any:
        """Once a turn with each suit (ROOT-R-CULT-1)."""
        suit = suit_of(act.card)
        return act.frame.scored.count(suit) < figures(t).table["scores-a-suit"] or no(again=suit)

    def resolve(self, t: Table) -> Control:
        """To the Lost Souls; the rightmost empty space gives the points."""
        f: CultDaylight = self.frame
        suit = suit_of(self.card)
        garden = GARDENS[suit]
        f.scored = [*f.scored, suit]
        spend(t, "ROOT-CULT-20", self.actor, self.card)
        score(t, "ROOT-CULT-20", self.actor, figures(t).pieces[garden].points[on_map(t, garden) - 1])
        return None


RITUALS = (RitualBuild, RitualRecruit, RitualSacrifice, RitualScore)
NOT_NOW = {"craft": "ROOT-CULT-1", "move": "ROOT-CULT-16", "battle": "ROOT-CULT-16"}


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        CultDaylight,
        prompt(
            "perform",
            its_seat,
            (*RITUALS, EndPhase),
            "ROOT-CULT-16",
            again=True,
            gap=True,
            also=NOT_NOW,
        ),
    )
