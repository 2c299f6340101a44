"""Set-up: characters, start holdings, decks."""

from collections import Counter

import pytest

from service.engine.deck import Pool
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from tests.games.zavandor.table import (
    ARTIFACTS,
    BLUE,
    CHARACTERS,
    PRINTED,
    RULES,
    SENTINELS,
    TOKENS,
    Game,
    fresh,
    seeded_by,
)

rule, refusal = pytest.mark.rule, pytest.mark.refusal


@rule("ZAV-SETUP-1")
def test_chance_deals_characters_all_different():
    first = {fresh(seats=2, draws=seeded_by(n))["ann"].character for n in range(40)}
    assert first == set(CHARACTERS)
    g = fresh(seats=6, draws=seeded_by(1))
    assert {g[s].character for s in g.board.seats} == set(CHARACTERS)


@rule("ZAV-SETUP-1")
@refusal("ZAV-SETUP-1")
def test_a_character_that_is_taken_cannot_be_dealt():
    g = fresh(seats=2, mode="given")
    assert (g.asked, g.kinds) == (("chance",), ("deal-character",))
    g.play("chance", "deal-character", character="druid")
    found = g.refused("chance", "deal-character", character="druid")["ZAV-SETUP-1"]
    assert (found.reason, found.about) == ("broken-rule", ("/character",))
    g.play("chance", "deal-character", character="fairy")
    assert (g["ann"].character, g["bob"].character) == ("druid", "fairy")


@rule("ZAV-SETUP-1")
def test_characters_may_be_agreed_on():
    g = fresh("kobold", "witch", "elf")
    assert [g[s].character for s in ("ann", "bob", "cyd")] == ["kobold", "witch", "elf"]
    assert "ZAV-SETUP-1" not in g.because()


@rule("ZAV-SETUP-1")
def test_some_characters_agreed_on_the_others_dealt():
    setup = Setup(
        [SetupSeat("ann"), SetupSeat("bob", choice={"character": "druid"}), SetupSeat("cyd")],
        "test",
        ChanceState(mode="given"),
    )
    g = Game(start(RULES, setup))
    assert "ZAV-SETUP-1" in g.refused("chance", "deal-character", character="druid")
    g.play("chance", "deal-character", character="elf").play("chance", "deal-character", character="mage")
    assert [g[s].character for s in ("ann", "bob", "cyd")] == ["elf", "druid", "mage"]


@rule("ZAV-SETUP-2", "ZAV-SETUP-6", "ZAV-SCORE-1")
def test_two_opals_and_a_sapphire_all_active_make_three_points():
    g = fresh("witch", "elf", "druid")
    for seat in g.board.seats:
        assert (g[seat].active, g[seat].inactive, g[seat].vp) == ({"opal": 2, "sapphire": 1}, {}, 3)


@rule("ZAV-SETUP-3", "ZAV-R-1")
@pytest.mark.parametrize(
    ("character", "track", "limit", "dust", "cards"),
    [
        ("witch", "gems", 4, 10, 0),
        ("elf", "flow", 4, 10, 0),
        ("druid", "fire", 5, 20, 0),
        ("fairy", "sages", 5, 10, 2),
        ("mage", "artifacts", 6, 15, 0),
        ("kobold", "accumulation", 6, 20, 0),
    ],
)
def test_character(character, track, limit, dust, cards):
    g = fresh(character, "witch" if character != "witch" else "elf", mode="given")
    assert g["ann"].tracks == {track: 1}
    assert g.hand_limit("ann") == limit
    assert g["ann"].dust == dust
    while g.kinds == ("draw-energy",):
        g.play("chance", "draw-energy", card="blue-5")
    assert sum(g["ann"].energy.values()) == cards


@rule("ZAV-SETUP-4", "ZAV-R-1", "ZAV-R-8")
def test_the_fairy_draws_two_blue_cards_and_may_spend_them_in_round_1():
    g = fresh("fairy", "elf", mode="given")
    assert g.kinds == ("draw-energy",)
    g.play("chance", "draw-energy", card="blue-3").play("chance", "draw-energy", card="blue-7")
    assert g["ann"].energy == {"blue-3": 1, "blue-7": 1}
    assert g.moved("ZAV-SETUP-4")[0]["what"] == {"blue-7": 1}
    assert g.kinds == ("draw-artifact",)

    g = fresh("fairy", "elf")
    g.play("ann", "buy-gem", gem="opal", place="active", payment={"cards": {"blue-3": 2}})
    assert g["ann"].energy == {"blue-3": 1}


@rule("ZAV-SETUP-5")
def test_five_tokens_lie_unbought():
    g = fresh("fairy", "elf")
    assert (g["ann"].tokens, g["ann"].bought) == (list(TOKENS), 0)
    assert TOKENS == (20, 25, 30, 35, 40)


@rule("ZAV-SETUP-7", "ZAV-R-2")
@pytest.mark.parametrize(("seats", "copies"), [(2, 1), (3, 2), (4, 2), (5, 3), (6, 3)])
def test_copies_by_number_of_players(seats, copies):
    g = fresh(seats=seats)
    cards = Counter(g.board.deck.cards()) + Counter(g.board.display)
    assert cards == dict.fromkeys(ARTIFACTS, copies)


@rule("ZAV-SETUP-8")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_comes_first_then_b_c_d(seats):
    g = fresh(seats=seats, draws=seeded_by(seats))
    assert sum(g.board.display.values()) == seats
    assert {PRINTED.artifacts[a].letter for a in g.board.display} <= ({"A"} if seats < 4 else {"A", "B"})
    letters = [
        {PRINTED.artifacts[a].letter for s in segment.strata for a in s.members}
        for segment in g.board.deck.segments
        if isinstance(segment, Pool)
    ]
    left = sum(n for a, n in g.board.deck.cards().items() if PRINTED.artifacts[a].letter == "A")
    assert letters == [{"A"}, {"B"}, {"C"}, {"D"}][0 if left else 1 :]
    assert "ZAV-SETUP-8" in g.because("moved")


@rule("ZAV-SETUP-8")
@refusal("ZAV-SETUP-8")
def test_a_card_from_further_down_cannot_be_turned_up():
    g = fresh("witch", "elf", mode="given")
    found = g.refused("chance", "draw-artifact", card="magic-belt")["ZAV-SETUP-8"]
    assert (found.reason, found.about) == ("broken-rule", ("/card",))
    g.play("chance", "draw-artifact", card="runestone")
    assert "ZAV-SETUP-8" in g.refused("chance", "draw-artifact", card="runestone")


@rule("ZAV-SETUP-9")
def test_energy_decks_are_shuffled_and_all_sentinels_on_offer():
    g = fresh("witch", "elf", mode="given")
    odds = g.board.decks["blue"].odds()
    assert {card: n * 30 // sum(odds.values()) for card, n in odds.items()} == BLUE
    assert g.board.sentinels == list(SENTINELS)
