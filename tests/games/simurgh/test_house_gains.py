"""Gains of the house that must be received in full: several draws of dragons, vassals by a branch or a way to pay."""

from __future__ import annotations

from typing import Any

import pytest

from service.http.wire import Teller
from tests.games.simurgh.table import RULES, Game, game, space, tile

rule, refusal = pytest.mark.rule, pytest.mark.refusal
DRAW = {"draw_dragons": 2, "keep": 1, "markers": 0}
POINT, WEAPON, SPEARMAN = {"take": {"pp": 1}}, {"take": {"weapon": 1}}, {"take": {"spearman": 1}}
RIDER = {"take": {"dragonrider": 1}}
HOME = {"vassals": {"spearman": {"available": 1}}}


def with_dragons(left: int, house: dict[str, Any], ann: dict[str, Any] | None = None, **board: Any) -> Game:
    """So many dragons are in the deck; the second player has the others."""
    ann = {"dragons": (49, 53), **(ann or {})}
    others = [n for n in range(49, 73) if n not in ann["dragons"]]
    return game({"ann": ann, "bob": {"dragons": others[left:]}}, house=house, **board)


def drawn(g: Game) -> Game:
    """All draws are made: the first dragon is kept, the others go to the bottom."""
    while g.kinds[0] in ("keep-dragon", "return-tiles"):
        if g.kinds == ("keep-dragon",):
            g.play("ann", "keep-dragon", dragon=min(g["ann"].looked_at))
        else:
            g.play("ann", "return-tiles", end="bottom", order=sorted(g["ann"].looked_at))
    return g


# -- draws ------------------------------------------------------------------------------------------------------

TWO = [
    {"all": [DRAW, DRAW]},
    {"all": [{"all": [DRAW, POINT]}, DRAW]},
    {"all": [DRAW, {"all": [POINT, DRAW]}]},
    {"all": [{"choose_one": [DRAW, DRAW]}, DRAW]},
    {"choose_one": [{"all": [DRAW, DRAW]}, {"all": [DRAW, {"all": [POINT, DRAW]}]}]},
    {"pay": {"fixed": {"wood": 1}}, "gain": {"all": [DRAW, DRAW]}},
]


@rule("SIM-EFF-6", "SIM-EFF-7", "SIM-EFF-8", "SIM-PLACE-5")
@refusal("SIM-EFF-7", "SIM-DRAGON-9")
@pytest.mark.parametrize("effect", TWO)
def test_every_draw_of_a_gain_needs_a_dragon_of_its_own(effect: dict[str, Any]):
    """A draw takes one for good, so two of them need two: with one left neither space nor ability can be used."""
    house = {"spaces": {"armory": {"effect": effect}}, "abilities": {"dragon-49-1": {"effect": effect}}}
    ann = {"markers": ["49-1"], "resources": {"wood": 1}}
    paid = {"tokens": {"wood": 1}} if "pay" in effect else {}
    for left in (0, 1):
        g = with_dragons(left, house, ann)
        assert set(g.not_placed("spearman", "armory", **paid)) == {"SIM-EFF-7"}
        assert set(g.refused("ann", "use-ability", ability="dragon-49-1", cost=paid)) == {
            "SIM-DRAGON-9",
            "SIM-EFF-7",
        }
    g = with_dragons(2, house, ann).place("spearman", "armory", **paid)
    if g.kinds == ("choose-one",):
        g.play("ann", "choose-one", branch=0)
    assert len(drawn(g)["ann"].dragons) == 4
    assert g.board.dragons.size == 0


@rule("SIM-EFF-7", "SIM-EXPL-4")
@refusal("SIM-EFF-7")
def test_a_level_with_two_draws_needs_two_dragons():
    house = {"levels": {f"{tile(43)}-2": {"effect": {"all": [DRAW, DRAW]}}}}
    ann = {"available": {"spearman": 1}, "assigned": {space(43, 1): {"dragonrider": 1}}}
    ann |= {"resources": {"weapon": 1}}
    wire = {"tile": tile(43), "cost": {"tokens": {"weapon": 1}}}
    g = with_dragons(1, house, ann, wilds=(43,))
    assert set(g.refused("ann", "move-rider", **wire)) == {"SIM-EFF-7"}
    g = with_dragons(2, house, ann, wilds=(43,)).play("ann", "move-rider", **wire)
    assert len(drawn(g)["ann"].dragons) == 4


