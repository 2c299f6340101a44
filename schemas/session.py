"""Sessions: opening one, acting in it, and what its bearers are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from schemas.adjudication import (
    REASONS,
    DecisionSchema,
    EventSchema,
    FinalOutcomeSchema,
    OptionSchema,
    Posted,
    ViolationSchema,
)
from schemas.base import Bool, Choice, Int, Items, Keyed, Open, Schema, Text, Within
from schemas.checks import Range
from schemas.problem import ProblemDetailsSchema
from service.engine.ruleset import Ruleset

LEAST_TTL, MOST_TTL = 60, 366 * 24 * 3600  # seconds


def _ttl() -> Int:
    return Int(validate=Range(LEAST_TTL, MOST_TTL))


class OpeningSchema(Schema):
    """Open a session with a new game; `ttl`: seconds that it lives on unused."""


def opening_schema(prefix: str, rules: Ruleset, wish: Mapping[str, Any]) -> type[Schema]:
    """The request of one ruleset: what a set-up may wish for, and the game's name."""
    own = {"game": Choice([rules.game], required=True), "ttl": _ttl(), "__doc__": OpeningSchema.__doc__}
    return type(f"{prefix}OpeningSchema", (OpeningSchema,), {**wish, **own})


class ResumedSchema(Posted):
    """Open a session with a game that stands already; `ttl`: seconds that it lives on unused."""


def resumed_schema(prefix: str, rules: Ruleset, state: Any) -> type[Schema]:
    """The request of one ruleset."""
    declared = {
        "game": Choice([rules.game], required=True),
        "state": state,
        "ttl": _ttl(),
        "__doc__": ResumedSchema.__doc__,
    }
    return type(f"{prefix}ResumedSchema", (ResumedSchema,), declared)


class MoveSchema(Schema):
    """Act in a session."""


def move_schema(prefix: str, action: type[Schema]) -> type[Schema]:
    """The request of one ruleset."""
    declared = {"action": Within(action, required=True), "__doc__": MoveSchema.__doc__}
    return type(f"{prefix}MoveSchema", (MoveSchema,), declared)


class UndoSchema(Schema):
    """Take back the last action: nothing needs to be said; no body at all is fine too."""


class RewindSchema(Schema):
    """Go back to a version."""

    to = Int(required=True, validate=Range(1, 1_000_000_000))


class PromisedSchema(Schema):
    """Who answers for chance. Where the service draws: `promise`, the SHA-256 of the commitment to the seed; when the
    game is over, all that its record tells of it, with the `seed` itself, in hexadecimal digits."""

    mode = Choice(["seeded", "given"], required=True)
    fair = Bool(required=True)
    client_seed = Text()
    promise = Text()
    game_id = Text()
    key_id = Text()
    commitment = Text()
    next_draw = Int()
    seed = Text()


class SessionFactsSchema(Schema):
    """A session: its version, whether its game was issued here from the set-up on (`provenance`), its chance, and
    where its calls are.

    `expires_at` (UTC), when it ends if nobody uses it, is told to who opens it or acts; `Sunset` tells it else.
    """

    id = Text(required=True)
    version = Int(required=True)
    provenance = Choice(["issued", "foreign"], required=True)
    chance = Within(PromisedSchema, required=True)
    expires_at = Text(metadata={"format": "date-time"})
    links = Keyed(values=Text(), required=True)


class AnsweredBySchema(Schema):
    """Whose tokens may answer for chance."""

    seats = Items(Text())
    roles = Items(Choice(["host", "dealer"]))


class SessionDecisionSchema(DecisionSchema):
    """Who must (or may) decide; for given chance, who may answer."""

    answered_by = Within(AnsweredBySchema)


class TableSchema(Schema):
    """What the bearer may know of the table, and who must decide; `outcome` when the game is over."""

    session = Within(SessionFactsSchema, required=True)
    view = Keyed(required=True)
    decisions = Items(Within(SessionDecisionSchema), required=True)
    outcome = Within(FinalOutcomeSchema, required=True, allow_none=True)


class MovedSchema(TableSchema):
    """The new version, and what the bearer saw happen."""

    events = Items(Within(EventSchema), required=True)


class TokensSchema(Schema):
    """The secret tokens, which are told this once: give each player his own."""

    seats = Keyed(values=Text(), required=True)
    host = Text(required=True)
    dealer = Text(required=True)
    spectator = Text(required=True)


class OpenedSchema(TableSchema):
    """A new session as a spectator sees it, with its tokens."""

    tokens = Within(TokensSchema, required=True)


class SessionOptionsSchema(Schema):
    """The bearer's options now; not `complete` where `limit` cut them, or a family was left out untried."""

    session = Within(SessionFactsSchema, required=True)
    decisions = Items(Within(SessionDecisionSchema), required=True)
    options = Items(Within(OptionSchema), required=True)
    complete = Bool(required=True)


class SessionEventSchema(Open):
    """An event as the bearer saw it, with its version; `undo` and `rewind` say `to` which version and `by` whom:
    `{"seat": "ann"}` or `{"role": "host"}`, for a seat may be called as a role is."""

    version = Int(required=True)
    kind = Text(required=True)
    text = Text(required=True)
    because = Text()


class EventsSchema(Schema):
    """A part of the log; go on after `version`, at once where it is not `complete`."""

    events = Items(Within(SessionEventSchema), required=True)
    version = Int(required=True)
    complete = Bool(required=True)


class StreamMessageSchema(Schema):
    """What the `data` of one message of a stream is: a version (its `id`) with the `events` that the bearer saw. Where
    it was the last version when it was sent, it has the table beside, as `GET` on the session tells it. A message of
    the type `end` is the last one and says `why`: `game-over`, `session-over` or `token-void`."""

    version = Int(required=True)
    events = Items(Within(SessionEventSchema), required=True)
    session = Within(SessionFactsSchema)
    view = Keyed()
    decisions = Items(Within(SessionDecisionSchema))
    outcome = Within(FinalOutcomeSchema, allow_none=True)
    why = Choice(["game-over", "session-over", "token-void"])


class TicketSchema(Schema):
    """A ticket that is good once, within `expires_in` seconds; `stream`: the address of the stream with it."""

    ticket = Text(required=True)
    expires_in = Int(required=True)
    stream = Text(required=True, metadata={"format": "uri"})


class SessionViolationSchema(ViolationSchema):
    """One reason for a refusal; `card-elsewhere`: what came up lies where the bearer does not see it."""

    reason = Choice([*REASONS, "card-elsewhere"], required=True)


class RefusedActionSchema(ProblemDetailsSchema):
    """An action that the rules refuse, and every clause that it breaks."""

    violations = Items(Within(SessionViolationSchema))
