"""A table with the Riverfolk Company: its seat is `otter`, beside the Marquise and the Eyrie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.games.root.table import CAT, DUEL, OWL, Game, game

OTTER, ALLY, TOD = "otter", "ally", "tod"
CATS, OWLS, ALLIES, OTTERS = "marquise-warrior", "eyrie-warrior", "alliance-warrior", "riverfolk-warrior"
FOX_POST, RABBIT_POST, MOUSE_POST = "fox-post", "rabbit-post", "mouse-post"
BOXES = ("payments", "funds", "committed")


def river(
    map: Mapping[str, Any] | None = None,
    *,
    turn: str = OTTER,
    at: str = "daylight",
    cat: Mapping[str, Any] | None = None,
    owl: Mapping[str, Any] | None = None,
    others: Mapping[str, Any] | None = None,
    board: Mapping[str, Any] | None = None,
    **otter: Any,
) -> Game:
    """Three at the table in somebody's turn (default: the Riverfolk's Daylight); `otter` is what they have.

    A roost stands in clearing 3, unless the map says otherwise, so that the Eyrie are not asked for one.
    """
    seats = {
        CAT: {**DUEL[CAT], **(cat or {})},
        OWL: {**DUEL[OWL], **(owl or {})},
        **(others or {}),
        OTTER: {"faction": "riverfolk", **otter},
    }
    return game(seats, {"3": {"roost": 1}, **(map or {})}, turn=turn, at=at, **(board or {}))


def boxes(g: Game) -> dict[str, dict[str, int]]:
    """What lies in the boxes; empty ones left out."""
    return {name: dict(found) for name in BOXES if (found := getattr(g[OTTER].riverfolk, name))}


def spaces(g: Game) -> dict[str, dict[str, int]]:
    """The warriors on the spaces of the trade posts; empty suits left out."""
    return {suit: dict(bag) for suit, bag in g[OTTER].riverfolk.spaces.items() if bag}


def hand(g: Game) -> dict[str, int]:
    """The hand that lies open."""
    return dict(g[OTTER].riverfolk.hand)