@rule("SIM-EFF-3", "SIM-EFF-8")
@refusal("SIM-EFF-7")
def test_a_branch_leaves_the_dragon_that_a_later_draw_needs():
    house = {"spaces": {"armory": {"effect": {"all": [{"choose_one": [DRAW, POINT]}, DRAW]}}}}
    g = with_dragons(1, house).place("spearman", "armory")
    assert set(g.refused("ann", "choose-one", branch=0)) == {"SIM-EFF-7"}
    assert [o["branch"] for o in g.options("ann", "choose-one")] == [1]
    g.play("ann", "choose-one", branch=1)
    assert (g["ann"].pp, len(g["ann"].dragons)) == (1, 3)
    g = with_dragons(2, house).place("spearman", "armory").play("ann", "choose-one", branch=0)
    assert len(drawn(g)["ann"].dragons) == 4


@rule("SIM-TURN-11", "SIM-EFF-7")
@refusal("SIM-DRAGON-9", "SIM-EFF-7")
def test_a_free_action_in_a_gap_leaves_the_dragon_that_a_later_draw_needs():
    """Between the total and the draw an ability could draw, and so could the last level of #39."""
    later = {"all": [{"all": [POINT, {"choose_total": 1, "of": ["wood", "stone"]}]}, DRAW]}
    house = {"spaces": {"armory": {"effect": later}}, "abilities": {"dragon-49-1": {"effect": DRAW}}}
    ann = {
        "markers": ["49-1"],
        "resources": {"stone": 3},
        "available": {"spearman": 1},
        "assigned": {space(39, 3): {"dragonrider": 1}},
    }
    move = {"tile": tile(39), "cost": {"tokens": {"stone": 3}}}
    g = with_dragons(1, house, ann, wilds=(39,)).place("spearman", "armory")
    assert set(g.refused("ann", "use-ability", ability="dragon-49-1", cost={})) == {
        "SIM-DRAGON-9",
        "SIM-EFF-7",
    }
    assert set(g.refused("ann", "move-rider", **move)) == {"SIM-EFF-7"}
    g.play("ann", "choose-total", tokens={"wood": 1})
    assert (len(g["ann"].dragons), g.kinds) == (3, ("end-turn",))
    g = with_dragons(2, house, ann, wilds=(39,)).place("spearman", "armory")
    drawn(g.play("ann", "use-ability", ability="dragon-49-1", cost={}))
    assert set(g.refused("ann", "move-rider", **move)) == {"SIM-EFF-7"}, "the last one is needed"
    g.play("ann", "choose-total", tokens={"wood": 1})
    assert len(g["ann"].dragons) == 4


@rule("SIM-SCOUT-6", "SIM-EFF-7")
@refusal("SIM-SCOUT-6")
@pytest.mark.parametrize(
    "abilities",
    [
        {"dragon-49-1": {"all": [{"all": [DRAW, DRAW]}, {"take": {"weapon": 1, "wisdom": 1}}]}},
        {"dragon-49-1": {"all": [DRAW, {"take": {"wisdom": 1}}]}, "dragon-53-1": {"all": [DRAW, WEAPON]}},
    ],
)
def test_looking_ahead_counts_the_dragons_that_are_drawn_on_the_way(abilities: dict[str, Any]):
    """A wisdom and a weapon for the one tile on offer come with two draws: by one ability, or by two."""
    house = {"abilities": {a: {"effect": effect} for a, effect in abilities.items()}}
    ann = {"markers": [a.removeprefix("dragon-") for a in abilities], "available": {"spearman": 1}}
    board = {"display": (None, None, 13, None), "empty": ("tiles",), "wilds": (1, 2)}
    bob = {"available": {}, "assigned": {space(1): {"spearman": 1}, space(2): {"dragonrider": 1}}}
    others = [n for n in range(50, 73) if n != 53]

    def scouts(left: int) -> Game:
        seats = {
            "ann": {"dragons": (49, 53), **ann},
            "bob": {"dragons": others[left + 1 :], **bob},
            "cyd": {"dragons": others[:1]},
        }
        return game(seats, house=house, **board)

    assert set(scouts(1).not_placed("spearman", "scouts-quarter")) == {"SIM-SCOUT-6"}
    g = scouts(2).place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    for a in abilities:
        drawn(g.play("ann", "use-ability", ability=a, cost={}))
    g.play("ann", "acquire-tile", place="display-3", cost={"tokens": {"wisdom": 1, "weapon": 1}})
    assert tile(13) in g["ann"].hand


