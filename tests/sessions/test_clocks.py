"""Clocks by themselves: whose time runs, what is left, and when it is up, at given times."""

from __future__ import annotations

import random
from collections import Counter
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
    over = after(TURN, clocks.known(begun(TURN, "ann"), {"ann": NOW + 60_000}), 70)
    assert (over.left, over.up, over.running) == ({"ann": 0, "bob": 60_000, "cyd": 60_000}, ("ann",), ())


def test_for_whom_the_prudent_player_acts_no_time_runs_and_none_is_earned() -> None:
    hands = after(BANK, begun(BANK, "ann", automated=("ann",)), 30, "bob", automated=("ann",))
    assert left(hands, "ann") == 60
    assert clocks.deadlines(hands) == {"bob": hands.since + 60_000}


def test_the_clock_stands_until_all_seats_are_taken() -> None:
    hands = begun(TURN, "ann", absent=("bob",))
    assert clocks.deadlines(hands) == {}
    hands = after(TURN, hands, 500, "ann")
    assert clocks.deadlines(hands) == {"ann": hands.since + 60_000}
    later = after(TURN, hands, 10, "ann", absent=("bob",))
    assert clocks.deadlines(later) == {"ann": hands.since + 60_000}, "once begun it does not stop"


def test_time_is_up_at_the_deadline_and_not_before() -> None:
    hands = begun(TURN, "ann")
    assert clocks.up(hands, NOW + 59_999) == {}
    assert clocks.up(hands, NOW + 60_000) == {"ann": NOW + 60_000}
    assert clocks.up(hands, NOW + 99_999) == {"ann": NOW + 60_000}, "it was then"
    assert clocks.next_up(hands) == NOW + 60_000


def test_time_that_is_up_is_told_once_a_stretch() -> None:
    hands = clocks.known(begun(TURN, "ann"), {"ann": NOW + 60_000})
    assert clocks.up(hands, NOW + 99_999) == {}
    assert clocks.next_up(hands) is None
    again = after(TURN, after(TURN, hands, 100, "bob"), 1, "ann")
    assert clocks.up(again, again.since + 60_000) == {"ann": again.since + 60_000}


def test_an_empty_bank_is_told_once_until_there_is_time_again() -> None:
    plain = Clock("bank", 60)
    hands = clocks.known(begun(plain, "ann"), {"ann": NOW + 60_000})
    again = after(plain, after(plain, hands, 70, "bob"), 1, "ann")
    assert (again.up, clocks.up(again, again.since + 1)) == (("ann",), {})
    hands = clocks.known(begun(BANK, "ann"), {"ann": NOW + 60_000})
    again = after(BANK, after(BANK, hands, 70, "bob"), 1, "ann")
    assert again.up == ()
    assert clocks.deadlines(again) == {"ann": again.since + 5_000}


@pytest.mark.parametrize(("clock", "then"), [(TURN, 60), (BANK, 5), (Clock("bank", 60), 0)])
def test_who_is_there_again_has_the_time_of_a_turn_or_the_increment(clock: Clock, then: int) -> None:
    hands = clocks.resumed(clock, clocks.known(begun(clock, "ann"), {"ann": NOW + 60_000}), "ann")
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


def test_who_was_there_once_counts_when_he_has_left() -> None:
    hands = begun(TURN, "ann", absent=("ann", "bob", "cyd"))
    hands = after(TURN, hands, 10, "ann", absent=("bob", "cyd"))
    hands = after(TURN, hands, 10, "ann", absent=("ann", "cyd"))
    assert clocks.deadlines(hands) == {}
    hands = after(TURN, hands, 10, "ann", absent=("ann", "bob"))
    assert clocks.deadlines(hands) == {"ann": hands.since + 60_000}


def test_the_moment_at_which_time_was_up_stays() -> None:
    for clock in (TURN, BANK):
        hands = after(clock, begun(clock, "ann"), 70, "ann")
        assert clocks.up(hands, hands.since) == {"ann": NOW + 60_000}, "a version that came about later"
        hands = after(clock, clocks.known(hands, {"ann": NOW + 60_000}), 50, "ann")
        assert clocks.deadlines(hands) == {"ann": NOW + 60_000}


