"""Cards laid aside face down: where they lie is known, what they are is decided when they are seen, by exact odds."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from service.engine.aside import astray, card_at, laid_aside, odds_of, places, settled, strata_of, swapped
from service.engine.deck import Blank, Deck, Pool, Run, Stratum, pool_of


def row_of(deck, n):
    row = Deck()
    for _ in range(n):
        deck, row = laid_aside(deck, row)
    return deck, row


def test_a_card_is_laid_aside_without_a_draw_and_counts_where_it_came_from():
    deck, row = row_of(pool_of({"a": 2, "b": 1}), 2)
    assert deck == Deck([Pool([Stratum({"a": 2, "b": 1}, 1, 0)])])
    assert row == Deck([Blank([0, 0])])
    assert (deck.size, row.size, deck.cards(), row.cards()) == (1, 2, {"a": 2, "b": 1}, {})
    assert (row.top, row.odds(), row.known_by("ann")) == (None, {}, [])
    assert astray(deck, row) == []


def test_nothing_is_laid_aside_from_an_empty_deck():
    with pytest.raises(ValueError, match="empty"):
        laid_aside(Deck(), Deck())
    deck, row = row_of(pool_of({"a": 1}), 1)
    assert deck.size == 0
    with pytest.raises(ValueError, match="empty"):
        laid_aside(deck, row)


def test_a_card_that_is_known_on_top_is_known_in_the_row():
    deck, row = laid_aside(pool_of({"x": 1}).put(["a"], ["ann"]), Deck([Blank([3])]))
    assert deck == pool_of({"x": 1})
    assert row == Deck([Blank([3]), Run(["a"], ["ann"])])
    assert row.runs_known_by("ann") == [(1, ["a"])]
    assert row.runs_known_by("bob") == []


def test_of_several_shuffles_on_top_it_is_not_decided_from_which_a_card_comes():
    deck = Deck([Pool([Stratum({"a": 2}, 1), Stratum({"b": 2}, 2)])])
    with pytest.raises(ValueError, match="several shuffles"):
        laid_aside(deck, Deck())


def outcomes(plan, deck):
    """How likely each series of cards is that comes up by a plan of `draw` (from the deck) and places of the row."""
    open_ends = [(Fraction(1), (), *row_of(deck, 2))]
    for step in plan:
        fresh = []
        for p, seen, d, r in open_ends:
            odds = d.odds() if step == "draw" else odds_of(d, r, step)
            total = sum(odds.values())
            for card, weight in odds.items():
                d2, r2 = (d.take(card), r) if step == "draw" else settled(d, r, step, card, ["ann"])
                assert astray(d2, r2) == []
                fresh.append((p * Fraction(weight, total), (*seen, card), d2, r2))
        open_ends = fresh
    found = Counter()
    for p, seen, _, _ in open_ends:
        found[seen] += p
    return found


@pytest.mark.parametrize(
    ("plan", "at"),
    [
        (["draw", 0, "draw", 1, "draw"], (2, 0, 3, 1, 4)),
        ([1, "draw", "draw", 0], (1, 2, 3, 0)),
        (["draw", "draw", "draw", 1, 0], (2, 3, 4, 1, 0)),
        ([0, 0, "draw"], None),
    ],
)
def test_what_lies_aside_and_what_is_drawn_are_as_likely_as_in_a_deck_shuffled_beforehand(plan, at):
    cards = {"a": 2, "b": 2, "c": 1}
    orders = list(permutations("aabbc"))
    if at is None:  # a place that is looked at twice shows the same card
        assert all(seen[0] == seen[1] for seen in outcomes(plan, pool_of(cards)))
        return
    due = Counter()
    for order in orders:
        due[tuple(order[i] for i in at)] += Fraction(1, len(orders))
    assert outcomes(plan, pool_of(cards)) == due


def test_a_new_shuffle_leaves_what_lies_aside_of_the_old_one_as_it_was():
    deck, row = row_of(pool_of({"a": 1, "b": 1, "c": 1}), 2)
    deck = deck.take("b").shuffled({"b": 1, "x": 2})
    deck, row = laid_aside(deck, row)
    assert [s.mark for s in strata_of(deck)] == [0, 1]
    assert row == Deck([Blank([0, 0, 1])])
    assert odds_of(deck, row, 0) == odds_of(deck, row, 1) == {"a": 1, "c": 1}
    assert odds_of(deck, row, 2) == {"b": 1, "x": 2}
    assert deck.odds() == {"b": 1, "x": 2}
    deck, row = settled(deck, row, 1, "c", None)
    assert odds_of(deck, row, 0) == {"a": 1}
    assert astray(deck, row) == []


def test_cards_that_change_places_keep_their_odds_and_who_knows_them():
    deck, row = row_of(pool_of({"a": 1, "b": 1}), 2)
    deck, row = laid_aside(deck.shuffled({"x": 1, "y": 1}), row)
    deck, row = settled(deck, row, 0, "b", ["ann"])
    row = swapped(row, 0, 2)
    assert odds_of(deck, row, 0) == {"x": 1, "y": 1}
    assert odds_of(deck, row, 1) == {"a": 1}
    assert (card_at(row, 0), card_at(row, 2)) == (None, "b")
    assert row.runs_known_by("ann") == [(2, ["b"])]


def test_who_looks_at_a_card_that_another_knows_knows_it_too():
    deck, row = row_of(pool_of({"a": 1}), 1)
    deck, row = settled(deck, row, 0, "a", ["bob"])
    deck, row = settled(deck, row, 0, "a", ["ann"])
    assert row == Deck([Run(["a"], ["ann", "bob"])])
    assert settled(deck, row, 0, "a", None)[1] == Deck([Run(["a"])])
    with pytest.raises(ValueError, match="cannot lie there"):
        settled(deck, row, 0, "b", ["ann"])


def test_a_shuffle_of_which_nothing_lies_aside_any_more_is_no_longer_marked():
    deck, row = row_of(pool_of({"a": 1, "b": 1}), 1)
    deck, row = settled(deck, row, 0, "b", None)
    assert deck == pool_of({"a": 1})
    assert row.take("b") == Deck()
    deck, row = row_of(pool_of({"a": 1}), 1)
    assert settled(deck, row, 0, "a", None) == (Deck(), Deck([Run(["a"])]))


def test_where_row_and_deck_do_not_fit_is_found():
    deck, _ = row_of(pool_of({"a": 2, "b": 1}), 2)
    assert astray(deck, Deck([Blank([0])])) == [(0, 2, 1)]
    assert astray(deck, Deck([Blank([0, 0, 1])])) == [(1, 0, 1)]
    assert astray(Deck([Pool([Stratum({"a": 2}, 1)])]), Deck()) == []
    assert astray(Deck([Pool([Stratum({"a": 2}, 2, 0)])]), Deck()) == [(0, 0, 0)]
    twice = Deck([Pool([Stratum({"a": 1}, 0, 0), Stratum({"b": 1}, 0, 0)])])
    assert astray(twice, Deck([Blank([0, 0])])) == [(0, 2, 2)]


def test_a_row_has_no_top_to_be_taken_until_it_is_seen():
    _, row = row_of(pool_of({"a": 1}), 1)
    with pytest.raises(ValueError, match="face down"):
        row.take("a")
    assert places(row) == [(None, 0, ())]
