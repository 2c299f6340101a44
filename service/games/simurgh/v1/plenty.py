"""A bound for the search for a way out: what could come if no payment took anything away, and what it would take.

Every ability that could be paid from such a plenty gives its most, once for each marker that it can have, and so does
every step of a rider; what answers an event gives only where the event can be. No prospect can have more, so where no
price is covered there is no way out. Where one is, what it took says what to try first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from service.games.simurgh.v1.alike import Times
from service.games.simurgh.v1.effects import KINDS, MARKER, TOKENS, Total
from service.games.simurgh.v1.prospects import Answering, Dividing, Gaining, Goal, Marking, Prospect, Way
from service.games.simurgh.v1.shortage import FRESH, WALK, Shortage
from service.games.simurgh.v1.sources import Source, most_of, sources, summed
from service.games.simurgh.v1.worth import Worth

TAKEN, NONE = frozenset(TOKENS), frozenset[str]()
MANY = 100  # markers: abilities of a house may give each other markers for ever, and no search is as long


# What gives, how much at a time, how often for markers that lie there and for those that come; what is used for that;
# and how much at a time when what it asks for of the same comes off.
Supply: TypeAlias = "tuple[str, int, int, int, str, int]"


class Plan(NamedTuple):
    """What it would take: the abilities used, the tiles on which a rider moves, and how much more of each thing.

    `worth`: what is worth having at all.
    """

    uses: frozenset[str]
    walks: frozenset[str]
    needs: dict[str, int]
    worth: Worth

    def serves(self, bag: Mapping[str, int]) -> int:
        """A key to sort by: the more of what is needed, the earlier."""
        return -sum(min(n, self.needs.get(what, 0)) for what, n in bag.items())


class Plenty:
    """What can come from a prospect, worked out once, where no more than `fresh` markers come on the way."""

    def __init__(self, ground: Any, o: Prospect, fresh: int = 0) -> None:
        self.ground, self.o, self.f, self.fresh = ground, o, ground.f, fresh
        self.known = sources(ground.f)
        self.first = dict(zip(TOKENS, o.tokens, strict=True))
        self.first |= {MARKER: len(o.marked), KINDS[0]: o.home[0] + o.away[0]}
        self.first[KINDS[1]] = o.home[1] + o.away[1] + len(o.riders)
        self.first = summed(ground.f, self.first)
        self.have = dict(self.first)
        self.given: defaultdict[str, list[tuple[str, Mapping[str, int]]]] = defaultdict(list)
        self.steps = 0  # of the work that is done for this, the same wherever the prospect is met
        self.costs: dict[str, Way] = {}
        self.cause: dict[str, str] = {}
        self.come: dict[str, set[str]] = {}
        self.fired: dict[tuple[str, frozenset[str]], list[str]] = {}
        self.times, self.own, self.members = self._times()
        # no free action before a new tile is used
        self.free = not any(isinstance(x, Goal) and not x.acquires for x in o.todo)
        self.left = self._free(self.times)
        self.walked: dict[str, list[str]] = {}
        self.paths = self._levels()
        self._pending()

    def _times(self) -> Times:
        """How often each ability can be used."""
        return self.ground.times(self.o.marked, self.fresh)

    def _free(self, abilities: Iterable[str]) -> list[str]:
        ground = self.ground
        if not self.free:
            return []
        return [a for a in abilities if a in ground.relevant and a not in ground.answering]

    def _levels(self) -> list[tuple[str, list[str], int]]:
        """The levels that riders may still come to, and how many they have passed by."""
        paths = self.ground.paths(self.o, bool(self.fresh)) if self.free else []
        passed = {tile: len(levels) for tile, levels in self.walked.items()}
        return [(tile, levels[passed.get(tile, 0) :], passed.get(tile, 0)) for tile, levels, _ in paths]

    def _more(self, fresh: int) -> None:
        """So many markers come: what has been used already gives more, and more can be used."""
        before, had = self.times, bool(self.fresh)
        self.steps += 3
        self.fresh = fresh
        self.times, self.own, self.members = self.ground.times(self.o.marked, fresh)
        new = [a for a in self.times if a not in before]
        for name, n in self.times.items():
            if name in self.given and (more := n - before.get(name, 0)):
                for level, bag in self.given[name]:
                    for what, each in bag.items() if not level else ():
                        self.have[what] = self.have.get(what, 0) + each * more
        self.left += self._free(new)
        if not had:
            self.paths = self._levels()
        for (event, of), causes in self.fired.items() if new else ():
            self._answer(event, of, causes[0], new)

    def _pending(self) -> None:
        """What is under way already comes."""
        for x in self.o.todo:
            if isinstance(x, Gaining):
                self._come("", self.ground.most_left(x), 1, quiet=x.quiet)
            elif isinstance(x, Dividing):
                self._come("", most_of(self.f, [Total(x.n, x.of)]), 1, quiet=x.quiet)
            elif isinstance(x, Marking):
                self._come("", {MARKER: x.left}, 1, quiet=True)
            elif isinstance(x, Answering):
                self._fire(x.event, frozenset(x.of), "")

    def _come(self, name: str, bag: Mapping[str, int], times: int, quiet: bool, level: str = "") -> None:
        source, have = level or name, self.have
        self.given[name].append((level, bag))
        self.steps += 2
        for what, n in bag.items():
            have[what] = have.get(what, 0) + n * times
        if not quiet:
            taken = self.known[source].tokens if source in self.known else TAKEN.intersection(bag)
            if taken:
                self._fire("take", taken, name)

    def _fire(self, event: str, of: frozenset[str], cause: str) -> None:
        """What answers an event gives its most: of each thing once, in answer to whichever event."""
        if (event, of) in self.fired:
            self.fired[event, of].append(cause)
            return
        self.fired[event, of] = [cause]
        self._answer(event, of, cause, self.times)

    def _answer(self, event: str, of: frozenset[str], cause: str, able: Container[str]) -> None:
        for a, gives in self.ground.answers_to(event, of):
            if a in able:
                self.cause.setdefault(a, cause)
                come = self.come.setdefault(a, set())
                if fresh := {x: n for x, n in gives if x not in come}:
                    come.update(fresh)
                    self._come(a, fresh, self.times[a], quiet=True)

    @cached_property
    def supply(self) -> dict[str, list[Supply]]:
        """What gives each thing, once all is known that does."""
        found: dict[str, list[Supply]] = {}
        for name, bags in self.given.items():
            for level, bag in bags:
                own = 1 if level or not name else self.own[name]
                more = 0 if level or not name else self.times[name] - own
                source = level or name
                least = self.known[source].least if source else {}
                for what, n in bag.items():
                    net = max(0, n - least[what]) if what in least else n
                    one = source, n, own, more, name, net
                    found.setdefault(FRESH if what == MARKER else what, []).append(one)
        return found

    @cached_property
    def causes(self) -> dict[str, set[str]]:
        """What can bring about the events that each ability answers; what is under way is called ""."""
        found: dict[str, set[str]] = {}
        for e, causes in self.fired.items():
            for a, _ in self.ground.answers_to(*e):
                found.setdefault(a, set()).update(causes)
        return found

    @cached_property
    def sole_causes(self) -> set[str]:
        """What alone brings about the events that some ability answers."""
        return {next(iter(causes)) for causes in self.causes.values() if len(causes) == 1}

    def could_pay(self, way: Way, own: int = 0) -> bool:
        """Whether a price is covered; `own`: markers that are gone before it is paid."""
        have, vassals = self.have, 0
        self.steps += 1
        for what, n in way.items():
            if have.get(what, 0) < (n + own if what == MARKER else n):
                return False
            if what in KINDS:
                vassals += n
        return not vassals or have[KINDS[0]] + have[KINDS[1]] + self.o.others > vassals

    def plan(self, goals: Sequence[Way], most: Sequence[Way] = ()) -> Plan | None:
        """What it would take to pay one of these prices (with sums of alternatives).

        None where none is ever covered, or what no way to it can do without takes more than there ever is. `most`:
        what else may be asked for on the way at the most.
        """
        come = self.come_to_its_end()
        able = [way for way in goals if self.is_within(way)]
        if not able:
            return None
        used = {a: self.times[a] for a in (*self.costs, *self.come) if a in self.times}
        worth = Worth(self.ground, self.o, used, self.members, self.walked, come).of([*able, *most])
        self.steps += worth.steps
        return self._traced(able[0], worth)

    def come_to_its_end(self) -> int:
        """Everything that can be used is; how many markers come of it."""
        while True:
            self._use_all()
            come = self.have.get(MARKER, 0) - self.first.get(MARKER, 0)
            if come <= self.fresh or self.fresh >= MANY:
                return come
            self._more(come if come < 10 else MANY)

    def _use_all(self) -> None:
        """Everything that can be paid for is used."""
        while True:
            usable = [(a, w) for a in self.left if (w := self._payable(self.known[a].costs, 1)) is not None]
            for a, paid_with in usable:
                self.left.remove(a)
                self._use(a, self.known[a], paid_with, self.times[a])
            if not self._walk() and not usable:
                return

    def is_within(self, way: Way) -> bool:
        """Whether a price is covered, with what every way to it asks for."""
        return self.could_pay(way) and not Shortage(self, way).is_certain()

    def _payable(self, costs: Sequence[Way], own: int = 0) -> Way | None:
        for way in costs:
            if self.could_pay(way, own):
                return way
        return None

    def _use(self, name: str, source: Source, way: Way, times: int, level: str = "") -> None:
        fresh = {} if name == WALK or self.own[name] else {FRESH: 1}
        self.costs.setdefault(name, {**way, **fresh})
        for kind in source.kinds:
            self._fire("pay-vassal", frozenset([kind]), name)
        self._come(name, source.gives, times, quiet=False, level=level)

    def _walk(self) -> bool:
        """Whether there is a next level that a rider can pay for: as many times the price as it is steps away."""
        walked = False
        for i, (tile, levels, n) in enumerate(self.paths):
            if not levels:
                continue
            price = self.known[self.f.spaces_of[tile][0]]
            least = {what: m * (n + 1) for what, m in price.least.items()} if n else price.least
            if self.could_pay(least) and (way := self._payable(price.costs)) is not None:
                self.paths[i] = (tile, levels[1:], n + 1)
                self._use(WALK, self.known[levels[0]], way, 1, levels[0])
                self.costs[levels[0]] = {what: m * (n + 1) for what, m in way.items()}
                self.walked.setdefault(tile, []).append(levels[0])
                self._fire("move-rider", NONE, WALK)
                walked = True
        return walked

    def _asked(self, name: str) -> Way:
        """What something takes; a trigger without its marker one that comes."""
        if name in self.costs or name in self.f.levels or self.own[name]:
            return self.costs.get(name, {})
        return {FRESH: 1}

    def _far(self, one: Supply) -> int:
        """A key to sort by: what has its marker and is no answer or step comes first."""
        return (not one[2]) + (one[4] in self.come or one[4] == WALK)

    def _traced(self, way: Way, worth: Worth) -> Plan:
        """Back from a price to what it takes to pay it."""
        needs, uses, todo = dict(way), set[str](), list(way)
        first_step = next((levels[0] for levels in self.walked.values()), "")
        while todo:
            what = todo.pop()
            short = needs.get(what, 0) - self.first.get(what, 0)
            for source, n, own, more, name, _ in sorted(self.supply.get(what, ()), key=self._far):
                if short <= 0:
                    break
                short -= n * (own + more)
                name = source if name == WALK else name
                while name and name not in uses:
                    uses.add(name)
                    for x, m in self._asked(name).items():
                        needs[x] = needs.get(x, 0) + m
                        todo.append(x)
                    name = self.cause.get(name, "")
                    name = first_step if name == WALK else name
        short_of = {x: n - self.first.get(x, 0) for x, n in needs.items() if n > self.first.get(x, 0)}
        walks = frozenset(tile for tile, levels in self.walked.items() if not uses.isdisjoint(levels))
        return Plan(frozenset(uses), walks, short_of, worth)
