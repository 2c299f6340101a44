"""Components and supply: what there is, what runs out, and what replaces it."""

from collections import Counter

import pytest

from service.engine.deck import pool_of
from service.engine.problems import problems
from service.engine.ruleset import SetupRefused, SetupSeat
from service.engine.wishes import Wished
from tests.games.zavandor.table import (
    BLUE,
    GREEN,
    RED,
    RULES,
    SEATS,
    WHITE,
    after_income,
    fresh,
    gained,
    game,
)

rule, refusal = pytest.mark.rule, pytest.mark.refusal

FULL = {"opal": 28, "sapphire": 28, "emerald": 24, "diamond": 24, "ruby": 20}


@rule("ZAV-COMP-1")
@refusal("ZAV-COMP-1")
def test_two_seats_cannot_have_one_character():
    with pytest.raises(SetupRefused) as refused:
        fresh("witch", "witch")
    assert [(p.pointer, p.rule) for p in refused.value.problems] == [("/seats/1/character", "ZAV-COMP-1")]


def test_a_seat_of_a_position_keeps_its_character():
    board = fresh("witch", "elf").board
    wishes = [SetupSeat("ann", choice={"character": "elf"}), SetupSeat("bob", choice={"character": "elf"})]
    refused = list(RULES.refused_wishes(Wished(wishes, {}, position=board)))
    assert [(p.pointer, p.rule) for p in refused] == [
        ("/seats/0/character", None), ("/seats/1/character", "ZAV-COMP-1")
    ]  # fmt: skip


@rule("ZAV-COMP-2", "ZAV-SETUP-2")
def test_what_nobody_has_lies_in_the_supply():
    g = fresh("witch", "elf")
    assert g.board.supply == {**FULL, "opal": 24, "sapphire": 26}


@rule("ZAV-COMP-3")
@refusal("ZAV-COMP-3")
def test_a_gem_that_is_not_in_the_supply_cannot_be_bought():
    g = game({"ann": {"dust": 40}, "bob": {"inactive": {"opal": 28}}})
    found = g.refused("ann", "buy-gem", gem="opal", place="inactive", payment={})["ZAV-COMP-3"]
    assert (found.reason, found.about) == ("broken-rule", ("/gem", "/payment"))
    assert found.facts == {"gem": "opal", "supply": 0}
    assert [o["gem"] for o in g.options("ann", "buy-gem")] == ["sapphire", "sapphire"]


@rule("ZAV-COMP-3", "ZAV-R-14")
def test_sold_gems_go_back_to_the_supply():
    g = game({"ann": {"active": {"opal": 2}, "inactive": {"ruby": 1}}, "bob": {}})
    g.play("ann", "sell-gems", gems={"active": {"opal": 1}, "inactive": {"ruby": 1}})
    assert g.board.supply == {**FULL, "opal": 27}


@rule("ZAV-COMP-4")
def test_every_colour_has_its_own_deck_and_pile():
    g = fresh(seats=2)
    found = {c: {**g.board.decks[c].cards()} for c in ("green", "white", "red")}
    assert found == {"green": GREEN, "white": WHITE, "red": RED}
    assert g.board.decks["blue"].size == 28
    assert set(g.board.discards) == {"blue", "green", "white", "red"}


LIMITS = {"mage": 6, "elf": 4, "druid": 5, "fairy": 5, "witch": 4}  # of bob to fay; ann is the Kobold


def others(**hands):
    """Five players beside ann, by character."""
    return {s: {"character": c, **hands.get(c, {})} for s, c in zip(SEATS[1:], LIMITS, strict=True)}


@rule("ZAV-COMP-5", "ZAV-R-15")
def test_concentrated_energy_has_no_number():
    red = {
        c: {"concentrated": {"red": n}}
        for c, n in {"mage": 2, "elf": 1, "druid": 1, "fairy": 1, "witch": 1}.items()
    }
    ann = {"character": "kobold", "active": {"ruby": 4}, "concentrated": {"red": 2}}
    g = game({"ann": ann, **others(**red)}, order=())
    assert g["ann"].concentrated == {"red": 3}
    assert sum(p.concentrated["red"] for p in g.board.seats.values()) == 9  # the box has 8


@rule("ZAV-COMP-6", "ZAV-R-15")
def test_the_bank_is_never_empty():
    dust = {c: {"dust": n} for c, n in {"mage": 20, "elf": 10, "druid": 15, "fairy": 15, "witch": 10}.items()}
    ann = {"character": "kobold", "active": {"opal": 2}, "dust": 50, "artifacts": {"crystal-ball": 3}}
    g = game({"ann": ann, **others(**dust)}, order=())
    assert g["ann"].dust == 50 + 5
    assert sum(p.dust for p in g.board.seats.values()) == 125  # the box has 100


