"""Figures of the house: what is written in the set-up holds in the game, and what cannot be played is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, encode
from tests.games.simurgh.table import RULES, SEATS, Game, game, lowest, space, tile

rule, refusal = pytest.mark.rule, pytest.mark.refusal


def begun(house: dict[str, Any], seats: int = 2, **options: str) -> Game:
    setup = Setup([SetupSeat(s) for s in SEATS[:seats]], "test", ChanceState(), options, house=house)
    return Game(start(RULES, setup, lowest))


@rule("SIM-SCOUT-3", "SIM-SCOUT-7")
@refusal("SIM-EFF-2")
def test_a_display_space_has_the_price_and_points_of_the_house():
    """Printed: a wisdom and nothing. Here: a wood and a stone, or two weapons; and 3 points."""
    ways = [{"fixed": {"stone": 1, "wood": 1}}, {"fixed": {"weapon": 2}}]
    house = {"display": {"display-1": {"price": {"choose_one": ways}, "pp": 3}}}
    ann = {"resources": {"wisdom": 1, "stone": 1, "weapon": 1}}
    g = game({"ann": ann, "bob": {}}, display=(13, 14, 21, 22), deck=(5,), house=house)
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=1)
    refused = g.refused("ann", "acquire-tile", place="display-1", cost={"tokens": {"wisdom": 1}})
    assert refused["SIM-EFF-2"].facts["ways"] == [{"stone": 1, "wood": 1}, {"weapon": 2}]
    g.play("ann", "acquire-tile", place="display-1", cost={"tokens": {"stone": 1, "wood": 1}})
    assert (g["ann"].resources, g["ann"].pp) == ({"wisdom": 1, "weapon": 1}, 3)
    assert tile(13) in g["ann"].hand
    g.end().place("spearman", "great-market", "bob")
    assert g.state.house == house


@rule("SIM-EFF-1", "SIM-EFF-2", "SIM-EFF-4")
def test_a_space_of_a_tile_has_the_effect_of_the_house():
    """Printed: 3 vegetable and a meat. Here: a wisdom for 2 wood or stone, and an Ability marker."""
    gain = {"all": [{"choose_total": 2, "of": ["wood", "stone"]}, {"take": {"pp": 1}}]}
    house = {"spaces": {space(7, 2): {"effect": {"pay": {"fixed": {"wisdom": 1}}, "gain": gain}}}}
    g = game({"ann": {"hand": (7,), "resources": {"wisdom": 1}}, "bob": {}}, house=house)
    g.play("ann", "place-tile", tile=tile(7), wilds="wilds-1", income=0)
    assert set(g.not_placed("spearman", space(7, 2))) == {"SIM-EFF-4"}
    g.place("spearman", space(7, 2), tokens={"wisdom": 1})
    g.play("ann", "choose-total", tokens={"stone": 2})
    assert (g["ann"].resources, g["ann"].pp) == ({"wood": 1, "stone": 2}, 1)
    g.end()
    assert g.asked == "bob"


@rule("SIM-EXPL-9", "SIM-EXPL-4", "SIM-EXPL-2")
def test_a_step_has_the_price_and_reward_of_the_house():
    house = {
        "tiles": {tile(43): {"move_cost": {"choose_total": 2, "of": ["wood", "stone"]}}},
        "levels": {f"{tile(43)}-2": {"effect": {"take": {"weapon": 5}}}},
    }
    ann = {"available": {"spearman": 1}, "assigned": {space(43, 1): {"dragonrider": 1}}}
    g = game({"ann": {**ann, "resources": {"wood": 1, "stone": 1}}, "bob": {}}, wilds=(43,), house=house)
    assert set(g.refused("ann", "move-rider", tile=tile(43), cost={"tokens": {"weapon": 1}})) >= {"SIM-EFF-2"}
    g.play("ann", "move-rider", tile=tile(43), cost={"tokens": {"wood": 1, "stone": 1}})
    assert g["ann"].resources == {"weapon": 5}


@rule("SIM-DRAGON-10")
def test_an_ability_answers_the_event_of_the_house():
    """Printed: taking meat gives 2 meat. Here: taking wood gives 2 points."""
    answer = {"trigger": {"on": "take", "of": ["wood"]}, "effect": {"take": {"pp": 2}}}
    ann = {"dragons": (55,), "markers": ["55-3", "55-2"]}
    g = game({"ann": ann, "bob": {}}, house={"abilities": {"dragon-55-3": answer}})
    g.play("ann", "use-ability", ability="dragon-55-2", cost={}).play(
        "ann", "choose-total", tokens={"wood": 2}
    )
    g.play("ann", "answer", ability="dragon-55-3")
    assert (g["ann"].resources, g["ann"].pp) == ({"wood": 2}, 2)


@rule("SIM-SETUP-4", "SIM-SETUP-5", "SIM-SETUP-14", "SIM-COMP-3")
def test_a_game_begins_with_the_figures_of_the_house():
    house = {
        "resources": {"meat": {"start": 0}, "weapon": {"start": 4}},
        "vassals": {"spearman": {"count": 5, "start": 2}},
        "wilds": {"wilds-3": {"min_players": 3}},
        "table": {"start-pp": {"value": 2}, "start-markers": {"value": 1}},
    }
    g = begun(house)
    ann = g["ann"]
    assert ann.resources == {"vegetable": 2, "wood": 1, "stone": 1, "wisdom": 2, "weapon": 4}
    assert (ann.available, ann.inactive) == (
        {"spearman": 2, "dragonrider": 1},
        {"spearman": 3, "dragonrider": 1},
    )
    assert (ann.pp, len(ann.markers)) == (2, 1)
    assert sorted(g.board.wilds) == ["wilds-1", "wilds-2"]


@rule("SIM-SETUP-3", "SIM-SETUP-8", "SIM-DL-2", "SIM-DL-4")
def test_what_is_set_aside_and_dealt_follows_the_house():
    aside = {"production": 2, "exploration": 4, "transformation": 3, "research": 3}
    deal = {"production": 2, "research": 0, "exploration": 1}
    g = begun({"table": {"set-aside": {"value": aside}, "hand-deal": {"value": deal}}})
    assert len(g["ann"].hand) == 1 + 3
    assert g.board.tiles.size == 40 - 12 - 2 * 3 - 4
    drafts = {
        "power-draft": {"value": {"first": 4, "next": 1}},
        "action-draft": {"value": {"face-up": 6, "picks": 1}},
    }
    g = begun({"table": drafts}, seats=3, variant="dragonlord")
    assert len(g["cyd"].offered) == 4
    for seat in ("cyd", "bob", "ann"):
        g.play(seat, "keep-tile", tile=sorted(g[seat].offered)[0])
    assert len(g.board.row) == 6
    for seat in SEATS[:3]:
        g.play(seat, "take-tile", tile=g.board.row[0])
    assert [len(g[s].hand) for s in SEATS[:3]] == [2, 2, 2]


@rule("SIM-END-2", "SIM-SCORE-3", "SIM-OBJ-2", "SIM-OBJ-7")
def test_the_end_and_the_score_follow_the_house():
    """One tile in the Chronicle ends it; points for every two resources; an objective that counts weapons and wood."""
    every, leftovers = [{"every": 2, "pp": 4}], RULES.houses.printed.table["leftovers"]
    house = {
        "lengths": {"short": {"chronicle": 1}},
        "table": {"leftovers": {"value": {**leftovers, "spearman": every}}},
        "objectives": {
            "objective-84": {"counts": {"what": "resources", "of": ["weapon", "wood"]}, "points": [20, 9, 1]}
        },
    }
    seats = {
        "ann": {"resources": {"weapon": 4, "meat": 1}},
        "bob": {
            "resources": {"wood": 1},
            "available": {"dragonrider": 1},
            "assigned": {"forge": {"spearman": 1}},
        },
    }
    board = {"chronicle": (1,), "ending": "ann", "statue": {"statue-1": 84}}
    g = game(seats, length="short", house=house, **board)
    g.play("bob", "retrieve-vassals", spearmen={"forge": 1}, dragonriders={}).end("bob")
    parts = {s.seat: s.parts for s in g.state.outcome.standings}
    assert parts["ann"] == {"track": 0, "objectives": 20, "resources": 8}
    assert parts["bob"] == {"track": 0, "objectives": 9, "resources": 0}


DRAGONS = {"draw_dragons": 3, "keep": 1, "markers": 1}
SPEARMAN = {"take": {"spearman": 1}}
KEYS = "weapon, wisdom, vegetable, pp, spearman, dragonrider, marker, stone, wood, meat"
MARKET = "/house/spaces/great-market"


@pytest.mark.parametrize(
    ("house", "pointer"),
    [
        ({"vassals": {"spearman": {"start": 4}}}, "/house/vassals/spearman/start"),
        ({"vassals": {"spearman": {"start": 0}, "dragonrider": {"start": 0}}}, "/house/vassals"),
        ({"resources": {"weapon": {"start": 9}}}, "/house/resources"),
        ({"table": {"resource-limit": {"value": {"spearman": 15, "dragonlord": 7}}}},
         "/house/table/resource-limit/value"),
        ({"table": {"hand-limit": {"value": 3}}}, "/house/table/hand-limit/value"),
        ({"table": {"hand-deal": {"value": {"production": 2, "research": 1, "exploration": 1}}}},
         "/house/table/hand-deal/value"),
        ({"table": {"set-aside": {"value": {"production": 4, "exploration": 4, "transformation": 8, "research": 3}}}},
         "/house/table/set-aside/value"),
        ({"table": {"power-draft": {"value": {"first": 3, "next": 2}}}}, "/house/table/power-draft/value"),
        ({"tiles": {"production-01": {"move_cost": {"fixed": {"wood": 1}}}}}, "/house/tiles/production-01/move_cost"),
        ({"tiles": {"exploration-37": {"move_cost": None}}}, "/house/tiles/exploration-37/move_cost"),
        ({"display": {"display-1": {"price": {"fixed": {"spearman": 9}}}}}, "/house/display/display-1/price"),
        ({"display": {"display-1": {"price": {"all": [{"choose_total": 6, "of": ["wood", "stone"]}] * 3}}}},
         "/house/display/display-1/price"),
        ({"display": {"display-1": {"price": {"choose_total": 6, "of": ["wood", "stone", "meat", "weapon"]}}}},
         "/house/display/display-1/price"),
        ({"spaces": {"armory": {"effect": {"special": "scouts-purchase"}}}}, "/house/spaces/armory/effect"),
        ({"spaces": {"statue": {"effect": {"take": {"pp": 5}}}}}, "/house/spaces/statue/effect"),
        ({"wilds": {"wilds-1": {"income": {"take": {"spearman": 1}}}}}, "/house/wilds/wilds-1/income"),
        ({"abilities": {"dragon-55-3": {"effect": {"take": {"dragonrider": 1}}}}},
         "/house/abilities/dragon-55-3/effect"),
        ({"abilities": {"dragon-55-3": {"effect": {"pay": {"fixed": {"wood": 1}}, "gain": {"take": {"meat": 1}}}}}},
         "/house/abilities/dragon-55-3/effect"),
        ({"abilities": {"dragon-49-2": {"trigger": {"on": "take", "of": ["meat"]}}}},
         "/house/abilities/dragon-49-2/trigger"),
        ({"abilities": {"dragon-49-1": {"trigger": {"on": "before-place-objective", "of": []}}}},
         "/house/abilities/dragon-49-1/trigger"),
        ({"abilities": {"dragon-69-2": {"effect": {"draw_dragons": 1, "keep": 1, "markers": 3}}}},
         "/house/abilities/dragon-69-2/effect"),
        ({"spaces": {"scouts-quarter": {"effect": {
            "all": [{"special": "scouts-purchase"}, {"take": {"dragonrider": 1}}]}}}},
         "/house/spaces/scouts-quarter/effect"),
        ({"abilities": {"dragon-65-3": {"trigger": None}}}, "/house/abilities/dragon-65-3/trigger"),
        ({"abilities": {"dragon-67-1": {"trigger": {"on": "take", "of": ["weapon"]}}}},
         "/house/abilities/dragon-67-1/trigger"),
        ({"spaces": {s: {"slots": "single"} for s in ("great-market", "scouts-quarter")}}, f"{MARKET}/slots"),
        ({"spaces": {"great-market": {"who": "dragonrider"}}}, f"{MARKET}/who"),
        ({"spaces": {"armory": {"slots": "multi", "effect": DRAGONS}, "great-market": {"effect": DRAGONS}}},
         f"{MARKET}/effect"),
        ({"spaces": {"great-market": {"effect": {"all": [{"take": {"pp": 1}}, DRAGONS]}}}}, f"{MARKET}/effect"),
        ({"spaces": {"great-market": {"effect": {"choose_one": [DRAGONS, {**DRAGONS, "draw_dragons": 2}]}}}},
         f"{MARKET}/effect"),
        ({"spaces": {"great-market": {"effect": {"take": {"spearman": 1}}, "slots": "multi"}}}, f"{MARKET}/effect"),
        ({"spaces": {"armory": {"effect": {"all": [SPEARMAN, {"choose_one": [SPEARMAN, {"take": {"pp": 1}}]}]}}}},
         "/house/spaces/armory/effect"),
        ({"spaces": {"armory": {"effect": {"all": [{"take": {"pp": 1}}, {"choose_one": [DRAGONS, DRAGONS]}]}}}},
         "/house/spaces/armory/effect"),
        ({"levels": {"exploration-37-2": {"effect": {"all": [DRAGONS, {"choose_one": [DRAGONS, DRAGONS]}]}}}},
         "/house/levels/exploration-37-2/effect"),
    ],
)  # fmt: skip
def test_figures_that_cannot_be_played_together_are_refused(house: dict[str, Any], pointer: str):
    assert [p.pointer for p in RULES.house_problems(house)] == [pointer]


@rule("SIM-TURN-12")
def test_every_figure_that_spoils_the_space_for_all_is_named():
    house = {"spaces": {"great-market": {"slots": "single", "who": "dragonrider"}}}
    assert [p.pointer for p in RULES.house_problems(house)] == [f"{MARKET}/slots", f"{MARKET}/who"]


@rule("SIM-EFF-1", "SIM-TURN-12")
@pytest.mark.parametrize(
    "effect",
    [
        {"special": "scouts-purchase"},
        {"special": "statue-objectives", "draw": 3, "place_max": 1},
        {
            "all": [
                {"choose_one": [{"take": {"pp": 1}}, {"take": {"wood": 1}}]},
                {"special": "scouts-purchase"},
            ]
        },
    ],
)
def test_the_space_for_all_does_not_get_what_has_clauses_of_its_own(effect: dict[str, Any]):
    """It was the last space that everybody can always use for nothing."""
    told = {
        (p.pointer, p.rule) for p in RULES.house_problems({"spaces": {"great-market": {"effect": effect}}})
    }
    assert told == {(f"{MARKET}/effect", "SIM-EFF-1"), (f"{MARKET}/effect", "SIM-TURN-12")}


@rule("SIM-EFF-3", "SIM-EFF-7", "SIM-TURN-12")
@refusal("SIM-EFF-7")
def test_of_a_choice_the_branch_that_can_be_resolved_is_left():
    """No dragon is left to draw: the point can be taken all the same, at the Great Market as at the Armory."""
    either = {"choose_one": [DRAGONS, {"take": {"pp": 1}}]}
    house = {"spaces": {s: {"effect": either} for s in ("great-market", "armory")}}
    house["spaces"]["library"] = {"effect": {"choose_one": [DRAGONS, DRAGONS]}}
    held = {"ann": {"available": {"spearman": 1}}, "bob": {}}
    for where in ("great-market", "armory"):
        g = game(held, house=house, empty=("dragons",))
        assert set(g.not_placed("spearman", "library")) == {"SIM-EFF-7"}, "neither branch can be"
        g.place("spearman", where)
        assert set(g.refused("ann", "choose-one", branch=0)) == {"SIM-EFF-7"}
        assert [o["branch"] for o in g.options("ann", "choose-one")] == [1]
        g.play("ann", "choose-one", branch=1).end()
        assert (g["ann"].pp, g.asked) == (1, "bob")


@rule("SIM-EFF-3", "SIM-SCOUT-6")
def test_looking_ahead_takes_the_branch_that_can_be_resolved():
    """No dragon is left; the weapon that the deck costs comes from the other branch of an ability, or from none."""
    free = {"choose_one": [DRAGONS, {"take": {"weapon": 1}}]}
    house = {"abilities": {"dragon-49-1": {"effect": free}}}
    ann = {"dragons": (49,), "markers": ["49-1"], "available": {"spearman": 1}}
    board = {"display": (None,) * 4, "deck": (5,), "empty": ("tiles", "dragons")}
    g = game({"ann": ann, "bob": {}, "cyd": {}}, house=house, **board)
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    assert set(g.refused("ann", "acquire-tile", place="deck", cost={"tokens": {"weapon": 1}})) == {
        "SIM-SCOUT-4"
    }
    g.play("ann", "use-ability", ability="dragon-49-1", cost={}).play("ann", "choose-one", branch=1)
    g.play("ann", "acquire-tile", place="deck", cost={"tokens": {"weapon": 1}})
    assert tile(5) in g["ann"].hand


def test_a_house_can_correct_every_figure_that_is_not_sure():
    """And nothing is wrong with any figure as it is printed."""
    for kind, entries in RULES.components.items():
        for entry in entries:
            shapes = RULES.houses.shapes.get(kind, {}).get(entry["id"], {})
            for figure, shape in shapes.items():
                assert not list(shape.faults(entry[figure])), (kind, entry["id"], figure)
            marks = entry["certainty"] if isinstance(entry["certainty"], dict) else {"*": entry["certainty"]}
            doubtful = {
                f for f in entry if marks.get(f, marks["*"]) in ("assumed", "inferred", "weakly-inferred")
            }
            known = {"id", "name", "certainty", "number", "tile", "level", "dragon", "slot"}
            assert doubtful - known <= set(shapes), (kind, entry["id"])


@pytest.mark.parametrize(
    ("kind", "id_", "figure"),
    [
        ("tiles", "power-29", "number"),
        ("tiles", "power-29", "type"),
        ("spaces", "armory", "number"),
        ("levels", "exploration-37-1", "level"),
        ("dragons", "dragon-49", "pair"),
        ("abilities", "dragon-49-1", "slot"),
        ("objectives", "objective-73", "number"),
        ("display", "display-1", "number"),
        ("table", "power-deal", "value"),
    ],
)
def test_what_pieces_are_known_by_is_not_changed(kind: str, id_: str, figure: str):
    printed = next(e for e in RULES.components[kind] if e["id"] == id_)[figure]
    (found,) = RULES.house_problems({kind: {id_: {figure: printed}}})
    assert found.pointer.startswith(f"/house/{kind}/{id_}")


def test_all_prices_together_have_so_many_ways_to_be_paid_at_most():
    """Each of them may; all together would take a stranger's request too long."""
    cost = {"choose_total": 3, "of": ["wood", "stone", "meat", "weapon", "wisdom"]}
    spaces = [s["id"] for s in RULES.components["spaces"] if s["tile"] is not None]
    house = {"spaces": {s: {"effect": {"pay": cost, "gain": {"take": {"pp": 1}}}} for s in spaces}}
    assert [p.pointer for p in RULES.house_problems(house)] == ["/house"]
    assert not RULES.house_problems({"spaces": dict(list(house["spaces"].items())[:20])})


