"""Our way of loading finds what marshmallow's own finds, under the same names."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
import pytest

from schemas.closed import Open, Schema


class Number(ma.Schema):
    """As marshmallow has it."""

    n = ma.fields.Integer(required=True)

    class Meta:
        unknown = ma.RAISE


class Ours(Schema):
    n = ma.fields.Integer(required=True)


class Wide(Open):
    n = ma.fields.Integer(required=True)


class Mute(Schema):
    n = ma.fields.Integer(required=True)

    class Meta(Schema.Meta):
        index_errors = False


def found(schema: ma.Schema, given: Any, **how: Any) -> Any:
    """What is loaded; or where the faults lie, and what was good nevertheless."""
    try:
        return schema.load(given, **how)
    except ma.ValidationError as error:
        return where(error.messages), error.valid_data


def where(told: Any) -> Any:
    return {at: where(inside) for at, inside in told.items()} if isinstance(told, dict) else len(told)


GIVEN = [
    [],
    [{"n": 1}, {"n": 2}],
    [{"n": 1}, {"n": "x"}, {}, {"n": "y"}],
    [{"n": 1}, 5, {"n": 3, "more": 1}],
    {"n": 1},
    "text",
]


@pytest.mark.parametrize("given", GIVEN)
def test_of_many_each_fault_has_its_index(given: Any) -> None:
    assert found(Ours(), given, many=True) == found(Number(), given, many=True)
    assert found(Ours(many=True), given) == found(Number(many=True), given)
    nested, plain = (ma.Schema.from_dict({"all": ma.fields.Nested(s, many=True)})() for s in (Ours, Number))
    assert found(nested, {"all": given}) == found(plain, {"all": given})


def test_the_second_of_two_is_told_by_its_index() -> None:
    with pytest.raises(ma.ValidationError) as refused:
        Ours().load([{"n": 1}, {"n": "x"}], many=True)
    assert where(refused.value.messages) == {1: {"n": 1}}
    with pytest.raises(ma.ValidationError) as refused:
        Wide().load([{"n": 1, "m": 2}, {"m": 3}], many=True)
    assert where(refused.value.messages) == {1: {"n": 1}}
    with pytest.raises(ma.ValidationError) as refused:
        Mute().load([{"n": 1}, {"n": "x"}], many=True)
    assert where(refused.value.messages) == {"n": 1}, "unless the schema says that it is not to"
