"""Where the Mechanical Marquise meets other factions: tables of who does what to it, and what it does to them."""

import pytest

from tests.games.root.robot import BOT, ELK, FOLK, FOX, OWL, OWLS, W, orders, robot
from tests.games.root.table import fresh, says
from tests.games.root.test_mechanical_standing import KEEP, SELLS, beside, moved

rule = pytest.mark.rule
refusal = pytest.mark.refusal

S, LIZARDS, OTTERS, MECHANICAL = "sympathy", "cult-warrior", "riverfolk-warrior", "mechanical-marquise"
RABBITS_LEAD = {"outcast": "fox", "lost_souls": ["bake-sale"]}  # so that rabbits are the Outcast


def up(*items):
    return {"own": {"satchel-up": list(items)}}


# -- the keep (ROOT-MARQ-2 to ROOT-MARQ-4, ROOT-SETUP-16) ---------------------------------------------------------


@rule("ROOT-SETUP-16", "ROOT-SETUP-10", "ROOT-SETUP-13")
def test_with_keep_and_roost_the_cult_has_the_choice_of_the_two_other_corners():
    g = fresh(MECHANICAL, "eyrie", "cult", options={"seating": "listed"}).play(
        "chance", "draw-seat", seat=BOT
    )
    g.draw_any().play("chance", "draw-corner", corner="2")
    g.play(OWL, "setup-eyrie", leader="builder")
    assert g.here("4") == {"roost": 1, OWLS: 6}
    assert {o["corner"] for o in g.options(FOX, "setup-cult")} == {"1", "3"}
    assert "ROOT-SETUP-13" in g.refused(FOX, "setup-cult", corner="2", outcast="fox")


@rule("ROOT-SETUP-14", "ROOT-MARQ-2")
@refusal("ROOT-MARQ-2")
def test_the_riverfolk_begin_nowhere_at_its_keep():
    g = fresh(MECHANICAL, "riverfolk", options={"seating": "listed"}).play("chance", "draw-seat", seat=BOT)
    g.draw_any().play("chance", "draw-corner", corner="4")
    (option,) = g.options(OWL, "setup-riverfolk")[:1]
    assert "4" not in option["warriors"]
    prices = option["prices"]
    assert "ROOT-MARQ-2" in g.refused(OWL, "setup-riverfolk", warriors={"4": 4}, prices=prices)


@rule("ROOT-MARQ-2", "ROOT-MARQ-3", "ROOT-EYRIE-5")
def test_a_new_roost_is_not_placed_at_its_keep():
    """Nobody stands in clearings 1, 7 and 8; the keep is in the first."""
    others = {c: {W: 1} for c in ("2", "3", "4", "5", "6", "9", "10", "11", "12")}
    g = beside({"3": {W: 1}, "1": KEEP, **others}, "eyrie", at="turn")
    while "new-roost" not in g.kinds:
        g.play(OWL, "add-to-decree", card="cobbler", column="move")
    assert [o["clearing"] for o in g.options(OWL, "new-roost")] == ["7", "8"]


@rule("ROOT-MARQ-2", "ROOT-MARQ-3")
@refusal("ROOT-MARQ-2")
def test_sympathy_does_not_spread_to_its_keep():
    g = beside({"1": KEEP, "5": {S: 1}}, "alliance", at="turn", owl={"supporters": ["anvil"]})
    assert "1" not in [o["clearing"] for o in g.options(OWL, "spread")]
    found = g.refused(OWL, "spread", clearing="1", supporters={"anvil": 1})
    says(found, "ROOT-MARQ-2", "/clearing", clearing="1")


@rule("ROOT-MARQ-4")
def test_once_the_keep_is_gone_sympathy_spreads_to_its_corner():
    g = beside({"5": {S: 1}}, "alliance", at="turn", owl={"supporters": ["anvil"]})
    assert g.board.box == KEEP
    g.play(OWL, "spread", clearing="1", supporters={"anvil": 1})
    assert g.here("1") == {S: 1}


