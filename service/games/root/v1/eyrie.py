"""Chapter 14, the Eyrie Dynasties: what is always on, leaders, set-up, Birdsong, Evening (ROOT-EYRIE-1 to -5, -20).

The Decree and turmoil have modules of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.cards import Draw, HandLimit, hand_at, hand_pick, hand_size
from service.games.root.v1.components import Plugs, limited, player, who_plays
from service.games.root.v1.figures import (
    BIRD,
    CLEARINGS,
    COLUMNS,
    CORNERS,
    LEADERS,
    PRINTED,
    VIZIER,
    figures,
    suit_of,
)
from service.games.root.v1.state import Battle, Eyrie, Removal
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import (
    bag_in,
    cards_uncovered,
    clearing_pick,
    may_build,
    on_map,
    place,
    where,
)

EYRIE = "eyrie"
WARRIOR = "eyrie-warrior"


def eyrie(t: Table, seat: str) -> Eyrie:
    """The Eyrie's board."""
    found = player(t, seat).eyrie
    assert found is not None
    return found


def leads(t: Table, seat: str | None, leader: str) -> bool:
    """Whether a seat plays the Eyrie under this leader (ROOT-EYRIE-22)."""
    return seat is not None and seat == who_plays(t, EYRIE) and eyrie(t, seat).leader == leader


# -- always on ----------------------------------------------------------------------------------------------------


def lords_of_the_forest(t: Table, clearing: str, leading: Sequence[str]) -> str | None:
    """Tied for most, the Eyrie rule where they have a piece (ROOT-RULE-3)."""
    seat = who_plays(t, EYRIE)
    return seat if seat in leading and bag_in(t, str(seat), clearing) else None


def disdain_for_trade(t: Table, seat: str, card: str) -> tuple[str, int] | None:
    """One point for any item, except under the Builder (ROOT-CRAFT-9)."""
    if seat != who_plays(t, EYRIE) or leads(t, seat, "builder"):
        return None
    return "ROOT-CRAFT-9", figures(t).table["disdain-points"]


def commander(t: Table, f: Battle, seat: str) -> tuple[str, int] | None:
    """One extra hit as attacker (ROOT-EYRIE-22, ROOT-BATTLE-14)."""
    return ("ROOT-EYRIE-22", 1) if seat == f.attacker and leads(t, seat, "commander") else None


def despot(t: Table, f: Removal, remover: str, n: int) -> tuple[str, int] | None:
    """One more point in a battle in which a building or token was removed (ROOT-EYRIE-22, ROOT-BATTLE-20)."""
    if not n or not f.in_battle or not leads(t, remover, "despot"):
        return None
    battle: Battle = t.frame(Battle)
    return None if battle.toppled.get(remover) else ("ROOT-EYRIE-22", 1)


ONE_A_CLEARING = {"roost": "ROOT-EYRIE-11"}  # no clearing has two roosts


# -- leaders ------------------------------------------------------------------------------------------------------


def appoint(t: Table, because: str, seat: str, leader: str) -> None:
    """A leader takes over, and the two Loyal Viziers go to its columns (ROOT-EYRIE-2)."""
    for column in COLUMNS:
        t.moved(because, _viziers(eyrie(t, seat), column), decree_path(seat, column), None)
    t.set(because, leader, "seats", seat, "eyrie", "leader")
    for column in figures(t).leaders[leader].viziers:
        t.moved(because, {VIZIER: 1}, None, decree_path(seat, column))


def _viziers(board: Eyrie, column: str) -> Mapping[str, int]:
    return {VIZIER: board.decree[column].get(VIZIER, 0)}


def decree_path(seat: str, column: str) -> tuple[str, ...]:
    """Where the cards of a column lie."""
    return ("seats", seat, "eyrie", "decree", column)


# -- set-up (ROOT-SETUP-10) ---------------------------------------------------------------------------------------


