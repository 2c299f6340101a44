"""Chapter 8, crafting, and the Favors of chapter 9."""

import pytest

from service.games.root.v1.figures import CARDS, PRINTED
from service.games.root.v1.marquise import FieldHospitals
from service.games.root.v1.state import Turn
from tests.games.root.table import CAT, OWL, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
SUITED = {"fox": "8", "rabbit": "5", "mouse": "7"}


def workshops(hand, **suits):
    """The Marquise's Daylight with as many workshops in clearings of these suits."""
    return game({CAT: {"hand": hand}}, {SUITED[s]: {"workshop": n} for s, n in suits.items()})


def craft(g, card, **pieces):
    return g.play(CAT, "craft", card=card, pieces=pieces)


@rule("ROOT-CRAFT-4", "ROOT-CRAFT-1", "ROOT-CRAFT-3", "ROOT-CRAFT-2")
def test_an_item_comes_from_the_supply_with_its_points():
    g = craft(workshops(["foxfolk-steel"], fox=2), "foxfolk-steel", fox=2)
    assert (g[CAT].items, g.board.items["sword"]) == ({"sword": 1}, 1)
    assert g.points(CAT) == [("ROOT-CRAFT-4", 2)]
    assert g.board.discard == {"foxfolk-steel": 1}
    assert g.here("8") == {"workshop": 2}


@rule("ROOT-CRAFT-1")
@pytest.mark.parametrize("card", [c for c in CARDS if PRINTED.cards[c].kind == "item"])
def test_every_item_card_gives_its_item_and_points(card):
    printed = PRINTED.cards[card]
    pieces = {s: printed.cost.count(s) for s in SUITED if s in printed.cost}
    g = craft(workshops([card], **pieces), card, **pieces)
    assert g[CAT].items == {printed.item: 1}
    assert g.score(CAT) == printed.points


@refusal("ROOT-CRAFT-4")
def test_not_without_the_item_in_the_supply():
    g = game({CAT: {"hand": ["anvil"]}, OWL: {"items": {"hammer": 1}}}, {"8": {"workshop": 1}})
    found = g.refused(CAT, "craft", card="anvil", pieces={"fox": 1})
    says(found, "ROOT-CRAFT-4", "/card", card="anvil", item="hammer")


@refusal("ROOT-CRAFT-1")
@pytest.mark.parametrize(
    "pieces", [{}, {"fox": 1}, {"fox": 3}, {"rabbit": 2}, {"bird": 2}, {"fox": 2, "mouse": 1}, [], None]
)
def test_each_symbol_is_covered_and_no_more(pieces):
    assert "ROOT-CRAFT-1" in workshops(["foxfolk-steel"], fox=2, rabbit=2).refused(
        CAT, "craft", card="foxfolk-steel", pieces=pieces
    )


@refusal("ROOT-CRAFT-1")
def test_a_piece_of_another_suit_covers_nothing():
    g = workshops(["foxfolk-steel"], fox=2, rabbit=1)
    found = g.refused(CAT, "craft", card="foxfolk-steel", pieces={"fox": 1, "rabbit": 1})
    says(found, "ROOT-CRAFT-1", "/card", "/pieces", card="foxfolk-steel", suit="fox", n=2, given=1)


@rule("ROOT-CRAFT-1", "ROOT-CRAFT-6")
@pytest.mark.parametrize(
    "pieces", [{"fox": 2, "rabbit": 2}, {"fox": 1, "rabbit": 1, "mouse": 2}, {"rabbit": 2, "mouse": 2}]
)
def test_any_takes_every_suit(pieces):
    g = craft(workshops(["royal-claim"], fox=2, rabbit=2, mouse=2), "royal-claim", **pieces)
    assert g[CAT].crafted == ["royal-claim"]


@refusal("ROOT-CRAFT-2")
@rule("ROOT-CRAFT-2")
def test_a_piece_is_activated_once_a_turn():
    g = workshops(["anvil", "foxfolk-steel"], fox=2)
    craft(g, "anvil", fox=1)
    assert g.frame(Turn).activated == {"fox": 1}
    found = g.refused(CAT, "craft", card="foxfolk-steel", pieces={"fox": 2})
    says(found, "ROOT-CRAFT-2", "/pieces", suit="fox", left=1, given=2)


@rule("ROOT-CRAFT-2")
def test_the_next_turn_activates_them_anew():
    g = workshops(["anvil", "foxfolk-steel"], fox=2)
    craft(g, "anvil", fox=1).play(CAT, "end-phase").draw("sappers").draw("armorers")
    g.play(OWL, "add-to-decree", card="armorers", column="build")
    assert g.frame(Turn).activated == {}