@rule("ROOT-MARQ-2", "ROOT-R-CULT-4", "ROOT-CULT-13", "ROOT-CULT-14")
@refusal("ROOT-MARQ-2", "ROOT-CULT-14")
def test_the_cult_neither_converts_nor_sanctifies_at_its_keep():
    map = {"4": {**KEEP, W: 2}, "5": {W: 1}}
    g = beside(map, "cult", at="turn", owl={**RABBITS_LEAD, "acolytes": 3})
    assert [(o["clearing"], o["player"]) for o in g.options(OWL, "convert")] == [("5", BOT)]
    assert "ROOT-MARQ-2" in g.refused(OWL, "convert", clearing="4", player=BOT)
    assert g.options(OWL, "sanctify") == []
    found = g.refused(OWL, "sanctify", clearing="4", building="keep")
    assert {"ROOT-MARQ-2", "ROOT-CULT-14"} <= set(found)


@rule("ROOT-MARQ-2", "ROOT-RIVER-37")
@refusal("ROOT-MARQ-2", "ROOT-RIVER-37")
def test_there_is_no_trade_post_at_its_keep_and_nobody_has_funds_of_it():
    """It rules clearing 5, but never pays, so that nothing of it lies among the funds."""
    map = {"1": {**KEEP, W: 1}, "5": {W: 2}, "10": {OTTERS: 1}}
    g = beside(map, "riverfolk", owl={"funds": {OTTERS: 3}})
    assert {o["clearing"] for o in g.options(OWL, "establish")} == {"10"}
    assert "ROOT-MARQ-2" in g.refused(OWL, "establish", clearing="1", funds={OTTERS: 2})
    assert "ROOT-RIVER-37" in g.refused(OWL, "establish", clearing="5", funds={OTTERS: 2})


PLACED = {
    "organize": ("alliance", "evening", {"officers": 1}, {FOLK: 1}, {}),
    "ritual-recruit": ("cult", "daylight", {"hand": ["bake-sale"]}, {}, {"card": "bake-sale"}),
    "ritual-build": ("cult", "daylight", {"hand": ["bake-sale"]}, {LIZARDS: 3}, {"card": "bake-sale"}),
    "recruit": ("riverfolk", "daylight", {"funds": {OTTERS: 2}}, {}, {"fund": OTTERS}),
}


@rule("ROOT-MARQ-2", "ROOT-MARQ-3", "ROOT-BOT-1")
@refusal("ROOT-MARQ-2")
@pytest.mark.parametrize("kind", PLACED)
def test_whatever_others_place_they_do_not_place_at_its_keep(kind):
    """The keep stands in clearing 4, on the river; each could place there but for the keep."""
    faction, at, held, there, wire = PLACED[kind]
    g = beside({"4": {**KEEP, **there}}, faction, at=at, owl=held)
    assert "4" not in [o["clearing"] for o in g.options(OWL, kind)]
    assert set(g.refused(OWL, kind, clearing="4", **wire)) <= {"ROOT-MARQ-2", "ROOT-WA-23"}
    free = beside({"4": there}, faction, at=at, owl=held)
    assert "4" in [o["clearing"] for o in free.options(OWL, kind)]


@rule("ROOT-MOVE-5", "ROOT-FX-9")
def test_moving_in_at_its_keep_is_free_to_all():
    g = beside({"1": KEEP, "5": {OWLS: 2}}, "eyrie", at="evening", owl={"crafted": ["cobbler"], "hand": []})
    g.play(OWL, "cobbler", from_="5", to="1", warriors=2)
    assert g.here("1") == {**KEEP, OWLS: 2}


# -- battles of everybody with it ---------------------------------------------------------------------------------

# What it fights in clearing 8 with three warriors, the dice at 2 and 0 for it, and what is left on either side.
FOUGHT = {
    "eyrie": ({OWLS: 3}, {W: 3, OWLS: 1}),
    "alliance": ({FOLK: 3}, {W: 1, FOLK: 3}),  # Guerrilla War: the higher one is for the defender
    "cult": ({LIZARDS: 3}, {W: 3, LIZARDS: 1}),
    "riverfolk": ({OTTERS: 3}, {W: 3, OTTERS: 1}),
}


@rule("ROOT-BOT-4", "ROOT-BOT-15", "ROOT-BATTLE-11", "ROOT-BATTLE-12")
@pytest.mark.parametrize("faction", FOUGHT)
def test_it_attacks_every_faction_without_a_surprise(faction):
    there, left = FOUGHT[faction]
    g = robot({"1": KEEP, "8": {W: 3, **there}}, faction, owl={"hand": ["ambush-fox", "cobbler"]})
    orders(g, "bake-sale")  # a rabbit order: nothing in a fox clearing
    assert g.here("8") == {W: 3, **there}
    g = robot({"1": KEEP, "8": {W: 3, **there}}, faction, owl={"hand": ["ambush-fox", "cobbler"]})
    orders(
        g, "birdy-bindle"
    )  # a bird order that costs a mouse: every clearing, and recruits in none of these
    assert (g.kinds, g.because("skipped")) == (("roll-die",), ["ROOT-BOT-4"])
    g.roll(2, 0)
    assert g.here("8") == left


