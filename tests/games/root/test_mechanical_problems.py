"""Tables that cannot be: the board, the pieces and the frames of the Mechanical Marquise."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from service.engine.aside import settled
from service.engine.deck import Blank, Deck, Pool, Stratum
from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.games.root.v1 import RULES
from service.games.root.v1.mechanical import OrderRow
from tests.games.root.robot import BOT, FOX, OWL, OWLS, W, orders, robot
from tests.games.root.table import Game, lowest

rule = pytest.mark.rule
SEAT = f"/table/seats/{BOT}"
BOARD = f"{SEAT}/mechanical_marquise"


def planted(g: Game, change: Any) -> set[tuple[str | None, str]]:
    """The problems after this change to a game that has none."""
    state = deepcopy(g.state)
    assert problems(RULES, state) == []
    change(state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


def own(state: Any) -> Any:
    return state.table.seats[BOT]


def to_hand(state: Any, place: str, card: str) -> None:
    """A card of the owl's hand lies with the Mechanical Marquise."""
    hand = state.table.seats[OWL].hand
    hand[card] -= 1
    if not hand[card]:
        del hand[card]
    setattr(own(state), place, {card: 1} if place == "hand" else [card])


def on_turn() -> Game:
    """Its turn begins: an order is to be turned up."""
    return robot({"1": {"keep": 1, W: 2}, "5": {W: 1}}, owl={"hand": ["cobbler", "sappers"]})


def fighting() -> Game:
    """A battle in 6, the second clearing of the order, while 8 and 12 are still to come."""
    held = {"1": {"keep": 1, W: 1}, "6": {W: 2, OWLS: 2, "cult-warrior": 1}, "8": {W: 4}}
    g = robot(held, "eyrie", "cult", owl={"crafted": ["armorers"]})
    return orders(g, "anvil")


def marching() -> Game:
    """A supporter is drawn for warriors that went from 1 to 9."""
    return orders(robot({"1": {"keep": 1, W: 5}, "9": {"sympathy": 1}}, "alliance"), "anvil")


# -- its board ----------------------------------------------------------------------------------------------------


@rule("ROOT-BOT-1", "ROOT-BOT-2")
def test_it_has_no_cards_but_its_orders():
    g = on_turn()
    assert planted(g, lambda s: to_hand(s, "hand", "cobbler")) == {("ROOT-BOT-2", f"{SEAT}/hand")}
    assert planted(g, lambda s: to_hand(s, "crafted", "cobbler")) == {("ROOT-BOT-1", f"{SEAT}/crafted")}


@rule("ROOT-INFO-7")
def test_an_order_of_the_row_is_known_to_none_but_who_has_looked():
    def seen(*known: str) -> Any:
        def change(state: Any) -> None:
            board = own(state).mechanical_marquise
            state.table.deck, board.row = settled(
                state.table.deck, board.row, 2, "anvil", list(known) if known else None
            )

        return change

    g = on_turn()
    assert planted(g, seen(OWL)) == set()
    assert planted(g, seen()) == {("ROOT-INFO-7", f"{BOARD}/row/segments/1")}
    assert planted(g, seen(BOT)) == {("ROOT-INFO-7", f"{BOARD}/row/segments/1")}


@rule("ROOT-BOT-27", "ROOT-SETUP-4")
def test_orders_and_deck_fit_together():
    g = on_turn()

    def marks(*of: int) -> Any:
        return lambda s: setattr(own(s).mechanical_marquise.row, "segments", [Blank(list(of))])

    assert planted(g, marks(0, 0, 0, 0)) == {(None, "/table/deck/segments")}
    assert planted(g, marks(0, 0, 0, 0, 1)) == {(None, "/table/deck/segments"), (None, f"{BOARD}/row")}
    assert planted(g, lambda s: setattr(s.table.deck.segments[0].strata[0], "mark", None)) >= {
        (None, f"{BOARD}/row"),
        ("ROOT-SETUP-4", "/table/deck/segments/0/strata"),
    }
    six = planted(g, marks(0, 0, 0, 0, 0, 0))
    assert six == {(None, "/table/deck/segments"), ("ROOT-BOT-27", f"{BOARD}/row")}


