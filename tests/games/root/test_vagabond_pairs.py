"""Chapter 16, coalitions of four players, and two Vagabonds in one game."""

import pytest

from service.engine.deck import Deck, Run
from service.engine.ruleset import SetupRefused
from service.engine.view import view
from service.games.root.v1.figures import PRINTED
from service.games.root.v1.prudent import decide
from tests.games.root.rogue import CATS, ELK, FOX, OWLS, fought, items, no_cards, relation, rogue, up
from tests.games.root.table import CAT, OWL, SEATS, fresh, game, says
from tests.games.root.test_vagabond_moves import before_set_up, quests_up

rule, refusal = pytest.mark.rule, pytest.mark.refusal

TWIN = {"faction": "vagabond", "character": "tinker", "pawn": "1"}


def two(map=None, at="daylight", elk=None, **held):
    """The Vagabond `tod` and another, `elk`."""
    return rogue(map, at, others={ELK: {**TWIN, **(elk or {})}}, **held)


# -- coalition (ROOT-VAG-60 to -64) -------------------------------------------------------------------------------

CARD = "dominance-mouse"


def ambitious(cat=3, owl=5, elk=7, **held):
    """A Vagabond with a dominance card among four."""
    return two(
        {"5": {CATS: 1}},
        cat={"score": cat},
        owl={"score": owl},
        elk={"score": elk},
        **{"hand": [CARD], "score": 12, **held},
    )


@rule("ROOT-VAG-60", "ROOT-VAG-61", "ROOT-DOM-8", "ROOT-DEC-21")
def test_a_dominance_card_joins_who_is_behind():
    g = ambitious().play(FOX, "form-coalition", card=CARD, player=CAT)
    assert (g[FOX].dominance, g.score(FOX), g[FOX].vagabond.coalition, g[FOX].hand) == (CARD, None, CAT, {})
    assert "end-phase" in g.kinds


@rule("ROOT-VAG-60", "ROOT-DEC-21")
@pytest.mark.parametrize("partner", [CAT, OWL])
def test_tied_he_chooses(partner):
    g = ambitious(cat=3, owl=3).play(FOX, "form-coalition", card=CARD, player=partner)
    assert g[FOX].vagabond.coalition == partner


@refusal("ROOT-VAG-60", "ROOT-DOM-1", "ROOT-DOM-4")
def test_with_ten_points_a_dominance_card_and_nobody_else():
    g = ambitious(hand=[CARD, "anvil"])
    found = g.refused(FOX, "form-coalition", card=CARD, player=OWL)
    says(found, "ROOT-VAG-60", "/player", player=OWL, score=5)
    says(g.refused(FOX, "form-coalition", card="anvil", player=CAT), "ROOT-VAG-60", "/card", card="anvil")
    assert "ROOT-VAG-60" in g.refused(FOX, "form-coalition", card=CARD, player=FOX)
    found = ambitious(score=9).refused(FOX, "form-coalition", card=CARD, player=CAT)
    says(found, "ROOT-DOM-1", "/kind", score=9, least=10)
    g = ambitious(hand=[CARD], dominance="dominance-fox", score=None, coalition=OWL)
    found = g.refused(FOX, "form-coalition", card=CARD, player=CAT)
    says(found, "ROOT-DOM-4", "/kind", card="dominance-fox")


@refusal("ROOT-VAG-60")
def test_not_among_three():
    g = rogue({"5": {CATS: 1}}, hand=[CARD], score=12)
    says(g.refused(FOX, "form-coalition", card=CARD, player=CAT), "ROOT-VAG-60", "/kind", players=3, least=4)


@refusal("ROOT-DOM-8")
def test_and_not_for_its_usual_effect():
    says(ambitious().refused(FOX, "activate-dominance", card=CARD), "ROOT-DOM-8", "/kind")


@rule("ROOT-VAG-62", "ROOT-DOM-10")
@refusal("ROOT-VAG-62")
def test_not_with_who_has_activated_one():
    seats = {"cat": {"dominance": "dominance-fox", "score": None}, "owl": {"score": 5}, "elk": {"score": 9}}
    g = two({"5": {CATS: 1}}, hand=[CARD], score=12, **seats)
    says(g.refused(FOX, "form-coalition", card=CARD, player=CAT), "ROOT-VAG-62", "/player", player=CAT)
    assert g.play(FOX, "form-coalition", card=CARD, player=OWL)[FOX].vagabond.coalition == OWL


