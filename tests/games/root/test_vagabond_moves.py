"""Chapter 16, set-up, slipping and moving, with allies, among enemies; what cannot be done in a forest."""

import pytest

from service.games.root.v1 import RULES
from service.games.root.v1.figures import CHARACTERS, PRINTED
from tests.games.root.rogue import CATS, FOX, OWLS, items, pawn, rogue, up
from tests.games.root.table import CAT, OWL, fresh, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

ALLIED = {"marquise": "allied"}


# -- set-up -------------------------------------------------------------------------------------------------------


def before_set_up(*factions):
    """The factions up to the (first) Vagabond are set up."""
    g = fresh(*factions)
    while g.kinds in (("draw-seat",), ("draw-card",)):
        if g.kinds == ("draw-seat",):
            g.play("chance", "draw-seat", seat=next(s for s in g.board.seats if s not in g.board.order))
        else:
            g.draw_any()
    if g.kinds == ("setup-marquise",):
        g.play(CAT, "setup-marquise", keep="1", sawmill="1", workshop="5", recruiter="9")
    if g.kinds == ("setup-eyrie",):
        g.play(g.asked[0], "setup-eyrie", leader="despot")
    return g


def quests_up(g, *quests):
    for quest in quests:
        g.play("chance", "draw-quest", quest=quest)
    return g


@rule("ROOT-SETUP-12", "ROOT-SETUP-7", "ROOT-VAG-50", "ROOT-DEC-3", "ROOT-VAG2-2")
def test_a_vagabond_chooses_a_character_and_a_forest():
    g = before_set_up("marquise", "vagabond", "eyrie")
    assert g.board.buried.cards() == {"bag": 1, "boots": 1, "hammer": 1, "sword": 1}
    quests_up(g, "escort-mouse", "errand-fox", "guard-duty-rabbit")
    assert g.kinds == ("setup-vagabond",)
    g.play(OWL, "setup-vagabond", character="tinker", forest="C")
    v = g[OWL].vagabond
    assert (v.character, v.pawn) == ("tinker", "C")
    assert items(g, OWL) == {"track": {"bag": 1}, "satchel-up": {"boots": 1, "hammer": 1, "torch": 1}}
    assert v.relationships == {"marquise": "indifferent", "eyrie": "indifferent"}
    assert g.board.quests == ["escort-mouse", "errand-fox", "guard-duty-rabbit"]
    assert g.board.quest_deck.size == 12


@rule("ROOT-SETUP-12")
@pytest.mark.parametrize("character", CHARACTERS)
def test_every_character_begins_with_its_items_face_up(character):
    g = quests_up(before_set_up("marquise", "vagabond"), "escort-mouse", "errand-fox", "errand-rabbit")
    g.play(OWL, "setup-vagabond", character=character, forest="G")
    held = items(g, OWL)
    assert set(held) <= {"track", "satchel-up"}
    together = {item: n for bag in held.values() for item, n in bag.items()}
    assert together == PRINTED.characters[character].items
    assert set(held.get("track", {})) <= {"tea", "coin", "bag"}


@refusal("ROOT-SETUP-12")
def test_there_is_no_other_character_and_no_clearing_to_begin_in():
    g = quests_up(before_set_up("marquise", "vagabond"), "escort-mouse", "errand-fox", "errand-rabbit")
    assert "ROOT-SETUP-12" in g.refused(OWL, "setup-vagabond", character="bandit", forest="A")
    assert "ROOT-SETUP-12" in g.refused(OWL, "setup-vagabond", character="thief", forest="5")
    assert "ROOT-SETUP-12" in rogue().refused(FOX, "setup-vagabond", character="ranger", forest="A")


# -- slipping -----------------------------------------------------------------------------------------------------


def birdsong(map=None, **held):
    return rogue(map, at="turn", **held)


