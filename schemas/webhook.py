"""Webhooks of a session: where messages go, and how that went."""

from __future__ import annotations

from schemas.base import Choice, Int, Schema, Text, Within
from schemas.checks import Length, Pattern

LONGEST = 2000  # characters of an URL
PRINTED = r"^[!-\[\]-~]+(?!\n)$"  # ASCII, without blank and backslash
STATES = ("new", "ok", "retrying", "failing")


class WebhookRequestSchema(Schema):
    """Where messages are to go: `https`, a name or address of the public internet, port 443, no user, no fragment."""

    url = Text(required=True, validate=[Length(1, LONGEST), Pattern(PRINTED)], metadata={"format": "uri"})


class LastMessageSchema(Schema):
    """How the last message went: the status of the answer, or why there was none; `at` in UTC."""

    result = Text(required=True)
    at = Text(required=True, metadata={"format": "date-time"})


class WebhookSchema(Schema):
    """The bearer's webhook; `seat` is null where it is a role's.

    `state`: `new` (nothing was sent yet), `ok` (the last message arrived), `retrying` (the last `tries` have failed),
    or `failing` (one was given up, and each new one is tried once). After a failure none goes before `next_at`.
    """

    url = Text(required=True)
    seat = Text(required=True, allow_none=True)
    state = Choice(STATES, required=True)
    tries = Int(required=True)
    last = Within(LastMessageSchema)
    next_at = Text(metadata={"format": "date-time"})


class NewWebhookSchema(WebhookSchema):
    """A new webhook, and the secret that its messages are signed with, which is told this once."""

    secret = Text(required=True)
