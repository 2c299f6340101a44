"""Simultaneous secret answers, shown by the game of whisper."""

import pytest

from service.engine.problems import problems
from tests.engine.games import whisper
from tests.engine.kit import Play


def play(*seats, **more):
    return Play(whisper.rules, *(seats or ("ann", "bob", "cyd")), **more)


def test_all_are_asked_at_once_and_may_answer_in_any_order():
    g = play()
    assert [actor for actor, _ in g.asked()] == ["ann", "bob", "cyd"]
    g.do("bob", "sit-out")
    assert [actor for actor, _ in g.asked()] == ["ann", "cyd"]
    assert g.refused("bob", "whisper", number="1") == ["TOY-WHISPER-2"]


def test_an_answer_is_judged_as_it_comes():
    g = play()
    for seat in g.table.seats:
        g.do(seat, "whisper", number="4")
    for seat in g.table.seats:
        g.do(seat, "stop")
    assert g.refused("ann", "whisper", number="4") == ["TOY-WHISPER-3"]


def test_a_sealed_answer_is_in_its_own_seats_view_and_only_its_being_there_in_others():
    g = play()
    g.do("ann", "whisper", number="3")
    assert g.view("ann")["stack"][0]["sealed"] == {"ann": {"kind": "whisper", "number": "3"}}
    for other in ("bob", None):
        assert g.view(other)["stack"][0]["sealed"] == {"ann": None}


def test_others_see_the_same_whichever_kind_was_sealed():
    whispered, sat_out = play(), play()
    whispered.do("ann", "whisper", number="3")
    sat_out.do("ann", "sit-out")
    assert whispered.view("bob") == sat_out.view("bob")
    assert whispered.last.decisions == sat_out.last.decisions


def test_nothing_happens_and_nothing_counts_as_played_before_the_last_answer_is_in():
    g = play()
    for seat in ("ann", "bob"):
        answer = g.do(seat, "whisper", number="3")
        assert not answer.events
        assert not answer.played
        assert g.board.spent == {}


def test_the_last_answer_opens_all_of_them_in_the_order_of_the_window():
    g = play()
    g.do("cyd", "whisper", number="2")
    g.do("bob", "sit-out")
    last = g.do("ann", "whisper", number="3")
    assert [p.action["actor"] for p in last.played] == ["ann", "bob", "cyd"]
    assert [p.seen_by("cyd")["kind"] for p in last.played] == ["whisper", "sit-out", "whisper"]
    assert g.board.spent == {"2": 1, "3": 1}
    assert g.board.seats["ann"].prizes == 1
    assert g.state.stack[0].sealed == {}


def test_a_simultaneous_window_may_ask_again_until_an_answer_says_next():
    g = play("ann", "bob")
    for seat in ("ann", "bob"):
        g.do(seat, "sit-out")
    for verse in (2, 4):
        for seat in ("ann", "bob"):
            g.do(seat, "sing-on")
        assert g.board.verses == verse
    g.do("ann", "sing-on")
    g.do("bob", "stop")
    assert g.board.round == 2


def test_answers_of_a_simultaneous_window_may_call_frames_which_run_in_order():
    g = play("ann", "bob")
    for kind in ("sit-out", "bow"):
        for seat in ("ann", "bob"):
            g.do(seat, kind)
    assert g.frames == ["game", "applause", "applause"]
    assert g.asked() == [("ann", ("enjoy",))]
    g.do("ann", "enjoy")
    assert g.asked() == [("bob", ("enjoy",))]
    g.do("bob", "enjoy")
    assert [actor for actor, _ in g.asked()] == ["ann", "bob"]


def test_an_automated_seat_answers_by_itself_sealed_like_all_others():
    g = play("ann", "bot", automated=("bot",))
    assert g.view("bot")["stack"][0]["sealed"] == {"bot": {"kind": "whisper", "number": "4"}}
    assert g.view("ann")["stack"][0]["sealed"] == {"bot": None}
    assert g.asked() == [("ann", ("whisper", "sit-out"))]


@pytest.mark.parametrize(
    "sealed",
    [
        {"ann": {"kind": "whisper", "number": "9"}},
        {"ann": {"kind": "whisper"}},
        {"ann": {"kind": "sit-out", "actor": "bob"}},
        {"ann": {"kind": ["sit-out"]}},
        {"ann": "sit-out"},
        {"ann": None},
        {"zoe": {"kind": "sit-out"}},
        {"ann": {"kind": "sit-out"}, "bob": {"kind": "sit-out"}, "cyd": {"kind": "sit-out"}},
    ],
)
def test_a_posted_answer_that_could_not_have_been_given_is_a_problem(sealed):
    g = play()
    g.state.stack[0].sealed = sealed
    assert problems(g.rules, g.state)


def test_a_posted_answer_where_none_is_due_is_a_problem():
    g = play()
    for kind in ("sit-out", "bow"):
        for seat in g.table.seats:
            g.do(seat, kind)
    g.state.stack[0].step = "go-on"
    assert problems(g.rules, g.state) == []
    g.state.stack[0].sealed = {"ann": {"kind": "stop"}}
    assert [p.pointer for p in problems(g.rules, g.state)] == ["/stack/0/sealed"]


def test_whole_games_at_random_keep_every_law_of_the_table():
    for seed in range(5):
        for _ in play().random(seed):
            pass
