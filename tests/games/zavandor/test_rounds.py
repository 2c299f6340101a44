"""Rounds: phases, turn order, refill."""

from collections import Counter

import pytest

from tests.games.zavandor.table import fresh, game, seeded_by

rule, refusal = pytest.mark.rule, pytest.mark.refusal


@rule("ZAV-ROUND-1", "ZAV-END-1")
def test_four_phases_again_and_again():
    g = game({"ann": {"dust": 40, "active": {"opal": 1}}, "bob": {"bought": 1}})
    g.end_turns()
    assert g.kinds == ("discard",)
    g.play("ann", "discard", keep={"dust": 20})
    told = list(dict.fromkeys(g.because()))
    assert told == ["ZAV-LIMIT-3", "ZAV-SCORE-1", "ZAV-ROUND-1", "ZAV-INCOME-2", "ZAV-ACT-1"]
    assert g.board.round == 4
    assert g.event("round-begins")["round"] == 4


@rule("ZAV-ROUND-2")
def test_the_order_holds_for_the_whole_round():
    g = game(
        {"ann": {"dust": 40}, "bob": {"active": {"opal": 5}, "dust": 60}, "cyd": {"dust": 60}},
        order=("cyd", "ann", "bob"),
    )
    for seat in ("cyd", "ann", "bob"):
        assert g.asked == (seat,)
        g.play(seat, "end-turn")
    asked = []
    while g.kinds == ("discard",):
        asked += g.asked
        g.play(g.asked[0], "discard", keep=g.options(g.asked[0], "discard")[0]["keep"])
    assert asked == ["cyd", "ann", "bob"]


@rule("ZAV-ORDER-1")
def test_first_of_all_energy_under_the_position_cards_comes_home():
    g = game(
        {
            "ann": {"waiting": {"green-5": 2}, "waiting_dust": 6, "dust": 4, "energy": {"green-5": 1}},
            "bob": {"waiting": {"red-17": 1}},
        },
        order=(),
    )
    assert (g["ann"].energy, g["ann"].dust) == ({"green-5": 3}, 10)
    assert (g["ann"].waiting, g["ann"].waiting_dust, g["bob"].energy) == ({}, 0, {"red-17": 1})
    assert g.because()[:5] == ["ZAV-ROUND-1", "ZAV-ROUND-1", *["ZAV-ORDER-1"] * 3]


@rule("ZAV-ORDER-2", "ZAV-ORDER-5")
def test_most_points_on_the_track_go_first():
    seats = {
        "ann": {"active": {"opal": 3}},
        "bob": {"sentinels": ["toad", "raven"]},
        "cyd": {"active": {"opal": 5}},
    }
    g = game(seats, order=())
    assert g.board.order == ["bob", "cyd", "ann"]
    assert g.because("set")[1] == "ZAV-ORDER-2"


@rule("ZAV-ORDER-3")
def test_a_tie_goes_to_more_points_from_active_gems():
    seats = {
        "ann": {"active": {"opal": 3}, "inactive": {"sapphire": 5}, "sentinels": ["owl"]},
        "bob": {
            "active": {"emerald": 2},
            "artifacts": {"spellbook": 1, "runestone": 2, "crystal-ball": 1},
        },
        "cyd": {"active": {"ruby": 2}, "tracks": {"fire": 4}},
    }
    g = game(seats, order=())
    assert [g[seat].vp for seat in seats] == [3 + 5, 4 + 4, 6 + 2]
    assert g.board.order == ["cyd", "bob", "ann"]


