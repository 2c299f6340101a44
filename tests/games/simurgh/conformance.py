"""What only Simurgh knows and the battery asks: what should be exercised, and how a client reads a cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from service.games.simurgh.v1.effects import KINDS, MARKER
from service.games.simurgh.v1.figures import ABILITIES, ENTRIES, LENGTHS, OBJECTIVES, VARIANTS
from tests.games.simurgh.table import game, space

UNCOUNTED: set[str] = {"vegetable", "meat", "wood", "stone", "wisdom", "weapon"}


UNREACHED = {
    "window gain/choose-later": "no printed effect has an either-or after its first part; house figures may",
}


def positions(rules: Any) -> Iterator[Any]:
    """Riders near the end of their paths, with what answers their moves; markers and dragons to choose."""
    rich = {
        "available": {"spearman": 1},
        "resources": {"meat": 1, "stone": 2, "vegetable": 1, "weapon": 3, "wisdom": 3, "wood": 2},
        "pp": 9,
    }
    for seed, (number, level) in enumerate([(37, 1), (44, 3), (39, 3), (42, 1), (45, 2)]):
        ann = {**rich, "assigned": {space(number, level): {"dragonrider": 1}}, "dragons": (59, 65, 61)}
        ann["markers"] = [f"{d}-{n}" for d in ann["dragons"] for n in (1, 2, 3)]
        bob = {
            "hand": (29, 40, 14),
            "dragons": (69, 57, 51),
            "markers": ["69-1"],
            **{k: rich[k] for k in ("resources", "pp")},
        }
        variant = ("spearman", "dragonlord")[seed % 2]
        g = game({"ann": ann, "bob": bob}, wilds=(number,), variant=variant, length="short")
        yield g.state
        if level == 3:
            yield g.play(**g.options("ann", "move-rider")[0]).state


def items(rules: Any) -> set[str]:
    """Every number of seats, variant, length and clause of the end."""
    found = {f"{n} seats" for n in range(rules.least_seats, rules.most_seats + 1)}
    found |= {f"variant {v}" for v in VARIANTS} | {f"length {n}" for n in LENGTHS}
    return found | {"end SIM-END-2"}


def everything() -> set[str]:
    """What the long search exercises besides: every space, every ability, every objective face up, both ends."""
    found = {f"space {s}" for s in ENTRIES} | {f"objective {o}" for o in OBJECTIVES}
    return found | {f"ability {a}" for a in ABILITIES} | {"end SIM-END-1", "end SIM-END-2"}


def seen(ply: Any) -> set[str]:
    """What this ply shows."""
    found = {f"{len(ply.state.seats)} seats", f"variant {ply.state.options['variant']}"}
    found.add(f"length {ply.state.options['length']}")
    action = ply.action
    if action["kind"] == "place-vassal":
        found.add(f"space {action['space']}")
    if "ability" in action and action["kind"] != "place-marker":
        found.add(f"ability {action['ability']}")
    for event in ply.judgement.events:
        if event.kind == "set":
            found.add(f"end {event.because}")
    after = ply.judgement.state or ply.state
    return found | {f"objective {o}" for o in after.table.statue.values() if o}


def admits(shown: Mapping[str, Any], value: Any) -> bool | None:
    """How a client reads the descriptor of a cost: one of its ways, vassals and markers from where they may come."""
    if "ways" not in shown:
        return None
    if not isinstance(value, dict) or not set(value) <= {"tokens", "vassals", "markers"}:
        return False
    tokens, vassals, markers = (value.get(part, {}) for part in ("tokens", "vassals", "markers"))
    flat = [tokens, markers, *(vassals.values() if isinstance(vassals, dict) else [None])]
    if not all(isinstance(bag, dict) and all(type(n) is int and n > 0 for n in bag.values()) for bag in flat):
        return False
    paid = {**tokens, **{k: sum(v.values()) for k, v in vassals.items()}, MARKER: sum(markers.values())}
    if {what: n for what, n in paid.items() if n} not in shown["ways"] or set(tokens) & {*KINDS, MARKER}:
        return False
    purse, sources = shown["purse"], shown.get("from", {"vassals": {}, "markers": {}})
    if any(n > purse.get(what, 0) for what, n in tokens.items()):
        return False
    if any(n > sources["markers"].get(ability, 0) for ability, n in markers.items()):
        return False
    spent = sum(n for places in vassals.values() for n in places.values())
    if spent and spent >= sources["active"]:
        return False
    return all(_from(sources["vassals"].get(kind, {}), places) for kind, places in vassals.items())


def _from(there: Mapping[str, int], places: Mapping[str, int]) -> bool:
    """Those at home first."""
    if any(n > there.get(place, 0) for place, n in places.items()):
        return False
    away = sum(n for place, n in places.items() if place != "available")
    return not away or places.get("available", 0) == there.get("available", 0)
