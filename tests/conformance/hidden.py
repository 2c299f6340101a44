"""What a seat cannot see, and states that it cannot tell from this one: hidden pieces change places."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

from msgspec import Struct

from service.engine.audience import BySeat, Everybody, Field, Own, Pile, fields_of
from service.engine.deck import Blank, Deck, Pool, Run, Stratum
from service.engine.flow import window
from service.engine.frames import SealedFrame
from service.engine.options import options
from service.engine.places import Path, at, changed
from service.engine.problems import problems
from service.engine.ruleset import Ruleset
from service.engine.state import State
from service.engine.table import Table
from tests.conformance.subjects import filled


@dataclass(frozen=True)
class Hidden:
    """A place of pieces that a seat does not see whole.

    `path`: the declared field; `within`: keys, segment, stratum below it; `rest`: what is seen of the field;
    `listed`: a pool whose members are shown (because everyone could work them out).
    """

    path: Path
    within: tuple[Any, ...]
    pieces: str
    rest: Callable[[Any], Any] | None
    listed: bool = False


def hidden_places(board: Struct, seat: str | None) -> list[Hidden]:
    """Every place of pieces on the board that the seat (None: a spectator) does not see whole."""
    return list(_places(board, (), seat, None, True))


def _places(thing: Struct, path: Path, seat: str | None, owner: str | None, seen: bool) -> Iterator[Hidden]:
    for field in fields_of(type(thing)):
        value, below = getattr(thing, field.name), (*path, field.name)
        if field.holds is not None:
            yield from _held(field, value, below, seat, owner, seen)
        elif field.below is not None and value is not None:
            visible = seen and isinstance(field.audience, Everybody | BySeat)
            for step, entry in _entries(value):
                mine = step[0] if step and isinstance(field.audience, BySeat) else owner
                yield from _places(entry, (*below, *step), seat, mine, visible)


def _entries(value: Any) -> Iterator[tuple[Path, Struct]]:
    if isinstance(value, Struct):
        yield (), value
    elif isinstance(value, Mapping):
        for key, entry in value.items():
            if isinstance(entry, Struct):
                yield (key,), entry


def _held(
    field: Field, value: Any, path: Path, seat: str | None, owner: str | None, seen: bool
) -> Iterator[Hidden]:
    audience, pieces = field.audience, field.holds or ""
    if seen and isinstance(audience, Everybody):
        return
    if seen and isinstance(audience, Own) and owner is not None and owner == seat:
        return
    rest = audience.rest if isinstance(audience, Own) else None
    keyed = isinstance(value, Mapping) and any(isinstance(v, Mapping | list | Deck) for v in value.values())
    for key, container in value.items() if keyed else [(None, value)]:
        within = () if key is None else (key,)
        if isinstance(container, Deck):
            yield from _deck(container, path, within, pieces, seat, audience if seen else None)
        elif container is not None and not (seen and isinstance(audience, BySeat) and key == seat):
            yield Hidden(path, within, pieces, rest)


def _deck(
    deck: Deck, path: Path, within: tuple[Any, ...], pieces: str, seat: str | None, audience: Any
) -> Iterator[Hidden]:
    """Runs that the seat does not know, and strata. A known run stays, even below one that is not known."""
    shown = isinstance(audience, Pile)
    for i, segment in enumerate(deck.segments):
        if isinstance(segment, Pool):
            for j in range(len(segment.strata)):
                yield Hidden(path, (*within, i, j), pieces, None, shown and audience.members)
        elif isinstance(segment, Blank):
            continue  # what lies face down is among the members of its stratum
        elif not shown or not (segment.known_to is None or seat in segment.known_to):
            yield Hidden(path, (*within, i), pieces, None)


# -- pieces as lists, so that they can change places


def cards_of(board: Any, place: Hidden) -> list[str]:
    """The pieces at a place, one by one."""
    return _spread(_inner(at(board, place.path), place.within))


def _inner(value: Any, within: tuple[Any, ...]) -> Any:
    for step in within:
        if isinstance(value, Deck):
            value = value.segments[step]
        elif isinstance(value, Pool):
            value = value.strata[step]
        else:
            value = value[step]
    return value


def _spread(value: Any) -> list[str]:
    if isinstance(value, Run):
        return list(value.cards)
    if isinstance(value, Stratum):
        value = value.members
    if isinstance(value, Mapping):
        return [what for what, n in sorted(value.items()) for _ in range(n)]
    if isinstance(value, list):
        return list(value)
    return [value] if isinstance(value, str) else []


def with_cards(board: Any, place: Hidden, cards: list[str]) -> Any:
    """The board with other pieces at this place."""
    return changed(board, place.path, lambda value: _put(value, place.within, cards))


def _put(value: Any, within: tuple[Any, ...], cards: list[str]) -> Any:
    if not within:
        return _gather(value, cards)
    step, rest = within[0], within[1:]
    if isinstance(value, Deck):
        return Deck([_put(s, rest, cards) if i == step else s for i, s in enumerate(value.segments)])
    if isinstance(value, Pool):
        return Pool([_put(s, rest, cards) if i == step else s for i, s in enumerate(value.strata)])
    return {k: _put(v, rest, cards) if k == step else v for k, v in value.items()}


def _gather(like: Any, cards: list[str]) -> Any:
    if isinstance(like, Run):
        return Run(cards, like.known_to)
    if isinstance(like, Stratum):
        return Stratum(_bag(cards), like.size, like.mark)
    if isinstance(like, Mapping):
        return _bag(cards)
    return cards if isinstance(like, list) else cards[0] if cards else None


def _bag(cards: list[str]) -> dict[str, int]:
    return {what: cards.count(what) for what in sorted(set(cards))}


# -- states that a seat cannot tell apart


def variants(
    rules: Ruleset,
    state: State[Any, Any],
    seat: str | None,
    rng: random.Random,
    n: int = 2,
    of_its_own: Callable[..., Iterator[State[Any, Any]]] | None = None,
) -> Iterator[State[Any, Any]]:
    """Up to `n` other states with the same pieces where everything that this seat has seen is as it was."""
    for _ in range(n):
        twin = _other_answers(rules, _redealt(rules, state, seat, rng), seat, rng)
        twin = _other_values(rules, twin, seat, rng)
        if twin is not state:
            yield twin
    if of_its_own is not None:
        yield from of_its_own(state, seat, rng)


def _redealt(rules: Ruleset, state: State[Any, Any], seat: str | None, rng: random.Random) -> State[Any, Any]:
    places = hidden_places(state.table, seat)
    by_pieces: dict[str, list[Hidden]] = {}
    for place in places:
        by_pieces.setdefault(place.pieces, []).append(place)
    groups = [g for g in by_pieces.values() if len(g) > 1]
    for _ in range(12 * len(groups)):
        board = _swapped(state.table, rng.choice(groups), rng)
        if board is not None:
            twin = copy(state)
            twin.table = board
            if not problems(rules, twin):
                state = twin
    return state


def _swapped(board: Any, group: list[Hidden], rng: random.Random) -> Any:
    """Two different pieces change places (or one moves over) if nobody can see that they did."""
    a, b = rng.sample(group, 2)
    if a.listed and b.listed:
        return None
    left, right = cards_of(board, a), cards_of(board, b)
    if not left or (not right and not _boundless(a, b)):
        return None
    i = rng.randrange(len(left))
    if right and not (_boundless(a, b) and rng.random() < 0.3):
        j = rng.randrange(len(right))
        if left[i] == right[j]:
            return None
        left[i], right[j] = right[j], left[i]
    else:
        right.append(left.pop(i))
    fresh = with_cards(with_cards(board, a, left), b, right)
    return fresh if _same_rest(board, fresh, a) and _same_rest(board, fresh, b) else None


def _boundless(a: Hidden, b: Hidden) -> bool:
    """Neither is part of a deck, whose size everyone sees, and neither shows anything."""
    return all(p.rest is None and not any(isinstance(w, int) for w in p.within) for p in (a, b))


def _same_rest(board: Any, fresh: Any, place: Hidden) -> bool:
    if place.rest is None:
        return True
    return bool(place.rest(at(board, place.path)) == place.rest(at(fresh, place.path)))


def _other_answers(
    rules: Ruleset, state: State[Any, Any], seat: str | None, rng: random.Random
) -> State[Any, Any]:
    """Sealed answers of others become other answers that they could have given."""
    frame = state.stack[-1] if state.stack else None
    if not isinstance(frame, SealedFrame):
        return state
    for other in [s for s in frame.sealed if s != seat]:
        without = _sealed(state, {s: a for s, a in frame.sealed.items() if s != other})
        t = Table(rules, without)
        w = window(t)
        kinds = [c.kind for c in w.ask.takes] if w is not None else []
        answers = [filled(t, o.act, rng) for o in options(t, other, kinds)]
        if answers:
            answer = rng.choice(answers)
            part = {k: v for k, v in answer.items() if k != "actor"}
            frame = without.stack[-1]
            state = _sealed(state, {s: part if s == other else a for s, a in state.stack[-1].sealed.items()})
    return state


def _sealed(state: State[Any, Any], sealed: dict[str, Any]) -> State[Any, Any]:
    twin, frame = copy(state), copy(state.stack[-1])
    frame.sealed = sealed
    twin.stack = [*state.stack[:-1], frame]
    return twin


def _other_values(
    rules: Ruleset, state: State[Any, Any], seat: str | None, rng: random.Random
) -> State[Any, Any]:
    """Hidden values that are no pieces (a secret aim) are exchanged between two others."""
    for field in fields_of(type(state.table)):
        if not isinstance(field.audience, BySeat) or field.holds is not None:
            continue
        others = [s.id for s in state.seats if s.id != seat]
        if len(others) < 2:
            continue
        a, b = rng.sample(others, 2)
        held = getattr(state.table, field.name)
        for path in _own_values(field, held[a]):
            twin = copy(state)
            one, two = at(held[a], path), at(held[b], path)
            twin.table = changed(state.table, (field.name, a, *path), lambda _, v=two: v)
            twin.table = changed(twin.table, (field.name, b, *path), lambda _, v=one: v)
            if one != two and not problems(rules, twin):
                state = twin
    return state


def _own_values(field: Field, entry: Any) -> Iterator[Path]:
    if field.below is None:
        yield ()
        return
    for own in fields_of(type(entry)):
        if isinstance(own.audience, Own) and own.holds is None:
            a = own.audience.rest
            if a is None:
                yield (own.name,)
