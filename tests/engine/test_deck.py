"""Decks: runs and pools, odds, and that equal decks are equal data."""

from fractions import Fraction
from math import comb, gcd

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.engine.deck import Deck, Pool, Run, Stratum, pool_of


def test_an_empty_deck_has_no_odds_no_top_and_gives_nothing():
    deck = Deck()
    assert (deck.size, deck.odds(), deck.top, deck.cards()) == (0, {}, None, {})
    with pytest.raises(ValueError, match="empty"):
        deck.take("x")


def test_a_known_top_comes_up_for_certain():
    deck = pool_of({"x": 3}).put(["y", "x"], ["ann"])
    assert deck.odds() == {"y": 1}
    assert deck.top == "y"
    with pytest.raises(ValueError, match="not x"):
        deck.take("x")


def test_a_pool_gives_by_its_members_and_knows_no_top():
    deck = pool_of({"b": 1, "a": 3})
    assert deck.odds() == {"a": 3, "b": 1}
    assert deck.top is None
    assert deck.take("b") == pool_of({"a": 3})


def test_a_stratum_of_which_some_are_set_aside_weighs_by_its_size():
    pool = Pool([Stratum({"a": 1, "b": 1}, 1), Stratum({"c": 2}, 2)])
    odds = Deck([pool]).odds()
    total = sum(odds.values())
    assert {card: Fraction(n, total) for card, n in odds.items()} == {
        "a": Fraction(1, 6),
        "b": Fraction(1, 6),
        "c": Fraction(2, 3),
    }


def test_a_stratum_that_has_given_all_keeps_the_members_that_were_set_aside():
    deck = Deck([Pool([Stratum({"a": 1, "b": 1}, 1)])]).take("a")
    assert deck.segments == [Pool([Stratum({"b": 1}, 0)])]
    assert (deck.size, deck.cards()) == (0, {"b": 1})


@given(st.integers(1, 4), st.integers(1, 4), st.data())
def test_series_of_draws_are_as_likely_as_in_a_shuffled_deck(a, b, data):
    n = data.draw(st.integers(1, a + b))
    chance = {(): Fraction(1)}
    for _ in range(n):
        chance = step(pool_of({"a": a, "b": b}), chance)
    for series, p in chance.items():
        k = series.count("a")
        assert p == Fraction(comb(a + b - n, a - k), comb(a + b, a))


def step(deck, chance):
    found = {}
    for series, p in chance.items():
        left = deck
        for card in series:
            left = left.take(card)
        odds = left.odds()
        for card, weight in odds.items():
            found[(*series, card)] = p * Fraction(weight, sum(odds.values()))
    return found


def test_cards_go_on_top_or_to_the_bottom_with_those_who_know_them():
    deck = pool_of({"x": 1}).put(["a", "b"], ["bob", "ann"]).put(["c"], None, bottom=True)
    assert deck.segments == [Run(["a", "b"], ["ann", "bob"]), *pool_of({"x": 1}).segments, Run(["c"], None)]
    assert deck.put([], ["ann"]) is deck


def test_runs_that_touch_and_are_known_alike_are_one_run():
    one = Deck().put(["b"], ["ann"]).put(["a"], ["ann"])
    assert one == Deck().put(["a", "b"], ["ann"])
    assert len(one.put(["c"], ["bob"]).segments) == 2


def test_a_seat_knows_its_runs_at_their_depth():
    deck = pool_of({"x": 3}).put(["a"], ["ann"]).put(["b"], None).put(["c"], ["bob"], bottom=True)
    assert deck.runs_known_by("ann") == [(0, ["b", "a"])]
    assert deck.runs_known_by("bob") == [(0, ["b"]), (5, ["c"])]
    assert deck.runs_known_by(None) == [(0, ["b"])]
    assert deck.known_by("ann") == ["b", "a"]


def test_what_lies_under_something_unknown_is_not_known_from_the_top():
    deck = pool_of({"x": 1}).put(["a"], ["ann"]).put(["b"], ["bob"])
    assert deck.known_by("ann") == []
    assert deck.runs_known_by("ann") == [(1, ["a"])]


def test_shuffling_makes_one_pool_of_runs_pools_and_more():
    deck = pool_of({"x": 1}).put(["a"], ["ann"]).shuffled({"d": 2})
    assert deck == pool_of({"a": 1, "d": 2, "x": 1})
    assert Deck().shuffled({}) == Deck()


def test_shuffling_keeps_a_stratum_apart_of_which_something_is_set_aside():
    aside = Stratum({"a": 1, "b": 1}, 1)
    deck = Deck([Pool([aside])]).put(["c"], None).shuffled({"d": 1})
    assert deck.segments == [Pool([aside, Stratum({"c": 1, "d": 1}, 2)])]


MEMBERS = st.dictionaries(st.sampled_from("abcd"), st.integers(1, 6), min_size=1)
STRATA = st.lists(st.builds(Stratum, MEMBERS, st.integers(0, 4)), min_size=1, max_size=3)


@given(STRATA)
def test_one_stratum_or_several_give_what_the_fractions_say(strata):
    """What is quick with one stratum, and with one that holds the card, is what holds of any number."""
    weights = {}
    for stratum in strata:
        held = sum(stratum.members.values())
        for card, copies in stratum.members.items() if stratum.size else ():
            weights[card] = weights.get(card, 0) + Fraction(copies * stratum.size, held)
    deck = Deck([Pool(strata)])
    odds, total = deck.odds(), sum(deck.odds().values())
    assert list(odds) == sorted(weights)
    assert {card: Fraction(n, total) for card, n in odds.items()} == {
        card: w / sum(weights.values()) for card, w in weights.items()
    }
    assert not odds or gcd(*odds.values()) == 1
    for card in weights:
        share = [
            Fraction(s.size * s.members.get(card, 0), sum(s.members.values())) if s.size else -1
            for s in strata
        ]
        at = share.index(max(share))
        given = strata[at]
        less = {k: n - (k == card) for k, n in given.members.items() if n > (k == card)}
        left = [*strata[:at], Stratum(less, given.size - 1, given.mark), *strata[at + 1 :]]
        left = [s for s in left if s.members]
        assert deck.take(card).segments == ([Pool(left)] if left else [])
