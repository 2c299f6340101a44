"""Knowledge: tracks, tokens, the Nine Sages."""

import pytest

from tests.games.zavandor.table import TRACKS, game, schema_faults

rule, refusal = pytest.mark.rule, pytest.mark.refusal

COSTS = {
    "gems": [2, 4, 8, 16],
    "flow": [3, 6, 12, 24],
    "fire": [5, 10, 15, 20],
    "sages": [3, 6, 12, 24],
    "artifacts": [2, 4, 8, 16],
    "accumulation": [2, 4, 8, 16],
}


def solo(**held):
    return game({"ann": {"character": "kobold", "dust": 500, **held}, "bob": {"character": "mage"}})


def advance(g, track):
    return g.play("ann", "advance", track=track, payment={})


def no_advance(g, track):
    return g.refused("ann", "advance", track=track, payment={})


@rule("ZAV-KNOW-1", "ZAV-KNOW-2")
@pytest.mark.parametrize("track", TRACKS)
@pytest.mark.parametrize("stage", [1, 2, 3, 4])
def test_cost_of_a_stage(track, stage):
    if (track, stage) == ("accumulation", 1):
        g = game({"ann": {"dust": 500, "bought": 1}, "bob": {}})
    else:
        g = solo(bought=1, tracks={track: stage - 1} if stage > 1 else {})
    advance(g, track)
    assert 500 - g["ann"].dust == COSTS[track][stage - 1]
    assert g["ann"].tracks[track] == stage


@rule("ZAV-KNOW-2", "ZAV-ACT-2")
@refusal("ZAV-KNOW-2")
def test_one_paid_advancement_a_round():
    g = advance(solo(tracks={"gems": 1}), "gems")
    for track in ("gems", "accumulation"):
        found = no_advance(g, track)["ZAV-KNOW-2"]
        assert (found.reason, found.about) == ("broken-rule", ("/kind",))
    assert g.options("ann", "advance") == []
    g.play("ann", "end-turn").play("bob", "end-turn")
    g.play("ann", "discard", keep={"dust": 15})
    assert advance(g, "gems")["ann"].tracks["gems"] == 3


@rule("ZAV-KNOW-3")
@refusal("ZAV-KNOW-3")
def test_tokens_are_bought_in_any_order_and_number():
    g = solo()
    for n, price in enumerate((40, 20, 35), 1):
        before = g["ann"].dust
        g.play("ann", "buy-token", token=price, payment={})
        assert (before - g["ann"].dust, g["ann"].bought) == (price, n)
    assert g["ann"].tokens == [25, 30]
    found = g.refused("ann", "buy-token", token=40, payment={})["ZAV-KNOW-3"]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/token",), {"token": 40})
    found = g.refused("ann", "buy-token", token=45, payment={})["ZAV-KNOW-3"]
    assert (found.reason, found.about) == ("unknown-value", ("/token",))
    advance(g, "accumulation")


@rule("ZAV-KNOW-3", "ZAV-GEM-3")
def test_a_token_on_the_pentagon_takes_no_gem_place():
    g = solo(active={"opal": 5}, inactive={"opal": 9})
    g.play("ann", "buy-token", token=20, payment={})
    assert (g["ann"].active, g["ann"].inactive, g["ann"].bought) == ({"opal": 5}, {"opal": 9}, 1)


@rule("ZAV-KNOW-4")
@refusal("ZAV-KNOW-4")
def test_entering_needs_a_token_and_is_an_advancement():
    g = solo()
    found = no_advance(g, "fire")["ZAV-KNOW-4"]
    assert (found.reason, found.about, found.facts) == ("broken-rule", ("/track",), {"track": "fire"})
    g.play("ann", "buy-token", token=20, payment={})
    advance(g, "fire")
    assert (g["ann"].tracks, g["ann"].bought, g["ann"].tokens) == (
        {"accumulation": 1, "fire": 1},
        0,
        [25, 30, 35, 40],
    )
    assert "ZAV-KNOW-4" in g.because("set")
    assert "ZAV-KNOW-2" in no_advance(g, "accumulation")


