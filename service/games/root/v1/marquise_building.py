"""Chapter 13, what the Marquise does with wood: building and overwork (ROOT-MARQ-16 to ROOT-MARQ-19)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.engine.action import Action, derived, no, requires
from service.engine.control import Control
from service.engine.domain import AtMost, Pick, Split
from service.engine.table import Table
from service.games.root.v1.cards import card_matches_clearing, hand_pick, spend
from service.games.root.v1.figures import figures
from service.games.root.v1.marquise import BUILDINGS, act_once, an_action, in_supply
from service.games.root.v1.rule import is_ruled, rules
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import (
    clearing_pick,
    neighbours,
    on_map,
    open_slot,
    open_to_place,
    place,
    where,
)


def connected(t: Table, seat: str, clearing: str) -> frozenset[str]:
    """All clearings that a chain of clearings ruled by her joins to this one, both ends included (ROOT-MARQ-17)."""
    found: set[str] = set()
    todo = [clearing] if rules(t, seat, clearing) else []
    while todo:
        here = todo.pop()
        if here not in found:
            found.add(here)
            todo += [c for c in neighbours(t, seat, here) if rules(t, seat, c)]
    return frozenset(found)


def by_ruled_clearings(t: Table, act: Any) -> Iterable[AtMost]:
    """No wood from where no chain of ruled clearings leads (ROOT-MARQ-17)."""
    lost = frozenset(where(t, "wood")) - act.reach
    return (
        [AtMost("ROOT-MARQ-17", 0, lost, facts={"clearing": act.clearing}, about=("clearing",))]
        if lost
        else []
    )


class Build(Action, kind="build"):
    """Build a sawmill, a workshop or a recruiter with wood (ROOT-MARQ-16 to ROOT-MARQ-18)."""

    type = Pick("ROOT-MARQ-16", BUILDINGS)
    clearing = clearing_pick("ROOT-MARQ-16")
    wood = Split(
        "ROOT-MARQ-16",
        lambda t, act: act.cost,
        lambda t, act: where(t, "wood"),
        by_ruled_clearings,
        ("ROOT-MARQ-17",),
    ).given("type", "clearing", "has_one_left", "rules_it")
    has_an_action = an_action()
    has_room = open_slot()
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-MARQ-16", "type")
    def has_one_left(t: Table, act: Any) -> Any:
        """A building of the kind is left."""
        return in_supply(t, act.actor, act.type) > 0 or no(type=act.type)

    @requires("ROOT-MARQ-16", "clearing")
    def rules_it(t: Table, act: Any) -> Any:
        """She rules the clearing."""
        return is_ruled(t, act)

    @requires("ROOT-MARQ-16", "type", "clearing", "has_one_left", "rules_it")
    def has_the_wood(t: Table, act: Any) -> Any:
        """As much wood as it costs lies within reach."""
        within = sum(n for c, n in where(t, "wood").items() if c in act.reach)
        return within >= act.cost or no(cost=act.cost, within=within)

    @derived
    def reach(t: Table, act: Any) -> frozenset[str]:
        """Where its wood may come from."""
        return connected(t, act.actor, act.clearing)

    @derived
    def number(t: Table, act: Any) -> int:
        """Which of its kind it is, counting those on the map with it (ROOT-MARQ-18)."""
        return on_map(t, act.type) + 1

    @derived
    def cost(t: Table, act: Any) -> int:
        """Its price in wood (ROOT-MARQ-18)."""
        return figures(t).pieces[act.type].cost[act.number - 1]

    def resolve(self, t: Table) -> Control:
        """The wood goes, the building stands, its space gives points."""
        points = figures(t).pieces[self.type].points[self.number - 1]
        act_once(self.frame)
        for clearing in sorted(self.wood, key=int):
            t.moved(
                "ROOT-MARQ-16",
                {"wood": self.wood[clearing]},
                ("map", clearing),
                ("seats", self.actor, "supply"),
            )
        place(t, "ROOT-MARQ-16", self.actor, {self.type: 1}, self.clearing)
        score(t, "ROOT-MARQ-18", self.actor, points)
        return None


class Overwork(Action, kind="overwork"):
    """Spend a card for a wood at a sawmill (ROOT-MARQ-19)."""

    card = hand_pick("ROOT-MARQ-19")
    clearing = clearing_pick("ROOT-MARQ-19")
    has_an_action = an_action()
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-MARQ-19", "clearing")
    def has_a_sawmill(t: Table, act: Any) -> Any:
        """A sawmill stands there."""
        return "sawmill" in t.board.map[act.clearing] or no(clearing=act.clearing)

    @requires("ROOT-MARQ-19", "card", "clearing")
    def matches_the_clearing(t: Table, act: Any) -> Any:
        """The card matches the clearing."""
        return card_matches_clearing(t, act)

    @requires("ROOT-MARQ-19", about=("kind",))
    def has_wood(t: Table, act: Any) -> Any:
        """Wood is left in the supply."""
        return in_supply(t, act.actor, "wood") > 0 or no(wood=0)

    def resolve(self, t: Table) -> Control:
        """The card goes, the wood comes."""
        act_once(self.frame)
        spend(t, "ROOT-MARQ-19", self.actor, self.card)
        place(t, "ROOT-MARQ-19", self.actor, {"wood": 1}, self.clearing)
        return None
