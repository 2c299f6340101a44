"""The turn, placing, tiles, exploration, removal, limits: the rules at work."""

import pytest
from msgspec.structs import replace

from service.engine.problems import problems
from service.games.simurgh.v1 import RULES
from service.games.simurgh.v1.state import TilePlacement
from tests.games.simurgh.table import PLENTY, game, space, tile

rule = pytest.mark.rule
RIDER = {"available": {"dragonrider": 1}}


def on(where, **kinds):
    return {"assigned": {where: kinds}}


# -- placing ----------------------------------------------------------------------------------------------------


@rule("SIM-PLACE-2", "SIM-PLACE-3", "SIM-CITY-13", "SIM-PLACE-8")
def test_a_multi_space_holds_everybody_of_both_kinds_and_gives_once():
    seats = {s: {"available": {"spearman": 2, "dragonrider": 1}} for s in ("ann", "bob")}
    g = game(seats)
    for seat, kind in (
        ("ann", "spearman"),
        ("bob", "spearman"),
        ("ann", "dragonrider"),
        ("bob", "dragonrider"),
    ) * 1:
        g.place(kind, "great-market", actor=seat).play(seat, "choose-one", branch=1).end(seat)
    g.place("spearman", "great-market").play("ann", "choose-one", branch=0)
    assert g["ann"].assigned == {"great-market": {"dragonrider": 1, "spearman": 2}}
    assert g["bob"].assigned == {"great-market": {"dragonrider": 1, "spearman": 1}}
    assert (g["ann"].pp, g["ann"].resources) == (2, {"vegetable": 1})


@rule("SIM-PLACE-6", "SIM-DRAGON-3")
def test_markers_without_a_place_are_lost():
    full = {"dragons": (57,), "markers": ["57-1", "57-2"], "resources": {"wood": 3}}
    g = game({"ann": full, "bob": {}}).place("spearman", "training-grounds", tokens={"wood": 3})
    assert g["ann"].markers == {"dragon-57-1": 1, "dragon-57-2": 1, "dragon-57-3": 1}
    (lost,) = [e.to_wire() for e in g.events if e.kind == "markers-lost"]
    assert lost == {"kind": "markers-lost", "because": "SIM-DRAGON-3", "seat": "ann", "n": 1}


@rule("SIM-PLACE-7", "SIM-LIMIT-5", "SIM-LIMIT-6", "SIM-LIMIT-3")
def test_limits_do_not_matter_within_a_turn():
    ann = {"resources": {"wood": 15}, "pp": 40, "dragons": (49, 50, 53), "markers": ["49-1"]}
    g = game({"ann": ann, "bob": {}}).place("spearman", "library")
    assert sum(g["ann"].resources.values()) == 17
    g.play("ann", "use-ability", ability="dragon-49-1", cost={}).play("ann", "choose-one", branch=0)
    g.end()
    assert g.kinds == ("return-tokens",)
    g.play("ann", "return-tokens", tokens={"wisdom": 2, "vegetable": 1})
    assert g["ann"].resources == {"wood": 15}
    assert g.asked == "bob"


@rule("SIM-EFF-9", "SIM-DRAGON-7", "SIM-DRAGON-8", "SIM-DRAGON-6", "SIM-EFF-6", "SIM-DEC-10")
@pytest.mark.parametrize(("number", "n", "markers"), [(15, 2, 0), (20, 3, 1)])
def test_a_dragon_comes_with_its_markers_on_the_first_abilities(number, n, markers):
    bob = {"available": {"dragonrider": 1}, **on(space(number), spearman=1)}
    g = game(
        {"ann": {"resources": {"wisdom": 2}, "dragons": (57, 58)}, "bob": bob},
        wilds=(number,),
        dragon_deck=(59, 60, 65),
    )
    where = {15: space(15, 2), 20: space(20, 3)}[number]
    g.place("spearman", where, **({"tokens": {"wisdom": 2}} if number == 20 else {}))
    g.play("ann", "keep-dragon", dragon="dragon-59")
    g.play("ann", "return-tiles", end="bottom", order=sorted(g["ann"].looked_at))
    assert g["ann"].dragons == ["dragon-57", "dragon-58", "dragon-59"]
    assert g["ann"].markers == {f"dragon-59-{i}": 1 for i in range(1, markers + 1)}


