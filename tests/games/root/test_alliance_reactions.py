"""Chapter 15, what befalls the Alliance in others' turns: Outrage, and the loss of a base."""

import pytest

from service.engine.flow import decisions
from service.engine.view import view
from service.games.root.v1.alliance_reactions import BaseLoss, Outrage
from service.games.root.v1.components import deck_cards
from service.games.root.v1.figures import PRINTED
from tests.games.root.ally import ALLIES, ALLY, CATS, FOXES, MICE, OWLS, RABBITS, officers, stack, woodland
from tests.games.root.table import CAT, OWL, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

S = "sympathy"
FULL = ["anvil", "investments", "sword-mouse", "bake-sale", "root-tea-rabbit"]


def entering(hand, map=None, warriors=1, **more):
    """The Marquise marches from 1 into clearing 5, a sympathetic rabbit clearing."""
    there = {"1": {CATS: 3}, "5": {S: 1}, **(map or {})}
    g = woodland(there, turn=CAT, at="daylight", cat={"hand": hand}, **more)
    return g.play(CAT, "march").play(CAT, "move", from_="1", to="5", warriors=warriors)


# -- Outrage at entry ---------------------------------------------------------------------------------------------


@rule("ROOT-WA-10", "ROOT-MOVE-6", "ROOT-DEC-12")
def test_who_enters_gives_a_matching_card():
    g = entering(["bake-sale", "anvil"])
    assert (g.asked, g.kinds) == ((CAT,), ("pay-outrage", "show-hand"))
    assert g.event("outrage") == {"kind": "outrage", "because": "ROOT-WA-11", "seat": CAT, "clearing": "5"}
    g.play(CAT, "pay-outrage", card="bake-sale")
    assert (stack(g), g[CAT].hand) == ({"bake-sale": 1}, {"anvil": 1})
    assert g.kinds == ("move", "stop")


@rule("ROOT-INFO-10", "ROOT-WA-10")
def test_the_card_given_is_known_to_the_two_players():
    g = entering(["bake-sale", "anvil"]).play(CAT, "pay-outrage", card="bake-sale")
    (given,) = [e for e in g.events if e.kind == "moved"]
    for seat, what in {CAT: {"bake-sale": 1}, ALLY: {"bake-sale": 1}, OWL: 1, None: 1}.items():
        assert given.seen_by(seat)["what"] == what
    judgement = entering(["bake-sale"]).judged(CAT, "pay-outrage", card="bake-sale")
    (played,) = judgement.played
    assert played.seen_by(ALLY)["card"] == "bake-sale"
    assert "card" not in played.seen_by(OWL)


@rule("ROOT-CARD-2", "ROOT-WA-10")
def test_he_may_give_a_bird_and_keep_the_card_of_the_suit():
    g = entering(["bake-sale", "sappers"]).play(CAT, "pay-outrage", card="sappers")
    assert g[CAT].hand == {"bake-sale": 1}


@refusal("ROOT-WA-10")
@rule("ROOT-CARD-3")
def test_a_bird_must_be_given_where_nothing_else_matches():
    g = entering(["sappers", "anvil"])
    says(g.refused(CAT, "show-hand"), "ROOT-WA-10", "/kind", give="sappers", clearing="5")
    assert stack(g.play(CAT, "pay-outrage", card="sappers")) == {"sappers": 1}


@refusal("ROOT-WA-10")
@pytest.mark.parametrize("card", ["anvil", "bake-sale", "nothing", None, {}])
def test_a_card_of_another_suit_or_of_another_hand_will_not_do(card):
    assert "ROOT-WA-10" in entering(["anvil", "smugglers-trail"]).refused(CAT, "pay-outrage", card=card)


def test_the_refusal_names_card_clearing_and_suit():
    found = entering(["anvil"]).refused(CAT, "pay-outrage", card="anvil")
    says(found, "ROOT-WA-10", "/card", card="anvil", clearing="5", suit="rabbit")


@rule("ROOT-WA-10", "ROOT-INFO-9")
def test_without_a_match_the_hand_is_shown_and_a_card_drawn():
    g = entering(["anvil", "foxfolk-steel"]).play(CAT, "show-hand")
    (shown,) = [e for e in g.events if e.kind == "hand-shown"]
    assert shown.seen_by(ALLY)["cards"] == {"anvil": 1, "foxfolk-steel": 1}
    assert shown.seen_by(OWL) is shown.seen_by(None) is None
    assert g.event("looks-at-hand")["player"] == CAT
    g.draw("sappers")
    assert (stack(g), g[CAT].hand) == ({"sappers": 1}, {"anvil": 1, "foxfolk-steel": 1})
    (drawn,) = [e for e in g.events if e.kind == "moved"]
    assert (drawn.because, drawn.seen_by(CAT)["what"], drawn.seen_by(ALLY)["what"]) == (
        "ROOT-WA-10", 1, {"sappers": 1},
    )  # fmt: skip
    assert g.kinds == ("move", "stop")


