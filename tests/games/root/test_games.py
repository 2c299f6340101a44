"""Whole games at random: they end, every state on the way can exist, and together they show what there is."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest

from service.engine.judge import judge
from service.engine.problems import problems
from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import ChanceState, encode
from service.engine.table import Table
from service.games.root.v1 import RULES
from service.games.root.v1.figures import LEADERS
from tests.conformance.subjects import draws_of, random_action
from tests.games.root.table import SEATS

rule = pytest.mark.rule
GAMES = range(40)
PLIES = 6_000


@dataclass
class Course:
    """A finished game: its last state, how often each kind was played, and all its events."""

    state: Any
    kinds: Counter[str] = field(default_factory=Counter)
    events: list[Any] = field(default_factory=list)


@cache
def whole_game(seed: int, *factions: str, mode: str = "given") -> Course:
    """A random game to its end; every state without problems and the same after a trip through JSON."""
    rng = random.Random(f"root {seed} {factions}")
    chosen = [SetupSeat(s, choice={"faction": f}) for s, f in zip(SEATS, factions, strict=False)]
    seats = chosen or [SetupSeat(s) for s in SEATS[: RULES.least_seats + seed % (RULES.most_seats - 1)]]
    judged = start(RULES, Setup(seats, f"root-{seed}", ChanceState(mode=mode)), draws_of(seed))  # type: ignore[arg-type]
    course = Course(judged.state, events=list(judged.events))
    for _ in range(PLIES):
        if course.state.outcome is not None:
            return course
        action = random_action(Table(RULES, course.state, draws_of(seed)), rng)
        assert action is not None, "nobody has an answer"
        course.kinds[action["kind"]] += 1
        judged = judge(RULES, course.state, action, draws_of(seed))
        assert judged.legal, (action, judged.violations)
        course.state = judged.state
        course.events += judged.events
        assert problems(RULES, course.state) == [], action
        assert encode(RULES.decode(data := encode(course.state))) == data
    raise AssertionError("the game does not end")


@rule("ROOT-WIN-1")
@pytest.mark.parametrize("seed", GAMES)
def test_random_games_end_with_thirty_points_or_by_dominance(seed):
    outcome = whole_game(seed).state.outcome
    assert outcome.because in ("ROOT-WIN-1", "ROOT-WIN-2", "ROOT-DOM-2", "ROOT-DOM-3")
    won_by_points = outcome.because.startswith("ROOT-WIN")
    assert won_by_points == (max(s.score for s in outcome.standings) >= 30)


def test_seeded_and_given_chance_both_play_to_the_end():
    assert whole_game(3, "marquise", "eyrie", mode="seeded").state.outcome is not None


def test_states_stay_small():
    assert max(len(encode(whole_game(seed).state)) for seed in GAMES) <= 10_000


def test_every_kind_of_action_is_played():
    played = Counter(k for seed in GAMES for k in whole_game(seed).kinds)
    absent = {"activate-dominance", "take-available"}  # no dominance cards with two players (ROOT-DOM-9)
    rare = {
        "foil-ambush",
        "stand-and-deliver",
        "random-card",
        "new-roost",
        "discard-supporters",
    }  # of which other tests are made
    rare |= {
        "move-with-ally",
        "fight-with-ally",
        "pick-losses",
        "enlist-arbiter",
        "draw-vagabond",
        "take-ruin-item",
    }
    rare |= {"draw-corner", "turn-up-order", "keep-card"}  # of games against the Mechanical Marquise
    rare |= {"play-spy", "use-spy", "look-at-order", "swap"}
    assert set(RULES.kinds) - set(played) <= absent | rare


def test_every_leader_comes_to_power():
    led = {e.facts["value"] for seed in GAMES for e in whole_game(seed).events if _sets(e, "leader")}
    assert led == set(LEADERS)


def _sets(event: Any, name: str) -> bool:
    return event.kind == "set" and event.facts["place"][-1] == name


def test_every_event_is_told_in_both_languages():
    told = {}
    for seed in GAMES:
        for e in whole_game(seed).events:
            for wire in (e.to_wire(), e.seen_by(None)):
                if wire is not None:
                    told.setdefault((e.kind, e.because), wire)
    for (kind, _), wire in told.items():
        for language in ("en", "cs"):
            text = RULES.words.event(wire, language)
            assert text != kind, wire
            assert "{" not in text, text
            assert "  " not in text, text
            assert text.endswith((".", "!")), text
