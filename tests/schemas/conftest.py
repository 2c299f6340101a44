"""States to mutate: real ones of every game, from play."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import msgspec

from service.engine.judge import judge
from service.engine.options import options
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.table import Table
from service.games import REGISTRY
from tests.http import toy


@cache
def rulesets() -> tuple[Ruleset, ...]:
    return (toy.make(), *REGISTRY)


@cache
def played(rules: Ruleset, plies: int = 40) -> tuple[bytes, ...]:
    """The states of the beginning of a random game, as JSON."""
    rng = random.Random(1)
    seats = [SetupSeat(s) for s in ("ann", "bob", "cyd")[: rules.most_seats]]

    def draws(chance: ChanceState, total: int) -> int:
        return rng.randrange(total)

    state = start(rules, Setup(seats, "g", ChanceState()), draws).state
    found = []
    for _ in range(plies):
        assert state is not None
        found.append(msgspec.json.encode(state))
        legal = list(options(Table(rules, state)))
        if not legal:
            break
        state = judge(rules, state, rng.choice(legal).filled(), draws).state
    return tuple(found)


def plain(state: bytes) -> Any:
    return msgspec.json.decode(state)
