"""Bags `{what: n}` under statements: counting, filling, listing; what `Subset` and `Split` share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from service.engine.domain.base import MANY, AtLeast, AtMost, Statement


def counted(s: Statement, bag: Mapping[str, int]) -> int:
    """How many things of the bag the statement is about."""
    return sum(n for what, n in bag.items() if s.of is None or what in s.of)


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
    if not statements or how_many(held) > MANY:
        return None
    fine = (b for b in bags(held, least, most) if not broken_in(statements, b))
    return min(fine, key=lambda b: sum(b.values()), default=None)


def bags(held: Mapping[str, int], least: int, most: int) -> Iterator[dict[str, int]]:
    """Every bag of `least` to `most` of the things held, the first things first."""
    for counts in product(*(range(n, -1, -1) for n in held.values())):
        if least <= sum(counts) <= most:
            yield {what: n for what, n in zip(held, counts, strict=True) if n}


def how_many(held: Mapping[str, int]) -> int:
    """How many bags there are in all, exact up to `MANY`, then just more than that."""
    total = 1
    for n in held.values():
        total *= n + 1
        if total > MANY:
            break
    return total