@rule("ZAV-ORDER-3")
@refusal("ZAV-ORDER-3")
def test_a_tie_in_gems_too_is_decided_by_chance():
    seats = {
        "ann": {"sentinels": ["fox"]},
        "bob": {"sentinels": ["raven"], "active": {"opal": 1}},
        "cyd": {"sentinels": ["toad"]},
        "dan": {"active": {"opal": 5}},
    }
    g = game(seats, order=(), mode="given")
    assert (g.asked, g.kinds) == (("chance",), ("first-of-tied",))
    for seat in ("bob", "dan"):
        found = g.refused("chance", "first-of-tied", seat=seat)["ZAV-ORDER-3"]
        assert (found.reason, found.about) == ("broken-rule", ("/seat",))
    g.play("chance", "first-of-tied", seat="cyd")
    assert g.event("tie-broken") == {"kind": "tie-broken", "because": "ZAV-ORDER-3", "seat": "cyd"}
    assert g.board.order == ["bob", "dan", "cyd", "ann"]


@rule("ZAV-ORDER-4")
def test_the_first_order_is_fully_random():
    found = Counter(tuple(fresh("witch", "elf", "mage", draws=seeded_by(n)).board.order) for n in range(120))
    assert len(found) == 6
    assert min(found.values()) > 5
    g = fresh("witch", "elf", "mage", mode="given")
    for card in ("runestone", "spellbook", "runestone"):
        g.play("chance", "draw-artifact", card=card)
    g.play("chance", "first-of-tied", seat="bob").play("chance", "first-of-tied", seat="cyd")
    assert g.board.order == ["bob", "cyd", "ann"]


@rule("ZAV-ORDER-5", "ZAV-SCORE-3")
def test_what_is_done_in_a_round_changes_no_position():
    g = game({"ann": {"vp": 5}, "bob": {"vp": 4, "dust": 400, "tracks": {"gems": 3}}})
    g.play("ann", "end-turn")
    g.play("bob", "advance", track="gems", payment={})
    assert (g.board.order, g["bob"].vp) == (["ann", "bob"], 4)
    for _ in range(5):
        g.play("bob", "buy-gem", gem="opal", place="active", payment={})
    assert (g.board.order, g["bob"].vp) == (["ann", "bob"], 4)
    g.play("bob", "end-turn")
    g.play("bob", "discard", keep={"dust": 15})
    assert (g["ann"].vp, g["bob"].vp, g.board.order) == (0, 7, ["bob", "ann"])


@rule("ZAV-REFILL-1", "ZAV-AUC-15")
def test_sold_artifacts_are_replaced_in_the_next_phase_1():
    g = game({"ann": {"dust": 100}, "bob": {}}, display=("spellbook", "runestone"))
    g.auction("ann", "spellbook", 20)
    assert g.board.display == {"runestone": 1}
    g.play("ann", "end-turn").play("bob", "end-turn")
    g.play("ann", "discard", keep=g.options("ann", "discard")[0]["keep"])
    assert g.board.display == {"crystal-ball": 1, "runestone": 1}
    assert "ZAV-REFILL-1" in g.because("moved")


@rule("ZAV-REFILL-1")
def test_without_a_sale_no_card_is_added():
    g = game(3).end_turns()
    assert "ZAV-REFILL-1" not in g.because()
    assert sum(g.board.display.values()) == 3


@rule("ZAV-REFILL-1")
def test_nothing_is_turned_up_from_an_empty_deck():
    everything = ["spellbook", "runestone", "crystal-ball", "magic-belt", "magic-mirror", "elixir"]
    rest = ["crystal-of-protection", "mask-of-charisma", "magic-wand", "chalice-of-fire", "shadow-cloak"]
    seats = {"ann": {"artifacts": dict.fromkeys(everything, 1)}, "bob": {"artifacts": dict.fromkeys(rest, 1)}}
    g = game(seats, display=("talisman",)).end_turns()
    assert g.board.display == {"talisman": 1}
    assert g.board.deck.size == 0


@rule("ZAV-REFILL-1", "ZAV-CURSE-6")
def test_more_cards_than_players_stay_face_up():
    seats = {"ann": {}, "bob": {}, "cyd": {"out": True}, "dan": {"out": True}}
    g = game(seats, display=("spellbook", "runestone", "elixir", "elixir"), order=())
    assert g.board.display == {"elixir": 2, "runestone": 1, "spellbook": 1}
    assert g.board.order == ["ann", "bob"]
