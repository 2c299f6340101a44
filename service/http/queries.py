"""Queries of addresses: what is not known is refused, as in bodies."""

from flask import request

from service.http.problems import Problem


def flag(name: str) -> bool:
    """A query parameter that is true or false; false where it is not given. No other parameter is taken."""
    demand_query(name)
    given = request.args.get(name, "false")
    if given not in ("true", "false"):
        raise _bad_query(name, "It must be true or false.")
    return given == "true"


def demand_query(*names: str) -> None:
    """Refuse query parameters that the call does not have, or that stand twice."""
    if not request.query_string:
        return
    for name, values in request.args.lists():
        if name not in names:
            raise _bad_query(name, "There is no such parameter.")
        if len(values) > 1:
            raise _bad_query(name, "It stands twice.")


def _bad_query(name: str, message: str) -> Problem:
    fault = {"in": "query", "pointer": f"/{name}", "message": message}
    return Problem("bad-query", extra={"errors": [fault]}, n=1)
