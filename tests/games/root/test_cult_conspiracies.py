"""The Cult's Birdsong: Crusade, Convert, Sanctify, and what they may not (ROOT-CULT-10 to ROOT-CULT-15)."""

import pytest

from tests.games.root.ally import FOXES
from tests.games.root.lizards import (
    ALLY,
    CATS,
    FG,
    FOX,
    GREENS,
    LIZARDS,
    NEWT,
    OWLS,
    RABBITS_LEAD,
    RG,
    acolytes,
    cult_table,
    outcast,
    souls,
)
from tests.games.root.table import CAT, OWL, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

S = "sympathy"


# -- the example of the playbook ----------------------------------------------------------------------------------


@rule("ROOT-CULT-10", "ROOT-CULT-12", "ROOT-CULT-13")
def test_the_example_of_the_playbook():
    """Four acolytes, rabbits are the Outcast: two convert a cat, two crusade with the convert against the next."""
    g = cult_table({"5": {CATS: 1}, "1": {CATS: 1}}, **RABBITS_LEAD, acolytes=4)
    assert outcast(g) == ("rabbit", False)
    g.play(NEWT, "convert", clearing="5", player=CAT)
    assert (g.here("5"), acolytes(g)) == ({LIZARDS: 1}, 2)
    g.play(NEWT, "crusade-move", from_="5", to="1", warriors=1)
    assert (g.here("5"), g.here("1"), acolytes(g)) == ({}, {CATS: 1, LIZARDS: 1}, 0)
    assert (g.asked, g.kinds) == ((NEWT,), ("crusade-follow-up", "pass"))
    g.play(NEWT, "crusade-follow-up", defender=CAT).roll(2, 0)
    assert g.here("1") == {LIZARDS: 1}
    assert "ritual-build" in g.kinds


# -- what they cost, and where (ROOT-CULT-10) ---------------------------------------------------------------------

ALL = {
    "crusade-battle": ({"clearing": "5", "defender": CAT}, 2, "ROOT-CULT-11"),
    "crusade-move": ({"from_": "5", "to": "1", "warriors": 1}, 2, "ROOT-CULT-12"),
    "convert": ({"clearing": "5", "player": CAT}, 2, "ROOT-CULT-13"),
    "sanctify": ({"clearing": "5", "building": "workshop"}, 3, "ROOT-CULT-14"),
}
HERE = {"5": {LIZARDS: 4, CATS: 2, "workshop": 1}}


@rule("ROOT-CULT-10", "ROOT-CULT-11", "ROOT-CULT-12", "ROOT-CULT-13", "ROOT-CULT-14", "ROOT-COMP-7")
@pytest.mark.parametrize("kind", ALL)
def test_acolytes_that_are_paid_return_to_the_supply(kind):
    wire, price, clause = ALL[kind]
    g = cult_table(HERE, **RABBITS_LEAD, acolytes=4)
    g.play(NEWT, kind, **wire)
    assert g.because("moved")[0] == clause
    assert acolytes(g) == 4 - price


@rule("ROOT-CULT-10", "ROOT-CULT-8")
@pytest.mark.parametrize("kind", ALL)
def test_against_a_hated_outcast_each_costs_one_less(kind):
    wire, price, _ = ALL[kind]
    g = cult_table(HERE, outcast="rabbit", acolytes=4)
    assert outcast(g) == ("rabbit", True)
    g.play(NEWT, kind, **wire)
    assert acolytes(g) == 4 - (price - 1)


@rule("ROOT-CULT-14")
@refusal("ROOT-CULT-14")
def test_two_acolytes_do_not_pay_for_a_garden():
    g = cult_table(HERE, **RABBITS_LEAD, acolytes=2)
    says(g.refused(NEWT, "sanctify", **ALL["sanctify"][0]), "ROOT-CULT-14", "/kind", cost=3, held=2)
    hated = cult_table(HERE, outcast="rabbit", acolytes=2)
    assert hated.options(NEWT, "sanctify")


CHEAP = ("crusade-battle", "crusade-move", "convert")


