"""Illegal attempts, each with the clauses that it breaks."""

import pytest

from service.games.simurgh.v1 import RULES
from service.http.wire import Teller
from tests.games.simurgh.table import PLENTY, fresh, game, schema_faults, space, tile

rule = pytest.mark.rule
refusal = pytest.mark.refusal
ABILITY = {"available": {"dragonrider": 1, "spearman": 1}, "resources": PLENTY, "pp": 5}


def on(where, **kinds):
    return {"assigned": {where: kinds}}


# -- spaces -----------------------------------------------------------------------------------------------------


@refusal("SIM-PLACE-1")
@pytest.mark.parametrize("owner", ["ann", "bob"])
def test_a_second_vassal_on_a_single_space_is_refused_whoever_stands_there(owner):
    g = game({"ann": {}, "bob": {}} | {owner: {"available": {"spearman": 1}, **on("library", dragonrider=1)}})
    assert set(g.not_placed("spearman", "library")) == {"SIM-PLACE-1"}


@refusal("SIM-PLACE-4")
@pytest.mark.parametrize("where", ["dragon-towers", "builders-square", "hatchery", "statue"])
def test_a_spearman_on_a_dragonrider_space_is_refused(where):
    g = game({"ann": {"resources": PLENTY}, "bob": {}})
    tokens = {
        "builders-square": {"stone": 2},
        "hatchery": dict.fromkeys(("vegetable", "meat", "wood", "stone", "weapon"), 1),
    }
    cost = {"tokens": tokens[where]} if where in tokens else {}
    assert set(g.not_placed("spearman", where, **cost)) == {"SIM-PLACE-4"}


@refusal("SIM-PLACE-4")
def test_a_spearman_on_a_dragonrider_space_of_a_tile_is_refused():
    g = game({"ann": {}, "bob": on(space(9, 4), spearman=1)}, wilds=(9,))
    assert set(g.not_placed("spearman", space(9, 3))) == {"SIM-PLACE-4"}
    g.place("dragonrider", space(9, 3))


@refusal("SIM-EXPL-13")
def test_a_spearman_on_an_exploration_tile_is_refused():
    g = game({"ann": {"resources": {"wisdom": 2}}, "bob": on(space(37), dragonrider=1)}, wilds=(37,))
    assert set(g.not_placed("spearman", space(37), tokens={"wisdom": 2})) == {"SIM-EXPL-13"}


@refusal("SIM-PLACE-5", "SIM-EFF-4")
@rule("SIM-DEC-20", "SIM-DEC-4")
def test_an_exchange_without_the_full_cost_is_refused_with_what_is_missing():
    g = game({"ann": {"resources": {"wood": 1}}, "bob": {}})
    refused = g.not_placed("spearman", "forge", tokens={"wood": 1, "stone": 1})
    assert set(refused) == {"SIM-PLACE-5"}
    assert refused["SIM-PLACE-5"].about == ("/cost/tokens/stone",)
    assert refused["SIM-PLACE-5"].facts == {"what": "stone", "needs": 1, "has": 0}
    for tokens, offered in (({}, {}), ({"tokens": {"wood": 1}}, {"wood": 1})):
        refused = g.not_placed("spearman", "forge", **tokens)
        assert set(refused) == {"SIM-PLACE-5"}, "less is offered, but all of it could not be"
        assert refused["SIM-PLACE-5"].about == ("/cost",)
        assert refused["SIM-PLACE-5"].facts["paid"] == offered
        for language, said in (
            ("en", "The price is 1 stone and 1 wood; not all of it is at hand."),
            ("cs", "; všechno k dispozici není."),
        ):
            told = Teller(RULES, language, g.state.seats).violation(refused["SIM-PLACE-5"])["message"]
            assert told.endswith(said)
    assert not [o for o in g.options("ann", "place-vassal") if o["space"] == "forge"]
    rich = game({"ann": {"resources": {"wood": 1, "stone": 1}}, "bob": {}})
    for tokens in ({}, {"wood": 1}):
        assert set(rich.not_placed("spearman", "forge", tokens=tokens)) == {"SIM-EFF-4"}, "it could be paid"


def told(g, violation, language="en"):
    """The sentence of a violation."""
    return Teller(RULES, language, g.state.seats).violation(violation)["message"]


@refusal("SIM-EFF-4")
@pytest.mark.parametrize(
    ("cost", "clause", "facts", "said"),
    [
        (
            {"tokens": {"meat": 1}},
            "SIM-EFF-4",
            {"what": "meat", "offered": 1, "has": 0},
            ("Offered: 1 × meat; at hand: 0.", "Nabízí se: 1 × maso; k dispozici: 0."),
        ),
        pytest.param(
            {"tokens": {"pp": 2}},
            "SIM-COMP-6",
            {"what": "pp", "offered": 2, "has": 0},
            ("Offered: 2 × Power Points; at hand: 0.", "Nabízí se: 2 × body moci; k dispozici: 0."),
            marks=refusal("SIM-COMP-6"),
        ),
        pytest.param(
            {"vassals": {"spearman": {"armory": 1}}},
            "SIM-EFF-5",
            {"what": "spearman", "offered": 1, "from": "armory", "has": 0},
            ("Offered: 1 × Spearman (Armory); there: 0.", "Nabízí se: 1 × kopiník (zbrojírna); je tam 0."),
            marks=refusal("SIM-EFF-5"),
        ),
    ],
)
def test_what_is_offered_without_being_the_price_is_not_said_to_be_the_price(cost, clause, facts, said):
    """The Forge costs a wood and a stone, which he has; he offers what he has not, and what nobody asked for."""
    g = game({"ann": {"resources": {"wood": 1, "stone": 1}}, "bob": {}})
    refused = g.judged("ann", "place-vassal", vassal="spearman", space="forge", cost=cost).violations
    (lacking,) = [v for v in refused if v.rule == clause and "has" in v.facts]
    assert lacking.facts == facts
    assert (told(g, lacking), told(g, lacking, "cs")) == said


@refusal("SIM-EFF-5", "SIM-DRAGON-9")
def test_the_marker_of_the_ability_in_use_is_told_apart_from_none():
    """51-3 costs a second marker; its own goes by its use."""
    use = {"ability": "dragon-51-3", "cost": {"markers": {"dragon-51-3": 1}}}
    alone = game({"ann": {"dragons": (51,), "markers": ["51-3"]}, "bob": {}})
    lacking = alone.refused("ann", "use-ability", **use)["SIM-EFF-5"]
    assert lacking.facts == {"what": "marker", "needs": 1, "owned": 0, "used": "dragon-51-3"}
    assert told(alone, lacking).endswith(
        "beside that of the ability in use (ability 3 of Dragon #51); others owned: 0."
    )
    assert told(alone, lacking, "cs").endswith("(3. schopnost draka č. 51); jiných má hráč: 0.")
    two = game({"ann": {"dragons": (51,), "markers": ["51-1", "51-3"]}, "bob": {}})
    own = two.refused("ann", "use-ability", **use)["SIM-EFF-5"]
    assert told(two, own) == (
        "The marker of the ability in use (ability 3 of Dragon #51) goes by its use and pays for nothing else."
    )
    assert told(two, own, "cs").startswith("Žeton použité schopnosti (3. schopnost draka č. 51)")
    none = {**use, "cost": {"markers": {"dragon-51-2": 1}}}
    there = two.refused("ann", "use-ability", **none)["SIM-EFF-5"]
    assert told(two, there) == "Offered: 1 × Ability marker (ability 2 of Dragon #51); there: 0."
    two.play("ann", "use-ability", **{**use, "cost": {"markers": {"dragon-51-1": 1}}})


