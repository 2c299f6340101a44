"""Answers: encoded by msgspec, in a language, and only where the client accepts JSON."""

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

import msgspec
from flask import Response
from werkzeug.datastructures import Headers

from service.http.headers import BY_LANGUAGE, names, vary
from service.http.lean import asked as asked_now
from service.http.locale import language
from service.http.problems import Problem

JSON = "application/json"
PLACES = frozenset(("location", "content-location"))  # are made whole on the way out
_ENCODER = msgspec.json.Encoder(order="deterministic")


class Answer(Response):
    """An answer whose bytes are all there."""

    @classmethod
    def of(cls, body: bytes, status: int, mimetype: str, spoken: str) -> "Answer":
        """What `Answer(body, status, mimetype=mimetype)` makes of a type without a charset, with its language."""
        made = cls.__new__(cls)
        made.headers = Headers()
        made.headers._list = [
            ("Content-Type", mimetype),
            ("Content-Length", str(len(body))),
            ("Content-Language", spoken),
            BY_LANGUAGE,
        ]
        made._status, made._status_code = _line(status)
        made.response, made.direct_passthrough, made._on_close = [body], False, []
        return made

    def __call__(self, environ: Any, start_response: Any) -> Any:
        """Send it. To a POST it goes as it stands, where it names no place: its length is told already."""
        plain = self._status_code in (200, 201) and environ["REQUEST_METHOD"] == "POST"
        if (
            not plain
            or (self._status_code == 201 and not PLACES.isdisjoint(names(self)))
            or not isinstance(self.response, list)
        ):
            return super().__call__(environ, start_response)
        start_response(self._status, self.headers._list.copy())
        return self.response


@cache
def _line(status: int) -> tuple[str, int]:
    """What werkzeug makes of a status."""
    plain = Response(status=status)
    return plain.status, plain.status_code


def answer(value: Mapping[str, Any], status: int = 200, mimetype: str = JSON) -> Response:
    """A JSON answer; equal values are equal bytes."""
    return Answer.of(encoded(value), status, mimetype, language())


def encoded(value: Mapping[str, Any]) -> bytes:
    """The bytes of an answer; its members in their order, what is in them in that of its names."""
    return _ENCODER.encode(_shape(tuple(value))(*value.values()))


@lru_cache(maxsize=512)
def _shape(names: tuple[str, ...]) -> type[msgspec.Struct]:
    """An object with these members, which the encoder leaves in their order; answers have few kinds."""
    fields = [f"m{n}" for n in range(len(names))]
    return msgspec.defstruct("Members", fields, rename=dict(zip(fields, names, strict=True)))


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
    asked = asked_now()
    accept = asked.environ.get("HTTP_ACCEPT")
    if accept and accept != "*/*" and not asked.accept_mimetypes.quality(offered):
        raise Problem("not-acceptable", offered=offered)