@refusal("ROOT-WA-10")
def test_who_can_give_a_card_does_not_show_his_hand():
    assert "ROOT-WA-10" in entering(["bake-sale"]).refused(CAT, "show-hand")


@rule("ROOT-WA-10")
def test_with_an_empty_hand_nobody_is_asked_and_nothing_shown():
    g = entering([])
    assert g.asked == ("chance",)
    assert g.because("hand-shown") == []
    assert stack(g.draw("anvil")) == {"anvil": 1}


@rule("ROOT-WA-10", "ROOT-DEC-12")
def test_what_is_asked_tells_nothing_of_the_hand():
    some, none = entering(["bake-sale"]), entering(["anvil"])
    assert decisions(some.table) == decisions(none.table)
    for seat in (OWL, ALLY, None):
        assert view(some.state, seat) == view(none.state, seat)
    assert [some.options(OWL, k) for k in ("pay-outrage", "show-hand")] == [[], []]


@refusal("ROOT-TURN-6")
@pytest.mark.parametrize("kind", ["pass", "stop", "end-phase"])
def test_outrage_is_not_passed(kind):
    assert "ROOT-TURN-6" in entering(["bake-sale"]).refused(CAT, kind)


@refusal("ROOT-TURN-8")
def test_nobody_else_answers():
    assert "ROOT-TURN-8" in entering(["bake-sale"]).refused(OWL, "pay-outrage", card="bake-sale")


@rule("ROOT-WA-11")
def test_one_outrage_a_move_however_many_warriors():
    g = entering(["bake-sale", "root-tea-rabbit"], warriors=2).play(CAT, "pay-outrage", card="bake-sale")
    assert g.kinds == ("move", "stop")
    g.play(CAT, "move", from_="1", to="5", warriors=1)
    assert g.kinds == ("pay-outrage", "show-hand")


@rule("ROOT-WA-11")
def test_leaving_a_sympathetic_clearing_is_free():
    g = woodland({"5": {CATS: 2, S: 1}}, turn=CAT, at="daylight", cat={"hand": ["bake-sale"]})
    g.play(CAT, "march").play(CAT, "move", from_="5", to="1", warriors=1)
    assert g.kinds == ("move", "stop")


@rule("ROOT-WA-11")
def test_placing_pieces_in_a_sympathetic_clearing_is_free():
    g = woodland({"5": {"recruiter": 1, S: 1, CATS: 1}}, turn=CAT, at="daylight", cat={"hand": ["bake-sale"]})
    g.play(CAT, "recruit")
    assert (g.here("5")[CATS], g.because("outrage")) == (2, [])


@rule("ROOT-WA-10", "ROOT-EYRIE-9")
def test_a_move_by_the_decree_causes_it_too():
    g = woodland(
        {"1": {OWLS: 2, "roost": 1}, "5": {S: 1}, "3": {}}, turn=OWL, at="daylight",
        owl={"leader": "builder", "hand": ["bake-sale"]},
    ).play(OWL, "resolve-decree")  # fmt: skip
    g.play(OWL, "decree-recruit", card="vizier", clearing="1")
    g.play(OWL, "decree-move", card="vizier", from_="1", to="5", warriors=1)
    assert g.asked == (OWL,)
    g.play(OWL, "pay-outrage", card="bake-sale")
    assert stack(g) == {"bake-sale": 1}


@rule("ROOT-WA-10", "ROOT-FX-9")
def test_so_does_cobbler():
    g = woodland(
        {"1": {CATS: 2}, "5": {S: 1}},
        turn=CAT,
        at="evening",
        cat={"hand": ["bake-sale"], "crafted": ["cobbler"]},
    ).play(CAT, "cobbler", from_="1", to="5", warriors=1)
    assert g.kinds == ("pay-outrage", "show-hand")


# -- Outrage to a full stack --------------------------------------------------------------------------------------


@rule("ROOT-X-10", "ROOT-WA-2")
def test_a_card_given_to_a_full_stack_is_discarded():
    g = entering(["sappers"], supporters=FULL).play(CAT, "pay-outrage", card="sappers")
    assert (sum(stack(g).values()), g.board.discard, g[CAT].hand) == (5, {"sappers": 1}, {})
    assert g.because("moved") == ["ROOT-X-10"]


@rule("ROOT-WA-2", "ROOT-WA-10")
def test_a_card_drawn_for_a_full_stack_is_discarded():
    g = entering([], supporters=FULL).draw("sappers")
    assert (sum(stack(g).values()), g.board.discard) == (5, {"sappers": 1})


