"""Victory points and the end of the game."""

import pytest

from service.games.zavandor.v1.scoring import parts_of
from tests.games.zavandor.table import PRINTED, SEATS, game

rule, refusal = pytest.mark.rule, pytest.mark.refusal


@rule("ZAV-SCORE-1", "ZAV-SENT-OWL-1", "ZAV-SENT-TOMCAT-1")
def test_example_27_thirty_eight_points():
    ann = {
        "character": "witch",
        "active": {"opal": 3, "sapphire": 2},
        "inactive": {"sapphire": 1},
        "tracks": {"gems": 4, "fire": 4},
        "artifacts": {"spellbook": 1, "talisman": 1},
        "sentinels": ["tomcat", "owl"],
    }
    g = game({"ann": ann, "bob": {}})
    assert parts_of(g.table, g["ann"]) == {"gems": 5, "tracks": 4, "artifacts": 9, "sentinels": 11 + 9}
    assert g.end_turns()["ann"].vp == 38


@rule("ZAV-SCORE-1")
@pytest.mark.parametrize(
    ("gem", "points", "of_the_right"),
    [("opal", 1, 0), ("sapphire", 1, 0), ("emerald", 2, 1), ("diamond", 2, 2), ("ruby", 3, 2)],
)
def test_points_for_active_gems(gem, points, of_the_right):
    g = game(
        {"ann": {"active": {gem: 2}, "inactive": {gem: 3}, "bought": 2, "dust": 10}, "bob": {}}
    ).end_turns()
    assert g["ann"].vp == 2 * points + of_the_right


@rule("ZAV-SCORE-1")
@pytest.mark.parametrize("card", PRINTED.artifacts)
def test_points_for_artifacts(card):
    seats = {
        "ann": {"artifacts": {card: 1 if PRINTED.artifacts[card].most_owned else 2}},
        "bob": {},
        "cyd": {},
    }
    g = game(seats, display=()).end_turns()
    assert g["ann"].vp == PRINTED.artifacts[card].vp * sum(seats["ann"]["artifacts"].values())


@rule("ZAV-SCORE-2")
def test_the_new_total_replaces_the_old_one():
    g = game({"ann": {"vp": 5, "active": {"opal": 2}}, "bob": {"vp": 1}}).end_turns()
    assert (g["ann"].vp, g["bob"].vp) == (2, 0)
    assert g.because("set").count("ZAV-SCORE-1") == 2


@rule("ZAV-SCORE-3")
def test_points_change_in_phase_4_alone():
    g = game({"ann": {"vp": 3, "dust": 500}, "bob": {}}, display=("spellbook", "talisman"))
    g.auction("ann", "spellbook", 20).auction("ann", "owl", 120)
    g.play("ann", "buy-gem", gem="emerald", place="active", payment={})
    assert g["ann"].vp == 3
    assert "ZAV-SCORE-1" not in g.because()


FIVE = {"ann": {"sentinels": ["fox", "owl", "toad"]}, "bob": {"sentinels": ["raven"]}}


@rule("ZAV-END-1", "ZAV-R-21")
def test_four_sentinels_are_not_the_end():
    g = game(FIVE).end_turns()
    assert g.state.outcome is None
    assert g.board.round == 4


@rule("ZAV-END-1", "ZAV-END-2", "ZAV-END-3", "ZAV-R-21")
def test_the_round_of_the_fifth_sentinel_is_played_to_its_end():
    seats = {
        **FIVE,
        "ann": {**FIVE["ann"], "dust": 120},
        "bob": {**FIVE["bob"], "dust": 120, "active": {"opal": 1}},
    }
    g = game(seats).auction("ann", "phoenix", 120)
    assert g.state.outcome is None
    g.play("ann", "end-turn").auction("bob", "unicorn", 120).play("bob", "end-turn")
    outcome = g.state.outcome
    assert (outcome.winners, outcome.because) == (["ann"], "ZAV-END-2")
    assert [(s.seat, s.score) for s in outcome.standings] == [("ann", 20), ("bob", 11)]
    assert outcome.standings[1].parts == {"gems": 1, "tracks": 0, "artifacts": 0, "sentinels": 10}
    assert g.event("game-over")["winners"] == ["ann"]
    assert (g["ann"].vp, g["bob"].vp) == (20, 11)


@rule("ZAV-END-2")
def test_all_who_are_tied_win():
    seats = {s: {"sentinels": [c]} for s, c in zip(SEATS, ("fox", "owl", "toad"), strict=False)}
    seats["eve"] = {"active": {"emerald": 2}, "artifacts": {"spellbook": 1}, "dust": 15}
    seats["dan"], seats["fay"] = {"active": {"opal": 1}}, {"out": True}
    g = game(seats, sold=2).end_turns()
    assert g.state.outcome.winners == ["ann", "bob", "cyd", "eve"]


@rule("ZAV-END-1")
@refusal("ZAV-END-1")
def test_after_the_end_nobody_acts():
    g = game({"ann": {"sentinels": ["fox", "owl", "toad", "raven", "phoenix"]}, "bob": {}}).end_turns()
    found = g.refused("ann", "end-turn")["ZAV-END-1"]
    assert (found.reason, found.about) == ("not-your-decision", ("/actor",))
    assert (g.asked, g.kinds) == ((), ())
