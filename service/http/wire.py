"""From the engine's answers to JSON, with texts in a language."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from service.engine.action import derived
from service.engine.event import Event
from service.engine.explained import Reasoned
from service.engine.flow import Decision
from service.engine.judge import Judgement
from service.engine.options import Option
from service.engine.rule import Violation
from service.engine.ruleset import Ruleset
from service.engine.words import people
from service.http.context import context
from service.sessions.replay import digest

Json = dict[str, Any]


class Teller:
    """Tells what a ruleset's engine answers, in one language, and calls seats by their names."""

    def __init__(self, rules: Ruleset, language: str, seats: Sequence[Any] = ()) -> None:
        self.rules = rules
        self.voice = rules.words.voice(language, people(seats))

    def judgement(self, judged: Judgement, judgement_id: str, after: Json, explain: bool = False) -> Json:
        """`{"verdict", "judgement_id", "ruleset", …}`; `after`: what is told of a legal action. With `explain` the
        clauses that were checked, and what the rules chose."""
        verdict = "legal" if judged.legal else "illegal"
        told: Json = {"verdict": verdict, "judgement_id": judgement_id, "ruleset": self.rules.name, **after}
        if not judged.legal:
            told |= {} if judged.at is None else {"at": judged.at}
            told["violations"] = [self.violation(v) for v in judged.violations]
        if explain:
            told["checks"] = [c.to_wire() for c in judged.checks]
            if judged.legal:
                told["explained"] = [self.explained(r) for r in judged.explained]
        return told

    def explained(self, reasoned: Reasoned) -> Json:
        """A choice of the rules, with its sentence."""
        return {**reasoned.to_wire(), "text": self.voice.explained(reasoned.told())}

    def happened(self, judged: Judgement) -> Json:
        """`{"events", "played", "decisions", "outcome"}`, for who sees everything."""
        return {
            "events": [self.event(e) for e in judged.events],
            "played": [p.to_wire() for p in judged.played],
            "decisions": decisions(judged.decisions),
            "outcome": judged.outcome,
            **_ended(judged),
        }

    def event(self, event: Event) -> Json:
        """An event in full, with its sentence."""
        wire = event.to_wire()
        wire["text"] = self.voice.event(wire)
        return wire

    def violation(self, violation: Violation) -> Json:
        """`{"reason", "rule", "about", "citation", "message", "facts"}`."""
        return {
            "reason": violation.reason,
            "rule": violation.rule,
            "about": list(violation.about),
            "citation": self.rules.book[violation.rule].citation,
            "message": self.voice.message(violation, self.rules.book),
            "facts": dict(violation.facts),
        }

    def option(self, option: Option) -> Json:
        """An option with its sentence; so have its notes."""
        wire = option.to_wire()
        if option.notes:
            wire["notes"] = [{**note, "text": self.voice.note(note)} for note in option.notes]
        return {**wire, "text": self.voice.option(option.filled(), _shown(option))}


def _ended(judged: Judgement) -> Json:
    """What is told when the game is over: the seed of its draws, and the digest that its record ends with."""
    if judged.outcome is None or judged.state is None:
        return {}
    return {"chance": context().fairness.revealed(judged.state), "digest": digest(judged.state)}


def decisions(found: Sequence[Decision]) -> list[Json]:
    """Who must decide, and what the windows take."""
    return [d.to_wire() for d in found]


def _shown(option: Option) -> Mapping[str, Any]:
    """What a sentence about an option may name beside its parameters: which are open, derived values, and more."""
    kind: Any = type(option.act)
    facts: Json = {name: getattr(option.act, name) for name in _derived(kind)}
    facts |= {**option.act.facts(option.act.table), "open": list(option.open)}
    for descriptor in option.open.values():
        facts |= {k: v for k, v in descriptor.items() if k not in facts}
    return facts


@cache
def _derived(kind: Any) -> tuple[str, ...]:
    return tuple(n for c in kind.__mro__ for n, v in vars(c).items() if isinstance(v, derived))
