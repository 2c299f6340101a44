"""All the small games, and states of them from which the laws of every game are tried."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from service.engine.options import options
from service.engine.ruleset import Ruleset
from service.engine.state import State
from tests.engine.games import barrow, camp, clock, ferry, market, maze, siege, whisper
from tests.engine.kit import Play

TOYS = {
    m.__name__.rpartition(".")[2]: m.rules for m in (barrow, camp, clock, ferry, market, maze, siege, whisper)
}


@cache
def states(game: str, plies: int = 25) -> tuple[State[Any, Any], ...]:
    """The states of one random game, its beginning and (where it is reached) its end among them."""
    rules, rng = TOYS[game], random.Random(game)
    g = Play(rules, *("ann", "bob")[: rules.most_seats])
    found = [g.state]
    for _ in range(plies):
        if g.state.outcome is not None:
            break
        kinds = [
            (d.actor, k) for d in g.last.decisions for k in d.kinds if k not in ("rest", "leave", "enter")
        ]
        rng.shuffle(kinds)
        legal = (o for actor, k in kinds for o in options(g.table, actor, (k,)))
        option = next(legal, None)
        if option is None:
            break
        g.do(**option.filled())
        found.append(g.state)
    return tuple(found)


def rules_of(game: str) -> Ruleset:
    return TOYS[game]
