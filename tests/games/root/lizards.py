"""A table with the Lizard Cult: its seat is `newt`, beside the Marquise and the Eyrie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.games.root.table import CAT, DUEL, OWL, Game, game

NEWT, ALLY, FOX, ROGUE = "newt", "ally", "fox", "tod"
LIZARDS, CATS, OWLS, GREENS = "cult-warrior", "marquise-warrior", "eyrie-warrior", "alliance-warrior"
FG, RG, MG = "fox-garden", "rabbit-garden", "mouse-garden"
RABBITS_LEAD = {
    "outcast": "fox",
    "lost_souls": ["bake-sale"],
}  # so that rabbits are the Outcast, and not hated


def cult_table(
    map: Mapping[str, Any] | None = None,
    at: str = "turn",
    *,
    turn: str = NEWT,
    cat: Mapping[str, Any] | None = None,
    owl: Mapping[str, Any] | None = None,
    others: Mapping[str, Mapping[str, Any]] | None = None,
    board: Mapping[str, Any] | None = None,
    **newt: Any,
) -> Game:
    """Three at the table in somebody's turn (default: the Cult's Birdsong); `newt` is what the Cult has.

    A roost stands in clearing 3, unless the map says otherwise, so that the Eyrie are not asked for one. Where ruins
    have gone, there is a Vagabond who has explored them.
    """
    if board and "ruins" in board:
        others = {ROGUE: {"faction": "vagabond"}, **(others or {})}
    seats = {
        CAT: {**DUEL[CAT], **(cat or {})},
        OWL: {**DUEL[OWL], **(owl or {})},
        NEWT: {"faction": "cult", **newt},
        **(others or {}),
    }
    return game(seats, {"3": {"roost": 1}, **(map or {})}, turn=turn, at=at, **(board or {}))


def own(g: Game) -> Any:
    """The Cult's board."""
    return g[NEWT].cult


def souls(g: Game) -> dict[str, int]:
    """The Lost Souls."""
    return dict(own(g).lost_souls)


def acolytes(g: Game) -> int:
    """How many acolytes there are."""
    return sum(own(g).acolytes.values())


def outcast(g: Game) -> tuple[str, bool]:
    """The Outcast, and whether it is Hated."""
    return own(g).outcast, own(g).hated
