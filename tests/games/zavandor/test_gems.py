"""Gems: prices, places, moving, selling, rubies."""

import pytest

from tests.games.zavandor.table import GEMS, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal

RICH = {"dust": 500}
PRICES = {
    "opal": [10, 9, 8, 7, 6],
    "sapphire": [20, 18, 16, 14, 12],
    "emerald": [30, 27, 24, 21, 18],
    "diamond": [40, 36, 32, 28, 24],
    "ruby": [60, 54, 48, 42, 36],
}
SALES = {
    "opal": [5, 4, 4, 3, 3],
    "sapphire": [10, 9, 8, 7, 6],
    "emerald": [15, 13, 12, 10, 9],
    "diamond": [20, 18, 16, 14, 12],
    "ruby": [30, 27, 24, 21, 18],
}


def solo(**held):
    return game({"ann": held, "bob": {}})


def buy(g, gem, place="inactive", actor="ann", payment=None):
    return g.play(actor, "buy-gem", gem=gem, place=place, payment=payment or {})


def no_buy(g, gem, place="inactive", actor="ann"):
    return g.refused(actor, "buy-gem", gem=gem, place=place, payment={})


def tracks(stage):
    return {"gems": stage, "fire": 4} if stage else {"fire": 4}


@rule("ZAV-GEM-1", "ZAV-GEM-5", "ZAV-KNOW-GEMS-1", "ZAV-R-3", "ZAV-R-4", "ZAV-R-26")
@pytest.mark.parametrize("gem", GEMS)
@pytest.mark.parametrize("stage", range(5))
def test_price_and_sale_value_by_stage(gem, stage):
    g = solo(**RICH, tracks=tracks(stage), artifacts={"spellbook": 1, "elixir": 1})
    buy(g, gem)
    assert 500 - g["ann"].dust == PRICES[gem][stage]
    before = g["ann"].dust
    g.play("ann", "sell-gems", gems={"inactive": {gem: 1}})
    assert g["ann"].dust - before == (2 if SALES[gem][stage] == 3 else SALES[gem][stage])


@rule("ZAV-GEM-1", "ZAV-ART-SPELLBOOK-1", "ZAV-ART-ELIXIR-1", "ZAV-KNOW-FIRE-1", "ZAV-R-24")
@refusal("ZAV-GEM-1", "ZAV-KNOW-FIRE-1")
@pytest.mark.parametrize(
    ("gem", "clause", "facts", "key"),
    [
        ("emerald", "ZAV-GEM-1", {"gem": "emerald", "needs": "spellbook"}, {"artifacts": {"spellbook": 1}}),
        ("diamond", "ZAV-GEM-1", {"gem": "diamond", "needs": "elixir"}, {"artifacts": {"elixir": 1}}),
        ("ruby", "ZAV-KNOW-FIRE-1", {"gem": "ruby", "stage": 0}, {"tracks": {"fire": 4}}),
    ],
)
def test_the_right_to_buy(gem, clause, facts, key):
    emerald_fails = no_buy(solo(**RICH), "emerald")
    assert emerald_fails.keys() == {"ZAV-GEM-1"}
    ruby_fails = no_buy(solo(**RICH), "ruby")
    assert ruby_fails.keys() == {"ZAV-KNOW-FIRE-1"}
    found = no_buy(solo(**RICH), gem)[clause]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/gem",), facts)
    wrong = {"emerald": {"elixir": 1}, "diamond": {"spellbook": 1}}.get(gem, {"elixir": 1, "spellbook": 1})
    assert clause in no_buy(solo(**RICH, artifacts=wrong), gem)
    assert buy(solo(**RICH, **key), gem)["ann"].inactive == {gem: 1}


@rule("ZAV-GEM-2", "ZAV-DEC-1")
def test_a_gem_bought_goes_where_the_buyer_says():
    g = buy(solo(**RICH), "opal", "active")
    assert (g["ann"].active, g["ann"].inactive) == ({"opal": 1}, {})
    assert g.moved("ZAV-GEM-2")[-1]["source"] == ["supply"]
    assert buy(g, "opal", "inactive")["ann"].inactive == {"opal": 1}


@rule("ZAV-GEM-2", "ZAV-GEM-3")
def test_the_pentagon_has_no_limit():
    g = solo(dust=1000, active={"opal": 5})
    for _ in range(20):
        buy(g, "opal")
    assert g["ann"].inactive == {"opal": 20}


