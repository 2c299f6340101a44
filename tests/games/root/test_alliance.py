"""Chapter 15, the Woodland Alliance: supporters, set-up, revolts, sympathy, Daylight, operations in the Evening."""

import pytest

from service.engine.flow import decisions
from service.engine.options import options
from service.engine.view import view
from service.games.root.v1.alliance_evening import AllianceEvening
from service.games.root.v1.alliance_turn import AllianceBirdsong, AllianceDaylight
from service.games.root.v1.figures import PRINTED
from tests.games.root.ally import ALLIES, ALLY, CATS, FOXES, MICE, OWLS, RABBITS, officers, stack, woodland
from tests.games.root.table import CAT, OWL, fresh, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

FOX, RABBIT, MOUSE = (
    ["anvil", "foxfolk-steel"],
    ["bake-sale", "root-tea-rabbit"],
    ["investments", "sword-mouse"],
)
S = "sympathy"


# -- set-up -------------------------------------------------------------------------------------------------------


@rule("ROOT-SETUP-11", "ROOT-SETUP-17", "ROOT-SETUP-7")
def test_three_supporters_and_nothing_on_the_map():
    g = fresh("alliance", "eyrie").play("chance", "draw-seat", seat="cat").draw_any()
    g.play("owl", "setup-eyrie", corner="1", leader="builder").draw_any()
    own = g["cat"].alliance
    assert (sum(own.supporters.values()), own.officers) == (3, {})
    assert g["cat"].supply == {ALLIES: 10, FOXES: 1, RABBITS: 1, MICE: 1, S: 10}
    assert g.because("moved")[-3:] == ["ROOT-SETUP-11"] * 3
    assert isinstance(g.top, AllianceBirdsong)


@rule("ROOT-INFO-4")
def test_supporters_are_known_to_the_alliance_and_counted_by_all():
    g = woodland(supporters=["anvil", "sappers"])
    assert view(g.state, ALLY)["table"]["seats"][ALLY]["alliance"]["supporters"] == {"anvil": 1, "sappers": 1}
    for other in (CAT, OWL, None):
        assert view(g.state, other)["table"]["seats"][ALLY]["alliance"]["supporters"] == 2


@rule("ROOT-SETUP-11", "ROOT-INFO-4")
def test_who_draws_a_supporter_sees_it_and_nobody_else():
    g = fresh("alliance", "eyrie").play("chance", "draw-seat", seat="cat").draw_any()
    g.play("owl", "setup-eyrie", corner="1", leader="builder")
    card = next(iter(g.board.deck.odds()))
    g.play("chance", "draw-card", card=card)
    (drawn,) = [e for e in g.events if e.kind == "moved"]
    assert drawn.seen_by("cat")["what"] == {card: 1}
    assert drawn.seen_by("owl")["what"] == drawn.seen_by(None)["what"] == 1


# -- supporters ---------------------------------------------------------------------------------------------------


@refusal("ROOT-WA-2")
@rule("ROOT-WA-2", "ROOT-CARD-9")
def test_supporters_are_not_crafted_trained_with_or_mobilized_again():
    map = {"7": {S: 1}, "9": {S: 1, MICE: 1}}
    g = woodland(map, at="daylight", supporters=["sappers", "root-tea-fox"], hand=["anvil"])
    found = g.refused(ALLY, "craft", card="sappers", pieces={"mouse": 1})
    says(found, "ROOT-WA-2", "/card", card="sappers")
    assert "ROOT-WA-2" in g.refused(ALLY, "train", card="sappers")
    assert "ROOT-WA-2" in g.refused(ALLY, "mobilize", card="root-tea-fox")


@refusal("ROOT-WA-2")
@rule("ROOT-WA-2")
def test_no_ambush_with_a_supporter():
    g = woodland(
        {"5": {ALLIES: 1, CATS: 1}}, turn=CAT, at="daylight", supporters=["ambush-rabbit"], hand=["anvil"]
    )
    g.play(CAT, "battle", clearing="5", defender=ALLY)
    says(g.refused(ALLY, "play-ambush", card="ambush-rabbit"), "ROOT-WA-2", "/card", card="ambush-rabbit")


