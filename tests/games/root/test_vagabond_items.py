"""Chapter 16, items: places, faces, tracks, damage, repair, refreshing, the limit."""

import pytest

from service.engine.windows import decisions
from service.games.root.v1 import RULES
from tests.games.root.river import river
from tests.games.root.rogue import CATS, FOX, fought, items, pawn, rogue, up
from tests.games.root.table import CAT, OWL, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal
DUG = {"ruins": ["6", "10", "11"]}  # a ruin has been explored


# -- exhausting ---------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-1", "ROOT-VAG-21")
def test_an_item_is_exhausted_where_it_lies():
    g = rogue(pawn="1").play(FOX, "move", to="5")
    assert items(g) == {
        "track": {"tea": 1},
        "satchel-up": {"sword": 1, "torch": 1},
        "satchel-down": {"boots": 1},
    }


@rule("ROOT-VAG-1")
@refusal("ROOT-VAG-1")
@pytest.mark.parametrize("spot", ["satchel-down", "damaged-up", "damaged-down"])
def test_what_is_exhausted_or_damaged_cannot_be_used(spot):
    g = rogue({"1": {CATS: 1}}, items={spot: ["boots", "torch", "sword", "tea"]})
    says(g.refused(FOX, "move", to="5"), "ROOT-VAG-1", "/kind", item="boots", ready=0, n=1)
    says(g.refused(FOX, "battle", defender=CAT), "ROOT-VAG-1", "/kind", item="sword")
    assert "ROOT-VAG-1" in g.refused(FOX, "explore")
    assert "ROOT-VAG-1" in g.refused(FOX, "steal", player=CAT)


@rule("ROOT-VAG-3")
def test_an_exhausted_track_item_goes_to_the_satchel():
    g = rogue({"1": {CATS: 1}}, hand=["foxfolk-steel"]).play(
        FOX, "aid", player=CAT, card="foxfolk-steel", item="tea"
    )
    assert items(g)["satchel-down"] == {"tea": 1}
    assert "track" not in items(g)


@rule("ROOT-DEC-31", "ROOT-VAG-3")
def test_of_alike_items_those_on_a_track_are_exhausted_last():
    g = rogue({"1": {CATS: 1}}, hand=["foxfolk-steel"], items={"track": ["tea"], "satchel-up": ["tea"]}).play(
        FOX, "aid", player=CAT, card="foxfolk-steel", item="tea"
    )
    assert items(g) == {"track": {"tea": 1}, "satchel-down": {"tea": 1}}


# -- tracks -------------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-2", "ROOT-CRAFT-4")
@pytest.mark.parametrize(("held", "spot"), [(0, "track"), (2, "track"), (3, "satchel-up")])
def test_a_track_holds_three(held, spot):
    track = {"track": {"bag": held}} if held else {}
    g = rogue(
        pawn="2", hand=["birdy-bindle"], items={**track, "satchel-up": ["hammer"]}, character="tinker",
        buried=["boots", "hammer", "sword"], **DUG,
    )  # fmt: skip
    g.play(FOX, "craft", card="birdy-bindle")
    assert items(g)[spot]["bag"] == (1 if spot == "satchel-up" else held + 1)


@rule("ROOT-VAG-2")
def test_what_has_no_track_goes_to_the_satchel():
    g = rogue({"1": {CATS: 1}}, hand=["foxfolk-steel"], cat={"items": ["boots"]}).play(
        FOX, "aid", player=CAT, card="foxfolk-steel", item="torch"
    )
    g.play(FOX, "take-item", item="boots")
    assert items(g)["satchel-up"] == {"boots": 2, "sword": 1}


@rule("ROOT-VAG-3", "ROOT-DEC-19")
def test_items_go_to_and_fro_between_track_and_satchel():
    g = rogue().play(FOX, "arrange-items", items={"track-tea": 1}, to="satchel-up")
    assert items(g)["satchel-up"] == {"boots": 1, "sword": 1, "tea": 1, "torch": 1}
    g.play(FOX, "arrange-items", items={"satchel-up-tea": 1}, to="track")
    assert items(g)["track"] == {"tea": 1}


