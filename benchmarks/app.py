"""The service, and beside it a call that gives back the bytes it got: what Flask and the server cost by themselves."""

from flask import Flask, Response, request

from service.app import create_app as create_service

ECHO, HELLO = "/echo", "/hello"


def create_app() -> Flask:
    """The application of `arbitr serve` with the echo in it, in front of all that is ours."""
    app = create_service()
    plain = Flask("echo", static_folder=None)
    plain.add_url_rule(ECHO, view_func=echo, methods=["POST"])
    plain.add_url_rule(HELLO, view_func=hello)
    ours, raw = app.wsgi_app, plain.wsgi_app

    def either(environ, start):
        return (raw if environ["PATH_INFO"] in (ECHO, HELLO) else ours)(environ, start)

    app.wsgi_app = either
    return app


def echo() -> Response:
    return Response(request.get_data(), mimetype="application/json")


def hello() -> str:
    return "hello"
