"""Who asks: the token in `Authorization: Bearer …`. What is no token of ours by its form is refused by itself."""

import re

from service.http.lean import asked
from service.http.problems import Problem
from service.sessions.tokens import well_formed

SCHEME = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +(\S+) *")


def token() -> str:
    """The token of the request. Raises the same Problem whether or not there is such a session."""
    return token_in(asked().environ.get("HTTP_AUTHORIZATION", ""))


def token_in(header: str) -> str:
    """The token in the header `Authorization`. Raises Problem."""
    found = SCHEME.fullmatch(header)
    if found is None:
        raise no_token()
    return shaped(found[1])


def shaped(token: str) -> str:
    """The token, or ticket, if it can be one by its form. Raises Problem."""
    if not well_formed(token):
        raise no_token()
    return token


def no_token() -> Problem:
    """Nobody is named by the request."""
    return Problem("no-token", headers={"WWW-Authenticate": "Bearer"})
