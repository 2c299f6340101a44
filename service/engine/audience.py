"""Audiences: who may see a field, declared on its type, once. What declares none is seen by nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from operator import attrgetter
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from service.engine.deck import Deck
from service.engine.rule import pointer
from service.engine.seatref import Distinct, IsSeat, SeatRef

__all__ = [
    "EVERYONE",
    "NOBODY",
    "Audience",
    "BySeat",
    "Distinct",
    "Everybody",
    "Field",
    "Heaps",
    "Holds",
    "IsSeat",
    "Own",
    "Pile",
    "Public",
    "Refs",
    "SeatRef",
    "Seats",
    "Sight",
    "count",
    "fields_distinct",
    "fields_holding",
    "fields_naming",
    "fields_of",
    "heaped",
    "place_at",
    "reader",
    "sight_of",
]

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
    """A mapping by seat: what lies under a key belongs to that seat.

    Entries that are Structs decide for themselves field by field; plain ones are seen by their seat alone.
    """


@dataclass(frozen=True)
class Pile:
    """A deck: its size and the known runs; with `members`, every seat could work out what its pools hold.

    `aside`: cards may lie face down here, one by one, that came off the deck in this field of the board.
    """

    members: bool = False
    aside: str | None = None


@dataclass(frozen=True)
class Holds:
    """The field holds pieces of this class: what conservation counts."""

    pieces: str


@dataclass(frozen=True)
class Heaps:
    """The field maps places to counters that hold something: a heap comes and goes with its pieces."""


Public = Annotated[T, Everybody()]
Seats = Annotated[T, BySeat()]

Audience = Everybody | Own | BySeat | Pile


Refs = Callable[
    [str, Any], Iterator[tuple[str, str]]
]  # (pointer, value) -> every (pointer, seat) that it names


@dataclass(frozen=True)
class Field:
    """One field of a type: its declared audience, what it holds, the Struct type below it, and its seat references.

    `distinct`: it is a list that names nothing twice. `bags`: 1 for a mapping of counts, 2 for one of such mappings.
    """

    name: str
    audience: Audience | None
    holds: str | None
    type: Any
    below: type[msgspec.Struct] | None
    keyed: bool
    references: Refs | None
    structs: tuple[type[msgspec.Struct], ...]  # all that its values can be made of, `below` the first of them
    distinct: Distinct | None = None
    heaps: bool = False
    bags: int = 0

    @property
    def names_seats(self) -> bool:
        """Whether its values name seats of the table."""
        return self.references is not None


def _strip(hint: Any) -> tuple[Any, list[Any]]:
    marks: list[Any] = []
    while get_origin(hint) is Annotated:
        hint, *found = get_args(hint)
        marks = [*found, *marks]
    return hint, marks


def _structs(hint: Any) -> tuple[type[msgspec.Struct], ...]:
    """The Struct types that a value of this type is made of, not those inside of them."""
    hint, _ = _strip(hint)
    if isinstance(hint, type) and issubclass(hint, msgspec.Struct):
        return (hint,)
    return tuple(dict.fromkeys(found for part in get_args(hint) for found in _structs(part)))


_FIELDS: dict[Any, tuple[Field, ...]] = {}


def fields_of(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The declared fields of a Struct type, in order; worked out once a type."""
    found = _FIELDS.get(kind)
    if found is None:
        found = _FIELDS[kind] = _fields(kind)
    return found


