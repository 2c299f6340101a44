"""Chapter 5, what can be received in full: vassals, dragons and tiles that are there (SIM-PLACE-5, SIM-EFF-7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.engine.table import Table
from service.games.simurgh.v1.components import player
from service.games.simurgh.v1.effects import DRAGON, KINDS, TILE, Part, lacking
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.unfinished import to_come

LACKING = {**dict.fromkeys(KINDS, "SIM-PLACE-5"), DRAGON: "SIM-EFF-7", TILE: "SIM-R-11"}


def can_receive(t: Table, seat: str, parts: Sequence[Part], paid: Mapping[str, int]) -> str | None:
    """What stands in the way of a gain: a clause, or None (SIM-PLACE-5, SIM-COMP-3, SIM-EFF-7).

    All parts are judged together: every draw keeps a dragon, so two of them need two. `paid`: what is paid before, of
    which vassals may come back.
    """
    idle = player(t, seat).inactive
    there = {kind: idle.get(kind, 0) + paid.get(kind, 0) for kind in KINDS}
    what = lacking(parts, {**there, DRAGON: t.board.dragons.size, TILE: t.board.tiles.size})
    return None if what is None else LACKING[what]


def obstacle(t: Table, seat: str, source: str) -> str | None:
    """What stands in the way of what a source gives, whichever way it is paid: a clause, or None.

    What is under way gets its own (SIM-EFF-8): a free action in a gap does not take the last dragon that it needs.
    """
    f = figures(t)
    if source not in f.doubtful:
        return None
    effect, coming = f.effects[source], tuple(to_come(t))
    found = [can_receive(t, seat, (*effect.gain, *coming), way) for way in vassals_in(effect.costs)]
    return None if None in found else found[0]


def fits_with(t: Table, seat: str, source: str, way: Mapping[str, int]) -> bool:
    """Whether all that a source gives can be received once this is paid."""
    f = figures(t)
    if source not in f.doubtful:
        return True
    return can_receive(t, seat, (*f.effects[source].gain, *to_come(t)), way) is None


def vassals_in(ways: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """The vassals that go back to the inactive ones, by each way to pay in which they differ."""
    found: list[Mapping[str, int]] = []
    for way in ways:
        vassals = {kind: way[kind] for kind in KINDS if kind in way}
        if vassals not in found:
            found.append(vassals)
    return found
