"""Chapter 18, the Riverfolk Company: set-up, the river, the open hand, funds, trade posts, Evening."""

import json

import pytest

from service.engine.flow import decisions
from service.engine.given import answerers
from service.engine.options import options
from service.engine.state import encode
from service.engine.table import Table
from service.engine.view import view
from service.engine.windows import window
from service.games.root.v1 import RULES
from service.games.root.v1.riverfolk_evening import RiverfolkEvening
from service.games.root.v1.riverfolk_turn import RiverfolkBirdsong, RiverfolkDaylight, gather
from service.games.root.v1.state import Turn
from tests.games.root.river import (
    ALLY,
    CATS,
    FOX_POST,
    MOUSE_POST,
    OTTER,
    OTTERS,
    OWLS,
    RABBIT_POST,
    TOD,
    boxes,
    hand,
    river,
    spaces,
)
from tests.games.root.table import CAT, OWL, fresh, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

S = "sympathy"
PRICES = {"hand-card": 1, "riverboats": 2, "mercenaries": 4}


# -- set-up -------------------------------------------------------------------------------------------------------


def to_set_up():
    """The Marquise has the keep in clearing 4; the Riverfolk are to set up, last of all."""
    g = fresh("riverfolk", "marquise").play("chance", "draw-seat", seat="owl").draw_any()
    return g.play("owl", "setup-marquise", keep="4", sawmill="8", workshop="8", recruiter="9")


@rule("ROOT-SETUP-14", "ROOT-SETUP-17", "ROOT-SETUP-7", "ROOT-DEC-5", "ROOT-RIVER-3")
def test_four_warriors_on_the_river_three_in_payments_and_prices():
    g = to_set_up()
    assert (g.asked, g.kinds) == (("cat",), ("setup-riverfolk",))
    g.play("cat", "setup-riverfolk", warriors={"5": 1, "11": 3}, prices=PRICES)
    assert [g.here(c).get(OTTERS) for c in ("5", "11", "7")] == [1, 3, None]
    own = g["cat"].riverfolk
    assert (own.payments, own.funds, own.prices) == ({OTTERS: 3}, {}, PRICES)
    assert g["cat"].supply == {OTTERS: 15 - 7, FOX_POST: 3, RABBIT_POST: 3, MOUSE_POST: 3}
    assert g.frame(Turn).seat == "owl"


@refusal("ROOT-SETUP-14")
@pytest.mark.parametrize("warriors", [{"5": 3}, {"5": 5}, {"1": 4}, {"5": 2, "12": 2}, {}])
def test_where_the_first_warriors_may_not_stand(warriors):
    found = to_set_up().refused("cat", "setup-riverfolk", warriors=warriors, prices=PRICES)
    says(found, "ROOT-SETUP-14", "/warriors")


@refusal("ROOT-MARQ-2")
@rule("ROOT-SETUP-14", "ROOT-MARQ-3", "ROOT-X-15")
def test_none_of_them_at_the_keep():
    found = to_set_up().refused("cat", "setup-riverfolk", warriors={"4": 1, "5": 3}, prices=PRICES)
    says(found, "ROOT-MARQ-2", "/warriors", clearing="4")


@refusal("ROOT-SETUP-14")
@pytest.mark.parametrize(
    "prices",
    [
        {**PRICES, "mercenaries": 5},
        {**PRICES, "riverboats": 0},
        {"hand-card": 1, "riverboats": 1},
        {**PRICES, "advice": 1},
    ],
)
def test_every_service_has_a_price_from_1_to_4(prices):
    found = to_set_up().refused("cat", "setup-riverfolk", warriors={"5": 4}, prices=prices)
    says(found, "ROOT-SETUP-14", "/prices")


# -- the open hand (ROOT-RIVER-2) ---------------------------------------------------------------------------------


@rule("ROOT-RIVER-2", "ROOT-INFO-3", "ROOT-INFO-2")
def test_everyone_sees_the_hand_of_the_riverfolk_and_no_other():
    g = river(hand=["anvil", "sappers"], cat={"hand": ["cobbler"]})
    for viewer in (OTTER, CAT, OWL, None):
        seen = view(g.state, viewer)["table"]["seats"]
        assert seen[OTTER]["riverfolk"]["hand"] == {"anvil": 1, "sappers": 1}
        assert seen[CAT]["hand"] == ({"cobbler": 1} if viewer == CAT else 1)


