"""What fields check beside their type; apispec reads the bounds off them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import marshmallow as ma
from marshmallow import validate

from schemas.faults import Fault, listed


class Range(validate.Range):
    """Bounds of a number."""

    def _format_error(self, value: Any, message: str) -> str:
        if self.max is None:
            return Fault("at-least", least=self.min)
        if self.min is None:
            return Fault("at-most", most=self.max)
        return Fault("between", least=self.min, most=self.max)


class Length(validate.Length):
    """Bounds of a length."""

    def _format_error(self, value: Any, message: str) -> str:
        if self.max is None:
            return Fault("length-at-least", least=self.min)
        if self.min is None:
            return Fault("length-at-most", most=self.max)
        return Fault("length-between", least=self.min, most=self.max)


class Some(Length):
    """At least so many of the keys that an object may have."""

    def __init__(self, least: int, keys: Sequence[str]) -> None:
        super().__init__(least, len(keys))
        self.keys = keys

    def _format_error(self, value: Any, message: str) -> str:
        return Fault("few", n=self.min, values=listed(self.keys))


class Pattern(validate.Validator):
    """A regular expression that is searched for, as JSON Schema says."""

    def __init__(self, pattern: str, fault: str = "pattern") -> None:
        self.regex, self.fault = re.compile(pattern), fault

    def __call__(self, value: str) -> str:
        """The value, if it fits."""
        if self.regex.search(value) is None:
            facts = {"pattern": self.regex.pattern} if self.fault == "pattern" else {}
            raise ma.ValidationError([Fault(self.fault, **facts)])
        return value


class Among(validate.Validator):
    """One of these values, of the same JSON type."""

    def __init__(self, choices: Iterable[Any]) -> None:
        self.choices = tuple(choices)
        self._known = {(type(c), c) for c in self.choices}

    def __call__(self, value: Any) -> Any:
        """The value, if it is one of them."""
        if not isinstance(value, str | int | bool) or (type(value), value) not in self._known:
            raise ma.ValidationError([Fault("one-of", values=listed(self.choices))])
        return value


class Distinct(validate.Validator):
    """A list in which nothing stands twice."""

    def __call__(self, value: list[Any]) -> list[Any]:
        """The list, if it is so."""
        twice = {i: [Fault("repeated")] for i, entry in enumerate(value) if entry in value[:i]}
        if twice:
            raise ma.ValidationError(twice)
        return value
