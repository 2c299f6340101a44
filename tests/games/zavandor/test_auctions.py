"""Auctions: starting, bidding, the net price, paying."""

import pytest

from tests.games.zavandor.table import PRINTED, SEATS, SENTINELS, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal

RICH = {"concentrated": {"red": 9}}


def price_of(g, winner, card, bid):
    """The net price of a card won for this bid."""
    return g.auction(winner, card, bid, pay=False).event("auction-won")["price"]


def six(**held):
    """Six rich seats in the order of their names; by default the leader has 10 points."""
    seats = {s: {**RICH, "character": c} for s, c in zip(SEATS, PRINTED.characters, strict=True)}
    seats["ann"]["vp"] = 10
    for seat, more in held.items():
        seats[seat] = {**seats[seat], **more}
    return seats


# -- worked examples


@rule("ZAV-AUC-9", "ZAV-AUC-10", "ZAV-AUC-11", "ZAV-ART-BALL-2")
def test_example_18_an_elixir_for_the_leader():
    ann = {"vp": 12, "tracks": {"artifacts": 2}, "artifacts": {"crystal-ball": 2}, **RICH}
    g = game({"ann": ann, "bob": {}, "cyd": {}}, display=("elixir", "spellbook", "runestone"))
    assert price_of(g, "ann", "elixir", 64) == 64 + 10 - 5 - 10 == 59


@rule("ZAV-AUC-9", "ZAV-AUC-11", "ZAV-ART-MASK-2")
def test_example_19_a_sentinel_for_position_2():
    bob = {"vp": 11, "tracks": {"artifacts": 4}, "artifacts": {"mask-of-charisma": 2}, **RICH}
    g = game({"ann": {**RICH, "vp": 11}, "bob": bob, "cyd": {}})
    assert price_of(g, "bob", "owl", 125) == 125 + 10 - 20 - 40 == 75


@rule("ZAV-AUC-11", "ZAV-R-16")
@pytest.mark.parametrize(
    ("seat", "card", "bid", "price"),
    [("fay", "owl", 120, 100), ("eve", "owl", 120, 110), ("eve", "talisman", 100, 95)],
)
def test_example_20_positions_5_and_6(seat, card, bid, price):
    seats = {s: held for s, held in six().items() if s <= seat}
    g = game(seats, display=("talisman", "spellbook", "runestone") if card == "talisman" else None)
    g.end_turns(until=seat)
    assert price_of(g, seat, card, bid) == price


@rule("ZAV-AUC-12", "ZAV-R-23")
def test_example_21_points_of_this_round_do_not_count():
    ann = {"vp": 9, "active": {"ruby": 4}, "dust": 300}
    g = game({"ann": ann, "bob": {}}, display=("magic-mirror", "spellbook"))
    assert price_of(g, "ann", "magic-mirror", 40) == 40


@rule("ZAV-AUC-9", "ZAV-ART-SPELLBOOK-2", "ZAV-AUC-2")
@refusal("ZAV-AUC-2")
def test_example_22_three_spellbooks_and_a_cloak():
    cyd = {
        "tracks": {"artifacts": 3},
        "artifacts": {"spellbook": 3},
        "active": {"opal": 1},
        "character": "mage",
    }
    seats = {s: {**RICH} for s in SEATS[:5]}
    seats["cyd"] |= cyd
    g = game(seats, display=("shadow-cloak", "runestone", "elixir", "runestone", "elixir"))
    g.end_turns(until="cyd")
    found = g.refused("cyd", "start-auction", card="shadow-cloak", bid=79)["ZAV-AUC-2"]
    assert (found.reason, found.about) == ("broken-rule", ("/bid",))
    assert found.facts == {"bid": 79, "least": 80}
    assert price_of(g, "cyd", "shadow-cloak", 80) == 80 - 45 - 5 == 30


# -- starting


