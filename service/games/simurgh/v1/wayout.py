"""Is there a way out: can the tile be acquired, or used, that must be (SIM-SCOUT-2, SIM-TILE-7)?

The search is over prospects (`foresight.py`), depth first, and exact but for its cap. What keeps it short: a bound that
takes nothing away (`most_to_come`) ends it where too little can ever come, and says what to try first; abilities that
lead to nothing that a price asks for are left alone; what can be paid for now needs no more gains.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from service.engine.budget import tick
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.effects import (
    AGAIN, DRAW_TILE, FETCH, KINDS, MARKER, ONE_MORE, PURCHASE, TOKENS, Draw, Effect, One, Part, Special, Take, Total,
    added, every_part, most_gained,
)  # fmt: skip
from service.games.simurgh.v1.figures import SHELVES
from service.games.simurgh.v1.plenty import Plan, Plenty, sources
from service.games.simurgh.v1.state import Turn
from service.games.simurgh.v1.foresight import (
    Answering, Arriving, Dividing, Gaining, Goal, Ground, Marking, Prospect, Way, affords, active, paid, prospect,
    received, splits, stride,
)  # fmt: skip

CAP = 2_000  # prospects looked at; nothing printed comes near it, see `is_found`


def is_found(t: Table) -> bool:
    """Whether what must be acquired or used surely can be; what chance may bring counts for nothing.

    Beyond the cap the answer is no: an action too many refused can be done otherwise, a dead end cannot. The order of the
    search follows from the prospect alone, so after each step of a way that was found the rest is found within the cap.
    """
    return Search(t).finds(prospect(t))


def foretold(t: Table) -> bool:
    """The answer of the search; where no turn goes on nothing is due."""
    return t.frame(Turn) is None or is_found(t)


class Search(Ground):
    """The search from one table."""

    def finds(self, first: Prospect) -> bool:
        """Whether a way out leads from here."""
        self.all_paths = self.paths(first)
        seen: set[Prospect] = set()
        todo: list[Iterator[Prospect]] = [iter([first])]
        while todo:
            o = next(todo[-1], None)
            if o is None:
                todo.pop()
                continue
            o = self.settled(o)
            if o in seen:
                continue
            tick()
            if self.is_out(o):
                return True
            if len(seen) >= CAP:
                return False
            seen.add(o)
            plan = self.most_to_come(o)
            if plan is not None:
                todo.append(self.moves(o, plan))
        return False

    def most_to_come(self, o: Prospect) -> Plan | None:
        """What it would take to get out of here at the least; None where that can never come."""
        return Plenty(self, o).plan([way for _, ways in self.goals(o, Goal(True)) for way in ways])

    @cached_property
    def prices(self) -> list[Sequence[Way]]:
        """Every price that could be asked."""
        return [*(ways for _, ways in self.entries), *(self.f.prices[x] for x in SHELVES)]

    @cached_property
    def relevant(self) -> frozenset[str]:
        """The abilities that can help to pay a price, or to use one that can: all others are left alone."""
        known, wanted = sources(self.f), {what for ways in self.prices for way in ways for what in way} | {MARKER}
        found: set[str] = set()
        while True:
            more = [a for a in self.abilities if a not in found and self._leads_to(a, wanted)]
            levels = [x for tile, _ in self.all_paths for x in self.f.spaces_of[tile]]
            costs = [way for a in more for way in known[a].costs] + [way for x in levels for way in known[x].costs]
            before = len(wanted)
            wanted |= {what for way in costs for what in way}
            found |= set(more)
            if not more and len(wanted) == before:
                return frozenset(found)

    def _leads_to(self, a: str, wanted: set[str]) -> bool:
        """Whether an ability gives something that is wanted, or an answer to it does."""
        known = sources(self.f)
        source = known[a]
        if any(what in wanted for what in source.gives):
            return True
        if a in self.triggers:
            return False
        answers = (
            b
            for b in self.triggers
            if self.fits(b, "take", list(source.tokens)) or self.fits(b, "pay-vassal", list(source.kinds))
        )
        return any(what in wanted for b in answers for what in known[b].gives)

    # -- the end ------------------------------------------------------------------------------------------------

    def is_out(self, o: Prospect) -> bool:
        """Whether nothing is due any more, or it can be paid for now: what comes before only gives."""
        top = o.todo[-1] if o.todo else None
        if not isinstance(top, Goal) and not self.is_due(o):
            return True
        return any(affords(o, way, placed) for placed, ways in self.goals(o, sure=top) for way in ways)

    def is_due(self, o: Prospect) -> bool:
        """Whether a tile has still to be acquired or used."""
        return any(
            isinstance(x, Goal)
            or (
                isinstance(x, Gaining)
                and any(isinstance(p, Special) and p.name == PURCHASE for p in every_part(self.parts(x.source, x.branch)[x.part :]))
            )
            for x in o.todo
        )

    def goals(self, o: Prospect, sure: Any) -> Iterator[tuple[int | None, Sequence[Way]]]:
        """What would be enough: the price of a tile on offer, or of a space of the new tile for a kind of vassal.

        As long as something comes before it (`sure` is not the goal), the last tile of the deck may be gone by then.
        """
        if self.entries or any(isinstance(x, Goal) and not x.acquires for x in o.todo):
            yield from self.entries
            return
        for shelf in o.shelves:
            yield None, self.f.prices[shelf]
        if o.deck > (0 if isinstance(sure, Goal) else 1):
            yield None, self.f.prices["deck"]

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
        return o  # dragons that are drawn count for nothing

    def _arrived(self, o: Prospect, top: Arriving) -> Prospect:
        if top.level < len(self.f.spaces_of[top.tile]):
            return o
        here = [r for r in o.riders if r[0] == top.tile]
        riders = tuple(r for r in o.riders if r not in here)
        return o._replace(riders=riders, home=(o.home[0], o.home[1] + len(here)))

    # -- choices ------------------------------------------------------------------------------------------------

    def moves(self, o: Prospect, plan: Plan) -> Iterator[Prospect]:
        """Every choice of the window that waits, what the plan needs first."""
        top, rest = o.todo[-1], o._replace(todo=o.todo[:-1])
        if isinstance(top, Answering):
            yield from self._answers(o, rest, top, plan)
        elif isinstance(top, Marking):
            yield from (self.marked(o, a) for a in sorted(self.places(o), key=lambda a: a not in plan.uses))
        elif isinstance(top, Dividing):
            bags = sorted(splits(top.n, top.of), key=plan.serves)
            yield from (received(rest, bag, top.quiet) for bag in bags)
        elif isinstance(top, Gaining):
            yield from self._branches(o, rest, top, plan)
        later = isinstance(top, Goal) or (isinstance(top, Dividing) and top.later)
        if later or (isinstance(top, Gaining) and top.part > 0):
            yield from self._free(o, plan)

    def _branches(self, o: Prospect, rest: Prospect, top: Gaining, plan: Plan) -> Iterator[Prospect]:
        one = self.parts(top.source, top.branch)[top.part]
        assert isinstance(one, One)
        on = (*rest.todo, top._replace(part=top.part + 1))
        for i in sorted(range(len(one.branches)), key=lambda i: plan.serves(most_gained(one.branches[i]))):
            if self.receivable(o, one.branches[i], {}):
                yield o._replace(todo=(*on, Gaining(top.source, (*top.branch, top.part, i), 0, top.quiet)))

    def _answers(self, o: Prospect, rest: Prospect, top: Answering, plan: Plan) -> Iterator[Prospect]:
        able = self.answers(o, top)
        first = [a for a in able if a in plan.uses]
        last = [a for a in able if a not in plan.uses and (a in self.relevant or self.is_again(a))]
        for a in first:
            yield from self.answered(o, top, a)
        yield rest
        for a in last:
            yield from self.answered(o, top, a)

    def _free(self, o: Prospect, plan: Plan) -> Iterator[Prospect]:
        """Free actions (SIM-TURN-6): abilities, and one step of one rider."""
        able = [a for a in self.abilities if a in o.marked and a in self.relevant and a not in self.triggers]
        if not self.fresh_markers(o):
            able = self._unlike(able)
        if not plan.walks:
            yield from self._uses(o, [a for a in able if a in plan.uses])
        if not o.moved:
            for tile, _ in o.riders:
                yield from self.stepped(o._replace(moved=True), tile)
        yield from self._uses(o, [a for a in able if plan.walks or a not in plan.uses])

    def _uses(self, o: Prospect, able: Sequence[str]) -> Iterator[Prospect]:
        for a in able:
            yield from self.used(o, a)

    def _unlike(self, abilities: Sequence[str]) -> list[str]:
        """One of each that do the same: where no markers come, it does not matter on which they lie."""
        found: list[str] = []
        for a in abilities:
            if not any(self.f.effects[a] == self.f.effects[b] for b in found):
                found.append(a)
        return found

    # -- abilities ----------------------------------------------------------------------------------------------

    def used(self, o: Prospect, a: str) -> Iterator[Prospect]:
        """An ability as a free action (SIM-DRAGON-9)."""
        effect = self.f.effects[a]
        if not self.receivable(o, effect.gain, {k: min(w.get(k, 0) for w in effect.costs) for k in KINDS}):
            return
        fetches = any(isinstance(p, Special) and p.name == FETCH for p in effect.gain)
        for way in effect.costs:
            then = [] if fetches else [Gaining(a, (), 0, False)]
            for after in paid(o, way, a):
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
        trigger = self.f.abilities[a].trigger
        return trigger is not None and trigger.on == event and (not trigger.of or bool(set(trigger.of) & set(of)))

    def answers(self, o: Prospect, e: Answering) -> list[str]:
        """The abilities that can answer now."""
        able = [
            a for a in self.triggers if a in o.marked and a not in e.used and self.fits(a, e.event, e.of)
        ]
        if any(map(self.is_again, able)) and not any(True for _ in self.stepped(o, e.tile)):
            able = [a for a in able if not self.is_again(a)]
        return able

    def answered(self, o: Prospect, e: Answering, a: str) -> Iterator[Prospect]:
        """An ability at its moment; what it gives is no new event (SIM-DRAGON-11)."""
        on = o._replace(marked=o.marked - {a}, todo=(*o.todo[:-1], e._replace(used=e.used | {a})))
        if self.is_again(a):
            yield from self.stepped(on, e.tile)
            return
        more = next((p for p in self.f.effects[a].gain if isinstance(p, Special)), None)
        if more is None:
            yield on._replace(todo=(*on.todo, Gaining(a, (), 0, True)))
        elif more.name == ONE_MORE:
            kinds = tuple(x for x in more.of if x in e.of)
            yield on._replace(todo=(*on.todo, Dividing(more.n, kinds, True, False)))

    def stepped(self, o: Prospect, tile: str) -> Iterator[Prospect]:
        """A rider one level down (SIM-EXPL-4)."""
        level = dict(o.riders).get(tile, 0)
        below = self.room(tile, level) if level else None
        if below is None or not self.receivable(o, self.f.effects[below].gain, {k: min(w.get(k, 0) for w in self.f.effects[below].costs) for k in KINDS}):
            return
        for way in self.f.move_costs[tile]:
            for after in paid(o, way, moving=tile):
                riders = tuple((x, n + (x == tile)) for x, n in after.riders)
                then = stride(self.f, tile, level + 1)
                yield after._replace(riders=riders, todo=(*after.todo, *then, *_pay_events(way)))

    def receivable(self, o: Prospect, parts: Sequence[Part], back: Mapping[str, int]) -> bool:
        """Whether a gain can be received in full (SIM-PLACE-5, SIM-EFF-7)."""
        for part in every_part(parts):
            if isinstance(part, Take):
                if any(part.bag.get(k, 0) > o.idle[i] + back.get(k, 0) for i, k in enumerate(KINDS)):
                    return False
            elif isinstance(part, Draw):
                if not self.draws_dragons:
                    return False
            elif isinstance(part, Special) and part.name == DRAW_TILE and not o.deck:
                return False
        return True

    # -- paths --------------------------------------------------------------------------------------------------

    def paths(self, o: Prospect) -> list[tuple[str, list[str]]]:
        """The tiles on which a rider may still move down, with the levels that he may come to."""
        walking = {x.tile for x in o.todo if isinstance(x, Answering) and x.event == "move-rider"}
        again = [a for a in self.triggers if self.is_again(a)]
        found = []
        for tile, level in o.riders if not o.moved else [r for r in o.riders if r[0] in walking]:
            steps = (not o.moved) + sum(a in o.marked for a in again)
            below: list[str] = []
            while (place := self.room(tile, level + len(below))) is not None:
                below.append(place)
            if reached := below if again else below[:steps]:
                found.append((tile, reached))
        return found

    def fresh_markers(self, o: Prospect) -> int:
        """No fewer markers than may still come."""
        known = sources(self.f)
        bags = [most_gained(self.parts(x.source, x.branch)[x.part :]) for x in o.todo if isinstance(x, Gaining)]
        n = sum(bag.get(MARKER, 0) for bag in bags) + sum(x.left for x in o.todo if isinstance(x, Marking))
        n += sum(known[x].gives.get(MARKER, 0) for _, levels in self.paths(o) for x in levels)
        return n + 1_000 * self.more_markers

    @cached_property
    def more_markers(self) -> int:
        """The markers that abilities give (none of those printed)."""
        known = sources(self.f)
        return sum(known[a].gives.get(MARKER, 0) for a in self.abilities)

    # -- markers ------------------------------------------------------------------------------------------------

    def places(self, o: Prospect) -> list[str]:
        """Where a marker may go: the leftmost empty ability of each dragon (SIM-DRAGON-2, SIM-DRAGON-6)."""
        f = self.f
        rows = ([a for a in f.abilities_of[d] if a not in o.marked and not f.abilities[a].one_use] for d in self.dragons)
        return [row[0] for row in rows if row]

    def marked(self, o: Prospect, a: str) -> Prospect:
        """A marker is put there."""
        left = o.todo[-1].left - 1
        return o._replace(marked=o.marked | {a}, todo=(*o.todo[:-1], Marking(left)))


def _pay_events(way: Way) -> list[Answering]:
    """An event for each vassal paid, the first to answer last (SIM-DRAGON-27)."""
    return [Answering("pay-vassal", (k,), "", frozenset()) for k in reversed(KINDS) for _ in range(way.get(k, 0))]


def declare(rules: Ruleset) -> None:
    """Look-ahead asks here."""
    rules.hook("foretold", foretold)
