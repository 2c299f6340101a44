"""What is told outside of requests, in the stream process, by the same code that answers them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Outside:
    """What an answer takes from its request beside the bearer: the language, and where streams are.

    `request_id`: the request that it is told to, where there is one.
    """

    language: str
    streams: str
    request_id: str | None = field(default=None, compare=False)


_NOW: ContextVar[Outside | None] = ContextVar("outside", default=None)
outside = _NOW.get  # what holds here; None inside a request


@contextmanager
def telling(how: Outside) -> Iterator[None]:
    """Inside, whatever is told is told so; there need be no request."""
    token = _NOW.set(how)
    try:
        yield
    finally:
        _NOW.reset(token)