@rule("ZAV-AUC-1", "ZAV-DEC-1")
@refusal("ZAV-AUC-1")
def test_only_what_is_on_offer():
    g = game({"ann": {**RICH, "sentinels": ["owl"]}, "bob": {}}, display=("spellbook", "runestone"))
    for card in ("owl", "elixir"):
        found = g.refused("ann", "start-auction", card=card, bid=200)["ZAV-AUC-1"]
        assert (found.reason, found.about, found.facts) == ("broken-rule", ("/card",), {"card": card})
    offered = {o["card"]: o["bid"] for o in g.options("ann", "start-auction")}
    assert offered == {"spellbook": 20, "runestone": 20, **dict.fromkeys(set(SENTINELS) - {"owl"}, 120)}


@rule("ZAV-AUC-1")
@refusal("ZAV-AUC-1")
def test_no_auction_without_a_first_bid():
    found = game(2).refused("ann", "start-auction", card="owl")["ZAV-AUC-1"]
    assert (found.reason, found.about) == ("unknown-value", ("/bid",))


@rule("ZAV-AUC-1", "ZAV-AUC-16", "ZAV-ACT-2")
def test_any_number_of_auctions_one_after_another():
    g = game({"ann": {"concentrated": {"red": 20}}, "bob": {}}, display=("spellbook", "runestone"))
    g.auction("ann", "spellbook", 20, concentrated={"red": 1})
    g.auction("ann", "owl", 120, concentrated={"red": 2}).auction("ann", "fox", 120, concentrated={"red": 2})
    assert (g["ann"].artifacts, g["ann"].sentinels) == ({"spellbook": 1}, ["owl", "fox"])


@rule("ZAV-AUC-2")
@refusal("ZAV-AUC-2")
@pytest.mark.parametrize("card", [*PRINTED.artifacts, "phoenix"])
def test_the_printed_minimum(card):
    least = (PRINTED.artifacts.get(card) or PRINTED.sentinels[card]).least_bid
    shown = card if card in PRINTED.artifacts else "elixir"
    g = game(
        {"ann": {**RICH, "active": {"opal": 1}}, "bob": {}},
        display=(shown, "elixir" if shown != "elixir" else "talisman"),
    )
    found = g.refused("ann", "start-auction", card=card, bid=least - 1)["ZAV-AUC-2"]
    assert found.facts == {"bid": least - 1, "least": least}
    g.play("ann", "start-auction", card=card, bid=least)


@rule("ZAV-AUC-8", "ZAV-R-18")
@refusal("ZAV-AUC-8")
@pytest.mark.parametrize("card", ["magic-mirror", "shadow-cloak"])
def test_mirror_and_cloak_are_started_by_owners_of_an_active_gem(card):
    display = ("magic-mirror", "shadow-cloak")
    g = game({"ann": {**RICH, "inactive": {"opal": 3}}, "bob": RICH}, display=display)
    found = g.refused("ann", "start-auction", card=card, bid=90)["ZAV-AUC-8"]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/card",), {"card": card})
    g.play("ann", "move-gem", gem="opal", to="active").play("ann", "start-auction", card=card, bid=90)
    assert g["bob"].active == {}
    g.play("bob", "bid", amount=91)


# -- bidding


@rule("ZAV-AUC-3", "ZAV-DEC-2")
@refusal("ZAV-AUC-3")
def test_a_bid_beats_the_highest():
    g = game({"ann": RICH, "bob": RICH}).play("ann", "start-auction", card="owl", bid=125)
    for amount in (1, 124, 125):
        found = g.refused("bob", "bid", amount=amount)["ZAV-AUC-3"]
        assert (found.reason, found.about) == ("broken-rule", ("/amount",))
        assert found.facts == {"amount": amount, "highest": 125}
    for amount in (125.5, "130", -1, True, None):
        found = g.refused("bob", "bid", amount=amount)["ZAV-AUC-3"]
        assert (found.reason, found.about) == ("unknown-value", ("/amount",))
    g.play("bob", "bid", amount=126)
    assert g.event("bid") == {"kind": "bid", "because": "ZAV-AUC-3", "seat": "bob", "card": "owl", "bid": 126}


