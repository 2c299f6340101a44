"""Preconditions: which version a request is made for, and whether the client has an answer already."""

import hashlib
import re
from functools import lru_cache

from flask import Response

from service.http.lean import asked
from service.http.locale import language
from service.http.problems import Problem
from service.sessions.visit import Visit

TAG = re.compile(r'(W/)?"([^"]*)"')
TAGS = re.compile(r'[\s,]*(?:W/)?"[^"]*"(?:\s*,[\s,]*(?:W/)?"[^"]*")*[\s,]*')
VERSION = re.compile(r"([0-9]{1,15})(?:-[0-9a-f]+)?(?:-gzip)?")
PACKED = "-gzip"  # what `caching.tag` adds to the tag of a packed answer


def etag(visit: Visit) -> str:
    """The strong tag of what a bearer sees, with its quotes: another one by version, seat and language, by no more."""
    return f'"{visit.version}-{_told_to(visit.bearer.name, language())}"'


@lru_cache(maxsize=1024)
def _told_to(bearer: str, spoken: str) -> str:
    return hashlib.sha256(f"{bearer}\n{spoken}".encode()).hexdigest()[:16]


def wanted_versions() -> tuple[int, ...]:
    """The versions that `If-Match` names, by tags or by numbers alone; the request is made for any of them.

    Raises Problem where it is missing or names none. A tag that is weak or not of ours is of no version.
    """
    given = asked().environ.get("HTTP_IF_MATCH", "").strip()
    if not given:
        raise Problem("version-missing")
    if not TAGS.fullmatch(given):
        raise Problem("version-unnamed")
    found = [VERSION.fullmatch(tag) for weak, tag in TAG.findall(given) if not weak]
    return tuple(sorted({int(each[1]) for each in found if each}))


def asks_for_news() -> bool:
    """Whether the client has something already."""
    return "HTTP_IF_NONE_MATCH" in asked().environ


def has_it(tag: str) -> bool:
    """Whether the client has what the tag names, packed or not; `*` names whatever there is."""
    given = asked().environ.get("HTTP_IF_NONE_MATCH", "")
    if given.strip() == "*":
        return True
    return tag.strip('"') in [opaque.removesuffix(PACKED) for _, opaque in TAG.findall(given)]


def not_modified(tag: str) -> Response:
    """Nothing has changed."""
    return Response(status=304, headers=[("ETag", tag)])
