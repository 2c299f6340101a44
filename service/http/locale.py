"""Which language texts are in: the header `Accept-Language` with its weights, English where none fits."""

from flask import g, request

LANGUAGES = ("en", "cs")
DEFAULT = "en"


def language() -> str:
    """The language of this request."""
    chosen: str | None = g.get("language")
    if chosen is None:
        chosen = g.language = _chosen()
    return chosen


def _chosen() -> str:
    if not request.headers.get("Accept-Language"):
        return DEFAULT
    return request.accept_languages.best_match(LANGUAGES, DEFAULT) or DEFAULT
