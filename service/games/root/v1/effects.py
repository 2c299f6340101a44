"""Chapter 9, effects of crafted cards outside battle (ROOT-FX-5 to ROOT-FX-13)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.battle import StartBattle
from service.games.root.v1.cards import Draw, hand_of, has_no_hand, spend
from service.games.root.v1.components import Plugs, own_warrior, player
from service.games.root.v1.giving import gives_a_card, take_a_card
from service.games.root.v1.movement import Move
from service.games.root.v1.rule import ruled_by
from service.games.root.v1.state import Removal, Turn
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import clearing_pick, warriors


def has(t: Table, seat: str, card: str) -> bool:
    """Whether a card lies in a player's play area and has not been used this turn (ROOT-FX-13)."""
    turn: Turn | None = t.frame(Turn)
    return card in player(t, seat).crafted and (turn is None or card not in turn.used)


def use(t: Table, card: str) -> None:
    """Remember that a card was used this turn."""
    turn: Turn = t.frame(Turn)
    turn.used = [*turn.used, card]


def crafted(card: str, rule: str) -> Any:
    """The requirement that the card is in the play area, and not used yet this turn."""

    @requires(rule, about=("kind",))
    def is_crafted(t: Table, act: Any) -> Any:
        """It lies there, unused."""
        return has(t, act.actor, card) or no(card=card)

    return is_crafted


def other_player(rule: str) -> Pick:
    """A parameter that names a player."""
    return Pick(rule, lambda t, actor: t.seats)


# -- Birdsong -----------------------------------------------------------------------------------------------------


class BetterBurrowBank(Action, kind="better-burrow-bank"):
    """The owner and another player of his choice draw a card each; it must be done (ROOT-FX-8)."""

    player = other_player("ROOT-FX-8")
    is_crafted = crafted("better-burrow-bank", "ROOT-FX-8")

    @requires("ROOT-FX-8", "player")
    def is_another(t: Table, act: Any) -> Any:
        """Somebody else."""
        return act.player != act.actor or no(player=act.player)

    def resolve(self, t: Table) -> Control:
        """The owner draws first."""
        use(t, "better-burrow-bank")
        seats = (self.actor, self.player)
        return calls(*(Draw(seat=s, left=1, because="ROOT-FX-8") for s in seats))


class RoyalClaim(Action, kind="royal-claim"):
    """Discard the card for a point for each clearing that is ruled (ROOT-FX-5)."""

    is_crafted = crafted("royal-claim", "ROOT-FX-5")

    def resolve(self, t: Table) -> Control:
        """Points for what is ruled now."""
        spend(t, "ROOT-FX-5", self.actor, "royal-claim", "crafted")
        score(t, "ROOT-FX-5", self.actor, len(ruled_by(t, self.actor)))
        return None


class StandAndDeliver(Action, kind="stand-and-deliver"):
    """Take a random card from another player, who scores a point (ROOT-FX-6)."""

    player = other_player("ROOT-FX-6")
    is_crafted = crafted("stand-and-deliver", "ROOT-FX-6")

    @requires("ROOT-FX-6", "player")
    def has_a_card(t: Table, act: Any) -> Any:
        """Another player who holds at least one, or never holds any: then the deck gives it (ROOT-X-17)."""
        return (act.player != act.actor and gives_a_card(t, act.player)) or no(player=act.player)

    def resolve(self, t: Table) -> Control:
        """The card, then the point."""
        use(t, "stand-and-deliver")
        score(t, "ROOT-FX-6", self.player, 1)
        return take_a_card(t, "ROOT-FX-6", self.actor, self.player)


# -- Daylight -----------------------------------------------------------------------------------------------------


class TaxCollector(Action, kind="tax-collector"):
    """Remove an own warrior from the map to draw a card (ROOT-FX-7)."""

    clearing = clearing_pick("ROOT-FX-7")
    is_crafted = crafted("tax-collector", "ROOT-FX-7")

    @requires("ROOT-FX-7", "clearing")
    def has_a_warrior_there(t: Table, act: Any) -> Any:
        """One of his own stands there."""
        return warriors(t, act.actor, act.clearing) > 0 or no(clearing=act.clearing)

    def resolve(self, t: Table) -> Control:
        """It is a removal like any other; then the card."""
        use(t, "tax-collector")
        losses = {self.actor: {self.clearing: {own_warrior(t, self.actor): 1}}}
        taxed = Removal(losses=losses, because="ROOT-FX-7", scoring="ROOT-FX-7")
        return calls(taxed, Draw(seat=self.actor, left=1, because="ROOT-FX-7"))


class Codebreakers(Action, kind="codebreakers"):
    """Look at another player's hand (ROOT-FX-11)."""

    player = other_player("ROOT-FX-11")
    is_crafted = crafted("codebreakers", "ROOT-FX-11")

    @requires("ROOT-FX-11", "player")
    def is_another(t: Table, act: Any) -> Any:
        """Somebody else."""
        return act.player != act.actor or no(player=act.player)

    @requires("ROOT-R-BOT-5", "player")
    def has_a_hand(t: Table, act: Any) -> Any:
        """There is a hand to look at."""
        return not has_no_hand(t, act.player) or no(player=act.player)

    def resolve(self, t: Table) -> Control:
        """Only he sees it (ROOT-INFO-9)."""
        use(t, "codebreakers")
        t.tell("looks-at-hand", "ROOT-FX-11", {"seat": self.actor, "player": self.player})
        show_hand(t, "ROOT-FX-11", self.player, self.actor)
        return None


def show_hand(t: Table, because: str, seat: str, to: str) -> None:
    """Somebody sees a hand; the owner knows it anyway (ROOT-INFO-9)."""
    t.tell("hand-shown", because, {"seat": seat, "cards": hand_of(t, seat)}, to=[seat, to])


class CommandWarren(StartBattle, kind="command-warren"):
    """At the start of Daylight, begin a battle (ROOT-FX-10)."""

    is_crafted = crafted("command-warren", "ROOT-FX-10")

    def resolve(self, t: Table) -> Control:
        """Once a turn."""
        use(t, "command-warren")
        return super().resolve(t)


# -- Evening ------------------------------------------------------------------------------------------------------


class Cobbler(Move, kind="cobbler"):
    """At the start of Evening, make a move (ROOT-FX-9)."""

    because = "ROOT-FX-9"
    is_crafted = crafted("cobbler", "ROOT-FX-9")

    def resolve(self, t: Table) -> Control:
        """Once a turn."""
        use(t, "cobbler")
        return super().resolve(t)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """A hand that is looked at comes to light without leaving its place (ROOT-FX-11)."""
    rules.disclose("ROOT-FX-11")