@rule("SIM-CITY-10", "SIM-DRAGON-6", "SIM-DRAGON-7")
def test_the_hatchery_fills_a_one_use_ability():
    ann = {**RIDER, "resources": PLENTY, "dragons": (57,)}
    g = game({"ann": ann, "bob": {}}, dragon_deck=(59, 60, 65))
    cost = dict.fromkeys(("vegetable", "meat", "wood", "stone", "weapon"), 1)
    g.place("dragonrider", "hatchery", tokens=cost).play("ann", "keep-dragon", dragon="dragon-59")
    g.play("ann", "return-tiles", end="top", order=["dragon-65", "dragon-60"])
    assert g["ann"].markers == {"dragon-59-1": 1, "dragon-59-2": 1, "dragon-59-3": 1}
    assert g.board.dragons.known_by("ann")[:2] == ["dragon-65", "dragon-60"]
    assert g.board.dragons.known_by("bob")[:2] == []


@rule("SIM-EFF-7")
def test_fewer_dragons_than_wanted_are_all_drawn():
    bob = {"available": {"dragonrider": 1}, **on(space(15), spearman=1), "dragons": tuple(range(50, 72))}
    g = game({"ann": {"dragons": (72,)}, "bob": bob}, wilds=(15,))
    g.place("spearman", space(15, 2))
    assert g["ann"].dragons == ["dragon-72", "dragon-49"]
    assert g.board.dragons.size == 0


# -- spending vassals -------------------------------------------------------------------------------------------


@rule("SIM-PAY-1", "SIM-PAY-5", "SIM-REMOVE-1", "SIM-DEC-23")
def test_a_vassal_paid_goes_to_the_inactive_ones_and_its_empty_tile_to_the_chronicle():
    ann = {"available": {"spearman": 1}, **on(space(8, 2), spearman=1)}
    g = game({"ann": ann, "bob": on(space(19, 4), spearman=1)}, wilds=(8, 19))
    g.place("spearman", space(19), vassals={"spearman": {space(8, 2): 1}})
    assert g["ann"].inactive == {"dragonrider": 2, "spearman": 2}
    assert g.board.chronicle == [tile(8)]
    assert g.board.wilds["wilds-1"] is None
    assert g["ann"].resources == {"wisdom": 6}
    order = [(e.because, e.facts["target"]) for e in g.events if e.kind == "moved"]
    assert [b for b, _ in order] == ["SIM-TURN-2", "SIM-PAY-1", "SIM-REMOVE-1", "SIM-EFF-4"]


@rule("SIM-PAY-7")
def test_whoever_has_just_come_home_can_pay_though_not_be_placed():
    ann = {"available": {"spearman": 1}, **on(space(43, 3), dragonrider=1), "resources": {"weapon": 1}}
    bob = {"available": {"dragonrider": 1}, **on(space(21, 4), spearman=1)}
    g = game({"ann": ann | {"dragons": (63,), "markers": ["63-3"]}, "bob": bob}, wilds=(43, 21))
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})
    assert g.state.stack[-1].resting == {"dragonrider": 1}
    assert not [o for o in g.options("ann", "place-vassal") if o["vassal"] == "dragonrider"]
    g.play("ann", "use-ability", ability="dragon-63-3", cost={"vassals": {"dragonrider": {"available": 1}}})
    assert g["ann"].available == {"spearman": 1}
    assert g.state.stack[-1].resting == {}


# -- retrieving -------------------------------------------------------------------------------------------------


@rule(
    "SIM-TURN-3",
    "SIM-TURN-5",
    "SIM-TURN-6",
    "SIM-TURN-10",
    "SIM-DEC-6",
    "SIM-EXPL-11",
    "SIM-REMOVE-6",
    "SIM-REMOVE-7",
)
def test_retrieving_empties_several_tiles_and_leaves_room_for_free_actions():
    ann = {
        "available": {},
        "assigned": {space(37, 2): {"dragonrider": 1}, space(29): {"spearman": 1}, "forge": {"spearman": 1}},
    }
    ann |= {"dragons": (57,), "markers": ["57-1", "57-2"], "resources": {"wood": 2}}
    g = game({"ann": ann, "bob": {}}, wilds=(37, 29))
    g.play("ann", "use-ability", ability="dragon-57-1", cost={})
    g.play("ann", "retrieve-vassals", spearmen={"forge": 1, space(29): 1}, dragonriders={space(37, 2): 1})
    assert g["ann"].available == {"dragonrider": 1, "spearman": 2}
    assert g.board.chronicle == [tile(37), tile(29)]
    assert g.because("moved")[-2:] == ["SIM-EXPL-11", "SIM-REMOVE-1"]
    g.play("ann", "use-ability", ability="dragon-57-2", cost={"tokens": {"wood": 2}})
    assert g["ann"].resources == {"vegetable": 2, "weapon": 3}


