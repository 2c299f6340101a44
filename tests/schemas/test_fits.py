"""What is taken at once (`fits`) is what the field itself gives back as it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import marshmallow as ma
import pytest

from schemas import Contract
from schemas.base import PLAINLY, OneOf, Told
from service.engine.ruleset import Ruleset
from tests.schemas.conftest import rulesets
from tests.schemas.mutations import ODD


def fields(schema: ma.Schema, seen: set[Any]) -> Iterator[Any]:
    """All fields below a schema, each schema once."""
    key = type(schema)
    if key in seen:
        return
    seen.add(key)
    if isinstance(schema, OneOf):
        for one in schema.type_schemas.values():
            yield from fields(one, seen)
        return
    for field in schema.load_fields.values():
        yield from below(field, seen)


def below(field: Any, seen: set[Any]) -> Iterator[Any]:
    yield field
    for name in ("inner", "key_field", "value_field"):
        if getattr(field, name, None) is not None:
            yield from below(getattr(field, name), seen)
    for option in getattr(field, "options", ()):
        yield from below(option, seen)
    if isinstance(field, ma.fields.Nested):
        yield from fields(field.schema, seen)


def values(field: Any) -> list[Any]:
    """Odd values, those that the field names, and what lies at its bounds."""
    found = [*ODD, *getattr(field, "choices", ())]
    for check in field.validators:
        for bound in (getattr(check, "min", None), getattr(check, "max", None)):
            if isinstance(bound, int):
                found += [bound - 1, bound, bound + 1, float(bound), str(bound)]
    return found


@pytest.mark.parametrize("rules", rulesets(), ids=lambda r: r.game)
def test_what_fits_is_what_the_field_gives_back(rules: Ruleset) -> None:
    seen: set[Any] = set()
    quick, met = 0, 0
    for loader in Contract(rules).loaders.values():
        for field in fields(loader, seen):
            if not isinstance(field, Told) or field.fits is None:
                continue
            quick += 1
            for value in values(field):
                if field.fits(value):
                    met += 1
                    assert ma.fields.Field.deserialize(field, value) is value, (type(field), value)
            assert not field.fits(ma.missing)
            assert not field.fits(None)
    assert quick > 30
    assert met > quick


def test_only_what_is_known_to_the_letter_is_asked_so() -> None:
    """A field of another class, of another check, or with something done before or after, has no such question."""

    class Louder(next(iter(PLAINLY))):  # type: ignore[misc]
        pass

    def odd(value: Any) -> None:
        raise ma.ValidationError("odd")

    for kind in PLAINLY:
        given = (["a"],) if kind.__name__ == "Choice" else ()
        assert kind(*given).fits is not None
        assert kind(*given, pre_load=[odd]).fits is None
        assert kind(*given, post_load=[odd]).fits is None
    assert Louder().fits is None
    assert Louder.__mro__[1](validate=[odd]).fits is None
