"""Law 3, conservation: reached states have no problems, and every planted corruption has."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import inspect

from service.engine.audience import BySeat, fields_of
from service.engine.deck import Deck
from service.engine.frames import FINISHED, Ask
from service.engine.problems import holdings, problems
from service.engine.ruleset import Ruleset
from service.engine.state import State, encode
from tests.conformance.subjects import Breach, Spot, Walk

Json = Any


def law_conservation(rules: Ruleset, walks: Sequence[Walk]) -> list[Breach]:
    """Along these games no component appears, vanishes or is in two places: `problems` stays empty."""
    found: list[Breach] = []
    for w in walks:
        states = [p.state for p in w.plies] + ([w.last] if w.last is not None else [])
        for n, state in enumerate(states):
            said = _problems(rules, state)
            if said:
                before = w.plies[n - 1].action if n else "the set-up"
                found.append(Breach("conservation", f"{w.where}, ply {n}", said, f"after {before}"))
                break
    return found


def _problems(rules: Ruleset, state: State[Any, Any]) -> str:
    try:
        return "; ".join(f"{p.pointer}: {p.message}" for p in problems(rules, state))
    except Exception as fault:
        return f"problems raises {type(fault).__name__}: {fault}"


@dataclass(frozen=True)
class Corruption:
    """A way to spoil a state: what is done to which place, and how."""

    what: str
    spoil: Callable[[Json], Any]


def law_corruption(rules: Ruleset, spots: Sequence[Spot], rng: random.Random, most: int = 60) -> list[Breach]:
    """Every planted corruption is refused by the state's types or found by `problems`."""
    found: list[Breach] = []
    for spot in spots:
        planted = list(corruptions(rules, spot.state))
        data = encode(spot.state)
        for corruption in rng.sample(planted, min(most, len(planted))):
            spoiled = json.loads(data)
            corruption.spoil(spoiled)
            why = undetected(rules, spoiled)
            if why is not None:
                found.append(Breach("corruption", spot.where, f"{corruption.what}: {why}"))
    return found


def law_declared(rules: Ruleset, spots: Sequence[Spot], uncounted: Iterable[str] = ()) -> list[Breach]:
    """Whatever names a seat says so, and every piece is counted, or stale and lost ones could not be found."""
    found: dict[str, Breach] = {}
    for spot in spots:
        totals = rules.pieces_of(spot.state)
        for pointer, pieces, container in holdings(spot.state.table, "/table"):
            if pieces not in totals and pieces not in uncounted and not isinstance(container, int):
                found.setdefault(
                    pieces, Breach("corruption", spot.where, f"nobody counts the {pieces} at {pointer}")
                )
        ids = {s.id for s in spot.state.seats}
        for thing in (spot.state.table, *spot.state.stack):
            for place in _undeclared(thing, ids):
                found.setdefault(place, Breach("corruption", spot.where, f"{place} names a seat undeclared"))
    return list(found.values())


def law_bounded(rules: Ruleset) -> list[Breach]:
    """Every whole number of a state has a least and a greatest value, so that none grows out of all use."""
    found: list[Breach] = []
    for place in _boundless(inspect.type_info(rules.state_type), "State", set()):
        if not place.startswith("State/options"):  # what an option may be is the ruleset's
            found.append(Breach("corruption", rules.name, f"{place} has no bounds"))
    return found


def _boundless(info: Any, place: str, seen: set[Any]) -> Iterator[str]:
    match info:
        case inspect.IntType():
            if (info.ge is None and info.gt is None) or (info.le is None and info.lt is None):
                yield place
        case inspect.StructType() if info.cls not in seen:
            seen.add(info.cls)
            for field in info.fields:
                yield from _boundless(field.type, f"{place}/{field.name}", seen)
        case inspect.UnionType():
            for one in info.types:
                yield from _boundless(one, place, seen)
        case inspect.ListType():
            yield from _boundless(info.item_type, place, seen)
        case inspect.DictType():
            yield from _boundless(info.value_type, place, seen)
        case inspect.Metadata():
            yield from _boundless(info.type, place, seen)


def _undeclared(thing: Any, ids: set[str]) -> Iterator[str]:
    for field in fields_of(type(thing)):
        value = getattr(thing, field.name)
        if field.names_seats or value is None:
            continue
        below = list(_below(value))
        keys = set(value) if isinstance(value, Mapping) and not isinstance(field.audience, BySeat) else set()
        named = keys | {v for v in (value, *below) if isinstance(v, str)}
        if (named & ids) - _words(field.type):
            yield f"{type(thing).__name__}.{field.name}"
        for entry in below:
            if isinstance(entry, msgspec.Struct) and not isinstance(entry, Deck):
                yield from _undeclared(entry, ids)


@cache
def _words(hint: Any) -> frozenset[str]:
    """What a type names itself: a suit is no seat, even where a seat is called like it."""
    if get_origin(hint) is Literal:
        return frozenset(get_args(hint))
    return frozenset(word for part in get_args(hint) for word in _words(part))


def _below(value: Any) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    return value if isinstance(value, list) else [value]


