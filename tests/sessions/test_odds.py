"""Odds in a record: short, and the same when they are read again."""

from __future__ import annotations

import tracemalloc
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.sessions.odds import NoOdds, first_other, listed, told
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


def test_the_first_draw_that_has_other_odds_is_found() -> None:
    every = [{"a": 2, "b": 1}, {"a": 1, "b": 1}, {"b": 1}]
    entries = listed(every)
    assert first_other(entries, every) is None
    assert first_other(entries, [every[0], {"a": 1}, every[2]]) == 1
    assert first_other(entries[:2], every) == 2
    assert first_other([*entries, {"like": 0, "but": []}], every) == 3
    with pytest.raises(NoOdds):
        first_other([entries[0], {"like": 1, "but": []}, entries[2]], every)


def test_true_is_another_value_than_one() -> None:
    assert first_other([{"of": [[True, 1], [False, 1]]}], [{1: 1, 0: 1}]) == 0
    assert first_other([{"of": [[False, 1], [True, 1]]}], [{True: 1, False: 1}]) is None


@pytest.mark.parametrize("draws", [0, 1, 3])
def test_a_few_bytes_that_stand_for_many_odds_take_no_room(draws: int) -> None:
    """29,000 times the same thousand values, each entry of 21 bytes: they were a gigabyte."""
    thousand = dict.fromkeys(range(1000), 1)
    entries = [{"of": [[n, 1] for n in thousand]}, *({"like": 0, "but": []} for _ in range(29_000))]
    tracemalloc.start()
    assert first_other(entries, [thousand] * draws) == draws
    assert tracemalloc.get_traced_memory()[1] < 2_000_000
    tracemalloc.stop()