@rule("ZAV-KNOW-5")
def test_a_token_waits_as_long_as_one_likes_and_then_enters_any_track():
    g = solo(bought=2, dust=15)
    for _ in range(3):
        g.end_turns()
    assert g["ann"].bought == 2
    free = {o["track"] for o in g.options("ann", "advance")}
    assert free == set(TRACKS)
    advance(g, "artifacts")
    assert (g["ann"].tracks, g["ann"].bought) == ({"accumulation": 1, "artifacts": 1}, 1)


@rule("ZAV-KNOW-5")
def test_where_a_marker_stands_it_moves_and_no_second_one_enters():
    g = advance(solo(bought=1, tracks={"gems": 1}), "gems")
    assert (g["ann"].tracks["gems"], g["ann"].bought) == (2, 1)
    assert schema_faults({"kind": "advance", "actor": "ann", "track": "gems", "token": 20, "payment": {}})


@rule("ZAV-KNOW-6")
@refusal("ZAV-KNOW-6")
def test_there_is_no_stage_above_4():
    g = solo(tracks={"gems": 4})
    found = no_advance(g, "gems")["ZAV-KNOW-6"]
    assert (found.reason, found.about, found.facts) == (
        "broken-rule",
        ("/track",),
        {"track": "gems", "stage": 4},
    )


@rule("ZAV-KNOW-7", "ZAV-SCORE-1")
@pytest.mark.parametrize("track", TRACKS)
@pytest.mark.parametrize("stage", [1, 2, 3, 4])
def test_only_stage_4_is_worth_points(track, stage):
    g = solo(dust=0, tracks={track: stage}).end_turns()
    assert g["ann"].vp == (2 if stage == 4 else 0)


@rule("ZAV-KNOW-8", "ZAV-LIMIT-1")
@pytest.mark.parametrize(
    ("track", "change"),
    [("gems", -1), ("flow", -1), ("fire", 0), ("sages", 0), ("artifacts", 1)],
)
def test_the_hand_limit_changes_once_a_track(track, change):
    g = solo(bought=1)
    before = g.hand_limit("ann")
    advance(g, track)
    assert g.hand_limit("ann") == before + change
    for stage in (2, 3, 4):
        assert solo(tracks={track: stage}).hand_limit("ann") == before + change


@rule("ZAV-KNOW-9")
def test_effects_apply_at_once():
    g = solo(tracks={"gems": 1})
    assert g.price("ann", "sapphire") == 18
    assert advance(g, "gems").price("ann", "sapphire") == 16
    g = solo(active={"opal": 5}, dust=500)
    assert "ZAV-GEM-3" in g.refused("ann", "buy-gem", gem="opal", place="active", payment={})
    advance(g, "accumulation").play("ann", "buy-gem", gem="opal", place="active", payment={})
    assert g["ann"].active == {"opal": 6}


@rule("ZAV-KNOW-GEMS-1", "ZAV-R-3")
@pytest.mark.parametrize(("stage", "price"), list(enumerate((30, 27, 24, 21, 18))))
def test_every_stage_of_gems_takes_a_tenth_off(stage, price):
    assert solo(tracks={"gems": stage} if stage else {}).price("ann", "emerald") == price


@rule("ZAV-KNOW-ACC-1")
def test_accumulation_is_not_added_up():
    g = solo(tracks={"accumulation": 4}, active={"opal": 7})
    assert "ZAV-GEM-3" in g.refused("ann", "buy-gem", gem="opal", place="active", payment={})


@rule("ZAV-KNOW-ART-1")
@pytest.mark.parametrize(("stage", "artifact", "sentinel"), [(1, 0, 0), (2, 5, 10), (3, 5, 10), (4, 10, 20)])
def test_the_discounts_of_the_artifacts_track(stage, artifact, sentinel):
    ann = {"character": "mage", "dust": 500, "tracks": {"artifacts": stage}}
    for card, bid, off in (("spellbook", 20, artifact), ("owl", 120, sentinel)):
        g = game({"ann": ann, "bob": {}}).auction("ann", card, bid, pay=False)
        assert g.event("auction-won")["price"] == bid - off


# -- the Nine Sages