def test_what_is_neither_in_hand_nor_a_supporter_breaks_no_such_clause():
    g = woodland(at="daylight", supporters=["sappers"], hand=["anvil"])
    assert "ROOT-WA-2" not in g.refused(ALLY, "mobilize", card="armorers")
    assert "ROOT-WA-2" not in g.refused(ALLY, "mobilize", card=["sappers"])
    cats = woodland(turn=CAT, at="daylight", supporters=["sappers"])
    assert "ROOT-WA-2" not in cats.refused(CAT, "spend-bird", card="sappers")


# -- revolt -------------------------------------------------------------------------------------------------------


def revolting(map=None, supporters=FOX, **more):
    """Sympathy in the fox clearing 8 (two slots)."""
    return woodland({"8": {S: 1}, **(map or {})}, supporters=supporters, **more)


def revolt(g, clearing, *cards):
    return g.play(ALLY, "revolt", clearing=clearing, supporters={c: cards.count(c) for c in cards})


@rule("ROOT-WA-13", "ROOT-WA-14", "ROOT-WA-16")
def test_a_revolt_sweeps_the_clearing_and_places_the_base():
    g = revolting({"8": {S: 1, CATS: 3, "sawmill": 1, "wood": 2, OWLS: 1}, "12": {S: 1}, "7": {S: 1}})
    revolt(g, "8", *FOX)
    assert g.here("8") == {S: 1, FOXES: 1, ALLIES: 2}
    assert (officers(g), g[ALLY].supply[ALLIES]) == (1, 7)
    assert g.points(ALLY) == [("ROOT-WA-14", 3)]
    assert (stack(g), g.board.discard) == ({}, {"anvil": 1, "foxfolk-steel": 1})
    assert g[CAT].supply["sawmill"] == 6


@rule("ROOT-WA-14")
def test_warriors_come_for_the_sympathy_of_its_suit_only():
    g = revolting({"12": {S: 1}, "1": {S: 1}, "2": {S: 1}, "5": {S: 1}})
    assert revolt(g, "8", *FOX).here("8")[ALLIES] == 3


@rule("ROOT-WA-13")
def test_any_number_of_revolts():
    g = revolting({"2": {S: 1}}, [*FOX, *MOUSE])
    revolt(g, "8", *FOX)
    revolt(g, "2", *MOUSE)
    assert (FOXES in g.here("8"), MICE in g.here("2"), officers(g)) == (True, True, 2)


@rule("ROOT-CARD-2", "ROOT-WA-13")
@pytest.mark.parametrize("cards", [("anvil", "sappers"), ("sappers", "armorers"), ("sappers", "sappers")])
def test_birds_count_as_its_suit(cards):
    g = revolting(supporters=cards)
    assert FOXES in revolt(g, "8", *cards).here("8")


@refusal("ROOT-WA-13")
def test_no_revolt_without_sympathy():
    g = revolting()
    found = g.refused(ALLY, "revolt", clearing="12", supporters={"anvil": 1, "foxfolk-steel": 1})
    says(found, "ROOT-WA-13", "/clearing", clearing="12")


@refusal("ROOT-WA-13")
def test_no_revolt_where_the_base_of_the_suit_is_built():
    g = revolting({"12": {S: 1, FOXES: 1}})
    found = g.refused(ALLY, "revolt", clearing="8", supporters={"anvil": 1, "foxfolk-steel": 1})
    says(found, "ROOT-WA-13", "/clearing", clearing="8", base=FOXES)


@refusal("ROOT-WA-13")
@pytest.mark.parametrize(
    "cards",
    [
        {"anvil": 1},
        {},
        {"anvil": 1, "foxfolk-steel": 1, "sappers": 1},
        {"anvil": 1, "investments": 1},
        {"investments": 1, "sword-mouse": 1},
        {"anvil": 2},
        {"armorers": 1, "anvil": 1},
        {"anvil": 0, "sappers": 2},
        ["anvil", "foxfolk-steel"],
        "anvil",
        None,
    ],
)
def test_a_revolt_takes_two_supporters_of_its_suit(cards):
    g = revolting(supporters=[*FOX, *MOUSE, "sappers"])
    assert "ROOT-WA-13" in g.refused(ALLY, "revolt", clearing="8", supporters=cards)


