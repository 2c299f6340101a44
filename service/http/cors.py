"""CORS: which web pages of other origins may call the service; by default none."""

from collections.abc import Set

from flask import Flask, Request, Response, request

from service.config import Settings
from service.http.headers import vary
from service.http.lean import extensions

KEY = "arbitr-origins"
METHODS = "GET, HEAD, POST, PUT, DELETE, OPTIONS"
TAKEN = (
    "Accept, Accept-Language, Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, "
    "If-None-Match, Last-Event-ID, X-Request-Id"
)
SHOWN = (
    "Allow, Content-Language, ETag, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Request-Id"
)
MAX_AGE = "600"


def init_app(app: Flask, settings: Settings) -> None:
    """Answer the questions that browsers ask first."""
    app.extensions[KEY] = frozenset(settings.cors_origins)
    if settings.cors_origins:
        app.before_request(_preflight)


def _preflight() -> Response | None:
    asked = request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers
    return Response(status=204) if asked else None


def allow(response: Response, asked: Request) -> Response:
    """Tell the browser that its page may read the answer, where it may."""
    origins = extensions()[KEY]
    if not origins:
        return response
    if "*" not in origins:
        vary(response, "Origin")
    preflight = response.status_code == 204 and asked.method == "OPTIONS"
    response.headers.update(allowed(origins, asked.headers.get("Origin"), preflight))
    return response


def allowed(origins: Set[str], origin: str | None, preflight: bool) -> dict[str, str]:
    """The headers that tell a page of this origin what it may do; none where it may do nothing."""
    if origin is None or not origins & {"*", origin}:
        return {}
    shown = {
        "Access-Control-Allow-Origin": "*" if "*" in origins else origin,
        "Access-Control-Expose-Headers": SHOWN,
    }
    asked = {
        "Access-Control-Allow-Methods": METHODS,
        "Access-Control-Allow-Headers": TAKEN,
        "Access-Control-Max-Age": MAX_AGE,
    }
    return {**shown, **asked} if preflight else shown
