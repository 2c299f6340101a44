"""The Cult's Daylight and Evening: rituals, what returns to the hand, crafting, drawing (ROOT-CULT-16 to -24)."""

import pytest

from service.engine.options import options
from tests.games.root.lizards import (
    ALLY,
    CATS,
    FG,
    LIZARDS,
    MG,
    NEWT,
    OWLS,
    RG,
    acolytes,
    cult_table,
    own,
    souls,
)
from tests.games.root.table import CAT, OWL, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal


def daylight(map=None, *hand, **newt):
    """The Cult's Daylight with these cards in its hand."""
    return cult_table(map, "daylight", hand=list(hand), **newt)


# -- revealing (ROOT-CULT-16) -------------------------------------------------------------------------------------


@rule("ROOT-CULT-16", "ROOT-CARD-9")
def test_any_number_of_cards_is_revealed_for_one_ritual_each():
    g = daylight({"5": {LIZARDS: 3, CATS: 1}, "8": {FG: 1}}, "bake-sale", "cobbler", "anvil", "sappers")
    g.play(NEWT, "ritual-recruit", card="cobbler", clearing="5")
    g.play(NEWT, "ritual-build", card="bake-sale", clearing="5").play(
        NEWT, "ritual-sacrifice", card="sappers"
    )
    assert g.here("5") == {LIZARDS: 4, CATS: 1, RG: 1}
    assert own(g).revealed == {"bake-sale": 1, "cobbler": 1, "sappers": 1}
    assert (g[NEWT].hand, souls(g), acolytes(g)) == ({"anvil": 1}, {}, 1)
    assert "ritual-score" in g.play(NEWT, "ritual-score", card="anvil").kinds
    assert (g[NEWT].hand, souls(g)) == ({}, {"anvil": 1})


@rule("ROOT-CULT-16")
@refusal("ROOT-CULT-16")
@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("ritual-build", {"clearing": "5"}),
        ("ritual-recruit", {"clearing": "5"}),
        ("ritual-score", {}),
        ("take-available", {"spend": "bake-sale"}),
        ("activate-dominance", {}),
    ],
)
def test_a_revealed_card_has_no_other_use(kind, more):
    g = daylight({"5": {RG: 1}}, "bake-sale", board={"available": ["dominance-rabbit"]}, score=12)
    g.play(NEWT, "ritual-recruit", card="bake-sale", clearing="5")
    card = "dominance-rabbit" if kind == "take-available" else "bake-sale"
    about = "/spend" if kind == "take-available" else "/card"
    g.refused(NEWT, kind, card=card, **more)
    found = [
        v for v in g.judged(NEWT, kind, card=card, **more).violations if v.facts == {"card": "bake-sale"}
    ]
    assert [(v.rule, v.about) for v in found] == [("ROOT-CULT-16", (about,))]


@rule("ROOT-CULT-16")
def test_of_two_alike_the_second_is_still_in_the_hand():
    g = daylight({"5": {RG: 1}}, "cobbler", "cobbler")
    g.play(NEWT, "ritual-recruit", card="cobbler", clearing="5").play(NEWT, "ritual-score", card="cobbler")
    assert (own(g).revealed, souls(g), g[NEWT].hand) == ({"cobbler": 1}, {"cobbler": 1}, {})


@rule("ROOT-CULT-16")
@pytest.mark.parametrize("card", ["dominance-rabbit", "ambush-rabbit"])
def test_dominance_and_ambush_cards_are_revealed_for_their_suit(card):
    g = daylight({"5": {RG: 1}}, card).play(NEWT, "ritual-build", card=card, clearing="5")
    assert own(g).revealed == {card: 1}


@rule("ROOT-X-9", "ROOT-CULT-16")
@refusal("ROOT-CULT-16")
def test_outrage_is_not_paid_with_a_revealed_card():
    """The Cobbler's move comes before the revealed cards return (ROOT-TURN-4, ROOT-CULT-21)."""
    others = {ALLY: {"faction": "alliance"}}
    held = {"crafted": ["cobbler"], "others": others}
    g = daylight({"5": {RG: 1, LIZARDS: 2}, "1": {"sympathy": 1}}, "anvil", "investments", **held)
    g.play(NEWT, "ritual-recruit", card="anvil", clearing="12").play(NEWT, "end-phase")
    g.play(NEWT, "cobbler", from_="5", to="1", warriors=1)
    assert "ROOT-CULT-16" in g.refused(NEWT, "pay-outrage", card="anvil")
    g.play(NEWT, "show-hand")
    assert g.event("hand-shown")["cards"] == {"investments": 1}


