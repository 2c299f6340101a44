"""Which language texts are in: the header `Accept-Language` with its weights, English where none fits."""

import re
from collections.abc import Iterator

from service.http.lean import asked, noted
from service.http.outside import outside

LANGUAGES = ("en", "cs")
DEFAULT = "en"
RANGE = re.compile(r"\s*(\*|[A-Za-z]{1,8})(?:-[A-Za-z0-9-]*)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?")


def language() -> str:
    """The language of this request, or of what is told outside of one."""
    told = outside()
    if told is not None:
        return told.language
    here = noted()
    chosen: str | None = here.get("language")
    if chosen is None:
        chosen = here["language"] = chosen_from(asked().environ.get("HTTP_ACCEPT_LANGUAGE", ""))
    return chosen


def chosen_from(header: str) -> str:
    """The language of ours that is wanted most, of two wanted alike the first; `en-GB` wants `en`, `*` any."""
    if not header:
        return DEFAULT
    wanted = sorted(_wanted(header), key=lambda found: -found[1])
    refused = {tag for tag, weight in wanted if not weight}
    for tag, weight in wanted:
        for spoken in LANGUAGES if tag == "*" else (tag,):
            if weight and spoken in LANGUAGES and spoken not in refused:
                return spoken
    return DEFAULT


def _wanted(header: str) -> Iterator[tuple[str, float]]:
    """Each language and its weight; what cannot be read is passed over."""
    for part in header.split(","):
        if found := RANGE.fullmatch(part):
            yield found[1].lower(), float(found[2] or 1)
