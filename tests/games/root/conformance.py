"""What only Root knows and the battery asks: what should be exercised."""

from __future__ import annotations

from typing import Any

from service.games.root.v1.figures import LEADERS


def items(rules: Any) -> set[str]:
    """Every faction played, every leader in power, every way to end a game that random play comes to."""
    found = {f"faction {f}" for f in rules.choices["faction"]} | {f"leader {leader}" for leader in LEADERS}
    return found | {f"{n} seats" for n in range(rules.least_seats, rules.most_seats + 1)}


def seen(ply: Any) -> set[str]:
    """What the table shows after this ply."""
    state = ply.judgement.state or ply.state
    found = {f"{len(state.seats)} seats"}
    for player in state.table.seats.values():
        found |= {f"faction {player.faction}"} if player.faction else set()
        found |= {f"leader {player.eyrie.leader}"} if player.eyrie and player.eyrie.leader else set()
    return found