@rule("ROOT-CULT-16")
@refusal("ROOT-TURN-6")
@pytest.mark.parametrize(
    ("kind", "wire"),
    [("move", {"from_": "5", "to": "1", "warriors": 1}), ("battle", {"clearing": "5", "defender": CAT})],
)
def test_in_daylight_nobody_moves_or_battles(kind, wire):
    g = daylight({"5": {LIZARDS: 3, CATS: 1}}, "anvil")
    assert set(g.refused(NEWT, kind, **wire)) == {"ROOT-TURN-6", "ROOT-CULT-16"}


@rule("ROOT-TURN-3")
def test_between_rituals_what_is_free_in_daylight_is_open():
    g = daylight({"5": {LIZARDS: 3}}, "anvil", "bake-sale", crafted=["tax-collector"])
    g.play(NEWT, "ritual-recruit", card="anvil", clearing="1").play(NEWT, "tax-collector", clearing="5").draw(
        "sappers"
    )
    g.play(NEWT, "ritual-build", card="bake-sale", clearing="5")
    assert g.here("5") == {LIZARDS: 2, RG: 1}


# -- birds (ROOT-CULT-3) ------------------------------------------------------------------------------------------


@rule("ROOT-CULT-3")
@refusal("ROOT-CULT-3")
@pytest.mark.parametrize(
    ("kind", "more"),
    [("ritual-build", {"clearing": "5"}), ("ritual-recruit", {"clearing": "5"}), ("ritual-score", {})],
)
def test_in_rituals_a_bird_stands_for_nothing_else(kind, more):
    g = daylight({"5": {RG: 1}}, "sappers")
    says(g.refused(NEWT, kind, card="sappers", **more), "ROOT-CULT-3", "/card", card="sappers")


@rule("ROOT-CULT-3", "ROOT-CARD-2")
def test_in_all_else_a_bird_is_wild():
    g = daylight({}, "sappers", board={"available": ["dominance-fox"]})
    g.play(NEWT, "take-available", card="dominance-fox", spend="sappers")
    assert g[NEWT].hand == {"dominance-fox": 1}
    g = cult_table({"8": {CATS: 3, LIZARDS: 3}}, "daylight", turn=CAT, hand=["ambush-bird"])
    g.play(CAT, "battle", clearing="8", defender=NEWT).play(NEWT, "play-ambush", card="ambush-bird")
    assert g.here("8")[CATS] == 1


# -- Build (ROOT-CULT-17) -----------------------------------------------------------------------------------------


@rule("ROOT-CULT-17")
@refusal("ROOT-CULT-17")
def test_a_garden_is_built_where_the_cult_rules_a_clearing_of_the_cards_suit():
    map = {"5": {LIZARDS: 2, CATS: 1}, "10": {LIZARDS: 1, CATS: 1}, "8": {LIZARDS: 2}}
    g = daylight(map, "bake-sale")
    found = g.refused(NEWT, "ritual-build", card="bake-sale", clearing="8")
    says(found, "ROOT-CULT-17", "/card", "/clearing", card="bake-sale", suit="fox", clearing="8")
    found = g.refused(NEWT, "ritual-build", card="bake-sale", clearing="10")
    says(found, "ROOT-CULT-17", "/clearing", clearing="10", ruler="nobody")
    assert [o["clearing"] for o in g.options(NEWT, "ritual-build")] == ["5"]
    g.play(NEWT, "ritual-build", card="bake-sale", clearing="5")
    assert g.here("5") == {LIZARDS: 2, CATS: 1, RG: 1}


@rule("ROOT-CULT-17", "ROOT-MAP-7", "ROOT-MAP-8")
@refusal("ROOT-MAP-7")
def test_a_garden_needs_an_open_slot_and_a_ruin_fills_one():
    g = daylight({"10": {RG: 1, LIZARDS: 5}, "4": {RG: 1}}, "bake-sale")
    assert "ROOT-MAP-7" in g.refused(NEWT, "ritual-build", card="bake-sale", clearing="10")
    assert "ROOT-MAP-7" in g.refused(NEWT, "ritual-build", card="bake-sale", clearing="4")
    g = daylight({"10": {RG: 1}}, "bake-sale", board={"ruins": ["6", "11", "12"]})
    assert g.play(NEWT, "ritual-build", card="bake-sale", clearing="10").here("10") == {RG: 2}