@refusal("ROOT-VAG-3")
def test_only_face_up_undamaged_tea_coins_and_bags_do():
    g = rogue(
        items={"track": ["tea"], "satchel-up": ["sword"], "satchel-down": ["tea"], "damaged-up": ["bag"]}
    )
    for ref in ("satchel-up-sword", "satchel-down-tea", "damaged-up-bag"):
        assert "ROOT-VAG-3" in g.refused(FOX, "arrange-items", items={ref: 1}, to="track")
    says(
        g.refused(FOX, "arrange-items", items={"track-tea": 1}, to="track"),
        "ROOT-VAG-3",
        "/to",
        "/items",
        to="track",
    )


@refusal("ROOT-VAG-2")
def test_no_fourth_on_a_track():
    g = rogue(
        items={"track": {"bag": 3}, "satchel-up": ["bag"]},
        character="tinker",
        buried=["boots", "hammer", "sword"],
        **DUG,
    )
    found = g.refused(FOX, "arrange-items", items={"satchel-up-bag": 1}, to="track")
    says(found, "ROOT-VAG-2", "/to", "/items", item="bag", room=0)


COIN = {"satchel-up": ["coin"]}
EXHAUSTED = {"satchel-up": ["coin"], "satchel-down": ["boots", "torch", "tea", "sword", "crossbow"]}
CLAIM = {"crafted": ["royal-claim"], "items": COIN}
HAND = ["armorers", "cobbler", "sappers", "codebreakers", "bake-sale"]


def shopping():
    tod = {"faction": "vagabond", "pawn": "5", "own": {"satchel-up": ["coin", "boots"]}}
    return river(turn=FOX, at="turn", hand=["anvil"], others={FOX: tod}, prices=(1, 1, 1))


# Every window of his own turn in which he is not in the midst of anything, by what it asks for first.
OWN_WINDOWS = {
    "buy-card": shopping,
    "better-burrow-bank": lambda: rogue(at="turn", crafted=["better-burrow-bank"], items=COIN),
    "end-phase (before)": lambda: rogue(at="turn", **CLAIM),
    "refresh": lambda: rogue(at="turn", items=EXHAUSTED),
    "slip": lambda: rogue(at="turn", items=COIN),
    "end-phase (after)": lambda: rogue(at="turn", **CLAIM).play(FOX, "end-phase").play(FOX, "pass"),
    "command-warren": lambda: rogue({"1": {CATS: 1}}, crafted=["command-warren"], items=up("coin", "sword")),
    "move": lambda: rogue(items=COIN),
    "cobbler": lambda: rogue(at="evening", crafted=["cobbler"], items=COIN),
    "discard": lambda: rogue(at="evening", hand=HAND, items=COIN).draw("anvil"),
    "discard-items": lambda: rogue(at="evening", items=up("coin", *SEVEN)).draw("anvil"),
}


@rule("ROOT-DEC-19", "ROOT-VAG-3")
@pytest.mark.parametrize("window", OWN_WINDOWS)
def test_items_are_arranged_at_any_time_in_ones_own_turn(window):
    g = OWN_WINDOWS[window]()
    asked, kinds = g.asked, g.kinds
    assert kinds[0] == window.split()[0]
    assert [(d.actor, d.because) for d in decisions(g.table) if "arrange-items" in d.kinds] == [
        (FOX, "ROOT-DEC-19")
    ]
    assert {o["to"] for o in g.options(FOX, "arrange-items")} == {"track"}
    g.play(FOX, "arrange-items", items={"satchel-up-coin": 1}, to="track")
    assert items(g)["track"] == {"coin": 1}
    g.play(FOX, "arrange-items", items={"track-coin": 1}, to="satchel-up")
    assert (g.asked, g.kinds) == (asked, kinds)


