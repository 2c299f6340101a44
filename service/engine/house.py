"""House figures: what a set-up may put in the place of printed figures, worked out from the components themselves.

A house is `{kind: {id: {figure: value}}}`, with the kinds and ids of the components; a value stands in the place of the
printed one as a whole. What it may be follows from what is printed under the same name: the same JSON type, numbers up
to ten times the largest, words that stand there somewhere, null where null is printed, objects with the same keys.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from service.engine.rule import pointer
from service.engine.shapes import Counts, Fault, Flag, Maybe, Named, Record, Rows, Shape, Whole, Word, settled

Components: TypeAlias = Mapping[str, Sequence[Mapping[str, Any]]]
House: TypeAlias = Mapping[str, Any]
NO_FIGURES = frozenset(("id", "name", "certainty"))
SMALLEST_MOST = 100
TIMES = 10


# -- what a game says -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Overridable:
    """What a game says about its figures, where the components do not say it themselves.

    Places have names: `gems.price` is a figure of a kind, `tracks.reward[]` an entry of its list, `x.y` the value of
    the key y in the object x. `fixed`: figures that no house changes, for the pieces or the clauses rest on them.
    `apart`: kinds whose entries are figures by themselves (`table.bid-step`, which stands under `value`). `same`:
    places at which is written what belongs to another name, so that they may be what is printed at any of them.
    `bounds`: least and most of numbers, and of the lengths of lists, where the general bounds (0 to ten times the
    largest; as printed) would not do; `x.*` are those of every number in the object x, and the least of x itself is how
    few keys it may have. `words`: what may stand at a place, though it is printed at none.
    """

    fixed: Mapping[str, Named] = field(default_factory=dict)
    apart: Named = ()
    same: Mapping[str, str] = field(default_factory=dict)
    bounds: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    words: Mapping[str, Named] = field(default_factory=dict)


Shapes: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Shape]]]


def shapes_of(components: Components, told: Overridable) -> Shapes:
    """`{kind: {id: {figure: shape}}}` of all figures that may be overridden; TypeError where a name is two things."""
    makes = _Makes(told)
    places = {
        kind: {e["id"]: dict(_places(kind, e, told)) for e in found} for kind, found in components.items()
    }
    for kind, entries in components.items():
        for entry in entries:
            for figure, place in places[kind][entry["id"]].items():
                makes.note(place, entry[figure])
    return {
        kind: {
            id_: {f: makes.shape(place) for f, place in figures.items()}
            for id_, figures in entries.items()
            if figures
        }
        for kind, entries in places.items()
        if any(entries.values())
    }


def _places(kind: str, entry: Mapping[str, Any], told: Overridable) -> Iterator[tuple[str, str]]:
    """The figures of an entry that may be overridden, with the names of their places."""
    for figure in entry:
        mine = entry["id"] if kind in told.apart else figure
        if figure not in NO_FIGURES and mine not in told.fixed.get(kind, ()):
            yield figure, f"{kind}.{mine}"


class _Makes:
    """Makes shapes of what is noted as printed: values by name, and the places where null is printed."""

    def __init__(self, told: Overridable) -> None:
        self.told = told
        self.seen: dict[str, list[Any]] = {}
        self.null: set[str] = set()
        self.made: dict[str, Shape] = {}

    def name(self, place: str) -> str:
        """The name of a place."""
        return self.told.same.get(place, place)

    def note(self, place: str, value: Any) -> None:
        """Keep a printed value, and all that is in it."""
        name = self.name(place)
        if value is None:
            self.null.add(place)
            return
        self.seen.setdefault(name, []).append(value)
        if isinstance(value, list):
            for entry in value:
                self.note(f"{name}[]", entry)
        elif isinstance(value, dict):
            for key, entry in value.items():
                self.note(f"{name}.{key}", entry)

    def shape(self, place: str) -> Shape:
        """The shape of a place; what contains itself meets the shape that is being made."""
        name = self.name(place)
        if name not in self.made:
            self.made[name] = self._made(name, self.seen.get(name, []))
        return Maybe(self.made[name]) if place in self.null else self.made[name]

    def _made(self, name: str, printed: list[Any]) -> Shape:
        types = {type(v) for v in printed}
        if types == {int}:
            return self._whole(name, printed)
        if types == {bool}:
            return Flag()
        if types == {str}:
            return Word(tuple(sorted({*printed, *self.told.words.get(name, ())})))
        if types == {list}:
            return self._rows(name, printed)
        if types == {dict}:
            return self._object(name, printed)
        raise TypeError(
            f"{name} is printed as {sorted(t.__name__ for t in types) or 'nothing'}: one type, please"
        )

    def _whole(self, name: str, printed: Sequence[int]) -> Whole:
        most = max(SMALLEST_MOST, TIMES * max(map(abs, printed)))
        alike = name.rpartition(".")[0] + ".*"
        bounds = self.told.bounds.get(name) or self.told.bounds.get(alike)
        return Whole(*(bounds or (-most if min(printed) < 0 else 0, most)))

    def _rows(self, name: str, printed: list[Any]) -> Rows:
        sizes, words = [len(v) for v in printed], all(type(e) is str for v in printed for e in v)
        least, most = self.told.bounds.get(name, (min(sizes), max(sizes)))
        distinct = words and all(len(set(v)) == len(v) for v in printed)
        return Rows(least, most, self.shape(f"{name}[]"), distinct)

    def _object(self, name: str, printed: list[Any]) -> Shape:
        sets = tuple(dict.fromkeys(tuple(sorted(v)) for v in printed))
        keys = tuple(dict.fromkeys(key for v in printed for key in v))
        numbers = [n for v in printed for n in v.values()]
        if len(sets) > 1 and all(type(n) is int for n in numbers):
            least, _ = self.told.bounds.get(name, (min(map(len, sets)), 0))
            return Counts(keys, self._whole(f"{name}.*", numbers), least)
        of: dict[str, Shape] = {}
        record = self.made[name] = Record(sets, of)
        of.update({key: self.shape(f"{name}.{key}") for key in keys})
        return record


# -- checking and merging ---------------------------------------------------------------------------------------


def faults_of(shapes: Shapes, house: Any) -> Iterator[Fault]:
    """Everything in a house that the shapes do not allow."""
    return _faults(house, shapes, 3)


def _faults(value: Any, known: Any, depth: int) -> Iterator[Fault]:
    """Objects `depth` deep, with known keys, and a value below that fits its shape."""
    if not depth:
        yield from known.faults(value)
    elif not isinstance(value, Mapping):
        yield Fault((), "object")
    else:
        for key, below in value.items():
            found = _faults(below, known[key], depth - 1) if key in known else [Fault((), "unknown")]
            yield from (fault.below(key) for fault in found)


def merged(components: Components, house: House) -> dict[str, list[dict[str, Any]]]:
    """The components with the figures of the house in the place of the printed ones; how sure those are: `house`."""
    return {
        kind: [_merged(entry, house.get(kind, {}).get(entry["id"], {})) for entry in entries]
        for kind, entries in components.items()
    }


def _merged(entry: Mapping[str, Any], figures: Mapping[str, Any]) -> dict[str, Any]:
    if not figures:
        return dict(entry)
    sure = entry.get("certainty")
    sure = dict(sure) if isinstance(sure, Mapping) else {} if sure is None else {"*": sure}
    certainty = {**dict.fromkeys(figures, "house"), **{k: v for k, v in sure.items() if k not in figures}}
    return {**entry, **{f: settled(value) for f, value in figures.items()}, "certainty": certainty}


def nearest(house: House, paths: Iterable[Sequence[str]]) -> str:
    """The pointer to that of these figures of which a house says most, as far as it says anything."""
    return "/house" + pointer(*max((_said(house, path) for path in paths), key=len))


def _said(house: House, path: Sequence[str]) -> Sequence[str]:
    here: Any = house
    for depth, name in enumerate(path):
        if not isinstance(here, Mapping) or name not in here:
            return path[:depth]
        here = here[name]
    return path