@refusal("SIM-PLACE-5", "SIM-DRAGON-9", "SIM-EFF-2", "SIM-PAY-2", "SIM-PAY-4")
def test_what_cannot_be_paid_in_any_way_is_refused_so_whatever_is_offered():
    """58-2 asks for two of wood and stone, of which there is one."""
    ann = {"dragons": (58,), "markers": ["58-2"], "resources": {"wood": 1}, "available": {"spearman": 1}}
    g = game({"ann": ann, "bob": {}})
    use = {"ability": "dragon-58-2"}
    for tokens in ({}, {"wood": 1}, {"stone": 1}, {"wood": 3}, {"meat": 1}, {"pp": 1}):
        assert set(g.refused("ann", "use-ability", cost={"tokens": tokens}, **use)) == {"SIM-DRAGON-9"}
    ann["resources"] = {"wood": 1, "stone": 1}
    g = game({"ann": ann, "bob": {}})
    assert set(g.refused("ann", "use-ability", cost={"tokens": {"wood": 1}}, **use)) == {"SIM-EFF-2"}
    alone = game({"ann": {**ann, "resources": {}}, "bob": on(space(19, 2), spearman=1)}, wilds=(19,))
    both = {"SIM-PLACE-5", "SIM-PAY-2", "SIM-PAY-4"}
    assert set(alone.not_placed("spearman", space(19))) == both, "his last vassal pays for nothing"


@refusal("SIM-PLACE-5", "SIM-COMP-3")
def test_a_fourth_spearman_and_a_third_dragonrider_are_refused():
    food = {"vegetable": 4, "meat": 4}
    g = game({"ann": {"available": {"spearman": 3, "dragonrider": 2}, "resources": food}, "bob": {}})
    both = {"SIM-PLACE-5", "SIM-COMP-3"}
    assert set(g.not_placed("spearman", "barracks", tokens={"vegetable": 3, "meat": 1})) == both
    assert set(g.not_placed("spearman", "hunting-grounds", tokens={"vegetable": 2, "meat": 3})) == both


# -- spending vassals -------------------------------------------------------------------------------------------


@refusal("SIM-PAY-2")
@rule("SIM-DRAGON-21")
def test_paying_the_last_vassal_is_refused():
    ann = {"available": {"spearman": 1}, "pp": 1, "dragons": (59,), "markers": ["59-3"]}
    g = game({"ann": ann, "bob": {}})
    cost = {"tokens": {"pp": 1}, "vassals": {"spearman": {"available": 1}}}
    assert "SIM-PAY-2" in g.refused("ann", "use-ability", ability="dragon-59-3", cost=cost)


@refusal("SIM-PAY-3")
def test_paying_an_assigned_vassal_while_one_is_at_home_is_refused():
    ann = {"available": {"spearman": 1, "dragonrider": 1}, **on(space(8, 2), spearman=1)}
    g = game({"ann": ann, "bob": on(space(19, 4), spearman=1)}, wilds=(8, 19))
    refused = g.not_placed("dragonrider", space(19), vassals={"spearman": {space(8, 2): 1}})
    assert set(refused) == {"SIM-PAY-3"}
    g.place("dragonrider", space(19), vassals={"spearman": {"available": 1}})


@refusal("SIM-PAY-4", "SIM-EFF-5", "SIM-EFF-4", "SIM-PLACE-5")
def test_paying_with_a_vassal_on_the_space_itself_is_refused():
    """With one on another space he could pay; without one nothing pays, whatever is offered."""
    ann = {"available": {"spearman": 1}, **on(space(19), spearman=1)}
    here, two = {"spearman": {space(19): 1}}, {"spearman": {space(19): 2}}
    g = game({"ann": ann, "bob": {}}, wilds=(19,))
    for vassals in (here, two, {"spearman": {"available": 1}}, {}):
        assert set(g.not_placed("spearman", space(19), vassals=vassals)) == {"SIM-PLACE-5", "SIM-PAY-4"}
    ann["assigned"] = {space(19): {"spearman": 1}, space(8, 2): {"spearman": 1}}
    g = game({"ann": ann, "bob": {}}, wilds=(8, 19))
    assert set(g.not_placed("spearman", space(19), vassals=here)) == {"SIM-PAY-4"}
    assert {"SIM-PAY-4", "SIM-EFF-5", "SIM-EFF-4"} <= set(g.not_placed("spearman", space(19), vassals=two))
    g.place("spearman", space(19), vassals={"spearman": {space(8, 2): 1}})


SCOUTED = {"resources": {"wisdom": 1}, "pp": 1}


def at_the_scouts(house=None, **ann):
    """The first player has just placed a Spearman there, and taken a stone."""
    g = game({"ann": {**SCOUTED, **ann}, "bob": {}}, house=house)
    return g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)


@refusal("SIM-PAY-4", "SIM-DRAGON-9")
def test_who_stands_at_the_scouts_pays_for_no_ability_before_the_tile_is_acquired():
    """#59, third: a Spearman and a point for a Dragonrider. Afterwards he can pay for it."""
    g = at_the_scouts(dragons=(59,), markers=["59-3"])
    use = {
        "ability": "dragon-59-3",
        "cost": {"tokens": {"pp": 1}, "vassals": {"spearman": {"scouts-quarter": 1}}},
    }
    assert set(g.refused("ann", "use-ability", **use)) == {"SIM-PAY-4", "SIM-DRAGON-9"}
    assert g.options("ann", "use-ability") == []
    g.play("ann", "acquire-tile", place="display-1", cost={"tokens": {"wisdom": 1}})
    assert g.play("ann", "use-ability", **use)["ann"].available == {"dragonrider": 2}


@refusal("SIM-PAY-4", "SIM-SCOUT-3")
def test_who_stands_at_the_scouts_pays_for_no_tile_there():
    house = {"display": {"display-1": {"price": {"fixed": {"spearman": 1}}}}}
    g = at_the_scouts(house, resources={"weapon": 1})
    here = {"vassals": {"spearman": {"scouts-quarter": 1}}}
    refused = g.refused("ann", "acquire-tile", place="display-1", cost=here)
    assert set(refused) == {"SIM-PAY-4", "SIM-SCOUT-3"}
    assert "display-1" not in {o["place"] for o in g.options("ann", "acquire-tile")}


@refusal("SIM-SCOUT-6")
def test_the_scouts_are_refused_where_only_the_vassal_placed_there_could_pay():
    house = {"display": {"display-1": {"price": {"fixed": {"spearman": 1}}}}}
    assert set(game(house=house).not_placed("spearman", "scouts-quarter")) == {"SIM-SCOUT-6"}


