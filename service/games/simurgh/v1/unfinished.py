"""Business that must come to its end: a tile that must be acquired or used (SIM-SCOUT-2, SIM-TILE-7, SIM-DEC-21)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from service.engine.action import Action
from service.engine.frames import FINISHED
from service.engine.table import Table
from service.games.simurgh.v1.effects import PURCHASE, Part, Special, every_part
from service.games.simurgh.v1.figures import DISPLAY, figures
from service.games.simurgh.v1.state import Acquisition, Placement, TilePlacement, Turn

WAITS = (Acquisition, TilePlacement)


def pending(t: Table) -> bool:
    """Whether a tile has still to be acquired or used, or the Scouts are still to come (SIM-SCOUT-1)."""
    for f in t.frames:
        if isinstance(f, WAITS) and f.step != FINISHED:
            return True
    rest = list(to_come(t))
    return (
        any(isinstance(part, Special) and part.name == PURCHASE for part in every_part(rest))
        if rest
        else False
    )


def to_come(t: Table, chosen: Any = None) -> Iterator[Part]:
    """The parts of the gains under way that have still to come; of one, those after the choice that is being made."""
    gain, parts_at = _gains()
    for f in t.frames:
        if isinstance(f, gain):
            yield from parts_at(t, f.source, f.branch)[f.part + (f is chosen) :]
        elif isinstance(f, Placement) and f.step in ("answer-payment", "gain"):
            yield from figures(t).effects[f.space].gain


@cache
def _gains() -> tuple[Any, Any]:
    """The actions of that module are endangered, so it needs this one first."""
    from service.games.simurgh.v1.gains import Gain, parts_at

    return Gain, parts_at


class Endangered(Action, must_finish="SIM-PLACE-5"):
    """What could make business impossible that has begun: it is refused then."""

    def business(self, t: Table) -> Any:
        """The rest of the turn, where something has still to be done in it."""
        return t.frame(Turn) if pending(t) else None


def on_offer(t: Table) -> list[str]:
    """The display spaces with a tile, and the deck if it has one."""
    return [s for s in DISPLAY if t.board.display[s] is not None] + (["deck"] if t.board.tiles.size else [])
