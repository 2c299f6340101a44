"""Views: what one seat may know of a state. Default is to show nothing: only declared audiences are seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from service.engine.audience import BySeat, Everybody, Field, Own, Pile, fields_of
from service.engine.deck import Deck, Pool
from service.engine.state import State


def view(state: State[Any, Any], seat: str | None) -> dict[str, Any]:
    """The state as this seat (None: a spectator) may see it, plain JSON."""
    return {
        "game": state.game,
        "ruleset": state.ruleset,
        "game_id": state.game_id,
        "seat": seat,
        "options": state.options,
        "seats": msgspec.to_builtins(state.seats),
        "turn": state.turn,
        "table": seen(state.table, seat, None),
        "stack": [{"frame": f.__struct_config__.tag, **seen(f, seat, None)} for f in state.stack],
        "outcome": msgspec.to_builtins(state.outcome),
    }


def seen(thing: msgspec.Struct, seat: str | None, owner: str | None) -> dict[str, Any]:
    """The fields of a Struct that the seat may see; `owner`: the seat that it belongs to, if any."""
    shown: dict[str, Any] = {}
    for field in fields_of(type(thing)):
        value = getattr(thing, field.name)
        if isinstance(field.audience, Everybody):
            shown[field.name] = _whole(field, value, seat, owner)
        elif isinstance(field.audience, BySeat):
            shown[field.name] = _by_seat(field, value, seat)
        elif isinstance(field.audience, Own):
            _own(shown, field, value, seat, owner)
        elif isinstance(field.audience, Pile):
            shown[field.name] = _piles(value, seat, field.audience)
    return shown


def _whole(field: Field, value: Any, seat: str | None, owner: str | None) -> Any:
    if field.below is None or value is None:
        return msgspec.to_builtins(value)
    if isinstance(value, Mapping):
        return {k: seen(v, seat, owner) for k, v in value.items()}
    if isinstance(value, list):
        return [seen(v, seat, owner) for v in value]
    return seen(value, seat, owner)


def _by_seat(field: Field, value: Mapping[str, Any], seat: str | None) -> Any:
    """Typed entries decide for themselves; plain ones are the seat's alone, the others see that there is one."""
    if field.below is not None:
        return {k: seen(v, seat, k) for k, v in value.items()}
    return {k: msgspec.to_builtins(v) if k == seat else None for k, v in value.items()}


def _own(shown: dict[str, Any], field: Field, value: Any, seat: str | None, owner: str | None) -> None:
    if owner is not None and seat == owner:
        shown[field.name] = msgspec.to_builtins(value)
    elif field.audience.rest is not None:  # type: ignore[union-attr]
        shown[field.name] = field.audience.rest(value)  # type: ignore[union-attr]


def _piles(value: Any, seat: str | None, pile: Pile) -> Any:
    if isinstance(value, Mapping):
        return {k: _deck(d, seat, pile) for k, d in value.items()}
    return _deck(value, seat, pile)


def _deck(deck: Deck, seat: str | None, pile: Pile) -> dict[str, Any]:
    shown: dict[str, Any] = {"size": deck.size, "top": deck.known_by(seat)}
    if pile.members:
        shown["pools"] = [msgspec.to_builtins(s) for s in deck.segments if isinstance(s, Pool)]
    return shown
