"""Chapter 16, battles of Vagabonds: swords, hits on items, infamy and hostility, allies, the Arbiter."""

import pytest

from service.engine.state import encode
from service.games.root.v1 import RULES
from tests.games.root.rogue import CATS, FOX, OWLS, fought, items, no_cards, relation, rogue, up
from tests.games.root.table import CAT, OWL, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

HATED = {"marquise": "hostile"}
ALLIED = {"marquise": "allied"}


# -- beginning one ------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-25", "ROOT-BATTLE-1", "ROOT-BATTLE-2")
def test_a_sword_for_a_battle_where_the_pawn_stands():
    g = rogue({"1": {CATS: 1}}).play(FOX, "battle", defender=CAT)
    assert items(g)["satchel-down"] == {"sword": 1}
    assert (g.top.clearing, g.kinds) == ("1", ("roll-die",))


@refusal("ROOT-BATTLE-1", "ROOT-BATTLE-2", "ROOT-VAG-1")
def test_against_somebody_who_is_there():
    g = rogue({"1": {CATS: 1}, "5": {OWLS: 1}})
    says(g.refused(FOX, "battle", defender=OWL), "ROOT-BATTLE-1", "/defender", defender=OWL, clearing="1")
    assert "ROOT-BATTLE-1" in g.refused(FOX, "battle", defender=FOX)
    assert "ROOT-BATTLE-2" in g.refused(FOX, "battle", defender="nobody")
    says(
        rogue({"1": {CATS: 1}}, items=up("boots")).refused(FOX, "battle", defender=CAT), "ROOT-VAG-1", "/kind"
    )


# -- dealing ------------------------------------------------------------------------------------------------------


@rule("ROOT-BATTLE-12", "ROOT-VAG-5")
@pytest.mark.parametrize(
    ("held", "dealt"),
    [
        (up("sword"), 1),
        ({"satchel-up": ["sword"], "satchel-down": ["sword"]}, 2),
        ({"satchel-up": ["sword"], "damaged-up": ["sword"]}, 1),
        (up("sword", "sword", "sword"), 3),
    ],
)
def test_rolled_hits_are_capped_by_undamaged_swords(held, dealt):
    g = fought(rogue({"1": {CATS: 5}}, items=held), 3, 0, defender=CAT)
    assert g.here("1") == {CATS: 5 - dealt}


@rule("ROOT-BATTLE-14")
@pytest.mark.parametrize(
    ("held", "helpless"), [(up("boots", "tea"), True), ({"satchel-down": ["sword"]}, False)]
)
def test_a_vagabond_without_a_sword_is_defenseless(held, helpless):
    g = rogue({"1": {CATS: 2}}, items=held, turn=CAT)
    fought(g, 0, 0, attacker=CAT, clearing="1", defender=FOX)
    assert ("extra-hits" in [e.kind for e in g.events]) == helpless


@rule("ROOT-BATTLE-14", "ROOT-BATTLE-20", "ROOT-VAG-55")
def test_pieces_without_warriors_are_defenseless_and_hatred_comes_from_warriors_alone():
    g = fought(rogue({"1": {"sawmill": 1, "wood": 1}}), 0, 0, defender=CAT)
    g.play(CAT, "assign-hits", pieces={"wood": 1})
    assert g.here("1") == {"sawmill": 1}
    assert g.points(FOX) == [("ROOT-BATTLE-20", 1)]
    assert relation(g, "marquise") == "indifferent"


# -- taking -------------------------------------------------------------------------------------------------------


@rule("ROOT-BATTLE-19", "ROOT-DEC-10")
def test_he_damages_items_of_his_choice():
    g = fought(rogue({"1": {CATS: 3}}, items=up("sword", "boots", "torch")), 2, 2, defender=CAT)
    assert g.asked == (FOX,)
    g.play(FOX, "assign-hits", pieces={"satchel-down-sword": 1, "satchel-up-torch": 1})
    assert items(g) == {"satchel-up": {"boots": 1}, "damaged-up": {"torch": 1}, "damaged-down": {"sword": 1}}


@rule("ROOT-BATTLE-19")
@refusal("ROOT-DEC-10")
def test_undamaged_ones_and_as_many_as_there_are_hits():
    held = {"satchel-up": ["sword", "boots", "torch"], "damaged-up": ["tea"]}
    g = fought(rogue({"1": {CATS: 3}}, items=held), 2, 2, defender=CAT)
    for pieces in ({"satchel-up-boots": 1}, {"satchel-up-boots": 1, "damaged-up-tea": 1}, {CATS: 2}, {}):
        assert "ROOT-DEC-10" in g.refused(FOX, "assign-hits", pieces=pieces)


