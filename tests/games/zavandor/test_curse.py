"""The Curse of the Nine Sages."""

import pytest

from tests.games.zavandor.table import SEATS, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal

RICH = {"concentrated": {"red": 9}}


def struck(g, seat, card, bid):
    """The seat wins the card for more than it can pay."""
    g.auction(seat, card, bid, pay=False)
    assert g.event("curse-strikes")["seat"] == seat
    assert g.event("auction-void") == {"kind": "auction-void", "because": "ZAV-CURSE-2", "card": card}
    return g


@rule("ZAV-CURSE-1", "ZAV-R-17")
def test_example_23_a_sentinel_at_130_with_110():
    bob = {"energy": {"red-15": 4}, "dust": 25, "active": {"sapphire": 2}, "inactive": {"opal": 1}}
    g = game({"ann": {}, "bob": bob, "cyd": {}})
    assert g.notes("ann", "start-auction", card="owl")[0]["means"] == 0
    g.play("ann", "start-auction", card="owl", bid=120)
    assert g.notes("bob", "bid")[0] == {
        "note": "beyond-means", "rule": "ZAV-CURSE-1", "price": 121, "means": 60 + 25 + 10 + 10 + 5
    }  # fmt: skip
    g.play("bob", "bid", amount=130).play("cyd", "pass").play("ann", "pass")
    assert g["bob"].out
    assert g.event("curse-strikes") == {
        "kind": "curse-strikes", "because": "ZAV-CURSE-1", "seat": "bob", "card": "owl", "price": 130
    }  # fmt: skip


@rule("ZAV-CURSE-1")
@pytest.mark.parametrize(("bid", "out"), [(25, False), (26, True)])
def test_everything_counts_to_the_last_unit(bid, out):
    ann = {"energy": {"blue-5": 1}, "dust": 5, "active": {"opal": 1}, "inactive": {"sapphire": 1}}
    g = game(
        {"ann": {**ann, "waiting": {"red-17": 1}}, "bob": {}, "cyd": {}},
        display=("spellbook",) * 2 + ("runestone",),
    )
    g.auction("ann", "spellbook", bid, pay=False)
    assert g["ann"].out is out


@rule("ZAV-CURSE-1")
def test_a_bid_that_is_topped_has_no_consequence():
    g = game({"ann": {}, "bob": RICH, "cyd": {}})
    g.play("ann", "start-auction", card="owl", bid=900).play("bob", "bid", amount=901)
    g.play("cyd", "pass").play("ann", "pass")
    assert g["bob"].out
    assert not g["ann"].out


@rule("ZAV-CURSE-1", "ZAV-AUC-9")
def test_discounts_and_surcharges_enter_the_test():
    ann = {"dust": 100, "artifacts": {"mask-of-charisma": 1}}
    g = game({"ann": ann, "bob": {}, "cyd": {}}).auction("ann", "owl", 120)
    assert g["ann"].sentinels == ["owl"]
    assert struck(game({"ann": {**ann, "vp": 10}, "bob": {}, "cyd": {}}), "ann", "owl", 120)["ann"].out


@rule("ZAV-CURSE-2", "ZAV-CURSE-7")
def test_in_anothers_auction_the_card_stays_and_the_active_player_goes_on():
    g = game({"ann": RICH, "bob": {}, "cyd": {}}, display=("spellbook", "runestone", "elixir"))
    struck(g, "bob", "elixir", 70)
    assert g.board.display == {"elixir": 1, "runestone": 1, "spellbook": 1}
    assert (g.asked, "start-auction" in g.kinds) == (("ann",), True)
    g.play("ann", "start-auction", card="elixir", bid=60)
    assert g.asked == ("cyd",)
    g.play("cyd", "pass").play("ann", "pay", payment={"concentrated": {"red": 1}})
    assert g["ann"].artifacts == {"elixir": 1}


@rule("ZAV-CURSE-4", "ZAV-CURSE-7")
def test_in_ones_own_auction_the_next_position_begins_its_turn():
    g = game({"ann": {}, "bob": {}, "cyd": {}}, order=("cyd", "ann", "bob"))
    struck(g, "cyd", "owl", 120)
    assert g.asked == ("ann",)
    assert "owl" in g.board.sentinels
    assert g.because("unwound") == ["ZAV-CURSE-4"]
    assert "ZAV-ACT-1" in g.because("turn-begins")


@rule("ZAV-CURSE-3", "ZAV-CURSE-6", "ZAV-COMP-3")
def test_everything_goes_back_or_leaves_the_game():
    bob = {
        "energy": {"blue-3": 1, "red-17": 1},
        "waiting": {"green-5": 2},
        "waiting_dust": 4,
        "concentrated": {"white": 1},
        "dust": 7,
        "active": {"ruby": 1},
        "inactive": {"opal": 2},
        "artifacts": {"elixir": 1},
        "sentinels": ["fox", "owl"],
    }
    g = struck(game({"ann": {}, "bob": bob, "cyd": {}}), "bob", "toad", 300)
    p = g["bob"]
    held = (p.energy, p.waiting, p.concentrated, p.active, p.inactive, p.artifacts)
    assert held == ({},) * 6
    assert (p.dust, p.waiting_dust, p.sentinels) == (0, 0, [])
    assert g.board.supply["ruby"] == 20
    assert g.board.supply["opal"] == 28
    assert g.board.discards == {
        "blue": {"blue-3": 1},
        "green": {"green-5": 2},
        "red": {"red-17": 1},
        "white": {},
    }
    assert (g.board.gone_artifacts, g.board.gone_sentinels) == ({"elixir": 1}, ["fox", "owl"])
    assert {e["source"][2] for e in g.moved("ZAV-CURSE-6")} == {"waiting", "waiting_dust"}


