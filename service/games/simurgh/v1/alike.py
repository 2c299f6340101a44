"""Dragons and abilities that do the same: on which of them a marker lies makes no difference for a way out."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from service.games.simurgh.v1.figures import Figures
from service.games.simurgh.v1.prospects import Answering, Prospect


@lru_cache(maxsize=64)
def kinds(f: Figures) -> dict[str, int]:
    """A number for each ability; those that do the same have the same."""
    known: list[tuple[object, ...]] = []
    found: dict[str, int] = {}
    for a, ability in f.abilities.items():
        on = ability.trigger
        does = f.effects[a], None if on is None else (on.on, sorted(on.of)), ability.one_use
        if does not in known:
            known.append(does)
        found[a] = known.index(does)
    return found


class Times(NamedTuple):
    """How often abilities can be used in all, how many of their markers lie there, and which they are."""

    all: dict[str, int]
    own: dict[str, int]
    members: dict[str, list[str]]

    def add(self, name: str, a: str, own: int, more: int) -> None:
        """One more ability under a name."""
        self.all[name] = self.all.get(name, 0) + own + more
        self.own[name] = self.own.get(name, 0) + own
        self.members.setdefault(name, []).append(a)


class Alike:
    """Which of a player's dragons and abilities do the same."""

    def __init__(self, f: Figures, rows: Iterable[tuple[str, ...]]) -> None:
        self.kinds = kinds(f)
        self.rows = [tuple(row) for row in rows]
        self.row_of = {a: row for row in self.rows for a in row}

    @cached_property
    def dragons(self) -> list[list[tuple[str, ...]]]:
        """The rows of abilities of dragons that do the same, where there are several."""
        groups: dict[Hashable, list[tuple[str, ...]]] = {}
        for row in self.rows:
            groups.setdefault(tuple(self.kinds[a] for a in row), []).append(row)
        return [group for group in groups.values() if len(group) > 1]

    @cached_property
    def abilities(self) -> list[list[str]]:
        """The abilities that do the same, where there are several."""
        groups: dict[int, list[str]] = {}
        for row in self.rows:
            for a in row:
                groups.setdefault(self.kinds[a], []).append(a)
        return [group for group in groups.values() if len(group) > 1]

    def times(self, rows: Sequence[Sequence[tuple[str, bool]]], marked: frozenset[str], fresh: int) -> Times:
        """How often each ability can be used: for its marker, and for those that come, no more than `fresh`.

        Of those that come the empty abilities left of it take theirs before (SIM-DRAGON-2). Those with a marker that do
        the same are one, by the first of them. `rows`: the abilities of each dragon, and whether they are filled once.
        """
        found = Times({}, {}, {})
        first: dict[int, str] = {}
        for row in rows:
            left = fresh
            for a, one_use in row:
                more = 0 if one_use else max(0, left)
                if a in marked:
                    found.add(first.setdefault(self.kinds[a], a), a, 1, more)
                elif not one_use:
                    left -= 1
                    if more:
                        found.add(a, a, 0, more)
        return found

    def lying(self, marked: frozenset[str], filled: Sequence[str]) -> Times:
        """How often each ability can be used for markers that lie there, and for one that comes to each `filled`."""
        found = Times({}, {}, {})
        first: dict[int, str] = {}
        for row in self.rows:
            for a in row:
                if own := (a in marked) + filled.count(a):
                    found.add(first.setdefault(self.kinds[a], a), a, own, 0)
        return found

    def ordered(self, o: Prospect) -> Prospect:
        """The markers on the first of the dragons that do the same, as far as no event tells these apart."""
        marked = o.marked
        for group in self.dragons:
            if _told_apart(o, [a for row in group for a in row]):
                continue
            patterns = [[a in marked for a in row] for row in group]
            if (better := sorted(patterns, reverse=True)) != patterns:
                marked = marked.difference(*group).union(
                    a
                    for row, on in zip(group, better, strict=True)
                    for a, n in zip(row, on, strict=True)
                    if n
                )
        return o if marked is o.marked else o._replace(marked=marked)

    def sorted(self, o: Prospect) -> Prospect:
        """The markers on the first of the abilities that do the same: only where no more come."""
        marked = o.marked
        for group in self.abilities:
            on = [a for a in group if a in marked]
            if on != group[: len(on)] and not _told_apart(o, group):
                marked = marked.difference(on).union(group[: len(on)])
        return o if marked is o.marked else o._replace(marked=marked)

    def pattern(self, o: Prospect, a: str) -> Hashable:
        """What tells the dragon of an ability from others."""
        row = self.row_of[a]
        used = {b for x in o.todo if isinstance(x, Answering) for b in x.used}
        return tuple((self.kinds[b], b in o.marked, b in used) for b in row)


def _told_apart(o: Prospect, abilities: Sequence[str]) -> bool:
    """Whether one of these has answered an event that goes on."""
    return any(isinstance(x, Answering) and not x.used.isdisjoint(abilities) for x in o.todo)