# -- vassals ----------------------------------------------------------------------------------------------------


@rule("SIM-EFF-3", "SIM-PLACE-5")
@refusal("SIM-PLACE-5")
def test_two_branches_may_give_a_vassal_of_the_same_kind():
    """Of a choice one branch comes, so a Spearman comes at most once."""
    either = {"choose_one": [{"take": {"spearman": 1, "pp": 1}}, {"take": {"spearman": 1, "wood": 2}}]}
    house = {"spaces": {"armory": {"effect": either}}}
    g = game({"ann": {"available": {"spearman": 2}}, "bob": {}}, house=house).place("spearman", "armory")
    g.play("ann", "choose-one", branch=1)
    assert (g["ann"].available, g["ann"].resources) == ({"spearman": 2}, {"wood": 2})
    g = game({"ann": {"available": {"spearman": 3}}, "bob": {}}, house=house)
    assert set(g.not_placed("spearman", "armory")) == {"SIM-PLACE-5", "SIM-COMP-3"}


@rule("SIM-EXPL-4", "SIM-DRAGON-20")
@refusal("SIM-PLACE-5", "SIM-COMP-3")
def test_a_level_that_gives_a_vassal_is_refused_by_the_clause_of_vassals():
    """No dragon is drawn there: by the house the levels of #43 give a rider, and both are in play."""
    rider = {"take": {"dragonrider": 1}}
    house = {"levels": {space(43, 2): {"effect": rider}}}
    ann = {"available": {"spearman": 1, "dragonrider": 1}, "assigned": {space(43, 1): {"dragonrider": 1}}}
    ann |= {"resources": {"weapon": 2}}
    step = {"cost": {"tokens": {"weapon": 1}}}
    g = game({"ann": ann, "bob": {}}, wilds=(43,), house=house)
    assert set(g.refused("ann", "move-rider", tile=tile(43), **step)) == {"SIM-PLACE-5", "SIM-COMP-3"}
    ann |= {"dragons": (59,), "markers": ["59-1"]}
    g = game({"ann": ann, "bob": {}}, wilds=(43,), house={"levels": {space(43, 3): {"effect": rider}}})
    g.play("ann", "move-rider", tile=tile(43), **step)
    assert g.kinds != ("answer", "move-again", "decline"), "there is no step that could answer"


@rule("SIM-EFF-3")
@refusal("SIM-EFF-7")
def test_a_branch_that_would_draw_from_an_empty_deck_is_refused_by_the_clause_of_draws():
    house = {"spaces": {"armory": {"effect": {"choose_one": [DRAW, POINT]}}}}
    g = with_dragons(0, house).place("spearman", "armory")
    assert set(g.refused("ann", "choose-one", branch=0)) == {"SIM-EFF-7"}
    g.play("ann", "choose-one", branch=1)


RECRUIT = {
    "pay": {"choose_one": [{"fixed": {"spearman": 1}}, {"fixed": {"wood": 3}}]},
    "gain": {"take": {"spearman": 1, "pp": 5}},
}


