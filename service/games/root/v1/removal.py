"""Pieces leave the map: all at once, then points, then what their leaving brings about, in a fixed order.

One way for battle, Favors, revolts, strikes and all the rest (ROOT-GEN-5, ROOT-COMP-3 to ROOT-COMP-5, ROOT-BATTLE-20,
ROOT-BATTLE-22, ROOT-BATTLE-25).
"""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.control import Control
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.components import (
    Plugs,
    called,
    everything,
    first_answer,
    in_turn_order,
    owner,
    player,
    turn_player,
)
from service.games.root.v1.figures import PRINTED
from service.games.root.v1.state import Battle, Removal
from service.games.root.v1.victory import score

Bag = Mapping[str, int]


def leave(t: Table, f: Removal) -> Control:
    """Everything leaves first; then come the points, then the triggers (ROOT-GEN-5)."""
    for remover, clearings in f.losses.items():
        for clearing, bag in clearings.items():
            take_off(t, f, remover, clearing, bag)
    for remover in f.losses:
        points_for(t, f, remover)
    return called(triggered(t, f))


def take_off(t: Table, f: Removal, remover: str, clearing: str, bag: Bag) -> None:
    """Pieces go to where they go: mostly back to their owner's supply (ROOT-COMP-3, ROOT-COMP-5)."""
    for piece in sorted(bag):
        t.moved(
            f.because,
            {piece: bag[piece]},
            ("map", clearing),
            first_answer(t, "removed-to", f, remover, piece),
        )


def out_of_the_game(t: Table, f: Removal, remover: str, piece: str) -> tuple[str, ...] | None:
    """The keep does not come back (ROOT-COMP-4)."""
    return ("box",) if PRINTED.pieces[piece].leaves_game else None


def to_its_supply(t: Table, f: Removal, remover: str, piece: str) -> tuple[str, ...]:
    """All others cover their track again, or go to the supply."""
    return ("seats", str(owner(t, piece)), "supply")


def toppled(t: Table, f: Removal, remover: str) -> int:
    """How many buildings and tokens of others a player removes."""
    return sum(
        n
        for bag in f.losses[remover].values()
        for piece, n in bag.items()
        if PRINTED.pieces[piece].kind != "warrior" and owner(t, piece) != remover
    )


def points_for(t: Table, f: Removal, remover: str) -> None:
    """One point for each building and token; abilities may add to it, knowing what the battle saw before."""
    n = toppled(t, f, remover)
    score(t, f.scoring, remover, n)
    for rule, points in everything_for(t, f, remover, n):
        score(t, rule, remover, points)
    battle: Battle | None = t.frame(Battle) if f.in_battle else None
    if battle is not None and n:
        battle.toppled = {**battle.toppled, remover: battle.toppled.get(remover, 0) + n}


def everything_for(t: Table, f: Removal, remover: str, n: int) -> list[tuple[str, int]]:
    """What abilities add: `(clause, points)`."""
    return [found for fn in t.rules.hooks["removal-points"] if (found := fn(t, f, remover, n)) is not None]


def triggered(t: Table, f: Removal) -> list[Frame]:
    """What the removal brings about: by player in turn order, attacker and defender first, then as hooked in.

    The turn player's first, then the attacker's, the defender's, and the others' clockwise (ROOT-BATTLE-25).
    """
    found = list(everything(t, "after-removal", f))
    rank = {seat: i for i, seat in enumerate(first_come(t, f))}
    return sorted(found, key=lambda frame: rank[frame.seat])


def first_come(t: Table, f: Removal) -> list[str]:
    """The players in the order of their triggers."""
    battle: Battle | None = t.frame(Battle) if f.in_battle else None
    fighters = [] if battle is None else [battle.attacker, battle.defender]
    now = turn_player(t)
    return list(dict.fromkeys([now, *fighters, *in_turn_order(t, now)]))


def lost_by(t: Table, f: Removal, piece: str) -> str:
    """The faction that loses a piece: that of its owner, unless it fought for another."""
    found = first_answer(t, "lost-by", f, piece)
    if found is not None:
        return str(found)
    seat = owner(t, piece)
    return PRINTED.pieces[piece].faction if seat is None else str(player(t, seat).faction)


def lost(t: Table, f: Removal, piece: str) -> dict[str, int]:
    """How many pieces of this id the removal takes, by clearing."""
    found: dict[str, int] = {}
    for clearings in f.losses.values():
        for clearing, bag in clearings.items():
            if bag.get(piece):
                found[clearing] = found.get(clearing, 0) + bag[piece]
    return found


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the procedure."""
    rules.procedure(Removal, leave, may_call={"leave": plugs.after_removal})
