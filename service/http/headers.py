"""Headers of answers."""

from flask import Response


def vary(response: Response, name: str) -> None:
    """Say that the answer depends on this header of the request."""
    said = response.headers.get("Vary", "")
    if name not in said.split(", "):
        response.headers["Vary"] = f"{said}, {name}" if said else name
