"""Headers of answers."""

from flask import Response


def add(response: Response, *pairs: tuple[str, str]) -> None:
    """Add headers that the answer has not got, in this order; names and values are our own, so nobody looks at them."""
    response.headers._list.extend(pairs)


def vary(response: Response, name: str) -> None:
    """Say that the answer depends on this header of the request."""
    said = response.headers.get("Vary", "")
    if name not in said.split(", "):
        response.headers["Vary"] = f"{said}, {name}" if said else name
