"""Fields and schemas derived from msgspec types."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
import pytest
from marshmallow import ValidationError
from msgspec import Meta, Struct

from schemas import located
from schemas.base import Schema
from schemas.derive import Deriver


class Cat(Struct, tag_field="kind", tag="cat", forbid_unknown_fields=True):
    """It purrs."""

    lives: Annotated[int, Meta(ge=1, le=9)] = 9


class Dog(Struct, tag_field="kind", tag="dog", forbid_unknown_fields=True):
    """It barks."""

    name: Annotated[str, Meta(min_length=1, max_length=5)]


class Thing(Struct, forbid_unknown_fields=True):
    """All kinds of fields."""

    pet: Cat | Dog
    one: Cat | None = None
    colour: Literal["red", "blue"] = "red"
    number: Literal[1, 2] | None = None
    mixed: bool | int | str = 0
    bag: dict[Literal["a", "b"], Annotated[int, Meta(gt=0)]] = {}
    words: Annotated[list[Annotated[str, Meta(pattern="^[a-z]+$")]], Meta(max_length=2)] = []
    anything: Any = None


def schema(build: bool = True, quick: bool = False) -> Schema:
    return Deriver("Test", build, quick).schema(Thing)()


def faults(value: Any, quick: bool = False) -> dict[str, str]:
    with pytest.raises(ValidationError) as refused:
        schema(quick=quick).load(value)
    return {f.pointer: f.message for f in located(refused.value.messages)}


DOG = {"kind": "dog", "name": "Rex"}


def test_it_loads_the_types_own_instances() -> None:
    value = {"pet": DOG, "one": {"lives": 3}, "mixed": True, "bag": {"a": 2.0}, "anything": [None]}
    assert schema().load(value) == Thing(Dog("Rex"), Cat(3), mixed=True, bag={"a": 2}, anything=[None])


def test_without_build_it_leaves_plain_json_and_fills_nothing_in() -> None:
    assert schema(build=False).load({"pet": DOG, "bag": {"a": 2.0}}) == {"pet": DOG, "bag": {"a": 2}}


@pytest.mark.parametrize("quick", [False, True])
@pytest.mark.parametrize(
    ("change", "pointer", "message"),
    [
        ({"pet": None}, "/pet", "It must not be null."),
        ({"pet": 7}, "/pet", "It must be an object."),
        ({"pet": {"name": "Rex"}}, "/pet/kind", "This field is required."),
        ({"pet": {"kind": "cow"}}, "/pet/kind", "It must be one of: cat, dog."),
        ({"pet": {"kind": "cat", "lives": 10}}, "/pet/lives", "It must be from 1 to 9."),
        ({"pet": {"kind": "cat", "name": "x"}}, "/pet/name", "There is no such field here."),
        ({"pet": {"kind": "dog", "name": ""}}, "/pet/name", "Its length must be from 1 to 5."),
        ({"one": {"kind": "dog"}}, "/one/kind", "It must be one of: cat."),
        ({"colour": "green"}, "/colour", "It must be one of: red, blue."),
        ({"colour": ["red"]}, "/colour", "It must be one of: red, blue."),
        ({"number": True}, "/number", "It must be one of: 1, 2."),
        ({"number": "1"}, "/number", "It must be one of: 1, 2."),
        ({"mixed": None}, "/mixed", "It must not be null."),
        ({"mixed": 1.5}, "/mixed", "It must be true or false / a whole number / a string."),
        ({"bag": []}, "/bag", "It must be an object."),
        ({"bag": {"c": 1}}, "/bag/c", "It must be one of: a, b."),
        ({"bag": {"a": 0}}, "/bag/a", "It must be at least 1."),
        ({"words": {}}, "/words", "It must be a list."),
        ({"words": ["a", "B"]}, "/words/1", "It must match ^[a-z]+$."),
        ({"words": ["a", "b", "c"]}, "/words", "Its length must be at most 2."),
    ],
)
def test_each_fault_is_told(change: dict[str, Any], pointer: str, message: str, quick: bool) -> None:
    told = faults({"pet": DOG, **change}, quick)
    assert set(told) == {pointer}
    assert sorted(told[pointer].split(", ")) == sorted(message.split(", ")) or _same_choices(
        told[pointer], message
    )


def _same_choices(one: str, other: str) -> bool:
    """The order in which msgspec keeps the values of a Literal is its own."""
    return sorted(one.strip(".").replace(":", ",").split(", ")) == sorted(
        other.strip(".").replace(":", ",").split(", ")
    )


def test_all_faults_are_told_at_once() -> None:
    value = {"one": {"lives": 0}, "mixed": [], "words": [1, "B"], "bag": {"c": 0}, "what": 1}
    assert set(faults(value)) == {"/pet", "/one/lives", "/mixed", "/words/0", "/words/1", "/bag/c", "/what"}


def test_types_that_no_field_is_known_for_are_refused_at_once() -> None:
    for kind in (float, int | Annotated[str, Meta(pattern="x")], Annotated[int, Meta(multiple_of=2)]):
        with pytest.raises(TypeError, match="no field is known"):
            Deriver("Test").field(kind)


def test_classes_are_named_by_game_and_described_by_their_types() -> None:
    made = Deriver("Test").schema(Thing)
    assert (made.__name__, made.__doc__) == ("TestThingSchema", "All kinds of fields.")


def test_the_quick_way_takes_what_msgspec_converts() -> None:
    value = {"pet": DOG, "words": ["a"]}
    assert schema(quick=True).load(value) == schema().load(value) == msgspec.convert(value, Thing)
