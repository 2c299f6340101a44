"""Chapter 18, services: who buys what, when, how many, and how each faction pays (ROOT-RIVER-10 to ROOT-RIVER-16)."""

import pytest

from service.engine.flow import decisions
from service.engine.view import view
from service.games.root.v1.riverfolk import HAND_CARD, MERCENARIES, RIVERBOATS
from service.games.root.v1.state import Turn
from tests.games.root.river import (
    ALLIES,
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
)
from tests.games.root.table import CAT, OWL, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

S = "sympathy"
BUYING = ("buy-card", "buy-riverboats", "hire-mercenaries", "better-burrow-bank", "pass")


def shop(map=None, turn=CAT, **more):
    """The start of somebody's Birdsong; a card is for sale, and everything costs 2 unless a test says otherwise."""
    return river(map, turn=turn, at="turn", **{"hand": ["anvil"], **more})


def vagabond(*items, **held):
    return {TOD: {"faction": "vagabond", "pawn": "5", "own": {"satchel-up": list(items)}, **held}}


# -- the three services -------------------------------------------------------------------------------------------


@rule("ROOT-RIVER-10", "ROOT-RIVER-12", "ROOT-RIVER-15", "ROOT-DEC-23", "ROOT-TURN-1")
def test_a_card_of_the_open_hand_for_warriors_of_the_supply():
    g = shop(hand=["anvil", "sappers"], prices=(3, 1, 1))
    assert (g.asked, g.kinds) == ((CAT,), BUYING)
    supply = g[CAT].supply[CATS]
    g.play(CAT, "buy-card", card="sappers")
    assert (g[CAT].hand, hand(g)) == ({"sappers": 1}, {"anvil": 1})
    assert (g[CAT].supply[CATS], boxes(g)) == (supply - 3, {"payments": {CATS: 3}})


@rule("ROOT-INFO-10", "ROOT-RIVER-15", "ROOT-INFO-3")
def test_everyone_sees_which_card_was_bought():
    g = shop(hand=["anvil"]).play(CAT, "buy-card", card="anvil")
    (bought,) = [e for e in g.events if e.because == "ROOT-RIVER-15"]
    assert bought.seen_by(None)["what"] == {"anvil": 1}
    assert view(g.state, OWL)["table"]["seats"][CAT]["hand"] == 1


@rule("ROOT-RIVER-16", "ROOT-MAP-3")
def test_riverboats_make_the_river_a_path_until_the_end_of_the_turn():
    g = shop({"7": {CATS: 3}}).play(CAT, "buy-riverboats")
    g.play(CAT, "march").play(CAT, "move", from_="7", to="4", warriors=1)
    assert g.here("4") == {CATS: 1}
    g.play(CAT, "stop").play(CAT, "end-phase").draw_any()
    assert g.frame(Turn).services == []


@refusal("ROOT-MOVE-2")
@rule("ROOT-RIVER-16", "ROOT-MOVE-3")
def test_but_with_them_one_still_has_to_rule():
    g = (
        shop({"7": {CATS: 1, OWLS: 2}, "4": {OWLS: 2}, "9": {CATS: 2}})
        .play(CAT, "buy-riverboats")
        .play(CAT, "march")
    )
    says(g.refused(CAT, "move", from_="7", to="4", warriors=1), "ROOT-MOVE-2", "/from", "/to")


@refusal("ROOT-MAP-2")
@rule("ROOT-RIVER-16")
def test_only_the_buyer_has_boats():
    """The Alliance buys some in its turn; in the next one they are gone."""
    more = {"others": {ALLY: {"faction": "alliance"}}, "board": {"order": [ALLY, CAT, OWL, OTTER]}}
    g = shop({"7": {CATS: 3}}, ALLY, **more).play(ALLY, "buy-riverboats")
    g.play(ALLY, "end-phase").play(ALLY, "end-phase").draw_any()
    g.play(CAT, "pass").play(CAT, "march")
    says(g.refused(CAT, "move", from_="7", to="4", warriors=1), "ROOT-MAP-2", "/from", "/to")


