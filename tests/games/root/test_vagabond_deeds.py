"""Chapter 16, aid and relationships, quests, ruins, strikes, special actions."""

import pytest

from service.engine.options import options
from tests.games.root.rogue import CATS, FOX, OWLS, fought, items, no_cards, pawn, relation, rogue, up
from tests.games.root.table import CAT, OWL, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

DUG = {"ruins": ["6", "10", "11"]}


# -- aid ----------------------------------------------------------------------------------------------------------


def helping(n=1, relationships=None, map=None, cat=None, **held):
    """`n` matching cards, and items enough."""
    held = {"hand": ["armorers", "sappers", "anvil", "foxfolk-steel", "armorers", "sappers"][:n], **held}
    return rogue(
        map or {"1": {CATS: 1}},
        items=up("boots", "boots", "sword", "sword", "torch", "tea"),
        relationships=relationships or {},
        cat=cat,
        **held,
    )


def aid(g, card, item="boots", player=CAT):
    return g.play(FOX, "aid", player=player, card=card, item=item)


@rule("ROOT-VAG-27", "ROOT-CARD-2")
@pytest.mark.parametrize("card", ["anvil", "armorers"])
def test_aid_exhausts_an_item_and_gives_a_matching_card(card):
    g = aid(helping(hand=[card]), card, "torch")
    assert g[CAT].hand == {card: 1}
    assert items(g)["satchel-down"] == {"torch": 1}
    assert g.kinds[0] == "move"


@refusal("ROOT-VAG-27", "ROOT-VAG-1")
def test_who_is_helped_must_be_there_and_the_card_must_match():
    g = helping(hand=["anvil", "investments"])
    wire = {"card": "anvil", "item": "boots"}
    says(g.refused(FOX, "aid", player=OWL, **wire), "ROOT-VAG-27", "/player", player=OWL, clearing="1")
    assert "ROOT-VAG-27" in g.refused(FOX, "aid", player=FOX, **wire)
    found = g.refused(FOX, "aid", player=CAT, card="investments", item="boots")
    says(found, "ROOT-VAG-27", "/card", card="investments", clearing="1", suit="fox")
    assert "ROOT-VAG-27" in g.refused(FOX, "aid", player=CAT, card="cobbler", item="boots")
    assert "ROOT-VAG-1" in g.refused(FOX, "aid", player=CAT, card="anvil", item="hammer")


@rule("ROOT-VAG-27")
@pytest.mark.parametrize("there", [{"wood": 1}, {"sawmill": 1}, {CATS: 1}])
def test_any_piece_of_the_receiver_will_do(there):
    assert aid(helping(hand=["anvil"], map={"1": there}), "anvil")[CAT].hand == {"anvil": 1}


@rule("ROOT-VAG-27", "ROOT-VAG-56")
@pytest.mark.parametrize("relationships", [{}, {"marquise": "hostile"}])
def test_an_item_of_the_receiver_may_be_taken(relationships):
    g = aid(helping(hand=["anvil"], relationships=relationships, cat={"items": ["hammer", "coin"]}), "anvil")
    assert g.kinds == ("take-item", "pass")
    g.play(FOX, "take-item", item="coin")
    assert g[CAT].items == {"hammer": 1}
    assert items(g)["track"] == {"coin": 1}


@rule("ROOT-VAG-27")
@refusal("ROOT-VAG-27")
def test_or_left():
    g = aid(helping(hand=["anvil"], cat={"items": ["hammer"]}), "anvil")
    says(g.refused(FOX, "take-item", item="coin"), "ROOT-VAG-27", "/item", item="coin", owner=CAT)
    assert g.play(FOX, "pass")[CAT].items == {"hammer": 1}


@rule("ROOT-VAG-51", "ROOT-VAG-50")
def test_aid_in_one_turn_improves_a_relationship_step_by_step():
    g = helping(6)
    steps, points = [], []
    for card, item in zip(
        ["armorers", "sappers", "anvil", "foxfolk-steel", "armorers", "sappers"],
        ["boots", "boots", "sword", "sword", "torch", "tea"],
        strict=True,
    ):
        aid(g, card, item)
        steps.append(relation(g, "marquise"))
        points += g.points(FOX)
    assert steps == ["friendly-1", "friendly-1", "friendly-2", "friendly-2", "friendly-2", "allied"]
    assert points == [("ROOT-VAG-51", 1), ("ROOT-VAG-51", 2), ("ROOT-VAG-51", 2)]