def sages(stage, **held):
    """Ann reaches this stage of the Nine Sages."""
    g = solo(bought=1, tracks={"sages": stage - 1} if stage > 1 else {}, **held)
    return advance(g, "sages")


@rule("ZAV-KNOW-SAGES-1", "ZAV-KNOW-SAGES-4")
@pytest.mark.parametrize(
    ("stage", "card", "means"),
    [
        (1, "blue-3", {}),
        (2, "green-10", {"artifacts": {"spellbook": 1}}),
        (3, "white-10", {"artifacts": {"elixir": 1}}),
        (4, "red-13", {"artifacts": {"chalice-of-fire": 1}}),
    ],
)
def test_a_stage_gives_two_cards_of_its_colour(stage, card, means):
    g = sages(stage, **means)
    assert g["ann"].waiting == {card: 2}
    assert g.because("moved").count("ZAV-KNOW-SAGES-1") == 2
    assert (g["ann"].energy, g["ann"].waiting_dust) == ({}, 0)


@rule("ZAV-KNOW-SAGES-2", "ZAV-R-13")
@pytest.mark.parametrize(
    ("stage", "held", "kept"),
    [
        (1, {}, True),
        (2, {}, False),
        (2, {"artifacts": {"spellbook": 1}}, True),
        (2, {"artifacts": {"crystal-of-protection": 1}}, True),
        (2, {"artifacts": {"elixir": 1}}, False),
        (3, {}, False),
        (3, {"artifacts": {"elixir": 1}}, True),
        (3, {"artifacts": {"spellbook": 1}}, False),
        (4, {}, False),
        (4, {"tracks_fire": 3}, False),
        (4, {"tracks_fire": 4}, True),
        (4, {"artifacts": {"chalice-of-fire": 1}}, True),
        (4, {"character": "druid", "tracks_fire": 2}, False),
        (4, {"character": "druid", "tracks_fire": 3}, True),
        (4, {"character": "druid", "tracks_fire": 3, "early_rubies": 1}, True),
    ],
)
def test_the_means_of_getting_cards(stage, held, kept):
    held = dict(held)
    fire = held.pop("tracks_fire", None)
    tracks = {"sages": stage - 1} if stage > 1 else {}
    g = game(
        {
            "ann": {
                "character": "kobold",
                "dust": 50,
                "bought": 1,
                "tracks": {**tracks, **({"fire": fire} if fire else {})},
                **held,
            },
            "bob": {"character": "mage"},
        }
    )
    advance(g, "sages")
    low = {1: 3, 2: 10, 3: 10, 4: 13}[stage]
    assert sum(g["ann"].waiting.values()) == (2 if kept else 0)
    assert g["ann"].waiting_dust == (0 if kept else 2 * low)
    if not kept:
        colour = {2: "green", 3: "white", 4: "red"}[stage]
        assert g.board.discards[colour] == {f"{colour}-{low}": 2}
        assert [e["target"][-1] for e in g.moved("ZAV-KNOW-SAGES-2")] == [colour, "waiting_dust"]


@rule("ZAV-KNOW-SAGES-3")
def test_means_that_come_later_do_not_bring_the_cards_back():
    g = sages(2)
    assert (g["ann"].waiting, g["ann"].waiting_dust) == ({}, 20)
    g.auction("ann", "spellbook", 20)
    g.play("ann", "end-turn").play("bob", "end-turn")
    g.play("ann", "discard", keep={"dust": 20})
    assert g["ann"].energy == {}


@rule("ZAV-KNOW-SAGES-4", "ZAV-ORDER-1", "ZAV-LIMIT-2")
def test_the_cards_do_not_count_for_the_hand_limit_and_come_with_the_next_round():
    g = solo(bought=1, dust=18, energy={"blue-7": 1}, active={})
    advance(g, "sages")
    assert (g["ann"].dust, g.weight("ann"), g.hand_limit("ann")) == (15, 6, 6)
    g.end_turns()
    assert g["ann"].energy == {"blue-3": 2, "blue-7": 1}
    assert "ZAV-ORDER-1" in g.because("moved")
    assert g["ann"].waiting == {}


