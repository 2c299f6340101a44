"""Shapes of figures: what may stand in the place of a printed figure, and what is wrong with anything else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from service.engine.message import Message, say
from service.engine.rule import pointer

Named: TypeAlias = tuple[str, ...]
LISTED = 40  # values that a message lists before it stops


@dataclass(frozen=True)
class Fault:
    """What is wrong with a value: where below the house, a key for the sentence, and its facts."""

    path: tuple[str | int, ...]
    key: str
    facts: Mapping[str, Any] = field(default_factory=dict)

    @property
    def pointer(self) -> str:
        """Where, in a set-up or a state."""
        return "/house" + pointer(*map(str, self.path))

    @property
    def message(self) -> Message:
        """The sentence about a state."""
        return _told(self.key, self.facts)

    def below(self, *path: str | int) -> Fault:
        """The same fault of a value that is part of another."""
        return Fault((*path, *self.path), self.key, self.facts)


class Shape(Protocol):
    """What a figure may be."""

    def faults(self, value: Any) -> Iterator[Fault]:
        """Every way in which a value is something else."""


@dataclass(frozen=True)
class Whole:
    """A whole number within bounds; 7.0 is one."""

    least: int
    most: int

    def faults(self, value: Any) -> Iterator[Fault]:
        """No number, or out of bounds."""
        value = settled(value)
        if type(value) is not int:
            yield Fault((), "int")
        elif not self.least <= value <= self.most:
            yield Fault((), "between", {"least": self.least, "most": self.most})


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def faults(self, value: Any) -> Iterator[Fault]:
        """Anything else."""
        if type(value) is not bool:
            yield Fault((), "bool")


@dataclass(frozen=True)
class Word:
    """One of the words that stand under this name."""

    words: Named

    def faults(self, value: Any) -> Iterator[Fault]:
        """Another word, or none."""
        if type(value) is not str or value not in self.words:
            yield Fault((), "one-of", {"values": listed(self.words)})


@dataclass(frozen=True)
class Rows:
    """A list, no shorter and no longer than those that are printed; `distinct`: none of those has a word twice."""

    least: int
    most: int
    of: Shape
    distinct: bool = False

    def faults(self, value: Any) -> Iterator[Fault]:
        """No list, of another length, or with a wrong entry."""
        if not isinstance(value, list):
            yield Fault((), "list")
        elif not self.least <= len(value) <= self.most:
            yield Fault((), "length-between", {"least": self.least, "most": self.most})
        else:
            for i, entry in enumerate(value):
                yield from (fault.below(i) for fault in self.of.faults(entry))
                if self.distinct and entry in value[:i]:
                    yield Fault((i,), "twice")


@dataclass(frozen=True)
class Counts:
    """An object of numbers: any of these keys, as many at least as in the smallest that is printed."""

    keys: Named
    of: Shape
    least: int

    def faults(self, value: Any) -> Iterator[Fault]:
        """No object, another key, too few of them, or a wrong number."""
        if not isinstance(value, Mapping):
            yield Fault((), "object")
            return
        for key, n in value.items():
            found = self.of.faults(n) if key in self.keys else [Fault((), "unknown")]
            yield from (fault.below(key) for fault in found)
        if len(value) < self.least:
            yield Fault((), "few", {"n": self.least, "values": listed(self.keys)})


@dataclass(frozen=True)
class Record:
    """An object with the keys of one of those that are printed."""

    sets: tuple[Named, ...]
    of: Mapping[str, Shape]

    def faults(self, value: Any) -> Iterator[Fault]:
        """No object, keys that do not go together, or a wrong value."""
        if not isinstance(value, Mapping):
            yield Fault((), "object")
        elif tuple(sorted(value)) not in self.sets:
            yield Fault((), "keys", {"values": " / ".join(map(listed, self.sets))})
        else:
            for key, entry in value.items():
                yield from (fault.below(key) for fault in self.of[key].faults(entry))


@dataclass(frozen=True)
class Maybe:
    """Null is printed here, too."""

    of: Shape

    def faults(self, value: Any) -> Iterator[Fault]:
        """Neither null nor the other."""
        if value is not None:
            yield from self.of.faults(value)


def settled(value: Any) -> Any:
    """A value in which 7.0 is 7, as JSON has it."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {key: settled(entry) for key, entry in value.items()}
    return [settled(entry) for entry in value] if isinstance(value, list) else value


# -- words ------------------------------------------------------------------------------------------------------


def listed(values: Sequence[str]) -> str:
    """Words for a message: a few of them."""
    return ", ".join(values[:LISTED]) + (", …" if len(values) > LISTED else "")


_TOLD: Mapping[str, Message] = {
    "int": say("this figure is a whole number"),
    "bool": say("this figure is true or false"),
    "list": say("this figure is a list"),
    "object": say("this is an object: kinds, ids, figures, or what a figure is made of"),
    "twice": say("this stands here twice"),
    "unknown": say("the game has no such figure, or none that may be changed"),
}


def _told(key: str, facts: Mapping[str, Any]) -> Message:
    if key in _TOLD:
        return _TOLD[key]
    if key == "between" and facts["least"] == facts["most"]:
        return say("this figure is always {n}", n=facts["least"])
    if key == "between":
        return say("this figure is from {least} to {most}", **facts)
    if key == "length-between" and facts["least"] == facts["most"]:
        return say("this figure is a list of exactly {n}", n=facts["least"])
    if key == "length-between":
        return say("this figure is a list of {least} to {most}", **facts)
    if key == "one-of":
        return say("this figure is one of these: {values}", **facts)
    if key == "few":
        return say("this figure has at least {n} of these keys: {values}", **facts)
    return say("this figure has these keys: {values}", **facts)
