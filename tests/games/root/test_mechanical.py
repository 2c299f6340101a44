"""The Mechanical Marquise beside its turn: set-up, order row, standing rules, what is told of its choices."""

import pytest

from service.engine.aside import odds_of
from service.engine.deck import Blank
from service.engine.judge import judge
from service.engine.places import MoveError
from service.engine.ruleset import SetupRefused, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.table import Table
from service.engine.view import view
from service.games.root.v1 import RULES
from service.games.root.v1.components import deck_cards
from service.games.root.v1.figures import CLEARINGS, DOMINANCES, PRINTED, SPIES
from service.games.root.v1.mechanical import mechanical
from service.games.root.v1.mechanical_orders import destination, march, place_recruits, recruits
from service.games.root.v1.mechanical_turn import MechanicalBirdsong, score_clearings
from tests.games.root.robot import BOT, ELK, FOLK, FOX, OWL, OWLS, W, orders, robot, row
from tests.games.root.table import Game, less, lowest

rule, refusal = pytest.mark.rule, pytest.mark.refusal
MECHANICAL = "mechanical-marquise"


def begun(*choices, mode="given"):
    """A game with these wishes of seats, at its first decision."""
    seats = [SetupSeat(s, choice=c) for s, c in zip((BOT, OWL, FOX, ELK), choices, strict=False)]
    return Game(start(RULES, Setup(seats, "test", ChanceState(mode), {"seating": "listed"}), lowest))


def set_up(*factions, **bot):
    """The same with the Mechanical Marquise in the first seat, which begins."""
    g = begun({"faction": MECHANICAL, **bot}, *({"faction": f} for f in factions))
    g.play("chance", "draw-seat", seat=BOT)
    return g.draw_any()


def refusals(*choices, position=None):
    seats = [SetupSeat(s, choice=c) for s, c in zip((BOT, OWL, FOX, ELK), choices, strict=False)]
    with pytest.raises(SetupRefused) as refused:
        start(RULES, Setup(seats, "test", ChanceState("given"), position=position), lowest)
    return [(p.pointer, p.rule) for p in refused.value.problems]


# -- set-up -------------------------------------------------------------------------------------------------------


@rule("ROOT-SETUP-15", "ROOT-R-BOT-2")
@pytest.mark.parametrize(("keep", "opposite"), [("1", "3"), ("2", "4"), ("3", "1"), ("4", "2")])
def test_chance_picks_the_corner_of_the_keep_and_it_places_a_warrior_in_all_but_the_opposite_one(
    keep, opposite
):
    g = set_up("eyrie")
    assert (g.asked, g.kinds) == (("chance",), ("draw-corner",))
    assert [o["corner"] for o in g.options("chance", "draw-corner")] == ["1", "2", "3", "4"]
    g.play("chance", "draw-corner", corner=keep)
    assert g[BOT].mechanical_marquise.keep == keep
    for clearing in CLEARINGS:
        pieces = {} if clearing == opposite else {"keep": 1, W: 1} if clearing == keep else {W: 1}
        assert g.here(clearing) == pieces
    assert g[BOT].supply == {W: 14}
    assert (g.asked, g.kinds) == ((OWL,), ("setup-eyrie",))
    g.play(OWL, "setup-eyrie", leader="builder")
    assert g.here(opposite) == {"roost": 1, OWLS: 6}  # SETUP-16


@rule("ROOT-SETUP-15")
def test_a_corner_that_is_named_needs_no_chance():
    g = set_up("eyrie", keep="2")
    assert g.here("2") == {"keep": 1, W: 1}
    assert g.asked == (OWL,)


@rule("ROOT-SETUP-16")
def test_the_cult_begins_in_one_of_the_other_corners():
    g = set_up("cult", keep="2")
    assert {o.get("corner") for o in g.options(OWL, "setup-cult")} == {None}
    g.play(OWL, "setup-cult", outcast="fox")
    assert g.here("4")["rabbit-garden"] == 1


