"""Chapter 6, movement, shown by marches of the Marquise and the Decree of the Eyrie."""

import pytest

from service.games.root.v1 import RULES
from tests.games.root.table import CAT, OWL, game, says

rule, refusal = pytest.mark.rule, pytest.mark.refusal

CATS, OWLS = "marquise-warrior", "eyrie-warrior"


def march(**map):
    g = game(map={c.strip("c"): bag for c, bag in map.items()})
    return g.play(CAT, "march")


def move(g, from_, to, warriors=1):
    return g.refused(CAT, "move", from_=from_, to=to, warriors=warriors)


@rule("ROOT-MOVE-1", "ROOT-DEC-30")
def test_some_of_ones_warriors_go_to_an_adjacent_clearing():
    g = march(c1={CATS: 3})
    g.play(CAT, "move", from_="1", to="5", warriors=2)
    assert (g.here("1"), g.here("5")) == ({CATS: 1}, {CATS: 2})


@refusal("ROOT-MOVE-1")
@pytest.mark.parametrize("n", [4, 30])
def test_no_more_than_are_there(n):
    says(move(march(c1={CATS: 3}), "1", "5", n), "ROOT-MOVE-1", "/warriors", warriors=n, held=3)


@refusal("ROOT-MOVE-1")
@pytest.mark.parametrize("n", [0, -1, 31, 1.0, True, "1", None])
def test_at_least_one_and_a_number(n):
    assert "ROOT-MOVE-1" in move(march(c1={CATS: 3}), "1", "5", n)


@refusal("ROOT-MOVE-1")
@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "A move takes 1 warrior at least, not 0."),
        ("cs", "Pohyb přesune bojovníků nejméně 1, ne 0."),
    ],
)
def test_a_move_of_nobody_breaks_the_clause(language, told):
    refused = move(march(c1={CATS: 3}), "1", "5", 0)
    says(refused, "ROOT-MOVE-1", "/warriors", warriors=0, least=1)
    assert RULES.words.message(refused["ROOT-MOVE-1"], RULES.book, language) == told


@refusal("ROOT-MOVE-1")
def test_not_from_where_nobody_is():
    says(move(march(c1={CATS: 3}), "9", "1"), "ROOT-MOVE-1", "/from", clearing="9")


@refusal("ROOT-MAP-2")
def test_not_to_a_clearing_that_no_path_joins():
    found = move(march(c1={CATS: 3}), "1", "2")
    says(found, "ROOT-MAP-2", "/from", "/to", origin="1", to="2")


@refusal("ROOT-MAP-2")
@pytest.mark.parametrize(("origin", "to"), [("5", "10"), ("10", "11"), ("11", "7"), ("7", "4")])
def test_a_river_is_no_path(origin, to):
    assert "ROOT-MAP-2" in move(march(**{f"c{origin}": {CATS: 1}}), origin, to)


@rule("ROOT-MOVE-2")
@pytest.mark.parametrize(
    ("origin", "to"),
    [
        ({CATS: 2, OWLS: 1}, {OWLS: 3}),  # rules the origin
        ({CATS: 1, OWLS: 2}, {CATS: 2, OWLS: 1}),  # rules the destination
        ({CATS: 1}, {}),
    ],
)
def test_rule_of_one_end_is_enough(origin, to):
    g = march(c1=origin, c5=to)
    g.play(CAT, "move", from_="1", to="5", warriors=1)
    assert g.here("5")[CATS] == to.get(CATS, 0) + 1


@refusal("ROOT-MOVE-2")
@pytest.mark.parametrize("to", [{}, {OWLS: 1}, {CATS: 1, OWLS: 1}])
def test_without_rule_of_either_end_nobody_moves(to):
    found = move(march(c1={CATS: 1, OWLS: 1}, c5=to, c9={CATS: 1}), "1", "5")
    says(found, "ROOT-MOVE-2", "/from", "/to", origin="1", to="5")


@rule("ROOT-MOVE-2")
def test_rule_is_what_it_is_before_the_move():
    """The last warrior who rules the origin may leave it."""
    g = march(c1={CATS: 1}, c5={OWLS: 2})
    g.play(CAT, "move", from_="1", to="5", warriors=1)
    assert g.ruler("5") == OWL


@rule("ROOT-MOVE-4", "ROOT-MARQ-14")
def test_the_same_warriors_may_move_again():
    g = march(c1={CATS: 1})
    g.play(CAT, "move", from_="1", to="5", warriors=1).play(CAT, "move", from_="5", to="2", warriors=1)
    assert g.here("2") == {CATS: 1}


@rule("ROOT-MOVE-5")
def test_anybody_may_move_to_the_keep():
    seats = {OWL: {"decree": {"move": ["anvil"]}, "leader": "commander"}}
    g = game(seats, {"1": {CATS: 1, "keep": 1}, "12": {OWLS: 1}, "9": {OWLS: 2}, "8": {"roost": 1}}, turn=OWL)
    g.play(OWL, "resolve-decree")
    g.play(OWL, "decree-move", card="vizier", from_="9", to="1", warriors=2)
    assert g.here("1")[OWLS] == 2
