"""Closed objects on the wire: what is not declared is refused, with everything else that is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import islice
from typing import Any

import marshmallow as ma
from marshmallow import missing
from marshmallow.error_store import ErrorStore

from schemas.faults import ROOT, Fault, enough

SURPLUS = 100
_new_store: Any = ErrorStore  # it has no types


class Schema(ma.Schema):
    """A closed object."""

    error_messages = {"unknown": Fault("unknown"), "type": Fault("object")}

    class Meta:
        """What is not declared is refused."""

        unknown = ma.RAISE
        register = False

    def load(self, data: Any, *, many: Any = None, partial: Any = None, unknown: Any = None) -> Any:
        """What marshmallow does, in one go where nothing but fields, checks and what is made of them is declared."""
        if type(data) is not dict or many or partial or unknown or not self._usual:
            return super().load(data, many=many, partial=partial, unknown=unknown)
        if len(data) > len(self.fields) + SURPLUS:
            return super().load(data)
        found: dict[str, Any] = {}
        store: Any = None
        for name, field, fits in self._every:
            value = data.get(name, missing)
            if fits is not None and fits(value):
                found[name] = value
                continue
            try:
                value = field.deserialize(value, name, data)
            except ma.ValidationError as error:
                store = store or _new_store()
                store.store_error(error.messages, name)
                value = error.valid_data or missing
            if value is not missing:
                found[name] = value
        if not data.keys() <= self.load_fields.keys():
            store = store or _new_store()
            for name in data.keys() - self.load_fields.keys():
                store.store_error([self.error_messages["unknown"]], name)
        return self._checked(found, data, store)

    @cached_property
    def _usual(self) -> bool:
        """Whether `load` may go so."""
        hooks = self._hooks
        usual = not (hooks["pre_load"] or hooks["validates"] or self.many or self.partial)
        return usual and self._ordinary and self.unknown == ma.RAISE

    @cached_property
    def _every(self) -> tuple[tuple[str, Any, Any], ...]:
        """The fields, each with what says at once that it takes a value as it is (`Told.fits`), if anything does."""
        return tuple(
            [(name, field, getattr(field, "fits", None)) for name, field in self.load_fields.items()]
        )

    def _checked(self, found: Any, data: Any, store: Any) -> Any:
        """What was read, once it has been looked at as a whole. Raises ValidationError."""
        if store is None and self._fine(found, data):
            return found
        how: dict[str, Any] = {"original_data": data, "many": False, "partial": None, "unknown": self.unknown}
        if self._hooks["validates_schema"]:
            store = store or _new_store()
            how |= {"error_store": store, "data": found, "field_errors": bool(store.errors)}
            for whole in (True, False):
                self._invoke_schema_validators(pass_collection=whole, **how)
            how = {name: how[name] for name in ("original_data", "many", "partial", "unknown")}
        if store is not None and store.errors:
            error = ma.ValidationError(store.errors, data=data, valid_data=found)
            self.handle_error(error, data, many=False, partial=None)
            raise error
        if not self._hooks["post_load"]:
            return found
        try:
            return self._invoke_load_processors("post_load", found, **how)
        except ma.ValidationError as error:
            told = error.normalized_messages()  # type: ignore[no-untyped-call]
            refused = ma.ValidationError(told, data=data, valid_data=found)
            self.handle_error(refused, data, many=False, partial=None)
            raise refused from None

    def _fine(self, found: Any, data: Any) -> bool:
        """Whether nothing is made of what was read, and every check of the whole says at once that it is so."""
        if self._makes():
            return False
        try:
            for name, original in self._whole_checks:
                check = getattr(self, name)
                given = (found, data) if original else (found,)
                check(*given, many=False, partial=None, unknown=self.unknown)
        except ma.ValidationError:
            return False
        return True

    def _makes(self) -> bool:
        """Whether anything is made of what was read."""
        return bool(self._hooks["post_load"])

    @cached_property
    def _whole_checks(self) -> tuple[tuple[str, bool], ...]:
        """The checks of the whole, by name, and whether they look at what came in, too."""
        hooks = self._hooks["validates_schema"]
        return tuple([(name, bool(how.get("pass_original"))) for name, _, how in hooks])

    def _do_load(self, data: Any, **kwargs: Any) -> Any:
        return super()._do_load(self._without_surplus(data), **kwargs)

    def _deserialize(self, data: Any, **kwargs: Any) -> Any:
        """What marshmallow does, without asking at every field for what no schema of ours has."""
        single = isinstance(data, Mapping) and not kwargs["many"] and kwargs.get("index") is None
        if not single or kwargs["partial"] or not self._ordinary:
            return super()._deserialize(data, **kwargs)
        found: dict[str, Any] = {}
        store, unknown = kwargs["error_store"], kwargs["unknown"]
        for name, field in self.load_fields.items():
            try:
                value = field.deserialize(data.get(name, missing), name, data)
            except ma.ValidationError as error:
                store.store_error(error.messages, name)
                value = error.valid_data or missing
            if value is not missing:
                found[name] = value
        for name in data.keys() - self.load_fields.keys() if unknown != ma.EXCLUDE else ():
            if unknown == ma.INCLUDE:
                found[name] = data[name]
            else:
                store.store_error([self.error_messages["unknown"]], name)
        return found

    @cached_property
    def _ordinary(self) -> bool:
        """Whether every field stands in the data and in the result under its own name."""
        return all(
            field.data_key is None and field.attribute is None and "." not in name
            for name, field in self.load_fields.items()
        )

    def _without_surplus(self, data: Any) -> Any:
        """Of very many unknown fields a hundred are enough to refuse."""
        if (
            not isinstance(data, Mapping)
            or len(data) <= len(self.fields) + SURPLUS
            or self.unknown != ma.RAISE
        ):
            return data
        enough(range(SURPLUS))
        known = {k: v for k, v in data.items() if k in self.fields}
        return known | dict(islice(((k, v) for k, v in data.items() if k not in known), SURPLUS))

    def handle_error(self, error: ma.ValidationError, data: Any, *, many: bool, **kwargs: Any) -> None:
        """Keep a field that happens to be called `_schema` a field, where none that is not declared may be."""
        errors = error.messages
        if (
            isinstance(errors, dict)
            and isinstance(data, Mapping)
            and ROOT in data
            and ROOT not in self.fields
            and self.unknown == ma.RAISE
        ):
            errors[ROOT] = {(ROOT,): errors.pop(ROOT, [Fault("unknown")])}


class Open(Schema):
    """An object that may hold more than is declared."""

    class Meta:
        """What is not declared is kept."""

        unknown = ma.INCLUDE
        register = False
