"""Conservation: no piece appears, vanishes or is in two places. Fields declare what they hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import msgspec

from service.engine.audience import fields_holding, reader
from service.engine.deck import Blank, Deck, Pool, Run
from service.engine.message import say
from service.engine.places import Bag, contents
from service.engine.rule import pointer
from service.engine.ruleset import Problem, Ruleset
from service.engine.state import State

Totals = Mapping[str, Mapping[str, int]]
SHOWN = 12  # so many places of a piece are named


def conservation_problems(rules: Ruleset, state: State[Any, Any]) -> Iterator[Problem]:
    """Every piece of every conserved class is in exactly one place, and every container is sound."""
    totals = rules.pieces_of(state)
    if not balanced(state.table, totals):
        yield from _located(state, totals)


# -- whether anything is wrong: quick, for nearly always nothing is -------------------------------------------


def balanced(board: msgspec.Struct, totals: Totals) -> bool:
    """Whether the containers of the board surely hold what they must; if not, `_located` says what is wrong."""
    bags: defaultdict[str, list[Bag]] = defaultdict(list)
    if not _gather(board, bags):
        return False
    classes = totals.keys() | bags.keys()
    return all(_is_all(totals.get(pieces), bags[pieces]) for pieces in classes)


def _is_all(total: Bag | None, bags: list[Bag]) -> bool:
    """Whether these bags together are just so much; None: of a class of which nobody says how much there is."""
    if total is None:
        return all(n > 0 for bag in bags for n in bag.values())
    left = dict(total)
    try:
        for bag in bags:
            for what, n in bag.items():
                if n <= 0:
                    return False
                left[what] -= n
    except KeyError:  # a piece that is none of the game's
        return False
    return not any(left.values())


Reader = Callable[[Any], tuple[Any, ...]]


@cache
def _holding(kind: Any) -> tuple[Reader, tuple[tuple[str, int], ...], Reader]:
    """Reads the fields that hold pieces, which (class, and how deep the bags lie), and the fields above others."""
    fields = fields_holding(kind)
    own = tuple(f for f in fields if f.holds is not None)
    above = tuple(f for f in fields if f.holds is None)
    return reader(own), tuple((str(f.holds), f.bags) for f in own), reader(above)


def _gather(thing: msgspec.Struct, bags: defaultdict[str, list[Bag]]) -> bool:
    """Gather what the containers below a Struct hold, as bags; False for a deck that is not plainly sound."""
    read, known, above = _holding(type(thing))
    for value, (pieces, depth) in zip(read(thing), known):  # noqa: B905  (`strict` takes its time)
        if not value:  # nothing is in it
            continue
        if depth == 1:
            bags[pieces].append(value)
        elif depth:
            bags[pieces] += value.values()
        elif not _unpack(value, bags[pieces]):
            return False
    for value in filter(None, above(thing)):
        for entry in structs_below(value):
            if not _gather(entry, bags):
                return False
    return True


def _unpack(value: Any, bags: list[Bag]) -> bool:
    """What a container (or several of them) of any kind holds, as bags."""
    if isinstance(value, str):
        bags.append({value: 1})
    elif isinstance(value, Deck):
        return all(_unpack_segment(segment, bags) for segment in value.segments)
    elif isinstance(value, list):
        return all(_unpack(entry, bags) for entry in value)
    elif isinstance(value, dict):
        counts = {what: n for what, n in value.items() if type(n) is int}
        if counts:
            bags.append(counts)
        return all(_unpack(entry, bags) for what, entry in value.items() if what not in counts and entry)
    return True


def _unpack_segment(segment: Run | Pool | Blank, bags: list[Bag]) -> bool:
    """The cards of a part of a deck, as bags; False for one that is empty or holds less than it should."""
    if isinstance(segment, Blank):
        return bool(segment.marks)
    if isinstance(segment, Run):
        return bool(segment.cards) and _unpack(segment.cards, bags)
    for stratum in segment.strata:
        if not stratum.members or stratum.size > sum(stratum.members.values()):
            return False
        bags.append(stratum.members)
    return bool(segment.strata)


def structs_below(value: Any) -> Iterable[msgspec.Struct]:
    """The Structs below a field's value."""
    kind = type(value)
    if kind is not dict and kind is not list:  # whether it is a Struct takes longer to ask
        return (value,) if isinstance(value, msgspec.Struct) else _structs_in_any(value)
    entries = list(value.values()) if kind is dict else value
    for entry in entries:
        if not isinstance(entry, msgspec.Struct):
            return _structs_in_any(entries)
    return entries