@rule("ZAV-AUC-4")
@refusal("ZAV-AUC-4")
def test_bidding_goes_round_in_position_order_also_past_finished_turns():
    g = game(dict.fromkeys(SEATS[:4], RICH), order=("bob", "dan", "ann", "cyd"))
    g.play("bob", "end-turn").play("dan", "end-turn")
    g.play("ann", "start-auction", card="owl", bid=120)
    found = g.refused("bob", "bid", amount=130)["ZAV-AUC-4"]
    assert (found.reason, found.about) == ("not-your-decision", ("/actor",))
    assert found.facts["asked"] == ["cyd"]
    asked = []
    for seat, amount in (
        ("cyd", 121),
        ("bob", 122),
        ("dan", None),
        ("ann", 123),
        ("cyd", None),
        ("bob", 124),
    ):
        asked += g.asked
        g.play(seat, "bid", amount=amount) if amount else g.play(seat, "pass")
    assert asked == ["cyd", "bob", "dan", "ann", "cyd", "bob"]
    assert g.asked == ("ann",)


@rule("ZAV-AUC-5", "ZAV-AUC-17", "ZAV-DEC-2")
@refusal("ZAV-AUC-5", "ZAV-ACT-3")
def test_a_pass_is_final_and_forgotten_when_the_auction_ends():
    g = game(dict.fromkeys(SEATS[:3], RICH)).play("ann", "start-auction", card="owl", bid=120)
    assert g.kinds == ("bid", "pass")
    assert "ZAV-ACT-3" in g.refused("bob", "end-turn")
    g.play("bob", "pass").play("cyd", "bid", amount=121)
    assert g.state.stack[-1].passed == ["bob"]
    found = g.refused("bob", "bid", amount=140)["ZAV-AUC-5"]
    assert (found.reason, found.about) == ("not-your-decision", ("/actor",))
    g.play("ann", "pass").play("cyd", "pay", payment={"concentrated": {"red": 3}})
    g.play("ann", "start-auction", card="fox", bid=120)
    assert g.asked == ("bob",)


@rule("ZAV-AUC-6", "ZAV-AUC-13", "ZAV-DEC-3")
def test_unopposed_the_active_player_gets_the_card_at_his_first_bid():
    g = game({"ann": {"dust": 22}, "bob": {}}, display=("crystal-ball", "runestone"))
    g.play("ann", "start-auction", card="crystal-ball", bid=22).play("bob", "pass")
    assert g.event("auction-won")["price"] == 22
    assert (g.asked, g.kinds) == (("ann",), ("pay",))
    g.play("ann", "pay", payment={})
    assert (g["ann"].artifacts, g["ann"].dust, g.board.display) == ({"crystal-ball": 1}, 0, {"runestone": 1})


@rule("ZAV-AUC-7", "ZAV-ART-BELT-2", "ZAV-ART-WAND-2")
@refusal("ZAV-AUC-7")
@pytest.mark.parametrize("card", ["magic-belt", "magic-wand"])
def test_nobody_gets_a_second_belt_or_wand(card):
    owner = {**RICH, "artifacts": {card: 1}}
    seats = {"ann": owner, "bob": RICH, "cyd": owner, "dan": RICH, "eve": RICH}
    g = game(seats, display=(card, "elixir", "elixir", "elixir", "runestone"))
    found = g.refused("ann", "start-auction", card=card, bid=90)["ZAV-AUC-7"]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/card",), {"card": card})
    g.play("ann", "end-turn").play("bob", "start-auction", card=card, bid=90)
    assert [e.facts["seat"] for e in g.events if e.because == "ZAV-AUC-7"] == ["ann", "cyd"]
    assert g.asked == ("dan",)
    for seat in ("ann", "cyd"):
        assert g.refused(seat, "bid", amount=100)["ZAV-AUC-7"].reason == "not-your-decision"
    g.play("dan", "pass").play("eve", "pass")
    g.play("bob", "pay", payment={"concentrated": {"red": 2}})
    assert g["bob"].artifacts == {card: 1}


@rule("ZAV-AUC-7")
def test_of_other_kinds_several_may_be_owned():
    g = game(
        {"ann": {**RICH, "artifacts": {"elixir": 1}}, "bob": {}, "cyd": {}},
        display=("elixir", "runestone", "runestone"),
    )
    g.play("ann", "start-auction", card="elixir", bid=60).play("bob", "pass").play("cyd", "pass")
    g.play("ann", "pay", payment={"concentrated": {"red": 1}}).play("ann", "place-gem", place="inactive")
    assert g["ann"].artifacts == {"elixir": 2}


