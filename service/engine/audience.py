"""Audiences: who may see a field, declared on its type, once. A field that declares none is seen by nobody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from service.engine.deck import Deck

T = TypeVar("T")

EVERYONE = None
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Everybody:
    """Every seat and every spectator sees the field whole (nested types still decide for themselves)."""


@dataclass(frozen=True)
class Own:
    """The owner sees the field whole, others what `rest` makes of it, or nothing."""

    rest: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class BySeat:
    """A mapping by seat: what lies under a key belongs to that seat."""


@dataclass(frozen=True)
class Pile:
    """A deck: its size and the known runs; with `members`, every seat could work out what its pools hold."""

    members: bool = False


@dataclass(frozen=True)
class Holds:
    """The field holds pieces of this class: what conservation counts."""

    pieces: str


@dataclass(frozen=True)
class IsSeat:
    """The string names a seat of the table."""


Public = Annotated[T, Everybody()]
Seats = Annotated[T, BySeat()]
SeatRef = Annotated[str, IsSeat()]

Audience = Everybody | Own | BySeat | Pile


@dataclass(frozen=True)
class Field:
    """One field of a type: its declared audience, what it holds, and the Struct type(s) below it."""

    name: str
    audience: Audience | None
    holds: str | None
    type: Any
    below: type[msgspec.Struct] | None
    keyed: bool
    names_seats: bool


def _strip(hint: Any) -> tuple[Any, list[Any]]:
    marks: list[Any] = []
    while get_origin(hint) is Annotated:
        hint, *found = get_args(hint)
        marks = [*found, *marks]
    return hint, marks


def _below(hint: Any) -> type[msgspec.Struct] | None:
    hint, _ = _strip(hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return hint
    for part in get_args(hint):
        found = _below(part)
        if found is not None:
            return found
    return None


@cache
def fields_of(kind: Any) -> tuple[Field, ...]:
    """The declared fields of a Struct type, in order."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(name, hints[name]) for name in kind.__struct_fields__)


def _field(name: str, hint: Any) -> Field:
    plain, marks = _strip(hint)
    audience = next((m for m in marks if isinstance(m, Audience)), None)
    holds = next((m.pieces for m in marks if isinstance(m, Holds)), None)
    keyed = get_origin(plain) is dict
    return Field(name, audience, holds, plain, _below(plain), keyed, _names_seats(hint))


def _names_seats(hint: Any) -> bool:
    plain, marks = _strip(hint)
    return any(isinstance(m, IsSeat) for m in marks) or any(_names_seats(part) for part in get_args(plain))


@cache
def _field_map(kind: Any) -> Mapping[str, Field]:
    return {f.name: f for f in fields_of(kind)}


@dataclass(frozen=True)
class Sight:
    """Who sees a place whole (`EVERYONE` = all), and what the others see of what moves there."""

    whole: frozenset[str] | None
    rest: Callable[[Any], Any] | None = None


@lru_cache(maxsize=4096)
def sight_of(board: Any, path: tuple[str, ...]) -> Sight:
    """Who sees the place at `path` of a board of this type."""
    kind: type[msgspec.Struct] | None = board
    owner: str | None = None
    sight = Sight(EVERYONE)
    steps = iter(path)
    for name in steps:
        if kind is None:
            break
        field = _field_map(kind)[name]
        sight = _narrow(sight, field, owner)
        kind = field.below
        if field.keyed and (key := next(steps, None)) is not None and isinstance(field.audience, BySeat):
            owner = key
    return sight


def _narrow(sight: Sight, field: Field, owner: str | None) -> Sight:
    if isinstance(field.audience, Everybody | BySeat):
        return sight
    if isinstance(field.audience, Own):
        return Sight(frozenset([owner]) if owner else NOBODY, field.audience.rest)
    if isinstance(field.audience, Pile):
        return Sight(NOBODY, count)
    return Sight(NOBODY)


def count(value: Any) -> int:
    """How many pieces a bag, list or deck holds; the simplest `rest`."""
    if isinstance(value, Deck):
        return value.size
    return sum(value.values()) if isinstance(value, Mapping) else len(value)