class EyrieSetup(Frame, kw_only=True):
    """The Eyrie set up."""

    seat: Public[SeatRef]


def corner_is_given(t: Table) -> str | None:
    """The corner opposite the keep, where there is one (ROOT-SETUP-16)."""
    keep = next(iter(where(t, "keep")), None)
    return None if keep is None else PRINTED.clearings[keep].opposite


def their_corner(t: Table) -> list[str]:
    """During set-up: the corner of the first roost."""
    return list(where(t, "roost"))


class EyrieStart(Action):
    """Choose the first leader."""

    leader = Pick("ROOT-SETUP-10", LEADERS)

    def settle(self, t: Table, corner: str) -> Control:
        """A roost, six warriors, the leader and the viziers."""
        bag = {"roost": 1, WARRIOR: figures(t).table["eyrie-warriors"]}
        place(t, "ROOT-SETUP-10", self.actor, bag, corner)
        appoint(t, "ROOT-SETUP-10", self.actor, self.leader)
        return None


class SetupEyrie(EyrieStart, kind="setup-eyrie"):
    """Choose the first leader; the corner follows from the keep."""

    def resolve(self, t: Table) -> Control:
        """Opposite the keep."""
        return self.settle(t, str(corner_is_given(t)))


class SetupEyrieAnywhere(EyrieStart, kind="setup-eyrie"):
    """Choose the first leader and, with no keep on the map, the corner."""

    corner = clearing_pick("ROOT-SETUP-10")

    @requires("ROOT-SETUP-10", "corner")
    def is_a_corner(t: Table, act: Any) -> Any:
        """One of the four corners."""
        return act.corner in CORNERS or no(clearing=act.corner)

    def resolve(self, t: Table) -> Control:
        """Where they like."""
        return self.settle(t, self.corner)


# -- Birdsong -----------------------------------------------------------------------------------------------------


class EyrieBirdsong(Frame, kw_only=True):
    """The Eyrie's Birdsong. `added`: the suits of the cards added to the Decree."""

    seat: Public[SeatRef]
    added: Public[list[str]] = []


def emergency_orders(t: Table, f: EyrieBirdsong) -> Control:
    """With an empty hand, draw a card (ROOT-EYRIE-3)."""
    return None if hand_size(t, f.seat) else Draw(seat=f.seat, left=1, because="ROOT-EYRIE-3")


def may_add(t: Table, f: EyrieBirdsong) -> str | None:
    """The Eyrie, until two cards are added or the hand is empty (ROOT-EYRIE-4)."""
    return f.seat if len(f.added) < figures(t).table["decree-cards-a-turn"] and hand_size(t, f.seat) else None


class AddToDecree(Action, kind="add-to-decree"):
    """Add a card of the hand to a column of the Decree (ROOT-EYRIE-4)."""

    card = hand_pick("ROOT-EYRIE-4")
    column = Pick("ROOT-EYRIE-4", COLUMNS)

    @requires("ROOT-EYRIE-4", "card")
    def only_one_bird(t: Table, act: Any) -> Any:
        """At most one of the cards added is a bird."""
        return suit_of(act.card) != BIRD or BIRD not in act.frame.added or no(card=act.card)

    def resolve(self, t: Table) -> Control:
        """It stays there until turmoil."""
        f: EyrieBirdsong = self.frame
        f.added = [*f.added, suit_of(self.card)]
        t.moved(
            "ROOT-EYRIE-4",
            {self.card: 1},
            hand_at(t, self.actor),
            decree_path(self.actor, self.column),
        )
        return None


class AddNoMore(Pass, kind="pass"):
    """Add no second card."""

    @requires("ROOT-EYRIE-4", about=("kind",))
    def has_added_one(t: Table, act: Any) -> Any:
        """One card at least must be added."""
        return len(act.frame.added) > 0 or no(added=0)