@rule("ROOT-CULT-17")
@refusal("ROOT-CULT-17")
def test_without_a_garden_of_the_suit_none_is_built():
    map = {"3": {RG: 1}, "4": {RG: 1}, "5": {RG: 2}, "10": {RG: 1}}
    g = daylight(map, "bake-sale", board={"ruins": ["6", "11", "12"]})
    says(
        g.refused(NEWT, "ritual-build", card="bake-sale", clearing="10"),
        "ROOT-CULT-17",
        "/clearing",
        garden=RG,
    )


@rule("ROOT-MARQ-3", "ROOT-X-15")
@refusal("ROOT-MARQ-2")
@pytest.mark.parametrize("kind", ["ritual-build", "ritual-recruit"])
def test_nothing_is_built_or_recruited_at_the_keep(kind):
    g = daylight({"4": {"keep": 1, LIZARDS: 2}}, "bake-sale")
    assert "ROOT-MARQ-2" in g.refused(NEWT, kind, card="bake-sale", clearing="4")


# -- Recruit (ROOT-CULT-18) and Sacrifice (ROOT-CULT-19) ----------------------------------------------------------


@rule("ROOT-CULT-18")
@refusal("ROOT-CULT-18")
def test_a_warrior_is_recruited_in_any_clearing_of_the_suit():
    g = daylight({"5": {OWLS: 5}}, "bake-sale")
    found = g.refused(NEWT, "ritual-recruit", card="bake-sale", clearing="8")
    says(found, "ROOT-CULT-18", "/card", "/clearing", card="bake-sale", suit="fox", clearing="8")
    assert {o["clearing"] for o in g.options(NEWT, "ritual-recruit")} == {"3", "4", "5", "10"}
    assert g.play(NEWT, "ritual-recruit", card="bake-sale", clearing="5").here("5") == {OWLS: 5, LIZARDS: 1}


@rule("ROOT-CULT-19")
@refusal("ROOT-CULT-19")
def test_only_a_bird_is_sacrificed_and_the_warrior_comes_from_the_supply():
    g = daylight({"5": {LIZARDS: 3}}, "bake-sale", "sappers")
    says(g.refused(NEWT, "ritual-sacrifice", card="bake-sale"), "ROOT-CULT-19", "/card", card="bake-sale")
    g.play(NEWT, "ritual-sacrifice", card="sappers")
    assert (acolytes(g), g.here("5"), g[NEWT].supply[LIZARDS]) == (1, {LIZARDS: 3}, 25 - 4)
    assert own(g).revealed == {"sappers": 1}


@rule("ROOT-CULT-18", "ROOT-CULT-19", "ROOT-GEN-4", "ROOT-GEN-14")
def test_with_an_empty_supply_a_card_may_be_revealed_for_nothing():
    g = daylight({"5": {LIZARDS: 25}}, "anvil", "sappers")
    g.play(NEWT, "ritual-sacrifice", card="sappers").play(NEWT, "ritual-recruit", card="anvil", clearing="8")
    assert (acolytes(g), g.here("5"), g.here("8")) == (0, {LIZARDS: 25}, {})


# -- Score (ROOT-CULT-20, ROOT-CULT-24) ---------------------------------------------------------------------------

SPREAD = [{"3": {RG: 1}}, {"5": {RG: 2}}, {"3": {RG: 1}, "5": {RG: 2}}, {"3": {RG: 1}, "4": {RG: 1}, "5": {RG: 2}},
          {"3": {RG: 1}, "4": {RG: 1}, "5": {RG: 2}, "10": {RG: 1}}]  # fmt: skip


@rule("ROOT-CULT-20", "ROOT-CULT-24", "ROOT-R-CULT-5", "ROOT-COMP-3")
@pytest.mark.parametrize(("map", "points"), list(zip(SPREAD, [0, 2, 2, 3, 4], strict=True)))
def test_gardens_of_a_suit_give_the_points_of_its_track(map, points):
    g = daylight({**map, "8": {FG: 2}}, "bake-sale").play(NEWT, "ritual-score", card="bake-sale")
    assert g.points(NEWT) == ([("ROOT-CULT-20", points)] if points else [])
    assert (souls(g), own(g).revealed) == ({"bake-sale": 1}, {})


