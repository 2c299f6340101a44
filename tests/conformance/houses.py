"""Houses at random: figures of every shape within its bounds, kept where they go together."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

from service.engine.ruleset import Ruleset
from service.engine.shapes import Counts, Flag, Maybe, Record, Rows, Shape, Whole, Word

DEEP = 4


def figure(shape: Shape, rng: random.Random, near: Any = None, depth: int = 0) -> Any:
    """Something of this shape; numbers mostly not far from the printed one."""
    if isinstance(shape, Maybe):
        return None if rng.random() < 0.3 else figure(shape.of, rng, near, depth)
    if isinstance(shape, Whole):
        return whole(shape, rng, near)
    if isinstance(shape, Flag):
        return rng.random() < 0.5
    if isinstance(shape, Word):
        return rng.choice(shape.words)
    if isinstance(shape, Rows):
        return rows(shape, rng, near, depth)
    if isinstance(shape, Counts):
        size = rng.randint(shape.least, min(len(shape.keys), shape.least + 2))
        chosen = rng.sample(shape.keys, size)
        return {k: figure(shape.of, rng, near.get(k) if isinstance(near, Mapping) else None) for k in chosen}
    assert isinstance(shape, Record)
    return record(shape, rng, near, depth)


def whole(shape: Whole, rng: random.Random, near: Any) -> int:
    if type(near) is int and rng.random() < 0.7:
        return max(shape.least, min(shape.most, near + rng.randint(-3, 3)))
    if rng.random() < 0.5:
        return rng.randint(shape.least, min(shape.most, shape.least + 5))
    return rng.choice([shape.least, shape.most, rng.randint(shape.least, shape.most)])


def rows(shape: Rows, rng: random.Random, near: Any, depth: int) -> list[Any]:
    size = rng.randint(shape.least, shape.most if depth < DEEP else shape.least)
    if shape.distinct and isinstance(shape.of, Word):
        return rng.sample(shape.of.words, min(size, len(shape.of.words)))
    printed = near if isinstance(near, list) else []
    return [figure(shape.of, rng, printed[i] if i < len(printed) else None, depth + 1) for i in range(size)]


def record(shape: Record, rng: random.Random, near: Any, depth: int) -> dict[str, Any]:
    plain = [s for s in shape.sets if not {"all", "choose_one", "gain"} & set(s)]
    keys = rng.choice(plain if depth >= DEEP and plain else shape.sets)
    if isinstance(near, Mapping) and tuple(sorted(near)) in shape.sets and rng.random() < 0.5:
        keys = tuple(sorted(near))
    printed = near if isinstance(near, Mapping) else {}
    return {k: figure(shape.of[k], rng, printed.get(k), depth + 1) for k in keys}


def single(rules: Ruleset, rng: random.Random) -> Iterator[tuple[str, str, str, Any]]:
    """One figure after the other, at random."""
    printed = {kind: {e["id"]: e for e in entries} for kind, entries in rules.components.items()}
    places = [
        (kind, id_, f)
        for kind, known in rules.houses.shapes.items()
        for id_, figures in known.items()
        for f in figures
    ]
    while True:
        kind, id_, name = rng.choice(places)
        shape = rules.houses.shapes[kind][id_][name]
        yield kind, id_, name, figure(shape, rng, printed[kind][id_][name])


def house(rules: Ruleset, rng: random.Random, size: int) -> dict[str, Any]:
    """So many figures that go together (fewer, where one figure replaces another)."""
    found: dict[str, Any] = {}
    taken = 0
    for kind, id_, name, value in single(rules, rng):
        entries = found.get(kind, {})
        more = {**found, kind: {**entries, id_: {**entries.get(id_, {}), name: value}}}
        if not rules.house_problems(more):
            found, taken = more, taken + 1
        if taken >= size:
            return found
    raise AssertionError("there is always one more")