@rule("ROOT-VAG-51")
def test_aid_of_another_turn_does_not_count():
    g = aid(helping(1, {"marquise": "friendly-1"}), "armorers")
    assert relation(g, "marquise") == "friendly-1"
    assert g.frame(type(g.top)).aids == {"marquise": 1}
    g.play(FOX, "end-phase")
    assert "aids" not in type(g.top).__struct_fields__


@rule("ROOT-VAG-52")
def test_aid_to_an_ally_scores_two_each_time():
    g = helping(2, {"marquise": "allied"})
    assert aid(g, "armorers").points(FOX) == [("ROOT-VAG-52", 2)]
    assert aid(g, "sappers", "sword").points(FOX) == [("ROOT-VAG-52", 2)]


@rule("ROOT-VAG-56")
def test_aid_to_the_hostile_improves_nothing():
    g = aid(helping(1, {"marquise": "hostile"}), "armorers")
    assert relation(g, "marquise") == "hostile"
    assert g.points(FOX) == []


@rule("ROOT-INFO-10", "ROOT-VAG-27")
def test_giver_and_receiver_alone_know_the_card():
    judgement = helping(hand=["anvil"]).judged(FOX, "aid", player=CAT, card="anvil", item="boots")
    (played,) = judgement.played
    assert played.whole == frozenset([FOX, CAT])
    assert "card" not in played.seen_by(OWL)
    moved = [e for e in judgement.events if e.facts.get("target") == ["seats", CAT, "hand"]]
    assert moved[0].seen_by(OWL)["what"] == 1
    assert moved[0].seen_by(CAT)["what"] == {"anvil": 1}


# -- quests -------------------------------------------------------------------------------------------------------

FOXES = ["errand-fox", "logistics-help-fox", "escort-mouse"]


@rule("ROOT-VAG-29")
def test_a_quest_takes_its_items_and_gives_a_point_for_each_of_its_suit():
    g = rogue(quests=FOXES, items={"track": ["tea"], "satchel-up": ["boots"]})
    g.play(FOX, "quest", quest="errand-fox", reward="points")
    assert g.points(FOX) == [("ROOT-VAG-29", 1)]
    assert items(g) == {"satchel-down": {"boots": 1, "tea": 1}}
    assert g.kinds == ("draw-quest",)
    g.play("chance", "draw-quest", quest="guard-duty-mouse")
    assert g.board.quests == ["logistics-help-fox", "escort-mouse", "guard-duty-mouse"]
    assert g[FOX].vagabond.quests == ["errand-fox"]


def with_done(done, up_now, held):
    """A Vagabond who has completed some quests."""
    return rogue(quests=up_now, items=up(*held), completed=done)


@rule("ROOT-VAG-29")
def test_earlier_ones_of_the_suit_count_as_well():
    g = with_done(
        ["repair-a-shed-fox", "give-a-speech-fox", "escort-mouse"],
        [*FOXES[:2], "errand-rabbit"],
        ["tea", "boots"],
    )
    g.play(FOX, "quest", quest="errand-fox", reward="points")
    assert g.points(FOX) == [("ROOT-VAG-29", 3)]


@rule("ROOT-VAG-29")
def test_or_two_cards():
    g = rogue(quests=FOXES, items=up("tea", "boots")).play(FOX, "quest", quest="errand-fox", reward="cards")
    g.play("chance", "draw-quest", quest="guard-duty-mouse").draw("anvil", "armorers")
    assert g[FOX].hand == {"anvil": 1, "armorers": 1}
    assert g.score(FOX) == 0