@rule("ROOT-CULT-20")
@refusal("ROOT-CULT-20")
def test_without_a_garden_of_the_suit_there_is_nothing_to_score():
    g = daylight({"5": {RG: 2}}, "anvil")
    says(g.refused(NEWT, "ritual-score", card="anvil"), "ROOT-CULT-20", "/card", none_of="fox")


@rule("ROOT-CULT-20", "ROOT-R-CULT-1")
@refusal("ROOT-CULT-20")
def test_each_suit_is_scored_once_a_turn():
    g = daylight({"5": {RG: 2}, "8": {FG: 2}}, "bake-sale", "cobbler", "anvil")
    g.play(NEWT, "ritual-score", card="bake-sale")
    says(g.refused(NEWT, "ritual-score", card="cobbler"), "ROOT-CULT-20", "/card", again="rabbit")
    g.play(NEWT, "ritual-score", card="anvil")
    assert g.score(NEWT) == 4


@rule("ROOT-CULT-24", "ROOT-CULT-20", "ROOT-COMP-3")
def test_a_garden_that_is_removed_covers_its_space_again():
    """With five gardens a Score gives 4 points; one of them is lost to the cats, and it gives 3."""
    map = {"3": {RG: 1}, "4": {RG: 1}, "5": {RG: 2}, "10": {RG: 1, CATS: 2}}
    g = cult_table(map, "daylight", turn=CAT, board={"ruins": ["6", "11", "12"]})
    g.fight(CAT, NEWT, "10", 0, 0)
    after = daylight(
        {c: here for c, here in g.board.map.items() if here}, "bake-sale", board={"ruins": ["6"]}
    )
    after.play(NEWT, "ritual-score", card="bake-sale")
    assert after.score(NEWT) == 3


@rule("ROOT-WIN-1", "ROOT-CULT-20")
def test_the_game_ends_in_the_middle_of_daylight_with_thirty_points():
    g = daylight({"5": {RG: 2}}, "anvil", "bake-sale", score=28)
    g.play(NEWT, "ritual-recruit", card="anvil", clearing="8").play(NEWT, "ritual-score", card="bake-sale")
    assert g.state.outcome.winners == [NEWT]


# -- Evening (ROOT-CULT-21 to ROOT-CULT-23) -----------------------------------------------------------------------


@rule("ROOT-CULT-21", "ROOT-CULT-22")
def test_revealed_cards_return_and_may_be_crafted():
    """The fox is the Outcast: two fox gardens make a sword of foxes, with the card that built one of them."""
    g = daylight({"8": {FG: 1, LIZARDS: 1}}, "foxfolk-steel", "sappers", outcast="fox")
    g.play(NEWT, "ritual-build", card="foxfolk-steel", clearing="8").play(
        NEWT, "ritual-sacrifice", card="sappers"
    )
    g.play(NEWT, "end-phase")
    assert g.because("moved")[0] == "ROOT-CULT-21"
    assert (own(g).revealed, g[NEWT].hand) == ({}, {"foxfolk-steel": 1, "sappers": 1})
    g.play(NEWT, "craft", card="foxfolk-steel", pieces={"fox": 2})
    assert (g.score(NEWT), g[NEWT].items, souls(g)) == (2, {"sword": 1}, {"foxfolk-steel": 1})


@rule("ROOT-CULT-1", "ROOT-CULT-22", "ROOT-CRAFT-8")
@refusal("ROOT-CULT-1")
def test_gardens_of_other_suits_do_not_craft():
    g = cult_table(
        {"8": {FG: 2}, "5": {RG: 1}}, "evening", outcast="rabbit", hand=["foxfolk-steel", "royal-claim"]
    )
    found = g.refused(NEWT, "craft", card="foxfolk-steel", pieces={"fox": 2})
    says(found, "ROOT-CULT-1", "/pieces", suit="rabbit")
    assert g.options(NEWT, "craft") == []


