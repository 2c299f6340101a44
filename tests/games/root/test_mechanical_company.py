"""Positions of others beside the Mechanical Marquise, corrupted in every way: found, or another possible state."""

from __future__ import annotations

from functools import cache
from typing import Any

from service.games.root.v1 import RULES
from service.games.root.v1.components import plays_by_itself
from tests.games.root import test_corruptions as base
from tests.games.root.conformance import positions
from tests.games.root.corrupted import can_be_gone_on_from, strange
from tests.games.root.test_mechanical_corruptions import FREE as ITS_OWN
from tests.games.root.test_mechanical_corruptions import WORDS

# What may be another possible state, and why, besides what may be of its own.
FREE = {
    **ITS_OWN,
    "Board.quests": "quests lie face up in any order",
    "Vagabond.pawn": "the pawn may stand anywhere",
    "Vagabond.relationships": "a relationship may be any",
    "Vagabond.second": "which of two set up first is told by nothing else",
    "Player.kept": "a kept card that was discarded is lost",
    "Player.spies": "spies may have been played in any order",
}


@cache
def all_undetected() -> tuple[Any, ...]:
    beside = [p for p in positions(RULES) if plays_by_itself(s.faction for s in p.table.seats.values())]
    assert len(beside) > 15
    return tuple(found for n, state in enumerate(beside) for found in base.undetected(state, n, WORDS))


def test_what_is_not_found_is_another_possible_state():
    assert strange(all_undetected(), FREE) == []


def test_what_is_not_found_can_be_gone_on_from():
    can_be_gone_on_from(all_undetected())


def test_its_items_and_its_warriors_are_always_missed():
    names = {
        "Player.items",
        "Player.supply",
        "Board.map",
        "Board.box",
        "Riverfolk.funds",
        "Riverfolk.payments",
    }
    assert [c for c, _ in all_undetected() if c.label in names] == []