@rule("ROOT-VAG-62")
@refusal("ROOT-VAG-62")
def test_not_with_who_has_a_partner():
    joined = {"dominance": "dominance-fox", "score": None, "coalition": CAT}
    g = two({"5": {CATS: 1}}, hand=[CARD], score=12, cat={"score": 1}, owl={"score": 5}, elk=joined)
    says(g.refused(FOX, "form-coalition", card=CARD, player=CAT), "ROOT-VAG-62", "/player", player=CAT)
    assert "ROOT-VAG-62" in g.refused(FOX, "form-coalition", card=CARD, player=ELK)
    assert g.play(FOX, "form-coalition", card=CARD, player=OWL)[FOX].vagabond.coalition == OWL


@rule("ROOT-VAG-63", "ROOT-VAG-56")
def test_a_hostile_partner_is_forgiven():
    g = ambitious(relationships={"marquise": "hostile", "eyrie": "hostile"})
    g.play(FOX, "form-coalition", card=CARD, player=CAT)
    assert g[FOX].vagabond.relationships == {"marquise": "indifferent", "eyrie": "hostile"}


COALITION = {"dominance": CARD, "score": None, "coalition": CAT}


@rule("ROOT-VAG-61")
def test_he_scores_no_more():
    g = two({"1": {"wood": 1}}, **COALITION, items=up("crossbow"))
    assert g.play(FOX, "strike", player=CAT, piece="wood").points(FOX) == []


@rule("ROOT-VAG-61")
def test_if_his_partner_wins_he_wins():
    g = two({"2": {"sawmill": 1, "wood": 1, CATS: 1}}, turn=CAT, cat={"score": 29}, **COALITION)
    g.play(CAT, "build", type="sawmill", clearing="2", wood={"2": 1})
    assert g.state.outcome.winners == [CAT, FOX]


@rule("ROOT-VAG-61", "ROOT-DOM-2")
def test_by_dominance_as_well():
    ruled = {c: {CATS: 1} for c in ("1", "6", "8")}
    cat = {"dominance": "dominance-fox", "score": None}
    g = two(ruled, "turn", turn=CAT, cat=cat, **COALITION)
    assert (g.state.outcome.winners, g.state.outcome.because) == ([CAT, FOX], "ROOT-DOM-2")


@rule("ROOT-VAG-61")
def test_a_partner_of_a_partner_wins_too():
    twin = {"dominance": "dominance-fox", "score": None, "coalition": FOX}
    g = two({"2": {"sawmill": 1, "wood": 1, CATS: 1}}, turn=CAT, cat={"score": 29}, elk=twin, **COALITION)
    g.play(CAT, "build", type="sawmill", clearing="2", wood={"2": 1})
    assert g.state.outcome.winners == [CAT, FOX, ELK]


@rule("ROOT-DOM-8", "ROOT-VAG-60")
def test_the_card_wins_nothing_by_itself():
    assert two({"5": {CATS: 1}}, "turn", **COALITION).state.outcome is None


@rule("ROOT-GEN-12", "ROOT-VAG-61", "ROOT-FX-12")
def test_a_favor_spares_the_partner():
    three = {
        "hand": ["favor-of-the-foxes"],
        "items": up("hammer", "hammer", "hammer-r"),
        "character": "tinker",
    }
    left = {"unearthed": {"10": Deck([Run(["bag-r"], [FOX])])}}
    g = two({"1": {CATS: 1, OWLS: 1}}, elk={"character": "thief"}, **three, **left, **COALITION)
    g.play(FOX, "craft", card="favor-of-the-foxes")
    assert g.here("1") == {CATS: 1}


@rule("ROOT-GEN-12", "ROOT-VAG-46")
def test_and_so_does_the_burning():
    burner = {"character": "scoundrel", **COALITION}
    g = two({"1": {CATS: 1, OWLS: 1}}, **burner).play(FOX, "scorched-earth")
    assert g.here("1") == {CATS: 1}
    assert g[FOX].vagabond.relationships == {"marquise": "indifferent", "eyrie": "hostile"}


@rule("ROOT-BATTLE-3")
def test_partners_may_still_battle():
    g = fought(two({"1": {CATS: 2}}, **COALITION), 1, 0, defender=CAT)
    assert relation(g, "marquise") == "hostile"
    g = two({"1": {CATS: 2}}, turn=CAT, **COALITION).play(CAT, "battle", clearing="1", defender=FOX)
    assert g.kinds == ("roll-die",)


