"""Problems: why a posted state cannot exist. Fields declare what they hold; conservation follows from that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from service.engine.audience import BySeat, Pile, fields_of
from service.engine.deck import Deck, Pool, Run
from service.engine.flow import window
from service.engine.frames import FINISHED, SealedFrame
from service.engine.places import contents
from service.engine.ruleset import Problem, Ruleset
from service.engine.state import CHANCE, SCHEMA, State
from service.engine.table import Table


def problems(rules: Ruleset, state: State[Any, Any]) -> list[Problem]:
    """Every reason why this state cannot exist; empty when it can."""
    found = list(_envelope(rules, state)) or list(_holdings(rules, state))
    if found:
        return found
    table = Table(rules, state)
    for check in rules.checks:
        found += check(table)
    return found or list(_stack(rules, table))


def _envelope(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    if state.game != rules.game:
        yield Problem("/game", f"this is {state.game}, not {rules.game}")
    if state.ruleset != rules.version:
        yield Problem("/ruleset", f"the ruleset is {rules.version}, not {state.ruleset}")
    if state.schema != SCHEMA:
        yield Problem("/schema", f"the schema is {SCHEMA}, not {state.schema}")
    yield from _seats(rules, state)
    yield from _options(rules, state)


def _seats(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    if not rules.least_seats <= len(state.seats) <= rules.most_seats:
        yield Problem(
            "/seats", f"{len(state.seats)} seats; the game takes {rules.least_seats} to {rules.most_seats}"
        )
    ids = [s.id for s in state.seats]
    for i, seat in enumerate(ids):
        if seat == CHANCE:
            yield Problem(f"/seats/{i}/id", "the id is reserved")
        if seat in ids[:i]:
            yield Problem(f"/seats/{i}/id", f"{seat} sits here twice")
    yield from _by_seat(state.table, set(ids), "/table")
    yield from _references(state.table, set(ids), "/table")
    for i, frame in enumerate(state.stack):
        yield from _references(frame, set(ids), f"/stack/{i}")


def _references(thing: Any, ids: set[str], pointer: str) -> Iterator[Problem]:
    """Every string that names a seat names one of this table."""
    for field in fields_of(type(thing)):
        value = getattr(thing, field.name)
        at = f"{pointer}/{field.name}"
        if field.names_seats:
            named = [value] if isinstance(value, str) else list(value or ())
            for seat in named:
                if isinstance(seat, str) and seat not in ids:
                    yield Problem(at, f"nobody called {seat} sits at the table")
        elif field.below is not None and value is not None:
            for at, entry in _entries(at, value):
                yield from _references(entry, ids, at)


def _entries(pointer: str, value: Any) -> Iterator[tuple[str, msgspec.Struct]]:
    """The Structs directly below a field's value."""
    if isinstance(value, msgspec.Struct):
        yield pointer, value
        return
    for key, entry in value.items() if isinstance(value, Mapping) else enumerate(value):
        if isinstance(entry, msgspec.Struct):
            yield f"{pointer}/{key}", entry


def _by_seat(thing: msgspec.Struct, ids: set[str], pointer: str) -> Iterator[Problem]:
    """Every mapping by seat on the board has an entry for each seat and no other."""
    for field in fields_of(type(thing)):
        if isinstance(field.audience, BySeat):
            held = set(getattr(thing, field.name))
            for seat in sorted(held - ids):
                yield Problem(f"{pointer}/{field.name}/{seat}", "nobody of this id sits at the table")
            for seat in sorted(ids - held):
                yield Problem(f"{pointer}/{field.name}", f"{seat} has no entry")


