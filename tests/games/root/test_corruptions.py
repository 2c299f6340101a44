"""Every field of states of the Marquise and the Eyrie, corrupted in every way: found, or another possible state.

What is not found can be gone on from: its views, its options, and what they lead to.
"""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest

from service.engine.judge import judge
from service.engine.options import options
from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, encode
from service.engine.table import Table
from service.engine.view import view
from service.games.root.v1 import RULES
from service.games.root.v1.figures import CARDS, SUITS
from tests.conformance.corruptions import Corruption, Corruptor
from tests.conformance.subjects import draws_of, random_action
from tests.games.root.table import CAT, OWL

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
    found = []
    for seed in range(GAMES):
        rng = random.Random(f"corrupt {seed}")
        seats = [SetupSeat(CAT, choice={"faction": "marquise"}), SetupSeat(OWL, choice={"faction": "eyrie"})]
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


def undetected(state: Any, seed: int, words: Any = None) -> list[tuple[Corruption, Any]]:
    """Corruptions of a state that decode and have no problem, with the states that they lead to."""
    data = json.loads(encode(state))
    tried = [
        c
        for c in Corruptor(RULES, state, data, words or WORDS, seed).every()
        if not c.label.startswith(OF_THE_ENGINE)
    ]
    random.Random(seed).shuffle(tried)
    found = []
    for corruption in tried[:TRIED]:
        undo = corruption.apply(data)
        spoiled = json.dumps(data)
        undo()
        try:
            twin = RULES.decode(spoiled)
        except Exception:
            continue
        if not problems(RULES, twin):
            found.append((corruption, twin))
    return found


@cache
def all_undetected() -> tuple[tuple[Corruption, Any], ...]:
    return tuple(found for n, state in enumerate(states()) for found in undetected(state, n))


def test_what_is_not_found_is_another_possible_state():
    strange = {
        (c.label, c.way, c.pointer)
        for c, _ in all_undetected()
        if c.label not in FREE and c.label.partition(".")[0] not in FREE
    }
    assert sorted(strange) == []
    assert len(states()) > 100


def test_what_is_not_found_can_be_gone_on_from():
    rng = random.Random(7)
    for corruption, state in all_undetected():
        for seat in (None, CAT, OWL):
            view(state, seat)
        if state.outcome is not None:
            continue
        acts = [o.filled() for o in options(Table(RULES, state))]
        for action in rng.sample(acts, min(2, len(acts))):
            after = judge(RULES, state, action)
            assert after.legal, (corruption, action)
            assert after.outcome is not None or after.decisions, corruption


@pytest.mark.parametrize("name", ["Player.hand", "Board.map", "Player.supply", "Board.items", "Eyrie.decree"])
def test_pieces_and_cards_are_always_missed(name):
    assert [c for c, _ in all_undetected() if c.label == name] == []
