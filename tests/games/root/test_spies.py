"""Chapter 20, spies: playing, looking, what comes of it, and what spies share with dominance cards."""

import pytest

from service.games.root.v1 import RULES
from service.games.root.v1.components import deck_cards
from service.games.root.v1.figures import DOMINANCES, PRINTED
from tests.games.root.robot import BOT, FOX, OWL
from tests.games.root.spying import HOME, SPIES, known, look, lying, spying, turn_of
from tests.games.root.table import says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS = "marquise-warrior"


# -- the cards (ROOT-SPY-1) ---------------------------------------------------------------------------------------


@rule("ROOT-SPY-1", "ROOT-DOM-9")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_four_spies_take_the_place_of_the_dominance_cards(seats):
    deck = deck_cards(PRINTED, seats, automatic=True)
    assert sum(deck.values()) == 54
    assert [deck[spy] for spy in SPIES] == [1, 1, 1, 1]
    assert not deck.keys() & set(DOMINANCES)
    assert not deck_cards(PRINTED, seats).keys() & set(SPIES)


# -- playing (ROOT-SPY-2, ROOT-SPY-4, ROOT-SPY-10) ----------------------------------------------------------------


@rule("ROOT-SPY-2", "ROOT-SPY-4", "ROOT-TURN-3", "ROOT-CARD-9", "ROOT-R-SPY-1")
@pytest.mark.parametrize("score", [0, 9, 29])
def test_a_spy_is_played_for_free_whatever_the_score(score):
    g = spying(hand=["spy-fox", "anvil"], score=score).play(OWL, "play-spy", card="spy-fox")
    assert (g[OWL].spies, g[OWL].hand, g.score(OWL)) == (["spy-fox"], {"anvil": 1}, score)
    assert g.event("moved")["because"] == "ROOT-SPY-2"
    assert g.kinds == ("craft", "resolve-decree")


@rule("ROOT-SPY-4")
def test_several_may_be_in_play():
    g = spying(hand=SPIES)
    for spy in SPIES:
        g.play(OWL, "play-spy", card=spy)
    assert (g[OWL].spies, g[OWL].hand) == (list(SPIES), {})


@rule("ROOT-SPY-4", "ROOT-CARD-8")
def test_it_does_not_count_for_the_hand():
    hand = ["anvil", "bake-sale", "cobbler", "sappers", "armorers"]
    g = spying("alliance", "eyrie", hand=hand, spies=SPIES)
    g.play(OWL, "end-phase").draw("investments")
    assert g.kinds == ("discard",)
    assert g.options(OWL, "discard")[0]["cards"] != {}
    g.play(OWL, "discard", cards={"anvil": 1})
    assert (sum(g[OWL].hand.values()), g[OWL].spies) == (5, list(SPIES))


@rule("ROOT-SPY-10", "ROOT-SPY-2")
def test_its_owner_goes_on_scoring():
    map = {**HOME, "5": {"sympathy": 1}}
    hand = ["spy-fox", "a-visit-to-friends"]
    g = spying("alliance", "eyrie", hand=hand, score=12, map=map).play(OWL, "play-spy", card="spy-fox")
    g.play(OWL, "craft", card="a-visit-to-friends", pieces={"rabbit": 1})
    assert (g.score(OWL), g[OWL].dominance) == (13, None)


@refusal("ROOT-SPY-2")
def test_no_other_card_is_played_as_one():
    g = spying(hand=["anvil", "spy-fox"])
    says(g.refused(OWL, "play-spy", card="anvil"), "ROOT-SPY-2", "/card", card="anvil")
    assert g.refused(OWL, "play-spy", card="spy-bird")["ROOT-SPY-2"].reason == "unknown-value"


@refusal("ROOT-SPY-2", "ROOT-SPY-5", "ROOT-TURN-8")
def test_neither_played_nor_used_outside_ones_own_daylight():
    early = spying(at="turn", hand=["spy-fox", "anvil"], spies=["spy-bird"])
    assert early.kinds[0] == "add-to-decree"
    assert "ROOT-SPY-2" in early.refused(OWL, "play-spy", card="spy-fox")
    assert "ROOT-SPY-5" in early.refused(OWL, "use-spy", spy="spy-bird", position=1)
    others = spying(more={FOX: {"spies": ["spy-fox"]}})
    found = others.refused(FOX, "use-spy", spy="spy-fox", position=1)
    assert found["ROOT-TURN-8"].reason == "not-your-decision"