@rule("ROOT-RIVER-12", "ROOT-RIVER-17", "ROOT-RIVER-11", "ROOT-EYRIE-11", "ROOT-RULE-7")
def test_the_example_of_the_playbook_the_eyrie_hire_mercenaries_and_build():
    """Page 4: with pieces at a trade post up to two services; mercenaries cost 3, and rule the rabbit clearing."""
    here = {"5": {RABBIT_POST: 1, OTTERS: 2, OWLS: 1, CATS: 2}, "3": {"roost": 1, OWLS: 2}}
    owl = {"hand": ["bake-sale"], "leader": "despot"}
    g = shop(here, OWL, owl=owl, prices=(2, 2, 3))
    assert g.ruler("5") is None
    g.play(OWL, "hire-mercenaries")
    assert (boxes(g), g.kinds[0]) == ({"payments": {OWLS: 3}}, "buy-card")  # one more can be bought
    g.play(OWL, "pass").play(OWL, "add-to-decree", card="bake-sale", column="build")
    while g.asked == (OWL,) and "pass" in g.kinds:
        g.play(OWL, "pass")
    assert g.ruler("5") == OWL
    g.play(OWL, "resolve-decree").play(OWL, "decree-move", card="vizier", from_="3", to="11", warriors=1)
    g.play(OWL, "decree-build", card="bake-sale", clearing="5")
    assert g.here("5")["roost"] == 1


# -- how many (ROOT-RIVER-11) -------------------------------------------------------------------------------------


@refusal("ROOT-RIVER-10", "ROOT-RIVER-11")
def test_one_service_without_a_trade_post():
    here = {"8": {CATS: 1}, "7": {MOUSE_POST: 1}}
    g = shop(here, hand=["anvil", "sappers"]).play(CAT, "buy-card", card="anvil")
    assert g.kinds != BUYING
    for kind, wire in {"buy-card": {"card": "sappers"}, "buy-riverboats": {}, "hire-mercenaries": {}}.items():
        found = g.refused(CAT, kind, **wire)
        assert {"ROOT-RIVER-10", "ROOT-RIVER-11"} <= found.keys(), (
            "her Birdsong is over, and she has bought one"
        )


@rule("ROOT-RIVER-11", "ROOT-RIVER-15")
@pytest.mark.parametrize(
    ("here", "n"),
    [
        ({"8": {CATS: 1, FOX_POST: 1}}, 2),
        ({"8": {"sawmill": 1, FOX_POST: 1}, "12": {"wood": 1, FOX_POST: 1}}, 3),
        ({"8": {CATS: 1}, "12": {FOX_POST: 1}, "7": {OWLS: 2, MOUSE_POST: 1}}, 1),
    ],
)
def test_one_more_for_each_post_with_a_piece_of_the_buyer(here, n):
    g = shop(here, hand=["anvil", "sappers", "armorers", "cobbler"], prices=(1, 4, 4))
    cards = ("anvil", "sappers", "armorers", "cobbler")
    for card in cards[:n]:
        g.play(CAT, "buy-card", card=card)
    assert sum(g[CAT].hand.values()) == n
    assert g.kinds != BUYING


# -- paying (ROOT-RIVER-12, ROOT-RIVER-13) ------------------------------------------------------------------------


@refusal("ROOT-RIVER-12")
@rule("ROOT-COMP-7")
def test_warriors_on_the_map_or_on_boards_are_no_money():
    """One warrior is left in the supply: riverboats can be paid, nothing else."""
    g = shop({"8": {CATS: 20}}, funds={CATS: 4}, prices=(2, 1, 3))
    says(g.refused(CAT, "hire-mercenaries"), "ROOT-RIVER-12", "/kind", price=3, held=1)
    says(g.refused(CAT, "buy-card", card="anvil"), "ROOT-RIVER-12", "/kind", price=2, held=1)
    g.play(CAT, "buy-riverboats")
    assert CATS not in g[CAT].supply


