"""Chapter 12, set-up, and the cards of chapter 5 as they are dealt and drawn; turns; the end."""

import pytest

from service.engine.ruleset import SetupRefused, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.view import view
from service.games.root.v1 import RULES
from service.games.root.v1.cards import Draw
from service.games.root.v1.components import deck_cards
from service.games.root.v1.figures import PRINTED
from service.games.root.v1.state import Turn
from tests.games.root.table import CAT, OWL, fresh, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"


def seated(*factions, options=None):
    g = fresh(*factions, options=options)
    while g.kinds == ("draw-seat",):
        left = [s for s in g.board.seats if s not in g.board.order]
        g.play("chance", "draw-seat", seat=left[0])
    return g


def dealt(*factions):
    g = seated(*factions)
    return g.draw_any()


# -- factions and seats -------------------------------------------------------------------------------------------


@rule("ROOT-SETUP-1", "ROOT-SETUP-3", "ROOT-SETUP-5", "ROOT-SETUP-6")
def test_the_table_before_anything_is_done():
    g = fresh("marquise", "eyrie")
    assert [g.score(s) for s in (CAT, OWL)] == [0, 0]
    assert g.board.ruins == ["6", "10", "11", "12"]
    assert g.board.items == {
        "boots": 2,
        "bag": 2,
        "crossbow": 1,
        "hammer": 1,
        "sword": 2,
        "tea": 2,
        "coin": 2,
    }
    assert g[CAT].supply == {CATS: 25, "keep": 1, "recruiter": 6, "sawmill": 6, "wood": 8, "workshop": 6}
    assert g[OWL].supply == {OWLS: 20, "roost": 7}


@refusal("ROOT-SETUP-1")
def test_no_faction_twice():
    with pytest.raises(SetupRefused, match="taken") as refused:
        fresh("marquise", "marquise")
    assert [(p.pointer, p.rule) for p in refused.value.problems] == [("/seats/1/faction", "ROOT-SETUP-1")]


def test_who_comes_into_a_position_plays_what_is_played_there():
    position = game({}, {}).board
    seats = [SetupSeat(CAT, choice={"faction": "eyrie"}), SetupSeat(OWL)]
    with pytest.raises(SetupRefused, match="does not play"):
        start(RULES, Setup(seats, "test", ChanceState("given"), position=position))
    begun = start(
        RULES, Setup([SetupSeat(CAT), SetupSeat(OWL)], "test", ChanceState("given"), position=position)
    )
    assert begun.state.stack[1].seat == CAT


@rule("ROOT-SETUP-1")
@refusal("ROOT-SETUP-1")
def test_chance_deals_what_nobody_has_chosen():
    g = fresh(None, "marquise")
    assert g.kinds == ("deal-faction",)
    assert "ROOT-SETUP-1" in g.refused("chance", "deal-faction", faction="marquise")
    g.play("chance", "deal-faction", faction="eyrie")
    assert g[CAT].faction == "eyrie"
    assert g[CAT].eyrie is not None
    assert g[CAT].supply == {OWLS: 20, "roost": 7}


@rule("ROOT-SETUP-2")
def test_seats_are_drawn_and_the_last_follows():
    g = fresh("marquise", "eyrie").play("chance", "draw-seat", seat=OWL)
    assert g.board.order == [OWL, CAT]


@rule("ROOT-SETUP-2")
def test_seats_as_listed_follow_from_the_first_player():
    g = fresh("marquise", "eyrie", options={"seating": "listed"}).play("chance", "draw-seat", seat=OWL)
    assert g.board.order == [OWL, CAT]


@rule("ROOT-SETUP-4", "ROOT-SETUP-8", "ROOT-INFO-2", "ROOT-CARD-6")
def test_three_cards_each_before_the_factions_set_up():
    g = seated("marquise", "eyrie")
    assert (g.top.seat, g.top.left) == (CAT, 3)
    g.draw("anvil", "cobbler", "sappers")
    assert g[CAT].hand == {"anvil": 1, "cobbler": 1, "sappers": 1}
    assert [e.seen_by(OWL)["what"] for e in g.events if e.kind == "moved"] == [1, 1, 1]
    g.draw("armorers", "bake-sale", "cobbler")
    assert g.kinds == ("setup-marquise",)


