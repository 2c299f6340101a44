"""Idempotency: the same request, sent again under its key, gets the first answer again."""

import hashlib
import re
from collections.abc import Sequence

import msgspec
from flask import Response, request

from service.http.answers import JSON, Answer
from service.http.lean import asked
from service.http.problems import Problem

KEY = re.compile(r"[\x21-\x7e]{1,255}")


class KeptAnswer(msgspec.Struct, array_like=True):
    """An answer as it is kept."""

    tag: str
    language: str
    body: bytes


def key() -> str | None:
    """The idempotency key of the request, if it has one. Raises Problem for what can be none."""
    given = asked().environ.get("HTTP_IDEMPOTENCY_KEY")
    if given is not None and not KEY.fullmatch(given):
        raise Problem("bad-idempotency-key")
    return given


def digest(versions: Sequence[int], body: bytes) -> bytes:
    """What makes two requests the same: address, versions that they are made for, and body."""
    head = f"{request.path}\n{','.join(map(str, versions))}\n"
    return hashlib.sha256(head.encode() + body).digest()


def kept(answer: KeptAnswer) -> bytes:
    """An answer to keep."""
    return msgspec.msgpack.encode(answer)


def answered(answer: bytes, status: int = 201) -> Response:
    """The answer to a request that made a version, now or when it came first."""
    first = msgspec.msgpack.decode(answer, type=KeptAnswer)
    made = Answer.of(first.body, status, JSON, first.language)
    made.headers._list[2:] = [("ETag", first.tag), ("Content-Language", first.language)]
    return made