def undetected(rules: Ruleset, data: Json) -> str | None:
    """None if the state is refused; else why that is wrong."""
    try:
        state = rules.decode(json.dumps(data).encode())
    except msgspec.ValidationError:
        return None
    try:
        return None if problems(rules, state) else "no problem was found"
    except Exception as fault:
        return f"problems raises {type(fault).__name__}: {fault}"


def corruptions(rules: Ruleset, state: State[Any, Any]) -> Iterator[Corruption]:
    """Every planted corruption of a reached state."""
    data = json.loads(encode(state))
    yield from _pieces(rules, state, data)
    yield from _seats(state)
    yield from _envelope(rules)
    yield from _stack(rules, state)


def at(data: Json, pointer: str) -> Json:
    """What lies at a JSON Pointer."""
    for step in pointer.split("/")[1:]:
        data = data[int(step) if isinstance(data, list) else step]
    return data


def _set(pointer: str, value: Callable[[Json], Json]) -> Callable[[Json], None]:
    *path, last = pointer.split("/")[1:]

    def spoil(data: Json) -> None:
        holder = at(data, "/".join(["", *path]))
        step: Any = int(last) if isinstance(holder, list) else last
        holder[step] = value(holder[step])

    return spoil


# -- pieces


def _pieces(rules: Ruleset, state: State[Any, Any], data: Json) -> Iterator[Corruption]:
    totals = rules.pieces_of(state)
    for pointer, pieces, _ in holdings(state.table, "/table"):
        if not totals.get(pieces):  # of some classes a game may have none
            continue
        piece = next(iter(sorted(totals[pieces])))
        foreign = next((w for p in totals if p != pieces for w in totals[p] if w not in totals[pieces]), "x")
        for what, change in {
            "one too many": lambda held, piece=piece: _more(held, piece),
            "one missing": _fewer,
            "a piece of another class": lambda held, foreign=foreign: _more(held, foreign),
            "none of a piece, written out": lambda held, piece=piece: _none_of(held, piece),
            "less than none of a piece": lambda held, piece=piece: _none_of(held, piece, -1),
            "an odd type": lambda held: 1.5,
        }.items():
            if change(at(data, pointer)) is not None:
                yield Corruption(f"{what} at {pointer}", _set(pointer, change))
    yield from _doubled(state, data, totals)


def _doubled(state: State[Any, Any], data: Json, totals: Mapping[str, Any]) -> Iterator[Corruption]:
    """A piece is in two places, and another one is missing for it: the sums are right, the kinds are not."""
    for pointer, pieces, _ in holdings(state.table, "/table"):
        held = at(data, pointer)
        if pieces in totals and isinstance(held, dict) and "segments" not in held and held:
            what = next(iter(held))
            other = next((w for w in totals[pieces] if w != what), None)
            if other is not None:
                yield Corruption(
                    f"{other} instead of {what} at {pointer}",
                    _set(pointer, lambda bag, a=what, b=other: _more(_less(bag, a), b)),
                )


def _more(held: Json, piece: str) -> Json:
    """The container with one more piece, by its kind; None where that has no meaning."""
    if isinstance(held, dict) and "segments" in held:
        run = {"segment": "run", "cards": [piece], "known_to": None}
        return {"segments": [run, *held["segments"]]}
    if isinstance(held, dict):
        return {**held, piece: held.get(piece, 0) + 1}
    if isinstance(held, list):
        return [*held, piece]
    return None


def _less(held: Json, piece: str) -> Json:
    return {w: n - (w == piece) for w, n in held.items() if n > (w == piece)}


def _fewer(held: Json) -> Json:
    """The container with one piece less; None if it is empty or a number."""
    if not held or isinstance(held, int | str):
        return None
    if isinstance(held, list):
        return held[1:]
    if "segments" not in held:
        return _less(held, next(iter(held)))
    if not held["segments"]:
        return None
    first, *rest = held["segments"]
    if first["segment"] == "run":
        return {"segments": [{**first, "cards": first["cards"][1:]}, *rest]}
    if first["segment"] == "blank":
        return {"segments": [{**first, "marks": first["marks"][1:]}, *rest]}
    stratum = first["strata"][0]
    members = _less(stratum["members"], next(iter(stratum["members"])))
    fewer = {**stratum, "members": members, "size": max(0, stratum["size"] - 1)}
    return {"segments": [{**first, "strata": [fewer, *first["strata"][1:]]}, *rest]}


def _none_of(held: Json, piece: str, n: int = 0) -> Json:
    if not isinstance(held, dict):
        return None
    if "segments" not in held:
        return {**held, piece: n}
    stratum = {"members": {piece: 1}, "size": 2 - n}
    return {"segments": [*held["segments"], {"segment": "pool", "strata": [stratum]}]}


# -- seats


