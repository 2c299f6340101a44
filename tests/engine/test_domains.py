"""Open domains by brute force: what they describe, accept, give as an example and sample never differs."""

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from service.engine.action import Action
from service.engine.domain import Amount, AtLeast, AtMost, Open, Pick, Sequence, Split, Subset, small_choices
from service.engine.flow import RulesFault, take, window
from service.engine.rule import Violation
from service.engine.state import encode
from tests.engine.games import barrow, market, whisper
from tests.engine.kit import Play

KEYS = "abcd"
COUNTS = st.dictionaries(st.sampled_from(KEYS), st.integers(0, 3), max_size=4)
ITEMS = st.none() | st.frozensets(st.sampled_from(KEYS), min_size=1)
STATEMENTS = st.lists(
    st.builds(AtLeast, st.just("T-1"), st.integers(0, 4), ITEMS)
    | st.builds(AtMost, st.just("T-2"), st.integers(0, 4), ITEMS),
    max_size=4,
)


def named(domain):
    domain.name = "it"
    return domain


def agrees(domain):
    """Example and samples are legal, and there is an example exactly where brute force finds a legal value."""
    every = list(domain.every(None, None))
    assert len({str(v) for v in every}) == len(every)
    legal = [v for v in every if not domain.check(None, None, v)]
    example = domain.example(None, None)
    assert (example in legal) if legal else example is None
    rng = random.Random(0)
    for _ in range(5):
        sample = domain.sample(None, None, rng)
        assert (sample in legal) if legal else sample is None
    return legal


@settings(deadline=None)
@given(COUNTS, st.integers(0, 3), st.none() | st.integers(0, 5), STATEMENTS)
def test_a_subset_agrees_with_brute_force(held, least, most, statements):
    agrees(named(Subset("T", lambda t, a: held, least, most, limits=lambda t, a: statements)))


@settings(deadline=None)
@given(COUNTS, st.integers(0, 3), STATEMENTS)
def test_an_ordered_subset_agrees_with_brute_force(held, least, statements):
    agrees(named(Subset("T", lambda t, a: held, least, 3, True, lambda t, a: statements)))


@settings(deadline=None)
@given(COUNTS, st.integers(0, 6), STATEMENTS)
def test_a_split_agrees_with_brute_force(caps, total, statements):
    agrees(named(Split("T", lambda t, a: total, lambda t, a: caps, lambda t, a: statements)))


@settings(deadline=None)
@given(st.integers(0, 5), st.integers(0, 9), STATEMENTS)
def test_an_amount_agrees_with_brute_force(least, most, statements):
    domain = named(Amount("T", lambda t, a: statements, least=least, most=max(least, most)))
    legal = agrees(domain)
    described = domain.describe(None, None)
    assert legal == list(range(described["least"], described["most"] + 1))


def test_filling_statement_by_statement_may_fail_where_a_search_succeeds():
    """`a` is preferred for the first statement, and then one too many of `a` and `b` is there for the second."""
    limits = (
        AtLeast("T", 1, frozenset("ac")),
        AtMost("T", 0, frozenset("a")),
        AtLeast("T", 1, frozenset("c")),
    )
    held = {"a": 1, "b": 1, "c": 1}
    assert named(Subset("T", lambda t, a: held, 1, 2, limits=lambda t, a: limits)).example(None, None) == {
        "c": 1
    }
    overlap = (
        AtMost("T", 1, frozenset("ab")),
        AtLeast("T", 1, frozenset("ac")),
        AtLeast("T", 1, frozenset("b")),
    )
    subset = named(Subset("T", lambda t, a: held, 1, 3, limits=lambda t, a: overlap))
    assert subset.example(None, None) == {"b": 1, "c": 1}


def test_too_many_values_are_not_listed():
    many = dict.fromkeys((f"k{i}" for i in range(30)), 1)
    assert Subset("T", lambda t, a: many).every(None, None) is None
    assert Split("T", lambda t, a: 9, lambda t, a: many).every(None, None) is None
    assert Split("T", lambda t, a: 999, lambda t, a: {"a": 999, "b": 1}).every(None, None) is None
    assert Amount("T").every(None, None) is None
    ten = dict.fromkeys("abcdefghij", 1)
    assert Subset("T", lambda t, a: ten, ordered=True).every(None, None) is None


