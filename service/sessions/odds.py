"""Odds in a record: what could come up at each draw, so that who knows no rules can work the draws out.

An entry a draw, in their order. `{"of": [[value, weight], …]}` lists all that could come up. Where little has changed
since an earlier draw, `{"like": that one's place in the list, "but": [[value, weight], …]}` lists the changes, with
weight 0 for what cannot come up any more. Values are in order: numbers by size, ids by their letters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Odds = Mapping[Any, int]
LOOKED_BACK = 8  # draws that an entry may be like: the decks of a game take turns


class NoOdds(ValueError):
    """Entries that name no odds: one like none before it, or one that lists a value twice."""


def listed(every: Sequence[Odds]) -> list[dict[str, Any]]:
    """The entries of these draws."""
    return [_entry(odds, every, at) for at, odds in enumerate(every)]


def _entry(odds: Odds, every: Sequence[Odds], at: int) -> dict[str, Any]:
    least: list[list[Any]] = [[value, odds[value]] for value in sorted(odds)]
    like = None
    for earlier in range(at - 1, max(-1, at - 1 - LOOKED_BACK), -1):
        before = every[earlier]
        if not _alike(before, odds):
            continue
        changed = sorted(v for v in before.keys() | odds.keys() if before.get(v, 0) != odds.get(v, 0))
        if len(changed) < len(least):
            least, like = [[value, odds.get(value, 0)] for value in changed], earlier
    return {"of": least} if like is None else {"like": like, "but": least}


def _alike(one: Odds, other: Odds) -> bool:
    """Whether the values of both have an order in common."""
    return {type(value) for value in one} == {type(value) for value in other}


def told(entries: Sequence[Mapping[str, Any]]) -> list[dict[Any, int]]:
    """The odds that entries name. Raises NoOdds."""
    found: list[dict[Any, int]] = []
    for entry in entries:
        found.append(_told(entry, found, len(found)))
    return found


def first_other(entries: Sequence[Mapping[str, Any]], every: Sequence[Odds]) -> int | None:
    """The first of these draws whose odds are not those of its entry (or has none, or there is an entry more); None
    where all are. Raises NoOdds.

    What an entry is like is known by then, and taken from the draws: so a few bytes that name thousand values again and
    again are no more in memory than the draws are.
    """
    for at, (entry, odds) in enumerate(zip(entries, every, strict=False)):
        if not _same(_told(entry, every, at), odds):
            return at
    return None if len(entries) == len(every) else min(len(entries), len(every))


def _same(one: Odds, other: Odds) -> bool:
    """Whether both are the same; `true` is another value than 1."""
    return one == other and {(type(v), v) for v in one} == {(type(v), v) for v in other}


def _told(entry: Mapping[str, Any], every: Sequence[Odds], at: int) -> dict[Any, int]:
    """What the entry of a draw names, where the draws before it had these odds. Raises NoOdds."""
    pairs = entry["of"] if "of" in entry else entry["but"]
    changes = dict(map(tuple, pairs))
    if len(changes) < len(pairs):
        raise NoOdds("a value stands twice")
    if "of" not in entry:
        if not 0 <= entry["like"] < at:
            raise NoOdds("it is like no draw before it")
        changes = {**every[entry["like"]], **changes}
    return {value: weight for value, weight in changes.items() if weight}
