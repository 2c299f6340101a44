"""The thirty-six illegal attempts: each breaks the clause that forbids it, or the wire cannot say it at all."""

import pytest

from tests.games.zavandor.table import RULES, at_hand_limit, game, schema_faults

rule, refusal = pytest.mark.rule, pytest.mark.refusal

BROKEN, STRANGER, UNKNOWN = "broken-rule", "not-your-decision", "unknown-value"
RICH = {"dust": 200, "concentrated": {"blue": 27}}
OPAL = {"kind": "buy-gem", "gem": "opal", "place": "active"}

UNSPEAKABLE = {  # what the wire has no action or value for, by attempt
    12: "no action exchanges cards for concentrated energy, and income asks nobody",
    13: "no action exchanges cards for dust",
    17: "an advance names a track alone: where a marker stands, it moves",
    18: "an advance names no stage, so none can be skipped",
    34: "a sale takes gems alone, and no card is one",
}


def solo(**held):
    return game({"ann": held, "bob": {}})


def buy(g, gem, place="inactive", actor="ann", payment=None):
    return g.refused(actor, "buy-gem", gem=gem, place=place, payment=payment or {})


def says(found, clause, reason, *about, **facts):
    """The refusal names the clause, with its reason, what it is about, and (at least) these facts."""
    violation = found[clause]
    assert (violation.reason, violation.about) == (reason, about)
    assert facts.items() <= violation.facts.items()


@refusal("ZAV-ACT-1")
def test_attempt_1_acting_in_anothers_turn():
    g = game({"ann": {}, "bob": RICH})
    says(buy(g, "opal", actor="bob"), "ZAV-ACT-1", STRANGER, "/actor", actor="bob", asked=["ann"])
    says(g.refused("bob", "end-turn"), "ZAV-ACT-1", STRANGER, "/actor")


@refusal("ZAV-GEM-1", "ZAV-ART-CRYSTAL-2")
def test_attempt_2_an_emerald_without_a_spellbook():
    found = buy(solo(**RICH, artifacts={"crystal-of-protection": 1}), "emerald")
    says(found, "ZAV-GEM-1", BROKEN, "/gem", gem="emerald", needs="spellbook")
    says(found, "ZAV-ART-CRYSTAL-2", BROKEN, "/gem", gem="emerald")


@refusal("ZAV-GEM-1")
def test_attempt_3_a_diamond_without_an_elixir():
    says(buy(solo(**RICH), "diamond"), "ZAV-GEM-1", BROKEN, "/gem", gem="diamond", needs="elixir")


@refusal("ZAV-KNOW-FIRE-1", "ZAV-ART-CHALICE-2")
def test_attempt_4_a_ruby_below_fire_4_or_with_a_chalice_alone():
    says(
        buy(solo(**RICH, tracks={"fire": 3}), "ruby"), "ZAV-KNOW-FIRE-1", BROKEN, "/gem", gem="ruby", stage=3
    )
    found = buy(solo(**RICH, artifacts={"chalice-of-fire": 1}), "ruby")
    says(found, "ZAV-KNOW-FIRE-1", BROKEN, "/gem", gem="ruby", stage=0)
    says(found, "ZAV-ART-CHALICE-2", BROKEN, "/gem", gem="ruby")


@refusal("ZAV-KNOW-FIRE-3")
def test_attempt_5_the_druids_second_early_ruby():
    g = solo(**RICH, character="druid", tracks={"fire": 3}, early_rubies=1)
    says(buy(g, "ruby"), "ZAV-KNOW-FIRE-3", BROKEN, "/gem", gem="ruby")


@refusal("ZAV-GEM-7")
def test_attempt_6_a_sixth_ruby():
    g = solo(**RICH, tracks={"fire": 4}, active={"ruby": 2}, inactive={"ruby": 3})
    says(buy(g, "ruby"), "ZAV-GEM-7", BROKEN, "/gem", "/payment", rubies=5)


@refusal("ZAV-GEM-3")
def test_attempt_7_a_gem_to_a_full_spiral():
    g = solo(**RICH, active={"opal": 5}, inactive={"opal": 1})
    says(buy(g, "opal", "active"), "ZAV-GEM-3", BROKEN, "/place", "/payment", capacity=5, active=5)
    found = g.refused("ann", "move-gem", gem="opal", to="active")
    says(found, "ZAV-GEM-3", BROKEN, "/to", capacity=5, active=5)


@refusal("ZAV-COMP-3")
def test_attempt_8_a_gem_that_is_not_in_the_supply():
    g = game({"ann": RICH, "bob": {"inactive": {"sapphire": 28}}})
    says(buy(g, "sapphire"), "ZAV-COMP-3", BROKEN, "/gem", "/payment", gem="sapphire", supply=0)