# How each begins a battle with it in clearing 5, with two against two.
BEGUN = {
    "eyrie": ("daylight", {"crafted": ["command-warren"]}, OWLS, "command-warren", {"clearing": "5"}),
    "alliance": ("evening", {"officers": 1}, FOLK, "battle", {"clearing": "5"}),
    "cult": ("turn", {**RABBITS_LEAD, "acolytes": 2}, LIZARDS, "crusade-battle", {"clearing": "5"}),
    "riverfolk": ("daylight", {"funds": {OTTERS: 1}}, OTTERS, "battle", {"clearing": "5", "fund": OTTERS}),
}


@rule("ROOT-BOT-4", "ROOT-BOT-8", "ROOT-R-BOT-6")
@pytest.mark.parametrize("faction", BEGUN)
def test_every_faction_attacks_it_without_a_surprise_and_it_is_asked_nothing(faction):
    at, held, warrior, kind, wire = BEGUN[faction]
    g = beside({"1": KEEP, "5": {W: 2, warrior: 2}}, faction, at=at, owl=held)
    g.play(OWL, kind, defender=BOT, **wire)
    assert (g.kinds, g.because("skipped")) == (("roll-die",), ["ROOT-BOT-4"])
    g.roll(2, 1)
    assert g.here("5") == {warrior: 1}
    assert BOT not in g.asked


@rule("ROOT-WA-4", "ROOT-BOT-6", "ROOT-BATTLE-25")
def test_a_base_that_it_removes_costs_supporters_and_officers():
    held = {"supporters": ["anvil", "cobbler", "bake-sale"], "officers": 3}
    g = robot({"1": KEEP, "8": {W: 3, "fox-base": 1}}, "alliance", owl=held)
    orders(g, "foxfolk-steel").roll(0, 0)
    assert g.points(BOT) == [("ROOT-BATTLE-20", 1)]
    assert (g[OWL].alliance.supporters, g[OWL].alliance.officers) == (
        {"bake-sale": 1, "cobbler": 1},
        {FOLK: 1},
    )


@rule("ROOT-EYRIE-22", "ROOT-BOT-6")
def test_the_despot_scores_one_more_for_its_keep():
    owl = {"crafted": ["command-warren"], "leader": "despot"}
    g = beside({"1": {**KEEP, OWLS: 3}}, "eyrie", owl=owl).fight(OWL, BOT, "1", 0, 0, kind="command-warren")
    assert g.points(OWL) == [("ROOT-BATTLE-20", 1), ("ROOT-EYRIE-22", 1)]


# -- the Woodland Alliance (ROOT-WA-12, ROOT-WA-18) ---------------------------------------------------------------


@rule("ROOT-WA-12", "ROOT-WA-10", "ROOT-WA-11")
def test_sympathy_that_it_removes_makes_the_alliance_draw():
    g = robot({"1": KEEP, "8": {W: 2, S: 1}}, "alliance", owl={"hand": ["ambush-fox"]})
    orders(g, "anvil").roll(0, 0)
    assert (g.kinds, g.points(BOT)) == (("draw-card",), [("ROOT-BATTLE-20", 1)])
    g.draw("sappers")
    assert moved(g, "ROOT-WA-12") == [({"sappers": 1}, ["seats", OWL, "alliance", "supporters"])]
    assert g[OWL].hand == {"ambush-fox": 1}


@rule("ROOT-WA-12", "ROOT-WA-2", "ROOT-BOT-21")
def test_with_a_full_stack_what_the_alliance_draws_for_it_is_discarded():
    five = ["investments", "sword-mouse", "bake-sale", "root-tea-rabbit", "cobbler"]
    g = robot({"1": {**KEEP, W: 4}, "5": {S: 1}}, "alliance", owl={"supporters": five})
    orders(g, "anvil").draw("sappers")
    assert g.here("5") == {W: 1, S: 1}
    assert moved(g, "ROOT-WA-12") == [({"sappers": 1}, ["discard"])]
    assert sum(g[OWL].alliance.supporters.values()) == 5


