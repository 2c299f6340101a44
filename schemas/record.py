"""Records: a set-up (or a state) and the actions that followed, and what came of judging them again."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

import marshmallow as ma

from schemas.adjudication import FinalOutcomeSchema, PlayedSchema, RevealedSchema, ViolationSchema
from schemas.base import Anything, Bool, Choice, Int, Items, Keyed, OneOf, Schema, Text, Within, whole
from schemas.checks import Length, Range
from schemas.faults import Fault
from service.engine.action import ChanceAction
from service.engine.deck import MOST_COUNT
from service.engine.ruleset import Ruleset

SCHEMAS = (1,)  # of records, the last one is written
MOST_PLIES = 10_000
MOST_CHANGES = 20  # of one version; there are as many seats at most
MOST_DRAWS = 50 * MOST_PLIES  # those that were taken back too; a version has no more on the average
LOGGED = ("open", "act", "undo", "rewind", "seats")


PAIR = {
    "type": "array",
    "prefixItems": [
        {"type": ["string", "integer", "boolean"]},
        {"type": "integer", "minimum": 0, "maximum": MOST_COUNT},
    ],
    "items": {"type": ["string", "integer", "boolean"]},
    "minItems": 2,
    "maxItems": 2,
}


class Weighted(Anything):
    """`[value, weight]`: what can come up, and how often it is there. `json`: its JSON Schema."""

    json = PAIR

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, list) and len(value) == 2:
            what, weight = map(whole, value)
            if type(what) in (str, int, bool) and type(weight) is int and 0 <= weight <= MOST_COUNT:
                return [what, weight]
        raise ma.ValidationError([Fault("weighted")])


class OddsSchema(Schema):
    """What could come up at a draw: all of it (`of`), or what is another than at an earlier one (`like`, its place in
    the list; `but`). Pairs `[value, weight]` in the order of the values; in `but` weight 0 is what cannot come up."""

    of = Items(Weighted(), validate=Length(1, 1_000))
    like = Int(validate=Range(0, MOST_DRAWS))
    but = Items(Weighted(), validate=Length(0, 1_000))

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def one(self, data: Mapping[str, Any], original: Any, **kwargs: Any) -> None:
        """Either `of`, or `like` and `but`."""
        if isinstance(original, Mapping) and original.keys() not in ({"of"}, {"like", "but"}):
            raise ma.ValidationError([Fault("odds")])


class ByWhomSchema(Schema):
    """Who did it: a seat, or a role at the session."""

    seat = Text()
    role = Text()


class LoggedSchema(Schema):
    """A version of a session: what was done, by whom, back `to` which version, or the `actions` that were played.

    `changes`: what has become of seats, which leaves the table as it is.
    """

    version = Int(required=True, validate=Range(1, MOST_COUNT))
    kind = Choice(LOGGED, required=True)
    by = Within(ByWhomSchema)
    to = Int(validate=Range(1, MOST_COUNT))
    actions = Items(Within(PlayedSchema), validate=Length(max=MOST_PLIES))
    changes = Items(Keyed(), validate=Length(max=MOST_CHANGES))


class RecordSchema(Schema):
    """The line of play that stands, from its set-up, state or (as seen by the bearer) start.

    Whole (`complete`) for the host once the game is over: `actions` from `setup` or `state` lead to `digest`; an
    answer of chance that the service drew has the number of its draw (`draw`). `chance` reveals the seed, `odds` tell
    what could come up at every draw, and `log` has all that was ever done. `POST …/verifications` judges it again.
    """

    schema = Choice(SCHEMAS, required=True)
    game = Text(required=True)
    ruleset = Text(required=True)
    setup = Keyed()
    state = Keyed()
    start = Keyed()
    actions = Items(Within(PlayedSchema), required=True)
    complete = Bool(required=True)
    digest = Text()
    chance = Within(RevealedSchema)
    odds = Items(Within(OddsSchema))
    log = Items(Within(LoggedSchema))


class PostedRecordSchema(Schema):
    """A record to judge again: `actions`, from a `setup` or a `state`; the rest is looked at where it is there."""

    schema = Choice(SCHEMAS)
    complete = Bool(validate=lambda value: _whole(value))
    digest = Text(validate=Length(max=200))
    chance = Within(RevealedSchema)
    odds = Items(Within(OddsSchema), validate=Length(max=MOST_DRAWS))

    @ma.validates_schema(pass_original=True, skip_on_field_errors=False)
    def one_start(self, data: Mapping[str, Any], original: Any, **kwargs: Any) -> None:
        """Either `setup` or `state`, whatever else is wrong."""
        if isinstance(original, Mapping) and ("setup" in original) == ("state" in original):
            raise ma.ValidationError([Fault("one-start")])


def _whole(value: bool) -> bool:
    """What a seat gets of a record is not enough to judge it again."""
    if not value:
        raise ma.ValidationError([Fault("partial-record")])
    return value


class VerificationSchema(Schema):
    """Judge a whole game again."""


def verification_schema(
    prefix: str, rules: Ruleset, setup: type[Schema], state: Any, action: type[OneOf]
) -> type[Schema]:
    """The request of one ruleset."""
    recorded, few = _recorded(prefix, rules, action), Length(max=MOST_PLIES)
    logged = {"actions": Items(Within(recorded), validate=few), "__doc__": LoggedSchema.__doc__}
    version = type(f"{prefix}LoggedSchema", (LoggedSchema,), logged)
    declared = {
        "game": Choice([rules.game], required=True),
        "ruleset": Choice([rules.version], required=True),
        "setup": Within(setup),
        "state": state,
        "actions": Items(Within(recorded), required=True, validate=few),
        "log": Items(Within(version), validate=few),
        "__doc__": PostedRecordSchema.__doc__,
    }
    record = type(f"{prefix}PostedRecordSchema", (PostedRecordSchema,), declared)
    asked = {"record": Within(record, required=True), "__doc__": VerificationSchema.__doc__}
    return type(f"{prefix}VerificationSchema", (VerificationSchema,), asked)


def _recorded(prefix: str, rules: Ruleset, action: type[OneOf]) -> type[OneOf]:
    """The schema of actions as records have them: answers of chance may have the number of their draw, and lack what
    came up, where nobody has seen it."""
    schemas = dict(action.type_schemas)
    for kind, classes in rules.kinds.items():
        if all(issubclass(cls, ChanceAction) for cls in classes):
            plain = type(schemas[kind])
            names = {name for cls in classes for name in cls.params}
            unseen = {name: _optional(plain, name) for name in names}
            declared = {**unseen, "draw": Int(validate=Range(0, MOST_COUNT)), "__doc__": plain.__doc__}
            schemas[kind] = type(
                f"{plain.__name__.removesuffix('Schema')}RecordedSchema", (plain,), declared
            )()
    name = f"{prefix}RecordedActionSchema"
    return type(name, (OneOf,), {"type_field": "kind", "type_schemas": schemas})


def _optional(schema: type[ma.Schema], name: str) -> Any:
    """A field of a schema that may be left out."""
    field = copy(schema._declared_fields[name])
    field.required = False
    return field


class DifferenceSchema(Schema):
    """Why the draws are not those of the seed; `at`: at which action, where it is one; `pointer`: of a `log`, where in
    the record (a JSON Pointer).

    `promise`: the seed is not the one that was promised; `number`: numbers of draws do not go up one by one, or some
    that were drawn are missing; `value`: the draw brings something else; `odds`: something else could come up; `log`:
    it does not lead to the actions, does not account for every draw, or tells what no session allows.
    """

    why = Choice(["promise", "number", "value", "odds", "log"], required=True)
    at = Int()
    pointer = Text()
    message = Text(required=True)


class VerifiedSchema(Schema):
    """What came of judging a record again: valid, or the first bad action (`at`) with what it breaks.

    `digest` and `outcome` are of the last state that was reached. `draws`: whether what came up is what the revealed
    seed says; unknown where no seed is revealed (or one without the promise that it keeps), or people drew.
    """

    verdict = Choice(["valid", "invalid"], required=True)
    ruleset = Text(required=True)
    reason = Choice(["illegal-action", "wrong-digest", "not-over"])
    message = Text()
    at = Int()
    violations = Items(Within(ViolationSchema))
    outcome = Within(FinalOutcomeSchema, required=True, allow_none=True)
    digest = Text(required=True)
    draws = Choice(["match", "differ", "unknown"], required=True)
    difference = Within(DifferenceSchema)
    odds = Items(Within(OddsSchema))