@refusal("ZAV-GEM-4", "ZAV-GEM-6")
def test_attempt_9_moving_or_selling_gems_out_of_turn():
    g = game({"ann": RICH, "bob": {"active": {"opal": 1}}})
    move, sell = (
        ("move-gem", {"gem": "opal", "to": "inactive"}),
        ("sell-gems", {"gems": {"active": {"opal": 1}}}),
    )
    says(g.refused("bob", move[0], **move[1]), "ZAV-GEM-4", BROKEN, "/actor", active="ann")
    says(g.refused("bob", sell[0], **sell[1]), "ZAV-GEM-6", BROKEN, "/actor", active="ann")
    g.play("ann", "start-auction", card="owl", bid=120)
    says(g.refused("bob", move[0], **move[1]), "ZAV-GEM-4", BROKEN, "/kind")
    says(g.refused("bob", sell[0], **sell[1]), "ZAV-GEM-6", BROKEN, "/kind")


@refusal("ZAV-PAY-3")
def test_attempt_10_a_payment_below_the_price():
    found = buy(solo(energy={"blue-5": 1}, dust=4), "opal", payment={"cards": {"blue-5": 1}})
    says(found, "ZAV-PAY-3", BROKEN, "/payment", price=10, offered=5, dust=4)


@refusal("ZAV-PAY-4")
def test_attempt_11_a_payment_with_a_superfluous_item():
    g = solo(energy={"red-13": 1, "blue-3": 1}, active={"opal": 1})
    found = buy(g, "opal", payment={"cards": {"red-13": 1, "blue-3": 1}, "gems": {"active": {"opal": 1}}})
    says(found, "ZAV-PAY-4", BROKEN, "/payment", price=10, value=21, superfluous=["blue-3", "opal"])


@rule("ZAV-INCOME-5", "ZAV-INCOME-6", "ZAV-PAY-5", "ZAV-KNOW-5", "ZAV-ART-CRYSTAL-2", "ZAV-ART-CHALICE-2")
@refusal("ZAV-INCOME-5", "ZAV-INCOME-6", "ZAV-PAY-5", "ZAV-KNOW-5", by="schema")
@refusal("ZAV-ART-CRYSTAL-2", "ZAV-ART-CHALICE-2", by="schema")
@pytest.mark.parametrize("attempt", UNSPEAKABLE)
def test_attempts_that_the_wire_cannot_say(attempt):
    kinds = set(RULES.kinds)
    fields = {kind: set(cls.params) for kind, classes in RULES.kinds.items() for cls in classes}
    if attempt in (12, 13):
        assert not {k for k in kinds if "exchange" in k or "swap" in k or "concentrate" in k}
        assert schema_faults({"kind": "exchange", "actor": "ann", "cards": {"blue-3": 4}}).keys() == {"kind"}
        g = game({"ann": {"active": {"ruby": 4}}, "bob": {}}, order=())
        assert (g.kinds[-1], g["ann"].concentrated) == ("end-turn", {"red": 1})
    elif attempt in (17, 18):
        assert fields["advance"] == {"track", "payment"}
        assert fields["advance-free"] == {"track"}
        for more in ({"token": 20}, {"stage": 3}):
            wire = {"kind": "advance", "actor": "ann", "track": "gems", "payment": {}, **more}
            assert schema_faults(wire).keys() == set(more)
    else:
        for card in ("crystal-of-protection", "chalice-of-fire", "owl"):
            wire = {"kind": "sell-gems", "actor": "ann", "gems": {"active": {card: 1}}}
            assert schema_faults(wire).keys() == {"gems"}
            wire = {"kind": "buy-gem", "actor": "ann", "gem": "opal", "place": "active"}
            assert schema_faults({**wire, "payment": {"gems": {"active": {card: 1}}}}).keys() == {"payment"}


@refusal("ZAV-PAY-7")
def test_attempt_14_an_auction_price_combined_with_a_purchase():
    g = game({"ann": RICH, "bob": {}}).play("ann", "start-auction", card="owl", bid=120).play("bob", "pass")
    found = g.refused("ann", "combine", parts=[OPAL, OPAL], payment={})
    says(found, "ZAV-PAY-7", BROKEN, "/kind")
    wire = {"kind": "combine", "actor": "ann", "payment": {}, "parts": [OPAL, {"kind": "pay", "payment": {}}]}
    assert schema_faults(wire).keys() == {"parts"}


@refusal("ZAV-KNOW-2")
def test_attempt_15_a_second_paid_advancement():
    g = solo(**RICH, tracks={"gems": 1, "fire": 1})
    parts = [{"kind": "advance", "track": "gems"}, {"kind": "advance", "track": "fire"}]
    says(g.refused("ann", "combine", parts=parts, payment={}), "ZAV-KNOW-2", BROKEN, "/parts/1/kind")
    g.play("ann", "advance", track="gems", payment={})
    says(g.refused("ann", "advance", track="gems", payment={}), "ZAV-KNOW-2", BROKEN, "/kind")