@rule("ROOT-SETUP-6", "ROOT-BOT-7")
def test_it_sells_a_sword_boots_a_bag_and_a_tea_of_the_supply():
    g = set_up("eyrie", keep="2")
    assert g[BOT].items == {"bag": 1, "boots": 1, "sword": 1, "tea": 1}
    assert g.board.items == {
        "bag": 1,
        "boots": 1,
        "coin": 2,
        "crossbow": 1,
        "hammer": 1,
        "sword": 1,
        "tea": 1,
    }


@rule("ROOT-SETUP-4")
def test_it_is_dealt_five_orders_face_down_and_the_others_three_cards():
    g = begun({"faction": MECHANICAL, "keep": "2"}, {"faction": "eyrie"}, {"faction": "cult"})
    g.play("chance", "draw-seat", seat=OWL)  # the owl, the fox, then the Mechanical Marquise
    for seat in (OWL, FOX):
        for _ in range(3):
            g.play("chance", "draw-card", card=next(iter(g.board.deck.odds())))
        assert sum(g[seat].hand.values()) == 3
    assert g.because("laid-aside") == ["ROOT-SETUP-4"] * 5
    assert (row(g), g[BOT].hand, g.board.deck.size) == (5, {}, 54 - 5 - 6)


@rule("ROOT-SPY-1", "ROOT-DOM-9")
@pytest.mark.parametrize("others", [("eyrie",), ("eyrie", "cult")])
def test_spies_take_the_place_of_the_dominance_cards(others):
    g = set_up(*others, keep="1")
    cards = g.board.deck.cards()
    for p in g.board.seats.values():
        for card, n in p.hand.items():
            cards[card] = cards.get(card, 0) + n
    assert not set(DOMINANCES) & set(cards)
    assert {c: cards[c] for c in SPIES} == dict.fromkeys(SPIES, 1)
    assert sum(cards.values()) == 54


@rule("ROOT-SPY-1")
def test_without_it_there_are_no_spies():
    assert not set(SPIES) & set(deck_cards(PRINTED, 4))


@rule("ROOT-COMP-6", "ROOT-SETUP-1")
def test_it_excludes_the_marquise():
    there = {"faction": MECHANICAL}
    assert refusals(there, {"faction": "marquise"}) == [("/seats/1/faction", "ROOT-COMP-6")]
    assert refusals({"faction": "marquise"}, there) == [("/seats/1/faction", "ROOT-COMP-6")]
    assert refusals(there, there) == [("/seats/1/faction", "ROOT-SETUP-1")]


@rule("ROOT-SETUP-15")
def test_the_corner_is_named_for_its_seat_alone():
    assert refusals({"faction": MECHANICAL}, {"faction": "eyrie", "keep": "1"}) == [
        ("/seats/1/keep", "ROOT-SETUP-15")
    ]
    assert refusals({"keep": "1"}, {}) == [("/seats/0/keep", "ROOT-SETUP-15")]
    assert refusals({"faction": MECHANICAL, "keep": "5"}, {}) == [("/seats/0/keep", None)]


@rule("ROOT-SETUP-15")
def test_a_position_has_its_corner_already():
    position = robot({"2": {"keep": 1, W: 1}}).board
    wishes = ({"faction": MECHANICAL, "keep": "1"}, {"faction": "eyrie"})
    assert refusals(*wishes, position=position) == [("/seats/0/keep", "ROOT-SETUP-15")]


@rule("ROOT-SETUP-1", "ROOT-COMP-6")
def test_chance_deals_neither_it_nor_the_marquise_beside_it():
    g = begun({}, {}, {})
    assert MECHANICAL not in {o["faction"] for o in g.options("chance", "deal-faction")}
    g = begun({"faction": MECHANICAL}, {}, {})
    dealt = {o["faction"] for o in g.options("chance", "deal-faction")}
    assert dealt == {"eyrie", "alliance", "cult", "vagabond", "riverfolk"}
    assert "ROOT-SETUP-1" in g.refused("chance", "deal-faction", faction=MECHANICAL)