# -- looking (ROOT-SPY-5, ROOT-SPY-9) -----------------------------------------------------------------------------


@rule("ROOT-SPY-5", "ROOT-SPY-9", "ROOT-INFO-7", "ROOT-DEC-32")
def test_a_look_shows_one_order_to_one_player():
    g = look(spying(spies=["spy-fox"]), "spy-fox", 3, "bake-sale")
    assert known(g, OWL) == {3: "bake-sale"}
    assert (known(g, FOX), known(g, BOT), known(g, None)) == ({}, {}, {})
    assert lying(g) == [None, None, "bake-sale", None, None]
    (seen,) = [e for e in g.events if e.kind == "order-seen"]
    assert (seen.seen_by(OWL)["card"], seen.seen_by(FOX), seen.seen_by(None)) == ("bake-sale", None, None)
    assert g.event("spy-looks")["position"] == 3
    assert g.kinds == ("swap", "pass")
    assert g.asked == (OWL,)


@rule("ROOT-SPY-9", "ROOT-SPY-8")
def test_it_goes_back_to_its_place_and_the_spy_stays():
    g = look(spying(spies=["spy-fox"]), "spy-fox", 3, "bake-sale").play(OWL, "pass")
    assert (g[OWL].spies, known(g, OWL)) == (["spy-fox"], {3: "bake-sale"})
    assert g.kinds == ("craft", "resolve-decree")


@rule("ROOT-SPY-5", "ROOT-R-SPY-2")
def test_also_in_the_turn_in_which_it_was_played():
    g = spying(hand=["spy-fox"]).play(OWL, "play-spy", card="spy-fox")
    assert known(look(g, "spy-fox", 1, "bake-sale"), OWL) == {1: "bake-sale"}


@rule("ROOT-SPY-5", "ROOT-R-SPY-2")
@refusal("ROOT-SPY-5")
def test_each_spy_looks_once_a_daylight():
    g = look(spying(spies=["spy-fox", "spy-bird"]), "spy-fox", 1, "bake-sale").play(OWL, "pass")
    says(g.refused(OWL, "use-spy", spy="spy-fox", position=2), "ROOT-SPY-5", "/spy", spy="spy-fox")
    assert {o["spy"] for o in g.options(OWL, "use-spy")} == {"spy-bird"}
    look(g, "spy-bird", 2, "anvil").play(OWL, "pass")
    assert g.options(OWL, "use-spy") == []
    assert known(g, OWL) == {1: "bake-sale", 2: "anvil"}


@refusal("ROOT-SPY-5")
def test_what_is_seen_can_lie_there():
    """He who looks has the spy before him: no order is that card."""
    g = spying(spies=["spy-fox"]).play(OWL, "use-spy", spy="spy-fox", position=2)
    found = g.refused("chance", "look-at-order", card="spy-fox")
    says(found, "ROOT-SPY-5", "/card", impossible="spy-fox")
    book, words = RULES.book, RULES.words
    assert words.message(found["ROOT-SPY-5"], book, "en") == "Spy (fox) cannot lie there."
    late = g.refused(OWL, "use-spy", spy="spy-fox", position=1)["ROOT-SPY-5"]
    assert book["ROOT-SPY-5"].text["en"] in words.message(late, book, "en"), "not that it could not lie there"


@rule("ROOT-R-SPY-2", "ROOT-SPY-3")
@refusal("ROOT-SPY-5")
def test_not_even_if_it_was_discarded_and_has_come_back():
    g = look(spying(spies=["spy-fox", "spy-bird"], hand=["foxfolk-steel"]), "spy-fox", 1, "anvil")
    g.play(OWL, "take-available", card="spy-fox", spend="foxfolk-steel").play(OWL, "play-spy", card="spy-fox")
    says(g.refused(OWL, "use-spy", spy="spy-fox", position=2), "ROOT-SPY-5", "/spy", spy="spy-fox")


@refusal("ROOT-SPY-5")
@pytest.mark.parametrize("position", [0, 6, "1", 1.0, True, None])
def test_only_at_an_order_that_is_there(position):
    g = spying(spies=["spy-fox"])
    assert g.refused(OWL, "use-spy", spy="spy-fox", position=position)["ROOT-SPY-5"].reason == "unknown-value"


@rule("ROOT-SPY-5")
def test_of_a_short_row_what_is_there():
    g = spying(spies=["spy-fox"], more={BOT: {"orders": 2}})
    assert [o["position"] for o in g.options(OWL, "use-spy")] == [1, 2]
    none = spying(spies=["spy-fox"], more={BOT: {"orders": 0}})
    assert none.options(OWL, "use-spy") == []


