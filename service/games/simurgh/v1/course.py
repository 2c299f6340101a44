"""One course: a rider who walks so far, or none, and where each marker goes that comes on the way.

What a course asks for is certain: the price of all its steps, which must be there before they are taken, and that an
ability left of one that a marker goes to keeps its own until then (SIM-DRAGON-2). So the bound and the moves are those
of the course.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from service.engine.table import Table
from service.games.simurgh.v1.along import Along
from service.games.simurgh.v1.effects import MARKER, One, Total, every_row
from service.games.simurgh.v1.figures import Figures
from service.games.simurgh.v1.plenty import Plan
from service.games.simurgh.v1.prospects import (
    Answering,
    Arriving,
    Dividing,
    Gaining,
    Goal,
    Marking,
    Prospect,
    Way,
    is_closed,
)
from service.games.simurgh.v1.search import EACH, Search
from service.games.simurgh.v1.sources import sources

STEP = 25  # the effort of asking whether all steps can be paid for, beside its bound


class Course(NamedTuple):
    """A path, the level that its rider comes to, and where each marker goes, in order.

    `tile` "": nobody walks; None for a place: a marker that need not come, wherever it goes.
    """

    tile: str = ""
    upto: int = 0
    places: tuple[str | None, ...] = ()


@lru_cache(maxsize=64)
def gaps(f: Figures) -> frozenset[str]:
    """The abilities and levels whose gain leaves a gap for free actions (SIM-TURN-6)."""
    return frozenset(
        x
        for x in (*f.abilities, *f.levels)
        if any(isinstance(part, One | Total) for row in every_row(f.effects[x].gain) for part in row[1:])
    )


class OnCourse(Search):
    """The prospects and moves of a course; without one they are those of any search."""

    def __init__(self, t: Table, first: Prospect) -> None:
        self.course: Course | None = None
        super().__init__(t, first)

    # -- what a course asks for ---------------------------------------------------------------------------------

    def levels_left(self, o: Prospect) -> Sequence[str] | None:
        """The levels that the rider has still to come to; None where he is gone before he went."""
        course = self.course
        if course is None or not course.tile:
            return ()
        level = dict(o.riders).get(course.tile)
        if level is None:
            return () if o.moved else None
        return self.f.spaces_of[course.tile][level : course.upto]

    def markers_of(self, level: str) -> int:
        """How many markers a level brings."""
        return sources(self.f)[level].gives.get(MARKER, 0)

    def to_come(self, o: Prospect) -> int:
        """How many markers may still come on this course."""
        return self.markers_begun(o) + sum(map(self.markers_of, self.levels_left(o) or ()))

    def places_left(self, o: Prospect) -> tuple[str | None, ...]:
        """Where those go that have still to come."""
        n, places = self.to_come(o), () if self.course is None else self.course.places
        return places[-n:] if n else ()

    def left_of(self, a: str) -> list[str]:
        """The abilities that must have a marker before this one gets one (SIM-DRAGON-2, SIM-DRAGON-6)."""
        row = self.alike.row_of[a]
        return [b for b in row[: row.index(a)] if not self.f.abilities[b].one_use]

    def kept(self, places: Sequence[str | None]) -> frozenset[str]:
        """The abilities that keep their markers until others have got theirs."""
        return frozenset(b for i, a in enumerate(places) if a for b in self.left_of(a) if b not in places[:i])

    def is_off_course(self, o: Prospect) -> bool:
        """Whether the course cannot be kept to any more."""
        if isinstance(o.todo[-1], Marking):
            return True  # it was to go where there is a marker still
        levels, places = self.levels_left(o), self.places_left(o)
        if levels is None or not self.kept(places) <= o.marked:
            return True
        if not levels:
            return False
        again = sum(a in o.marked or a in places for a in self.again)
        return again < len(levels) - (not o.moved) or (o.moved and not self._is_walking(o))

    def _is_walking(self, o: Prospect) -> bool:
        assert self.course is not None
        return any(isinstance(x, Answering | Arriving) and x.tile == self.course.tile for x in o.todo)

    def bound(self, o: Prospect, before: Plan | None = None) -> Plan | None:
        """What it would take to get out of here on this course; None where that can never come.

        `before`, the plan that led here, is good enough until the rider goes: then only whether he can go is asked.
        """
        places = self.places_left(o)
        filled = [a for a in places if a]
        levels, kept = self.levels_left(o) or (), self.kept(places)
        self.looked_at += 1
        if levels and not self.can_walk(o, levels, kept, filled):
            return None
        if before is not None and levels and not o.moved:
            return before
        plan = self.planned(o, filled)
        if plan is not None:
            plan.worth.kept = kept
        return plan

    def planned(self, o: Prospect, filled: Sequence[str] | None) -> Plan | None:
        """The same without asking whether all steps can be paid for; `filled` None: markers may go anywhere."""
        levels = self.levels_left(o) or ()
        goals, most = self.asked(o, levels)
        along = Along(self, o, levels, filled)
        plan = along.plan(goals, most)
        self.spent += EACH + along.steps
        if plan is not None and levels:
            plan.worth.abilities |= {*self.again}
        return plan

    def asked(self, o: Prospect, levels: Sequence[str]) -> tuple[list[Way], list[Way]]:
        """What would be enough, with the least that all steps ask for; and the most that they may."""
        goals = self.all_goals(o)
        if not levels:
            return goals, []
        step, n = sources(self.f)[levels[0]], len(levels)
        most = {
            x: max((way.get(x, 0) for way in goals), default=0) for way in (step.most, *goals) for x in way
        }
        return (
            [{x: way.get(x, 0) + n * step.least.get(x, 0) for x in {**way, **step.least}} for way in goals],
            [{x: m + n * step.most.get(x, 0) for x, m in most.items()}],
        )

    def can_walk(
        self, o: Prospect, levels: Sequence[str], kept: Sequence[str] | frozenset[str], filled: Sequence[str]
    ) -> bool:
        """Whether so much can come before the last step that all are paid for.

        Between steps there is no free action, unless a gain leaves a gap: then up to where the first marker comes.
        """
        n, marked, acting = len(levels), o.marked, not self._is_walking(o)
        if acting and self.markers_begun(o):
            return True
        if gaps(self.f).isdisjoint((*levels, *self.triggers)):
            marked = marked.difference(a for a in kept if a not in self.answering)
            filled = [a for a in filled if a in self.answering]
        elif self.markers_begun(o):
            return True
        else:
            acting, filled, marked = True, (), marked.difference(kept)
            n = next((i for i, level in enumerate(levels, 1) if self.markers_of(level)), n)
        along = Along(self, o._replace(marked=marked), levels[: n - 1], filled, acting)
        along.come_to_its_end()
        can = along.is_within({x: n * m for x, m in sources(self.f)[levels[0]].least.items()})
        self.spent += STEP + along.steps
        return can

    # -- the moves on a course ----------------------------------------------------------------------------------

    def room(self, tile: str, level: int) -> str | None:
        """The level below, where a rider may go on this course."""
        course = self.course
        if course is not None and (tile != course.tile or level >= course.upto):
            return None
        return super().room(tile, level)

    def answers(self, o: Prospect, e: Answering) -> list[str]:
        """The abilities that can answer now and need not keep their markers."""
        able = super().answers(o, e)
        kept = self.kept(self.places_left(o)) if able and self.course is not None else ()
        return [a for a in able if a not in kept]

    def _settled_once(self, o: Prospect, top: Any) -> Prospect | None:
        if self.course is None or not isinstance(top, Marking) or not top.left:
            return super()._settled_once(o, top)
        a = self.places_left(o)[0]
        if a is None:
            return o._replace(todo=(*o.todo[:-1], Marking(top.left - 1)))
        return self.marked(o, a) if a in self.places(o) else None

    def _able(self, o: Prospect, plan: Plan) -> list[str]:
        kept = self.kept(self.places_left(o))
        return [
            a
            for a in self.abilities
            if a in o.marked and a in plan.worth.abilities and a not in self.answering and a not in kept
        ]

    def sure(self, o: Prospect, plan: Plan) -> Prospect | None:
        """What comes of taking what only gives, where there is something: no other choice is as good."""
        top = o.todo[-1]
        if not plan.worth.is_calm:
            return None
        if isinstance(top, Answering):
            able = [a for a in self.answers(o, top) if a in plan.worth.abilities and self.is_sure(a)]
            return next(self.answered(o, top, able[0], plan.worth), None) if able else None
        if not is_open(o) or is_closed(o):
            return None
        gain = next((a for a in self._able(o, plan) if self.is_pure_gain(o, a)), None)
        return None if gain is None else next(self.used(o, gain, plan.worth), None)

    def _free(self, o: Prospect, plan: Plan, hasty: bool) -> Iterator[Prospect]:
        if self.course is None:
            yield from super()._free(o, plan, hasty)
            return
        able = self._able(o, plan)
        able = able if any(self.places_left(o)) else self._unlike(able)
        if not o.moved and self.levels_left(o):
            yield from self.stepped(o._replace(moved=True), self.course.tile, plan.worth)
        for a in sorted(able, key=lambda a: a not in plan.uses):
            yield from self.used(o, a, plan.worth)


def is_open(o: Prospect) -> bool:
    """Whether more can be done here than one thing must be: a free action, or another step."""
    top = o.todo[-1] if o.todo else None
    if isinstance(top, Answering):
        return top.event == "move-rider"
    if isinstance(top, Dividing):
        return top.later
    return isinstance(top, Goal) or (isinstance(top, Gaining) and top.part > 0)
