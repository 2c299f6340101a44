"""Chapter 7, battle: ambush, roll, caps, extra hits, effects, losses, points, and what follows."""

import pytest

from service.games.root.v1.state import Battle
from tests.games.root.table import CAT, OWL, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
ELSEWHERE = {"8": {"roost": 1}}


def field(map, cat=None, owl=None, **more):
    """The Marquise's Daylight; clearing 5 is a rabbit one."""
    return game({CAT: cat or {}, OWL: owl or {}}, {**ELSEWHERE, **map}, **more)


def fought(cats, owls, *dice, cat=None, owl=None, elsewhere=None):
    """The Marquise attacks in clearing 5, nobody plays a card."""
    return field({"5": {**cats, **owls}, **(elsewhere or {})}, cat, owl).fight(CAT, OWL, "5", *dice)


# -- who may battle whom ------------------------------------------------------------------------------------------


@refusal("ROOT-BATTLE-1")
def test_the_attacker_needs_a_warrior():
    g = field({"5": {"sawmill": 1, OWLS: 1}})
    says(g.refused(CAT, "battle", clearing="5", defender=OWL), "ROOT-BATTLE-1", "/clearing", clearing="5")


@refusal("ROOT-BATTLE-1")
def test_the_defender_needs_a_piece():
    g = field({"5": {CATS: 1}})
    found = g.refused(CAT, "battle", clearing="5", defender=OWL)
    says(found, "ROOT-BATTLE-1", "/clearing", "/defender", defender=OWL, clearing="5")


@refusal("ROOT-BATTLE-1")
def test_nobody_battles_himself():
    g = field({"5": {CATS: 1, OWLS: 1}})
    assert "ROOT-BATTLE-1" in g.refused(CAT, "battle", clearing="5", defender=CAT)


@refusal("ROOT-BATTLE-2")
@pytest.mark.parametrize("defender", ["nobody", "", None, ["owl"]])
def test_the_defender_is_one_player_of_the_table(defender):
    g = field({"5": {CATS: 1, OWLS: 1}})
    assert "ROOT-BATTLE-2" in g.refused(CAT, "battle", clearing="5", defender=defender)


@rule("ROOT-R-BATTLE-2", "ROOT-BATTLE-13")
def test_a_battle_may_be_begun_in_which_nobody_is_hurt():
    g = fought({CATS: 1}, {OWLS: 1}, 0, 0)
    assert g.here("5") == {CATS: 1, OWLS: 1}


# -- ambush -------------------------------------------------------------------------------------------------------


def ambushed(cats=3, owls=1, **cat):
    owl = {"hand": ["ambush-rabbit"]}
    g = field({"5": {CATS: cats, OWLS: owls}}, cat, owl)
    return g.play(CAT, "battle", clearing="5", defender=OWL)


@rule("ROOT-BATTLE-4", "ROOT-DEC-6")
def test_the_defender_is_asked_first():
    g = ambushed()
    assert (g.asked, g.kinds) == ((OWL,), ("play-ambush", "pass"))


@rule("ROOT-BATTLE-4")
def test_without_any_card_nobody_is_asked():
    g = field({"5": {CATS: 1, OWLS: 1}}).play(CAT, "battle", clearing="5", defender=OWL)
    assert g.asked == ("chance",)
    assert g.because("skipped") == ["ROOT-BATTLE-4"]


@rule("ROOT-BATTLE-4")
def test_that_somebody_is_asked_does_not_tell_what_he_holds():
    g = field({"5": {CATS: 1, OWLS: 1}}, owl={"hand": ["anvil"]})
    g.play(CAT, "battle", clearing="5", defender=OWL)
    assert (g.asked, g.kinds) == ((OWL,), ("play-ambush", "pass"))
    assert g.options(OWL, "play-ambush") == []


@rule("ROOT-BATTLE-7", "ROOT-CARD-5")
def test_an_ambush_deals_two_hits_at_once():
    g = ambushed(cats=3).play(OWL, "play-ambush", card="ambush-rabbit")
    assert g.here("5") == {CATS: 1, OWLS: 1}
    assert g.board.discard == {"ambush-rabbit": 1}
    assert g.asked == ("chance",)