@refusal("ROOT-TURN-6")
def test_nothing_that_is_in_progress_is_interrupted_by_arranging():
    g = rogue({"1": {CATS: 1}}, items=up("coin", "sword"), cat={"hand": ["anvil"]}).play(
        FOX, "battle", defender=CAT
    )
    assert g.kinds[0] == "play-ambush"
    assert "ROOT-TURN-6" in g.refused(FOX, "arrange-items", items={"satchel-up-coin": 1}, to="track")
    g = fought(rogue({"1": {CATS: 3}}, items=up("coin", "sword", "boots", "torch")), 2, 2, defender=CAT)
    assert (g.asked, g.kinds) == ((FOX,), ("assign-hits",))
    assert "ROOT-TURN-6" in g.refused(FOX, "arrange-items", items={"satchel-up-coin": 1}, to="track")


@refusal("ROOT-TURN-6", "ROOT-TURN-8")
def test_items_are_not_arranged_in_others_turns_nor_by_others():
    g = rogue(turn=CAT, items=COIN)
    assert "ROOT-TURN-8" in g.refused(FOX, "arrange-items", items={"satchel-up-coin": 1}, to="track")
    found = g.refused(CAT, "arrange-items", items={"satchel-up-coin": 1}, to="track")
    assert {v.reason for v in found.values()} == {"broken-rule"}, "it is the cat's turn"
    assert "ROOT-TURN-6" in found
    for actor in (CAT, OWL, FOX):
        assert g.options(actor, "arrange-items") == []
    assert not any("arrange-items" in d.kinds for d in decisions(g.table))


# -- Birdsong: refreshing -----------------------------------------------------------------------------------------


@rule("ROOT-VAG-10", "ROOT-DEC-18", "ROOT-TURN-7")
def test_without_a_choice_everything_is_refreshed():
    g = rogue(at="turn", items={"satchel-down": ["boots", "torch"], "satchel-up": ["sword"]})
    assert items(g) == {"satchel-up": {"boots": 1, "sword": 1, "torch": 1}}
    assert g.kinds[0] == "slip"


@rule("ROOT-VAG-10", "ROOT-VAG-4", "ROOT-R-VAG-1")
@pytest.mark.parametrize(("teas", "n"), [({}, 3), ({"track": ["tea"]}, 5), ({"satchel-up": ["tea"]}, 3)])
def test_three_are_refreshed_and_two_more_for_each_tea_on_its_track(teas, n):
    down = {"satchel-down": ["boots", "torch", "sword", "bag", "hammer"], "damaged-down": ["coin"]}
    g = rogue(at="turn", items={**down, **teas})
    assert g.kinds == ("refresh",)
    chosen = {"damaged-down-coin": 1, "satchel-down-boots": 1, "satchel-down-torch": 1}
    if n == 5:
        assert "ROOT-VAG-10" in g.refused(FOX, "refresh", items=chosen)
        chosen |= {"satchel-down-sword": 1, "satchel-down-bag": 1}
    g.play(FOX, "refresh", items=chosen)
    assert items(g)["damaged-up"] == {"coin": 1}
    assert sum(items(g)["satchel-down"].values()) == 6 - n
    assert "track" not in items(g) or items(g)["track"] == {"tea": 1}