def places_for_a_roost(t: Table, f: EyrieBirdsong) -> list[str]:
    """Where a new roost may stand: with the fewest warriors of all players together (ROOT-EYRIE-5)."""
    fewest = {c: all_warriors(t, c) for c in CLEARINGS if may_build(t, f.seat, c)}
    return [c for c, n in fewest.items() if n == min(fewest.values())]


def all_warriors(t: Table, clearing: str) -> int:
    """All players' warriors in a clearing."""
    return sum(n for p, n in t.board.map[clearing].items() if PRINTED.pieces[p].kind == "warrior")


def new_roost(t: Table, f: EyrieBirdsong) -> Control:
    """With no roost on the map a new one is placed, where that needs no choice (ROOT-EYRIE-5)."""
    if on_map(t, "roost"):
        return DONE
    places = places_for_a_roost(t, f)
    if len(places) > 1:
        return None
    if places:
        settle_roost(t, f.seat, places[0])
    return DONE


def settle_roost(t: Table, seat: str, clearing: str) -> None:
    """A roost and three warriors, or as many as there are (ROOT-EYRIE-5, ROOT-GEN-4)."""
    bag = {"roost": 1, WARRIOR: figures(t).table["new-roost-warriors"]}
    place(t, "ROOT-EYRIE-5", seat, limited(bag, player(t, seat).supply), clearing)


class NewRoost(Action, kind="new-roost"):
    """Choose among the clearings tied for the fewest warriors (ROOT-EYRIE-5)."""

    clearing = clearing_pick("ROOT-EYRIE-5")

    @requires("ROOT-EYRIE-5", "clearing")
    def is_one_of_the_tied(t: Table, act: Any) -> Any:
        """It can take a roost, and no such clearing has fewer warriors."""
        return act.clearing in places_for_a_roost(t, act.frame) or no(clearing=act.clearing)

    def resolve(self, t: Table) -> Control:
        """There it stands."""
        settle_roost(t, self.actor, self.clearing)
        return None


# -- Evening ------------------------------------------------------------------------------------------------------


class EyrieEvening(Frame, kw_only=True):
    """The Eyrie's Evening: they score, draw and discard."""

    seat: Public[SeatRef]


def score_roosts(t: Table, f: EyrieEvening) -> Control:
    """Points by the roosts on the map (ROOT-EYRIE-20)."""
    roosts = on_map(t, "roost")
    if roosts:
        score(t, "ROOT-EYRIE-20", f.seat, figures(t).pieces["roost"].points[roosts - 1])
    return None


def draw_cards(t: Table, f: EyrieEvening) -> Control:
    """One card, and the bonus of the roost track (ROOT-EYRIE-21)."""
    return Draw(seat=f.seat, left=1 + cards_uncovered(t, "roost"), because="ROOT-EYRIE-21")


def keep_five(t: Table, f: EyrieEvening) -> Control:
    """Down to the hand limit (ROOT-EYRIE-21)."""
    return HandLimit(seat=f.seat)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        EyrieSetup,
        prompt("leader", lambda t, f: f.seat if corner_is_given(t) else None, (SetupEyrie,), "ROOT-SETUP-10"),
        prompt(
            "corner",
            lambda t, f: f.seat if eyrie(t, f.seat).leader is None else None,
            (SetupEyrieAnywhere,),
            "ROOT-SETUP-10",
        ),
    )
    rules.procedure(
        EyrieBirdsong,
        emergency_orders,
        prompt("add", may_add, (AddToDecree, AddNoMore), "ROOT-EYRIE-4", again=True, gap=True),
        new_roost,
        prompt("roost", its_seat, (NewRoost,), "ROOT-EYRIE-5"),
        may_call={"emergency-orders": (Draw,)},
    )
    rules.procedure(
        EyrieEvening,
        score_roosts,
        draw_cards,
        keep_five,
        may_call={"draw-cards": (Draw,), "keep-five": (HandLimit,)},
    )