@rule("ROOT-BOT-27")
def test_orders_lie_one_by_one_and_only_in_the_row():
    def pooled(state: Any) -> None:
        own(state).mechanical_marquise.row.segments.append(Pool([Stratum({"anvil": 1}, 1)]))

    assert (None, f"{BOARD}/row/segments/1") in planted(on_turn(), pooled)
    pawns = {OWL: {"pawn": "1"}, FOX: {"pawn": "2", "character": "ranger"}}
    g = robot({"1": {"keep": 1, W: 2}}, "vagabond", "vagabond", **pawns)

    def under_a_ruin(state: Any) -> None:
        state.table.unearthed = {"6": Deck([Pool([Stratum({"bag-r": 1}, 1, 0)])])}

    assert (None, "/table/unearthed/6/segments/0") in planted(g, under_a_ruin)


@rule("ROOT-BOT-13")
def test_an_order_is_face_up_only_while_it_is_carried_out():
    def face_up(state: Any) -> None:
        strata = state.table.deck.segments[0].strata[0]
        del strata.members["anvil"]
        strata.size -= 1
        own(state).mechanical_marquise.order = "anvil"

    assert planted(on_turn(), face_up) == {("ROOT-BOT-13", f"{BOARD}/order")}

    def face_down(state: Any) -> None:
        own(state).mechanical_marquise.order = None
        state.table.discard["anvil"] = 1

    i = next(i for i, f in enumerate(fighting().state.stack) if hasattr(f, "battles"))
    found = planted(fighting(), face_down)
    assert ("ROOT-BOT-13", f"{BOARD}/order") in found
    assert ("ROOT-BOT-14", f"/stack/{i}/battles") in found


@rule("ROOT-BOT-7")
def test_it_gets_nothing_to_sell():
    g = on_turn()

    def crafts(state: Any) -> None:
        state.table.items["coin"] -= 1
        own(state).items = {"coin": 1}

    assert planted(g, crafts) == {("ROOT-BOT-7", f"{SEAT}/items/coin")}


@rule("ROOT-SETUP-15")
def test_the_keep_stands_in_its_corner():
    g = on_turn()

    def corner(keep: str | None) -> Any:
        return lambda s: setattr(own(s).mechanical_marquise, "keep", keep)

    assert planted(g, corner("2")) == {("ROOT-SETUP-15", "/table/map/1/keep")}
    assert planted(g, corner(None)) == {("ROOT-SETUP-15", f"{BOARD}/keep")}
    assert ("ROOT-SETUP-15", f"{BOARD}/keep") in planted(g, corner("5"))


@rule("ROOT-COMP-6")
def test_the_marquise_does_not_play_beside_it():
    g = robot({"1": {"keep": 1, W: 2}}, "eyrie", "alliance")
    found = planted(g, lambda s: setattr(s.table.seats[FOX], "faction", "marquise"))
    assert ("ROOT-COMP-6", f"/table/seats/{FOX}/faction") in found


@rule("ROOT-RIVER-21")
def test_it_buys_no_services():
    g = robot({"1": {"keep": 1, W: 2}}, "riverfolk", owl={"hand": ["cobbler"]})
    found = planted(g, lambda s: setattr(s.stack[1], "services", ["riverboats"]))
    assert ("ROOT-RIVER-21", "/stack/1/services") in found


# -- its frames ---------------------------------------------------------------------------------------------------


def daylight(g: Game) -> int:
    return next(i for i, f in enumerate(g.state.stack) if hasattr(f, "battles"))


def left(g: Game, **fields: Any) -> Any:
    def change(state: Any) -> None:
        for name, value in fields.items():
            setattr(state.stack[daylight(g)], name, value)

    return change


@rule("ROOT-BOT-15", "ROOT-BOT-18")
def test_the_clearings_that_are_left_follow_from_the_order():
    g = fighting()
    i = daylight(g)
    assert (g.state.stack[i].battles, g.state.stack[i].moves) == (["8", "12"], ["1", "6", "8", "12"])
    for battles in (["12", "8"], ["8"], [], ["1", "6", "8", "12"], ["9", "12"]):
        found = planted(g, left(g, battles=battles))
        assert found & {
            ("ROOT-BOT-15", f"/stack/{i}/battles"),
            ("ROOT-BOT-15", f"/stack/{i + 1}/clearing"),
        }, battles
    for moves in ([], ["8", "12"], ["12", "8", "6", "1"]):
        assert ("ROOT-BOT-18", f"/stack/{i}/moves") in planted(g, left(g, moves=moves))
    g = marching()
    i = daylight(g)
    assert (g.state.stack[i].battles, g.state.stack[i].moves) == ([], ["6", "8", "12"])
    assert ("ROOT-BOT-15", f"/stack/{i}/battles") in planted(g, left(g, battles=["12"]))
    assert ("ROOT-BOT-18", f"/stack/{i}/moves") in planted(g, left(g, moves=["1", "6", "8", "12"]))


