"""Corrupted states of Root: where they come from, and what must hold of those that the search lets pass."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from service.engine.judge import judge
from service.engine.options import options
from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, encode
from service.engine.table import Table
from service.engine.view import view
from service.games.root.v1 import RULES
from tests.conformance.corruptions import Corruption
from tests.conformance.subjects import draws_of, random_action
from tests.games.root.table import SEATS


def along_games(
    name: str, line_ups: Iterable[Sequence[str]], every: int, found: Iterable[Any]
) -> tuple[Any, ...]:
    """These states, and those of a random game of each line-up, now and then one."""
    states = list(found)
    for seed, factions in enumerate(line_ups):
        rng = random.Random(" ".join(filter(None, ("corrupt", name, str(seed)))))
        seats = [SetupSeat(s, choice={"faction": f}) for s, f in zip(SEATS, factions, strict=False)]
        state: Any = start(RULES, Setup(seats, f"corrupt-{seed}", ChanceState("given")), draws_of(seed)).state
        for ply in range(5_000):
            if state.outcome is not None:
                break
            if ply % every == seed:
                states.append(state)
            action = random_action(Table(RULES, state), rng)
            assert action is not None
            state = judge(RULES, state, action).state
        states.append(state)
    return tuple(states)


def passed(state: Any, corruptions: Iterable[Corruption]) -> Iterator[tuple[Corruption, Any]]:
    """Those of the corruptions of this state that decode and have no problem, with the states that they lead to."""
    data = json.loads(encode(state))
    for corruption in corruptions:
        undo = corruption.apply(data)
        spoiled = json.dumps(data)
        undo()
        try:
            twin = RULES.decode(spoiled)
        except Exception:
            continue
        if not problems(RULES, twin):
            yield corruption, twin


def strange(undetected: Iterable[tuple[Any, Any]], free: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """What was not found, though no reason is named why it need not be."""
    labels = ((c.label, c.way, c.pointer) for c, _ in undetected)
    return sorted({x for x in labels if x[0] not in free and x[0].partition(".")[0] not in free})


def can_be_gone_on_from(undetected: Iterable[tuple[Any, Any]]) -> None:
    """Each is seen by all, and what it lists leads on."""
    rng = random.Random(7)
    for corruption, state in undetected:
        for seat in (None, *(s.id for s in state.seats)):
            view(state, seat)
        if state.outcome is not None:
            continue
        acts = [o.filled() for o in options(Table(RULES, state))]
        for action in rng.sample(acts, min(2, len(acts))):
            after = judge(RULES, state, action)
            assert after.legal, (corruption, action)
            assert after.outcome is not None or after.decisions, corruption
