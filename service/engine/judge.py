"""Judging: is this action legal here, and if not, which clauses does it break; if so, what happens."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from msgspec import Struct

from service.engine.action import Action, No, Requirement
from service.engine.domain import Domain, Open
from service.engine.event import Event, Played
from service.engine.explained import Reasoned
from service.engine.flow import Decision, Window, advance, decisions, offers_in, take, window
from service.engine.frames import Ask
from service.engine.rule import BROKEN_RULE, NOT_YOUR_DECISION, UNKNOWN_VALUE, Violation, pointer
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, Outcome, State
from service.engine.table import Draws, Table
from service.engine.windows import at_rest, decisions_in


@dataclass(frozen=True, slots=True)
class Check:
    """A clause that was looked at: whether it held, and the rule that waived it, if one did."""

    rule: str
    about: tuple[str, ...]
    held: bool
    waived_by: str | None = None

    def to_wire(self) -> dict[str, Any]:
        """`{"rule", "about", "held", "waived_by"?}`."""
        wire = {"rule": self.rule, "about": list(self.about), "held": self.held}
        return {**wire, "waived_by": self.waived_by} if self.waived_by else wire


class Judgement(Struct):
    """The answer to one proposed action, or to a line of play (`at`: which action was refused)."""

    legal: bool
    violations: Sequence[Violation] = ()
    checks: list[Check] = []
    state: State[Any, Any] | None = None
    events: Sequence[Event] = ()
    played: Sequence[Played] = ()
    decisions: Sequence[Decision] = ()
    outcome: Outcome | None = None
    at: int | None = None
    explained: Sequence[Reasoned] = ()


def judge(
    rules: Ruleset,
    state: State[Any, Any],
    action: Mapping[str, Any],
    draws: Draws | None = None,
    explain: bool = False,
) -> Judgement:
    """Judge one action on a state that has no problems. The state is not changed.

    `draws` answers seeded chance; without it a seeded draw raises NoDraws. `explain` collects every clause checked, and
    what the rules chose by themselves.
    """
    table = Table(rules, state, draws)
    table.explained = [] if explain else None
    checks: list[Check] | None = [] if explain else None
    act, violations = proposal(table, action, checks)
    if violations or act is None:
        return Judgement(False, violations, checks or [])
    return _legal(*apply(table, act), state.turn + 1, checks or [])


def judge_line(
    rules: Ruleset,
    state: State[Any, Any],
    actions: Sequence[Mapping[str, Any]],
    draws: Draws | None = None,
    explain: bool = False,
) -> Judgement:
    """Judge one line of play, all or nothing: the first refused action refuses the line."""
    events: list[Event] = []
    played: list[Played] = []
    explained: list[Reasoned] = []
    last = Judgement(True, state=state, decisions=decisions(Table(rules, state)), outcome=state.outcome)
    for i, action in enumerate(actions):
        assert last.state is not None
        last = judge(rules, last.state, action, draws, explain)
        if not last.legal:
            last.at = i
            return last
        events += last.events
        played += last.played
        explained += last.explained
    last.events, last.played, last.explained = events, played, explained
    return last


def _legal(after: Table, w: Window | None, turn: int, checks: list[Check]) -> Judgement:
    deciding = decisions_in(after, w)
    return Judgement(
        True,
        (),
        checks,
        after.to_state(turn),
        after.events,
        after.played,
        deciding,
        after.outcome,
        explained=after.explained or (),
    )


def apply(table: Table, act: Action) -> tuple[Table, Window | None]:
    """A fork of the table on which the (legal) action was played and everything that follows by itself has happened.

    With it the window that waits then; None when the game is over.
    """
    after = table.fork()
    twin = act.on(after, table.twin(act.frame, after))
    resting = at_rest(after)
    assert resting is not None
    take(after, Window(*resting, ()), twin)
    return after, advance(after)


def proposal(
    t: Table, action: Mapping[str, Any], checks: list[Check] | None = None
) -> tuple[Action | None, list[Violation]]:
    """The bound action, or every reason why it is refused: first the window, then parameters and requirements."""
    w = window(t)
    actor, kind = action.get("actor"), action.get("kind")
    if w is None:
        return None, [_over(t, actor)]
    if actor not in t.seats and actor not in w.actors:
        return None, [Violation(UNKNOWN_VALUE, w.ask.rule, ("/actor",), {"actor": actor})]
    taker = _taker(t, w, actor, kind)
    if taker is None:
        return None, _untaken(t, w, actor, kind)
    violations = [] if taker.yours else [_not_yours(w, actor, w.ask.wrong_actor(t, w.frame, actor))]
    if checks is not None:
        checks.append(Check(violations[0].rule if violations else taker.rule, ("/actor",), taker.yours))
    if violations and (actor == CHANCE or taker.cls.chance):
        return (
            None,
            violations,
        )  # what seats do is not defined for chance; what may come up is not told to seats
    cls = taker.cls if taker.yours else _meant(t, taker, action)
    act, found = examine(t, cls, taker.frame, actor, action, checks, taker.rule)
    violations += found
    if not violations and taker.cls.must_finish is not None:
        violations += _unfinished(t, act, checks)
    return act, violations


def _over(t: Table, actor: Any) -> Violation:
    """Nobody acts once the game is over; the clause is the one that ended it."""
    assert t.outcome is not None
    rule = t.rules.ends.get(t.outcome.because, t.rules.over)
    return Violation(NOT_YOUR_DECISION, rule, ("/actor",), {"actor": actor, "winners": t.outcome.winners})


class _Taker(Struct, frozen=True):
    """The class and frame that take a kind, the clause of the window, and whether the actor is one who is asked."""

    cls: type[Action]
    frame: Any
    rule: str
    yours: bool


def _taker(t: Table, w: Window, actor: str, kind: Any) -> _Taker | None:
    """Who takes this kind: the window, or a free action; for somebody else's, the one that would."""
    found: _Taker | None = None
    for cls in w.ask.takes:
        if cls.kind == kind:
            found = _Taker(cls, w.frame, w.ask.rule, actor in w.actors)
            if found.yours:
                return found
    for frame, actors, takes, rule in offers_in(t, w):
        for cls in takes:
            if cls.kind == kind and (found is None or actor in actors):
                found = _Taker(cls, frame, rule, actor in actors)
                if found.yours:
                    return found
    return found