@rule("ROOT-VAG-11", "ROOT-MAP-5", "ROOT-MAP-6")
@pytest.mark.parametrize(
    ("pawn_at", "to"), [("1", "5"), ("1", "A"), ("1", "B"), ("A", "1"), ("A", "10"), ("A", "C"), ("G", "F")]
)
def test_a_slip_goes_to_adjacent_clearings_and_forests(pawn_at, to):
    g = birdsong(pawn=pawn_at, items={"satchel-up": ["boots"]}).play(FOX, "slip", to=to)
    assert pawn(g) == to
    assert items(g) == {"satchel-up": {"boots": 1}}
    assert "move" in g.kinds


@refusal("ROOT-VAG-11")
@pytest.mark.parametrize(
    ("pawn_at", "to"), [("1", "2"), ("1", "C"), ("1", "1"), ("A", "12"), ("A", "D"), ("5", "10")]
)
def test_and_no_further(pawn_at, to):
    says(birdsong(pawn=pawn_at).refused(FOX, "slip", to=to), "ROOT-VAG-11", "/to", origin=pawn_at, to=to)


@rule("ROOT-VAG-11", "ROOT-VAG-22")
def test_it_is_free_even_among_enemies():
    g = birdsong({"5": {CATS: 3}}, relationships={"marquise": "hostile"}, items={}).play(FOX, "slip", to="5")
    assert pawn(g) == "5"


@rule("ROOT-VAG-11")
def test_it_may_be_left_out():
    assert pawn(birdsong().play(FOX, "pass")) == "1"


@refusal("ROOT-VAG-11")
def test_allies_do_not_come_along_and_it_is_done_once():
    g = birdsong({"1": {CATS: 2}}, relationships=ALLIED)
    assert "ROOT-TURN-6" in g.refused(FOX, "slip", to="5", ally=CAT, warriors=1)
    assert "ROOT-TURN-6" in g.refused(FOX, "move-with-ally", to="5", ally=CAT, warriors=1)
    g.play(FOX, "slip", to="5")
    assert "ROOT-VAG-11" in g.refused(FOX, "slip", to="1")


# -- moving -------------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-21", "ROOT-MOVE-3", "ROOT-VAG-6", "ROOT-MOVE-4")
def test_a_boot_for_a_move_whoever_rules():
    g = rogue({"1": {OWLS: 3}, "5": {OWLS: 3}, "2": {CATS: 1}}, items=up("boots", "boots"))
    g.play(FOX, "move", to="5").play(FOX, "move", to="2")
    assert pawn(g) == "2"
    assert items(g) == {"satchel-down": {"boots": 2}}


@rule("ROOT-VAG-21", "ROOT-VAG-20")
def test_it_leads_out_of_a_forest():
    assert pawn(rogue(pawn="A").play(FOX, "move", to="10")) == "10"


@refusal("ROOT-VAG-21")
def test_but_not_into_one_and_not_far():
    g = rogue(pawn="1")
    says(g.refused(FOX, "move", to="A"), "ROOT-VAG-21", "/to", forest="A")
    says(g.refused(FOX, "move", to="2"), "ROOT-VAG-21", "/to", origin="1", to="2")
    says(rogue(pawn="A").refused(FOX, "move", to="12"), "ROOT-VAG-21", "/to", origin="A", to="12")
    assert "ROOT-VAG-21" in rogue(pawn="A").refused(FOX, "move", to="B")
    assert "ROOT-VAG-21" in rogue(pawn="5").refused(FOX, "move", to="10")  # the river is no path


@rule("ROOT-VAG-22")
def test_two_boots_where_an_enemy_stands():
    hostile = {"marquise": "hostile"}
    g = rogue({"5": {CATS: 1}}, relationships=hostile, items=up("boots", "boots")).play(FOX, "move", to="5")
    assert items(g) == {"satchel-down": {"boots": 2}}