# -- the net price


@rule("ZAV-AUC-11", "ZAV-R-16")
@pytest.mark.parametrize(
    ("position", "artifact", "sentinel"),
    [(1, 10, 20), (2, 5, 10), (3, 0, 0), (4, 0, 0), (5, -5, -10), (6, -10, -20)],
)
def test_modifiers_by_position(position, artifact, sentinel):
    seat = SEATS[position - 1]
    for card, bid, modifier in (("spellbook", 30, artifact), ("owl", 130, sentinel)):
        g = game(six(bob={"vp": 10}), display=("spellbook", "runestone", "crystal-ball") * 2)
        g.end_turns(until=seat)
        assert price_of(g, seat, card, bid) == bid + modifier


@rule("ZAV-AUC-11")
def test_position_2_counts_its_own_points_and_the_others_the_leaders():
    low = six(ann={"vp": 9})
    for seat in ("ann", "bob", "eve", "fay"):
        g = game(low).end_turns(until=seat)
        assert price_of(g, seat, "owl", 120) == 120
    high = six(ann={"vp": 17}, bob={"vp": 9})
    g = game(high).end_turns(until="bob")
    assert price_of(g, "bob", "owl", 120) == 120


@rule("ZAV-AUC-12", "ZAV-CURSE-6")
def test_the_highest_points_are_those_of_players_still_in_the_game():
    seats = {**dict.fromkeys(SEATS[:5], RICH), "bob": {"out": True, "vp": 30}}
    seats["ann"] = {**RICH, "vp": 9}
    g = game(seats, order=("bob", "ann", "cyd", "dan", "eve"))
    g.end_turns(until="eve")
    assert price_of(g, "eve", "owl", 120) == 120


@rule("ZAV-AUC-10", "ZAV-ART-RUNESTONE-2", "ZAV-ART-BALL-2", "ZAV-ART-MASK-2", "ZAV-ART-SPELLBOOK-2")
@pytest.mark.parametrize(
    ("owned", "card", "each"),
    [
        ("spellbook", "shadow-cloak", 15),
        ("runestone", "chalice-of-fire", 10),
        ("crystal-ball", "elixir", 5),
        ("mask-of-charisma", "owl", 20),
    ],
)
def test_every_copy_gives_its_discount(owned, card, each):
    shown = card if card in PRINTED.artifacts else "talisman"
    for copies in (1, 2, 3):
        seats = {s: {} for s in SEATS[:5]}
        seats["ann"] = {**RICH, "artifacts": {owned: copies}, "active": {"opal": 1}}
        g = game(seats, display=(shown, "talisman", "magic-belt", "magic-belt", "magic-wand"))
        bid = (PRINTED.artifacts.get(card) or PRINTED.sentinels[card]).least_bid
        assert price_of(g, "ann", card, bid) == bid - copies * each


@rule("ZAV-AUC-9")
def test_the_card_won_gives_no_discount_on_itself():
    seats = {"ann": RICH, "bob": {}}
    g = game(seats, display=("mask-of-charisma", "runestone"))
    g.play("ann", "start-auction", card="mask-of-charisma", bid=60).play("bob", "pass")
    assert g.event("auction-won")["price"] == 60
    g.play("ann", "pay", payment={"concentrated": {"red": 1}}).play("ann", "decline")
    assert price_of(g, "ann", "owl", 120) == 100


# -- paying


