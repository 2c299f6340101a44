"""Odds in a record: short, and the same when they are read again."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.sessions.odds import NoOdds, listed, told
from tools import verify_draws

NAMES = st.dictionaries(st.sampled_from("abcdefgh"), st.integers(1, 9), min_size=1)
SIDES = st.dictionaries(st.integers(-3, 12), st.integers(1, 9), min_size=1)


@given(st.lists(st.one_of(NAMES, SIDES), max_size=30))
def test_what_is_listed_is_what_is_told(every: list[dict[Any, int]]) -> None:
    entries = listed(every)
    assert told(entries) == every
    assert verify_draws.told_odds(entries) == every
    for entry, odds in zip(entries, every, strict=True):
        assert entry.get("of", sorted(map(list, odds.items()))) == sorted(map(list, odds.items()))


def test_a_draw_from_the_same_deck_tells_what_is_gone() -> None:
    deck = {"a": 2, "b": 1, "c": 1, "d": 1}
    other = {"x": 3, "y": 3}
    entries = listed([deck, other, {**deck, "a": 1}, {"a": 1, "b": 1, "c": 1}])
    assert entries == [
        {"of": [["a", 2], ["b", 1], ["c", 1], ["d", 1]]},
        {"of": [["x", 3], ["y", 3]]},
        {"like": 0, "but": [["a", 1]]},
        {"like": 2, "but": [["d", 0]]},
    ]


@pytest.mark.parametrize(
    "entries",
    [
        [{"like": 0, "but": []}],
        [{"of": [["a", 1]]}, {"like": 1, "but": []}],
        [{"of": [["a", 1]]}, {"like": -1, "but": []}],
        [{"of": [["a", 1], ["a", 2]]}],
    ],
)
def test_entries_that_name_no_odds_are_refused(entries: Any) -> None:
    with pytest.raises(NoOdds):
        told(entries)
