"""Chapter 21, cooperative and solo games: who wins with whom, and when (ROOT-COOP-1 to -6, ROOT-SOLO-1, ROOT-WIN-3)."""

import pytest

from service.engine.problems import problems
from service.engine.ruleset import SetupRefused
from service.games.root.v1 import RULES
from service.games.root.v1.figures import FAVORS, SPIES
from service.games.root.v1.modes import humans, is_human, is_joint, opponents
from service.games.root.v1.victory import watch_points
from tests.games.root.table import OWL
from tests.games.root.together import (
    BOT,
    CATS,
    CLAIM,
    COOP,
    ELK,
    MECHANICAL,
    OWLS,
    alone,
    begun,
    joint,
)

rule, refusal = pytest.mark.rule, pytest.mark.refusal
HUMANS = ("eyrie", "alliance", "cult", "vagabond", "riverfolk")


def refused(*factions, **options):
    """Where a set-up is wrong, and by which clause."""
    with pytest.raises(SetupRefused) as said:
        begun(*factions, **options)
    return [(p.pointer, p.rule) for p in said.value.problems]


def ended(g):
    """Who won, and by which clause."""
    return None if g.state.outcome is None else (g.state.outcome.winners, g.state.outcome.because)


# -- set-up (ROOT-COOP-1, ROOT-SOLO-1) ----------------------------------------------------------------------------


@rule("ROOT-COOP-1")
@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_one_to_four_humans_play_together_against_the_bot(n):
    g = begun(MECHANICAL, *HUMANS[:n], **COOP)
    assert g.state.options["mode"] == "cooperative"
    assert humans(g.table) == list(HUMANS[:n])
    assert opponents(g.table) == [BOT]
    assert is_joint(g.table)


@refusal("ROOT-COOP-1")
def test_five_do_not_nor_any_without_the_bot():
    assert refused(MECHANICAL, *HUMANS, **COOP) == [("/seats", "ROOT-COOP-1")]
    assert refused("eyrie", "alliance", **COOP) == [("/options/mode", "ROOT-COOP-1")]
    assert [r for _, r in refused("eyrie", "alliance", mode="solo")] == ["ROOT-COOP-1", "ROOT-SOLO-1"]


def test_five_may_play_against_each_other_and_the_bot():
    assert not is_joint(begun(MECHANICAL, *HUMANS).table)


@rule("ROOT-SOLO-1", "ROOT-SETUP-4")
def test_alone_one_plays_without_favors():
    deck, together = (
        begun(MECHANICAL, "eyrie", mode=mode).board.deck.segments[0].strata[0].members
        for mode in ("solo", "cooperative")
    )
    assert (sum(deck.values()), sum(together.values())) == (51, 54)
    assert set(together) - set(deck) == set(FAVORS)
    assert set(SPIES) <= set(deck)


@refusal("ROOT-SOLO-1")
@pytest.mark.parametrize("n", [2, 3])
def test_two_are_not_alone(n):
    assert refused(MECHANICAL, *HUMANS[:n], mode="solo") == [("/options/mode", "ROOT-SOLO-1")]


@rule("ROOT-SOLO-1")
def test_no_favor_is_anywhere_in_a_solo_game():
    g = alone()
    g.state.table.discard = {"favor-of-the-mice": 1}
    assert [p.pointer for p in problems(RULES, g.state)][:1] == ["/table/discard/favor-of-the-mice"]


def test_who_is_human():
    t = joint().table
    assert [is_human(t, s) for s in (BOT, OWL, ELK)] == [False, True, True]


# -- competitive (ROOT-WIN-3) -------------------------------------------------------------------------------------

STRONG = {"1": {CATS: 3, "keep": 1}, "5": {CATS: 3}}  # the bot scores 2 for each at its Birdsong


@rule("ROOT-WIN-3")
def test_in_a_competitive_game_the_bot_wins_like_anyone_and_all_humans_lose():
    g = joint(STRONG, bot={"score": 29}, turn=BOT, options={})
    assert ended(g) == ([BOT], "ROOT-WIN-3")


@rule("ROOT-WIN-3", "ROOT-WIN-1")
def test_in_a_competitive_game_a_human_wins_alone():
    g = joint(owl={"score": 28, "crafted": CLAIM}, options={}).play(OWL, "royal-claim")
    assert ended(g) == ([OWL], "ROOT-WIN-1")


@rule("ROOT-WIN-2")
def test_of_a_human_and_the_bot_at_the_same_moment_the_turn_player_wins():
    t = joint(bot={"score": 29}, owl={"score": 29}, options={}).table.fork()
    for seat in (BOT, OWL):
        t.moved("ROOT-BATTLE-22", {"points": 1}, None, ("seats", seat, "score"))
    watch_points(t)
    assert (t.outcome.winners, t.outcome.because) == ([OWL], "ROOT-WIN-2")


# -- together (ROOT-COOP-2, ROOT-COOP-3) --------------------------------------------------------------------------