@rule("ZAV-CURSE-3", "ZAV-END-1", "ZAV-END-2")
def test_sentinels_of_the_eliminated_still_count_as_sold():
    seats = {
        "ann": {"sentinels": ["fox", "owl"], "active": {"opal": 1}},
        "bob": {"sentinels": ["toad", "raven", "phoenix"]},
        "cyd": {},
    }
    g = struck(game(seats), "bob", "tomcat", 200)
    g.end_turns()
    assert g.state.outcome.winners == ["ann"]
    assert [(s.seat, s.score) for s in g.state.outcome.standings] == [("ann", 11), ("bob", 0), ("cyd", 0)]


@rule("ZAV-CURSE-4")
def test_of_two_players_the_other_wins_at_once():
    g = struck(game({"ann": {"active": {"ruby": 1}}, "bob": {}}), "bob", "owl", 121)
    assert g.state.outcome.winners == ["ann"]
    assert g.state.outcome.because == "ZAV-CURSE-4"
    assert [(s.seat, s.score) for s in g.state.outcome.standings] == [("ann", 3), ("bob", 0)]
    assert g.asked == ()
    assert g.event("wins-alone")["seat"] == "ann"
    over = g.refused("ann", "end-turn")["ZAV-CURSE-4"]
    assert (over.reason, over.about) == ("not-your-decision", ("/actor",))
    assert over.facts == {"actor": "ann", "winners": ["ann"]}


@rule("ZAV-CURSE-4")
def test_the_last_but_one_struck_in_his_own_turn_ends_the_game_too():
    seats = {"ann": {}, "bob": {}, "cyd": {"out": True}}
    g = struck(game(seats), "ann", "owl", 120)
    assert g.state.outcome.winners == ["bob"]


@rule("ZAV-CURSE-4")
@refusal("ZAV-CURSE-4")
def test_the_eliminated_player_is_skipped_everywhere():
    seats = {"ann": {"concentrated": {"red": 9}}, "bob": {}, "cyd": {"active": {"opal": 1}}}
    g = struck(game(seats), "bob", "owl", 121)
    found = g.refused("bob", "end-turn")
    assert {r: v.reason for r, v in found.items()} == {"ZAV-CURSE-4": "not-your-decision"}
    g.play("ann", "start-auction", card="owl", bid=120)
    assert "ZAV-CURSE-4" in g.refused("bob", "bid", amount=130)
    assert g.asked == ("cyd",)
    g.play("cyd", "pass").play("ann", "pay", payment={"concentrated": {"red": 2}})
    g.play("ann", "end-turn")
    assert g.asked == ("cyd",)
    g.play("cyd", "end-turn")
    g.play("ann", "discard", keep=g.options("ann", "discard")[0]["keep"])
    assert g.board.order == ["ann", "cyd"]


@rule("ZAV-CURSE-6")
def test_the_others_keep_their_position_cards_for_the_round():
    seats = {s: {**RICH} for s in SEATS[:5]}
    seats["ann"]["vp"] = 12
    seats["bob"] = {}
    g = struck(game(seats), "bob", "owl", 121)
    g.end_turns(until="eve")
    assert g.board.order == ["ann", "bob", "cyd", "dan", "eve"]
    assert g.auction("eve", "owl", 120, pay=False).event("auction-won")["price"] == 110


@rule("ZAV-CURSE-6", "ZAV-REFILL-1")
def test_phase_1_refills_below_the_number_of_players_left():
    g = game(
        {"ann": {"dust": 60}, "bob": {}, "cyd": {}, "dan": {}},
        display=("spellbook", "crystal-ball", "elixir", "elixir"),
    )
    struck(g, "bob", "owl", 121)
    g.end_turns(until="dan").end_turns()
    g.play("ann", "discard", keep={"dust": 20}) if g.kinds == ("discard",) else None
    assert sum(g.board.display.values()) == 4
    g.auction("ann", "spellbook", 20).play("ann", "end-turn").end_turns()
    assert sum(g.board.display.values()) == 3


@rule("ZAV-CURSE-5", "ZAV-DEC-3")
@refusal("ZAV-CURSE-5")
def test_a_winner_who_can_pay_must_pay():
    g = game({"ann": {"dust": 20}, "bob": {}}, display=("spellbook", "runestone"))
    g.play("ann", "start-auction", card="spellbook", bid=20).play("bob", "pass")
    for kind in ("pass", "decline", "end-turn"):
        found = g.refused("ann", kind)["ZAV-CURSE-5"]
        assert (found.reason, found.about) == ("broken-rule", ("/kind",))


@rule("ZAV-CURSE-7", "ZAV-CURSE-4")
def test_struck_in_the_last_turn_the_round_ends():
    g = game({"ann": {}, "bob": {"active": {"opal": 1}}, "cyd": {}}).end_turns(until="cyd")
    struck(g, "cyd", "owl", 120)
    assert (g.board.round, g.board.order) == (4, ["bob", "ann"])