@rule("ROOT-RIVER-2", "ROOT-INFO-3", "ROOT-RIVER-33")
def test_what_they_draw_is_seen_by_all():
    g = river(funds={CATS: 1}).play(OTTER, "draw", fund=CATS)
    assert answerers(g.table, window(g.table)) is None
    g.draw("anvil")
    (drawn,) = [e for e in g.events if e.kind == "moved"]
    assert drawn.seen_by(CAT)["what"] == drawn.seen_by(None)["what"] == {"anvil": 1}
    assert hand(g) == {"anvil": 1}


@rule("ROOT-RIVER-2", "ROOT-INFO-10")
def test_a_card_that_is_stolen_from_it_was_public():
    g = river({"5": {OTTERS: 1}}, hand=["anvil", "sappers"], turn=TOD, others={TOD: {
        "faction": "vagabond", "pawn": "5", "own": {"satchel-up": ["torch"]}}})  # fmt: skip
    g.play(TOD, "steal", player=OTTER)
    assert answerers(g.table, window(g.table)) is None
    assert set(dict(window(g.table).ask.takes[0].odds(g.table, g.top))) == {"anvil", "sappers"}
    g.play("chance", "random-card", card="sappers")
    (taken,) = [e for e in g.events if e.kind == "moved"]
    assert taken.seen_by(CAT)["what"] == {"sappers": 1}
    assert (hand(g), g[TOD].hand) == ({"anvil": 1}, {"sappers": 1})


@rule("ROOT-VAG-27", "ROOT-INFO-3")
def test_aid_lays_the_card_open():
    tod = {"faction": "vagabond", "pawn": "5", "own": {"satchel-up": ["torch"]}, "hand": ["bake-sale"]}
    g = river({"5": {OTTERS: 1}}, turn=TOD, others={TOD: tod})
    g.play(TOD, "aid", player=OTTER, card="bake-sale", item="torch")
    assert hand(g) == {"bake-sale": 1}
    assert g.events[1].seen_by(CAT)["what"] == {"bake-sale": 1}
    assert g[TOD].vagabond.relationships["riverfolk"] == "friendly-1"


@rule("ROOT-BATTLE-4", "ROOT-INFO-3")
@pytest.mark.parametrize(
    ("held", "asked"),
    [(["anvil"], False), (["ambush-fox"], False), (["ambush-rabbit"], True), (["ambush-bird"], True)],
)
def test_they_are_asked_for_an_ambush_only_where_they_hold_one_that_matches(held, asked):
    g = river({"5": {CATS: 2, OTTERS: 1}}, turn=CAT, hand=held)
    g.play(CAT, "battle", clearing="5", defender=OTTER)
    assert (g.kinds[0] == "play-ambush") is asked
    if asked:
        g.play(OTTER, "play-ambush", card=held[0])
        assert (hand(g), g.board.discard) == ({}, {held[0]: 1})


@rule("ROOT-BATTLE-5", "ROOT-INFO-3", "ROOT-TURN-7")
@pytest.mark.parametrize(("held", "asked"), [(["anvil"], False), (["ambush-bird"], True)])
def test_nor_for_a_foil_without_one(held, asked):
    g = river({"5": {CATS: 1, OTTERS: 3}}, hand=held, funds={OTTERS: 1}, cat={"hand": ["ambush-rabbit"]})
    g.play(OTTER, "battle", clearing="5", defender=CAT, fund=OTTERS).play(
        CAT, "play-ambush", card="ambush-rabbit"
    )
    assert (g.kinds[0] == "foil-ambush") is asked


@rule("ROOT-WA-12", "ROOT-WA-10", "ROOT-MOVE-6")
def test_outrage_is_paid_from_the_open_hand():
    ally = {ALLY: {"faction": "alliance"}}
    g = river({"5": {S: 1}, "10": {OTTERS: 2}}, hand=["bake-sale", "anvil"], funds={CATS: 1}, others=ally)
    g.play(OTTER, "move", from_="10", to="5", warriors=1, fund=CATS)
    assert g.asked == (OTTER,)
    g.play(OTTER, "pay-outrage", card="bake-sale")
    assert (hand(g), g[ALLY].alliance.supporters) == ({"anvil": 1}, {"bake-sale": 1})


@rule("ROOT-WA-12", "ROOT-WA-10")
def test_without_a_card_that_matches_the_alliance_draws_at_once():
    ally = {ALLY: {"faction": "alliance"}}
    g = river({"5": {S: 1}, "10": {OTTERS: 2}}, hand=["anvil"], funds={CATS: 1}, others=ally)
    g.play(OTTER, "move", from_="10", to="5", warriors=1, fund=CATS)
    assert g.kinds == ("draw-card",)
    g.draw("sappers")
    assert (hand(g), g[ALLY].alliance.supporters) == ({"anvil": 1}, {"sappers": 1})


