"""Answers: encoded by msgspec, in a language, and only where the client accepts JSON."""

from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Response
from flask.globals import request_ctx

from service.http.headers import add, vary
from service.http.locale import language
from service.http.problems import Problem

JSON = "application/json"
_ENCODER = msgspec.json.Encoder(order="deterministic")


class Answer(Response):
    """An answer whose bytes are all there."""

    def __call__(self, environ: Any, start_response: Any) -> Any:
        """Send it. A 200 to a POST goes as it stands: it names no place, and its length is told already."""
        if self.status_code != 200 or environ["REQUEST_METHOD"] != "POST" or not self.is_sequence:
            return super().__call__(environ, start_response)
        start_response(self.status, list(self.headers))
        return self.response


def answer(value: Mapping[str, Any], status: int = 200, mimetype: str = JSON) -> Response:
    """A JSON answer; equal values are equal bytes."""
    made = Answer(encoded(value), status, mimetype=mimetype)
    add(made, ("Content-Language", language()), ("Vary", "Accept-Language"))
    return made


def encoded(value: Mapping[str, Any]) -> bytes:
    """The bytes of an answer; its members in their order, what is in them in that of its names."""
    members = {name: msgspec.Raw(_ENCODER.encode(member)) for name, member in value.items()}
    return msgspec.json.encode(members)


def spoken(response: Response) -> Response:
    """Say which language the answer is in."""
    response.headers["Content-Language"] = language()
    vary(response, "Accept-Language")
    return response


def whole(response: Response) -> bytes:
    """The body of an answer; where it is a file, that is read and closed."""
    file = response.response if response.direct_passthrough else None
    response.direct_passthrough = False
    body = response.get_data()
    if file is not None:
        response.set_data(body)
        file.close()  # type: ignore[union-attr]
    return body


def demand_acceptable(offered: str = JSON) -> None:
    """Refuse the request if the client accepts nothing that we have."""
    asked = request_ctx.request
    accept = asked.environ.get("HTTP_ACCEPT")
    if accept and accept != "*/*" and not asked.accept_mimetypes.quality(offered):
        raise Problem("not-acceptable", offered=offered)