@pytest.mark.parametrize("kind", [pytest.param(k, marks=refusal(ALL[k][2])) for k in CHEAP])
def test_too_few_acolytes_for_a_dearer_conspiracy_of_a_house(kind):
    """Where another conspiracy is cheaper than this, the window opens, and this is refused."""
    wire, _, clause = ALL[kind]
    house = {"table": {"sanctify-acolytes": {"value": 2}, f"{kind.split('-')[0]}-acolytes": {"value": 4}}}
    g = cult_table(HERE, **RABBITS_LEAD, acolytes=3, board={"house": house})
    says(g.refused(NEWT, kind, **wire), clause, "/kind", cost=4, held=3)


@rule("ROOT-CULT-10")
@pytest.mark.parametrize(
    ("held", "hated", "asked"), [(1, False, False), (2, False, True), (0, True, False), (1, True, True)]
)
def test_the_cult_is_asked_as_long_as_its_acolytes_pay_for_any(held, hated, asked):
    more = {"outcast": "rabbit"} if hated else RABBITS_LEAD
    g = cult_table(HERE, **more, acolytes=held)
    assert ("convert" in g.kinds) == asked
    assert ("ritual-build" in g.kinds) != asked
    if not asked:
        assert "ROOT-CULT-13" in g.refused(NEWT, "convert", clearing="5", player=CAT)


@rule("ROOT-CULT-10")
@refusal("ROOT-CULT-10")
@pytest.mark.parametrize(
    ("kind", "wire", "about"),
    [
        ("crusade-battle", {"clearing": "8", "defender": CAT}, "/clearing"),
        ("crusade-move", {"from_": "8", "to": "4", "warriors": 1}, "/from"),
        ("convert", {"clearing": "8", "player": CAT}, "/clearing"),
        ("sanctify", {"clearing": "8", "building": "workshop"}, "/clearing"),
    ],
)
def test_nobody_conspires_outside_the_clearings_of_the_outcast(kind, wire, about):
    g = cult_table({"8": {LIZARDS: 3, CATS: 1, "workshop": 1}}, **RABBITS_LEAD, acolytes=4)
    says(g.refused(NEWT, kind, **wire), "ROOT-CULT-10", about, clearing="8", suit="rabbit")


@rule("ROOT-CULT-10", "ROOT-TURN-5")
def test_any_number_in_any_order_and_the_phase_may_be_ended_before():
    g = cult_table(HERE, outcast="rabbit", acolytes=6)
    g.play(NEWT, "sanctify", clearing="5", building="workshop").play(
        NEWT, "convert", clearing="5", player=CAT
    )
    g.play(NEWT, "convert", clearing="5", player=CAT)
    assert (g.here("5"), acolytes(g)) == ({LIZARDS: 6, RG: 1}, 2)
    assert "ritual-score" in g.play(NEWT, "end-phase").kinds


# -- Crusade (ROOT-CULT-11, ROOT-CULT-12, ROOT-DEC-22) ------------------------------------------------------------


@rule("ROOT-CULT-11")
@refusal("ROOT-BATTLE-1")
def test_a_crusade_battles_where_its_warriors_are():
    g = cult_table({"5": {LIZARDS: 2, CATS: 1}, "10": {CATS: 1}}, **RABBITS_LEAD, acolytes=4)
    assert "ROOT-BATTLE-1" in g.refused(NEWT, "crusade-battle", clearing="10", defender=CAT)
    assert "ROOT-BATTLE-1" in g.refused(NEWT, "crusade-battle", clearing="5", defender=OWL)
    g.fight(NEWT, CAT, "5", 1, 0, kind="crusade-battle")
    assert g.here("5") == {LIZARDS: 2}
    assert g.asked == (NEWT,)