@rule("ROOT-FX-6", "ROOT-FX-11", "ROOT-INFO-3")
def test_cards_that_reach_for_hands_reach_for_theirs():
    held = {"hand": [], "crafted": ["stand-and-deliver"]}
    g = river({}, turn=CAT, at="turn", cat=held, hand=["anvil"]).play(CAT, "pass")
    g.play(CAT, "stand-and-deliver", player=OTTER).play("chance", "random-card", card="anvil")
    assert (hand(g), g[CAT].hand, g.score(OTTER)) == ({}, {"anvil": 1}, 1)


# -- the river (ROOT-RIVER-1) -------------------------------------------------------------------------------------


@rule("ROOT-RIVER-1", "ROOT-MOVE-3", "ROOT-MAP-3", "ROOT-MAP-10", "ROOT-RIVER-33")
def test_along_the_river_they_move_whoever_rules():
    g = river({"11": {OTTERS: 1, CATS: 3}, "7": {CATS: 3}}, funds={CATS: 1, OWLS: 1})
    g.play(OTTER, "move", from_="11", to="7", warriors=1, fund=OWLS)
    assert (g.here("7"), boxes(g)) == ({CATS: 3, OTTERS: 1}, {"funds": {CATS: 1}, "committed": {OWLS: 1}})


@refusal("ROOT-MOVE-2")
@rule("ROOT-RIVER-1")
def test_on_a_path_they_have_to_rule():
    g = river({"11": {OTTERS: 1, CATS: 3}, "12": {CATS: 3}}, funds={CATS: 1})
    says(g.refused(OTTER, "move", from_="11", to="12", warriors=1, fund=CATS), "ROOT-MOVE-2", "/from", "/to")
    g = river({"11": {OTTERS: 3, CATS: 1}, "12": {CATS: 3}}, funds={CATS: 1})
    g.play(OTTER, "move", from_="11", to="12", warriors=1, fund=CATS)


@refusal("ROOT-MAP-2")
@rule("ROOT-MAP-3")
def test_for_others_the_river_is_no_path():
    g = river({"7": {CATS: 3}}, turn=CAT).play(CAT, "march")
    says(g.refused(CAT, "move", from_="7", to="4", warriors=1), "ROOT-MAP-2", "/from", "/to")
    g.play(CAT, "move", from_="7", to="8", warriors=1)


# -- Birdsong (ROOT-RIVER-30 to -32) ------------------------------------------------------------------------------


def dawn(map=None, **otter):
    return river(map, at="turn", **otter)


@rule("ROOT-RIVER-30", "ROOT-RIVER-32", "ROOT-TURN-7")
def test_an_empty_payments_box_gets_two_warriors():
    g = dawn()
    assert (g.because("moved"), boxes(g)) == (["ROOT-RIVER-30", "ROOT-RIVER-32"], {"funds": {OTTERS: 2}})
    assert isinstance(g.top, RiverfolkDaylight)


@rule("ROOT-RIVER-30")
def test_one_that_is_not_empty_gets_none():
    assert boxes(dawn(payments={CATS: 1})) == {"funds": {CATS: 1}}


@rule("ROOT-RIVER-23", "ROOT-GEN-4")
def test_with_one_warrior_left_one_comes():
    g = dawn({"5": {OTTERS: 14}})
    assert boxes(g) == {"funds": {OTTERS: 1}}
    assert boxes(dawn({"5": {OTTERS: 15}})) == {}


@rule("ROOT-RIVER-31")
@pytest.mark.parametrize(("n", "points"), [(0, 0), (1, 0), (2, 1), (5, 2), (8, 4)])
def test_a_point_for_every_two_funds(n, points):
    more = {"payments": {OWLS: 4}, "committed": {OWLS: 4}, "spaces": {"mouse": {OWLS: 1}}}
    g = dawn({"7": {MOUSE_POST: 1}}, funds={CATS: n} if n else {}, **more)
    assert g.score(OTTER) == points


@rule("ROOT-RIVER-31")
def test_none_without_a_trade_post_on_the_map():
    g = dawn(funds={CATS: 8}, payments={CATS: 1}, board={"box": {FOX_POST: 1}})
    assert g.score(OTTER) == 0


