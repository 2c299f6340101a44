"""An action to judge and the judgement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma

from schemas.base import Anything, Bool, Choice, Int, Items, Keyed, Open, Schema, Text, Within
from schemas.checks import Length
from schemas.faults import Fault

LINE = 200  # actions in one line of play


class Posted(Schema):
    """A request about a posted state; `seal`: the one that it was answered with."""

    seal = Text()


class Proposed(Schema):
    """What is to be judged."""

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def one(self, data: Mapping[str, Any], original: Any, **kwargs: Any) -> None:
        """Either `action` or `actions`, whatever else is wrong."""
        if isinstance(original, Mapping) and ("action" in original) == ("actions" in original):
            raise ma.ValidationError([Fault("one-of-both")])


class AdjudicationSchema(Posted, Proposed):
    """Judge one action (`action`), or one line of play, all or nothing (`actions`)."""


def adjudication_schema(prefix: str, state: Any, action: type[Schema]) -> type[Schema]:
    """The request of one ruleset."""
    declared = {"state": state, **proposal(action), "__doc__": AdjudicationSchema.__doc__}
    return type(f"{prefix}AdjudicationSchema", (AdjudicationSchema,), declared)


def proposal(action: type[Schema]) -> dict[str, Any]:
    """The fields of what is to be judged."""
    return {"action": Within(action), "actions": Items(Within(action), validate=Length(1, LINE))}


class CitationSchema(Schema):
    """Where a clause stands."""

    document = Text(required=True)
    page = Int()
    section = Text()
    rulings = Items(Text())


REASONS = ("broken-rule", "not-your-decision", "unknown-value")


class ViolationSchema(Schema):
    """One reason for a refusal; `about`: JSON Pointers into the action."""

    reason = Choice(REASONS, required=True)
    rule = Text(required=True)
    about = Items(Text(), required=True)
    citation = Within(CitationSchema, required=True)
    message = Text(required=True)
    facts = Keyed(required=True)


class EventSchema(Open):
    """One thing that happened, the clause that made it happen, and a sentence; more by its kind."""

    kind = Text(required=True)
    because = Text(required=True)
    text = Text(required=True)


class PlayedSchema(Open):
    """An action as it was played; answers of chance and automated seats are among them."""

    kind = Text(required=True)
    actor = Text(required=True)


class DecisionSchema(Schema):
    """Who must (or may) decide, which kinds the window takes, and the clause of the window."""

    actor = Text(required=True)
    kinds = Items(Text(), required=True)
    because = Text(required=True)


class FinalStandingSchema(Schema):
    """One seat's final score and where it came from."""

    seat = Text(required=True)
    score = Int(required=True)
    parts = Keyed(values=Int(), required=True)


class FinalOutcomeSchema(Schema):
    """How a game ended, and the clause that ended it."""

    winners = Items(Text(), required=True)
    standings = Items(Within(FinalStandingSchema), required=True)
    because = Text(required=True)


class CheckSchema(Schema):
    """A clause that was looked at, whether it held, and the clause that waived it."""

    rule = Text(required=True)
    about = Items(Text(), required=True)
    held = Bool(required=True)
    waived_by = Text()


class LegalSchema(Schema):
    """The action is legal: the new state, its seal, and what happened."""

    verdict = Choice(["legal"], required=True)
    judgement_id = Text(required=True)
    ruleset = Text(required=True)
    seal = Text(required=True)
    events = Items(Within(EventSchema), required=True)
    played = Items(Within(PlayedSchema), required=True)
    decisions = Items(Within(DecisionSchema), required=True)
    outcome = Within(FinalOutcomeSchema, required=True, allow_none=True)
    checks = Items(Within(CheckSchema))


class IllegalSchema(Schema):
    """The action is illegal: every clause that it breaks; `at`: which action of a line of play."""

    verdict = Choice(["illegal"], required=True)
    judgement_id = Text(required=True)
    ruleset = Text(required=True)
    at = Int()
    violations = Items(Within(ViolationSchema), required=True, validate=Length(1))
    checks = Items(Within(CheckSchema))


class StartedSchema(Schema):
    """A game before its first decision, its seal, and what happened on the way there."""

    ruleset = Text(required=True)
    seal = Text(required=True)
    events = Items(Within(EventSchema), required=True)
    played = Items(Within(PlayedSchema), required=True)
    decisions = Items(Within(DecisionSchema), required=True)
    outcome = Within(FinalOutcomeSchema, required=True, allow_none=True)


class OptionSchema(Open):
    """A legal action; where it has `open`, a family of them: drop it and fill the examples in."""

    kind = Text(required=True)
    actor = Text(required=True)
    text = Text(required=True)
    open = Keyed(values=Keyed())
    notes = Items(Anything())
