"""Manners of every answer: what is done to it on its way out, in this order, and the id of its request."""

import re
from secrets import token_hex

from flask import Flask, Request, Response, g
from flask.globals import request_ctx

from service.http import caching, cors, limits, logs, metrics, packing, security

HEADER = "X-Request-Id"
GIVEN = "HTTP_X_REQUEST_ID"
SANE = re.compile(r"[A-Za-z0-9._:-]{1,100}")


def tell_name(response: Response, asked: Request) -> Response:
    """Tell the id of the request."""
    response.headers[HEADER] = g.get("request_id") or token_hex(16)
    return response


ON_THE_WAY_OUT = (
    caching.keep_documents,
    caching.keep_private,
    security.secure,
    packing.pack,
    caching.tag,
    cors.allow,
    limits.settle,
    tell_name,
    metrics.measure,
    logs.tell,
)


def init_app(app: Flask) -> None:
    """Give every request an id, and every answer its manners."""
    app.before_request(_name_request)
    app.after_request(_see_off)


def _see_off(response: Response) -> Response:
    asked = request_ctx.request  # itself, so that no step looks for it anew
    for step in ON_THE_WAY_OUT:
        response = step(response, asked)
    return response


def _name_request() -> None:
    given = request_ctx.request.environ.get(GIVEN, "")
    g.request_id = given if given and SANE.fullmatch(given) else token_hex(16)
