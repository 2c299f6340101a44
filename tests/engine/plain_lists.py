"""Lists of options made the plain way: nothing is remembered, and every action tried is a copy of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from service.engine.action import Action, Requirement
from service.engine.domain import Open
from service.engine.options import Option, _legal_values
from service.engine.table import Table


def plain_acts(t: Table, cls: type[Action], frame: Any, actor: str) -> Iterator[Action]:
    """Every legal action of one class, open parameters filled with their examples."""
    order = sorted(cls.params, key=lambda name: isinstance(cls.params[name], Open))
    tests, left = [], list(cls.requirements.values())
    for n in range(len(order) + 1):
        tests.append([r for r in left if r.params <= set(order[:n])])
        left = [r for r in left if not r.params <= set(order[:n])]
    act = cls(t, frame, actor)
    return _extend(t, act, order, tests, 0) if _passes(t, act, tests[0]) else iter(())


def _extend(
    t: Table, act: Action, order: Sequence[str], tests: Sequence[Sequence[Requirement]], n: int
) -> Iterator[Action]:
    if n == len(order):
        yield act
        return
    domain: Any = act.params[order[n]]
    if isinstance(domain, Open):
        example = domain.example(t, act)
        if example is None:
            return
        others: Iterable[Any] = () if n + 1 == len(order) else _legal_values(t, act, domain) or ()
        for value in (example, *others):
            fuller = act.extended(domain.name, value)
            if _passes(t, fuller, tests[n + 1]):
                for found in _extend(t, fuller, order, tests, n + 1):
                    yield found
                    return
        return
    for value in domain.values(t, act.actor):
        fuller = act.extended(domain.name, value)
        if _passes(t, fuller, tests[n + 1]):
            yield from _extend(t, fuller, order, tests, n + 1)


def _passes(t: Table, act: Action, tests: Iterable[Requirement]) -> bool:
    for requirement in tests:
        answer, waived = requirement.tested(t, act)
        if not answer and waived is None:
            return False
    return True


def plain_wire(option: Option) -> dict[str, Any]:
    """An option on the wire."""
    act = option.act
    values = {name: act.__dict__[name] for name in act.params if name in act.__dict__}
    wire = {"kind": act.kind, "actor": act.actor, **values}
    wire = {k: v for k, v in wire.items() if k not in option.open}
    if option.open:
        wire["open"] = option.open
    if option.others_refused_by:
        wire["others_refused_by"] = option.others_refused_by
    if option.notes:
        wire["notes"] = option.notes
    return wire


def plain_description(t: Table, act: Action) -> dict[str, dict[str, Any]]:
    """The open parameters of an option."""
    found: dict[str, dict[str, Any]] = {}
    for name, domain in act.params.items():
        if isinstance(domain, Open):
            shown = {**domain.describe(t, act), "example": act.__dict__[name]}
            found[name] = {**shown, "depends_on": list(domain.depends_on)} if domain.depends_on else shown
    return found