@rule("ZAV-AUC-13", "ZAV-GEM-6")
@refusal("ZAV-AUC-13")
def test_the_winner_pays_at_once_and_may_sell_gems_out_of_turn():
    bob = {"dust": 10, "active": {"sapphire": 1}, "inactive": {"opal": 1}}
    g = game({"ann": {}, "bob": bob}, display=("crystal-ball", "runestone"))
    g.play("ann", "start-auction", card="crystal-ball", bid=20)
    g.play("bob", "bid", amount=25).play("ann", "pass")
    assert g.asked == ("bob",)
    assert g.refused("ann", "pay", payment={})["ZAV-AUC-13"].reason == "not-your-decision"
    g.play("bob", "pay", payment={"gems": {"active": {"sapphire": 1}, "inactive": {"opal": 1}}})
    assert (g["bob"].dust, g["bob"].artifacts, g.asked) == (0, {"crystal-ball": 1}, ("ann",))
    assert g.because("moved") == ["ZAV-GEM-6", "ZAV-GEM-6", "ZAV-PAY-3", "ZAV-AUC-13"]


@rule("ZAV-AUC-13")
def test_a_sentinel_goes_to_the_winner():
    g = game({"ann": RICH, "bob": {}})
    g.play("ann", "start-auction", card="toad", bid=120).play("bob", "pass")
    g.play("ann", "pay", payment={"concentrated": {"red": 2}})
    assert g["ann"].sentinels == ["toad"]
    assert "toad" not in g.board.sentinels


@rule("ZAV-AUC-14")
@refusal("ZAV-AUC-14")
def test_effects_come_before_anything_else_and_then_the_active_player_goes_on():
    g = game({"ann": {}, "bob": {"dust": 100}}, display=("elixir", "runestone"))
    g.auction("bob", "elixir", 61)
    assert (g.asked, g.kinds) == (("bob",), ("place-gem",))
    for actor, kind in (("ann", "end-turn"), ("ann", "start-auction"), ("bob", "end-turn")):
        found = (
            g.refused(actor, kind, card="owl", bid=120) if kind == "start-auction" else g.refused(actor, kind)
        )
        assert "ZAV-AUC-14" in found
    g.play("bob", "place-gem", place="active")
    assert (g.asked, "end-turn" in g.kinds) == (("ann",), True)


@rule("ZAV-AUC-14", "ZAV-ART-SPELLBOOK-1")
def test_a_new_card_works_in_the_same_turn():
    g = game({"ann": {"dust": 60}, "bob": {}}, display=("spellbook", "runestone")).auction(
        "ann", "spellbook", 20
    )
    g.play("ann", "buy-gem", gem="emerald", place="active", payment={})
    assert g["ann"].active == {"emerald": 1}


@rule("ZAV-AUC-15")
def test_a_sold_artifact_is_not_replaced_in_the_same_round():
    g = game({"ann": {"dust": 60}, "bob": {}}, display=("spellbook", "runestone")).auction(
        "ann", "spellbook", 20
    )
    g.play("ann", "end-turn")
    assert g.board.display == {"runestone": 1}


@rule("ZAV-PAY-7", "ZAV-CURSE-5", "ZAV-ACT-3", "ZAV-R-10")
@refusal("ZAV-PAY-7", "ZAV-CURSE-5")
def test_the_price_of_an_auction_is_paid_alone():
    g = game({"ann": {"dust": 100}, "bob": {}}, display=("spellbook", "runestone"))
    g.play("ann", "start-auction", card="spellbook", bid=20).play("bob", "pass")
    opal = {"kind": "buy-gem", "gem": "opal", "place": "active"}
    found = g.refused("ann", "combine", parts=[opal, opal], payment={})
    assert {r: v.about for r, v in found.items()} == {"ZAV-CURSE-5": ("/kind",), "ZAV-PAY-7": ("/kind",)}


@rule("ZAV-INFO-4", "ZAV-CURSE-1")
def test_a_bid_beyond_ones_means_is_legal_and_privately_warned_of():
    g = game({"ann": {"dust": 60}, "bob": {"dust": 5}}, display=("spellbook", "runestone"))
    assert g.notes("ann", "start-auction", card="spellbook") == []
    (note,) = g.notes("ann", "start-auction", card="owl")
    assert note == {"note": "beyond-means", "rule": "ZAV-CURSE-1", "price": 120, "means": 60}
    g.play("ann", "start-auction", card="spellbook", bid=20)
    assert [n["means"] for n in g.notes("bob", "bid")] == [5]
    g.play("bob", "bid", amount=1000)
    assert "price" not in str(g.events[0].to_wire())