@rule("ROOT-SETUP-12")
def test_a_vagabond_has_a_relationship_with_it():
    g = set_up("vagabond", keep="1")
    while g.asked == ("chance",):
        g.play("chance", g.kinds[0], **{k: v for k, v in g.options("chance", g.kinds[0])[0].items()
                                        if k not in ("kind", "actor")})  # fmt: skip
    g.play(OWL, "setup-vagabond", character="thief", forest="A")
    assert g[OWL].vagabond.relationships == {MECHANICAL: "indifferent"}


# -- the order row ------------------------------------------------------------------------------------------------


@rule("ROOT-INFO-7")
def test_nobody_sees_an_order_not_even_its_own_seat():
    g = robot({"1": {"keep": 1, W: 1}})
    for seat in (None, BOT, OWL):
        seen = view(g.state, seat)["table"]["seats"][BOT]["mechanical_marquise"]
        assert seen == {"row": {"size": 5, "top": []}, "order": None, "keep": "1"}


@rule("ROOT-INFO-7", "ROOT-BOT-29")
def test_laying_an_order_decides_nothing_and_tells_nothing():
    g = robot({"1": {"keep": 1, W: 1}})
    before = g.board.deck.cards()
    orders(g, "anvil")
    (laid,) = [e for e in g.events if e.kind == "laid-aside"]
    assert laid.to_wire() == {
        "kind": "laid-aside", "because": "ROOT-BOT-27", "source": ["deck"],
        "target": ["seats", BOT, "mechanical_marquise", "row"],
    }  # fmt: skip
    assert g.board.deck.cards() == less(before, {"anvil": 1})
    assert [
        p.action["kind"] for p in judge(RULES, g.state, {"kind": "pass", "actor": OWL}, lowest).played
    ] == []


@rule("ROOT-BOT-13")
def test_an_order_is_any_card_that_nobody_has_seen_by_exact_odds():
    g = robot({"1": {"keep": 1, W: 1}}, owl={"hand": ["cobbler", "anvil"]})
    deck = g.board.deck
    assert (deck.size, sum(deck.cards().values())) == (54 - 2 - 5, 54 - 2)
    assert odds_of(deck, g[BOT].mechanical_marquise.row, 0) == less(
        deck_cards(PRINTED, 2, automatic=True), {"cobbler": 1, "anvil": 1}
    )
    assert "ROOT-BOT-13" in g.refused("chance", "turn-up-order", card="anvil")
    orders(g, "cobbler")  # there are two
    assert g.board.discard == {"cobbler": 1}


FIVE = {"anvil": 1, "bake-sale": 1, "cobbler": 1, "investments": 1, "sappers": 1}


def rest(*kept):
    """All cards but these five."""
    return less(deck_cards(PRINTED, 2, automatic=True), FIVE, *kept)


@rule("ROOT-CARD-6", "ROOT-BOT-27")
def test_an_empty_deck_is_made_anew_and_older_orders_stay_what_they_can_be():
    g = robot({"1": {"keep": 1, W: 1}}, owl={"hand": rest()})
    assert g.board.deck.size == 0
    orders(g, "anvil")
    own = g[BOT].mechanical_marquise
    assert own.row.segments == [Blank([0, 0, 0, 0, 1])]
    assert g.board.deck.size == 0
    for place in range(4):
        assert odds_of(g.board.deck, own.row, place) == less(FIVE, {"anvil": 1})
    assert odds_of(g.board.deck, own.row, 4) == {"anvil": 1}
    assert [(e.kind, e.because) for e in g.events if e.kind in ("shuffled", "laid-aside")] == [
        ("shuffled", "ROOT-CARD-6"),
        ("laid-aside", "ROOT-BOT-27"),
    ]