def test_a_refused_payment_says_what_it_would_take():
    g = revolting(supporters=[*FOX, *MOUSE])
    says(
        g.refused(ALLY, "revolt", clearing="8", supporters={"anvil": 1}),
        "ROOT-WA-13", "/supporters", n=2, chosen=1,
    )  # fmt: skip
    says(
        g.refused(ALLY, "revolt", clearing="8", supporters={"anvil": 1, "investments": 1}),
        "ROOT-WA-13", "/clearing", "/supporters", suit="fox",
    )  # fmt: skip


@refusal("ROOT-WA-15")
@rule("ROOT-WA-15", "ROOT-R-WA-2")
def test_no_revolt_where_own_buildings_fill_every_slot():
    """By print a ruin always leaves a slot, so only the base itself can be in the way."""
    g = woodland({"1": {S: 1, FOXES: 1}}, supporters=FOX)
    found = g.refused(ALLY, "revolt", clearing="1", supporters={"anvil": 1, "foxfolk-steel": 1})
    says(found, "ROOT-WA-15", "/clearing", clearing="1")
    assert "ROOT-WA-13" in found


@rule("ROOT-WA-15", "ROOT-MAP-8")
def test_enemy_buildings_make_room():
    g = revolting({"1": {S: 1, "sawmill": 1}}, FOX)
    assert revolt(g, "1", *FOX).here("1") == {S: 1, FOXES: 1, ALLIES: 2}


@rule("ROOT-WA-15", "ROOT-MAP-8")
def test_beside_a_ruin_the_other_slot_does():
    g = woodland({"12": {S: 1, "sawmill": 1}}, supporters=FOX)
    assert FOXES in revolt(g, "12", *FOX).here("12")


@rule("ROOT-R-WA-1", "ROOT-WA-14", "ROOT-GEN-4")
@pytest.mark.parametrize(("left", "placed", "made"), [(3, 2, 1), (2, 2, 0), (1, 1, 0), (0, 0, 0)])
def test_where_warriors_are_short_the_map_comes_first(left, placed, made):
    g = revolting({"12": {S: 1}, "9": {ALLIES: 10 - left}})
    revolt(g, "8", *FOX)
    assert (g.here("8").get(ALLIES, 0), officers(g)) == (placed, made)
    assert FOXES in g.here("8")


@refusal("ROOT-WA-20")
@rule("ROOT-WA-20")
def test_no_revolt_after_spreading():
    g = revolting(supporters=[*FOX, "bake-sale"]).play(
        ALLY, "spread", clearing="4", supporters={"bake-sale": 1}
    )
    found = g.refused(ALLY, "revolt", clearing="8", supporters={"anvil": 1, "foxfolk-steel": 1})
    says(found, "ROOT-WA-20", "/kind")


@rule("ROOT-X-4", "ROOT-MARQ-5", "ROOT-WA-14")
def test_field_hospitals_save_warriors_from_a_revolt():
    g = revolting(
        {"8": {S: 1, CATS: 3}, "1": {"keep": 1}}, cat={"hand": ["anvil"]}, supporters=["sappers"] * 2
    )
    revolt(g, "8", "sappers", "sappers")
    assert (g.asked, g.kinds) == ((CAT,), ("field-hospitals", "pass"))
    g.play(CAT, "field-hospitals", card="anvil")
    assert g.here("1") == {"keep": 1, CATS: 3}
    assert g.here("8") == {S: 1, FOXES: 1, ALLIES: 1}


@rule("ROOT-WIN-1", "ROOT-WA-14")
def test_points_of_a_revolt_can_win_the_game():
    g = revolting({"8": {S: 1, "sawmill": 2}}, score=28)
    revolt(g, "8", *FOX)
    assert g.state.outcome.winners == [ALLY]