def _fields(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple(_field(name, hints[name]) for name in kind.__struct_fields__)


_WITH_DECKS: dict[Any, tuple[Field, ...]] = {}
_HOLDING: dict[Any, tuple[Field, ...]] = {}
_NAMING: dict[Any, tuple[Field, ...]] = {}
_DISTINCT: dict[Any, tuple[Field, ...]] = {}


def fields_holding(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a Struct type that hold pieces, or have Structs below them that do."""
    if kind not in _HOLDING:
        _HOLDING[kind] = _leading(kind, lambda field: field.holds is not None)
    return _HOLDING[kind]


def fields_with_decks(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a Struct type that hold decks, or have Structs below them that do."""
    if kind not in _WITH_DECKS:
        _WITH_DECKS[kind] = _leading(kind, lambda field: Deck in field.structs)
    return _WITH_DECKS[kind]


def fields_naming(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a Struct type that name seats, or have Structs below them that do."""
    if kind not in _NAMING:
        _NAMING[kind] = _leading(kind, lambda field: field.names_seats or isinstance(field.audience, BySeat))
    return _NAMING[kind]


def fields_distinct(kind: type[msgspec.Struct]) -> tuple[Field, ...]:
    """The fields of a Struct type that name nothing twice, or have Structs below them with such fields."""
    if kind not in _DISTINCT:
        _DISTINCT[kind] = _leading(kind, lambda field: field.distinct is not None)
    return _DISTINCT[kind]


def _leading(kind: type[msgspec.Struct], found: Callable[[Field], bool]) -> tuple[Field, ...]:
    return tuple(f for f in fields_of(kind) if found(f) or _below_leads(f, found, {kind}))


def _below_leads(field: Field, found: Callable[[Field], bool], seen: set[Any]) -> bool:
    """Whether something that is found lies anywhere below; a type that contains itself is looked at once."""
    return any(
        any(found(f) or _below_leads(f, found, seen | {kind}) for f in fields_of(kind))
        for kind in field.structs
        if kind not in seen
    )


def _field(name: str, hint: Any) -> Field:
    plain, marks = _strip(hint)
    audience = next((m for m in marks if isinstance(m, Audience)), None)
    holds = next((m.pieces for m in marks if isinstance(m, Holds)), None)
    distinct = next((m for m in marks if isinstance(m, Distinct)), None)
    keyed = get_origin(plain) is dict
    structs = _structs(plain)
    below = structs[0] if structs else None
    heaps = any(isinstance(m, Heaps) for m in marks)
    refs, bags = _references(hint), _bags(plain)
    return Field(name, audience, holds, plain, below, keyed, refs, structs, distinct, heaps, bags)


def _bags(hint: Any) -> int:
    """How many mappings lie above counts, if it is one or two; 0 where a value may be something else."""
    plain, _ = _strip(hint)
    if get_origin(plain) is not dict:
        return 0
    entry, _ = _strip(get_args(plain)[1])
    return 1 if entry is int else 2 if _bags(entry) == 1 else 0


def reader(fields: tuple[Field, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Reads these fields of a Struct at once, which is quicker than one by one."""
    names = [f.name for f in fields]
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda thing: ()
    name = names[0]
    return lambda thing: (getattr(thing, name),)


def _references(hint: Any) -> Refs | None:
    """How to find the seats that a value of this type names; None if it names none."""
    plain, marks = _strip(hint)
    if any(isinstance(m, IsSeat) for m in marks):
        return _named
    parts = [_references(part) for part in get_args(plain)]
    if not any(parts):
        return None
    if get_origin(plain) is dict:
        return partial(_in_mapping, parts[0], parts[1])
    if get_origin(plain) is tuple and Ellipsis not in get_args(plain):
        return partial(_in_tuple, parts)
    named = [part for part in parts if part is not None]
    either = named[0] if len(named) == 1 else partial(_in_union, named)
    return partial(_in_list, either) if get_origin(plain) in (list, tuple) else either


def _named(at: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield at, value


def _in_mapping(keys: Refs | None, values: Refs | None, at: str, value: Any) -> Iterator[tuple[str, str]]:
    for key, entry in value.items() if isinstance(value, dict) else ():
        below = at + pointer(key)
        if keys is not None:
            yield from keys(below, key)
        if values is not None:
            yield from values(below, entry)


def _in_list(items: Refs, at: str, value: Any) -> Iterator[tuple[str, str]]:
    for i, entry in enumerate(value if isinstance(value, list | tuple) else ()):
        yield from items(f"{at}/{i}", entry)


def _in_tuple(items: list[Refs | None], at: str, value: Any) -> Iterator[tuple[str, str]]:
    for i, (refs, entry) in enumerate(zip(items, value if isinstance(value, tuple) else (), strict=False)):
        if refs is not None:
            yield from refs(f"{at}/{i}", entry)


def _in_union(parts: list[Refs], at: str, value: Any) -> Iterator[tuple[str, str]]:
    for part in parts:
        yield from part(at, value)


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
            if kind is None:  # plain entries are their seat's alone
                sight = Sight(_both(sight.whole, frozenset([key])))
    return sight


@lru_cache(maxsize=4096)
def heaped(board: Any, path: tuple[str, ...]) -> bool:
    """Whether the place at `path` is a heap: it lies under a key of a field that declares `Heaps`."""
    kind: type[msgspec.Struct] | None = board
    steps = iter(path)
    for name in steps:
        if kind is None:
            return False
        field = _field_map(kind)[name]
        if field.keyed and next(steps, None) is not None and field.heaps:
            return next(steps, None) is None
        kind = field.below
    return False


@lru_cache(maxsize=4096)
def place_at(board: Any, path: tuple[str, ...]) -> tuple[Sight, bool]:
    """Who sees the place at `path` of a board of this type, and whether it is a heap."""
    return sight_of(board, path), heaped(board, path)


def _both(some: frozenset[str] | None, others: frozenset[str]) -> frozenset[str]:
    return others if some is None else some & others


def _narrow(sight: Sight, field: Field, owner: str | None) -> Sight:
    if isinstance(field.audience, Everybody | BySeat):
        return sight
    if isinstance(field.audience, Own):
        mine = frozenset([owner]) if owner else NOBODY
        return Sight(_both(sight.whole, mine), field.audience.rest if sight.whole is None else None)
    if isinstance(field.audience, Pile):
        return Sight(NOBODY, count)
    return Sight(NOBODY)


def count(value: Any) -> int:
    """How many pieces a bag, list or deck holds; the simplest `rest`."""
    if isinstance(value, Deck):
        return value.size
    return sum(value.values()) if isinstance(value, Mapping) else len(value)