def _meant(t: Table, taker: _Taker, action: Mapping[str, Any]) -> type[Action]:
    """What somebody else's action of this kind is examined as: where the frame's windows take it in several forms, the
    one whose fields it has."""
    for step in t.rules.procedures[type(taker.frame)].steps:
        for cls in step.takes if isinstance(step, Ask) else ():
            if cls.kind == taker.cls.kind and cls.fields == action.keys():
                return cls
    return taker.cls


def _untaken(t: Table, w: Window, actor: str, kind: Any) -> list[Violation]:
    facts = {"kind": kind, **_asked(w)}
    rules = w.ask.broken_by(t, w.frame, actor, kind)
    refused = [Violation(BROKEN_RULE, rule, ("/kind",), facts) for rule in rules]
    if actor not in w.actors:
        refused.insert(0, _not_yours(w, actor, w.ask.wrong_actor(t, w.frame, actor)))
    return refused


def _not_yours(w: Window, actor: str, rule: str) -> Violation:
    return Violation(NOT_YOUR_DECISION, rule, ("/actor",), {"actor": actor, **_asked(w)})


def _asked(w: Window) -> dict[str, Any]:
    return {"asked": list(w.actors), "takes": [c.kind for c in w.ask.takes]}


def examine(
    t: Table,
    cls: type[Action],
    frame: Any,
    actor: str,
    wire: Mapping[str, Any],
    checks: list[Check] | None = None,
    rule: str = "",
) -> tuple[Action, list[Violation]]:
    """Bind the parameters of an action of this class and test every requirement that is defined.

    `rule`: the clause that a field breaks which the action does not have.
    """
    act = cls(t, frame, actor)
    violations = [] if wire.keys() <= cls.fields else _strange(cls, wire, rule)
    held: set[str] = set()
    for domain in cls.closed_params:
        if checks is None and domain.name in wire and not domain.check(t, act, wire[domain.name]):
            act.__dict__[domain.name] = wire[domain.name]
            held.add(domain.name)  # what is told most
        else:
            violations += _closed(t, act, domain, wire, held, checks)
    for requirement in cls.requirements.values():
        if requirement.needed <= held:
            if checks is None and requirement.predicate(t, act):
                held.add(requirement.name)
                continue
            refused = _test(t, act, requirement, checks)
            if refused is None:
                held.add(requirement.name)
            else:
                violations.append(refused)
    for opened in cls.open_params:
        violations += _open(t, act, opened, wire, held, checks)
    return act, violations


