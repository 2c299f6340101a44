"""What abilities and levels ask for and give at most, as the bound of look-ahead reads it; worked out once a house."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from service.games.simurgh.v1.effects import (
    KINDS,
    PURCHASE,
    TOKENS,
    Effect,
    One,
    Part,
    Total,
    every_part,
    most_gained,
    most_together,
)  # fmt: skip
from service.games.simurgh.v1.figures import Figures


class Source(NamedTuple):
    """What something can give at most, and what it asks for."""

    costs: tuple[dict[str, int], ...]
    least: dict[str, int]  # of each thing that every way to pay asks for
    most: dict[str, int]  # and that any way asks for
    gives: dict[str, int]
    kinds: frozenset[str]  # of vassals that it may be paid with
    tokens: frozenset[str]  # that it may give


@lru_cache(maxsize=64)
def sources(f: Figures) -> dict[str, Source]:
    """Every ability and level as a source, by its id."""
    return {x: _source(f, f.effects[x]) for x in (*f.abilities, *f.levels)}


def _source(f: Figures, effect: Effect) -> Source:
    kinds = frozenset(k for way in effect.costs for k in KINDS if k in way)
    gives = most_of(f, effect.gain)
    costs = tuple(summed(f, way) for way in effect.costs)
    least = {x: n for x in costs[0] if (n := min(way.get(x, 0) for way in costs))}
    most = {x: max(way.get(x, 0) for way in effect.costs) for way in effect.costs for x in way}
    return Source(costs, least, most, gives, kinds, frozenset(what for what in gives if what in TOKENS))


@lru_cache(maxsize=64)
def in_company(f: Figures) -> dict[str, frozenset[str]]:
    """The sources that give vassals together with something else, and of which kinds."""
    kinds = {
        x: frozenset(source.gives).intersection(KINDS)
        for x, source in sources(f).items()
        if len(source.gives) > 1
    }
    return {x: found for x, found in kinds.items() if found}


@lru_cache(maxsize=64)
def alternatives(f: Figures) -> dict[str, frozenset[str]]:
    """Kinds of which one may come instead of another, each with a name for all of them together."""
    parts = [p for x in (*f.abilities, *f.levels) for p in every_part(f.effects[x].gain)]
    parts += [
        p for x, named in f.specials.items() if PURCHASE in named for p in every_part(f.effects[x].gain)
    ]
    found = {frozenset(p.of) for p in parts if isinstance(p, Total)}
    found |= {frozenset(most_gained([p])) & {*TOKENS} for p in parts if isinstance(p, One)}
    return {"|".join(sorted(kinds)): kinds for kinds in sorted(found, key=sorted) if len(kinds) > 1}


def summed(f: Figures, bag: Mapping[str, int]) -> dict[str, int]:
    """A bag, and how much it holds of alternatives together."""
    sums = {name: sum(bag.get(what, 0) for what in kinds) for name, kinds in alternatives(f).items()}
    return {**bag, **{name: n for name, n in sums.items() if n}}


def most_of(f: Figures, parts: Sequence[Part]) -> dict[str, int]:
    """The most of each thing that these parts can give, and of alternatives together."""
    sums = {name: most_together(parts, kinds) for name, kinds in alternatives(f).items()}
    return {**most_gained(parts), **{name: n for name, n in sums.items() if n}}