@rule("ROOT-WA-18")
@refusal("ROOT-WA-18")
def test_three_of_its_warriors_are_martial_law():
    held = {"owl": {"supporters": ["bake-sale", "root-tea-rabbit"]}}
    g = beside({"1": {S: 1}, "5": {W: 3}}, "alliance", at="turn", **held)
    assert "ROOT-WA-18" in g.refused(OWL, "spread", clearing="5", supporters={"bake-sale": 1})
    g.play(OWL, "spread", clearing="5", supporters={"bake-sale": 1, "root-tea-rabbit": 1})
    assert g.here("5") == {W: 3, S: 1}


@rule("ROOT-WA-18")
def test_two_of_its_warriors_are_none():
    g = beside({"1": {S: 1}, "5": {W: 2}}, "alliance", at="turn", owl={"supporters": ["bake-sale"]})
    g.play(OWL, "spread", clearing="5", supporters={"bake-sale": 1})
    assert g.here("5") == {W: 2, S: 1}


@rule("ROOT-WA-14", "ROOT-BOT-1")
def test_a_revolt_removes_its_warriors_and_there_are_no_hospitals():
    g = beside({"1": KEEP, "8": {S: 1, W: 3}}, "alliance", at="turn", owl={"supporters": {"sappers": 2}})
    g.play(OWL, "revolt", clearing="8", supporters={"sappers": 2})
    assert g.here("8") == {S: 1, "fox-base": 1, FOLK: 1}
    assert (g[BOT].supply[W], g.points(OWL), g.asked) == (25, [], (OWL,))


# -- the Vagabond -------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-55", "ROOT-VAG-57", "ROOT-BOT-4")
def test_a_vagabond_who_removes_its_warriors_makes_an_enemy_of_it():
    g = beside({"8": {W: 3}}, "vagabond", owl={"pawn": "8", **up("sword", "sword")})
    g.play(OWL, "battle", defender=BOT).roll(2, 0)
    assert g[OWL].vagabond.relationships == {MECHANICAL: "hostile"}
    assert (g.here("8"), g.points(OWL)) == ({W: 1}, [("ROOT-VAG-57", 1)])


@rule("ROOT-VAG-58", "ROOT-R-VAG-3")
def test_as_its_defender_he_makes_an_enemy_of_it_without_infamy():
    g = robot({"8": {W: 3}}, "vagabond", owl={"pawn": "8", **up("sword", "sword")})
    orders(g, "anvil").roll(1, 1)
    g.play(OWL, "assign-hits", pieces={"sword-up": 1}) if "assign-hits" in g.kinds else None
    assert g[OWL].vagabond.relationships == {MECHANICAL: "hostile"}
    assert g.score(OWL) == 0


@rule("ROOT-VAG-22")
@refusal("ROOT-VAG-22")
def test_its_warriors_cost_an_enemy_another_pair_of_boots():
    hostile = {"relationships": {MECHANICAL: "hostile"}}
    g = beside({"5": {W: 1}}, "vagabond", owl={"pawn": "1", **up("boots"), **hostile})
    says(g.refused(OWL, "move", to="5"), "ROOT-VAG-22", "/to", n=2, ready=1)
    assert "5" not in [o["to"] for o in g.options(OWL, "move")]


@rule("ROOT-VAG-30", "ROOT-BOT-6")
@refusal("ROOT-VAG-30")
def test_a_strike_takes_a_warrior_and_the_keep_only_without_one():
    g = beside(
        {"1": {**KEEP, W: 1}},
        "vagabond",
        owl={"pawn": "1", "character": "ranger", **up("crossbow", "crossbow")},
    )
    assert [o["piece"] for o in g.options(OWL, "strike")] == [W]
    says(g.refused(OWL, "strike", player=BOT, piece="keep"), "ROOT-VAG-30", "/player", "/piece", defended=BOT)
    g.play(OWL, "strike", player=BOT, piece=W).play(OWL, "strike", player=BOT, piece="keep")
    assert (g.here("1"), g.points(OWL), g.board.box) == ({}, [("ROOT-VAG-30", 1)], KEEP)


@rule("ROOT-BOT-7", "ROOT-VAG-30")
def test_what_it_sells_goes_by_aid_alone():
    g = beside({"1": {W: 1}}, "vagabond", owl={"pawn": "1", **up("crossbow")}, cat={"items": SELLS})
    g.play(OWL, "strike", player=BOT, piece=W)
    assert g[BOT].items == SELLS
    assert "take-item" not in g.kinds