def _strange(cls: type[Action], wire: Mapping[str, Any], rule: str) -> list[Violation]:
    """Fields that the action does not have."""
    return [
        Violation(UNKNOWN_VALUE, rule, (pointer(name),), {"value": wire[name]})
        for name in wire
        if name not in cls.fields
    ]


def _closed(
    t: Table,
    act: Action,
    domain: Domain,
    wire: Mapping[str, Any],
    held: set[str],
    checks: list[Check] | None,
) -> list[Violation]:
    name = domain.name
    refused = domain.check(t, act, wire[name]) if name in wire else [_missing(domain)]
    if checks is not None:
        checks.append(Check(domain.rule, (f"/{name}",), not refused))
    if not refused:
        act.__dict__[name] = wire[name]
        held.add(name)
    return refused


def _missing(domain: Any) -> Violation:
    return Violation(UNKNOWN_VALUE, domain.rule, (f"/{domain.name}",), {"value": None})


def _test(t: Table, act: Action, r: Requirement, checks: list[Check] | None) -> Violation | None:
    """None where the requirement holds, or is waived."""
    answer, waived_by = r.tested(t, act)
    fine = bool(answer) or waived_by is not None
    if checks is not None:
        checks.append(Check(r.rule, r.about, fine, waived_by))
    if fine:
        return None
    return Violation(BROKEN_RULE, r.rule, r.about, answer.facts if isinstance(answer, No) else {})


def _open(
    t: Table, act: Action, domain: Open, wire: Mapping[str, Any], held: set[str], checks: list[Check] | None
) -> list[Violation]:
    if domain.name not in wire:
        return [_missing(domain)]
    needs = _earlier(act, domain.name) if domain.needs is None else domain.needs
    if not held.issuperset(needs):
        return []
    refused = domain.check(t, act, wire[domain.name])
    if checks is not None:
        broken = [v.rule for v in refused]
        looked_at = dict.fromkeys([*domain.looked_at(t, act), *broken])
        checks.extend(Check(rule, (f"/{domain.name}",), rule not in broken) for rule in looked_at)
    if not refused:
        act.__dict__[domain.name] = wire[domain.name]
        held.add(domain.name)
    return refused


def _earlier(act: Action, name: str) -> tuple[str, ...]:
    names = tuple(act.params)
    return names[: names.index(name)]


@cache
def _can_finish() -> Callable[[Table, Action], bool | No]:
    """Look-ahead lists options, which are judged: so it is asked for late, and once."""
    from service.engine.lookahead import can_finish

    return can_finish


def _unfinished(t: Table, act: Action, checks: list[Check] | None) -> list[Violation]:
    rule = act.must_finish
    assert rule is not None
    answer = _can_finish()(t, act)
    if checks is not None:
        checks.append(Check(rule, ("/kind",), bool(answer)))
    facts = answer.facts if isinstance(answer, No) else {}
    if answer:
        return []
    broken = {rule: facts} | {x: {**more, **facts} for x, more in act.unfinished(t).items()}
    return [Violation(BROKEN_RULE, x, ("/kind",), told) for x, told in broken.items()]