@rule("ROOT-INFO-7")
@refusal("ROOT-INFO-7", "ROOT-SPY-8")
def test_without_a_spy_nobody_looks_at_the_row_or_moves_an_order():
    g = spying(hand=["spy-fox"])
    says(g.refused(OWL, "use-spy", spy="spy-fox", position=1), "ROOT-INFO-7", "/kind")
    assert {"ROOT-INFO-7", "ROOT-SPY-8"} <= g.refused(OWL, "swap", i=1, j=2).keys()
    assert {"ROOT-INFO-7", "ROOT-SPY-8"} <= g.refused(FOX, "swap", i=1, j=2).keys()


@rule("ROOT-INFO-7", "ROOT-SPY-9")
def test_two_may_know_the_same_order():
    """Chance is asked again, though only one answer is possible: that it is known is nothing that all can see."""
    g = spying(spies=["spy-fox"], more={FOX: {"spies": ["spy-rabbit"]}})
    look(g, "spy-fox", 2, "bake-sale").play(OWL, "pass")
    one = turn_of(g, FOX).play(FOX, "use-spy", spy="spy-rabbit", position=2)
    assert one.kinds == ("look-at-order",)
    assert "ROOT-SPY-5" in one.refused("chance", "look-at-order", card="anvil")
    one.play("chance", "look-at-order", card="bake-sale")
    assert (one[FOX].spies, one.board.available) == ([], {"spy-rabbit": 1})
    assert known(one, OWL) == known(one, FOX) == {2: "bake-sale"}
    assert known(one, None) == {}


# -- a match (ROOT-SPY-6, ROOT-SPY-7) -----------------------------------------------------------------------------

MATCHES = [
    ("spy-fox", "anvil"),
    ("spy-rabbit", "bake-sale"),
    ("spy-bird", "sappers"),
    ("spy-fox", "ambush-fox"),
]
MISSES = [("spy-fox", "sappers"), ("spy-bird", "anvil"), ("spy-fox", "bake-sale"), ("spy-bird", "spy-mouse")]


@rule("ROOT-SPY-6", "ROOT-SPY-7", "ROOT-SPY-3")
@pytest.mark.parametrize(("spy", "card"), MATCHES)
def test_an_order_of_its_suit_discards_the_spy_at_once(spy, card):
    g = look(spying(spies=[spy]), spy, 1, card)
    assert (g[OWL].spies, g.board.available, g.board.discard) == ([], {spy: 1}, {})
    assert g.because("moved") == ["ROOT-SPY-6"]
    assert (g.kinds, known(g, OWL)) == (("craft", "resolve-decree"), {1: card})


@rule("ROOT-SPY-7", "ROOT-CARD-2")
@pytest.mark.parametrize(("spy", "card"), MISSES)
def test_birds_are_not_wild_for_that(spy, card):
    g = look(spying(spies=[spy]), spy, 1, card)
    assert (g[OWL].spies, g.kinds) == ([spy], ("swap", "pass"))


@refusal("ROOT-SPY-8")
def test_after_a_match_nothing_is_swapped_and_the_spy_is_not_kept():
    g = look(spying(spies=["spy-fox", "spy-bird"]), "spy-fox", 1, "anvil")
    found = g.refused(OWL, "swap", i=1, j=2)
    assert "ROOT-SPY-8" in found
    assert "ROOT-INFO-7" not in found
    assert g.refused(OWL, "use-spy", spy="spy-fox", position=2)["ROOT-SPY-5"].reason == "unknown-value"


@rule("ROOT-SPY-3", "ROOT-CARD-5", "ROOT-X-16", "ROOT-CULT-9")
def test_with_the_cult_it_is_a_lost_soul_and_available_after_the_cults_birdsong():
    g = look(spying("eyrie", "cult", spies=["spy-fox"]), "spy-fox", 1, "anvil")
    assert (g[FOX].cult.lost_souls, g.board.available) == ({"spy-fox": 1}, {})
    turn = spying("eyrie", "cult", turn=FOX, at="turn", lost_souls=["spy-fox", "anvil"])
    assert (turn.board.available, turn.board.discard) == ({"spy-fox": 1}, {"anvil": 1})


# -- a swap (ROOT-SPY-8) ------------------------------------------------------------------------------------------


