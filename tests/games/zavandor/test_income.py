"""Phase 2: income."""

import pytest

from tests.games.zavandor.table import after_income, fresh, gained, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal

BELT = {"artifacts": {"magic-belt": 1}, "tracks": {"accumulation": 4}}  # 9 active places


def got(hand, **board):
    g = after_income(hand, **board)
    found = gained(g, "ann")
    return found["dust"], found["concentrated"], found["cards"]


# -- worked examples


@rule("ZAV-INCOME-1", "ZAV-ART-CRYSTAL-1", "ZAV-INCOME-7")
def test_example_1_four_opals_three_emeralds_a_crystal_a_ruby_flow_3():
    hand = {
        "active": {"opal": 4, "emerald": 3, "ruby": 1},
        "artifacts": {"crystal-of-protection": 1, "magic-belt": 1},
        "tracks": {"flow": 3, "accumulation": 2},
    }
    assert got(hand) == (12 + 5 + 2, {"green": 1}, {"red": 1})


@rule("ZAV-INCOME-4")
def test_example_2_five_sapphires():
    assert got({"active": {"sapphire": 5}}) == (2, {"blue": 1}, {"blue": 1})


@rule("ZAV-INCOME-4", "ZAV-R-7")
def test_example_3_eight_sapphires():
    assert got({"active": {"sapphire": 8}, **BELT}) == (4, {"blue": 2}, {})


@rule("ZAV-INCOME-6")
def test_example_4_three_emeralds_and_a_diamond():
    assert got({"active": {"emerald": 3, "diamond": 1}}) == (0, {}, {"green": 3, "white": 1})


@rule("ZAV-INCOME-4", "ZAV-ART-CRYSTAL-1")
def test_example_5_two_emeralds_and_two_crystals():
    hand = {"active": {"emerald": 2}, "artifacts": {"crystal-of-protection": 2}}
    assert got(hand, others=2) == (2, {"green": 1}, {})


@rule("ZAV-INCOME-4", "ZAV-ART-CHALICE-1")
def test_example_6_four_rubies_and_a_chalice():
    assert got({"active": {"ruby": 4}, "artifacts": {"chalice-of-fire": 1}}) == (2, {"red": 1}, {"red": 1})


@rule("ZAV-INCOME-2", "ZAV-KNOW-FLOW-1")
def test_example_7_seven_opals_flow_4():
    assert got({"active": {"opal": 7}, **BELT, "tracks": {"accumulation": 4, "flow": 4}}) == (32, {}, {})


@rule("ZAV-INCOME-8", "ZAV-SETUP-4")
def test_example_8_the_fairy_in_round_1():
    g = fresh("fairy", "elf")
    assert sum(g["ann"].energy.values()) == 3
    assert {c.partition("-")[0] for c in g["ann"].energy} == {"blue"}
    assert g["ann"].dust == 15
    assert g["ann"].concentrated == {}


# -- clauses


@rule("ZAV-INCOME-1")
def test_inactive_gems_produce_nothing():
    assert got({"active": {}, "inactive": {"opal": 3, "ruby": 4}}) == (0, {}, {})


@rule("ZAV-INCOME-1", "ZAV-INCOME-10")
def test_income_comes_in_position_order_and_from_blue_to_red():
    every = {"sapphire": 1, "emerald": 1, "diamond": 1, "ruby": 1}
    g = game({"ann": {"active": every}, "bob": {"active": {**every, "opal": 1}}, "cyd": {}}, order=())
    drawn = [(e["target"][1], e["source"][1]) for e in g.moved("ZAV-INCOME-3")]
    assert drawn == [(s, c) for s in ("bob", "ann") for c in ("blue", "green", "white", "red")]


@rule("ZAV-INCOME-2")
@pytest.mark.parametrize(("opals", "dust"), list(enumerate([0, 2, 5, 10, 12, 15, 20, 22, 25, 30, 32, 35])))
def test_dust_from_opals(opals, dust):
    hand = {"active": {"opal": opals} if opals else {}, "tracks": {"accumulation": 4}}
    assert got({**hand, "artifacts": {"magic-belt": 1, "magic-wand": 1}}) == (dust, {}, {})


@rule("ZAV-INCOME-3", "ZAV-ART-CHALICE-1")
def test_one_card_for_each_gem_and_card_that_gives_one():
    hand = {
        "active": {"sapphire": 1, "emerald": 1, "diamond": 2, "ruby": 1},
        "artifacts": {"crystal-of-protection": 2, "chalice-of-fire": 2},
    }
    assert got(hand, others=2) == (0, {}, {"blue": 1, "green": 3, "white": 2, "red": 3})


@rule("ZAV-INCOME-5")
def test_nobody_is_asked_whether_four_cards_become_concentrated():
    g = game({"ann": {"active": {"emerald": 4}}, "bob": {}}, order=(), mode="given")
    assert g.kinds[-1] == "end-turn"
    assert (g["ann"].concentrated, g["ann"].energy, g["ann"].dust) == ({"green": 1}, {}, 2)


@rule("ZAV-INCOME-6", "ZAV-R-8")
def test_cards_held_before_never_count():
    hand = {
        "active": {"sapphire": 3},
        "energy": {"blue-5": 5},
        "waiting": {"blue-3": 2},
        "waiting_dust": 4,
    }
    g = after_income(hand)
    assert (g["ann"].concentrated, sum(g["ann"].energy.values()), g["ann"].dust) == ({}, 10, 4)


@rule("ZAV-INCOME-7", "ZAV-KNOW-FLOW-1")
@pytest.mark.parametrize(("stage", "dust"), list(enumerate([0, 2, 5, 10], 1)))
def test_energy_flow(stage, dust):
    g = after_income({"tracks": {"flow": stage}})
    assert gained(g, "ann")["dust"] == dust
    assert [e["what"] for e in g.moved("ZAV-INCOME-7")] == ([{"dust": dust}] if dust else [])


@rule("ZAV-INCOME-8")
@pytest.mark.parametrize("character", ["witch", "elf", "druid", "mage", "kobold"])
def test_in_round_1_everybody_gets_five_dust_and_a_blue_card(character):
    g = fresh(character, "fairy")
    assert gained(g, "ann")["cards"] == {"blue": 1}
    assert [e["what"] for e in g.moved("ZAV-INCOME-2")] == [{"dust": 5}] * 2


@rule("ZAV-INCOME-9")
def test_colours_do_not_matter_when_paying():
    for card in ("blue-5", "green-5"):
        g = game({"ann": {"dust": 5, "energy": {card: 1}}, "bob": {}})
        g.play("ann", "buy-gem", gem="opal", place="active", payment={"cards": {card: 1}})
        assert g["ann"].dust == 0
        assert g.board.discards[card.partition("-")[0]] == {card: 1}
