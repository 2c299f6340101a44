"""Automated seats and clockwork, set-up, positions and the fuse, shown by the game of the clock."""

import pytest

from service.engine import control, flow
from service.engine.flow import RulesFault, Runaway, advance
from service.engine.judge import judge
from service.engine.options import options
from service.engine.ruleset import SetupRefused, SetupSeat
from service.engine.setup import PositionRefused, Setup, start
from service.engine.state import ChanceState, encode
from tests.engine.games import clock
from tests.engine.kit import Play, drawn


def play(*seats, **more):
    return Play(clock.rules, *seats, **more)


# -- who plays --------------------------------------------------------------------------------------------------------


def test_a_rival_run_by_procedures_moves_without_an_action_and_its_events_name_its_rule():
    g = play("ann")
    g.do("ann", "lay", pins=1)
    answer = g.do("chance", "coin", heads=True)
    assert [e["because"] for e in g.events()] == ["TOY-CLOCK-3", "TOY-CLOCK-3"]
    assert [p.action["kind"] for p in answer.played] == ["coin"]
    assert g.board.clockwork == 1


def test_an_automated_seat_is_played_by_the_prudent_player_and_its_actions_are_played_like_all_others():
    g = play("ann", "bot", automated=("bot",))
    answer = g.do("ann", "lay", pins=1)
    assert [p.action for p in answer.played] == [
        {"kind": "lay", "actor": "ann", "pins": 1},
        {"kind": "lay", "actor": "bot", "pins": 2},
    ]
    assert g.asked() == [("chance", ("coin",))]


def test_a_game_of_automated_seats_and_seeded_chance_plays_itself_to_its_end():
    g = play("b1", "b2", automated=("b1", "b2"), mode="seeded", draws=drawn(2))
    assert g.state.outcome.because == "TOY-CLOCK-1"
    assert sum(s.score for s in g.state.outcome.standings) + g.board.clockwork == 12


def test_what_an_automated_seat_does_is_judged_too(monkeypatch):
    monkeypatch.setattr(clock.rules, "prudent", lambda t, seat: clock.Lay(t, t.frames[-1], seat, {"pins": 3}))
    with pytest.raises(RulesFault, match="may not do this"):
        play("ann", "bot", automated=("bot",)).do("ann", "lay", pins=1)


def test_a_prudent_player_that_knows_no_answer_leaves_the_seat_to_its_people(monkeypatch):
    monkeypatch.setattr(clock.rules, "prudent", lambda t, seat: None)
    g = play("ann", "bot", automated=("bot",))
    g.do("ann", "lay", pins=1)
    assert g.asked() == [("bot", ("lay",))]
    g.do("bot", "lay", pins=1)


def test_a_list_of_options_lets_nobody_act_by_itself():
    g = play("ann", "bot", automated=("bot",))
    before = encode(g.state)
    assert [o.act.pins for o in options(g.table)] == [1, 2]
    assert encode(g.state) == before


# -- set-up -----------------------------------------------------------------------------------------------------------


def setup(*seats, **more):
    return Setup(seats or (SetupSeat("ann"),), "toy", ChanceState("given"), **more)


def test_options_take_their_default_and_the_values_that_are_named():
    assert dict(play().state.options) == {"goal": 12, "strict": False}
    assert play(given={"goal": 24}).table.options["goal"] == 24


def test_wishes_of_a_seat_reach_the_board():
    started = start(clock.rules, setup(SetupSeat("ann", choice={"badge": "sun"})))
    assert started.state.table.seats["ann"].badge == "sun"


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        (setup(*[SetupSeat(s) for s in "abcd"]), "/seats"),
        (setup(SetupSeat("ann"), SetupSeat("ann")), "/seats/1/id"),
        (setup(SetupSeat("chance")), "/seats/0/id"),
        (setup(SetupSeat("Ann")), "/seats/0/id"),
        (setup(SetupSeat("ann\n")), "/seats/0/id"),
        (setup(SetupSeat("")), "/seats/0/id"),
        (setup(SetupSeat("a" * 33)), "/seats/0/id"),
        (setup(SetupSeat("ann", choice={"badge": "star"})), "/seats/0/badge"),
        (setup(SetupSeat("ann", choice={"hat": "sun"})), "/seats/0/hat"),
        (setup(options={"goal": 7}), "/options/goal"),
        (setup(options={"goal": True}), "/options/goal"),
        (setup(options={"strict": 0}), "/options/strict"),
        (setup(options={"size": 1}), "/options/size"),
    ],
)
def test_a_set_up_that_the_rules_do_not_allow_is_refused_where_it_is_wrong(given, pointer):
    with pytest.raises(SetupRefused) as refused:
        start(clock.rules, given)
    assert [p.pointer for p in refused.value.problems] == [pointer]


def test_every_reason_why_a_set_up_is_refused_is_told():
    seats = (SetupSeat("ann"), SetupSeat("ann", choice={"hat": "sun"}), SetupSeat("chance"))
    with pytest.raises(SetupRefused) as refused:
        start(clock.rules, setup(*seats, options={"goal": 7, "size": 1}))
    assert [p.pointer for p in refused.value.problems] == [
        "/seats/1/id", "/seats/1/hat", "/seats/2/id", "/options/goal", "/options/size"
    ]  # fmt: skip