@rule("ROOT-RIVER-32")
def test_all_warriors_on_the_board_become_funds():
    more = {"payments": {OWLS: 1, CATS: 1}, "committed": {OTTERS: 2}, "funds": {CATS: 1}}
    g = dawn(
        {"7": {MOUSE_POST: 1}, "8": {FOX_POST: 1}}, spaces={"mouse": {CATS: 1}, "fox": {OWLS: 1}}, **more
    )
    assert boxes(g) == {"funds": {CATS: 3, OTTERS: 2, OWLS: 2}}
    assert spaces(g) == {}


# -- Daylight: funds (ROOT-RIVER-3, ROOT-RIVER-4, ROOT-RIVER-33, ROOT-RIVER-34) -----------------------------------


@rule("ROOT-RIVER-33", "ROOT-RIVER-4")
def test_to_battle_commits_a_fund():
    g = river({"5": {OTTERS: 2, CATS: 1}}, funds={CATS: 1, OWLS: 1})
    g.fight(OTTER, CAT, "5", 1, 0, fund=OWLS)
    assert (g.here("5"), boxes(g)) == ({OTTERS: 2}, {"funds": {CATS: 1}, "committed": {OWLS: 1}})


@rule("ROOT-RIVER-34", "ROOT-RIVER-4", "ROOT-RIVER-39")
def test_to_recruit_spends_one_which_goes_home():
    g = river({"11": {}}, funds={CATS: 2})
    supply = g[CAT].supply[CATS]
    g.play(OTTER, "recruit", clearing="11", fund=CATS)
    assert (g.here("11"), boxes(g), g[CAT].supply[CATS]) == ({OTTERS: 1}, {"funds": {CATS: 1}}, supply + 1)


@rule("ROOT-RIVER-39", "ROOT-RIVER-23")
def test_the_warrior_just_spent_may_be_the_one_that_comes():
    g = river({"5": {OTTERS: 13}}, funds={OTTERS: 1, CATS: 1}, payments={OTTERS: 1})
    assert OTTERS not in g[OTTER].supply
    g.play(OTTER, "recruit", clearing="11", fund=CATS)
    assert g.here("11") == {}
    g.play(OTTER, "recruit", clearing="11", fund=OTTERS)
    assert g.here("11") == {OTTERS: 1}


@refusal("ROOT-RIVER-34")
@pytest.mark.parametrize("clearing", ["1", "3", "12"])
def test_recruits_come_to_the_river_alone(clearing):
    says(river(funds={CATS: 1}).refused(OTTER, "recruit", clearing=clearing, fund=CATS), "ROOT-RIVER-34", "/clearing",
         clearing=clearing)  # fmt: skip


@refusal("ROOT-MARQ-2")
@rule("ROOT-MARQ-3")
def test_nor_to_the_keep():
    g = river({"4": {"keep": 1}}, funds={CATS: 1})
    says(g.refused(OTTER, "recruit", clearing="4", fund=CATS), "ROOT-MARQ-2", "/clearing")


@refusal("ROOT-RIVER-3")
@pytest.mark.parametrize(("box", "fund"), [("payments", OTTERS), ("committed", CATS)])
def test_what_lies_in_another_box_is_no_fund(box, fund):
    g = river({"11": {OTTERS: 2, CATS: 1}, "3": {"roost": 1}}, hand=["anvil"], **{box: {fund: 2}})
    for kind, wire in {
        "move": {"from_": "11", "to": "10", "warriors": 1}, "battle": {"clearing": "11", "defender": CAT},
        "draw": {}, "recruit": {"clearing": "5"},
    }.items():  # fmt: skip
        says(g.refused(OTTER, kind, fund=fund, **wire), "ROOT-RIVER-3", "/fund", fund=fund)
    assert not [o for o in options(g.table, OTTER) if "fund" in o.act.params]


# -- crafting and export (ROOT-RIVER-35, ROOT-RIVER-36) -----------------------------------------------------------


@rule("ROOT-RIVER-35", "ROOT-CRAFT-4", "ROOT-CRAFT-8")
def test_a_card_is_crafted_with_funds_on_spaces_that_posts_have_left():
    g = river({"8": {FOX_POST: 1}}, hand=["anvil"], funds={CATS: 1, OWLS: 1})
    g.play(OTTER, "craft", card="anvil", spaces={"fox": 1}, funds={OWLS: 1})
    assert (spaces(g), boxes(g)) == ({"fox": {OWLS: 1}}, {"funds": {CATS: 1}})
    assert (g[OTTER].items, g.points(OTTER)) == ({"hammer": 1}, [("ROOT-CRAFT-4", 2)])
    assert (hand(g), g.board.discard) == ({}, {"anvil": 1})