@rule("ROOT-DOM-9")
def test_two_players_leave_the_dominance_cards_out():
    assert sum(deck_cards(PRINTED, 2).values()) == 50
    assert sum(deck_cards(PRINTED, 3).values()) == 54
    assert not [c for c in fresh("marquise", "eyrie").board.deck.cards() if "dominance" in c]


# -- Marquise and Eyrie -------------------------------------------------------------------------------------------


def setup_marquise(g, keep="1", sawmill="5", workshop="5", recruiter="9"):
    return g.play(CAT, "setup-marquise", keep=keep, sawmill=sawmill, workshop=workshop, recruiter=recruiter)


@rule("ROOT-SETUP-9", "ROOT-SETUP-7", "ROOT-SETUP-17", "ROOT-DEC-1")
def test_the_marquise_sets_up_first():
    g = setup_marquise(dealt("marquise", "eyrie"))
    assert g.here("1") == {"keep": 1, CATS: 1}
    assert g.here("5") == {"sawmill": 1, "workshop": 1, CATS: 1}
    assert g.here("9") == {"recruiter": 1, CATS: 1}
    assert g.here("3") == {}
    assert g[CAT].supply == {CATS: 14, "recruiter": 5, "sawmill": 5, "wood": 8, "workshop": 5}
    assert g.kinds == ("setup-eyrie",)


BEGINNING = {"keep": "1", "sawmill": "5", "workshop": "9", "recruiter": "10"}


@refusal("ROOT-SETUP-9")
@pytest.mark.parametrize(
    ("wire", "about"),
    [
        ({"keep": "5"}, ("/keep",)),
        ({"sawmill": "12"}, ("/keep", "/sawmill")),
        ({"workshop": "2"}, ("/keep", "/workshop")),
        ({"recruiter": "3"}, ("/keep", "/recruiter")),
    ],
)
def test_where_the_marquise_may_not_begin(wire, about):
    found = dealt("marquise", "eyrie").refused(CAT, "setup-marquise", **{**BEGINNING, **wire})
    says(found, "ROOT-SETUP-9", *about)


@refusal("ROOT-MAP-7")
@pytest.mark.parametrize(
    "wire",
    [
        {"sawmill": "1", "workshop": "1"},
        {"sawmill": "5", "workshop": "5", "recruiter": "5"},
        {"sawmill": "10", "recruiter": "10"},
    ],
)
def test_its_buildings_need_open_slots(wire):
    found = dealt("marquise", "eyrie").refused(CAT, "setup-marquise", **{**BEGINNING, **wire})
    says(found, "ROOT-MAP-7", "/sawmill", "/workshop", "/recruiter")


@rule("ROOT-SETUP-10", "ROOT-DEC-2", "ROOT-EYRIE-2")
def test_the_eyrie_begin_opposite_the_keep():
    g = setup_marquise(dealt("marquise", "eyrie")).play(OWL, "setup-eyrie", leader="despot")
    assert g.here("3") == {"roost": 1, OWLS: 6}
    assert g[OWL].eyrie.decree == {"recruit": {}, "move": {"vizier": 1}, "battle": {}, "build": {"vizier": 1}}
    assert g.frame(Turn).seat == CAT


@rule("ROOT-SETUP-10", "ROOT-DEC-2")
@refusal("ROOT-SETUP-10")
def test_they_name_no_corner_where_it_follows():
    g = setup_marquise(dealt("marquise", "eyrie"))
    assert "corner" not in g.options(OWL, "setup-eyrie")[0]
    found = g.refused(OWL, "setup-eyrie", leader="nobody")
    assert found["ROOT-SETUP-10"].reason == "unknown-value"


# -- drawing ------------------------------------------------------------------------------------------------------


def to_draw(**board):
    """The Marquise's Evening: a card is to be drawn."""
    return game({}, {"3": {"roost": 1}}, at="evening", **board)


@rule("ROOT-CARD-6")
@refusal("ROOT-CARD-6")
def test_the_top_card_is_one_of_the_deck():
    g = to_draw(discard=["anvil"])
    assert isinstance(g.top, Draw)
    assert "ROOT-CARD-6" in g.refused("chance", "draw-card", card="anvil")
    g.draw("cobbler")
    assert g[CAT].hand == {"cobbler": 1}


@rule("ROOT-CARD-6", "ROOT-INFO-5")
def test_an_empty_deck_is_made_anew_from_the_discard_pile():
    g = to_draw(discard=deck_cards(PRINTED, 2))
    assert "ROOT-CARD-6" in g.because("shuffled")
    assert (g.board.discard, g.board.deck.size) == ({}, 50)