def seen():
    return look(spying(spies=["spy-fox", "spy-mouse"]), "spy-fox", 3, "bake-sale")


@rule("ROOT-SPY-8", "ROOT-DEC-32", "ROOT-SPY-9")
def test_any_two_orders_may_change_places():
    g = seen().play(OWL, "swap", i=3, j=1)
    assert (lying(g), known(g, OWL)) == (["bake-sale", None, None, None, None], {1: "bake-sale"})
    (told,) = g.events
    assert told.seen_by(None) == {"kind": "swapped", "because": "ROOT-SPY-8", "seat": OWL, "i": 3, "j": 1}
    assert g.kinds == ("craft", "resolve-decree")
    others = seen().play(OWL, "swap", i=4, j=5)
    assert known(others, OWL) == {3: "bake-sale"}


@rule("ROOT-SPY-8", "ROOT-SPY-9")
def test_who_knows_an_order_follows_it_through_anothers_swap():
    g = spying(spies=["spy-fox", "spy-mouse"], more={FOX: {"spies": ["spy-rabbit"]}})
    look(g, "spy-fox", 3, "bake-sale").play(OWL, "pass")
    look(g, "spy-mouse", 1, "anvil").play(OWL, "swap", i=1, j=3)
    assert known(g, OWL) == {1: "bake-sale", 3: "anvil"}
    others = look(turn_of(g, FOX), "spy-rabbit", 5, "sappers", FOX).play(FOX, "swap", i=1, j=5)
    assert (known(others, OWL), known(others, FOX)) == ({5: "bake-sale", 3: "anvil"}, {1: "sappers"})


@rule("ROOT-SPY-8")
def test_all_pairs_are_offered_and_no_order_with_itself():
    found = {(o["i"], o["j"]) for o in seen().options(OWL, "swap")}
    assert found == {(i, j) for i in range(1, 6) for j in range(1, 6) if i != j}


@refusal("ROOT-SPY-8")
def test_no_order_is_swapped_with_itself_or_with_none():
    says(seen().refused(OWL, "swap", i=2, j=2), "ROOT-SPY-8", "/i", "/j", position=2)
    assert seen().refused(OWL, "swap", i=2, j=6)["ROOT-SPY-8"].about == ("/j",)


@rule("ROOT-SPY-8")
@refusal("ROOT-TURN-6", "ROOT-TURN-8")
def test_until_he_has_answered_nothing_else_is_done():
    g = seen()
    assert "ROOT-TURN-6" in g.refused(OWL, "resolve-decree")
    assert "ROOT-TURN-6" in g.refused(OWL, "use-spy", spy="spy-mouse", position=1)
    assert "ROOT-TURN-8" in g.refused(FOX, "swap", i=1, j=2)


@rule("ROOT-SPY-8")
def test_of_one_order_there_is_nothing_to_swap():
    g = look(spying(spies=["spy-fox"], more={BOT: {"orders": 1}}), "spy-fox", 1, "bake-sale")
    assert (g.kinds, g[OWL].spies) == (("craft", "resolve-decree"), ["spy-fox"])


@rule("ROOT-SPY-8", "ROOT-BOT-13", "ROOT-SPY-9")
def test_the_order_that_was_moved_forward_is_turned_up_and_all_see_it():
    g = look(spying(spies=["spy-fox"]), "spy-fox", 4, "bake-sale").play(OWL, "swap", i=4, j=1)
    g = turn_of(g, BOT, at="turn")
    assert "ROOT-BOT-13" in g.refused("chance", "turn-up-order", card="anvil")
    g.play("chance", "turn-up-order", card="bake-sale")
    (turned,) = [e for e in g.events if e.because == "ROOT-BOT-13"]
    assert turned.seen_by(None)["what"] == {"bake-sale": 1}
    assert known(g, OWL) == {}


# -- when (ROOT-TURN-3) -------------------------------------------------------------------------------------------


@rule("ROOT-TURN-3", "ROOT-SPY-2", "ROOT-SPY-5")
def test_the_eyrie_use_them_between_decree_cards_too():
    g = spying(hand=["spy-fox"], spies=["spy-bird"], decree={"recruit": ["anvil"]})
    g.play(OWL, "resolve-decree")
    window = g.kinds
    assert window[0] == "decree-recruit"
    look(g.play(OWL, "play-spy", card="spy-fox"), "spy-fox", 1, "bake-sale").play(OWL, "swap", i=1, j=2)
    assert (g.kinds, g[OWL].spies) == (window, ["spy-bird", "spy-fox"])
    assert look(g, "spy-bird", 1, "armorers").kinds == window


