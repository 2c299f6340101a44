"""Chapter 16, special actions: a torch for what the character can do (ROOT-VAG-33, -35, -40 to -46)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import DONE, Control
from service.engine.domain import Pick, Split
from service.engine.frames import Frame
from service.engine.places import MISSING, changed
from service.engine.table import Table
from service.games.root.v1.battle import begin_battle, can_attack
from service.games.root.v1.cards import TakeRandomCard, hand_at
from service.games.root.v1.crafting import is_enemy
from service.games.root.v1.figures import CARDS, figures, matches, suit_of_clearing
from service.games.root.v1.giving import gives_a_card, take_a_card
from service.games.root.v1.state import Battle, Removal
from service.games.root.v1.vagabond import pawn_of, plays
from service.games.root.v1.vagabond_items import (
    DAMAGED,
    at_spot,
    each,
    exhaust,
    has_ready,
    in_a_clearing,
    references_in,
    repair,
    up_to_all,
    vagabond,
)
from service.games.root.v1.woodland import bag_in, is_present


def special_of(character: str, rule: str) -> Any:
    """The requirement that the actor is this character (ROOT-VAG-35)."""

    @requires(rule, about=("kind",))
    def is_the_character(t: Table, act: Any) -> Any:
        """Each can do one thing that no other can."""
        own = vagabond(t, act.actor).character
        return plays(t, act.actor, character) or no(character=own, needed=character)

    return is_the_character


class Special(Action):
    """A torch for a special action (ROOT-VAG-33)."""

    has_a_torch = has_ready("torch")


class Steal(Special, kind="steal"):
    """Thief: a random card of a player with a piece in the clearing (ROOT-VAG-40)."""

    player = Pick("ROOT-VAG-40", lambda t, actor: t.seats)
    is_the_character = special_of("thief", "ROOT-VAG-40")
    is_in_a_clearing = in_a_clearing()

    @requires("ROOT-VAG-40", "player", "is_in_a_clearing")
    def is_there(t: Table, act: Any) -> Any:
        """Another player, and he is there."""
        here = pawn_of(t, act.actor)
        there = act.player != act.actor and is_present(t, act.player, here)
        return there or no(player=act.player, clearing=here)

    @requires("ROOT-VAG-40", "player")
    def has_a_card(t: Table, act: Any) -> Any:
        """He holds a card at all, or never holds any: then the deck gives it (ROOT-BOT-2)."""
        return gives_a_card(t, act.player) or no(player=act.player, cards=0)

    def resolve(self, t: Table) -> Control:
        """Chance says which."""
        exhaust(t, "ROOT-VAG-40", self.actor, "torch")
        return take_a_card(t, "ROOT-VAG-40", self.actor, self.player)


class DayLabor(Special, kind="day-labor"):
    """Tinker: a card of the discard pile that matches the clearing (ROOT-VAG-41)."""

    card = Pick("ROOT-VAG-41", lambda t, actor: sorted(t.board.discard), vocabulary=CARDS)
    is_the_character = special_of("tinker", "ROOT-VAG-41")
    is_in_a_clearing = in_a_clearing()

    @requires("ROOT-VAG-41", "card", "is_in_a_clearing")
    def matches_the_clearing(t: Table, act: Any) -> Any:
        """A bird always does."""
        here = pawn_of(t, act.actor)
        suit = suit_of_clearing(here)
        return matches(act.card, suit) or no(card=act.card, clearing=here, suit=suit)

    def resolve(self, t: Table) -> Control:
        """To his hand."""
        exhaust(t, "ROOT-VAG-41", self.actor, "torch")
        t.moved("ROOT-VAG-41", {self.card: 1}, ("discard",), hand_at(t, self.actor))
        return None


class Hideout(Special, kind="hideout"):
    """Ranger: three items are repaired, and Daylight ends; in a forest as well (ROOT-VAG-42, ROOT-VAG-20)."""

    items = Split(
        "ROOT-VAG-42",
        up_to_all(lambda t, act: int(figures(t).table["hideout-repairs"]), *DAMAGED),
        lambda t, act: references_in(t, act.actor, *DAMAGED),
    )
    is_the_character = special_of("ranger", "ROOT-VAG-42")

    def resolve(self, t: Table) -> Control:
        """The rest of Daylight is over at once."""
        exhaust(t, "ROOT-VAG-42", self.actor, "torch")
        for ref in each(self.items):
            repair(t, "ROOT-VAG-42", self.actor, ref)
        t.tell("daylight-ends", "ROOT-VAG-42", {"seat": self.actor})
        return DONE


class Instigate(Special, kind="instigate"):
    """Vagrant: two players there fight each other (ROOT-VAG-43)."""

    attacker = Pick("ROOT-VAG-43", lambda t, actor: t.seats)
    defender = Pick("ROOT-VAG-43", lambda t, actor: t.seats)
    is_the_character = special_of("vagrant", "ROOT-VAG-43")
    is_in_a_clearing = in_a_clearing()

    @requires("ROOT-VAG-43", "attacker", "is_in_a_clearing")
    def can_fight(t: Table, act: Any) -> Any:
        """The attacker has a warrior or pawn there."""
        here = pawn_of(t, act.actor)
        return can_attack(t, act.attacker, here) or no(attacker=act.attacker, clearing=here)

    @requires("ROOT-VAG-43", "attacker", "defender", "is_in_a_clearing")
    def is_another_there(t: Table, act: Any) -> Any:
        """The defender is another player, with a piece there."""
        here = pawn_of(t, act.actor)
        there = act.attacker != act.defender and is_present(t, act.defender, here)
        return there or no(defender=act.defender, clearing=here)

    def resolve(self, t: Table) -> Control:
        """What is removed in this battle he removes."""
        exhaust(t, "ROOT-VAG-43", self.actor, "torch")
        t.tell("instigates", "ROOT-VAG-43", {"seat": self.actor})
        battle = begin_battle(t, self.attacker, self.defender, pawn_of(t, self.actor))
        battle.instigator = self.actor
        return battle


class ScorchedEarth(Special, kind="scorched-earth"):
    """Scoundrel: the torch stays in the clearing, and closes it for good (ROOT-VAG-46)."""

    is_the_character = special_of("scoundrel", "ROOT-VAG-46")
    is_in_a_clearing = in_a_clearing()

    def resolve(self, t: Table) -> Control:
        """All enemy pieces go; pawns and ruins stay."""
        seat, here = self.actor, pawn_of(t, self.actor)
        t.board = changed(t.board, ("scorched", here), lambda lying: {} if lying is MISSING else lying)
        t.moved("ROOT-VAG-46", {"torch": 1}, at_spot(seat, "satchel-up"), ("scorched", here))
        bag = {
            p: n for s in t.seats if s != seat and is_enemy(t, seat, s) for p, n in bag_in(t, s, here).items()
        }
        if not bag:
            return None
        return Removal(losses={seat: {here: bag}}, because="ROOT-VAG-46", scoring="ROOT-VAG-46")


SPECIALS = (Steal, DayLabor, Hideout, Instigate, ScorchedEarth)
CALLED: tuple[type[Frame], ...] = (TakeRandomCard, Battle, Removal)
