"""The Flask application."""

from flask import Flask

from service.config import Settings
from service.engine.registry import Registry
from service.games import REGISTRY
from service.http import (
    adjudications,
    batch,
    context,
    docs,
    games,
    manners,
    operation,
    options,
    problems,
    state_problems,
    states,
    views,
)
from service.http.api import Api

ROUTES = (games, states, adjudications, batch, options, views, state_problems, operation)


def create_app(settings: Settings | None = None, registry: Registry | None = None) -> Flask:
    """Put the application together. `settings` are read from the environment, `registry` has every game."""
    app = Flask("service", static_folder=None, template_folder="http/templates")
    context.init_app(app, settings or Settings.from_env(), registry or REGISTRY)
    problems.init_app(app)
    manners.init_app(app)
    api = Api(app)
    for module in ROUTES:
        api.register_blueprint(module.blueprint)
    docs.init_app(app)
    return app
