"""How the rules fit together: what a space or ability says goes first, and what no rulebook says is a figure."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.simurgh.table import RULES, Game, game, space, tile

rule, refusal = pytest.mark.rule, pytest.mark.refusal
WEAPON = {"tokens": {"weapon": 1}}


# -- an ability goes before a general rule ------------------------------------------------------------------------


@rule("SIM-SRC-1", "SIM-DRAGON-20", "SIM-TURN-8")
@refusal("SIM-TURN-8")
def test_a_rider_moves_once_a_turn_and_once_more_where_an_ability_says_so():
    ann = {"available": {"spearman": 1}, "assigned": {space(43): {"dragonrider": 1}}, "dragons": (59,)}
    ann |= {"resources": {"weapon": 2}}
    step = {"tile": tile(43), "cost": WEAPON}
    g = game({"ann": ann, "bob": {}}, wilds=(43,)).play("ann", "move-rider", **step)
    assert set(g.refused("ann", "move-rider", **step)) == {"SIM-TURN-8"}
    g = game({"ann": {**ann, "markers": ["59-1"]}, "bob": {}}, wilds=(43,)).play("ann", "move-rider", **step)
    g.play("ann", "move-again", ability="dragon-59-1", cost=WEAPON)
    assert g["ann"].assigned == {space(43, 3): {"dragonrider": 1}}


@rule("SIM-SRC-1", "SIM-DRAGON-22", "SIM-STATUE-2", "SIM-STATUE-5")
@refusal("SIM-STATUE-2")
def test_an_objective_goes_on_an_empty_space_and_on_another_where_an_ability_says_so():
    ann = {"dragons": (65,), "markers": ["65-3"], "resources": {"wisdom": 1}}
    board: dict[str, Any] = {"statue": {"statue-1": 73}, "objective_deck": (74, 75, 76)}
    g = game({"ann": ann, "bob": {}}, **board).place("dragonrider", "statue")
    wire = {"objective": "objective-74", "space": "statue-1", "cost": {"tokens": {"wisdom": 1}}}
    assert set(g.refused("ann", "place-objective", **wire)) == {"SIM-STATUE-2"}
    g.play("ann", "replace-objective", ability="dragon-65-3", **wire)
    assert g.board.statue["statue-1"] == "objective-74"


@rule("SIM-SRC-1", "SIM-DRAGON-23", "SIM-SCOUT-3")
@refusal("SIM-SCOUT-3")
def test_a_tile_of_the_display_has_its_price_and_none_where_an_ability_says_so():
    ann = {"dragons": (57,), "markers": ["57-3"], "resources": {"wisdom": 1, "weapon": 2}}
    g = game({"ann": ann, "bob": {}}, display=(13, 14, 21, 22)).place("spearman", "scouts-quarter")
    g.play("ann", "choose-one", branch=0)
    assert set(g.refused("ann", "acquire-tile", place="display-3", cost=WEAPON)) == {"SIM-SCOUT-3"}
    g.play("ann", "fetch-tile", ability="dragon-57-3", place="display-3", cost=WEAPON)
    assert (tile(21) in g["ann"].hand, g["ann"].pp) == (True, 0)
    assert g.kinds == ("acquire-tile",), "that was not the tile that the Scouts bring"


# -- what no rulebook gives ---------------------------------------------------------------------------------------

PRICE = {"price": {"fixed": {"wood": 1}}, "pp": 5}
SILENT = {
    "display": {f"display-{n}": PRICE for n in (1, 2, 4)},
    "statue": {f"statue-{n}": PRICE for n in (1, 2, 3, 4, 5)},
    "wilds": {
        f"wilds-{n}": {"income": {"take": {"stone": 3}}, "min_players": 4 if n < 5 else 3}
        for n in (2, 3, 4, 5, 6)
    },
    "dragons": {f"dragon-{n}": {"colour": "gold" if n < 67 else "red"} for n in range(49, 73)},
    "objectives": {
        f"objective-{n}": {"counts": {"what": "dragons-of-colours", "of": ["gold"]}} for n in range(73, 83)
    },
    "spaces": {"power-35-4": {"effect": {"pay": {"fixed": {"meat": 3}}, "gain": {"take": {"pp": 2}}}}},
    "table": {"exploration-capacity": {"value": {"1": 5, "2": 1, "3": 3, "4": 2}}},
}
FIGURES = [
    (kind, x, name) for kind, every in SILENT.items() for x, figures in every.items() for name in figures
]


@rule("SIM-SRC-2")
@pytest.mark.parametrize(("kind", "which", "figure"), FIGURES)
def test_a_figure_that_no_rulebook_gives_is_marked_and_a_house_may_put_it_right(kind, which, figure):
    [item] = [x for x in RULES.components[kind] if x["id"] == which]
    marks = item["certainty"]
    assert (marks if isinstance(marks, str) else marks.get(figure, marks.get("*"))) == "assumed"
    house = {kind: {which: {figure: SILENT[kind][which][figure]}}}
    assert item[figure] != house[kind][which][figure]
    assert list(RULES.house_problems(house)) == []


@rule("SIM-SRC-2")
def test_nothing_else_is_a_guess():
    listed = {(kind, which) for kind, every in SILENT.items() for which in every} | {("wilds", "wilds-1")}
    for kind, items in RULES.components.items():
        for item in items:
            marks = item["certainty"]
            guessed = "assumed" in (marks if isinstance(marks, str) else marks.values())
            assert guessed == ((kind, item["id"]) in listed), item["id"]


@rule("SIM-SRC-2", "SIM-TILE-6", "SIM-EXPL-5", "SIM-STATUE-2")
@refusal("SIM-EXPL-5")
def test_what_a_house_puts_right_is_what_is_played():
    """Income of a Wilds space, the price and points of an objective space, the room on a level."""
    house = {
        "wilds": {"wilds-2": {"income": {"take": {"stone": 3}}}},
        "statue": {"statue-5": PRICE},
        "table": SILENT["table"],
    }
    ann = {"hand": (8,), "resources": {"wood": 1, "weapon": 1}, "dragons": (57,)}

    def begun(**ann_too: Any) -> Game:
        bob = {"assigned": {space(43, 2): {"dragonrider": 1}}, "available": {"spearman": 1}}
        return game({"ann": {**ann, **ann_too}, "bob": bob}, wilds={"wilds-1": 43}, house=house)

    g = begun().play("ann", "place-tile", tile=tile(8), wilds="wilds-2", income=0)
    assert g["ann"].resources == {"wood": 1, "weapon": 1, "stone": 3}
    g = begun().place("dragonrider", "statue")
    wire = {"objective": min(g["ann"].considered), "space": "statue-5", "cost": {"tokens": {"wood": 1}}}
    assert g.play("ann", "place-objective", **wire)["ann"].pp == 5
    on_level_1 = {"assigned": {space(43): {"dragonrider": 1}}, "available": {"spearman": 1}}
    refused = begun(**on_level_1).refused("ann", "move-rider", tile=tile(43), cost=WEAPON)
    assert set(refused) == {"SIM-EXPL-5"}, "one rider fills the second level of this house; printed are three"