@rule("ZAV-KNOW-SAGES-5", "ZAV-R-25")
def test_two_stages_at_once_give_both_rewards():
    g = game(
        {"ann": {"character": "kobold", "dust": 500, "bought": 1, "artifacts": {"spellbook": 1}}, "bob": {}},
        display=("talisman", "runestone"),
    )
    g.auction("ann", "talisman", 100).play("ann", "take-steps", tracks=["sages", "sages"])
    assert g["ann"].tracks["sages"] == 2
    assert g["ann"].waiting == {"blue-3": 2, "green-10": 2}
    assert [e["source"][1] for e in g.moved("ZAV-KNOW-SAGES-1")] == ["blue", "blue", "green", "green"]


# -- free advances


def runestone(**held):
    g = game(
        {"ann": {"character": "kobold", "dust": 500, **held}, "bob": {}}, display=("runestone", "elixir")
    )
    return g.auction("ann", "runestone", 20)


@rule("ZAV-KNOW-10", "ZAV-R-12")
@refusal("ZAV-KNOW-10")
def test_a_free_advance_is_now_or_never():
    g = runestone()
    assert g.kinds == ("advance-free", "decline")
    for kind, wire in (("end-turn", {}), ("advance", {"track": "accumulation", "payment": {}})):
        found = g.refused("ann", kind, **wire)["ZAV-KNOW-10"]
        assert (found.reason, found.about) == ("broken-rule", ("/kind",))
    g.play("ann", "decline")
    assert g.because() == ["ZAV-KNOW-10"]
    assert g["ann"].tracks == {"accumulation": 1}
    assert "ZAV-DEC-1" in g.refused("ann", "advance-free", track="accumulation")


@rule("ZAV-KNOW-10", "ZAV-KNOW-2")
def test_a_free_advance_is_not_the_paid_one():
    g = runestone().play("ann", "advance-free", track="accumulation")
    assert g["ann"].dust == 480
    advance(g, "accumulation")
    assert (g["ann"].tracks, g["ann"].dust) == ({"accumulation": 3}, 472)


@rule("ZAV-KNOW-10")
def test_a_free_advance_works_out_of_turn():
    g = game({"ann": {}, "bob": {"dust": 50, "tracks": {"gems": 1}}}, display=("runestone", "elixir"))
    g.auction("bob", "runestone", 21)
    assert g.asked == ("bob",)
    g.play("bob", "advance-free", track="gems")
    assert (g["bob"].tracks["gems"], g.asked) == (2, ("ann",))


@rule("ZAV-KNOW-10", "ZAV-KNOW-SAGES-1")
def test_a_free_advance_out_of_turn_earns_the_nine_sages_reward():
    bob = {"character": "mage", "dust": 60, "bought": 1}
    g = game({"ann": {}, "bob": bob}, display=("mask-of-charisma", "elixir"))
    g.auction("bob", "mask-of-charisma", 51).play("bob", "advance-free", track="sages")
    assert (g["bob"].waiting, g["bob"].energy, g.asked) == ({"blue-3": 2}, {}, ("ann",))


@rule("ZAV-KNOW-11", "ZAV-R-12")
@refusal("ZAV-KNOW-4", "ZAV-KNOW-6")
def test_a_free_advance_names_a_track():
    g = runestone(bought=2, tracks={"gems": 4})
    assert {o["track"] for o in g.options("ann", "advance-free")} == set(TRACKS) - {"gems"}
    found = g.refused("ann", "advance-free", track="gems")["ZAV-KNOW-6"]
    assert (found.about, found.facts) == (("/track",), {"track": "gems", "stage": 4})
    g.play("ann", "advance-free", track="fire")
    assert (g["ann"].tracks["fire"], g["ann"].bought) == (1, 1)
    g = runestone()
    found = g.refused("ann", "advance-free", track="fire")["ZAV-KNOW-4"]
    assert (found.about, found.facts) == (("/track",), {"track": "fire"})


@rule("ZAV-KNOW-10", "ZAV-KNOW-6")
def test_without_anything_to_move_nobody_is_asked():
    g = runestone(tracks={"accumulation": 4})
    assert "ZAV-KNOW-10" in g.because("skipped")
    assert "end-turn" in g.kinds
