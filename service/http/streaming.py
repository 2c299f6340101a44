"""Where the streams are: another process, at an address of its own, or behind the same proxy."""

from __future__ import annotations

import re
from urllib.parse import urlencode

from flask import Response, request

from service.config import Settings
from service.http.context import context
from service.http.outside import outside
from service.http.problems import Problem

MIMETYPE = "text/event-stream"
JSON = "application/json"
HOST = re.compile(r"([A-Za-z0-9_.-]{1,255}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")


def base() -> str | None:
    """What the addresses of streams begin with, as this client reaches them; None where there are none."""
    told = outside()
    if told is not None:
        return told.streams
    return base_for(context().settings, request.scheme, request.headers.get("Host", ""))


def base_for(settings: Settings, scheme: str, host: str) -> str | None:
    """The same by the host that a request names: that of the setting, else the other port of the same host."""
    if settings.stream_url:
        return settings.stream_url
    if not settings.streaming:
        return None
    found = HOST.fullmatch(host)
    name = found[1] if found else f"[{settings.bind}]" if ":" in settings.bind else settings.bind
    return f"{scheme}://{name}:{settings.stream_port}"


def address(session: str, **query: str | int) -> str | None:
    """Where the stream of a session is."""
    at = base()
    asked = f"?{urlencode(query)}" if query else ""
    return None if at is None else f"{at}/v1/sessions/{session}/stream{asked}"


def wanted() -> bool:
    """Whether the client asks for a stream rather than for JSON, and there are streams."""
    accept = request.headers.get("Accept", "")
    if MIMETYPE not in accept.lower() or base() is None:
        return False
    accepted = request.accept_mimetypes
    return bool(accepted.quality(MIMETYPE) > accepted.quality(JSON))


def elsewhere(session: str, **query: str | int) -> Response:
    """Send the client there. With a ticket, for few clients take their token along to another address."""
    found = address(session, **query)
    assert found is not None
    return Response(status=307, headers={"Location": found})


def demand_streams() -> None:
    """Raises Problem where there are no streams."""
    if base() is None:
        raise Problem("no-streams")
