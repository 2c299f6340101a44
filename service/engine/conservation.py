"""Conservation: no piece appears, vanishes or is in two places. Fields declare what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from service.engine.audience import fields_holding
from service.engine.deck import Deck, Pool, Run
from service.engine.places import contents
from service.engine.rule import pointer
from service.engine.ruleset import Problem, Ruleset
from service.engine.state import State


def conservation_problems(rules: Ruleset, state: State[Any, Any]) -> list[Problem]:
    """Every piece of every conserved class is in exactly one place, and every container is sound."""
    totals = rules.pieces_of(state)
    return [] if balanced(state.table, totals) else list(_located(state, totals))


# -- whether anything is wrong: quick, for nearly always nothing is -------------------------------------------


def balanced(board: msgspec.Struct, totals: Mapping[str, Mapping[str, int]]) -> bool:
    """Whether the containers of the board surely hold what they must; if not, `_located` says what is wrong."""
    found: dict[str, dict[str, int]] = {pieces: {} for pieces in totals}
    return _tally(board, found) and found == totals


def _tally(thing: msgspec.Struct, found: dict[str, dict[str, int]]) -> bool:
    for field in fields_holding(type(thing)):
        value = getattr(thing, field.name)
        if field.holds is None:
            if not all(_tally(entry, found) for _, entry in structs_in("", value)):
                return False
        elif not _add(found.get(field.holds, {}), value):
            return False
    return True


def _add(count: dict[str, int], value: Any) -> bool:
    """Count what a container (or several of them) holds; False for anything that is not plainly sound."""
    if isinstance(value, dict):
        for what, n in value.items():
            if not isinstance(n, int):
                if not _add(count, n):
                    return False
            elif n > 0:
                count[what] = count.get(what, 0) + n
            else:
                return False
    elif isinstance(value, Deck):
        return not any(_deck("", value)) and _add(count, value.cards())
    elif isinstance(value, list):
        return all(_add(count, entry) for entry in value)
    elif isinstance(value, str):
        count[value] = count.get(value, 0) + 1
    return True


# -- what is wrong, and where -----------------------------------------------------------------------------------


def _located(state: State[Any, Any], totals: Mapping[str, Mapping[str, int]]) -> Iterator[Problem]:
    found: dict[str, dict[str, int]] = {pieces: {} for pieces in totals}
    for at, pieces, container in holdings(state.table, "/table"):
        bag = contents(container)
        yield from _container(at, pieces, container, bag, totals)
        if pieces in found:
            count = found[pieces]
            for what, n in bag.items():
                count[what] = count.get(what, 0) + n
    for pieces, expected in totals.items():
        if found[pieces] == expected:
            continue
        for what in sorted(expected.keys() | found[pieces].keys()):
            have, want = found[pieces].get(what, 0), expected.get(what, 0)
            if have != want:
                yield Problem("/table", f"{have} of {what} in all places together; the game has {want}")


def _container(
    at: str,
    pieces: str,
    container: Any,
    bag: Mapping[str, int],
    totals: Mapping[str, Mapping[str, int]],
) -> Iterator[Problem]:
    if isinstance(container, Deck):
        yield from _deck(at, container)
    known = totals.get(pieces)
    for what, n in bag.items():
        if n > 0 and (known is None or what in known):
            continue
        where = at + pointer(what) if isinstance(container, dict) else at
        if known is not None and what not in known:
            yield Problem(where, f"{what} is not one of the {pieces} in this game")
        if n <= 0:
            yield Problem(where, f"{n} of {what}: what is not there is left out")


def _deck(at: str, deck: Deck) -> Iterator[Problem]:
    for i, segment in enumerate(deck.segments):
        where = f"{at}/segments/{i}"
        if isinstance(segment, Run) and not segment.cards:
            yield Problem(where, "a run without cards")
        if isinstance(segment, Pool) and not segment.strata:
            yield Problem(where, "a pool without cards")
        for j, stratum in enumerate(segment.strata if isinstance(segment, Pool) else ()):
            if stratum.size > sum(stratum.members.values()):
                yield Problem(f"{where}/strata/{j}/size", "more cards than there are members")


def holdings(thing: msgspec.Struct, at: str) -> Iterator[tuple[str, str, Any]]:
    """Every container below a Struct that declares what it holds: pointer, class of piece, container."""
    for field in fields_holding(type(thing)):
        if field.holds is not None:
            yield from _held(f"{at}/{field.name}", field.holds, getattr(thing, field.name))
        else:
            for where, entry in structs_in(f"{at}/{field.name}", getattr(thing, field.name)):
                yield from holdings(entry, where)


def _held(at: str, pieces: str, value: Any) -> Iterator[tuple[str, str, Any]]:
    """A field's containers: itself, or, where it is a mapping or list of containers, those in it."""
    if isinstance(value, dict):
        if all(isinstance(n, int) for n in value.values()):
            yield at, pieces, value
            return
        for key, entry in value.items():
            yield from _held(at + pointer(key), pieces, entry)
    elif isinstance(value, list) and not all(isinstance(v, str) for v in value):
        for i, entry in enumerate(value):
            yield from _held(f"{at}/{i}", pieces, entry)
    elif isinstance(value, list | str | Deck):
        yield at, pieces, value


def structs_in(at: str, value: Any) -> Iterator[tuple[str, msgspec.Struct]]:
    """The Structs below a field's value, each with its pointer."""
    if isinstance(value, msgspec.Struct):
        yield at, value
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield from structs_in(at + pointer(key), entry)
    elif isinstance(value, list | tuple):
        for i, entry in enumerate(value):
            yield from structs_in(f"{at}/{i}", entry)
