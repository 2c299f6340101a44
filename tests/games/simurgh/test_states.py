"""States that no game comes to, one by one: each is told, and by its clause."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from service.engine.problems import problems
from service.engine.state import encode
from tests.games.simurgh.table import RULES, Game, game, space, tile

rule = pytest.mark.rule


def told(g: Game, change: Callable[[Any], None]) -> set[tuple[str | None, str]]:
    """Clause and pointer of every problem, once the state has been changed."""
    data = json.loads(encode(g.state))
    change(data)
    return {(p.rule, p.pointer) for p in problems(RULES, RULES.decode(json.dumps(data)))}


def at_the_scouts(**ann: Any) -> Game:
    held = {"resources": {"wisdom": 1}, **ann}
    return (
        game({"ann": held, "bob": {}}).place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    )


@rule("SIM-TURN-2", "SIM-REMOVE-3")
@pytest.mark.parametrize("place", ["research-14-4", "power-34-3"])
def test_whose_space_is_resolved_stands_there_and_its_tile_is_not_gone_yet(place: str):
    held = {"dragons": (62,), "markers": ["62-3"], "available": {"dragonrider": 1, "spearman": 1}}
    there = {"assigned": {"research-19-4": {"spearman": 1}}}
    g = game({"ann": held, "bob": there}, wilds=(19,))
    g.place("dragonrider", "research-19-1", vassals={"spearman": {"available": 1}})
    assert told(g, lambda data: None) == set()
    found = told(g, lambda data: data["stack"][2].update(space=place))
    assert found == {("SIM-TURN-2", "/stack/2/space")}, "as much is paid there, but nobody stands there"


@rule("SIM-SCOUT-6")
def test_a_tile_is_due_that_nobody_could_pay_for():
    def spend(data: Any) -> None:
        data["table"]["seats"]["ann"]["resources"] = {"stone": 1}

    assert told(at_the_scouts(), spend) == {("SIM-SCOUT-6", "/stack/2")}
    helped = {"dragons": (57,), "markers": ["57-2"]}  # 2 stone for 3 weapons
    assert told(at_the_scouts(**helped), spend) == {("SIM-SCOUT-6", "/stack/2")}

    def pay(data: Any) -> None:
        data["table"]["seats"]["ann"]["resources"] = {"stone": 2}

    assert told(at_the_scouts(**helped), pay) == set()


@rule("SIM-TILE-8")
def test_a_tile_has_been_laid_that_nobody_could_use():
    ann = {"hand": (31,), "available": {"spearman": 1}, "resources": {"wisdom": 1}}
    g = game({"ann": ann, "bob": {}}).play("ann", "place-tile", tile=tile(31), wilds="wilds-1", income=0)

    def rest(data: Any) -> None:
        data["table"]["seats"]["ann"] |= {"available": {}, "assigned": {"armory": {"spearman": 1}}}

    assert told(g, rest) == {("SIM-TILE-8", "/stack/2")}


@rule("SIM-SCOUT-2", "SIM-EFF-8")
def test_the_scouts_are_at_work_at_the_part_of_the_gain_that_sends_them():
    def part(n: int) -> Callable[[Any], None]:
        return lambda data: data["stack"][3].update(part=n)

    assert told(at_the_scouts(), part(2)) == set()
    assert told(at_the_scouts(), part(1)) == {("SIM-SCOUT-2", "/stack/4/frame")}


@rule("SIM-REMOVE-4", "SIM-EXPL-10", "SIM-PLACE-10")
def test_before_the_main_action_nobody_is_home_for_the_turn_but_a_rider_from_his_path():
    ann = {
        "assigned": {space(43, 3): {"dragonrider": 1}},
        "resources": {"weapon": 1},
        "available": {"spearman": 2},
    }
    g = game({"ann": ann, "bob": {}}, wilds=(43,)).play(
        "ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}}
    )
    assert g.state.stack[-1].resting == {"dragonrider": 1}

    def rest(**resting: int) -> Callable[[Any], None]:
        return lambda data: data["stack"][1].update(resting=resting)

    assert told(g, rest(spearman=1)) == {("SIM-REMOVE-4", "/stack/1/resting/spearman")}

    def stay(data: Any) -> None:
        data["stack"][1]["moved"] = False

    assert told(g, stay) == {("SIM-REMOVE-4", "/stack/1/resting/dragonrider")}
    idle = game(chronicle=(2, 3))
    assert told(idle, rest(spearman=1)) == {("SIM-REMOVE-4", "/stack/1/resting/spearman")}
    assert told(idle.place("spearman", "armory"), rest(dragonrider=1)) == set(), "a tile may have gone"


@rule("SIM-EXPL-4", "SIM-TURN-8")
def test_a_rider_has_moved_on_an_exploration_tile_or_not_at_all():
    def move(data: Any) -> None:
        data["stack"][1]["moved"] = True

    wrong = {("SIM-EXPL-4", "/stack/1/moved")}
    assert told(game(), move) == wrong
    ann = {"assigned": {space(43, 1): {"dragonrider": 1}}, "available": {"spearman": 1}}
    assert told(game({"ann": ann, "bob": {}}, wilds=(43,)), move) == wrong, "he stands where he was placed"
    ann["assigned"] = {space(43, 2): {"dragonrider": 1}}
    assert told(game({"ann": ann, "bob": {}}, wilds=(43,)), move) == set()
    assert told(game(chronicle=(43,)), move) == set()


def taken_twice(where: int) -> Callable[[Any], None]:
    """The event on top comes twice."""

    def change(data: Any) -> None:
        data["stack"].insert(where, {**data["stack"][where], "step": ""})

    return change


@rule("SIM-DRAGON-10", "SIM-DRAGON-11")
def test_an_event_happens_once():
    held = {"dragons": (61,), "markers": ["61-1"]}
    g = game({"ann": held, "bob": {}}).place("spearman", "library")
    assert [type(f).__name__ for f in g.state.stack[2:]] == ["Placement", "Gain", "Occasion"]
    assert ("SIM-DRAGON-10", "/stack/4/event") in told(g, taken_twice(4))

    def other(data: Any) -> None:
        data["stack"][4]["of"] = ["stone", "wisdom"]

    assert told(g, other) == {("SIM-DRAGON-10", "/stack/4/event")}, "the Library gives wisdom alone"


@rule("SIM-DRAGON-27", "SIM-PAY-1")
def test_each_vassal_paid_is_one_event():
    """By the house a Spearman and a Dragonrider; #61 answers the first, #63 the second."""
    price = {"pay": {"fixed": {"spearman": 2, "dragonrider": 1}}, "gain": {"take": {"pp": 1}}}
    house = {"spaces": {"armory": {"effect": price}}}
    held = {"dragons": (61, 62, 63), "markers": ["61-3", "62-3", "63-2"]}
    ann = {**held, "available": {"spearman": 3, "dragonrider": 1}}
    g = game({"ann": ann, "bob": {}}, house=house)
    g.place("spearman", "armory", vassals={"spearman": {"available": 2}, "dragonrider": {"available": 1}})
    assert [f.of for f in g.state.stack[3:]] == [["dragonrider"], ["spearman"], ["spearman"]]
    assert told(g, taken_twice(5)), "three Spearmen were not paid"
    assert told(g, lambda data: data["stack"].pop(3)), "the Dragonrider was"
    g.play("ann", "answer", ability="dragon-61-3").play("ann", "choose-total", tokens={"wood": 2})


