"""Chapter 18, mercenaries: rule, battle, shared hits, what they may not do, what they meet (ROOT-RIVER-17 to -22)."""

import pytest

from tests.games.root.river import (
    ALLIES,
    ALLY,
    CATS,
    FOX_POST,
    OTTER,
    OTTERS,
    OWLS,
    TOD,
    boxes,
    river,
)
from tests.games.root.table import CAT, OWL, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

S, KEEP = "sympathy", {"keep": 1}


def hired(map=None, turn=CAT, **more):
    """The Marquise (or another) has hired mercenaries, and her Daylight has begun."""
    g = river(map, turn=turn, at="turn", prices=(4, 4, 1), **more).play(turn, "hire-mercenaries")
    while "better-burrow-bank" in g.kinds:
        g.play(turn, "pass")
    return g


# -- rule (ROOT-RULE-7) -------------------------------------------------------------------------------------------


@rule("ROOT-RULE-7", "ROOT-RIVER-17", "ROOT-R-RIVER-2")
def test_mercenaries_rule_for_the_buyer_and_not_for_the_riverfolk():
    here = {"5": {OTTERS: 3, CATS: 1, OWLS: 2}, "7": {OTTERS: 1}, "11": {OTTERS: 1, CATS: 1, OWLS: 2}}
    before = river(here, turn=CAT, at="turn", prices=(4, 4, 1))
    assert [before.ruler(c) for c in ("5", "7", "11")] == [OTTER, OTTER, OWL]
    g = hired(here)
    assert [g.ruler(c) for c in ("5", "7", "11")] == [CAT, CAT, OWL]


@rule("ROOT-RULE-7", "ROOT-DOM-7", "ROOT-RIVER-17")
def test_not_in_birdsong():
    """The Eyrie are asked for the Decree: it is their Birdsong still."""
    g = river({"5": {OTTERS: 3, OWLS: 1}}, turn=OWL, at="turn", owl={"hand": ["cobbler"]}, prices=(4, 4, 1))
    g.play(OWL, "hire-mercenaries")
    assert (g.kinds, g.ruler("5")) == (("add-to-decree", "pass"), OTTER)
    g.play(OWL, "add-to-decree", card="cobbler", column="move")
    assert g.ruler("5") == OWL


@rule("ROOT-RULE-7")
def test_in_the_evening_still_and_then_no_more():
    g = hired({"5": {OTTERS: 3, CATS: 1}}, cat={"crafted": ["cobbler"]}).play(CAT, "end-phase")
    assert (g.kinds[0], g.ruler("5")) == ("cobbler", CAT)
    g.play(CAT, "cobbler", from_="5", to="1", warriors=1).draw_any()
    assert g.ruler("5") == OTTER


@rule("ROOT-RULE-7", "ROOT-MOVE-2")
def test_who_rules_by_mercenaries_may_move():
    g = hired({"5": {OTTERS: 3, CATS: 1, OWLS: 2}, "1": {OWLS: 5}}).play(CAT, "march")
    g.play(CAT, "move", from_="5", to="1", warriors=1)
    assert g.here("1") == {OWLS: 5, CATS: 1}


@rule("ROOT-RULE-3", "ROOT-RULE-7", "ROOT-R-RIVER-4")
def test_tied_by_mercenaries_the_eyrie_rule_only_where_they_have_a_piece():
    here = {"5": {OTTERS: 2, CATS: 2}, "7": {OTTERS: 1, OWLS: 1, CATS: 2}}
    g = hired(here, OWL, owl={"hand": ["cobbler"]}).play(OWL, "add-to-decree", card="cobbler", column="move")
    assert [g.ruler(c) for c in ("5", "7")] == [None, OWL]


# -- battle (ROOT-RIVER-17, ROOT-RIVER-18) ------------------------------------------------------------------------


@rule("ROOT-RIVER-18", "ROOT-BATTLE-1", "ROOT-BATTLE-12", "ROOT-RIVER-17")
def test_a_battle_can_be_begun_where_only_mercenaries_stand():
    g = hired({"5": {OTTERS: 2, OWLS: 3}}).fight(CAT, OWL, "5", 3, 1)
    assert g.here("5") == {OTTERS: 1, OWLS: 1}
    assert "ROOT-BATTLE-12" in g.because("hits-capped")