@rule("ROOT-RIVER-35", "ROOT-CRAFT-6")
def test_a_lasting_card_goes_from_the_open_hand_to_the_play_area():
    g = river({"7": {MOUSE_POST: 1}}, hand=["codebreakers"], funds={CATS: 1})
    g.play(OTTER, "craft", card="codebreakers", spaces={"mouse": 1}, funds={CATS: 1})
    assert (g[OTTER].crafted, hand(g)) == (["codebreakers"], {})


@rule("ROOT-RIVER-35", "ROOT-RIVER-5")
def test_the_space_of_a_post_that_was_removed_stays_open():
    g = river({}, hand=["anvil"], funds={CATS: 1}, board={"box": {FOX_POST: 1}})
    g.play(OTTER, "craft", card="anvil", spaces={"fox": 1}, funds={CATS: 1})
    assert spaces(g) == {"fox": {CATS: 1}}


@refusal("ROOT-RIVER-35")
def test_covered_and_used_spaces_take_no_fund():
    g = river({"7": {MOUSE_POST: 1}}, hand=["anvil"], funds={CATS: 1})
    found = g.refused(OTTER, "craft", card="anvil", spaces={"fox": 1}, funds={CATS: 1})
    says(found, "ROOT-RIVER-35", "/spaces", suit="fox", left=0)
    used = {"spaces": {"fox": {OWLS: 1}}}
    g = river({"8": {FOX_POST: 1}}, hand=["anvil"], funds={CATS: 1}, **used)
    found = g.refused(OTTER, "craft", card="anvil", spaces={"fox": 1}, funds={CATS: 1})
    says(found, "ROOT-RIVER-35", "/spaces", suit="fox", left=0)
    assert g.options(OTTER, "craft") == g.options(OTTER, "export") == []


@refusal("ROOT-CRAFT-1")
def test_nor_those_of_another_suit():
    g = river({"7": {MOUSE_POST: 1}, "8": {FOX_POST: 1}}, hand=["anvil"], funds={CATS: 2})
    found = g.refused(OTTER, "craft", card="anvil", spaces={"mouse": 1}, funds={CATS: 1})
    says(found, "ROOT-CRAFT-1", "/card", "/spaces", suit="fox", n=1)


@refusal("ROOT-RIVER-35", "ROOT-RIVER-3")
def test_one_fund_for_each_symbol():
    g = river(
        {"8": {FOX_POST: 1}, "12": {FOX_POST: 1}},
        hand=["foxfolk-steel"],
        funds={CATS: 1},
        committed={CATS: 1},
    )
    found = g.refused(OTTER, "craft", card="foxfolk-steel", spaces={"fox": 2}, funds={CATS: 2})
    says(found, "ROOT-RIVER-35", "/card", n=2, held=1)
    assert found["ROOT-RIVER-3"].about == ("/funds",)


@rule("ROOT-RIVER-36")
def test_what_is_exported_gives_a_payment_and_nothing_else():
    g = river({"8": {FOX_POST: 1}}, hand=["anvil"], funds={CATS: 1})
    g.play(OTTER, "export", card="anvil", spaces={"fox": 1}, funds={CATS: 1})
    assert (boxes(g), spaces(g)) == ({"payments": {OTTERS: 1}}, {"fox": {CATS: 1}})
    assert (g[OTTER].items, g.score(OTTER), g.board.items["hammer"]) == ({}, 0, 1)
    assert (hand(g), g.board.discard) == ({}, {"anvil": 1})


@rule("ROOT-RIVER-23", "ROOT-RIVER-36")
def test_without_a_warrior_left_the_export_stands():
    g = river({"8": {FOX_POST: 1}, "5": {OTTERS: 15}}, hand=["anvil"], funds={CATS: 1})
    g.play(OTTER, "export", card="anvil", spaces={"fox": 1}, funds={CATS: 1})
    assert (boxes(g), hand(g)) == ({}, {})


@rule("ROOT-RIVER-36")
@pytest.mark.parametrize(
    ("card", "clause", "suit"),
    [
        pytest.param("anvil", "ROOT-CRAFT-4", "fox", marks=refusal("ROOT-CRAFT-4")),
        pytest.param("codebreakers", "ROOT-CRAFT-6", "mouse", marks=refusal("ROOT-CRAFT-6")),
        pytest.param("ambush-fox", "ROOT-CRAFT-7", "fox", marks=refusal("ROOT-CRAFT-7")),
    ],
)
def test_what_could_not_be_crafted_is_not_exported(card, clause, suit):
    here = {"8": {FOX_POST: 1}, "7": {MOUSE_POST: 1}}
    more = {"owl": {"items": {"hammer": 1}}, "crafted": ["codebreakers"]}
    held = ["anvil", "codebreakers", "ambush-fox"]
    g = river(here, hand=held, funds={CATS: 1}, **more)
    assert clause in g.refused(OTTER, "export", card=card, spaces={suit: 1}, funds={CATS: 1})


