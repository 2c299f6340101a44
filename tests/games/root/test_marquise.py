"""Chapter 13, the Marquise de Cat: every action, its refusals, wood and its ways, the keep and the hospitals."""

import pytest

from service.games.root.v1.marquise import FieldHospitals
from service.games.root.v1.state import Battle, Turn
from tests.games.root.table import CAT, OWL, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"


def day(map=None, hand=(), **cat):
    """The Marquise's Daylight."""
    return game({CAT: {"hand": hand, **cat}}, {"3": {"roost": 1}, **(map or {})})


def build(g, type, clearing, **wood):
    return g.refused(
        CAT, "build", type=type, clearing=clearing, wood={c.strip("c"): n for c, n in wood.items()}
    )


# -- Birdsong -----------------------------------------------------------------------------------------------------


@rule("ROOT-MARQ-10", "ROOT-TURN-7")
def test_each_sawmill_gets_a_wood():
    g = game(map={"5": {"sawmill": 2}, "8": {"sawmill": 1}}, at="turn")
    assert (g.here("5"), g.here("8")) == ({"sawmill": 2, "wood": 2}, {"sawmill": 1, "wood": 1})
    assert "act" in g.top.step


def short_of_wood():
    return game(map={"5": {"sawmill": 2}, "8": {"sawmill": 1}, "9": {"wood": 6}}, at="turn")


@rule("ROOT-MARQ-10", "ROOT-GEN-4", "ROOT-DEC-13")
def test_where_wood_is_short_she_chooses_the_sawmills():
    g = short_of_wood()
    assert (g.asked, g.kinds) == ((CAT,), ("place-wood",))
    g.play(CAT, "place-wood", clearings={"5": 1, "8": 1})
    assert (g.here("5")["wood"], g.here("8")["wood"]) == (1, 1)


@refusal("ROOT-MARQ-10")
@pytest.mark.parametrize("clearings", [{"5": 1}, {"8": 2}, {"9": 2}, {"5": 3}, {}])
def test_all_the_wood_there_is_and_one_for_a_sawmill(clearings):
    assert "ROOT-MARQ-10" in short_of_wood().refused(CAT, "place-wood", clearings=clearings)


@rule("ROOT-MARQ-10")
def test_without_wood_nobody_is_asked():
    g = game(map={"5": {"sawmill": 2}, "9": {"wood": 8}}, at="turn")
    assert g.top.step == "act"


# -- crafting and actions -----------------------------------------------------------------------------------------


@rule("ROOT-MARQ-1", "ROOT-CRAFT-8")
def test_workshops_craft_by_their_clearings():
    g = day({"5": {"workshop": 1}}, ["a-visit-to-friends", "root-tea-fox"])
    assert "ROOT-CRAFT-1" in g.refused(CAT, "craft", card="root-tea-fox", pieces={"rabbit": 1})
    g.play(CAT, "craft", card="a-visit-to-friends", pieces={"rabbit": 1})
    assert g[CAT].items == {"boots": 1}


@refusal("ROOT-MARQ-11")
@rule("ROOT-MARQ-11")
def test_after_the_first_action_there_is_no_more_crafting():
    g = day({"5": {"workshop": 1, "recruiter": 1}}, ["a-visit-to-friends"]).play(CAT, "recruit")
    says(g.refused(CAT, "craft", card="a-visit-to-friends", pieces={"rabbit": 1}), "ROOT-MARQ-11", "/kind")


@rule("ROOT-MARQ-12")
def test_three_actions_and_one_more_for_each_bird():
    g = day({"5": {CATS: 2, "sawmill": 1}}, ["sappers", "bake-sale", "cobbler", "cobbler", "command-warren"])
    for card in ("bake-sale", "cobbler", "cobbler"):
        g.play(CAT, "overwork", card=card, clearing="5")
    assert "ROOT-MARQ-12" in g.refused(CAT, "overwork", card="command-warren", clearing="5")
    g.play(CAT, "spend-bird", card="sappers")
    g.play(CAT, "overwork", card="command-warren", clearing="5")
    assert g.here("5")["wood"] == 4


