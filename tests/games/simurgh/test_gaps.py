"""States that only free actions in a gap, a step on a step, or a figure of the house bring about: they can exist."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from service.engine.options import options
from service.engine.problems import problems
from service.engine.state import encode
from service.http.wire import Teller
from tests.games.simurgh.table import RULES, Game, game, space, tile

rule = pytest.mark.rule
refusal = pytest.mark.refusal
GAP = {"all": [{"take": {"wood": 1}}, {"choose_one": [{"take": {"wood": 1}}, {"take": {"stone": 1}}]}]}


def told(g: Game, change: Callable[[Any], None]) -> set[tuple[str | None, str]]:
    """Clause and pointer of every problem, once the state has been changed."""
    data = json.loads(encode(g.state))
    change(data)
    return {(p.rule, p.pointer) for p in problems(RULES, RULES.decode(json.dumps(data)))}


def on(where: str, **kinds: int) -> dict[str, Any]:
    return {"available": {"spearman": 1}, "assigned": {where: kinds}}


def begun_again(bob: str = space(43, 1)) -> Game:
    """The rider of #43 has moved and was paid for another one (#63, #51), who has begun the same path."""
    ann = {"dragons": (51, 63), "markers": ["51-2", "63-3"], "resources": {"weapon": 2, "meat": 2, "wood": 2}}
    seats = {"ann": {**ann, **on(space(43, 1), dragonrider=1)}, "bob": on(bob, dragonrider=1)}
    g = game(seats, wilds=(43,)).play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})
    himself = {"vassals": {"dragonrider": {space(43, 2): 1}}}
    g.play("ann", "use-ability", ability="dragon-63-3", cost=himself)
    if g.asked == "ann" and "decline" in g.kinds:
        g.play("ann", "decline")
    return g.play("ann", "use-ability", ability="dragon-51-2", cost={"tokens": {"meat": 2, "wood": 2}})


@rule("SIM-EXPL-4", "SIM-EXPL-16", "SIM-PAY-1")
def test_a_rider_who_moved_may_be_paid_and_another_one_begin_the_same_path():
    g = begun_again().place("dragonrider", space(43, 1), tokens={"weapon": 1})
    assert g.state.stack[1].moved

    def alone(data: Any) -> None:
        bob = data["table"]["seats"]["bob"]
        bob["assigned"] = {"armory": {"dragonrider": 1}}

    assert ("SIM-EXPL-4", "/stack/1/moved") in told(g, alone), "the tile would have gone with the first rider"

    def before(data: Any) -> None:
        data["stack"][1]["step"] = "act"

    assert ("SIM-EXPL-4", "/stack/1/moved") in told(g, before), "only the Main Action puts him there"
    g.end()


@rule("SIM-DRAGON-20", "SIM-EXPL-15")
def test_a_step_may_be_two_levels_further_once_a_step_between_is_over():
    """Level 2 is answered by #60, level 3 by nobody, and level 2 once more, by #59."""
    ann = {"dragons": (59, 60), "markers": ["59-1", "60-1", "59-2"], "resources": {"weapon": 3}}
    g = game({"ann": {**ann, **on(space(43, 1), dragonrider=1)}, "bob": {}}, wilds=(43,))
    weapon = {"cost": {"tokens": {"weapon": 1}}}
    g.play("ann", "move-rider", tile=tile(43), **weapon)
    g.play("ann", "move-again", ability="dragon-60-1", **weapon)
    while "choose-total" in g.kinds:
        g.play("ann", "choose-total", tokens=g.options("ann", "choose-total")[0]["tokens"])
    g.play("ann", "decline")
    g.play("ann", "move-again", ability="dragon-59-1", **weapon)
    strides = [i for i, f in enumerate(g.state.stack) if type(f).__name__ == "Stride"]
    assert [g.state.stack[i].level for i in strides] == [2, 4]

    def level(n: int) -> Callable[[Any], None]:
        return lambda data: data["stack"][strides[0]].update(level=n)

    assert ("SIM-DRAGON-20", f"/stack/{strides[0]}/level") in told(g, level(3)), "two answers, one level"

    def once(data: Any) -> None:
        data["stack"][strides[0] + 1]["used"] = ["dragon-59-1"]

    assert ("SIM-DRAGON-20", f"/stack/{strides[0]}/level") in told(g, once), "one answer, two levels"


