"""Packing: answers by gzip for whom that helps; an answer that may be kept is packed once."""

import gzip
from functools import lru_cache

from flask import Request, Response

from service.http.answers import Answer, whole
from service.http.headers import PACKED_TOO, names, vary

LEAST = 1024  # bytes; what is smaller fits into one packet anyway
LEVEL = 5
JSON_TYPE = ("Content-Type", "application/json")
TEXTS = (
    "text/",
    "application/json",
    "application/problem+json",
    "application/yaml",
    "application/javascript",
)


def pack(response: Response, asked: Request) -> Response:
    """The answer, packed where the client takes that and it is worth it."""
    if type(response) is Answer and _says_it(response):
        pass  # quicker than to look what it is
    elif not _packable(response):
        return response
    else:
        vary(response, "Accept-Encoding")
    if not asked.environ.get("HTTP_ACCEPT_ENCODING"):
        return response
    if asked.accept_encodings.quality("gzip") > 0 and response.calculate_content_length() != 0:
        body = whole(response)
        if len(body) > LEAST:
            response.set_data(_once(body) if response.cache_control.public else _packed(body))
            response.headers["Content-Encoding"] = "gzip"
    return response


def _says_it(response: Answer) -> bool:
    """Whether it is an answer as `answer` makes it, which now says that it may be packed."""
    told, known = response.headers._list, names(response)
    if response._status_code not in (200, 201) or told[0] != JSON_TYPE:
        return False
    if known.count("vary") != 1 or "content-encoding" in known:
        return False
    at = known.index("vary")
    packed_too = PACKED_TOO.get(told[at])
    if packed_too is not None:
        told[at] = packed_too
    return packed_too is not None


def _packable(response: Response) -> bool:
    fine = response.status_code >= 200 and response.status_code not in (204, 206, 304)
    text = fine and response.headers.get("Content-Type", "").startswith(TEXTS)
    return text and "Content-Encoding" not in response.headers


def _packed(body: bytes) -> bytes:
    return gzip.compress(body, LEVEL, mtime=0)


_once = lru_cache(maxsize=64)(_packed)
