"""Bags `{what: n}` under statements: counting, filling, listing; what `Subset` and `Split` share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import comb

from service.engine.domain.base import MANY, AtLeast, AtMost, Statement

WIDE = 200


def counted(s: Statement, bag: Mapping[str, int]) -> int:
    """How many things of the bag the statement is about."""
    if s.of is None:
        return sum(bag.values())
    return sum([n for what, n in bag.items() if what in s.of])


def broken_in(statements: Iterable[Statement], bag: Mapping[str, int]) -> list[tuple[Statement, int]]:
    """The statements that the bag breaks, each with the number that it counted."""
    return [(s, n) for s in statements if not s.holds(n := counted(s, bag))]


def fill(
    bag: dict[str, int],
    held: Mapping[str, int],
    order: Iterable[str],
    n: int,
    statements: Sequence[Statement],
) -> None:
    """Add up to `n` of the things held to the bag, in order, and never more than an `AtMost` allows."""
    caps = [s for s in statements if isinstance(s, AtMost)]
    for what in order:
        while n > 0 and bag.get(what, 0) < held[what] and _room(caps, bag, what):
            bag[what] = bag.get(what, 0) + 1
            n -= 1


def _room(caps: Sequence[AtMost], bag: Mapping[str, int], what: str) -> bool:
    return all(counted(s, bag) < s.n for s in caps if s.of is None or what in s.of)


def filled(
    held: Mapping[str, int], order: Sequence[str], least: int, most: int, statements: Sequence[Statement]
) -> dict[str, int] | None:
    """A small bag of `least` to `most` things that no statement forbids, those first in `order` preferred.

    Filling one statement after another nearly always finds one; where it does not, all bags are tried, smallest first.
    """
    bag: dict[str, int] = {}
    for s in statements:
        if isinstance(s, AtLeast):
            wanted = [what for what in order if s.of is None or what in s.of]
            fill(bag, held, wanted, s.n - counted(s, bag), statements)
    fill(bag, held, order, least - sum(bag.values()), statements)
    if least <= sum(bag.values()) <= most and not broken_in(statements, bag):
        return bag
    return _searched({what: held[what] for what in order}, least, most, statements)


def _searched(
    held: Mapping[str, int], least: int, most: int, statements: Sequence[Statement]
) -> dict[str, int] | None:
    if not statements or how_many(held, least, most) > MANY:
        return None
    fine = (b for b in bags(held, least, most) if not broken_in(statements, b))
    return min(fine, key=lambda b: sum(b.values()), default=None)


def bags(held: Mapping[str, int], least: int, most: int) -> Iterator[dict[str, int]]:
    """Every bag of `least` to `most` of the things held; those with more of the first things come first."""
    things = list(held.items())
    left = [sum(held.values())]
    for _, n in things:
        left.append(left[-1] - n)
    return _bags(things, left, 0, least, most)


def _bags(
    things: Sequence[tuple[str, int]], left: Sequence[int], i: int, least: int, most: int
) -> Iterator[dict[str, int]]:
    if least > left[i]:
        return
    if i == len(things):
        yield {}
        return
    what, n = things[i]
    for k in range(min(n, most), -1, -1):
        mine = {what: k} if k else {}
        yield from ({**mine, **more} for more in _bags(things, left, i + 1, least - k, most - k))


def how_many(held: Mapping[str, int], least: int, most: int, ordered: bool = False) -> int:
    """How many bags (or orders of bags) of `least` to `most` things there are; of hundreds, just too many."""
    if most > WIDE:
        return MANY + 1
    ways = [1]
    for n in held.values():
        ways = _with_more(ways, n, most, ordered)
    return sum(ways[least:])


def _with_more(ways: Sequence[int], n: int, most: int, ordered: bool) -> list[int]:
    """`ways[size]` once up to `n` of one more kind may be chosen."""
    more = [0] * (min(most, len(ways) - 1 + n) + 1)
    for size, w in enumerate(ways):
        for k in range(min(n, most - size) + 1):
            more[size + k] += w * comb(size + k, k) if ordered else w
    return more