@rule("ROOT-BATTLE-7")
def test_its_hits_know_no_cap():
    """A lone roost ambushes as well."""
    g = field({"5": {CATS: 3, "roost": 1}, "8": {}}, owl={"hand": ["ambush-bird"]})
    g.play(CAT, "battle", clearing="5", defender=OWL).play(OWL, "play-ambush", card="ambush-bird")
    assert g.here("5")[CATS] == 1


@rule("ROOT-BATTLE-8")
def test_with_nobody_left_the_battle_ends():
    g = ambushed(cats=2).play(OWL, "play-ambush", card="ambush-rabbit")
    assert g.event("battle-ends")["because"] == "ROOT-BATTLE-8"
    assert g.frame(Battle) is None
    assert g.here("5") == {OWLS: 1}


@refusal("ROOT-BATTLE-4")
@pytest.mark.parametrize("card", ["ambush-fox", "ambush-mouse"])
def test_an_ambush_of_another_suit_is_refused(card):
    g = field({"5": {CATS: 1, OWLS: 1}}, owl={"hand": [card]}).play(CAT, "battle", clearing="5", defender=OWL)
    says(g.refused(OWL, "play-ambush", card=card), "ROOT-BATTLE-4", "/card", card=card, suit="rabbit")


@refusal("ROOT-BATTLE-4")
def test_only_ambush_cards_ambush():
    g = field({"5": {CATS: 1, OWLS: 1}}, owl={"hand": ["bake-sale"]})
    g.play(CAT, "battle", clearing="5", defender=OWL)
    says(g.refused(OWL, "play-ambush", card="bake-sale"), "ROOT-BATTLE-4", "/card", card="bake-sale")


@refusal("ROOT-BATTLE-4")
def test_an_ambush_outside_battle_is_refused():
    assert "ROOT-BATTLE-4" in field({}, cat={"hand": ["ambush-fox"]}).refused(
        CAT, "play-ambush", card="ambush-fox"
    )


@rule("ROOT-BATTLE-5", "ROOT-DEC-7")
def test_the_attacker_may_foil_it():
    g = ambushed(cats=2, hand=["ambush-bird"]).play(OWL, "play-ambush", card="ambush-rabbit")
    assert (g.asked, g.kinds) == ((CAT,), ("foil-ambush", "pass"))
    g.play(CAT, "foil-ambush", card="ambush-bird")
    assert g.here("5") == {CATS: 2, OWLS: 1}
    assert g.board.discard == {"ambush-bird": 1, "ambush-rabbit": 1}
    assert g.asked == ("chance",)


@rule("ROOT-BATTLE-5", "ROOT-DEC-7")
def test_he_may_let_it_happen():
    g = (
        ambushed(cats=3, hand=["ambush-bird"])
        .play(OWL, "play-ambush", card="ambush-rabbit")
        .play(CAT, "pass")
    )
    assert g.here("5") == {CATS: 1, OWLS: 1}


@rule("ROOT-BATTLE-6", "ROOT-FX-4", "ROOT-R-BATTLE-1")
def test_a_scouting_party_is_not_touched():
    g = ambushed(cats=2, crafted=["scouting-party"], hand=["ambush-bird"])
    assert g.judged(OWL, "play-ambush", card="ambush-rabbit").legal
    g.play(OWL, "play-ambush", card="ambush-rabbit")
    assert g.here("5") == {CATS: 2, OWLS: 1}
    assert g.board.discard == {"ambush-rabbit": 1}
    assert g.asked == ("chance",)


@rule("ROOT-BATTLE-24")
def test_buildings_lost_to_an_ambush_give_points_to_the_defender():
    g = field({"5": {CATS: 1, "sawmill": 1, OWLS: 1}}, owl={"hand": ["ambush-rabbit"]})
    g.play(CAT, "battle", clearing="5", defender=OWL).play(OWL, "play-ambush", card="ambush-rabbit")
    assert g.here("5") == {OWLS: 1}
    assert g.points(OWL) == [("ROOT-BATTLE-20", 1)]


