"""Every field of states with the Cult, corrupted in every way: found, or another possible state to go on from."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from service.games.root.v1.figures import CLEARING_SUITS
from tests.games.root import test_corruptions as base
from tests.games.root.corrupted import along_games, can_be_gone_on_from, strange
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
    "Outrage": "another player owes it, or for another clearing",
    "Uprising.clearing": "a revolt in another clearing where one can begin, once its losses are settled",
}


@cache
def states() -> tuple[Any, ...]:
    """States along random games, now and then one, and one at each of its windows."""
    return along_games("cult", LINE_UPS, EVERY, [g.state for g in windows()])


@cache
def all_undetected() -> tuple[Any, ...]:
    return tuple(found for n, state in enumerate(states()) for found in base.undetected(state, n, WORDS))


def test_what_is_not_found_is_another_possible_state():
    assert strange(all_undetected(), FREE) == []
    assert len(states()) > 60


def test_what_is_not_found_can_be_gone_on_from():
    can_be_gone_on_from(all_undetected())


@pytest.mark.parametrize(
    "name", ["Cult.acolytes", "Cult.lost_souls", "Cult.revealed", "Player.hand", "Board.map"]
)
def test_pieces_and_cards_are_always_missed(name):
    assert [c for c, _ in all_undetected() if c.label == name] == []
