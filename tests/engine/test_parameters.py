"""Parameters, requirements, waivers and derived values, shown by the game of the market."""

import random
from itertools import product

import pytest

from service.engine.action import Action
from service.engine.domain import Pick, Sequence, Sequence_
from service.engine.options import choices
from service.engine.table import Table
from tests.engine.games import market
from tests.engine.kit import Play


def play(**trader):
    g = Play(market.rules, "ann")
    for name, value in trader.items():
        setattr(g.board.seats["ann"], name, value)
    return g


def facts(g, kind, **values):
    return [dict(v.facts) for v in g.judged("ann", kind, **values).violations]


def test_a_word_of_python_s_own_has_an_underscore_in_code_and_none_on_the_wire():
    class Walk(Action, kind="walk"):
        from_ = Pick("TOY-1", ("a", "b"))

    act = Walk.bind(None, None, "ann", {"kind": "walk", "actor": "ann", "from": "b"})
    assert (list(Walk.params), act.from_) == (["from"], "b")
    assert act.to_wire() == {"kind": "walk", "actor": "ann", "from": "b"}
    with pytest.raises(AttributeError, match="from is not bound"):
        _ = Walk(None, None, "ann").from_


# -- requirements -----------------------------------------------------------------------------------------------------


def test_all_violations_are_reported_together():
    assert play().refused("ann", "buy", stall="cloth", coins=2) == ["TOY-MARKET-5", "TOY-MARKET-6"]


def test_a_requirement_whose_needs_do_not_hold_is_undefined_and_not_evaluated():
    assert play().refused("ann", "buy", stall="relic", coins=1) == ["TOY-MARKET-4"]


def test_a_value_outside_the_domain_hides_what_needs_it_and_nothing_else():
    violations = play().judged("ann", "buy", stall="moon", coins=1).violations
    assert [(v.reason, v.rule, v.about) for v in violations] == [
        ("unknown-value", "TOY-MARKET-3", ("/stall",))
    ]
    assert play().refused("ann", "buy", stall="cloth", coins=0) == ["TOY-MARKET-5", "TOY-MARKET-7"]


def test_facts_carry_the_numbers_a_client_would_show():
    assert facts(play(), "buy", stall="bread", coins=2) == [{"coins": 2, "price": 3}]
    assert facts(play(), "buy", stall="relic", coins=1) == [{"stall": "relic"}]


@pytest.mark.parametrize("wire", [{}, {"stall": "bread"}, {"coins": 3}])
def test_a_missing_parameter_is_unknown_by_the_clause_of_its_domain(wire):
    assert play().refused("ann", "buy", **wire)


def test_a_field_that_the_action_does_not_have_is_unknown_by_the_clause_of_the_window():
    (violation,) = play().judged("ann", "buy", stall="bread", coins=3, **{"a/b~c": 1}).violations
    assert (violation.reason, violation.rule, violation.about) == (
        "unknown-value",
        "TOY-MARKET-2",
        ("/a~1b~0c",),
    )


@pytest.mark.parametrize("trader", [{"licence": True}, {"token": True}, {"licence": True, "token": True}])
def test_each_of_several_waivers_lifts_the_requirement(trader):
    g = play(**trader)
    g.do("ann", "buy", stall="cloth", coins=7)
    assert g.board.seats["ann"].coins == 13


def test_a_derived_value_is_worked_out_once_and_stays_off_the_wire():
    g = play()
    market.WORKED_OUT.clear()
    answer = g.do("ann", "buy", stall="bread", coins=3)
    assert market.WORKED_OUT == ["bread"]
    assert answer.played[0].action == {"kind": "buy", "actor": "ann", "stall": "bread", "coins": 3}


def test_explain_lists_all_that_was_looked_at_in_order_and_what_held():
    checks = play().judged("ann", "buy", explain=True, stall="cloth", coins=9).checks
    assert [(c.rule, c.held) for c in checks] == [
        ("TOY-MARKET-2", True),
        ("TOY-MARKET-3", True),
        ("TOY-MARKET-4", True),
        ("TOY-MARKET-5", False),
        ("TOY-MARKET-7", True),
        ("TOY-MARKET-6", True),
    ]


