"""A Vagabond has exhausted items for what is being played: states in which he cannot have."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.root.rogue import CATS, FOX, OWLS, rogue, up
from tests.games.root.table import CAT, OWL, Game
from tests.games.root.test_vagabond_problems import own, planted, shift, top

rule = pytest.mark.rule


def at_top(g: Game, field: str) -> str:
    return f"/stack/{len(g.state.stack) - 1}/{field}"


def given(**more: Any) -> Game:
    """The Marquise have been aided with a torch, and have a hammer to give."""
    g = rogue({"1": {CATS: 1}}, hand=["anvil"], cat={"items": ["hammer"]}, items=up("torch", "boots"), **more)
    return g.play(FOX, "aid", player=CAT, card="anvil", item="torch")


def exploring() -> Game:
    return rogue({"6": {CATS: 1}}, pawn="6").play(FOX, "explore")


def fighting() -> Game:
    return rogue({"1": {CATS: 1}}, cat={"hand": ["anvil"]}).play(FOX, "battle", defender=CAT)


def instigating() -> Game:
    g = rogue({"1": {CATS: 1, OWLS: 1}}, cat={"hand": ["anvil"]}, character="vagrant")
    return g.play(FOX, "instigate", attacker=OWL, defender=CAT)


@pytest.mark.parametrize(
    ("made", "item", "clause", "field"),
    [
        pytest.param(given, "torch", "ROOT-VAG-27", "seat", marks=rule("ROOT-VAG-27")),
        pytest.param(exploring, "torch", "ROOT-VAG-26", "seat", marks=rule("ROOT-VAG-26")),
        pytest.param(fighting, "sword", "ROOT-VAG-25", "attacker", marks=rule("ROOT-VAG-25")),
        pytest.param(instigating, "torch", "ROOT-VAG-43", "instigator", marks=rule("ROOT-VAG-43")),
    ],
)
def test_what_it_takes_lies_face_down(made: Any, item: str, clause: str, field: str) -> None:
    g = made()
    assert planted(g, shift(item, "satchel-down", "satchel-up")) == {(clause, at_top(g, field))}


@rule("ROOT-VAG-25", "ROOT-VAG-5")
def test_a_sword_that_is_damaged_in_the_battle_was_exhausted_for_it_all_the_same() -> None:
    assert planted(fighting(), shift("sword", "satchel-down", "damaged-down")) == set()


@rule("ROOT-VAG-25", "ROOT-FX-10")
def test_the_battle_of_a_command_warren_takes_no_sword() -> None:
    g = rogue({"1": {CATS: 1}}, cat={"hand": ["anvil"]}, crafted=["command-warren"])
    g.play(FOX, "command-warren", clearing="1", defender=CAT)
    assert g[FOX].vagabond.items["satchel-down"] == {}
    assert planted(g, lambda state: None) == set()


@rule("ROOT-VAG-29")
@pytest.mark.parametrize("reward", ["points", "cards"])
def test_the_items_of_a_quest_that_is_replaced_lie_face_down(reward: str) -> None:
    g = rogue({"1": {CATS: 1}}, items={"track": ["tea", "coin"]})
    g.play(FOX, "quest", quest="fundraising-fox", reward=reward)
    i = next(i for i, f in enumerate(g.state.stack) if type(f).__name__ == "NewQuest")
    for item in ("tea", "coin"):
        assert planted(g, shift(item, "satchel-down", "track")) == {("ROOT-VAG-29", f"/stack/{i}")}


@rule("ROOT-VAG-51", "ROOT-VAG-27")
def test_each_aid_towards_a_step_took_an_item() -> None:
    held = {"satchel-up": ["torch"], "satchel-down": ["boots"], "damaged-down": ["sword"]}
    g = rogue({"1": {CATS: 1}}, relationships={"marquise": "friendly-2", "eyrie": "friendly-2"}, items=held)
    assert planted(g, top(aids={"marquise": 1, "eyrie": 1})) == set()
    assert planted(g, top(aids={"marquise": 1, "eyrie": 2})) == {("ROOT-VAG-27", at_top(g, "aids"))}


@rule("ROOT-VAG-27")
def test_who_gives_something_in_return_holds_the_card() -> None:
    def spent(state: Any) -> None:
        state.table.seats[CAT].hand = {}
        state.table.discard = {"anvil": 1}

    assert planted(given(), spent) == {("ROOT-VAG-27", at_top(given(), "giver"))}


@rule("ROOT-VAG-51")
def test_who_has_been_aided_is_indifferent_no_more() -> None:
    g = given()
    assert g[FOX].vagabond.relationships["marquise"] == "friendly-1"
    before = {**g[FOX].vagabond.relationships, "marquise": "indifferent"}
    assert planted(g, own(relationships=before)) == {("ROOT-VAG-51", at_top(g, "giver"))}
    hostile = {**before, "marquise": "hostile"}  # one who stays so
    assert planted(g, own(relationships=hostile)) == set()


@rule("ROOT-VAG-51")
def test_where_the_house_asks_for_one_aid_a_step_he_may_stand_before_the_next() -> None:
    house = {"relationships": {"friendly-1": {"aids_to_next": 1}}}
    for before in ("indifferent", "friendly-1"):
        g = given(house=house, relationships={"marquise": before})
        assert g.kinds == given().kinds
        assert planted(g, lambda state: None) == set()
