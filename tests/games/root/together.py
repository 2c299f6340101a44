"""Tables of humans who play against the Mechanical Marquise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.games.root.v1 import RULES
from tests.games.root.table import OWL, Bag, Game, game, lowest

BOT, ELK, FOX = "bot", "elk", "fox"
MECHANICAL = "mechanical-marquise"
CATS, OWLS, ELKS = "marquise-warrior", "eyrie-warrior", "alliance-warrior"
COOP, SOLO = {"mode": "cooperative"}, {"mode": "solo"}
CAMPAIGN = {**COOP, "campaign": "on", "wins": 2}
CLAIM = ["royal-claim"]  # a point for each clearing that its owner rules


def joint(
    map: Mapping[str, Bag] | None = None,
    *,
    owl: Mapping[str, Any] | None = None,
    elk: Mapping[str, Any] | None = None,
    bot: Mapping[str, Any] | None = None,
    turn: str = OWL,
    at: str = "turn",
    options: Mapping[str, Any] = COOP,
    **more: Any,
) -> Game:
    """The Eyrie (`owl`) and the Alliance (`elk`) against the bot, in somebody's turn; the Eyrie rule 3 and 6."""
    seats = {
        BOT: {"faction": MECHANICAL, "score": 6, **(bot or {})},
        OWL: {"faction": "eyrie", **(owl or {})},
        ELK: {"faction": "alliance", **(elk or {})},
    }
    here = {"3": {OWLS: 3, "roost": 1}, "6": {OWLS: 2}, "1": {"keep": 1, CATS: 2}, **(map or {})}
    return game(seats, here, turn=turn, at=at, options=options, **more)


def alone(map: Mapping[str, Bag] | None = None, *, options: Mapping[str, Any] = SOLO, **owl: Any) -> Game:
    """The Eyrie alone against the bot, at the start of their turn."""
    seats = {BOT: {"faction": MECHANICAL, "score": 6}, OWL: {"faction": "eyrie", **owl}}
    here = {"3": {OWLS: 3, "roost": 1}, "6": {OWLS: 2}, "1": {"keep": 1, CATS: 2}, **(map or {})}
    return game(seats, here, turn=OWL, at="turn", options=options)


def begun(
    *factions: str,
    kept: Mapping[str, Sequence[str]] | None = None,
    house: Mapping[str, Any] | None = None,
    position: Any = None,
    called: Mapping[str, str] | None = None,
    **options: Any,
) -> Game:
    """A game from its set-up; each seat is called like its faction, but for the bot and those in `called`."""
    names = {MECHANICAL: BOT, **(called or {})}
    seats = [
        SetupSeat(
            names.get(faction, faction),
            choice={
                "faction": faction,
                **({"kept": list(kept[faction])} if kept and faction in kept else {}),
            },
        )
        for faction in factions
    ]
    wished = Setup(seats, "test", ChanceState("given"), options, position, house or {})
    return Game(start(RULES, wished, lowest))