def test_explain_names_the_rule_that_waives():
    judgement = play(token=True).judged("ann", "buy", explain=True, stall="cloth", coins=9)
    (waived,) = [c.to_wire() for c in judgement.checks if c.waived_by]
    assert waived == {"rule": "TOY-MARKET-5", "about": ["/stall"], "held": True, "waived_by": "TOY-MARKET-18"}


def test_explain_leaves_out_what_is_undefined():
    checks = play().judged("ann", "buy", explain=True, stall="relic", coins=9).checks
    assert "TOY-MARKET-6" not in [c.rule for c in checks]


# -- options ----------------------------------------------------------------------------------------------------------


def test_what_is_listed_is_what_is_accepted():
    g = play()
    assert [o["stall"] for o in g.listed("ann", "buy")] == ["bread"]
    assert [o["stall"] for o in play(licence=True).listed("ann", "buy")] == ["bread", "cloth"]


def test_options_describe_open_parameters_and_carry_an_example():
    g = play()
    (buy,) = g.listed("ann", "buy")
    assert buy == {
        "kind": "buy",
        "actor": "ann",
        "stall": "bread",
        "open": {"coins": {"least": 3, "most": 20, "example": 3}},
    }
    (bid,) = g.listed("ann", "bid")
    assert bid["open"]["coins"] == {"least": 1, "example": 1}


def test_an_open_parameter_that_depends_on_an_earlier_one_finds_a_value_of_that_for_which_it_has_one():
    (option,) = play().listed("ann", "buy-with-change")
    assert option["open"]["coins"]["example"] == 4
    assert option["open"]["change"] == {"least": 1, "most": 1, "example": 1, "depends_on": ["coins"]}


def test_choices_write_every_legal_combination_of_open_parameters_out():
    g = play()
    frame = g.state.stack[-1]
    every = list(choices(Table(g.rules, g.state), "ann", market.BuyWithChange, frame))
    expected = [
        (coins, change)
        for coins, change in product(range(10), range(10))
        if coins >= 3 and 1 <= change <= coins - 3
    ]
    assert [(a.coins, a.change) for a in every] == expected
    assert list(choices(Table(g.rules, g.state), "ann", market.Bid, frame)) == [None], "too many to try"


# -- the domains ------------------------------------------------------------------------------------------------------


def test_a_split_makes_its_total_within_its_caps_and_statements():
    g = play()
    g.do("ann", "alms", to={"lame": 3, "widow": 1})
    assert g.refused("ann", "alms", to={"blind": 2, "widow": 1}) == ["TOY-MARKET-9", "TOY-MARKET-10"]
    assert g.refused("ann", "alms", to={"blind": 3, "lame": 1}) == ["TOY-MARKET-9"]
    (option,) = g.listed("ann", "alms")
    assert option["open"]["to"] == {
        "total": 4,
        "caps": {"blind": 2, "lame": 3, "widow": 1},
        "limits": [{"least": 1, "rule": "TOY-MARKET-10", "of": ["lame"]}],
        "example": {"blind": 2, "lame": 2},
    }


def test_a_split_that_leaves_a_statement_unheld_names_its_clause():
    split = market.Alms.to
    caps = {"blind": 4, "lame": 1}
    original, split.caps = split.caps, lambda t, act: caps
    try:
        assert play().refused("ann", "alms", to={"blind": 4}) == ["TOY-MARKET-10"]
    finally:
        split.caps = original


def test_a_subset_is_a_bag_of_things_that_are_there_under_its_statements():
    g = play()
    g.do("ann", "pack", things={"rug": 2, "cup": 1})
    assert g.refused("ann", "pack", things={"rug": 1}) == ["TOY-MARKET-11"]
    assert g.refused("ann", "pack", things={"rug": 3}) == ["TOY-MARKET-11"]
    assert g.refused("ann", "pack", things={"cup": 2}) == ["TOY-MARKET-12", "TOY-MARKET-12"]
    assert facts(g, "pack", things={"cup": 1, "jug": 1}) == [{"chosen": 0}, {"chosen": 2}]