@rule("ROOT-CARD-7", "ROOT-GEN-4")
def test_with_both_piles_empty_nothing_is_drawn():
    g = game({OWL: {"hand": deck_cards(PRINTED, 2)}}, {"3": {"roost": 1}}, at="evening")
    assert "ROOT-CARD-7" in g.because("nothing-to-draw")
    assert g.frame(Turn).seat == OWL


@rule("ROOT-CARD-8")
def test_the_hand_limit_is_for_ones_own_evening():
    g = game(
        {OWL: {"hand": ["anvil", "cobbler", "sappers", "armorers", "bake-sale", "investments"]}},
        {"3": {"roost": 1}},
    )
    g.play(CAT, "end-phase").draw("cobbler")
    assert sum(g[OWL].hand.values()) == 6
    assert g.frame(Turn).seat == OWL


# -- turns and the end --------------------------------------------------------------------------------------------


@rule("ROOT-GEN-9", "ROOT-WIN-5")
def test_turns_go_round():
    g = game({}, {}, order=(OWL, CAT))
    g.play(CAT, "end-phase").draw("anvil")
    assert g.frame(Turn).seat == OWL


@rule("ROOT-WIN-1")
def test_thirty_points_end_the_game():
    g = game({CAT: {"score": 29, "hand": ["root-tea-fox"]}}, {"7": {"workshop": 1}})
    g.play(CAT, "craft", card="root-tea-fox", pieces={"mouse": 1})
    outcome = g.state.outcome
    assert (outcome.winners, outcome.because) == ([CAT], "ROOT-WIN-1")
    assert [(s.seat, s.score, s.parts) for s in outcome.standings] == [
        (CAT, 31, {"points": 31}),
        (OWL, 0, {"points": 0}),
    ]
    assert g.state.stack == []


@rule("ROOT-WIN-1")
def test_in_anothers_turn_as_well():
    owl = {"score": 29, "hand": ["ambush-rabbit"]}
    g = game({OWL: owl}, {"5": {CATS: 1, "sawmill": 1, OWLS: 1}, "9": {CATS: 1}})
    g.play(CAT, "battle", clearing="5", defender=OWL).play(OWL, "play-ambush", card="ambush-rabbit")
    assert g.state.outcome.winners == [OWL]


# -- who sees what ------------------------------------------------------------------------------------------------


@rule("ROOT-INFO-1", "ROOT-INFO-2", "ROOT-INFO-5", "ROOT-INFO-8")
def test_views():
    g = game(
        {CAT: {"hand": ["anvil", "cobbler"], "crafted": ["sappers"]}, OWL: {"hand": ["armorers"]}},
        {"5": {CATS: 1}}, discard=["bake-sale"],
    )  # fmt: skip
    mine, theirs, nobodys = (view(g.state, s)["table"] for s in (CAT, OWL, None))
    assert mine["seats"][CAT]["hand"] == {"anvil": 1, "cobbler": 1}
    assert (theirs["seats"][CAT]["hand"], nobodys["seats"][CAT]["hand"]) == (2, 2)
    assert theirs["seats"][CAT]["crafted"] == ["sappers"]
    assert theirs["discard"] == {"bake-sale": 1}
    assert theirs["deck"] == {"size": 50 - 5, "top": []}
    assert theirs["map"]["5"] == {CATS: 1}
    assert mine["seats"][OWL]["eyrie"]["leader"] == "builder"


def test_every_card_has_a_suit_and_the_deck_is_as_printed():
    deck = deck_cards(PRINTED, 3)
    assert sum(deck.values()) == 54
    by_suit = {
        s: sum(n for c, n in deck.items() if PRINTED.cards[c].suit == s)
        for s in ("fox", "rabbit", "mouse", "bird")
    }
    assert by_suit == {"bird": 14, "fox": 14, "mouse": 13, "rabbit": 13}
    assert len(deck) == 42


@refusal("ROOT-WIN-1")
def test_after_the_end_nothing_is_done():
    g = game({CAT: {"score": 29, "hand": ["root-tea-fox"]}}, {"7": {"workshop": 1}})
    g.play(CAT, "craft", card="root-tea-fox", pieces={"mouse": 1})
    assert set(g.refused(CAT, "end-phase")) == {"ROOT-WIN-1"}
