"""Requests about a state that is in a token, and their answers: what the seat of the key may see and do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from schemas.adjudication import (
    CheckSchema,
    EventSchema,
    ExplainedSchema,
    FinalOutcomeSchema,
    IllegalSchema,
    OptionSchema,
    PlayedSchema,
    Proposed,
    proposal,
)
from schemas.base import Bool, Choice, Int, Items, Keyed, OneOf, Schema, SeatName, Text, Within
from schemas.batch import AlternativeSchema, raw_items
from schemas.checks import Length, Range
from schemas.options import MOST
from schemas.session import PromisedSchema, SessionDecisionSchema, SessionViolationSchema


class HeldSchema(Schema):
    """A request about a state that is in a token; `key`: that of a seat, of the spectator or of the dealer."""

    token = Text(required=True)
    key = Text(required=True)


class HeldAdjudicationSchema(HeldSchema, Proposed):
    """Judge one action (`action`) of the seat whose `key` it is, or one line of play, all or nothing (`actions`)."""


class HeldBatchSchema(HeldSchema):
    """Judge alternatives, each on the state that is in the `token`."""


class HeldOptionsQuerySchema(HeldSchema):
    """Who must decide, and every legal option of the seat whose `key` it is; of some kinds, at most `limit`, where
    named."""

    actor = SeatName()
    limit = Int(validate=Range(1, MOST))


class HeldViewQuerySchema(HeldSchema):
    """What the seat whose `key` it is may know; null asks for what a spectator sees."""

    seat = SeatName(allow_none=True, chance=False)


class HeldContract:
    """The schemas of the requests about tokens of one ruleset."""

    def __init__(self, prefix: str, action: type[Schema], kinds: Sequence[str]) -> None:
        item = {**proposal(action), "__doc__": AlternativeSchema.__doc__}
        alternative = type(f"{prefix}HeldBatchItemSchema", (AlternativeSchema,), item)
        made: dict[str, type[Schema]] = {
            "adjudication": _schema(prefix, HeldAdjudicationSchema, proposal(action)),
            "batch": _schema(prefix, HeldBatchSchema, {"items": raw_items(alternative)}),
            "options": _schema(
                prefix, HeldOptionsQuerySchema, {"kinds": Items(Choice(kinds), validate=Length(1))}
            ),
            "view": HeldViewQuerySchema,
        }
        self.loaders: dict[str, Schema] = {f"held-{call}": schema() for call, schema in made.items()}


def _schema(prefix: str, base: type[Schema], declared: dict[str, Any]) -> type[Schema]:
    return type(f"{prefix}{base.__name__}", (base,), {**declared, "__doc__": base.__doc__})


class _Shown(Schema):
    """What the seat of the key may know of the new state, which is in the `token`; `digest`, what a record of a game
    that is over ends with."""

    token = Text(required=True)
    chance = Within(PromisedSchema, required=True)
    view = Keyed(required=True)
    events = Items(Within(EventSchema), required=True)
    played = Items(Within(PlayedSchema), required=True)
    decisions = Items(Within(SessionDecisionSchema), required=True)
    outcome = Within(FinalOutcomeSchema, required=True, allow_none=True)
    digest = Text()


class HeldLegalSchema(_Shown):
    """The action is legal: the token of the new state, and what the seat sees of it and saw happen; of a game that is
    over also the seed, in `chance`, and the `digest` that a record of it ends with."""

    verdict = Choice(["legal"], required=True)
    judgement_id = Text(required=True)
    ruleset = Text(required=True)
    checks = Items(Within(CheckSchema))
    explained = Items(Within(ExplainedSchema))


class HeldIllegalSchema(IllegalSchema):
    """The action is illegal: every clause that it breaks; `at`: which action of a line of play."""

    violations = Items(Within(SessionViolationSchema), required=True, validate=Length(1))


class HeldJudgementSchema(OneOf):
    """The judgement of an action on a state that is in a token."""

    type_field = "verdict"
    type_schemas = {"legal": HeldLegalSchema(), "illegal": HeldIllegalSchema()}


class SeatKeysSchema(Schema):
    """The keys of a game, which are told this once: give each player his own. `dealer` is there where people draw."""

    seats = Keyed(values=Text(), required=True)
    spectator = Text(required=True)
    dealer = Text()


class HeldStartedSchema(_Shown):
    """A game before its first decision as a spectator sees it, the token that holds it, and its keys."""

    ruleset = Text(required=True)
    keys = Within(SeatKeysSchema, required=True)


class HeldViewSchema(Schema):
    """The promise of the draws (with the seed, when the game is over), the view, and who must decide."""

    chance = Within(PromisedSchema, required=True)
    view = Keyed(required=True)
    decisions = Items(Within(SessionDecisionSchema), required=True)


class HeldOptionsSchema(Schema):
    """Who must decide, and the options of the seat; not `complete` where `limit` cut them."""

    decisions = Items(Within(SessionDecisionSchema), required=True)
    options = Items(Within(OptionSchema), required=True)
    complete = Bool(required=True)