@rule("ROOT-CULT-22", "ROOT-CRAFT-1")
@refusal("ROOT-CRAFT-1")
def test_a_cost_that_names_another_suit_cannot_be_paid_and_any_can():
    map = {"3": {RG: 1}, "4": {RG: 1}, "5": {RG: 2}, "8": {FG: 1}}
    g = cult_table(map, "evening", outcast="rabbit", hand=["anvil", "royal-claim", "tax-collector"])
    assert "ROOT-CRAFT-1" in g.refused(NEWT, "craft", card="anvil", pieces={"rabbit": 1})
    assert {o["card"] for o in g.options(NEWT, "craft")} == {"royal-claim"}
    g.play(NEWT, "craft", card="royal-claim", pieces={"rabbit": 4})
    assert g[NEWT].crafted == ["royal-claim"]


@rule("ROOT-CRAFT-2", "ROOT-CULT-1")
@refusal("ROOT-CRAFT-2")
def test_a_garden_crafts_once_a_turn():
    g = cult_table({"5": {RG: 1}}, "evening", outcast="rabbit", hand=["travel-gear-fox", "woodland-runners"])
    g.play(NEWT, "craft", card="travel-gear-fox", pieces={"rabbit": 1})
    assert "ROOT-CRAFT-2" in g.refused(NEWT, "craft", card="woodland-runners", pieces={"rabbit": 1})


@rule("ROOT-CULT-1")
@refusal("ROOT-TURN-6")
def test_in_daylight_the_cult_does_not_craft():
    g = daylight({"8": {FG: 2}}, "anvil", outcast="fox")
    assert "ROOT-CULT-1" in g.refused(NEWT, "craft", card="anvil", pieces={"fox": 1})


@rule("ROOT-CULT-22", "ROOT-FX-12")
def test_its_own_favor_leaves_its_own_pieces():
    map = {"5": {RG: 2, LIZARDS: 1, CATS: 2}, "4": {RG: 1, OWLS: 1}}
    g = cult_table(map, "evening", outcast="rabbit", hand=["favor-of-the-rabbits"])
    g.play(NEWT, "craft", card="favor-of-the-rabbits", pieces={"rabbit": 3})
    assert (g.here("5"), g.here("4")) == ({RG: 2, LIZARDS: 1}, {RG: 1})
    assert g.score(NEWT) == 1  # the roost in clearing 3


@rule("ROOT-CULT-23", "ROOT-CULT-24")
@pytest.mark.parametrize(
    ("map", "cards"),
    [
        ({}, 1),
        ({"5": {RG: 1}, "8": {FG: 1}, "7": {MG: 1}}, 1),
        ({"5": {RG: 2}}, 2),
        ({"5": {RG: 2}, "4": {RG: 1}, "10": {RG: 1}}, 2),
        ({"5": {RG: 2}, "8": {FG: 2}, "7": {MG: 1}}, 3),
        ({"5": {RG: 2}, "8": {FG: 2}, "7": {MG: 2}}, 4),
    ],
)
def test_a_card_for_each_suit_with_two_gardens_and_one_more(map, cards):
    g = cult_table(map, "evening")
    drawn = 0
    while g.top.__class__.__name__ == "Draw" and g.top.because == "ROOT-CULT-23":
        g.play("chance", "draw-card", card=next(iter(g.board.deck.odds())))
        drawn += 1
    assert drawn == cards
    assert sum(g[NEWT].hand.values()) == cards


@rule("ROOT-CULT-23", "ROOT-CARD-8", "ROOT-TURN-9", "ROOT-CULT-5")
@refusal("ROOT-TURN-9")
def test_above_five_it_discards_to_the_lost_souls():
    hand = ["anvil", "bake-sale", "cobbler", "sappers", "investments"]
    g = cult_table({}, "evening", hand=hand).play(NEWT, "end-phase").draw("armorers")
    assert "ROOT-TURN-9" in g.refused(NEWT, "discard", cards={"anvil": 1, "sappers": 1})
    g.play(NEWT, "discard", cards={"anvil": 1})
    assert souls(g) == {"anvil": 1}


@rule("ROOT-CULT-22", "ROOT-TURN-7")
def test_without_a_card_nothing_is_asked_before_the_draw():
    g = cult_table({"5": {RG: 1}}, "evening")
    assert (g.asked, g.kinds) == (("chance",), ("draw-card",))


@rule("ROOT-INFO-2")
def test_what_it_may_reveal_only_the_cult_is_told():
    g = daylight({}, "anvil", "sappers")
    assert {o.act.actor for o in options(g.table)} == {NEWT}
    assert not list(options(g.table, OWL))
