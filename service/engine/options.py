"""Options: every legal action now, or family of them with open parameters, from the requirements that judge."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import inf
from time import monotonic
from typing import Any

from msgspec import Struct

from service.engine.action import Action, Requirement
from service.engine.budget import OutOfTime, end, tick
from service.engine.domain import Domain, Open
from service.engine.flow import offers_in, window
from service.engine.lookahead import can_finish
from service.engine.state import CHANCE
from service.engine.table import Table

TRIES = 200  # values tried besides the examples, in one list


@dataclass(slots=True)
class Tries:
    """How many other values may still be tried for one list; `cut`: whether there was one more that was not."""

    left: int = field(default_factory=lambda: TRIES)
    cut: bool = False

    def among(self, acts: Iterable[Action | None]) -> Iterator[Action | None]:
        """As many of these as may be tried."""
        for act in acts:
            if not self.left:
                self.cut = True
                return
            self.left -= 1
            yield act


class Option(Struct):
    """A legal action; where `open` has entries, its parameters of that name are still to be filled in.

    `others_refused_by`: the clause by which values other than the examples may be refused: what is begun must end.
    """

    act: Action
    open: dict[str, dict[str, Any]] = {}
    notes: list[dict[str, Any]] = []
    others_refused_by: str | None = None

    def to_wire(self) -> dict[str, Any]:
        """`{"kind", "actor", …closed parameters, "open"?, "others_refused_by"?, "notes"?}`."""
        act, opened = self.act, self.open
        bound = act.__dict__
        wire: dict[str, Any] = {"kind": act.kind, "actor": act.actor}
        for name in act.params:
            if name in bound and name not in opened:
                wire[name] = bound[name]
        if opened:
            wire["open"] = opened
        if self.others_refused_by:
            wire["others_refused_by"] = self.others_refused_by
        if self.notes:
            wire["notes"] = self.notes
        return wire

    def filled(self) -> dict[str, Any]:
        """A legal action: the option with its examples filled in."""
        return self.act.to_wire()


def takers(t: Table) -> list[tuple[str, type[Action], Any]]:
    """Who may propose what now: actor, class, and the frame that takes it.

    Where two would take a kind of one actor, the window comes first, then the uppermost frame.
    """
    w = window(t)
    if w is None:
        return []
    found = [(actor, cls, w.frame) for actor in w.actors for cls in w.ask.takes]
    offers = offers_in(t, w)
    taken = {(actor, cls.kind) for actor, cls, _ in found} if offers else set()
    for frame, actors, takes, _ in offers:
        free = [(a, cls, frame) for a in actors for cls in takes if (a, cls.kind) not in taken]
        taken |= {(a, cls.kind) for a, cls, _ in free}
        found += free
    return found


def options(
    t: Table, actor: str | None = None, kinds: Sequence[str] | None = None, tries: Tries | None = None
) -> Iterator[Option]:
    """Every legal option, by actor and kind in the order of the windows.

    A family is listed with an example that look-ahead lets through; where its other values may be refused by it, it
    says so. No more than `TRIES` other values are tried for one list: beyond, a family whose first example leads
    nowhere is left out, and `tries` says that there is one.
    """
    tries = Tries() if tries is None else tries
    for who, cls, frame in takers(t):
        if (actor is None or actor == who) and (kinds is None or cls.kind in kinds):
            acts = legal_acts(t, cls, frame, who)
            if cls.must_finish is not None:
                yield from _that_finish(t, acts, tries)
                continue
            for act in acts:
                yield Option(act, described(t, act), act.notes(t) if who != CHANCE else [])


def _that_finish(t: Table, acts: Iterable[Action], tries: Tries) -> Iterator[Option]:
    """Options of a class of which all that it begins must end."""
    for legal in acts:
        act = _that_finishes(t, legal, tries)
        if act is not None:
            notes = [] if act.actor == CHANCE else act.notes(t)
            yield Option(act, described(t, act), notes, _refusing(t, act))


def _that_finishes(t: Table, act: Action, tries: Tries) -> Action | None:
    """The action with its examples, or with the first other values, that can be resolved to its end."""
    if can_finish(t, act):
        return act
    opens = _open_ones(act)
    others = tries.among(_written(t, act, opens)) if opens else ()
    return next((x for x in others if x is not None and can_finish(t, x)), None)


def _open_ones(act: Action) -> list[str]:
    return [name for name in _plan(type(act)).order if isinstance(act.params[name], Open)]


def _refusing(t: Table, act: Action) -> str | None:
    """The clause of look-ahead, where the family has more values than its example and it has something to look at."""
    if not act.open_params or act.business(t) is None:
        return None
    some = list(islice(_written(t, act, _open_ones(act)), 2))
    return act.must_finish if len(some) > 1 or None in some else None


def legal_acts(t: Table, cls: type[Action], frame: Any, actor: str) -> Iterator[Action]:
    """Every legal action of one class (look-ahead apart), open parameters filled with their examples."""
    act, plan = cls(t, frame, actor), _plan(cls)
    return _extend(t, act, plan, 0) if _passes(t, act, plan.tests[0]) else iter(())


def legal_act(
    t: Table, cls: type[Action], frame: Any, actor: str, values: Mapping[str, Any]
) -> Action | None:
    """The action of a class without open parameters that has these values of its domains; None where it is illegal."""
    act = cls(t, frame, actor, values)
    return act if _passes(t, act, cls.requirements.values()) else None


@dataclass(frozen=True, slots=True)
class _Plan:
    """In which order a class binds its parameters, and what can be tested once so many of them are bound.

    `among`: by parameter, what says beforehand which of its values will do. `waived`: whether anything may be waived.
    `last`: the open parameter that comes last, where nothing is left to be tested once it is bound.
    """

    order: tuple[str, ...]
    domains: tuple[Domain, ...]
    last: Open | None
    among: tuple[tuple[Callable[[Table, Any], Container[Any]], ...], ...]
    tests: tuple[tuple[Requirement, ...], ...]
    waived: bool


_PLANS: dict[Any, _Plan] = {}


def _plan(cls: type[Action]) -> _Plan:
    plan = _PLANS.get(cls)
    if plan is None:
        plan = _PLANS[cls] = _planned(cls)
    return plan


def _planned(cls: type[Action]) -> _Plan:
    """Closed parameters come first: an open one may be narrowed by all of them."""
    order = sorted(cls.params, key=lambda name: isinstance(cls.params[name], Open))
    tests = []
    firm = [r for r in cls.requirements.values() if r.name not in cls.waivers]
    said = [r for r in firm if r.among]
    left = [r for r in cls.requirements.values() if r not in said]
    for n in range(len(order) + 1):
        bound = set(order[:n])
        tests.append(tuple(r for r in left if r.params <= bound))
        left = [r for r in left if not r.params <= bound]
    domains = tuple(cls.params[name] for name in order)
    among = tuple(
        (
            *(r.among for r in said if r.among and r.needs == (name,)),
            *(r.only[name] for r in firm if name in r.only),
        )
        for name in order
    )
    last = domains[-1] if domains and isinstance(domains[-1], Open) and not tests[-1] else None
    return _Plan(tuple(order), domains, last, among, tuple(tests), bool(cls.waivers))


def _extend(t: Table, act: Action, plan: _Plan, n: int) -> Iterator[Action]:
    """Bind the parameters from the n-th on; a requirement prunes as soon as all it needs is bound."""
    if n == len(plan.order):
        yield act
        return
    domain = plan.domains[n]
    if isinstance(domain, Open):
        found = _first_that_goes_on(t, act, domain, plan, n)
        if found is not None:
            yield found
        return
    name, tests = domain.name, plan.tests[n + 1]
    following = plan.domains[n + 1] if n + 1 < len(plan.domains) else None
    last, over = plan.last, end()
    fuller = None  # one action is enough for all values that lead to none
    values: Iterable[Any] = domain.values(t, act.actor)  # type: ignore[attr-defined]
    for among in plan.among[n]:
        some = among(t, act)
        values = [value for value in values if value in some]
    for value in values:
        if over != inf and monotonic() > over:
            raise OutOfTime
        if fuller is None:
            fuller = act.with_one_more(name, value)
            bound = len(fuller.__dict__)
        else:
            fuller.__dict__[name] = value
        for requirement in tests:
            if not requirement.predicate(t, fuller) and (
                not plan.waived or requirement.lifted_by(t, fuller) is None
            ):
                break
        else:
            if following is None:
                yield fuller
                fuller = None
                continue
            if last is not None and following is last:
                example = last.example(t, fuller)
                if example is not None:
                    fuller.__dict__[last.name] = example
                    yield fuller
                fuller = None
                continue
            if isinstance(following, Open):
                found = _first_that_goes_on(t, fuller, following, plan, n + 1)
                fuller = None
                if found is not None:
                    yield found
                continue
            yield from _extend(t, fuller, plan, n + 1)
        if len(fuller.__dict__) != bound:  # what was derived from this value does not hold for the next one
            fuller = None


def _passes(t: Table, act: Action, tests: Iterable[Requirement]) -> bool:
    """Whether all these requirements hold, or are waived."""
    tick()
    for requirement in tests:
        if not requirement.predicate(t, act) and requirement.lifted_by(t, act) is None:
            return False
    return True


def _first_that_goes_on(t: Table, act: Action, domain: Open, plan: _Plan, n: int) -> Action | None:
    """One action for an open parameter: with its example, or, where later ones then have none, another value.

    The action is the caller's gift: the last parameter is bound in it, not in a copy.
    """
    example = domain.example(t, act)
    if example is None:
        return None
    if n + 1 == len(plan.order):
        act.__dict__[domain.name] = example
        return act if domain is plan.last or _passes(t, act, plan.tests[n + 1]) else None
    for value in (example, *(_legal_values(t, act, domain) or ())):
        fuller = act.with_one_more(domain.name, value)
        if not _passes(t, fuller, plan.tests[n + 1]):
            continue
        found = next(_extend(t, fuller, plan, n + 1), None)
        if found is not None:
            return found
    return None


def _legal_values(t: Table, act: Action, domain: Open) -> Iterator[Any] | None:
    """Every legal value of an open parameter; None where there are too many to try."""
    values = domain.every(t, act)
    return None if values is None else (v for v in values if not domain.check(t, act, v))


def described(t: Table, act: Action) -> dict[str, dict[str, Any]]:
    """The descriptors of an option's open parameters, each with its example."""
    found: dict[str, dict[str, Any]] = {}
    for domain in act.open_params:
        shown = found[domain.name] = domain.describe(t, act)
        shown["example"] = act.__dict__[domain.name]
        if domain.depends_on:
            shown["depends_on"] = list(domain.depends_on)
    return found


def choices(t: Table, actor: str, cls: type[Action], frame: Any) -> Iterator[Action | None]:
    """Every legal action of a class with open parameters written out; None where one has too many values."""
    opens = [name for name in _plan(cls).order if isinstance(cls.params[name], Open)]
    for act in legal_acts(t, cls, frame, actor):
        yield from _written(t, act, opens)


def _written(t: Table, act: Action, opens: Sequence[str]) -> Iterator[Action | None]:
    if not opens:
        yield act
        return
    domain = act.params[opens[0]]
    assert isinstance(domain, Open)
    values = _legal_values(t, act, domain)
    if values is None:
        yield None
        return
    for value in values:
        yield from _written(t, act.extended(domain.name, value), opens[1:])
