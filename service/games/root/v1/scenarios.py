"""Chapter 21, scenarios: recommended mixes of factions, which bind nobody (ROOT-SCEN-1 to ROOT-SCEN-3)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from service.engine.table import Table
from service.engine.wishes import Scenario
from service.games.root.v1.components import player
from service.games.root.v1.figures import HERE, PRINTED
from service.games.root.v1.modes import opponents

Mix = Sequence[str]


def load() -> tuple[Scenario, ...]:
    """What is recommended, read from `scenarios.json`; mixes that follow from others are worked out (ROOT-SCEN-2)."""
    entries = json.loads((HERE / "scenarios.json").read_text(encoding="utf-8"))["scenarios"]
    known: dict[str, Sequence[Mix]] = {}
    found = []
    for entry in entries:
        known[entry["id"]] = entry.get("mixes") or replaced(entry, known)
        found.append(_scenario(entry, known[entry["id"]]))
    return tuple(found)


def replaced(entry: Mapping[str, Any], known: Mapping[str, Sequence[Mix]]) -> list[Mix]:
    """The mixes of others with one faction in the place of another, as far as it is in them."""
    puts: Mapping[str, str] = entry.get("replaces", {})
    mixes = [mix for other in entry.get("of", ()) for mix in known[other] if set(puts) & set(mix)]
    return [[puts.get(faction, faction) for faction in mix] for mix in mixes] if puts else []


def _scenario(entry: Mapping[str, Any], mixes: Sequence[Mix]) -> Scenario:
    return msgspec.convert({**entry, "mixes": [[{"faction": f} for f in mix] for mix in mixes]}, Scenario)


def reach(factions: Sequence[str]) -> int:
    """How far the factions of a mix reach over the map, added up; a second Vagabond reaches less far."""
    total = 0
    for i, faction in enumerate(factions):
        total += PRINTED.factions[faction].reach[factions[:i].count(faction)]
    return total


def advise(t: Table) -> None:
    """Say that a mix is not recommended, because its reach is too small; it is played all the same (ROOT-SCEN-3)."""
    if opponents(t):
        return  # no reach is known of who acts by itself
    n = reach([str(player(t, s).faction) for s in t.seats])
    due = PRINTED.table["reach-by-players"][str(len(t.seats))]
    if n < due:
        t.tell("small-reach", "ROOT-SCEN-3", {"reach": n, "due": due, "least": PRINTED.table["least-reach"]})