@rule("ROOT-WA-2")
def test_with_a_base_the_stack_has_no_limit():
    g = woodland({"8": {S: 1, FOXES: 1}}, at="daylight", supporters=[*FOX, *RABBIT, "sappers"], hand=MOUSE)
    for card in MOUSE:
        g.play(ALLY, "mobilize", card=card)
    assert sum(stack(g).values()) == 7


# -- spreading sympathy -------------------------------------------------------------------------------------------


def spread(g, clearing, *cards):
    return g.play(ALLY, "spread", clearing=clearing, supporters={c: cards.count(c) for c in cards})


@rule("ROOT-WA-17", "ROOT-WA-19")
@pytest.mark.parametrize("clearing", ["1", "8", "12"])
def test_the_first_token_goes_anywhere(clearing):
    g = spread(woodland(supporters=FOX), clearing, "anvil")
    assert g.here(clearing)[S] == 1
    assert g.points(ALLY) == []
    assert stack(g) == {"foxfolk-steel": 1}


COSTS, POINTS = [1, 1, 1, 2, 2, 2, 3, 3, 3, 3], [0, 1, 1, 1, 2, 2, 3, 4, 4, 4]
OTHERS = ["7", "1", "5", "2", "6", "10", "11", "4", "8"]  # all but 12, next to 7 and 10 and 11


@rule("ROOT-WA-17", "ROOT-WA-19")
@pytest.mark.parametrize("n", range(10))
def test_every_token_has_its_cost_and_its_points(n):
    birds = ["sappers", "sappers", "armorers", "armorers"]
    there = {c: {S: 1} for c in OTHERS[:n]}
    g = woodland({"3": {"roost": 1}, **there}, supporters=birds)
    bag = {"armorers": min(COSTS[n], 2), "sappers": COSTS[n] - min(COSTS[n], 2)}
    bag = {c: k for c, k in bag.items() if k}
    less = {c: k for c, k in {"armorers": min(COSTS[n] - 1, 2), "sappers": COSTS[n] - 3}.items() if k > 0}
    assert "ROOT-WA-17" in g.refused(ALLY, "spread", clearing="12", supporters=less)
    g.play(ALLY, "spread", clearing="12", supporters=bag)
    assert g.points(ALLY) == ([("ROOT-WA-19", POINTS[n])] if POINTS[n] else [])
    assert PRINTED.pieces[S].cost == COSTS


@rule("ROOT-WA-17", "ROOT-WA-20")
def test_sympathy_spreads_any_number_of_times():
    g = woodland(supporters=["anvil", "bake-sale", "sappers"])
    spread(g, "1", "anvil")
    spread(g, "5", "bake-sale")
    spread(g, "2", "sappers")
    assert [c for c in g.board.map if S in g.here(c)] == ["1", "2", "5"]
    assert g[ALLY].score == 2


@refusal("ROOT-WA-17")
def test_only_next_to_sympathy():
    g = woodland({"1": {S: 1}}, supporters=FOX)
    found = g.refused(ALLY, "spread", clearing="8", supporters={"anvil": 1})
    says(found, "ROOT-WA-17", "/clearing", clearing="8")


@refusal("ROOT-WA-17")
def test_a_river_is_no_path_for_sympathy():
    assert "5" in PRINTED.clearings["10"].rivers
    g = woodland({"5": {S: 1}}, supporters=["bake-sale"])
    assert "ROOT-WA-17" in g.refused(ALLY, "spread", clearing="10", supporters={"bake-sale": 1})


@refusal("ROOT-WA-3")
@rule("ROOT-WA-3")
def test_one_token_a_clearing():
    g = woodland({"1": {S: 1}, "5": {S: 1}}, supporters=FOX)
    says(
        g.refused(ALLY, "spread", clearing="1", supporters={"anvil": 1}),
        "ROOT-WA-3",
        "/clearing",
        clearing="1",
    )


