"""Corruptions of a typed state: every field of every type in it, changed in every way that its type knows.

Walks what `audience.fields_of` declares, so a field that is added is corrupted too. A corruption has a label, the
type and field (`Player.dust`), and a way (`one more`, `dropped`, `another seat`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from service.engine.audience import IsSeat
from service.engine.frames import FINISHED, Frame
from service.engine.problems import holdings
from service.engine.rule import pointer
from service.engine.ruleset import Ruleset
from service.engine.state import State

Json = Any
HUGE = 100_000
STRANGER, NONSENSE = "zoe", "nonsense"


@dataclass(frozen=True)
class Corruption:
    """`label`: the type and field; `way`: what was done; `pointer`: the value; `new`: what it becomes."""

    label: str
    way: str
    pointer: str
    new: Json

    def apply(self, data: Json) -> Callable[[], None]:
        """Change the state in place; answers what undoes it."""
        *path, last = self.pointer.split("/")[1:]
        holder = data
        for step in path:
            holder = holder[int(step) if isinstance(holder, list) else step]
        key: Any = int(last) if isinstance(holder, list) else last
        if isinstance(holder, dict) and key not in holder:  # what stands at its default is left out
            holder[key] = self.new
            return lambda: holder.__delitem__(key)
        old = holder[key]
        holder[key] = self.new
        return lambda: holder.__setitem__(key, old)


class Corruptor:
    """Every corruption of one state. `words`: other values of plain strings, by label."""

    def __init__(
        self,
        rules: Ruleset,
        state: State[Any, Any],
        data: Json,
        words: Mapping[str, tuple[str, ...]],
        seed: int,
    ) -> None:
        self.rules, self.state, self.data, self.words = rules, state, data, words
        self.seats = [s.id for s in state.seats]
        self.rng = random.Random(seed)

    def every(self) -> Iterator[Corruption]:
        """All of them; alike places (cards of a pool, entries of a long list) by a sample."""
        for field, hint in _hints(type(self.state)).items():
            if field == "table":
                yield from self._struct(self.state.table, self.data["table"], "/table")
            elif field == "stack":
                yield from self._stack()
            elif field == "outcome":
                yield from self._outcome()
            else:
                value = getattr(self.state, field)
                yield from self._value(f"State.{field}", hint, value, self.data[field], f"/{field}")

    # -- by type

    def _struct(self, thing: Struct, data: Json, at: str) -> Iterator[Corruption]:
        for field, hint in _hints(type(thing)).items():
            label, where = f"{type(thing).__name__}.{field}", f"{at}/{field}"
            if isinstance(thing, Frame) and field == "step":
                yield from self._step(thing, where)
            else:
                yield from self._value(label, hint, getattr(thing, field), data.get(field), where)

    def _value(self, label: str, hint: Any, value: Any, data: Json, at: str) -> Iterator[Corruption]:
        hint, seat = _plain(hint)
        kind = get_origin(hint)
        if value is None and int in get_args(hint):
            yield Corruption(label, "some", at, 1)
        elif value is None:
            yield from self._others(label, hint, data, at)
        elif isinstance(value, Struct):
            yield from self._struct(value, data, at)
        elif isinstance(value, bool):
            yield Corruption(label, "flipped", at, not value)
        elif isinstance(value, int) and kind is not Literal:
            yield from self._number(label, value, at)
        elif isinstance(value, dict):
            yield from self._mapping(label, hint, value, data, at)
        elif isinstance(value, list):
            yield from self._list(label, hint, value, data, at)
        elif seat:
            yield from self._seat(label, value, at)
        else:
            yield from self._others(label, hint, data, at)

    def _number(self, label: str, n: int, at: str) -> Iterator[Corruption]:
        for way, new in (
            ("one more", n + 1),
            ("one less", n - 1),
            ("none", 0),
            ("huge", HUGE),
            ("absurd", 10**400),
            ("negative", -1),
        ):
            if new != n:
                yield Corruption(label, way, at, new)

    def _seat(self, label: str, seat: str, at: str) -> Iterator[Corruption]:
        yield Corruption(label, "a stranger", at, STRANGER)
        for other in self.seats:
            if other != seat:
                yield Corruption(label, "another seat", at, other)

    def _others(self, label: str, hint: Any, value: Json, at: str) -> Iterator[Corruption]:
        known = _vocabulary(hint) or self.words.get(label, ())
        others = [w for w in known if w != value]
        for other in self.rng.sample(others, min(3, len(others))):
            yield Corruption(label, "another", at, other)
        if NoneType in get_args(hint) and value is not None:
            yield Corruption(label, "nothing", at, None)
        if isinstance(value, str):
            yield Corruption(label, NONSENSE, at, NONSENSE)

    def _mapping(
        self, label: str, hint: Any, value: dict[str, Any], data: Json, at: str
    ) -> Iterator[Corruption]:
        keys, entries = get_args(hint) if get_args(hint) else (str, Any)
        yield from self._keys(label, keys, value, data, at)
        sample = sorted(value)
        if len(sample) > 6 and not isinstance(value[sample[0]], Struct):
            sample = self.rng.sample(sample, 6)
        for key in sample:
            yield from self._value(label, entries, value[key], data[key], at + pointer(key))

    def _keys(
        self, label: str, keys: Any, value: dict[str, Any], data: Json, at: str
    ) -> Iterator[Corruption]:
        for gone in self.rng.sample(sorted(value), min(3, len(value))):
            yield Corruption(label, "dropped", at, {k: v for k, v in data.items() if k != gone})
        like = next(iter(data.values()), 1 if label != "State.house" else NONSENSE)
        known = _vocabulary(keys) or self.words.get(label, ())
        lacking = [w for w in known if w not in value]
        for more in self.rng.sample(lacking, min(3, len(lacking))):
            yield Corruption(label, "added", at, {**data, more: 1 if isinstance(like, int) else like})
        yield Corruption(label, "a stranger", at, {**data, STRANGER: like})

    def _list(self, label: str, hint: Any, value: list[Any], data: Json, at: str) -> Iterator[Corruption]:
        entry = get_args(hint)[0] if get_args(hint) else Any
        plain, seat = _plain(entry)
        for i in self.rng.sample(range(len(value)), min(3, len(value))):
            yield Corruption(label, "dropped", at, [*data[:i], *data[i + 1 :]])
            yield Corruption(label, "twice", at, [*data, data[i]])
        for i in range(min(3, len(value) - 1)):
            yield Corruption(label, "swapped", at, [*data[:i], data[i + 1], data[i], *data[i + 2 :]])
        lacking = [w for w in (self.seats if seat else _vocabulary(plain)) if w not in value]
        for more in self.rng.sample(lacking, min(2, len(lacking))):
            yield Corruption(label, "added", at, [*data, more])
        if seat:
            yield Corruption(label, "a stranger", at, [*data, STRANGER])
        for i in range(min(len(value), 8)):
            if isinstance(value[i], Struct):
                yield from self._value(label, entry, value[i], data[i], f"{at}/{i}")

    # -- the stack and the outcome

    def _stack(self) -> Iterator[Corruption]:
        data = self.data["stack"]
        for i, frame in enumerate(self.state.stack):
            yield from self._struct(frame, data[i], f"/stack/{i}")
            yield Corruption("State.stack", "dropped", "/stack", [*data[:i], *data[i + 1 :]])
            yield Corruption("State.stack", "twice", "/stack", [*data[: i + 1], *data[i:]])
            yield Corruption("State.stack", "on top", "/stack", [*data, data[i]])
            if i:
                yield Corruption("State.stack", "cut", "/stack", data[:i])
                swapped = [*data[: i - 1], data[i], data[i - 1], *data[i + 1 :]]
                yield Corruption("State.stack", "swapped", "/stack", swapped)
        if data:
            yield Corruption("State.stack", "emptied", "/stack", [])

    def _step(self, frame: Frame, at: str) -> Iterator[Corruption]:
        steps = (*self.rules.procedures[type(frame)].index, "", FINISHED, NONSENSE)
        for step in steps:
            if step != frame.step:
                yield Corruption(f"{type(frame).__name__}.step", "another", at, step)

    def _outcome(self) -> Iterator[Corruption]:
        if self.state.outcome is None:
            seat = self.seats[0]
            ended = {"winners": [seat], "standings": [], "because": self.rules.over}
            yield Corruption("State.outcome", "added", "/outcome", ended)
        else:
            yield Corruption("State.outcome", "dropped", "/outcome", None)
            yield from self._struct(self.state.outcome, self.data["outcome"], "/outcome")


# -- types --------------------------------------------------------------------------------------------------------


def _hints(kind: type[Struct]) -> dict[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    return {name: hints[name] for name in kind.__struct_fields__}


def _plain(hint: Any) -> tuple[Any, bool]:
    """The type without its marks, and whether it names a seat."""
    seat = False
    while get_origin(hint) is Annotated:
        seat = seat or any(isinstance(m, IsSeat) for m in hint.__metadata__)
        hint = get_args(hint)[0]
    return hint, seat


def _vocabulary(hint: Any) -> tuple[Any, ...]:
    hint, _ = _plain(hint)
    if get_origin(hint) is Literal:
        return get_args(hint)
    if get_origin(hint) in (Union, UnionType):
        return tuple(w for part in get_args(hint) for w in _vocabulary(part))
    return ()


# -- pieces in two places -------------------------------------------------------------------------------------------


def doubled(
    rules: Ruleset, state: State[Any, Any], data: Json, rng: random.Random, n: int
) -> Iterator[tuple[Corruption, str, str]]:
    """Pieces that lie somewhere and are put somewhere else, too: the corruption, where they belong, the piece."""
    bags = [(at, pieces) for at, pieces, held in holdings(state.table, "/table") if isinstance(held, dict)]
    pairs = [(a, b) for a, p in bags for b, q in bags if p == q and a != b and found(data, a)]
    for at, to in rng.sample(pairs, min(n, len(pairs))):
        what, bag = rng.choice(sorted(found(data, at))), found(data, to)
        more = {**bag, what: bag.get(what, 0) + 1}
        yield Corruption("a piece", "in two places", to, more), at, what


def moved(
    state: State[Any, Any], data: Json, rng: random.Random, n: int, to: Callable[[str], bool]
) -> Iterator[tuple[str, str, Json]]:
    """A piece moved to a place for which `to` says yes: where it was, where it is, and the state."""
    bags = [(at, pieces) for at, pieces, held in holdings(state.table, "/table") if isinstance(held, dict)]
    pairs = [(a, b) for a, p in bags for b, q in bags if p == q and a != b and found(data, a) and to(b)]
    for at, there in rng.sample(pairs, min(n, len(pairs))):
        twin = deepcopy(data)
        source, target = found(twin, at), found(twin, there)
        _hand_over(rng.choice(sorted(source)), source, target)
        yield at, there, twin


def handed(state: State[Any, Any], data: Json, rng: random.Random, n: int) -> Iterator[tuple[str, str, Json]]:
    """A piece in the hands of another seat: whose place it was, whose it is now, and the state.

    It goes from one seat's place to the same place of another; now and then another piece is given in return.
    """
    places = [at for at, _, _ in holdings(state.table, "/table")]
    seats = {s.id for s in state.seats}
    pairs = [(a, b) for a in places for b in places if _neighbours(a, b, seats) and found(data, a)]
    for at, there in rng.sample(pairs, min(n, len(pairs))):
        twin = deepcopy(data)
        source, target = found(twin, at), found(twin, there)
        given = rng.choice(sorted(source))
        returned = sorted(set(target) - {given})
        _hand_over(given, source, target)
        if returned and rng.random() < 0.5:
            _hand_over(rng.choice(returned), target, source)
        yield at, there, twin


def _neighbours(a: str, b: str, seats: set[str]) -> bool:
    """Whether two places are the same but for the seat whose they are."""
    one, other = a.split("/"), b.split("/")
    differ = [{x, y} for x, y in zip(one, other, strict=False) if x != y]
    return len(one) == len(other) and len(differ) == 1 and differ[0] <= seats


def _hand_over(what: str, source: Json, target: Json) -> None:
    if isinstance(source, list):
        source.remove(what)
        target.append(what)
        return
    target[what] = target.get(what, 0) + 1
    source[what] -= 1
    if not source[what]:
        del source[what]


def found(data: Json, at: str) -> Json:
    """What lies at a JSON Pointer."""
    for step in at.split("/")[1:]:
        data = data[int(step) if isinstance(data, list) else step]
    return data


# -- is it told where it is? ------------------------------------------------------------------------------------------


def leads_to(problem: str, message: str, corrupted: str) -> bool:
    """Whether a problem is told at the corrupted place, above, below or beside it, or names it.

    Beside a frame are those right below and above it.
    """
    if corrupted in message or _within(problem, corrupted) or _within(corrupted, problem):
        return True
    one, other = problem.split("/"), corrupted.split("/")
    if one[:-1] == other[:-1]:
        return True
    frames = one[1:2] == other[1:2] == ["stack"] and len(one) > 2 and len(other) > 2
    return frames and abs(int(one[2]) - int(other[2])) <= 1


def _within(a: str, b: str) -> bool:
    return a == b or a.startswith(b + "/")
