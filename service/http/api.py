"""flask-smorest, subclassed in one place: routes take bytes, answer bytes, and document themselves."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import flask_smorest
from flask import Flask, Response

from service import __version__
from service.engine.budget import within
from service.http import document, streaming
from service.http.answers import answer, demand_acceptable
from service.http.body import read_body
from service.http.caching import keep
from service.http.context import context
from service.http.context import of as context_of
from service.http.problems import LARGEST_BODY

TITLE = "Arbitr"
OPENAPI = "3.1.0"
BODY_ERRORS = (400, 404, 406, 408, 413, 415, 422, 429, 503)  # of every call that takes a body
HELD_ERRORS = tuple(sorted((*BODY_ERRORS, 403)))  # and of those that take tokens
View = Callable[..., Any]


class Api(flask_smorest.Api):
    """The documented API. Errors are ours (`problems`), pages too (`docs`)."""

    def __init__(self, app: Flask) -> None:
        app.config.update(API_TITLE=TITLE, API_VERSION=__version__, OPENAPI_VERSION=OPENAPI)
        super().__init__(app, spec_kwargs={"marshmallow_plugin": document.Plugin(), **document.about()})
        document.begin(self.spec, context_of(app))

    def _register_error_handlers(self) -> None:
        """Errors are answered by `problems`."""

    def _register_responses(self) -> None:
        """And documented by `document`."""

    def _register_pagination_header(self) -> None:
        """There are no pages."""


class Blueprint(flask_smorest.Blueprint):
    """Routes about games: `takes` loads the body by a schema of the game's contract, `answers` encodes."""

    def takes(self, call: str, most: int = LARGEST_BODY) -> Callable[[View], View]:
        """Load the body by the contract's schema of this call; the view gets the ruleset and what was asked."""

        def decorate(view: View) -> View:
            @wraps(view)
            def taking(game: str) -> Any:
                body, held = read_body(most), context()
                with within(held.settings.budget):
                    rules, asked = held.receive(game, call, body)
                    return view(rules, asked)

            return noted(taking, takes=call)

        return decorate

    def answers(
        self, schema: Any, kept: bool = False, streamed: bool = False, **notes: Any
    ) -> Callable[[View], View]:
        """Encode what the view returns; `schema` (or the name of a schema of the contract; or several) documents it.

        `kept`: caches may keep the answer; `streamed`: the view sends who wants a stream to it. A view may make its
        answer itself. `notes` are for the document: its `status`, the `errors`, parameters (`query`, `headers`),
        `secured`, what it `takes`.
        """

        def decorate(view: View) -> View:
            @wraps(view)
            def answering(**path: Any) -> Response:
                if not (streamed and streaming.wanted()):
                    demand_acceptable()
                made = view(**path)
                made = made if isinstance(made, Response) else answer(made)
                return keep(made) if kept else made

            return noted(answering, answers=schema, name=view.__name__, streamed=streamed, **notes)

        return decorate

    def register_views_in_doc(self, api: Any, app: Flask, spec: Any, *, name: str, parameters: Any) -> None:
        """Describe every view that noted something."""
        held = context_of(app)
        for rule in app.url_map.iter_rules():
            view = app.view_functions[rule.endpoint]
            if rule.endpoint.partition(".")[0] == name and hasattr(view, "noted"):
                made = document.operation(view.noted, held)
                made |= {"tags": [name], **document.words(view)}
                method = next((m for m in ("post", "delete") if m.upper() in (rule.methods or ())), "get")
                path = document.path_parameters(rule.rule, held)
                spec.path(rule=rule, operations={method: made}, parameters=path)


def noted(view: View, **notes: Any) -> View:
    """Remember what the document needs to know of a view."""
    view.noted = {**getattr(view, "noted", {}), **notes}  # type: ignore[attr-defined]
    return view