@rule("ROOT-VAG-10", "ROOT-VAG-3", "ROOT-DEC-19")
def test_tea_counts_as_it_lies_when_he_refreshes():
    down = ["boots", "torch", "sword", "bag", "hammer", "crossbow"]
    g = rogue(at="turn", items={"satchel-down": down, "satchel-up": ["tea"]})
    three = {"satchel-down-boots": 1, "satchel-down-torch": 1, "satchel-down-sword": 1}
    assert g.top.refreshes == 3
    g.play(FOX, "arrange-items", items={"satchel-up-tea": 1}, to="track")
    assert g.top.refreshes == 5
    says(g.refused(FOX, "refresh", items=three), "ROOT-VAG-10", "/items", due=5, given=3)
    g.play(FOX, "arrange-items", items={"track-tea": 1}, to="satchel-up")
    assert g.top.refreshes == 3
    assert g.judged(FOX, "refresh", items=three).legal
    g.play(FOX, "arrange-items", items={"satchel-up-tea": 1}, to="track")
    g.play(FOX, "refresh", items={**three, "satchel-down-bag": 1, "satchel-down-hammer": 1})
    assert (g.kinds[0], items(g)["satchel-down"]) == ("slip", {"crossbow": 1})
    g.play(FOX, "arrange-items", items={"track-tea": 1}, to="satchel-up")
    assert items(g)["satchel-down"] == {"crossbow": 1}, "what has been refreshed is over"


@rule("ROOT-VAG-10", "ROOT-DEC-19", "ROOT-TURN-7")
def test_where_tea_leaves_no_choice_everything_is_refreshed_at_once():
    g = rogue(at="turn", items={"satchel-down": ["boots", "torch", "sword", "bag"], "satchel-up": ["tea"]})
    assert g.kinds == ("refresh",)
    g.play(FOX, "arrange-items", items={"satchel-up-tea": 1}, to="track")
    assert g.kinds[0] == "slip"
    assert "satchel-down" not in items(g)


@rule("ROOT-VAG-10", "ROOT-DEC-19")
@pytest.mark.parametrize(("spot", "asked"), [("satchel-up", "refresh"), ("damaged-up", "slip")])
def test_of_one_kind_alone_he_is_asked_where_tea_could_still_come_to_its_track(spot, asked):
    held = {"satchel-down": {"boots": 4}, spot: ["tea"]}
    g = rogue(at="turn", items=held, buried=["bag", "hammer", "sword"], **DUG)
    assert g.kinds[0] == asked
    if asked == "refresh":
        g.play(FOX, "refresh", items={"satchel-down-boots": 3})
    assert items(g)["satchel-down"] == {"boots": 1}


@refusal("ROOT-VAG-10")
@pytest.mark.parametrize(
    "chosen",
    [
        {"satchel-down-boots": 1, "satchel-down-torch": 1},
        {"satchel-down-boots": 1, "satchel-down-torch": 1, "satchel-down-sword": 1, "satchel-down-bag": 1},
        {"satchel-down-boots": 2, "satchel-down-torch": 1},
        {"satchel-up-tea": 1, "satchel-down-torch": 1, "satchel-down-sword": 1},
        {},
        {"nonsense": 3},
        [],
        None,
    ],
)
def test_exactly_three_exhausted_items(chosen):
    g = rogue(at="turn", items={"satchel-down": ["boots", "torch", "sword", "bag"], "satchel-up": ["tea"]})
    assert "ROOT-VAG-10" in g.refused(FOX, "refresh", items=chosen)


# -- damage and repair --------------------------------------------------------------------------------------------


@rule("ROOT-VAG-5", "ROOT-BATTLE-19")
def test_damage_leaves_the_face_as_it_is():
    g = rogue({"1": {CATS: 3}}, items={"track": ["tea"], "satchel-up": ["sword"], "satchel-down": ["torch"]})
    fought(g, 3, 2, defender=CAT)
    assert g.kinds == ("assign-hits",)
    g.play(FOX, "assign-hits", pieces={"track-tea": 1, "satchel-down-torch": 1})
    assert items(g) == {"damaged-up": {"tea": 1}, "damaged-down": {"torch": 1}, "satchel-down": {"sword": 1}}


@rule("ROOT-VAG-31")
@pytest.mark.parametrize(
    ("ref", "spot"),
    [("damaged-up-boots", "satchel-up"), ("damaged-down-boots", "satchel-down"), ("damaged-up-tea", "track")],
)
def test_repair_leaves_it_as_well(ref, spot):
    g = rogue(items={"satchel-up": ["hammer"], "damaged-up": ["boots", "tea"], "damaged-down": ["boots"]})
    item = ref.rpartition("-")[2]
    g.play(FOX, "repair", item=ref)
    assert items(g)[spot][item] == 1
    assert items(g)["satchel-down"]["hammer"] == 1


