"""A table with the Woodland Alliance: its seat is `ally`, beside the Marquise and the Eyrie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.games.root.table import CAT, DUEL, OWL, Game, game

ALLY = "ally"
CATS, OWLS, ALLIES = "marquise-warrior", "eyrie-warrior", "alliance-warrior"
FOXES, RABBITS, MICE = "fox-base", "rabbit-base", "mouse-base"


def woodland(
    map: Mapping[str, Any] | None = None,
    *,
    turn: str = ALLY,
    at: str = "turn",
    cat: Mapping[str, Any] | None = None,
    owl: Mapping[str, Any] | None = None,
    board: Mapping[str, Any] | None = None,
    **ally: Any,
) -> Game:
    """Three at the table in somebody's turn (default: the Alliance's Birdsong); `ally` is what the Alliance has.

    A roost stands in clearing 3, unless the map says otherwise, so that the Eyrie are not asked for one.
    """
    seats = {
        CAT: {**DUEL[CAT], **(cat or {})},
        OWL: {**DUEL[OWL], **(owl or {})},
        ALLY: {"faction": "alliance", **ally},
    }
    return game(seats, {"3": {"roost": 1}, **(map or {})}, turn=turn, at=at, **(board or {}))


def stack(g: Game) -> dict[str, int]:
    """The supporters."""
    return dict(g[ALLY].alliance.supporters)


def officers(g: Game) -> int:
    """How many officers there are."""
    return sum(g[ALLY].alliance.officers.values())