@refusal("SIM-PAY-4", "SIM-DRAGON-9")
@rule("SIM-EXPL-15")
def test_the_rider_whose_level_is_being_resolved_does_not_pay_in_the_gap_of_its_reward():
    """#44, level 4: seven points, then five of vegetables and meat; #63, third, would be paid with him."""
    ann = {
        "dragons": (63, 67),
        "markers": ["63-3", "67-1"],
        "resources": {"wisdom": 1, "wood": 1, "stone": 1},
    }
    seats = {"ann": {**ann, **on(space(44, 3), dragonrider=1)}, "bob": on(space(44, 1), dragonrider=1)}
    g = game(seats, wilds=(44,))
    g.play("ann", "move-rider", tile=tile(44), cost={"tokens": {"wisdom": 1, "wood": 1, "stone": 1}})
    assert g.kinds == ("choose-total",)
    himself = {"vassals": {"dragonrider": {space(44, 4): 1}}}
    refused = g.refused("ann", "use-ability", ability="dragon-63-3", cost=himself)
    assert set(refused) == {"SIM-PAY-4", "SIM-DRAGON-9"}, "there is no other"
    assert "dragon-63-3" not in {o["ability"] for o in g.options("ann", "use-ability")}

    def gone(data: Any) -> None:
        ann = data["table"]["seats"]["ann"]
        ann["inactive"]["dragonrider"] += 1
        del ann["assigned"][space(44, 4)]

    assert told(g, gone) == {("SIM-EXPL-4", "/stack/2/level")}
    g.play("ann", "choose-total", tokens={"meat": 5})


@refusal("SIM-EFF-5")
@rule("SIM-DRAGON-25", "SIM-DRAGON-20")
def test_the_marker_of_the_step_does_not_pay_for_the_step():
    """By the house a step down #43 costs a marker."""
    house = {"tiles": {tile(43): {"move_cost": {"fixed": {"marker": 1}}}}}

    def moved(*markers: str) -> Game:
        ann = {"dragons": (65,), "markers": markers, **on(space(43, 1), dragonrider=1)}
        g = game({"ann": ann, "bob": {}}, wilds=(43,), house=house)
        return g.play("ann", "move-rider", tile=tile(43), cost={"markers": {"dragon-65-2": 1}})

    assert moved("65-1", "65-2").kinds[0] != "move-again", "nothing is left to pay with"
    assert "move-again" not in moved("65-1", "65-2").kinds
    g = moved("65-1", "65-2", "65-3")
    own = {"markers": {"dragon-65-1": 1}}
    assert set(g.refused("ann", "move-again", ability="dragon-65-1", cost=own)) == {"SIM-EFF-5"}
    assert [o["cost"] for o in g.options("ann", "move-again")] == [{"markers": {"dragon-65-3": 1}}]
    g.play("ann", "move-again", ability="dragon-65-1", cost={"markers": {"dragon-65-3": 1}})
    assert g["ann"].markers == {}


@rule("SIM-TURN-11", "SIM-EFF-8")
def test_an_ability_may_be_used_in_the_gap_of_a_later_choice():
    """By the house the Armory gives meat, then wood or stone; #49, first, leaves a choice of its own."""
    either = {"choose_one": [{"take": {"wood": 1}}, {"take": {"stone": 1}}]}
    house = {"spaces": {"armory": {"effect": {"all": [{"take": {"meat": 1}}, either]}}}}
    g = game({"ann": {"dragons": (49,), "markers": ["49-1"]}, "bob": {}}, house=house)
    g.place("spearman", "armory").play("ann", "use-ability", ability="dragon-49-1", cost={})
    gain = g.state.stack[4]
    assert (gain.source, gain.branch) == ("dragon-49-1", [])

    def of(**fields: Any) -> Callable[[Any], None]:
        return lambda data: data["stack"][4].update(fields)

    assert told(g, of(source="dragon-50-1")) == {("SIM-DRAGON-9", "/stack/4/source")}
    assert told(g, of(quiet=True)) == {("SIM-DRAGON-11", "/stack/4/quiet")}


@rule("SIM-DRAGON-10", "SIM-DRAGON-4")
def test_an_ability_that_has_answered_may_have_a_marker_again_where_an_answer_gave_one():
    """By the house the second ability of #63 gives a marker when a weapon is taken."""
    given = {"trigger": {"on": "take", "of": ["weapon"]}, "effect": {"take": {"marker": 1}}}
    markers = ["63-1", "63-2", "64-1", "49-1", "49-3"]
    ann = {"dragons": (63, 64, 49), "markers": markers}
    g = game({"ann": ann, "bob": {}}, house={"abilities": {"dragon-63-2": given}}).place("spearman", "armory")
    g.play("ann", "answer", ability="dragon-63-1").play("ann", "answer", ability="dragon-63-2")
    g.play("ann", "place-marker", ability="dragon-63-1")
    event = next(i for i, f in enumerate(g.state.stack) if type(f).__name__ == "Occasion")

    def order(*used: str) -> Callable[[Any], None]:
        return lambda data: data["stack"][event].update(used=list(used))

    wrong = {("SIM-DRAGON-4", f"/stack/{event}/used/1")}
    assert told(g, order("dragon-63-2", "dragon-63-1")) == wrong, "the marker came before"
    assert told(g, order("dragon-63-1")) == {("SIM-DRAGON-4", f"/stack/{event}/used/0")}


