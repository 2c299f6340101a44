"""Chance that people answer at a table of their own: who may answer it, and what may come up as far as they know.

Whoever answers sees less than the table: a card that is not on the deck any more may lie in a hand that he does not
see. So what he may name is every piece that he does not see, and only afterwards is it found that it lies elsewhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from service.engine.action import Action, ChanceAction
from service.engine.audience import BySeat, Field, Own, Pile, fields_of
from service.engine.deck import Deck, Pool
from service.engine.state import CHANCE
from service.engine.table import Table
from service.engine.windows import Window, window

Pieces = Counter[Any]


def asked_of_chance(t: Table) -> Window | None:
    """The window that waits for chance; None if none does."""
    w = window(t)
    return w if w is not None and CHANCE in w.actors else None


def answerers(t: Table, w: Window) -> frozenset[str] | None:
    """The seats that know what may come up, of which any may answer; None where it is public."""
    cls = _class(w)
    value = next(iter(sorted(cls.odds(t, w.frame), key=str)), None)
    return cls(t, w.frame, CHANCE, {cls.parameter(): value}).answered_by(t)


def answers(t: Table, w: Window, seat: str | None) -> list[Action]:
    """All that may come up as far as this seat (None: everybody) knows, in the order of the domain."""
    cls = _class(w)
    name, odds, unseen = cls.parameter(), cls.odds(t, w.frame), _unseen(t, seat)
    # Where a piece is seen wherever it lies, and for what is no piece (the side of a die), the odds are no secret.
    could = [v for v in cls.could(t, w.frame) if unseen[v] > 0 or odds.get(v, 0) > 0]
    return [cls(t, w.frame, CHANCE, {name: value}) for value in could]


def _class(w: Window) -> type[ChanceAction]:
    cls: type[ChanceAction] = w.ask.takes[0]  # type: ignore[assignment]
    return cls


def _unseen(t: Table, seat: str | None) -> Pieces:
    """How many of each piece lie where this seat (None: a spectator) does not see them."""
    unseen: Pieces = Counter()
    for counts in t.rules.pieces_of(t.state).values():
        unseen.update(counts)
    unseen.subtract(Counter(seen_pieces(t.board, seat)))
    return unseen


def seen_pieces(thing: Struct, seat: str | None, owner: str | None = None) -> Iterator[Any]:
    """Every piece, one by one, that this seat (None: a spectator) sees on a board."""
    for field in fields_of(type(thing)):
        value = getattr(thing, field.name)
        if isinstance(field.audience, Own) and not (owner is not None and owner == seat):
            continue
        if field.holds is not None:
            yield from _held(field, value, seat)
        elif field.below is not None and field.audience is not None:
            yield from _below(field, value, seat, owner)


def _below(field: Field, value: Any, seat: str | None, owner: str | None) -> Iterator[Any]:
    by_seat = isinstance(field.audience, BySeat)
    listed = value if isinstance(value, list | tuple) else [value]
    entries: Iterable[Any] = value.items() if isinstance(value, Mapping) else enumerate(listed)
    for key, entry in entries:
        if isinstance(entry, Struct):
            yield from seen_pieces(entry, seat, key if by_seat else owner)


def _held(field: Field, value: Any, seat: str | None) -> Iterator[Any]:
    audience = field.audience
    if isinstance(audience, BySeat):
        value = value.get(seat) if isinstance(value, Mapping) else None
    if audience is not None:
        yield from _spread(value, seat, isinstance(audience, Pile) and audience.members)


def _spread(value: Any, seat: str | None, members: bool) -> Iterator[Any]:
    """The pieces in a container; of a deck, the runs that a seat knows and the pools that all know."""
    if isinstance(value, Deck):
        for _, cards in value.runs_known_by(seat):
            yield from cards
        for pool in [s for s in value.segments if members and isinstance(s, Pool)]:
            for stratum in pool.strata:
                yield from _spread(stratum.members, seat, members)
    elif isinstance(value, Mapping):
        for what, held in value.items():
            yield from [what] * held if isinstance(held, int) else _spread(held, seat, members)
    elif isinstance(value, list | tuple):
        for entry in value:
            yield from _spread(entry, seat, members)
    elif value is not None:
        yield value
