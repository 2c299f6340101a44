"""Every game with figures of its own, under the laws: a sample of houses at random, whatever stands in them."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from schemas import Contract
from service.engine.setup import start
from service.engine.view import view
from tests.conformance.conservation import law_conservation
from tests.conformance.ends import law_no_dead_end
from tests.conformance.houses import house, single
from tests.conformance.purity import law_untouched
from tests.conformance.roundtrip import law_round_trip, law_schemas
from tests.conformance.subjects import Breach, Walk, draws_of, settled, setup_of, spots_of, subjects, walk
from tests.conformance.twin import law_twin

GAMES = sorted(game for game, subject in subjects().items() if subject.rules.houses.shapes)
SIZES = (1, 3, 10, 30)
PLIES = 120
pytestmark = pytest.mark.parametrize("game", GAMES)


def housed(game: str, seed: int, plies: int = PLIES) -> Walk:
    """A random game with a random house."""
    rules = subjects()[game].rules
    figures = house(rules, random.Random(f"house {seed}"), SIZES[seed % len(SIZES)])
    began = start(rules, settled(rules, replace(setup_of(rules, seed), house=figures)), draws_of(seed))
    found = walk(rules, seed, "mixed" if seed % 2 else "random", plies, began.state)
    found.first = began
    return replace(found, where=f"{found.where}, house {figures}")


@cache
def games(game: str) -> tuple[Walk, ...]:
    return tuple(housed(game, seed) for seed in range(12))


def holds(breaches: list[Breach]) -> None:
    shown = "\n".join(str(b)[:2_000] for b in breaches[:3])
    assert not breaches, f"{len(breaches)} breaches\n{shown}"


def test_law_1_listed_and_judged_legal_are_the_same(game: str) -> None:
    subject = subjects()[game]
    spots = spots_of(games(game), 20, random.Random(f"{game} house"))
    holds(law_twin(subject.rules, spots, random.Random(1), 500, 100, subject.extra("admits"), 40))


def test_laws_3_4_5_and_8_hold(game: str) -> None:
    rules, played = subjects()[game].rules, games(game)
    spots = spots_of(played, 100, random.Random(f"{game} house"))
    holds(law_conservation(rules, played))
    holds(law_untouched(played))
    holds(law_round_trip(rules, played))
    holds(law_schemas(rules, spots))
    holds(law_no_dead_end(rules, spots))


def test_the_house_is_kept_and_seen_by_everybody(game: str) -> None:
    for played in games(game):
        assert played.first is not None
        assert played.first.state is not None
        assert played.last is not None
        figures = played.first.state.house
        assert figures
        assert played.last.house == figures
        assert all(view(played.last, s.id)["house"] == figures for s in played.last.seats)
        assert view(played.last, None)["house"] == figures


def test_the_schema_takes_what_the_engine_takes_and_refuses_what_it_refuses(game: str) -> None:
    rules = subjects()[game].rules
    loader, rng = Contract(rules).loaders["components"], random.Random(7)
    offered = single(rules, rng)
    for _ in range(600):
        kind, id_, name, value = next(offered)
        shape = rules.houses.shapes[kind][id_][name]
        assert not list(shape.faults(value)), (kind, id_, name, value)
        for bent in (value, *bends(value, rng)):
            asked: Any = {"house": {kind: {id_: {name: bent}}}}
            found = loader.validate(asked)
            assert bool(found) == bool(list(shape.faults(bent))), (kind, id_, name, bent, found)


def bends(value: Any, rng: random.Random) -> list[Any]:
    """Some values that are nearly the same, and mostly wrong."""
    found: list[Any] = [None, "x", -1, 100_000, True, [value], {"x": value}, 1.5]
    if isinstance(value, dict) and value:
        key = rng.choice(sorted(value))
        found += [{k: v for k, v in value.items() if k != key}, {**value, "x": 1}]
        found += [{**value, key: bent} for bent in (None, "x", -1, {}, [], 0)]
        found += [
            {**value, key: bent}
            for bent in bends(value[key], rng)[-6:]
            if isinstance(value[key], dict | list)
        ]
    if isinstance(value, list) and value:
        found += [value[1:], [*value, value[0]], [None, *value[1:]], ["x", *value[1:]]]
        found += [
            [bent, *value[1:]] for bent in bends(value[0], rng)[-4:] if isinstance(value[0], dict | list)
        ]
    return found