@refusal("ROOT-MARQ-12")
def test_no_fourth_action_without_a_bird():
    g = day(
        {"5": {CATS: 2, "sawmill": 1, "recruiter": 1}},
        ["bake-sale"] * 1 + ["cobbler", "cobbler", "command-warren"],
    )
    for card in ("bake-sale", "cobbler", "cobbler"):
        g.play(CAT, "overwork", card=card, clearing="5")
    for kind, wire in {
        "march": {},
        "recruit": {},
        "battle": {"clearing": "5", "defender": OWL},
        "build": {"type": "sawmill", "clearing": "5", "wood": {"5": 1}},
        "overwork": {"card": "command-warren", "clearing": "5"},
    }.items():
        says(g.refused(CAT, kind, **wire), "ROOT-MARQ-12", "/kind", left=0)


@rule("ROOT-MARQ-12", "ROOT-R-MARQ-2")
def test_a_bird_may_be_spent_before_the_third_action_and_ends_crafting():
    g = day({"5": {"workshop": 1}}, ["sappers", "a-visit-to-friends"]).play(CAT, "spend-bird", card="sappers")
    assert g.top.left == 4
    assert "ROOT-MARQ-11" in g.refused(CAT, "craft", card="a-visit-to-friends", pieces={"rabbit": 1})


@refusal("ROOT-MARQ-12")
def test_only_birds_give_actions():
    says(
        day(hand=["bake-sale"]).refused(CAT, "spend-bird", card="bake-sale"),
        "ROOT-MARQ-12",
        "/card",
        card="bake-sale",
    )


@rule("ROOT-MARQ-13")
def test_a_battle_is_an_action():
    g = day({"5": {CATS: 2, OWLS: 1}}).play(CAT, "battle", clearing="5", defender=OWL)
    assert g.frame(Battle) is not None
    assert g.state.stack[-2].left == 2


# -- march --------------------------------------------------------------------------------------------------------


@rule("ROOT-MARQ-14")
def test_a_march_is_one_move_or_two():
    g = day({"5": {CATS: 2}}).play(CAT, "march")
    assert g.kinds == ("move",)
    g.play(CAT, "move", from_="5", to="1", warriors=1)
    assert g.kinds == ("move", "stop")
    one = g.fork().play(CAT, "stop")
    assert (one.top.left, one.top.step) == (2, "act")
    two = g.play(CAT, "move", from_="1", to="9", warriors=1)
    assert (two.top.left, two.top.step, two.here("9")) == (2, "act", {CATS: 1})


@refusal("ROOT-MARQ-14")
def test_no_march_without_a_move_to_make():
    says(day({"5": {"sawmill": 1}}).refused(CAT, "march"), "ROOT-MARQ-14", "/kind")


@refusal("ROOT-TURN-6")
def test_a_march_is_not_left_before_its_first_move():
    g = day({"5": {CATS: 2}}).play(CAT, "march")
    assert "ROOT-TURN-6" in g.refused(CAT, "stop")


# -- recruit ------------------------------------------------------------------------------------------------------


@rule("ROOT-MARQ-15")
def test_a_warrior_comes_to_each_recruiter():
    g = day({"5": {"recruiter": 2}, "8": {"recruiter": 1}}).play(CAT, "recruit")
    assert (g.here("5")[CATS], g.here("8")[CATS]) == (2, 1)
    assert g.top.left == 2


@refusal("ROOT-MARQ-15")
def test_once_a_turn():
    g = day({"5": {"recruiter": 2}}).play(CAT, "recruit")
    says(g.refused(CAT, "recruit"), "ROOT-MARQ-15", "/kind", times=1)


