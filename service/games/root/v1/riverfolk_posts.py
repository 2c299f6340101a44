"""Chapter 18, trade posts: where they may stand, what they score, and what their loss costs (ROOT-RIVER-5, -6, -37)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import Split
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs, limited, own_warrior, player
from service.games.root.v1.figures import CLEARINGS, PRINTED, figures, pieces_of, suit_of_clearing
from service.games.root.v1.removal import lost
from service.games.root.v1.riverfolk import (
    RIVERFOLK,
    WARRIOR,
    company,
    funds,
    riverfolk,
    spend_funds,
)
from service.games.root.v1.rule import ruler
from service.games.root.v1.state import Amount, ClearingId, Removal
from service.games.root.v1.turn import prompt
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import clearing_pick, on_map, open_to_place, place

POSTS: Mapping[str, str] = {str(PRINTED.pieces[p].suit): p for p in pieces_of(RIVERFOLK, "token")}
POST_OF: Mapping[str, str] = {clearing: POSTS[suit_of_clearing(clearing)] for clearing in CLEARINGS}


def has_post(t: Table, clearing: str) -> bool:
    """Whether a trade post stands there."""
    return POST_OF[clearing] in t.board.map[clearing]


def posts_on_map(t: Table) -> int:
    """How many trade posts are on the map."""
    return sum(on_map(t, post) for post in POSTS.values())


def placed(t: Table, suit: str) -> int:
    """How many posts of a suit have been placed, those that were removed since included: their spaces stay open."""
    return on_map(t, POSTS[suit]) + int(t.board.box.get(POSTS[suit], 0))


def free_spaces(t: Table, seat: str) -> dict[str, int]:
    """The spaces of the track, by suit, that no post covers any more and no warrior lies on (ROOT-RIVER-35)."""
    lying = riverfolk(t, seat).spaces
    return {suit: placed(t, suit) - sum(lying.get(suit, {}).values()) for suit in POSTS}


ONE_A_CLEARING = dict.fromkeys(POSTS.values(), "ROOT-RIVER-5")  # no clearing holds two trade posts


# -- establishing (ROOT-RIVER-37 to -39) --------------------------------------------------------------------------


class Establish(Action, kind="establish"):
    """Two funds of the clearing's ruler for a trade post and a warrior; whose funds they are follows from the map."""

    clearing = clearing_pick("ROOT-RIVER-37")
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-RIVER-5", "clearing")
    def has_no_post_yet(t: Table, act: Any) -> Any:
        """One a clearing at most."""
        return not has_post(t, act.clearing) or no(clearing=act.clearing)

    @requires("ROOT-RIVER-5", "clearing")
    def has_a_post_left(t: Table, act: Any) -> Any:
        """One of the clearing's suit has never been placed; those removed do not come back."""
        post = POSTS[suit_of_clearing(act.clearing)]
        return post in player(t, act.actor).supply or no(post=post)

    @requires("ROOT-RIVER-37", "clearing")
    def is_ruled(t: Table, act: Any) -> Any:
        """Somebody rules the clearing, on the river or not (ROOT-RIVER-38)."""
        return ruler(t, act.clearing) is not None or no(unruled=act.clearing)

    @requires("ROOT-RIVER-37", "clearing", "is_ruled")
    def has_the_rulers_funds(t: Table, act: Any) -> Any:
        """Two funds of his."""
        who = str(ruler(t, act.clearing))
        n, held = figures(t).table["trade-post-funds"], funds(t, act.actor).get(own_warrior(t, who), 0)
        return held >= n or no(clearing=act.clearing, ruler=who, n=n, held=held)

    def resolve(self, t: Table) -> Control:
        """The funds go home first, so that a warrior just spent may be the one that comes (ROOT-RIVER-39)."""
        suit = suit_of_clearing(self.clearing)
        fund = own_warrior(t, str(ruler(t, self.clearing)))
        points = figures(t).pieces[POSTS[suit]].points[placed(t, suit)]
        spend_funds(t, "ROOT-RIVER-37", self.actor, {fund: figures(t).table["trade-post-funds"]})
        garrison = limited({POSTS[suit]: 1, WARRIOR: 1}, player(t, self.actor).supply)
        place(t, "ROOT-RIVER-37", self.actor, garrison, self.clearing)
        score(t, "ROOT-RIVER-37", self.actor, points)
        return None


# -- Trade Disruption (ROOT-RIVER-6) ------------------------------------------------------------------------------


class TradeDisruption(Frame, kw_only=True):
    """A trade post was removed from a clearing: `due` funds, half of them, go to their owners' supplies."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]
    due: Public[Amount] = 0


def trade_disruption(t: Table, f: Removal) -> list[Frame]:
    """One for each trade post removed."""
    seat = company(t)
    gone = [] if seat is None else [c for c in CLEARINGS if lost(t, f, POSTS[suit_of_clearing(c)]).get(c)]
    return [TradeDisruption(seat=str(seat), clearing=c) for c in gone]


def half_of_the_funds(t: Table, f: TradeDisruption) -> Control:
    """Half of what lies in the Funds box, rounded up (ROOT-R-RIVER-3); without a choice it goes at once."""
    held = funds(t, f.seat)
    f.due = (sum(held.values()) + 1) // 2
    t.tell("trade-disruption", "ROOT-RIVER-6", {"seat": f.seat, "clearing": f.clearing, "n": f.due})
    if len(held) < 2 or f.due == sum(held.values()):
        spend_funds(t, "ROOT-RIVER-6", f.seat, limited(dict.fromkeys(held, f.due), held))
        f.due = 0
    return None


class LoseFunds(Action, kind="trade-disruption"):
    """Choose the funds that go, by their owners (ROOT-DEC-24)."""

    funds = Split("ROOT-RIVER-6", lambda t, act: act.frame.due, lambda t, act: funds(t, act.actor))

    def resolve(self, t: Table) -> Control:
        """They go to their owners."""
        spend_funds(t, "ROOT-RIVER-6", self.actor, self.funds)
        self.frame.due = 0
        return None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        TradeDisruption,
        half_of_the_funds,
        prompt("funds", lambda t, f: f.seat if f.due else None, (LoseFunds,), "ROOT-RIVER-6"),
    )
