"""Clocks by themselves: whose time runs, what is left, and when it is up, at given times."""

from __future__ import annotations

from typing import Any

import pytest

from service.sessions import clocks
from service.sessions.clocks import Asked, Clock, Hands

NOW = 1_900_000_000_000
TURN, BANK = Clock("turn", 60), Clock("bank", 60, 5)


def begun(clock: Clock, *seats: str, **more: Any) -> Hands:
    return clocks.turned(clock, clocks.wound(clock, ["ann", "bob", "cyd"], NOW), Asked(seats, **more), NOW)


def after(clock: Clock, hands: Hands, seconds: float, *seats: str, **more: Any) -> Hands:
    return clocks.turned(clock, hands, Asked(seats, **more), hands.since + int(seconds * 1000))


def left(hands: Hands, seat: str) -> float:
    return hands.left[seat] / 1000


def test_time_runs_for_who_is_asked_and_for_nobody_else() -> None:
    hands = begun(TURN, "ann")
    assert clocks.deadlines(hands) == {"ann": NOW + 60_000}
    assert clocks.spent(hands, NOW + 10_000) == {"ann": 50_000, "bob": 60_000, "cyd": 60_000}


def test_of_several_that_are_asked_together_each_has_time_until_he_has_answered() -> None:
    hands = after(BANK, begun(BANK, "ann", "bob", "cyd"), 10, "ann", "cyd")
    assert clocks.deadlines(hands) == {"ann": NOW + 60_000, "cyd": NOW + 60_000}
    assert left(hands, "bob") == 55, "fifty are left, and five come on top"


def test_per_turn_every_stretch_has_the_whole_time() -> None:
    hands = after(TURN, begun(TURN, "ann"), 30, "bob")
    assert [left(hands, s) for s in ("ann", "bob")] == [60, 60]
    assert clocks.deadlines(hands) == {"bob": NOW + 90_000}


def test_what_a_seat_does_itself_does_not_stop_its_time() -> None:
    hands = after(TURN, after(TURN, begun(TURN, "ann"), 30, "ann"), 20, "ann")
    assert clocks.deadlines(hands) == {"ann": NOW + 60_000}
    bank = after(BANK, after(BANK, begun(BANK, "ann"), 30, "ann"), 20, "ann")
    assert clocks.deadlines(bank) == {"ann": NOW + 60_000}, "and earns it nothing"


def test_a_bank_is_for_the_whole_game_and_the_increment_comes_when_others_are_asked() -> None:
    hands = after(BANK, begun(BANK, "ann"), 30, "bob")
    assert left(hands, "ann") == 35
    hands = after(BANK, hands, 10, "ann")
    assert (left(hands, "ann"), left(hands, "bob")) == (35, 55)
    assert clocks.deadlines(hands) == {"ann": hands.since + 35_000}


def test_while_chance_is_waited_for_nobodys_time_runs_and_no_stretch_ends() -> None:
    for clock in (TURN, BANK):
        waiting = after(clock, begun(clock, "ann"), 30)
        assert clocks.deadlines(waiting) == {}
        again = after(clock, waiting, 100, "ann")
        assert clocks.deadlines(again) == {"ann": again.since + 30_000}


def test_when_all_is_over_it_stands_as_it_stood() -> None:
    over = after(TURN, clocks.known(begun(TURN, "ann"), ["ann"]), 70)
    assert (over.left, over.up, over.running) == ({"ann": 0, "bob": 60_000, "cyd": 60_000}, ("ann",), ())


def test_for_whom_the_prudent_player_acts_no_time_runs_and_none_is_earned() -> None:
    hands = after(BANK, begun(BANK, "ann", automated=("ann",)), 30, "bob", automated=("ann",))
    assert left(hands, "ann") == 60
    assert clocks.deadlines(hands) == {"bob": hands.since + 60_000}


def test_the_clock_stands_until_all_seats_are_taken() -> None:
    hands = begun(TURN, "ann", complete=False)
    assert clocks.deadlines(hands) == {}
    hands = after(TURN, hands, 500, "ann")
    assert clocks.deadlines(hands) == {"ann": hands.since + 60_000}
    later = after(TURN, hands, 10, "ann", complete=False)
    assert clocks.deadlines(later) == {"ann": hands.since + 60_000}, "once begun it does not stop"


def test_time_is_up_at_the_deadline_and_not_before() -> None:
    hands = begun(TURN, "ann")
    assert clocks.up(hands, NOW + 59_999) == {}
    assert clocks.up(hands, NOW + 60_000) == {"ann": NOW + 60_000}
    assert clocks.up(hands, NOW + 99_999) == {"ann": NOW + 60_000}, "it was then"
    assert clocks.next_up(hands) == NOW + 60_000


def test_time_that_is_up_is_told_once_a_stretch() -> None:
    hands = clocks.known(begun(TURN, "ann"), ["ann"])
    assert clocks.up(hands, NOW + 99_999) == {}
    assert clocks.next_up(hands) is None
    again = after(TURN, after(TURN, hands, 100, "bob"), 1, "ann")
    assert clocks.up(again, again.since + 60_000) == {"ann": again.since + 60_000}


def test_an_empty_bank_is_told_once_until_there_is_time_again() -> None:
    plain = Clock("bank", 60)
    hands = clocks.known(begun(plain, "ann"), ["ann"])
    again = after(plain, after(plain, hands, 70, "bob"), 1, "ann")
    assert (again.up, clocks.up(again, again.since + 1)) == (("ann",), {})
    hands = clocks.known(begun(BANK, "ann"), ["ann"])
    again = after(BANK, after(BANK, hands, 70, "bob"), 1, "ann")
    assert again.up == ()
    assert clocks.deadlines(again) == {"ann": again.since + 5_000}


@pytest.mark.parametrize(("clock", "then"), [(TURN, 60), (BANK, 5), (Clock("bank", 60), 0)])
def test_who_is_there_again_has_the_time_of_a_turn_or_the_increment(clock: Clock, then: int) -> None:
    hands = clocks.resumed(clock, clocks.known(begun(clock, "ann"), ["ann"]), "ann")
    assert (left(hands, "ann"), hands.up) == (then, ())
    more = begun(BANK, "ann")
    assert clocks.resumed(BANK, more, "ann").left["ann"] == 60_000, "it takes nothing away"


def test_a_machine_whose_time_is_behind_gives_and_takes_nothing() -> None:
    hands = after(BANK, begun(BANK, "ann"), 30, "ann")
    early = clocks.turned(BANK, hands, Asked(["ann"]), NOW)
    assert (early.left, early.since) == (hands.left, hands.since)


def test_more_time_than_there_was_is_not_owed() -> None:
    hands = after(BANK, begun(BANK, "ann"), 500, "bob")
    assert left(hands, "ann") == 5


def test_a_moment_as_it_is_told() -> None:
    assert clocks.written(NOW + 7) == "2030-03-17T17:46:40.007Z"
