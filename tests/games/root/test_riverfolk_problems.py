"""States of the Riverfolk that cannot exist: hand, boxes, prices, posts, services bought, unfinished business."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from service.engine.frames import FINISHED
from service.engine.problems import problems
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.riverfolk_posts import TradeDisruption
from service.games.root.v1.riverfolk_problems import riverfolk_problems
from service.games.root.v1.state import Riverfolk
from tests.games.root.river import (
    CATS,
    FOX_POST,
    MOUSE_POST,
    OTTER,
    OTTERS,
    OWLS,
    RABBIT_POST,
    TOD,
    river,
)
from tests.games.root.table import CAT, OWL, Game, fresh, game

rule = pytest.mark.rule

SEAT = "/table/seats/otter"
BOARD = f"{SEAT}/riverfolk"


def planted(g: Game, change: Any) -> set[tuple[str | None, str]]:
    """The problems after this change to a game that has none."""
    state = deepcopy(g.state)
    assert problems(RULES, state) == []
    change(state)
    return {(p.rule, p.pointer) for p in problems(RULES, state)}


def put(bag: dict[str, int], what: str, n: int = 1) -> None:
    """That many more of a thing in a bag; a negative number takes away."""
    bag[what] = bag.get(what, 0) + n
    if not bag[what]:
        del bag[what]


def shifted(what: str, source: Any, target: Any, n: int = 1) -> Any:
    """Pieces put elsewhere; each place is a bag of the table."""

    def change(state: Any) -> None:
        put(source(state.table), what, -n)
        put(target(state.table), what, n)

    return change


def supply(t: Any) -> dict[str, int]:
    return t.seats[OTTER].supply


def own(t: Any) -> Riverfolk:
    return t.seats[OTTER].riverfolk


# -- the board and the map ----------------------------------------------------------------------------------------


def standing() -> Game:
    there = {"1": {"keep": 1}, "8": {FOX_POST: 1, OTTERS: 2}, "7": {CATS: 1, MOUSE_POST: 1}}
    held = {"funds": {CATS: 2, OWLS: 1}, "committed": {OTTERS: 1}, "spaces": {"fox": {CATS: 1}}}
    return river(there, hand=["sappers"], prices=(1, 2, 3), **held)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            shifted("sappers", lambda t: own(t).hand, lambda t: t.seats[OTTER].hand),
            ("ROOT-RIVER-2", f"{SEAT}/hand"),
        ),
        (
            shifted(FOX_POST, supply, lambda t: own(t).funds),
            ("ROOT-RIVER-3", f"{BOARD}/funds/{FOX_POST}"),
        ),
        (
            shifted("sawmill", lambda t: t.seats[CAT].supply, lambda t: own(t).committed),
            ("ROOT-RIVER-3", f"{BOARD}/committed/sawmill"),
        ),
        (
            shifted(CATS, lambda t: own(t).funds, lambda t: own(t).payments),
            ("ROOT-RIVER-32", f"{BOARD}/payments"),
        ),
        (
            shifted(CATS, lambda t: own(t).funds, lambda t: own(t).spaces["rabbit"]),
            ("ROOT-RIVER-35", f"{BOARD}/spaces/rabbit"),
        ),
        (
            shifted(CATS, lambda t: own(t).funds, lambda t: own(t).spaces["fox"]),
            ("ROOT-RIVER-35", f"{BOARD}/spaces/fox"),
        ),
        (lambda s: own(s.table).spaces.pop("mouse"), (None, f"{BOARD}/spaces")),
        (lambda s: own(s.table).prices.pop("riverboats"), ("ROOT-RIVER-40", f"{BOARD}/prices")),
        (lambda s: own(s.table).prices.update({"riverboats": 5}), ("ROOT-RIVER-40", f"{BOARD}/prices")),
        (shifted(FOX_POST, supply, lambda t: t.map["8"]), ("ROOT-RIVER-5", f"/table/map/8/{FOX_POST}")),
        (shifted(FOX_POST, supply, lambda t: t.map["4"]), ("ROOT-RIVER-37", f"/table/map/4/{FOX_POST}")),
        (shifted(FOX_POST, supply, lambda t: t.map["1"]), ("ROOT-MARQ-2", f"/table/map/1/{FOX_POST}")),
        (shifted(OTTERS, supply, lambda t: t.box), ("ROOT-COMP-3", f"/table/box/{OTTERS}")),
        (lambda s: setattr(s.table.seats[OTTER], "riverfolk", None), ("ROOT-SETUP-1", BOARD)),
        (
            lambda s: setattr(s.table.seats[CAT], "riverfolk", Riverfolk()),
            ("ROOT-SETUP-1", "/table/seats/cat/riverfolk"),
        ),
        (lambda s: setattr(s.table.seats[OTTER], "faction", "eyrie"), ("ROOT-SETUP-1", f"{SEAT}/faction")),
    ],
)
def test_planted_faults_of_board_and_map(change, expected):
    assert expected in planted(standing(), change)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: put(own(s.table).funds, CATS),
        lambda s: put(own(s.table).committed, OTTERS, -1),
        lambda s: put(own(s.table).spaces["fox"], CATS, -1),
        lambda s: put(own(s.table).hand, "anvil"),
        lambda s: put(s.table.map["7"], OTTERS),
        lambda s: put(supply(s.table), RABBIT_POST, -1),
        lambda s: put(s.table.box, FOX_POST),
        lambda s: put(own(s.table).funds, "alliance-warrior"),
    ],
)
def test_cards_warriors_and_posts_are_counted(change):
    assert planted(standing(), change)


# -- set-up -------------------------------------------------------------------------------------------------------


def asked_to_set_up() -> Game:
    g = fresh("riverfolk", "eyrie").play("chance", "draw-seat", seat="owl").draw_any()
    return g.play("owl", "setup-eyrie", corner="3", leader="builder")


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            shifted(OTTERS, lambda t: t.seats["cat"].supply, lambda t: t.seats["cat"].riverfolk.payments),
            "/table/seats/cat/riverfolk",
        ),
        (
            lambda s: s.table.seats["cat"].riverfolk.prices.update({"riverboats": 1}),
            "/table/seats/cat/riverfolk",
        ),
        (shifted(OTTERS, lambda t: t.seats["cat"].supply, lambda t: t.map["5"]), "/table/map"),
    ],
)
def test_before_their_set_up_the_riverfolk_have_nothing(change, expected):
    assert ("ROOT-SETUP-14", expected) in planted(asked_to_set_up(), change)
    before = fresh("riverfolk", "eyrie").play("chance", "draw-seat", seat="owl").draw_any()
    assert ("ROOT-SETUP-14", expected) in planted(before, change)


# -- services bought this turn ------------------------------------------------------------------------------------


def bought(turn: str = CAT, **more: Any) -> Game:
    """The Marquise has bought a card for 2, and may buy another service."""
    here = {"8": {CATS: 1, FOX_POST: 1}}
    return river(here, turn=turn, at="turn", hand=["anvil", "cobbler"], **more).play(
        CAT, "buy-card", card="anvil"
    )


def services(*names: str) -> Any:
    return lambda s: setattr(s.stack[1], "services", list(names))


@pytest.mark.parametrize(
    ("change", "clause"),
    [
        (services("riverboats", "riverboats"), "ROOT-RIVER-20"),
        (services("hand-card", "hand-card", "hand-card"), "ROOT-RIVER-11"),
        (services("hand-card", "mercenaries"), "ROOT-RIVER-12"),
        (lambda s: s.table.seats[OTTER].riverfolk.prices.update({"hand-card": 3}), "ROOT-RIVER-12"),
    ],
)
def test_what_cannot_have_been_bought(change, clause):
    assert (clause, "/stack/1/services") in planted(bought(), change)


def test_the_riverfolk_bought_nothing_and_without_them_nobody_did():
    assert ("ROOT-RIVER-10", "/stack/1/services") in planted(standing(), services("hand-card"))
    assert ("ROOT-RIVER-10", "/stack/1/services") in planted(game({}, {}), services("hand-card"))


def test_a_vagabond_hired_nobody():
    tod = {TOD: {"faction": "vagabond", "pawn": "5"}}
    g = river({"5": {OTTERS: 1}}, turn=TOD, others=tod)
    assert ("ROOT-RIVER-17", "/stack/1/services") in planted(g, services("mercenaries"))


# -- Trade Disruption ---------------------------------------------------------------------------------------------


def disrupted() -> Game:
    here = {"8": {CATS: 2, FOX_POST: 1}, "7": {MOUSE_POST: 1}}
    return river(here, turn=CAT, funds={CATS: 2, OWLS: 3}).fight(CAT, OTTER, "8", 1, 0)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda s: setattr(s.stack[-1], "due", 2), ("ROOT-RIVER-6", "due")),
        (lambda s: setattr(s.stack[-1], "due", 0), ("ROOT-RIVER-6", "due")),
        (lambda s: setattr(s.stack[-1], "seat", OWL), ("ROOT-RIVER-6", "seat")),
        (lambda s: setattr(s.stack[-1], "clearing", "7"), ("ROOT-RIVER-6", "clearing")),
        (lambda s: setattr(s.stack[-1], "clearing", "12"), ("ROOT-RIVER-6", "clearing")),
        (shifted(FOX_POST, lambda t: t.box, supply), ("ROOT-RIVER-6", "clearing")),
    ],
)
def test_planted_faults_of_a_disruption(change, expected):
    g = disrupted()
    clause, field = expected
    assert (clause, f"/stack/{len(g.state.stack) - 1}/{field}") in planted(g, change)


def test_without_a_choice_nobody_is_asked_for_funds():
    g = disrupted()
    all_cats = shifted(OWLS, lambda t: own(t).funds, lambda t: t.seats[OWL].supply, 3)

    def change(state: Any) -> None:
        all_cats(state)
        state.stack[-1].due = 1

    assert ("ROOT-TURN-7", f"/stack/{len(g.state.stack) - 1}") in planted(g, change)


def test_a_disruption_needs_the_riverfolk():
    g = game({}, {})
    t = Table(RULES, deepcopy(g.state))
    t.frames = [*t.frames, TradeDisruption(seat=OWL, clearing="8", step=FINISHED)]
    assert "ROOT-SETUP-1" in {p.rule for p in riverfolk_problems(t)}


# -- draws --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("field", "value", "pointer"),
    [("left", 2, "/left"), ("because", "ROOT-MARQ-20", "/because"), ("seat", CAT, "/seat")],
)
def test_a_fund_draws_one_card(field, value, pointer):
    g = river(funds={CATS: 1}).play(OTTER, "draw", fund=CATS)
    at = f"/stack/{len(g.state.stack) - 1}{pointer}"
    assert ("ROOT-RIVER-33", at) in planted(g, lambda s: setattr(s.stack[-1], field, value))


@rule("ROOT-RIVER-33", "ROOT-RIVER-32")
@pytest.mark.parametrize("kind", ["draw", "battle"])
def test_what_takes_a_fund_has_committed_one(kind):
    g = river({"8": {CATS: 1, OTTERS: 1}}, funds={CATS: 1})
    g.play(OTTER, kind, fund=CATS, **({"clearing": "8", "defender": CAT} if kind == "battle" else {}))
    kept = shifted(CATS, lambda t: own(t).committed, lambda t: own(t).funds)
    assert ("ROOT-RIVER-33", f"{BOARD}/committed") in planted(g, kept)


# -- the hand limit -----------------------------------------------------------------------------------------------


@rule("ROOT-CARD-8", "ROOT-RIVER-40")
def test_prices_are_set_when_the_hand_limit_has_been_applied():
    five = ["anvil", "armorers", "cobbler", "sappers", "codebreakers"]
    g = river(at="evening", hand=five, board={"discard": ["tax-collector", "bake-sale"]})
    assert g.kinds == ("set-prices", "pass")

    def seven(state: Any) -> None:
        for card in ("tax-collector", "bake-sale"):
            shifted(card, lambda t: t.discard, lambda t: own(t).hand)(state)

    assert planted(g, seven) == {("ROOT-CARD-8", f"/stack/{len(g.state.stack) - 1}/step")}


# -- services for items -------------------------------------------------------------------------------------------


def bought_for_items() -> Game:
    """The Vagabond has exhausted two items for a card, and stands at a post, so that he may buy another."""
    tod = {"faction": "vagabond", "pawn": "8", "own": {"satchel-up": ["boots", "torch", "sword", "hammer"]}}
    g = river({"8": {FOX_POST: 1}}, turn=TOD, at="turn", others={TOD: tod}, hand=["anvil", "cobbler"])
    g.play(TOD, "buy-card", card="anvil", items={"boots": 1, "torch": 1})
    assert "buy-riverboats" in g.kinds
    return g


@rule("ROOT-RIVER-13")
def test_for_items_the_riverfolk_put_in_their_own_warriors():
    taken = shifted(OTTERS, lambda t: own(t).payments, supply, 2)
    assert planted(bought_for_items(), taken) == {("ROOT-RIVER-13", "/stack/1/services")}


@rule("ROOT-RIVER-13", "ROOT-RIVER-23")
def test_or_as_many_as_they_have():
    g = bought_for_items()
    assert planted(g, shifted(OTTERS, supply, lambda t: t.map["7"], g[OTTER].supply[OTTERS])) == set()

    def all_on_the_map(state: Any) -> None:
        shifted(OTTERS, supply, lambda t: t.map["7"], supply(state.table)[OTTERS])(state)
        shifted(OTTERS, lambda t: own(t).payments, lambda t: t.map["7"], 1)(state)

    assert planted(g, all_on_the_map) == set()


@rule("ROOT-RIVER-13")
def test_items_that_have_paid_lie_face_down():
    def kept(state: Any) -> None:
        items = state.table.seats[TOD].vagabond.items
        shifted("torch", lambda t: items["satchel-down"], lambda t: items["satchel-up"])(state)

    assert planted(bought_for_items(), kept) == {("ROOT-RIVER-13", "/stack/1/services")}


# -- one trigger for each post ------------------------------------------------------------------------------------


@rule("ROOT-RIVER-6", "ROOT-RIVER-5")
def test_one_post_removed_disrupts_trade_once():
    g = disrupted()

    def twice(state: Any) -> None:
        state.stack.insert(len(state.stack) - 1, TradeDisruption(seat=OTTER, clearing="8"))

    assert ("ROOT-RIVER-6", f"/stack/{len(g.state.stack) - 1}/clearing") in planted(g, twice)
