"""API keys: who may open sessions, where the operator gives out keys for that. Inside a session tokens count."""

import hmac
from hashlib import sha256

from flask import g, request

from service.http.bearer import SCHEME
from service.http.context import context
from service.http.metrics import observed
from service.http.problems import Problem


def demand() -> None:
    """Note under which name the request's key is known. Raises Problem where keys are required and it has none of them.

    All are compared, each in constant time.
    """
    keys = context().settings.api_keys
    if not (keys and observed()):
        return
    found = SCHEME.fullmatch(request.headers.get("Authorization", ""))
    given = sha256((found[1] if found else "").encode("utf-8", "replace")).digest()
    for name, digest in keys:
        if hmac.compare_digest(given, digest):
            g.api_key = name
    if "api_key" not in g:
        raise Problem("no-api-key", headers={"WWW-Authenticate": "Bearer"})
