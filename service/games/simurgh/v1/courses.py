"""The search along courses: which rider walks how far, and where the markers go that come on the way.

Every way out takes a course: nobody walks, or one rider does, so many steps; and each marker that comes goes to some
ability. One course after the other is followed. On each, the price of all its steps is certain, and so is what the
levels bring; an ability left of one that a marker goes to keeps its own until then (SIM-DRAGON-2); and what pays for a
step is there before it is taken. So most courses are seen through at once, and on the others little can be done.

It holds where markers come of levels alone. Abilities of a house may bring some (`Search.brings_markers`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.engine.action import No, no
from service.engine.budget import tick
from service.games.simurgh.v1 import search
from service.games.simurgh.v1.along import Along
from service.games.simurgh.v1.course import STEP, Course, OnCourse, is_open
from service.games.simurgh.v1.effects import MARKER
from service.games.simurgh.v1.plenty import Plan
from service.games.simurgh.v1.prospects import Answering, Prospect, Way


class Courses(OnCourse):
    """The search from one table, along one course after the other."""

    def along_courses(self) -> bool | No:
        """Whether any course leads out; a `No` with how many prospects were looked at, where that was not all."""
        first, self.spent = self.settled(self.first), 0
        for course in self._courses(first):
            self.course = course
            if self._leads_out(first):
                return True
            if self.spent > search.CAP:
                break
        return no(looked_at=self.looked_at) if self.spent > search.CAP else False

    def _leads_out(self, first: Prospect) -> bool:
        """Whether the course does, as far as the cap lets it be followed."""
        seen: set[Prospect] = set()
        todo: list[tuple[Iterator[Prospect], Plan | None]] = [(iter([first]), None)]
        while todo:
            ways, plan = todo[-1]
            o = next(ways, None)
            if o is None:
                todo.pop()
                continue
            is_sure = False
            while o is not None:
                o = self.settled(o)
                anew = plan is None or (not is_sure and is_open(o))
                waiting = any(self.places_left(o))
                before = plan
                if anew and not waiting and (ordered := self.alike.ordered(o)) is not o:
                    o, before = ordered, None  # a plan speaks of the markers as they lay
                self.spent += search.MET
                if o in seen:
                    break
                tick()
                if self.is_out(o):
                    return True
                if self.spent > search.CAP:
                    return False
                seen.add(o)
                if self.is_off_course(o):
                    break
                if anew:
                    plan = self.bound(o, before)
                if plan is None:
                    break
                here, o, is_sure = o, self.sure(o, plan), True
                if o is None:
                    trimmed = plan.worth.trimmed(here)
                    if waiting:
                        trimmed = trimmed._replace(marked=here.marked)
                    if trimmed == here or trimmed not in seen:
                        seen.add(trimmed)
                        todo.append((self.moves(trimmed, plan), plan))
        return False

    # -- which courses there are --------------------------------------------------------------------------------

    def _courses(self, first: Prospect) -> Iterator[Course]:
        yield from self._filled(first, Course())
        walking = {x.tile for x in first.todo if isinstance(x, Answering) and x.event == "move-rider"}
        for tile, level in first.riders:
            upto = level
            while (not first.moved or tile in walking) and self._is_room(tile, upto):
                upto += 1
                self.course = Course(tile, upto)
                levels = self.levels_left(first) or ()
                soon = self.markers_begun(first) or any(map(self.markers_of, levels[:-1]))
                if not self.can_walk(first, levels, (), self.triggers if soon else ()):
                    break
                yield from self._filled(first, Course(tile, upto))

    def _is_room(self, tile: str, level: int) -> bool:
        self.course = None
        return self.room(tile, level) is not None

    def _filled(self, first: Prospect, course: Course) -> Iterator[Course]:
        """The course without what its markers are good for, then wherever they may go."""
        self.course = course
        n = self.to_come(first)
        yield course._replace(places=(None,) * n)
        self.course = course
        if not n or self.spent > search.CAP or (plan := self.planned(first, None)) is None:
            return
        useful, is_paid = plan.worth.abilities, plan.worth.demand.get(MARKER)
        rows = [row for row in self.rows if is_paid or not useful.isdisjoint(a for a, _ in row)]
        places = [a for row in rows for a, one_use in row if not one_use]
        levels = self.levels_left(first) or ()
        some = Along(self, first, levels, ())
        some.come_to_its_end()
        self.spent += STEP + some.steps
        goals = self.asked(first, levels)[0]
        at_once = n == max(map(self.markers_of, levels), default=0)
        for chosen in self._chosen(first, places, n, (), some, goals, at_once):
            yield course._replace(places=chosen)

    def _chosen(
        self,
        first: Prospect,
        places: Sequence[str],
        n: int,
        before: tuple[str | None, ...],
        some: Along,
        goals: Sequence[Way],
        at_once: bool,
    ) -> Iterator[tuple[str | None, ...]]:
        """Where `n` more markers may go, one after the other, so that a price is covered; not all of them need come.

        Of dragons that do the same the first will do, and of markers that come `at_once` the order does not matter.
        """
        if not n:
            if any(before) and some.covers(goals):
                yield before
            return
        yield from self._chosen(first, places, n - 1, (*before, None), some, goals, at_once)
        last = before[-1] if before else ""
        if last is None and at_once:
            return
        met = set()
        for a in places:
            if self.spent > search.CAP:
                return
            row = self.alike.row_of[a]
            key = self.alike.pattern(first, a), tuple(before.count(b) for b in row), row.index(a)
            other = at_once and last and row != self.alike.row_of[last]
            is_met = key in met or (other and places.index(a) < places.index(last or ""))
            met.add(key)
            if is_met or not all(b in first.marked or b in before for b in self.left_of(a)):
                continue
            self.spent += 1
            if n == 1 and not some.would_use(a, goals):
                continue
            more = some.filled_too(a)
            self.spent += more.steps
            yield from self._chosen(first, places, n - 1, (*before, a), more, goals, at_once)