def test_the_clock_of_a_session_that_is_over_shows_the_moment_of_its_end() -> None:
    hands = clocks.stopped(begun(TURN, "ann", "bob"), NOW + 10_000)
    assert hands.left == {"ann": 50_000, "bob": 50_000, "cyd": 60_000}
    assert after(TURN, hands, 99).left == hands.left


# -- going back ---------------------------------------------------------------------------------------------------


def back(clock: Clock, hands: Hands, to: Hands, seconds: float = 0) -> Hands:
    """Back to where the clock stood before, after so many seconds."""
    now = hands.since + int(seconds * 1000)
    return clocks.turned(clock, clocks.went_back(clock, hands, clocks.mark(to), now), Asked(to.asked), now)


def test_per_turn_a_stretch_goes_on_with_what_was_left_of_it() -> None:
    first = begun(TURN, "ann")
    second = after(TURN, first, 50, "bob")
    again = back(TURN, second, first, 5)
    assert (left(again, "ann"), left(again, "bob")) == (10, 55)
    assert clocks.deadlines(again) == {"ann": again.since + 10_000}
    assert left(after(TURN, again, 3, "bob"), "bob") == 55, "and so does the next one of the other"
    third = after(TURN, after(TURN, again, 3, "bob"), 1, "ann")
    assert left(third, "ann") == 60
    assert left(back(TURN, third, first), "ann") == 7


def test_of_a_bank_an_increment_is_taken_back() -> None:
    first = begun(BANK, "ann")
    second = after(BANK, first, 10, "bob")
    third = after(BANK, second, 10, "ann")
    assert (left(third, "ann"), left(third, "bob")) == (55, 55)
    again = back(BANK, third, first, 20)
    assert (left(again, "ann"), left(again, "bob")) == (35, 50)
    again = after(BANK, again, 0, "bob")
    assert left(again, "ann") == 35, "what was used later is used"
    assert left(back(BANK, again, second), "ann") == 35


def test_a_bank_that_had_no_more_has_no_more_again() -> None:
    first = begun(BANK, "ann")
    second = after(BANK, first, 60, "bob")
    assert left(second, "ann") == 5
    again = back(BANK, second, first)
    assert left(again, "ann") == 0
    assert clocks.up(again, again.since) == {"ann": again.since}


def test_to_answer_together_and_to_take_it_back_earns_nothing() -> None:
    first = begun(BANK, "ann", "bob")
    hands = after(BANK, first, 0, "bob")
    assert left(hands, "ann") == 65
    assert back(BANK, hands, first).left == first.left


def test_time_anew_for_who_is_there_again_is_given_once_a_stretch() -> None:
    for clock in (TURN, BANK):
        hands = clocks.known(begun(clock, "ann"), {"ann": NOW + 60_000})
        hands = clocks.resumed(clock, hands, "ann")
        hands = clocks.known(hands, {"ann": NOW + 99_000})
        again = clocks.resumed(clock, hands, "ann")
        assert (left(again, "ann"), again.up) == (0, ())
        nothing = clocks.known(begun(clock, "ann"), {"ann": NOW + 60_000})
        assert left(clocks.resumed(clock, nothing, "ann", fresh=False), "ann") == 0


def test_what_is_known_of_a_clock_does_not_grow_for_ever() -> None:
    from service.sessions.stretches import MOST

    for clock in (TURN, BANK):
        first = hands = begun(clock, "ann")
        for turn in range(3 * MOST):
            hands = after(clock, hands, 1 if turn else 50, "bob" if turn % 2 == 0 else "ann")
        assert len(hands.row("ann").lefts) == MOST
        assert left(back(clock, hands, first), "ann") == 10, "the least that was left in any of those before"


