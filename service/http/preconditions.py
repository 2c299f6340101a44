"""Preconditions: which version a request is made for, and whether the client has an answer already."""

import hashlib
import re

from flask import Response, request

from service.http.locale import language
from service.http.problems import Problem
from service.sessions.visit import Visit

TAG = re.compile(r'(?:W/)?"([^"]*)"')
VERSION = re.compile(r'"([0-9]{1,15})(?:-[0-9a-f]+)?(?:-gzip)?"')
PACKED = "-gzip"  # what `caching.tag` adds to the tag of a packed answer


def etag(visit: Visit) -> str:
    """The strong tag of what a bearer sees, with its quotes: another one by version, seat, language, end of life."""
    about = f"{visit.bearer.name}\n{language()}\n{visit.expires}"
    return f'"{visit.version}-{hashlib.sha256(about.encode()).hexdigest()[:16]}"'


def wanted_version() -> int:
    """The version that `If-Match` names: by a tag, or by the number alone. Raises Problem where it is missing.

    What is no version of ours is a version that no session ever has.
    """
    given = request.headers.get("If-Match", "").strip()
    if not given or given == "*":
        raise Problem("version-missing")
    found = VERSION.fullmatch(given)
    return int(found[1]) if found else -1


def asks_for_news() -> bool:
    """Whether the client has something already."""
    return "If-None-Match" in request.headers


def has_it(tag: str) -> bool:
    """Whether the client has what the tag names, packed or not."""
    given = TAG.findall(request.headers.get("If-None-Match", ""))
    return tag.strip('"') in [g.removesuffix(PACKED) for g in given]


def not_modified(tag: str) -> Response:
    """Nothing has changed."""
    return Response(status=304, headers=[("ETag", tag)])
