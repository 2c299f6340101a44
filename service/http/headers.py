"""Headers of answers."""

from flask import Response

BY_LANGUAGE = ("Vary", "Accept-Language")  # of `answer`, in its place until something else is said
BY_PACKING = ("Vary", "Accept-Language, Accept-Encoding")
BY_BEARER = ("Vary", "Authorization, Accept-Language")  # of what a session answers
# What is said of an answer that may be packed.
PACKED_TOO = {BY_LANGUAGE: BY_PACKING, BY_BEARER: ("Vary", f"{BY_BEARER[1]}, Accept-Encoding")}


def add(response: Response, *pairs: tuple[str, str]) -> None:
    """Add headers that the answer has not got, in this order; names and values are our own, so nobody looks at them."""
    response.headers._list.extend(pairs)


def names(response: Response) -> list[str]:
    """The names of its headers, in lower case: quicker than to look for one that is not there."""
    return [name.lower() for name, _ in response.headers._list]


def vary(response: Response, name: str) -> None:
    """Say that the answer depends on this header of the request."""
    said = response.headers.get("Vary", "")
    if name not in said.split(", "):
        response.headers["Vary"] = f"{said}, {name}" if said else name
