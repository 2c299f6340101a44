"""The schema and the fields that everything on the wire is made of: strict, closed, with faults."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, NoReturn

import marshmallow as ma
from marshmallow import fields, missing
from marshmallow.validate import And
from marshmallow_oneofschema.one_of_schema import OneOfSchema

from schemas.checks import Among, Length, Pattern
from schemas.closed import Open as Open
from schemas.closed import Schema as Schema
from schemas.faults import ROOT, Fault, Located, enough, listed, located
from schemas.fits import Fits, among, of_type

SEAT_ID = r"^[a-z][a-z0-9-]{0,31}(?!\n)$"


class Told:
    """Mixin of all fields: marshmallow's own messages become faults."""

    words: ClassVar[Mapping[str, str]] = {"required": "required", "null": "null"}
    validators: list[Any]
    pre_load: list[Any]
    post_load: list[Any]
    required: bool
    load_default: Any
    _deserialize: Any

    def deserialize(self, value: Any, attr: Any = None, data: Any = None, **kwargs: Any) -> Any:
        """What marshmallow does, without putting the checks together anew for every value."""
        if value is missing and not self.required and self.load_default is missing:
            return missing
        if value is missing or value is None or self.pre_load or self.post_load:
            return super().deserialize(value, attr, data, **kwargs)  # type: ignore[misc]
        found = self._deserialize(value, attr, data, **kwargs)
        try:
            for check in self.validators:
                check(found)
        except ma.ValidationError:
            self._all_checks(found)  # tells all that is wrong
            raise
        return found

    @cached_property
    def _all_checks(self) -> And:
        return And(*self.validators)

    @cached_property
    def fits(self) -> Fits | None:
        """What says at once that `deserialize` gives a value back as it is; False: that is not known. None: there is
        no such question."""
        if self.pre_load or self.post_load or type(self) not in PLAINLY:
            return None
        return PLAINLY[type(self)](tuple(self.validators))

    def make_error(self, key: str, **facts: Any) -> ma.ValidationError:
        """The error for a key of marshmallow's or of ours."""
        return ma.ValidationError([Fault(self.words.get(key, key), **facts)])


def whole(value: Any) -> Any:
    """7.0 is the integer 7, as JSON Schema says; everything else as it is."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Int(Told, fields.Integer):
    """A whole number; 7.0 is one, "7" and true are not."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> int:
        value = whole(value)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.make_error("int")
        return value


class Bool(Told, fields.Boolean):
    """True or false and nothing else."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("bool")
        return value


class Text(Told, fields.String):
    """A string."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> str:
        if not isinstance(value, str):
            raise self.make_error("text")
        return value


