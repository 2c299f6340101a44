"""Whole games: prudent and random ones go to their ends and break nothing, and together they show what there is."""

from collections import Counter

import pytest

from service.engine.problems import problems
from service.engine.state import encode
from tests.conformance.subjects import setup_of, walk
from tests.games.simurgh.conformance import everything, seen
from tests.games.simurgh.table import RULES

rule = pytest.mark.rule
VARIANTS = ("spearman", "dragonlord")
TABLES = [(seats, variant) for seats in (2, 3, 4, 5) for variant in VARIANTS]


def options_of(variant, seed):
    """Set-up options that walk through the lengths."""
    return {"variant": variant, "length": ("short", "medium", "long")[seed % 3]}


def played(seed, policy, seats, variant, monkeypatch, **more):
    """One whole game of this table."""

    def setup(rules, at, **more):
        made = setup_of(rules, at, **more)
        object.__setattr__(made, "options", options_of(variant, at))
        return made

    monkeypatch.setattr("tests.conformance.subjects.setup_of", setup)
    return walk(RULES, seed, policy, seats=seats, mode=("given", "seeded")[seed % 2], **more)


def sound(w, every=1):
    """No error on the way, every state can exist and survives JSON, and the score is that of the parts."""
    assert w.error is None
    assert w.over
    for ply in w.plies[::every]:
        state = ply.judgement.state
        assert problems(RULES, state) == [], ply.where
        data = encode(state)
        assert encode(RULES.decode(data)) == data
    outcome = w.last.outcome
    assert outcome.because == "SIM-SCORE-5"
    assert w.last.table.ending is not None
    best = max(s.score for s in outcome.standings)
    assert {s.seat for s in outcome.standings if s.score == best} == set(outcome.winners)
    assert all(s.score == sum(s.parts.values()) for s in outcome.standings)


@rule("SIM-END-5", "SIM-SCORE-5")
@pytest.mark.parametrize("policy", ["random", "prudent"])
@pytest.mark.parametrize(("seats", "variant"), TABLES)
def test_two_games_of_every_table_end(seats, variant, policy, monkeypatch):
    for seed in (seats, seats + 10):
        w = played(seed, policy, seats, variant, monkeypatch)
        sound(w)
        assert w.last.options["variant"] == variant
        turns = Counter(
            e.facts["seat"] for p in w.plies for e in p.judgement.events if e.kind == "turn-begins"
        )
        assert max(turns.values()) - min(turns.values()) <= 2


@pytest.mark.long
@pytest.mark.parametrize(("seats", "variant"), TABLES)
@pytest.mark.parametrize("policy", ["random", "prudent", "mixed"])
def test_sixty_games_of_every_table_end(seats, variant, policy, monkeypatch, record_property):
    plies = 0
    for seed in range(100, 160):
        w = played(seed, policy, seats, variant, monkeypatch)
        sound(w, every=5)
        plies += len(w.plies)
    record_property(
        "counted", f"simurgh, {seats} seats, {variant}, {policy}: 60 games, {plies / 60:.0f} plies each"
    )


@pytest.mark.long
def test_games_together_use_every_space_ability_objective_and_end(monkeypatch, record_property):
    """The curious look for what was done least in all games so far; so many games are enough, and are needed."""
    found, done, seed = Counter(), Counter(), 0
    while (missing := sorted(everything() - set(found))) and seed < 1_000:
        seats, variant = TABLES[seed % len(TABLES)]
        w = played(seed, "mixed", seats, variant, monkeypatch, done=done)
        assert w.error is None
        for ply in w.plies:
            found.update(seen(ply))
        seed += 1
    rarest = found.most_common()[-5:]
    record_property("counted", f"simurgh, {seed} mixed games: {len(found)} things used, rarest {rarest}")
    assert missing == []


def test_the_same_seed_is_the_same_game():
    a, b = (walk(RULES, 7, "mixed") for _ in range(2))
    assert encode(a.last) == encode(b.last)