@refusal("ROOT-MARQ-15")
def test_not_without_a_recruiter():
    assert "ROOT-MARQ-15" in day().refused(CAT, "recruit")


@rule("ROOT-MARQ-15", "ROOT-DEC-14", "ROOT-GEN-4")
def test_where_warriors_are_short_she_chooses_the_recruiters():
    g = day({"5": {"recruiter": 2}, "8": {"recruiter": 1}, "9": {CATS: 23}}).play(CAT, "recruit")
    assert (g.asked, g.kinds) == ((CAT,), ("place-recruits",))
    g.play(CAT, "place-recruits", recruiters={"5": 1, "8": 1})
    assert (g.here("5")[CATS], g.here("8")[CATS]) == (1, 1)


@refusal("ROOT-DEC-14")
@pytest.mark.parametrize("recruiters", [{}, {"5": 1}, {"8": 2}, {"5": 3}, {"9": 2}])
def test_as_many_as_there_are(recruiters):
    g = day({"5": {"recruiter": 2}, "8": {"recruiter": 1}, "9": {CATS: 23}}).play(CAT, "recruit")
    assert "ROOT-DEC-14" in g.refused(CAT, "place-recruits", recruiters=recruiters)


@rule("ROOT-MARQ-15", "ROOT-GEN-4")
def test_with_no_warrior_left_recruiting_does_nothing():
    g = day({"5": {"recruiter": 2}, "9": {CATS: 25}}).play(CAT, "recruit")
    assert (g.here("5"), g.top.left) == ({"recruiter": 2}, 2)


# -- build --------------------------------------------------------------------------------------------------------


POINTS = {"sawmill": (0, 1, 2, 3, 4, 5), "workshop": (0, 2, 2, 3, 4, 5), "recruiter": (0, 1, 2, 3, 3, 4)}
COSTS = (0, 1, 2, 3, 3, 4)


@rule("ROOT-MARQ-16", "ROOT-MARQ-18", "ROOT-COMP-3")
@pytest.mark.parametrize(
    ("type", "standing", "cost", "points"),
    [(t, n, COSTS[n], points[n]) for t, points in POINTS.items() for n in range(6)],
)
def test_every_building_costs_and_scores_what_is_printed(type, standing, cost, points):
    spread = dict(zip(("2", "7", "8", "9", "11", "10"), [1] * standing, strict=False))
    g = day({**{c: {type: n} for c, n in spread.items()}, "5": {CATS: 1, **({"wood": cost} if cost else {})}})
    wood = {"5": cost} if cost else {}
    if cost:
        assert "ROOT-MARQ-16" in g.refused(
            CAT, "build", type=type, clearing="5", wood={"5": cost - 1} if cost > 1 else {}
        )
    g.play(CAT, "build", type=type, clearing="5", wood=wood)
    assert g.here("5") == {CATS: 1, type: 1}
    assert g.score(CAT) == points
    assert g[CAT].supply["wood"] == 8


@rule("ROOT-MARQ-18")
def test_a_space_uncovered_again_scores_again():
    g = day({"5": {CATS: 1, "wood": 1}, "2": {"workshop": 1}}, score=7)
    g.play(CAT, "build", type="workshop", clearing="5", wood={"5": 1})
    assert g.points(CAT) == [("ROOT-MARQ-18", 2)]


@refusal("ROOT-MARQ-16")
def test_not_where_she_does_not_rule():
    g = day({"5": {CATS: 1, OWLS: 1, "wood": 1}, "2": {"sawmill": 1}})
    says(build(g, "sawmill", "5", c5=1), "ROOT-MARQ-16", "/clearing", clearing="5", ruler=OWL)