def _seats(state: State[Any, Any]) -> Iterator[Corruption]:
    for field in fields_of(type(state.table)):
        if isinstance(field.audience, BySeat):
            held = getattr(state.table, field.name)
            for seat in held:
                gone = _set(
                    f"/table/{field.name}", lambda by, s=seat: {k: v for k, v in by.items() if k != s}
                )
                yield Corruption(f"no entry of {seat} in {field.name}", gone)
            if held:
                extra = _set(
                    f"/table/{field.name}", lambda by: {**by, "nobody-here": next(iter(by.values()))}
                )
                yield Corruption(f"an entry of a stranger in {field.name}", extra)
    for where, thing in [("/table", state.table), *((f"/stack/{i}", f) for i, f in enumerate(state.stack))]:
        for pointer, strange in _references(thing, where):
            yield Corruption(f"a stranger at {pointer}", _set(pointer, strange))
    yield Corruption("a seat twice", _set("/seats", lambda seats: [*seats[:-1], seats[0]]))
    yield Corruption("a seat named chance", _set("/seats/0/id", lambda _: "chance"))
    yield Corruption("a seat with an odd id", _set("/seats/0/id", lambda _: "Ann!"))
    yield Corruption("no seats", _set("/seats", lambda _: []))
    yield Corruption("one seat less", _set("/seats", lambda seats: seats[1:]))


def _references(thing: Any, pointer: str) -> Iterator[tuple[str, Callable[[Json], Json]]]:
    """Fields that name seats, with a change that puts a stranger there."""
    for field in fields_of(type(thing)):
        value, below = getattr(thing, field.name), f"{pointer}/{field.name}"
        if field.names_seats and isinstance(value, str):
            yield below, lambda _: "nobody-here"
        elif field.names_seats and isinstance(value, list):
            yield below, lambda named: [*named, "nobody-here"]
        elif field.names_seats and isinstance(value, Mapping):
            like = next(iter(value.values()), "x")
            yield below, lambda named, like=like: {**named, "nobody-here": like}
        elif field.below is not None and isinstance(value, Mapping):
            for key, entry in value.items():
                yield from _references(entry, f"{below}/{key}") if hasattr(entry, "__struct_fields__") else ()


def _envelope(rules: Ruleset) -> Iterator[Corruption]:
    yield Corruption("another game", _set("/game", lambda _: "another"))
    yield Corruption("another ruleset", _set("/ruleset", lambda _: "0.0"))
    yield Corruption("another schema", _set("/schema", lambda n: n + 1))
    yield Corruption("turns below none", _set("/turn", lambda _: -1))
    yield Corruption("a field that does not exist", lambda data: data.update(secret=1))
    yield Corruption("a field of the table that does not exist", lambda data: data["table"].update(secret=1))
    yield Corruption(
        "an option that does not exist", _set("/options", lambda o: {**o, "no-such-option": True})
    )
    for name in rules.options:
        yield Corruption(f"option {name} is missing", lambda data, n=name: data["options"].pop(n))
        yield Corruption(
            f"option {name} has no such value", _set(f"/options/{name}", lambda _: "no-such-value")
        )
        yield Corruption(f"option {name} is of another type", _set(f"/options/{name}", lambda v: [v]))


# -- the stack


def _stack(rules: Ruleset, state: State[Any, Any]) -> Iterator[Corruption]:
    if state.outcome is not None:
        yield Corruption("the game is over and yet it is not", lambda data: data.update(outcome=None))
        return
    top = len(state.stack) - 1
    yield Corruption("nothing left to do", lambda data: data.update(stack=[]))
    outcome = {"winners": [], "standings": [], "because": rules.over}
    yield Corruption("an outcome in mid-game", lambda data: data.update(outcome=outcome))
    for i in range(len(state.stack)):
        yield Corruption(f"no such step in frame {i}", _set(f"/stack/{i}/step", lambda _: "no-such-step"))
        yield Corruption(f"an unknown frame {i}", _set(f"/stack/{i}/frame", lambda _: "no-such-frame"))
    yield Corruption("the top has not begun", _set(f"/stack/{top}/step", lambda _: ""))
    yield Corruption("the top has finished", _set(f"/stack/{top}/step", lambda _: FINISHED))
    for step in rules.procedures[type(state.stack[top])].steps:
        if not isinstance(step, Ask):
            yield Corruption(
                f"the top waits at {step.name}", _set(f"/stack/{top}/step", lambda _, s=step.name: s)
            )
    if top:
        yield Corruption("the bottom is gone", lambda data: data["stack"].pop(0))
    for i, frame in enumerate(state.stack):
        if not any(type(frame) in rules.procedures[type(below)].may_call for below in state.stack):
            yield Corruption(
                f"frame {i} stands on the top", lambda data, i=i: data["stack"].append(data["stack"][i])
            )
    if hasattr(state.stack[top], "sealed"):
        seat = state.seats[0].id
        for what, answer in {"no such kind": {"kind": "no-such-kind"}, "no answer": None}.items():
            yield Corruption(
                f"{seat} answered in secret: {what}",
                _set(f"/stack/{top}/sealed", lambda by, s=seat, a=answer: {**by, s: a}),
            )
        yield Corruption(
            "a stranger answered in secret",
            _set(f"/stack/{top}/sealed", lambda by: {**by, "nobody-here": {"kind": "no-such-kind"}}),
        )
