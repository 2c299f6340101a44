"""Figures of the house: what is written in the set-up holds in the game, and what cannot be played is refused."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, State, encode
from tests.games.root.river import CATS, OTTER, OTTERS
from tests.games.root.table import CAT, RULES, Game, game, lowest

rule, refusal = pytest.mark.rule, pytest.mark.refusal

FACTIONS = ("marquise", "eyrie", "alliance", "vagabond", "riverfolk")
ARMS = "foxfolk-steel"


def begun(house: dict[str, Any], seats: int = 2) -> Game:
    """A new game with this house."""
    places = [SetupSeat(f[0], choice={"faction": f}) for f in FACTIONS[:seats]]
    options = {"seating": "listed"}
    return Game(start(RULES, Setup(places, "test", ChanceState(), options, house=house), lowest))


@rule("ROOT-CRAFT-1", "ROOT-CRAFT-4")
@refusal("ROOT-CRAFT-1")
def test_a_card_costs_and_scores_what_the_house_says():
    """Printed: two foxes, 2 points. Here: a rabbit, 5 points."""
    house = {"cards": {ARMS: {"cost": ["rabbit"], "points": 5}}}
    g = game({CAT: {"hand": [ARMS]}}, {"8": {"workshop": 2}, "5": {"workshop": 1}}, house=house)
    assert "ROOT-CRAFT-1" in g.refused(CAT, "craft", card=ARMS, pieces={"fox": 2})
    g.play(CAT, "craft", card=ARMS, pieces={"rabbit": 1})
    assert g.points(CAT) == [("ROOT-CRAFT-4", 5)]
    assert g.state.house == house


@rule("ROOT-MARQ-12")
def test_the_marquise_has_the_actions_of_the_house():
    house = {"table": {"marquise-actions": {"value": 1}}}
    g = game({}, {"8": {"marquise-warrior": 9}, "1": {"sawmill": 1}}, house=house)
    assert g.top.left == 1
    g.play(CAT, "march")
    assert g.state.stack[-2].left == 0


@rule("ROOT-MARQ-16", "ROOT-MARQ-17")
def test_a_track_costs_and_scores_what_the_house_says():
    """Printed: the second sawmill costs a wood and gives a point. Here: none, and 7."""
    tracks = {"cost": [0, 0, 2, 3, 3, 4], "points": [0, 7, 2, 3, 4, 5]}
    land = {"1": {"sawmill": 1, "marquise-warrior": 2}, "9": {"marquise-warrior": 2}}
    g = game({}, land, house={"pieces": {"sawmill": tracks}})
    g.play(CAT, "build", clearing="9", type="sawmill", wood={})
    assert (g.here("9").get("sawmill"), g.score(CAT)) == (1, 7)


@rule("ROOT-WIN-1", "ROOT-WIN-2")
def test_a_game_is_won_with_the_points_of_the_house():
    house = {"table": {"points-to-win": {"value": 4}}, "cards": {ARMS: {"points": 4}}}
    g = game({CAT: {"hand": [ARMS]}}, {"8": {"workshop": 2}}, house=house)
    g.play(CAT, "craft", card=ARMS, pieces={"fox": 2})
    assert g.state.outcome.winners == [CAT]


@rule("ROOT-SETUP-4", "ROOT-SETUP-7", "ROOT-COMP-1")
def test_a_game_begins_with_the_figures_of_the_house():
    house = {
        "pieces": {"marquise-warrior": {"count": 30}},
        "items": {"tea": {"supply": 5}, "crossbow": {"supply": 0}},
        "table": {"starting-hand": {"value": 2}},
        "cards": {ARMS: {"count": 2}},
    }
    g = begun(house)
    assert g["m"].supply["marquise-warrior"] == 30
    assert g.board.items["tea"] == 5
    assert "crossbow" not in g.board.items
    assert [sum(p.hand.values()) for p in g.board.seats.values()] == [2, 2]
    assert sum(g.board.deck.odds().values()) == 50 + 1 - 4


@rule("ROOT-COMP-1")
def test_problems_are_found_by_the_figures_of_the_house():
    g = begun({"pieces": {"marquise-warrior": {"count": 28}}})
    assert problems(RULES, g.state) == []
    data = encode(g.state)
    printed: State[Any, Any] = RULES.decode(data.replace(b'"count":28', b'"count":29'))
    assert [p.pointer for p in problems(RULES, printed)] == ["/table/seats/m/supply/marquise-warrior"]


@rule("ROOT-SETUP-12", "ROOT-VAG-2")
def test_a_character_begins_with_the_items_of_the_house():
    """More tea than the track takes goes to the satchel."""
    house = {"characters": {"thief": {"items": {"tea": 4, "boots": 1, "torch": 1}}}}
    g = begun(house, 4)
    while "setup-vagabond" not in g.kinds:
        option = next(o for k in g.kinds for o in g.options(g.asked[0], k))
        g.play(option.pop("actor"), option.pop("kind"), **option)
    g.play("v", "setup-vagabond", character="thief", forest="A")
    items = g["v"].vagabond.items
    assert (items["track"], items["satchel-up"]) == ({"tea": 3}, {"tea": 1, "boots": 1, "torch": 1})


@rule("ROOT-SETUP-13", "ROOT-CULT-11", "ROOT-CULT-20", "ROOT-CULT-23")
def test_the_cult_plays_by_the_figures_of_the_house():
    """Printed: four warriors and one next to them, 2 acolytes for a Crusade, once a suit, 2 points for two gardens."""
    house = {
        "table": {
            "cult-warriors": {"value": 2},
            "cult-warriors-nearby": {"value": 3},
            "crusade-acolytes": {"value": 5},
            "hated-discount": {"value": 0},
            "scores-a-suit": {"value": 2},
        },
        "pieces": {"rabbit-garden": {"points": [0, 7, 7, 7, 7], "draw": [2, 0, 0, 0, 0]}},
    }
    seats = [SetupSeat("m", choice={"faction": "marquise"}), SetupSeat("c", choice={"faction": "cult"})]
    g = Game(start(RULES, Setup(seats, "test", ChanceState(), {"seating": "listed"}, house=house), lowest))
    g.play("m", "setup-marquise", keep="1", sawmill="1", workshop="5", recruiter="9")
    g.play("c", "setup-cult", outcast="fox")
    assert [g.here(c).get("cult-warrior") for c in ("3", "6", "7", "11")] == [2, 3, 3, 3]
    lizards = {"faction": "cult", "acolytes": 5, "outcast": "rabbit", "hand": ["bake-sale", "cobbler"]}
    map = {"5": {"rabbit-garden": 2, "cult-warrior": 2, "marquise-warrior": 1}}
    g = game({CAT: {"faction": "marquise"}, "newt": lizards}, map, turn="newt", at="turn", house=house)
    g.play("newt", "crusade-battle", clearing="5", defender=CAT)
    assert g["newt"].cult.acolytes == {}
    g = game({CAT: {"faction": "marquise"}, "newt": lizards}, map, turn="newt", house=house)
    g.play("newt", "ritual-score", card="bake-sale").play("newt", "ritual-score", card="cobbler")
    assert g.score("newt") == 14
    g.play("newt", "end-phase")
    assert (g.top.because, g.top.left) == ("ROOT-CULT-23", 3)


@rule("ROOT-SETUP-14", "ROOT-RIVER-30", "ROOT-RIVER-31", "ROOT-RIVER-37")
@refusal("ROOT-RIVER-40")
def test_the_riverfolk_trade_by_the_figures_of_the_house():
    """Printed: prices up to 4, 2 warriors of Protectionism, a point for 2 funds, 2 funds and 2 points for a post."""
    house = {
        "pieces": {"fox-post": {"points": [7, 2, 2]}},
        "table": {
            "highest-price": {"value": 2}, "protectionism": {"value": 5}, "funds-per-dividend": {"value": 3},
            "trade-post-funds": {"value": 1},
        },
    }  # fmt: skip
    seats = {CAT: {"faction": "marquise"}, OTTER: {"faction": "riverfolk", "funds": {CATS: 7}}}
    here = {"8": {CATS: 1}, "7": {"mouse-post": 1}}
    g = game(seats, here, turn=OTTER, at="turn", house=house)
    assert (g.points(OTTER), g[OTTER].riverfolk.funds) == ([("ROOT-RIVER-31", 2)], {CATS: 7, OTTERS: 5})
    g.play(OTTER, "establish", clearing="8")
    assert (g.points(OTTER), g[OTTER].riverfolk.funds[CATS]) == ([("ROOT-RIVER-37", 7)], 6)
    g.play(OTTER, "end-phase")
    dear = {"hand-card": 3, "riverboats": 1, "mercenaries": 1}
    assert "ROOT-RIVER-40" in g.refused(OTTER, "set-prices", prices=dear)


@pytest.mark.parametrize(
    ("house", "pointer"),
    [
        ({"pieces": {"sawmill": {"count": 7}}}, "/house/pieces/sawmill/count"),
        ({"pieces": {"keep": {"count": 2}}}, "/house/pieces/keep/count"),
        ({"pieces": {"wood": {"cost": [1] * 8}}}, "/house/pieces/wood/cost"),
        ({"pieces": {"marquise-warrior": {"count": 10}}}, "/house/pieces/marquise-warrior/count"),
        ({"table": {"eyrie-warriors": {"value": 21}}}, "/house/table/eyrie-warriors/value"),
        ({"relationships": {"allied": {"aids_to_next": 1}}}, "/house/relationships/allied/aids_to_next"),
        (
            {"relationships": {"indifferent": {"aids_to_next": None}}},
            "/house/relationships/indifferent/aids_to_next",
        ),
        ({"table": {"supporters-at-setup": {"value": 6}}}, "/house/table/supporters-at-setup/value"),
        ({"table": {"hated-discount": {"value": 2}}}, "/house/table/hated-discount/value"),
        ({"table": {"sanctify-acolytes": {"value": 1}}}, "/house/table/sanctify-acolytes/value"),
        ({"pieces": {"cult-warrior": {"count": 6}}}, "/house/pieces/cult-warrior/count"),
        ({"table": {"cult-warriors": {"value": 23}}}, "/house/table/cult-warriors/value"),
        ({"table": {"cult-warriors-nearby": {"value": 8}}}, "/house/table/cult-warriors-nearby/value"),
        ({"pieces": {"fox-garden": {"count": 4}}}, "/house/pieces/fox-garden/count"),
        ({"table": {"river-warriors": {"value": 13}}}, "/house/table/river-warriors/value"),
        ({"pieces": {"riverfolk-warrior": {"count": 6}}}, "/house/pieces/riverfolk-warrior/count"),
        ({"pieces": {"fox-post": {"count": 4}}}, "/house/pieces/fox-post/count"),
    ],
)
def test_figures_that_cannot_be_played_together_are_refused(house: dict[str, Any], pointer: str):
    assert pointer in [p.pointer for p in RULES.house_problems(house)]


@pytest.mark.parametrize(
    ("kind", "id_", "figure"),
    [
        ("clearings", "1", "suit"),
        ("clearings", "1", "paths"),
        ("forests", "A", "clearings"),
        ("cards", ARMS, "suit"),
        ("cards", ARMS, "kind"),
        ("cards", ARMS, "item"),
        ("pieces", "keep", "leaves_game"),
        ("clearings", "5", "rivers"),
        ("items", "tea", "track"),
        ("factions", "vagabond", "copies"),
        ("table", "dice", "value"),
    ],
)
def test_what_clauses_rest_on_is_not_changed(kind: str, id_: str, figure: str):
    printed = next(e for e in RULES.components[kind] if e["id"] == id_)[figure]
    (found,) = RULES.house_problems({kind: {id_: {figure: printed}}})
    assert found.pointer.startswith(f"/house/{kind}")


def test_nothing_is_wrong_with_any_figure_as_it_is_printed():
    for kind, entries in RULES.houses.shapes.items():
        printed = {e["id"]: e for e in RULES.components[kind]}
        for id_, figures in entries.items():
            for figure, shape in figures.items():
                assert not list(shape.faults(printed[id_][figure])), (kind, id_, figure)
                assert not RULES.house_problems({kind: {id_: {figure: printed[id_][figure]}}})