def test_an_automated_seat_needs_somebody_who_can_play_for_it(monkeypatch):
    monkeypatch.setattr(clock.rules, "prudent", None)
    with pytest.raises(SetupRefused, match="nobody can play"):
        start(clock.rules, setup(SetupSeat("ann", automated=True)))


# -- positions --------------------------------------------------------------------------------------------------------


def board(ann, bob, pins):
    seats = {"ann": clock.Player(ann), "bob": clock.Player(bob)}
    return clock.Board(seats, {"pin": pins}, {"pin": clock.PINS - pins})


def test_a_game_may_start_from_a_position_and_goes_on_from_there():
    g = play("ann", "bob", position=board(4, 2, 6))
    assert g.frames == ["game", "turn"]
    assert g.asked() == [("bob", ("lay",))]
    g.do("bob", "lay", pins=2)
    assert g.board.pile == {"pin": 8}


def test_a_position_that_cannot_exist_is_refused_with_all_its_problems():
    with pytest.raises(PositionRefused) as refused:
        play("ann", "bob", position=board(4, 2, 7))
    assert [(p.pointer, p.rule) for p in refused.value.problems] == [("/position/pile", "TOY-CLOCK-2")]
    with pytest.raises(PositionRefused) as refused:
        play("ann", "cyd", position=board(4, 2, 6))
    assert {p.pointer for p in refused.value.problems} == {"/position/seats", "/position/seats/bob"}


def test_a_game_without_a_place_to_go_on_from_starts_from_its_beginning_alone(monkeypatch):
    monkeypatch.setattr(clock.rules, "_resume", None)
    with pytest.raises(SetupRefused, match="beginning"):
        play("ann", "bob", position=board(4, 2, 6))


def test_a_position_is_not_changed_by_the_game_that_starts_from_it():
    position = board(4, 2, 6)
    before = encode(position)
    g = play("ann", "bob", position=position)
    g.do("bob", "lay", pins=2)
    assert encode(position) == before


# -- the fuse and other faults of rules -------------------------------------------------------------------------------


def running(*steps, state=None):
    """The table of a clock game whose game frame runs these steps instead."""
    g = play("ann")
    t = g.table.fork()
    t.rules = type("Rules", (), dict(vars(clock.rules)))()
    t.rules.procedures = dict(clock.rules.procedures)
    from service.engine.frames import Procedure, Step

    t.rules.procedures[clock.Game] = Procedure(
        clock.Game, tuple(Step(s) for s in steps), may_call=(clock.Turn,)
    )
    t.rules.name, t.rules.watches = "clock 1.0", []
    t.frames = [clock.Game(step=t.rules.procedures[clock.Game].first)]
    return t


def test_a_fuse_stops_steps_that_never_come_to_rest():
    def again(t, frame):
        return control.AGAIN

    with pytest.raises(Runaway, match="clock 1"):
        advance(running(again))


def test_a_fuse_stops_frames_that_call_each_other_for_ever():
    def call(t, frame):
        return control.calls(clock.Game(), again=True)

    with pytest.raises(Runaway):
        advance(running(call))


def test_a_fuse_stops_chance_and_automated_seats_that_go_on_for_ever(monkeypatch):
    monkeypatch.setattr(flow, "FUSE", 50)
    monkeypatch.setattr(clock.rules, "watches", [])
    monkeypatch.setattr(clock.Coin, "resolve", lambda self, t: None)
    monkeypatch.setattr(clock.Lay, "resolve", lambda self, t: None)
    with pytest.raises(Runaway, match="for ever"):
        play("b1", automated=("b1",), mode="seeded", draws=drawn(2))


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (control.END, "how it ended"),
        (control.DONE, "no outcome"),
        (None, "nothing has ended the game"),
        (control.Marker("maybe"), "no control flow"),
        (control.Goto("nowhere"), "no step"),
        (control.Unwind(clock.Turn, "TOY-CLOCK-1"), "nothing on the stack"),
    ],
)
def test_a_step_that_answers_what_cannot_be_followed_is_a_fault_of_the_rules(answer, says):
    def step(t, frame):
        return answer

    with pytest.raises(RulesFault, match=says):
        advance(running(step))


def test_rules_that_change_a_value_in_place_are_caught_by_the_guard_of_these_tests(monkeypatch):
    monkeypatch.setattr(clock.Lay, "resolve", lambda self, t: t.board.pile.update(pin=1))
    with pytest.raises(AssertionError, match="has changed the state"):
        play().judged("ann", "lay", pins=1)


def test_a_refused_action_changes_nothing_and_tells_nothing():
    g = play()
    before = encode(g.state)
    refused = judge(g.rules, g.state, {"kind": "lay", "actor": "bob", "pins": 2})
    assert (refused.legal, refused.state, refused.events, refused.played) == (False, None, (), ())
    assert encode(g.state) == before