@refusal("ZAV-KNOW-4")
def test_attempt_16_entering_a_track_without_a_token():
    found = solo(**RICH).refused("ann", "advance", track="fire", payment={})
    says(found, "ZAV-KNOW-4", BROKEN, "/track", track="fire")


@refusal("ZAV-KNOW-6")
def test_attempt_18_beyond_stage_4():
    found = solo(**RICH, tracks={"fire": 4}).refused("ann", "advance", track="fire", payment={})
    says(found, "ZAV-KNOW-6", BROKEN, "/track", track="fire", stage=4)


@refusal("ZAV-KNOW-3")
def test_attempt_19_a_token_already_bought_or_at_another_price():
    g = solo(**RICH, bought=1)
    says(g.refused("ann", "buy-token", token=20, payment={}), "ZAV-KNOW-3", BROKEN, "/token", token=20)
    says(g.refused("ann", "buy-token", token=22, payment={}), "ZAV-KNOW-3", UNKNOWN, "/token")
    assert schema_faults({"kind": "buy-token", "actor": "ann", "token": 22, "payment": {}}).keys() == {
        "token"
    }


@refusal("ZAV-KNOW-SAGES-4")
def test_attempt_20_spending_what_the_nine_sages_have_just_given():
    g = game({"ann": {"character": "kobold", "dust": 5, "bought": 1}, "bob": {}})
    g.play("ann", "advance", track="sages", payment={})
    card = next(iter(g["ann"].waiting))
    found = buy(g, "opal", payment={"cards": {card: 2}})
    says(found, "ZAV-KNOW-SAGES-4", BROKEN, f"/payment/cards/{card}", card=card)


@refusal("ZAV-AUC-2")
def test_attempt_21_a_first_bid_below_the_minimum():
    g = solo(**RICH, artifacts={"mask-of-charisma": 1})
    says(
        g.refused("ann", "start-auction", card="owl", bid=100),
        "ZAV-AUC-2",
        BROKEN,
        "/bid",
        bid=100,
        least=120,
    )


@refusal("ZAV-AUC-3", "ZAV-AUC-4", "ZAV-AUC-5")
def test_attempt_22_bids_too_low_out_of_order_or_after_passing():
    g = game(dict.fromkeys(("ann", "bob", "cyd"), RICH)).play("ann", "start-auction", card="owl", bid=125)
    says(g.refused("bob", "bid", amount=125), "ZAV-AUC-3", BROKEN, "/amount", amount=125, highest=125)
    says(g.refused("cyd", "bid", amount=130), "ZAV-AUC-4", STRANGER, "/actor", asked=["bob"])
    g.play("bob", "pass").play("cyd", "bid", amount=126)
    says(g.refused("bob", "bid", amount=130), "ZAV-AUC-5", STRANGER, "/actor", actor="bob", asked=["ann"])
    says(g.refused("cyd", "pass"), "ZAV-AUC-4", STRANGER, "/actor")


@refusal("ZAV-AUC-1")
def test_attempt_23_an_auction_without_a_first_bid():
    says(solo(**RICH).refused("ann", "start-auction", card="owl"), "ZAV-AUC-1", UNKNOWN, "/bid")
    assert schema_faults({"kind": "start-auction", "actor": "ann", "card": "owl"}).keys() == {"bid"}


@refusal("ZAV-AUC-1", "ZAV-ACT-3")
def test_attempt_24_a_second_auction_or_anything_else_meanwhile():
    g = solo(**RICH).play("ann", "start-auction", card="owl", bid=120)
    found = g.refused("ann", "start-auction", card="fox", bid=120)
    says(found, "ZAV-AUC-1", BROKEN, "/kind")
    says(found, "ZAV-ACT-3", BROKEN, "/kind")
    g.play("bob", "pass")
    says(g.refused("ann", "start-auction", card="fox", bid=120), "ZAV-AUC-1", BROKEN, "/kind")
    says(buy(g, "opal"), "ZAV-ACT-3", BROKEN, "/kind")


@refusal("ZAV-AUC-1")
def test_attempt_25_a_card_that_is_not_on_offer():
    g = game({"ann": {**RICH, "sentinels": ["owl"]}, "bob": {}}, display=("spellbook", "runestone"))
    for card in ("talisman", "owl"):
        says(g.refused("ann", "start-auction", card=card, bid=200), "ZAV-AUC-1", BROKEN, "/card", card=card)


