"""Views: what one seat may know of a state. Default is to show nothing: only declared audiences are seen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import to_builtins

from service.engine.audience import BySeat, Everybody, Field, Own, Pile, fields_of
from service.engine.deck import Deck, Pool
from service.engine.state import State, told_id


def view(state: State[Any, Any], seat: str | None) -> dict[str, Any]:
    """The state as this seat (None: a spectator) may see it, plain JSON."""
    return {
        "game": state.game,
        "ruleset": state.ruleset,
        "game_id": told_id(state),
        "provenance": state.provenance,
        "seat": seat,
        "options": dict(state.options),
        "house": dict(state.house),
        "seats": to_builtins(state.seats),
        "turn": state.turn,
        "table": seen(state.table, seat, None),
        "stack": [seen(f, seat, None) for f in state.stack],
        "outcome": to_builtins(state.outcome),
    }


def seen(thing: msgspec.Struct, seat: str | None, owner: str | None) -> dict[str, Any]:
    """The fields of a Struct that the seat may see (and its tag); `owner`: the seat that it belongs to, if any."""
    tag, fields = _fields_seen(type(thing))
    shown = tag.copy()
    for name, field, open_to_all in fields:
        value = getattr(thing, name)
        if open_to_all:  # most are, and most of those hold a number or a word
            shown[name] = value if type(value) in PLAIN else to_builtins(value)
            continue
        audience = field.audience
        if isinstance(audience, Everybody):
            shown[name] = _inside(value, seat, owner)
        elif isinstance(audience, BySeat):
            shown[name] = _by_seat(field, value, seat)
        elif isinstance(audience, Own):
            if owner is not None and seat == owner:
                shown[name] = to_builtins(value) if field.below is None else _inside(value, seat, owner)
            elif audience.rest is not None:
                shown[name] = audience.rest(value)
        elif isinstance(audience, Pile):
            shown[name] = _piles(value, seat, audience)
    return shown


PLAIN = frozenset({str, int, bool, type(None)})


@cache
def _fields_seen(kind: Any) -> tuple[dict[str, Any], tuple[tuple[str, Field, bool], ...]]:
    """The tag of a Struct type, if it has one, and its fields that somebody may see, by name; whether every seat sees
    all of a field, so that nothing in it decides for itself."""
    config = kind.__struct_config__
    tag = {config.tag_field: config.tag} if config.tag_field is not None else {}
    seen_by_some = [f for f in fields_of(kind) if f.audience is not None]
    return tag, tuple(
        (f.name, f, isinstance(f.audience, Everybody) and f.below is None) for f in seen_by_some
    )


def _inside(value: Any, seat: str | None, owner: str | None) -> Any:
    """A value in full; the Structs in it still decide for themselves."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Deck):
        return _deck(value, seat, Pile())
    if isinstance(value, msgspec.Struct):
        return seen(value, seat, owner)
    if isinstance(value, Mapping):
        return {key: _inside(entry, seat, owner) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_inside(entry, seat, owner) for entry in value]
    return to_builtins(value)


def _by_seat(field: Field, value: Mapping[str, Any], seat: str | None) -> Any:
    """Typed entries decide for themselves; of plain ones, which are the seat's alone, others see that they exist."""
    if field.below is not None:
        return {key: _inside(entry, seat, key) for key, entry in value.items()}
    return {key: to_builtins(entry) if key == seat else None for key, entry in value.items()}


def _piles(value: Any, seat: str | None, pile: Pile) -> Any:
    if isinstance(value, Deck):
        return _deck(value, seat, pile)
    if isinstance(value, Mapping):
        return {key: _piles(entry, seat, pile) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_piles(entry, seat, pile) for entry in value]
    return None


def _deck(deck: Deck, seat: str | None, pile: Pile) -> dict[str, Any]:
    """`{"size", "top": what the seat knows from the top, "known"?: deeper runs, "pools"?}`."""
    runs = deck.runs_known_by(seat)
    shown: dict[str, Any] = {"size": deck.size, "top": []}
    for above, cards in runs:
        if above:
            shown.setdefault("known", []).append({"above": above, "cards": cards})
        else:
            shown["top"] = cards
    if pile.members:
        shown["pools"] = [to_builtins(s) for s in deck.segments if isinstance(s, Pool)]
    return shown
