"""The bound along a course: what could come if no payment took anything away, where what the rider does is certain.

The levels that he comes to give what they give, every step brings its event, and each marker lies where the course has
it go, as if it lay there from the start.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from typing import Any

from service.games.simurgh.v1.alike import Times
from service.games.simurgh.v1.effects import KINDS, MARKER, Total
from service.games.simurgh.v1.plenty import NONE, Plenty
from service.games.simurgh.v1.prospects import Answering, Dividing, Gaining, Marking, Prospect, Way
from service.games.simurgh.v1.sources import most_of


class Along(Plenty):
    """What can come where a rider comes to these `levels`, and markers to the abilities that are `filled`.

    `filled` None: markers may go anywhere. Not `acting`: there is no free action any more.
    """

    def __init__(
        self,
        ground: Any,
        o: Prospect,
        levels: Sequence[str],
        filled: Sequence[str] | None,
        acting: bool = True,
    ) -> None:
        self.levels, self.filled, self.acting = levels, filled, acting
        super().__init__(ground, o, ground.markers_begun(o) if filled is None else 0)
        for have in (self.first, self.have):
            have[MARKER] = have.get(MARKER, 0) + len(filled or ())

    def _times(self) -> Times:
        if self.filled is None:
            return super()._times()
        return self.ground.alike.lying(self.o.marked, self.filled)

    def _free(self, abilities: Iterable[str]) -> list[str]:
        free = super()._free(abilities) if self.acting else []
        return free if self.filled is None else [a for a in free if self._has_room(a)]

    def _has_room(self, a: str) -> bool:
        """Whether the vassals that an ability gives may be there: inactive now, or paid before (SIM-PLACE-5)."""
        if a not in self.f.doubtful:
            return True
        lacked = [k for i, k in enumerate(KINDS) if k in self.known[a].gives and not self.o.idle[i]]
        return all(any(k in self.known[x].kinds for x in (*self.times, *self.levels)) for k in lacked)

    def _levels(self) -> list[tuple[str, list[str], int]]:
        return []

    def _pending(self) -> None:
        for x in self.o.todo:
            if isinstance(x, Gaining):
                self._come("", self._counted(self.ground.most_left(x)), 1, quiet=x.quiet)
            elif isinstance(x, Dividing):
                self._come("", most_of(self.f, [Total(x.n, x.of)]), 1, quiet=x.quiet)
            elif isinstance(x, Marking):
                self._come("", self._counted({MARKER: x.left}), 1, quiet=True)
            elif isinstance(x, Answering):
                self._fire(x.event, frozenset(x.of), "")
        for level in self.levels:
            source = self.known[level]
            for kind in source.kinds:
                self._fire("pay-vassal", frozenset([kind]), "")
            self._come("", self._counted(source.gives), 1, quiet=False)
            self._fire("move-rider", NONE, "")

    def _counted(self, bag: Mapping[str, int]) -> Mapping[str, int]:
        """What comes without markers, where these are at their places already."""
        if self.filled is None or MARKER not in bag:
            return bag
        return {what: n for what, n in bag.items() if what != MARKER}

    def covers(self, ways: Iterable[Way]) -> bool:
        """Whether one of these prices is covered."""
        return any(map(self.could_pay, ways))

    def would_use(self, a: str, ways: Sequence[Way]) -> bool:
        """Whether one more marker, on this ability, is of any use for one of these prices."""
        if any(MARKER in way for way in (*ways, *(way for x in self.left for way in self.known[x].costs))):
            return True
        if a in self.ground.answering:
            return any(a == b for event in self.fired for b, _ in self.ground.answers_to(*event))
        return self._payable(self.known[a].costs, 1) is not None

    def filled_too(self, a: str) -> Along:
        """The same where one more marker comes, to this ability; it costs little where all else has come to its end."""
        more = copy(self)
        more.have, more.first, more.costs = dict(self.have), dict(self.first), dict(self.costs)
        more.times, more.own, more.cause = dict(self.times), dict(self.own), dict(self.cause)
        more.given = defaultdict(list, {name: [*bags] for name, bags in self.given.items()})
        more.come = {name: {*come} for name, come in self.come.items()}
        more.fired = {event: [*causes] for event, causes in self.fired.items()}
        more.left, more.steps = [*self.left], 8
        for have in (more.first, more.have):
            have[MARKER] += 1
        more._fill(a)
        more._use_all()
        return more

    def _fill(self, a: str) -> None:
        kinds = self.ground.alike.kinds
        name = next((x for x in self.times if kinds[x] == kinds[a]), a)
        self.members = {**self.members, name: [*self.members.get(name, ()), a]}
        self.times[name] = self.own[name] = self.times.get(name, 0) + 1
        if self.times[name] > 1:
            for _, bag in self.given.get(name, ()):
                for what, n in bag.items():
                    self.have[what] = self.have.get(what, 0) + n
            return
        for (event, of), causes in [*self.fired.items()]:
            self._answer(event, of, causes[0], [name])
        # an ability that pays vassals may make room for those that others give
        new = self.times if self.known[a].kinds else [name]
        self.left += [x for x in self._free(new) if x not in self.left and x not in self.costs]