@refusal("ROOT-MARQ-2")
@rule("ROOT-GEN-2", "ROOT-MARQ-3", "ROOT-X-15")
def test_no_sympathy_at_the_keep():
    g = woodland({"1": {"keep": 1}, "5": {S: 1}}, supporters=FOX)
    found = g.refused(ALLY, "spread", clearing="1", supporters={"anvil": 1})
    says(found, "ROOT-MARQ-2", "/clearing", clearing="1")
    gone = woodland({"5": {S: 1}}, supporters=FOX, board={"box": {"keep": 1}})
    assert S in spread(gone, "1", "anvil").here("1")


@refusal("ROOT-WA-17")
@pytest.mark.parametrize(
    "cards",
    [
        {"bake-sale": 1},
        {},
        {"anvil": 2},
        {"anvil": 1, "foxfolk-steel": 1},
        {"anvil": 1, "bake-sale": 1},
        1,
        None,
    ],
)
def test_exactly_its_cost_in_supporters_of_the_suit(cards):
    g = woodland({"5": {S: 1}}, supporters=[*FOX, *RABBIT])
    assert "ROOT-WA-17" in g.refused(ALLY, "spread", clearing="1", supporters=cards)


@refusal("ROOT-WA-17")
def test_no_eleventh_token():
    g = woodland(
        {c: {S: 1} for c in ("1", "2", "4", "5", "6", "7", "8", "9", "10", "11")}, supporters=["sappers"]
    )
    found = g.refused(ALLY, "spread", clearing="12", supporters={"sappers": 1})
    says(found, "ROOT-WA-17", "/kind", tokens=0)


@refusal("ROOT-WA-18")
@rule("ROOT-WA-18")
@pytest.mark.parametrize("there", [{CATS: 3}, {CATS: 5, OWLS: 3}, {OWLS: 3, CATS: 2}])
def test_martial_law_takes_one_more(there):
    g = woodland({"1": there, "5": {S: 1}}, supporters=FOX)
    found = g.refused(ALLY, "spread", clearing="1", supporters={"anvil": 1})
    says(found, "ROOT-WA-18", "/clearing", "/supporters", n=2, chosen=1)
    assert set(found) == {"ROOT-WA-18"}
    assert S in spread(g, "1", *FOX).here("1")


@rule("ROOT-WA-18")
@pytest.mark.parametrize("there", [{CATS: 2, OWLS: 2}, {CATS: 2, "sawmill": 1}, {ALLIES: 3}])
def test_no_martial_law_without_three_warriors_of_one_other_player(there):
    g = woodland({"1": there, "5": {S: 1}}, supporters=FOX)
    assert S in spread(g, "1", "anvil").here("1")


@rule("ROOT-CARD-5", "ROOT-DOM-5")
def test_a_dominance_card_spent_as_a_supporter_becomes_available():
    g = spread(woodland(supporters=["dominance-fox"]), "1", "dominance-fox")
    assert g.board.available == {"dominance-fox": 1}


@rule("ROOT-WA-11")
def test_spreading_and_entering_its_own_clearings_cause_no_outrage():
    g = spread(woodland(supporters=FOX), "1", "anvil")
    assert g.because("outrage") == []
    g = woodland({"5": {ALLIES: 2}, "1": {S: 1}}, at="evening", officers=1)
    g.play(ALLY, "move", from_="5", to="1", warriors=1)
    assert g.because("outrage") == []


def test_birdsong_ends_when_the_alliance_says_so():
    g = woodland(supporters=FOX)
    assert isinstance(g.top, AllianceBirdsong)
    assert isinstance(g.play(ALLY, "end-phase").top, AllianceDaylight)


# -- Daylight -----------------------------------------------------------------------------------------------------


def day(map=None, hand=(), **ally):
    return woodland(map, at="daylight", hand=hand, **ally)


@rule("ROOT-WA-1", "ROOT-CRAFT-8", "ROOT-WA-21")
def test_sympathy_crafts_by_its_clearings():
    g = day({"5": {S: 1}, "1": {S: 1}}, ["a-visit-to-friends", "sword-mouse", "armorers"])
    assert "ROOT-CRAFT-1" in g.refused(ALLY, "craft", card="sword-mouse", pieces={"fox": 2})
    g.play(ALLY, "craft", card="a-visit-to-friends", pieces={"rabbit": 1})
    g.play(ALLY, "craft", card="armorers", pieces={"fox": 1})
    assert (g[ALLY].items, g[ALLY].crafted, g[ALLY].score) == ({"boots": 1}, ["armorers"], 1)


