"""What is still worth having on the way out: all else is left alone, and what differs in nothing else is the same.

Of something that is at hand for all that could ever ask for it, no more is needed; what gives nothing that is needed,
itself or by what answers it, is of no use, and asks for nothing. What is left after that, again and again, is worth it.
Nothing is taken away by this: whatever leads out leads out as well without what is of no use.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from service.games.simurgh.v1.effects import KINDS, MARKER, TOKENS, Special, every_part, most_gained
from service.games.simurgh.v1.prospects import Prospect, Way
from service.games.simurgh.v1.sources import Source, in_company, sources


class Worth:
    """What is wanted at a prospect, by what could be used from a plenty: `abilities`, and `walked` by tile."""

    def __init__(
        self,
        ground: Any,
        o: Prospect,
        times: Mapping[str, int],
        members: Mapping[str, Sequence[str]],
        walked: Mapping[str, Sequence[str]],
        fresh: int,
    ) -> None:
        self.ground, self.o, self.walked, self.fresh = ground, o, walked, fresh
        self.times, self.members = times, members
        self.steps = 0
        self.known, self.company = sources(ground.f), in_company(ground.f)
        self.abilities: frozenset[str] = frozenset(times)
        self.tiles: frozenset[str] = frozenset(walked)
        self.demand: dict[str, int] = {}
        self.wanted: frozenset[str] = frozenset()
        self.kept: frozenset[str] = frozenset()  # markers that are not to be paid

    @property
    def is_calm(self) -> bool:
        """Whether markers neither come nor are paid any more."""
        return not self.fresh and not self.demand.get(MARKER)

    def of(self, goals: Iterable[Way]) -> Worth:
        """Worked out for these prices: less and less, until nothing more is of no use."""
        most: dict[str, int] = {}
        for way in goals:
            for what, n in way.items():
                most[what] = max(n, most.get(what, 0))
        while True:
            before = self.abilities, self.tiles
            self.demand = self._asked(most)
            self._trace_back(most)
            if (self.abilities, self.tiles) == before:
                break
        self.abilities = frozenset(a for name in self.abilities for a in self.members[name])
        return self

    def _trace_back(self, goal: Iterable[str]) -> None:
        """Of what could be used keep what the price needs, and what that needs."""
        able, walkable, asked = self.abilities, self.tiles, set(goal)
        self.abilities, self.tiles = frozenset(), frozenset()
        while True:
            self.wanted = frozenset(self._wanted(asked))
            self.steps += 1 + len(able) - len(self.abilities)
            abilities = {a for a in able - self.abilities if self._is_of_use(a)}
            tiles = {tile for tile in walkable - self.tiles if self._leads_on(tile)}
            if not abilities and not tiles:
                return
            self.abilities |= abilities
            self.tiles |= tiles
            for source in (*abilities, *(self.walked[tile][0] for tile in tiles)):
                asked.update(self.known[source].most)

    def _asked(self, most: Mapping[str, int]) -> dict[str, int]:
        """No less of each thing than the price and all that is of use can ask for together."""
        asked = dict(most)
        for source, n in [*self._used(), *((level, 1) for x in self.tiles for level in self.walked[x])]:
            for what, each in self.known[source].most.items():
                asked[what] = asked.get(what, 0) + n * each
        return asked

    def _used(self) -> Iterable[tuple[str, int]]:
        return ((a, self.times[a]) for a in self.abilities)

    def _wanted(self, asked: set[str]) -> Iterable[str]:
        """Of what is asked for that of which there may be too little."""
        for what, n in zip(TOKENS, self.o.tokens, strict=True):
            if what in asked and n < self.demand.get(what, 0):
                yield what
        if not asked.isdisjoint(KINDS):
            yield from KINDS  # of either kind one must be left (SIM-PAY-2)
        if MARKER in asked or self.abilities:
            yield MARKER

    def _is_of_use(self, a: str) -> bool:
        source = self.known[a]
        if a in self.ground.again:
            return bool(self.tiles)
        if not self.wanted.isdisjoint(source.gives) or (self.company and self._makes_room(source)):
            return True
        return a not in self.ground.answering and self._is_answered(source)

    def _is_answered(self, source: Source) -> bool:
        """Whether something answers it that gives what is wanted."""
        if source.tokens and self.is_answered("take", source.tokens):
            return True
        return bool(source.kinds) and any(
            self.is_answered("pay-vassal", frozenset([kind])) for kind in source.kinds
        )

    def is_answered(self, event: str, of: frozenset[str]) -> bool:
        """Whether an ability that is of use answers an event with what is wanted."""
        for a, gives in self.ground.answers_to(event, of):
            if a in self.abilities:
                for x, _ in gives:
                    if x in self.wanted:
                        return True
        return False

    def _makes_room(self, source: Source) -> bool:
        """Whether it pays a vassal of a kind that comes together with something else: that needs room."""
        if not source.kinds or not self.company:
            return False
        every = {*self.abilities, *(level for tile in self.tiles for level in self.walked[tile])}
        return any(x in every and not kinds.isdisjoint(source.kinds) for x, kinds in self.company.items())

    def _leads_on(self, tile: str) -> bool:
        """Whether a level gives what is wanted, or what answers a step there does."""
        return self.is_answered("move-rider", frozenset()) or any(
            not self.wanted.isdisjoint(self.known[x].gives)
            or self._makes_room(self.known[x])
            or self._is_answered(self.known[x])
            for x in self.walked[tile]
        )

    # -- choices ------------------------------------------------------------------------------------------------

    def is_worth(self, what: str) -> bool:
        """Whether it matters that something of a kind is taken."""
        return what in self.wanted or self.is_answered("take", frozenset([what]))

    def of_kinds(self, of: Sequence[str]) -> tuple[str, ...]:
        """The kinds of which some should be taken; any one where it does not matter."""
        return tuple(x for x in of if self.is_worth(x)) or tuple(of[:1])

    def matters(self, branch: Sequence[Any]) -> bool:
        """Whether a branch of a gain brings anything that does."""
        gives = most_gained(branch)
        return any(isinstance(p, Special) for p in every_part(branch)) or any(
            x in self.wanted or (x in TOKENS and self.is_answered("take", frozenset(gives) & {*TOKENS}))
            for x in gives
        )

    def of_ways(self, ways: Sequence[Way]) -> list[Way]:
        """The ways to pay of which no other takes less of what is wanted."""
        if len(ways) == 1:
            return [*ways]
        found: list[tuple[dict[str, int], Way]] = []
        for way in ways:
            scarce = {x: n for x, n in way.items() if x in self.wanted or x not in TOKENS}
            if not any(_is_no_more(less, scarce) for less, _ in found):
                found = [(more, w) for more, w in found if not _is_no_more(scarce, more)]
                found.append((scarce, way))
        return [way for _, way in found]

    def paying(self, marked: frozenset[str], n: int) -> Iterator[frozenset[str]]:
        """The markers left when `n` are paid: those that are of no use before any other."""
        dead = [a for a in sorted(marked - self.kept) if self._is_dead(a)]
        live = sorted(marked.difference(dead, self.kept)) if n > len(dead) else []
        for chosen in combinations(live, max(0, n - len(dead))):
            yield marked.difference(dead[:n], chosen)

    def _is_dead(self, a: str) -> bool:
        """Whether a marker is of no use there, nor those that come for it (SIM-DRAGON-2)."""
        return self.abilities.isdisjoint(self.ground.alike.row_of[a] if self.fresh else (a,))

    def for_markers(self, places: Sequence[str]) -> list[str]:
        """Where a marker should go: to dragons of use, one of those that are alike; anywhere where there are none."""
        found: dict[Hashable, str] = {}
        for a in places:
            if not self._is_dead(a):
                found.setdefault(self.ground.alike.pattern(self.o, a), a)
        return [*found.values()] or [*places[:1]]

    def trimmed(self, o: Prospect) -> Prospect:
        """The prospect without what is more than enough: those that differ in nothing else are the same."""
        return o._replace(
            tokens=tuple(min(n, self.demand.get(x, 0)) for x, n in zip(TOKENS, o.tokens, strict=True)),
            marked=o.marked & self.abilities if self.is_calm else o.marked,
        )


def _is_no_more(less: Mapping[str, int], more: Mapping[str, int]) -> bool:
    return all(more.get(x, 0) >= n for x, n in less.items())
