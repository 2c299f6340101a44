"""Marshmallow schemas derived from msgspec types: they accept what the decoder accepts and word every fault.

`Deriver(build=True)` loads typed Structs (states), `build=False` leaves plain JSON (actions). With `quick`, a
part that msgspec converts is taken as it is, so that only the parts with faults are walked field by field.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from typing import Any, ClassVar, get_origin

import marshmallow as ma
import msgspec
from marshmallow import fields
from msgspec import inspect

from schemas.base import Anything, Bool, Choice, Int, Items, Keyed, OneOf, Scalar, Schema, Text, Within
from schemas.checks import Length, Pattern, Range

_SHARED: dict[tuple[bool, bool], dict[Any, type[Schema]]] = defaultdict(dict)
PLAIN = {inspect.IntType: int, inspect.BoolType: bool, inspect.StrType: str}
Field = fields.Field[Any]


class StructSchema(Schema):
    """The schema of a Struct type; it loads instances where it was derived to."""

    struct: ClassVar[type[msgspec.Struct]]
    build: ClassVar[bool] = True
    tag_field: ClassVar[str | None] = None

    def _makes(self) -> bool:
        """Only instances are made."""
        return self.build or len(self._hooks["post_load"]) > 1

    @ma.post_load
    def made(self, data: dict[str, Any], **kwargs: Any) -> Any:
        """The instance, or the plain object."""
        if not self.build:
            return data
        if self.tag_field is not None:
            data.pop(self.tag_field, None)
        return self.struct(**data)


class Part(Within):
    """A Struct, or one of several, inside another; `kind` is the type to try at once."""

    def __init__(self, nested: Any, kind: Any, **more: Any) -> None:
        super().__init__(nested, **more)
        self.kind = kind

    def _deserialize(self, value: Any, attr: Any, data: Any, partial: Any = None, **kwargs: Any) -> Any:
        if self.kind is not None:
            try:
                return msgspec.convert(value, self.kind)
            except msgspec.ValidationError:
                pass
        return super()._deserialize(value, attr, data, **kwargs)


class Deriver:
    """Derives schemas, each type once; their names begin with `prefix`, where the type is a game's own."""

    def __init__(self, prefix: str, build: bool = True, quick: bool = True) -> None:
        self.prefix, self.build, self.quick = prefix, build, quick and build
        self._own: dict[Any, type[Schema]] = {}
        self._names: set[str] = set()

    def schema(self, kind: Any, name: str | None = None) -> type[Schema]:
        """The schema class of a Struct type."""
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        return self._struct(info, name=name)

    def field(self, kind: Any, **more: Any) -> Field:
        """A field for any type."""
        return self._field(inspect.type_info(kind), more)

    def _field(self, info: inspect.Type, more: dict[str, Any]) -> Field:
        info = info.type if isinstance(info, inspect.Metadata) else info
        make = MAKERS.get(type(info))
        if make is None:
            raise TypeError(f"no field is known for {info}")
        field: Field = make(self, info, more)
        return field

    def _int(self, info: inspect.IntType, more: dict[str, Any]) -> Field:
        if info.multiple_of is not None:
            raise TypeError(f"no field is known for {info}")
        least = info.ge if info.gt is None else info.gt + 1
        most = info.le if info.lt is None else info.lt - 1
        bounds = [] if least is None and most is None else [Range(least, most)]
        return Int(validate=bounds, **more)

    def _bool(self, info: inspect.BoolType, more: dict[str, Any]) -> Field:
        return Bool(**more)

    def _str(self, info: inspect.StrType, more: dict[str, Any]) -> Field:
        checks: list[Any] = [] if info.pattern is None else [Pattern(info.pattern)]
        return Text(validate=checks + _length(info), **more)

    def _any(self, info: inspect.AnyType, more: dict[str, Any]) -> Field:
        return Anything(**{"allow_none": True, **more})

    def _literal(self, info: inspect.LiteralType, more: dict[str, Any]) -> Field:
        return Choice(info.values, **more)

    def _list(self, info: inspect.ListType, more: dict[str, Any]) -> Field:
        return Items(self._field(info.item_type, {}), validate=_length(info), **more)

    def _dict(self, info: inspect.DictType, more: dict[str, Any]) -> Field:
        keys, values = self._field(info.key_type, {}), self._field(info.value_type, {})
        return Keyed(keys=keys, values=values, validate=_length(info), **more)

    def _struct_field(self, info: inspect.StructType, more: dict[str, Any]) -> Field:
        return Part(self._struct(info), info.cls if self.quick else None, **more)

    def _union(self, info: inspect.UnionType, more: dict[str, Any]) -> Field:
        kinds = [i for i in info.types if not isinstance(i, inspect.NoneType)]
        if len(kinds) < len(info.types):
            more = {**more, "allow_none": True}
        if len(kinds) == 1:
            return self._field(kinds[0], more)
        if all(isinstance(i, inspect.StructType) for i in kinds):
            return self._tagged(kinds, more)
        plain = [PLAIN.get(type(i)) for i in kinds]
        if None in plain or any(
            getattr(i, f, None) is not None for i in kinds for f in ("ge", "le", "pattern")
        ):
            raise TypeError(f"no field is known for {info}")
        return Scalar([t for t in plain if t is not None], **more)

    def _tagged(self, kinds: list[Any], more: dict[str, Any]) -> Field:
        kinds = sorted(kinds, key=lambda i: str(i.tag))
        schemas = {str(i.tag): self._struct(i, tagged=True)() for i in kinds}
        known, key = self._known(kinds), tuple((i.cls, repr(i.fields)) for i in kinds)
        if key not in known:
            name = self._name(str(kinds[0].tag_field).title(), kinds)
            known[key] = type(name, (OneOf,), {"type_field": kinds[0].tag_field, "type_schemas": schemas})
        one = known[key]
        union: Any = None
        for i in kinds:
            union = i.cls if union is None else union | i.cls
        return Part(one, union if self.quick else None, **more)

    def _struct(
        self, info: inspect.StructType, tagged: bool = False, name: str | None = None
    ) -> type[Schema]:
        known, key = self._known([info]), (info.cls, repr(info.fields), tagged)
        if key not in known:
            declared: dict[str, Any] = {}
            if info.tag_field is not None:
                declared[info.tag_field] = Choice([info.tag], required=tagged)
            for field in info.fields:
                declared[field.encode_name] = self._field(field.type, _presence(field))
            doc = re.sub(r"\s+", " ", (info.cls.__doc__ or "").strip())
            more = {"struct": info.cls, "build": self.build, "tag_field": info.tag_field, "__doc__": doc}
            made = type(name or self._name(info.cls.__name__, [info]), (StructSchema,), {**declared, **more})
            known[key] = made
        return known[key]

    def _known(self, infos: list[Any]) -> dict[Any, type[Schema]]:
        """The schemas made so far: types of the engine are shared by all games."""
        return _SHARED[self.build, self.quick] if _of_engine(infos) else self._own

    def _name(self, name: str, infos: list[Any]) -> str:
        """A name for the schema, as the document shows it; types of the engine need no prefix."""
        wanted = name if _of_engine(infos) else self.prefix + name
        free = next(n for n in (wanted, *(f"{wanted}{i}" for i in range(2, 99))) if n not in self._names)
        self._names.add(free)
        return free + "Schema"


def _of_engine(infos: list[Any]) -> bool:
    """Whether types are the engine's own; what it leaves open (a state's table and stack) is each game's."""
    plain = [get_origin(i.cls) or i.cls for i in infos]
    return all(
        k.__module__.startswith("service.engine.") and not getattr(k, "__parameters__", ()) for k in plain
    )


def _length(info: Any) -> list[Any]:
    if info.min_length is None and info.max_length is None:
        return []
    return [Length(info.min_length, info.max_length)]


def _presence(field: inspect.Field) -> dict[str, Any]:
    if field.required:
        return {"required": True}
    if field.default is msgspec.NODEFAULT or not isinstance(field.default, str | int | bool):
        return {}
    return {"metadata": {"default": field.default}}


MAKERS: Mapping[type, Any] = {
    inspect.IntType: Deriver._int,
    inspect.BoolType: Deriver._bool,
    inspect.StrType: Deriver._str,
    inspect.AnyType: Deriver._any,
    inspect.LiteralType: Deriver._literal,
    inspect.ListType: Deriver._list,
    inspect.DictType: Deriver._dict,
    inspect.StructType: Deriver._struct_field,
    inspect.UnionType: Deriver._union,
}