@refusal("ROOT-MAP-7")
@rule("ROOT-MAP-7", "ROOT-MAP-8")
@pytest.mark.parametrize(
    ("clearing", "here"),
    [("1", {"recruiter": 1}), ("5", {"recruiter": 2}), ("6", {"recruiter": 1}), ("10", {"workshop": 1})],
)
def test_not_without_an_open_slot_and_a_ruin_fills_one(clearing, here):
    g = day({clearing: {CATS: 1, "wood": 1, **here}, "2": {"sawmill": 1}})
    says(build(g, "sawmill", clearing, **{f"c{clearing}": 1}), "ROOT-MAP-7", "/clearing", clearing=clearing)


@refusal("ROOT-MARQ-16")
def test_not_when_none_is_left():
    g = day({c: {"sawmill": 1} for c in ("2", "7", "8", "9", "11", "1")} | {"5": {CATS: 1, "wood": 4}})
    says(build(g, "sawmill", "5", c5=4), "ROOT-MARQ-16", "/type", type="sawmill")


# 5 (rabbit) - 1 - 9 - 4; 5 - 2 - 6
CHAIN = {
    "5": {CATS: 1},
    "1": {CATS: 1},
    "9": {CATS: 1, "wood": 1},
    "2": {OWLS: 1},
    "6": {CATS: 1, "wood": 1},
    "7": {"sawmill": 1},
}


@rule("ROOT-MARQ-17")
def test_wood_comes_by_a_chain_of_ruled_clearings():
    g = day(CHAIN).play(CAT, "build", type="sawmill", clearing="5", wood={"9": 1})
    assert g.here("9") == {CATS: 1}


@refusal("ROOT-MARQ-17")
def test_a_chain_is_broken_by_a_clearing_that_she_does_not_rule():
    found = build(day(CHAIN), "sawmill", "5", c6=1)
    says(found, "ROOT-MARQ-17", "/clearing", "/wood", clearing="5", given=1)


@refusal("ROOT-MARQ-17")
def test_both_ends_must_be_ruled():
    found = build(day({**CHAIN, "9": {CATS: 1, OWLS: 1, "wood": 1}}), "sawmill", "5", c9=1)
    assert "ROOT-MARQ-17" in found


@rule("ROOT-MARQ-16", "ROOT-MARQ-17")
def test_any_choice_of_wood_is_hers():
    """Of three places within reach she may leave any."""
    g = day(
        {"5": {CATS: 1, "wood": 1}, "1": {CATS: 1, "wood": 2}, "9": {CATS: 1, "wood": 1}, "7": {"sawmill": 2}}
    )
    for wood in ({"1": 2}, {"5": 1, "9": 1}, {"1": 1, "9": 1}, {"1": 1, "5": 1}):
        assert g.judged(CAT, "build", type="sawmill", clearing="5", wood=wood).legal
    for wood in ({"1": 1}, {"1": 2, "5": 1}, {"9": 2}, {"1": 3}, {"2": 2}, {"1": 2, "5": 0}, None):
        assert "ROOT-MARQ-16" in g.refused(CAT, "build", type="sawmill", clearing="5", wood=wood)


@rule("ROOT-MARQ-16")
def test_out_of_reach_it_is_no_option():
    g = day({"5": {CATS: 1, OWLS: 1}, "6": {CATS: 1, "wood": 1}, "7": {"sawmill": 1}})
    assert {o["clearing"] for o in g.options(CAT, "build") if o["type"] == "sawmill"} == {"6"}


# -- overwork -----------------------------------------------------------------------------------------------------


@rule("ROOT-MARQ-19", "ROOT-CARD-2")
@pytest.mark.parametrize("card", ["bake-sale", "sappers"])
def test_a_matching_card_brings_a_wood(card):
    g = day({"5": {"sawmill": 1}}, [card]).play(CAT, "overwork", card=card, clearing="5")
    assert g.here("5") == {"sawmill": 1, "wood": 1}
    assert g.board.discard == {card: 1}