@rule("ZAV-GEM-3", "ZAV-ART-BELT-1", "ZAV-ART-WAND-1", "ZAV-KNOW-ACC-1")
@refusal("ZAV-GEM-3")
@pytest.mark.parametrize(
    ("held", "capacity"),
    [
        ({}, 5),
        ({"tracks": {"accumulation": 1}}, 5),
        ({"tracks": {"accumulation": 2}}, 6),
        ({"tracks": {"accumulation": 3}}, 6),
        ({"tracks": {"accumulation": 4}}, 7),
        ({"artifacts": {"magic-belt": 1}}, 7),
        ({"artifacts": {"magic-wand": 1}}, 7),
        ({"artifacts": {"magic-belt": 1, "magic-wand": 1}, "tracks": {"accumulation": 4}}, 11),
    ],
)
def test_active_places(held, capacity):
    g = solo(**RICH, active={"opal": capacity - 1}, inactive={"opal": 1}, **held)
    buy(g, "opal", "active")
    found = no_buy(g, "opal", "active")["ZAV-GEM-3"]
    assert (found.reason, found.about) == ("broken-rule", ("/place", "/payment"))
    assert found.facts == {"capacity": capacity, "active": capacity}
    found = g.refused("ann", "move-gem", gem="opal", to="active")["ZAV-GEM-3"]
    assert (found.about, found.facts) == (("/to",), {"capacity": capacity, "active": capacity})


@rule("ZAV-GEM-4")
@refusal("ZAV-GEM-4")
def test_gems_move_free_of_charge_and_as_often_as_one_likes():
    g = solo(active={"opal": 2}, inactive={"sapphire": 1})
    for _ in range(5):
        g.play("ann", "move-gem", gem="opal", to="inactive").play("ann", "move-gem", gem="opal", to="active")
    g.play("ann", "move-gem", gem="sapphire", to="active")
    assert (g["ann"].active, g["ann"].dust) == ({"opal": 2, "sapphire": 1}, 0)
    found = g.refused("ann", "move-gem", gem="ruby", to="active")["ZAV-GEM-4"]
    assert (found.reason, found.about) == ("broken-rule", ("/gem", "/to"))
    assert found.facts == {"gem": "ruby", "place": "inactive"}


@rule("ZAV-GEM-4", "ZAV-GEM-6", "ZAV-ACT-1")
@refusal("ZAV-GEM-4", "ZAV-GEM-6", "ZAV-ACT-1")
def test_out_of_turn_gems_are_neither_moved_nor_sold():
    g = game({"ann": {}, "bob": {"active": {"opal": 2}}})
    found = g.refused("bob", "move-gem", gem="opal", to="inactive")
    assert {r: (v.reason, v.about) for r, v in found.items()} == {
        "ZAV-ACT-1": ("not-your-decision", ("/actor",)),
        "ZAV-GEM-4": ("broken-rule", ("/actor",)),
    }
    assert found["ZAV-GEM-4"].facts == {"active": "ann"}
    found = g.refused("bob", "sell-gems", gems={"active": {"opal": 1}})
    assert found.keys() == {"ZAV-ACT-1", "ZAV-GEM-6"}


@rule("ZAV-GEM-5", "ZAV-GEM-8")
def test_a_sale_pays_the_sum_out_once():
    g = solo(tracks={"gems": 1}, active={"emerald": 1, "diamond": 1}, inactive={"ruby": 2, "opal": 1})
    g.play("ann", "sell-gems", gems={"active": {"emerald": 1}, "inactive": {"ruby": 2, "opal": 1}})
    assert g["ann"].dust == 13 + 2 * 27 + 4
    assert g.because() == ["ZAV-GEM-5"] * 3
    assert (g["ann"].active, g["ann"].inactive) == ({"diamond": 1}, {})


@rule("ZAV-GEM-5")
@refusal("ZAV-GEM-5")
def test_only_own_gems_are_sold():
    g = solo(active={"opal": 1})
    found = g.refused("ann", "sell-gems", gems={"active": {"opal": 2}})["ZAV-GEM-5"]
    assert (found.reason, found.about) == ("unknown-value", ("/gems/active/opal",))
    assert found.facts == {"gem": "opal", "place": "active", "owned": 1}
    for nothing in ({}, {"active": {}}):
        assert "ZAV-GEM-5" in g.refused("ann", "sell-gems", gems=nothing)