# -- trade posts (ROOT-RIVER-37 to -39) ---------------------------------------------------------------------------


@rule("ROOT-RIVER-37", "ROOT-RIVER-38", "ROOT-RIVER-4")
def test_the_example_of_the_playbook_a_fox_post_where_the_marquise_rules():
    """Page 5: two Marquise funds for a fox post and a warrior, and two points."""
    g = river({"8": {CATS: 2}}, funds={CATS: 2, OWLS: 1})
    supply = g[CAT].supply[CATS]
    g.play(OTTER, "establish", clearing="8")
    assert g.here("8") == {CATS: 2, FOX_POST: 1, OTTERS: 1}
    assert g.points(OTTER) == [("ROOT-RIVER-37", 2)]
    assert (boxes(g), g[CAT].supply[CATS]) == ({"funds": {OWLS: 1}}, supply + 2)


@rule("ROOT-RIVER-37", "ROOT-RIVER-39", "ROOT-RIVER-23")
def test_where_they_rule_themselves_it_takes_their_own():
    g = river({"5": {OTTERS: 13}}, funds={OTTERS: 2})
    g.play(OTTER, "establish", clearing="5")
    assert g.here("5") == {OTTERS: 14, RABBIT_POST: 1}
    assert g[OTTER].supply == {OTTERS: 1, FOX_POST: 3, RABBIT_POST: 2, MOUSE_POST: 3}


@rule("ROOT-RIVER-23", "ROOT-RIVER-37")
def test_without_a_warrior_left_the_post_stands_alone():
    g = river({"8": {CATS: 2}, "5": {OTTERS: 15}}, funds={CATS: 2}).play(OTTER, "establish", clearing="8")
    assert g.here("8") == {CATS: 2, FOX_POST: 1}


@refusal("ROOT-RIVER-37")
def test_with_funds_of_others_than_the_ruler_or_with_one_nothing_is_established():
    g = river({"8": {CATS: 2}}, funds={OWLS: 3, OTTERS: 3})
    says(g.refused(OTTER, "establish", clearing="8"), "ROOT-RIVER-37", "/clearing", ruler=CAT, n=2, held=0)
    g = river({"8": {CATS: 2}}, funds={CATS: 1, OWLS: 1}, committed={CATS: 5})
    says(g.refused(OTTER, "establish", clearing="8"), "ROOT-RIVER-37", "/clearing", ruler=CAT, n=2, held=1)


@refusal("ROOT-RIVER-37")
@pytest.mark.parametrize("here", [{}, {CATS: 2, OTTERS: 2}])
def test_nor_where_nobody_rules(here):
    g = river({"8": here}, funds={CATS: 2, OTTERS: 2})
    says(g.refused(OTTER, "establish", clearing="8"), "ROOT-RIVER-37", "/clearing", unruled="8")


@refusal("ROOT-RIVER-5")
def test_nor_where_a_post_stands():
    g = river({"8": {CATS: 2, FOX_POST: 1}}, funds={CATS: 2})
    says(g.refused(OTTER, "establish", clearing="8"), "ROOT-RIVER-5", "/clearing", clearing="8")


@refusal("ROOT-RIVER-5")
@rule("ROOT-COMP-4")
def test_removed_posts_are_not_built_again():
    """Three fox posts were placed: two are gone, one stands."""
    g = river({"8": {CATS: 2}, "12": {FOX_POST: 1}}, funds={CATS: 2}, board={"box": {FOX_POST: 2}})
    says(g.refused(OTTER, "establish", clearing="8"), "ROOT-RIVER-5", "/clearing", post=FOX_POST)


@refusal("ROOT-MARQ-2")
@rule("ROOT-MARQ-3")
def test_nor_at_the_keep():
    g = river({"1": {CATS: 2, "keep": 1}}, funds={CATS: 2})
    says(g.refused(OTTER, "establish", clearing="1"), "ROOT-MARQ-2", "/clearing")


