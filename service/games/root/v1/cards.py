"""Chapter 5, cards: suits, where spent cards go, drawing, the hand limit (ROOT-CARD-1 to ROOT-CARD-9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from service.engine.action import Action, ChanceAction, no
from service.engine.audience import EVERYONE, Public, SeatRef, sight_of
from service.engine.control import DONE, Control, goto
from service.engine.domain import AtLeast, AtMost, Pick, Statement, Subset
from service.engine.frames import Ask, Frame
from service.engine.rule import BROKEN_RULE, Violation
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.root.v1.components import Plugs, first_answer
from service.games.root.v1.decisions import OCCASIONS
from service.games.root.v1.figures import CARDS, KEPT_BY, figures, matches, suit_of, suit_of_clearing
from service.games.root.v1.state import Amount

# -- hands (ROOT-INFO-2, ROOT-INFO-3) -----------------------------------------------------------------------------


def hand_at(t: Table, seat: str) -> tuple[str, ...]:
    """Where a player's hand lies; a faction may have a place of its own for it."""
    found: tuple[str, ...] = first_answer(t, "hand-at", seat, default=("seats", seat, "hand"))
    return found


def hand_of(t: Table, seat: str) -> Mapping[str, int]:
    """The cards that a player holds."""
    found: Mapping[str, int] = t.at(*hand_at(t, seat))
    return found


def hand_size(t: Table, seat: str) -> int:
    """How many cards a player holds, which everyone sees (ROOT-INFO-2)."""
    return sum(hand_of(t, seat).values())


def lies_open(t: Table, seat: str) -> bool:
    """Whether everyone sees a player's hand."""
    return sight_of(t.rules.board, hand_at(t, seat)).whole is EVERYONE


def may_hold(t: Table, seat: str, fits: Callable[[str], bool]) -> bool:
    """Whether a player holds a card that fits, as far as everyone can tell: of a hidden hand, whether he holds any."""
    hand = hand_of(t, seat)
    return any(fits(card) for card in hand) if lies_open(t, seat) else bool(hand)


def has_no_hand(t: Table, seat: str) -> bool:
    """Whether a rule keeps a player from having a hand at all (hook `no-hand`)."""
    return first_answer(t, "no-hand", seat) is not None


def seen_between(t: Table, *seats: str) -> frozenset[str] | None:
    """Who sees a card that comes to or goes between these hands (ROOT-INFO-10): they, or all where one lies open.

    What comes to a player without a hand lies open wherever it goes.
    """
    return None if any(lies_open(t, seat) or has_no_hand(t, seat) for seat in seats) else frozenset(seats)


def who_knows(t: Table, seat: str) -> frozenset[str] | None:
    """Who knows the cards of a hand: whose it is, or all where it lies open."""
    return None if lies_open(t, seat) else frozenset([seat])


class HandPick(Pick):
    """A card in the actor's hand; one that he holds elsewhere breaks the clause that keeps it there as well."""

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """`unknown-value`, and what the hook `not-of-hand` answers to a card that is not in the hand."""
        refused = super().check(t, act, value)
        if not refused or not isinstance(value, str):
            return refused
        rule = first_answer(t, "not-of-hand", act.actor, value)
        more = [] if rule is None else [Violation(BROKEN_RULE, rule, (f"/{self.name}",), {"card": value})]
        return [*refused, *more]


def hand_pick(rule: str) -> HandPick:
    """A parameter that names a card in the actor's hand."""
    return HandPick(rule, lambda t, actor: sorted(hand_of(t, actor)), vocabulary=CARDS)


# -- where spent cards go (ROOT-CARD-5) ---------------------------------------------------------------------------


def spend(t: Table, because: str, seat: str, card: str, *place: str) -> None:
    """A card from a player's hand (or another place of his) is spent or discarded: the same thing (ROOT-GEN-8)."""
    discard_from(t, because, card, *(("seats", seat, *place) if place else hand_at(t, seat)))
    for fn in t.rules.hooks["after-spending"]:
        fn(t, seat, card, place)


def discard_from(t: Table, because: str, card: str, *source: str) -> None:
    """A card goes from its place to its destination."""
    t.moved(because, {card: 1}, source, first_answer(t, "discard-to", card))


def available(t: Table, card: str) -> tuple[str, ...] | None:
    """Dominance cards and spies lie beside the map for the taking (ROOT-CARD-5, ROOT-DOM-5)."""
    return ("available",) if card in KEPT_BY else None


def discard_pile(t: Table, card: str) -> tuple[str, ...] | None:
    """All others go to the discard pile."""
    return ("discard",)


def put_by(t: Table, card: str) -> tuple[str, ...]:
    """Where a card lies that nothing keeps from there: beside the map, or on the discard pile."""
    return available(t, card) or ("discard",)


def card_matches_clearing(t: Table, act: Any) -> Any:
    """The card counts as one of the clearing's suit (ROOT-CARD-2): a requirement that several actions share."""
    suit = suit_of_clearing(act.clearing)
    return matches(act.card, suit) or no(card=act.card, suit=suit, clearing=act.clearing)


def is_a_bird(t: Table, act: Any) -> Any:
    """The card is a bird card; nothing stands in for one (ROOT-CARD-4)."""
    return suit_of(act.card) == "bird" or no(card=act.card)


# -- drawing (ROOT-CARD-6, ROOT-CARD-7) ---------------------------------------------------------------------------


def is_received(t: Table, because: str, card: str, source: tuple[str, ...], seat: str) -> bool:
    """Whether a rule has seen to a card that comes to a player, in place of his hand (hook `received`)."""
    return first_answer(t, "received", because, card, source, seat) is not None