@refusal("ROOT-CRAFT-2")
def test_each_token_is_activated_once_a_turn():
    g = day({"5": {S: 1}}, ["a-visit-to-friends", "travel-gear-fox"])
    g.play(ALLY, "craft", card="a-visit-to-friends", pieces={"rabbit": 1})
    assert "ROOT-CRAFT-2" in g.refused(ALLY, "craft", card="travel-gear-fox", pieces={"rabbit": 1})


@rule("ROOT-WA-21", "ROOT-INFO-10")
def test_mobilizing_adds_a_supporter_that_nobody_else_sees():
    g = day(hand=["anvil"]).play(ALLY, "mobilize", card="anvil")
    assert (stack(g), g[ALLY].hand) == ({"anvil": 1}, {})
    (moved,) = [e for e in g.events if e.kind == "moved"]
    assert moved.seen_by(ALLY)["what"] == {"anvil": 1}
    assert moved.seen_by(CAT)["what"] == 1
    assert g.judged(ALLY, "mobilize", card="anvil").legal is False


@rule("ROOT-R-WA-3", "ROOT-WA-2")
def test_mobilizing_into_a_full_stack_discards_the_card():
    g = day(hand=["sappers"], supporters=[*FOX, *RABBIT, "investments"]).play(
        ALLY, "mobilize", card="sappers"
    )
    assert (sum(stack(g).values()), g.board.discard) == (5, {"sappers": 1})
    assert g.because("moved") == ["ROOT-WA-2"]


@rule("ROOT-R-WA-3")
def test_a_full_stack_is_a_note_on_the_option():
    full = day(hand=["sappers"], supporters=[*FOX, *RABBIT, "investments"])
    open_ = day(hand=["sappers"], supporters=FOX)
    notes = [
        [n["note"] for o in options(g.table, ALLY, kinds=("mobilize",)) for n in o.notes]
        for g in (full, open_)
    ]
    assert notes == [["supporters-full"], []]


@rule("ROOT-WA-21")
@pytest.mark.parametrize("card", ["anvil", "sappers"])
def test_training_makes_an_officer(card):
    g = day({"8": {FOXES: 1, S: 1}}, [card]).play(ALLY, "train", card=card)
    assert (officers(g), g[ALLY].supply[ALLIES], g.board.discard) == (1, 9, {card: 1})


@refusal("ROOT-WA-21")
@pytest.mark.parametrize("map", [{}, {"2": {MICE: 1}}])
def test_training_takes_a_card_of_a_base_on_the_map(map):
    says(day(map, ["anvil"]).refused(ALLY, "train", card="anvil"), "ROOT-WA-21", "/card", card="anvil")


@refusal("ROOT-WA-21")
def test_without_a_base_not_even_a_bird_trains():
    assert "ROOT-WA-21" in day(hand=["sappers"]).refused(ALLY, "train", card="sappers")


@refusal("ROOT-WA-21")
def test_no_officer_without_a_warrior():
    g = day({"8": {FOXES: 1, ALLIES: 8}}, ["anvil"], officers=2)
    says(g.refused(ALLY, "train", card="anvil"), "ROOT-WA-21", "/kind", warriors=0)


@refusal("ROOT-WA-13", "ROOT-WA-17")
def test_birdsong_is_over_in_daylight():
    g = day({"8": {S: 1}}, supporters=FOX)
    assert "ROOT-WA-13" in g.refused(
        ALLY, "revolt", clearing="8", supporters={"anvil": 1, "foxfolk-steel": 1}
    )
    assert "ROOT-WA-17" in g.refused(ALLY, "spread", clearing="4", supporters={"anvil": 1})


# -- Evening ------------------------------------------------------------------------------------------------------