@rule("ROOT-BOT-14")
def test_before_an_order_is_turned_up_no_clearing_is_due():
    g = on_turn()
    i = daylight(g)
    assert planted(g, left(g, battles=["1"])) == {("ROOT-BOT-14", f"/stack/{i}/battles")}


@rule("ROOT-BOT-16")
def test_it_battles_whom_the_rules_say():
    g = fighting()
    battle = g.state.stack[-1]
    assert (battle.defender, battle.clearing) == (OWL, "6")
    found = planted(g, lambda s: setattr(s.stack[-1], "defender", FOX))
    assert found == {("ROOT-BOT-16", f"/stack/{len(g.state.stack) - 1}/defender")}


@rule("ROOT-BOT-19")
def test_what_moving_brings_about_happens_next_door():
    g = marching()
    i = next(i for i, f in enumerate(g.state.stack) if getattr(f, "clearing", None) == "9")
    found = planted(g, lambda s: setattr(s.stack[i], "clearing", "4"))
    assert ("ROOT-BOT-19", f"/stack/{i}/clearing") in found


# -- its set-up ---------------------------------------------------------------------------------------------------


def dealing(*choices: dict[str, str]) -> Game:
    seats = [SetupSeat(s, choice=c) for s, c in zip((BOT, OWL), choices, strict=True)]
    g = Game(start(RULES, Setup(seats, "test", ChanceState(mode="given"), {"seating": "listed"}), lowest))
    return g.play("chance", "draw-seat", seat=OWL)


THERE = {"faction": "mechanical-marquise"}


@rule("ROOT-SETUP-4")
def test_while_hands_are_dealt_it_waits_for_its_orders():
    g = dealing(THERE, {"faction": "eyrie"})
    i = next(i for i, f in enumerate(g.state.stack) if isinstance(f, OrderRow))
    assert planted(g, lambda s: setattr(s.stack[i], "seat", OWL)) >= {("ROOT-SETUP-1", f"/stack/{i}/seat")}
    assert planted(g, lambda s: setattr(s.stack[i], "because", "ROOT-BOT-27")) >= {
        ("ROOT-SETUP-4", f"/stack/{i}/because")
    }


@rule("ROOT-SETUP-15", "ROOT-SETUP-6")
def test_while_its_corner_is_drawn_it_has_items_and_no_pieces():
    g = dealing(THERE, {"faction": "eyrie"}).draw_any()
    assert g.kinds == ("draw-corner",)
    assert planted(g, lambda s: setattr(own(s).mechanical_marquise, "keep", "2")) >= {
        ("ROOT-SETUP-15", f"{BOARD}/keep")
    }

    def early(state: Any) -> None:
        own(state).supply[W] -= 1
        state.table.map["5"][W] = 1

    assert ("ROOT-SETUP-15", "/table/map") in planted(g, early)

    def sold(state: Any) -> None:
        own(state).items = {}
        state.table.items = {**state.table.items, "bag": 2, "boots": 2, "sword": 2, "tea": 2}

    assert planted(g, sold) == {("ROOT-SETUP-6", f"{SEAT}/items")}


@rule("ROOT-SETUP-15")
def test_its_set_up_places_just_so_many_pieces():
    g = dealing({**THERE, "keep": "2"}, {"faction": "eyrie"}).draw_any()
    assert g.asked == (OWL,)

    def elsewhere(state: Any) -> None:
        del state.table.map["5"][W]
        state.table.map["4"][W] = 1

    found = planted(g, elsewhere)
    assert found >= {("ROOT-SETUP-15", "/table/map/4"), ("ROOT-SETUP-15", "/table/map/5")}

    def without_a_keep(state: Any) -> None:
        del state.table.map["2"]["keep"]
        state.table.box["keep"] = 1

    assert ("ROOT-SETUP-15", "/table/map") in planted(g, without_a_keep)
