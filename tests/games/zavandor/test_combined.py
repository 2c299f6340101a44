"""Combined purchases: one price, one payment, all or nothing."""

import pytest

from tests.games.zavandor.table import game, schema_faults

rule, refusal = pytest.mark.rule, pytest.mark.refusal

OPAL = {"kind": "buy-gem", "gem": "opal", "place": "active"}


def gem(kind, place="active"):
    return {"kind": "buy-gem", "gem": kind, "place": place}


def token(price):
    return {"kind": "buy-token", "token": price}


def advance(track):
    return {"kind": "advance", "track": track}


def solo(**held):
    return game({"ann": {"character": "kobold", **held}, "bob": {"character": "mage"}})


def combine(g, *parts, **payment):
    return g.play("ann", "combine", parts=list(parts), payment=payment)


def no_combine(g, *parts, **payment):
    return g.refused("ann", "combine", parts=list(parts), payment=payment)


@rule("ZAV-PAY-6")
def test_gems_tokens_and_an_advancement_in_one_price():
    g = solo(concentrated={"blue": 3}, dust=5)
    combine(
        g, token(20), advance("fire"), gem("sapphire"), gem("sapphire", "inactive"), concentrated={"blue": 3}
    )
    p = g["ann"]
    assert (p.dust, p.tracks["fire"], p.bought) == (0, 1, 0)
    assert (p.active, p.inactive) == ({"sapphire": 1}, {"sapphire": 1})
    assert g.because()[:3] == ["ZAV-PAY-3", "ZAV-PAY-3", "ZAV-KNOW-3"]


@rule("ZAV-PAY-6")
@refusal("ZAV-KNOW-4")
def test_parts_are_checked_in_their_order():
    g = solo(dust=100)
    found = no_combine(g, advance("fire"), token(20))["ZAV-KNOW-4"]
    assert found.about == ("/parts/0/track",)
    combine(g, token(20), advance("fire"))
    assert g["ann"].tracks["fire"] == 1


@rule("ZAV-PAY-6", "ZAV-KNOW-2")
@refusal("ZAV-KNOW-2", "ZAV-KNOW-3")
def test_if_one_part_is_refused_nothing_happens():
    g = solo(dust=100, tracks={"gems": 1})
    found = no_combine(g, OPAL, advance("gems"), advance("accumulation"))
    assert {r: v.about for r, v in found.items()} == {"ZAV-KNOW-2": ("/parts/2/kind",)}
    found = no_combine(g, token(25), token(25))
    assert {r: v.about for r, v in found.items()} == {"ZAV-KNOW-3": ("/parts/1/token",)}


@rule("ZAV-PAY-6", "ZAV-PAY-7")
@refusal("ZAV-PAY-6")
def test_only_purchases_are_combined_and_at_least_two():
    g = solo(dust=100)
    for parts in (
        [],
        [OPAL],
        [OPAL, {"kind": "start-auction", "card": "owl", "bid": 120}],
        [OPAL, {"kind": "pay"}],
    ):
        found = no_combine(g, *parts)["ZAV-PAY-6"]
        if len(parts) < 2:
            assert (found.reason, found.facts) == ("broken-rule", {"chosen": len(parts), "least": 2})
        else:
            assert found.reason == "unknown-value"
    wire = {"kind": "combine", "actor": "ann", "payment": {}, "parts": [OPAL, {"kind": "pay", "payment": {}}]}
    assert schema_faults(wire).keys() == {"parts"}


@rule("ZAV-PAY-6", "ZAV-R-9")
def test_gems_sold_in_the_payment_are_valued_before_the_first_part():
    g = solo(tracks={"gems": 1}, active={"sapphire": 1}, energy={"blue-5": 1, "blue-6": 1})
    combine(
        g,
        advance("gems"),
        gem("sapphire"),
        cards={"blue-5": 1, "blue-6": 1},
        gems={"active": {"sapphire": 1}},
    )
    assert (g["ann"].dust, g["ann"].active) == (0, {"sapphire": 1})  # 4 + 16 = 5 + 6 + 9


@rule("ZAV-PAY-6", "ZAV-KNOW-2")
@refusal("ZAV-KNOW-2")
def test_an_advancement_in_a_combined_purchase_is_the_one_of_the_round():
    g = solo(dust=100, tracks={"gems": 1})
    combine(g, advance("gems"), OPAL)
    assert "ZAV-KNOW-2" in g.refused("ann", "advance", track="gems", payment={})
    assert "ZAV-KNOW-2" in no_combine(g, OPAL, advance("gems"))
    combine(g, OPAL, OPAL)


