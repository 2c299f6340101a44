"""The use cases between the wire and the engine."""

from __future__ import annotations

from typing import Any

import pytest

from service.engine.judge import Judgement
from service.engine.ruleset import Ruleset, SetupRefused, SetupSeat
from service.engine.state import encode
from service.sessions import referee
from service.sessions.fairness import Fairness
from tests.http import toy

SEATS = (SetupSeat("ann"), SetupSeat("bob"))
FAIRNESS = Fairness(lambda: bytes(32))
END = {"kind": "end-turn", "actor": "ann"}


@pytest.fixture
def rules() -> Ruleset:
    return toy.make()


def begun(rules: Ruleset, **wish: Any) -> Any:
    return referee.set_up(rules, referee.Wish(SEATS, **{"seed": "s", **wish}), FAIRNESS).state


def judged(rules: Ruleset, state: Any, *actions: Any, explain: bool = False) -> Judgement:
    return referee.adjudicate(rules, state, actions, FAIRNESS, explain)


def test_a_fresh_state_is_issued_and_a_posted_one_is_foreign(rules: Ruleset) -> None:
    state = begun(rules)
    assert state.provenance == "issued"
    assert referee.admit(rules, state, FAIRNESS).provenance == "foreign"


def test_judging_changes_nothing_of_the_state(rules: Ruleset) -> None:
    state = begun(rules)
    before = encode(state)
    judged(rules, state, END)
    judged(rules, state, {**END, "actor": "bob"})
    assert encode(state) == before


def test_an_impossible_state_is_not_admitted(rules: Ruleset) -> None:
    state = begun(rules)
    state.table.discard = {"plum": 9}
    with pytest.raises(referee.ImpossibleState) as refused:
        referee.admit(rules, state, FAIRNESS)
    assert refused.value.problems == referee.problems(rules, state, FAIRNESS)


def test_figures_that_the_game_does_not_have_are_a_problem(rules: Ruleset) -> None:
    state = begun(rules)
    state.house = {"cards": 1}
    assert [p.pointer for p in referee.problems(rules, state, FAIRNESS)] == ["/house/cards"]


def test_rules_that_break_down_blame_the_state(rules: Ruleset, caplog: pytest.LogCaptureFixture) -> None:
    state = begun(rules)
    rules.watch(lambda t: 1 / 0)  # type: ignore[arg-type, return-value]
    with pytest.raises(referee.UnplayableState):
        judged(rules, state, END)
    assert "broke down" in caplog.text


def test_an_automated_seat_needs_a_prudent_player(rules: Ruleset) -> None:
    rules.prudent = None
    with pytest.raises(SetupRefused) as refused:
        referee.set_up(rules, referee.Wish([SEATS[0], SetupSeat("bob", automated=True)]), FAIRNESS)
    assert [p.pointer for p in refused.value.problems] == ["/seats/1/automated"]


def test_a_line_is_judged_whole_and_explained(rules: Ruleset) -> None:
    state = begun(rules)
    found = judged(rules, state, END, {**END, "actor": "bob"}, explain=True)
    assert found.state is not None
    assert found.state.turn == 2
    assert judged(rules, state, END, END).at == 1


def test_the_same_question_has_the_same_id_whoever_asks(rules: Ruleset) -> None:
    posted = encode(begun(rules))
    one, other = (referee.Questions(posted).id([END]) for _ in range(2))
    assert one == other != referee.Questions(posted).id([END, END])
    assert len(one) == 32


def test_options_stop_at_the_limit(rules: Ruleset) -> None:
    state = begun(rules)
    everything, deciding = referee.options(rules, state, None, None, None)
    assert everything.complete
    cut, still = referee.options(rules, state, None, None, len(everything.options) - 1)
    assert not cut.complete
    assert len(cut.options) == len(everything.options) - 1
    assert still == deciding


def test_a_stranger_has_neither_options_nor_a_view(rules: Ruleset) -> None:
    state = begun(rules)
    for ask in (
        lambda: referee.view(rules, state, "zoe"),
        lambda: referee.options(rules, state, "zoe", None, None),
    ):
        with pytest.raises(referee.UnknownSeat):
            ask()
