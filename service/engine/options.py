"""Options: every legal action now, or family of them with open parameters, from the same requirements that judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.engine.action import Action
from service.engine.domain import Open
from service.engine.flow import free_offers, window
from service.engine.lookahead import can_finish
from service.engine.state import CHANCE
from service.engine.table import Table


@dataclass(slots=True)
class Option:
    """A legal action; where `open` has entries, its parameters of that name are still to be filled in."""

    act: Action
    open: dict[str, dict[str, Any]] = field(default_factory=dict)
    notes: list[dict[str, Any]] = field(default_factory=list)

    def to_wire(self) -> dict[str, Any]:
        """`{"kind", "actor", …closed parameters, "open"?, "notes"?}`."""
        wire = {k: v for k, v in self.act.to_wire().items() if k not in self.open}
        if self.open:
            wire["open"] = self.open
        if self.notes:
            wire["notes"] = self.notes
        return wire

    def filled(self) -> dict[str, Any]:
        """A legal action: the option with its examples filled in."""
        return self.act.to_wire()


def takers(t: Table) -> list[tuple[str, type[Action], Any]]:
    """Who may propose what now: actor, class, and the frame that takes it."""
    w = window(t)
    if w is None:
        return []
    found = [(actor, cls, w.frame) for actor in w.actors for cls in w.ask.takes]
    found += [
        (actor, cls, frame) for frame, actors, takes, _ in free_offers(t) for actor in actors for cls in takes
    ]
    return found


def options(t: Table, actor: str | None = None, kinds: Sequence[str] | None = None) -> Iterator[Option]:
    """Every legal option, by actor and kind in the order of the windows."""
    for who, cls, frame in takers(t):
        if (actor is None or actor == who) and (kinds is None or cls.kind in kinds):
            for act in legal_acts(t, cls, frame, who):
                if cls.must_finish is None or can_finish(t, act):
                    yield Option(act, described(t, act), [] if who == CHANCE else act.notes(t))


def legal_acts(t: Table, cls: type[Action], frame: Any, actor: str) -> Iterator[Action]:
    """Every legal action of one class, open parameters filled with their examples."""
    yield from _extend(t, cls(t, frame, actor), list(cls.params), set(), set())


def _extend(t: Table, act: Action, left: list[str], bound: set[str], held: set[str]) -> Iterator[Action]:
    """Bind parameter after parameter; a requirement prunes as soon as all it needs is bound."""
    held = set(held)
    for r in act.requirements.values():
        if r.name in held or not r.params <= bound:
            continue
        if not r.predicate(t, act):
            waiver = act.waivers.get(r.name)
            if waiver is None or not waiver.predicate(t, act):
                return
        held.add(r.name)
    if not left:
        yield act
        return
    name, rest = _next_parameter(act, left)
    domain = act.params[name]
    for value in _values(t, act, domain):
        yield from _extend(t, act.extended(name, value), rest, bound | {name}, held)


def _next_parameter(act: Action, left: list[str]) -> tuple[str, list[str]]:
    """Closed parameters first: an open one may be narrowed by all of them."""
    name = next((n for n in left if not isinstance(act.params[n], Open)), left[0])
    return name, [n for n in left if n != name]


def _values(t: Table, act: Action, domain: Any) -> Sequence[Any]:
    if not isinstance(domain, Open):
        values: Sequence[Any] = domain.values(t, act.actor)
        return values
    example = domain.example(t, act)
    return [] if example is None else [example]


def described(t: Table, act: Action) -> dict[str, dict[str, Any]]:
    """The descriptors of an option's open parameters, each with its example."""
    found: dict[str, dict[str, Any]] = {}
    for name, domain in act.params.items():
        if isinstance(domain, Open):
            shown = {**domain.describe(t, act), "example": act.__dict__[name]}
            found[name] = {**shown, "depends_on": list(domain.depends_on)} if domain.depends_on else shown
    return found


def choices(t: Table, actor: str, cls: type[Action], frame: Any) -> Iterator[Action] | None:
    """Every legal action of a class with open parameters written out; None where one has too many values."""
    acts: list[Action] = []
    for act in legal_acts(t, cls, frame, actor):
        opens = [n for n, d in cls.params.items() if isinstance(d, Open)]
        written = _written(t, act, opens)
        if written is None:
            return None
        acts += written
    return iter(acts)


def _written(t: Table, act: Action, opens: Sequence[str]) -> list[Action] | None:
    if not opens:
        return [act]
    domain = act.params[opens[0]]
    assert isinstance(domain, Open)
    values = domain.every(t, act)
    if values is None:
        return None
    found: list[Action] = []
    for value in values:
        if not domain.check(t, act, value):
            more = _written(t, act.extended(domain.name, value), opens[1:])
            if more is None:
                return None
            found += more
    return found
