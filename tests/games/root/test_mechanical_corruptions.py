"""Every field of states with the Mechanical Marquise, corrupted in every way: found, or another possible state."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from tests.games.root import test_corruptions as base
from tests.games.root.corrupted import along_games, can_be_gone_on_from, strange
from tests.games.root.robot import FOLK, OWLS, W, orders, robot

BOTS = "mechanical-marquise"
LINE_UPS = ((BOTS, "eyrie"), ("eyrie", BOTS, "alliance"), (BOTS, "cult"))
EVERY = 6
WORDS = {
    **base.WORDS,
    "Draw.because": (*base.WORDS["Draw.because"], "ROOT-WA-10", "ROOT-WA-12"),
    "OrderRow.because": ("ROOT-SETUP-4", "ROOT-BOT-27"),
}

# What may be another possible state, and why.
FREE = {
    **base.FREE,
    "AllianceBirdsong": "before or after spreading",
    "AllianceEvening": "other operations made so far",
    "Alliance.officers": "how many became officers",
    "BaseLoss": "another step of it",
    "Blank.marks": "orders of two shuffles may have changed places",
    "Cult.outcast": "another suit may have led",
    "Cult.hated": "it may have led again",
    "CultDaylight.scored": "what else was spent of the suit may have been spent for points",
    "Outrage": "another player owes it",
    "Deck.segments": "orders that somebody knows may have changed places",
    "MechanicalMarquise.keep": "once the keep is gone it may have stood in any corner",
    "Run.cards": "another order may have been looked at",
    "Run.known_to": "by somebody else",
}


def windows() -> list[Any]:
    """States at each of the windows that its turn opens, with orders that somebody has looked at."""
    g = robot(
        {"1": {"keep": 1, W: 2, OWLS: 2}, "5": {W: 4}, "6": {W: 2, OWLS: 1}}, owl={"crafted": ["armorers"]}
    )
    found = [g.state]
    found.append(orders(g, "spy-fox").state)
    found.append(g.roll(1).state)
    found.append(g.roll(2).state)
    g = robot({"1": {"keep": 1, W: 5}, "9": {"sympathy": 1}, "6": {W: 1, FOLK: 2, "sympathy": 1, "fox-base": 1}},
              "alliance", owl={"supporters": ["cobbler"]})  # fmt: skip
    found.append(orders(g, "anvil").state)
    found.append(g.roll(2, 3).state)
    return found


@cache
def states() -> tuple[Any, ...]:
    """States along random games, now and then one, and one at each of its windows."""
    return along_games("robot", LINE_UPS, EVERY, windows())


@cache
def all_undetected() -> tuple[Any, ...]:
    return tuple(found for n, state in enumerate(states()) for found in base.undetected(state, n, WORDS))


def test_what_is_not_found_is_another_possible_state():
    assert strange(all_undetected(), FREE) == []
    assert len(states()) > 40


def test_what_is_not_found_can_be_gone_on_from():
    can_be_gone_on_from(all_undetected())


@pytest.mark.parametrize(
    "name",
    [
        "MechanicalMarquise.row",
        "MechanicalMarquise.order",
        "MechanicalDaylight.battles",
        "MechanicalDaylight.moves",
        "Stratum.mark",
        "Stratum.size",
        "Player.hand",
    ],
)
def test_orders_and_what_is_left_of_one_are_always_missed(name):
    assert [c for c, _ in all_undetected() if c.label == name] == []


def test_only_orders_of_two_shuffles_can_have_changed_places():
    assert {c.way for c, _ in all_undetected() if c.label == "Blank.marks"} <= {"swapped"}
