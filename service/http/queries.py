"""Queries of addresses: what is not known is refused, as in bodies."""

from flask import request

from schemas.faults import Fault, Located, pointer_of
from service.http.locale import language
from service.http.problems import Problem


def flag(name: str) -> bool:
    """A query parameter that is true or false; false where it is not given. No other parameter is taken."""
    if not request.query_string:
        return False
    demand_query(name)
    given = request.args.get(name, "false")
    if given not in ("true", "false"):
        raise _bad_query(name, Fault("bool"))
    return given == "true"


def number(name: str, least: int, most: int, *others: str) -> int | None:
    """A query parameter that is a whole number from `least` to `most`; None where it is not given."""
    demand_query(name, *others)
    given = request.args.get(name)
    if given is None:
        return None
    if not (given.isascii() and given.isdigit() and len(given) <= 15 and least <= int(given) <= most):
        raise _bad_query(name, Fault("between", least=least, most=most))
    return int(given)


def demand_query(*names: str) -> None:
    """Refuse query parameters that the call does not have, or that stand twice."""
    if not request.query_string:
        return
    for name, values in request.args.lists():
        if name not in names:
            raise _bad_query(name, Fault("no-parameter"))
        if len(values) > 1:
            raise _bad_query(name, Fault("twice"))


def _bad_query(name: str, message: Fault) -> Problem:
    fault = {"in": "query", **Located(pointer_of((name,)), message).to_wire(language())}
    return Problem("bad-query", extra={"errors": [fault]}, n=1)
