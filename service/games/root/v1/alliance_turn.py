"""Chapter 15, the Alliance's Birdsong and Daylight: revolt, spread, mobilize, train (ROOT-WA-13 to ROOT-WA-21)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.engine.action import Action, derived, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control, calls
from service.engine.domain import AtLeast, AtMost, Statement, Subset
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.alliance import (
    BASES,
    SYMPATHY,
    WARRIOR,
    bases_on_map,
    commission,
    gain,
    is_full,
    is_sympathetic,
    next_token,
    not_matching,
    spend_supporters,
    spread_to,
    supporters,
    sympathetic,
)
from service.games.root.v1.answers import EndPhase
from service.games.root.v1.cards import hand_at, hand_pick, spend
from service.games.root.v1.components import Plugs, limited, player
from service.games.root.v1.crafting import Craft, enemy_pieces
from service.games.root.v1.figures import PRINTED, figures, matches, suit_of_clearing
from service.games.root.v1.state import ClearingId, Removal
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.woodland import (
    clearing_pick,
    count_in,
    neighbours,
    open_to_place,
    place,
    warriors,
)

# -- Birdsong: revolts first (ROOT-WA-13 to ROOT-WA-16) -----------------------------------------------------------


class AllianceBirdsong(Frame, kw_only=True):
    """The Alliance's Birdsong. `spreading`: sympathy was spread, so that revolts are over (ROOT-WA-20)."""

    seat: Public[SeatRef]
    spreading: Public[bool] = False


class Uprising(Frame, kw_only=True):
    """A revolt has cleared a clearing; the base, warriors and an officer come."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]


def base_of(clearing: str) -> str:
    """The base of a clearing's suit."""
    return BASES[suit_of_clearing(clearing)]


def only_of_its_suit(t: Table, act: Any, rule: str) -> Iterator[AtMost]:
    """Supporters that do not count as one of the clearing's suit are of no use (ROOT-CARD-2)."""
    suit = suit_of_clearing(act.clearing)
    if others := not_matching(supporters(t, act.actor), suit):
        yield AtMost(rule, 0, others, {"suit": suit, "clearing": act.clearing}, about=("clearing",))


def two_that_match(t: Table, act: Any) -> Iterator[Statement]:
    """Two supporters, both of the clearing's suit (ROOT-WA-13)."""
    n = figures(t).table["revolt-supporters"]
    yield from only_of_its_suit(t, act, "ROOT-WA-13")
    yield AtLeast("ROOT-WA-13", n, facts={"n": n})
    yield AtMost("ROOT-WA-13", n, facts={"n": n})


def room_after_revolt(t: Table, seat: str, clearing: str) -> int:
    """The slots that are open once all enemy pieces are gone: own buildings and a ruin stay (ROOT-WA-15)."""
    kept = count_in(t, seat, clearing, "building") + (clearing in t.board.ruins)
    return PRINTED.clearings[clearing].slots - kept


class Revolt(Action, kind="revolt"):
    """Two supporters bring a base to a sympathetic clearing, and sweep all enemies from it."""

    clearing = clearing_pick("ROOT-WA-13")
    supporters = Subset("ROOT-WA-13", lambda t, act: supporters(t, act.actor), limits=two_that_match)
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-WA-20", about=("kind",))
    def before_spreading(t: Table, act: Any) -> Any:
        """Revolts come first."""
        return not act.frame.spreading

    @requires("ROOT-WA-13", "clearing")
    def has_sympathy(t: Table, act: Any) -> Any:
        """The clearing is sympathetic."""
        return is_sympathetic(t, act.clearing) or no(clearing=act.clearing)

    @requires("ROOT-WA-13", "clearing")
    def base_is_left(t: Table, act: Any) -> Any:
        """The base of its suit is still on the board."""
        base = base_of(act.clearing)
        return base in player(t, act.actor).supply or no(clearing=act.clearing, base=base)

    @requires("ROOT-WA-15", "clearing")
    def will_have_room(t: Table, act: Any) -> Any:
        """The base finds an open slot once the enemies are gone."""
        return room_after_revolt(t, act.actor, act.clearing) > 0 or no(clearing=act.clearing)

    def resolve(self, t: Table) -> Control:
        """The supporters are spent, the enemies leave; then the Alliance takes their place."""
        t.tell("revolt", "ROOT-WA-13", {"seat": self.actor, "clearing": self.clearing})
        spend_supporters(t, "ROOT-WA-13", self.actor, self.supporters)
        rising = Uprising(seat=self.actor, clearing=self.clearing)
        swept = enemy_pieces(t, self.actor, self.clearing)
        if not swept:
            return rising
        losses = {self.actor: {self.clearing: swept}}
        return calls(Removal(losses=losses, because="ROOT-WA-14", scoring="ROOT-WA-14"), rising)


def rise(t: Table, f: Uprising) -> Control:
    """The base, a warrior for each sympathetic clearing of the suit, an officer; map first (ROOT-WA-14)."""
    place(t, "ROOT-WA-14", f.seat, {base_of(f.clearing): 1}, f.clearing)
    wanted = {WARRIOR: len(sympathetic(t, suit_of_clearing(f.clearing)))}
    place(t, "ROOT-WA-14", f.seat, limited(wanted, player(t, f.seat).supply), f.clearing)
    commission(t, "ROOT-WA-14", f.seat)
    return None