@rule("SIM-TURN-3")
def test_retrieving_is_allowed_with_vassals_at_home_and_of_some_only():
    g = game(
        {
            "ann": {
                "available": {"spearman": 1},
                "assigned": {"armory": {"dragonrider": 1}, "great-market": {"spearman": 2}},
            },
            "bob": {},
        }
    )
    g.play("ann", "retrieve-vassals", spearmen={"great-market": 1}, dragonriders={})
    assert g["ann"].available == {"spearman": 2}
    assert g["ann"].assigned == {"armory": {"dragonrider": 1}, "great-market": {"spearman": 1}}


# -- tiles ------------------------------------------------------------------------------------------------------


@rule("SIM-TILE-1", "SIM-TILE-5", "SIM-TILE-7", "SIM-TILE-9", "SIM-DEC-5", "SIM-SETUP-14")
def test_a_tile_is_placed_in_its_steps():
    g = game({"ann": {"hand": (9,)}, "bob": {}})
    g.play("ann", "place-tile", tile=tile(9), wilds="wilds-2", income=1)
    assert [e.because for e in g.events] == ["SIM-TILE-5", "SIM-TILE-6"]
    assert g.kinds == ("place-vassal",)
    assert {o["space"] for o in g.options("ann", "place-vassal")} == {space(9, n) for n in (1, 2, 3, 4)}
    g.place("dragonrider", space(9, 3))
    assert g["ann"].resources == {"meat": 1, "wood": 4}
    assert g.kinds == ("end-turn",)


@rule("SIM-TILE-2", "SIM-TILE-4", "SIM-REMOVE-4")
def test_a_tile_is_removed_for_a_weapon_whoever_stands_on_it():
    seats = {
        "ann": {
            "hand": (1,),
            "resources": {"weapon": 1},
            "available": {"spearman": 1},
            **on(space(2, 2), dragonrider=1),
        }
    }
    seats["bob"] = {
        "available": {},
        "assigned": {space(2): {"spearman": 1}, space(3): {"dragonrider": 1}, space(4): {"dragonrider": 1}},
    }
    g = game(seats, wilds=(2, 3, 4))
    wire = {"tile": tile(1), "wilds": "wilds-1", "income": 0, "cost": {"tokens": {"weapon": 1}}}
    g.play("ann", "replace-tile", **wire)
    assert g.board.chronicle == [tile(2)]
    assert g["bob"].available == {"spearman": 1}
    assert g["ann"].available == {"dragonrider": 1, "spearman": 1}
    assert g["ann"].resources == {"wood": 1}
    assert g.board.wilds["wilds-1"] == tile(1)
    assert {o["vassal"] for o in g.options("ann", "place-vassal")} == {"spearman"}


@rule("SIM-REMOVE-2", "SIM-REMOVE-3", "SIM-CHRON-1")
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_full_tile_goes_after_the_effect_of_the_last_vassal(seats):
    full = 3 if seats < 4 else 4
    others = {"bob": {"available": {}, "assigned": {space(12): {"spearman": full - 1}}}}
    others |= {s: {} for s in ("cyd", "dan", "eve")[: seats - 2]}
    g = game({"ann": {}, **others}, wilds=(12,)).place("spearman", space(12, 2))
    assert g["ann"].resources == {"meat": 1, "vegetable": 3}
    assert g.board.chronicle == [tile(12)]
    assert g["bob"].available == {"spearman": full - 1}
    assert g.because("moved")[-1] == "SIM-REMOVE-2"
    assert g.state.stack[-1].resting == {"spearman": 1}
    one_less = {"available": {}, "assigned": {space(12): {"spearman": full - 2}}} if full > 2 else {}
    g = game({"ann": {}, **others, "bob": one_less}, wilds=(12,)).place("spearman", space(12, 2))
    assert g.board.chronicle == []


