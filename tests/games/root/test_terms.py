"""What the Law says of its own words, of birds, of stocks and of the map, where no chapter of a faction does."""

import pytest

from service.games.root.v1 import RULES
from service.games.root.v1.figures import PRINTED, RIVER
from tests.games.root.table import CAT, OWL, fresh, game
from tests.games.root.test_setup import BEGINNING, dealt

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"
PATHS = [(c.id, other) for c in PRINTED.clearings.values() for other in c.paths]
ACROSS = [(a, b) for a in RIVER for b in PRINTED.clearings[a].rivers if b not in PRINTED.clearings[a].paths]


@rule("ROOT-GEN-8")
def test_to_place_is_not_to_move():
    """Recruits come into a sympathetic clearing without Outrage; who walks in has to pay."""
    alliance = {"ally": {"faction": "alliance"}}
    cat = {"faction": "marquise", "hand": ["anvil"]}
    spots = {"1": {CATS: 2}, "5": {CATS: 2, "recruiter": 1, "sympathy": 1}}
    g = game({CAT: cat, **alliance, OWL: {"faction": "eyrie"}}, spots).play(CAT, "recruit")
    assert g.here("5")[CATS] == 3
    assert "march" in g.kinds
    g.play(CAT, "march").play(CAT, "move", from_="1", to="5", warriors=1)
    assert g.kinds == ("pay-outrage", "show-hand")


@rule("ROOT-GEN-10")
@pytest.mark.parametrize("kind", ["give-card", "show-card", "trade", "promise"])
def test_no_deal_is_an_action(kind):
    assert kind not in RULES.kinds
    assert game({CAT: {"hand": ["anvil"]}}, {}).refused(CAT, kind, card="anvil", player=OWL)


@rule("ROOT-CARD-4")
@refusal("ROOT-MARQ-12")
@pytest.mark.parametrize("card", ["anvil", "bake-sale", "cobbler"])
def test_no_other_suit_stands_in_for_a_bird(card):
    assert PRINTED.cards[card].suit != "bird"
    g = game({CAT: {"hand": [card, "sappers"]}}, {"5": {CATS: 1}})
    assert "ROOT-MARQ-12" in g.refused(CAT, "spend-bird", card=card)
    assert g.play(CAT, "spend-bird", card="sappers").top.left == 4


@rule("ROOT-COMP-8")
def test_the_stocks_of_items_are_apart():
    supply = {"boots": 2, "bag": 2, "sword": 2, "tea": 2, "coin": 2, "crossbow": 1, "hammer": 1}
    g = fresh("marquise", "eyrie", "vagabond")
    assert g.board.items == supply, "the Vagabond's own items and those of the ruins are none of these"


@rule("ROOT-MAP-4")
@pytest.mark.parametrize(("source", "to"), PATHS)
def test_no_river_is_in_the_way_of_a_path(source, to):
    g = game({}, {source: {CATS: 2}}).play(CAT, "march").play(CAT, "move", from_=source, to=to, warriors=1)
    assert g.here(to)[CATS] == 1


@rule("ROOT-MAP-4")
@refusal("ROOT-MAP-2")
@pytest.mark.parametrize(("source", "to"), ACROSS)
def test_a_river_alone_is_no_path(source, to):
    g = game({}, {source: {CATS: 2}}).play(CAT, "march")
    assert "ROOT-MAP-2" in g.refused(CAT, "move", from_=source, to=to, warriors=1)


@rule("ROOT-MAP-9")
@pytest.mark.parametrize(("keep", "roost"), [("1", "3"), ("2", "4"), ("3", "1"), ("4", "2")])
def test_corners_lie_opposite_each_other(keep, roost):
    near = [keep, *PRINTED.clearings[keep].paths]
    open_ = [c for c in near for _ in range(PRINTED.clearings[c].slots - PRINTED.clearings[c].ruin)]
    places = dict(zip(("sawmill", "workshop", "recruiter"), open_, strict=False))
    g = dealt("marquise", "eyrie").play(CAT, "setup-marquise", **{**BEGINNING, "keep": keep, **places})
    assert g.play(OWL, "setup-eyrie", leader="despot").here(roost)["roost"] == 1


@rule("ROOT-MAP-9")
def test_no_other_clearing_is_a_corner():
    assert {c.id for c in PRINTED.clearings.values() if c.opposite} == {"1", "2", "3", "4"}