@rule("SIM-EFF-2", "SIM-EXPL-15")
def test_what_is_divided_or_moved_stands_at_the_step_that_it_has_come_to():
    held = {"dragons": (55, 61), "markers": ["55-3", "61-2"]}
    ann = {**held, "assigned": {space(43, 2): {"dragonrider": 1}}, "resources": {"weapon": 1}}
    g = game({"ann": {**ann, "available": {"spearman": 1}}, "bob": {}}, wilds=(43,))
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})

    def step(at: int, name: str) -> Callable[[Any], None]:
        return lambda data: data["stack"][at].update(step=name)

    assert [(type(f).__name__, f.step) for f in g.state.stack[2:]] == [
        ("Stride", "answer-move"),
        ("Gain", "next-part"),
        ("Share", "choose"),
    ]
    for wrong in ("reward", "arrive", "end", "answer-price"):
        assert told(g, step(2, wrong)), wrong
    for wrong in ("choose-later", "end", "no-choice", ""):
        assert told(g, step(4, wrong)), wrong
    g.play("ann", "choose-total", tokens={"stone": 2})
    assert [(type(f).__name__, f.step) for f in g.state.stack[2:]] == [
        ("Stride", "arrive"),
        ("Occasion", "answer"),
    ]
    for wrong in ("reward", "answer-move", "end"):
        assert told(g, step(2, wrong)), wrong
