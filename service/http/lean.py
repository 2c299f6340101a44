"""Flask without what no call of ours uses: coroutines, cookies, signals, hooks of blueprints; a route is found once.

Every request passes here, so it is written for speed: what is left out, and what is remembered, changes no answer
(`tests/http/test_lean.py` holds both to what Flask does).
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from flask import Flask, Response
from flask.ctx import AppContext, RequestContext
from flask.globals import _cv_app, _cv_request
from flask.sessions import NullSession, SessionInterface
from flask.wrappers import Request
from werkzeug.datastructures import EnvironHeaders
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
AT_ONCE = "arbitr.at_once"  # in the environ that our worker makes: what asks for head and body to go out by one call
TOLD = ("method", "scheme", "server", "root_path", "path", "query_string")  # what a request tells of that
Known = tuple[MapAdapter, Rule, dict[str, Any], dict[str, Any]]  # the last: what stands in `TOLD`
_address = itemgetter(*ADDRESS)


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
        self.routes: dict[tuple[Any, ...], Known] = {}

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function, as it is: none is a coroutine."""
        return func

    def wsgi_app(self, environ: Any, start_response: Any) -> Any:
        """What Flask does; where the server is ours, what is all there goes out by one call."""
        at_once = environ.get(AT_ONCE)
        if at_once is not None:
            at_once()
        return super().wsgi_app(environ, start_response)

    def app_context(self) -> AppContext:
        """A context that nobody is told of."""
        return Around(self)

    def request_context(self, environ: Any) -> RequestContext:
        """A context that knows whether its route has been found."""
        return Routed(self, environ)

    def full_dispatch_request(self) -> Response:
        """What Flask does, without signals."""
        self._got_first_request = True
        try:
            made = self.preprocess_request()
            if made is None:
                made = self.dispatch_request()
        except Exception as error:
            made = self.handle_user_exception(error)
        return self.process_response(made if isinstance(made, Response) else self.make_response(made))

    def dispatch_request(self) -> Any:
        """What the view answers; of a route that is remembered it is known that there is one."""
        asked = _cv_request.get().request
        if asked.routing_exception is not None or asked.method == "OPTIONS":
            return super().dispatch_request()
        assert asked.url_rule is not None
        return self.view_functions[asked.url_rule.endpoint](**asked.view_args)  # type: ignore[arg-type]

    def preprocess_request(self) -> Any:
        """What the app asks before each request, up to the first answer."""
        for ask in self.before_request_funcs.get(None, ()):
            answer = ask()
            if answer is not None:
                return answer
        return None

    def process_response(self, response: Response) -> Response:
        """What the app does to each answer, after what the view has asked for this one (`after_this_request`)."""
        for func in _cv_request.get()._after_request_functions:
            response = self.ensure_sync(func)(response)
        for func in reversed(self.after_request_funcs.get(None, ())):
            response = func(response)
        return response

    def do_teardown_request(self, exc: BaseException | None = None) -> None:
        """What the app does at the end of each request, whatever came of it."""
        for func in reversed(self.teardown_request_funcs.get(None, ())):
            func(exc)


class Around(AppContext):
    """What Flask keeps beside a request."""

    def __init__(self, app: Flask) -> None:
        self.app, self.g = app, app.app_ctx_globals_class()
        self.url_adapter = app.create_url_adapter(None) if app.config["SERVER_NAME"] else None
        self._cv_tokens = []

    def push(self) -> None:
        """Make it that of this thread."""
        self._cv_tokens.append(_cv_app.set(self))

    def pop(self, exc: BaseException | None = None) -> None:
        """Make it that of this thread no more."""
        try:
            for func in reversed(self.app.teardown_appcontext_funcs) if len(self._cv_tokens) == 1 else ():
                func(exc)
        finally:
            _cv_app.reset(self._cv_tokens.pop())


class Routed(RequestContext):
    """A request whose route may be known."""

    app: Lean

    def __init__(self, app: Lean, environ: Any, *more: Any, **given: Any) -> None:
        where = () if more or given else address(environ)
        known = app.routes.get(where) if where else None
        if known is None:
            super().__init__(app, environ, *more, **given)
            return
        adapter, rule, arguments, told = known
        self.app, self.url_adapter = app, adapter
        self.request = asked = _request(environ, told)
        asked.json_module, asked.url_rule, asked.view_args = app.json, rule, dict(arguments)
        self.flashes, self._session = None, NoSessions.none
        self._after_request_functions, self._cv_tokens = [], []

    def push(self) -> None:
        """Make it that of this thread, and find the route where it is not known."""
        beside = _cv_app.get(None)
        around = None
        if beside is None or beside.app is not self.app:
            around = self.app.app_context()
            around.push()
        self._cv_tokens.append((_cv_request.set(self), around))
        if self._session is None:
            self._session = NoSessions.none
        if self.url_adapter is not None and self.request.url_rule is None:
            self.match_request()

    def pop(self, exc: BaseException | None = None) -> None:
        """Make it that of this thread no more; it holds no files that would have to be closed."""
        last = len(self._cv_tokens) == 1
        try:
            if last:
                self.app.do_teardown_request(exc)
        finally:
            token, around = self._cv_tokens.pop()
            _cv_request.reset(token)
            if last:
                self.request.environ["werkzeug.request"] = None  # no circle
            if around is not None:
                around.pop(exc)

    def match_request(self) -> None:
        """Find the route, and remember it."""
        super().match_request()
        asked = self.request
        where = address(asked.environ)
        if asked.url_rule is None or not where or self.url_adapter is None:
            return
        if len(self.app.routes) >= MOST_ROUTES:
            self.app.routes.clear()
        told = {name: getattr(asked, name) for name in TOLD}
        self.app.routes[where] = self.url_adapter, asked.url_rule, dict(asked.view_args or {}), told


def _request(environ: Any, told: dict[str, Any]) -> Request:
    """A request at an address where others have been; the rest of it is its own."""
    asked = Request.__new__(Request)
    asked.__dict__.update(told)
    asked.headers, asked.remote_addr = EnvironHeaders(environ), environ.get("REMOTE_ADDR")
    asked.environ, asked.shallow = environ, False
    environ["werkzeug.request"] = asked
    return asked


def address(environ: Any) -> tuple[Any, ...]:
    """What the route of a request depends on; empty (and in no table) where that is more, or less, than usual."""
    if environ.get("QUERY_STRING") or "HTTP_UPGRADE" in environ:
        return ()
    try:
        return _address(environ)
    except KeyError:
        return ()


def noted() -> dict[str, Any]:
    """What is noted of the request that is being answered: all that `g` holds, found at once."""
    return _cv_app.get().g.__dict__


def extensions() -> dict[str, Any]:
    """What the app has beside Flask."""
    return _cv_app.get().app.extensions


def asked() -> Request:
    """The request that is being answered, itself."""
    return _cv_request.get().request