@refusal("SIM-PAY-4", "SIM-STATUE-2")
def test_who_stands_at_the_statue_pays_for_no_objective():
    house = {"statue": {"statue-1": {"price": {"fixed": {"dragonrider": 1}}}}}
    g = game(house=house, objective_deck=(73, 74, 75)).place("dragonrider", "statue")
    here = {"vassals": {"dragonrider": {"statue": 1}}}
    refused = g.refused("ann", "place-objective", objective="objective-73", space="statue-1", cost=here)
    assert set(refused) == {"SIM-PAY-4", "SIM-STATUE-2"}


@refusal("SIM-PAY-4", "SIM-EXPL-4")
def test_a_rider_does_not_pay_for_his_own_step():
    """By the house a step down #43 costs a Dragonrider: another one, and none without one."""
    house = {"tiles": {tile(43): {"move_cost": {"fixed": {"dragonrider": 1}}}}}
    ann = {"available": {"spearman": 1}, **on(space(43, 1), dragonrider=1)}
    g = game({"ann": ann, "bob": {}}, wilds=(43,), house=house)
    himself = {"vassals": {"dragonrider": {space(43, 1): 1}}}
    assert set(g.refused("ann", "move-rider", tile=tile(43), cost=himself)) == {"SIM-PAY-4", "SIM-EXPL-4"}
    assert g.options("ann", "move-rider") == []
    ann = {**ann, "available": {"spearman": 1, "dragonrider": 1}, "dragons": (59,), "markers": ["59-1"]}
    g = game({"ann": ann, "bob": {}}, wilds=(43,), house=house)
    g.play("ann", "move-rider", tile=tile(43), cost={"vassals": {"dragonrider": {"available": 1}}})
    assert g.asked == "ann"
    assert g.kinds[0] != "answer", "nobody is left to pay for one more step"


@refusal("SIM-PAY-4")
def test_who_stands_on_the_tile_that_is_removed_does_not_pay_for_it():
    """By the house it costs a Spearman: one of another tile, since his own would go with the tile."""
    house = {"table": {"removal-price": {"value": {"spearman": 1}}}}
    where = {space(8, 2): {"spearman": 1}, space(3, 2): {"spearman": 1}}
    ann = {"available": {"dragonrider": 1}, "assigned": where, "hand": (7,)}
    g = game({"ann": ann, "bob": on(space(5, 2), spearman=1)}, wilds=(8, 3, 5), house=house)
    lay = {"tile": tile(7), "wilds": "wilds-1", "income": 0}
    own = {"vassals": {"spearman": {space(8, 2): 1}}}
    assert set(g.refused("ann", "replace-tile", cost=own, **lay)) == {"SIM-PAY-4"}
    g.play("ann", "replace-tile", cost={"vassals": {"spearman": {space(3, 2): 1}}}, **lay)
    assert g.board.wilds == {"wilds-1": tile(7), "wilds-2": None, "wilds-3": tile(5)}
    assert g["ann"].available == {"spearman": 1, "dragonrider": 1}


@refusal("SIM-TILE-8")
def test_the_vassal_that_was_to_go_on_the_new_tile_does_not_pay_for_the_removal():
    house = {"table": {"removal-price": {"value": {"spearman": 1}}}}
    ann = {"available": {"spearman": 1}, **on("dragon-towers", dragonrider=1), "hand": (7,)}
    bob = {"available": {"dragonrider": 1}, "assigned": {space(n, 2): {"spearman": 1} for n in (8, 3, 5)}}
    cyd = {"available": {"dragonrider": 1}, **on(space(10, 2), spearman=1)}
    g = game({"ann": ann, "bob": bob, "cyd": cyd}, wilds=(8, 3, 5, 10), house=house)
    lay = {"tile": tile(7), "wilds": "wilds-1", "income": 0}
    last = {"vassals": {"spearman": {"available": 1}}}
    assert set(g.refused("ann", "replace-tile", cost=last, **lay)) == {"SIM-TILE-8"}


@refusal("SIM-PAY-4", "SIM-EFF-5")
def test_paying_with_the_vassal_that_is_being_placed_is_refused():
    """And with one more than are at home: of those the board has none."""
    ann = {"available": {"spearman": 1}, **on("armory", spearman=1)}
    g = game({"ann": ann, "bob": on(space(19, 4), spearman=1)}, wilds=(19,))
    home = {"spearman": {"available": 1}}
    assert set(g.not_placed("spearman", space(19), vassals=home)) == {"SIM-PAY-4"}
    home = {"spearman": {"available": 2}}
    assert set(g.not_placed("spearman", space(19), vassals=home)) >= {"SIM-EFF-4", "SIM-EFF-5"}
    g.place("spearman", space(19), vassals={"spearman": {"armory": 1}})


@refusal("SIM-PAY-6")
def test_a_dragonrider_does_not_pay_for_a_spearman():
    ann = {"available": {"spearman": 2, "dragonrider": 1}}
    g = game({"ann": ann, "bob": on(space(19, 4), spearman=1)}, wilds=(19,))
    refused = g.not_placed("spearman", space(19), vassals={"dragonrider": {"available": 1}})
    assert set(refused) == {"SIM-PAY-6"}


# -- choices of a total -----------------------------------------------------------------------------------------


@refusal("SIM-EFF-2")
def test_a_total_with_a_wrong_sum_or_a_foreign_kind_is_refused():
    g = game({"ann": {"resources": PLENTY}, "bob": on(space(13, 3), spearman=1)}, wilds=(13,))
    for tokens in ({"vegetable": 1}, {"vegetable": 2, "meat": 1}, {"wood": 2}):
        assert set(g.not_placed("spearman", space(13, 4), tokens=tokens)) == {"SIM-EFF-2"}
    g.place("spearman", space(13, 4), tokens={"vegetable": 1, "meat": 1})


@refusal("SIM-EFF-2")
def test_a_gain_with_a_wrong_sum_or_a_foreign_kind_is_refused():
    g = game({"ann": {}, "bob": on(space(2), spearman=1)}, wilds=(2,)).place("spearman", space(2, 3))
    for tokens in ({"wood": 2}, {"wood": 2, "stone": 2}, {"meat": 3}, {"wood": 4}):
        assert set(g.refused("ann", "choose-total", tokens=tokens)) == {"SIM-EFF-2"}
    g.play("ann", "choose-total", tokens={"wood": 3})
    assert g["ann"].resources == {"wood": 3}


@refusal("SIM-EFF-3")
def test_a_branch_that_is_not_there_is_refused():
    g = game().place("spearman", "great-market")
    assert set(g.refused("ann", "choose-one", branch=2)) == {"SIM-EFF-3"}


# -- placing tiles ----------------------------------------------------------------------------------------------


