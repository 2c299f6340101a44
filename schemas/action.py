"""Actions on the wire: one schema a kind, derived from the action classes, told apart by `kind`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from schemas.base import Choice, Items, OneOf, Schema, SeatName, Within, either
from schemas.checks import Length
from schemas.derive import Deriver, Field
from service.engine.action import Action
from service.engine.domain import Domain, Sequence_
from service.engine.ruleset import Ruleset


def action_schema(rules: Ruleset, prefix: str) -> type[OneOf]:
    """The schema of all actions of a ruleset; it loads plain JSON."""
    return _one_of(rules.kinds, prefix, Deriver(prefix, build=False), {"actor": SeatName(required=True)})


def _one_of(
    kinds: Mapping[str, Sequence[type[Action]]], prefix: str, deriver: Deriver, common: Mapping[str, Field]
) -> type[OneOf]:
    ending = "Action" if common else "Part"
    schemas = {
        kind: _kind(f"{prefix}{pascal(kind)}{ending}Schema", kind, classes, deriver, common)()
        for kind, classes in kinds.items()
    }
    name = f"{prefix}{ending}Schema"
    return type(name, (OneOf,), {"type_field": "kind", "type_schemas": schemas})


def _kind(
    name: str, kind: str, classes: Sequence[type[Action]], deriver: Deriver, common: Mapping[str, Field]
) -> type[Schema]:
    """The schema of one kind. Classes that share it are one here: the window decides which is meant."""
    declared: dict[str, Any] = {"kind": Choice([kind], required=True), **common}
    for param in dict.fromkeys(p for c in classes for p in c.params):
        domains = [c.params[param] for c in classes if param in c.params]
        declared[param] = _parameter(name, domains, deriver, required=len(domains) == len(classes))
    doc = " ".join((classes[0].__doc__ or "").split())
    return type(name, (Schema,), {**declared, "__doc__": doc})


def _parameter(name: str, domains: Sequence[Domain], deriver: Deriver, required: bool) -> Field:
    sequences = [d for d in domains if isinstance(d, Sequence_)]
    if sequences:
        return _parts(name, sequences, deriver, required)
    shapes = list(dict.fromkeys(repr(d.shape) for d in domains))
    made = [deriver.field(next(d.shape for d in domains if repr(d.shape) == s)) for s in shapes]
    if len(made) > 1 and all(isinstance(f, Choice) for f in made):
        made = [Choice(dict.fromkeys(v for f in made for v in f.choices))]  # type: ignore[attr-defined]
    return either(made, required=required)


def _parts(name: str, sequences: Sequence[Sequence_], deriver: Deriver, required: bool) -> Field:
    """The list of sub-actions, which have no actor of their own."""
    kinds: dict[str, list[type[Action]]] = {}
    for cls in dict.fromkeys(c for s in sequences for c in s.of):
        kinds.setdefault(cls.kind, []).append(cls)
    parts = _one_of(kinds, name.removesuffix("ActionSchema"), deriver, {})
    length = Length(min(s.least for s in sequences), max(s.most for s in sequences))
    return Items(Within(parts), required=required, validate=length)


def pascal(kind: str) -> str:
    """`buy-gem` is `BuyGem`."""
    return "".join(word.capitalize() for word in kind.split("-"))