# -- two Vagabonds: set-up ----------------------------------------------------------------------------------------


@rule("ROOT-VAG2-1", "ROOT-VAG2-2", "ROOT-VAG2-6", "ROOT-SETUP-7")
@refusal("ROOT-VAG2-1")
@pytest.mark.parametrize("first", [OWL, SEATS[2]])
def test_chance_says_who_sets_up_first(first):
    g = before_set_up("marquise", "vagabond", "vagabond")
    assert g.board.buried.cards() == {"bag-r": 2, "boots-r": 2, "hammer-r": 2, "sword-r": 2}
    assert g.kinds == ("draw-vagabond",)
    assert "ROOT-VAG2-6" in g.refused("chance", "draw-vagabond", seat=CAT)
    second = SEATS[2] if first == OWL else OWL
    g.play("chance", "draw-vagabond", seat=first)
    quests_up(g, "escort-mouse", "errand-fox", "errand-rabbit")
    assert g.asked == (first,)
    g.play(first, "setup-vagabond", character="thief", forest="A")
    assert (g.asked, g.kinds) == ((second,), ("setup-vagabond",))
    found = g.refused(second, "setup-vagabond", character="thief", forest="A")
    says(found, "ROOT-VAG2-1", "/character", character="thief")
    g.play(second, "setup-vagabond", character="ranger", forest="A")
    assert [g[s].vagabond.relationships for s in (OWL, SEATS[2])] == [{"marquise": "indifferent"}] * 2
    assert len(g.board.quests) == 3


@refusal("ROOT-SETUP-1")
def test_there_is_no_third():
    with pytest.raises(SetupRefused):
        fresh("vagabond", "vagabond", "vagabond", "marquise")


# -- two Vagabonds: ruins -----------------------------------------------------------------------------------------


def digging(first="bag-r", second="sword-r", **held):
    """A ruin is explored, and two items are found."""
    g = two(pawn="6", **held).play(FOX, "explore")
    for item in (first, second):
        g.play("chance", "find-item", item=item)
    return g


@rule("ROOT-VAG2-3", "ROOT-DEC-20", "ROOT-VAG-26")
def test_he_looks_at_both_and_takes_one():
    g = digging()
    assert (g.asked, g.kinds) == ((FOX,), ("take-ruin-item", "pass"))
    g.play(FOX, "take-ruin-item", item="sword-r")
    assert items(g)["satchel-up"] == {"boots": 1, "sword": 1, "sword-r": 1}
    assert g.points(FOX) == [("ROOT-VAG-26", 1)]
    assert "6" in g.board.ruins
    assert g.board.unearthed == {"6": Deck([Run(["bag-r"], [FOX])])}


@rule("ROOT-INFO-11", "ROOT-INFO-8")
def test_what_he_sees_nobody_else_does():
    judgement = two(pawn="6").play(FOX, "explore").judged("chance", "find-item", item="bag-r")
    (moved,) = [e for e in judgement.events if e.kind == "moved"]
    assert moved.seen_by(FOX)["what"] == {"bag-r": 1}
    assert moved.seen_by(ELK)["what"] == 1
    assert judgement.played[0].seen_by(ELK) == {"kind": "find-item", "actor": "chance"}
    g = digging()
    assert view(g.state, FOX)["table"]["seats"][FOX]["vagabond"]["looking"] == {"bag-r": 1, "sword-r": 1}
    for other in (CAT, OWL, ELK, None):
        assert view(g.state, other)["table"]["seats"][FOX]["vagabond"]["looking"] == 2
    g.play(FOX, "take-ruin-item", item="sword-r")
    (left,) = [e for e in g.events if e.kind == "returned"]
    assert left.seen_by(ELK)["cards"] == 1
    assert view(g.state, FOX)["table"]["unearthed"]["6"]["top"] == ["bag-r"]
    assert view(g.state, ELK)["table"]["unearthed"]["6"] == {"size": 1, "top": []}
    assert "pools" not in view(g.state, ELK)["table"]["buried"]


