"""Every field of states of the Riverfolk, corrupted in every way: found, or another possible state to go on from."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from service.games.root.v1.figures import OWN_ITEMS, QUESTS
from tests.games.root import test_corruptions as base
from tests.games.root.conformance import positions_of_the_riverfolk
from tests.games.root.corrupted import along_games, can_be_gone_on_from, strange

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
    return along_games("riverfolk", LINE_UPS, EVERY, positions_of_the_riverfolk())


@cache
def all_undetected() -> tuple[Any, ...]:
    return tuple(found for n, state in enumerate(states()) for found in base.undetected(state, n, WORDS))


def test_what_is_not_found_is_another_possible_state():
    assert strange(all_undetected(), FREE) == []
    assert len(states()) > 40


def test_what_is_not_found_can_be_gone_on_from():
    can_be_gone_on_from(all_undetected())


@pytest.mark.parametrize("name", ["hand", "payments", "funds", "committed", "spaces"])
def test_cards_and_warriors_of_the_board_are_always_missed(name):
    assert [c for c, _ in all_undetected() if c.label == f"Riverfolk.{name}"] == []
