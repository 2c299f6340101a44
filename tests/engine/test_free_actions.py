"""Free actions, gaps, hooks and loops, shown by the game of camp."""

import pytest

from tests.engine.games import camp
from tests.engine.kit import Play

FREE = ("sing", "whistle", "go-home")


def play():
    return Play(camp.rules)


def test_a_free_action_is_open_beside_the_window_and_does_not_advance_it():
    g = play()
    assert g.asked() == [("ann", ("scout", "quarrel", "rest")), ("ann", FREE)]
    g.do("ann", "sing")
    assert g.board.seats["ann"].songs == 1
    assert g.asked() == [("ann", ("scout", "quarrel", "rest")), ("ann", FREE)]


def test_a_free_action_reaches_through_a_nested_frame_whose_window_says_gap():
    g = play()
    g.do("ann", "scout")
    assert g.asked() == [("ann", ("say",)), ("ann", FREE)]
    g.do("ann", "sing")
    assert g.frames == ["holiday", "turn", "scout"]
    assert g.state.stack[1].sung == 1
    assert g.asked()[0] == ("ann", ("say",))


def test_requirements_of_a_free_action_read_the_frame_that_offers_it_never_the_top():
    g = play()
    g.do("ann", "sing")
    g.do("ann", "scout")
    g.do("ann", "sing")
    assert g.refused("ann", "sing") == ["TOY-CAMP-6"]
    assert g.kinds("ann") == ["say", "whistle", "go-home"]


def test_a_frame_whose_window_does_not_say_gap_hides_free_actions():
    g = play()
    g.do("ann", "quarrel")
    assert g.asked() == [("ann", ("sorry", "stamp"))]
    assert g.refused("ann", "sing") == ["TOY-CAMP-5"]
    assert g.kinds("ann") == ["sorry", "stamp"]


def test_a_free_action_taken_in_a_gap_may_call_a_frame_and_the_window_waits_for_its_return():
    g = play()
    g.do("ann", "scout")
    g.do("ann", "whistle")
    assert g.frames == ["holiday", "turn", "scout", "echo"]
    assert g.asked() == [("ann", ("listen",))]
    g.do("ann", "listen")
    assert g.frames == ["holiday", "turn", "scout"]
    assert g.asked()[0] == ("ann", ("say",))


def test_a_free_action_taken_in_a_gap_that_is_done_leaves_its_own_frame_and_all_above_it():
    g = play()
    g.do("ann", "scout")
    g.do("ann", "go-home")
    assert g.frames == ["holiday", "turn"]
    assert g.asked()[0][0] == "bob"


def test_a_free_action_of_somebody_else_is_refused_by_the_clause_of_the_turn():
    assert play().refused("bob", "sing") == ["TOY-CAMP-2"]


def test_an_again_window_asks_until_an_answer_says_next():
    g = play()
    g.do("ann", "quarrel")
    g.do("ann", "stamp")
    g.do("ann", "stamp")
    assert g.frames[-1] == "quarrel"
    g.do("ann", "stamp")
    assert g.frames[-1] == "turn"


@pytest.mark.parametrize(("find", "where"), [("bones", "dog"), ("berries", "ann")])
def test_a_hook_lets_modules_answer_in_their_order(find, where):
    g = play()
    g.do("ann", "scout")
    g.do("ann", "say", find=find)
    assert (g.board.dog if where == "dog" else g.board.seats["ann"].bag) == {find: 1}


def test_a_loop_goes_back_to_a_named_step_until_the_game_is_over():
    g = play()
    for day in (1, 2, 3):
        for seat in ("ann", "bob"):
            assert g.board.day == day
            g.do(seat, "rest")
    assert g.state.outcome.because == "TOY-CAMP-1"
    assert g.state.stack == []
    assert g.last.decisions == []
    assert g.refused("ann", "rest") == ["TOY-CAMP-1"]


def test_whole_games_at_random_keep_every_law_of_the_table():
    for seed in range(5):
        g = Play(camp.rules)
        for _ in g.random(seed, plies=150):
            pass