def test_an_ordered_subset_is_a_list():
    g = play()
    g.do("ann", "row", things=["cup", "rug", "cup"])
    assert g.refused("ann", "row", things={"cup": 2}) == ["TOY-MARKET-11"]
    assert g.refused("ann", "row", things=["jug", "jug"]) == ["TOY-MARKET-11"]


def test_a_sequence_judges_each_part_after_those_before_it_and_then_does_them():
    g = play()
    g.do("ann", "bake", batch=[{"kind": "knead"}, {"kind": "oven"}])
    assert (g.board.seats["ann"].flour, g.board.seats["ann"].loaves) == (1, 1)
    (violation,) = g.judged("ann", "bake", batch=[{"kind": "oven"}, {"kind": "knead"}]).violations
    assert (violation.rule, violation.about) == ("TOY-MARKET-15", ("/batch/0",))
    (violation,) = g.judged("ann", "bake", batch=[{"kind": "knead"}] * 2).violations
    assert (violation.rule, violation.about) == ("TOY-MARKET-14", ("/batch/1",))


def test_a_sequence_that_is_too_short_or_too_long_says_how_many_parts_it_takes():
    least, most = market.Bake.batch.least, market.Bake.batch.most
    for n, bound in ((least - 1, {"least": least}), (most + 1, {"most": most})):
        (violation,) = play().judged("ann", "bake", batch=[{"kind": "knead"}] * n).violations
        assert (violation.reason, violation.about) == ("broken-rule", ("/batch",))
        assert violation.facts == {"chosen": n, **bound}


def test_a_sequence_keeps_its_statements_about_kinds_and_its_example_does_too():
    g = play()
    assert g.refused("ann", "bake", batch=[{"kind": "knead"}] * 2) == ["TOY-MARKET-16"]
    (option,) = g.listed("ann", "bake")
    assert option["open"]["batch"]["example"] == [{"kind": "knead"}, {"kind": "oven"}]


def test_the_example_of_a_sequence_is_found_past_dead_ends():
    assert play(flour=1, dough=0).listed("ann", "bake")
    assert play(flour=0, dough=1).listed("ann", "bake") == []


BAD = [
    None,
    1,
    True,
    "x",
    1.5,
    [],
    {},
    [1],
    ["x"],
    [[]],
    [{}],
    {"x": 1},
    {"rug": True},
    {"rug": 0},
    {"rug": -1},
]
BAD += [{"rug": 1.5}, {"rug": "1"}, [{"kind": []}], [{"kind": "knead", "actor": "bob"}] * 2, 10**30, -1]
BAD += [[{"kind": "knead", "more": 1}, {"kind": "oven"}], [None, None], ["cup"] * 100_000, {"": 10**30}]


@pytest.mark.parametrize("value", BAD, ids=lambda v: str(v)[:30])
@pytest.mark.parametrize(
    ("kind", "name"),
    [("alms", "to"), ("pack", "things"), ("row", "things"), ("bake", "batch"), ("bid", "coins")],
)
def test_a_domain_answers_whatever_json_holds(kind, name, value):
    g = play()
    judgement = g.judged("ann", kind, **{name: value})
    assert judgement.legal == (kind == "bid" and value == 1 and value is not True)


OPEN = [(market.Alms, "to"), (market.Pack, "things"), (market.Row, "things"), (market.Bake, "batch")]


@pytest.mark.parametrize(("cls", "name"), OPEN, ids=lambda v: getattr(v, "kind", v))
def test_examples_and_samples_are_legal_and_among_every_value(cls, name):
    g = play()
    t = g.table
    act, domain, rng = cls(t, t.frames[-1], "ann"), cls.params[name], random.Random(1)
    legal = [v for v in domain.every(t, act) if not domain.check(t, act, v)]
    assert domain.example(t, act) in legal
    seen = [domain.sample(t, act, rng) for _ in range(200)]
    assert all(v in legal for v in seen)
    assert len({str(v) for v in seen}) > 3 or len(legal) <= 3


def test_the_sequence_of_the_engine_goes_by_two_names():
    assert Sequence_ is Sequence