@rule("ROOT-BATTLE-19", "ROOT-BATTLE-17")
def test_what_is_beyond_his_items_is_lost():
    g = fought(rogue({"1": {CATS: 3}}, items=up("sword")), 3, 3, defender=CAT)
    assert items(g) == {"damaged-down": {"sword": 1}}
    assert g.kinds[0] == "move"


@rule("ROOT-BATTLE-19", "ROOT-VAG-6")
def test_without_items_nothing_happens_to_him():
    g = rogue({"1": {CATS: 3}}, items={}, turn=CAT)
    fought(g, 3, 0, attacker=CAT, clearing="1", defender=FOX)
    assert (items(g), g[FOX].vagabond.pawn) == ({}, "1")


@rule("ROOT-BATTLE-8", "ROOT-BATTLE-7", "ROOT-BATTLE-19")
def test_an_ambushed_vagabond_goes_on():
    g = rogue({"1": {CATS: 1}}, items=up("sword", "torch"), cat={"hand": ["ambush-fox"]})
    g.play(FOX, "battle", defender=CAT).play(CAT, "play-ambush", card="ambush-fox")
    assert items(g) == {"damaged-up": {"torch": 1}, "damaged-down": {"sword": 1}}
    assert g.kinds == ("roll-die",)
    g.roll(3, 0)
    assert g.here("1") == {CATS: 1}  # no undamaged sword is left


@rule("ROOT-BATTLE-4")
def test_a_vagabond_ambushes():
    g = rogue({"1": {CATS: 2}}, turn=CAT, hand=["ambush-bird"])
    g.play(CAT, "battle", clearing="1", defender=FOX).play(FOX, "play-ambush", card="ambush-bird")
    assert g.here("1") == {}
    assert relation(g, "marquise") == "hostile"


def test_the_order_of_keys_in_a_posted_state_does_not_matter():
    g = rogue({"1": {CATS: 1, "sawmill": 1, "wood": 1, OWLS: 2}}, turn=CAT)
    no_cards(g.play(CAT, "battle", clearing="1", defender=OWL)).roll(2, 2)
    twin = g.fork()
    twin.state = RULES.decode(encode(g.state))
    twin.state.stack[-1].hits = dict(reversed(g.state.stack[-1].hits.items()))
    for game in (g, twin):
        game.play(CAT, "assign-hits", pieces={CATS: 1, "wood": 1})
    assert [e.to_wire() for e in g.events] == [e.to_wire() for e in twin.events]


# -- hostility and infamy -----------------------------------------------------------------------------------------


@rule("ROOT-VAG-55", "ROOT-VAG-57")
def test_the_warrior_that_makes_a_faction_hostile_is_not_counted():
    g = fought(rogue({"1": {CATS: 3}}, items=up("sword", "sword", "sword")), 3, 0, defender=CAT)
    assert relation(g, "marquise") == "hostile"
    assert g.points(FOX) == [("ROOT-VAG-57", 2)]


@rule("ROOT-VAG-57", "ROOT-BATTLE-21")
def test_of_a_hostile_faction_every_piece_counts():
    g = rogue({"1": {CATS: 1, "sawmill": 1}}, items=up("sword", "sword", "sword"), relationships=HATED)
    fought(g, 3, 0, defender=CAT)
    assert g.here("1") == {}
    assert g.points(FOX) == [("ROOT-BATTLE-20", 1), ("ROOT-VAG-57", 2)]


@rule("ROOT-VAG-55", "ROOT-VAG-57")
def test_what_goes_after_that_warrior_counts():
    g = rogue({"1": {CATS: 1, "sawmill": 1}}, items=up("sword", "sword", "sword"))
    fought(g, 2, 0, defender=CAT)
    assert g.points(FOX) == [("ROOT-BATTLE-20", 1), ("ROOT-VAG-57", 1)]


@rule("ROOT-VAG-58", "ROOT-R-VAG-3")
def test_defending_brings_hatred_but_no_infamy():
    g = rogue({"1": {CATS: 3}}, items=up("sword", "sword"), turn=CAT)
    fought(g, 3, 2, attacker=CAT, clearing="1", defender=FOX)
    assert relation(g, "marquise") == "hostile"
    assert g.points(FOX) == []
    g = rogue({"1": {CATS: 3}}, items=up("sword", "sword"), turn=CAT, relationships=HATED)
    fought(g, 3, 2, attacker=CAT, clearing="1", defender=FOX)
    assert g.points(FOX) == []


@rule("ROOT-VAG-56")
def test_hatred_stays():
    g = fought(rogue({"1": {CATS: 3}}, items=up("sword"), relationships=HATED), 1, 0, defender=CAT)
    assert relation(g, "marquise") == "hostile"
    assert "set" not in [e.kind for e in g.events]