@rule("ROOT-CULT-12", "ROOT-MOVE-2")
@refusal("ROOT-MOVE-2", "ROOT-MAP-2", "ROOT-MOVE-1")
def test_a_crusade_moves_by_the_rules_of_movement():
    """From clearing 5, which the cats rule, to 1 or 2, of which the Cult rules 2; 10 is not adjacent."""
    map = {"5": {LIZARDS: 1, CATS: 2}, "1": {CATS: 1}, "2": {LIZARDS: 1}}
    g = cult_table(map, **RABBITS_LEAD, acolytes=2)
    assert "ROOT-MOVE-2" in g.refused(NEWT, "crusade-move", from_="5", to="1", warriors=1)
    assert "ROOT-MAP-2" in g.refused(NEWT, "crusade-move", from_="5", to="10", warriors=1)
    assert "ROOT-MOVE-1" in g.refused(NEWT, "crusade-move", from_="5", to="2", warriors=2)
    g.play(NEWT, "crusade-move", from_="5", to="2", warriors=1)
    assert g.here("2") == {LIZARDS: 2}


@rule("ROOT-CULT-12", "ROOT-DEC-22")
@refusal("ROOT-BATTLE-1", "ROOT-TURN-6")
def test_after_its_move_a_crusade_may_battle_once_where_it_went():
    map = {"5": {LIZARDS: 3}, "1": {CATS: 1, "roost": 1}}
    g = cult_table(map, **RABBITS_LEAD, acolytes=2)
    g.play(NEWT, "crusade-move", from_="5", to="1", warriors=3)
    assert {o["defender"] for o in g.options(NEWT, "crusade-follow-up")} == {CAT, OWL}
    says(g.refused(NEWT, "crusade-follow-up", defender=NEWT), "ROOT-BATTLE-1", "/defender")
    assert "ROOT-TURN-6" in g.refused(NEWT, "end-phase")
    g.play(NEWT, "crusade-follow-up", defender=OWL).roll(0, 0)
    assert (g.here("1"), acolytes(g), g.score(NEWT)) == ({CATS: 1, LIZARDS: 3}, 0, 1)
    assert "ritual-build" in g.kinds


@rule("ROOT-CULT-12", "ROOT-DEC-22")
def test_or_battle_nobody():
    g = cult_table({"5": {LIZARDS: 3}, "1": {CATS: 1}}, **RABBITS_LEAD, acolytes=4)
    g.play(NEWT, "crusade-move", from_="5", to="1", warriors=2).play(NEWT, "pass")
    assert "convert" in g.kinds


@rule("ROOT-DEC-22")
def test_where_nobody_is_met_nothing_is_asked():
    g = cult_table({"5": {LIZARDS: 3}}, **RABBITS_LEAD, acolytes=4)
    g.play(NEWT, "crusade-move", from_="5", to="1", warriors=2)
    assert "convert" in g.kinds


@rule("ROOT-DEC-22", "ROOT-BATTLE-1")
def test_a_pawn_can_be_met():
    rogue = {FOX: {"faction": "vagabond", "pawn": "1"}}
    g = cult_table({"5": {LIZARDS: 3}}, **RABBITS_LEAD, acolytes=2, others=rogue)
    g.play(NEWT, "crusade-move", from_="5", to="1", warriors=2)
    assert [o["defender"] for o in g.options(NEWT, "crusade-follow-up")] == [FOX]


@rule("ROOT-X-9", "ROOT-CULT-12", "ROOT-CULT-3", "ROOT-WA-11")
def test_outrage_comes_before_the_battle_and_a_bird_pays_it():
    """No ritual: the bird stands for a fox card. What was revealed is no card of the hand (see the rituals)."""
    ally = {ALLY: {"faction": "alliance"}}
    g = cult_table(
        {"5": {LIZARDS: 3}, "1": {S: 1}}, **RABBITS_LEAD, acolytes=2, hand=["sappers"], others=ally
    )
    g.play(NEWT, "crusade-move", from_="5", to="1", warriors=2)
    assert (g.asked, g.kinds) == ((NEWT,), ("pay-outrage", "show-hand"))
    g.play(NEWT, "pay-outrage", card="sappers")
    assert g[ALLY].alliance.supporters == {"sappers": 1}
    assert g.kinds == ("crusade-follow-up", "pass")
    g.play(NEWT, "crusade-follow-up", defender=ALLY).roll(1, 0)
    assert g.kinds == ("draw-card",)
    assert (g.score(NEWT), g.here("1")) == (1, {LIZARDS: 2})