@rule("ROOT-CARD-5", "ROOT-WA-2")
def test_a_dominance_card_drawn_for_a_full_stack_becomes_available():
    g = entering([], supporters=FULL).draw("dominance-fox")
    assert g.board.available == {"dominance-fox": 1}


@rule("ROOT-WA-2")
def test_with_a_base_the_card_is_kept():
    g = entering(["sappers"], {"8": {FOXES: 1}}, supporters=FULL).play(CAT, "pay-outrage", card="sappers")
    assert sum(stack(g).values()) == 6


@rule("ROOT-CARD-6", "ROOT-CARD-7", "ROOT-WA-10")
def test_with_nothing_to_draw_there_is_no_supporter():
    g = entering([], owl={"hand": deck_cards(PRINTED, 3)})
    assert g.event("nothing-to-draw")["because"] == "ROOT-CARD-7"
    assert (stack(g), g.kinds) == ({}, ("move", "stop"))


# -- Outrage at removal -------------------------------------------------------------------------------------------


@rule("ROOT-WA-11", "ROOT-WA-10")
def test_who_removes_sympathy_in_battle_owes_a_card():
    g = woodland({"5": {CATS: 2, S: 1}}, turn=CAT, at="daylight", cat={"hand": ["bake-sale"]})
    g.fight(CAT, ALLY, "5", 0, 0)
    assert (g.asked, g.kinds, g.frame(Outrage).clearing) == ((CAT,), ("pay-outrage", "show-hand"), "5")
    assert stack(g.play(CAT, "pay-outrage", card="bake-sale")) == {"bake-sale": 1}


@rule("ROOT-WA-11")
def test_a_battle_in_which_the_token_stays_is_free():
    g = woodland({"5": {CATS: 2, ALLIES: 2, S: 1}}, turn=CAT, at="daylight", cat={"hand": ["bake-sale"]})
    g.fight(CAT, ALLY, "5", 1, 1)
    assert (g.here("5")[S], g.because("outrage")) == (1, [])


@rule("ROOT-WA-11", "ROOT-BATTLE-25")
def test_a_defender_who_removes_it_owes_as_well():
    """The Alliance attacks and loses its token to an ambush."""
    g = woodland(
        {"5": {CATS: 2, ALLIES: 1, S: 1}},
        at="evening",
        officers=1,
        cat={"hand": ["ambush-rabbit", "bake-sale"]},
    )
    g.play(ALLY, "battle", clearing="5", defender=CAT).play(CAT, "play-ambush", card="ambush-rabbit")
    assert (g.here("5"), g.asked) == ({CATS: 2}, (CAT,))
    g.play(CAT, "pay-outrage", card="bake-sale")
    assert g[CAT].score == 1


@rule("ROOT-WA-11", "ROOT-FX-12", "ROOT-GEN-5")
def test_a_favor_brings_one_outrage_a_token():
    g = woodland(
        {"8": {"workshop": 1}, "1": {S: 1}, "6": {"workshop": 1, S: 1}, "12": {"workshop": 1}},
        turn=CAT, at="daylight", cat={"hand": ["favor-of-the-foxes", "anvil", "sappers"]},
    )  # fmt: skip
    g.play(CAT, "craft", card="favor-of-the-foxes", pieces={"fox": 3})
    assert g.points(CAT) == [("ROOT-FX-12", 2)]
    assert [f.clearing for f in g.state.stack if isinstance(f, Outrage)] == ["6", "1"]
    g.play(CAT, "pay-outrage", card="anvil").play(CAT, "pay-outrage", card="sappers")
    assert stack(g) == {"anvil": 1, "sappers": 1}


# -- the loss of a base -------------------------------------------------------------------------------------------


def sacked(map=None, **ally):
    """The Marquise removes the fox base in clearing 8, which nobody defends."""
    g = woodland({"8": {CATS: 3, FOXES: 1}, **(map or {})}, turn=CAT, at="daylight", **ally)
    return g.fight(CAT, ALLY, "8", 0, 0)


@rule("ROOT-WA-4")
def test_supporters_of_its_suit_go_birds_included():
    g = sacked(supporters=["anvil", "bake-sale", "sappers"], map={"2": {MICE: 1}})
    assert (stack(g), g.board.discard) == ({"bake-sale": 1}, {"anvil": 1, "sappers": 1})
    assert g.points(CAT) == [("ROOT-BATTLE-20", 1)]
    assert g[ALLY].supply[FOXES] == 1


@rule("ROOT-WA-4")
@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_half_of_the_officers_go_rounded_up(before, after):
    g = sacked(officers=before)
    assert (officers(g), g[ALLY].supply[ALLIES]) == (after, 10 - after)


