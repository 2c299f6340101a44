"""Chapter 3, the map: clearings, paths, slots, and what may be placed where (ROOT-MAP-1 to ROOT-MAP-10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.action import Requirement, no, requires
from service.engine.domain import Pick
from service.engine.table import Table
from service.games.root.v1.components import everything, first_answer, player
from service.games.root.v1.figures import CLEARINGS, PRINTED, figures, pieces_of

BUILDINGS = frozenset(p.id for p in PRINTED.pieces.values() if p.kind == "building")


def clearing_pick(rule: str) -> Pick:
    """A parameter that names a clearing."""
    return Pick(rule, CLEARINGS)


def neighbours(t: Table, seat: str, clearing: str) -> tuple[str, ...]:
    """The clearings adjacent for this player: by path (ROOT-MAP-2), and by what else is a path for him (ROOT-MAP-3)."""
    return (*PRINTED.clearings[clearing].paths, *everything(t, "more-paths", seat, clearing))


def bag_in(t: Table, seat: str, clearing: str, *kinds: str) -> dict[str, int]:
    """A player's own pieces in a clearing: those of these kinds, or all."""
    own = pieces_of(str(player(t, seat).faction), *kinds)
    here: Mapping[str, int] = t.board.map[clearing]
    return {p: here[p] for p in own if p in here}


def count_in(t: Table, seat: str, clearing: str, *kinds: str) -> int:
    """How many there are of them."""
    own = pieces_of(str(player(t, seat).faction), *kinds)
    here: Mapping[str, int] = t.board.map[clearing]
    return sum([here[p] for p in own if p in here])


def warriors(t: Table, seat: str, clearing: str) -> int:
    """A player's own warriors in a clearing."""
    return count_in(t, seat, clearing, "warrior")


def lent_to(t: Table, seat: str, clearing: str, against: str | None = None) -> dict[str, int]:
    """Others' warriors in a clearing that fight as this player's own, against that player if one is named."""
    found: dict[str, int] = {}
    for bag in everything(t, "lends-warriors", seat, clearing, against):
        found.update(bag)
    return found


def fighters(t: Table, seat: str, clearing: str, against: str | None = None) -> int:
    """A player's warriors in a clearing, with those who fight as his own."""
    return warriors(t, seat, clearing) + sum(lent_to(t, seat, clearing, against).values())


def on_map(t: Table, piece: str) -> int:
    """How many pieces of this id are on the map."""
    n = 0
    for here in t.board.map.values():
        if piece in here:
            n += here[piece]
    return n


def where(t: Table, piece: str) -> dict[str, int]:
    """The clearings that hold pieces of this id, and how many."""
    return {c: here[piece] for c, here in t.board.map.items() if piece in here}


def where_open(t: Table, seat: str, piece: str) -> dict[str, int]:
    """Those of them to which nothing closes the way for this player's pieces (ROOT-GEN-2)."""
    return {c: n for c, n in where(t, piece).items() if may_place(t, seat, c)}


def is_present(t: Table, seat: str, clearing: str) -> bool:
    """Whether a player has any piece in a clearing, a pawn included."""
    own = pieces_of(str(player(t, seat).faction))
    return not t.board.map[clearing].keys().isdisjoint(own) or any(everything(t, "presence", seat, clearing))


def open_slots(t: Table, clearing: str) -> int:
    """Slots without a building or a ruin (ROOT-MAP-7, ROOT-MAP-8)."""
    free = PRINTED.clearings[clearing].slots - (clearing in t.board.ruins)
    here = t.board.map[clearing]
    return free if BUILDINGS.isdisjoint(here) else free - sum([n for p, n in here.items() if p in BUILDINGS])


def closed_by(t: Table, seat: str, clearing: str) -> str | None:
    """The clause that forbids a player to place pieces in a clearing (ROOT-GEN-2); None if none does."""
    found: str | None = first_answer(t, "may-not-place", seat, clearing)
    return found


def may_place(t: Table, seat: str, clearing: str) -> bool:
    """Whether a player may place pieces in a clearing at all."""
    return closed_by(t, seat, clearing) is None


def may_build(t: Table, seat: str, clearing: str) -> bool:
    """Whether a player could place a building: nothing closes the clearing, and a slot is open."""
    return may_place(t, seat, clearing) and open_slots(t, clearing) > 0


def place(t: Table, because: str, seat: str, bag: Mapping[str, int], clearing: str) -> None:
    """Pieces from a player's supply, which has them, to a clearing; tracks are uncovered by it (ROOT-COMP-3)."""
    t.moved(because, bag, ("seats", seat, "supply"), ("map", clearing))


# -- requirements that several actions share ----------------------------------------------------------------------


def open_to_place(rule: str) -> Requirement:
    """The requirement that this clause does not close the clearing to the actor's pieces."""

    @requires(rule, "clearing")
    def is_open(t: Table, act: Any) -> Any:
        """What closes it is another clause, or none."""
        return closed_by(t, act.actor, act.clearing) != rule or no(clearing=act.clearing)

    is_open.name = f"open by {rule}"
    return is_open


def open_slot() -> Requirement:
    """The requirement that the clearing has an open slot; a ruin fills one (ROOT-MAP-7)."""

    @requires("ROOT-MAP-7", "clearing")
    def has_an_open_slot(t: Table, act: Any) -> Any:
        """There is room for a building."""
        return open_slots(t, act.clearing) > 0 or no(clearing=act.clearing)

    return has_an_open_slot


def cards_uncovered(t: Table, piece: str) -> int:
    """The card icons that pieces of this id on the map have uncovered on their track."""
    return sum(figures(t).pieces[piece].draw[: on_map(t, piece)])