@rule("ROOT-RIVER-12", "ROOT-TURN-7")
def test_who_can_pay_for_nothing_is_not_asked():
    assert shop({"8": {CATS: 24}}).kinds != BUYING
    assert shop(hand=[], prices=(1, 4, 4), map={"8": {CATS: 22}}).kinds != BUYING


@rule("ROOT-RIVER-12")
def test_every_faction_with_warriors_pays_with_them():
    g = shop(turn=ALLY, others={ALLY: {"faction": "alliance", "officers": 2}}, prices=(4, 4, 4))
    g.play(ALLY, "buy-card", card="anvil")
    assert (boxes(g), g[ALLY].supply[ALLIES]) == ({"payments": {ALLIES: 4}}, 10 - 2 - 4)


@rule("ROOT-RIVER-13", "ROOT-DEC-23")
def test_a_vagabond_exhausts_an_item_for_each_point():
    g = shop(turn=TOD, others=vagabond("torch", "boots", "sword"), prices=(2, 4, 1))
    assert (g.asked, g.kinds) == ((TOD,), ("buy-card", "buy-riverboats", "better-burrow-bank", "pass"))
    g.play(TOD, "buy-card", card="anvil", items={"boots": 1, "sword": 1})
    assert g[TOD].hand == {"anvil": 1}
    assert boxes(g) == {"payments": {OTTERS: 2}}


@rule("ROOT-RIVER-13", "ROOT-RIVER-23")
def test_the_riverfolk_put_in_as_many_as_they_have():
    here = {"5": {OTTERS: 14}}
    g = shop(here, TOD, others=vagabond("torch", "boots", "sword", "sword"), prices=(3, 4, 4))
    g.play(TOD, "buy-card", card="anvil", items={"boots": 1, "sword": 2})
    assert boxes(g) == {"payments": {OTTERS: 1}}


@refusal("ROOT-RIVER-13")
@pytest.mark.parametrize(
    "items", [{"boots": 1}, {"boots": 1, "sword": 1, "torch": 1}, {"hammer": 2}, {"boots": 2}]
)
def test_as_many_items_as_it_costs_and_of_those_he_has(items):
    g = shop(turn=TOD, others=vagabond("torch", "boots", "sword"))
    says(g.refused(TOD, "buy-card", card="anvil", items=items), "ROOT-RIVER-13", "/items")


@refusal("ROOT-RIVER-13")
def test_exhausted_and_damaged_items_pay_nothing():
    own = {"satchel-up": ["torch"], "satchel-down": ["boots", "tea"], "damaged-up": ["sword"]}
    g = shop(turn=TOD, others={TOD: {"faction": "vagabond", "own": own}}, prices=(2, 1, 1))
    says(g.refused(TOD, "buy-card", card="anvil", items={"torch": 1, "sword": 1}), "ROOT-RIVER-13", "/kind",
         price=2, held=1)  # fmt: skip


@rule("ROOT-RIVER-16", "ROOT-VAG-11", "ROOT-VAG-21")
def test_a_vagabond_goes_by_boat_and_slips_by_boat():
    own = vagabond("torch", "boots", "boots", "boots", "sword", "sword")
    g = shop({}, TOD, others=own, prices=(4, 1, 4))
    g.play(TOD, "buy-riverboats", items={"sword": 1})
    g.play(TOD, "slip", to="10")
    g.play(TOD, "move", to="11").play(TOD, "move", to="7")
    assert g[TOD].vagabond.pawn == "7"


@refusal("ROOT-RIVER-17")
def test_a_vagabond_cannot_hire_mercenaries():
    g = shop(turn=TOD, others=vagabond("torch", "boots", "sword"), prices=(1, 1, 1))
    assert "ROOT-RIVER-17" in g.refused(TOD, "hire-mercenaries")