@refusal("SIM-TURN-7", "SIM-TURN-1")
def test_a_tile_after_the_main_action_is_refused():
    g = game({"ann": {"hand": (1,), **on("armory", dragonrider=1), "available": {"spearman": 1}}, "bob": {}})
    g.play("ann", "retrieve-vassals", spearmen={}, dragonriders={"armory": 1})
    assert set(g.refused("ann", "place-tile", tile=tile(1), wilds="wilds-1", income=0)) == {
        "SIM-TURN-1",
        "SIM-TURN-7",
    }
    other = game({"ann": {"hand": (1,)}, "bob": {}}).place("spearman", "armory")
    assert "SIM-TURN-7" in other.refused("ann", "place-tile", tile=tile(1), wilds="wilds-1", income=0)


@refusal("SIM-TURN-7", "SIM-TILE-7", "SIM-TURN-11")
def test_a_second_tile_or_another_space_once_a_tile_is_laid_is_refused():
    ann = {"hand": (1, 2), "dragons": (57,), "markers": ["57-1"]}
    g = game({"ann": ann, "bob": {}}).play("ann", "place-tile", tile=tile(1), wilds="wilds-1", income=0)
    second = {"tile": tile(2), "wilds": "wilds-2", "income": 0}
    for kind, more in (("place-tile", {}), ("replace-tile", {"cost": {}})):
        refused = g.refused("ann", kind, **second, **more)
        assert set(refused) == {"SIM-TURN-7", "SIM-TILE-7"}
        assert "at most once a turn" in RULES.words.message(refused["SIM-TURN-7"], RULES.book, "en")
        assert "nejvýše jednou za tah" in RULES.words.message(refused["SIM-TURN-7"], RULES.book, "cs")
    refused = g.not_placed("spearman", "armory")
    assert set(refused) == {"SIM-TILE-7"}
    assert refused["SIM-TILE-7"].facts["tile"] == tile(1)
    assert "SIM-TURN-11" in g.refused("ann", "use-ability", ability="dragon-57-1", cost={})
    g.place("spearman", space(1, 2))


@refusal("SIM-TILE-8")
def test_a_tile_none_of_whose_spaces_can_be_used_is_refused_and_what_the_wilds_give_counts():
    ann = {"hand": (48, 24), "available": {"spearman": 1}}
    g = game({"ann": ann, "bob": {}})
    assert set(g.refused("ann", "place-tile", tile=tile(48), wilds="wilds-1", income=0)) == {"SIM-TILE-8"}
    assert set(g.refused("ann", "place-tile", tile=tile(24), wilds="wilds-3", income=0)) == {"SIM-TILE-8"}
    assert {(o["wilds"], o["income"]) for o in g.options("ann", "place-tile") if o["tile"] == tile(24)} == {
        ("wilds-1", 0), ("wilds-2", 0),
    }  # fmt: skip
    g.play("ann", "place-tile", tile=tile(24), wilds="wilds-2", income=0)


@refusal("SIM-TILE-3")
def test_removing_a_tile_for_a_weapon_while_a_space_is_empty_is_refused():
    ann = {"hand": (1,), "resources": {"weapon": 1}}
    g = game(
        {
            "ann": ann,
            "bob": {"available": {}, "assigned": {space(2): {"spearman": 1}, space(3): {"dragonrider": 1}}},
        },
        wilds=(2, 3),
    )
    wire = {"tile": tile(1), "wilds": "wilds-1", "income": 0, "cost": {"tokens": {"weapon": 1}}}
    assert set(g.refused("ann", "replace-tile", **wire)) == {"SIM-TILE-3"}


def full_wilds(**ann):
    seats = {
        "ann": {"hand": (1,), **ann},
        "bob": {
            "available": {"spearman": 1},
            "assigned": {
                space(2): {"spearman": 1},
                space(37): {"dragonrider": 1},
                space(3): {"dragonrider": 1},
            },
        },
    }
    return game(seats, wilds=(2, 3, 37))


@refusal("SIM-TILE-2", "SIM-EXPL-12")
def test_removing_an_exploration_tile_or_without_a_weapon_is_refused():
    wire = {"tile": tile(1), "income": 0, "cost": {"tokens": {"weapon": 1}}}
    g = full_wilds(resources={"weapon": 1})
    assert set(g.refused("ann", "replace-tile", wilds="wilds-3", **wire)) == {"SIM-TILE-2", "SIM-EXPL-12"}
    poor = full_wilds()
    assert set(poor.refused("ann", "replace-tile", wilds="wilds-1", **wire)) == {"SIM-TILE-2"}
    free = {**wire, "cost": {}}
    assert set(g.refused("ann", "replace-tile", wilds="wilds-1", **free)) == {"SIM-TILE-2"}
    g.play("ann", "replace-tile", wilds="wilds-1", **wire)


@refusal("SIM-TILE-1")
def test_a_tile_on_another_is_refused():
    g = full_wilds(resources={"weapon": 1})
    assert set(g.refused("ann", "place-tile", tile=tile(1), wilds="wilds-1", income=0)) == {"SIM-TILE-1"}
    assert set(g.refused("ann", "place-tile", tile=tile(4), wilds="wilds-1", income=0)) == {"SIM-TILE-1"}


@refusal("SIM-TILE-6")
def test_an_income_that_the_space_does_not_show_is_refused():
    g = game({"ann": {"hand": (1,)}, "bob": {}})
    assert set(g.refused("ann", "place-tile", tile=tile(1), wilds="wilds-3", income=1)) == {"SIM-TILE-6"}


@refusal("SIM-SETUP-14")
@pytest.mark.parametrize(("seats", "closed"), [(2, "wilds-4"), (3, "wilds-5"), (4, "wilds-6")])
def test_a_wilds_space_for_larger_tables_is_refused(seats, closed):
    g = game({s: {} for s in ("ann", "bob", "cyd", "dan")[:seats]} | {"ann": {"hand": (1,)}})
    assert set(g.refused("ann", "place-tile", tile=tile(1), wilds=closed, income=0)) == {"SIM-SETUP-14"}
    assert closed not in g.board.wilds


# -- exploring --------------------------------------------------------------------------------------------------


def rider(number, level, resources, **more):
    ann = {
        "available": {"spearman": 1},
        **on(space(number, level), dragonrider=1),
        "resources": resources,
        **more,
    }
    return game({"ann": ann, "bob": {}}, wilds=(number,))


