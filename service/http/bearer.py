"""Who asks: the token in `Authorization: Bearer …`. What is no token of ours by its form is refused by itself."""

import re

from flask import request

from service.http.problems import Problem
from service.sessions.tokens import well_formed

SCHEME = re.compile(r"[Bb][Ee][Aa][Rr][Ee][Rr] +(\S+) *")


def token() -> str:
    """The token of the request. Raises the same Problem whether or not there is such a session."""
    found = SCHEME.fullmatch(request.headers.get("Authorization", ""))
    if found is None or not well_formed(found[1]):
        raise Problem("no-token", headers={"WWW-Authenticate": "Bearer"})
    return found[1]