# -- exploring --------------------------------------------------------------------------------------------------


@rule("SIM-EXPL-7", "SIM-EXPL-8", "SIM-EXPL-15")
def test_a_rider_placed_now_may_move_now_and_entering_is_no_move():
    ann = {
        "hand": (43,),
        "resources": {"weapon": 2},
        "dragons": (61,),
        "markers": ["61-2"],
        "available": {"dragonrider": 1},
    }
    g = game({"ann": ann, "bob": {}}).play("ann", "place-tile", tile=tile(43), wilds="wilds-1", income=0)
    g.place("dragonrider", space(43), tokens={"weapon": 1})
    assert g["ann"].resources == {"vegetable": 2, "weapon": 1, "wood": 1}
    assert g.kinds == ("end-turn",)
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})
    assert "answer" in g.kinds
    assert [e.because for e in g.events] == ["SIM-EXPL-4"] * 3
    g.play("ann", "answer", ability="dragon-61-2")
    assert g["ann"].pp == 5


@rule("SIM-EXPL-15", "SIM-DRAGON-20")
def test_markers_of_the_reward_are_placed_before_answers_free_a_place():
    ann = {"available": {"spearman": 1}, **on(space(37), dragonrider=1), "resources": {"wisdom": 2}}
    ann |= {"dragons": (59,), "markers": ["59-1", "59-2"]}
    g = game({"ann": ann, "bob": {}}, wilds=(37,))
    g.play("ann", "move-rider", tile=tile(37), cost={"tokens": {"wisdom": 2}})
    (lost,) = [e for e in g.events if e.kind == "markers-lost"]
    assert lost.facts["n"] == 2
    assert "answer" in g.kinds


@rule("SIM-EXPL-3", "SIM-EXPL-16")
def test_others_may_enter_an_exploration_tile_later():
    seats = {"ann": {"resources": {"wisdom": 2}}, "bob": on(space(37), dragonrider=1)}
    g = game(seats, wilds=(37,)).place("dragonrider", space(37), tokens={"wisdom": 2})
    assert g["ann"].pp == 2
    assert g["bob"].assigned == g["ann"].assigned == {space(37): {"dragonrider": 1}}


# -- the Scouts and the Statue ----------------------------------------------------------------------------------


@rule("SIM-SCOUT-6", "SIM-TURN-6", "SIM-TURN-11")
def test_free_actions_in_the_gap_of_the_scouts_can_find_the_price():
    ann = {"resources": {"meat": 2}, "dragons": (53, 57), "markers": ["53-2", "57-1"]}
    g = game({"ann": ann, "bob": {}})
    assert "scouts-quarter" in {o["space"] for o in g.options("ann", "place-vassal")}
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=1)
    assert g.options("ann", "acquire-tile") == []
    assert {o["ability"] for o in g.options("ann", "use-ability")} == {"dragon-53-2", "dragon-57-1"}
    g.play("ann", "use-ability", ability="dragon-57-1", cost={})
    g.play("ann", "use-ability", ability="dragon-53-2", cost={"tokens": {"meat": 2}})
    g.play("ann", "acquire-tile", place="display-2", cost={"tokens": {"weapon": 1}})
    assert g["ann"].resources == {"vegetable": 2, "weapon": 2, "wood": 1}


@rule("SIM-SCOUT-6")
@pytest.mark.refusal("SIM-PLACE-5", "SIM-SCOUT-6")
def test_what_would_make_acquiring_impossible_is_refused_in_the_gap():
    ann = {"resources": {"wisdom": 1}, "dragons": (67,), "markers": ["67-2"]}
    g = (
        game({"ann": ann, "bob": {}}, deck=(5, 6))
        .place("spearman", "scouts-quarter")
        .play("ann", "choose-one", branch=0)
    )
    refused = g.refused("ann", "use-ability", ability="dragon-67-2", cost={"tokens": {"wisdom": 1}})
    assert set(refused) == {"SIM-PLACE-5", "SIM-SCOUT-6"}