@rule("ROOT-BATTLE-12", "ROOT-RIVER-17")
def test_they_raise_the_cap_of_the_buyer():
    g = hired({"5": {CATS: 1, OTTERS: 2, OWLS: 3}}).fight(CAT, OWL, "5", 3, 0)
    assert g.here("5") == {CATS: 1, OTTERS: 2}


@refusal("ROOT-RIVER-17")
def test_they_do_not_fight_against_the_riverfolk():
    g = hired({"5": {OTTERS: 2}})
    says(g.refused(CAT, "battle", clearing="5", defender=OTTER), "ROOT-RIVER-17", "/clearing", "/defender",
         clearing="5", defender=OTTER)  # fmt: skip
    assert g.options(CAT, "battle") == []


@rule("ROOT-RIVER-17", "ROOT-BATTLE-12", "ROOT-RIVER-19")
def test_against_the_riverfolk_the_buyer_fights_alone():
    g = hired({"5": {CATS: 1, OTTERS: 3}}).fight(CAT, OTTER, "5", 3, 2)
    assert g.here("5") == {OTTERS: 2}


@refusal("ROOT-RIVER-17", "ROOT-MOVE-1")
def test_they_do_not_move():
    g = hired({"5": {OTTERS: 3}, "9": {CATS: 2}}).play(CAT, "march")
    found = g.refused(CAT, "move", from_="5", to="1", warriors=1)
    says(found, "ROOT-RIVER-17", "/from", clearing="5")
    says(found, "ROOT-MOVE-1", "/from", clearing="5")


@refusal("ROOT-MOVE-1")
@rule("ROOT-RIVER-17")
def test_nor_with_those_of_the_buyer():
    g = hired({"5": {OTTERS: 3, CATS: 1}}).play(CAT, "march")
    says(g.refused(CAT, "move", from_="5", to="1", warriors=2), "ROOT-MOVE-1", "/warriors", held=1)


@refusal("ROOT-FX-7")
@rule("ROOT-RIVER-17")
def test_nor_pay_taxes():
    g = hired({"5": {OTTERS: 3}}, cat={"crafted": ["tax-collector"]})
    says(g.refused(CAT, "tax-collector", clearing="5"), "ROOT-FX-7", "/clearing", clearing="5")


@refusal("ROOT-WA-22")
@rule("ROOT-RIVER-17")
def test_nor_organize():
    g = hired({"5": {OTTERS: 3}}, ALLY, others={ALLY: {"faction": "alliance", "officers": 1}})
    g.play(ALLY, "end-phase").play(ALLY, "end-phase")
    says(g.refused(ALLY, "organize", clearing="5"), "ROOT-WA-22", "/clearing", organize="5")


@refusal("ROOT-BATTLE-1")
@rule("ROOT-RIVER-17")
def test_who_hired_nobody_does_not_fight_with_them():
    g = river({"5": {OTTERS: 2, OWLS: 1}}, turn=CAT)
    says(g.refused(CAT, "battle", clearing="5", defender=OWL), "ROOT-BATTLE-1", "/clearing", clearing="5")


@rule("ROOT-RIVER-17", "ROOT-FX-10", "ROOT-RIVER-18")
def test_command_warren_commands_them_as_daylight_begins():
    g = hired({"5": {OTTERS: 2, OWLS: 1}}, cat={"crafted": ["command-warren"]})
    assert g.kinds == ("command-warren", "pass")
    g.fight(CAT, OWL, "5", 1, 0, kind="command-warren")
    assert g.here("5") == {OTTERS: 2}


@rule("ROOT-RIVER-17", "ROOT-EYRIE-10")
def test_the_decree_is_fought_with_them():
    owl = {"hand": ["bake-sale"], "leader": "commander"}
    g = hired({"5": {OTTERS: 3, CATS: 3}, "3": {"roost": 1, OWLS: 1}}, OWL, owl=owl)
    g.play(OWL, "add-to-decree", card="bake-sale", column="battle").play(OWL, "resolve-decree")
    g.play(OWL, "decree-move", card="vizier", from_="3", to="7", warriors=1)
    g.fight(OWL, CAT, "5", 2, 0, kind="decree-battle", card="bake-sale")
    assert g.here("5") == {OTTERS: 3}  # two hits, and one of the Commander


# -- sharing hits (ROOT-RIVER-19) ---------------------------------------------------------------------------------


