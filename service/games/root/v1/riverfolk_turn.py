"""Chapter 18, the Riverfolk's Birdsong and Daylight: dividends, and what funds are used for (ROOT-RIVER-30 to -36)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import AtLeast, AtMost, Split, Statement
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import EndPhase
from service.games.root.v1.battle import StartBattle
from service.games.root.v1.cards import Draw, spend
from service.games.root.v1.components import Plugs, limited, player
from service.games.root.v1.crafting import Crafting, take_effect
from service.games.root.v1.figures import RIVER, figures
from service.games.root.v1.movement import Move
from service.games.root.v1.riverfolk import (
    WARRIOR,
    a_fund,
    box,
    commit,
    fund_pick,
    funds,
    pay_in,
    riverfolk,
    spend_funds,
)
from service.games.root.v1.riverfolk_posts import POSTS, Establish, free_spaces, posts_on_map
from service.games.root.v1.state import Battle, Removal
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import clearing_pick, open_to_place, place

# -- Birdsong (ROOT-RIVER-30 to -32) ------------------------------------------------------------------------------


class RiverfolkBirdsong(Frame, kw_only=True):
    """The Riverfolk's Birdsong: it needs no decision."""

    seat: Public[SeatRef]


def protectionism(t: Table, f: RiverfolkBirdsong) -> Control:
    """Into an empty Payments box two own warriors go (ROOT-RIVER-30)."""
    if not riverfolk(t, f.seat).payments:
        pay_in(t, "ROOT-RIVER-30", f.seat, figures(t).table["protectionism"])
    return None


