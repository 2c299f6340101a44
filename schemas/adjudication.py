"""An action to judge and the judgement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma

from schemas.base import Anything, Bool, Choice, Int, Items, Keyed, Open, Schema, Text, Within
from schemas.checks import Length, Pattern, Range
from schemas.faults import Fault
from service.engine.deck import MOST_COUNT

LINE = 200  # actions in one line of play


class Posted(Schema):
    """A request about a posted state; `seal`: the one that it was answered with."""

    seal = Text()


class Proposed(Schema):
    """What is to be judged."""

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def one(self, data: Mapping[str, Any], original: Any, **kwargs: Any) -> None:
        """Either `action` or `actions`, whatever else is wrong."""
        plain = type(original) is dict or isinstance(original, Mapping)
        if plain and ("action" in original) == ("actions" in original):
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
    """One reason for a refusal; `about`: JSON Pointers into the action. `unknown-value`: something is not on this table
    or not so often. A wrong number of things that are there is a `broken-rule`, with what is due in the facts."""

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
    """An action as it was played; answers of chance and automated seats are among them. `draw`: of an answer of chance
    that the service drew, the number of the draw."""

    kind = Text(required=True)
    actor = Text(required=True)
    draw = Int(validate=Range(0, MOST_COUNT))


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
    """How a game ended, and the clause that ended it.

    `next`, where games make a series: a set-up with what the next game takes over from this one.
    """

    winners = Items(Text(), required=True)
    standings = Items(Within(FinalStandingSchema), required=True)
    because = Text(required=True)
    next = Keyed(keys=Text())


class CheckSchema(Schema):
    """A clause that was looked at, whether it held, and the clause that waived it."""

    rule = Text(required=True)
    about = Items(Text(), required=True)
    held = Bool(required=True)
    waived_by = Text()


class ExplainedSchema(Open):
    """What a clause chose without anybody deciding: every candidate with the figures that decided, and a sentence."""

    about = Text(required=True)
    because = Text(required=True)
    of = Items(Keyed(), required=True)
    text = Text(required=True)


SEED = r"^([0-9a-f]{2}){1,128}(?!\n)$"


class RevealedSchema(Schema):
    """The chance of a game that is over: `commitment`, the SHA-256 of the seed; `seed`, in hexadecimal digits, where
    this server has it; `next_draw`, how many numbers were drawn."""

    game_id = Text(required=True, validate=Length(max=200))
    mode = Choice(["seeded", "given"], required=True)
    fair = Bool()
    key_id = Text(validate=Length(max=200))
    commitment = Text(validate=Length(max=200))
    client_seed = Text(validate=Length(max=200))
    next_draw = Int(validate=Range(0, MOST_COUNT))
    seed = Text(validate=Pattern(SEED, "pattern"))


class LegalSchema(Schema):
    """The action is legal: the new state, its seal, and what happened; of a game that is over also the revealed
    `chance`, and the `digest` that a record of it ends with."""

    verdict = Choice(["legal"], required=True)
    judgement_id = Text(required=True)
    ruleset = Text(required=True)
    seal = Text(required=True)
    events = Items(Within(EventSchema), required=True)
    played = Items(Within(PlayedSchema), required=True)
    decisions = Items(Within(DecisionSchema), required=True)
    outcome = Within(FinalOutcomeSchema, required=True, allow_none=True)
    chance = Within(RevealedSchema)
    digest = Text()
    checks = Items(Within(CheckSchema))
    explained = Items(Within(ExplainedSchema))


class IllegalSchema(Schema):
    """The action is illegal: every clause that it breaks; `at`: which action of a line of play."""

    verdict = Choice(["illegal"], required=True)
    judgement_id = Text(required=True)
    ruleset = Text(required=True)
    at = Int()
    violations = Items(Within(ViolationSchema), required=True, validate=Length(1))
    checks = Items(Within(CheckSchema))


class StartedSchema(Schema):
    """A game before its first decision, its seal, and what happened on the way there (where automated seats have
    played it to its end, `chance` and `digest` as in the last judgement of a game)."""

    ruleset = Text(required=True)
    seal = Text(required=True)
    events = Items(Within(EventSchema), required=True)
    played = Items(Within(PlayedSchema), required=True)
    decisions = Items(Within(DecisionSchema), required=True)
    outcome = Within(FinalOutcomeSchema, required=True, allow_none=True)
    chance = Within(RevealedSchema)
    digest = Text()


class OptionSchema(Open):
    """A legal action; where it has `open`, a family of them: drop it and fill the examples in.

    `others_refused_by`: the clause by which other values than the examples may be refused: what is begun must end.
    """

    kind = Text(required=True)
    actor = Text(required=True)
    text = Text(required=True)
    open = Keyed(values=Keyed())
    others_refused_by = Text()
    notes = Items(Anything())
