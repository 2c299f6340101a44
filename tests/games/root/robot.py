"""The Mechanical Marquise in tests: its board, and turns whose orders the test turns up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.aside import laid_aside
from service.games.root.v1.mechanical import MECHANICAL

BOT, OWL, FOX, ELK = "cat", "owl", "fox", "elk"
HOLD: Mapping[str, Mapping[str, Any]] = {"eyrie": {"hand": ["cobbler"]}}
W, OWLS, FOLK = "marquise-warrior", "eyrie-warrior", "alliance-warrior"


OPTIONS = ("mode", "options", "house", "order", "ruins", "discard", "box", "scorched")


def hold_mechanical(player: Any, held: Mapping[str, Any]) -> None:
    """Its corner."""
    player.mechanical_marquise.keep = held.get("keep", "1")


def lay_orders(board: Any, seats: Mapping[str, Mapping[str, Any]]) -> None:
    """Its orders come off the deck, face down; the keep stands in the corner that its board names."""
    for seat, held in seats.items():
        if held["faction"] != MECHANICAL:
            continue
        own = board.seats[seat].mechanical_marquise
        corners = [c for c, here in board.map.items() if "keep" in here]
        own.keep = corners[0] if corners else own.keep
        for _ in range(held.get("orders", 5)):
            board.deck, own.row = laid_aside(board.deck, own.row)


def against(*others: str, **more: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The seats of a game of the Mechanical Marquise against these factions; `more`: what seats have besides.

    The Eyrie hold a card, so that their turn begins with a decision.
    """
    names = (OWL, FOX, ELK, "hen", "otter")
    seats: dict[str, dict[str, Any]] = {BOT: {"faction": MECHANICAL}}
    seats.update({s: {"faction": f, **HOLD.get(f, {})} for s, f in zip(names, others, strict=False)})
    return {s: {**h, **more.get(s, {})} for s, h in seats.items()}


def robot(map: Mapping[str, Mapping[str, int]], *others: str, at: str = "turn", **more: Any) -> Any:
    """A game in the turn of the Mechanical Marquise (default: at its beginning), against the Eyrie or these others."""
    from tests.games.root.table import game

    options = {k: more.pop(k) for k in OPTIONS if k in more}
    return game(against(*(others or ("eyrie",)), **more), map, turn=BOT, at=at, **options)


def orders(g: Any, *cards: str) -> Any:
    """These orders are turned up, one after the other; the events are those of all of them."""
    events = []
    for card in cards:
        g.play("chance", "turn-up-order", card=card)
        events += g.events
    g.events = events
    return g


def row(g: Any) -> int:
    """How many orders lie in the row."""
    return int(g[BOT].mechanical_marquise.row.size)