def test_a_few_of_many_things_are_listed():
    many = dict.fromkeys((f"k{i:02}" for i in range(30)), 1)
    assert len(list(Subset("T", lambda t, a: many, 2, 2).every(None, None))) == 30 * 29 / 2
    assert len(list(Subset("T", lambda t, a: many, 2, 2, ordered=True).every(None, None))) == 30 * 29
    assert len(list(Split("T", lambda t, a: 3, lambda t, a: many).every(None, None))) == 30 * 29 * 28 / 6


def test_a_huge_choice_without_an_easy_example_has_none_rather_than_taking_for_ever():
    many = dict.fromkeys((f"k{i}" for i in range(30)), 1)
    limits = (AtLeast("T", 2), AtMost("T", 1))
    assert Subset("T", lambda t, a: many, limits=lambda t, a: limits).example(None, None) is None


def test_orders_of_alike_things_are_listed_once():
    subset = Subset("T", lambda t, a: {"a": 2, "b": 1}, 3, ordered=True)
    assert list(subset.every(None, None)) == [["a", "a", "b"], ["a", "b", "a"], ["b", "a", "a"]]


def test_statements_say_which_rule_of_what_and_how_many():
    subset = named(
        Subset("T", lambda t, a: {"a": 2}, limits=lambda t, a: (AtLeast("T-1", 2, frozenset("a")),))
    )
    assert subset.describe(None, None)["limits"] == [{"least": 2, "rule": "T-1", "of": ["a"]}]
    assert subset.check(None, None, {"a": 1}) == [Violation("broken-rule", "T-1", ("/it",), {"chosen": 1})]
    assert subset.looked_at(None, None) == ["T", "T-1"]


def refused(domain: Any, value: Any) -> list[tuple[str, str, tuple[str, ...], dict[str, Any]]]:
    return [(v.reason, v.rule, v.about, dict(v.facts)) for v in domain.check(None, None, value)]


def test_a_wrong_total_is_told_from_what_does_not_exist():
    split = named(
        Split(
            "T",
            lambda t, a: 3,
            lambda t, a: {"a": 2, "b/c": 2, "gone": 0},
            lambda t, a: (AtMost("T-1", 1, frozenset("a")),),
        )
    )
    assert refused(split, {"a": 1, "b/c": 2}) == []
    assert refused(split, {"b/c": 2}) == [("broken-rule", "T", ("/it",), {"due": 3, "given": 2})]
    assert refused(split, {}) == [("broken-rule", "T", ("/it",), {"due": 3, "given": 0})]
    assert refused(split, {"a": 2, "b/c": 2}) == [
        ("broken-rule", "T", ("/it",), {"due": 3, "given": 4}),
        ("broken-rule", "T-1", ("/it",), {"given": 2}),
    ]
    too_many = {"value": "b/c", "offered": 3, "most": 2}
    assert refused(split, {"b/c": 3}) == [("unknown-value", "T", ("/it",), too_many)]
    for absent in ("gone", "d"):
        assert refused(split, {absent: 3}) == [("unknown-value", "T", ("/it",), {"value": absent})]
    for odd in ({"a": 0}, {"a": True}, {"a": 1.5}, {"a": None}, ["a"], None, 3):
        assert refused(split, odd) == [("unknown-value", "T", ("/it",), {"value": odd})]


@pytest.mark.parametrize("ordered", [False, True])
def test_too_few_and_too_many_things_are_told_from_what_does_not_exist(ordered):
    limits = (AtLeast("T-1", 1, frozenset("b")),)
    subset = named(Subset("T", lambda t, a: {"a": 3, "b": 1}, 1, 2, ordered, lambda t, a: limits))

    def said(**bag: int) -> Any:
        return refused(subset, [x for x in bag for _ in range(bag[x])] if ordered else bag)

    assert said(a=1, b=1) == []
    assert said() == [
        ("broken-rule", "T", ("/it",), {"chosen": 0, "least": 1}),
        ("broken-rule", "T-1", ("/it",), {"chosen": 0}),
    ]
    assert said(a=2, b=1) == [("broken-rule", "T", ("/it",), {"chosen": 3, "most": 2})]
    assert said(b=2) == [("unknown-value", "T", ("/it",), {"value": "b", "offered": 2, "most": 1})]
    assert said(c=1) == [("unknown-value", "T", ("/it",), {"value": "c"})]


