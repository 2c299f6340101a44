"""A bound for the search for a way out: what could come if no payment took anything away, and what it would take.

Every ability that could be paid from such a plenty gives its most, once for each marker that it can have, and so does
every step of a rider; what answers an event gives only where the event can be. No prospect can have more, so where no
price is covered there is no way out. Where one is, what it took says what to try first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from service.games.simurgh.v1.effects import KINDS, MARKER, TOKENS, most_gained
from service.games.simurgh.v1.figures import Figures
from service.games.simurgh.v1.prospects import Answering, Dividing, Gaining, Goal, Marking, Prospect, Way

WALK = "walk"
FRESH = "fresh marker"


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
    """What can come from a prospect, worked out once, where no more than `fresh` markers come on the way."""

    def __init__(self, ground: Any, o: Prospect, fresh: int = 0) -> None:
        self.ground, self.o, self.f, self.fresh = ground, o, ground.f, fresh
        self.known = sources(ground.f)
        self.first = dict(zip(TOKENS, o.tokens, strict=True))
        self.first |= {MARKER: len(o.marked), KINDS[0]: o.home[0] + o.away[0]}
        self.first[KINDS[1]] = o.home[1] + o.away[1] + len(o.riders)
        self.have = dict(self.first)
        self.came: dict[str, list[tuple[str, int]]] = {}
        self.costs: dict[str, Way] = {}
        self.cause: dict[str, str] = {}
        self.fired: set[str] = set()
        self.times = self._times()
        free = not any(
            isinstance(x, Goal) and not x.acquires for x in o.todo
        )  # no free action before a new tile is used
        self.left = [a for a in self.times if free and a in ground.relevant and a not in ground.answering]
        self.answers = [(a, *ground.answering[a]) for a in self.times if a in ground.answering]
        self.paths: list[tuple[str, list[str], int]] = list(ground.paths(o, bool(fresh))) if free else []
        self._pending()

    def _times(self) -> dict[str, int]:
        """How often each ability can be used: for its marker, and for those that come.

        Of those that come the empty abilities left of it take theirs before (SIM-DRAGON-2).
        """
        found: dict[str, int] = {}
        for row in self.ground.rows:
            fresh = self.fresh
            for a, one_use in row:
                n = int(a in self.o.marked)
                if not one_use:
                    more = max(0, fresh)
                    fresh -= not n
                    n += more
                if n:
                    found[a] = n
        return found

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
            self.came.setdefault(FRESH if what == MARKER else what, []).append((name, n * times))
        if not quiet and (taken := [what for what in bag if what in TOKENS]):
            self._fire("take", taken, name)

    def _fire(self, event: str, of: Iterable[str], cause: str) -> None:
        """What answers an event gives its most."""
        for a, on, kinds, one_more in self.answers:
            if on != event or a in self.fired or (kinds and kinds.isdisjoint(of)):
                continue
            gives: Mapping[str, int] = self.known[a].gives
            if one_more:
                gives = {x: n for x, n in gives.items() if x in of}  # another event may give the rest
            else:
                self.fired.add(a)
            self.cause.setdefault(a, cause)
            self._come(a, gives, self.times[a], quiet=True)

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
        while (way := self._payable(goals)) is None:
            usable = [(a, w) for a in self.left if (w := self._payable(self.known[a].costs, 1)) is not None]
            for a, paid_with in usable:
                self.left.remove(a)
                self._use(a, self.known[a], paid_with, self.times[a])
            if not self._walk() and not usable:
                come = sum(n for _, n in self.came.get(FRESH, ()))
                return Plenty(self.ground, self.o, come).plan(goals) if come > self.fresh else None
        return self._traced(way)

    def _payable(self, costs: Sequence[Way], own: int = 0) -> Way | None:
        return next((w for w in costs if self.could_pay(w, own)), None)

    def _use(self, name: str, source: Source, way: Way, times: int) -> None:
        fresh = {FRESH: 1} if name != WALK and name not in self.o.marked else {}
        self.costs.setdefault(name, {**way, **fresh})
        for kind in source.kinds:
            self._fire("pay-vassal", [kind], name)
        self._come(name, source.gives, times, quiet=False)

    def _walk(self) -> bool:
        """Whether there is a next level that a rider can pay for: as many times the price as it is steps away."""
        walked = False
        for i, (tile, levels, n) in enumerate(self.paths):
            ways = self.f.move_costs[tile]
            least = {what: min(w.get(what, 0) for w in ways) * (n + 1) for what in ways[0]}
            if levels and (way := self._payable(ways)) is not None and self.could_pay(least):
                self.paths[i] = (tile, levels[1:], n + 1)
                self._use(WALK, self.known[levels[0]], way, 1)
                self._fire("move-rider", (), WALK)
                walked = True
        return walked

    def _asked(self, name: str) -> Way:
        """What something takes; a trigger without its marker one that comes."""
        if name in self.costs or name in self.o.marked:
            return self.costs.get(name, {})
        return {FRESH: 1}

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
                    for x, m in self._asked(name).items():
                        needs[x] = needs.get(x, 0) + m
                        todo.append(x)
                    name = self.cause.get(name, "")
        short_of = {x: n - self.first.get(x, 0) for x, n in needs.items() if n > self.first.get(x, 0)}
        return Plan(frozenset(uses), WALK in uses, short_of)
