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
        pairs = entry["of"] if "of" in entry else entry["but"]
        changes = dict(map(tuple, pairs))
        if len(changes) < len(pairs):
            raise NoOdds("a value stands twice")
        if "of" not in entry:
            if not 0 <= entry["like"] < len(found):
                raise NoOdds("it is like no draw before it")
            changes = {**found[entry["like"]], **changes}
        found.append({value: weight for value, weight in changes.items() if weight})
    return found
