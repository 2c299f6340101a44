"""Whole cooperative and solo games, to their end: who won with whom is what the table shows."""

from __future__ import annotations

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
from service.games.root.v1.figures import FAVORS, PERSISTENT
from tests.conformance.subjects import Dice, draws_of, prudent_action, random_action
from tests.games.root.table import SEATS
from tests.games.root.together import BOT, CAMPAIGN, MECHANICAL

LINES = (
    ("eyrie",),
    ("alliance", "cult"),
    ("vagabond", "riverfolk"),
    ("riverfolk", "cult", "alliance"),
    ("eyrie", "alliance", "cult", "riverfolk"),
)
ALONE = (("eyrie",), ("alliance",), ("cult",), ("vagabond",), ("riverfolk",))
EVERY = 6
# Games that humans win now and then: a roost or a sympathy is worth half of what wins, and lasting cards cost nothing.
SHORT = {
    "table": {"points-to-win": {"value": 12}, "points-per-win": {"value": 1}},
    "cards": {card: {"cost": []} for card in PERSISTENT},
    "pieces": {"roost": {"points": [6] * 7}, "sympathy": {"points": [6] * 10}},
}
CAMPAIGNERS = (("eyrie",), ("alliance",), ("alliance", "eyrie"))


@cache
def whole_game(
    mode: str, line: tuple[str, ...], seed: int, prudent: bool, campaign: bool = False
) -> tuple[Any, ...]:
    """The states of a game, now and then one, and the last; every one of those is sound."""
    rng = Dice(f"{mode} {line} {seed}")
    seats = [SetupSeat(BOT, choice={"faction": MECHANICAL})]
    seats += [SetupSeat(s, choice={"faction": f}) for s, f in zip(SEATS, line, strict=False)]
    chosen = {**CAMPAIGN, "mode": mode} if campaign else {"mode": mode}
    wished = Setup(seats, f"joint-{seed}", ChanceState("given"), chosen, house=SHORT if campaign else {})
    state: Any = start(RULES, wished, draws_of(seed)).state
    found = [state]
    for ply in range(5_000):
        if state.outcome is not None:
            break
        t = Table(RULES, state, draws_of(seed))
        action = (prudent_action if prudent and rng.random() < 0.9 else random_action)(t, rng)
        assert action is not None, "a dead end"
        after = judge(RULES, state, action)
        assert after.legal, (action, after.violations)
        state = after.state
        if ply % EVERY == 0:
            found.append(state)
    found.append(state)
    for reached in found:
        assert problems(RULES, reached) == []
    return tuple(found)


def is_rightly_ended(state: Any) -> None:
    """All humans won if all have reached 30, else the bot, and it has them."""
    outcome, seats = state.outcome, state.table.seats
    enough = state.house["table"]["points-to-win"]["value"] if state.house else 30
    people = [s for s in seats if s != BOT]
    if all(seats[s].reached for s in people):
        assert (outcome.winners, outcome.because) == (people, "ROOT-COOP-2")
        assert seats[BOT].score < enough
    else:
        assert (outcome.winners, outcome.because) == ([BOT], "ROOT-COOP-4")
        assert seats[BOT].score >= enough
    assert all(p.score < enough or p.reached for s, p in seats.items() if s != BOT)


@pytest.mark.rule("ROOT-COOP-1", "ROOT-COOP-2", "ROOT-COOP-3", "ROOT-COOP-4")
@pytest.mark.parametrize("prudent", [True, False])
@pytest.mark.parametrize("line", LINES, ids="-".join)
def test_cooperative_games_of_one_to_four_come_to_their_end(line: tuple[str, ...], prudent: bool) -> None:
    is_rightly_ended(whole_game("cooperative", line, 1, prudent)[-1])


@pytest.mark.rule("ROOT-SOLO-1", "ROOT-COOP-4")
@pytest.mark.parametrize("line", ALONE, ids="-".join)
def test_solo_games_come_to_their_end_and_no_favor_comes_up(line: tuple[str, ...]) -> None:
    states = whole_game("solo", line, 2, True)
    is_rightly_ended(states[-1])
    assert not any(favor in encode(state).decode() for state in states for favor in FAVORS)


@pytest.mark.rule("ROOT-CAMP-1", "ROOT-CAMP-2", "ROOT-COOP-2", "ROOT-CAMP-6")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("line", CAMPAIGNERS, ids="-".join)
def test_games_of_a_campaign_say_what_the_next_begins_with(line: tuple[str, ...], seed: int) -> None:
    last = whole_game("cooperative", line, seed, True, campaign=True)[-1]
    is_rightly_ended(last)
    assert (last.outcome.next is not None) == (BOT not in last.outcome.winners)
    if last.outcome.next is not None:
        again = last.outcome.next
        seats = [
            SetupSeat(s["id"], choice={k: v for k, v in s.items() if k in ("faction", "kept")})
            for s in again["seats"]
        ]
        wished = Setup(seats, "next", ChanceState("given"), again["options"], house=again["house"])
        assert start(RULES, wished).state.table.seats[BOT].score == 3  # type: ignore[union-attr]


def test_both_sides_win_some_of_these_games() -> None:
    winners = {
        BOT in whole_game("cooperative", line, seed, True, campaign=True)[-1].outcome.winners
        for line in CAMPAIGNERS
        for seed in range(4)
    }
    assert winners == {True, False}


def test_what_is_listed_in_them_is_legal_and_everybody_can_look() -> None:
    rng = random.Random(3)
    for line in LINES:
        for state in rng.sample(whole_game("cooperative", line, 1, True), 3):
            for seat in (None, *(s.id for s in state.seats)):
                view(state, seat)
            acts = [o.filled() for o in options(Table(RULES, state))]
            for action in rng.sample(acts, min(5, len(acts))):
                assert judge(RULES, state, action).legal, action