def night(map=None, n=1, **ally):
    return woodland(map, at="evening", officers=n, **ally)


@rule("ROOT-WA-22")
def test_an_operation_for_each_officer():
    g = night({"5": {ALLIES: 2}, "8": {FOXES: 1}}, 2)
    g.play(ALLY, "recruit", clearing="8").play(ALLY, "move", from_="5", to="1", warriors=2)
    assert (g.here("8"), g.here("1"), g.top.left) == ({FOXES: 1, ALLIES: 1}, {ALLIES: 2}, 0)


@refusal("ROOT-WA-22")
@pytest.mark.parametrize(
    ("kind", "wire"),
    [
        ("recruit", {"clearing": "8"}),
        ("move", {"from_": "5", "to": "1", "warriors": 1}),
        ("battle", {"clearing": "5", "defender": CAT}),
        ("organize", {"clearing": "5"}),
    ],
)
def test_no_more_operations_than_officers(kind, wire):
    g = night({"5": {ALLIES: 3, CATS: 1}, "8": {FOXES: 1}}, 1)
    assert g.judged(ALLY, kind, **wire).legal
    g.play(ALLY, "recruit", clearing="8")
    says(g.refused(ALLY, kind, **wire), "ROOT-WA-22", "/kind", most=1)


@rule("ROOT-WA-22", "ROOT-TURN-5")
def test_fewer_operations_will_do():
    g = night({"5": {ALLIES: 2}}, 3).play(ALLY, "end-phase")
    assert g.frame(AllianceEvening).left == 3
    assert g.asked == ("chance",)


@rule("ROOT-WA-22")
def test_without_officers_nobody_is_asked():
    assert night({"5": {ALLIES: 2}}, 0).asked == ("chance",)


@rule("ROOT-WA-22", "ROOT-WA-4")
def test_officers_are_counted_once():
    """An ambush in the first battle costs the base and half of the officers; the other operations remain."""
    g = night({"1": {ALLIES: 1, FOXES: 1, CATS: 4}, "9": {ALLIES: 1}}, 4, cat={"hand": ["ambush-fox"]})
    g.play(ALLY, "battle", clearing="1", defender=CAT).play(CAT, "play-ambush", card="ambush-fox")
    assert (g.here("1"), officers(g)) == ({CATS: 4}, 2)
    assert g.top.left == 3


@rule("ROOT-WA-22", "ROOT-MOVE-2")
def test_a_move_is_subject_to_rule():
    g = night({"5": {ALLIES: 1, CATS: 2}, "1": {CATS: 1}})
    assert "ROOT-MOVE-2" in g.refused(ALLY, "move", from_="5", to="1", warriors=1)


@rule("ROOT-WA-22")
def test_a_battle_of_the_alliance():
    g = night({"5": {ALLIES: 3, CATS: 2}}).fight(ALLY, CAT, "5", 2, 1)
    assert g.here("5") == {ALLIES: 2}


@refusal("ROOT-WA-22")
def test_recruits_come_to_a_base():
    g = night({"8": {FOXES: 1}, "9": {S: 1}})
    says(g.refused(ALLY, "recruit", clearing="9"), "ROOT-WA-22", "/clearing", clearing="9")
    full = night({"8": {FOXES: 1, ALLIES: 9}})
    says(full.refused(ALLY, "recruit", clearing="8"), "ROOT-WA-22", "/kind", warriors=0)


@rule("ROOT-WA-22", "ROOT-WA-19")
def test_organizing_turns_a_warrior_into_sympathy():
    g = night({"5": {ALLIES: 2}, "8": {S: 1}, "4": {S: 1}, "2": {S: 1}, "12": {S: 1}})
    g.play(ALLY, "organize", clearing="5")
    assert (g.here("5"), g[ALLY].supply[ALLIES]) == ({ALLIES: 1, S: 1}, 8)
    assert g.points(ALLY) == [("ROOT-WA-19", 2)]


@rule("ROOT-WA-22")
def test_organizing_knows_no_martial_law_and_no_adjacency():
    g = night({"5": {ALLIES: 1, CATS: 5}, "8": {S: 1}}).play(ALLY, "organize", clearing="5")
    assert g.here("5") == {CATS: 5, S: 1}
    assert stack(g) == {}