@rule("ROOT-X-4", "ROOT-BATTLE-25", "ROOT-BATTLE-22")
def test_hospitals_come_after_the_turn_players_hostility():
    g = rogue({"1": {CATS: 2}, "2": {"keep": 1}}, items=up("sword"), cat={"hand": ["anvil"]})
    fought(g, 1, 0, defender=CAT)
    assert relation(g, "marquise") == "hostile"
    assert g.kinds == ("field-hospitals", "pass")


@rule("ROOT-BATTLE-25")
def test_and_before_it_where_the_marquise_is_the_turn_player():
    g = rogue({"1": {CATS: 2}, "2": {"keep": 1}}, items=up("sword"), cat={"hand": ["anvil"]}, turn=CAT)
    fought(g, 1, 1, attacker=CAT, clearing="1", defender=FOX)
    assert g.kinds == ("field-hospitals", "pass")
    assert relation(g, "marquise") == "indifferent"
    assert relation(g.play(CAT, "pass"), "marquise") == "hostile"


# -- cards of battle ----------------------------------------------------------------------------------------------


@rule("ROOT-FX-10", "ROOT-FX-16", "ROOT-R-FX-3")
def test_command_warren_needs_no_sword():
    g = rogue({"1": {CATS: 1}}, crafted=["command-warren"], items=up("boots"))
    assert g.kinds == ("command-warren", "pass")
    g.play(FOX, "command-warren", clearing="1", defender=CAT)
    assert items(g) == {"satchel-up": {"boots": 1}}
    g.roll(3, 0)
    assert g.here("1") == {CATS: 1}


@refusal("ROOT-BATTLE-1")
def test_it_is_fought_where_the_pawn_stands():
    g = rogue({"1": {CATS: 1}, "5": {CATS: 1}}, crafted=["command-warren"])
    says(
        g.refused(FOX, "command-warren", clearing="5", defender=CAT),
        "ROOT-BATTLE-1",
        "/clearing",
        clearing="5",
    )


@rule("ROOT-FX-1", "ROOT-BATTLE-15", "ROOT-BATTLE-16")
def test_he_uses_crafted_cards_as_others_do():
    g = rogue({"1": {CATS: 3}}, crafted=["armorers", "brutal-tactics"], items=up("sword"))
    fought(g, 3, 3, defender=CAT)
    g.play(FOX, "battle-effects", cards={"armorers": 1, "brutal-tactics": 1})
    assert g.here("1") == {CATS: 1}
    assert items(g) == {"satchel-down": {"sword": 1}}


# -- allies -------------------------------------------------------------------------------------------------------


def with_ally(map=None, **held):
    return rogue(
        map or {"1": {CATS: 2, OWLS: 4}}, relationships=ALLIED, **{"items": up("sword", "torch"), **held}
    )


@rule("ROOT-VAG-53", "ROOT-BATTLE-12")
def test_allied_warriors_raise_the_cap():
    g = with_ally().play(FOX, "battle", defender=OWL)
    assert g.kinds == ("fight-with-ally", "pass")
    no_cards(g.play(FOX, "fight-with-ally", player=CAT)).roll(3, 0)
    assert g.here("1") == {CATS: 2, OWLS: 1}


@rule("ROOT-VAG-53")
def test_he_may_fight_alone():
    g = no_cards(with_ally().play(FOX, "battle", defender=OWL).play(FOX, "pass")).roll(3, 0)
    assert g.here("1") == {CATS: 2, OWLS: 3}


@rule("ROOT-VAG-53", "ROOT-VAG-54")
def test_hits_are_taken_on_items_and_on_allied_warriors_alike():
    g = no_cards(with_ally().play(FOX, "battle", defender=OWL).play(FOX, "fight-with-ally", player=CAT)).roll(
        2, 2
    )
    g.play(FOX, "assign-hits", pieces={CATS: 1, "satchel-up-torch": 1})
    assert g.here("1") == {CATS: 1, OWLS: 2}
    assert relation(g, "marquise") == "allied"
    assert items(g) == {"satchel-down": {"sword": 1}, "damaged-up": {"torch": 1}}


@rule("ROOT-VAG-54")
def test_more_hits_on_them_than_on_items_make_them_hostile():
    g = no_cards(with_ally().play(FOX, "battle", defender=OWL).play(FOX, "fight-with-ally", player=CAT)).roll(
        2, 2
    )
    g.play(FOX, "assign-hits", pieces={CATS: 2})
    assert relation(g, "marquise") == "hostile"
    assert g.because("set")[-1] == "ROOT-VAG-54"