@rule("ROOT-CARD-7", "ROOT-BOT-27")
def test_with_nothing_left_to_lay_the_row_stays_short():
    g = robot({"1": {"keep": 1, W: 1}}, "cult", owl={"hand": rest()})
    orders(g, "anvil")  # to the Lost Souls
    assert g.event("nothing-to-draw")["because"] == "ROOT-CARD-7"
    assert row(g) == 4
    (discarded,) = [e for e in g.events if e.because == "ROOT-BOT-25"]
    assert discarded.facts["target"] == ["seats", OWL, "cult", "lost_souls"]


@rule("ROOT-INFO-7")
def test_an_order_that_a_seat_has_looked_at_is_known_to_it_and_needs_no_chance():
    g = robot({"1": {"keep": 1, W: 1}}, at="evening")
    t = Table(RULES, g.state).fork()
    t.settled("anvil", ("seats", BOT, "mechanical_marquise", "row"), 0, ("deck",), [OWL])
    t.settled("sappers", ("seats", BOT, "mechanical_marquise", "row"), 3, ("deck",), [OWL])
    seen = Game(t.to_state(2))
    shown = {
        s: view(seen.state, s)["table"]["seats"][BOT]["mechanical_marquise"]["row"] for s in (None, BOT, OWL)
    }
    assert shown[None] == shown[BOT] == {"size": 5, "top": []}
    assert shown[OWL] == {"size": 5, "top": ["anvil"], "known": [{"above": 3, "cards": ["sappers"]}]}


def test_rules_that_lay_or_see_what_cannot_be_are_at_fault():
    g = robot({"1": {"keep": 1, W: 1}}, owl={"hand": rest()})
    t = g.table.fork()
    place = ("seats", BOT, "mechanical_marquise", "row")
    with pytest.raises(MoveError, match="armorers cannot lie there"):
        t.settled("armorers", place, 0, ("deck",), None)
    with pytest.raises(MoveError, match="the deck is empty"):
        t.laid_aside("ROOT-BOT-27", ("deck",), place)


# -- standing rules -----------------------------------------------------------------------------------------------


@refusal("ROOT-BOT-8")
def test_nobody_decides_for_it():
    g = robot({"1": {"keep": 1, W: 4}, "5": {OWLS: 1}})
    for kind in ("turn-up-order", "battle", "move", "end-phase", "play-ambush", "nothing-like-it"):
        assert "ROOT-BOT-8" in g.refused(BOT, kind)
    orders(g, "anvil")
    assert g.asked == (OWL,)
    assert set(g.refused(BOT, "add-to-decree", card="cobbler", column="move")) >= {"ROOT-BOT-8"}


@rule("ROOT-BOT-4")
def test_it_attacks_without_an_ambush_and_says_so():
    g = robot({"1": {"keep": 1, W: 2, OWLS: 1}}, owl={"hand": ["ambush-fox"]})
    orders(g, "anvil")
    assert g.kinds == ("roll-die",)
    assert g.event("skipped")["because"] == "ROOT-BOT-4"


@rule("ROOT-BOT-6", "ROOT-R-BOT-6")
def test_it_loses_its_warriors_then_its_keep_without_being_asked_and_others_score_for_that():
    g = robot({"1": {"keep": 1, W: 1, OWLS: 3}}, owl={"crafted": ["sappers"]})
    orders(g, "anvil")
    g.roll(3, 3)  # one hit for one warrior; the defender deals three, and one more
    assert g.kinds == ("battle-effects",)
    g.play(OWL, "battle-effects", cards={"sappers": 1})
    assert g.here("1") == {OWLS: 2}
    assert g.board.box == {"keep": 1}
    assert g.points(OWL) == [("ROOT-BATTLE-20", 1)]
    assert g.asked == (OWL,)