@rule("ROOT-RIVER-19", "ROOT-BATTLE-18", "ROOT-DEC-10")
@pytest.mark.parametrize(
    ("own", "mercenaries", "hits", "left"),
    [
        (3, 3, 2, (2, 2)),  # evenly
        (3, 3, 1, (2, 3)),  # the odd one goes to the buyer's own
        (3, 3, 3, (1, 2)),
        (1, 3, 3, (0, 1)),  # own are used up: the mercenaries take the rest
        (3, 1, 3, (1, 0)),
        (0, 3, 3, (0, 0)),
        (1, 1, 3, (0, 0)),  # surplus hits are lost
    ],
)
def test_hits_are_split_evenly_and_the_odd_one_is_the_buyers(own, mercenaries, hits, left):
    here = {piece: n for piece, n in ((CATS, own), (OTTERS, mercenaries)) if n}
    g = hired({"5": {**here, OWLS: 9}}).fight(CAT, OWL, "5", hits, hits)
    assert (g.here("5").get(CATS, 0), g.here("5").get(OTTERS, 0)) == left


@rule("ROOT-RIVER-19", "ROOT-BATTLE-18")
def test_buildings_come_after_all_warriors_of_both():
    g = hired({"5": {CATS: 1, OTTERS: 1, "sawmill": 1, "wood": 1, OWLS: 9}}).fight(CAT, OWL, "5", 3, 3)
    assert (g.asked, g.kinds) == ((CAT,), ("assign-hits",))
    g.play(CAT, "assign-hits", pieces={CATS: 1, OTTERS: 1, "wood": 1})
    assert g.here("5") == {"sawmill": 1, "wood": 1, OWLS: 7}  # her Birdsong has brought another wood


@refusal("ROOT-BATTLE-18")
@rule("ROOT-RIVER-19")
def test_no_mercenary_is_spared_for_a_building():
    g = hired({"5": {CATS: 1, OTTERS: 1, "sawmill": 1, "wood": 1, OWLS: 9}}).fight(CAT, OWL, "5", 3, 3)
    says(
        g.refused(CAT, "assign-hits", pieces={CATS: 1, "sawmill": 1, "wood": 1}),
        "ROOT-BATTLE-18",
        "/pieces",
        n=2,
    )


@rule("ROOT-RIVER-19", "ROOT-BATTLE-7", "ROOT-BATTLE-24")
def test_an_ambush_is_shared_as_well():
    g = hired({"5": {CATS: 2, OTTERS: 2, OWLS: 1}}, owl={"hand": ["ambush-rabbit"]})
    g.play(CAT, "battle", clearing="5", defender=OWL).play(OWL, "play-ambush", card="ambush-rabbit")
    assert g.here("5") == {CATS: 1, OTTERS: 1, OWLS: 1}


@rule("ROOT-BATTLE-8", "ROOT-RIVER-17")
@pytest.mark.parametrize(("mercenaries", "goes_on"), [(2, False), (3, True)])
def test_after_an_ambush_the_battle_goes_on_as_long_as_a_mercenary_stands(mercenaries, goes_on):
    g = hired({"5": {OTTERS: mercenaries, OWLS: 1}}, owl={"hand": ["ambush-rabbit"]})
    g.play(CAT, "battle", clearing="5", defender=OWL).play(OWL, "play-ambush", card="ambush-rabbit")
    assert ("roll-die" in g.kinds) is goes_on


@rule("ROOT-RIVER-19", "ROOT-COMP-5")
def test_fallen_mercenaries_go_to_the_riverfolks_supply():
    g = hired({"5": {OTTERS: 2, OWLS: 5}})
    supply = g[OTTER].supply[OTTERS]
    g.fight(CAT, OWL, "5", 2, 2)
    assert g[OTTER].supply[OTTERS] == supply + 2


# -- what they meet: ROOT-X-5, ROOT-X-8, ROOT-X-12, ROOT-RIVER-22 -------------------------------------------------


@rule("ROOT-X-5", "ROOT-MARQ-5")
def test_field_hospitals_save_no_mercenaries():
    held = {"hand": ["bake-sale"]}
    g = hired({"5": {OTTERS: 2, OWLS: 9}, "1": KEEP}, cat=held).fight(CAT, OWL, "5", 2, 2)
    assert "field-hospitals" not in g.kinds
    g = hired({"5": {CATS: 1, OTTERS: 2, OWLS: 9}, "1": KEEP}, cat=held).fight(CAT, OWL, "5", 2, 2)
    assert g.top.warriors == 1
    g.play(CAT, "field-hospitals", card="bake-sale")
    assert g.here("1") == {"keep": 1, CATS: 1}