@refusal("ROOT-MOVE-7")
def test_nothing_comes_to_scorched_earth():
    tod = {
        "faction": "vagabond",
        "character": "scoundrel",
        "own": {"satchel-up": ["boots", "boots", "crossbow"]},
    }
    more = {"others": {TOD: tod}, "board": {"scorched": ["11"]}}
    g = river({"10": {OTTERS: 2}}, funds={OTTERS: 2}, **more)
    says(g.refused(OTTER, "recruit", clearing="11", fund=OTTERS), "ROOT-MOVE-7", "/clearing")
    says(g.refused(OTTER, "establish", clearing="11"), "ROOT-MOVE-7", "/clearing")
    found = g.refused(OTTER, "move", from_="10", to="11", warriors=1, fund=OTTERS)
    says(found, "ROOT-MOVE-7", "/to")


@rule("ROOT-RIVER-37")
def test_every_space_scores_two():
    g = river({"8": {CATS: 2}, "12": {CATS: 2}, "6": {CATS: 2}}, funds={CATS: 6})
    for n, clearing in enumerate(("8", "12", "6"), 1):
        assert g.play(OTTER, "establish", clearing=clearing).score(OTTER) == 2 * n


# -- Trade Disruption (ROOT-RIVER-6) ------------------------------------------------------------------------------


def stormed(**otter):
    """The Marquise removes the post in clearing 8."""
    return river({"8": {CATS: 2, FOX_POST: 1}}, turn=CAT, **otter).fight(CAT, OTTER, "8", 1, 0)


@rule("ROOT-RIVER-6", "ROOT-DEC-24", "ROOT-R-RIVER-3", "ROOT-COMP-4", "ROOT-BATTLE-22", "ROOT-BATTLE-20")
def test_with_the_post_half_of_the_funds_go_rounded_up():
    g = stormed(funds={CATS: 2, OWLS: 3}, payments={OWLS: 2}, committed={CATS: 2})
    assert (g.asked, g.top.due) == ((OTTER,), 3)
    assert (g.here("8"), g.board.box, g.score(CAT)) == ({CATS: 2}, {FOX_POST: 1, "keep": 1}, 1)
    g.play(OTTER, "trade-disruption", funds={OWLS: 2, CATS: 1})
    assert boxes(g) == {"funds": {CATS: 1, OWLS: 1}, "payments": {OWLS: 2}, "committed": {CATS: 2}}


@refusal("ROOT-RIVER-6")
@pytest.mark.parametrize("funds", [{OWLS: 2}, {OWLS: 3, CATS: 1}, {OWLS: 1, CATS: 2, OTTERS: 1}, {}])
def test_no_more_and_no_fewer(funds):
    g = stormed(funds={CATS: 2, OWLS: 3})
    says(g.refused(OTTER, "trade-disruption", funds=funds), "ROOT-RIVER-6", "/funds")


@rule("ROOT-RIVER-6", "ROOT-TURN-7")
@pytest.mark.parametrize(("before", "after"), [({OWLS: 5}, {OWLS: 2}), ({OWLS: 1}, {}), ({}, {})])
def test_without_a_choice_they_go_at_once(before, after):
    g = stormed(funds=before)
    assert boxes(g) == ({"funds": after} if after else {})
    assert "ROOT-RIVER-6" in g.because("trade-disruption")
    assert g.asked == (CAT,)


@rule("ROOT-RIVER-6", "ROOT-FX-12")
def test_a_favor_disrupts_once_for_each_post():
    here = {"8": {FOX_POST: 1, "workshop": 2}, "12": {FOX_POST: 1, "workshop": 1}}
    g = river(here, turn=CAT, cat={"hand": ["favor-of-the-foxes"]}, funds={OWLS: 5, OTTERS: 2})
    g.play(CAT, "craft", card="favor-of-the-foxes", pieces={"fox": 3})
    assert (g.asked, g.top.due) == ((OTTER,), 4)
    g.play(OTTER, "trade-disruption", funds={OWLS: 4})
    assert g.top.due == 2
    g.play(OTTER, "trade-disruption", funds={OTTERS: 2})
    assert (boxes(g), g.score(CAT)) == ({"funds": {OWLS: 1}}, 2)


@rule("ROOT-BATTLE-25", "ROOT-RIVER-6", "ROOT-MARQ-5")
def test_the_turn_players_hospitals_come_before_trade_disruption():
    here = {"8": {CATS: 2, FOX_POST: 1, OTTERS: 1}, "1": {"keep": 1}}
    g = river(here, turn=CAT, cat={"hand": ["anvil"]}, funds={OWLS: 1, CATS: 1, OTTERS: 1})
    g.play(CAT, "battle", clearing="8", defender=OTTER).roll(2, 1)
    assert g.kinds[0] == "field-hospitals"
    g.play(CAT, "pass")
    assert (g.asked, g.kinds) == ((OTTER,), ("trade-disruption",))