@rule("ZAV-GEM-6")
def test_gems_sold_in_a_payment_count_in_full():
    g = solo(tracks={"gems": 3}, active={"opal": 3}, dust=2)
    g.play("ann", "buy-gem", gem="opal", place="active", payment={"gems": {"active": {"opal": 2}}})
    assert (g["ann"].dust, g["ann"].active) == (0, {"opal": 2})  # 7 = 3 + 3, and 1 of 2 dust
    assert g.moved("ZAV-GEM-6")[0]["target"] == ["supply"]


@rule("ZAV-GEM-7")
@refusal("ZAV-GEM-7")
@pytest.mark.parametrize(("active", "inactive"), [(5, 0), (2, 3), (0, 5)])
def test_a_sixth_ruby(active, inactive):
    held = {"active": {"ruby": active} if active else {}, "inactive": {"ruby": inactive} if inactive else {}}
    g = solo(**RICH, tracks={"fire": 4}, artifacts={"chalice-of-fire": 1}, **held)
    found = no_buy(g, "ruby")["ZAV-GEM-7"]
    assert (found.reason, found.about) == ("broken-rule", ("/gem", "/payment"))
    assert found.facts == {"gem": "ruby", "rubies": 5}


@rule("ZAV-GEM-7", "ZAV-ART-CHALICE-2")
def test_a_chalice_does_not_count_for_the_five_rubies():
    g = solo(**RICH, tracks={"fire": 4}, artifacts={"chalice-of-fire": 1}, active={"ruby": 4})
    assert buy(g, "ruby", "active")["ann"].active == {"ruby": 5}


@rule("ZAV-GEM-8")
def test_a_gem_may_be_bought_and_sold_again_in_one_turn_without_the_right():
    g = buy(solo(**RICH), "opal")
    g.play("ann", "sell-gems", gems={"inactive": {"opal": 1}})
    assert g["ann"].dust == 495
    g = solo(inactive={"emerald": 1, "diamond": 1, "ruby": 1})
    g.play("ann", "sell-gems", gems={"inactive": {"emerald": 1, "diamond": 1, "ruby": 1}})
    assert g["ann"].dust == 15 + 20 + 30


@rule("ZAV-GEM-9")
def test_no_gem_moves_up_by_itself():
    g = solo(active={"opal": 5}, inactive={"ruby": 1})
    g.play("ann", "sell-gems", gems={"active": {"opal": 2}})
    assert (g["ann"].active, g["ann"].inactive) == ({"opal": 3}, {"ruby": 1})


@rule("ZAV-KNOW-FIRE-3", "ZAV-R-13", "ZAV-KNOW-FIRE-2")
@refusal("ZAV-KNOW-FIRE-3", "ZAV-KNOW-FIRE-1")
def test_the_druids_one_ruby_at_stage_3():
    druid = {**RICH, "character": "druid"}
    assert no_buy(solo(**druid, tracks={"fire": 2}), "ruby").keys() == {"ZAV-KNOW-FIRE-1"}
    g = buy(solo(**druid, tracks={"fire": 3}), "ruby")
    assert g["ann"].early_rubies == 1
    assert "ZAV-KNOW-FIRE-3" in g.because("set")
    g.play("ann", "sell-gems", gems={"inactive": {"ruby": 1}})
    found = no_buy(g, "ruby")
    assert found.keys() == {"ZAV-KNOW-FIRE-1", "ZAV-KNOW-FIRE-3"}
    assert found["ZAV-KNOW-FIRE-3"].about == ("/gem",)
    assert no_buy(solo(**RICH, tracks={"fire": 3}), "ruby").keys() == {"ZAV-KNOW-FIRE-1"}


@rule("ZAV-KNOW-FIRE-3")
def test_from_stage_4_on_the_druid_has_the_ordinary_limit():
    held = {"character": "druid", "tracks": {"fire": 4}, "early_rubies": 1, "active": {"ruby": 1}}
    g = solo(**RICH, **held)
    for _ in range(4):
        buy(g, "ruby")
    assert g["ann"].early_rubies == 1
    assert "ZAV-GEM-7" in no_buy(g, "ruby")


@rule("ZAV-KNOW-FIRE-3")
def test_the_waiver_is_explained():
    from service.engine.judge import judge
    from tests.games.zavandor.table import RULES, lowest

    g = solo(**RICH, character="druid", tracks={"fire": 3})
    act = {"kind": "buy-gem", "actor": "ann", "gem": "ruby", "place": "active", "payment": {}}
    checks = judge(RULES, g.state, act, lowest, explain=True).checks
    assert [c.waived_by for c in checks if c.rule == "ZAV-KNOW-FIRE-1"] == ["ZAV-KNOW-FIRE-3"]
