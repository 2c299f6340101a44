"""What no way to a price can do without, and whether that is more than there ever is: then there is no such way."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from service.games.simurgh.v1.effects import KINDS, MARKER
from service.games.simurgh.v1.prospects import Way

WALK = "walk"
FRESH = "fresh marker"
UNCOUNTED = (
    MARKER,
    *KINDS,
)  # a marker or a vassal that is needed may be one that is needed for something else


class Shortage:
    """What every way to a price asks for, of a plenty that has come to its end.

    `counted`: the sources whose price is among it; what is needed of several of which one will do is the least that any
    of them asks for, and no source is counted in two such groups. `granted`: places for markers that must be filled.
    """

    def __init__(self, plenty: Any, way: Way) -> None:
        self.plenty, self.f = plenty, plenty.f
        self.known, self.supply, self.first = plenty.known, plenty.supply, plenty.first
        self.needs = dict(way)
        self.counted: set[str] = set()
        self.granted: set[str] = set()

    def is_certain(self) -> bool:
        """Whether the price, and all that must be paid on every way to it, is more than there ever is."""
        todo = list(self.needs)
        grouped: set[str] = set()
        while todo:
            what = todo.pop()
            if what not in UNCOUNTED and self.needs[what] > self.first.get(what, 0):
                if self.needs[what] > self._in_all(what):
                    return True
                todo += self._alone(what)
            if not todo:
                for x in [x for x in self.needs if x not in grouped and x not in UNCOUNTED]:
                    grouped.add(x)
                    todo += self._together(x)
        return False

    def _alone(self, what: str) -> list[str]:
        """Add what is asked for by sources without which there would be too little; what to look at again."""
        todo: list[str] = []
        total = self._in_all(what)
        for name, gives, own, more, _, _ in self.supply.get(what, ()):
            if not name or name in self.counted:
                continue
            if total - gives * (own + more) >= self.needs[what] and name not in self.plenty.sole_causes:
                continue  # too little to be missed
            if self._in_all(what, but=name) < self.needs[what]:
                for one in self._with_those_before(name):
                    if one not in self.counted:
                        todo += self._take_in(one)
        return todo

    def _take_in(self, name: str) -> list[str]:
        self.counted.add(name)
        least = dict(self.known[name].least)
        if name not in self.f.levels and not self.plenty.own[name]:
            self.granted |= self._filled(name)
            least[FRESH] = max(0, len(self.granted) - self.needs.get(FRESH, 0))
        return self._asked(least)

    def _asked(self, least: Mapping[str, int]) -> list[str]:
        for x, n in least.items():
            self.needs[x] = self.needs.get(x, 0) + n
        return list(self.needs) if least.get(FRESH) else [x for x in self.needs if x in least]

    def _together(self, what: str) -> list[str]:
        """Add the least that any source asks for of those of which one is needed at least."""
        if self.needs[what] <= self.first.get(what, 0):
            return []
        names = self._roots(name for name, *_ in self.supply.get(what, ()))
        chains = [self._with_those_before(name) for name in names]
        every = {one for chain in chains for one in chain}
        if not chains or "" in names or not self.counted.isdisjoint(every):
            return []
        self.counted |= every
        asked = [self._price(chain) for chain in chains]
        least = {x: n for x in asked[0] if (n := min(way.get(x, 0) for way in asked))}
        least[FRESH] = max(0, least.get(FRESH, 0) - self.needs.get(FRESH, 0))
        return self._asked({x: n for x, n in least.items() if n})

    def _roots(self, names: Iterable[str]) -> set[str]:
        """The sources without answers: instead of an answer what can bring about its event, of which one is needed."""
        found: set[str] = set()
        for name in names:
            found |= self.plenty.causes.get(name, set()) if name in self.plenty.come else {name}
        if WALK in found:
            found.remove(WALK)
            found |= {levels[0] for levels in self.plenty.walked.values()}
        return found

    def _price(self, chain: Iterable[str]) -> dict[str, int]:
        """The least that all these ask for together, markers that must come for them among it."""
        found: dict[str, int] = {}
        for name in chain:
            for x, n in self.known[name].least.items():
                found[x] = found.get(x, 0) + n
            if name not in self.f.levels and not self.plenty.own[name]:
                found[FRESH] = len(self._filled(name))
        return found

    def _filled(self, name: str) -> set[str]:
        """The abilities without a marker that have got one by the time that this one has: those left of it too."""
        row, o = self.f.abilities_of[self.f.abilities[name].dragon], self.plenty.o
        upto = row[: row.index(name) + 1]
        return {a for a in upto if a not in o.marked and not self.f.abilities[a].one_use}

    def _with_those_before(self, name: str) -> list[str]:
        """A level, and those that the rider comes by on his way there."""
        if name not in self.f.levels:
            return [name]
        tile = self.f.tile_at[name]
        at = dict(self.plenty.o.riders)[tile]
        return list(self.f.spaces_of[tile][at : self.f.levels[name].level])

    def _in_all(self, what: str, but: str = "") -> int:
        """No less of something than can ever be had, without one source and what only it brings about.

        What a source asks for itself comes off what it gives, but for the once that is among the needs. Markers that
        are needed elsewhere come to nobody else.
        """
        spare = max(0, self.plenty.fresh - len(self.granted))
        sure, more, causes = self.first.get(what, 0), [], self.plenty.causes if but else {}
        for name, gives, own, by_marker, _, n in self.supply.get(what, ()):
            if but and (name == but or causes.get(name) == {but}):
                continue
            if own or name in self.granted:
                times = own or 1
                sure += gives + n * (times - 1) if name in self.counted else n * times
            if spare and by_marker and n:
                more += [n] * min(by_marker, spare)
        self.plenty.steps += 1
        if len(more) > spare:
            more.sort(reverse=True)
        return sure + sum(more[:spare])
