"""Problems of what every state has, whatever the game: seats, references to them, options, chance, the outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec

from service.engine.audience import BySeat, Field, Refs, fields_distinct, fields_naming, fields_of, reader
from service.engine.conservation import structs_below, structs_in
from service.engine.deck import Deck, Run
from service.engine.message import say
from service.engine.rule import pointer
from service.engine.ruleset import Problem, Ruleset
from service.engine.state import CHANCE, MOST_TURNS, SCHEMA, ChanceState, State


def crowded(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    """Entries for more seats than the game takes: such a state is not looked through."""
    most = max(rules.most_seats, len(state.seats))
    for name in _by_seat(state.table):
        if (n := len(getattr(state.table, name))) > most:
            message = say("entries for {n} seats; at most {most} sit at the table", n=n, most=most)
            yield Problem(f"/table/{name}", message)
    if len(state.seats) > rules.most_seats:
        yield _number_of_seats(rules, state)


def envelope_problems(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    """What can be said without looking at the table."""
    for name, wanted, given in (
        ("game", rules.game, state.game),
        ("ruleset", rules.version, state.ruleset),
        ("schema", SCHEMA, state.schema),
    ):
        if given != wanted:
            yield Problem(
                f"/{name}", say("the {name} is {wanted}, not {given}", name=name, wanted=wanted, given=given)
            )
    for name, n in (("turn", state.turn), ("chance/next_draw", state.chance.next_draw)):
        if n >= MOST_TURNS:
            yield Problem(f"/{name}", say("no game goes on for {n} of these", n=n))
    yield from _options(rules, state)
    yield from _chance(state.chance)
    yield from _outcome(rules, state)


# -- seats --------------------------------------------------------------------------------------------------------


def _number_of_seats(rules: Ruleset, state: State[Any, Any]) -> Problem:
    facts = {"n": len(state.seats), "least": rules.least_seats, "most": rules.most_seats}
    return Problem("/seats", say("{n} seats; the game takes {least} to {most}", **facts))


def seat_problems(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    """Seats that cannot be, and whatever names a seat that is not there or names one twice."""
    if len(state.seats) < rules.least_seats:
        yield _number_of_seats(rules, state)
    known: set[str] = set()
    for i, seat in enumerate(state.seats):
        if seat.id == CHANCE:
            yield Problem(f"/seats/{i}/id", say("the id {seat} is reserved", seat=seat.id))
        if seat.id in known:
            yield Problem(f"/seats/{i}/id", say("{seat} sits here twice", seat=seat.id))
        if seat.automated and rules.prudent is None:
            yield Problem(f"/seats/{i}/automated", say("nobody can play this game for a seat"))
        known.add(seat.id)
    yield from _every_seat(state.table, [s.id for s in state.seats])
    if doubtful(state.table, known):
        yield from _names_in(state.table, known, "/table")
    for i, frame in enumerate(state.stack):
        if doubtful(frame, known):
            yield from _names_in(frame, known, f"/stack/{i}")


def _every_seat(board: Any, ids: list[str]) -> Iterator[Problem]:
    """Every mapping by seat on the board has an entry for each seat."""
    for name in _by_seat(board):
        held = getattr(board, name)
        for seat in ids:
            if seat not in held:
                yield Problem(f"/table/{name}", say("{seat} has no entry", seat=seat))


def _by_seat(board: msgspec.Struct) -> tuple[str, ...]:
    """The fields of a board that are mappings by seat."""
    return _keyed_by_seat(type(board))


@cache
def _keyed_by_seat(kind: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields_of(kind) if isinstance(f.audience, BySeat))


@dataclass(frozen=True, slots=True)
class _Names:
    """What is looked at of a field: seats that it names, if its keys do, if each once; and what lies below."""

    references: Refs | None
    by_seat: bool
    distinct: bool
    below: bool


@cache
def _naming(kind: Any) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[_Names, ...]]:
    """Reads the fields of a type that name seats, or nothing twice, or have such fields below them."""
    fields = tuple(dict.fromkeys((*fields_naming(kind), *fields_distinct(kind))))
    return reader(fields), tuple(
        _Names(f.references, isinstance(f.audience, BySeat), f.distinct is not None, bool(f.structs))
        for f in fields
    )


def doubtful(thing: msgspec.Struct, ids: set[str]) -> bool:
    """Whether something may name a seat that is not there, or name something twice: quick, for nearly always none does.

    What is found is then told by the searches that go into everything.
    """
    if type(thing) is Deck:  # only those who know a run are named
        runs = [segment for segment in thing.segments if type(segment) is Run]
        return bool(runs) and any(doubtful(run, ids) for run in runs)
    read, names = _naming(type(thing))
    values = read(thing)
    if not any(values):
        return False
    for value, name in zip(values, names):  # noqa: B905  (as many names as values; `strict` takes its time)
        if not value:
            continue
        if name.references is not None:
            if not _all_seats(value, ids) and any(s not in ids for _, s in name.references("", value)):
                return True
        elif name.by_seat and not value.keys() <= ids:
            return True
        if name.distinct and isinstance(value, list) and len(set(value)) != len(value):
            return True
        if name.below:
            for entry in structs_below(value):
                if doubtful(entry, ids):
                    return True
    return False


def _names_in(thing: msgspec.Struct, ids: set[str], at: str) -> Iterator[Problem]:
    yield from _references(thing, ids, at)
    yield from repeated(thing, at)


def _all_seats(value: Any, ids: set[str]) -> bool:
    """Whether a value is a seat or a list of seats of this table, so that it need not be taken apart."""
    if type(value) is str:
        return value in ids
    try:
        return type(value) is list and ids.issuperset(value)
    except TypeError:  # lists of something else
        return False


def _references(thing: msgspec.Struct, ids: set[str], at: str) -> Iterator[Problem]:
    """Every string that names a seat, and every key of a mapping by seat, names one of this table."""
    for field in fields_naming(type(thing)):
        value = getattr(thing, field.name)
        for where, seat in _names(field, f"{at}/{field.name}", value):
            if seat not in ids:
                yield Problem(where, say("nobody called {seat} sits at the table", seat=seat))
        if field.below is not None:
            for where, entry in structs_in(f"{at}/{field.name}", value):
                yield from _references(entry, ids, where)


def _names(field: Field, at: str, value: Any) -> Iterator[tuple[str, str]]:
    if field.references is not None:
        yield from field.references(at, value)
    elif isinstance(field.audience, BySeat):
        yield from ((at + pointer(seat), seat) for seat in value)


def repeated(thing: msgspec.Struct, at: str) -> Iterator[Problem]:
    """Lists that say that they name nothing twice."""
    for field in fields_distinct(type(thing)):
        value = getattr(thing, field.name)
        if field.distinct is None:
            for where, entry in structs_in(f"{at}/{field.name}", value):
                yield from repeated(entry, where)
        elif isinstance(value, list) and len(set(value)) != len(value):
            seen: set[Any] = set()
            for i, what in enumerate(value):
                if what in seen:
                    message = say("{what} stands here twice", what=what)
                    yield Problem(f"{at}/{field.name}/{i}", message, field.distinct.rule)
                seen.add(what)


# -- options, chance, outcome ---------------------------------------------------------------------------------------


def _options(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    for name, value in state.options.items():
        at = "/options" + pointer(name)
        option = rules.options.get(name)
        if option is None:
            yield Problem(at, say("the game has no such option"))
        elif not option.takes(value):
            values = ", ".join(map(str, option.values))
            yield Problem(at, say("the option takes {values}", values=values), option.rule)
    for name in rules.options:
        if name not in state.options:
            yield Problem("/options", say("the option {name} is missing", name=name))


def _chance(chance: ChanceState) -> Iterator[Problem]:
    """Where the client answers for chance, nothing is promised or counted; a promise names its key."""
    if chance.mode == "given":
        for name in ("key_id", "commitment", "client_seed", "next_draw"):
            if getattr(chance, name):
                yield Problem(
                    f"/chance/{name}",
                    say("in mode given the service draws nothing, so there is no {name}", name=name),
                )
    elif bool(chance.key_id) != bool(chance.commitment):
        lacking = "commitment" if chance.key_id else "key_id"
        yield Problem(f"/chance/{lacking}", say("a game has both a key_id and a commitment, or neither"))


def _outcome(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    if state.outcome is None:
        return
    ids = [s.id for s in state.seats]
    if state.outcome.because not in rules.book.rules:
        clause = state.outcome.because
        yield Problem("/outcome/because", say("the rulebook has no clause {clause}", clause=clause))
    yield from _listed("/outcome/winners", "", state.outcome.winners, ids)
    standings = state.outcome.standings
    yield from _listed("/outcome/standings", "/seat", [s.seat for s in standings], ids)
    for seat in ids if standings else ():
        if all(s.seat != seat for s in standings):
            yield Problem("/outcome/standings", say("{seat} has no entry", seat=seat))


def _listed(at: str, below: str, named: list[str], ids: list[str]) -> Iterator[Problem]:
    """Seats of this table, each once."""
    seen: set[str] = set()
    for i, seat in enumerate(named):
        if seat not in ids:
            yield Problem(f"{at}/{i}{below}", say("nobody called {seat} sits at the table", seat=seat))
        elif seat in seen:
            yield Problem(f"{at}/{i}{below}", say("{what} stands here twice", what=seat))
        seen.add(seat)
