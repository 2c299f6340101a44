"""Windows for other seats inside a turn, and results that flow back to whoever called, shown by the game of ferry."""

from service.engine.table import Table
from tests.engine.games import ferry
from tests.engine.kit import Play


def play():
    return Play(ferry.rules, "ann", "bob", "cyd")


def test_a_window_inside_my_turn_asks_another_seat_and_me_no_more():
    g = play()
    g.do("ann", "hire", owner="cyd")
    assert g.asked() == [("cyd", ("toll", "decline"))]
    assert g.refused("ann", "toll", coins=1) == ["TOY-FERRY-3"]


def test_the_value_of_done_is_the_result_of_the_caller_which_hands_it_on():
    g = play()
    g.do("ann", "hire", owner="cyd")
    g.do("cyd", "toll", coins=2)
    assert g.board.seats["ann"].crossings == 1
    assert g.frames == ["journey", "trip"]
    assert g.asked()[0][0] == "bob"


def test_another_result_takes_the_caller_another_way():
    g = play()
    g.do("ann", "hire", owner="cyd")
    g.do("cyd", "decline")
    assert g.board.seats["ann"].crossings == 0


def test_frames_called_together_run_in_order_and_wait_without_having_begun():
    g = play()
    g.do("ann", "call-vote")
    assert [f.step for f in g.state.stack[1:]] == ["hand-over", "", "vote"]
    assert g.asked() == [("bob", ("aye", "nay"))]
    g.do("bob", "aye")
    assert g.asked() == [("cyd", ("aye", "nay"))]


def test_results_of_frames_called_together_go_to_the_caller_not_to_the_frame_below():
    g = play()
    g.do("ann", "call-vote")
    g.do("bob", "aye")
    assert g.state.stack[1].result == 1
    assert g.state.stack[2].result == 99
    g.do("cyd", "aye")
    assert g.board.seats["ann"].crossings == 1


def test_the_caller_of_a_frame_is_found_past_those_that_wait_and_the_first_has_none():
    g = play()
    g.do("ann", "call-vote")
    t = Table(g.rules, g.state)
    journey, trip, waiting, vote = t.frames
    assert t.below(vote) is trip
    assert t.below(waiting) is trip
    assert t.below(trip) is journey
    assert t.below(journey) is None


def test_a_wrong_actor_and_a_broken_requirement_are_reported_together():
    assert play().refused("bob", "hire", owner="bob") == ["TOY-FERRY-7", "TOY-FERRY-5"]


def test_a_kind_that_the_window_does_not_take_from_somebody_who_is_not_asked_breaks_both_clauses():
    assert play().refused("bob", "aye") == ["TOY-FERRY-7", "TOY-FERRY-2"]


def test_whole_games_at_random_keep_every_law_of_the_table():
    for seed in range(5):
        for _ in play().random(seed):
            pass
