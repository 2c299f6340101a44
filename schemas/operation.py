"""How the service is."""

from __future__ import annotations

from schemas.base import Choice, Items, Schema

PARTS = ("process", "store", "time", "streams", "games", "keys")  # that may be missing


class LiveSchema(Schema):
    """The worker answers."""

    status = Choice(["ok"], required=True)


class ReadySchema(LiveSchema):
    """Everything that was looked at is there."""

    checked = Items(Choice(PARTS), required=True)
