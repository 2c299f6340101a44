"""What only Root knows and the battery asks: what should be exercised."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.games.root.v1.alliance import BASES
from service.games.root.v1.figures import LEADERS
from tests.games.root.ally import ALLY, CATS, FOXES, woodland
from tests.games.root.table import CAT

DISCLOSES = {
    "ROOT-FX-11",  # Codebreakers show a hand
    "hand-shown",  # so does who owes Outrage and has no card that matches
}


def items(rules: Any) -> set[str]:
    """Every faction played, every leader in power, every way to end a game that random play comes to."""
    found = {f"faction {f}" for f in rules.choices["faction"]} | {f"leader {leader}" for leader in LEADERS}
    found |= {f"{base} built" for base in BASES.values()}
    return found | {f"{n} seats" for n in range(rules.least_seats, rules.most_seats + 1)}


def seen(ply: Any) -> set[str]:
    """What the table shows after this ply."""
    state = ply.judgement.state or ply.state
    found = {f"{len(state.seats)} seats"}
    for player in state.table.seats.values():
        found |= {f"faction {player.faction}"} if player.faction else set()
        found |= {f"leader {player.eyrie.leader}"} if player.eyrie and player.eyrie.leader else set()
    return found | {
        f"{b} built" for b in BASES.values() if any(b in here for here in state.table.map.values())
    }


UNREACHED = {
    "frame organizing": "nothing that anybody decides follows the removal of the Alliance's own warrior",
}


def positions(rules: Any) -> Iterator[Any]:
    """A base is lost, and so many supporters are left that some must be discarded."""
    many = ["bake-sale", "root-tea-rabbit", "smugglers-trail", "investments", "sword-mouse", "root-tea-mouse"]
    lost = woodland({"8": {CATS: 3, FOXES: 1}}, turn=CAT, at="daylight", supporters=many, officers=3)
    yield lost.fight(CAT, ALLY, "8", 0, 0).state