class Draw(Frame, kw_only=True):
    """A player draws `left` cards: into the hand, or as supporters."""

    seat: Public[SeatRef]
    left: Public[Amount]
    because: Public[str]
    to: Public[Literal["hand", "supporters"]] = "hand"


class DrawCard(ChanceAction, kind="draw-card", rule="ROOT-CARD-6"):
    """Which card comes off the deck; only who draws it sees it, unless his hand lies open."""

    card = Pick("ROOT-CARD-6", CARDS)

    @classmethod
    def odds(cls, t: Table, frame: Draw) -> Mapping[str, int]:
        """The cards that may lie on top."""
        odds: Mapping[str, int] = t.board.deck.odds()
        return odds

    def sight(self, t: Table) -> frozenset[str] | None:
        """The drawing seat alone."""
        f: Draw = self.frame
        return seen_between(t, f.seat) if f.to == "hand" else frozenset([f.seat])

    def resolve(self, t: Table) -> Control:
        """To its place; then the next one."""
        f: Draw = self.frame
        if not is_received(t, f.because, self.card, ("deck",), f.seat):
            t.moved(f.because, {self.card: 1}, ("deck",), first_answer(t, "drawn-to", f, self.card))
        f.left -= 1
        return goto("ready-the-deck")

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: who draws."""
        return {"seat": self.frame.seat}


def drawn_to_hand(t: Table, f: Draw, card: str) -> tuple[str, ...]:
    """Where cards go that are drawn."""
    return hand_at(t, f.seat)


def ready_the_deck(t: Table, f: Draw) -> Control:
    """An empty deck is made anew from the discard pile (ROOT-CARD-6); without one nothing is drawn (ROOT-CARD-7)."""
    return None if f.left > 0 and can_draw(t, f.seat, f.left) else DONE


def can_draw(t: Table, seat: str, n: int) -> bool:
    """Whether there is a card on the deck, which is made anew where it is empty; says so if `n` cannot be drawn."""
    if t.board.deck.size:
        return True
    if not t.board.discard:
        t.tell("nothing-to-draw", "ROOT-CARD-7", {"seat": seat, "n": n})
        return False
    t.shuffled("ROOT-CARD-6", ("discard",), ("deck",))
    return True


def into_hands(t: Table, seat: str) -> list[str]:
    """Everybody draws into the hand."""
    return ["hand"]


# -- a random card of a hand --------------------------------------------------------------------------------------


class TakeRandomCard(Frame, kw_only=True):
    """A player takes a random card from another's hand, which has one."""

    seat: Public[SeatRef]
    source: Public[SeatRef]
    because: Public[str]


class RandomCard(ChanceAction, kind="random-card", rule="ROOT-GEN-13"):
    """Which card of a hand it is; giver and receiver see it (ROOT-INFO-10)."""

    card = Pick("ROOT-GEN-13", CARDS)

    @classmethod
    def odds(cls, t: Table, frame: TakeRandomCard) -> Mapping[str, int]:
        """Each card of the hand alike."""
        return hand_of(t, frame.source)

    def sight(self, t: Table) -> frozenset[str] | None:
        """The two seats."""
        return seen_between(t, self.frame.seat, self.frame.source)

    def answered_by(self, t: Table) -> frozenset[str] | None:
        """Whose hand it is: nobody else may know what it can be."""
        return who_knows(t, self.frame.source)

    @classmethod
    def could(cls, t: Table, frame: TakeRandomCard) -> list[str]:
        """The cards of the hand; none but who knows them is asked."""
        return sorted(cls.odds(t, frame))

    def resolve(self, t: Table) -> Control:
        """From hand to hand."""
        f: TakeRandomCard = self.frame
        t.moved(f.because, {self.card: 1}, hand_at(t, f.source), hand_at(t, f.seat))
        return DONE

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: from whom."""
        return {"seat": self.frame.source}


# -- the hand limit (ROOT-CARD-8) ---------------------------------------------------------------------------------


class HandLimit(Frame, kw_only=True):
    """A player discards down to five in his Evening."""

    seat: Public[SeatRef]


def excess(t: Table, seat: str) -> int:
    """How many cards a player holds above the limit."""
    return max(0, hand_size(t, seat) - figures(t).table["hand-limit"])


def exactly_the_excess(t: Table, act: Any) -> Iterable[Statement]:
    """As many as exceed five, no more and no less (ROOT-TURN-9)."""
    n = excess(t, act.actor)
    return [AtLeast("ROOT-TURN-9", n, facts={"n": n}), AtMost("ROOT-TURN-9", n, facts={"n": n})]


class Discard(Action, kind="discard"):
    """Choose which cards to discard."""

    cards = Subset("ROOT-TURN-9", lambda t, act: hand_of(t, act.actor), limits=exactly_the_excess)

    def resolve(self, t: Table) -> Control:
        """Each to its destination."""
        for card in sorted(self.cards):
            for _ in range(self.cards[card]):
                spend(t, "ROOT-TURN-9", self.actor, card)
        return None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Draw,
        ready_the_deck,
        Ask(
            "draw",
            lambda t, f: CHANCE,
            takes=(DrawCard,),
            rule="ROOT-CARD-6",
            also={"random-card": lambda t, f, seat: f.because},  # what is drawn comes from no hand
        ),
    )
    rules.procedure(TakeRandomCard, Ask("card", lambda t, f: CHANCE, takes=(RandomCard,), rule="ROOT-GEN-13"))
    rules.procedure(
        HandLimit,
        Ask(
            "discard",
            lambda t, f: f.seat if excess(t, f.seat) else None,
            takes=(Discard,),
            rule="ROOT-TURN-6",
            wrong="ROOT-TURN-8",
            because="ROOT-CARD-8",
            gap=True,
            also=OCCASIONS,
        ),
    )