@rule("ROOT-CRAFT-6")
def test_a_lasting_effect_stays_in_the_play_area():
    g = craft(workshops(["codebreakers"], mouse=1), "codebreakers", mouse=1)
    assert (g[CAT].crafted, g[CAT].hand, g.board.discard) == (["codebreakers"], {}, {})
    assert g.options(CAT, "codebreakers")  # its use begins at once, if its time has not passed


@refusal("ROOT-CRAFT-6")
def test_not_twice_the_same():
    g = workshops(["codebreakers", "codebreakers"], mouse=2)
    craft(g, "codebreakers", mouse=1)
    says(
        g.refused(CAT, "craft", card="codebreakers", pieces={"mouse": 1}),
        "ROOT-CRAFT-6",
        "/card",
        card="codebreakers",
    )


@refusal("ROOT-CRAFT-7")
@pytest.mark.parametrize("card", ["ambush-fox", "ambush-bird"])
def test_ambush_cards_cannot_be_crafted(card):
    says(
        workshops([card], fox=1).refused(CAT, "craft", card=card, pieces={}),
        "ROOT-CRAFT-7",
        "/card",
        card=card,
    )


@rule("ROOT-FX-15", "ROOT-CARD-1")
def test_an_ambush_card_can_be_spent_for_its_suit():
    g = game({CAT: {"hand": ["ambush-rabbit"]}}, {"5": {"sawmill": 1}})
    g.play(CAT, "overwork", card="ambush-rabbit", clearing="5")
    assert g.board.discard == {"ambush-rabbit": 1}


# -- Favors -------------------------------------------------------------------------------------------------------


def favored(map=None, cat=None, owl=None, first="1", **more):
    """The Eyrie craft the Favor of the Foxes with roosts in 6, 8 and another (`first`) of their clearings."""
    roosts = {first: {"roost": 1, OWLS: 1}, "6": {"roost": 1}, "8": {"roost": 1}}
    here = {c: {**roosts.get(c, {}), **(map or {}).get(c, {})} for c in [*roosts, *(map or {})]}
    held = {OWL: {"hand": ["favor-of-the-foxes"], **(owl or {})}, CAT: cat or {}}
    g = game(held, here, turn=OWL, **more)
    return g.play(OWL, "craft", card="favor-of-the-foxes", pieces={"fox": 3})


@rule("ROOT-FX-12", "ROOT-CRAFT-5", "ROOT-GEN-5")
def test_a_favor_sweeps_every_clearing_of_its_suit():
    g = favored({"8": {CATS: 3, "wood": 2}, "12": {"sawmill": 1, CATS: 1}, "5": {CATS: 1}})
    assert (g.here("8"), g.here("12"), g.here("5")) == ({"roost": 1}, {}, {CATS: 1})
    assert g.points(OWL) == [("ROOT-FX-12", 3)]
    assert g.board.discard == {"favor-of-the-foxes": 1}
    assert g.board.ruins == ["6", "10", "11", "12"]


@rule("ROOT-FX-12", "ROOT-X-4", "ROOT-MARQ-5")
def test_hospitals_are_asked_for_each_clearing_in_turn():
    map = {"8": {CATS: 3}, "12": {CATS: 1}, "4": {"keep": 1}}
    g = favored(map, {"hand": ["anvil", "sappers"]})
    assert (g.asked, g.frame(FieldHospitals).clearing) == ((CAT,), "8")
    g.play(CAT, "field-hospitals", card="anvil")
    assert g.frame(FieldHospitals).clearing == "12"
    g.play(CAT, "pass")
    assert g.here("4") == {"keep": 1, CATS: 3}
    assert g.asked == (OWL,)


@rule("ROOT-MARQ-7", "ROOT-FX-12")
def test_a_favor_that_takes_the_keep_leaves_no_hospitals():
    g = favored({"1": {CATS: 2, "keep": 1}}, {"hand": ["anvil"]}, first="12")
    assert g.frame(FieldHospitals) is None
    assert g.board.box == {"keep": 1}


@rule("ROOT-FX-12")
def test_with_nobody_there_a_favor_does_nothing():
    g = favored({"5": {CATS: 1}})
    assert (g.points(OWL), g.here("5")) == ([], {CATS: 1})


@rule("ROOT-WIN-1", "ROOT-FX-12")
def test_points_of_a_favor_end_the_game_before_the_hospitals():
    g = favored({"8": {CATS: 1, "wood": 2}, "4": {"keep": 1}}, {"hand": ["anvil"]}, {"score": 28})
    assert g.state.outcome.winners == [OWL]
