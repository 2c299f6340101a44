"""Sessions: opening one, acting in it, and what its bearers are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import marshmallow as ma

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
from schemas.checks import Length, Pattern, Range
from schemas.faults import Fault
from schemas.problem import ProblemDetailsSchema
from service.engine.ruleset import Ruleset
from service.engine.state import NAME

PER, ON_TIMEOUT = ("turn", "bank"), ("nothing", "automate", "end")
MOST_INCREMENT = 24 * 3600  # seconds
LEAST_TTL, MOST_TTL = 60, 366 * 24 * 3600  # seconds


def _wishes() -> dict[str, Any]:
    """What both ways to open a session may ask for."""
    return {
        "ttl": Int(validate=Range(LEAST_TTL, MOST_TTL)),
        "invitations": Bool(),
        "clock": Within(ClockWishSchema),
    }


class ClockWishSchema(Schema):
    """How long seats may think, in seconds: `per` turn, or each out of a `bank` of its own, to which the `increment`
    comes whenever others are asked; and what happens when the time is up."""

    per = Choice(PER, required=True)
    seconds = Int(required=True, validate=Range(1, MOST_TTL))
    increment = Int(validate=Range(0, MOST_INCREMENT))
    on_timeout = Choice(ON_TIMEOUT)

    @ma.validates_schema
    def banked(self, data: Mapping[str, Any], **kwargs: Any) -> None:
        """Only a bank has an increment."""
        if data.get("increment") and data.get("per") == "turn":
            raise ma.ValidationError({"increment": [Fault("increment")]})


class OpeningSchema(Schema):
    """Open a session with a new game; `ttl`: seconds that it lives on unused. With `invitations` nobody holds a seat
    yet: there is an invitation to each in place of a token. With a `clock`
    the time that they take is measured."""


def opening_schema(prefix: str, rules: Ruleset, wish: Mapping[str, Any]) -> type[Schema]:
    """The request of one ruleset: what a set-up may wish for, and the game's name."""
    own = {"game": Choice([rules.game], required=True), **_wishes(), "__doc__": OpeningSchema.__doc__}
    return type(f"{prefix}OpeningSchema", (OpeningSchema,), {**wish, **own})


class ResumedSchema(Posted):
    """Open a session with a game that stands already; `ttl`: seconds that it lives on unused. With `invitations` nobody
    holds a seat yet: there is an invitation to each in place of a token. With a `clock`
    the time that they take is measured."""


def resumed_schema(prefix: str, rules: Ruleset, state: Any) -> type[Schema]:
    """The request of one ruleset."""
    declared = {
        "game": Choice([rules.game], required=True),
        "state": state,
        **_wishes(),
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


def _name(**more: Any) -> Text:
    return Text(validate=[Length(max=200), Pattern(NAME, "name")], **more)


class RenamingSchema(Schema):
    """Call a seat by another name; an empty one: by its id."""

    name = _name(required=True)


class ClaimSchema(Schema):
    """Take a seat, under another name, where one is given; no body at all is fine too."""

    name = _name()


class SeatChangeSchema(Schema):
    """A change of a seat: nothing needs to be said; no body at all is fine too."""


class SitsSchema(Schema):
    """A seat: its name, whether somebody holds its token (it is vacant else), whether an invitation to it is open, and
    whether the prudent player acts for it."""

    name = Text(required=True)
    held = Bool(required=True)
    invited = Bool(required=True)
    automated = Bool(required=True)


class SeatClockSchema(Schema):
    """The time of a seat: its `deadline` (UTC) where it runs, else the milliseconds that are left; whether it is up."""

    deadline = Text(metadata={"format": "date-time"})
    left_ms = Int()
    timed_out = Bool(required=True)


class ClockSchema(Schema):
    """How long seats may think. It is the same as long as the version is: what runs down is told by its end."""

    per = Choice(PER, required=True)
    seconds = Int(required=True)
    increment = Int()
    on_timeout = Choice(ON_TIMEOUT, required=True)
    seats = Keyed(values=Within(SeatClockSchema), required=True)


class EndedSchema(Schema):
    """Why the session is over though the rules have not ended its game: the time of these seats was up (`time`), or it
    has as many versions as a record has room for (`length`, by no seat)."""

    because = Choice(["time", "length"], required=True)
    seats = Items(Text(), required=True)
    at = Text(required=True, metadata={"format": "date-time"})


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
    """A session: its version, whether its game was issued here from the set-up on (`provenance`), its chance, who sits
    where, and where its calls are.

    `expires_at` (UTC), when it ends if nobody uses it, is told to who opens it or acts; `Sunset` tells it else.
    """

    id = Text(required=True)
    version = Int(required=True)
    provenance = Choice(["issued", "foreign"], required=True)
    chance = Within(PromisedSchema, required=True)
    seats = Keyed(values=Within(SitsSchema), required=True)
    clock = Within(ClockSchema)
    ended = Within(EndedSchema)
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
    """The secret tokens, which are told this once: give each player his own. A seat to which there is an invitation
    has none yet."""

    seats = Keyed(values=Text(), required=True)
    host = Text(required=True)
    dealer = Text(required=True)
    spectator = Text(required=True)


class OpenedSchema(TableSchema):
    """A new session as a spectator sees it, with its tokens, and the invitations to seats that nobody holds yet, each
    of which is good once."""

    tokens = Within(TokensSchema, required=True)
    invitations = Keyed(values=Text())


class SeatsSchema(Schema):
    """The session, which tells who sits where."""

    session = Within(SessionFactsSchema, required=True)


class InvitedSchema(SeatsSchema):
    """An invitation, which is told this once and good once; the one before is good no more."""

    seat = Text(required=True)
    invitation = Text(required=True)


class ClaimedSchema(SeatsSchema):
    """The token of a seat, which is told this once; the one before is good no more."""

    seat = Text(required=True)
    token = Text(required=True)


class SessionOptionsSchema(Schema):
    """The bearer's options now; not `complete` where `limit` cut them, or a family was left out untried."""

    session = Within(SessionFactsSchema, required=True)
    decisions = Items(Within(SessionDecisionSchema), required=True)
    options = Items(Within(OptionSchema), required=True)
    complete = Bool(required=True)


class SessionEventSchema(Open):
    """An event as the bearer saw it, with its version; `undo` and `rewind` say `to` which version and `by` whom:
    `{"seat": "ann"}` or `{"role": "host"}`, for a seat may be called as a role is. What becomes of a seat
    (`seat-invited`, `seat-claimed` and so on) says which `seat`, and `by` whom."""

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