@rule("ZAV-COMP-9")
def test_spent_cards_go_face_up_to_the_pile_of_their_colour():
    g = game({"ann": {"energy": {"blue-3": 2, "green-5": 1}, "concentrated": {"white": 1}}, "bob": {}})
    g.play("ann", "buy-gem", gem="opal", place="active", payment={"cards": {"blue-3": 2, "green-5": 1}})
    assert g.board.discards == {"blue": {"blue-3": 2}, "green": {"green-5": 1}, "white": {}, "red": {}}
    g.play("ann", "buy-token", token=40, payment={"concentrated": {"white": 1}})
    assert g["ann"].concentrated == {}
    assert g.moved("ZAV-PAY-3")[0]["target"] is None


@rule("ZAV-COMP-9")
def test_an_empty_deck_is_made_anew_from_its_pile_when_a_card_is_needed():
    g = after_income({"active": {"sapphire": 1}}, discards=("blue", "red"))
    assert "ZAV-COMP-9" in g.because("shuffled")
    assert gained(g, "ann")["cards"] == {"blue": 1}
    assert (g.board.decks["blue"].size, g.board.discards["blue"]) == (29, {})
    assert (g.board.decks["red"].size, g.board.discards["red"]) == (0, RED)


@rule("ZAV-COMP-9")
def test_a_deck_that_runs_out_in_mid_draw_is_made_anew():
    hand = {c: n for c, n in BLUE.items() if c != "blue-7"}
    g = game({"ann": {"active": {"sapphire": 2}}, "bob": {"energy": hand}}, order=("ann", "bob"))
    state = g.state
    state.table.decks["blue"] = pool_of({"blue-7": 1})
    state.table.discards["blue"] = {"blue-7": 2}
    assert problems(RULES, state) == []
    g.play("ann", "end-turn").play("bob", "end-turn")
    if g.kinds == ("discard",):
        g.play("bob", "discard", keep={"cards": {"blue-3": 3, "blue-4": 3}})
    assert g.because("shuffled") == ["ZAV-COMP-9"]
    assert g["ann"].energy == {"blue-4": 1, "blue-7": 1}
    assert g.board.discards["blue"] == {}


@rule("ZAV-COMP-10", "ZAV-R-15")
@pytest.mark.parametrize(
    ("stage", "cards", "dust"), [(1, BLUE, 5), (2, GREEN, 7), (3, WHITE, 10), (4, RED, 15)]
)
def test_without_deck_and_pile_dust_comes_instead(stage, cards, dust):
    tracks = {"sages": stage - 1} if stage > 1 else {}
    g = game({"ann": {"dust": 50, "bought": 1, "tracks": tracks}, "bob": {"energy": cards}})
    g.play("ann", "advance", track="sages", payment={})
    assert (g["ann"].waiting, g["ann"].waiting_dust) == ({}, 2 * dust)
    assert g.moved("ZAV-COMP-10")[0]["what"] == {"dust": 2 * dust}


def full_hands(cards, balls=0):
    """These cards in the hands of five players, up to their hand limits; the Mage has so many Crystal Balls."""
    heap = [card for card, n in cards.items() for _ in range(n)]
    hands = {}
    for character, limit in LIMITS.items():
        most = limit + 3 * balls * (character == "mage")
        hands[character] = {"energy": Counter(heap[:most])}
        heap = heap[most:]
    assert not heap
    return others(
        **hands | {"mage": {**hands["mage"], "artifacts": {"crystal-ball": balls} if balls else {}}}
    )


@rule("ZAV-COMP-10", "ZAV-R-15")
@pytest.mark.parametrize(("missing", "cards"), [(3, BLUE), (2, {**BLUE, "blue-3": 2})])
def test_only_missing_cards_are_replaced(missing, cards):
    ann = {"character": "kobold", "active": {"sapphire": 3, "opal": 2}}
    g = game({"ann": ann, **full_hands(cards, balls=2)}, order=())
    drawn = {"blue": 3 - missing} if missing < 3 else {}
    assert gained(g, "ann") == {"cards": drawn, "concentrated": {}, "dust": 5 + 5 * missing}
    assert g.moved("ZAV-COMP-10")[0]["what"] == {"dust": 5 * missing}


@rule("ZAV-COMP-10", "ZAV-KNOW-SAGES-4")
def test_missing_cards_of_the_nine_sages_are_dust_under_the_position_card():
    g = game({"ann": {"bought": 1, "dust": 5}, "bob": {"energy": BLUE}})
    g.play("ann", "advance", track="sages", payment={})
    assert (g["ann"].waiting, g["ann"].waiting_dust) == ({}, 10)


@rule("ZAV-COMP-7")
def test_thirty_six_artifacts_nine_sentinels():
    g = fresh(seats=6)
    cards = g.board.deck.size + sum(g.board.display.values())
    assert (cards, len(g.board.sentinels)) == (36, 9)


@rule("ZAV-COMP-8", "ZAV-SETUP-5")
@refusal("ZAV-COMP-8")
def test_a_sixth_token_is_a_problem():
    g = game(2)
    g.state.table.seats["ann"].bought = 1
    found = problems(RULES, g.state)
    assert [(p.rule, p.pointer) for p in found] == [("ZAV-COMP-8", "/table/seats/ann")]