# -- roll, caps, extra hits ---------------------------------------------------------------------------------------


@rule("ROOT-BATTLE-10", "ROOT-BATTLE-17")
@pytest.mark.parametrize(
    ("dice", "cats", "owls"), [((3, 1), 1, 3), ((1, 3), 1, 3), ((2, 2), 2, 2), ((0, 3), 0, 3), ((0, 0), 0, 0)]
)
def test_the_attacker_has_the_higher_value(dice, cats, owls):
    g = fought({CATS: 5}, {OWLS: 5}, *dice)
    assert g.here("5") == {CATS: 5 - cats, OWLS: 5 - owls}


@rule("ROOT-BATTLE-12")
def test_rolled_hits_are_capped_by_warriors():
    g = fought({CATS: 1}, {OWLS: 4}, 3, 0)
    assert g.here("5") == {CATS: 1, OWLS: 3}
    assert g.event("hits-capped") == {"kind": "hits-capped", "because": "ROOT-BATTLE-12", "seat": CAT, "n": 1}


@rule("ROOT-BATTLE-12")
def test_the_cap_is_counted_after_the_ambush():
    g = ambushed(cats=3, owls=5).play(OWL, "play-ambush", card="ambush-rabbit").roll(3, 0)
    assert g.here("5") == {CATS: 1, OWLS: 4}


@rule("ROOT-BATTLE-13", "ROOT-BATTLE-14")
def test_without_warriors_a_defender_deals_nothing_and_takes_one_more():
    g = fought({CATS: 2}, {"roost": 1}, 0, 0, elsewhere={"8": {}})
    assert g.here("5") == {CATS: 2}
    assert g.because("extra-hits") == ["ROOT-BATTLE-14"]


@rule("ROOT-BATTLE-14", "ROOT-EYRIE-22")
@pytest.mark.parametrize(("leader", "lost"), [("commander", 2), ("despot", 1)])
def test_the_commander_deals_one_more_as_attacker(leader, lost):
    owl = {"leader": leader, "decree": {"battle": ["bake-sale"]}}
    g = game({OWL: owl}, {"5": {CATS: 3, OWLS: 3}, "8": {"roost": 1}}, turn=OWL)
    g.play(OWL, "resolve-decree")
    if "decree-move" in g.kinds and g.top.column == "move":
        g.play(OWL, "decree-move", card="vizier", from_="5", to="1", warriors=1)
    g.fight(OWL, CAT, "5", 1, 0, kind="decree-battle", card="bake-sale")
    assert g.here("5")[CATS] == 3 - lost


@rule("ROOT-EYRIE-22")
def test_the_commander_adds_nothing_as_defender():
    assert fought({CATS: 2}, {OWLS: 2}, 0, 0, owl={"leader": "commander"}).here("5") == {CATS: 2, OWLS: 2}


# -- crafted cards ------------------------------------------------------------------------------------------------


def with_cards(cat=(), owl=(), dice=(2, 1), cats=3, owls=3):
    g = field({"5": {CATS: cats, OWLS: owls}}, {"crafted": cat}, {"crafted": owl})
    return g.fight(CAT, OWL, "5", *dice)


@rule("ROOT-BATTLE-15", "ROOT-FX-1", "ROOT-BATTLE-16", "ROOT-DEC-9")
def test_armorers_ignore_rolled_hits():
    g = with_cards(cat=["armorers"])
    assert (g.asked, g.kinds) == ((CAT,), ("battle-effects",))
    g.play(CAT, "battle-effects", cards={"armorers": 1})
    assert g.here("5") == {CATS: 3, OWLS: 1}
    assert g.board.discard == {"armorers": 1}
    assert g[CAT].crafted == []


@rule("ROOT-BATTLE-15")
def test_armorers_do_not_ignore_extra_hits():
    g = with_cards(cat=["armorers"], owl=["sappers"])
    g.play(CAT, "battle-effects", cards={"armorers": 1}).play(OWL, "battle-effects", cards={"sappers": 1})
    assert g.here("5") == {CATS: 2, OWLS: 1}