@rule("ROOT-X-8", "ROOT-WA-10", "ROOT-WA-11")
def test_where_mercenaries_remove_sympathy_the_buyer_owes_outrage():
    ally = {ALLY: {"faction": "alliance"}}
    g = hired({"5": {OTTERS: 2, S: 1}}, others=ally, cat={"hand": ["bake-sale"]}).fight(CAT, ALLY, "5", 1, 1)
    assert (g.asked, g.kinds) == ((CAT,), ("pay-outrage", "show-hand"))
    assert g.score(CAT) == 1


@rule("ROOT-X-12", "ROOT-WA-18")
def test_martial_law_counts_the_riverfolks_warriors_for_them():
    """Two of the Alliance's own beside three Riverfolk warriors that it has hired: Martial Law holds all the same."""
    ally = {ALLY: {"faction": "alliance", "supporters": ["sword-mouse", "investments"]}}
    g = hired({"5": {S: 1}, "10": {OTTERS: 3, ALLIES: 2}, "2": {OTTERS: 2, ALLIES: 1}}, ALLY, others=ally)
    found = g.refused(ALLY, "spread", clearing="10", supporters={"investments": 1})
    assert "ROOT-WA-18" in found
    g.play(ALLY, "spread", clearing="2", supporters={"investments": 1})


@rule("ROOT-X-12", "ROOT-WA-18")
def test_and_for_nobody_else():
    ally = {ALLY: {"faction": "alliance", "supporters": ["sword-mouse", "investments"]}}
    here = {"5": {S: 1}, "2": {OTTERS: 2, CATS: 2}}
    g = river(here, turn=ALLY, at="turn", others=ally).play(ALLY, "pass")
    g.play(ALLY, "spread", clearing="2", supporters={"investments": 1})
    assert S in g.here("2")


@rule("ROOT-RIVER-22", "ROOT-VAG-55", "ROOT-VAG-58")
def test_a_vagabond_that_removes_mercenaries_makes_an_enemy_of_the_buyer():
    tod = {TOD: {"faction": "vagabond", "pawn": "5", "own": {"satchel-up": ["sword", "sword", "torch"]}}}
    g = hired({"5": {OTTERS: 3}}, others=tod).fight(CAT, TOD, "5", 1, 1)
    g.play(TOD, "assign-hits", pieces={"satchel-up-torch": 1})
    found = g[TOD].vagabond.relationships
    assert (found["marquise"], found["riverfolk"]) == ("hostile", "indifferent")
    assert g.here("5") == {OTTERS: 2}


@rule("ROOT-VAG-55", "ROOT-RIVER-22")
def test_who_fights_the_riverfolk_themselves_makes_enemies_of_them():
    tod = {TOD: {"faction": "vagabond", "pawn": "5", "own": {"satchel-up": ["sword", "sword"]}}}
    g = river({"5": {OTTERS: 3}}, turn=TOD, others=tod)
    g.play(TOD, "battle", defender=OTTER)
    g.roll(1, 0)
    found = g[TOD].vagabond.relationships
    assert (found["marquise"], found["riverfolk"]) == ("indifferent", "hostile")


@rule("ROOT-RIVER-17", "ROOT-FX-12")
def test_for_all_else_they_are_the_riverfolks():
    """A Favor of the buyer sweeps them away like any others."""
    here = {
        "5": {OTTERS: 2},
        "4": {"workshop": 1},
        "10": {"workshop": 1},
        "3": {"workshop": 1},
        "7": {"roost": 1},
    }
    g = hired(here, cat={"hand": ["favor-of-the-rabbits"]})
    g.play(CAT, "craft", card="favor-of-the-rabbits", pieces={"rabbit": 3})
    assert g.here("5") == {}


@rule("ROOT-RIVER-6", "ROOT-RIVER-17")
def test_the_posts_are_not_hired_with_the_warriors():
    g = hired({"8": {CATS: 1, OTTERS: 1, FOX_POST: 1}}, funds={OWLS: 2}).fight(CAT, OTTER, "8", 2, 0)
    assert boxes(g)["funds"] == {OWLS: 2}
    assert g.here("8") == {CATS: 1, FOX_POST: 1}