@refusal("ROOT-VAG-29", "ROOT-VAG-1")
def test_a_quest_of_the_clearings_suit_that_lies_face_up_with_its_items():
    g = rogue(quests=FOXES, items=up("boots", "tea", "boots"))
    found = g.refused(FOX, "quest", quest="escort-mouse", reward="points")
    says(found, "ROOT-VAG-29", "/quest", quest="escort-mouse", suit="mouse", clearing="1")
    assert "ROOT-VAG-29" in g.refused(FOX, "quest", quest="repair-a-shed-fox", reward="points")
    assert "ROOT-VAG-29" in g.refused(FOX, "quest", quest="errand-fox", reward="glory")
    found = g.refused(FOX, "quest", quest="logistics-help-fox", reward="cards")
    says(found, "ROOT-VAG-1", "/quest", item="bag", ready=0, n=1)
    g = rogue(quests=FOXES, pawn="2", items={"satchel-up": ["boots"], "satchel-down": ["boots"]})
    says(g.refused(FOX, "quest", quest="escort-mouse", reward="cards"), "ROOT-VAG-1", "/quest", ready=1, n=2)


@rule("ROOT-VAG-29")
def test_an_empty_quest_deck_gives_no_new_one():
    from service.games.root.v1.figures import QUESTS

    left = ["errand-fox", "escort-mouse"]
    g = with_done([q for q in QUESTS if q not in left], left, ["tea", "boots"])
    g.play(FOX, "quest", quest="errand-fox", reward="points")
    assert g.board.quests == ["escort-mouse"]
    assert g.points(FOX) == [("ROOT-VAG-29", 5)]


# -- ruins --------------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-26", "ROOT-MAP-7", "ROOT-MAP-8", "ROOT-INFO-8")
def test_a_torch_for_what_lies_under_a_ruin():
    g = rogue(pawn="6", buried=["bag", "boots", "hammer", "sword"]).play(FOX, "explore")
    assert g.kinds == ("find-item",)
    g.play("chance", "find-item", item="bag")
    assert g.points(FOX) == [("ROOT-VAG-26", 1)]
    assert items(g)["track"] == {"bag": 1, "tea": 1}
    assert items(g)["satchel-down"] == {"torch": 1}
    assert g.board.ruins == ["10", "11", "12"]
    assert g.board.buried.cards() == {"boots": 1, "hammer": 1, "sword": 1}


@refusal("ROOT-VAG-26")
def test_only_at_a_ruin_and_what_is_not_buried_is_not_found():
    says(rogue(pawn="5").refused(FOX, "explore"), "ROOT-VAG-26", "/kind", clearing="5")
    assert "ROOT-VAG-26" in rogue(pawn="12", buried=["boots", "hammer", "sword"], **DUG).refused(
        FOX, "explore"
    )
    g = rogue(pawn="6").play(FOX, "explore")
    assert "ROOT-VAG-26" in g.refused("chance", "find-item", item="coin")
    assert "ROOT-VAG-26" in g.refused("chance", "find-item", item="bag-r")


# -- strike -------------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-30", "ROOT-VAG-55")
def test_a_strike_removes_a_warrior_and_is_no_battle():
    g = rogue({"1": {CATS: 2, "sawmill": 1}}, items=up("crossbow"), relationships={"marquise": "hostile"})
    g.play(FOX, "strike", player=CAT, piece=CATS)
    assert g.here("1") == {CATS: 1, "sawmill": 1}
    assert g.points(FOX) == []
    assert items(g) == {"satchel-down": {"crossbow": 1}}
    g = rogue({"1": {CATS: 2}}, items=up("crossbow")).play(FOX, "strike", player=CAT, piece=CATS)
    assert relation(g, "marquise") == "hostile"


@rule("ROOT-VAG-30")
@pytest.mark.parametrize("piece", ["sawmill", "wood"])
def test_without_warriors_a_building_or_token_goes(piece):
    g = rogue({"1": {OWLS: 1, "sawmill": 1, "wood": 1}}, items=up("crossbow"), character="ranger")
    g.play(FOX, "strike", player=CAT, piece=piece)
    assert g.points(FOX) == [("ROOT-VAG-30", 1)]
    assert relation(g, "marquise") == "indifferent"