@rule("ROOT-VAG-22")
@pytest.mark.parametrize("there", [{"sawmill": 1, "wood": 2}, {OWLS: 3}, {}])
def test_only_warriors_of_the_hostile_make_it_so(there):
    g = rogue({"5": there}, relationships={"marquise": "hostile"}, items=up("boots", "boots")).play(
        FOX, "move", to="5"
    )
    assert items(g) == {"satchel-up": {"boots": 1}, "satchel-down": {"boots": 1}}


@refusal("ROOT-VAG-22")
def test_one_is_not_enough():
    g = rogue({"5": {CATS: 1}}, relationships={"marquise": "hostile"}, items=up("boots"))
    says(g.refused(FOX, "move", to="5"), "ROOT-VAG-22", "/to", to="5", ready=1, n=2)


@refusal("ROOT-MOVE-7")
@rule("ROOT-X-19", "ROOT-MOVE-7", "ROOT-VAG-46")
def test_nobody_enters_a_closed_clearing():
    g = rogue({"1": {CATS: 2}}, scorched=["5"], character="scoundrel", pawn="1", items=up("boots"))
    says(g.refused(FOX, "move", to="5"), "ROOT-MOVE-7", "/to", to="5")
    g = birdsong(scorched=["5"], character="scoundrel", pawn="A", items=up("boots"))
    says(g.refused(FOX, "slip", to="5"), "ROOT-MOVE-7", "/to", to="5")
    g = rogue({"1": {CATS: 2}}, scorched=["5"], character="scoundrel", pawn="5", turn=CAT, items={}).play(
        CAT, "march"
    )
    says(g.refused(CAT, "move", from_="1", to="5", warriors=1), "ROOT-MOVE-7", "/to", to="5")


@rule("ROOT-VAG-46")
def test_he_may_leave_it():
    assert (
        pawn(
            rogue(scorched=["5"], character="scoundrel", pawn="5", items=up("boots")).play(
                FOX, "move", to="1"
            )
        )
        == "1"
    )


# -- with allies --------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-23")
def test_allied_warriors_come_along():
    g = rogue({"1": {CATS: 3}}, relationships=ALLIED).play(
        FOX, "move-with-ally", to="5", ally=CAT, warriors=2
    )
    assert (g.here("1"), g.here("5"), pawn(g)) == ({CATS: 1}, {CATS: 2}, "5")
    assert items(g)["satchel-down"] == {"boots": 1}


@rule("ROOT-VAG-23")
@refusal("ROOT-VAG-23")
def test_by_their_own_rules():
    ruled = {"1": {CATS: 1, OWLS: 2}, "5": {OWLS: 1}}
    g = rogue(ruled, relationships=ALLIED)
    found = g.refused(FOX, "move-with-ally", to="5", ally=CAT, warriors=1)
    says(found, "ROOT-VAG-23", "/ally", "/to", player=CAT, origin="1", to="5")
    g = rogue({**ruled, "5": {CATS: 1}}, relationships=ALLIED)
    assert g.play(FOX, "move-with-ally", to="5", ally=CAT, warriors=1).here("5") == {CATS: 2}


@refusal("ROOT-VAG-23")
def test_only_allies_and_no_more_than_are_there():
    g = rogue({"1": {CATS: 2, OWLS: 1}}, relationships=ALLIED)
    says(g.refused(FOX, "move-with-ally", to="5", ally=OWL, warriors=1), "ROOT-VAG-23", "/ally", player=OWL)
    says(g.refused(FOX, "move-with-ally", to="5", ally=CAT, warriors=3), "ROOT-VAG-23", "/warriors", held=2)
    assert "ROOT-VAG-23" in g.refused(FOX, "move-with-ally", to="5", ally=CAT, warriors=0)
    assert "ROOT-VAG-23" in g.refused(FOX, "move-with-ally", to="5", ally=FOX, warriors=1)
    g = rogue({"2": {CATS: 1}}, relationships=ALLIED)
    says(
        g.refused(FOX, "move-with-ally", to="5", ally=CAT, warriors=1),
        "ROOT-VAG-23",
        "/ally",
        player=CAT,
        clearing="1",
    )
    assert "ROOT-VAG-23" in rogue(pawn="A", relationships=ALLIED).refused(
        FOX, "move-with-ally", to="1", ally=CAT, warriors=1
    )


