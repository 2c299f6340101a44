"""The language in which spaces, levels, abilities and prices are written, and the only module that reads it.

A cost is any of several bags of what must be handed over; a gain is a row of parts, resolved left to right
(SIM-EFF-1 to SIM-EFF-8). Nothing here knows a tile or a dragon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any, TypeAlias

from msgspec import Struct

RESOURCES = ("vegetable", "meat", "wood", "stone", "wisdom", "weapon")
KINDS = ("spearman", "dragonrider")
TOKENS = (*RESOURCES, "pp")
MARKER = "marker"
DRAGON, TILE = "dragon", "tile"  # what a draw takes off its deck

PURCHASE, STATUE = "scouts-purchase", "statue-objectives"
FETCH, DRAW_TILE = "take-display-tile-no-price-no-points", "draw-top-action-tile"
AGAIN, REPLACE = "move-same-rider-again-full-cost", "replace-face-up-objective"
ONE_MORE = "one-more-of-a-type-just-taken"
SPECIALS = (PURCHASE, STATUE, FETCH, DRAW_TILE, AGAIN, REPLACE, ONE_MORE)

Bag = Mapping[str, int]


class Take(Struct, frozen=True):
    """Receive exactly these tokens, markers, vassals and points (SIM-EFF-1)."""

    bag: dict[str, int]


class Total(Struct, frozen=True):
    """Receive `n` tokens in all, divided freely over the kinds (SIM-EFF-2)."""

    n: int
    of: tuple[str, ...]


class One(Struct, frozen=True):
    """Choose exactly one of these branches (SIM-EFF-3)."""

    branches: tuple[tuple[Any, ...], ...]


class Draw(Struct, frozen=True):
    """Look at the top `n` dragons, keep one with this many markers (SIM-EFF-6)."""

    n: int
    markers: int


class Special(Struct, frozen=True):
    """A procedure with clauses of its own; `n` and `of` as it needs them."""

    name: str
    n: int = 0
    of: tuple[str, ...] = ()


Part: TypeAlias = Take | Total | One | Draw | Special


class Effect(Struct, frozen=True):
    """What a space, level or ability does: the ways to pay it, and the parts of its gain."""

    costs: tuple[dict[str, int], ...]
    gain: tuple[Part, ...]

    @property
    def free(self) -> bool:
        """Whether nothing has to be paid."""
        return self.costs == ({},)


def effect_of(written: Mapping[str, Any]) -> Effect:
    """An effect as the components write it."""
    if "pay" in written:
        return Effect(costs_of(written["pay"]), tuple(parts_of(written["gain"])))
    return Effect(({},), tuple(parts_of(written)))


def parts_of(written: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of a gain, left to right (SIM-EFF-8); ValueError for words that the language lacks."""
    if "all" in written:
        for part in written["all"]:
            yield from parts_of(part)
    elif "take" in written:
        yield Take(dict(written["take"]))
    elif "choose_total" in written:
        yield Total(written["choose_total"], tuple(written["of"]))
    elif "choose_one" in written:
        yield One(tuple(tuple(parts_of(branch)) for branch in written["choose_one"]))
    elif "draw_dragons" in written:
        yield Draw(written["draw_dragons"], written["markers"])
    elif written.get("special") in SPECIALS:
        n = written.get("n", written.get("draw", 0))
        yield Special(written["special"], n, tuple(written.get("of", ())))
    else:
        raise ValueError(f"no gain: {written}")


def costs_of(written: Mapping[str, Any]) -> tuple[dict[str, int], ...]:
    """Every way to pay a cost, each once, in the order in which it is written (SIM-EFF-2 to SIM-EFF-5)."""
    found: list[dict[str, int]] = []
    for bag in _ways(written):
        if bag not in found:
            found.append(bag)
    return tuple(found)


def _ways(written: Mapping[str, Any]) -> Iterator[dict[str, int]]:
    if "all" in written:
        for bags in product(*(costs_of(part) for part in written["all"])):
            yield added(bags)
    elif "fixed" in written:
        yield dict(sorted(written["fixed"].items()))
    elif "choose_total" in written:
        yield from splits(written["choose_total"], written["of"])
    elif "choose_one" in written:
        for branch in written["choose_one"]:
            yield from costs_of(branch)
    else:
        raise ValueError(f"no cost: {written}")