# -- when, and from whom (ROOT-RIVER-10, ROOT-RIVER-14) -----------------------------------------------------------


@refusal("ROOT-RIVER-10")
@pytest.mark.parametrize("at", ["daylight", "evening"])
def test_only_at_the_start_of_ones_own_birdsong(at):
    g = river({"5": {CATS: 2}}, turn=CAT, at=at, hand=["anvil"], cat={"crafted": ["cobbler"]})
    assert "ROOT-RIVER-10" in g.refused(CAT, "buy-card", card="anvil")
    assert "ROOT-RIVER-10" in g.refused(CAT, "hire-mercenaries")


@refusal("ROOT-RIVER-10")
def test_nor_once_its_start_is_over():
    g = shop({"3": {}}, OWL, owl={"hand": ["anvil"]}, hand=["sappers"]).play(OWL, "pass")
    assert "ROOT-RIVER-10" in g.refused(OWL, "buy-card", card="sappers")


@refusal("ROOT-RIVER-10")
@rule("ROOT-RIVER-10")
def test_the_riverfolk_buy_nothing_from_themselves():
    g = shop(turn=OTTER, funds={OTTERS: 2})
    assert g.kinds[0] == "move"
    assert "ROOT-RIVER-10" in g.refused(OTTER, "buy-card", card="anvil")


@refusal("ROOT-RIVER-20")
@pytest.mark.parametrize(
    ("kind", "service"), [("buy-riverboats", RIVERBOATS), ("hire-mercenaries", MERCENARIES)]
)
def test_what_lasts_for_the_turn_is_bought_once(kind, service):
    g = shop({"8": {CATS: 1, FOX_POST: 1}, "7": {CATS: 1, MOUSE_POST: 1}}).play(CAT, kind)
    says(g.refused(CAT, kind), "ROOT-RIVER-20", "/kind", service=service)


@rule("ROOT-RIVER-14", "ROOT-RIVER-10", "ROOT-GEN-7")
def test_nobody_asks_the_riverfolk():
    g = shop()
    assert [d.actor for d in decisions(g.table)] == [CAT]
    assert g.play(CAT, "buy-card", card="anvil").asked == (CAT,)


@rule("ROOT-TURN-10")
def test_what_was_not_bought_is_lost_for_the_turn():
    g = shop({"8": {CATS: 1}}).play(CAT, "pass")
    assert (g.frame(Turn).services, "buy-card" in g.kinds) == ([], False)


# -- services and the bank (ROOT-X-14) ----------------------------------------------------------------------------

BANK = {"crafted": ["better-burrow-bank"]}


@rule("ROOT-X-14", "ROOT-GEN-3", "ROOT-FX-8", "ROOT-TURN-1")
def test_the_bank_first_and_then_the_card_that_it_brought():
    g = shop(hand=[], cat=BANK, prices=(1, 4, 4)).play(CAT, "better-burrow-bank", player=OTTER)
    g.draw("cobbler", "sappers")
    assert (hand(g), g.kinds) == ({"sappers": 1}, BUYING)
    g.play(CAT, "buy-card", card="sappers")
    assert g[CAT].hand == {"cobbler": 1, "sappers": 1}


@rule("ROOT-X-14", "ROOT-GEN-3", "ROOT-FX-8")
def test_or_the_services_first():
    g = shop(hand=["anvil"], cat=BANK).play(CAT, "buy-card", card="anvil")
    assert g.kinds == ("better-burrow-bank",)
    g.play(CAT, "better-burrow-bank", player=OWL).draw("cobbler", "sappers")
    assert (g[CAT].hand, g[OWL].hand) == ({"anvil": 1, "cobbler": 1}, {"sappers": 1})


@rule("ROOT-X-14", "ROOT-FX-8")
def test_who_buys_nothing_has_to_use_the_bank_all_the_same():
    assert shop(cat=BANK).play(CAT, "pass").kinds == ("better-burrow-bank",)


