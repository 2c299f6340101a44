"""House figures: what may stand in the place of what is printed follows from what is printed."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.house import Overridable, faults_of, merged, nearest, shapes_of
from service.engine.shapes import Counts, Flag, Maybe, Record, Rows, Whole, Word, settled

CARDS = [
    {
        "id": "ale",
        "name": {"en": "ale", "cs": "pivo"},
        "price": 12,
        "shift": -3,
        "sweet": True,
        "kind": "drink",
        "most": None,
        "steps": [1, 2],
        "pays": {"coin": 1},
        "does": {"all": [{"take": {"coin": 1}}, {"either": [{"take": {"hop": 2}}]}]},
        "of": ["a", "b"],
        "lots": [1],
        "kin": "aunt",
        "certainty": "rulebook",
    },
    {
        "id": "bun",
        "name": {"en": "bun", "cs": "houska"},
        "price": 3,
        "shift": 0,
        "sweet": False,
        "kind": "food",
        "most": 4,
        "steps": [3],
        "pays": {"coin": 1, "hop": 2},
        "does": {"take": {"coin": 1, "hop": 3}},
        "of": ["c"],
        "lots": [2],
        "kin": "aunt",
        "certainty": {"price": "inferred", "*": "rulebook"},
    },
]
COMPONENTS = {
    "cards": CARDS,
    "table": [
        {"id": "limit", "name": {"en": "limit", "cs": "limit"}, "value": 5, "certainty": "rulebook"},
        {
            "id": "by-seats",
            "name": {"en": "x", "cs": "x"},
            "value": {"2": 1, "3": 2},
            "certainty": "rulebook",
        },
    ],
}
TOLD = Overridable(
    fixed={"cards": ("kind",)},
    apart=("table",),
    same={"cards.does.all[]": "cards.does", "cards.does.either[]": "cards.does"},
    bounds={"table.limit": (1, 7), "cards.pays.*": (1, 9), "cards.lots": (0, 3)},
    words={"cards.kin": ("cousin",)},
)
SHAPES = shapes_of(COMPONENTS, TOLD)
ALE = SHAPES["cards"]["ale"]


def faults(figure: str, value: Any, card: str = "ale") -> list[tuple[str, str]]:
    return [(f.pointer, f.key) for f in faults_of(SHAPES, {"cards": {card: {figure: value}}})]


def fits(figure: str, *values: Any) -> bool:
    return not any(faults(figure, value) for value in values)


def refused(figure: str, *values: Any) -> bool:
    return all(faults(figure, value) for value in values)


def test_numbers_go_from_nought_to_ten_times_the_largest_and_at_least_a_hundred():
    assert ALE["price"] == Whole(0, 120)
    assert fits("price", 0, 120, 7.0)
    assert refused("price", -1, 121, 7.5, True, "7", None, [7])


def test_numbers_may_be_negative_where_negative_ones_are_printed():
    assert ALE["shift"] == Whole(-100, 100)


def test_a_game_may_say_other_bounds():
    assert SHAPES["table"]["limit"] == {"value": Whole(1, 7)}
    assert ALE["pays"] == Counts(("coin", "hop"), Whole(1, 9), 1)


def test_a_game_may_say_more_words_and_other_lengths():
    assert ALE["lots"] == Rows(0, 3, Whole(0, 100))
    assert ALE["kin"] == Word(("aunt", "cousin"))


def test_flags_and_words_are_those_that_are_printed():
    assert ALE["sweet"] == Flag()
    assert fits("sweet", True, False)
    assert refused("sweet", 0, "true", None)
    assert ALE["of"] == Rows(1, 2, Word(("a", "b", "c")), distinct=True)
    assert fits("of", ["c", "a"], ["b"])
    assert refused("of", [], ["d"], ["a", "a"], ["a", "b", "c"], "a")


def test_null_stands_only_where_null_is_printed():
    assert ALE["most"] == Maybe(Whole(0, 100))
    assert fits("most", None, 3)
    assert not fits("price", None)


def test_lists_are_as_long_as_those_that_are_printed():
    assert ALE["steps"] == Rows(1, 2, Whole(0, 100))
    assert faults("steps", [1, "2"]) == [("/house/cards/ale/steps/1", "int")]
    assert faults("steps", [1, 2, 3]) == [("/house/cards/ale/steps", "length-between")]


def test_bags_of_numbers_have_any_of_the_keys_that_are_printed():
    assert fits("pays", {"hop": 3}, {"coin": 9, "hop": 1})
    assert faults("pays", {"hop": 0, "ale": 1}) == [
        ("/house/cards/ale/pays/hop", "between"),
        ("/house/cards/ale/pays/ale", "unknown"),
    ]
    assert faults("pays", {}) == [("/house/cards/ale/pays", "few")]
    assert faults("pays", 3) == [("/house/cards/ale/pays", "object")]


def test_an_object_of_one_form_keeps_all_its_keys():
    assert SHAPES["table"]["by-seats"]["value"] == Record(
        (("2", "3"),), {"2": Whole(0, 100), "3": Whole(0, 100)}
    )
    found = list(faults_of(SHAPES, {"table": {"by-seats": {"value": {"2": 1}}}}))
    assert [(f.pointer, f.key) for f in found] == [("/house/table/by-seats/value", "keys")]


def test_other_objects_have_the_keys_of_one_that_is_printed_at_any_depth():
    assert fits(
        "does", {"take": {"hop": 1}}, {"either": [{"all": [{"take": {"coin": 1}}, {"take": {"hop": 1}}]}]}
    )
    assert faults("does", {"take": {"coin": 1}, "either": []}) == [("/house/cards/ale/does", "keys")]
    deep = {"all": [{"take": {"coin": 1}}, {"either": [{"take": {"coin": "x"}}]}]}
    assert faults("does", deep) == [("/house/cards/ale/does/all/1/either/0/take/coin", "int")]


@pytest.mark.parametrize(
    ("house", "pointer"),
    [
        ([], "/house"),
        ({"cards": 1}, "/house/cards"),
        ({"cards": {"ale": None}}, "/house/cards/ale"),
        ({"dice": {}}, "/house/dice"),
        ({"cards": {"cider": {}}}, "/house/cards/cider"),
        ({"cards": {"ale": {"weight": 1}}}, "/house/cards/ale/weight"),
        ({"cards": {"ale": {"kind": "food"}}}, "/house/cards/ale/kind"),
        ({"cards": {"ale": {"id": "bun"}}}, "/house/cards/ale/id"),
        ({"cards": {"ale": {"name": "beer"}}}, "/house/cards/ale/name"),
        ({"cards": {"ale": {"certainty": "rulebook"}}}, "/house/cards/ale/certainty"),
        ({"cards": {"a/b~": {}}}, "/house/cards/a~1b~0"),
    ],
)
def test_what_is_no_figure_is_told_with_its_place(house: Any, pointer: str):
    assert [f.pointer for f in faults_of(SHAPES, house)] == [pointer]


def test_all_faults_are_told():
    house = {"cards": {"ale": {"price": -1, "kind": "x"}, "bun": {"steps": 7}}, "dice": 1}
    assert len(list(faults_of(SHAPES, house))) == 4


def test_figures_are_put_in_the_place_of_the_printed_ones_and_marked():
    shown = merged(COMPONENTS, {"cards": {"bun": {"price": 7.0}, "ale": {"price": 1}}})
    ale, bun = shown["cards"]
    assert (ale["price"], bun["price"], bun["steps"]) == (1, 7, [3])
    assert type(bun["price"]) is int
    assert ale["certainty"] == {"price": "house", "*": "rulebook"}
    assert bun["certainty"] == {"price": "house", "*": "rulebook"}
    assert shown["table"] == COMPONENTS["table"]
    assert CARDS[1]["price"] == 3


def test_seven_point_nought_is_seven_at_any_depth():
    assert repr(settled({"a": [7.0, {"b": 1.5}], "c": True})) == "{'a': [7, {'b': 1.5}], 'c': True}"


def test_the_pointer_of_figures_that_do_not_fit_goes_as_far_as_the_house_does():
    house = {"cards": {"ale": {"price": 1}}}
    assert nearest(house, [("cards", "ale", "price")]) == "/house/cards/ale/price"
    assert nearest(house, [("cards", "bun", "price")]) == "/house/cards"
    assert nearest(house, [("table", "limit", "value")]) == "/house"
    assert (
        nearest(house, [("table", "limit", "value"), ("cards", "ale", "price")]) == "/house/cards/ale/price"
    )


def test_a_name_is_one_thing():
    mixed = {"cards": [{"id": "a", "x": 1}, {"id": "b", "x": "one"}]}
    with pytest.raises(TypeError, match=r"cards\.x"):
        shapes_of(mixed, Overridable())