@rule("ZAV-PAY-10")
@refusal("ZAV-GEM-3")
def test_places_are_counted_part_by_part():
    g = solo(dust=100, active={"opal": 4}, tracks={"accumulation": 1})
    found = no_combine(g, OPAL, OPAL, advance("accumulation"))["ZAV-GEM-3"]
    assert (found.about, found.facts) == (("/payment",), {"capacity": 5, "active": 4})
    combine(g, OPAL, advance("accumulation"), OPAL)
    assert g["ann"].active == {"opal": 6}


@rule("ZAV-PAY-10")
def test_gems_sold_make_room_for_several():
    g = solo(dust=22, active={"opal": 5})
    assert no_combine(g, OPAL, gem("opal"), gems={"active": {"opal": 1}}).keys() == {"ZAV-GEM-3"}
    combine(g, OPAL, OPAL, gems={"active": {"opal": 2}})
    assert (g["ann"].active, g["ann"].dust) == ({"opal": 5}, 12)


@rule("ZAV-PAY-10")
@refusal("ZAV-GEM-7", "ZAV-COMP-3")
def test_supply_and_ruby_limit_count_all_parts():
    g = solo(dust=500, inactive={"ruby": 4, "opal": 27}, tracks={"fire": 4})
    ruby = gem("ruby", "inactive")
    found = no_combine(g, ruby, ruby)
    assert {r: v.facts for r, v in found.items()} == {"ZAV-GEM-7": {"gem": "ruby", "rubies": 4}}
    found = no_combine(g, OPAL, OPAL)
    assert {r: v.facts for r, v in found.items()} == {"ZAV-COMP-3": {"gem": "opal", "supply": 1}}
    combine(g, ruby, OPAL)


@rule("ZAV-PAY-10")
@refusal("ZAV-GEM-3")
def test_the_option_that_frees_nothing_holds_for_combined_purchases_too():
    option = {"gem_sold_in_payment_frees_its_place": False}
    g = game({"ann": {"dust": 50, "active": {"opal": 5}}, "bob": {}}, options=option)
    payment = {"gems": {"active": {"opal": 2}}}
    assert g.refused("ann", "combine", parts=[OPAL, OPAL], payment=payment).keys() == {"ZAV-GEM-3"}


@rule("ZAV-PAY-6", "ZAV-KNOW-FIRE-3")
@refusal("ZAV-KNOW-FIRE-3")
def test_the_druids_early_ruby_counts_within_a_combined_purchase():
    g = game({"ann": {"character": "druid", "dust": 200, "tracks": {"fire": 3}}, "bob": {}})
    found = no_combine(g, gem("ruby"), gem("ruby"))["ZAV-KNOW-FIRE-3"]
    assert found.about == ("/parts/1/gem",)
    combine(g, gem("ruby"), advance("fire"), gem("ruby"))
    assert (g["ann"].active, g["ann"].early_rubies) == ({"ruby": 2}, 1)


@rule("ZAV-PAY-6", "ZAV-KNOW-SAGES-1")
def test_what_the_nine_sages_give_pays_for_nothing_in_the_same_purchase():
    g = solo(dust=13, bought=1)
    combine(g, advance("sages"), OPAL)
    assert (g["ann"].dust, g["ann"].waiting, g["ann"].active) == (0, {"blue-3": 2}, {"opal": 1})


@rule("ZAV-PAY-4", "ZAV-PAY-3")
@refusal("ZAV-PAY-4", "ZAV-PAY-3")
def test_the_payment_is_one_for_all():
    g = solo(energy={"white-10": 2, "blue-3": 1})
    cards = {"white-10": 2, "blue-3": 1}
    found = no_combine(g, OPAL, OPAL, cards=cards)["ZAV-PAY-4"]
    assert found.facts == {"price": 20, "value": 23, "superfluous": ["blue-3"]}
    found = no_combine(g, OPAL, OPAL, cards={"white-10": 1})["ZAV-PAY-3"]
    assert found.facts == {"price": 20, "offered": 10, "dust": 0}
    combine(g, OPAL, OPAL, cards={"white-10": 2})


@rule("ZAV-PAY-6", "ZAV-ACT-1")
@refusal("ZAV-ACT-1")
def test_only_in_ones_own_turn():
    g = solo(dust=100)
    found = g.refused("bob", "combine", parts=[OPAL, OPAL], payment={})
    assert found["ZAV-ACT-1"].reason == "not-your-decision"


@rule("ZAV-PAY-6")
def test_an_example_is_offered_and_legal():
    (option,) = solo(dust=30).options("ann", "combine")
    solo(dust=30).play("ann", "combine", parts=option["parts"], payment=option["payment"])
    assert solo(dust=0).options("ann", "combine") == []