@rule("ROOT-VAG2-4")
@refusal("ROOT-VAG2-4")
def test_a_second_one_of_a_kind_stays():
    left = {"unearthed": {"10": Deck([Run(["hammer-r"], [FOX])])}}
    g = digging(items={"satchel-up": ["torch"], "damaged-down": ["sword-r"]}, **left)
    says(g.refused(FOX, "take-ruin-item", item="sword-r"), "ROOT-VAG2-4", "/item", item="sword-r")
    assert "ROOT-VAG2-3" in g.refused(FOX, "take-ruin-item", item="boots-r")
    g.play(FOX, "take-ruin-item", item="bag-r")
    assert items(g)["track"] == {"bag-r": 1}


@rule("ROOT-VAG2-4")
def test_what_is_not_marked_does_not_count():
    assert items(digging(items=up("torch", "sword")).play(FOX, "take-ruin-item", item="sword-r"))[
        "satchel-up"
    ] == {
        "sword": 1,
        "sword-r": 1,
    }


@rule("ROOT-VAG2-4")
def test_taking_nothing_costs_the_torch_and_scores_nothing():
    g = digging().play(FOX, "pass")
    assert g.points(FOX) == []
    assert items(g)["satchel-down"] == {"torch": 1}
    assert g.board.unearthed["6"].size == 2
    assert g.board.ruins == ["6", "10", "11", "12"]


def half(known, *cards, ruin="6", **held):
    """One ruin has been looked at."""
    return two(pawn="6", unearthed={ruin: Deck([Run(list(cards), list(known))])}, **held)


@rule("ROOT-VAG2-3", "ROOT-VAG-26", "ROOT-MAP-8")
@pytest.mark.parametrize("known", [[FOX], [ELK]])
def test_the_last_item_is_taken_and_the_ruin_goes(known):
    g = half(known, "boots-r").play(FOX, "explore")
    assert items(g)["satchel-up"] == {"boots": 1, "boots-r": 1, "sword": 1}
    assert (g.board.ruins, g.board.unearthed) == (["10", "11", "12"], {})
    assert g.points(FOX) == [("ROOT-VAG-26", 1)]


@rule("ROOT-WIN-1", "ROOT-VAG2-3")
@pytest.mark.parametrize("left", [["boots-r"], ["boots-r", "bag-r"]])
def test_the_game_may_end_by_an_item_that_was_left(left):
    g = half([ELK], *left, score=29).play(FOX, "explore")
    if len(left) > 1:
        g.play(FOX, "take-ruin-item", item="boots-r")
    assert g.state.outcome.winners == [FOX]


@rule("ROOT-VAG2-4", "ROOT-INFO-11")
def test_unless_he_has_one_then_he_knows_it_and_leaves_it():
    g = half([ELK], "boots-r", items=up("torch", "boots-r")).play(FOX, "explore")
    assert items(g) == {"satchel-up": {"boots-r": 1}, "satchel-down": {"torch": 1}}
    assert g.board.unearthed["6"] == Deck([Run(["boots-r"], [ELK, FOX])])
    assert g.points(FOX) == []


@pytest.mark.parametrize(("known", "explores"), [([ELK, FOX], False), ([ELK], True)])
def test_a_prudent_vagabond_looks_no_more_where_he_knows_that_nothing_is_for_him(known, explores):
    g = half(known, "boots-r", items=up("torch", "boots-r"))
    assert (decide(g.table, FOX).kind == "explore") == explores


@rule("ROOT-VAG2-3")
def test_both_that_the_other_left_may_be_chosen_from():
    g = half([ELK], "boots-r", "bag-r").play(FOX, "explore")
    assert g.kinds == ("take-ruin-item", "pass")
    g.play(FOX, "take-ruin-item", item="boots-r")
    assert g.board.unearthed["6"] == Deck([Run(["bag-r"], [ELK, FOX])])


@rule("ROOT-VAG-26", "ROOT-WIN-1")
def test_an_item_may_win_the_game():
    g = digging(score=29).play(FOX, "take-ruin-item", item="sword-r")
    assert g.state.outcome.winners == [FOX]
    g = rogue(pawn="6", score=29).play(FOX, "explore").play("chance", "find-item", item="bag")
    assert g.state.outcome.winners == [FOX]


@rule("ROOT-VAG-29", "ROOT-WIN-1")
def test_and_so_may_a_quest():
    quests = ["errand-fox", "escort-mouse", "errand-rabbit"]
    g = rogue(items=up("tea", "boots"), quests=quests, score=29)
    assert g.play(FOX, "quest", quest="errand-fox", reward="points").state.outcome.winners == [FOX]


