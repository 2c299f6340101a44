"""Chapter 10, dominance: activating, winning by it, cards that are available. It takes three players."""

import pytest

from service.games.root.v1 import RULES
from service.games.root.v1.state import Turn
from tests.games.root.table import CAT, OWL, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
ELK = "elk"


@pytest.fixture(autouse=True)
def three_seats(monkeypatch):
    """The third seat is there to be counted; no test lets it come to its turn."""
    monkeypatch.setattr(RULES, "most_seats", max(3, RULES.most_seats))
    monkeypatch.setitem(RULES.choices, "faction", ("marquise", "eyrie", "alliance"))


def cat(map=None, at="daylight", owl=None, **held):
    """The Marquise's turn, among three."""
    seats = {
        CAT: {"faction": "marquise", **held.pop("seat", {}), **held},
        OWL: {"faction": "eyrie", **(owl or {})},
    }
    board = {k: seats[CAT].pop(k) for k in ("available", "discard") if k in seats[CAT]}
    return game({**seats, ELK: {"faction": "alliance"}}, {"3": {"roost": 1}, **(map or {})}, at=at, **board)


# -- activating ---------------------------------------------------------------------------------------------------


@rule("ROOT-DOM-1", "ROOT-TURN-3", "ROOT-CARD-9")
@pytest.mark.parametrize("score", [10, 29])
def test_with_ten_points_a_card_may_be_activated(score):
    g = cat(hand=["dominance-fox"], score=score).play(CAT, "activate-dominance", card="dominance-fox")
    assert (g[CAT].dominance, g[CAT].hand, g.score(CAT)) == ("dominance-fox", {}, None)
    assert g.kinds[0] == "craft"


@refusal("ROOT-DOM-1")
def test_not_with_fewer_and_no_other_card():
    g = cat(hand=["dominance-fox", "anvil"], score=9)
    says(g.refused(CAT, "activate-dominance", card="dominance-fox"), "ROOT-DOM-1", "/kind", score=9, least=10)
    says(g.refused(CAT, "activate-dominance", card="anvil"), "ROOT-DOM-1", "/card", card="anvil")


@refusal("ROOT-DOM-1")
def test_not_outside_daylight():
    g = cat(hand=["dominance-fox", "anvil", "cobbler"], score=12, crafted=["royal-claim"], at="turn")
    assert "ROOT-DOM-1" in g.refused(CAT, "activate-dominance", card="dominance-fox")


@rule("ROOT-DOM-4")
@refusal("ROOT-DOM-4")
def test_it_cannot_be_replaced():
    g = cat(hand=["dominance-bird"], dominance="dominance-fox", score=None)
    found = g.refused(CAT, "activate-dominance", card="dominance-bird")
    says(found, "ROOT-DOM-4", "/kind", card="dominance-fox")


@rule("ROOT-DOM-1")
def test_who_has_activated_one_never_scores_again():
    map = {"5": {"workshop": 1, CATS: 2, OWLS: 1}}
    g = cat(map, hand=["a-visit-to-friends"], dominance="dominance-fox", score=None)
    g.play(CAT, "craft", card="a-visit-to-friends", pieces={"rabbit": 1})
    assert (g.points(CAT), g.score(CAT), g[CAT].items) == ([], None, {"boots": 1})


@rule("ROOT-DOM-1", "ROOT-GEN-11")
def test_nor_loses_any():
    owl = {"score": None, "dominance": "dominance-fox", "decree": {"recruit": ["codebreakers"]}}
    seats = {OWL: {"faction": "eyrie", **owl}, CAT: {"faction": "marquise"}, ELK: {"faction": "alliance"}}
    g = game(seats, {"3": {"roost": 1}}, turn=OWL).play(OWL, "resolve-decree")
    g.play(OWL, "decree-recruit", card="vizier", clearing="3")
    assert (g.kinds, g.score(OWL)) == (("choose-leader",), None)


# -- winning ------------------------------------------------------------------------------------------------------


def at_birdsong(card, *clearings, **more):
    """The Marquise rule these clearings, and her turn begins."""
    return cat({c: {CATS: 1} for c in clearings}, dominance=card, score=None, at="turn", **more)


@rule("ROOT-DOM-2", "ROOT-TURN-1")
@pytest.mark.parametrize(
    ("card", "clearings"),
    [
        ("dominance-fox", ("1", "6", "8")),
        ("dominance-rabbit", ("4", "5", "10")),
        ("dominance-mouse", ("2", "7", "9", "11")),
    ],
)
def test_three_clearings_of_the_suit_win(card, clearings):
    outcome = at_birdsong(card, *clearings).state.outcome
    assert (outcome.winners, outcome.because) == ([CAT], "ROOT-DOM-2")
    assert {s.seat: s.score for s in outcome.standings} == {CAT: 0, OWL: 0, ELK: 0}