# -- where no free action is possible ---------------------------------------------------------------------------

EITHER = {"choose_one": [{"take": {"stone": 1}}, {"take": {"meat": 1}}]}
LATER = {"all": [{"take": {"stone": 1}}, EITHER]}
DIVIDED = {"all": [{"take": {"stone": 1}}, {"choose_total": 1, "of": ["stone", "meat"]}]}
AT_HOME = {"vassals": {"spearman": {"available": 1}}}


def closed(g: Game, ability: str, **cost: Any) -> Game:
    """The answer asks for its choice alone: no free action is offered, told or accepted; the choice goes on."""
    (kind,) = g.kinds
    assert {o.filled()["kind"] for o in options(g.table, "ann")} == {kind}
    assert set(g.refused("ann", "use-ability", ability=ability, cost=cost)) == {"SIM-TURN-11"}
    return g.play("ann", kind, **({"branch": 0} if kind == "choose-one" else {"tokens": {"meat": 1}}))


@refusal("SIM-TURN-11")
@rule("SIM-TILE-6", "SIM-TILE-7", "SIM-TURN-11")
@pytest.mark.parametrize("answer", [LATER, DIVIDED])
def test_nothing_comes_between_the_income_of_a_tile_and_its_vassal(answer: dict[str, Any]):
    """By the house #57 answers wood with a gain in two parts; #63 would pay a rider, and a tile left empty goes."""
    house = {"abilities": {"dragon-57-1": {"trigger": {"on": "take", "of": ["wood"]}, "effect": answer}}}
    g = game(
        {"ann": {"dragons": (57, 63), "markers": ["57-1", "63-3"], "hand": (8,)}, "bob": {}}, house=house
    )
    g.play("ann", "place-tile", tile=tile(8), wilds="wilds-1", income=0)
    g.play("ann", "answer", ability="dragon-57-1")
    closed(g, "dragon-63-3", vassals={"dragonrider": {"available": 1}})
    assert g.kinds == ("place-vassal",)
    assert g.board.wilds["wilds-1"] == tile(8)
    g.place("spearman", g.options("ann", "place-vassal")[0]["space"])


@refusal("SIM-TURN-11")
@rule("SIM-TILE-8", "SIM-EFF-7")
def test_the_last_dragon_is_not_drawn_while_a_laid_tile_needs_it():
    draw = {"draw_dragons": 2, "keep": 1, "markers": 0}
    house = {
        "spaces": {space(13, i): {"effect": draw} for i in (1, 2, 3, 4)},
        "abilities": {
            "dragon-57-1": {"trigger": {"on": "take", "of": ["wood"]}, "effect": LATER},
            "dragon-53-1": {"effect": draw},
        },
    }
    others = [d for d in range(49, 73) if d not in (57, 53)]
    ann = {"dragons": (57, 53), "markers": ["57-1", "53-1"], "hand": (13,)}
    g = game({"ann": ann, "bob": {"dragons": others[1:]}}, house=house)
    g.play("ann", "place-tile", tile=tile(13), wilds="wilds-1", income=0)
    closed(g.play("ann", "answer", ability="dragon-57-1"), "dragon-53-1")
    g.place("spearman", space(13))
    assert len(g["ann"].dragons) == 3


@refusal("SIM-TURN-11")
@rule("SIM-DRAGON-27", "SIM-EXPL-15")
@pytest.mark.parametrize("answer", [LATER, DIVIDED])
def test_nothing_comes_between_the_price_of_a_step_and_its_reward(answer: dict[str, Any]):
    """By the house a step costs a Spearman, the level gives a rider, and #61 answers with a gain in two parts."""
    house = {
        "tiles": {tile(43): {"move_cost": {"fixed": {"spearman": 1}}}},
        "levels": {space(43, 2): {"effect": {"take": {"dragonrider": 1}}}},
        "abilities": {"dragon-61-3": {"effect": answer}},
    }
    ann = {"dragons": (61, 53), "markers": ["61-3", "53-3"], "resources": {"meat": 4}}
    ann |= {"available": {"spearman": 2}, "assigned": {space(43, 1): {"dragonrider": 1}}}
    g = game({"ann": ann, "bob": on(space(43, 1), dragonrider=1)}, wilds=(43,), house=house)
    g.play("ann", "move-rider", tile=tile(43), cost=AT_HOME).play("ann", "answer", ability="dragon-61-3")
    closed(g, "dragon-53-3", tokens={"meat": 4})
    assert g["ann"].available == {"spearman": 1, "dragonrider": 1}