@rule("ROOT-BATTLE-16", "ROOT-FX-13", "ROOT-DEC-9")
def test_effects_may_be_declined():
    g = with_cards(cat=["armorers"], owl=["armorers"])
    g.play(CAT, "battle-effects", cards={})
    assert g.asked == (OWL,)
    g.play(OWL, "battle-effects", cards={})
    assert g.here("5") == {CATS: 2, OWLS: 1}
    assert (g[CAT].crafted, g[OWL].crafted) == (["armorers"], ["armorers"])


@rule("ROOT-FX-2", "ROOT-BATTLE-14")
def test_sappers_deal_one_more_as_defender():
    g = with_cards(owl=["sappers"]).play(OWL, "battle-effects", cards={"sappers": 1})
    assert g.here("5") == {CATS: 1, OWLS: 1}
    assert g.board.discard == {"sappers": 1}


@rule("ROOT-FX-2", "ROOT-FX-3", "ROOT-BATTLE-16")
def test_cards_of_the_other_side_are_not_asked_for():
    g = with_cards(cat=["sappers"], owl=["brutal-tactics"])
    assert g.here("5") == {CATS: 2, OWLS: 1}


@rule("ROOT-FX-3", "ROOT-BATTLE-14", "ROOT-FX-14")
def test_brutal_tactics_deal_one_more_and_give_a_point():
    g = with_cards(cat=["brutal-tactics"]).play(CAT, "battle-effects", cards={"brutal-tactics": 1})
    assert g.here("5") == {CATS: 2}
    assert g.points(OWL) == [("ROOT-FX-3", 1)]
    assert g[CAT].crafted == ["brutal-tactics"]


@rule("ROOT-BATTLE-16")
@pytest.mark.parametrize(
    "cards", [{"sappers": 1}, {"armorers": 2}, {"scouting-party": 1}, ["armorers"], None]
)
def test_only_what_is_usable_can_be_used(cards):
    g = with_cards(cat=["armorers", "sappers", "scouting-party"])
    assert "ROOT-BATTLE-16" in g.refused(CAT, "battle-effects", cards=cards)


# -- losses -------------------------------------------------------------------------------------------------------


@rule("ROOT-BATTLE-17", "ROOT-COMP-5")
def test_surplus_hits_are_lost_and_warriors_return_to_the_supply():
    g = fought({CATS: 3}, {OWLS: 1}, 3, 0)
    assert g.here("5") == {CATS: 3}
    assert g[OWL].supply[OWLS] == 20


@rule("ROOT-BATTLE-18", "ROOT-TURN-7", "ROOT-BATTLE-20", "ROOT-COMP-3")
def test_warriors_go_first_without_a_question():
    g = fought({CATS: 3}, {OWLS: 1, "roost": 1}, 2, 0, elsewhere={"8": {}})
    assert g.here("5") == {CATS: 3}
    assert g.points(CAT) == [("ROOT-BATTLE-20", 1)]
    assert g[OWL].supply["roost"] == 7


MANY = {CATS: 1, "sawmill": 1, "wood": 2}


def attacked(*dice, cats=MANY):
    """The Eyrie attack the Marquise in clearing 5."""
    owl = {"leader": "charismatic", "decree": {}}
    g = game({OWL: owl}, {"5": {**cats, OWLS: 4}, "8": {"roost": 1}, "12": {"roost": 1}}, turn=OWL)
    g.play(OWL, "resolve-decree").play(OWL, "decree-recruit", card="vizier", clearing="8")
    return g.fight(OWL, CAT, "5", *dice, kind="decree-battle", card="vizier")


@rule("ROOT-BATTLE-18", "ROOT-DEC-10")
def test_a_side_with_a_choice_is_asked():
    g = attacked(2, 0)
    assert (g.asked, g.kinds) == ((CAT,), ("assign-hits",))
    g.play(CAT, "assign-hits", pieces={CATS: 1, "wood": 1})
    assert g.here("5") == {"sawmill": 1, "wood": 1, OWLS: 4}
    assert g.points(OWL) == [("ROOT-BATTLE-20", 1)]