@rule("ROOT-DOM-2")
@pytest.mark.parametrize("clearings", [("1", "6"), ("1", "6", "5", "7"), ("4", "5", "10")])
def test_two_do_not_nor_those_of_another_suit(clearings):
    assert at_birdsong("dominance-fox", *clearings).state.outcome is None


@rule("ROOT-DOM-2", "ROOT-RULE-2")
def test_a_clearing_that_is_tied_does_not_count():
    map = {"1": {CATS: 1}, "6": {CATS: 1}, "8": {CATS: 1, OWLS: 1}}
    g = cat(map, dominance="dominance-fox", score=None, at="turn")
    assert g.state.outcome is None


@rule("ROOT-DOM-3")
@pytest.mark.parametrize(
    ("corners", "wins"),
    [(("1", "3"), True), (("2", "4"), True), (("1", "2"), False), (("1", "4", "2"), True), (("3",), False)],
)
def test_two_opposite_corners_win_with_the_bird(corners, wins):
    map = {**{c: {CATS: 1} for c in corners}, "12": {"roost": 1}, "3": {CATS: 2} if "3" in corners else {}}
    g = cat(map, dominance="dominance-bird", score=None, at="turn")
    assert (g.state.outcome is not None) == wins
    assert not wins or g.state.outcome.because == "ROOT-DOM-3"


@rule("ROOT-DOM-2")
def test_only_at_the_start_of_ones_own_birdsong():
    g = cat({"1": {CATS: 1}, "6": {CATS: 1}, "8": {CATS: 1}}, dominance="dominance-fox", score=None)
    assert g.state.outcome is None
    assert g.frame(Turn).seat == CAT


# -- available cards ----------------------------------------------------------------------------------------------


@rule("ROOT-DOM-5", "ROOT-CARD-5")
def test_spent_for_its_suit_a_dominance_card_becomes_available():
    g = cat({"5": {"sawmill": 1}}, hand=["dominance-rabbit"])
    g.play(CAT, "overwork", card="dominance-rabbit", clearing="5")
    assert (g.board.available, g.board.discard) == ({"dominance-rabbit": 1}, {})


@rule("ROOT-DOM-5", "ROOT-CARD-5")
def test_discarded_from_the_decree_as_well():
    owl = {"decree": {"recruit": ["dominance-mouse"]}}
    seats = {OWL: {"faction": "eyrie", **owl}, CAT: {"faction": "marquise"}, ELK: {"faction": "alliance"}}
    g = game(seats, {"3": {"roost": 1}}, turn=OWL).play(OWL, "resolve-decree")
    g.play(OWL, "decree-recruit", card="vizier", clearing="3")
    assert g.board.available == {"dominance-mouse": 1}


@rule("ROOT-DOM-6", "ROOT-CARD-2")
@pytest.mark.parametrize(
    ("card", "spend"),
    [("dominance-fox", "anvil"), ("dominance-fox", "sappers"), ("dominance-bird", "sappers")],
)
def test_it_is_taken_by_spending_a_card_of_its_suit(card, spend):
    g = cat(hand=[spend], available=[card]).play(CAT, "take-available", card=card, spend=spend)
    assert (g[CAT].hand, g.board.available, g.board.discard) == ({card: 1}, {}, {spend: 1})


@refusal("ROOT-DOM-6")
@pytest.mark.parametrize(("card", "spend"), [("dominance-fox", "bake-sale"), ("dominance-bird", "anvil")])
def test_not_with_a_card_of_another_suit(card, spend):
    g = cat(hand=[spend], available=[card])
    says(
        g.refused(CAT, "take-available", card=card, spend=spend),
        "ROOT-DOM-6",
        "/card",
        "/spend",
        card=card,
        spend=spend,
    )


@refusal("ROOT-DOM-6")
def test_only_what_is_available_can_be_taken():
    g = cat(hand=["anvil"], available=["dominance-mouse"])
    found = g.refused(CAT, "take-available", card="dominance-fox", spend="anvil")
    assert found["ROOT-DOM-6"].reason == "unknown-value"


@rule("ROOT-DOM-6", "ROOT-DOM-5")
def test_one_dominance_card_may_pay_for_another():
    g = cat(hand=["dominance-bird"], available=["dominance-fox"])
    g.play(CAT, "take-available", card="dominance-fox", spend="dominance-bird")
    assert (g[CAT].hand, g.board.available) == ({"dominance-fox": 1}, {"dominance-bird": 1})