@refusal("ROOT-FX-8")
def test_who_has_no_bank_cannot_use_it():
    says(
        shop().refused(CAT, "better-burrow-bank", player=OWL), "ROOT-FX-8", "/kind", card="better-burrow-bank"
    )


# -- Riverboats and other rules (ROOT-X-7, ROOT-X-13) -------------------------------------------------------------


@rule("ROOT-X-13", "ROOT-R-RIVER-1", "ROOT-WA-17")
def test_with_boats_sympathy_spreads_along_the_river():
    ally = {ALLY: {"faction": "alliance", "supporters": ["sword-mouse", "investments"]}}
    g = shop({"4": {S: 1}}, ALLY, others=ally)
    bare = g.fork().play(ALLY, "pass")
    says(bare.refused(ALLY, "spread", clearing="7", supporters={"investments": 1}), "ROOT-WA-17", "/clearing",
         clearing="7")  # fmt: skip
    g.play(ALLY, "buy-riverboats").play(ALLY, "spread", clearing="7", supporters={"investments": 1})
    assert S in g.here("7")


@rule("ROOT-X-13", "ROOT-R-RIVER-1", "ROOT-MARQ-17")
def test_with_boats_wood_comes_by_the_river():
    here = {"4": {CATS: 2, "wood": 1}, "7": {CATS: 2}, "1": {"sawmill": 1}}
    order = {"type": "sawmill", "clearing": "7", "wood": {"4": 1}}
    g = shop(here)
    assert "ROOT-MARQ-16" in g.fork().play(CAT, "pass").refused(CAT, "build", **order)
    g.play(CAT, "buy-riverboats").play(CAT, "build", **order)
    assert g.here("7") == {CATS: 2, "sawmill": 1}


@rule("ROOT-X-7", "ROOT-MOVE-6", "ROOT-WA-10")
def test_who_comes_by_river_causes_outrage():
    ally = {ALLY: {"faction": "alliance"}}
    g = shop({"7": {CATS: 3}, "4": {S: 1}}, others=ally, cat={"hand": ["bake-sale"]}).play(
        CAT, "buy-riverboats"
    )
    g.play(CAT, "march").play(CAT, "move", from_="7", to="4", warriors=1)
    assert (g.asked, g.kinds) == ((CAT,), ("pay-outrage", "show-hand"))


# -- what the others see ------------------------------------------------------------------------------------------


@rule("ROOT-INFO-1", "ROOT-RIVER-3")
def test_boxes_prices_and_what_was_bought_are_seen_by_all():
    g = shop({"8": {CATS: 1, FOX_POST: 1}}, prices=(1, 2, 3)).play(CAT, "buy-card", card="anvil")
    seen = view(g.state, None)
    assert seen["table"]["seats"][OTTER]["riverfolk"]["payments"] == {CATS: 1}
    assert seen["table"]["seats"][OTTER]["riverfolk"]["prices"] == {
        HAND_CARD: 1,
        RIVERBOATS: 2,
        MERCENARIES: 3,
    }
    assert seen["stack"][1]["services"] == [HAND_CARD]


# -- somebody else's purchase -------------------------------------------------------------------------------------


@refusal("ROOT-TURN-8")
def test_somebody_elses_purchase_is_looked_at_as_he_would_pay():
    """Who pays with warriors names no items, whoever is asked."""
    rogue = {"faction": "vagabond", "pawn": "8", "own": {"satchel-up": ["sword"]}}
    g = river(turn=TOD, at="turn", others={TOD: rogue}, hand=["anvil"], prices=(1, 1, 1))
    assert g.refused(CAT, "buy-card", card="anvil").keys() == {"ROOT-TURN-8"}
    assert "ROOT-RIVER-13" not in g.refused(OTTER, "buy-riverboats")
    g = river(turn=CAT, at="turn", others={TOD: rogue}, hand=["anvil"], prices=(1, 1, 1))
    assert "ROOT-TURN-6" not in g.refused(TOD, "buy-card", card="anvil", items={"sword": 1})