@refusal("ROOT-MARQ-19")
def test_overwork_takes_a_sawmill_a_matching_card_and_wood():
    g = day({"5": {"sawmill": 1}, "8": {CATS: 1}}, ["bake-sale", "anvil"])
    says(g.refused(CAT, "overwork", card="anvil", clearing="8"), "ROOT-MARQ-19", "/clearing", clearing="8")
    says(
        g.refused(CAT, "overwork", card="anvil", clearing="5"),
        "ROOT-MARQ-19",
        "/card",
        "/clearing",
        suit="rabbit",
    )
    none = day({"5": {"sawmill": 1}, "8": {"wood": 8}}, ["bake-sale"])
    says(none.refused(CAT, "overwork", card="bake-sale", clearing="5"), "ROOT-MARQ-19", "/kind", wood=0)


@refusal("ROOT-MARQ-19")
def test_a_card_that_she_does_not_hold_does_not_exist_for_her():
    g = day({"5": {"sawmill": 1}}, ["bake-sale"])
    assert g.refused(CAT, "overwork", card="cobbler", clearing="5")["ROOT-MARQ-19"].reason == "unknown-value"


# -- keep and hospitals -------------------------------------------------------------------------------------------

HOME = {"1": {"keep": 1, CATS: 1}}


def raided(*dice, hand=("bake-sale",), map=None, **cat):
    """The Eyrie attack the Marquise in clearing 5 of rabbits."""
    owl = {"leader": "charismatic"}
    g = game(
        {CAT: {"hand": hand, **cat}, OWL: owl},
        {**HOME, "5": {CATS: 2, OWLS: 4}, "8": {"roost": 1}, **(map or {})},
        turn=OWL,
    )
    g.play(OWL, "resolve-decree").play(OWL, "decree-recruit", card="vizier", clearing="8")
    return g.fight(OWL, CAT, "5", *dice, kind="decree-battle", card="vizier")


@rule("ROOT-MARQ-5", "ROOT-DEC-11")
def test_a_matching_card_saves_all_warriors_of_the_clearing():
    g = raided(2, 0)
    assert (g.asked, g.kinds) == ((CAT,), ("field-hospitals", "pass"))
    g.play(CAT, "field-hospitals", card="bake-sale")
    assert g.here("1") == {"keep": 1, CATS: 3}
    assert g.board.discard == {"bake-sale": 1}


@rule("ROOT-MARQ-5", "ROOT-DEC-11")
def test_she_may_let_them_go():
    g = raided(2, 0).play(CAT, "pass")
    assert g[CAT].supply[CATS] == 24


@refusal("ROOT-MARQ-5")
def test_a_card_of_another_suit_saves_nobody():
    g = raided(2, 0, hand=["anvil"])
    says(g.refused(CAT, "field-hospitals", card="anvil"), "ROOT-MARQ-5", "/card", card="anvil", suit="rabbit")


@rule("ROOT-MARQ-5")
def test_with_an_empty_hand_she_is_not_asked():
    g = raided(2, 0, hand=[])
    assert g.frame(FieldHospitals) is None
    assert "ROOT-MARQ-5" in g.because("skipped")


@rule("ROOT-MARQ-4", "ROOT-MARQ-5")
@refusal("ROOT-MARQ-5")
def test_without_the_keep_there_are_no_hospitals():
    g = raided(2, 0, map={"1": {CATS: 1}}, hand=["bake-sale"])
    assert g.frame(FieldHospitals) is None
    assert "ROOT-MARQ-5" in g.refused(CAT, "field-hospitals", card="bake-sale")


@rule("ROOT-MARQ-4", "ROOT-MARQ-7", "ROOT-COMP-4", "ROOT-R-MARQ-1")
def test_if_the_keep_goes_with_them_nobody_is_saved():
    owl = {"leader": "charismatic"}
    g = game(
        {CAT: {"hand": ["bake-sale"]}, OWL: owl},
        {"4": {CATS: 1, "keep": 1, OWLS: 4}, "8": {"roost": 1}},
        turn=OWL,
    )
    g.play(OWL, "resolve-decree").play(OWL, "decree-recruit", card="vizier", clearing="8")
    g.fight(OWL, CAT, "4", 2, 0, kind="decree-battle", card="vizier")
    assert g.board.box == {"keep": 1}
    assert g.points(OWL) == [("ROOT-BATTLE-20", 1)]
    assert g.frame(FieldHospitals) is None


