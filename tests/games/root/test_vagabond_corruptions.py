"""Every field of states of Vagabonds, corrupted in every way: found, or another possible state to go on from."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from service.games.root.v1 import RULES
from service.games.root.v1.components import plays_by_itself
from service.games.root.v1.figures import OWN_ITEMS, QUESTS
from tests.games.root import test_corruptions as base
from tests.games.root.conformance import positions
from tests.games.root.corrupted import along_games, can_be_gone_on_from, strange

LINE_UPS = (
    ("marquise", "vagabond"),
    ("vagabond", "eyrie", "vagabond"),
    ("marquise", "vagabond", "eyrie", "vagabond"),
)
EVERY = 14
WORDS = {**base.WORDS, "Stratum.members": (*base.WORDS["Stratum.members"], *QUESTS, *OWN_ITEMS)}

# What may be another possible state, and why.
FREE = {
    **base.FREE,
    "Draw.seat": "the owner of the Better Burrow Bank lets whom he likes draw as well",
    "Vagabond.pawn": "the pawn may stand anywhere",
    "Vagabond.second": "which of two set up first is told by nothing else",
    "Vagabond.quests": "quests may have been completed in any order",
    "Vagabond.relationships": "a relationship may be any",
    "Board.quests": "quests lie face up in any order",
    "Run.cards": "either item of a ruin may lie above",
    "Run.known_to": "only one of two may have looked under a ruin",
    "VagabondDaylight.aids": "other aids of this turn",
}


@cache
def states() -> tuple[Any, ...]:
    """States along random games, now and then one, and the rare positions of people alone."""
    rare = [p for p in positions(RULES) if not plays_by_itself(s.faction for s in p.table.seats.values())]
    return along_games("vagabonds", LINE_UPS, EVERY, rare)


@cache
def all_undetected() -> tuple[Any, ...]:
    return tuple(found for n, state in enumerate(states()) for found in base.undetected(state, n, WORDS))


def test_what_is_not_found_is_another_possible_state():
    assert strange(all_undetected(), FREE) == []
    assert len(states()) > 60


def test_by_anything_but_the_bank_nobody_else_draws():
    draws = {state.stack[-1].because for found, state in all_undetected() if found.label == "Draw.seat"}
    assert draws <= {"ROOT-FX-8"}


def test_what_is_not_found_can_be_gone_on_from():
    can_be_gone_on_from(all_undetected())


@pytest.mark.parametrize("name", ["Board.buried", "Board.item_box", "Board.quest_deck", "Board.scorched"])
def test_items_and_quests_are_always_missed(name):
    assert [c for c, _ in all_undetected() if c.label == name] == []