# -- Convert (ROOT-CULT-13, ROOT-CULT-15) -------------------------------------------------------------------------


@rule("ROOT-CULT-13", "ROOT-CULT-15", "ROOT-BATTLE-21")
def test_a_convert_changes_one_warrior_whoever_else_is_there():
    g = cult_table({"5": {OWLS: 6, "roost": 1}}, **RABBITS_LEAD, acolytes=2)
    g.play(NEWT, "convert", clearing="5", player=OWL)
    assert (g.here("5"), g.score(NEWT)) == ({OWLS: 5, "roost": 1, LIZARDS: 1}, 0)
    assert g[OWL].supply[OWLS] == 20 - 5


@rule("ROOT-CULT-13", "ROOT-R-CULT-3")
def test_with_an_empty_supply_an_acolyte_just_paid_is_the_convert():
    g = cult_table({"5": {CATS: 1}, "2": {LIZARDS: 23}}, **RABBITS_LEAD, acolytes=2)
    assert LIZARDS not in g[NEWT].supply
    g.play(NEWT, "convert", clearing="5", player=CAT)
    assert (g.here("5"), g[NEWT].supply[LIZARDS]) == ({LIZARDS: 1}, 1)


@rule("ROOT-CULT-13", "ROOT-COMP-2", "ROOT-GEN-12")
@refusal("ROOT-CULT-13")
@pytest.mark.parametrize("player", [CAT, OWL, NEWT, FOX, ALLY])
def test_only_a_warrior_of_another_player_is_converted(player):
    """In clearing 5 are a workshop, a roost, a pawn, sympathy and warriors of the Cult."""
    others = {FOX: {"faction": "vagabond", "pawn": "5"}, ALLY: {"faction": "alliance"}}
    map = {"5": {"workshop": 1, "roost": 1, S: 1, LIZARDS: 2}}
    g = cult_table(map, **RABBITS_LEAD, acolytes=2, others=others)
    says(g.refused(NEWT, "convert", clearing="5", player=player), "ROOT-CULT-13", "/clearing", "/player")


@rule("ROOT-CULT-13", "ROOT-MARQ-3", "ROOT-R-CULT-4", "ROOT-X-15")
@refusal("ROOT-MARQ-2")
@pytest.mark.parametrize(
    ("kind", "more"), [("convert", {"player": CAT}), ("sanctify", {"building": "workshop"})]
)
def test_nothing_is_converted_or_sanctified_at_the_keep(kind, more):
    g = cult_table({"4": {"keep": 1, CATS: 2, "workshop": 1}}, **RABBITS_LEAD, acolytes=4)
    says(g.refused(NEWT, kind, clearing="4", **more), "ROOT-MARQ-2", "/clearing")


@rule("ROOT-MOVE-7")
@refusal("ROOT-MOVE-7")
def test_nothing_is_placed_in_a_closed_clearing():
    scoundrel = {
        FOX: {"faction": "vagabond", "character": "scoundrel", "pawn": "1", "own": {"satchel-up": ["boots"]}}
    }
    g = cult_table(
        {"5": {LIZARDS: 1}},
        **RABBITS_LEAD,
        acolytes=4,
        others=scoundrel,
        board={"scorched": ["10"]},
        hand=["cobbler"],
    )
    for kind, more in (("convert", {"player": CAT}), ("sanctify", {"building": "roost"})):
        assert "ROOT-MOVE-7" in g.refused(NEWT, kind, clearing="10", **more)
    g.play(NEWT, "end-phase")
    for kind in ("ritual-build", "ritual-recruit"):
        assert "ROOT-MOVE-7" in g.refused(NEWT, kind, clearing="10", card="cobbler")