@refusal("ROOT-VAG-31", "ROOT-VAG-1")
def test_only_damaged_items_are_repaired_and_it_takes_a_hammer():
    g = rogue(items={"satchel-down": ["hammer"], "satchel-up": ["boots"], "damaged-up": ["sword"]})
    assert "ROOT-VAG-1" in g.refused(FOX, "repair", item="damaged-up-sword")
    assert "ROOT-VAG-31" in g.refused(FOX, "repair", item="satchel-up-boots")
    assert "ROOT-VAG-31" in g.refused(FOX, "repair", item="damaged-down-sword")
    assert "ROOT-VAG-31" in g.refused(FOX, "repair", item="anything")


@rule("ROOT-VAG-20", "ROOT-VAG-31")
def test_repairs_are_made_in_a_forest_as_well():
    g = rogue(pawn="A", items={"satchel-up": ["hammer"], "damaged-down": ["sword"]})
    g.play(FOX, "repair", item="damaged-down-sword")
    assert items(g)["satchel-down"] == {"hammer": 1, "sword": 1}


# -- Evening ------------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-70")
def test_in_a_forest_everything_damaged_is_repaired_and_refreshed():
    g = rogue(
        at="evening", pawn="A", items={"damaged-up": ["sword", "tea"], "damaged-down": ["boots", "coin"]}
    )
    assert items(g) == {"track": {"coin": 1, "tea": 1}, "satchel-up": {"boots": 1, "sword": 1}}


@rule("ROOT-VAG-70")
def test_in_a_clearing_nothing_is():
    held = {"damaged-up": ["sword"], "satchel-down": ["boots"]}
    assert items(rogue(at="evening", items=held)) == {
        "damaged-up": {"sword": 1},
        "satchel-down": {"boots": 1},
    }


@rule("ROOT-VAG-71", "ROOT-VAG-4")
@pytest.mark.parametrize(("held", "n"), [({}, 1), ({"track": ["coin"]}, 2), ({"satchel-up": ["coin"]}, 1)])
def test_a_card_and_one_more_for_each_coin_on_its_track(held, n):
    g = rogue(at="evening", items=held)
    assert g.top.left == n


SEVEN = ["sword", "boots", "hammer", "crossbow", "torch", "tea", "sword"]


@rule("ROOT-VAG-72", "ROOT-DEC-19")
@refusal("ROOT-VAG-72")
def test_what_is_above_six_leaves_the_game():
    g = rogue(at="evening", items={"satchel-up": SEVEN[:4], "damaged-down": SEVEN[4:]}).draw("anvil")
    assert g.kinds == ("discard-items",)
    says(g.refused(FOX, "discard-items", items={}), "ROOT-VAG-72", "/items", due=1, given=0)
    two = {"satchel-up-sword": 1, "damaged-down-tea": 1}
    assert "ROOT-VAG-72" in g.refused(FOX, "discard-items", items=two)
    g.play(FOX, "discard-items", items={"damaged-down-torch": 1})
    assert g.board.item_box["torch"] == 1
    assert sum(n for bag in items(g).values() for n in bag.values()) == 6


@rule("ROOT-VAG-72", "ROOT-VAG-4")
def test_items_on_tracks_do_not_count_and_bags_there_raise_the_limit():
    held = {"satchel-up": SEVEN, "track": ["bag"]}
    g = rogue(at="evening", items=held).draw("anvil")
    assert "discard-items" not in g.kinds


@rule("ROOT-VAG-72", "ROOT-VAG-3")
def test_a_bag_may_still_be_put_on_its_track():
    g = rogue(at="evening", items={"satchel-up": [*SEVEN, "bag"]}).draw("anvil")
    g.play(FOX, "arrange-items", items={"satchel-up-bag": 1}, to="track")
    assert "discard-items" not in g.kinds