@rule("ROOT-COOP-3", "ROOT-WIN-4")
def test_a_human_who_reaches_30_plays_on():
    g = joint(owl={"score": 28, "crafted": CLAIM, "hand": ["anvil"]}).play(OWL, "royal-claim")
    assert (g.score(OWL), g[OWL].reached, g[ELK].reached, ended(g)) == (30, True, False, None)
    assert g.event("set")["because"] == "ROOT-COOP-3"
    assert g.asked == (OWL,)


@rule("ROOT-COOP-3")
def test_with_29_nobody_has_reached_them():
    g = joint(owl={"score": 27, "crafted": CLAIM}).play(OWL, "royal-claim")
    assert (g.score(OWL), g[OWL].reached) == (29, False)


@rule("ROOT-COOP-3")
def test_who_has_reached_them_scores_on():
    g = joint(owl={"score": 30, "reached": True, "crafted": CLAIM}).play(OWL, "royal-claim")
    assert (g.score(OWL), ended(g)) == (32, None)


@rule("ROOT-COOP-2", "ROOT-WIN-4")
def test_the_last_human_who_reaches_30_wins_for_all():
    g = joint(owl={"score": 28, "crafted": CLAIM}, elk={"score": 31, "reached": True})
    g.play(OWL, "royal-claim")
    assert ended(g) == ([OWL, ELK], "ROOT-COOP-2")
    assert {s.seat: s.score for s in g.state.outcome.standings} == {BOT: 6, OWL: 30, ELK: 31}
    assert g.state.outcome.next is None


@rule("ROOT-COOP-3", "ROOT-COOP-2")
def test_points_lost_since_then_count_for_nothing():
    g = joint(owl={"score": 28, "crafted": CLAIM}, elk={"score": 12, "reached": True})
    assert ended(g.play(OWL, "royal-claim")) == ([OWL, ELK], "ROOT-COOP-2")


@rule("ROOT-COOP-3")
def test_turmoil_takes_points_and_leaves_that_they_were_reached():
    owl = {"score": 30, "reached": True, "decree": {"recruit": ["codebreakers"]}}
    g = joint({"3": {"roost": 1}, "6": {}}, owl=owl, at="daylight").play(OWL, "resolve-decree")
    g.play(OWL, "decree-recruit", card="vizier", clearing="3")
    assert (g.score(OWL), g[OWL].reached, ended(g)) == (28, True, None)


@rule("ROOT-COOP-2", "ROOT-SOLO-1")
def test_alone_one_wins_at_once():
    assert ended(alone(score=28, crafted=CLAIM).play(OWL, "royal-claim")) == ([OWL], "ROOT-COOP-2")


@rule("ROOT-COOP-4")
@pytest.mark.parametrize("elk", [{"score": 0}, {"score": 40, "reached": True}])
def test_the_bot_wins_with_30_if_not_every_human_has_reached_them(elk):
    g = joint(STRONG, bot={"score": 27}, elk=elk, turn=BOT)
    assert ended(g) == ([BOT], "ROOT-COOP-4")
    assert g.state.outcome.next is None


@rule("ROOT-COOP-4")
def test_in_the_turn_of_a_human_too():
    owl = {"crafted": ["command-warren", "brutal-tactics"]}
    g = joint({"6": {OWLS: 3, CATS: 3}}, bot={"score": 29}, owl=owl, at="daylight")
    g.fight(OWL, BOT, "6", 2, 1, kind="command-warren")
    g.play(OWL, "battle-effects", cards={"brutal-tactics": 1})
    assert ended(g) == ([BOT], "ROOT-COOP-4")


@rule("ROOT-COOP-5")
def test_of_both_sides_at_the_same_moment_the_turn_players_wins():
    for turn, winners in ((OWL, [OWL, ELK]), (BOT, [BOT])):
        t = joint(bot={"score": 29}, owl={"score": 29}, elk={"score": 3, "reached": True}).table.fork()
        t.frames[0].last = t.frames[1].seat = turn
        for seat in (BOT, OWL):
            t.moved("ROOT-BATTLE-22", {"points": 1}, None, ("seats", seat, "score"))
        watch_points(t)
        assert (t.outcome.winners, t.outcome.because) == (winners, "ROOT-COOP-5")


@rule("ROOT-COOP-6", "ROOT-R-COOP-1")
def test_humans_fight_each_other_and_score_for_it():
    g = joint({"6": {OWLS: 3, "sympathy": 1}}, owl={"crafted": ["command-warren"]}, at="daylight")
    g.fight(OWL, ELK, "6", 2, 0, kind="command-warren")
    assert g.points(OWL) == [("ROOT-BATTLE-20", 1)]


def test_an_action_after_the_end_breaks_the_clause_that_ended_it():
    g = alone(score=28, crafted=CLAIM).play(OWL, "royal-claim")
    assert "ROOT-COOP-2" in g.refused(OWL, "pass")