@refusal("SIM-TURN-8")
def test_moving_a_rider_twice_or_two_riders_is_refused():
    ann = {"available": {"spearman": 1}, "resources": {"wisdom": 8, "weapon": 2}}
    ann["assigned"] = {space(37): {"dragonrider": 1}, space(43): {"dragonrider": 1}}
    g = game({"ann": ann, "bob": {}}, wilds=(37, 43))
    g.play("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})
    assert "SIM-TURN-8" in g.refused("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})
    assert "SIM-TURN-8" in g.refused("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})
    assert g.options("ann", "move-rider") == []


@refusal("SIM-EXPL-5")
@rule("SIM-EXPL-14")
def test_moving_into_a_full_row_is_refused():
    seats = {
        "ann": {"available": {"spearman": 1}, **on(space(37, 2), dragonrider=1), "resources": {"wisdom": 2}}
    }
    seats |= {s: {"available": {"spearman": 1}, **on(space(37, 3), dragonrider=1)} for s in ("bob", "cyd")}
    g = game(seats, wilds=(37,))
    assert set(g.refused("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})) == {
        "SIM-EXPL-5"
    }
    assert schema_faults({"kind": "move-rider", "actor": "ann", "tile": tile(37), "cost": {}, "to": 1})


@refusal("SIM-EXPL-4")
def test_a_rider_that_is_not_there_or_another_players_is_refused():
    g = game({"ann": {"resources": {"wisdom": 2}}, "bob": on(space(37), dragonrider=1)}, wilds=(37,))
    assert set(g.refused("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})) == {
        "SIM-EXPL-4"
    }


@refusal("SIM-EXPL-6", "SIM-EXPL-16")
def test_a_second_own_rider_on_an_exploration_tile_is_refused():
    ann = {"available": {"dragonrider": 1}, **on(space(37, 2), dragonrider=1), "resources": {"wisdom": 2}}
    g = game({"ann": ann, "bob": {}}, wilds=(37,))
    assert set(g.not_placed("dragonrider", space(37), tokens={"wisdom": 2})) == {"SIM-EXPL-6", "SIM-EXPL-16"}


@refusal("SIM-EXPL-4", "SIM-EXPL-3", "SIM-EFF-4")
def test_exploring_without_paying_is_refused():
    g = game({"ann": {}, "bob": on(space(37), dragonrider=1)}, wilds=(37,))
    for tokens in ({}, {"wisdom": 1}, {"wisdom": 2}, {"wood": 1}):
        assert set(g.not_placed("dragonrider", space(37), tokens=tokens)) == {"SIM-EXPL-3"}
    moving = rider(37, 1, {"wisdom": 2, "wood": 1})
    move = {"tile": tile(37)}
    for tokens in ({}, {"wisdom": 1}):
        assert set(moving.refused("ann", "move-rider", cost={"tokens": tokens}, **move)) == {"SIM-EXPL-4"}
    for tokens in ({"wood": 1}, {"wisdom": 2, "wood": 1}):
        assert set(moving.refused("ann", "move-rider", cost={"tokens": tokens}, **move)) == {"SIM-EFF-4"}
    poor = rider(37, 1, {"wisdom": 1})
    assert set(poor.refused("ann", "move-rider", cost={"tokens": {"wisdom": 2}}, **move)) == {"SIM-EXPL-4"}


@refusal("SIM-EXPL-2", "SIM-EFF-2")
def test_exploring_a_new_tile_without_paying_is_refused():
    """#47 asks for two of wood and stone."""
    ann = {"hand": (47,), "resources": {"wood": 2, "meat": 1}}
    g = game({"ann": ann, "bob": {}}).play("ann", "place-tile", tile=tile(47), wilds="wilds-1", income=0)
    for tokens in ({}, {"wood": 1}):
        assert set(g.not_placed("dragonrider", space(47), tokens=tokens)) == {"SIM-EXPL-2"}
    assert set(g.not_placed("dragonrider", space(47), tokens={"wood": 1, "meat": 1})) == {"SIM-EFF-2"}
    g.place("dragonrider", space(47), tokens={"wood": 2})


@refusal("SIM-EXPL-4")
@rule("SIM-DRAGON-20")
def test_one_more_step_without_paying_is_refused():
    g = rider(37, 1, {"wisdom": 4}, dragons=(59,), markers=["59-1"])
    g.play("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})
    assert set(g.refused("ann", "move-again", ability="dragon-59-1", cost={})) == {"SIM-EXPL-4"}


@rule("SIM-EFF-2", "SIM-EFF-4", "SIM-EXPL-3")
@pytest.mark.parametrize(
    ("number", "tokens", "clause", "en", "cs"),
    [
        (47, {}, "SIM-EXPL-3", "Nothing is offered. The price is 2 wood, or ", "Nic se nenabízí. Cena je "),
        (47, {"wood": 1, "meat": 1}, "SIM-EFF-2", " The price is 2 wood, or ", "Cena je 2 dřeva, nebo "),
        (45, {"weapon": 1}, "SIM-EXPL-3", "The price is 3 wisdom, or 3 weapons.", " zbraně."),
        (37, {"wisdom": 1}, "SIM-EXPL-3", "The price is 2 wisdom.", "Cena je "),
    ],
)
def test_what_is_offered_and_what_is_asked_is_told_where_the_price_leaves_a_choice(
    number, tokens, clause, en, cs
):
    ann = {"resources": {"wood": 2, "meat": 1, "weapon": 3, "wisdom": 3}}
    g = game({"ann": ann, "bob": on(space(number), dragonrider=1)}, wilds=(number,))
    refused = g.not_placed("dragonrider", space(number), tokens=tokens)
    assert set(refused) == {clause}
    for language, said in (("en", en), ("cs", cs)):
        message = Teller(RULES, language, g.state.seats).violation(refused[clause])["message"]
        assert said in message


@refusal("SIM-TURN-12")
def test_sending_the_last_vassal_home_before_the_main_action_is_refused():
    ann = {"available": {}, **on(space(37, 3), dragonrider=1), "resources": {"wisdom": 2}}
    g = game({"ann": ann, "bob": {}}, wilds=(37,))
    assert set(g.refused("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})) == {
        "SIM-TURN-12"
    }
    rider(37, 3, {"wisdom": 2}).play("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})


@refusal("SIM-TURN-12")
def test_spending_the_last_vassal_that_could_be_placed_is_refused():
    """No printed ability can do this; a figure of the house that spends a Spearman for nothing can."""
    spent = {"effect": {"pay": {"fixed": {"spearman": 1}}, "gain": {"take": {"pp": 1}}}}
    ann = {
        "available": {"spearman": 1},
        "assigned": {space(43, 3): {"dragonrider": 1}},
        "dragons": (59,),
        "markers": ["59-3"],
    }
    house = {"abilities": {"dragon-59-3": spent}}
    g = game({"ann": {**ann, "resources": {"weapon": 1}}, "bob": {}}, wilds=(43,), house=house)
    use = {"ability": "dragon-59-3", "cost": {"vassals": {"spearman": {"available": 1}}}}
    assert g.judged("ann", "use-ability", **use).legal  # the rider can still be retrieved
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})
    assert set(g.refused("ann", "use-ability", **use)) == {"SIM-TURN-12"}


@refusal("SIM-TURN-12")
def test_a_step_is_not_paid_with_the_last_vassal_that_could_be_placed():
    """By the house a step costs a Spearman or a weapon; at the end of the path the rider is home for the turn."""
    house = {
        "tiles": {
            tile(43): {"move_cost": {"choose_one": [{"fixed": {"spearman": 1}}, {"fixed": {"weapon": 1}}]}}
        }
    }
    ann = {"available": {"spearman": 1}, **on(space(43, 3), dragonrider=1), "resources": {"weapon": 1}}
    g = game({"ann": ann, "bob": {}}, wilds=(43,), house=house)
    spearman = {"vassals": {"spearman": {"available": 1}}}
    assert set(g.refused("ann", "move-rider", tile=tile(43), cost=spearman)) == {"SIM-TURN-12"}
    assert [o["cost"] for o in g.options("ann", "move-rider")] == [{"tokens": {"weapon": 1}}]
    further = game({"ann": {**ann, **on(space(43, 2), dragonrider=1)}, "bob": {}}, wilds=(43,), house=house)
    further.play("ann", "move-rider", tile=tile(43), cost=spearman)  # the rider can still be retrieved
    later = g.place("spearman", "armory")
    assert later.judged(
        "ann", "move-rider", tile=tile(43), cost={"vassals": {"spearman": {"armory": 1}}}
    ).legal


@refusal("SIM-TURN-12")
def test_an_ability_is_not_paid_with_the_last_vassal_where_something_else_would_do():
    """By the house: a Spearman or a wood for a point. The price as a whole can be paid; so it cannot."""
    cost = {"choose_one": [{"fixed": {"spearman": 1}}, {"fixed": {"wood": 1}}]}
    house = {"abilities": {"dragon-59-3": {"effect": {"pay": cost, "gain": {"take": {"pp": 1}}}}}}
    ann = {
        "dragons": (59,),
        "markers": ["59-3"],
        "resources": {"wood": 1, "weapon": 1},
        "available": {"spearman": 1},
    }
    g = game({"ann": {**ann, **on(space(43, 3), dragonrider=1)}, "bob": {}}, wilds=(43,), house=house)
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})
    use = {"ability": "dragon-59-3", "cost": {"vassals": {"spearman": {"available": 1}}}}
    assert set(g.refused("ann", "use-ability", **use)) == {"SIM-TURN-12"}
    g.play("ann", "use-ability", ability="dragon-59-3", cost={"tokens": {"wood": 1}})


# -- the turn ---------------------------------------------------------------------------------------------------


@refusal("SIM-TURN-3", "SIM-TURN-4")
def test_retrieving_nothing_or_who_is_not_there_is_refused():
    g = game(
        {
            "ann": {"available": {"spearman": 1}, **on("armory", dragonrider=1)},
            "bob": {"available": {"spearman": 1}, **on("library", dragonrider=1)},
        }
    )
    assert set(g.refused("ann", "retrieve-vassals", spearmen={}, dragonriders={})) == {"SIM-TURN-3"}
    assert set(g.refused("ann", "retrieve-vassals", spearmen={}, dragonriders={"library": 1})) == {
        "SIM-TURN-3"
    }
    assert set(g.refused("ann", "retrieve-vassals", spearmen={}, dragonriders={"inactive": 1})) == {
        "SIM-TURN-4"
    }


@refusal("SIM-TURN-1")
@rule("SIM-DEC-21")
def test_two_main_actions_or_none_are_refused():
    g = game({"ann": {"available": {"spearman": 1}, **on("armory", dragonrider=1)}, "bob": {}})
    assert set(g.refused("ann", "end-turn")) == {"SIM-TURN-1"}
    g.place("spearman", "library")
    assert set(g.refused("ann", "retrieve-vassals", spearmen={"library": 1}, dragonriders={})) == {
        "SIM-TURN-1"
    }
    assert set(g.not_placed("spearman", "great-market")) == {"SIM-TURN-1"}


@refusal("SIM-TURN-2", "SIM-PLACE-10")
@rule("SIM-PLACE-9")
def test_placing_a_vassal_that_is_not_at_home_or_has_just_come_home_is_refused():
    g = game({"ann": {"available": {"spearman": 1}, **on("armory", dragonrider=1)}, "bob": {}})
    assert set(g.not_placed("dragonrider", "great-market")) == {"SIM-TURN-2"}
    ann = {
        "hand": (1,),
        "available": {"spearman": 1},
        **on(space(2), dragonrider=1),
        "resources": {"weapon": 1},
    }
    bob = {"available": {}, "assigned": {space(3): {"spearman": 1}, space(4): {"dragonrider": 1}}}
    g = game({"ann": ann, "bob": bob}, wilds=(2, 3, 4))
    g.play("ann", "replace-tile", tile=tile(1), wilds="wilds-1", income=0, cost={"tokens": {"weapon": 1}})
    assert set(g.not_placed("dragonrider", space(1, 2))) == {"SIM-PLACE-10"}
    g.place("spearman", space(1, 2))


@refusal("SIM-TURN-13")
def test_acting_out_of_turn_is_refused():
    g = game()
    assert set(g.not_placed("spearman", "armory", actor="bob")) == {"SIM-TURN-13"}


@refusal("SIM-DRAGON-5")
def test_an_ability_in_another_players_turn_is_refused():
    g = game({"ann": {}, "bob": {"dragons": (57,), "markers": ["57-1"]}})
    assert "SIM-DRAGON-5" in g.refused("bob", "use-ability", ability="dragon-57-1", cost={})


@refusal("SIM-TURN-14")
def test_answering_another_players_decision_is_refused():
    g = game().place("spearman", "great-market")
    assert set(g.refused("bob", "choose-one", branch=0)) == {"SIM-TURN-14"}


@refusal("SIM-TURN-11")
def test_a_free_action_between_cost_and_gain_is_refused():
    g = game({"ann": {"dragons": (57,), "markers": ["57-1"]}, "bob": {}}).place("spearman", "great-market")
    assert set(g.refused("ann", "use-ability", ability="dragon-57-1", cost={})) == {"SIM-TURN-11"}


# -- dragons ----------------------------------------------------------------------------------------------------


@refusal("SIM-DRAGON-4")
def test_an_ability_without_a_marker_is_refused():
    g = game({"ann": {"dragons": (57,)}, "bob": {}})
    assert set(g.refused("ann", "use-ability", ability="dragon-57-1", cost={})) == {"SIM-DRAGON-4"}


@refusal("SIM-DRAGON-10")
def test_a_trigger_ability_after_its_event_is_refused():
    g = game({"ann": {"dragons": (61,), "markers": ["61-1"]}, "bob": {}}).place("spearman", "library")
    g.play("ann", "decline")
    assert "SIM-DRAGON-10" in g.refused("ann", "answer", ability="dragon-61-1")
    assert set(g.refused("ann", "use-ability", ability="dragon-61-1", cost={})) == {"SIM-DRAGON-10"}


@refusal("SIM-DRAGON-10", "SIM-DRAGON-20")
def test_an_answer_that_does_not_fit_the_event_is_refused():
    ann = {"dragons": (61, 59), "markers": ["61-1", "61-2", "59-1"]}
    g = game({"ann": ann, "bob": {}}).place("spearman", "library")
    assert set(g.refused("ann", "answer", ability="dragon-61-2")) == {"SIM-DRAGON-10"}
    assert {"SIM-DRAGON-10", "SIM-DRAGON-20"} <= set(g.refused("ann", "answer", ability="dragon-59-1"))
    assert {"SIM-DRAGON-10"} <= set(g.refused("ann", "move-again", ability="dragon-59-1", cost={}))


@refusal("SIM-DRAGON-9", "SIM-COMP-6")
def test_an_ability_that_cannot_be_paid_is_refused():
    g = game({"ann": {"dragons": (51, 49), "markers": ["51-1", "49-2"]}, "bob": {}})
    assert set(g.refused("ann", "use-ability", ability="dragon-51-1", cost={"tokens": {"meat": 2}})) == {
        "SIM-DRAGON-9"
    }
    assert set(g.refused("ann", "use-ability", ability="dragon-49-2", cost={"tokens": {"pp": 2}})) == {
        "SIM-DRAGON-9",
        "SIM-COMP-6",
    }


@refusal("SIM-DRAGON-9", "SIM-COMP-3")
def test_an_ability_whose_vassal_is_not_left_is_refused():
    ann = {
        "available": {"spearman": 1, "dragonrider": 2},
        "dragons": (51,),
        "markers": ["51-2"],
        "resources": {"meat": 2, "wood": 2},
    }
    g = game({"ann": ann, "bob": {}})
    cost = {"tokens": {"meat": 2, "wood": 2}}
    refused = g.refused("ann", "use-ability", ability="dragon-51-2", cost=cost)
    assert set(refused) == {"SIM-DRAGON-9", "SIM-COMP-3"}
    for language, said in (("en", "cannot be received"), ("cs", "obdržet nelze")):
        told = Teller(RULES, language, g.state.seats).violation(refused["SIM-DRAGON-9"])
        assert said in told["message"]


@rule("SIM-DRAGON-21")
@refusal("SIM-DRAGON-9", "SIM-COMP-3")
@pytest.mark.parametrize(
    ("number", "slot", "cost"),
    [
        (53, 3, {"tokens": {"meat": 4}}),
        (59, 3, {"tokens": {"pp": 1}, "vassals": {"spearman": {"available": 1}}}),
    ],
)
def test_a_third_dragonrider_comes_by_no_ability(number, slot, cost):
    ann = {"available": {"spearman": 2, "dragonrider": 2}, "resources": {"meat": 4}, "pp": 1}
    ann |= {"dragons": (number,), "markers": [f"{number}-{slot}"]}
    use = {"ability": f"dragon-{number}-{slot}", "cost": cost}
    refused = game({"ann": ann, "bob": {}}).refused("ann", "use-ability", **use)
    assert set(refused) == {"SIM-DRAGON-9", "SIM-COMP-3"}
    ann["available"] = {"spearman": 2, "dragonrider": 1}
    game({"ann": ann, "bob": {}}).play("ann", "use-ability", **use)


@rule("SIM-R-11")
@refusal("SIM-DRAGON-9", "SIM-DRAGON-24")
def test_no_ability_draws_from_an_empty_action_deck():
    ann = {"dragons": (67,), "markers": ["67-2"], "resources": {"wisdom": 1}}
    use = {"ability": "dragon-67-2", "cost": {"tokens": {"wisdom": 1}}}
    g = game({"ann": ann, "bob": {}, "cyd": {}}, deck=(5,), empty=["tiles"])
    none = game({"ann": ann, "bob": {}, "cyd": {}}, empty=["tiles"])
    refused = none.refused("ann", "use-ability", **use)
    assert set(refused) == {"SIM-DRAGON-9", "SIM-DRAGON-24"}
    for language, said in (("en", "The action deck is empty"), ("cs", "Balíček akčních karet je prázdný")):
        told = Teller(RULES, language, g.state.seats).violation(refused["SIM-DRAGON-24"])
        assert told["message"].startswith(said)
    assert tile(5) in g.play("ann", "use-ability", **use)["ann"].hand


@refusal("SIM-DRAGON-1", "SIM-DRAGON-2", "SIM-DRAGON-6")
def test_a_marker_elsewhere_than_on_the_leftmost_empty_ability_is_refused():
    ann = {"dragons": (59, 57), "markers": ["59-1"], "resources": {"wood": 3}}
    g = game({"ann": ann, "bob": {}}).place("spearman", "training-grounds", tokens={"wood": 3})
    assert set(g.refused("ann", "place-marker", ability="dragon-59-1")) == {"SIM-DRAGON-1"}
    assert set(g.refused("ann", "place-marker", ability="dragon-57-2")) == {"SIM-DRAGON-2"}
    assert set(g.refused("ann", "place-marker", ability="dragon-59-3")) == {"SIM-DRAGON-6"}
    g.play("ann", "place-marker", ability="dragon-59-2")
    assert g["ann"].markers == {"dragon-57-1": 1, "dragon-59-1": 1, "dragon-59-2": 1}


@refusal("SIM-DRAGON-23")
def test_taking_a_tile_by_an_ability_that_takes_none_is_refused():
    ann = {"dragons": (57,), "markers": ["57-1", "57-3"], "resources": {"weapon": 1}}
    g = game({"ann": ann, "bob": {}})
    assert "SIM-DRAGON-23" in g.refused(
        "ann", "fetch-tile", ability="dragon-57-1", place="display-1", cost={}
    )
    weapon = {"tokens": {"weapon": 1}}
    assert "SIM-DRAGON-23" in g.refused("ann", "use-ability", ability="dragon-57-3", cost=weapon)


@refusal("SIM-EFF-6")
def test_keeping_a_dragon_that_was_not_drawn_is_refused_and_so_is_keeping_none():
    g = game({"ann": {}, "bob": on(space(15, 4), spearman=1)}, wilds=(15,), dragon_deck=(60, 61)).place(
        "spearman", space(15, 2)
    )
    assert set(g.refused("ann", "keep-dragon", dragon="dragon-62")) == {"SIM-EFF-6"}
    assert schema_faults({"kind": "keep-dragon", "actor": "ann", "dragon": ["dragon-60", "dragon-61"]})
    assert "SIM-DEC-22" in g.refused("ann", "end-turn")


@refusal("SIM-DEC-22", "SIM-RETURN-1", "SIM-RETURN-2")
def test_keeping_back_what_was_drawn_is_refused():
    g = game({"ann": {}, "bob": on(space(15, 4), spearman=1)}, wilds=(15,), dragon_deck=(60, 61)).place(
        "spearman", space(15, 2)
    )
    assert "SIM-DEC-22" in g.not_placed("spearman", "armory")
    g.play("ann", "keep-dragon", dragon="dragon-60")
    assert set(g.refused("ann", "return-tiles", end="top", order=[])) == {"SIM-RETURN-1"}
    assert set(g.refused("ann", "return-tiles", end="top", order=["dragon-62"])) == {"SIM-RETURN-2"}
    g.play("ann", "return-tiles", end="top", order=["dragon-61"])


@refusal("SIM-EFF-7")
def test_drawing_dragons_from_an_empty_deck_is_refused():
    g = game({"ann": {}, "bob": on(space(15, 4), spearman=1)}, wilds=(15,), empty=["dragons"])
    assert set(g.not_placed("spearman", space(15, 2))) == {"SIM-EFF-7"}


# -- limits -----------------------------------------------------------------------------------------------------


@refusal("SIM-LIMIT-1", "SIM-LIMIT-2", "SIM-LIMIT-4", "SIM-LIMIT-7")
def test_ending_with_too_many_tiles_is_refused_and_so_is_putting_back_a_power_tile_or_too_many():
    ann = {"hand": (29, 1, 2, 3, 4), "dragons": (57,), "markers": ["57-3"], "resources": {"weapon": 1}}
    g = game({"ann": ann, "bob": {}}, display=(13, 14, 21, 22))
    g.play("ann", "fetch-tile", ability="dragon-57-3", place="display-1", cost={"tokens": {"weapon": 1}})
    g.place("spearman", "armory").end()
    assert set(g.refused("ann", "put-back", end="top", tiles=[])) == {"SIM-LIMIT-1"}
    assert set(g.refused("ann", "put-back", end="top", tiles=[tile(29)])) == {"SIM-LIMIT-2"}
    assert set(g.refused("ann", "put-back", end="top", tiles=[tile(1), tile(2)])) == {"SIM-LIMIT-4"}
    assert "SIM-LIMIT-1" in g.not_placed("dragonrider", "library")
    assert "SIM-LIMIT-7" in g.refused("bob", "put-back", end="top", tiles=[])
    g.play("ann", "put-back", end="top", tiles=[tile(1)])


@refusal("SIM-LIMIT-3", "SIM-LIMIT-4")
@pytest.mark.parametrize(("variant", "most"), [("spearman", 15), ("dragonlord", 12)])
def test_ending_with_too_many_resources_is_refused(variant, most):
    g = (
        game({"ann": {"resources": {"wood": most}}, "bob": {}}, variant=variant)
        .place("spearman", "armory")
        .end()
    )
    assert "SIM-LIMIT-3" in g.refused("ann", "end-turn")
    for tokens in ({"wood": 2}, {}, {"stone": 1}):
        assert set(g.refused("ann", "return-tokens", tokens=tokens)) == {"SIM-LIMIT-4"}
    g.play("ann", "return-tokens", tokens={"weapon": 1})
    assert g["ann"].resources == {"wood": most}


# -- the Scouts and the Statue ----------------------------------------------------------------------------------


@refusal("SIM-SCOUT-2", "SIM-SCOUT-3", "SIM-SCOUT-4")
def test_leaving_the_scouts_without_a_tile_is_refused():
    g = (
        game({"ann": {"resources": {"wisdom": 1}}, "bob": {}})
        .place("spearman", "scouts-quarter")
        .play("ann", "choose-one", branch=0)
    )
    assert set(g.refused("ann", "end-turn")) == {"SIM-SCOUT-2"}
    weapon = {"tokens": {"weapon": 1}}
    assert set(g.refused("ann", "acquire-tile", place="deck", cost=weapon)) == {"SIM-SCOUT-4"}
    wisdom = {"tokens": {"wisdom": 1}}
    for place, cost, clause in (
        ("display-3", weapon, "SIM-SCOUT-3"),
        ("display-3", wisdom, "SIM-SCOUT-3"),
        ("display-1", {}, "SIM-SCOUT-3"),
        ("deck", {}, "SIM-SCOUT-4"),
    ):
        assert set(g.refused("ann", "acquire-tile", place=place, cost=cost)) == {clause}


@refusal("SIM-SCOUT-6", "SIM-SCOUT-8")
def test_the_scouts_without_the_means_or_without_a_tile_are_refused():
    assert set(game().not_placed("spearman", "scouts-quarter")) == {"SIM-SCOUT-6"}
    rich = {"resources": {"wisdom": 3, "weapon": 3}}
    seats = {"ann": rich, "bob": on(space(1), spearman=1), "cyd": {}}
    g = game(seats, wilds=(1,), display=(None,) * 4, empty=["tiles"])
    assert "SIM-SCOUT-6" in g.not_placed("spearman", "scouts-quarter")
    g = game(seats, wilds=(1,), display=(13, None, None, None), empty=["tiles"])
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    assert set(g.refused("ann", "acquire-tile", place="display-2", cost={"tokens": {"weapon": 1}})) == {
        "SIM-SCOUT-8"
    }
    assert set(g.refused("ann", "acquire-tile", place="deck", cost={"tokens": {"weapon": 1}})) == {
        "SIM-SCOUT-8"
    }


@refusal("SIM-STATUE-2", "SIM-DRAGON-22")
def test_an_objective_on_a_taken_space_without_the_cost_or_twice_is_refused():
    g = game(
        {"ann": {"resources": {"wisdom": 1}, "dragons": (57,)}, "bob": {}},
        statue={"statue-1": 73},
        objective_deck=(74, 75, 76),
    )
    g.place("dragonrider", "statue")
    wire = {"objective": "objective-74", "cost": {"tokens": {"wisdom": 1}}}
    assert set(g.refused("ann", "place-objective", space="statue-1", **wire)) == {"SIM-STATUE-2"}
    both = {"tokens": {"wisdom": 1, "weapon": 1}}
    assert set(
        g.refused("ann", "place-objective", space="statue-2", objective="objective-74", cost=both)
    ) == {"SIM-STATUE-2"}
    for cost in ({}, {"tokens": {"wisdom": 1}}):
        assert set(
            g.refused("ann", "place-objective", space="statue-2", objective="objective-74", cost=cost)
        ) == {"SIM-STATUE-2"}
    assert set(
        g.refused("ann", "place-objective", space="statue-2", objective="objective-80", cost=both)
    ) == {"SIM-STATUE-2"}
    assert "SIM-DRAGON-22" in g.refused(
        "ann", "replace-objective", space="statue-1", ability="dragon-57-3", **wire
    )
    g.play("ann", "place-none")
    assert "SIM-DEC-22" in g.refused("ann", "place-objective", space="statue-1", **wire)


# -- the drafts and the end -------------------------------------------------------------------------------------


@refusal("SIM-DL-2", "SIM-DL-4", "SIM-DL-6")
def test_choosing_in_a_draft_what_is_not_offered_or_out_of_turn_is_refused():
    g = fresh(2, variant="dragonlord")
    assert g.asked == "bob"
    held = set(g["bob"].offered)
    other = next(x for x in map(tile, range(29, 37)) if x not in held)
    assert set(g.refused("bob", "keep-tile", tile=other)) == {"SIM-DL-2"}
    assert "SIM-DL-2" in g.refused("ann", "keep-tile", tile=min(held))
    for seat in ("bob", "ann"):
        g.play(seat, "keep-tile", tile=min(g[seat].offered))
    other = next(x for x in map(tile, range(1, 9)) if x not in g.board.row)
    assert set(g.refused("ann", "take-tile", tile=other)) == {"SIM-DL-4"}
    assert "SIM-DL-4" in g.refused("bob", "take-tile", tile=g.board.row[0])
    for seat in ("ann", "bob") * 2:
        g.play(seat, "take-tile", tile=g.board.row[0])
    assert set(g.refused("ann", "choose-dragon", dragon=min(g["bob"].looked_at))) == {"SIM-DL-6"}


@refusal("SIM-END-5")
def test_acting_once_the_game_is_over_is_refused():
    g = game({"ann": {}, "bob": {}}, length="short", chronicle=(1, 2, 3, 4, 13, 14, 21, 37), ending="bob")
    g.place("spearman", "armory").end()
    assert g.state.outcome is not None
    assert set(g.not_placed("spearman", "library", actor="bob")) == {"SIM-END-5"}
