"""The Flask application."""

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service.config import Settings
from service.engine.registry import Registry
from service.games import REGISTRY
from service.http import (
    adjudications,
    batch,
    context,
    cors,
    docs,
    games,
    limits,
    logs,
    manners,
    metrics,
    operation,
    options,
    problems,
    seats,
    session_events,
    session_problems,
    sessions,
    state_problems,
    states,
    verifications,
    views,
    webhooks,
)
from service.http.api import Api
from service.http.lean import Lean
from service.sessions.store import Store

ROUTES = (
    games,
    states,
    adjudications,
    batch,
    options,
    views,
    state_problems,
    verifications,
    sessions,
    session_events,
    webhooks,
    seats,
    operation,
)


def create_app(
    settings: Settings | None = None, registry: Registry | None = None, store: Store | None = None
) -> Flask:
    """Put the application together.

    `settings` are read from the environment, `registry` has every game, `store` is the one that the settings name.
    """
    app = Lean("service", static_folder=None, template_folder="http/templates")
    app.url_map.merge_slashes = False  # another address is not ours, and no reason to send a client around
    context.init_app(app, settings or Settings.from_env(), registry or REGISTRY, store)
    problems.init_app(app)
    session_problems.init_app(app)
    equip(app)
    api = Api(app)
    for module in ROUTES:
        api.register_blueprint(module.blueprint)
    docs.init_app(app)
    return app


def equip(app: Flask) -> None:
    """What goes on around every request: its id and manners, the log, metrics, limits, and proxies in front."""
    settings = context.of(app).settings
    if settings.traces == "1":
        from service.http import tracing  # the extra `otel` need not be there

        tracing.init_app(app, settings)
    manners.init_app(app)
    metrics.init_app(app)
    logs.init_app(app, settings.log_level)
    cors.init_app(app, settings)
    limits.init_app(app, settings.rate)
    if settings.trusted_proxies:
        near = ProxyFix(app.wsgi_app, x_for=settings.trusted_proxies, x_proto=0)
        app.wsgi_app = near  # type: ignore[method-assign]
