"""Chapter 15, what befalls the Alliance in others' turns: Outrage, and a lost base (ROOT-WA-4, ROOT-WA-10, -11).

Who owes Outrage is asked if he holds any card at all, which everyone sees; whether one of them matches only he knows
until he gives it, or shows that he has none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control
from service.engine.domain import AtLeast, AtMost, Statement, Subset
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.alliance import (
    ALLIANCE,
    BASES,
    SYMPATHY,
    WARRIOR,
    bases_on_map,
    gain,
    is_sympathetic,
    officers,
    spend_supporters,
    stack_size,
    supporters,
)
from service.games.root.v1.cards import (
    Draw,
    hand_at,
    hand_of,
    hand_pick,
    has_no_hand,
    may_hold,
    seen_between,
)
from service.games.root.v1.components import Plugs, who_plays
from service.games.root.v1.effects import show_hand
from service.games.root.v1.figures import CLEARINGS, figures, matches, suit_of_clearing
from service.games.root.v1.removal import lost
from service.games.root.v1.state import ClearingId, ClearingSuit, Removal
from service.games.root.v1.turn import its_seat, prompt

# -- Outrage ------------------------------------------------------------------------------------------------------


class Outrage(Frame, kw_only=True):
    """A player owes the Alliance a card that matches a clearing (ROOT-WA-10)."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]


def outrage_at_entry(t: Table, seat: str, origin: str, to: str) -> list[Frame]:
    """One for each move of another's warriors into a sympathetic clearing (ROOT-MOVE-6, ROOT-WA-11)."""
    owed = is_sympathetic(t, to) and seat != who_plays(t, ALLIANCE)
    return [Outrage(seat=seat, clearing=to)] if owed else []


def outrage_at_removal(t: Table, f: Removal) -> list[Frame]:
    """One for each sympathy token that another player removes (ROOT-WA-11)."""
    return [
        Outrage(seat=remover, clearing=clearing)
        for remover in f.losses
        if remover != who_plays(t, ALLIANCE)
        for clearing in CLEARINGS
        for _ in range(f.losses[remover].get(clearing, {}).get(SYMPATHY, 0))
    ]


def tell_outrage(t: Table, f: Outrage) -> Control:
    """Everyone sees who owes a card, and for which clearing."""
    t.tell("outrage", "ROOT-WA-11", {"seat": f.seat, "clearing": f.clearing})
    return None


def who_owes(t: Table, f: Outrage) -> str | None:
    """Who caused it, if he holds any card, which everyone sees; of a hand that lies open, one that matches."""
    suit = suit_of_clearing(f.clearing)
    return f.seat if may_hold(t, f.seat, lambda card: matches(card, suit)) else None


class PayOutrage(Action, kind="pay-outrage"):
    """Give a card of the hand that matches the clearing; a bird does (ROOT-DEC-12, ROOT-CARD-3)."""

    card = hand_pick("ROOT-WA-10")

    @requires("ROOT-WA-10", "card")
    def matches_the_clearing(t: Table, act: Any) -> Any:
        """It counts as one of the clearing's suit."""
        suit = suit_of_clearing(act.frame.clearing)
        return matches(act.card, suit) or no(card=act.card, clearing=act.frame.clearing, suit=suit)

    def sight(self, t: Table) -> frozenset[str] | None:
        """Giver and receiver know the card (ROOT-INFO-10)."""
        return seen_between(t, self.actor, str(who_plays(t, ALLIANCE)))

    def resolve(self, t: Table) -> Control:
        """It becomes a supporter; to a full stack it is given all the same (ROOT-X-10)."""
        gain(t, "ROOT-WA-10", "ROOT-X-10", self.card, *hand_at(t, self.actor))
        return DONE


class ShowHand(Action, kind="show-hand"):
    """Show the Alliance a hand in which no card matches the clearing (ROOT-DEC-12)."""

    @requires("ROOT-WA-10", about=("kind",))
    def has_none_to_give(t: Table, act: Any) -> Any:
        """Who has one that matches must give it, a bird included."""
        suit = suit_of_clearing(act.frame.clearing)
        card = next((c for c in sorted(hand_of(t, act.actor)) if matches(c, suit)), None)
        return card is None or no(give=card, clearing=act.frame.clearing)

    def resolve(self, t: Table) -> Control:
        """The Alliance alone sees it (ROOT-INFO-9)."""
        to = str(who_plays(t, ALLIANCE))
        t.tell("looks-at-hand", "ROOT-WA-10", {"seat": to, "player": self.actor})
        show_hand(t, "ROOT-WA-10", self.actor, to)
        return None


def draw_a_supporter(t: Table, f: Outrage) -> Control:
    """Where no card was given the Alliance adds the top card of the deck."""
    because = "ROOT-WA-12" if has_no_hand(t, f.seat) else "ROOT-WA-10"
    return Draw(seat=str(who_plays(t, ALLIANCE)), left=1, because=because, to="supporters")


# -- the loss of a base (ROOT-WA-4) -------------------------------------------------------------------------------


class BaseLoss(Frame, kw_only=True):
    """The base of a suit was removed."""

    seat: Public[SeatRef]
    suit: Public[ClearingSuit]


def base_lost(t: Table, f: Removal) -> list[Frame]:
    """One base after the other; two at once cannot happen as long as no effect sweeps clearings of two suits."""
    seat = str(who_plays(t, ALLIANCE))
    return [BaseLoss(seat=seat, suit=suit) for suit, base in BASES.items() if lost(t, f, base)]


def lose_supporters(t: Table, f: BaseLoss) -> Control:
    """All supporters that match it are discarded, birds included."""
    held = supporters(t, f.seat)
    spend_supporters(t, "ROOT-WA-4", f.seat, {c: n for c, n in held.items() if matches(c, f.suit)})
    return None


def lose_officers(t: Table, f: BaseLoss) -> Control:
    """Half of the officers, rounded up, go to the supply."""
    half = (officers(t, f.seat) + 1) // 2
    t.moved(
        "ROOT-WA-4", {WARRIOR: half}, ("seats", f.seat, "alliance", "officers"), ("seats", f.seat, "supply")
    )
    return None


def too_many(t: Table, seat: str) -> int:
    """How many supporters are above the limit that holds without a base (ROOT-WA-2)."""
    above = stack_size(t, seat) - figures(t).table["supporters-without-base"]
    return 0 if above <= 0 or bases_on_map(t) else above


def exactly_too_many(t: Table, act: Any) -> Iterable[Statement]:
    """As many as exceed the limit."""
    n = too_many(t, act.actor)
    return [AtLeast("ROOT-WA-4", n, facts={"n": n}), AtMost("ROOT-WA-4", n, facts={"n": n})]


class DiscardSupporters(Action, kind="discard-supporters"):
    """Choose the supporters to discard, where no base is left (ROOT-DEC-17)."""

    cards = Subset("ROOT-WA-4", lambda t, act: supporters(t, act.actor), limits=exactly_too_many)

    def resolve(self, t: Table) -> Control:
        """Each to its destination."""
        spend_supporters(t, "ROOT-WA-4", self.actor, self.cards)
        return None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Outrage,
        tell_outrage,
        prompt("give", who_owes, (PayOutrage, ShowHand), "ROOT-WA-10"),
        draw_a_supporter,
        may_call={"draw-a-supporter": (Draw,)},
    )
    rules.procedure(
        BaseLoss,
        lose_supporters,
        lose_officers,
        prompt(
            "discard",
            lambda t, f: its_seat(t, f) if too_many(t, f.seat) else None,
            (DiscardSupporters,),
            "ROOT-WA-4",
        ),
    )