class Table:
    """A table where seats are asked in turn, all at once every third time; it goes on, back, and elsewhere again.

    `thought`: how long each seat has in which of its stretches, as whoever watches counts it.
    """

    SEATS = ("ann", "bob", "cyd")

    def __init__(self, clock: Clock, chosen: random.Random) -> None:
        self.clock, self.chosen, self.now = clock, chosen, NOW
        self.automated: set[str] = set()
        self.versions: list[tuple[tuple[str, ...], dict[str, int], Hands]] = []
        self.thought: dict[str, Counter[int]] = {seat: Counter() for seat in self.SEATS}
        self.asked, self.stretch = self.SEATS[:1], dict.fromkeys(self.SEATS, 0)
        self.came(begun(clock, *self.asked))

    def came(self, hands: Hands) -> None:
        self.hands = hands
        self.versions.append((self.asked, dict(self.stretch), hands))

    def wait(self) -> None:
        ms = self.chosen.choice((0, 1, 900, 7_000, 25_000))
        for seat in self.hands.running:
            used = min(ms, clocks.spent(self.hands, self.now)[seat])
            self.thought[seat][self.stretch[seat]] += used
        self.now += ms

    def act(self) -> None:
        others = len(self.asked) > 1 or self.chosen.random() < 0.3
        asked = (
            self.asked[1:]
            if others and len(self.asked) > 1
            else self.chosen.choice((self.SEATS, self.asked, *([s] for s in self.SEATS)))
        )
        for seat in set(self.asked) - set(asked):
            self.stretch[seat] += 1
        self.asked = tuple(asked)
        self.came(self.turned(self.hands))

    def turned(self, hands: Hands) -> Hands:
        return clocks.turned(self.clock, hands, Asked(self.asked, self.automated), self.now)

    def go_back(self) -> None:
        recent = self.chosen.random() < 0.7
        self.asked, stretch, to = self.chosen.choice(self.versions[-4:] if recent else self.versions)
        self.stretch = dict(stretch)
        hands = self.hands
        if self.automated and self.chosen.random() < 0.5:  # an undo of what was done for a seat
            hands = self.there_again(fresh=False)
        self.came(self.turned(clocks.went_back(self.clock, hands, clocks.mark(to), self.now)))

    def look(self) -> None:
        """Whose time is up is told, and the prudent player acts for him."""
        late = clocks.up(self.hands, self.now)
        self.automated |= late.keys()
        self.came(self.turned(clocks.known(self.hands, late)))

    def take_back(self) -> None:
        if self.automated:
            self.came(self.turned(self.there_again(fresh=True)))

    def there_again(self, fresh: bool) -> Hands:
        seat = self.chosen.choice(sorted(self.automated))
        self.automated.remove(seat)
        return clocks.resumed(self.clock, self.hands, seat, fresh)


@pytest.mark.parametrize("clock", [TURN, BANK, Clock("bank", 60), Clock("bank", 20, 30)])
@pytest.mark.parametrize("seed", range(40))
def test_in_its_first_stretches_a_seat_never_thinks_longer_than_without_going_back(
    clock: Clock, seed: int
) -> None:
    """Per turn that is so much in each; of a bank, in the first n together, its seconds and n - 1 increments."""
    chosen = random.Random(seed)
    table = Table(clock, chosen)
    for _ in range(80):
        chosen.choice((table.wait, table.wait, table.act, table.act, table.go_back))()
        for seat, thought in table.thought.items():
            if clock.per == "turn":
                assert max(thought.values(), default=0) <= 60_000
                continue
            for n in range(max(thought, default=0) + 1):
                together = sum(ms for at, ms in thought.items() if at <= n)
                assert together <= 1000 * (clock.seconds + n * clock.increment), seat


@pytest.mark.parametrize("clock", [TURN, BANK, Clock("bank", 20, 30)])
@pytest.mark.parametrize("seed", range(40))
def test_nor_where_others_act_for_who_is_late_beyond_what_he_has_anew_once_a_stretch(
    clock: Clock, seed: int
) -> None:
    chosen = random.Random(seed)
    table = Table(clock, chosen)
    for _ in range(120):
        chosen.choice((table.wait, table.wait, table.look, table.act, table.go_back, table.take_back))()
        for thought in table.thought.values():
            if clock.per == "turn":
                assert max(thought.values(), default=0) <= 2 * 60_000
                continue
            for n in range(max(thought, default=0) + 1):
                together = sum(ms for at, ms in thought.items() if at <= n)
                assert together <= 1000 * (clock.seconds + (2 * n + 1) * clock.increment)
