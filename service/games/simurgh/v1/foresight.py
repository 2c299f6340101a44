"""The moves from one prospect to the next: those of the windows on the way to a tile that must be acquired or used.

It says nothing about legality that chapters 5 to 11 do not say; tests hold it to them by playing both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from service.engine.table import Table
from service.games.simurgh.v1.alike import Alike, Times
from service.games.simurgh.v1.components import placeable
from service.games.simurgh.v1.effects import (
    AGAIN,
    DRAGON,
    DRAW_TILE,
    FETCH,
    KINDS,
    ONE_MORE,
    PURCHASE,
    TILE,
    TOKENS,
    Draw,
    One,
    Part,
    Special,
    Take,
    Total,
    lacking,
)  # fmt: skip
from service.games.simurgh.v1.figures import Figures, figures
from service.games.simurgh.v1.gains import parts_at
from service.games.simurgh.v1.placing import PlaceVassal, has_room
from service.games.simurgh.v1.prospects import (
    Answering,
    Arriving,
    Dividing,
    Gaining,
    Goal,
    Marking,
    Prospect,
    Way,
    paid,
    received,
    stride,
    without,
)  # fmt: skip
from service.games.simurgh.v1.sources import most_of, sources
from service.games.simurgh.v1.state import TilePlacement, Turn
from service.games.simurgh.v1.worth import Worth


@lru_cache(maxsize=64)
def answering(f: Figures) -> dict[str, tuple[str, frozenset[str], bool] | None]:
    """What each ability answers: the event, the kinds that it must be about, and whether it gives one more of those."""
    found: dict[str, tuple[str, frozenset[str], bool] | None] = {}
    for a, known in f.abilities.items():
        on = known.trigger
        found[a] = None if on is None else (on.on, frozenset(on.of), ONE_MORE in f.specials[a])
    return found


class Ground:
    """What does not change on the way: the figures, the player's dragons, the room on paths, the spaces to be used."""

    def __init__(self, t: Table) -> None:
        turn: Turn = t.frame(Turn)
        self.f = figures(t)
        self.t, self.seat = t, turn.seat
        p = t.board.seats[turn.seat]
        self.dragons: tuple[str, ...] = tuple(p.dragons)
        self.alike = Alike(self.f, (self.f.abilities_of[d] for d in p.dragons))
        self.abilities = tuple(a for row in self.alike.rows for a in row)
        self.rows = [[(a, self.f.abilities[a].one_use) for a in row] for row in self.alike.rows]
        self.answering = {a: answer for a in self.abilities if (answer := answering(self.f)[a]) is not None}
        self.triggers = tuple(self.answering)
        self.again = [a for a in self.triggers if self.is_again(a)]
        self._rooms: dict[str, bool] = {}
        self._times: dict[tuple[frozenset[str], int], Times] = {}
        self._answers_to: dict[tuple[str, frozenset[str]], list[tuple[str, list[tuple[str, int]]]]] = {}
        self._fits: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        self._left: dict[tuple[str, tuple[int, ...], int], dict[str, int]] = {}
        self._parts: dict[tuple[str, tuple[int, ...]], tuple[Part, ...]] = {}
        laid = t.frame(TilePlacement)
        self.entries = [] if laid is None else list(_entries(t, laid))

    def times(self, marked: frozenset[str], fresh: int) -> Times:
        """How often each ability can be used where no more than `fresh` markers come."""
        key = marked, fresh
        if key not in self._times:
            self._times[key] = self.alike.times(self.rows, marked, fresh)
        return self._times[key]

    def answers_to(self, event: str, of: frozenset[str]) -> Sequence[tuple[str, Sequence[tuple[str, int]]]]:
        """What answers an event, and the most that it gives: one more of a kind only of those of the event."""
        key = event, of
        if key not in self._answers_to:
            known, found = sources(self.f), []
            for a in self.triggers:
                if self.fits(a, event, tuple(of)):
                    gives = known[a].gives.items()
                    one_more = self.answering[a][2]
                    found.append(
                        (a, [(x, n) for x, n in gives if not one_more or x in of or x not in TOKENS])
                    )
            self._answers_to[key] = found
        return self._answers_to[key]

    def parts(self, source: str, branch: tuple[int, ...]) -> tuple[Part, ...]:
        """The parts of a gain or of a branch of it."""
        key = source, branch
        if key not in self._parts:
            self._parts[key] = parts_at(self.t, source, branch)
        return self._parts[key]

    def most_left(self, x: Gaining) -> Mapping[str, int]:
        """The most of each thing that a gain has still to give."""
        key = x.source, x.branch, x.part
        if key not in self._left:
            self._left[key] = most_of(self.f, self.parts(x.source, x.branch)[x.part :])
        return self._left[key]

    def room(self, tile: str, level: int) -> str | None:
        """The level below, where a rider may go."""
        places = self.f.spaces_of[tile]
        if level >= len(places):
            return None
        below = places[level]
        if below not in self._rooms:
            self._rooms[below] = has_room(self.t, below)
        return below if self._rooms[below] else None

    def paths(self, o: Prospect, fresh: bool = True) -> list[tuple[str, list[str], int]]:
        """The tiles on which a rider may still move down, the levels that he may come to, and 0 steps taken.

        `fresh`: markers may come, for moving once more.
        """
        walking = {x.tile for x in o.todo if isinstance(x, Answering) and x.event == "move-rider"}
        if o.moved and not walking:
            return []
        again = self.again
        steps = (not o.moved) + (3 if fresh and again else sum(a in o.marked for a in again))
        found = []
        for tile, level in o.riders if not o.moved else [r for r in o.riders if r[0] in walking]:
            below: list[str] = []
            while len(below) < steps and (place := self.room(tile, level + len(below))) is not None:
                below.append(place)
            if below:
                found.append((tile, below, 0))
        return found

    # -- what happens by itself ---------------------------------------------------------------------------------

    def settled(self, o: Prospect) -> Prospect:
        """Everything is done that leaves no choice."""
        while o.todo:
            after = self._settled_once(o, o.todo[-1])
            if after is None:
                return o
            o = after
        return o

    def _settled_once(self, o: Prospect, top: Any) -> Prospect | None:
        rest = o._replace(todo=o.todo[:-1])
        if isinstance(top, Gaining):
            parts = self.parts(top.source, top.branch)
            if top.part >= len(parts):
                return rest
            part = parts[top.part]
            if isinstance(part, One):
                return None
            return self._taken(o._replace(todo=(*rest.todo, top._replace(part=top.part + 1))), part, top)
        if isinstance(top, Dividing):
            return received(rest, {top.of[0]: top.n}, top.quiet) if len(top.of) == 1 else None
        if isinstance(top, Answering):
            return None if self.answers(o, top) else rest
        if isinstance(top, Marking):
            places = self.places(o) if top.left else []
            return rest if not places else self.marked(o, places[0]) if len(places) == 1 else None
        if isinstance(top, Arriving):
            return self._arrived(rest, top)
        return None

    def _taken(self, o: Prospect, part: Part, top: Gaining) -> Prospect:
        if isinstance(part, Take):
            return received(o, part.bag, top.quiet)
        if isinstance(part, Total):
            return o._replace(todo=(*o.todo, Dividing(part.n, part.of, top.quiet, top.part > 0)))
        if isinstance(part, Special) and part.name == PURCHASE:
            return o._replace(todo=(*o.todo, Goal(True)))
        if isinstance(part, Special) and part.name == DRAW_TILE:
            return o._replace(deck=max(0, o.deck - 1))
        if isinstance(part, Draw):
            return o._replace(dragons=max(0, o.dragons - 1))  # the one that is kept counts for nothing
        return o

    def _arrived(self, o: Prospect, top: Arriving) -> Prospect:
        if top.level < len(self.f.spaces_of[top.tile]):
            return o
        here = [r for r in o.riders if r[0] == top.tile]
        riders = tuple(r for r in o.riders if r not in here)
        return o._replace(riders=riders, home=(o.home[0], o.home[1] + len(here)))

    # -- abilities ----------------------------------------------------------------------------------------------

    def used(self, o: Prospect, a: str, worth: Worth) -> Iterator[Prospect]:
        """An ability as a free action (SIM-DRAGON-9)."""
        effect = self.f.effects[a]
        fetches = any(isinstance(p, Special) and p.name == FETCH for p in effect.gain)
        for way in worth.of_ways(self.open_ways(o, a, effect.costs)):
            then = [] if fetches else [Gaining(a, (), 0, False)]
            for after in paid(o, way, a, paying=worth.paying):
                called = after._replace(todo=(*after.todo, *then, *_pay_events(way)))
                if not fetches:
                    yield called
                for shelf in o.shelves if fetches else ():
                    yield called._replace(shelves=tuple(x for x in o.shelves if x != shelf))

    def is_again(self, a: str) -> bool:
        """Whether an ability lets a rider move once more."""
        return AGAIN in self.f.specials[a]

    def fits(self, a: str, event: str, of: Sequence[str]) -> bool:
        """Whether a trigger answers such an event (SIM-DRAGON-10)."""
        on, kinds, _ = self.answering[a]
        return on == event and (not kinds or not kinds.isdisjoint(of))

    def _fitting(self, event: str, of: tuple[str, ...]) -> list[str]:
        key = event, of
        if key not in self._fits:
            self._fits[key] = [a for a in self.triggers if self.fits(a, event, of)]
        return self._fits[key]

    def answers(self, o: Prospect, e: Answering) -> list[str]:
        """The abilities that can answer now."""
        able = [a for a in self._fitting(e.event, e.of) if a in o.marked and a not in e.used]
        if any(map(self.is_again, able)) and not any(True for _ in self.stepped(o, e.tile)):
            able = [a for a in able if not self.is_again(a)]
        return able

    def answered(self, o: Prospect, e: Answering, a: str, worth: Worth) -> Iterator[Prospect]:
        """An ability at its moment; what it gives is no new event (SIM-DRAGON-11)."""
        on = o._replace(marked=o.marked - {a}, todo=(*o.todo[:-1], e._replace(used=e.used | {a})))
        if self.is_again(a):
            yield from self.stepped(on, e.tile, worth)
            return
        more = next((p for p in self.f.effects[a].gain if isinstance(p, Special)), None)
        if more is None:
            yield on._replace(todo=(*on.todo, Gaining(a, (), 0, True)))
        elif more.name == ONE_MORE:
            kinds = tuple(x for x in more.of if x in e.of)
            yield on._replace(todo=(*on.todo, Dividing(more.n, kinds, True, False)))

    def stepped(self, o: Prospect, tile: str, worth: Worth | None = None) -> Iterator[Prospect]:
        """A rider one level down (SIM-EXPL-4)."""
        level = dict(o.riders).get(tile, 0)
        below = self.room(tile, level) if level else None
        if below is None:
            return
        ways = self.open_ways(o, below, self.f.move_costs[tile])
        paying = without if worth is None else worth.paying
        for way in ways if worth is None else worth.of_ways(ways):
            for after in paid(o, way, moving=tile, paying=paying):
                riders = tuple((x, n + (x == tile)) for x, n in after.riders)
                then = stride(self.f, tile, level + 1)
                yield after._replace(riders=riders, todo=(*after.todo, *then, *_pay_events(way)))

    def receivable(self, o: Prospect, source: str, way: Way) -> bool:
        """Whether all that a source gives can be received once this is paid (SIM-PLACE-5, SIM-EFF-7)."""
        return source not in self.f.doubtful or self.is_enough(o, self.f.effects[source].gain, way)

    def open_ways(self, o: Prospect, source: str, ways: Sequence[Way]) -> Sequence[Way]:
        """The ways to pay after which all of the gain can be received."""
        if source not in self.f.doubtful:
            return ways
        return [way for way in ways if self.receivable(o, source, way)]

    def is_enough(self, o: Prospect, parts: Sequence[Part], back: Way) -> bool:
        """Whether there is enough for these parts and for all that has still to come of the gains under way."""
        gains = (x for x in o.todo if isinstance(x, Gaining))
        coming = [part for x in gains for part in self.parts(x.source, x.branch)[x.part :]]
        there = {kind: n + back.get(kind, 0) for kind, n in zip(KINDS, o.idle, strict=True)}
        return not lacking((*parts, *coming), {**there, DRAGON: o.dragons, TILE: o.deck})

    # -- markers ------------------------------------------------------------------------------------------------

    def places(self, o: Prospect) -> list[str]:
        """Where a marker may go: the leftmost empty ability of each dragon (SIM-DRAGON-2, SIM-DRAGON-6)."""
        free = ([a for a, one_use in row if a not in o.marked and not one_use] for row in self.rows)
        return [row[0] for row in free if row]

    def marked(self, o: Prospect, a: str) -> Prospect:
        """A marker is put there."""
        left = o.todo[-1].left - 1
        return o._replace(marked=o.marked | {a}, todo=(*o.todo[:-1], Marking(left)))


def _pay_events(way: Way) -> list[Answering]:
    """An event for each vassal paid, the first to answer last (SIM-DRAGON-27)."""
    return [
        Answering("pay-vassal", (k,), "", frozenset()) for k in reversed(KINDS) for _ in range(way.get(k, 0))
    ]


def _entries(t: Table, f: TilePlacement) -> Iterator[tuple[int, tuple[Way, ...]]]:
    """The kinds of vassal that may go on a space of the new tile, and what it costs there (SIM-TILE-7)."""
    for i, kind in enumerate(KINDS):
        for space in figures(t).entries_of[f.tile] if placeable(t, f.seat, kind) > 0 else ():
            act = PlaceVassal(t, f, f.seat, {"vassal": kind, "space": space})
            if all(r.tested(t, act)[0] for r in act.requirements.values()):
                yield i, figures(t).effects[space].costs