@rule("ROOT-VAG-23", "ROOT-BOT-8")
def test_as_an_ally_its_warriors_go_along_by_its_own_rule_and_nobody_asks_it():
    ally = {"relationships": {MECHANICAL: "allied"}}
    g = beside({"1": {**KEEP, W: 3}}, "vagabond", owl={"pawn": "1", **up("boots", "boots"), **ally})
    g.play(OWL, "move-with-ally", to="5", ally=BOT, warriors=2)
    assert (g.here("1"), g.here("5"), g.asked) == ({**KEEP, W: 1}, {W: 2}, (OWL,))


@rule("ROOT-VAG-24", "ROOT-WA-10")
def test_where_they_enter_sympathy_the_vagabond_pays():
    ally = {"relationships": {MECHANICAL: "allied"}}
    held = {"pawn": "1", **up("boots", "boots"), **ally, "hand": ["bake-sale"]}
    g = beside({"1": {**KEEP, W: 3}, "5": {S: 1}}, "vagabond", "alliance", owl=held)
    g.play(OWL, "move-with-ally", to="5", ally=BOT, warriors=2)
    assert (g.asked, g.kinds) == ((OWL,), ("pay-outrage", "show-hand"))


@rule("ROOT-VAG-53", "ROOT-VAG-54")
def test_its_warriors_fight_for_an_allied_vagabond_who_may_betray_them():
    ally = {"relationships": {MECHANICAL: "allied"}}
    g = beside(
        {"8": {W: 2, OWLS: 2}},
        "vagabond",
        "eyrie",
        owl={"pawn": "8", **up("sword"), **ally},
        fox={"hand": []},
    )
    g.play(OWL, "battle", defender=FOX).play(OWL, "fight-with-ally", player=BOT).roll(2, 1)
    assert (g.asked, g.kinds) == ((OWL,), ("assign-hits",))
    g.play(OWL, "assign-hits", pieces={W: 1})
    assert g.here("8") == {W: 1}
    assert g[OWL].vagabond.relationships[MECHANICAL] == "hostile"


@rule("ROOT-VAG-43", "ROOT-BOT-8", "ROOT-BOT-4", "ROOT-VAG-44")
@pytest.mark.parametrize("attacks", [True, False])
def test_the_vagrant_makes_it_fight_on_either_side_without_an_ambush(attacks):
    """Two hits for the attacker and one for the defender; the Vagrant removes all of it, and makes two enemies.

    Of the two warriors of one side that go, one makes it hostile, and the other counts.
    """
    held = {"pawn": "8", "character": "vagrant", **up("torch")}
    seats = {"owl": held, "fox": {"hand": ["ambush-fox"]}}
    g = beside({"8": {W: 2, OWLS: 2}}, "vagabond", "eyrie", **seats)
    attacker, defender = (BOT, FOX) if attacks else (FOX, BOT)
    g.play(OWL, "instigate", attacker=attacker, defender=defender)
    assert g.kinds == ("roll-die",)
    g.roll(2, 1)
    assert g.here("8") == ({W: 1} if attacks else {OWLS: 1})
    assert g.points(OWL) == [("ROOT-VAG-57", 1)]
    assert g[OWL].vagabond.relationships == {MECHANICAL: "hostile", "eyrie": "hostile"}


@rule("ROOT-VAG-45", "ROOT-BOT-8", "ROOT-BOT-5")
@pytest.mark.parametrize("attacks", [True, False])
def test_an_arbiter_is_enlisted_against_it_and_not_by_it(attacks):
    held = {"owl": {"pawn": "8", "character": "arbiter"}, "fox": {"crafted": ["command-warren"]}}
    map = {"8": {W: 2, OWLS: 2}}
    if attacks:
        g = robot({**map, "1": KEEP, "3": {"roost": 1}}, "vagabond", "eyrie", **held)
        orders(g, "anvil")
        assert (g.event("targets")["player"], g.asked, g.kinds) == (FOX, (FOX,), ("enlist-arbiter", "pass"))
    else:
        g = beside(map, "vagabond", "eyrie", turn=FOX, **held)
        g.play(FOX, "command-warren", clearing="8", defender=BOT)
        assert g.kinds == ("roll-die",)