def dividends(t: Table, f: RiverfolkBirdsong) -> Control:
    """With a trade post on the map, a point for every two funds (ROOT-RIVER-31)."""
    if posts_on_map(t):
        each = figures(t).table["funds-per-dividend"]
        score(t, "ROOT-RIVER-31", f.seat, sum(funds(t, f.seat).values()) // each)
    return None


def gather(t: Table, f: RiverfolkBirdsong) -> Control:
    """All warriors on the board become funds (ROOT-RIVER-32)."""
    board = riverfolk(t, f.seat)
    boxes = [(("payments",), board.payments), (("committed",), board.committed)]
    boxes += [(("spaces", suit), lying) for suit, lying in sorted(board.spaces.items())]  # type: ignore[misc]
    for name, lying in boxes:
        t.moved("ROOT-RIVER-32", lying, box(f.seat, *name), box(f.seat, "funds"))
    return None


# -- Daylight: what commits a fund (ROOT-RIVER-33) ----------------------------------------------------------------


class RiverfolkDaylight(Frame, kw_only=True):
    """The Riverfolk's Daylight: as many actions as there are funds for, in any order."""

    seat: Public[SeatRef]


class RiverMove(Move, kind="move"):
    """Commit a fund to move."""

    because = "ROOT-RIVER-33"
    fund = fund_pick()
    is_a_fund = a_fund()

    def resolve(self, t: Table) -> Control:
        """One fund less."""
        commit(t, "ROOT-RIVER-33", self.actor, self.fund)
        return super().resolve(t)


class RiverBattle(StartBattle, kind="battle"):
    """Commit a fund to battle."""

    fund = fund_pick()
    is_a_fund = a_fund()

    def resolve(self, t: Table) -> Control:
        """One fund less."""
        commit(t, "ROOT-RIVER-33", self.actor, self.fund)
        return super().resolve(t)


class DrawForFund(Action, kind="draw"):
    """Commit a fund to draw a card, which everyone sees."""

    fund = fund_pick()
    is_a_fund = a_fund()

    def resolve(self, t: Table) -> Control:
        """The card goes to the open hand."""
        commit(t, "ROOT-RIVER-33", self.actor, self.fund)
        return Draw(seat=self.actor, left=1, because="ROOT-RIVER-33")


# -- what spends one (ROOT-RIVER-34) ------------------------------------------------------------------------------


class RiverRecruit(Action, kind="recruit"):
    """Spend a fund to place a warrior on the river."""

    clearing = clearing_pick("ROOT-RIVER-34")
    fund = fund_pick()
    is_a_fund = a_fund()
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-RIVER-34", "clearing")
    def is_on_the_river(t: Table, act: Any) -> Any:
        """The river flows by."""
        return act.clearing in RIVER or no(clearing=act.clearing)

    def resolve(self, t: Table) -> Control:
        """It goes home; then a warrior comes, if there is one (ROOT-RIVER-23, ROOT-RIVER-39)."""
        spend_funds(t, "ROOT-RIVER-34", self.actor, {self.fund: 1})
        recruits = limited({WARRIOR: 1}, player(t, self.actor).supply)
        place(t, "ROOT-RIVER-34", self.actor, recruits, self.clearing)
        return None


# -- crafting (ROOT-RIVER-35, ROOT-RIVER-36) ----------------------------------------------------------------------


def symbols(t: Table, act: Any) -> int:
    """How many funds a card takes: one a symbol."""
    return len(figures(t).cards[act.card].cost)


def all_spaces(t: Table, act: Any) -> dict[str, int]:
    """The spaces of the track, covered or not."""
    return {suit: figures(t).pieces[post].count for suit, post in POSTS.items()}


def free_and_of_the_suit(t: Table, act: Any) -> Iterable[Statement]:
    """A space of its suit for each symbol, uncovered and empty (ROOT-RIVER-35)."""
    cost, free = figures(t).cards[act.card].cost, free_spaces(t, act.actor)
    for suit in POSTS:
        of = frozenset([suit])
        if n := cost.count(suit):
            facts = {"suit": suit, "n": n, "card": act.card}
            yield AtLeast("ROOT-CRAFT-1", n, of, facts=facts, about=("card",))
        yield AtMost(
            "ROOT-RIVER-35", max(0, free[suit]), of, facts={"suit": suit, "left": max(0, free[suit])}
        )


class RiverCrafting(Crafting):
    """A card of the hand for funds, which lie on spaces of the track until the next Birdsong."""

    spaces = Split("ROOT-RIVER-35", symbols, all_spaces, free_and_of_the_suit, ("ROOT-CRAFT-1",)).given(
        "card", "can_be_crafted"
    )
    funds = Split("ROOT-RIVER-3", symbols, lambda t, act: funds(t, act.actor)).given("card", "can_be_crafted")

    @requires("ROOT-RIVER-35", "card", "can_be_crafted")
    def has_the_funds(t: Table, act: Any) -> Any:
        """One for each symbol."""
        n, held = symbols(t, act), sum(funds(t, act.actor).values())
        return held >= n or no(card=act.card, n=n, held=held)

    def lay_out(self, t: Table) -> None:
        """The funds go to the spaces; whose lies where makes no difference."""
        left = [fund for fund in sorted(self.funds) for _ in range(self.funds[fund])]
        for suit in sorted(self.spaces):
            laid, left = left[: self.spaces[suit]], left[self.spaces[suit] :]
            bag = {fund: laid.count(fund) for fund in laid}
            t.moved("ROOT-RIVER-35", bag, box(self.actor, "funds"), box(self.actor, "spaces", suit))


class RiverCraft(RiverCrafting, kind="craft"):
    """Craft it."""

    def resolve(self, t: Table) -> Control:
        """The card does what it does."""
        self.lay_out(t)
        t.tell("crafted", "ROOT-RIVER-35", {"seat": self.actor, "card": self.card, "pieces": self.spaces})
        return take_effect(t, self.actor, self.card)


class Export(RiverCrafting, kind="export"):
    """Give its effect and points up for a warrior in the Payments box (ROOT-RIVER-36)."""

    def resolve(self, t: Table) -> Control:
        """The card is discarded."""
        self.lay_out(t)
        t.tell("exported", "ROOT-RIVER-36", {"seat": self.actor, "card": self.card})
        spend(t, "ROOT-RIVER-36", self.actor, self.card)
        pay_in(t, "ROOT-RIVER-36", self.actor, 1)
        return None


ACTIONS = (RiverMove, RiverBattle, RiverCraft, Export, DrawForFund, RiverRecruit, Establish, EndPhase)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(RiverfolkBirdsong, protectionism, dividends, gather)
    rules.procedure(
        RiverfolkDaylight,
        prompt("act", its_seat, ACTIONS, "ROOT-RIVER-33", again=True, gap=True),
        may_call={"act": (Battle, Removal, Draw, *plugs.after_move)},
    )