@refusal("SIM-TURN-11")
@rule("SIM-SCOUT-4", "SIM-SCOUT-5", "SIM-DRAGON-27")
def test_nothing_comes_between_the_price_of_a_tile_and_the_tile():
    """By the house the deck costs a Spearman; #67 would draw its last tile."""
    house = {
        "display": {"deck": {"price": {"fixed": {"spearman": 1}}}},
        "abilities": {"dragon-61-3": {"effect": LATER}},
    }
    ann = {"dragons": (61, 67), "markers": ["61-3", "67-2"]}
    ann |= {"available": {"spearman": 3}, "resources": {"wisdom": 1}}
    g = game({"ann": ann, "bob": {}}, house=house, empty=("tiles",), deck=(5,))
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    g.play("ann", "acquire-tile", place="deck", cost=AT_HOME).play("ann", "answer", ability="dragon-61-3")
    closed(g, "dragon-67-2", tokens={"wisdom": 1})
    assert tile(5) in g["ann"].hand


@rule("SIM-TURN-11", "SIM-DRAGON-11")
def test_a_free_action_is_possible_in_the_gap_of_an_answer_to_a_gain():
    """At a trigger it is: the wood has come, and nothing is paid for and still due."""
    house = {
        "spaces": {"armory": {"effect": {"take": {"wood": 1}}}},
        "abilities": {"dragon-57-1": {"trigger": {"on": "take", "of": ["wood"]}, "effect": LATER}},
    }
    g = game({"ann": {"dragons": (57, 49), "markers": ["57-1", "49-1"]}, "bob": {}}, house=house)
    g.place("spearman", "armory").play("ann", "answer", ability="dragon-57-1")
    assert [o["ability"] for o in g.options("ann", "use-ability")] == ["dragon-49-1"]
    g.play("ann", "use-ability", ability="dragon-49-1", cost={})


@refusal("SIM-TILE-8")
@rule("SIM-TURN-11")
def test_what_a_free_action_would_bring_between_income_and_vassal_lets_nobody_lay_a_tile():
    """By the house the tile asks for a weapon that only an ability gives; its moment never is before the vassal."""
    priced = {"pay": {"fixed": {"weapon": 1}}, "gain": {"take": {"pp": 1}}}
    house = {
        "spaces": {space(13, i): {"effect": priced} for i in (1, 2, 3, 4)},
        "abilities": {
            "dragon-57-1": {"trigger": {"on": "take", "of": ["wood"]}, "effect": LATER},
            "dragon-53-1": {"effect": {"take": {"weapon": 1}}},
        },
    }
    g = game(
        {"ann": {"dragons": (57, 53), "markers": ["57-1", "53-1"], "hand": (13,)}, "bob": {}}, house=house
    )
    lay = {"tile": tile(13), "wilds": "wilds-1", "income": 0}
    assert set(g.refused("ann", "place-tile", **lay)) == {"SIM-TILE-8"}
    g.play("ann", "use-ability", ability="dragon-53-1", cost={}).play("ann", "place-tile", **lay)


@rule("SIM-TURN-11", "SIM-SCOUT-1")
@refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_in_the_gap_of_an_answer_to_what_the_scouts_give_first_they_are_already_due():
    """The one weapon buys a tile of the display: it may not fetch one before the Scouts ask (#57, third)."""
    house = {
        "abilities": {"dragon-71-2": {"trigger": {"on": "take", "of": ["stone", "wood"]}, "effect": GAP}},
        "display": {f"display-{n}": {"price": {"fixed": {"weapon": 1}}} for n in (1, 2, 3, 4)},
    }
    ann = {"dragons": (71, 57), "markers": ["71-2", "57-3"], "resources": {"weapon": 1}}
    g = game({"ann": ann, "bob": {}}, house=house).place("spearman", "scouts-quarter")
    g.play("ann", "choose-one", branch=0).play("ann", "answer", ability="dragon-71-2")
    fetch = {"ability": "dragon-57-3", "place": "display-1", "cost": {"tokens": {"weapon": 1}}}
    refused = g.refused("ann", "fetch-tile", **fetch)
    assert set(refused) == {"SIM-PLACE-5", "SIM-SCOUT-6"}
    assert refused["SIM-SCOUT-6"].facts == {"begun": "scouts-quarter"}
    assert g.options("ann", "fetch-tile") == []
    for language, said in (
        ("en", "Scouts' Quarter: after that no tile of the display or the deck could be acquired any more."),
        ("cs", "Čtvrť zvědů: žádnou kartu z nabídky ani z balíčku by pak už nebylo možné získat."),
    ):
        told = Teller(RULES, language, g.state.seats).violation(refused["SIM-SCOUT-6"])["message"]
        assert told.casefold() == said.casefold()