def _options(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    for name, value in state.options.items():
        option = rules.options.get(name)
        if option is None:
            yield Problem(f"/options/{name}", "the game has no such option")
        elif not any(value == v and type(value) is type(v) for v in option.values):
            yield Problem(
                f"/options/{name}", f"the option takes {', '.join(map(str, option.values))}", option.rule
            )
    for name in rules.options:
        if name not in state.options:
            yield Problem("/options", f"the option {name} is missing")


def _holdings(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    """Every piece of every conserved class is in exactly one place."""
    totals = rules.pieces_of(state)
    found: dict[str, dict[str, int]] = {pieces: {} for pieces in totals}
    for pointer, pieces, container in holdings(state.table, "/table"):
        yield from _container(pointer, pieces, container, totals)
        for what, n in contents(container).items():
            if pieces in found:
                found[pieces][what] = found[pieces].get(what, 0) + n
    for pieces, expected in totals.items():
        for what in sorted(expected.keys() | found[pieces].keys()):
            have, want = found[pieces].get(what, 0), expected.get(what, 0)
            if have != want:
                yield Problem("/table", f"{have} of {what} in all places together; the game has {want}")


def _container(
    pointer: str, pieces: str, container: Any, totals: Mapping[str, Mapping[str, int]]
) -> Iterator[Problem]:
    if isinstance(container, Deck):
        yield from _deck(pointer, container)
    if isinstance(container, int):
        return
    for what, n in contents(container).items():
        if pieces in totals and what not in totals[pieces]:
            yield Problem(
                f"{pointer}/{what}" if isinstance(container, dict) else pointer,
                f"{what} is not one of the {pieces} in this game",
            )
        if n <= 0:
            yield Problem(f"{pointer}/{what}", f"{n} of {what}: what is not there is left out")


def _deck(pointer: str, deck: Deck) -> Iterator[Problem]:
    for i, segment in enumerate(deck.segments):
        at = f"{pointer}/segments/{i}"
        if isinstance(segment, Run) and not segment.cards:
            yield Problem(at, "a run without cards")
        if isinstance(segment, Pool) and not segment.strata:
            yield Problem(at, "a pool without cards")
        for j, stratum in enumerate(segment.strata if isinstance(segment, Pool) else ()):
            if stratum.size > sum(stratum.members.values()):
                yield Problem(f"{at}/strata/{j}/size", "more cards than there are members")


def holdings(thing: msgspec.Struct, pointer: str) -> Iterator[tuple[str, str, Any]]:
    """Every container below a Struct that declares what it holds: pointer, class of piece, container."""
    for field in fields_of(type(thing)):
        value = getattr(thing, field.name)
        at = f"{pointer}/{field.name}"
        if field.holds is not None:
            yield from _held(at, field.holds, value, isinstance(field.audience, Pile | BySeat))
        elif field.below is not None and value is not None:
            for below, entry in _entries(at, value):
                yield from holdings(entry, below)


def _held(pointer: str, pieces: str, value: Any, keyed: bool) -> Iterator[tuple[str, str, Any]]:
    if isinstance(value, dict) and any(isinstance(v, dict | Deck | list) for v in value.values()):
        for key, container in value.items():
            yield f"{pointer}/{key}", pieces, container
    elif value is not None and not (keyed and value == {}):
        yield pointer, pieces, value


def _stack(rules: Ruleset, t: Table) -> Iterator[Problem]:
    """The stack is one that the procedures can reach, and its top waits for somebody."""
    if t.outcome is not None:
        if t.frames:
            yield Problem("/stack", "the game is over, yet there is unfinished business")
        return
    if not t.frames:
        yield Problem("/stack", "nothing is left to do, yet the game is not over")
        return
    if rules.root is not None and type(t.frames[0]) is not rules.root:
        yield Problem("/stack/0/frame", f"a game begins with {_tag(rules.root)}")
        return
    shape = list(_shape(rules, t))
    yield from shape
    if not shape:
        yield from _top(t)


def _shape(rules: Ruleset, t: Table) -> Iterator[Problem]:
    for i, frame in enumerate(t.frames):
        procedure = rules.procedures[type(frame)]
        if frame.step not in procedure.index and not (frame.step == FINISHED and i + 1 < len(t.frames)):
            yield Problem(f"/stack/{i}/step", f"{_tag(type(frame))} has no step {frame.step}")
        if i and type(frame) not in rules.procedures[type(t.frames[i - 1])].may_call:
            yield Problem(
                f"/stack/{i}/frame", f"{_tag(type(frame))} cannot stand on {_tag(type(t.frames[i - 1]))}"
            )


def _top(t: Table) -> Iterator[Problem]:
    w = window(t)
    at = f"/stack/{len(t.frames) - 1}"
    if w is None:
        yield Problem(f"{at}/step", "the top of the stack waits for nobody")
    elif not w.actors:
        yield Problem(at, "nobody has to decide here")
    elif isinstance(w.frame, SealedFrame) and w.frame.sealed:
        yield from _sealed(t, w.frame, at)


def _sealed(t: Table, frame: SealedFrame, at: str) -> Iterator[Problem]:
    from service.engine.judge import examine

    w = window(t)
    assert w is not None
    asked = w.ask.who(t, frame)
    for seat, wire in frame.sealed.items():
        cls = next((c for c in w.ask.takes if isinstance(wire, dict) and c.kind == wire.get("kind")), None)
        if cls is None or seat not in (asked or ()) or examine(t, cls, frame, seat, wire)[1]:
            yield Problem(f"{at}/sealed/{seat}", "this answer could not have been given")


def _tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)
