"""The Flask application."""

from flask import Flask

from service.config import Settings


def create_app(settings: Settings | None = None) -> Flask:
    """Put the application together. `settings` are read from the environment unless given."""
    app = Flask("service", static_folder=None)
    app.config["ARBITR"] = settings or Settings.from_env()
    app.add_url_rule("/livez", view_func=livez)
    return app


def livez() -> dict[str, str]:
    """Say that this worker answers."""
    return {"status": "ok"}
