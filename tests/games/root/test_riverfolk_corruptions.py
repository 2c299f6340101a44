"""Every field of states of the Riverfolk, corrupted in every way: found, or another possible state to go on from."""

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
from service.games.root.v1.figures import OWN_ITEMS, QUESTS
from tests.conformance.subjects import draws_of, random_action
from tests.games.root import test_corruptions as base
from tests.games.root.conformance import positions_of_the_riverfolk
from tests.games.root.table import SEATS

LINE_UPS = (("marquise", "riverfolk"), ("riverfolk", "eyrie", "alliance"), ("riverfolk", "vagabond", "eyrie"))
EVERY = 14
WORDS = {**base.WORDS, "Stratum.members": (*base.WORDS["Stratum.members"], *QUESTS, *OWN_ITEMS)}

# What may be another possible state, and why.
FREE = {
    **base.FREE,
    "Alliance.officers": "how many became officers",
    "AllianceBirdsong": "before or after spreading",
    "AllianceEvening": "other operations made so far",
    "Turn.services": "other services bought this turn, as far as the Payments box bears them out",
    "Allies": "another player to fight with",
    "BaseLoss": "another step of it",
    "Gift": "another player was aided",
    "Hostility": "other factions",
    "Outrage": "another player owes it",
    "Vagabond.pawn": "the pawn may stand anywhere",
    "Vagabond.quests": "quests may have been completed in any order",
    "Vagabond.relationships": "a relationship may be any",
    "Board.quests": "quests lie face up in any order",
    "Run.cards": "either item of a ruin may lie above",
    "VagabondBirdsong": "other items to refresh",
    "VagabondDaylight": "other aids of this turn",
}


@cache
def states() -> tuple[Any, ...]:
    """States along random games, now and then one, and the rare positions."""
    found = list(positions_of_the_riverfolk())
    for seed, factions in enumerate(LINE_UPS):
        rng = random.Random(f"corrupt riverfolk {seed}")
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
    assert len(states()) > 40


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


@pytest.mark.parametrize("name", ["hand", "payments", "funds", "committed", "spaces"])
def test_cards_and_warriors_of_the_board_are_always_missed(name):
    assert [c for c, _ in all_undetected() if c.label == f"Riverfolk.{name}"] == []
