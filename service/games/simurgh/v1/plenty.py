"""A bound for the search for a way out: what could come if no payment took anything away, and what it would take.

Every ability that could be paid from such a plenty gives its most, once for each marker that it can have, and so does every
step of a rider; what answers an event gives only where the event can be. No prospect can have more, so where no price is
covered there is no way out. Where one is, what it took says what to try first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from service.games.simurgh.v1.effects import KINDS, MARKER, ONE_MORE, TOKENS, Special, most_gained
from service.games.simurgh.v1.figures import Figures
from service.games.simurgh.v1.foresight import Answering, Dividing, Gaining, Marking, Prospect, Way

WALK = "walk"


class Source(NamedTuple):
    """What something can give at most, and what it asks for."""

    costs: tuple[dict[str, int], ...]
    gives: dict[str, int]
    kinds: frozenset[str]  # of vassals that it may be paid with
    tokens: frozenset[str]  # that it may give


class Plan(NamedTuple):
    """What it would take: the abilities used, whether a rider moves, and how much more of each thing."""

    uses: frozenset[str]
    walks: bool
    needs: dict[str, int]

    def serves(self, bag: Mapping[str, int]) -> int:
        """A key to sort by: the more of what is needed, the earlier."""
        return -sum(min(n, self.needs.get(what, 0)) for what, n in bag.items())


@lru_cache(maxsize=64)
def sources(f: Figures) -> dict[str, Source]:
    """Every ability and level as a source, by its id."""
    return {x: _source(f.effects[x].costs, most_gained(f.effects[x].gain)) for x in (*f.abilities, *f.levels)}


def _source(costs: tuple[dict[str, int], ...], gives: dict[str, int]) -> Source:
    kinds = frozenset(k for way in costs for k in KINDS if k in way)
    return Source(costs, gives, kinds, frozenset(what for what in gives if what in TOKENS))


class Plenty:
    """What can come from a prospect, worked out once."""

    def __init__(self, ground: Any, o: Prospect) -> None:
        self.ground, self.o, self.f = ground, o, ground.f
        self.known = sources(ground.f)
        self.first = dict(zip(TOKENS, o.tokens, strict=True))
        self.first |= {MARKER: len(o.marked), KINDS[0]: o.home[0] + o.away[0], KINDS[1]: o.home[1] + o.away[1] + len(o.riders)}
        self.have = dict(self.first)
        self.came: dict[str, list[tuple[str, int]]] = {}
        self.costs: dict[str, Way] = {}
        self.cause: dict[str, str] = {}
        self.fired: set[str] = set()
        self.fresh = ground.fresh_markers(o)
        self.left = [a for a in ground.abilities if a in ground.relevant and self.times(a) and a not in ground.triggers]
        self.paths: list[tuple[str, list[str]]] = list(ground.paths(o))
        self._pending()

    def times(self, a: str) -> int:
        """How often an ability can be used: for its marker, and for those that may still come."""
        return (a in self.o.marked) + (0 if self.f.abilities[a].one_use else self.fresh)

    def _pending(self) -> None:
        """What is under way already comes."""
        for x in self.o.todo:
            if isinstance(x, Gaining):
                parts = self.ground.parts(x.source, x.branch)[x.part :]
                self._come("", most_gained(parts), 1, quiet=x.quiet)
            elif isinstance(x, Dividing):
                self._come("", dict.fromkeys(x.of, x.n), 1, quiet=x.quiet)
            elif isinstance(x, Marking):
                self._come("", {MARKER: x.left}, 1, quiet=True)
            elif isinstance(x, Answering):
                self._fire(x.event, x.of, "")

    def _come(self, name: str, bag: Mapping[str, int], times: int, quiet: bool) -> None:
        for what, n in bag.items():
            self.have[what] = self.have.get(what, 0) + n * times
            self.came.setdefault(what, []).append((name, n * times))
        if not quiet and (taken := [what for what in bag if what in TOKENS]):
            self._fire("take", taken, name)

    def _fire(self, event: str, of: Iterable[str], cause: str) -> None:
        """What answers an event gives its most."""
        of = list(of)
        for a in self.ground.triggers:
            if a in self.fired or not self.times(a) or not self.ground.fits(a, event, of):
                continue
            gives = self.known[a].gives
            special = next((p for p in self.f.effects[a].gain if isinstance(p, Special)), None)
            if special is not None and special.name == ONE_MORE:
                gives = {x: n for x, n in gives.items() if x in of}  # another event may give the rest
            else:
                self.fired.add(a)
            self.cause.setdefault(a, cause)
            self._come(a, gives, self.times(a), quiet=True)

    def could_pay(self, way: Way, own: int = 0) -> bool:
        """Whether a price is covered; `own`: markers that are gone before it is paid."""
        have, vassals = self.have, 0
        for what, n in way.items():
            if have.get(what, 0) < n + (own if what == MARKER else 0):
                return False
            if what in KINDS:
                vassals += n
        return not vassals or have[KINDS[0]] + have[KINDS[1]] + self.o.others > vassals

    def plan(self, goals: Sequence[Way]) -> Plan | None:
        """What it would take to pay one of these prices; None where none is ever covered."""
        while True:
            way = next((w for w in goals if self.could_pay(w)), None)
            if way is not None:
                return self._traced(way)
            usable = [(a, w) for a in self.left if (w := self._payable(self.known[a].costs, 1)) is not None]
            steps = self._steps()
            if not usable and not steps:
                return None
            for a, paid_with in usable:
                self.left.remove(a)
                self._use(a, self.known[a], paid_with, self.times(a))
            for source, paid_with in steps:
                self._use(WALK, source, paid_with, 1)
                self._fire("move-rider", (), WALK)

    def _payable(self, costs: Sequence[Way], own: int = 0) -> Way | None:
        return next((w for w in costs if self.could_pay(w, own)), None)

    def _use(self, name: str, source: Source, way: Way, times: int) -> None:
        self.costs.setdefault(name, way)
        for kind in source.kinds:
            self._fire("pay-vassal", [kind], name)
        self._come(name, source.gives, times, quiet=False)

    def _steps(self) -> list[tuple[Source, Way]]:
        """The levels that riders can still reach, those of one path after the other."""
        found = []
        for path in list(self.paths):
            tile, levels = path
            way = self._payable(self.f.move_costs[tile])
            if way is not None:
                self.paths.remove(path)
                found += [(self.known[x], way) for x in levels]
        return found

    def _traced(self, way: Way) -> Plan:
        """Back from a price to what it takes to pay it."""
        needs, uses, todo = dict(way), set[str](), list(way)
        while todo:
            what = todo.pop()
            short = needs.get(what, 0) - self.first.get(what, 0)
            for name, n in self.came.get(what, ()):
                if short <= 0:
                    break
                short -= n
                while name and name not in uses:
                    uses.add(name)
                    for x, m in self.costs.get(name, {}).items():
                        needs[x] = needs.get(x, 0) + m
                        todo.append(x)
                    name = self.cause.get(name, "")
        short_of = {x: n - self.first.get(x, 0) for x, n in needs.items() if n > self.first.get(x, 0)}
        return Plan(frozenset(uses), WALK in uses, short_of)