# -- Birdsong: then sympathy spreads (ROOT-WA-17 to ROOT-WA-20) ---------------------------------------------------


def under_martial_law(t: Table, seat: str, clearing: str) -> bool:
    """Whether a single other player has three warriors or more there (ROOT-WA-18)."""
    most = max(warriors(t, s, clearing) for s in t.seats if s != seat)
    return bool(most >= figures(t).table["martial-law"])


def enough_that_match(t: Table, act: Any) -> Iterator[Statement]:
    """The cost of the token in supporters of the suit, and one more under Martial Law (ROOT-WA-17, ROOT-WA-18)."""
    facts = {"n": act.cost, "clearing": act.clearing}
    yield from only_of_its_suit(t, act, "ROOT-WA-17")
    yield AtLeast("ROOT-WA-17", act.printed_cost, facts={**facts, "n": act.printed_cost})
    if act.cost > act.printed_cost:
        yield AtLeast("ROOT-WA-18", act.cost, facts=facts, about=("clearing",))
    yield AtMost("ROOT-WA-17", act.cost, facts=facts)


class Spread(Action, kind="spread"):
    """Supporters bring a sympathy token to a clearing."""

    clearing = clearing_pick("ROOT-WA-17")
    supporters = Subset(
        "ROOT-WA-17",
        lambda t, act: supporters(t, act.actor),
        limits=enough_that_match,
        limit_rules=("ROOT-WA-18",),
    ).given("clearing", "has_a_token")
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-WA-17", about=("kind",))
    def has_a_token(t: Table, act: Any) -> Any:
        """A token is left."""
        return SYMPATHY in player(t, act.actor).supply or no(tokens=0)

    @requires("ROOT-WA-3", "clearing")
    def has_no_sympathy_yet(t: Table, act: Any) -> Any:
        """One token a clearing at most."""
        return not is_sympathetic(t, act.clearing) or no(clearing=act.clearing)

    @requires("ROOT-WA-17", "clearing")
    def is_next_to_sympathy(t: Table, act: Any) -> Any:
        """It is adjacent to a sympathetic clearing; anywhere, if there is none on the map."""
        near = any(is_sympathetic(t, c) for c in neighbours(t, act.actor, act.clearing))
        return near or not sympathetic(t) or no(clearing=act.clearing)

    @derived
    def printed_cost(t: Table, act: Any) -> int:
        """The supporters printed at the token's space."""
        return figures(t).pieces[SYMPATHY].cost[next_token(t) - 1]

    @derived
    def cost(t: Table, act: Any) -> int:
        """The supporters that it takes here."""
        return int(act.printed_cost + under_martial_law(t, act.actor, act.clearing))

    def resolve(self, t: Table) -> Control:
        """The supporters are spent, the token lies there, its space gives points."""
        self.frame.spreading = True
        spend_supporters(t, "ROOT-WA-17", self.actor, self.supporters)
        spread_to(t, "ROOT-WA-17", self.actor, self.clearing)
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: its cost here."""
        return {"cost": self.cost}


# -- Daylight (ROOT-WA-21) ----------------------------------------------------------------------------------------


class AllianceDaylight(Frame, kw_only=True):
    """The Alliance's Daylight: craft, mobilize, train, in any order."""

    seat: Public[SeatRef]


class Mobilize(Action, kind="mobilize"):
    """A card of the hand becomes a supporter."""

    card = hand_pick("ROOT-WA-21")

    def sight(self, t: Table) -> frozenset[str] | None:
        """Nobody else sees the card, unless the stack is full."""
        return frozenset([self.actor])

    def resolve(self, t: Table) -> Control:
        """Face down to the stack; a full one cannot hold it (ROOT-R-WA-3)."""
        gain(t, "ROOT-WA-21", "ROOT-WA-2", self.card, *hand_at(t, self.actor))
        return None

    def notes(self, t: Table) -> list[dict[str, Any]]:
        """A warning: it would be discarded."""
        return [{"note": "supporters-full", "rule": "ROOT-R-WA-3"}] if is_full(t, self.actor) else []


class Train(Action, kind="train"):
    """Spend a card that matches a base on the map for an officer."""

    card = hand_pick("ROOT-WA-21")

    @requires("ROOT-WA-21", "card")
    def matches_a_base(t: Table, act: Any) -> Any:
        """It counts as one of the suit of a base on the map."""
        return any(matches(act.card, suit) for suit in bases_on_map(t)) or no(card=act.card)

    @requires("ROOT-WA-21", about=("kind",))
    def has_a_warrior(t: Table, act: Any) -> Any:
        """A warrior is left in the supply."""
        return WARRIOR in player(t, act.actor).supply or no(warriors=0)

    def resolve(self, t: Table) -> Control:
        """The card goes, a warrior becomes an officer."""
        spend(t, "ROOT-WA-21", self.actor, self.card)
        commission(t, "ROOT-WA-21", self.actor)
        return None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        AllianceBirdsong,
        prompt("rise", its_seat, (Revolt, Spread, EndPhase), "ROOT-WA-13", again=True, gap=True),
        may_call={"rise": (Removal, Uprising)},
    )
    rules.procedure(Uprising, rise)
    rules.procedure(
        AllianceDaylight,
        prompt("act", its_seat, (Craft, Mobilize, Train, EndPhase), "ROOT-WA-21", again=True, gap=True),
        may_call={"act": (Removal,)},
    )