def test_ways_that_nobody_could_count_are_refused():
    cost: dict[str, Any] = {
        "choose_total": 6,
        "of": ["wood", "stone", "meat", "weapon", "wisdom", "vegetable"],
    }
    for _ in range(11):
        cost = {"all": [cost, cost]}
    (found,) = RULES.house_problems({"display": {"display-1": {"price": cost}}})
    assert found.pointer == "/house/display/display-1/price"


@pytest.mark.parametrize(
    ("house", "said"),
    [
        ({"vassals": {"spearman": {"start": 2, "count": 1}}}, "spearman: 2 at the start, 1 in all"),
        ({"objectives": {"objective-84": {"points": [1]}}}, "this figure is a list of exactly 3"),
        ({"spaces": {"armory": {"effect": {"draw_dragons": 1, "keep": 2, "markers": 1}}}}, "this figure is always 1"),
        ({"spaces": {"armory": {"effect": {"take": {}}}}},
         f"this figure has at least 1 of these keys: {KEYS}"),
        ({"abilities": {"dragon-69-3": {"effect": {"choose_one": [DRAGONS, {"take": {"pp": 1}}]}}}},
         "no dragons come in answer to an event"),
        ({"abilities": {"dragon-69-3": {"effect": SPEARMAN}}}, "no vassals come in answer to an event"),
        ({"wilds": {"wilds-1": {"income": SPEARMAN}}}, "no vassals come for a tile that is laid"),
        ({"spaces": {"armory": {"effect": {"all": [SPEARMAN, SPEARMAN]}}}}, "vassals of a kind come at most once"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_figure_is_said_in_plain_words(house: dict[str, Any], said: str):
    assert [str(p.message) for p in RULES.house_problems(house)] == [said]


NOTHING: dict[str, Any] = {"fixed": {}}


@rule("SIM-SCOUT-3", "SIM-SCOUT-4", "SIM-SCOUT-6")
@refusal("SIM-EFF-4")
@pytest.mark.parametrize("place", ["display-1", "display-4", "deck"])
def test_a_tile_whose_price_is_nothing_is_acquired_without_paying(place: str):
    """Nobody has any resource: the Scouts may be visited for that tile alone."""
    house = {"display": {place: {"price": NOTHING}}}
    g = game({"ann": {}, "bob": {}}, display=(13, 14, 21, 22), deck=(5,), house=house)
    g.place("spearman", "scouts-quarter").play("ann", "choose-one", branch=0)
    assert [(o["place"], o["cost"]) for o in g.options("ann", "acquire-tile")] == [(place, {})]
    refused = g.refused("ann", "acquire-tile", place=place, cost={"tokens": {"stone": 1}})
    assert set(refused) == {"SIM-EFF-4"}, "nothing is exactly nothing"
    g.play("ann", "acquire-tile", place=place, cost={})
    assert tile({"display-1": 13, "display-4": 22, "deck": 5}[place]) in g["ann"].hand
    assert (g["ann"].resources, g["ann"].pp) == (
        {"stone": 1},
        {"display-1": 0, "display-4": 3, "deck": 0}[place],
    )


@rule("SIM-STATUE-2")
def test_an_objective_goes_for_nothing_where_the_house_says_so():
    house = {"statue": {"statue-1": {"price": NOTHING}}}
    g = game({"ann": {"dragons": (57,)}, "bob": {}}, objective_deck=(74, 75, 76), house=house)
    g.place("dragonrider", "statue")
    assert {o["space"] for o in g.options("ann", "place-objective")} == {"statue-1"}
    g.play("ann", "place-objective", objective="objective-74", space="statue-1", cost={})
    assert (g.board.statue["statue-1"], g["ann"].pp) == ("objective-74", 2)


@rule("SIM-TILE-2", "SIM-EXPL-4", "SIM-EXPL-9", "SIM-EFF-4", "SIM-DRAGON-9")
def test_every_other_price_may_be_nothing_too():
    """Removing a tile, a step, an exchange of a space and of an ability; of two ways to pay, one may be nothing."""
    house = {
        "table": {"removal-price": {"value": {}}},
        "tiles": {tile(43): {"move_cost": NOTHING}},
        "spaces": {"forge": {"effect": {"pay": NOTHING, "gain": {"take": {"weapon": 2}}}}},
        "abilities": {
            "dragon-49-3": {
                "effect": {
                    "pay": {"choose_one": [NOTHING, {"fixed": {"wood": 1}}]},
                    "gain": {"take": {"pp": 2}},
                }
            }
        },
    }
    ann = {"available": {"spearman": 1}, "assigned": {space(43): {"dragonrider": 1}}, "hand": (8,)}
    ann |= {"dragons": (49,), "markers": ["49-3"]}
    bob = {"available": {}, "assigned": {space(n): {"spearman": 1} for n in (1, 2)}}
    g = game({"ann": ann, "bob": bob}, wilds=(43, 1, 2), house=house)
    g.play("ann", "use-ability", ability="dragon-49-3", cost={})
    g.play("ann", "move-rider", tile=tile(43), cost={})
    assert (g["ann"].pp, g["ann"].assigned) == (2 + 3, {space(43, 2): {"dragonrider": 1}})
    g.fork().place("spearman", "forge")
    g.play("ann", "replace-tile", tile=tile(8), wilds="wilds-2", income=0, cost={})
    g.place("spearman", space(8, 2))
    assert g.board.chronicle == [tile(1)]


# -- a vassal for the removal of a tile ---------------------------------------------------------------------------

HOME = {"vassals": {"spearman": {"available": 1}}}
FOR_A_SPEARMAN: dict[str, Any] = {"table": {"removal-price": {"value": {"spearman": 1}}}}


def replaced(*markers: str, new: int = 22, income: int = 0, **ann: Any) -> Game:
    """The tile on the second Wilds space (a vegetable or meat) has made room for another, for a Spearman."""
    dragons = tuple(dict.fromkeys(int(a[:2]) for a in markers)) or (50,)
    ann = {"available": {"spearman": 2, "dragonrider": 1}, "hand": (new,), "dragons": dragons, **ann}
    bob = {"available": {}, "assigned": {space(n): {"spearman": 1} for n in (1, 2, 3)}}
    g = game({"ann": {**ann, "markers": markers}, "bob": bob}, wilds=(1, 2, 3), house=FOR_A_SPEARMAN)
    wire = {"tile": tile(new), "wilds": "wilds-2", "income": income, "cost": HOME}
    return g.play("ann", "replace-tile", **wire)


@rule("SIM-TILE-6", "SIM-DRAGON-10", "SIM-DRAGON-27", "SIM-TURN-11")
def test_what_answers_the_vassal_paid_for_a_tile_comes_before_the_income_of_its_space():
    """61-3 answers at the moment of the payment, step 1; the vegetable of step 3 comes then, and 71-2 answers that."""
    g = replaced("61-3", "71-2", "55-2")
    assert (g.kinds[0], g["ann"].resources) == ("answer", {})
    assert [o["ability"] for o in g.options("ann", "answer")] == ["dragon-61-3"]
    g.play("ann", "answer", ability="dragon-61-3")
    assert set(g.refused("ann", "use-ability", ability="dragon-55-2", cost={})) == {"SIM-TURN-11"}
    g.play("ann", "choose-total", tokens={"stone": 2})
    assert (g.kinds[0], g["ann"].resources) == ("answer", {"stone": 2, "vegetable": 1})
    assert "SIM-TILE-6" in g.because()
    assert [o["ability"] for o in g.options("ann", "answer")] == ["dragon-71-2"]
    g.play("ann", "answer", ability="dragon-71-2")
    assert (g.kinds, g["ann"].resources) == (("place-vassal",), {"stone": 2, "vegetable": 3})
    g.place("spearman", space(22), tokens={"vegetable": 1}).end()


@rule("SIM-TILE-6", "SIM-TILE-8", "SIM-DRAGON-12")
@refusal("SIM-PLACE-5", "SIM-TILE-8")
def test_the_income_that_comes_after_the_answer_pays_for_the_space_of_the_new_tile():
    g = replaced("61-3").play("ann", "decline")
    assert (g.kinds, g["ann"].resources) == (("place-vassal",), {"vegetable": 1})
    g.place("spearman", space(22), tokens={"vegetable": 1})
    assert g["ann"].resources == {"meat": 2}
    assert replaced(income=1, resources={"wood": 2})["ann"].resources == {"meat": 1, "wood": 2}
    g = replaced("61-3", income=1)
    assert set(g.refused("ann", "decline")) == {"SIM-PLACE-5", "SIM-TILE-8"}, (
        "the meat pays for no space of #22"
    )
    g.play("ann", "answer", ability="dragon-61-3").play("ann", "choose-total", tokens={"stone": 1, "wood": 1})
    g.place("spearman", space(22, 4), tokens={"stone": 1, "wood": 1})
    assert g["ann"].resources == {"meat": 1, "weapon": 5}


@rule("SIM-TILE-6")
def test_an_income_that_waits_is_that_of_the_tile_that_was_laid():
    g = replaced("61-3")
    data = json.loads(encode(g.state))
    at = next(i for i, frame in enumerate(data["stack"]) if frame["frame"] == "gain")
    for field, value, rule_ in (
        ("source", "wilds-1", "SIM-TILE-6"),
        ("source", "wilds-3", "SIM-EFF-3"),
        ("branch", [0, 2], "SIM-EFF-3"),
        ("branch", [], "SIM-TILE-6"),
        ("quiet", True, "SIM-DRAGON-11"),
        ("part", 1, "SIM-DEC-23"),
    ):
        changed = json.loads(json.dumps(data))
        changed["stack"][at][field] = value
        found = {
            (p.rule, p.pointer.rsplit("/", 1)[0]) for p in problems(RULES, RULES.decode(json.dumps(changed)))
        }
        assert (rule_, f"/stack/{at}") in found, (field, value, found)
    data["house"] = {}
    assert problems(RULES, RULES.decode(json.dumps(data)))