@refusal("ROOT-BATTLE-18")
def test_a_building_before_a_warrior_is_refused():
    found = attacked(2, 0).refused(CAT, "assign-hits", pieces={"sawmill": 1, "wood": 1})
    says(found, "ROOT-BATTLE-18", "/pieces", n=1, given=0)


@refusal("ROOT-DEC-10")
@pytest.mark.parametrize(
    "pieces",
    [{}, {CATS: 1}, {CATS: 1, "sawmill": 1, "wood": 1}, {CATS: 2}, {OWLS: 2}, {CATS: 1, "wood": True}, []],
)
def test_as_many_as_there_are_hits_and_ones_own(pieces):
    assert "ROOT-DEC-10" in attacked(2, 0).refused(CAT, "assign-hits", pieces=pieces)


@refusal("ROOT-DEC-10")
def test_who_names_too_few_is_told_how_many_and_who_names_what_he_has_not_is_told_that():
    g = attacked(2, 0)
    found = g.refused(CAT, "assign-hits", pieces={CATS: 1})
    assert found["ROOT-DEC-10"].reason == "broken-rule"
    says(found, "ROOT-DEC-10", "/pieces", due=2, given=1)
    found = g.refused(CAT, "assign-hits", pieces={CATS: 2})
    assert found["ROOT-DEC-10"].reason == "unknown-value"
    says(found, "ROOT-DEC-10", "/pieces", value=CATS, offered=2, most=1)
    found = g.refused(CAT, "assign-hits", pieces={OWLS: 2})
    assert (found["ROOT-DEC-10"].reason, found["ROOT-DEC-10"].facts) == ("unknown-value", {"value": OWLS})


@rule("ROOT-BATTLE-18")
@pytest.mark.parametrize("dice", [(1, 0), (0, 0)])
def test_without_a_choice_nobody_is_asked(dice):
    assert attacked(*dice).asked != (CAT,)


@rule("ROOT-BATTLE-18")
def test_all_or_alike_is_no_choice():
    assert attacked(3, 0, cats={CATS: 1, "wood": 3}).here("5") == {OWLS: 4, "wood": 1}
    assert attacked(3, 0, cats={CATS: 1, "sawmill": 1, "wood": 1}).here("5") == {OWLS: 4}


@rule("ROOT-BATTLE-17", "ROOT-DEC-10")
def test_both_sides_choose_before_anything_leaves():
    g = field({"5": {CATS: 1, "sawmill": 1, "wood": 1, OWLS: 1, "roost": 1}, "8": {}, "6": {}},
              {"crafted": ["brutal-tactics"]}, {"crafted": ["sappers"]})  # fmt: skip
    g.fight(CAT, OWL, "5", 1, 1)
    g.play(CAT, "battle-effects", cards={"brutal-tactics": 1}).play(
        OWL, "battle-effects", cards={"sappers": 1}
    )
    assert g.asked == (CAT,)  # the roost must go in any case
    g.play(CAT, "assign-hits", pieces={CATS: 1, "wood": 1})
    assert g.here("5") == {"sawmill": 1}
    assert (g.points(CAT), g.points(OWL)) == ([("ROOT-BATTLE-20", 1)], [("ROOT-BATTLE-20", 1)])


@rule("ROOT-BATTLE-21")
def test_warriors_give_no_points():
    g = fought({CATS: 3}, {OWLS: 3}, 3, 3)
    assert (g.points(CAT), g.points(OWL)) == ([], [])


@rule("ROOT-BATTLE-20")
def test_attacker_and_defender_both_score():
    g = fought({CATS: 1, "sawmill": 1}, {OWLS: 2}, 0, 0)
    assert g.points(OWL) == []
    g = fought({CATS: 1, "sawmill": 1}, {OWLS: 3}, 2, 2)
    assert g.points(OWL) == [("ROOT-BATTLE-20", 1)]


