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


def due(t: Table) -> dict[str, str]:
    """What has begun and must be finished, by its clause: a tile that is laid, the space of the Scouts.

    The Scouts are due as well while what they give first still comes (SIM-SCOUT-1).
    """
    found: dict[str, str] = {}
    place = ""
    for f in t.frames:
        if isinstance(f, TilePlacement) and f.step != FINISHED:
            found["SIM-TILE-8"] = f.tile
        elif isinstance(f, Placement):
            place = f.space
        elif isinstance(f, Acquisition) and f.step != FINISHED:
            found["SIM-SCOUT-6"] = place
    if place and any(isinstance(x, Special) and x.name == PURCHASE for x in every_part(list(to_come(t)))):
        found["SIM-SCOUT-6"] = place
    return found


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
        return t.frame(Turn) if due(t) else None

    def unfinished(self, t: Table) -> dict[str, dict[str, Any]]:
        """The clauses of what has begun, with the tile or space."""
        return {clause: {"begun": at} for clause, at in due(t).items()}

    @classmethod
    def rules(cls) -> list[str]:
        """Its clauses."""
        return [*super().rules(), "SIM-SCOUT-6", "SIM-TILE-8"]


def on_offer(t: Table) -> list[str]:
    """The display spaces with a tile, and the deck if it has one."""
    return [s for s in DISPLAY if t.board.display[s] is not None] + (["deck"] if t.board.tiles.size else [])