@settings(max_examples=200, deadline=None)
@given(
    COUNTS,
    st.integers(0, 5),
    st.integers(1, 3),
    STATEMENTS,
    st.dictionaries(st.sampled_from("abcde"), st.integers(1, 4)),
)
def test_what_is_accepted_is_what_is_there_in_the_right_number(there, total, more, statements, bag):
    def holds(s: Any) -> bool:
        return s.holds(sum(n for k, n in bag.items() if s.of is None or k in s.of))

    fine = all(n <= there.get(k, 0) for k, n in bag.items()) and all(holds(s) for s in statements)
    n = sum(bag.values())
    split = named(Split("T", lambda t, a: total, lambda t, a: there, lambda t, a: statements))
    assert (split.check(None, None, bag) == []) == (fine and n == total)
    most = total + more
    subset = named(Subset("T", lambda t, a: there, total, most, limits=lambda t, a: statements))
    assert (subset.check(None, None, bag) == []) == (fine and total <= n <= most)


def test_every_domain_has_a_json_type():
    assert Pick("T", ("a", 1)).shape.__args__ == ("a", 1)
    assert Pick("T", lambda t, actor: ("a",)).shape is str
    assert Pick("T", lambda t, actor: (1,), shape=int).shape is int
    assert Amount("T", least=1, most=3).shape.__metadata__[0].ge == 1


def test_small_choices_are_all_combinations_by_size():
    assert list(small_choices("abc", 0, 2)) == [(), *zip("abc", strict=True), *zip("aab", "bcc", strict=True)]


def test_a_domain_that_is_not_bound_yet_says_so():
    g = Play(market.rules, "ann")
    act = market.Buy(g.table, g.table.frames[-1], "ann")
    with pytest.raises(AttributeError, match="stall is not bound"):
        _ = act.stall


@pytest.mark.parametrize("method", ["check", "describe", "example", "sample", "every"])
def test_the_protocol_must_be_filled_in(method):
    with pytest.raises(NotImplementedError):
        getattr(Open("T"), method)(*[None] * {"check": 3, "sample": 3}.get(method, 2))


# -- sequences on a table ---------------------------------------------------------------------------------------


def test_what_a_sequence_would_do_can_be_seen_on_a_fork():
    g = Play(market.rules, "ann")
    before = encode(g.state)
    t = g.table
    act = market.Bake(t, t.frames[-1], "ann")
    after = market.Bake.batch.after(t, act, [{"kind": "knead"}, {"kind": "oven"}])
    assert after.board.seats["ann"].loaves == 1
    assert encode(g.state) == before


class Count(Action, kind="count"):
    """A sub-action that works on its frame."""

    def resolve(self, t):
        self.frame.seat = "bob"


class CallOut(Action, kind="call-out"):
    def resolve(self, t):
        return barrow.Sort(seat=self.actor)


def test_a_part_that_works_on_its_frame_works_on_the_fork_alone():
    g = Play(market.rules, "ann")
    t = g.table
    act = market.Bake(t, t.frames[-1], "ann")
    domain = named(Sequence("T", (Count,), least=1, most=1))
    assert domain.check(t, act, [{"kind": "count"}]) == []
    assert t.frames[-1].seat == "ann"


def test_a_part_that_calls_a_frame_is_a_fault_of_the_rules():
    g = Play(market.rules, "ann")
    t = g.table
    act = market.Bake(t, t.frames[-1], "ann")
    with pytest.raises(TypeError, match="answer nothing"):
        named(Sequence("T", (CallOut,))).check(t, act, [{"kind": "call-out"}])


def test_a_simultaneous_answer_that_ends_its_frame_is_a_fault_of_the_rules(monkeypatch):
    from service.engine.control import DONE

    monkeypatch.setattr(whisper.SitOut, "resolve", lambda self, t: DONE)
    g = Play(whisper.rules, "ann", "bob")
    g.do("ann", "sit-out")
    t = g.table.fork()
    with pytest.raises(RulesFault, match="the next step decides"):
        take(t, window(t), whisper.SitOut(t, t.frames[-1], "bob"))