@rule("SIM-PLACE-5", "SIM-COMP-3", "SIM-PAY-1")
@pytest.mark.parametrize(
    "where",
    [
        pytest.param("armory", marks=refusal("SIM-PLACE-5", "SIM-COMP-3")),
        pytest.param("dragon-49-1", marks=refusal("SIM-DRAGON-9", "SIM-COMP-3")),
    ],
)
def test_whether_a_vassal_is_left_to_come_depends_on_the_way_that_is_paid(where: str):
    """All three are in play: who pays with a Spearman gets one back, who pays with wood would have a fourth."""
    kind, clause = ("spaces", "SIM-PLACE-5") if where == "armory" else ("abilities", "SIM-DRAGON-9")
    wire: dict[str, Any] = (
        {"ability": where} if kind == "abilities" else {"vassal": "spearman", "space": where}
    )
    name = "use-ability" if kind == "abilities" else "place-vassal"

    def table(spearmen: int, wood: int) -> Game:
        ann = {"available": {"spearman": spearmen}, "resources": {"wood": wood} if wood else {}}
        seats = {"ann": {"dragons": (49,), "markers": ["49-1"], **ann}, "bob": {}}
        return game(seats, house={kind: {where: {"effect": RECRUIT}}})

    wood = {"tokens": {"wood": 3}}
    g = table(3, 3)
    refused = g.refused("ann", name, cost=wood, **wire)
    assert set(refused) == {clause, "SIM-COMP-3"}
    assert refused[clause].facts == {"spent": {"wood": 3}}
    for language, said in (
        ("en", "Once 3 wood is paid, not all of the gain can be received."),
        ("cs", "nelze obdržet celý zisk."),
    ):
        told = Teller(RULES, language, g.state.seats).violation(refused[clause])["message"]
        assert told.endswith(said)
    assert [o["cost"] for o in g.options("ann", name) if where in o.values()] == [HOME]
    assert table(3, 0).play("ann", name, cost=HOME, **wire)["ann"].pp == 5
    assert table(2, 3).play("ann", name, cost=wood, **wire)["ann"].pp == 5
    assert table(2, 3).play("ann", name, cost=HOME, **wire)["ann"].pp == 5


@rule("SIM-PLACE-5", "SIM-EXPL-4")
@refusal("SIM-EXPL-4", "SIM-COMP-3")
def test_so_does_the_reward_of_a_step():
    house = {
        "tiles": {tile(43): {"move_cost": RECRUIT["pay"]}},
        "levels": {f"{tile(43)}-2": {"effect": RECRUIT["gain"]}},
    }
    ann = {"available": {"spearman": 3}, "resources": {"wood": 3}}
    ann |= {"assigned": {space(43, 1): {"dragonrider": 1}}}
    g = game({"ann": ann, "bob": {}}, wilds=(43,), house=house)
    refused = g.refused("ann", "move-rider", tile=tile(43), cost={"tokens": {"wood": 3}})
    assert set(refused) == {"SIM-EXPL-4", "SIM-COMP-3"}
    g.play("ann", "move-rider", tile=tile(43), cost=HOME)
    assert (g["ann"].available, g["ann"].pp) == ({"spearman": 3}, 5)


BOTH = {"SIM-PLACE-5", "SIM-COMP-3", "SIM-EFF-7"}