class Choice(Told, fields.Raw):
    """One of a fixed list of values."""

    def __init__(self, choices: Iterable[Any], **more: Any) -> None:
        self.choices = tuple(choices)
        super().__init__(validate=Among(self.choices), **more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        return whole(value)


NAMES = {str: "a string", int: "a whole number", bool: "true or false"}
JSON_NAMES = {str: "string", int: "integer", bool: "boolean"}


class Scalar(Told, fields.Raw):
    """A value of one of several plain types."""

    def __init__(self, types: Iterable[type], **more: Any) -> None:
        self.types = tuple(types)
        super().__init__(**more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        value = whole(value) if int in self.types else value
        if type(value) not in self.types:
            raise self.make_error("scalar", types=" / ".join(NAMES[t] for t in self.types))
        return value


class Anything(Told, fields.Raw):
    """Any JSON value."""


def demand_length(field: fields.Field[Any], value: Any) -> None:
    """Refuse what is longer than it may be before its entries are looked at."""
    for check in field.validators:
        if isinstance(check, Length) and check.max is not None and len(value) > check.max:
            check(value)


class Items(Told, fields.List[Any]):
    """A list; every bad entry is told."""

    words = {**Told.words, "invalid": "list"}

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> list[Any]:
        if not isinstance(value, list):
            raise self.make_error("list")
        demand_length(self, value)
        result, errors = [], {}
        for i, entry in enumerate(value):
            try:
                result.append(self.inner.deserialize(entry))
            except ma.ValidationError as error:
                errors[i] = error.messages
                if enough(error.messages):
                    break
        if errors:
            raise ma.ValidationError(errors)
        return result


class Keyed(Told, fields.Dict):
    """An object with free keys; every bad key and value is told."""

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> dict[str, Any]:
        if not isinstance(value, Mapping):
            raise self.make_error("object")
        demand_length(self, value)
        result, errors = {}, {}
        for key, below in value.items():
            try:
                if self.key_field is not None:
                    self.key_field.deserialize(key)
                result[key] = below if self.value_field is None else self.value_field.deserialize(below)
            except ma.ValidationError as error:
                errors[key if key != ROOT else (ROOT,)] = error.messages
                if enough(error.messages):
                    break
        if errors:
            raise ma.ValidationError(errors)
        return result


class Within(Told, fields.Nested):
    """An object with a schema of its own."""

    def _deserialize(self, value: Any, attr: Any, data: Any, partial: Any = None, **kwargs: Any) -> Any:
        """What marshmallow does; lists are `Items`."""
        return self._load(value, partial)

    def _load(self, value: Any, partial: Any = None) -> Any:
        if type(value) is not dict and not isinstance(value, Mapping):
            raise self.make_error("object")
        if partial is not None or self.unknown is not None:
            return super()._load(value, partial)
        try:
            return self._inside.load(value)
        except ma.ValidationError as error:
            raise ma.ValidationError(error.messages, valid_data=error.valid_data) from error

    @cached_property
    def _inside(self) -> ma.Schema:
        """`schema`, found once."""
        return self.schema


class OneOf(OneOfSchema, Schema):
    """One of several objects, told apart by `type_field`."""

    type_field_remove = False
    type_schemas: Mapping[str, ma.Schema]

    def load(self, data: Any, *, many: Any = None, **more: Any) -> Any:
        """What the base does of one object."""
        if many or self.many:
            return super().load(data, many=many, **more)  # type: ignore[no-untyped-call]
        try:
            return self._load(data)
        except ma.ValidationError as error:
            messages = error.normalized_messages()  # type: ignore[no-untyped-call]
            valid = [error.valid_data]
            raise ma.ValidationError(messages, data=data, valid_data=valid) from None

    def _load(self, data: Any, *, partial: Any = None, unknown: Any = None, **kwargs: Any) -> Any:
        if type(data) is not dict and not isinstance(data, Mapping):
            raise ma.ValidationError([Fault("object")])
        kind = data.get(self.type_field, missing)
        if kind is missing:
            self._refuse(Fault("required"))
        if not isinstance(kind, str) or kind not in self.type_schemas:
            self._refuse(Fault("one-of", values=listed(list(self.type_schemas))))
        return self.type_schemas[kind].load(data)

    def _refuse(self, fault: Fault) -> NoReturn:
        raise ma.ValidationError({self.type_field: [fault]})


class Either(Told, fields.Raw):
    """A value that one of several fields takes; if none does, the faults are those of the last."""

    def __init__(self, options: Iterable[fields.Field[Any]], **more: Any) -> None:
        self.options = tuple(options)
        super().__init__(**more)

    def _deserialize(self, value: Any, attr: Any, data: Any, **kwargs: Any) -> Any:
        for option in self.options[:-1]:
            try:
                return option.deserialize(value)
            except ma.ValidationError:
                continue
        return self.options[-1].deserialize(value)


def either(options: list[fields.Field[Any]], required: bool) -> fields.Field[Any]:
    """The only one of these fields, or a field that takes what any of them takes."""
    if len(options) > 1:
        return Either(options, required=required)
    options[0].required = required
    return options[0]


class SeatName(Text):
    """The id of a seat."""

    def __init__(self, chance: bool = True, **more: Any) -> None:
        checks: list[Any] = [Pattern(SEAT_ID, "seat-id")]
        super().__init__(validate=checks if chance else [*checks, not_chance], **more)


def not_chance(value: str) -> str:
    """A seat is not called chance."""
    if value == "chance":
        raise ma.ValidationError([Fault("reserved")])
    return value


PLAINLY: Mapping[type, Callable[[Sequence[Any]], Fits | None]] = {
    Text: of_type(str),
    SeatName: of_type(str),
    Int: of_type(int),
    Bool: of_type(bool),
    Choice: among,
}


class OffSchema(Exception):
    """A value that does not fit its schema, with every fault."""

    def __init__(self, faults: list[Located]) -> None:
        super().__init__("; ".join(f.message for f in faults))
        self.faults = faults


def loaded(schema: ma.Schema, value: Any) -> dict[str, Any]:
    """A value as its schema loads it. Raises OffSchema."""
    try:
        found: dict[str, Any] = schema.load(value)
    except ma.ValidationError as error:
        raise OffSchema(located(error.messages)) from None
    return found