def _structs_in_any(value: Any) -> list[msgspec.Struct]:
    found: list[msgspec.Struct] = []
    entries = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for entry in entries:
        found += structs_below(entry)
    return found


# -- what is wrong, and where -----------------------------------------------------------------------------------


class _Places:
    """Where the pieces of one class lie: `{piece: [(pointer, how many)]}`; `home`: the field that is nobody's own."""

    def __init__(self) -> None:
        self.of: dict[str, list[tuple[str, int]]] = {}
        self.home, self.depth = "/table", 99

    def add(self, at: str, container: Any) -> None:
        if at.count("/") < self.depth:
            self.depth, self.home = at.count("/"), "/".join(at.split("/")[:3])
        for where, what, n in _pieces(at, container):
            self.of.setdefault(what, []).append((where, n))


def _located(state: State[Any, Any], totals: Totals) -> Iterator[Problem]:
    found = {pieces: _Places() for pieces in totals}
    for at, pieces, container in holdings(state.table, "/table"):
        yield from _container(at, pieces, container, totals)
        if pieces in found:
            found[pieces].add(at, container)
    for pieces, expected in totals.items():
        for what in sorted(expected):
            yield from _unbalanced(what, found[pieces], expected[what])


def _unbalanced(what: str, places: _Places, want: int) -> Iterator[Problem]:
    """One problem a piece, at the place that holds most of it, which is the likeliest to be wrong."""
    held = places.of.get(what, [])
    have = sum(n for _, n in held)
    if have == want:
        return
    if not held:
        yield Problem(
            places.home, say("there is no {what} anywhere; the game has {want}", what=what, want=want)
        )
        return
    at = max(held, key=lambda place: place[1])[0]
    listed = ", ".join(f"{where}: {n}" for where, n in held[:SHOWN]) + (", …" if held[SHOWN:] else "")
    facts = {"have": have, "what": what, "want": want, "listed": listed}
    yield Problem(at, say("{have} of {what} in all places together ({listed}); the game has {want}", **facts))


def _pieces(at: str, container: Any) -> Iterator[tuple[str, str, int]]:
    """What a container holds, each kind with its own pointer: pointer, piece, how many."""
    if isinstance(container, Deck):
        for i, segment in enumerate(container.segments):
            yield from _segment(f"{at}/segments/{i}", segment)
    else:
        keyed = isinstance(container, Mapping)
        for what, n in contents(container).items():
            yield (at + pointer(what) if keyed else at), what, n


def _segment(at: str, segment: Run | Pool | Blank) -> Iterator[tuple[str, str, int]]:
    if isinstance(segment, Blank):
        return  # what lies face down counts where it came from
    if isinstance(segment, Run):
        yield from ((f"{at}/cards/{i}", card, 1) for i, card in enumerate(segment.cards))
        return
    for j, stratum in enumerate(segment.strata):
        for card, n in stratum.members.items():
            yield f"{at}/strata/{j}/members{pointer(card)}", card, n


def _container(at: str, pieces: str, container: Any, totals: Totals) -> Iterator[Problem]:
    if isinstance(container, Deck):
        yield from _deck(at, container)
    known = totals.get(pieces)
    for where, what, n in _pieces(at, container):
        if known is not None and what not in known:
            message = say("{what} is not one of the pieces of this kind: {pieces}", what=what, pieces=pieces)
            yield Problem(where, message)
        if n <= 0:
            yield Problem(where, say("{n} of {what}: what is not there is left out", n=n, what=what))


def _deck(at: str, deck: Deck) -> Iterator[Problem]:
    for i, segment in enumerate(deck.segments):
        where = f"{at}/segments/{i}"
        if isinstance(segment, Run) and not segment.cards:
            yield Problem(where, say("a run without cards"))
        if isinstance(segment, Blank) and not segment.marks:
            yield Problem(where, say("a blank without cards"))
        if isinstance(segment, Pool) and not segment.strata:
            yield Problem(where, say("a pool without cards"))
        for j, stratum in enumerate(segment.strata if isinstance(segment, Pool) else ()):
            held = sum(stratum.members.values())
            if not held:
                yield Problem(f"{where}/strata/{j}", say("a stratum without cards"))
            if stratum.size > held:
                message = say("{size} cards of {held} members", size=stratum.size, held=held)
                yield Problem(f"{where}/strata/{j}/size", message)


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