@refusal("ROOT-VAG-72")
def test_items_are_not_thrown_away_at_other_times():
    assert "ROOT-VAG-72" in rogue().refused(FOX, "discard-items", items={"satchel-up-sword": 1})


# -- crafting -----------------------------------------------------------------------------------------------------


@rule("ROOT-VAG-32", "ROOT-CRAFT-8")
def test_each_symbol_takes_a_hammer_and_all_have_the_suit_of_the_clearing():
    g = rogue(pawn="1", hand=["foxfolk-steel"], items=up("hammer", "hammer"), **DUG)
    g.play(FOX, "craft", card="foxfolk-steel")
    assert items(g) == {"satchel-up": {"sword": 1}, "satchel-down": {"hammer": 2}}
    assert g.points(FOX) == [("ROOT-CRAFT-4", 2)]
    assert g.board.discard == {"foxfolk-steel": 1}


@refusal("ROOT-VAG-32")
def test_no_other_suit_no_mixed_cost_and_no_hammer_too_few():
    g = rogue(pawn="5", hand=["foxfolk-steel", "tax-collector", "investments"], items=up("hammer"))
    found = g.refused(FOX, "craft", card="foxfolk-steel")
    assert "ROOT-VAG-32" in found
    says(
        g.refused(FOX, "craft", card="tax-collector"),
        "ROOT-VAG-32",
        "/card",
        card="tax-collector",
        suit="rabbit",
    )
    says(
        g.refused(FOX, "craft", card="investments"), "ROOT-VAG-32", "/card", card="investments", n=2, ready=1
    )


@rule("ROOT-VAG-32")
@refusal("ROOT-CRAFT-7", "ROOT-CRAFT-4", "ROOT-CRAFT-6")
def test_what_others_may_not_craft_he_may_not_either():
    g = rogue(
        pawn="1", hand=["ambush-fox", "armorers", "crossbow-bird"], crafted=["armorers"],
        items=up("hammer", "crossbow"), character="ranger", cat={"items": ["crossbow"]},
    )  # fmt: skip
    assert "ROOT-CRAFT-7" in g.refused(FOX, "craft", card="ambush-fox")
    assert "ROOT-CRAFT-6" in g.refused(FOX, "craft", card="armorers")
    assert "ROOT-CRAFT-4" in g.refused(FOX, "craft", card="crossbow-bird")


@rule("ROOT-VAG-32")
def test_any_symbol_is_paid_anywhere():
    g = rogue(
        pawn="7", hand=["royal-claim"], items=up("hammer", "hammer", "hammer"), character="tinker", **DUG
    )  # fmt: skip
    says(g.refused(FOX, "craft", card="royal-claim"), "ROOT-VAG-32", "/card", n=4, ready=3)
    assert "royal-claim" not in [o["card"] for o in g.options(FOX, "craft")]


@rule("ROOT-CRAFT-5", "ROOT-FX-12", "ROOT-VAG-55", "ROOT-R-FX-1")
def test_a_favor_makes_enemies():
    g = rogue(
        {"1": {CATS: 2, "wood": 1}, "8": {"sawmill": 1}}, pawn="1", hand=["favor-of-the-foxes"],
        items=up("hammer", "hammer", "hammer"), character="tinker", **DUG,
    )  # fmt: skip
    g.play(FOX, "craft", card="favor-of-the-foxes")
    assert g.points(FOX) == [("ROOT-FX-12", 2)]
    assert g[FOX].vagabond.relationships == {"marquise": "hostile", "eyrie": "indifferent"}
    assert pawn(g) == "1"


def test_names_of_references_are_told():
    assert (
        RULES.words.show({"satchel-down-tea": 1, "track-coin": 2}, "en")
        == "tea (exhausted) and 2 × coin (on the track)"
    )
    assert RULES.words.show({"damaged-up-boots": 1}, "cs") == "boty (poškozené)"
