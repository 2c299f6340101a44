"""Problems of cards that lie face down: every blank names a stratum of its deck, which has that many cards aside."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import msgspec

from service.engine.aside import astray
from service.engine.audience import Field, Pile, fields_with_decks, reader
from service.engine.conservation import structs_below, structs_in
from service.engine.deck import Blank, Deck, Pool
from service.engine.message import say
from service.engine.rule import pointer
from service.engine.ruleset import Problem


def aside_problems(board: msgspec.Struct) -> Iterator[Problem]:
    """Cards lie face down where a field says so (`Pile.aside`), and nowhere else; the deck that it names has them."""
    if not fits(board):
        yield from askew(board)


def askew(board: msgspec.Struct) -> Iterator[Problem]:
    """What does not fit, and where."""
    rows: dict[str, list[tuple[str, Deck]]] = {}
    for at, field, deck in _decks(board, "/table"):
        audience = field.audience
        if isinstance(audience, Pile) and audience.aside is not None:
            rows.setdefault(audience.aside, []).append((at, deck))
            continue
        for i, segment in enumerate(deck.segments):
            if isinstance(segment, Blank):
                yield Problem(f"{at}/segments/{i}", say("no cards lie face down here"))
            elif (
                isinstance(segment, Pool)
                and at.count("/") > 2
                and any(s.mark is not None for s in segment.strata)
            ):
                yield Problem(f"{at}/segments/{i}", say("no card was laid aside from here"))
    for field in fields_with_decks(type(board)):
        held = getattr(board, field.name)
        if isinstance(held, Deck) and not _is_row(field):
            yield from _astray(f"/table/{field.name}", held, rows.get(field.name, []))


def fits(board: msgspec.Struct) -> bool:
    """Whether what lies face down surely is what the decks miss: quick, for it nearly always is."""
    named: dict[str, dict[int, int]] = {}
    missed: dict[str, dict[int, int]] = {}
    return _gather(board, named, missed, at_top=True) and named == missed


@cache
def _decks_of(kind: Any) -> tuple[Callable[[Any], tuple[Any, ...]], tuple[tuple[str, str | None], ...]]:
    """Reads the fields of a type that hold decks, or lie above some; their names, and for which deck they are rows."""
    fields = fields_with_decks(kind)
    rows = (f.audience.aside if isinstance(f.audience, Pile) else None for f in fields)
    return reader(fields), tuple(zip((f.name for f in fields), rows, strict=True))


def _gather(
    thing: msgspec.Struct, named: dict[str, dict[int, int]], missed: dict[str, dict[int, int]], at_top: bool
) -> bool:
    """Count by deck and mark what lies face down and what is missed; False where one of them is wrong."""
    read, known = _decks_of(type(thing))
    for value, (name, row) in zip(read(thing), known):  # noqa: B905  (`strict` takes its time)
        for entry in structs_below(value) if value else ():
            if type(entry) is not Deck:
                if not _gather(entry, named, missed, at_top=False):
                    return False
            elif row is not None:
                if not _lying(entry, named.setdefault(row, {})):
                    return False
            elif not _missing(entry, missed.setdefault(name, {}) if at_top and value is entry else None):
                return False
    for counts in (named, missed) if at_top else ():
        for name in [name for name, count in counts.items() if not count]:
            del counts[name]
    return True


def _lying(row: Deck, count: dict[int, int]) -> bool:
    """Count the blanks of a row by mark; False for a pool, which lies in no row."""
    for segment in row.segments:
        if type(segment) is Pool:
            return False
        for mark in segment.marks if type(segment) is Blank else ():
            count[mark] = count.get(mark, 0) + 1
    return True


def _missing(deck: Deck, count: dict[int, int] | None) -> bool:
    """Count what the strata of a deck miss, by mark; False for blanks, and for marks where there can be none (None)."""
    for segment in deck.segments:
        if type(segment) is Blank:
            return False
        for stratum in segment.strata if type(segment) is Pool else ():
            if stratum.mark is not None:
                if count is None or stratum.mark in count:
                    return False
                count[stratum.mark] = sum(stratum.members.values()) - stratum.size
    return True


def _is_row(field: Field) -> bool:
    return isinstance(field.audience, Pile) and field.audience.aside is not None


def _astray(at: str, deck: Deck, rows: list[tuple[str, Deck]]) -> Iterator[Problem]:
    """What the rows name and the deck does not have, and the other way round."""
    for where, row in rows:
        for i, segment in enumerate(row.segments):
            if isinstance(segment, Pool):
                yield Problem(f"{where}/segments/{i}", say("cards lie here one by one"))
    together = Deck([segment for _, row in rows for segment in row.segments])
    for mark, aside, named in astray(deck, together):
        message = say(
            "{n} cards of shuffle {mark} are laid aside, and {named} lie face down",
            n=aside,
            mark=mark,
            named=named,
        )
        yield Problem(rows[0][0] if rows and not aside else f"{at}/segments", message)


def _decks(thing: msgspec.Struct, at: str) -> Iterator[tuple[str, Field, Deck]]:
    """Every deck below a Struct, with its pointer and field."""
    for field in fields_with_decks(type(thing)):
        value = getattr(thing, field.name)
        yield from _in(f"{at}/{field.name}", field, value)


def _in(at: str, field: Field, value: Any) -> Iterator[tuple[str, Field, Deck]]:
    if isinstance(value, Deck):
        yield at, field, value
    elif isinstance(value, dict) and Deck in field.structs:
        for key, entry in value.items():
            yield from _in(at + pointer(key), field, entry)
    else:
        for where, entry in structs_in(at, value):
            yield from _decks(entry, where)