@rule("SIM-TILE-8", "SIM-DRAGON-12")
@pytest.mark.refusal("SIM-PLACE-5", "SIM-TILE-8")
def test_an_answer_on_which_the_new_tile_depends_cannot_be_declined():
    ann = {"hand": (29,), "dragons": (61,), "markers": ["61-1"], "available": {"spearman": 1}}
    g = game({"ann": ann, "bob": {}}).play("ann", "place-tile", tile=tile(29), wilds="wilds-3", income=0)
    assert set(g.refused("ann", "decline")) == {"SIM-PLACE-5", "SIM-TILE-8"}
    assert g.options("ann", "decline") == []
    g.play("ann", "answer", ability="dragon-61-1").place("spearman", space(29), tokens={"wisdom": 2})
    assert (g["ann"].pp, g["ann"].resources) == (3, {"wisdom": 1})


@rule("SIM-SCOUT-7", "SIM-SCOUT-8", "SIM-DEC-9", "SIM-TURN-13")
def test_the_display_slides_and_fills_from_the_lowest_space():
    ann = {"dragons": (57, 67), "markers": ["57-3", "67-3"], "resources": {"weapon": 2}}
    g = game({"ann": ann, "bob": {}}, display=(13, 14, 21, 22), deck=(5, 6))
    for n, place in ((57, "display-1"), (67, "display-3")):
        g.play("ann", "fetch-tile", ability=f"dragon-{n}-3", place=place, cost={"tokens": {"weapon": 1}})
    g.place("spearman", "armory").end()
    assert list(g.board.display.values()) == [tile(14), tile(22), tile(5), tile(6)]


@rule("SIM-SCOUT-8")
def test_with_an_empty_deck_gaps_stay():
    seats = {
        "ann": {"dragons": (57,), "markers": ["57-3"], "resources": {"weapon": 1}},
        "bob": on(space(1), spearman=1),
        "cyd": {},
    }
    g = game(seats, wilds=(1,), display=(13, 14, None, None), empty=["tiles"])
    g.play("ann", "fetch-tile", ability="dragon-57-3", place="display-1", cost={"tokens": {"weapon": 1}})
    g.place("spearman", "armory").end()
    assert list(g.board.display.values()) == [tile(14), None, None, None]


@rule("SIM-STATUE-3", "SIM-STATUE-4", "SIM-DEC-11", "SIM-RETURN-1", "SIM-RETURN-2")
@pytest.mark.parametrize("end", ["top", "bottom"])
def test_no_objective_need_be_placed_and_all_go_back_in_order(end):
    g = game(2, objective_deck=(77, 74, 80)).place("dragonrider", "statue").play("ann", "place-none")
    order = ["objective-80", "objective-77", "objective-74"]
    g.play("ann", "return-tiles", end=end, order=order)
    run = g.board.objectives.segments[0 if end == "top" else -1]
    assert (run.cards, run.known_to) == (order, ["ann"])
    assert g["ann"].considered == []


# -- limits -----------------------------------------------------------------------------------------------------


@rule("SIM-LIMIT-8", "SIM-INFO-5", "SIM-DEC-12")
@pytest.mark.parametrize("end", ["top", "bottom"])
def test_a_tile_put_on_top_can_come_to_the_display_at_once(end):
    ann = {"hand": (29, 1, 2, 3, 4), "dragons": (57,), "markers": ["57-3"], "resources": {"weapon": 1}}
    g = game({"ann": ann, "bob": {}}, display=(13, 14, 21, 22), deck=(6,))
    g.play("ann", "fetch-tile", ability="dragon-57-3", place="display-1", cost={"tokens": {"weapon": 1}})
    g.place("spearman", "armory").end().play("ann", "put-back", end=end, tiles=[tile(2)])
    assert g.board.display["display-4"] == (tile(2) if end == "top" else tile(6))
    if end == "bottom":
        run = g.board.tiles.segments[-1]
        assert (run.cards, run.known_to) == ([tile(2)], ["ann"])


@rule("SIM-DL-1")
def test_the_dragonlord_side_has_twelve_places():
    g = (
        game({"ann": {"resources": {"wood": 12}}, "bob": {}}, variant="dragonlord")
        .place("spearman", "library")
        .end()
    )
    g.play("ann", "return-tokens", tokens={"wood": 1, "wisdom": 1})
    assert g["ann"].resources == {"wisdom": 1, "wood": 11}


