"""Business that must come to its end: a tile that must be acquired or used (SIM-SCOUT-2, SIM-TILE-7, SIM-DEC-21)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.action import Action
from service.engine.frames import FINISHED
from service.engine.table import Table
from service.games.simurgh.v1.figures import DISPLAY
from service.games.simurgh.v1.state import Acquisition, TilePlacement, Turn


def pending(t: Table) -> bool:
    """Whether a tile has still to be acquired or used."""
    waits = [f for f in t.frames if isinstance(f, Acquisition | TilePlacement)]
    return any(f.step != FINISHED for f in waits)


class Endangered(Action, must_finish="SIM-PLACE-5"):
    """What could make business impossible that has begun: it is refused then."""

    def business(self, t: Table) -> Any:
        """The rest of the turn, where something has still to be done in it."""
        return t.frame(Turn) if pending(t) else None


def on_offer(t: Table) -> list[str]:
    """The display spaces with a tile, and the deck if it has one."""
    return [s for s in DISPLAY if t.board.display[s] is not None] + (["deck"] if t.board.tiles.size else [])


def covers(have: Mapping[str, int], way: Mapping[str, int]) -> bool:
    """Whether a bag is enough."""
    return all(have.get(what, 0) >= n for what, n in way.items())
