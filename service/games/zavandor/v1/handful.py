"""The best payment from a few things: all that can be handed over is looked through, the fewest items first."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import NamedTuple, TypeAlias

NO_SUCH = 0b1010  # there is no unit of 1: change of 1 or 3, or dust of 1 or 3 left, loses 1
MANY = 128  # bags; of more than that it is quicker to reckon with sums

Bag: TypeAlias = (
    "tuple[int, float, tuple[int, ...]]"  # what it is worth, what its least item is worth, the pieces
)


class Item(NamedTuple):
    """Things of one id: what each is worth, and how many there are."""

    id: str
    value: int
    count: int  # type: ignore[assignment]  # a tuple counts its entries, which nobody asks of this one


def is_handful(items: Sequence[Item]) -> bool:
    """Whether no more than so many bags can be made of these items."""
    bags = 1
    for _, _, count in items:
        bags *= count + 1
        if bags > MANY:
            return False
    return True


def lossy_sums(price: int, lack: int) -> int:
    """The sums by which this price is paid with a loss, as the bits of a number; `lack`: the price without the dust."""
    short = NO_SUCH << lack if lack > 0 else NO_SUCH >> -lack
    return NO_SUCH << price | short & (1 << price) - 1


class Handful:
    """All bags of a few items: by size, and of one size those with the lowest ids first; made as far as asked for."""

    __slots__ = ("_bags", "_following", "_of", "dust", "items", "total")

    def __init__(self, items: Sequence[Item], dust: int) -> None:
        self.items, self.dust = items, dust
        self.total = sum([value * n for _, value, n in items])
        self._of = [
            item for item, _, count in items for _ in range(count)
        ]  # what each piece is, in their order
        self._bags: list[list[Bag]] = [[(0, inf, ())]]
        self._following: list[list[tuple[int, int]]] = []

    def best(self, price: int, floor: int | None) -> tuple[int, dict[str, int]] | None:
        """The least loss, then the fewest items, then the lowest ids; no overpayment of `floor` or more."""
        lack = price - self.dust
        if self.total < lack:
            return None
        lossy, limit = lossy_sums(price, lack), self.total + 1 if floor is None else price + floor
        with_loss: tuple[int, ...] | None = None
        for size in range(len(self._of) + 1):
            for worth, least, pieces in self._bags[size] if size < len(self._bags) else self._larger():
                if lack <= worth < limit and worth - price < least:
                    if not lossy >> worth & 1:
                        return 0, self._as_bag(pieces)
                    if with_loss is None:
                        with_loss = pieces
        return None if with_loss is None else (1, self._as_bag(with_loss))

    def _as_bag(self, pieces: Sequence[int]) -> dict[str, int]:
        bag: dict[str, int] = {}
        for piece in pieces:
            item = self._of[piece]
            bag[item] = bag.get(item, 0) + 1
        return bag

    def _larger(self) -> list[Bag]:
        """The bags with one piece more than the largest so far, each of them once."""
        if len(self._bags) == 1:
            self._following = self._order()
        following = self._following
        found = [
            (worth + value, least if least < value else value, (*pieces, piece))
            for worth, least, pieces in self._bags[-1]
            for piece, value in following[pieces[-1] if pieces else -1]
        ]
        self._bags.append(found)
        return found

    def _order(self) -> list[list[tuple[int, int]]]:
        """Which pieces, with their value, may come after each in a bag: the next of its item, or the first of another.

        At the end of the list: what a bag may begin with.
        """
        found: list[list[tuple[int, int]]] = []
        firsts: list[tuple[int, int]] = []
        end = len(self._of)
        for _, value, count in reversed(self.items):
            found.append(firsts)
            for piece in range(end - 1, end - count, -1):
                found.append([(piece, value), *firsts])
            end -= count
            firsts = [(end, value), *firsts]
        return [*reversed(found), firsts]