@rule("ROOT-VAG-54", "ROOT-BATTLE-7")
def test_ambush_hits_count_with_the_others():
    g = with_ally(owl={"hand": ["ambush-fox"]}, items=up("sword", "torch", "boots"))
    g.play(FOX, "battle", defender=OWL).play(FOX, "fight-with-ally", player=CAT)
    g.play(OWL, "play-ambush", card="ambush-fox").play(FOX, "assign-hits", pieces={CATS: 2})
    assert relation(g, "marquise") == "allied"  # the battle is not over
    g.roll(2, 2)
    g.play(FOX, "assign-hits", pieces={"satchel-up-torch": 1, "satchel-up-boots": 1})
    assert relation(g, "marquise") == "allied"


@refusal("ROOT-VAG-53")
def test_nobody_fights_against_himself_and_no_stranger_does():
    g = with_ally().play(FOX, "battle", defender=OWL)
    for who in (OWL, FOX):
        says(g.refused(FOX, "fight-with-ally", player=who), "ROOT-VAG-53", "/player", player=who)
    assert "fight-with-ally" not in with_ally().play(FOX, "battle", defender=CAT).kinds
    assert "ROOT-VAG-53" in with_ally().refused(FOX, "fight-with-ally", player=CAT)


@rule("ROOT-VAG-53")
def test_only_as_attacker():
    g = with_ally(turn=OWL, owl={"crafted": ["command-warren"]})
    g.play(OWL, "command-warren", clearing="1", defender=FOX)
    assert g.kinds == ("roll-die",)
    g.roll(3, 3)
    assert items(g) == {"damaged-up": {"sword": 1, "torch": 1}}
    assert g.here("1")[CATS] == 2


@rule("ROOT-MARQ-5", "ROOT-X-4")
def test_hospitals_save_allied_warriors():
    g = with_ally({"1": {CATS: 2, OWLS: 4}, "2": {"keep": 1}}, cat={"hand": ["anvil"]})
    g.play(FOX, "battle", defender=OWL).play(FOX, "fight-with-ally", player=CAT)
    no_cards(g).roll(1, 1)
    g.play(FOX, "assign-hits", pieces={CATS: 1})
    g.play(CAT, "field-hospitals", card="anvil")
    assert g.here("2") == {CATS: 1, "keep": 1}


# -- the Arbiter --------------------------------------------------------------------------------------------------


def between(**held):
    """The Marquise attacks the Eyrie where an Arbiter stands."""
    held = {"character": "arbiter", **held}
    g = rogue({"1": {CATS: 3, OWLS: 1}}, turn=CAT, **held)
    return no_cards(g.play(CAT, "battle", clearing="1", defender=OWL))


@rule("ROOT-VAG-45", "ROOT-BATTLE-9", "ROOT-BATTLE-12", "ROOT-DEC-8")
def test_a_defender_enlists_the_arbiter():
    g = between()
    assert (g.asked, g.kinds) == ((OWL,), ("enlist-arbiter", "pass"))
    g.play(OWL, "enlist-arbiter")
    assert g.points(FOX) == [("ROOT-VAG-45", 1)]
    g.roll(3, 3)
    assert g.here("1") == {}
    assert items(g) == {"satchel-up": {"boots": 1, "sword": 2, "torch": 1}}
    assert relation(g, "marquise") == "indifferent"


@rule("ROOT-VAG-45")
def test_or_not():
    g = between().play(OWL, "pass").roll(3, 3)
    assert g.here("1") == {CATS: 2}
    assert g.score(FOX) == 0


@rule("ROOT-VAG-45")
def test_only_undamaged_swords_help():
    g = (
        between(items={"satchel-down": ["sword"], "damaged-up": ["sword"]})
        .play(OWL, "enlist-arbiter")
        .roll(3, 3)
    )
    assert g.here("1") == {CATS: 1}


@rule("ROOT-VAG-45")
@pytest.mark.parametrize("held", [{"pawn": "5"}, {"character": "ranger"}])
def test_only_an_arbiter_and_only_there(held):
    assert between(**held).kinds == ("roll-die",)


@rule("ROOT-VAG-45")
@refusal("ROOT-VAG-45")
def test_neither_for_himself_nor_against_himself():
    g = rogue({"1": {CATS: 3}}, character="arbiter", turn=CAT).play(CAT, "battle", clearing="1", defender=FOX)
    assert g.kinds == ("roll-die",)
    assert "ROOT-VAG-45" in rogue({"1": {CATS: 1}}, character="arbiter").refused(FOX, "enlist-arbiter")
    g = rogue({"1": {CATS: 3}}, character="arbiter").play(FOX, "battle", defender=CAT)
    assert g.kinds == ("roll-die",)
