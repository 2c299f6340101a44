"""Problems: why a posted state cannot exist. Fields declare what they hold; conservation follows from that.

The search is total: whatever decodes is answered, and what the rules themselves cannot read is a problem, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from service.engine.audience import BySeat, Field, fields_naming, fields_of
from service.engine.conservation import conservation_problems, holdings, structs_in
from service.engine.rule import pointer
from service.engine.ruleset import Problem, Ruleset
from service.engine.stack import stack_problems
from service.engine.state import CHANCE, SCHEMA, State
from service.engine.table import Table

__all__ = ["board_problems", "holdings", "problems", "readable"]


def problems(rules: Ruleset, state: State[Any, Any]) -> list[Problem]:
    """Every reason why this state cannot exist; empty when it can."""
    return board_problems(rules, state) or readable(
        "/stack", lambda: stack_problems(rules, Table(rules, state))
    )


def board_problems(rules: Ruleset, state: State[Any, Any]) -> list[Problem]:
    """The problems of all but the stack, so that a position can be looked at before the game goes on from it.

    Each part is looked at only when the parts before it are sound, because it reads them.
    """
    found = list(_envelope(rules, state)) or readable("/table", lambda: conservation_problems(rules, state))
    if found:
        return found
    table = Table(rules, state)
    for check in rules.checks:
        found += readable("/table", partial(check, table))
    return found


def readable(at: str, look: Callable[[], Iterable[Problem]]) -> list[Problem]:
    """What a search finds; rules that cannot even read a state have found a problem of it."""
    try:
        return list(look())
    except Exception as fault:
        return [Problem(at, f"the rules cannot read this: {type(fault).__name__} {fault}")]


# -- the envelope -------------------------------------------------------------------------------------------------


def _envelope(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    if state.game != rules.game:
        yield Problem("/game", f"this is {rules.game}, not {state.game}")
    if state.ruleset != rules.version:
        yield Problem("/ruleset", f"the ruleset is {rules.version}, not {state.ruleset}")
    if state.schema != SCHEMA:
        yield Problem("/schema", f"the schema is {SCHEMA}, not {state.schema}")
    yield from _seats(rules, state)
    yield from _options(rules, state)
    yield from _outcome(rules, state)


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
    known = set(ids)
    yield from _every_seat(state.table, ids)
    yield from _references(state.table, known, "/table")
    for i, frame in enumerate(state.stack):
        yield from _references(frame, known, f"/stack/{i}")


def _every_seat(board: Any, ids: list[str]) -> Iterator[Problem]:
    """Every mapping by seat on the board has an entry for each seat."""
    for field in fields_of(type(board)):
        if isinstance(field.audience, BySeat):
            held = getattr(board, field.name)
            for seat in ids:
                if seat not in held:
                    yield Problem(f"/table/{field.name}", f"{seat} has no entry")


def _references(thing: Any, ids: set[str], at: str) -> Iterator[Problem]:
    """Every string that names a seat, and every key of a mapping by seat, names one of this table."""
    for field in fields_naming(type(thing)):
        value = getattr(thing, field.name)
        for where, seat in _names(field, f"{at}/{field.name}", value):
            if seat not in ids:
                yield Problem(where, f"nobody called {seat} sits at the table")
        if field.below is not None:
            for where, entry in structs_in(f"{at}/{field.name}", value):
                yield from _references(entry, ids, where)


def _names(field: Field, at: str, value: Any) -> Iterator[tuple[str, str]]:
    if field.references is not None:
        yield from field.references(at, value)
    elif isinstance(field.audience, BySeat):
        yield from ((at + pointer(seat), seat) for seat in value)


def _options(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    for name, value in state.options.items():
        at = "/options" + pointer(name)
        option = rules.options.get(name)
        if option is None:
            yield Problem(at, "the game has no such option")
        elif not option.takes(value):
            yield Problem(at, f"the option takes {', '.join(map(str, option.values))}", option.rule)
    for name in rules.options:
        if name not in state.options:
            yield Problem("/options", f"the option {name} is missing")


def _outcome(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    if state.outcome is None:
        return
    ids = [s.id for s in state.seats]
    if state.outcome.because not in rules.book.rules:
        yield Problem("/outcome/because", f"the rulebook has no clause {state.outcome.because}")
    for i, seat in enumerate(state.outcome.winners):
        if seat not in ids:
            yield Problem(f"/outcome/winners/{i}", f"nobody called {seat} sits at the table")
    for i, standing in enumerate(state.outcome.standings):
        if standing.seat not in ids:
            yield Problem(f"/outcome/standings/{i}/seat", f"nobody called {standing.seat} sits at the table")
