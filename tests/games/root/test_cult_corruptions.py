"""Every field of states with the Cult, corrupted in every way: found, or another possible state to go on from."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest

from service.engine.judge import judge
from service.engine.options import options
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState
from service.engine.table import Table
from service.engine.view import view
from service.games.root.v1 import RULES
from service.games.root.v1.figures import CLEARING_SUITS
from tests.conformance.subjects import draws_of, random_action
from tests.games.root import test_corruptions as base
from tests.games.root.table import SEATS
from tests.games.root.test_cult_games import windows

LINE_UPS = (("marquise", "cult"), ("cult", "eyrie", "alliance"))
EVERY = 10
WORDS = {
    **base.WORDS,
    "Removal.because": (*base.WORDS["Removal.because"], "ROOT-CULT-13", "ROOT-CULT-14"),
    "Draw.because": (*base.WORDS["Draw.because"], "ROOT-CULT-23"),
    "CultDaylight.scored": CLEARING_SUITS,
}

# What may be another possible state, and why.
FREE = {
    **base.FREE,
    "Cult.outcast": "another suit may have led",
    "Cult.hated": "it may have led again",
    "CultDaylight.scored": "what else was spent of the suit may have been spent for points",
    "AllianceBirdsong.spreading": "sympathy was spread or not",
    "AllianceEvening": "other operations so far",
}


@cache
def states() -> tuple[Any, ...]:
    """States along random games, now and then one, and one at each of its windows."""
    found = [g.state for g in windows()]
    for seed, factions in enumerate(LINE_UPS):
        rng = random.Random(f"corrupt cult {seed}")
        seats = [SetupSeat(s, choice={"faction": f}) for s, f in zip(SEATS, factions, strict=False)]
        state = start(RULES, Setup(seats, f"corrupt-{seed}", ChanceState("given")), draws_of(seed)).state
        for ply in range(5_000):
            if state.outcome is not None:
                break
            if ply % EVERY == seed:
                found.append(state)
            action = random_action(Table(RULES, state), rng)
            assert action is not None
            state = judge(RULES, state, action).state
        found.append(state)
    return tuple(found)


@cache
def all_undetected() -> tuple[Any, ...]:
    return tuple(found for n, state in enumerate(states()) for found in base.undetected(state, n, WORDS))


def test_what_is_not_found_is_another_possible_state():
    strange = {
        (c.label, c.way, c.pointer)
        for c, _ in all_undetected()
        if c.label not in FREE and c.label.partition(".")[0] not in FREE
    }
    assert sorted(strange) == []
    assert len(states()) > 60


def test_what_is_not_found_can_be_gone_on_from():
    rng = random.Random(7)
    for corruption, state in all_undetected():
        for seat in (None, *(s.id for s in state.seats)):
            view(state, seat)
        if state.outcome is not None:
            continue
        acts = [o.filled() for o in options(Table(RULES, state))]
        for action in rng.sample(acts, min(2, len(acts))):
            after = judge(RULES, state, action)
            assert after.legal, (corruption, action)
            assert after.outcome is not None or after.decisions, corruption


@pytest.mark.parametrize(
    "name", ["Cult.acolytes", "Cult.lost_souls", "Cult.revealed", "Player.hand", "Board.map"]
)
def test_pieces_and_cards_are_always_missed(name):
    assert [c for c, _ in all_undetected() if c.label == name] == []