@rule("ROOT-X-4", "ROOT-CULT-13", "ROOT-MARQ-5")
def test_hospitals_save_who_was_converted():
    g = cult_table({"5": {CATS: 1}, "1": {"keep": 1}}, **RABBITS_LEAD, acolytes=2, cat={"hand": ["cobbler"]})
    g.play(NEWT, "convert", clearing="5", player=CAT)
    assert (g.asked, g.kinds) == ((CAT,), ("field-hospitals", "pass"))
    g.play(CAT, "field-hospitals", card="cobbler")
    assert (g.here("1"), g.here("5")) == ({"keep": 1, CATS: 1}, {LIZARDS: 1})
    assert souls(g) == {"cobbler": 1}


# -- Sanctify (ROOT-CULT-14, ROOT-CULT-15) ------------------------------------------------------------------------


@rule("ROOT-CULT-14", "ROOT-CULT-15", "ROOT-COMP-3", "ROOT-X-11")
@pytest.mark.parametrize(
    ("building", "owner", "left"), [("roost", OWL, 6), ("workshop", CAT, 6), ("sawmill", CAT, 6)]
)
def test_a_building_makes_way_for_a_garden(building, owner, left):
    """It gives a point; the building covers its track again."""
    g = cult_table({"5": {building: 1, CATS: 3, OWLS: 2}}, **RABBITS_LEAD, acolytes=3)
    g.play(NEWT, "sanctify", clearing="5", building=building)
    assert g.here("5") == {RG: 1, CATS: 3, OWLS: 2}
    assert (g.points(NEWT), g[NEWT].supply[RG], acolytes(g)) == ([("ROOT-CULT-14", 1)], 4, 0)
    assert g[owner].supply[building] == left
    assert g.ruler("5") == NEWT


@rule("ROOT-X-11", "ROOT-WA-4", "ROOT-CULT-14")
def test_a_sanctified_base_is_a_base_lost():
    ally = {ALLY: {"faction": "alliance", "supporters": ["anvil", "bake-sale"], "officers": 3}}
    g = cult_table(
        {"8": {FOXES: 1, GREENS: 2}}, outcast="rabbit", lost_souls=["foxfolk-steel"], acolytes=3, others=ally
    )
    g.play(NEWT, "sanctify", clearing="8", building=FOXES)
    assert g.here("8") == {FG: 1, GREENS: 2}
    assert (g[ALLY].alliance.supporters, g[ALLY].alliance.officers) == ({"bake-sale": 1}, {GREENS: 1})


@rule("ROOT-CULT-14", "ROOT-COMP-2")
@refusal("ROOT-CULT-14")
@pytest.mark.parametrize("piece", ["wood", S, CATS, LIZARDS, RG, "roost", "workshop"])
def test_only_an_enemy_building_that_stands_there_is_sanctified(piece):
    """In clearing 5 are tokens, warriors and a garden of the Cult itself."""
    map = {"5": {"wood": 1, S: 1, CATS: 1, LIZARDS: 1, RG: 1}}
    g = cult_table(map, **RABBITS_LEAD, acolytes=3, others={ALLY: {"faction": "alliance"}})
    says(g.refused(NEWT, "sanctify", clearing="5", building=piece), "ROOT-CULT-14", "/clearing", "/building")


@rule("ROOT-CULT-14", "ROOT-MAP-8", "ROOT-GEN-4")
@refusal("ROOT-CULT-14")
def test_with_all_five_gardens_on_the_map_nothing_is_sanctified():
    """In clearing 10 the ruin is gone, so that it holds a garden and a workshop."""
    four = {"3": {RG: 1}, "4": {RG: 1}, "5": {RG: 2}}
    held = {**RABBITS_LEAD, "acolytes": 3, "board": {"ruins": ["6", "11", "12"]}}
    g = cult_table({**four, "10": {"workshop": 1}}, **held)
    (only,) = g.options(NEWT, "sanctify")
    assert (only["clearing"], only["building"]) == ("10", "workshop")
    g = cult_table({**four, "10": {"workshop": 1, RG: 1}}, **held)
    found = g.refused(NEWT, "sanctify", clearing="10", building="workshop")
    says(found, "ROOT-CULT-14", "/clearing", garden=RG)
