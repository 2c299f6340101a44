"""The very settings of `arbitr serve`, for the application with the echo in it."""

from service.gunicorn_conf import *  # noqa: F403

wsgi_app = "benchmarks.app:create_app()"