@refusal("ROOT-WA-3")
def test_no_organizing_where_there_is_sympathy():
    g = night({"5": {ALLIES: 1, S: 1}})
    says(g.refused(ALLY, "organize", clearing="5"), "ROOT-WA-3", "/clearing", clearing="5")


@refusal("ROOT-WA-22")
def test_no_organizing_without_a_warrior_there():
    g = night({"5": {ALLIES: 1}})
    says(g.refused(ALLY, "organize", clearing="1"), "ROOT-WA-22", "/clearing", organize="1")


@refusal("ROOT-WA-23", "ROOT-MARQ-2")
@rule("ROOT-WA-23")
def test_no_organizing_without_a_token_or_at_the_keep():
    ten = {c: {S: 1} for c in ("1", "2", "4", "5", "6", "7", "8", "9", "10", "11")}
    g = night({**ten, "12": {ALLIES: 1}})
    says(g.refused(ALLY, "organize", clearing="12"), "ROOT-WA-23", "/kind", tokens=0)
    keep = night({"1": {"keep": 1, ALLIES: 1}})
    says(keep.refused(ALLY, "organize", clearing="1"), "ROOT-MARQ-2", "/clearing", clearing="1")


@rule("ROOT-WA-24")
@pytest.mark.parametrize(
    ("bases", "n"), [({}, 1), ({"8": FOXES}, 2), ({"8": FOXES, "4": RABBITS, "2": MICE}, 4)]
)
def test_a_card_and_one_more_for_each_base(bases, n):
    g = night({c: {b: 1} for c, b in bases.items()}, 0).draw_any()
    assert sum(g[ALLY].hand.values()) == n


@rule("ROOT-WA-24", "ROOT-CARD-8")
def test_the_hand_goes_down_to_five():
    g = night({"8": {FOXES: 1}}, 0, hand=[*FOX, *RABBIT]).draw_any()
    assert (g.asked, g.kinds) == ((ALLY,), ("discard",))
    g.play(ALLY, "discard", cards={"anvil": 1})
    assert sum(g[ALLY].hand.values()) == 5


# -- Guerrilla War ------------------------------------------------------------------------------------------------


@rule("ROOT-BATTLE-11", "ROOT-WA-1")
def test_as_defender_the_alliance_has_the_higher_roll():
    g = woodland({"5": {CATS: 4, ALLIES: 4}}, turn=CAT, at="daylight").fight(CAT, ALLY, "5", 3, 1)
    assert g.here("5") == {CATS: 1, ALLIES: 3}
    assert g.event("rolled")["because"] == "ROOT-BATTLE-11"


@rule("ROOT-BATTLE-10")
def test_as_attacker_it_has_the_higher_as_well():
    g = night({"5": {CATS: 4, ALLIES: 4}}).fight(ALLY, CAT, "5", 3, 1)
    assert g.here("5") == {CATS: 1, ALLIES: 3}


@rule("ROOT-X-20", "ROOT-BATTLE-14")
@pytest.mark.parametrize(("dice", "left"), [((3, 0), {}), ((3, 3), {})])
def test_against_sympathy_alone(dice, left):
    """The higher roll of the Alliance counts for nothing, the attacker adds one to the lower."""
    g = woodland({"5": {CATS: 2, S: 1}}, turn=CAT, at="daylight").fight(CAT, ALLY, "5", *dice)
    assert g.here("5") == {CATS: 2, **left}
    assert g.points(CAT) == [("ROOT-BATTLE-20", 1)]


@rule("ROOT-RULE-1")
def test_sympathy_rules_nothing_and_bases_do():
    assert woodland({"5": {S: 1}}).ruler("5") is None
    assert woodland({"8": {FOXES: 1}}).ruler("8") == ALLY


def test_what_the_window_takes_is_the_same_with_and_without_supporters():
    one, none = woodland(supporters=FOX), woodland()
    assert decisions(one.table) == decisions(none.table)
