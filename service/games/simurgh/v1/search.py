"""The search for a way out: prospects (`foresight.py`) one after the other, depth first, and exact but for its cap.

What keeps it short: a bound that takes nothing away (`most_to_come`) ends it where too little can ever come, and says
what to try first; what is not worth having is left alone (`worth.py`); what differs only in what is alike is the same
(`alike.py`); what can be paid for now needs no more gains.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from service.engine.action import No, no
from service.engine.budget import tick
from service.engine.table import Table
from service.games.simurgh.v1.effects import (
    AGAIN,
    KINDS,
    MARKER,
    ONE_MORE,
    PURCHASE,
    One,
    Special,
    every_part,
    most_gained,
)
from service.games.simurgh.v1.figures import SHELVES
from service.games.simurgh.v1.foresight import Ground
from service.games.simurgh.v1.plenty import Plan, Plenty
from service.games.simurgh.v1.prospects import (
    Answering,
    Dividing,
    Gaining,
    Goal,
    Marking,
    Prospect,
    Way,
    affords,
    is_closed,
    received,
    splits,
)
from service.games.simurgh.v1.sources import sources, summed
from service.games.simurgh.v1.worth import Worth

STRAIGHT = 12  # so many steps are taken as planned before all are tried, and no more effort than this
LED = 400
# The effort of a search, in steps of some 2 to 3 us: 9 to 14 ms in all, with the steps straight on; see `is_found`.
CAP = 4_000
EACH, MET = 45, 5  # the effort of a prospect beside its bound; of one that may have been met before


class Search(Ground):
    """The search from one table; `spent` is its effort so far."""

    def __init__(self, t: Table, first: Prospect) -> None:
        super().__init__(t)
        self.first = first
        self.all_paths = self.paths(first)
        self.plans: dict[Prospect, Plan | None] = {}
        self.efforts: dict[Prospect, int] = {}
        self.spent = self.looked_at = 0

    def straight_on(self) -> bool | None:
        """Whether the plan, made anew after each step, leads straight out; None where it may be led astray."""
        o = self.first
        for n in range(STRAIGHT):
            o = self.alike.ordered(self.settled(o))
            if self.is_out(o):
                return True
            if self.spent > LED:
                return None
            plan = self.plans[o] = self.most_to_come(o)
            self.spent += self.efforts[o]
            after = None if plan is None else next(self.moves(o, plan, hasty=True), None)
            if after is None:
                return None if n else False
            o = after
        return None

    def anywhere(self) -> bool | No:
        """Whether any way leads out; a `No` with how many prospects were looked at, where that was not all."""
        seen: set[Prospect] = set()
        self.spent = 0
        todo: list[Iterator[Prospect]] = [iter([self.first])]
        while todo:
            o = next(todo[-1], None)
            if o is None:
                todo.pop()
                continue
            o = self.alike.ordered(self.settled(o))
            self.spent += MET
            if o in seen:
                continue
            tick()
            if self.is_out(o):
                return True
            if self.spent > CAP:
                return no(looked_at=self.looked_at)
            self.looked_at += 1
            seen.add(o)
            plan = self.plans[o] if o in self.plans else self.most_to_come(o)
            self.spent += self.efforts[o]
            if plan is None:
                continue
            trimmed = plan.worth.trimmed(o)
            key = trimmed if plan.worth.fresh else self.alike.sorted(trimmed)
            if key == o or key not in seen:
                seen.add(key)
                todo.append(self.moves(trimmed, plan))
        return False

    def most_to_come(self, o: Prospect) -> Plan | None:
        """What it would take to get out of here at the least; None where that can never come.

        What it took to find that is kept as the effort of this prospect: it follows from the prospect alone.
        """
        plenty = Plenty(self, o, self.markers_begun(o))
        plan = plenty.plan(self.all_goals(o))
        self.efforts[o] = EACH + plenty.steps
        return plan

    def all_goals(self, o: Prospect) -> list[Way]:
        """Every price that would be enough, each once, with sums of alternatives."""
        goals: list[Way] = []
        for _, ways in self.goals(o, Goal(True)):
            goals += [way for way in ways if way not in goals]
        return [summed(self.f, way) for way in goals]

    @cached_property
    def prices(self) -> list[Sequence[Way]]:
        """Every price that could be asked."""
        return [*(ways for _, ways in self.entries), *(self.f.prices[x] for x in SHELVES)]

    @cached_property
    def relevant(self) -> frozenset[str]:
        """The abilities that can help to pay a price, or to use one that can: all others are left alone."""
        known, wanted = (
            sources(self.f),
            {what for ways in self.prices for way in ways for what in way} | {MARKER},
        )
        found: set[str] = set()
        while True:
            more = [a for a in self.abilities if a not in found and self._leads_to(a, wanted)]
            levels = [x for tile, _, _ in self.all_paths for x in self.f.spaces_of[tile]]
            costs = [way for a in more for way in known[a].costs] + [
                way for x in levels for way in known[x].costs
            ]
            before = len(wanted)
            wanted |= {what for way in costs for what in way}
            found |= set(more)
            if not more and len(wanted) == before:
                return frozenset(found)

    @cached_property
    def brings_markers(self) -> bool:
        """Whether any ability of the player's brings markers, by a house."""
        return any(MARKER in sources(self.f)[a].gives for a in self.abilities)

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
        return any(isinstance(x, Goal) or (isinstance(x, Gaining) and self._buys(x)) for x in o.todo)

    def _buys(self, x: Gaining) -> bool:
        """Whether a gain has the Scouts still to come."""
        left = self.parts(x.source, x.branch)[x.part :]
        return any(isinstance(part, Special) and part.name == PURCHASE for part in every_part(left))

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

    # -- choices ------------------------------------------------------------------------------------------------

    def moves(self, o: Prospect, plan: Plan, hasty: bool = False) -> Iterator[Prospect]:
        """Every choice of the window that waits that is worth it, what the plan needs first.

        Not `hasty`: what only gives comes before all else.
        """
        top, rest, worth = o.todo[-1], o._replace(todo=o.todo[:-1]), plan.worth
        if isinstance(top, Answering):
            yield from self._answers(o, rest, top, plan, hasty)
        elif isinstance(top, Marking):
            places = sorted(worth.for_markers(self.places(o)), key=lambda a: a not in plan.uses)
            yield from (self.marked(o, a) for a in places)
        elif isinstance(top, Dividing):
            bags = sorted(splits(top.n, worth.of_kinds(top.of)), key=plan.serves)
            yield from (received(rest, bag, top.quiet) for bag in bags)
        elif isinstance(top, Gaining):
            yield from self._branches(o, rest, top, plan)
        later = (isinstance(top, Goal) and top.acquires) or (isinstance(top, Dividing) and top.later)
        if (later or (isinstance(top, Gaining) and top.part > 0)) and not is_closed(o):
            yield from self._free(o, plan, hasty)

    def _branches(self, o: Prospect, rest: Prospect, top: Gaining, plan: Plan) -> Iterator[Prospect]:
        one = self.parts(top.source, top.branch)[top.part]
        assert isinstance(one, One)
        on = (*rest.todo, top._replace(part=top.part + 1))
        able = [*range(len(one.branches))]
        if top.source in self.f.doubtful:
            after = o._replace(todo=on)
            able = [i for i in able if self.is_enough(after, one.branches[i], {})]
        able = [i for i in able if plan.worth.matters(one.branches[i])] or able[:1]
        for i in sorted(able, key=lambda i: plan.serves(most_gained(one.branches[i]))):
            yield o._replace(todo=(*on, Gaining(top.source, (*top.branch, top.part, i), 0, top.quiet)))

    def _answers(
        self, o: Prospect, rest: Prospect, top: Answering, plan: Plan, hasty: bool
    ) -> Iterator[Prospect]:
        able = [a for a in self.answers(o, top) if a in plan.worth.abilities]
        if not hasty and plan.worth.is_calm and (sure := [a for a in able if self.is_sure(a)]):
            yield from self.answered(o, top, sure[0], plan.worth)
            return
        first = [a for a in able if a in plan.uses]
        for a in first:
            yield from self.answered(o, top, a, plan.worth)
        yield rest
        for a in able:
            if a not in first:
                yield from self.answered(o, top, a, plan.worth)

    def _free(self, o: Prospect, plan: Plan, hasty: bool) -> Iterator[Prospect]:
        """Free actions (SIM-TURN-6): abilities, and one step of one rider."""
        worth = plan.worth
        able = [
            a for a in self.abilities if a in o.marked and a in worth.abilities and a not in self.triggers
        ]
        if not worth.fresh:
            able = self._unlike(able)
        gain = next((a for a in able if self.is_pure_gain(o, a)), None)
        if not hasty and worth.is_calm and gain is not None:
            yield from self.used(o, gain, worth)
            return
        tiles = [] if o.moved else [tile for tile, _ in o.riders if tile in worth.tiles]
        yield from self._steps(o, [x for x in tiles if x in plan.walks], worth)
        yield from self._uses(o, [a for a in able if a in plan.uses], worth)
        yield from self._steps(o, [x for x in tiles if x not in plan.walks], worth)
        yield from self._uses(o, [a for a in able if a not in plan.uses], worth)

    def _steps(self, o: Prospect, tiles: Sequence[str], worth: Worth) -> Iterator[Prospect]:
        for tile in tiles:
            yield from self.stepped(o._replace(moved=True), tile, worth)

    def is_pure_gain(self, o: Prospect, a: str) -> bool:
        """Whether an ability gives tokens for nothing."""
        effect, gives = self.f.effects[a], sources(self.f)[a].gives
        return effect.free and not any(k in gives for k in KINDS) and self.receivable(o, a, {})

    def is_sure(self, a: str) -> bool:
        """Whether an answer gives the same whenever it comes."""
        return self.f.specials[a].isdisjoint((AGAIN, ONE_MORE))

    def _uses(self, o: Prospect, able: Sequence[str], worth: Worth) -> Iterator[Prospect]:
        for a in able:
            yield from self.used(o, a, worth)

    def _unlike(self, abilities: Sequence[str]) -> list[str]:
        """One of each that do the same: where no markers come, it does not matter on which they lie."""
        found: list[str] = []
        for a in abilities:
            if not any(self.alike.kinds[a] == self.alike.kinds[b] for b in found):
                found.append(a)
        return found

    # -- markers ------------------------------------------------------------------------------------------------

    def markers_begun(self, o: Prospect) -> int:
        """No fewer markers than may come of what is under way."""
        n = 0
        for x in o.todo:
            if isinstance(x, Gaining):
                n += self.most_left(x).get(MARKER, 0)
            elif isinstance(x, Marking):
                n += x.left
        return n