@refusal("ZAV-AUC-7")
def test_attempt_26_a_second_belt():
    belt = {**RICH, "artifacts": {"magic-belt": 1}}
    g = game({"ann": belt, "bob": {}, "cyd": RICH}, display=("magic-belt", "spellbook", "runestone"))
    found = g.refused("ann", "start-auction", card="magic-belt", bid=30)
    says(found, "ZAV-AUC-7", BROKEN, "/card", card="magic-belt")
    g.play("ann", "end-turn").play("bob", "start-auction", card="magic-belt", bid=30)
    says(g.refused("ann", "bid", amount=40), "ZAV-AUC-7", STRANGER, "/actor")


@refusal("ZAV-AUC-8")
def test_attempt_27_starting_mirror_or_cloak_without_an_active_gem():
    g = game({"ann": {**RICH, "inactive": {"opal": 1}}, "bob": {}}, display=("magic-mirror", "shadow-cloak"))
    for card in ("magic-mirror", "shadow-cloak"):
        says(g.refused("ann", "start-auction", card=card, bid=90), "ZAV-AUC-8", BROKEN, "/card", card=card)


@refusal("ZAV-CURSE-5")
def test_attempt_28_refusing_to_pay():
    g = solo(**RICH).play("ann", "start-auction", card="owl", bid=120).play("bob", "pass")
    for kind in ("pass", "decline", "end-turn"):
        says(g.refused("ann", kind), "ZAV-CURSE-5", BROKEN, "/kind")


@refusal("ZAV-KNOW-10")
def test_attempt_29_keeping_a_free_advance_for_later():
    for card in ("runestone", "mask-of-charisma", "talisman"):
        g = game({"ann": {"dust": 200}, "bob": {}}, display=(card, "elixir")).auction("ann", card, 100)
        says(g.refused("ann", "end-turn"), "ZAV-KNOW-10", BROKEN, "/kind")


@refusal("ZAV-ART-MIRROR-1", "ZAV-ART-MIRROR-2")
@pytest.mark.parametrize("card", ["magic-mirror", "shadow-cloak"])
def test_attempts_30_and_31_at_mirror_and_cloak(card):
    ann = {"dust": 200, "active": {"opal": 1}, "bought": 1}
    bob = {"active": {"opal": 1, "sapphire": 1}, "inactive": {"ruby": 1}}
    g = game({"ann": ann, "bob": bob}, display=(card, "elixir")).auction("ann", card, 90)
    says(g.refused("ann", "take-token", token=20), "ZAV-ART-MIRROR-1", BROKEN, "/token", token=20)
    g.play("ann", "take-token", token=25)
    says(g.refused("bob", "lose-gem", gem="ruby"), "ZAV-ART-MIRROR-2", BROKEN, "/gem", gem="ruby")


@refusal("ZAV-ART-TALISMAN-1")
def test_attempt_32_three_steps():
    g = game({"ann": {"dust": 200}, "bob": {}}, display=("talisman", "elixir")).auction(
        "ann", "talisman", 100
    )
    track = next(iter(g["ann"].tracks))
    found = g.refused("ann", "take-steps", tracks=[track] * 3)
    says(found, "ZAV-ART-TALISMAN-1", BROKEN, "/tracks", steps=3)


@refusal("ZAV-ART-ELIXIR-2")
def test_attempt_33_a_free_diamond_on_a_full_spiral():
    ann = {"dust": 200, "active": {"opal": 5}}
    g = game({"ann": ann, "bob": {}}, display=("elixir", "talisman")).auction("ann", "elixir", 60)
    found = g.refused("ann", "place-gem", place="active")
    says(found, "ZAV-ART-ELIXIR-2", BROKEN, "/place", capacity=5)


@refusal("ZAV-LIMIT-3", "ZAV-LIMIT-4")
def test_attempt_35_keeping_too_much_or_discarding_too_much():
    g = at_hand_limit({"ann": {"character": "druid", "energy": {"blue-5": 7}}, "bob": {}})
    found = g.refused("ann", "discard", keep={"cards": {"blue-5": 6}})
    says(found, "ZAV-LIMIT-3", BROKEN, "/keep", limit=5, weight=6)
    found = g.refused("ann", "discard", keep={"cards": {"blue-5": 4}})
    says(found, "ZAV-LIMIT-4", BROKEN, "/keep", limit=5, weight=4, fits="blue-5")


@refusal("ZAV-PAY-2")
def test_attempt_36_keeping_an_amount_of_1_or_3():
    g = at_hand_limit({"ann": {"dust": 50}, "bob": {}})
    for dust in (1, 3):
        says(g.refused("ann", "discard", keep={"dust": dust}), "ZAV-PAY-2", BROKEN, "/keep/dust", dust=dust)


def test_every_attempt_has_its_test():
    named = {
        int(n)
        for name in globals()
        for n in name.split("_")
        if name.startswith("test_attempt") and n.isdigit()
    }
    assert named | set(UNSPEAKABLE) == set(range(1, 37))
