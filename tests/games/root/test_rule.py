"""Chapters 3 and 4: the map, slots, and who rules a clearing."""

import pytest

from service.games.root.v1.figures import CLEARINGS, PRINTED
from tests.games.root.table import CAT, OWL, game

rule = pytest.mark.rule

CATS, OWLS = "marquise-warrior", "eyrie-warrior"


def ruled(**pieces):
    where = "4" if "keep" in pieces else "5"
    return game(map={where: pieces}).ruler(where)


@rule("ROOT-RULE-1", "ROOT-RULE-2", "ROOT-RULE-5", "ROOT-RULE-8")
@pytest.mark.parametrize(
    ("pieces", "ruler"),
    [
        ({}, None),
        ({CATS: 1}, CAT),
        ({CATS: 2, OWLS: 1}, CAT),
        ({CATS: 1, "sawmill": 1, OWLS: 1}, CAT),
        ({CATS: 1, "wood": 5, OWLS: 2}, OWL),
        ({"wood": 3}, None),
        ({"sawmill": 1}, CAT),
        ({"keep": 1, OWLS: 1}, OWL),
    ],
)
def test_warriors_and_buildings_count_and_nothing_else(pieces, ruler):
    assert ruled(**pieces) == ruler


@rule("ROOT-RULE-3")
def test_the_lords_of_the_forest_win_ties():
    assert ruled(**{CATS: 2, OWLS: 2}) == OWL
    assert ruled(**{CATS: 1, "recruiter": 1, OWLS: 1, "roost": 1}) == OWL


@rule("ROOT-RULE-3", "ROOT-RULE-5")
def test_without_a_piece_they_win_none():
    assert ruled() is None


def test_paths_are_as_printed():
    paths = {(c, d) for c in CLEARINGS for d in PRINTED.clearings[c].paths}
    assert all((d, c) in paths for c, d in paths)
    assert len(paths) == 2 * 18
    assert sorted(PRINTED.clearings["12"].paths, key=int) == ["4", "7", "9", "10", "11"]


def test_corners_lie_opposite_each_other():
    assert {c: PRINTED.clearings[c].opposite for c in ("1", "2", "3", "4")} == {
        "1": "3",
        "2": "4",
        "3": "1",
        "4": "2",
    }


def test_suits_slots_and_ruins_are_as_printed():
    suits = {s: [c for c in CLEARINGS if PRINTED.clearings[c].suit == s] for s in ("fox", "rabbit", "mouse")}
    assert suits == {
        "fox": ["1", "6", "8", "12"],
        "rabbit": ["3", "4", "5", "10"],
        "mouse": ["2", "7", "9", "11"],
    }
    assert sum(c.slots for c in PRINTED.clearings.values()) == 22
    assert [c.id for c in PRINTED.clearings.values() if c.ruin] == ["6", "10", "11", "12"]
