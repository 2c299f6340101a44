"""Composites whose parts are windows, and look-ahead, shown by the game of the maze."""

import pytest

from service.engine import lookahead
from service.engine import options as listing
from service.engine.options import options
from service.engine.state import encode
from service.engine.table import Table
from tests.engine.games import market, maze
from tests.engine.kit import Play


def play(**more):
    return Play(maze.rules, "ann", "bob", **more)


# -- a march of two moves with a reaction between -------------------------------------------------------------------


def test_a_composite_is_a_frame_whose_parts_are_taken_one_at_a_time_with_a_reaction_between():
    g = play()
    g.do("ann", "march")
    g.do("ann", "move")
    assert g.frames == ["round", "march", "block"]
    assert g.asked() == [("bob", ("block", "let-pass"))]
    g.do("bob", "let-pass")
    g.do("ann", "move")
    assert g.board.at == {"ann": 2, "bob": 0}
    assert g.frames == ["round"]


def test_a_reaction_between_the_parts_bears_on_the_next_part():
    g = play()
    g.do("ann", "march")
    g.do("ann", "move")
    g.do("bob", "block")
    assert g.refused("ann", "move") == ["TOY-MAZE-10"]
    assert g.kinds("ann") == ["stop"]
    g.do("ann", "stop")
    assert not g.board.blocked


# -- look-ahead -----------------------------------------------------------------------------------------------------


def test_what_can_be_resolved_to_its_end_is_legal():
    g = play()
    g.do("ann", "enter", maze="north")
    assert g.refused("ann", "door", to="out") == ["TOY-MAZE-4"]
    g.do("ann", "door", to="hall")
    g.do("ann", "door", to="out")
    assert g.frames == ["round"]


def test_a_tempting_dead_end_is_refused_with_its_clause_and_not_listed():
    g = play()
    assert g.refused("ann", "enter", maze="east") == ["TOY-MAZE-3"]
    assert {o["maze"] for o in g.listed("ann", "enter")} == {"north", "west", "locked", "well", "deep"}


def test_what_has_begun_before_and_would_not_be_finished_is_told_by_its_own_clause(monkeypatch):
    monkeypatch.setattr(maze.Enter, "unfinished", lambda self, t: {"TOY-MAZE-1": {"begun": self.maze}})
    found = play().judged("ann", "enter", maze="east").violations
    assert [(v.rule, v.about, v.facts) for v in found] == [
        ("TOY-MAZE-3", ("/kind",), {}),
        ("TOY-MAZE-1", ("/kind",), {"begun": "east"}),
    ]
    assert play().judged("ann", "enter", maze="north").legal


def test_a_ring_is_not_walked_for_ever():
    assert play().refused("ann", "enter", maze="south") == ["TOY-MAZE-3"]


@pytest.mark.parametrize("draws", [None, lambda chance, total: 1 / 0])
def test_the_search_stops_at_chance_and_never_consumes_a_draw(draws):
    g = play(mode="seeded", draws=draws)
    g.table.draws = draws
    listed = [o.act.maze for o in options(g.table, "ann", ("enter",))]
    assert "west" in listed
    assert g.state.chance.next_draw == 0


def test_a_pure_gain_is_taken_without_branching_and_does_not_lead_in_circles():
    g = play()
    assert g.judged("ann", "enter", maze="locked").legal
    ways = list(lookahead._ways(lookahead.tried(g.table, enter(g, "locked"), 1), 1))
    assert [cls.kind for cls, _ in ways] == ["look", "door"]
    assert len(lookahead._narrowed(ways, set())) == 1


def enter(g, where):
    t = g.table
    return next(o.act for o in options(t, "ann", ("enter",)) if o.act.maze == where)


def test_a_choice_with_too_many_values_to_try_lets_the_action_through():
    assert play().judged("ann", "enter", maze="well").legal


def test_a_search_may_be_deep_and_still_finds_the_only_way():
    g = play()
    assert g.judged("ann", "enter", maze="deep").legal
    assert g.refused("ann", "enter", maze="hopeless") == ["TOY-MAZE-3"]


