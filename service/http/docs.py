"""The documentation: openapi.yaml, its pages (without internet), and a page for every error."""

from flask import Flask, Response, current_app, render_template
from flask_swagger_ui import get_swaggerui_blueprint

from service.http import record_schema
from service.http.answers import spoken
from service.http.locale import language
from service.http.openapi import document_of, text_of
from service.http.problems import Problem, table

PAGES = "/docs"
DOCUMENT = "/openapi.yaml"
RECORD = f"{PAGES}/record.schema.json"
TEXT = "arbitr-openapi"
CONFIG = {"app_name": "Arbitr", "oauth2RedirectUrl": f"{PAGES}/oauth2-redirect.html", "validatorUrl": None}


def init_app(app: Flask) -> None:
    """Serve the document and the pages."""
    app.add_url_rule(DOCUMENT, "openapi", _document)
    app.add_url_rule(RECORD, "record_schema", _record_schema)
    app.add_url_rule(f"{PAGES}/problems/", "problem_pages", _problem_list)
    app.add_url_rule(f"{PAGES}/problems/<name>", "problem_page", _problem_page)
    app.register_blueprint(get_swaggerui_blueprint(PAGES, DOCUMENT, CONFIG))


def _document() -> Response:
    if TEXT not in current_app.extensions:
        current_app.extensions[TEXT] = text_of(current_app)
    return Response(current_app.extensions[TEXT], mimetype="application/yaml")


def _record_schema() -> Response:
    if RECORD not in current_app.extensions:
        current_app.extensions[RECORD] = record_schema.text_of(document_of(current_app))
    return Response(current_app.extensions[RECORD], mimetype="application/schema+json")


def _problem_list() -> Response:
    page = render_template("problems.html", problems=table(), language=language())
    return spoken(Response(page, mimetype="text/html"))


def _problem_page(name: str) -> Response:
    if name not in table():
        raise Problem("unknown-problem", name=name)
    page = render_template("problem.html", name=name, entry=table()[name], language=language())
    return spoken(Response(page, mimetype="text/html"))