def splits(n: int, of: Sequence[str]) -> Iterator[dict[str, int]]:
    """Every way to divide `n` over these kinds."""
    for chosen in combinations_with_replacement(of, n):
        yield added({what: 1} for what in chosen)


def added(bags: Any) -> dict[str, int]:
    """Several bags as one, in order of ids."""
    total: dict[str, int] = {}
    for bag in bags:
        for what, n in bag.items():
            total[what] = total.get(what, 0) + n
    return dict(sorted(total.items()))


def covers(have: Bag, way: Bag) -> bool:
    """Whether a bag is enough for a price."""
    return all(have.get(what, 0) >= n for what, n in way.items())


def most_gained(parts: Sequence[Part]) -> dict[str, int]:
    """The most of each thing that these parts can give: never less than what they really give."""
    return added(_most(part) for part in parts)


def _most(part: Part) -> dict[str, int]:
    if isinstance(part, Take):
        return part.bag
    if isinstance(part, Total):
        return dict.fromkeys(part.of, part.n)
    if isinstance(part, One):
        best: dict[str, int] = {}
        for branch in part.branches:
            for what, n in most_gained(branch).items():
                best[what] = max(n, best.get(what, 0))
        return best
    if isinstance(part, Special) and part.name == ONE_MORE:
        return dict.fromkeys(part.of, part.n)
    return {}


def most_together(parts: Sequence[Part], kinds: frozenset[str]) -> int:
    """The most of all these kinds together that the parts can give."""
    return sum(_most_together(part, kinds) for part in parts)


def _most_together(part: Part, kinds: frozenset[str]) -> int:
    if isinstance(part, Take):
        return sum(n for what, n in part.bag.items() if what in kinds)
    if isinstance(part, Total) or (isinstance(part, Special) and part.name == ONE_MORE):
        return 0 if kinds.isdisjoint(part.of) else part.n
    if isinstance(part, One):
        return max((most_together(branch, kinds) for branch in part.branches), default=0)
    return 0


def every_part(parts: Sequence[Part]) -> Iterator[Part]:
    """The parts and those of all their branches."""
    for part in parts:
        yield part
        for branch in part.branches if isinstance(part, One) else ():
            yield from every_part(branch)


def may_be_lacking(part: Part) -> bool:
    """Whether what a part gives may not be there: vassals, dragons, or tiles of the deck."""
    return bool(asked_of(part))


def asked_of(part: Part) -> Bag:
    """What a part takes of what may not be there: vassals, a dragon, a tile of the deck; of a choice nothing yet."""
    if isinstance(part, Take):
        return {kind: part.bag[kind] for kind in KINDS if kind in part.bag}
    if isinstance(part, Draw):
        return {DRAGON: 1}
    return {TILE: 1} if isinstance(part, Special) and part.name == DRAW_TILE else {}


def lacking(parts: Sequence[Part], there: Bag) -> tuple[str, ...]:
    """Everything that runs out when all these parts are received one after the other, in their order; each once.

    Of a choice one branch must leave enough for all that comes after it (SIM-EFF-3, SIM-EFF-8).
    """
    found: list[str] = []
    for i, part in enumerate(parts):
        if isinstance(part, One):
            found += lacking_in_all([lacking((*b, *parts[i + 1 :]), there) for b in part.branches])
            break
        for what, n in asked_of(part).items():
            if there[what] < n:
                found.append(what)
            there = {**there, what: max(0, there[what] - n)}
    return tuple(dict.fromkeys(found))


def lacking_in_all(ways: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """What is lacking whichever way is taken; where each way lacks something else, all that any of them does.

    Nothing where a way lacks nothing.
    """
    if () in ways:
        return ()
    every = tuple(dict.fromkeys(what for way in ways for what in way))
    return tuple(what for what in every if all(what in way for way in ways)) or every


def is_certain(part: Part) -> bool:
    """Whether a part can be received whatever lies on the table: of a choice, one branch (SIM-EFF-3)."""
    if isinstance(part, One):
        return any(all(map(is_certain, branch)) for branch in part.branches)
    return not may_be_lacking(part)


def every_row(parts: Sequence[Part]) -> Iterator[Sequence[Part]]:
    """The parts as a row, and the rows of all their branches."""
    yield parts
    for part in parts:
        for branch in part.branches if isinstance(part, One) else ():
            yield from every_row(branch)


def specials_in(effect: Effect) -> frozenset[str]:
    """The named procedures that an effect begins."""
    return frozenset(part.name for part in every_part(effect.gain) if isinstance(part, Special))
