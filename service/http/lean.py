"""Flask without what no call of ours uses: coroutines, cookies, hooks of blueprints; a route is found once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask, Response
from flask.ctx import RequestContext
from flask.sessions import NullSession, SessionInterface
from flask.wrappers import Request
from werkzeug.routing import MapAdapter, Rule

MOST_ROUTES = 512  # addresses whose route is remembered
# All of a request that a route depends on, where it has neither a query nor an upgrade.
ADDRESS = (
    "REQUEST_METHOD",
    "PATH_INFO",
    "SCRIPT_NAME",
    "HTTP_HOST",
    "wsgi.url_scheme",
    "SERVER_NAME",
    "SERVER_PORT",
)
Route = tuple[MapAdapter, Rule, dict[str, Any]]


class NoSessions(SessionInterface):
    """Nobody has a session of Flask's: tokens stand in headers."""

    none = NullSession()

    def open_session(self, app: Flask, request: Request) -> NullSession:
        """The one that holds nothing."""
        return self.none


class Lean(Flask):
    """Flask as far as our calls need it. Hooks are the app's own (`before_request`, `after_request`)."""

    session_interface = NoSessions()

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.routes: dict[tuple[Any, ...], Route] = {}

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function, as it is: none is a coroutine."""
        return func

    def create_url_adapter(self, request: Request | None) -> MapAdapter | None:
        """What finds the route of a request; one that was found before is told at once."""
        known = self.routes.get(address(request)) if request is not None else None
        if known is None or request is None:
            return super().create_url_adapter(request)
        adapter, request.url_rule, arguments = known
        request.view_args = dict(arguments)
        return adapter

    def request_context(self, environ: Any) -> RequestContext:
        """A context that knows whether its route has been found."""
        return Routed(self, environ)

    def preprocess_request(self) -> Any:
        """What the app asks before each request, up to the first answer."""
        for ask in self.before_request_funcs.get(None, ()):
            answer = ask()
            if answer is not None:
                return answer
        return None

    def process_response(self, response: Response) -> Response:
        """What the app does to each answer."""
        for func in reversed(self.after_request_funcs.get(None, [])):
            response = func(response)
        return response


class Routed(RequestContext):
    """A request whose route may be known."""

    app: Lean

    def match_request(self) -> None:
        """Find the route where it is not known, and remember it."""
        asked = self.request
        if asked.url_rule is not None:
            return
        super().match_request()
        where = address(asked)
        if asked.url_rule is None or not where or self.url_adapter is None:
            return
        if len(self.app.routes) >= MOST_ROUTES:
            self.app.routes.clear()
        self.app.routes[where] = self.url_adapter, asked.url_rule, dict(asked.view_args or {})


def address(request: Request) -> tuple[Any, ...]:
    """What the route of a request depends on; empty (and in no table) where that is more than usual."""
    environ = request.environ
    if environ.get("QUERY_STRING") or "HTTP_UPGRADE" in environ:
        return ()
    return tuple([environ.get(name) for name in ADDRESS])
