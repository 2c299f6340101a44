"""What cannot lie where it lies: the keep and what stands with it, ruins, items; told in play and of a position."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from service.engine.problems import board_problems, problems
from service.games.root.v1 import RULES
from tests.games.root.ally import ALLY, woodland
from tests.games.root.rogue import FOX, rogue
from tests.games.root.table import CAT, OWL, game

rule = pytest.mark.rule

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
MAP = {"1": {"keep": 1, CATS: 2}, "3": {"roost": 1, OWLS: 3}, "5": {"workshop": 1}}


def duel() -> Any:
    return game({}, MAP)


def of_three() -> Any:
    return woodland(MAP, turn=CAT, at="daylight")


def with_a_rogue() -> Any:
    return rogue(MAP)


def shift(bag: dict[str, int], what: str, n: int = 1) -> None:
    bag[what] = bag.get(what, 0) + n
    if not bag[what]:
        del bag[what]


def moved(what: str, source: Any, target: Any) -> Any:
    def change(t: Any) -> None:
        shift(source(t), what, -1)
        shift(target(t), what)

    return change


def clearing(name: str) -> Any:
    return lambda t: t.map[name]


def supply(seat: str) -> Any:
    return lambda t: t.seats[seat].supply


def emptied(t: Any) -> None:
    """All quests are done; a ruin and the item under it are still there, and nothing lies under it."""
    v = t.seats[FOX].vagabond
    v.quests += [*t.quests, *sorted(t.quest_deck.cards())]
    t.quests, t.quest_deck = [], type(t.quest_deck)()
    t.item_box = {**t.item_box}
    for item, n in t.buried.cards().items():
        shift(t.item_box, item, n)
    t.buried = type(t.buried)()


CASES = {
    "the keep back in the supply": (
        duel, moved("keep", clearing("1"), supply(CAT)), "ROOT-COMP-4", "/table/seats/cat/supply/keep"
    ),
    "the keep in no corner": (duel, moved("keep", clearing("1"), clearing("7")), "ROOT-SETUP-9", "/table/map/7/keep"),
    "a roost at the keep": (duel, moved("roost", supply(OWL), clearing("1")), "ROOT-MARQ-2", "/table/map/1/roost"),
    "sympathy at the keep": (
        of_three, moved("sympathy", supply(ALLY), clearing("1")), "ROOT-MARQ-2", "/table/map/1/sympathy"
    ),
    "a base at the keep": (
        of_three, moved("fox-base", supply(ALLY), clearing("1")), "ROOT-MARQ-2", "/table/map/1/fox-base"
    ),
    "the Crafted Items box of a Vagabond": (
        with_a_rogue, moved("boots", lambda t: t.items, lambda t: t.seats[FOX].items), "ROOT-VAG-2",
        f"/table/seats/{FOX}/items",
    ),
    "an item that left the game without a Vagabond": (
        duel, moved("tea", lambda t: t.items, lambda t: t.item_box), "ROOT-VAG-72", "/table/item_box"
    ),
    "a ruin that nobody explored": (duel, lambda t: t.ruins.remove("6"), "ROOT-MAP-8", "/table/ruins"),
    "no ruins, and nobody to explore them": (
        duel, lambda t: setattr(t, "ruins", []), "ROOT-MAP-8", "/table/ruins"
    ),
    "a ruin less than items": (with_a_rogue, lambda t: t.ruins.remove("6"), "ROOT-SETUP-12", "/table/buried"),
    "ruins without items when all quests are done": (with_a_rogue, emptied, "ROOT-SETUP-12", "/table/buried"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_cannot_lie_there(name):
    made, change, clause, pointer = CASES[name]
    state = deepcopy(made().state)
    assert problems(RULES, state) == []
    change(state.table)
    assert (clause, pointer) in {(p.rule, p.pointer) for p in problems(RULES, state)}
    assert (clause, pointer) in {(p.rule, p.pointer) for p in board_problems(RULES, state)}


@rule("ROOT-MARQ-2")
def test_anybodys_warriors_may_stand_at_the_keep():
    state = deepcopy(duel().state)
    moved(OWLS, supply(OWL), clearing("1"))(state.table)
    assert problems(RULES, state) == []


@rule("ROOT-MARQ-4", "ROOT-COMP-4")
def test_where_the_keep_was_anything_may_stand():
    state = deepcopy(duel().state)
    moved("keep", clearing("1"), lambda t: t.box)(state.table)
    moved("roost", supply(OWL), clearing("1"))(state.table)
    assert problems(RULES, state) == []
