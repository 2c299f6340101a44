"""Law 2, secrets: what a seat cannot see changes no byte of what it is shown."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import zip_longest
from typing import Any

from service.engine.audience import sight_of
from service.engine.event import Event
from service.engine.flow import decisions, window
from service.engine.judge import Judgement, judge, proposal
from service.engine.options import legal_acts, options, takers
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, State
from service.engine.table import Table
from service.engine.view import view
from tests.conformance.hidden import variants
from tests.conformance.subjects import Breach, Spot, filled, given, same

MOVES = ("moved", "returned")


def law_secrets(
    rules: Ruleset,
    spots: Sequence[Spot],
    rng: random.Random,
    twins: int = 2,
    probes: int = 40,
    discloses: frozenset[str] = frozenset(),
    of_its_own: Any = None,
    counted: dict[str, int] | None = None,
) -> list[Breach]:
    """View, decisions, options, refusals and events of each seat stay the same under what it cannot see."""
    found: list[Breach] = []
    for spot in spots:
        state = given(spot.state)
        for seat in [*(s.id for s in state.seats), None]:
            law = _Secrets(rules, spot, state, seat, rng, discloses)
            try:
                for twin in variants(rules, state, seat, rng, twins, of_its_own):
                    found += law.unseen(twin, probes)
                    if counted is not None:
                        counted["twins"] = counted.get("twins", 0) + 1
                found += law.others()
            except Exception as fault:
                found.append(law.breach(f"{type(fault).__name__}: {fault}"))
    return found


class _Secrets:
    def __init__(
        self,
        rules: Ruleset,
        spot: Spot,
        state: State[Any, Any],
        seat: str | None,
        rng: random.Random,
        discloses: frozenset[str],
    ) -> None:
        self.rules, self.spot, self.state, self.seat = rules, spot, state, seat
        self.rng, self.discloses = rng, discloses

    def breach(self, why: str, action: Any = None) -> Breach:
        return Breach("secrets", f"{self.spot.where}, as {self.seat} sees it", why, action)

    # -- two states that the seat cannot tell apart

    def unseen(self, twin: State[Any, Any], probes: int) -> Iterator[Breach]:
        yield from self.compared("view", view(self.state, self.seat), view(twin, self.seat))
        one, two = Table(self.rules, self.state), Table(self.rules, twin)
        yield from self.compared("decisions", _wire(decisions(one)), _wire(decisions(two)))
        if self.seat is None:
            return
        mine = list(options(one, self.seat))
        yield from self.compared("options", _wire(mine), _wire(options(two, self.seat)))
        for probe in self.probes(one, probes):
            yield from self.compared("refusals", _refusals(one, probe), _refusals(two, probe), probe)
        acts = [filled(one, o.act, self.rng) for o in mine]
        for act in self.rng.sample(acts, min(4, len(acts))):
            yield from self.played(act, twin)

    def compared(self, what: str, one: Any, two: Any, action: Any = None) -> Iterator[Breach]:
        if not same(one, two):
            yield self.breach(f"its {what} depend on what it cannot see: {_difference(one, two)}", action)

    def probes(self, t: Table, n: int) -> list[dict[str, Any]]:
        """Actions of this seat, legal or not: its own options bent, others' actions and chance's in its name.

        What is awaited of chance is always among them, whatever could be answered.
        """
        found: list[dict[str, Any]] = []
        for o in options(t):
            if o.act.actor != CHANCE:
                found.append({**o.act.to_wire(), "actor": self.seat})
        for kind, classes in sorted(self.rules.kinds.items()):
            for cls in classes:
                found.append({"kind": kind, "actor": self.seat, **self.some(t, cls)})
        self.rng.shuffle(found)
        return [*self.awaited(t), *found[:n]]

    def awaited(self, t: Table) -> Iterator[dict[str, Any]]:
        for actor, cls, _ in takers(t):
            if actor == CHANCE:
                (name, domain), *_ = cls.params.items()
                for value in dict.fromkeys((*domain.values(t, self.seat), *(domain.vocabulary or ()))):
                    yield {"kind": cls.kind, "actor": self.seat, name: value}

    def some(self, t: Table, cls: Any) -> dict[str, Any]:
        values = {}
        for name, domain in cls.params.items():
            if domain.closed:
                known = [*domain.values(t, self.seat), *(domain.vocabulary or ())]
                if known:
                    values[name] = self.rng.choice(known)
            else:
                values[name] = self.rng.choice([0, 1, 5, 50, {}, []])
        return values

    def played(self, act: Mapping[str, Any], twin: State[Any, Any]) -> Iterator[Breach]:
        one, two = judge(self.rules, self.state, act), judge(self.rules, twin, act)
        if one.legal != two.legal:
            yield self.breach("its action is legal or not by what it cannot see", act)
            return
        w = window(Table(self.rules, self.state))
        if w is not None and w.ask.together and w.actors == (self.seat,):
            return  # the last answer opens all of them
        yield from self.results(one, two, act, "what it cannot see")

    def results(self, one: Judgement, two: Judgement, act: Any, by: str) -> Iterator[Breach]:
        """The seat sees the same happen, up to the first event that by rule tells it something new."""
        seen = [[(e, s) for e in j.events if (s := e.seen_by(self.seat)) is not None] for j in (one, two)]
        for a, b in zip_longest(*seen):
            if a is not None and b is not None and same(a[1], b[1]):
                continue
            if any(self.told_by_rule(x[0]) for x in (a, b) if x is not None):
                return
            yield self.breach(f"events depend on {by}: {a and a[1]} or {b and b[1]}", act)
            return
        played = [[p.seen_by(self.seat) for p in j.played] for j in (one, two)]
        if not same(*played):
            yield self.breach(f"what was played depends on {by}: {_difference(*played)}", act)
        assert one.state is not None
        assert two.state is not None
        after = [[view(j.state, self.seat), _wire(j.decisions)] for j in (one, two)]
        if not same(*after):
            yield self.breach(f"the view afterwards depends on {by}: {_difference(*after)}", act)

    def told_by_rule(self, event: Event) -> bool:
        """A clause that discloses; a piece that leaves a place hidden from the seat; a declared rest."""
        if event.because in self.discloses or event.kind in self.discloses:
            return True
        if event.kind not in MOVES:
            return False
        if event.whole is not None and self.seat not in event.whole:
            return event.rest is not None and not isinstance(event.rest.get("what"), int)
        source = event.facts.get("source")
        if source is None:
            return False
        sight = sight_of(type(self.state.table), tuple(source))
        return sight.whole is not None and self.seat not in sight.whole

    # -- two secret actions of somebody else that the seat cannot tell apart

    def others(self) -> Iterator[Breach]:
        t = Table(self.rules, self.state)
        w = window(t)
        for actor, cls, frame in takers(t):
            if actor == self.seat:
                continue
            sealed = w is not None and w.ask.together and cls in w.ask.takes and len(w.actors) > 1
            if w is not None and w.ask.together and not sealed:
                continue
            acts = list(legal_acts(t, cls, frame, actor))
            self.rng.shuffle(acts)
            by_shown: dict[str, list[dict[str, Any]]] = {}
            for act in acts[:6]:
                for wire in (act.to_wire(), filled(t, act, self.rng)):
                    bound, _ = proposal(t, wire)
                    if bound is not None and (sealed or not _sees(bound.sight(t), self.seat)):
                        by_shown.setdefault(str(bound.open_part()), []).append(wire)
            for wires in by_shown.values():
                first = judge(self.rules, self.state, wires[0])
                for wire in wires[1:]:
                    other = judge(self.rules, self.state, wire)
                    if first.legal and other.legal:
                        yield from self.results(first, other, [wires[0], wire], "another's secret choice")


def _sees(whole: frozenset[str] | None, seat: str | None) -> bool:
    return whole is None or seat in whole


def _wire(things: Any) -> list[Any]:
    return [thing.to_wire() for thing in things]


def _refusals(t: Table, probe: Mapping[str, Any]) -> list[Any]:
    """Why it is refused, if it is, and every clause that was looked at."""
    checks: list[Any] = []
    _, violations = proposal(copy(t), probe, checks)
    return [[[v.reason, v.rule, list(v.about), dict(v.facts)] for v in violations], _wire(checks)]


def _difference(one: Any, two: Any, at: str = "") -> str:
    """The first place where two JSON values differ."""
    if isinstance(one, Mapping) and isinstance(two, Mapping):
        for key in sorted({*one, *two}, key=str):
            if one.get(key) != two.get(key):
                return _difference(one.get(key), two.get(key), f"{at}/{key}")
    if isinstance(one, list) and isinstance(two, list):
        for i, (a, b) in enumerate(zip_longest(one, two)):
            if a != b:
                return _difference(a, b, f"{at}/{i}")
    return f"{at}: {one!r} or {two!r}"
