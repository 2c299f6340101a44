"""House figures on the wire: schemas derived from the shapes that the components give them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import marshmallow as ma
from marshmallow import fields

from schemas.action import pascal
from schemas.base import Bool, Choice, Either, Int, Items, Keyed, Schema, Within
from schemas.checks import Among, Distinct, Length, Range, Some
from schemas.faults import Fault
from service.engine import shapes
from service.engine.ruleset import Ruleset
from service.engine.shapes import Shape

Field = fields.Field[Any]


class HouseSchema(Schema):
    """Figures in the place of printed ones, as `/components` lists them: by kind, id and figure, each given whole."""


class HouseQuerySchema(Schema):
    """The components with the figures of a house."""


def house_query_schema(prefix: str, house: type[Schema]) -> type[Schema]:
    """The request of one ruleset."""
    declared = {"house": Within(house, required=True), "__doc__": HouseQuerySchema.__doc__}
    return type(f"{prefix}HouseQuerySchema", (HouseQuerySchema,), declared)


def house_schema(prefix: str, rules: Ruleset) -> type[Schema]:
    """The house of one ruleset; it has no fields where the game offers none."""
    makes = _Makes(f"{prefix}House")
    kinds = {kind: makes.kind(kind, entries) for kind, entries in rules.houses.shapes.items()}
    return type(f"{prefix}HouseSchema", (HouseSchema,), {**kinds, "__doc__": HouseSchema.__doc__})


class _Known(Among):
    """One of the names that there are."""

    def __call__(self, value: Any) -> Any:
        """The name, if there is such a field."""
        try:
            return super().__call__(value)
        except ma.ValidationError:
            raise ma.ValidationError([Fault("unknown")]) from None


class _Name(Choice):
    """The key of an object with free keys; another is an unknown field."""

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(names)
        self.validators = [_Known(self.choices)]


class Sets(Either):
    """An object with the keys of one of several sets, each with a schema of its own; told apart by its keys."""

    def __init__(self, sets: Mapping[shapes.Named, Field], **more: Any) -> None:
        super().__init__(sets.values(), **more)
        self.sets = sets

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, Mapping):
            raise self.make_error("object")
        field = self.sets.get(tuple(sorted(value)))
        if field is None:
            raise self.make_error("keys", values=" / ".join(", ".join(keys) for keys in self.sets))
        return field.deserialize(value)


class _Makes:
    """Makes fields of shapes, a schema once for each object; their names begin with `prefix`."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self._sets: dict[int, dict[shapes.Named, type[Schema]]] = {}

    def kind(self, kind: str, entries: Mapping[str, Mapping[str, Shape]]) -> Field:
        """The entries of a kind: by any of its ids where all have the same figures, else each by itself."""
        name, first = self.prefix + pascal(kind), next(iter(entries.values()))
        if all(entry == first for entry in entries.values()):
            return Keyed(keys=_Name(entries), values=Within(self._schema(name, first, ())))
        each = {i: Within(self._schema(name + pascal(i), entry, ())) for i, entry in entries.items()}
        return Within(type(f"{name}Schema", (Schema,), {**each, "__doc__": "Each by its id."}))

    def _schema(self, name: str, of: Mapping[str, Shape], required: Iterable[str]) -> type[Schema]:
        declared = {key: self._field(name + _word(key), shape, key in required) for key, shape in of.items()}
        named = f"{name}FiguresSchema"  # no name that a generator would make of an object and its key
        return type(named, (Schema,), {**declared, "__doc__": "Figures that may be overridden."})

    def _field(self, name: str, shape: Shape, required: bool = False, null: bool = False) -> Field:
        more: dict[str, Any] = {"required": required, "allow_none": null}
        if isinstance(shape, shapes.Maybe):
            return self._field(name, shape.of, required, null=True)
        if isinstance(shape, shapes.Whole):
            return Int(validate=Range(shape.least, shape.most), **more)
        if isinstance(shape, shapes.Flag):
            return Bool(**more)
        if isinstance(shape, shapes.Word):
            return Choice(shape.words, **more)
        if isinstance(shape, shapes.Rows):
            checks: list[Any] = [Length(shape.least, shape.most), *([Distinct()] if shape.distinct else [])]
            return Items(self._field(name, shape.of), validate=checks, **more)
        if isinstance(shape, shapes.Counts):
            keys, numbers = _Name(shape.keys), self._field(name, shape.of)
            return Keyed(keys=keys, values=numbers, validate=Some(shape.least, shape.keys), **more)
        assert isinstance(shape, shapes.Record)
        return self._object(name, shape, more)

    def _object(self, name: str, shape: shapes.Record, more: dict[str, Any]) -> Field:
        """One schema, or one for each set of keys; an object may contain others of its shape."""
        made = self._sets.get(id(shape))
        if made is None:
            made = self._sets[id(shape)] = {}
            for i, keys in enumerate(shape.sets, 1):
                called = name if len(shape.sets) == 1 else f"{name}{i}"
                made[keys] = Schema  # known to itself while it is being made
                made[keys] = self._schema(called, {key: shape.of[key] for key in keys}, keys)
        if len(shape.sets) == 1:
            return Within(_later(made, shape.sets[0]), **more)
        return Sets({keys: Within(_later(made, keys)) for keys in shape.sets}, **more)


def _later(made: Mapping[shapes.Named, type[Schema]], keys: shapes.Named) -> Any:
    """The schema, when it is asked for: until then it may still be in the making."""
    return lambda: made[keys]()


def _word(key: str) -> str:
    return pascal(key.replace("_", "-"))
