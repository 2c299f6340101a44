"""Problems of cards that lie face down: every blank names a stratum of its deck, which has that many cards aside."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from service.engine.aside import astray
from service.engine.audience import Field, Pile, fields_with_decks
from service.engine.conservation import structs_below, structs_in
from service.engine.deck import Blank, Deck, Pool
from service.engine.message import say
from service.engine.rule import pointer
from service.engine.ruleset import Problem


def aside_problems(board: msgspec.Struct) -> Iterator[Problem]:
    """Cards lie face down where a field says so (`Pile.aside`), and nowhere else; the deck that it names has them."""
    if _all_drawn(board):
        return
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


def _all_drawn(thing: msgspec.Struct) -> bool:
    """Whether nothing lies face down and no deck misses it: quick, for in most games nothing ever does."""
    for field in fields_with_decks(type(thing)):
        for entry in structs_below(getattr(thing, field.name)):
            if not (all(map(_is_drawn, entry.segments)) if isinstance(entry, Deck) else _all_drawn(entry)):
                return False
    return True


def _is_drawn(segment: Any) -> bool:
    if type(segment) is Pool:
        return all(s.mark is None for s in segment.strata)
    return type(segment) is not Blank


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