@rule("ROOT-BOT-6", "ROOT-R-BOT-3", "ROOT-BOT-21")
def test_it_scores_for_what_it_removes_and_the_alliance_draws_for_sympathy():
    g = robot({"6": {W: 2, "sympathy": 1}}, "alliance")
    orders(g, "anvil")
    g.roll(0, 0)  # none, and one more against the defenseless
    assert g.points(BOT) == [("ROOT-BATTLE-20", 1)]
    assert g.kinds == ("draw-card",)
    g.draw("cobbler")
    assert g[OWL].alliance.supporters == {"cobbler": 1}


@rule("ROOT-BOT-5")
def test_the_others_cards_work_against_it():
    g = robot({"1": {"keep": 1, W: 2, OWLS: 2}}, owl={"crafted": ["armorers"]})
    orders(g, "anvil")
    g.roll(2, 1)
    assert (g.asked, g.kinds) == ((OWL,), ("battle-effects",))
    g.play(OWL, "battle-effects", cards={"armorers": 1})
    assert g.here("1") == {"keep": 1, W: 1, OWLS: 2}


@rule("ROOT-BATTLE-11")
def test_guerrilla_war_turns_the_dice_against_it():
    g = robot({"1": {"keep": 1, W: 3, FOLK: 3}}, "alliance")
    orders(g, "anvil")
    g.roll(1, 3)
    assert g.here("1") == {"keep": 1, FOLK: 2}


@rule("ROOT-BOT-1", "ROOT-MARQ-2")
def test_only_it_places_pieces_at_its_keep():
    g = robot({"1": {"keep": 1, W: 1}, "5": {"sympathy": 1}}, "alliance", owl={"supporters": ["anvil"] * 1})
    orders(g, "bake-sale")
    g.draw_any()
    assert g.asked == (OWL,)
    found = g.refused(OWL, "spread", clearing="1", supporters={"anvil": 1})
    assert "ROOT-MARQ-2" in found


@rule("ROOT-BOT-10")
def test_an_opponent_is_whoever_has_a_piece_a_pawn_too():
    g = robot({"1": {"keep": 1, W: 2}}, "vagabond", owl={"character": "ranger", "pawn": "1"})
    orders(g, "anvil")
    assert g.event("battle-begins")["defender"] == OWL


SCORCHER = {"character": "scoundrel", "pawn": "2", "own": {"satchel-up": {"boots": 2, "crossbow": 1}}}


@rule("ROOT-BOT-19", "ROOT-MOVE-7")
def test_where_nothing_may_enter_it_does_not_go():
    g = robot({"1": {"keep": 1, W: 4}}, "vagabond", owl=SCORCHER, scorched=["5"])
    orders(g, "anvil")
    assert [e.facts["target"] for e in g.events if e.because == "ROOT-BOT-18"] == [["map", "9"]]


@rule("ROOT-BOT-19")
def test_with_no_clearing_left_that_it_may_enter_it_does_not_move():
    t = robot({"8": {W: 6}}).table
    assert destination(t, BOT, "8") == "4"
    t.board.scorched = {"4": {"torch": 1}, "7": {"torch": 1}}
    assert destination(t, BOT, "8") is None
    assert march(t, BOT, "8") is None
    assert t.board.map["8"] == {W: 6}


@rule("ROOT-BOT-24")
def test_closed_clearings_get_no_recruits():
    t = robot({"1": {W: 2}, "6": {W: 2}}).table
    assert recruits(t, BOT, ["fox"]) == {"1": 1, "6": 1}
    t.board.scorched = {"1": {"torch": 1}}
    assert recruits(t, BOT, ["fox"]) == {"6": 1}


# -- explained ----------------------------------------------------------------------------------------------------


def explained(g, card):
    action = {"kind": "turn-up-order", "actor": "chance", "card": card}
    judgement = judge(RULES, g.state, action, lowest, explain=True)
    assert judgement.legal
    return [r.to_wire() for r in judgement.explained]


