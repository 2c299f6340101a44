"""Manners of every answer: an id that goes with the request."""

import re
import uuid

from flask import Flask, Response, g, request

HEADER = "X-Request-Id"
SANE = re.compile(r"[A-Za-z0-9._:-]{1,100}")


def init_app(app: Flask) -> None:
    """Give every request an id, and tell it in the answer."""
    app.before_request(_name_request)
    app.after_request(_tell_name)


def _name_request() -> None:
    given = request.headers.get(HEADER, "")
    g.request_id = given if SANE.fullmatch(given) else uuid.uuid4().hex


def _tell_name(response: Response) -> Response:
    response.headers[HEADER] = g.get("request_id") or uuid.uuid4().hex
    return response