@refusal("ROOT-VAG-30")
def test_not_while_warriors_stand_there():
    g = rogue({"1": {CATS: 1, "sawmill": 1}, "5": {OWLS: 1}}, items=up("crossbow"))
    found = g.refused(FOX, "strike", player=CAT, piece="sawmill")
    says(found, "ROOT-VAG-30", "/player", "/piece", piece="sawmill", defended=CAT)
    found = g.refused(FOX, "strike", player=OWL, piece=OWLS)
    says(found, "ROOT-VAG-30", "/player", "/piece", player=OWL, clearing="1")
    assert "ROOT-VAG-30" in g.refused(FOX, "strike", player=OWL, piece=CATS)


@rule("ROOT-X-4", "ROOT-MARQ-5")
def test_hospitals_answer_a_strike():
    g = rogue({"1": {CATS: 1}, "2": {"keep": 1}}, items=up("crossbow"), cat={"hand": ["anvil"]})
    g.play(FOX, "strike", player=CAT, piece=CATS).play(CAT, "field-hospitals", card="anvil")
    assert g.here("2") == {CATS: 1, "keep": 1}


# -- special actions ----------------------------------------------------------------------------------------------


@rule("ROOT-VAG-33", "ROOT-VAG-35", "ROOT-VAG-40")
@refusal("ROOT-VAG-40", "ROOT-VAG-41", "ROOT-VAG-42", "ROOT-VAG-43", "ROOT-VAG-46")
def test_each_character_can_do_one_thing():
    g = rogue({"1": {CATS: 1}}, character="arbiter", discard=["anvil"])
    tried = {
        "steal": ("ROOT-VAG-40", "thief", {"player": CAT}),
        "day-labor": ("ROOT-VAG-41", "tinker", {"card": "anvil"}),
        "hideout": ("ROOT-VAG-42", "ranger", {"items": {}}),
        "instigate": ("ROOT-VAG-43", "vagrant", {"attacker": CAT, "defender": FOX}),
        "scorched-earth": ("ROOT-VAG-46", "scoundrel", {}),
    }
    for kind, (clause, needed, wire) in tried.items():
        says(g.refused(FOX, kind, **wire), clause, "/kind", character="arbiter", needed=needed)


@rule("ROOT-VAG-40")
def test_a_thief_takes_a_random_card():
    g = rogue({"1": {"wood": 1}}, cat={"hand": ["anvil", "armorers"]}).play(FOX, "steal", player=CAT)
    assert g.kinds == ("random-card",)
    g.play("chance", "random-card", card="anvil")
    assert (g[FOX].hand, g[CAT].hand) == ({"anvil": 1}, {"armorers": 1})
    assert items(g)["satchel-down"] == {"torch": 1}


@refusal("ROOT-VAG-40")
def test_only_from_who_is_there_and_holds_one():
    g = rogue({"1": {CATS: 1}}, owl={"hand": ["anvil"]})
    says(g.refused(FOX, "steal", player=CAT), "ROOT-VAG-40", "/player", player=CAT, cards=0)
    says(g.refused(FOX, "steal", player=OWL), "ROOT-VAG-40", "/player", player=OWL, clearing="1")
    assert "ROOT-VAG-40" in g.refused(FOX, "steal", player=FOX)


@rule("ROOT-VAG-41")
@pytest.mark.parametrize("card", ["anvil", "armorers"])
def test_a_tinker_takes_a_matching_card_of_the_discard_pile(card):
    g = rogue(character="tinker", discard=["anvil", "armorers"]).play(FOX, "day-labor", card=card)
    assert g[FOX].hand == {card: 1}


@refusal("ROOT-VAG-41")
def test_but_no_other_one():
    g = rogue(character="tinker", discard=["investments"], available=["dominance-fox"])
    says(g.refused(FOX, "day-labor", card="investments"), "ROOT-VAG-41", "/card", suit="fox", clearing="1")
    assert "ROOT-VAG-41" in g.refused(FOX, "day-labor", card="dominance-fox")
    assert "ROOT-VAG-41" in g.refused(FOX, "day-labor", card="anvil")