@rule("ROOT-TURN-3")
@pytest.mark.parametrize("faction", ["alliance", "cult", "vagabond", "riverfolk"])
def test_everybody_has_them_in_daylight(faction):
    g = spying("eyrie", faction, turn=FOX, hand=["spy-fox"], spies=["spy-bird"])
    before = g.kinds
    look(g.play(FOX, "play-spy", card="spy-fox"), "spy-fox", 2, "bake-sale", FOX).play(FOX, "pass")
    look(g, "spy-bird", 1, "armorers", FOX)
    assert (g.kinds, g[FOX].spies) == (before, ["spy-fox"])


# -- as with dominance cards (ROOT-SPY-3) -------------------------------------------------------------------------


@rule("ROOT-SPY-3", "ROOT-CARD-2", "ROOT-DOM-6")
@pytest.mark.parametrize(
    ("spy", "spend"),
    [("spy-fox", "anvil"), ("spy-fox", "sappers"), ("spy-bird", "sappers"), ("spy-mouse", "spy-bird")],
)
def test_an_available_spy_is_taken_by_spending_a_card_of_its_suit(spy, spend):
    g = spying(hand=[spend], more={"available": [spy]}).play(OWL, "take-available", card=spy, spend=spend)
    assert g[OWL].hand == {spy: 1}
    assert (g.board.available or g.board.discard) == {spend: 1}
    assert g.because("moved") == ["ROOT-SPY-3", "ROOT-SPY-3"]


@refusal("ROOT-SPY-3")
@pytest.mark.parametrize(("spy", "spend"), [("spy-fox", "bake-sale"), ("spy-bird", "anvil")])
def test_not_with_a_card_of_another_suit(spy, spend):
    g = spying(hand=[spend], more={"available": [spy]})
    found = g.refused(OWL, "take-available", card=spy, spend=spend)
    says(found, "ROOT-SPY-3", "/card", "/spend", card=spy, spend=spend)
    assert set(found) == {"ROOT-SPY-3"}


@refusal("ROOT-SPY-3")
def test_only_one_that_is_available():
    g = spying(hand=["anvil", "bake-sale"], more={"available": ["spy-fox"]})
    found = g.refused(OWL, "take-available", card="spy-rabbit", spend="bake-sale")
    says(found, "ROOT-SPY-3", "/card")
    assert set(found) == {"ROOT-SPY-3"}


@rule("ROOT-SPY-3", "ROOT-CARD-5")
def test_spent_for_its_suit_it_becomes_available():
    map = {**HOME, "1": {"sympathy": 1}, "2": {"keep": 1, CATS: 4}}
    g = spying("alliance", "eyrie", hand=["spy-fox"], map=map, supporters=["anvil"])
    g.play(OWL, "mobilize", card="spy-fox")
    assert g[OWL].alliance.supporters == {"anvil": 1, "spy-fox": 1}
    fall = spying(decree={"recruit": ["spy-mouse"]}).play(OWL, "resolve-decree")
    fall.play(OWL, "decree-recruit", card="vizier", clearing="3")
    assert fall.board.available == {"spy-mouse": 1}


@rule("ROOT-CRAFT-7")
@refusal("ROOT-CRAFT-7")
@pytest.mark.parametrize("spy", SPIES)
def test_a_spy_cannot_be_crafted(spy):
    g = spying(hand=[spy])
    says(g.refused(OWL, "craft", card=spy, pieces={}), "ROOT-CRAFT-7", "/card", card=spy)
    river = spying("eyrie", "riverfolk", turn=FOX, hand=[spy])
    assert "ROOT-CRAFT-7" in river.refused(FOX, "export", card=spy)


@rule("ROOT-SPY-10")
@refusal("ROOT-DOM-1")
def test_a_spy_is_not_activated_as_dominance():
    g = spying(hand=["spy-fox"], score=12)
    says(g.refused(OWL, "activate-dominance", card="spy-fox"), "ROOT-DOM-1", "/card", card="spy-fox")


@rule("ROOT-SPY-5", "ROOT-R-SPY-2")
def test_in_the_next_daylight_it_looks_again():
    g = look(spying(spies=["spy-fox"]), "spy-fox", 1, "bake-sale").play(OWL, "pass")
    assert len(turn_of(g, OWL).options(OWL, "use-spy")) == 5
