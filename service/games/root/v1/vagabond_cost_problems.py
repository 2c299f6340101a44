"""What a Vagabond must have exhausted for what is being played: such items lie face down (ROOT-VAG-1, -25 to -29)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs
from service.games.root.v1.figures import figures
from service.games.root.v1.state import Battle
from service.games.root.v1.vagabond_aid import Gift
from service.games.root.v1.vagabond_items import EXHAUSTED, count_kind, references_in, vagabond
from service.games.root.v1.vagabond_ruins import Exploring
from service.games.root.v1.vagabond_setup import NewQuest
from service.games.root.v1.vagabond_turn import VagabondDaylight

Unpaid = tuple[str, str, str] | None  # who has not paid, the field that says what for, the clause


def face_down(t: Table, seat: str) -> int:
    """How many of his items are exhausted, damaged or not; in his Daylight none comes face up again."""
    return sum(references_in(t, seat, *EXHAUSTED).values())


def aids(t: Table, f: VagabondDaylight) -> Unpaid:
    """Each aid that counts towards a step took an item."""
    unpaid = f.aids and sum(f.aids.values()) > face_down(t, f.seat)
    return (f.seat, "/aids", "ROOT-VAG-27") if unpaid else None


def gift(t: Table, f: Gift) -> Unpaid:
    """So did the aid that is being returned."""
    return None if face_down(t, f.seat) else (f.seat, "/seat", "ROOT-VAG-27")


def exploring(t: Table, f: Exploring) -> Unpaid:
    """A torch."""
    return None if count_kind(t, f.seat, "torch", *EXHAUSTED) else (f.seat, "/seat", "ROOT-VAG-26")


def battle(t: Table, f: Battle) -> Unpaid:
    """A sword for his own, a torch for one between others; the Command Warren takes nothing."""
    day = t.below(f)
    if not isinstance(day, VagabondDaylight):
        return None
    item, field, clause = ("sword", "/attacker", "ROOT-VAG-25")
    if f.instigator is not None:
        item, field, clause = ("torch", "/instigator", "ROOT-VAG-43")
    return None if count_kind(t, day.seat, item, *EXHAUSTED) else (day.seat, field, clause)


def quest(t: Table, f: NewQuest) -> Unpaid:
    """The items of the quest that he has completed last."""
    day: VagabondDaylight | None = t.frame(VagabondDaylight)
    if day is None:
        return None
    done = vagabond(t, day.seat).quests[-1:]
    wanted = [need for q in done for need in figures(t).quests[q].items.items()]
    paid = done and all(count_kind(t, day.seat, item, *EXHAUSTED) >= n for item, n in wanted)
    return None if paid else (day.seat, "", "ROOT-VAG-29")


COSTS: dict[type[Any], Callable[[Table, Any], Unpaid]] = {
    VagabondDaylight: aids,
    Gift: gift,
    Exploring: exploring,
    Battle: battle,
    NewQuest: quest,
}


def of_costs(t: Table) -> Iterator[Problem]:
    """Each frame by its kind."""
    for i, f in enumerate(t.frames):
        cost = COSTS.get(type(f))
        if cost is not None and (unpaid := cost(t, f)) is not None:
            seat, field, clause = unpaid
            message = say("{seat} has not exhausted what this takes", seat=seat)
            yield Problem(f"/stack/{i}{field}", message, clause)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the search."""
    rules.check(of_costs)