@rule("SIM-DEC-7", "SIM-DEC-8", "SIM-TURN-6")
def test_options_of_free_actions_name_what_is_paid():
    ann = {"available": {"spearman": 1}, **on(space(39), dragonrider=1), "resources": {"wood": 2, "stone": 3}}
    g = game({"ann": ann | {"dragons": (57,), "markers": ["57-2"]}, "bob": {}}, wilds=(39,))
    assert [o["cost"] for o in g.options("ann", "move-rider")] == [{"tokens": {"stone": 1, "wood": 2}}]
    assert [o["cost"] for o in g.options("ann", "use-ability")] == [{"tokens": {"wood": 2}}]
    g.play("ann", "move-rider", tile=tile(39), cost={"tokens": {"stone": 3}})
    assert g["ann"].resources == {"wood": 2}


@rule("SIM-TURN-7")
def test_no_state_has_two_tiles_placed_in_one_turn():
    ann = {"hand": (29,), "dragons": (61,), "markers": ["61-1"], "available": {"spearman": 1}}
    g = game({"ann": ann, "bob": {}})
    g.play("ann", "place-tile", tile=tile(29), wilds="wilds-3", income=0)
    assert problems(RULES, g.state) == []
    at = next(i for i, f in enumerate(g.state.stack) if isinstance(f, TilePlacement))
    twice = replace(g.state, stack=[*g.state.stack[: at + 1], *g.state.stack[at:]])
    assert ("SIM-TURN-7", f"/stack/{at + 1}/tile") in {(p.rule, p.pointer) for p in problems(RULES, twice)}


@rule("SIM-COMP-5", "SIM-COMP-6")
def test_tokens_and_points_never_grow_beyond_what_a_state_can_hold():
    """Whoever posts a state at the bound plays on: what is received is counted as far as it goes.

    By the house 69-1 gives a marker, so that nothing else bounds what a turn brings.
    """
    house = {"abilities": {"dragon-69-1": {"effect": {"take": {"marker": 1}}}}}
    g = game({"ann": {"dragons": (69,), "markers": ["69-2"]}, "bob": {}}, house=house)
    g["ann"].resources = {"wisdom": 9_999}
    g.place("dragonrider", "dragon-towers")
    g.play("ann", "answer", ability="dragon-69-2")
    assert g["ann"].resources == {"wisdom": 10_000}
    assert game({"ann": {"pp": 100_000}, "bob": {}}).place("spearman", "great-market").asked == "ann"
    g = game({"ann": {"pp": 99_999}, "bob": {}}).place("spearman", "great-market")
    assert g.play("ann", "choose-one", branch=1)["ann"].pp == 100_000


@rule("SIM-TURN-12", "SIM-EXPL-10", "SIM-PLACE-10")
@pytest.mark.refusal("SIM-TURN-12")
def test_a_rider_at_the_end_of_his_path_is_no_main_action_even_before_he_goes_home():
    """In the gap of its reward (7 PP, then 5 in all) he stands on level 4 of #44, and will rest at home."""
    held = {
        "dragons": (63,),
        "markers": ["63-3"],
        "resources": {"wisdom": 1, "wood": 1, "stone": 1},
        "assigned": {space(44, 3): {"dragonrider": 1}},
        "available": {"dragonrider": 1},
    }
    step = {"tile": tile(44), "cost": {"tokens": {"wisdom": 1, "wood": 1, "stone": 1}}}
    use = {"ability": "dragon-63-3", "cost": {"vassals": {"dragonrider": {"available": 1}}}}
    g = game({"ann": held, "bob": {}}, wilds=(44,)).play("ann", "move-rider", **step)
    assert set(g.refused("ann", "use-ability", **use)) == {"SIM-TURN-12"}
    assert g.options("ann", "use-ability") == []
    g.play("ann", "choose-total", tokens={"meat": 5})
    assert g.options("ann", "place-vassal")

    held |= {"available": {"dragonrider": 1, "spearman": 1}}
    g = game({"ann": held, "bob": {}}, wilds=(44,)).play("ann", "move-rider", **step)
    g.play("ann", "use-ability", **use).play("ann", "choose-total", tokens={"meat": 5})
    assert {o["vassal"] for o in g.options("ann", "place-vassal")} == {"spearman"}
