"""Manners of every answer: what is done to it on its way out, in this order, and the id of its request."""

import os
import re
from secrets import token_hex

from flask import Flask, Request, Response

from service.http import caching, cors, limits, logs, metrics, packing, security
from service.http.headers import add
from service.http.lean import asked as asked_now
from service.http.lean import noted

HEADER = "X-Request-Id"
GIVEN = "HTTP_X_REQUEST_ID"
AT_A_TIME = 64
_DRAWN: list[str] = []
os.register_at_fork(after_in_child=_DRAWN.clear)  # or two processes would go on with the same
SANE = re.compile(r"[A-Za-z0-9._:-]{1,100}")


def tell_name(response: Response, asked: Request) -> Response:
    """Tell the id of the request."""
    add(response, (HEADER, noted().get("request_id") or fresh_id()))
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


# Under these addresses what comes of a POST is nothing that anybody keeps.
GAMES = "/v1/games/"
KEEPING = (caching.keep_documents, caching.keep_private, caching.tag)
FROM_GAMES = tuple(step for step in ON_THE_WAY_OUT if step not in KEEPING)


def init_app(app: Flask) -> None:
    """Give every request an id, and every answer its manners."""
    app.before_request(_name_request)
    app.after_request(_see_off)


def _see_off(response: Response) -> Response:
    asked = asked_now()  # itself, so that no step looks for it anew
    of_a_game = asked.method == "POST" and asked.path.startswith(GAMES)
    for step in FROM_GAMES if of_a_game else ON_THE_WAY_OUT:
        response = step(response, asked)
    return response


def _name_request() -> None:
    given = asked_now().environ.get(GIVEN, "")
    noted()["request_id"] = given if given and SANE.fullmatch(given) else fresh_id()


def fresh_id() -> str:
    """An id that no other request has: drawn many at a time, since each drawing lets other threads take over."""
    try:
        return _DRAWN.pop()
    except IndexError:
        text = token_hex(16 * AT_A_TIME)
        first, *others = [text[at : at + 32] for at in range(0, len(text), 32)]
        _DRAWN.extend(others)
        return first