SEVEN = [
    "bake-sale",
    "root-tea-rabbit",
    "smugglers-trail",
    "investments",
    "sword-mouse",
    "root-tea-mouse",
    "a-visit-to-friends",
]


@rule("ROOT-WA-4", "ROOT-DEC-17")
def test_without_another_base_the_alliance_chooses_down_to_five():
    g = sacked(supporters=[*SEVEN, "anvil"])
    assert (g.asked, g.kinds, g.top.suit) == ((ALLY,), ("discard-supporters",), "fox")
    g.play(ALLY, "discard-supporters", cards={"bake-sale": 1, "investments": 1})
    assert sum(stack(g).values()) == 5
    assert g.board.discard == {"anvil": 1, "bake-sale": 1, "investments": 1}
    assert g.frame(BaseLoss) is None


@refusal("ROOT-WA-4")
@pytest.mark.parametrize(
    "cards",
    [
        {},
        {"bake-sale": 1},
        {"bake-sale": 1, "investments": 1, "sword-mouse": 1},
        {"anvil": 2},
        {"bake-sale": 2},
        None,
    ],
)
def test_exactly_as_many_as_exceed_five(cards):
    found = sacked(supporters=SEVEN).refused(ALLY, "discard-supporters", cards=cards)
    assert "ROOT-WA-4" in found
    if cards == {"bake-sale": 1}:
        says(found, "ROOT-WA-4", "/cards", n=2, chosen=1)


@rule("ROOT-WA-4")
def test_with_another_base_all_others_stay():
    g = sacked({"2": {MICE: 1}}, supporters=SEVEN)
    assert sum(stack(g).values()) == 7
    assert g.asked == (CAT,)


@rule("ROOT-WA-4", "ROOT-WA-13")
def test_a_base_that_was_lost_can_be_built_again():
    g = woodland({"8": {S: 1}}, supporters=["anvil", "sappers"])
    g.play(ALLY, "revolt", clearing="8", supporters={"anvil": 1, "sappers": 1})
    assert FOXES in g.here("8")


@rule("ROOT-BATTLE-25", "ROOT-WA-4", "ROOT-X-10")
def test_outrage_comes_before_the_loss_of_the_base():
    """Without a base the stack is full meanwhile, so that the card given is discarded."""
    g = woodland(
        {"8": {CATS: 4, FOXES: 1, S: 1}}, turn=CAT, at="daylight", supporters=SEVEN,
        cat={"hand": ["anvil"], "crafted": ["brutal-tactics"]},
    ).fight(CAT, ALLY, "8", 1, 1)  # fmt: skip
    g.play(CAT, "battle-effects", cards={"brutal-tactics": 1})
    assert [type(f) for f in g.state.stack[-2:]] == [BaseLoss, Outrage]
    assert g.asked == (CAT,)
    g.play(CAT, "pay-outrage", card="anvil")
    assert (g.board.discard, g.kinds) == ({"anvil": 1}, ("discard-supporters",))


@rule("ROOT-BATTLE-25", "ROOT-MARQ-5")
def test_hospitals_come_before_the_outrage_of_the_same_player():
    """All her warriors are on the map again while she still owes a card."""
    g = woodland(
        {"1": {"keep": 1, CATS: 22}, "5": {CATS: 3, ALLIES: 1, S: 1}}, turn=CAT, at="daylight",
        cat={"hand": ["bake-sale", "root-tea-rabbit"], "crafted": ["brutal-tactics"]},
    ).fight(CAT, ALLY, "5", 1, 1)  # fmt: skip
    g.play(CAT, "battle-effects", cards={"brutal-tactics": 1})
    assert g.kinds == ("field-hospitals", "pass")
    g.play(CAT, "field-hospitals", card="bake-sale")
    assert (g.here("1")[CATS], g.kinds) == (23, ("pay-outrage", "show-hand"))


@rule("ROOT-BATTLE-18")
def test_the_alliance_chooses_between_base_and_sympathy():
    g = woodland({"8": {CATS: 3, FOXES: 1, S: 1}}, turn=CAT, at="daylight").fight(CAT, ALLY, "8", 0, 0)
    assert (g.asked, g.kinds) == ((ALLY,), ("assign-hits",))
    g.play(ALLY, "assign-hits", pieces={FOXES: 1})
    assert g.here("8") == {CATS: 3, S: 1}


@rule("ROOT-WA-4")
def test_three_bases_and_one_lost():
    g = sacked({"2": {MICE: 1}, "4": {RABBITS: 1}}, officers=2, supporters=["anvil", "bake-sale"])
    assert (officers(g), stack(g)) == (1, {"bake-sale": 1})
