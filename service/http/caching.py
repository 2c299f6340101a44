"""Caching: what changes only with a release may be kept, and is sent again only where it has changed."""

import hashlib

from flask import Request, Response

from service.http.answers import whole
from service.http.headers import BY_BEARER, add, names
from service.http.preconditions import PACKED

MAX_AGE = 300  # seconds
PRIVATE = "private, no-cache"  # for its bearer alone, who asks each time whether it is still so
SECRET = "private, no-store"
SESSIONS = "/v1/sessions"
DOCUMENTS = ("/docs", "/openapi.yaml")


def keep(response: Response) -> Response:
    """Let caches keep an answer for a while."""
    response.cache_control.no_cache = None
    response.cache_control.public = True
    response.cache_control.max_age = MAX_AGE
    return response


def keep_documents(response: Response, asked: Request) -> Response:
    """The documentation may be kept."""
    if asked.path.startswith(DOCUMENTS) and response.status_code == 200:
        keep(response)
    return response


def keep_private(response: Response, asked: Request) -> Response:
    """What a session answers depends on who asks: nobody else may keep it, and errors and tokens nobody at all."""
    if asked.path.startswith(SESSIONS):
        read = asked.method in ("GET", "HEAD") and response.status_code < 307  # where 304 is as good as 200
        kept = PRIVATE if read else SECRET
        known = names(response)
        if "cache-control" in known or "vary" in known:
            response.headers["Cache-Control"] = kept
            response.headers["Vary"] = BY_BEARER[1]
        else:
            add(response, ("Cache-Control", kept), BY_BEARER)  # `packing` and `cors` add to it
    return response


def _told_apart(response: Response) -> Response:
    """A packed answer has a tag of its own, for its bytes are others."""
    known = names(response)
    if "content-encoding" in known and "etag" in known and response.headers["Content-Encoding"] == "gzip":
        response.headers["ETag"] = response.headers["ETag"].removesuffix('"') + f'{PACKED}"'
    return response


def tag(response: Response, asked: Request) -> Response:
    """Name what may be kept by its bytes (so by language and packing), and answer 304 where the client has them."""
    if asked.path.startswith(SESSIONS):
        return _told_apart(response)
    if asked.method not in ("GET", "HEAD") or not response.cache_control.public:
        return response
    if response.status_code == 200:
        response.set_etag(hashlib.sha256(whole(response)).hexdigest()[:32])
    response.make_conditional(asked)
    return response
