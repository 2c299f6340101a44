"""Judging is total, pure, and agrees with the list of options, on every small game."""

import copy
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from service.engine.frames import Ask
from service.engine.judge import judge, judge_line
from service.engine.options import options
from service.engine.state import encode
from service.engine.table import Table
from tests.engine.games import barrow, camp, clock, market
from tests.engine.kit import Play
from tests.engine.toys import TOYS, states

REASONS = {"broken-rule", "not-your-decision", "unknown-value"}
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=4)
JSON = st.recursive(
    SCALARS | st.sampled_from(["ann", "bob", "chance", "lay", "move", "x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)


def judged(rules, state, action):
    """The judgement of anything at all; it must be an answer, and must change nothing."""
    before, said = encode(state), copy.deepcopy(action)
    judgement = judge(rules, state, action)
    assert encode(state) == before
    assert action == said
    assert judgement.legal == (not judgement.violations) == (judgement.state is not None)
    for violation in judgement.violations:
        assert violation.reason in REASONS
        assert violation.rule in rules.book.rules
        assert all(about.startswith("/") for about in violation.about)
    return judgement


@settings(max_examples=300, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_dictionary_at_all_is_answered(data):
    game = data.draw(st.sampled_from(sorted(TOYS)))
    state = data.draw(st.sampled_from(states(game)))
    kinds = sorted(TOYS[game].kinds)
    action = data.draw(st.dictionaries(st.text(max_size=6), JSON, max_size=3))
    if data.draw(st.booleans()):
        kind = data.draw(st.sampled_from(kinds))
        names = sorted({p for cls in TOYS[game].kinds[kind] for p in cls.params})
        action |= {name: data.draw(JSON) for name in names}
        action |= {"kind": kind, "actor": data.draw(st.sampled_from(["ann", "bob", "chance", "zoe"]))}
    judged(TOYS[game], state, action)


STRANGE = [{}, {"kind": None, "actor": None}, {"kind": [], "actor": {}}, {"kind": {"a": []}, "actor": 3}]
STRANGE += [{"actor": ["ann"], "kind": "lay"}, {"actor": "ann"}, {"kind": "lay"}, {"actor": "", "kind": ""}]
STRANGE += [
    {"actor": "chance", "kind": "lay"},
    {"actor": "chance", "kind": ["x"]},
    {"actor": True, "kind": True},
]


@pytest.mark.parametrize("action", STRANGE, ids=str)
@pytest.mark.parametrize("game", sorted(TOYS))
def test_actions_of_strange_shapes_are_refused_with_a_clause(game, action):
    for state in states(game)[::5]:
        assert not judged(TOYS[game], state, action).legal


@pytest.mark.parametrize("game", sorted(TOYS))
def test_every_kind_by_every_actor_with_values_of_other_types_is_answered(game):
    rules = TOYS[game]
    for state in states(game)[::4]:
        for kind, classes in rules.kinds.items():
            for cls in classes:
                for value in (None, True, 1, "x", [], [[]], {}, {"x": []}, 10**40):
                    for actor in ("ann", "bob", "chance"):
                        judged(
                            rules, state, {"kind": kind, "actor": actor, **dict.fromkeys(cls.params, value)}
                        )


@pytest.mark.parametrize("game", sorted(set(TOYS) - {"maze"}))
def test_what_is_listed_is_judged_legal_and_closed_actions_that_are_legal_are_listed(game):
    rules = TOYS[game]
    for state in states(game)[::3]:
        listed = [o.filled() for o in options(Table(rules, state))]
        for action in listed:
            assert judged(rules, state, action).legal, action
        for kind in rules.kinds:
            for actor in ("ann", "bob", "chance"):
                action = {"kind": kind, "actor": actor}
                assert judged(rules, state, action).legal == (action in listed)


def test_a_value_that_python_takes_for_equal_is_not_the_same_json():
    g = Play(clock.rules)
    assert g.refused("ann", "lay", pins=True) == ["TOY-CLOCK-2"]
    assert g.refused("ann", "lay", pins=1.0) == ["TOY-CLOCK-2"]


def test_an_actor_who_does_not_sit_here_breaks_the_clause_of_the_window():
    (violation,) = Play(clock.rules).judged("zoe", "lay", pins=1).violations
    assert (violation.reason, violation.rule, violation.about) == (
        "unknown-value",
        "TOY-CLOCK-2",
        ("/actor",),
    )


def test_a_seat_that_is_not_asked_breaks_the_clause_for_wrong_actors():
    (violation,) = Play(clock.rules).judged("bob", "lay", pins=1).violations
    assert (violation.reason, violation.rule) == ("not-your-decision", "TOY-CLOCK-7")
    assert violation.facts == {"actor": "bob", "asked": ["ann"], "takes": ["lay"]}


def test_nothing_is_anybodys_decision_once_the_game_is_over():
    g = Play(market.rules, "ann")
    g.do("ann", "leave")
    (violation,) = g.judged("ann", "leave").violations
    assert (violation.reason, violation.rule) == ("not-your-decision", "TOY-MARKET-1")


def test_a_line_of_play_is_judged_whole():
    g = Play(clock.rules)
    line = [{"kind": "lay", "actor": seat, "pins": 1} for seat in ("ann", "bob")]
    judgement = judge_line(g.rules, g.state, line)
    assert judgement.legal
    assert judgement.state.turn == 2
    assert [p.action["actor"] for p in judgement.played] == ["ann", "bob"]
    assert len(judgement.events) == 4


def test_the_first_refused_action_refuses_the_line_and_says_which_it_was():
    g = Play(clock.rules)
    line = [{"kind": "lay", "actor": seat, "pins": 1} for seat in ("ann", "ann", "bob")]
    judgement = judge_line(g.rules, g.state, line)
    assert (judgement.legal, judgement.at, judgement.state) == (False, 1, None)


def test_an_empty_line_leaves_everything_as_it_was():
    g = Play(clock.rules)
    judgement = judge_line(g.rules, g.state, [])
    assert judgement.legal
    assert judgement.state is g.state


def test_equal_frames_are_told_apart_by_which_they_are():
    """A free action of the lower of two equal frames works on the lower one."""
    g = Play(camp.rules)
    turn = g.state.stack[1]
    state = copy.copy(g.state)
    state.stack = [*g.state.stack, copy.copy(turn)]
    assert state.stack[1] == state.stack[2]
    after = judge(g.rules, state, {"kind": "sing", "actor": "ann"})
    assert [f.sung for f in after.state.stack[1:]] == [0, 1]


def test_the_state_that_comes_out_shares_nothing_that_later_judgements_change():
    g = Play(barrow.rules, "ann")
    before = encode(g.state)
    first = judge(g.rules, g.state, {"kind": "dig", "actor": "ann"})
    kept = encode(first.state)
    judge(g.rules, first.state, {"kind": "tile", "actor": "chance", "tile": "gold"})
    assert encode(first.state) == kept
    assert encode(g.state) == before


def test_what_another_kind_of_action_breaks_besides_is_worked_out_for_seats_alone():
    """Where chance is asked, an action in its name is refused by the clause of the window."""
    ask = Ask("draw", lambda t, f: "chance", (), "R-1", also={"buy": lambda t, f, seat: {"ann": "R-2"}[seat]})
    t = SimpleNamespace(seats=("ann",))
    assert ask.broken_by(t, None, "ann", "buy") == ["R-1", "R-2"]
    assert ask.broken_by(t, None, "chance", "buy") == ["R-1"]
