"""What can be said of a value at once: that a field takes it and gives it back as it is.

Where the answer is no, nothing is known, and the field itself decides and words what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from schemas.checks import Among, Pattern, Range

Fits = Callable[[Any], Any]


def of_type(kind: type) -> Callable[[Sequence[Any]], Fits | None]:
    """Of a field that takes just this type: by its checks, where all of them are simple."""

    def made(checks: Sequence[Any]) -> Fits | None:
        if any(type(check) not in SIMPLE for check in checks):
            return None
        simple = tuple([SIMPLE[type(check)](check) for check in checks])
        if not simple:
            return lambda value: type(value) is kind
        if len(simple) == 1:
            (only,) = simple
            return lambda value: type(value) is kind and only(value)
        return lambda value: type(value) is kind and all(check(value) for check in simple)

    return made


def among(checks: Sequence[Any]) -> Fits | None:
    """Of a field that takes some values: the strings among them."""
    if len(checks) != 1 or type(checks[0]) is not Among:
        return None
    known = frozenset([choice for choice in checks[0].choices if type(choice) is str])
    return lambda value: type(value) is str and value in known


def _between(check: Range) -> Fits:
    least, most = check.min, check.max
    if least is None or most is None or not (check.min_inclusive and check.max_inclusive):
        return lambda value: False
    return lambda value: least <= value <= most


SIMPLE: Mapping[type, Callable[[Any], Fits]] = {
    Pattern: lambda check: check.regex.search,
    Range: _between,
}