@rule("ROOT-VAG-42")
def test_a_ranger_repairs_three_items_and_daylight_ends():
    held = {
        "satchel-up": ["torch", "sword"],
        "damaged-up": ["boots", "tea"],
        "damaged-down": ["sword", "bag"],
    }
    g = rogue(character="ranger", items=held)
    g.play(FOX, "hideout", items={"damaged-up-tea": 1, "damaged-down-bag": 1, "damaged-up-boots": 1})
    assert items(g) == {
        "track": {"tea": 1},
        "satchel-up": {"boots": 1, "sword": 1},
        "satchel-down": {"bag": 1, "torch": 1},
        "damaged-down": {"sword": 1},
    }
    assert g.kinds == ("draw-card",)


@rule("ROOT-VAG-42", "ROOT-VAG-35")
@refusal("ROOT-VAG-42")
def test_three_or_all_there_are():
    g = rogue(
        character="ranger", items={"satchel-up": ["torch"], "damaged-up": ["boots", "tea", "sword", "bag"]}
    )
    assert "ROOT-VAG-42" in g.refused(FOX, "hideout", items={"damaged-up-tea": 1})
    assert "ROOT-VAG-42" in g.refused(FOX, "hideout", items={"damaged-up-tea": 1, "satchel-up-torch": 2})
    g = rogue(character="ranger", items=up("torch")).play(FOX, "hideout", items={})
    assert g.kinds == ("draw-card",)


# -- Instigate ----------------------------------------------------------------------------------------------------


def quarrel(map=None, **held):
    return rogue(map or {"1": {CATS: 3, OWLS: 2}}, character="vagrant", **held)


@rule("ROOT-VAG-43", "ROOT-VAG-44", "ROOT-R-VAG-2")
def test_a_vagrant_makes_two_others_fight_and_removes_what_goes():
    g = no_cards(quarrel().play(FOX, "instigate", attacker=CAT, defender=OWL)).roll(2, 1)
    assert g.here("1") == {CATS: 2}
    assert g[FOX].vagabond.relationships == {"marquise": "hostile", "eyrie": "hostile"}
    assert g.points(FOX) == [("ROOT-VAG-57", 1)]  # three pieces, two of which made enemies
    assert items(g)["satchel-down"] == {"torch": 1}


@rule("ROOT-VAG-43", "ROOT-VAG-57", "ROOT-BATTLE-20")
def test_points_for_buildings_tokens_and_the_hostile_of_either_side():
    g = quarrel({"1": {CATS: 3, "roost": 1, OWLS: 1}}, relationships={"eyrie": "hostile"}).play(
        FOX, "instigate", attacker=CAT, defender=OWL
    )
    no_cards(g).roll(2, 1)
    assert g.here("1") == {CATS: 2}
    assert g.points(FOX) == [("ROOT-BATTLE-20", 1), ("ROOT-VAG-57", 2)]
    assert g.score(CAT) == 0


@rule("ROOT-VAG-43")
@refusal("ROOT-BATTLE-18", "ROOT-DEC-10")
def test_the_vagrant_picks_the_buildings_and_tokens_that_go():
    g = quarrel({"1": {CATS: 1, "sawmill": 1, "wood": 2, OWLS: 3}})
    no_cards(g.play(FOX, "instigate", attacker=OWL, defender=CAT)).roll(2, 0)
    assert (g.asked, g.kinds) == ((FOX,), ("pick-losses",))
    assert "ROOT-BATTLE-18" in g.refused(FOX, "pick-losses", pieces={"wood": 2})
    assert "ROOT-DEC-10" in g.refused(FOX, "pick-losses", pieces={CATS: 1})
    g.play(FOX, "pick-losses", pieces={CATS: 1, "wood": 1})
    assert g.here("1") == {"sawmill": 1, "wood": 1, OWLS: 3}


@rule("ROOT-VAG-43")
def test_cards_stay_the_fighters_own():
    g = quarrel(owl={"hand": ["ambush-fox"]}, cat={"hand": ["ambush-bird"], "crafted": ["brutal-tactics"]})
    g.play(FOX, "instigate", attacker=CAT, defender=OWL)
    assert g.asked == (OWL,)
    g.play(OWL, "play-ambush", card="ambush-fox")
    assert g.asked == (CAT,)
    g.play(CAT, "foil-ambush", card="ambush-bird").roll(1, 1)
    assert (g.asked, g.kinds) == ((CAT,), ("battle-effects",))