@rule("ROOT-MARQ-6", "ROOT-BATTLE-8")
def test_who_is_saved_into_the_clearing_of_battle_fights_on():
    g = game(
        {CAT: {"hand": ["anvil"]}, OWL: {"hand": ["ambush-fox"]}},
        {"1": {"keep": 1, CATS: 2, OWLS: 1}, "8": {"roost": 1}},
    )
    g.play(CAT, "battle", clearing="1", defender=OWL).play(OWL, "play-ambush", card="ambush-fox")
    g.play(CAT, "pass")  # does not foil
    assert g.kinds == ("field-hospitals", "pass")
    g.play(CAT, "field-hospitals", card="anvil")
    assert g.asked == ("chance",)
    g.roll(1, 0)
    assert g.here("1") == {CATS: 2, "keep": 1}


@rule("ROOT-MARQ-6")
def test_ambush_and_roll_are_two_events():
    cat = {"hand": ["bake-sale", "cobbler"]}
    g = game(
        {CAT: cat, OWL: {"hand": ["ambush-rabbit", "anvil"]}},
        {**HOME, "5": {CATS: 4, OWLS: 2}, "8": {"roost": 1}},
    )
    g.play(CAT, "battle", clearing="5", defender=OWL).play(OWL, "play-ambush", card="ambush-rabbit").play(
        CAT, "pass"
    )
    g.play(CAT, "field-hospitals", card="bake-sale").roll(2, 1)
    assert g.kinds == ("field-hospitals", "pass")
    g.play(CAT, "field-hospitals", card="cobbler")
    assert g.here("1")[CATS] == 4


@rule("ROOT-R-MARQ-3", "ROOT-FX-7")
def test_a_taxed_warrior_may_be_saved():
    g = day({**HOME, "5": {CATS: 1}}, ["bake-sale"], crafted=["tax-collector"])
    g.play(CAT, "tax-collector", clearing="5").play(CAT, "field-hospitals", card="bake-sale")
    assert g.here("1")[CATS] == 2
    g.draw("anvil")
    assert g[CAT].hand == {"anvil": 1}


# -- Evening ------------------------------------------------------------------------------------------------------


@rule("ROOT-MARQ-20")
@pytest.mark.parametrize(("recruiters", "cards"), [(0, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_she_draws_by_the_recruiter_track(recruiters, cards):
    map = {c: {"recruiter": 1} for c in ("2", "7", "8", "9", "11", "1")[:recruiters]}
    g = game({}, map, at="evening")
    assert g.top.left == cards


@rule("ROOT-MARQ-20", "ROOT-CARD-8", "ROOT-TURN-9")
def test_she_discards_down_to_five():
    g = day(hand=["anvil", "bake-sale", "cobbler", "cobbler", "sappers", "armorers"])
    g.play(CAT, "end-phase").draw("investments")
    assert (g.asked, g.kinds) == ((CAT,), ("discard",))
    g.play(CAT, "discard", cards={"cobbler": 1, "anvil": 1})
    assert sum(g[CAT].hand.values()) == 5
    assert g.frame(Turn).seat == OWL


@refusal("ROOT-TURN-9")
@pytest.mark.parametrize("cards", [{}, {"anvil": 1}, {"anvil": 1, "sappers": 1, "armorers": 1}])
def test_exactly_what_is_too_much(cards):
    g = day(hand=["anvil", "bake-sale", "cobbler", "cobbler", "sappers", "armorers"])
    g.play(CAT, "end-phase").draw("investments")
    says(g.refused(CAT, "discard", cards=cards), "ROOT-TURN-9", "/cards", n=2)