@rule("ROOT-VAG-46", "ROOT-BOT-6")
def test_scorched_earth_removes_its_pieces_with_the_keep():
    held = {"pawn": "1", "character": "scoundrel", **up("torch")}
    g = beside({"1": {**KEEP, W: 2}}, "vagabond", owl=held).play(OWL, "scorched-earth")
    assert (g.here("1"), g.board.box, g.points(OWL)) == ({}, KEEP, [("ROOT-VAG-46", 1)])


@rule("ROOT-VAG-41", "ROOT-BOT-28")
def test_a_tinker_takes_an_order_that_was_carried_out():
    held = {"pawn": "6", "character": "tinker", **up("torch")}
    g = robot({"1": {W: 1}}, "vagabond", owl=held)
    orders(g, "anvil")
    while "day-labor" not in g.kinds:
        kind = "slip" if "slip" in g.kinds else g.kinds[-1]
        g.play(OWL, "pass" if "pass" in g.kinds else kind)
    g.play(OWL, "day-labor", card="anvil")
    assert g[OWL].hand == {"anvil": 1}


@rule("ROOT-VAG-64", "ROOT-DOM-9")
@refusal("ROOT-VAG-64")
def test_beside_it_no_coalition_is_formed():
    held = {"pawn": "1", "score": 12, "hand": ["spy-fox"]}
    g = beside({"1": {W: 1}}, "vagabond", "eyrie", "alliance", owl=held)
    assert g.options(OWL, "form-coalition") == []
    found = g.refused(OWL, "form-coalition", card="spy-fox", player=ELK)
    says(found, "ROOT-VAG-64", "/kind")
    assert "ROOT-VAG-60" in found


@rule("ROOT-VAG2-1", "ROOT-SETUP-12", "ROOT-VAG-28")
def test_each_of_two_vagabonds_has_a_relationship_with_it_of_his_own():
    held = {"owl": {"pawn": "1", "hand": ["anvil"]}, "fox": {"character": "ranger", "pawn": "5"}}
    g = beside({"1": {W: 2}}, "vagabond", "vagabond", **held)
    g.play(OWL, "aid", player=BOT, card="anvil", item="boots")
    now = [g[s].vagabond.relationships for s in (OWL, FOX)]
    assert now == [{MECHANICAL: "friendly-1"}, {MECHANICAL: "indifferent"}]


# -- the Lizard Cult ----------------------------------------------------------------------------------------------


@rule("ROOT-CULT-4", "ROOT-CULT-5", "ROOT-BOT-28")
def test_its_attack_makes_acolytes_and_its_orders_are_lost_souls():
    g = robot({"1": KEEP, "8": {W: 3, LIZARDS: 2}}, "cult", owl={"hand": ["ambush-fox"]})
    orders(g, "anvil").roll(2, 0)
    assert (g[OWL].cult.acolytes, g.board.discard) == ({LIZARDS: 2}, {"anvil": 1})
    assert g.because().count("ROOT-BOT-25") == 1


@rule("ROOT-CULT-2", "ROOT-RULE-4", "ROOT-BOT-11", "ROOT-BOT-22")
def test_a_garden_takes_its_rule_and_with_it_points_and_recruits():
    g = robot({"1": {**KEEP, W: 3}, "8": {W: 5, "fox-garden": 1}}, "cult")
    assert g.points(BOT) == [("ROOT-BOT-11", 2)]  # for clearing 1 alone
    orders(g, "root-tea-mouse")
    assert g.ruler("8") == OWL
    assert g.here("8") == {W: 5, "fox-garden": 1}  # a mouse order: no battle in a fox clearing


@rule("ROOT-CULT-13", "ROOT-BOT-1")
def test_its_warrior_is_converted_like_anybodys():
    g = beside({"1": KEEP, "5": {W: 2}}, "cult", at="turn", owl={**RABBITS_LEAD, "acolytes": 2})
    g.play(OWL, "convert", clearing="5", player=BOT)
    assert (g.here("5"), g[BOT].supply[W]) == ({W: 1, LIZARDS: 1}, 24)


@rule("ROOT-CULT-6", "ROOT-BOT-6")
def test_a_garden_that_it_removes_is_feared_and_scored():
    g = robot({"1": KEEP, "8": {W: 2, "fox-garden": 1}}, "cult", owl={"hand": ["sappers"]})
    orders(g, "anvil").roll(0, 0)
    assert (g.points(BOT), g.kinds) == ([("ROOT-BATTLE-20", 1)], ("random-card",))


