"""Chapter 5, what can be received in full: vassals, dragons and tiles that are there (SIM-PLACE-5, SIM-EFF-7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from service.engine.action import no
from service.engine.table import Table
from service.games.simurgh.v1.components import player
from service.games.simurgh.v1.effects import DRAGON, KINDS, TILE, Part, lacking, lacking_in_all
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.unfinished import to_come

# Why something is not there, beside the clause of the space, level or ability that cannot be resolved in full for it.
REASONS = {**dict.fromkeys(KINDS, "SIM-COMP-3"), DRAGON: "SIM-EFF-7", TILE: "SIM-DRAGON-24"}


def missing(t: Table, seat: str, parts: Sequence[Part], paid: Mapping[str, int]) -> tuple[str, ...]:
    """All that is not there of a gain, in the order of its parts (SIM-PLACE-5, SIM-COMP-3, SIM-EFF-7).

    All parts are judged together: every draw keeps a dragon, so two of them need two. `paid`: what is paid before, of
    which vassals may come back.
    """
    idle = player(t, seat).inactive
    there = {kind: idle.get(kind, 0) + paid.get(kind, 0) for kind in KINDS}
    return lacking(parts, {**there, DRAGON: t.board.dragons.size, TILE: t.board.tiles.size})


def missing_of(t: Table, seat: str, source: str) -> tuple[str, ...]:
    """All that is not there of what a source gives, whichever way it is paid.

    What is under way gets its own (SIM-EFF-8): a free action in a gap does not take the last dragon that it needs.
    """
    f = figures(t)
    if source not in f.doubtful:
        return ()
    effect, coming = f.effects[source], tuple(to_come(t))
    ways = vassals_in(effect.costs)
    return lacking_in_all([missing(t, seat, (*effect.gain, *coming), way) for way in ways])


def missing_with(t: Table, seat: str, source: str, way: Mapping[str, int]) -> tuple[str, ...]:
    """All that is not there of what a source gives once this is paid."""
    f = figures(t)
    if source not in f.doubtful:
        return ()
    return missing(t, seat, (*f.effects[source].gain, *to_come(t)), way)


def vassals_in(ways: Sequence[Mapping[str, int]]) -> list[Mapping[str, int]]:
    """The vassals that go back to the inactive ones, by each way to pay in which they differ."""
    found: list[Mapping[str, int]] = []
    for way in ways:
        vassals = {kind: way[kind] for kind in KINDS if kind in way}
        if vassals not in found:
            found.append(vassals)
    return found


def reasons(what: Sequence[str]) -> list[str]:
    """The clauses for which this is not there, each once."""
    return list(dict.fromkeys(REASONS[x] for x in what))


def vassals_are_there(what: Sequence[str], **facts: Any) -> Any:
    """Whether vassals are not among what is missing; else a refusal that names the kind."""
    kind = next((x for x in what if x in KINDS), None)
    return kind is None or no(vassal=kind, **facts)


def dragons_are_there(what: Sequence[str], **facts: Any) -> Any:
    """Whether dragons are not among what is missing."""
    return DRAGON not in what or no(**facts)
