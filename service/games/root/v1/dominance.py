"""Chapter 10, dominance: another way to win (ROOT-DOM-1 to ROOT-DOM-10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.rule import Violation
from service.engine.table import Table
from service.games.root.v1.cards import hand_at, hand_pick, spend
from service.games.root.v1.components import first_answer, player
from service.games.root.v1.figures import BIRD, CORNERS, DOMINANCES, PRINTED, SPIES, figures, matches, suit_of
from service.games.root.v1.rule import ruled_by, rules
from service.games.root.v1.state import Turn
from service.games.root.v1.victory import win


class ActivateDominance(Action, kind="activate-dominance"):
    """Give up points for another way to win (ROOT-DOM-1)."""

    card = hand_pick("ROOT-DOM-1")

    @requires("ROOT-DOM-1", "card")
    def is_a_dominance_card(t: Table, act: Any) -> Any:
        """It is one."""
        return PRINTED.cards[act.card].kind == "dominance" or no(card=act.card)

    @requires("ROOT-DOM-1", about=("kind",))
    def has_the_points(t: Table, act: Any) -> Any:
        """Ten points at least."""
        score = player(t, act.actor).score
        least = figures(t).table["dominance-points"]
        return score is None or score >= least or no(score=score, least=least)

    @requires("ROOT-DOM-4", about=("kind",))
    def has_none_yet(t: Table, act: Any) -> Any:
        """An activated card cannot be replaced."""
        held = player(t, act.actor).dominance
        return held is None or no(card=held)

    @requires("ROOT-DOM-8", about=("kind",))
    def may_win_by_it(t: Table, act: Any) -> Any:
        """Who rules nothing cannot win by ruling."""
        return first_answer(t, "no-dominance", act.actor) is None

    def resolve(self, t: Table) -> Control:
        """The card lies in the play area, and the score marker leaves the track."""
        t.moved("ROOT-DOM-1", {self.card: 1}, hand_at(t, self.actor), ("seats", self.actor, "dominance"))
        t.set("ROOT-DOM-1", None, "seats", self.actor, "score")
        return None


class AvailablePick(Pick):
    """A card beside the map; for a spy that is not there it is the clause of spies that is broken."""

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """`unknown-value`, by ROOT-DOM-6 or ROOT-SPY-3."""
        found = super().check(t, act, value)
        return [replace(v, rule="ROOT-SPY-3") for v in found] if value in SPIES else found

    def rules(self) -> list[str]:
        """Both clauses."""
        return [*super().rules(), "ROOT-SPY-3"]


class TakeAvailable(Action, kind="take-available"):
    """Take an available card into hand by spending one of its suit (ROOT-DOM-6)."""

    card = AvailablePick(
        "ROOT-DOM-6", lambda t, actor: sorted(t.board.available), vocabulary=(*DOMINANCES, *SPIES)
    )
    spend = hand_pick("ROOT-DOM-6")

    @requires("ROOT-DOM-6", "card", "spend")
    def of_the_same_suit(t: Table, act: Any) -> Any:
        """Of its suit, or a bird; only a bird for the bird (ROOT-CARD-4)."""
        return act.card in SPIES or pays_for(act)

    @requires("ROOT-SPY-3", "card", "spend")
    def of_the_suit_of_the_spy(t: Table, act: Any) -> Any:
        """It is the same for a spy."""
        return act.card not in SPIES or pays_for(act)

    def resolve(self, t: Table) -> Control:
        """Spend the one, take the other."""
        because = "ROOT-SPY-3" if self.card in SPIES else "ROOT-DOM-6"
        spend(t, because, self.actor, self.spend)
        t.moved(because, {self.card: 1}, ("available",), hand_at(t, self.actor))
        return None


def pays_for(act: Any) -> Any:
    """Whether the card that is spent counts as one of the suit of that which is taken."""
    suit = suit_of(act.card)
    return matches(act.spend, suit) or no(card=act.card, spend=act.spend, suit=suit)


def holds_suit(t: Table, seat: str, suit: str) -> bool:
    """Whether a player rules three clearings of the suit (ROOT-DOM-2)."""
    ruled = [c for c in ruled_by(t, seat) if PRINTED.clearings[c].suit == suit]
    return len(ruled) >= figures(t).table["dominance-clearings"]


def holds_opposite_corners(t: Table, seat: str) -> bool:
    """Whether a player rules two clearings in opposite corners (ROOT-DOM-3)."""
    return any(
        rules(t, seat, corner) and rules(t, seat, str(PRINTED.clearings[corner].opposite))
        for corner in CORNERS
    )


def check_dominance(t: Table, f: Turn) -> Control:
    """At the start of his Birdsong who has activated a dominance card may have won (ROOT-DOM-2, ROOT-DOM-3)."""
    won = next((rule for rule in ("ROOT-DOM-2", "ROOT-DOM-3") if has_dominated(t, f.seat, rule)), None)
    return None if won is None else win(t, won, f.seat)


def has_dominated(t: Table, seat: str, rule: str) -> bool:
    """Whether a player's activated card wins by this clause, as the map stands."""
    card = player(t, seat).dominance
    if card is None or (rule == "ROOT-DOM-3") != (suit_of(card) == BIRD):
        return False
    return holds_opposite_corners(t, seat) if rule == "ROOT-DOM-3" else holds_suit(t, seat, suit_of(card))