def test_a_search_that_goes_too_far_lets_the_action_through(monkeypatch):
    monkeypatch.setattr(lookahead, "NODES", 50)
    assert play().judged("ann", "enter", maze="hopeless").legal


def test_the_games_own_bound_says_early_what_is_hopeless(monkeypatch):
    g = play()
    monkeypatch.setitem(g.rules.hooks, "may-finish", (lambda t: False,))
    monkeypatch.setattr(lookahead, "NODES", 0)
    assert g.refused("ann", "enter", maze="deep") == ["TOY-MAZE-3"]


def test_a_game_may_say_that_chance_leaves_it_without_an_end(monkeypatch):
    g = play()
    assert g.judged("ann", "enter", maze="west").legal
    monkeypatch.setitem(g.rules.hooks, "at-chance", (lambda t: False,))
    assert g.refused("ann", "enter", maze="west") == ["TOY-MAZE-3"]
    assert g.judged("ann", "enter", maze="north").legal


def test_an_action_may_say_that_nothing_can_go_wrong_and_then_nothing_is_searched(monkeypatch):
    g = play()
    monkeypatch.setattr(type(enter(g, "north")), "business", lambda act, t: None)
    assert g.judged("ann", "enter", maze="east").legal


def test_look_ahead_changes_nothing_on_the_table_it_starts_from():
    g = play()
    t = Table(g.rules, g.state)
    before = encode(g.state)
    assert [o.act.maze for o in options(t, "ann", ("enter",))]
    assert encode(g.state) == before
    assert t.events == []
    assert t.frames is g.state.stack


def found_dead(monkeypatch, is_fine, tries=None):
    """The list of the market where change is given, and look-ahead lets through what `is_fine` says."""
    asked = []
    monkeypatch.setattr(market.BuyWithChange, "must_finish", "TOY-MARKET-17")
    monkeypatch.setattr(listing, "can_finish", lambda t, act: (asked.append(act), is_fine(act))[1])
    found = [
        o.to_wire() for o in options(Play(market.rules, "ann").table, "ann", ("buy-with-change",), tries)
    ]
    return found, asked


def test_a_family_whose_example_leads_nowhere_is_listed_with_a_value_that_leads_out(monkeypatch):
    [listed], _ = found_dead(monkeypatch, lambda act: act.change == 3)
    assert {name: shown["example"] for name, shown in listed["open"].items()} == {"coins": 6, "change": 3}
    assert listed["others_refused_by"] == "TOY-MARKET-17"


def test_a_family_of_which_every_value_is_accepted_says_nothing_of_refusals(monkeypatch):
    [listed] = Play(market.rules, "ann").listed("ann", "buy-with-change")
    assert listed["open"]
    assert "others_refused_by" not in listed, "nothing must be finished"
    monkeypatch.setattr(market.BuyWithChange, "business", lambda act, t: None)
    [listed], _ = found_dead(monkeypatch, lambda act: True)
    assert "others_refused_by" not in listed, "nothing can go wrong"


def test_a_family_with_one_value_says_nothing_of_refusals(monkeypatch):
    monkeypatch.setattr(listing, "_written", lambda t, act, opens: iter([act]))
    [listed], _ = found_dead(monkeypatch, lambda act: True)
    assert "others_refused_by" not in listed


def test_a_family_of_which_no_value_leads_out_is_not_listed(monkeypatch):
    found, asked = found_dead(monkeypatch, lambda act: False)
    assert found == []
    assert {(a.coins, a.change) for a in asked} == {(n, m) for n in range(4, 10) for m in range(1, n - 2)}


def test_no_more_values_are_tried_than_a_list_may_cost_and_the_list_says_so(monkeypatch):
    found, asked = found_dead(monkeypatch, lambda act: False, tries := listing.Tries(3))
    assert (found, len(asked)) == ([], 1 + 3)
    assert tries.cut


def test_a_list_for_which_there_are_just_enough_tries_is_complete(monkeypatch):
    every = sum(n - 3 for n in range(4, 10))
    found, asked = found_dead(monkeypatch, lambda act: False, tries := listing.Tries(every))
    assert (found, len(asked), tries.cut) == ([], 1 + every, False)