@rule("ROOT-BOT-15", "ROOT-BOT-16")
def test_what_it_chose_and_what_not_is_told_to_who_asks():
    g = robot(
        {"1": {"keep": 1, W: 2, OWLS: 1, FOLK: 1}}, "eyrie", "alliance", owl={"score": 3}, fox={"score": 4}
    )
    found = explained(g, "anvil")
    assert found[0] == {
        "about": "battle", "because": "ROOT-BOT-15",
        "of": [{"value": "1", "warriors": 2, "pieces": 2, "chosen": True}],
    }  # fmt: skip
    assert found[1] == {
        "about": "defender",
        "because": "ROOT-BOT-16",
        "clearing": "1",
        "of": [
            {"value": OWL, "pieces": 1, "points": 3, "set_up": 2, "chosen": False},
            {"value": FOX, "pieces": 1, "points": 4, "set_up": 3, "chosen": True},
        ],
    }


@rule("ROOT-BOT-18", "ROOT-BOT-19", "ROOT-BOT-22")
def test_moves_and_recruits_are_explained_with_what_decided():
    g = robot({"1": {"keep": 1, W: 4}, "9": {OWLS: 2}})
    found = {(r["about"], r.get("origin")): r for r in explained(g, "anvil")}
    assert list(found["destination", "1"]["of"]) == [
        {"value": "5", "pieces": 0, "rank": 5, "barred_by": None, "chosen": False},
        {"value": "9", "pieces": 2, "rank": 9, "barred_by": None, "chosen": True},
        {"value": "10", "pieces": 0, "rank": 10, "barred_by": None, "chosen": False},
    ]
    placed = {c["value"]: c["placed"] for c in found["recruit", None]["of"] if c["chosen"]}
    assert placed == {"1": 1}


@rule("ROOT-BOT-19", "ROOT-BOT-24")
def test_who_has_nowhere_to_go_does_not_move_and_what_bars_recruits_is_named():
    t = robot({"8": {W: 6}}).table
    t.board.scorched = {"4": {"torch": 1}, "7": {"torch": 1}, "1": {"torch": 1}}
    t.explained = []
    march(t, BOT, "8")
    move, destination = (r.to_wire() for r in t.explained)
    assert move["of"] == [{"value": "8", "warriors": 6, "ruler": BOT, "open": 0, "chosen": False}]
    assert [(c["barred_by"], c["chosen"]) for c in destination["of"]] == [("ROOT-MOVE-7", False)] * 2
    mechanical(t, BOT).order = "anvil"
    t.explained = []
    place_recruits(t, BOT)
    (told,) = (r.to_wire() for r in t.explained)
    barred = {c["value"]: c["barred_by"] for c in told["of"]}
    assert (barred["1"], barred["8"]) == ("ROOT-MOVE-7", None)


@rule("ROOT-BOT-11")
def test_what_scores_in_birdsong_is_explained():
    t = robot({"1": {"keep": 1, W: 3}, "2": {W: 3, OWLS: 3}, "5": {W: 2}}).table.fork()
    t.explained = []
    score_clearings(t, MechanicalBirdsong(seat=BOT))
    (told,) = [r.to_wire() for r in t.explained]
    assert (told["about"], told["because"], len(told["of"])) == ("strong-clearings", "ROOT-BOT-11", 12)
    assert told["of"][:2] == [
        {"value": "1", "warriors": 3, "ruler": BOT, "chosen": True},
        {"value": "2", "warriors": 3, "ruler": OWL, "chosen": False},
    ]
    assert [c["value"] for c in told["of"] if c["chosen"]] == ["1"]


def test_nothing_is_explained_that_nobody_asks_for():
    g = robot({"1": {"keep": 1, W: 4}})
    action = {"kind": "turn-up-order", "actor": "chance", "card": "anvil"}
    assert judge(RULES, g.state, action, lowest).explained == ()
    assert g.table.explained is None