@rule("ROOT-VAG-43")
def test_he_may_name_himself():
    g = no_cards(
        quarrel(items=up("torch", "sword", "sword")).play(FOX, "instigate", attacker=FOX, defender=CAT)
    ).roll(2, 1)
    assert g.kinds == ("assign-hits",)
    g.play(FOX, "assign-hits", pieces={"satchel-up-sword": 1})
    assert g.here("1") == {CATS: 1, OWLS: 2}
    assert g.points(FOX) == [("ROOT-VAG-57", 1)]
    g = no_cards(quarrel(items=up("torch", "sword")).play(FOX, "instigate", attacker=CAT, defender=FOX)).roll(
        2, 2
    )
    assert items(g) == {"damaged-up": {"sword": 1}, "damaged-down": {"torch": 1}}
    assert g.here("1") == {CATS: 2, OWLS: 2}


@rule("ROOT-VAG-43", "ROOT-VAG-53", "ROOT-VAG-54")
def test_allies_who_fall_for_him_do_not_fall_to_him():
    g = quarrel(relationships={"marquise": "allied"}, items=up("torch", "boots"))
    g.play(FOX, "instigate", attacker=FOX, defender=OWL).play(FOX, "fight-with-ally", player=CAT)
    no_cards(g).roll(2, 2)
    g.play(FOX, "assign-hits", pieces={CATS: 1, "satchel-up-boots": 1})
    assert g.here("1") == {CATS: 2}
    assert g[FOX].vagabond.relationships == {"marquise": "allied", "eyrie": "hostile"}
    assert g.points(FOX) == [("ROOT-VAG-57", 1)]


@rule("ROOT-VAG-43", "ROOT-EYRIE-22")
def test_a_despot_gains_nothing_by_what_a_vagrant_removes():
    g = quarrel({"1": {OWLS: 3, "wood": 1}}, owl={"leader": "despot"})
    no_cards(g.play(FOX, "instigate", attacker=OWL, defender=CAT)).roll(1, 0)
    assert (g.score(OWL), g.score(FOX)) == (0, 1)


@refusal("ROOT-VAG-43")
def test_two_who_are_there_and_the_attacker_can_fight():
    g = quarrel({"1": {CATS: 1, "roost": 1}, "5": {OWLS: 1}})
    found = g.refused(FOX, "instigate", attacker=OWL, defender=CAT)
    says(found, "ROOT-VAG-43", "/attacker", attacker=OWL, clearing="1")
    found = g.refused(FOX, "instigate", attacker=CAT, defender=CAT)
    says(found, "ROOT-VAG-43", "/attacker", "/defender", defender=CAT)
    g = quarrel({"1": {CATS: 1}, "5": {OWLS: 1}})
    assert "ROOT-VAG-43" in g.refused(FOX, "instigate", attacker=CAT, defender=OWL)


# -- Scorched Earth -----------------------------------------------------------------------------------------------


@rule("ROOT-VAG-46", "ROOT-COMP-4", "ROOT-VAG-55")
def test_a_scoundrel_burns_a_clearing_down():
    g = rogue({"6": {CATS: 2, "sawmill": 1, OWLS: 1}}, pawn="6", character="scoundrel")
    g.play(FOX, "scorched-earth")
    assert g.here("6") == {}
    assert g.points(FOX) == [("ROOT-VAG-46", 1)]
    assert g.board.scorched == {"6": {"torch": 1}}
    assert items(g) == {"satchel-up": {"boots": 2, "crossbow": 1}}
    assert g[FOX].vagabond.relationships == {"marquise": "hostile", "eyrie": "hostile"}
    assert (pawn(g), "6" in g.board.ruins) == ("6", True)