# -- Evening (ROOT-RIVER-40) --------------------------------------------------------------------------------------


def dusk(**otter):
    return river({}, at="evening", **otter)


@rule("ROOT-RIVER-40", "ROOT-CARD-8")
def test_they_draw_nothing_and_discard_down_to_five():
    held = ["anvil", "bake-sale", "cobbler", "sappers", "armorers", "investments"]
    g = dusk(hand=held)
    assert (g.asked, g.kinds) == ((OTTER,), ("discard",))
    g.play(OTTER, "discard", cards={"anvil": 1})
    assert (sum(hand(g).values()), g.board.discard, g.kinds) == (5, {"anvil": 1}, ("set-prices", "pass"))


@rule("ROOT-RIVER-40", "ROOT-DEC-25")
def test_then_they_may_set_new_prices():
    g = dusk(prices=(2, 2, 2))
    assert isinstance(g.top, RiverfolkEvening)
    g.play(OTTER, "set-prices", prices={"hand-card": 4, "riverboats": 2, "mercenaries": 1})
    assert g[OTTER].riverfolk.prices == {"hand-card": 4, "riverboats": 2, "mercenaries": 1}
    assert g.because("set") == ["ROOT-RIVER-40", "ROOT-RIVER-40"]
    assert g.frame(Turn).seat == CAT


@rule("ROOT-RIVER-40", "ROOT-DEC-25")
def test_or_leave_them():
    g = dusk(prices=(1, 2, 3)).play(OTTER, "pass")
    assert g[OTTER].riverfolk.prices == {"hand-card": 1, "riverboats": 2, "mercenaries": 3}


@refusal("ROOT-RIVER-40")
def test_at_no_other_time():
    found = river(funds={CATS: 1}).refused(OTTER, "set-prices", prices=PRICES)
    assert found["ROOT-RIVER-40"].reason == "broken-rule"
    assert "ROOT-RIVER-40" in river({}, turn=CAT).refused(OTTER, "set-prices", prices=PRICES)


@refusal("ROOT-RIVER-33", "ROOT-RIVER-36", "ROOT-RIVER-37")
def test_what_is_for_daylight_is_for_daylight():
    """In the Evening funds do nothing, and cards are not exported."""
    g = dusk(hand=["anvil"], funds={CATS: 3})
    assert "ROOT-RIVER-33" in g.refused(OTTER, "draw", fund=CATS)
    assert "ROOT-RIVER-36" in g.refused(OTTER, "export", card="anvil", spaces={"fox": 1}, funds={CATS: 1})
    assert "ROOT-RIVER-37" in g.refused(OTTER, "establish", clearing="8")


@rule("ROOT-RIVER-33")
def test_their_daylight_shows_what_can_be_done():
    g = river({"11": {OTTERS: 2}}, funds={CATS: 1})
    (found,) = [d for d in decisions(g.table) if "establish" in d.kinds]
    assert (found.actor, found.because) == (OTTER, "ROOT-RIVER-33")
    assert g.options(OTTER, "draw") == [{"kind": "draw", "actor": OTTER, "fund": CATS}]


# -- the order in which a state is written ------------------------------------------------------------------------


def turned(value):
    """The same JSON with the keys of every object the other way round."""
    if isinstance(value, dict):
        return {k: turned(v) for k, v in reversed(value.items())}
    return [turned(v) for v in value] if isinstance(value, list) else value


@rule("ROOT-RIVER-3", "ROOT-RIVER-32")
def test_funds_and_spaces_come_in_an_order_of_their_own():
    lying = {"fox": {OWLS: 1}, "rabbit": {CATS: 1}, "mouse": {OTTERS: 1}}
    map = {"7": {MOUSE_POST: 1, OTTERS: 2}, "5": {RABBIT_POST: 1}, "8": {FOX_POST: 1}}
    g = river(map, funds={CATS: 1, OWLS: 1, OTTERS: 1}, spaces=lying)
    told = []
    for state in (g.state, RULES.decode(json.dumps(turned(json.loads(encode(g.state)))))):
        listed = [o.act.to_wire() for o in options(Table(RULES, state))]
        t = Table(RULES, state).fork()
        gather(t, RiverfolkBirdsong(seat=OTTER))
        told.append((listed, [e.facts["source"] for e in t.events]))
    assert told[0] == told[1]
    assert len(told[0][1]) == 3