@rule("ROOT-VAG-24", "ROOT-MOVE-6", "ROOT-WA-11")
def test_what_their_coming_brings_about_is_his_and_a_pawn_alone_brings_nothing(monkeypatch):
    asked = []
    monkeypatch.setitem(
        RULES.hooks, "after-move", (lambda t, seat, origin, to: asked.append((seat, origin, to)),)
    )
    g = rogue({"1": {CATS: 3}}, relationships=ALLIED, items=up("boots", "boots"))
    g.play(FOX, "move-with-ally", to="5", ally=CAT, warriors=2)
    assert asked == [(FOX, "1", "5")]
    g.play(FOX, "move", to="2")
    assert asked == [(FOX, "1", "5")]


# -- Cobbler ------------------------------------------------------------------------------------------------------


@rule("ROOT-FX-9", "ROOT-FX-16", "ROOT-R-FX-3", "ROOT-DEC-28", "ROOT-TURN-4")
def test_a_cobbler_needs_no_boot():
    g = rogue(at="evening", crafted=["cobbler"], items=up("torch"))
    assert g.kinds == ("cobbler", "pass")
    g.play(FOX, "cobbler", to="5")
    assert pawn(g) == "5"
    assert items(g) == {"satchel-up": {"torch": 1}}


@rule("ROOT-R-FX-3")
@refusal("ROOT-VAG-22")
def test_save_among_enemies():
    held = {"crafted": ["cobbler"], "relationships": {"marquise": "hostile"}}
    g = rogue({"5": {CATS: 1}}, at="evening", items=up("torch"), **held)
    says(g.refused(FOX, "cobbler", to="5"), "ROOT-VAG-22", "/to", to="5", ready=0, n=1)
    g = rogue({"5": {CATS: 1}}, at="evening", items=up("boots"), **held).play(FOX, "cobbler", to="5")
    assert items(g) == {"satchel-down": {"boots": 1}}


@rule("ROOT-FX-9")
def test_he_may_do_without():
    assert pawn(rogue(at="evening", crafted=["cobbler"]).play(FOX, "pass")) == "1"


# -- in a forest --------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-20")
@refusal("ROOT-VAG-20")
def test_in_a_forest_most_things_cannot_be_done():
    g = rogue(pawn="A", hand=["anvil"], items=up("torch", "sword", "crossbow"))
    tried = {
        "battle": {"defender": CAT},
        "explore": {},
        "aid": {"player": CAT, "card": "anvil", "item": "torch"},
        "quest": {"quest": "fundraising-fox", "reward": "points"},
        "strike": {"player": CAT, "piece": CATS},
        "craft": {"card": "anvil"},
        "steal": {"player": CAT},
        "day-labor": {"card": "anvil"},
        "instigate": {"attacker": CAT, "defender": OWL},
        "scorched-earth": {},
    }
    for kind, wire in tried.items():
        says(g.refused(FOX, kind, **wire), "ROOT-VAG-20", "/kind", forest="A")


@rule("ROOT-VAG-20")
def test_hiding_is_possible_there():
    g = rogue(pawn="A", character="ranger", items={"satchel-up": ["torch"], "damaged-up": ["sword"]})
    g.play(FOX, "hideout", items={"damaged-up-sword": 1})
    assert "draw-card" in g.kinds


@rule("ROOT-RULE-6", "ROOT-VAG-6", "ROOT-MAP-8")
def test_a_pawn_rules_nothing_and_hinders_nobody():
    g = rogue({"1": {CATS: 1}}, pawn="1")
    assert g.ruler("1") == CAT
    assert rogue(pawn="1").ruler("1") is None