@rule("ROOT-VAG-46", "ROOT-MOVE-7")
@refusal("ROOT-MOVE-7")
def test_nothing_is_placed_there_again():
    held = {"pawn": "5", "character": "scoundrel", "scorched": ["5"], "items": up("boots")}
    g = rogue({"1": {CATS: 1}}, turn=CAT, **held)
    assert "ROOT-MOVE-7" in g.refused(CAT, "build", type="sawmill", clearing="5", wood={})
    g = rogue(
        {c: {CATS: 1} for c in map(str, range(1, 13)) if c not in "56"},
        turn=OWL,
        at="turn",
        owl={"hand": ["anvil"]},
        **held,
    )
    g.play(OWL, "add-to-decree", card="anvil", column="build")
    assert g.here("6")["roost"] == 1  # 5 has as few warriors, and is closed


def burnt_partner(map, at="turn", **cat):
    """The Marquise is the partner of a Scoundrel, who has burnt clearing 1 down around her."""
    return game(
        {
            CAT: {"faction": "marquise", **cat},
            OWL: {"faction": "eyrie"},
            FOX: {"faction": "vagabond", "character": "scoundrel", "own": up("crossbow"), "coalition": CAT,
                  "dominance": "dominance-fox", "score": None},
            "elk": {"faction": "vagabond", "character": "thief"},
        },
        map, turn=CAT, at=at, scorched=["1"],
    )  # fmt: skip


@rule("ROOT-MOVE-7", "ROOT-VAG-46", "ROOT-MARQ-10")
def test_not_even_by_a_partner_whose_pieces_stand_there():
    g = burnt_partner({"1": {"sawmill": 1}, "5": {"sawmill": 2}})
    assert (g.here("1"), g.here("5")) == ({"sawmill": 1}, {"sawmill": 2, "wood": 2})


@rule("ROOT-MOVE-7", "ROOT-MARQ-15")
def test_no_recruits_come_there():
    g = burnt_partner({"1": {"recruiter": 1}, "5": {"recruiter": 1}}, at="daylight").play(CAT, "recruit")
    assert (g.here("1"), g.here("5")) == ({"recruiter": 1}, {"recruiter": 1, CATS: 1})


@rule("ROOT-MOVE-7", "ROOT-MARQ-5")
def test_and_no_hospital_saves_warriors_there():
    g = burnt_partner(
        {"1": {"keep": 1}, "5": {CATS: 1}}, at="daylight", crafted=["tax-collector"], hand=["investments"]
    )
    g.play(CAT, "tax-collector", clearing="5")
    assert g.kinds == ("draw-card",)


@rule("ROOT-MARQ-7", "ROOT-MARQ-4", "ROOT-VAG-46")
def test_the_keep_burns_and_with_it_the_hospitals():
    g = rogue({"1": {CATS: 2, "keep": 1}}, character="scoundrel", cat={"hand": ["anvil"]})
    g.play(FOX, "scorched-earth")
    assert g.board.box == {"keep": 1}
    assert g.kinds[0] == "move"


# -- what is listed is what is accepted ---------------------------------------------------------------------------


@rule("ROOT-DEC-31", "ROOT-DEC-30")
def test_options_are_few_and_all_are_legal():
    g = rogue(
        {"1": {CATS: 3, OWLS: 2, "wood": 1}}, hand=["anvil", "armorers", "investments"],
        items={"track": ["tea", "coin"], "satchel-up": ["sword", "sword", "boots", "torch"], "damaged-up": ["bag"]},
    )  # fmt: skip
    found = list(options(g.table, FOX))
    assert len(found) < 60
    for option in found:
        wire = option.filled()
        assert g.judged(FOX, **{k: v for k, v in wire.items() if k != "actor"}).legal, wire


def test_seats_that_play_no_vagabond_are_told_so_and_nothing_breaks():
    g = rogue({"1": {CATS: 3, OWLS: 2}}, hand=["anvil"], items=up("torch", "sword", "crossbow", "hammer"))
    for option in options(g.table, FOX):
        wire = {k: v for k, v in option.filled().items() if k not in ("actor", "kind")}
        assert "ROOT-TURN-8" in g.refused(CAT, option.act.kind, **wire)
    assert fought(g, 1, 0, defender=CAT).here("1")[CATS] == 2