# -- two Vagabonds: each other ------------------------------------------------------------------------------------


@rule("ROOT-VAG2-7", "ROOT-R-VAG-4", "ROOT-VAG2-1")
def test_they_battle_without_hatred_or_infamy():
    g = fought(two(items=up("sword", "sword")), 2, 1, defender=ELK)
    assert g.kinds == ("assign-hits",)
    g.play(ELK, "assign-hits", pieces={"satchel-up-boots": 1, "satchel-up-torch": 1, "track-bag": 1})
    assert items(g, ELK) == {"satchel-up": {"hammer": 1}, "damaged-up": {"bag": 1, "boots": 1, "torch": 1}}
    assert g.points(FOX) == []
    assert "vagabond" not in g[FOX].vagabond.relationships


@rule("ROOT-VAG2-7", "ROOT-R-VAG-4")
def test_they_aid_each_other_without_a_relationship_or_an_item():
    g = two(hand=["anvil"]).play(FOX, "aid", player=ELK, card="anvil", item="torch")
    assert g[ELK].hand == {"anvil": 1}
    assert "take-item" not in g.kinds
    assert g.points(FOX) == []
    assert g.frame(type(g.top)).aids == {}


@rule("ROOT-VAG2-7")
def test_they_rob_each_other():
    g = two(elk={"hand": ["anvil"]}).play(FOX, "steal", player=ELK)
    assert g.kinds == ("random-card",)


@rule("ROOT-VAG2-7")
@refusal("ROOT-VAG-30")
def test_they_cannot_be_struck():
    assert "ROOT-VAG-30" in two(items=up("crossbow")).refused(FOX, "strike", player=ELK, piece=CATS)


@rule("ROOT-VAG2-5", "ROOT-VAG-29")
def test_quests_are_shared_and_counted_apart():
    g = two(items=up("tea", "boots"), quests=["errand-fox", "escort-mouse", "errand-rabbit"],
            elk={"completed": ["repair-a-shed-fox"]})  # fmt: skip
    g.play(FOX, "quest", quest="errand-fox", reward="points")
    assert g.points(FOX) == [("ROOT-VAG-29", 1)]


@rule("ROOT-VAG-45", "ROOT-DEC-8")
def test_an_arbiter_may_protect_the_other_vagabond():
    g = two({"1": {CATS: 3}}, turn=CAT, elk={"character": "arbiter"})
    no_cards(g.play(CAT, "battle", clearing="1", defender=FOX))
    g.play(FOX, "enlist-arbiter").roll(2, 2)
    assert g.score(ELK) == 1
    g.play(FOX, "assign-hits", pieces={"satchel-up-boots": 1, "satchel-up-torch": 1})
    assert g.here("1") == {CATS: 1}  # the Thief's sword, and two of the Arbiter's
    assert (relation(g, "marquise", FOX), relation(g, "marquise", ELK)) == ("hostile", "indifferent")


@rule("ROOT-VAG-43", "ROOT-BATTLE-19")
def test_a_vagrant_sets_others_on_the_other_vagabond_who_picks_his_own_items():
    g = two({"1": {CATS: 3}}, character="vagrant")
    no_cards(g.play(FOX, "instigate", attacker=CAT, defender=ELK)).roll(1, 1)
    assert (g.asked, g.kinds) == ((ELK,), ("assign-hits",))


@rule("ROOT-VAG-46", "ROOT-X-19")
def test_another_pawn_stays_in_a_burnt_clearing_and_may_leave():
    g = two({"1": {CATS: 1}}, character="scoundrel").play(FOX, "scorched-earth")
    assert g[ELK].vagabond.pawn == "1"
    g = two(character="scoundrel", scorched=["1"], items=up("boots"), turn=ELK).play(ELK, "move", to="5")
    assert g[ELK].vagabond.pawn == "5"
    says(g.refused(ELK, "move", to="1"), "ROOT-MOVE-7", "/to", to="1")


def test_the_game_of_two_has_its_marked_items_and_no_others():
    assert sum(m.count for m in PRINTED.marked.values()) == 8
    assert game({CAT: {"faction": "marquise"}, FOX: {"faction": "vagabond"}}, turn=CAT).board.buried.cards() == {
        "bag": 1, "boots": 1, "hammer": 1, "sword": 1,
    }  # fmt: skip
