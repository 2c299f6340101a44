"""Where the Cult meets other factions and cards: the rows of the chapter of conflicts that no other test shows."""

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
    RG,
    acolytes,
    cult_table,
    souls,
)
from tests.games.root.table import CAT, OWL

rule = pytest.mark.rule

S = "sympathy"


def a_vagabond(**held):
    return {FOX: {"faction": "vagabond", **held}}


# -- Revenge beside hospitals, allies and instigators (ROOT-X-3, ROOT-CULT-4) -------------------------------------


@rule("ROOT-X-3", "ROOT-CULT-4", "ROOT-MARQ-5")
def test_hospitals_and_revenge_each_take_their_own():
    map = {"8": {CATS: 3, LIZARDS: 2}, "1": {"keep": 1}}
    g = cult_table(map, "daylight", turn=CAT, cat={"hand": ["anvil"]}).fight(CAT, NEWT, "8", 2, 1)
    assert (acolytes(g), g.kinds) == (2, ("field-hospitals", "pass"))
    g.play(CAT, "field-hospitals", card="anvil")
    assert (g.here("1"), g.here("8")) == ({"keep": 1, CATS: 1}, {CATS: 2})
    assert souls(g) == {"anvil": 1}


@rule("ROOT-CULT-4", "ROOT-VAG-53")
def test_its_warriors_that_fight_for_a_vagabond_attack_and_do_not_become_acolytes():
    """He attacks the cats with an ally of two lizards, and takes the hit on one of them."""
    fox = a_vagabond(pawn="8", own={"satchel-up": ["sword"]}, relationships={"cult": "allied"})
    g = cult_table({"8": {CATS: 2, LIZARDS: 2}}, "daylight", turn=FOX, others=fox)
    g.play(FOX, "battle", defender=CAT).play(FOX, "fight-with-ally", player=NEWT).roll(1, 1)
    g.play(FOX, "assign-hits", pieces={LIZARDS: 1})
    assert (acolytes(g), g.here("8"), g[NEWT].supply[LIZARDS]) == (0, {CATS: 1, LIZARDS: 1}, 24)


@rule("ROOT-CULT-4", "ROOT-VAG-43", "ROOT-CULT-6")
def test_what_is_lost_in_an_instigated_battle_is_lost_as_the_defender():
    fox = a_vagabond(character="vagrant", pawn="8", own={"satchel-up": ["torch"]})
    map = {"8": {OWLS: 3, LIZARDS: 1, FG: 1}}
    g = cult_table(map, "daylight", turn=FOX, others=fox, hand=["anvil"])
    g.play(FOX, "instigate", attacker=OWL, defender=NEWT).play(NEWT, "pass").roll(3, 0)
    assert (acolytes(g), g.here("8"), g[NEWT].supply[FG]) == (1, {OWLS: 3}, 5)
    assert g.kinds == ("random-card",)


@rule("ROOT-CULT-4", "ROOT-CULT-12")
def test_in_its_own_crusade_it_is_no_defender():
    g = cult_table({"5": {LIZARDS: 3, CATS: 3}}, outcast="rabbit", acolytes=1)
    g.fight(NEWT, CAT, "5", 2, 1, kind="crusade-battle")
    assert (acolytes(g), g.here("5")) == (0, {LIZARDS: 2, CATS: 1})


# -- the order of what a removal brings about (ROOT-BATTLE-25) ----------------------------------------------------


@rule("ROOT-BATTLE-25", "ROOT-CULT-6", "ROOT-WA-4", "ROOT-WA-10")
def test_outrage_of_the_turn_player_comes_before_base_and_fear_of_others():
    """A Favor sweeps a base, sympathy and a garden; the owner of the Favor pays first, then the others clockwise."""
    map = {
        "8": {FOXES: 1, "workshop": 1, GREENS: 1},
        "6": {FG: 1, S: 1},
        "1": {"workshop": 1},
        "12": {"workshop": 1},
    }
    ally = {ALLY: {"faction": "alliance", "supporters": ["foxfolk-steel"]}}
    held = {"hand": ["sappers"], "cat": {"hand": ["favor-of-the-foxes", "anvil"]}, "others": ally}
    g = cult_table(map, "daylight", turn=CAT, **held)
    g.play(CAT, "craft", card="favor-of-the-foxes", pieces={"fox": 3})
    assert (g.asked, g.kinds) == ((CAT,), ("pay-outrage", "show-hand"))
    g.play(CAT, "pay-outrage", card="anvil")
    assert g.kinds == ("random-card",)
    assert g[ALLY].alliance.supporters == {"foxfolk-steel": 1, "anvil": 1}
    g.play("chance", "random-card", card="sappers")
    assert g[ALLY].alliance.supporters == {}
    assert souls(g) == {"favor-of-the-foxes": 1, "sappers": 1, "foxfolk-steel": 1, "anvil": 1}


# -- rule (ROOT-RULE-4) where other factions ask for it ------------------------------------------------------------


@rule("ROOT-RULE-4", "ROOT-MOVE-2", "ROOT-DOM-2")
def test_with_a_garden_others_rule_neither_for_moves_nor_for_dominance():
    map = {"1": {CATS: 5, FG: 1}, "5": {OWLS: 1}, "12": {CATS: 1}}
    g = cult_table(map, "daylight", turn=CAT).play(CAT, "march")
    assert "ROOT-MOVE-2" in g.refused(CAT, "move", from_="1", to="5", warriors=1)
    gardens = {"3": {RG: 1, CATS: 9}, "4": {RG: 1}, "5": {RG: 1}}
    won = cult_table(gardens, "turn", dominance="dominance-rabbit", score=None)
    assert (won.state.outcome.winners, won.state.outcome.because) == ([NEWT], "ROOT-DOM-2")


@rule("ROOT-CULT-2", "ROOT-VAG-22")
def test_a_vagabond_neither_rules_nor_hinders():
    fox = a_vagabond(pawn="5", relationships={"cult": "hostile"})
    assert cult_table({"5": {RG: 1}}, others=fox).ruler("5") == NEWT


# -- cards of others (ROOT-FX-6, ROOT-VAG-41) ----------------------------------------------------------


@rule("ROOT-FX-6", "ROOT-INFO-2")
def test_a_card_of_the_cults_hand_can_be_taken():
    g = cult_table({}, "turn", turn=CAT, cat={"crafted": ["stand-and-deliver"]}, hand=["anvil"])
    g.play(CAT, "stand-and-deliver", player=NEWT).play("chance", "random-card", card="anvil")
    assert (g[CAT].hand, g.score(NEWT)) == ({"anvil": 1}, 1)


@rule("ROOT-VAG-41", "ROOT-CULT-9")
def test_a_tinker_finds_in_the_discard_pile_what_were_lost_souls():
    fox = a_vagabond(character="tinker", pawn="8", own={"satchel-up": ["torch"]})
    g = cult_table(
        {}, "daylight", turn=FOX, others=fox, lost_souls=["anvil"], board={"discard": ["foxfolk-steel"]}
    )
    assert [o["card"] for o in g.options(FOX, "day-labor")] == ["foxfolk-steel"]
