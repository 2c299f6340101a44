"""How the service is."""

from __future__ import annotations

from schemas.base import Choice, Schema


class LiveSchema(Schema):
    """The worker answers."""

    status = Choice(["ok"], required=True)


class ReadySchema(LiveSchema):
    """Everything that the worker needs can be reached."""

    store = Choice(["ok"], required=True)
