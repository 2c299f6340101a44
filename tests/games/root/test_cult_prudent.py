"""The prudent player at the Cult's board: sensible, and it looks at nothing that its seat may not see."""

import random

import pytest

from service.engine.flow import window
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.prudent import decide
from tests.conformance.hidden import variants
from tests.games.root.lizards import CATS, FG, LIZARDS, NEWT, OWLS, RABBITS_LEAD, RG, cult_table
from tests.games.root.table import CAT
from tests.games.root.test_alliance_prudent import prudent_game


def decided(g, seat=NEWT):
    return decide(g.table, seat).to_wire()


def test_it_sanctifies_before_it_converts():
    map = {"5": {CATS: 1, "workshop": 1}, "3": {}, "1": {"roost": 1}}
    g = cult_table(map, **RABBITS_LEAD, acolytes=4)
    assert decided(g) == {"kind": "sanctify", "actor": NEWT, "clearing": "5", "building": "workshop"}


def test_it_converts_where_it_comes_to_rule():
    g = cult_table({"5": {CATS: 1}, "10": {CATS: 5}}, **RABBITS_LEAD, acolytes=2)
    assert decided(g) == {"kind": "convert", "actor": NEWT, "clearing": "5", "player": CAT}


def test_it_keeps_two_acolytes_rather_than_convert_in_vain():
    g = cult_table({"10": {CATS: 5}, "3": {OWLS: 4, "roost": 1}}, outcast="rabbit", acolytes=2)
    assert decided(g)["kind"] == "sanctify"
    g = cult_table({"10": {CATS: 5}, "3": {}, "1": {"roost": 1}}, **RABBITS_LEAD, acolytes=2)
    assert decided(g)["kind"] == "end-phase"


def test_a_crusade_fights_where_something_can_be_toppled():
    g = cult_table(
        {"5": {LIZARDS: 3, CATS: 1, "wood": 1}, "3": {}, "1": {"roost": 1}}, **RABBITS_LEAD, acolytes=2
    )
    assert decided(g)["kind"] == "crusade-battle"


def test_where_the_crusade_went_it_fights_who_is_weaker():
    g = cult_table({"5": {LIZARDS: 3}, "1": {CATS: 1, OWLS: 4}}, **RABBITS_LEAD, acolytes=2)
    g.play(NEWT, "crusade-move", from_="5", to="1", warriors=3)
    assert decided(g) == {"kind": "crusade-follow-up", "actor": NEWT, "defender": CAT}


def test_it_builds_before_it_scores_and_scores_what_gives_points():
    g = cult_table({"5": {RG: 1}}, "daylight", hand=["bake-sale", "cobbler"])
    first = decided(g)
    assert (first["kind"], first["clearing"]) == ("ritual-build", "5")
    g.play(NEWT, "ritual-build", card="bake-sale", clearing="5")
    assert decided(g) == {"kind": "ritual-score", "actor": NEWT, "card": "cobbler"}


def test_it_does_not_spend_a_card_for_no_points():
    g = cult_table({"4": {RG: 1}, "8": {FG: 1}}, "daylight", hand=["bake-sale"])
    assert decided(g)["kind"] == "ritual-recruit"


def test_birds_become_acolytes_until_there_are_enough():
    assert decided(cult_table({}, "daylight", hand=["sappers"]))["kind"] == "ritual-sacrifice"
    assert decided(cult_table({}, "daylight", hand=["sappers"], acolytes=6))["kind"] == "end-phase"


LINES = [("cult", "marquise"), ("eyrie", "cult"), ("marquise", "eyrie", "cult")]


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_prudent_games_end(line):
    games = [prudent_game(line, seed) for seed in range(4)]
    scores = [p.score for g in games for p in g.table.seats.values() if p.faction == "cult"]
    assert max(s or 0 for s in scores) >= 30


def test_it_decides_by_what_its_seat_sees():
    rng = random.Random(1)
    looked = []

    def watch(t):
        asked = window(t)
        seat = next((s for s, p in t.board.seats.items() if p.faction == "cult"), None)
        if asked is not None and seat in asked.actors:
            for twin in variants(RULES, t.state, seat, rng, 1):
                assert decide(Table(RULES, twin), seat).to_wire() == decide(t, seat).to_wire()
                looked.append(seat)

    prudent_game(LINES[2], 1, watch)
    assert len(looked) > 20
