"""Artifacts: what each does on acquiring, and what it does as long as it is owned."""

import pytest

from tests.games.zavandor.table import BLUE, PRINTED, SEATS, TRACKS, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal

RICH = {"concentrated": {"blue": 27}}


def acquire(card, bid=None, others=1, options=None, **held):
    """Ann wins the card in her own turn and pays with concentrated energy."""
    seats = {"ann": {"character": "kobold", **RICH, **held}, **{s: {} for s in SEATS[1 : 1 + others]}}
    g = game(seats, display=(card, *["spellbook" if card != "spellbook" else "runestone"]), options=options)
    bid = bid or PRINTED.artifacts[card].least_bid
    return g.auction("ann", card, bid, concentrated={"blue": -(-bid // 20)})


@rule("ZAV-ART-SPELLBOOK-1", "ZAV-R-24")
def test_spellbook():
    g = acquire("spellbook")
    assert "end-turn" in g.kinds
    assert {o["gem"] for o in g.options("ann", "buy-gem")} == {"opal", "sapphire", "emerald"}


@rule("ZAV-ART-ELIXIR-1", "ZAV-R-24")
def test_elixir_opens_diamonds():
    g = acquire("elixir").play("ann", "place-gem", place="inactive")
    assert {o["gem"] for o in g.options("ann", "buy-gem")} == {"opal", "sapphire", "diamond"}


@rule("ZAV-ART-RUNESTONE-1", "ZAV-DEC-4")
def test_runestone():
    g = acquire("runestone").play("ann", "advance-free", track="accumulation")
    assert g["ann"].tracks == {"accumulation": 2}
    assert g.because() == ["ZAV-ART-RUNESTONE-1"]


@rule("ZAV-ART-MASK-1", "ZAV-DEC-4")
def test_mask_of_charisma():
    g = acquire("mask-of-charisma", bought=1)
    assert {o["track"] for o in g.options("ann", "advance-free")} == set(TRACKS)
    g.play("ann", "advance-free", track="flow")
    assert (g["ann"].tracks["flow"], g["ann"].bought) == (1, 0)
    assert "ZAV-ART-MASK-1" in g.because()
    declined = acquire("mask-of-charisma").play("ann", "decline")
    assert declined.event("declined")["because"] == "ZAV-KNOW-10"


@rule("ZAV-ART-BALL-1", "ZAV-LIMIT-1")
@pytest.mark.parametrize("copies", [1, 2, 3])
def test_crystal_ball(copies):
    seats = {
        **{s: {} for s in SEATS[:5]},
        "ann": {"character": "kobold", "artifacts": {"crystal-ball": copies}},
    }
    assert game(seats).hand_limit("ann") == 6 + 3 * copies


@rule("ZAV-ART-WAND-1", "ZAV-LIMIT-1", "ZAV-ART-BELT-1")
def test_wand_and_belt():
    g = acquire("magic-wand", active={"opal": 5}, inactive={"opal": 2})
    assert g.hand_limit("ann") == 9
    for _ in range(2):
        g.play("ann", "move-gem", gem="opal", to="active")
    assert "ZAV-GEM-4" in g.refused("ann", "move-gem", gem="opal", to="active")
    g = acquire("magic-belt", active={"opal": 5}, inactive={"opal": 2})
    assert g.hand_limit("ann") == 6
    g.play("ann", "move-gem", gem="opal", to="active").play("ann", "move-gem", gem="opal", to="active")
    assert g["ann"].active == {"opal": 7}


@rule("ZAV-ART-CRYSTAL-1", "ZAV-ART-CHALICE-1")
@pytest.mark.parametrize(("card", "colour"), [("crystal-of-protection", "green"), ("chalice-of-fire", "red")])
def test_crystal_and_chalice_give_a_card_each_round(card, colour):
    g = acquire(card).play("ann", "end-turn").play("bob", "end-turn")
    g.play("ann", "discard", keep=g.options("ann", "discard")[0]["keep"])
    assert {c.partition("-")[0] for c in g["ann"].energy} == {colour}


@rule("ZAV-ART-CRYSTAL-2")
@refusal("ZAV-ART-CRYSTAL-2")
def test_a_crystal_is_not_a_gem():
    g = acquire("crystal-of-protection", active={"opal": 5}, dust=60)
    found = g.refused("ann", "buy-gem", gem="emerald", place="inactive", payment={})
    assert {r: (v.reason, v.about) for r, v in found.items()} == {
        "ZAV-GEM-1": ("broken-rule", ("/gem",)),
        "ZAV-ART-CRYSTAL-2": ("broken-rule", ("/gem",)),
    }
    assert g["ann"].active == {"opal": 5}
    assert "ZAV-GEM-5" in g.refused("ann", "sell-gems", gems={"active": {"emerald": 1}})


@rule("ZAV-ART-CHALICE-2")
@refusal("ZAV-ART-CHALICE-2")
def test_a_chalice_is_not_a_ruby():
    g = acquire("chalice-of-fire", dust=60)
    found = g.refused("ann", "buy-gem", gem="ruby", place="inactive", payment={})
    assert {r: v.about for r, v in found.items()} == {
        "ZAV-KNOW-FIRE-1": ("/gem",),
        "ZAV-ART-CHALICE-2": ("/gem",),
    }


# -- Magic Mirror and Shadow Cloak


def mirror(card="magic-mirror", options=None, **seats):
    """Ann wins the card; the others have what is said."""
    ann = {"character": "kobold", **RICH, "active": {"opal": 1, "sapphire": 1}, **seats.pop("ann", {})}
    g = game({"ann": ann, **seats}, display=(card, "runestone"), options=options)
    return g.auction(
        "ann",
        card,
        PRINTED.artifacts[card].least_bid,
        concentrated={"blue": 4 if card == "shadow-cloak" else 2},
    )


TWO = {"active": {"opal": 1, "ruby": 1}}


@rule("ZAV-ART-MIRROR-1", "ZAV-DEC-6")
@refusal("ZAV-ART-MIRROR-1", "ZAV-AUC-14")
@pytest.mark.parametrize("card", ["magic-mirror", "shadow-cloak"])
def test_a_token_for_free(card):
    g = mirror(card, bob={})
    assert (g.asked, g.kinds) == (("ann",), ("take-token", "decline"))
    assert [o["token"] for o in g.options("ann", "take-token")] == [20, 25, 30, 35, 40]
    assert "ZAV-AUC-14" in g.refused("ann", "end-turn")
    before = g["ann"].dust
    g.play("ann", "take-token", token=40)
    assert (g["ann"].tokens, g["ann"].bought, g["ann"].dust) == ([20, 25, 30, 35], 1, before)
    clause = {"magic-mirror": "ZAV-ART-MIRROR-1", "shadow-cloak": "ZAV-ART-CLOAK-1"}[card]
    assert g.because("set") == [clause, clause]
    g = mirror(card, bob={}, ann={"bought": 1})
    found = g.refused("ann", "take-token", token=20)["ZAV-ART-MIRROR-1"]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/token",), {"token": 20})
    declined = g.play("ann", "decline")
    assert declined["ann"].bought == 1
    assert declined.event("declined")["because"] == clause


@rule("ZAV-ART-MIRROR-1", "ZAV-R-22", "ZAV-ART-MIRROR-2")
def test_without_an_unbought_token_only_the_rest_applies():
    g = mirror(ann={"bought": 5}, bob=TWO)
    assert g.event("skipped")["because"] == "ZAV-R-22"
    assert (g.asked, g.kinds) == (("bob",), ("lose-gem",))


@rule("ZAV-ART-MIRROR-2", "ZAV-ART-MIRROR-4", "ZAV-DEC-7", "ZAV-R-18")
@refusal("ZAV-ART-MIRROR-2", "ZAV-ART-MIRROR-4", "ZAV-AUC-14")
def test_every_other_player_gives_up_an_active_gem_of_his_choice():
    g = mirror(bob={**TWO, "inactive": {"emerald": 1}}, cyd=TWO).play("ann", "decline")
    assert g.asked == ("bob",)
    found = g.refused("bob", "lose-gem", gem="emerald")["ZAV-ART-MIRROR-2"]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/gem",), {"gem": "emerald"})
    assert g.refused("cyd", "lose-gem", gem="opal")["ZAV-ART-MIRROR-4"].reason == "not-your-decision"
    assert "ZAV-AUC-14" in g.refused("bob", "pass")
    g.play("bob", "lose-gem", gem="opal")
    assert g.because("moved") == ["ZAV-ART-MIRROR-2"]
    assert g.moved("ZAV-ART-MIRROR-2")[0]["target"] == ["supply"]
    g.play("cyd", "lose-gem", gem="ruby")
    assert [g[s].active for s in ("ann", "bob", "cyd")] == [
        {"opal": 1, "sapphire": 1},
        {"ruby": 1},
        {"opal": 1},
    ]
    assert (g["bob"].dust, g["bob"].inactive, g.asked) == (0, {"emerald": 1}, ("ann",))


@rule("ZAV-ART-MIRROR-4")
def test_choosing_goes_round_from_the_player_after_the_owner():
    seats = {"bob": {}, "cyd": {}, "dan": {}, "eve": {"out": True}, "ann": {}}
    seats = {s: h or TWO for s, h in seats.items()}
    seats["ann"] = {**RICH, **TWO}
    g = game(
        seats,
        order=("bob", "ann", "eve", "cyd", "dan"),
        display=("magic-mirror",) + ("runestone", "elixir") * 2,
    )
    g.end_turns(until="ann").auction("ann", "magic-mirror", 40, concentrated={"blue": 2}).play(
        "ann", "decline"
    )
    asked = []
    while g.kinds == ("lose-gem",):
        asked += g.asked
        g.play(g.asked[0], "lose-gem", gem="opal")
    assert asked == ["cyd", "dan", "bob"]


@rule("ZAV-ART-MIRROR-4", "ZAV-ART-MIRROR-2")
def test_one_kind_is_no_choice_and_inactive_gems_are_safe():
    g = mirror(bob={"active": {"opal": 3}, "inactive": {"ruby": 1}}, cyd={"inactive": {"opal": 2}})
    g.play("ann", "decline")
    assert g.asked == ("ann",)
    assert (g["bob"].active, g["bob"].inactive, g["cyd"].inactive) == ({"opal": 2}, {"ruby": 1}, {"opal": 2})
    assert "ZAV-ART-MIRROR-2" in g.because("moved")


@rule("ZAV-ART-CLOAK-1")
def test_the_cloak_does_the_same_by_its_own_clause():
    g = mirror("shadow-cloak", bob=TWO, cyd={"active": {"opal": 2}}).play("ann", "take-token", token=40)
    g.play("bob", "lose-gem", gem="ruby")
    assert set(g.because("moved")) == {"ZAV-ART-CLOAK-1"}
    assert (g["bob"].active, g["cyd"].active) == ({"opal": 1}, {"opal": 1})


@rule("ZAV-R-18", "ZAV-ART-MIRROR-4")
@pytest.mark.parametrize("card", ["magic-mirror", "shadow-cloak"])
def test_by_the_other_reading_the_owner_comes_last(card):
    g = mirror(card, options={"mirror_cloak_hits_owner": True}, bob=TWO, cyd=TWO).play("ann", "decline")
    for seat in ("bob", "cyd", "ann"):
        assert g.asked == (seat,)
        g.play(seat, "lose-gem", gem="opal")
    assert g["ann"].active == {"sapphire": 1}


@rule("ZAV-ART-MIRROR-3", "ZAV-AUC-8")
def test_the_mirror_can_be_won_without_an_active_gem():
    seats = {"ann": {"active": {"opal": 1}}, "bob": RICH}
    g = game(seats, display=("magic-mirror", "runestone"))
    g.auction("bob", "magic-mirror", 41, concentrated={"blue": 3}).play("bob", "decline")
    assert (g["bob"].artifacts, g["ann"].active) == ({"magic-mirror": 1}, {})


# -- Elixir


@rule("ZAV-ART-ELIXIR-2", "ZAV-DEC-8", "ZAV-R-20")
@refusal("ZAV-ART-ELIXIR-2")
def test_a_free_diamond_on_a_full_spiral_goes_to_the_pentagon():
    g = acquire("elixir", active={"opal": 5})
    found = g.refused("ann", "place-gem", place="active")["ZAV-ART-ELIXIR-2"]
    assert (found.reason, found.about) == ("broken-rule", ("/place",))
    assert found.facts == {"capacity": 5, "active": 5}
    assert [o["place"] for o in g.options("ann", "place-gem")] == ["inactive"]
    g.play("ann", "place-gem", place="inactive")
    assert g["ann"].inactive == {"diamond": 1}
    assert g.moved("ZAV-ART-ELIXIR-2")[0]["source"] == ["supply"]


@rule("ZAV-ART-ELIXIR-2", "ZAV-R-20")
def test_the_diamond_is_placed_active_also_out_of_turn():
    g = game({"ann": {}, "bob": {**RICH, "active": {"opal": 4}}}, display=("elixir", "runestone"))
    g.auction("bob", "elixir", 61, concentrated={"blue": 4}).play("bob", "place-gem", place="active")
    assert g["bob"].active == {"diamond": 1, "opal": 4}


@rule("ZAV-ART-ELIXIR-2")
def test_every_copy_gives_a_diamond_and_an_empty_supply_none():
    seats = {s: {} for s in SEATS[:5]}
    seats |= {"ann": {**RICH, "artifacts": {"elixir": 1}}, "cyd": {"inactive": {"diamond": 23}}}
    g = game(seats, display=("elixir", "runestone", "runestone"))
    g.auction("ann", "elixir", 60, concentrated={"blue": 3}).play("ann", "place-gem", place="active")
    assert (g["ann"].active, g["ann"].artifacts, g.board.supply.get("diamond", 0)) == (
        {"diamond": 1},
        {"elixir": 2},
        0,
    )
    seats["cyd"] = {"inactive": {"diamond": 24}}
    g = game(seats, display=("elixir", "runestone", "runestone"))
    g.auction("ann", "elixir", 60, concentrated={"blue": 3})
    assert g.event("skipped")["because"] == "ZAV-ART-ELIXIR-2"
    assert "end-turn" in g.kinds


# -- Talisman


def talisman(**held):
    return acquire("talisman", **held)


@rule("ZAV-ART-TALISMAN-1", "ZAV-DEC-5")
@pytest.mark.parametrize(
    ("steps", "tracks"),
    [
        ([], {"accumulation": 1, "gems": 1}),
        (["gems"], {"accumulation": 1, "gems": 2}),
        (["gems", "gems"], {"accumulation": 1, "gems": 3}),
        (["gems", "accumulation"], {"accumulation": 2, "gems": 2}),
        (["fire", "fire"], {"accumulation": 1, "gems": 1, "fire": 2}),
    ],
)
def test_talisman_steps(steps, tracks):
    g = talisman(bought=1, tracks={"gems": 1}).play("ann", "take-steps", tracks=steps)
    assert g["ann"].tracks == tracks
    assert set(g.because()) <= {"ZAV-ART-TALISMAN-1", "ZAV-KNOW-4"}


@rule("ZAV-ART-TALISMAN-1")
@refusal("ZAV-ART-TALISMAN-1", "ZAV-KNOW-4", "ZAV-KNOW-6", "ZAV-KNOW-10")
def test_what_the_talisman_does_not_do():
    g = talisman(bought=1, tracks={"gems": 3})
    found = g.refused("ann", "take-steps", tracks=["accumulation"] * 3)["ZAV-ART-TALISMAN-1"]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/tracks",), {"steps": 3})
    found = g.refused("ann", "take-steps", tracks=["gems", "gems"])["ZAV-KNOW-6"]
    assert (found.about, found.facts) == (("/tracks/1",), {"track": "gems", "stage": 4})
    found = g.refused("ann", "take-steps", tracks=["fire", "flow"])["ZAV-KNOW-4"]
    assert (found.about, found.facts) == (("/tracks/1",), {"track": "flow"})
    for value in (["alchemy"], "gems", [1], None):
        found = g.refused("ann", "take-steps", tracks=value)["ZAV-ART-TALISMAN-1"]
        assert found.reason == "unknown-value"
    assert "ZAV-KNOW-10" in g.refused("ann", "end-turn")


@rule("ZAV-KNOW-SAGES-2", "ZAV-ART-TALISMAN-1", "ZAV-KNOW-SAGES-5")
@pytest.mark.parametrize(("steps", "kept"), [(["fire", "sages"], True), (["sages", "fire"], False)])
def test_fire_before_sages_keeps_the_red_cards(steps, kept):
    g = talisman(tracks={"fire": 3, "sages": 3}).play("ann", "take-steps", tracks=steps)
    assert g["ann"].waiting == ({"red-13": 2} if kept else {})
    assert g["ann"].waiting_dust == (0 if kept else 26)


@rule("ZAV-ART-TALISMAN-1", "ZAV-COMP-10")
def test_two_rewards_are_drawn_one_after_the_other():
    seats = {"ann": {"character": "kobold", **RICH, "bought": 1}, "bob": {"energy": BLUE}}
    g = game(seats, display=("talisman", "runestone")).auction(
        "ann", "talisman", 100, concentrated={"blue": 5}
    )
    g.play("ann", "take-steps", tracks=["sages", "sages"])
    assert (g["ann"].waiting, g["ann"].waiting_dust) == ({}, 10 + 20)


@rule("ZAV-ART-TALISMAN-1", "ZAV-KNOW-10")
def test_with_nothing_to_move_the_talisman_asks_nobody():
    g = talisman(tracks={"accumulation": 4})
    assert g.event("skipped")["because"] == "ZAV-KNOW-10"
    assert "end-turn" in g.kinds


@rule("ZAV-ART-SPELLBOOK-2", "ZAV-ART-RUNESTONE-2", "ZAV-ART-BALL-2", "ZAV-ART-MASK-2")
def test_each_discount_is_for_its_own_card_alone():
    mine = {"spellbook": 1, "runestone": 1, "crystal-ball": 1, "mask-of-charisma": 1}
    off = {"shadow-cloak": 15, "chalice-of-fire": 10, "elixir": 5, "owl": 20}
    for card in (*PRINTED.artifacts, "owl"):
        if card in mine:
            continue
        shown = card if card in PRINTED.artifacts else "talisman"
        seats = {"ann": {**RICH, "artifacts": mine, "active": {"opal": 1}}, "bob": {}}
        g = game(seats, display=(shown, "elixir" if shown != "elixir" else "talisman"))
        bid = (PRINTED.artifacts.get(card) or PRINTED.sentinels[card]).least_bid
        g.auction("ann", card, bid, pay=False)
        assert g.event("auction-won")["price"] == bid - off.get(card, 0)
