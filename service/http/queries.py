"""Queries of addresses: what is not known is refused, as in bodies."""

from collections.abc import Collection, Iterable

from flask import request

from schemas.faults import Fault, Located, pointer_of
from service.http.lean import asked
from service.http.locale import language
from service.http.problems import Problem


def flag(name: str) -> bool:
    """A query parameter that is true or false; false where it is not given. No other parameter is taken."""
    if not asked().query_string:
        return False
    demand_query(name)
    given = request.args.get(name, "false")
    if given not in ("true", "false"):
        raise bad_query(name, Fault("bool"))
    return given == "true"


def number(name: str, least: int, most: int, *others: str) -> int | None:
    """A query parameter that is a whole number from `least` to `most`; None where it is not given."""
    demand_query(name, *others)
    given = request.args.get(name)
    return None if given is None else whole(name, given, least, most)


def whole(name: str, given: str, least: int, most: int, where: str = "query") -> int:
    """A value that must be a whole number. Raises Problem, which tells the name and `where` it stands."""
    if not (given.isascii() and given.isdigit() and len(given) <= 15 and least <= int(given) <= most):
        raise bad_query(name, Fault("between", least=least, most=most), where)
    return int(given)


def demand_query(*names: str) -> None:
    """Refuse query parameters that the call does not have, or that stand twice."""
    if asked().query_string:
        demand_known(request.args.lists(), names)


def demand_known(given: Iterable[tuple[str, list[str]]], names: Collection[str]) -> None:
    """The same of a query that has been taken apart."""
    for name, values in given:
        if name not in names:
            raise bad_query(name, Fault("no-parameter"))
        if len(values) > 1:
            raise bad_query(name, Fault("twice"))


def bad_query(name: str, message: Fault, where: str = "query") -> Problem:
    """A parameter that cannot be."""
    fault = {"in": where, **Located(pointer_of((name,)), message).to_wire(language())}
    return Problem("bad-query", extra={"errors": [fault]}, n=1)