@rule("SIM-PLACE-5", "SIM-EFF-8", "SIM-DRAGON-20")
@refusal("SIM-PLACE-5", "SIM-COMP-3", "SIM-EFF-7", "SIM-DRAGON-9")
@pytest.mark.parametrize("effect", [{"all": [DRAW, RIDER]}, {"all": [RIDER, DRAW]}])
def test_a_gain_of_which_nothing_is_there_breaks_every_clause(effect: dict[str, Any]):
    """Neither a dragon nor a rider is left, in whichever order they would come, and whatever would give them."""
    house = {
        "spaces": {"armory": {"effect": effect}},
        "levels": {space(43, 2): {"effect": effect}},
        "abilities": {"dragon-49-1": {"effect": effect}},
    }
    ann = {
        "available": {"spearman": 1, "dragonrider": 1},
        "assigned": {space(43, 1): {"dragonrider": 1}},
        "resources": {"weapon": 1},
        "markers": ["49-1"],
    }
    step = {"tile": tile(43), "cost": {"tokens": {"weapon": 1}}}
    use = {"ability": "dragon-49-1", "cost": {}}
    g = with_dragons(0, house, ann, wilds=(43,))
    assert set(g.not_placed("spearman", "armory")) == BOTH
    assert set(g.refused("ann", "move-rider", **step)) == BOTH
    assert set(g.refused("ann", "use-ability", **use)) == {"SIM-DRAGON-9", "SIM-COMP-3", "SIM-EFF-7"}
    g = with_dragons(1, house, ann, wilds=(43,))
    assert set(g.not_placed("spearman", "armory")) == {"SIM-PLACE-5", "SIM-COMP-3"}
    g = with_dragons(0, house, {**ann, "available": {"spearman": 1}}, wilds=(43,))
    assert set(g.refused("ann", "move-rider", **step)) == {"SIM-EFF-7"}


@rule("SIM-EFF-3", "SIM-PLACE-5")
@refusal("SIM-PLACE-5", "SIM-COMP-3", "SIM-EFF-7")
def test_a_choice_without_an_open_branch_breaks_what_closes_each_of_them():
    """What all branches lack is the reason; where each lacks something else, all of it is."""
    ann = {"available": {"spearman": 1, "dragonrider": 2}}

    def refused(*branches: dict[str, Any]) -> set[str]:
        g = with_dragons(0, {"spaces": {"armory": {"effect": {"choose_one": [*branches]}}}}, ann)
        return set(g.not_placed("spearman", "armory"))

    assert refused(RIDER, DRAW) == BOTH
    assert refused({"all": [DRAW, RIDER]}, DRAW) == {"SIM-EFF-7"}
    assert refused(RIDER, {"all": [RIDER, DRAW]}) == {"SIM-PLACE-5", "SIM-COMP-3"}


@rule("SIM-EFF-3")
@refusal("SIM-PLACE-5", "SIM-COMP-3", "SIM-EFF-7")
def test_a_branch_breaks_the_clause_of_each_thing_that_it_lacks_and_says_so():
    branches = [RIDER, POINT, {"all": [DRAW, RIDER]}]
    ann = {"available": {"spearman": 1, "dragonrider": 2}}
    g = with_dragons(0, {"spaces": {"armory": {"effect": {"choose_one": branches}}}}, ann)
    g.place("spearman", "armory")
    refused = g.refused("ann", "choose-one", branch=0)
    assert set(refused) == {"SIM-PLACE-5", "SIM-COMP-3"}
    for language, said in (
        ("en", "With this choice vassals have to come of whom not enough are left: Dragonrider."),
        ("cs", "Při této volbě by měli přibýt poddaní, jakých už v zásobě není dost: dračí jezdec."),
    ):
        assert Teller(RULES, language, g.state.seats).violation(refused["SIM-PLACE-5"])["message"] == said
    assert set(g.refused("ann", "choose-one", branch=2)) == BOTH


@rule("SIM-EFF-7", "SIM-PLACE-5", "SIM-COMP-3")
@refusal("SIM-PLACE-5", "SIM-COMP-3", "SIM-EFF-7")
def test_a_way_to_pay_after_which_two_things_are_lacking_breaks_the_clause_of_both():
    """Whoever pays with a Spearman has him back; whoever pays with wood would need a fourth, or a dragon."""
    gain = {"choose_one": [{"take": {"spearman": 1}}, DRAW]}
    house = {"spaces": {"armory": {"effect": {"pay": RECRUIT["pay"], "gain": gain}}}}
    ann = {"available": {"spearman": 3}, "resources": {"wood": 3}}
    refused = with_dragons(0, house, ann).not_placed("spearman", "armory", tokens={"wood": 3})
    assert set(refused) == BOTH
    assert all(v.about == ("/cost",) and v.facts == {"spent": {"wood": 3}} for v in refused.values())
