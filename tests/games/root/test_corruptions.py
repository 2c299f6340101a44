"""Every field of states of the Marquise and the Eyrie, corrupted in every way: found, or another possible state.

What is not found can be gone on from: its views, its options, and what they lead to.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

from service.engine.state import encode
from service.games.root.v1 import RULES
from service.games.root.v1.figures import CARDS, SUITS
from tests.conformance.corruptions import Corruption, Corruptor
from tests.games.root.corrupted import along_games, can_be_gone_on_from, passed, strange

GAMES, EVERY, TRIED = 5, 12, 60
WORDS = {
    "Draw.because": ("ROOT-CARD-6", "ROOT-MARQ-20"),
    "Removal.because": ("ROOT-FX-12", "ROOT-BATTLE-17"),
    "EyrieBirdsong.added": SUITS,
    "Stratum.members": CARDS,
    "Run.cards": CARDS,
    "Outcome.because": ("ROOT-WIN-1", "ROOT-WIN-2", "ROOT-DOM-2"),
    "Standing.parts": ("points",),
}

# What may be another possible state, and why.
FREE = {
    "Battle": "another battle, at another step, with other dice, ambush or losses",
    "Birdsong": "before or after the faction's own steps",
    "Board.order": "who sits where is not told by anything else",
    "Board.ruins": "ruins lie in any order",
    "Draw.left": "how many of the cards are drawn by now",
    "Eyrie.deposed": "leaders may have been deposed in any order",
    "EyrieBirdsong": "how many cards were added so far",
    "EyrieDaylight": "other cards resolved so far, or another step",
    "FieldHospitals": "losses in another clearing",
    "Game": "who is still to set up while hands are dealt",
    "HandLimit": "a hand that is too large",
    "Hits": "losses that are settled",
    "March": "the first move or the second",
    "MarquiseDaylight": "other actions taken so far; birds give more",
    "Player.crafted": "a set",
    "Player.score": "points come from anything",
    "Removal.losses": "other losses, as far as hits and supplies bear them out",
    "TakeRandomCard.source": "somebody else's card",
    "Player.spies": "a set",
    "Spying": "the spy looks elsewhere, or at an order that was known before",
    "Riverfolk.prices": "a price may be any from 1 to 4",
    "TradeDisruption.step": "another step of it",
    "Turn.activated": "other pieces activated in this Daylight",
    "Turn.used": "other effects used so far",
    "Turn.step": "the next step",
    "Daylight": "a phase that has just been called",
    "Recruiting.step": "some recruits or others",
    "Turmoil": "another step of the fall",
}
OF_THE_ENGINE = ("State.", "Seat.", "ChanceState.", "Outcome.", "Standing.")


@cache
def states() -> tuple[Any, ...]:
    """States along random games of the two, now and then one."""
    return along_games("", [("marquise", "eyrie")] * GAMES, EVERY, ())


def undetected(state: Any, seed: int, words: Any = None) -> list[tuple[Corruption, Any]]:
    """Some corruptions of a state that decode and have no problem, with the states that they lead to."""
    data = json.loads(encode(state))
    tried = [
        c
        for c in Corruptor(RULES, state, data, words or WORDS, seed).every()
        if not c.label.startswith(OF_THE_ENGINE)
    ]
    random.Random(seed).shuffle(tried)
    return list(passed(state, tried[:TRIED]))


@cache
def all_undetected() -> tuple[tuple[Corruption, Any], ...]:
    return tuple(found for n, state in enumerate(states()) for found in undetected(state, n))


def test_what_is_not_found_is_another_possible_state():
    assert strange(all_undetected(), FREE) == []
    assert len(states()) > 100


def test_what_is_not_found_can_be_gone_on_from():
    can_be_gone_on_from(all_undetected())


@pytest.mark.parametrize("name", ["Player.hand", "Board.map", "Player.supply", "Board.items", "Eyrie.decree"])
def test_pieces_and_cards_are_always_missed(name):
    assert [c for c, _ in all_undetected() if c.label == name] == []