@rule("ROOT-EYRIE-22", "ROOT-BATTLE-20", "ROOT-R-EYRIE-1")
def test_the_despot_scores_once_more_a_battle():
    owl = {"leader": "despot"}
    g = fought({CATS: 1, "sawmill": 1, "wood": 1}, {OWLS: 3}, 3, 3, owl=owl)
    assert g.points(OWL) == [("ROOT-BATTLE-20", 2), ("ROOT-EYRIE-22", 1)]
    assert fought({CATS: 3}, {OWLS: 3}, 3, 3, owl=owl).points(OWL) == []


@rule("ROOT-X-21", "ROOT-EYRIE-22")
def test_what_an_ambush_removes_counts_for_the_despot():
    owl = {"leader": "despot", "hand": ["ambush-rabbit"]}
    g = field({"5": {CATS: 1, "sawmill": 1, OWLS: 1}, "9": {CATS: 1}}, owl=owl)
    g.play(CAT, "battle", clearing="5", defender=OWL).play(OWL, "play-ambush", card="ambush-rabbit")
    assert g.points(OWL) == [("ROOT-BATTLE-20", 1), ("ROOT-EYRIE-22", 1)]


@rule("ROOT-X-21", "ROOT-BATTLE-20")
def test_the_despot_scores_for_an_ambush_and_the_roll_only_once():
    owl = {"leader": "despot", "hand": ["ambush-rabbit"]}
    g = field(
        {"5": {CATS: 2, "wood": 1, "sawmill": 1, OWLS: 3}, "1": {"keep": 1}},
        owl=owl,
        cat={"hand": ["bake-sale"]},
    )
    g.play(CAT, "battle", clearing="5", defender=OWL).play(OWL, "play-ambush", card="ambush-rabbit")
    g.play(CAT, "pass").play(CAT, "pass")
    assert g.event("battle-ends")["seat"] == CAT


@rule("ROOT-WIN-2", "ROOT-BATTLE-23")
def test_if_both_reach_thirty_in_one_battle_the_turn_player_wins():
    cat = {"score": 29, "crafted": ["sappers"]}
    owl = {"score": 29, "leader": "commander"}
    g = game(
        {CAT: cat, OWL: owl}, {"5": {CATS: 2, "sawmill": 1, OWLS: 2, "roost": 1}, "1": {OWLS: 1}}, turn=OWL
    )
    g.play(OWL, "resolve-decree").play(OWL, "decree-move", card="vizier", from_="1", to="9", warriors=1)
    g.fight(OWL, CAT, "5", 2, 2, kind="decree-battle", card="vizier")
    g.play(CAT, "battle-effects", cards={"sappers": 1})
    assert g.here("5") == {}
    assert (g.state.outcome.winners, g.state.outcome.because) == ([OWL], "ROOT-WIN-2")


@rule("ROOT-WIN-1")
def test_thirty_points_end_the_game_in_mid_battle():
    g = field({"5": {CATS: 3, OWLS: 3}}, {"crafted": ["brutal-tactics"]}, {"score": 29})
    g.fight(CAT, OWL, "5", 2, 1).play(CAT, "battle-effects", cards={"brutal-tactics": 1})
    assert g.here("5") == {CATS: 3, OWLS: 3}
    assert (g.state.outcome.winners, g.state.outcome.because) == ([OWL], "ROOT-WIN-1")
    assert [(s.seat, s.score) for s in g.state.outcome.standings] == [(CAT, 0), (OWL, 30)]


# -- while somebody is asked --------------------------------------------------------------------------------------


@refusal("ROOT-TURN-6")
def test_only_who_is_asked_may_answer():
    g = ambushed()
    says(g.refused(CAT, "pass"), "ROOT-TURN-6", "/actor", asked=[OWL])
    says(g.refused(OWL, "end-phase"), "ROOT-TURN-6", "/kind", takes=["play-ambush", "pass"])


@rule("ROOT-GEN-6")
@refusal("ROOT-TURN-6", "ROOT-TURN-3")
def test_no_free_action_in_the_middle_of_a_battle():
    g = ambushed(crafted=["tax-collector"])
    assert {"ROOT-TURN-3", "ROOT-TURN-6"} <= set(g.refused(CAT, "tax-collector", clearing="5"))