# -- the Riverfolk Company ----------------------------------------------------------------------------------------


@rule("ROOT-RIVER-21", "ROOT-BOT-8")
@refusal("ROOT-RIVER-21", "ROOT-BOT-8")
def test_it_never_buys_and_nobody_buys_for_it():
    held = {"hand": ["anvil"], "prices": (1, 1, 1), "payments": {OTTERS: 1}}
    g = robot({"1": {**KEEP, W: 1}, "4": {OTTERS: 1}}, "riverfolk", owl=held)
    assert g.kinds == ("turn-up-order",)
    for kind, more in (("buy-card", {"card": "anvil"}), ("buy-riverboats", {}), ("hire-mercenaries", {})):
        assert {"ROOT-BOT-8", "ROOT-RIVER-21"} <= set(g.refused(BOT, kind, **more))
        assert "ROOT-RIVER-21" not in g.refused(OWL, kind, **more)
        assert set(g.refused("chance", kind, **more)) == {"ROOT-BOT-13"}
    orders(g, "bake-sale")
    assert g[OWL].riverfolk.hand == {"anvil": 1}


@rule("ROOT-RIVER-6", "ROOT-BOT-6")
def test_a_trade_post_that_it_removes_disrupts_trade():
    """Half of three funds, rounded up, are two; there are funds of one owner only."""
    held = {"funds": {OTTERS: 3}, "hand": ["sappers"]}
    g = robot({"1": KEEP, "8": {W: 2, "fox-post": 1}}, "riverfolk", owl=held)
    supply = g[OWL].supply[OTTERS]
    orders(g, "anvil").roll(0, 0)
    assert g.points(BOT) == [("ROOT-BATTLE-20", 1)]
    assert (g.board.box, moved(g, "ROOT-RIVER-6")) == (
        {"fox-post": 1},
        [({OTTERS: 2}, ["seats", OWL, "supply"])],
    )
    assert supply == 12


@rule("ROOT-RIVER-6", "ROOT-BOT-8")
def test_which_funds_are_lost_the_riverfolk_say_in_its_turn():
    held = {"funds": {OTTERS: 2, OWLS: 1}, "hand": ["sappers"]}
    map = {"1": KEEP, "3": {"roost": 1}, "8": {W: 2, "fox-post": 1}}
    g = robot(map, "riverfolk", "eyrie", owl=held)
    orders(g, "anvil").roll(0, 0)
    assert (g.asked, g.kinds) == ((OWL,), ("trade-disruption",))
    g.play(OWL, "trade-disruption", funds={OTTERS: 1, OWLS: 1})
    assert sorted(what for bag, _ in moved(g, "ROOT-RIVER-6") for what in bag) == [OWLS, OTTERS]
    assert g.here("8") == {W: 3}  # its turn has gone on: the order's recruit


@rule("ROOT-RIVER-17", "ROOT-RIVER-18", "ROOT-BOT-4")
def test_mercenaries_fight_it_where_the_buyer_has_nobody():
    held = {"owl": {"prices": (1, 1, 1), "hand": ["anvil"]}, "fox": {"crafted": ["command-warren"]}}
    g = beside({"3": {"roost": 1}, "4": {W: 3, OTTERS: 2}}, "riverfolk", "eyrie", turn=FOX, at="turn", **held)
    g.play(FOX, "hire-mercenaries")
    while "command-warren" not in g.kinds:
        kind = "add-to-decree" if "add-to-decree" in g.kinds else g.kinds[-1]
        g.play(FOX, kind, **({"card": "cobbler", "column": "move"} if kind == "add-to-decree" else {}))
    assert g.ruler("4") == BOT
    g.play(FOX, "command-warren", clearing="4", defender=BOT)
    assert g.kinds == ("roll-die",)
    g.roll(2, 1)
    assert g.here("4") == {W: 1, OTTERS: 1}


@rule("ROOT-RIVER-11", "ROOT-BOT-10")
def test_the_riverfolk_stand_against_it_like_any_opponent():
    """In the turn of the Mechanical Marquise nobody has hired them, so they defend for themselves."""
    g = robot({"1": KEEP, "4": {W: 3, OTTERS: 1, OWLS: 1}}, "riverfolk", "eyrie", fox={"score": 3})
    orders(g, "bake-sale")
    assert g.event("battle-begins")["defender"] == FOX  # as many pieces, more points
