"""The best payment from many things: one number holds which sums so many of them can make, for all prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from service.games.zavandor.v1.handful import Item, lossy_sums

ROOMY = 128  # sums below this are all kept; of a richer purse only those that the price at hand can need

Rank: TypeAlias = "tuple[tuple[str, int], ...]"


def rank_of(bag: Mapping[str, int]) -> Rank:
    """Bags of equal size compare by their lowest ids: more of the lowest id is lower."""
    return tuple([(i, -bag[i]) for i in sorted(bag)])


@dataclass(slots=True)
class _Stage:
    """The items worth more than `above`, and all that they can make (`made`), which is up to `total`.

    They, and no fewer, may be used for an overpayment of `above` to `most`: each item of it is worth more than that.
    """

    above: int
    most: int
    total: int
    made: int
    items: Sequence[Item] | None = None  # in the order of their ids
    after: Sequence[int] = ()  # what the items from the i-th on can make


class Sums:
    """What some items can make: bit `size * width + sum` of a number is set where so many of them make that sum."""

    __slots__ = ("_ones", "_row", "_stages", "_width", "dust", "items", "total")

    def __init__(self, items: Sequence[Item], dust: int) -> None:
        self.items, self.dust = items, dust
        self.total = sum([value * n for _, value, n in items])
        self._width = self._row = self._ones = 0
        self._stages: list[_Stage] = []

    def best(self, price: int, floor: int | None) -> tuple[int, dict[str, int]] | None:
        """The least loss, then the fewest items, then the lowest ids; no overpayment of `floor` or more."""
        lack = price - self.dust
        if self.total < lack:
            return None
        lossy = lossy_sums(price, lack)
        return (
            self._single(price, lack, floor, lossy)
            or self._least(0, price, floor, ~lossy)
            or self._least(1, price, floor, lossy)
        )

    def _single(
        self, price: int, lack: int, floor: int | None, lossy: int
    ) -> tuple[int, dict[str, int]] | None:
        """One item that pays without a loss, where nothing has to be paid without any."""
        if lack <= 0 and not lossy & 1:
            return None
        most = self.total if floor is None else price + floor - 1
        for item, value, _ in self.items:
            if lack <= value <= most and not lossy >> value & 1:
                return 0, {item: 1}
        return None

    def _least(
        self, loss: int, price: int, floor: int | None, among: int
    ) -> tuple[int, dict[str, int]] | None:
        """The fewest items, then the lowest ids, that pay by one of the sums in the bit set `among`."""
        self._prepare(price)
        fewest, ways = -1, list[tuple[_Stage, int]]()
        for stage in self._stages:
            if stage.above and price + stage.above > stage.total:
                continue
            most = stage.most if floor is None else min(stage.most, floor - 1)
            # with all items the rest may be dust; with the greater ones alone, only an overpayment is of their own
            first = price + stage.above if stage.above else max(0, price - self.dust)
            if price + most < first:
                continue
            fits = (1 << price + most + 1) - (1 << first) & among & self._row
            made = stage.made & fits * self._ones
            if not made:
                continue
            size = ((made & -made).bit_length() - 1) // self._width
            if fewest < 0 or size <= fewest:
                ways = [*ways, (stage, fits)] if size == fewest else [(stage, fits)]
                fewest = size
        if not ways:
            return None
        bags = [self._lowest(stage, fewest, fits) for stage, fits in ways]
        return loss, bags[0] if len(bags) == 1 else min(bags, key=rank_of)

    def _lowest(self, stage: _Stage, size: int, fits: int) -> dict[str, int]:
        """The bag of `size` items with the lowest ids whose sum is among the bits of `fits`; one exists."""
        if stage.items is None:
            stage.items = [x for x in self.items if x[1] > stage.above] if stage.above else self.items
        if size <= 2:
            return _few(stage.items, size, fits)
        if not stage.after:
            stage.after = self._ends(stage.items)
        width = self._width
        bag: dict[str, int] = {}
        for (item, value, count), rest in zip(stage.items, stage.after, strict=True):
            for n in range(min(count, size), -1, -1):
                if rest >> (size - n) * width & fits >> n * value:
                    break
            if n:
                bag[item] = n
                size, fits = size - n, fits >> n * value
                if not size:
                    break
        return bag

    def _ends(self, items: Sequence[Item]) -> Sequence[int]:
        """What those that come after an item can make, for each item."""
        made = [1]
        for _, value, count in reversed(items[1:]):
            made.append(self._with(made[-1], value, count))
        return made[::-1]

    def _prepare(self, price: int) -> None:
        """Work the sums out, as far as this price can need them."""
        groups: dict[int, int] = {}
        for _, value, count in self.items:
            groups[value] = groups.get(value, 0) + count
        values = sorted(groups, reverse=True)
        wide = min(self.total + 1, max(price + values[0], ROOMY)) if values else 1
        if wide <= self._width:
            return
        self._width, self._row = wide, (1 << wide) - 1
        self._stages = [] if values else [_Stage(0, -1, 0, 1)]
        made, total = 1, 0
        for value, above in zip(values, [*values[1:], 0], strict=False):
            made = self._with(made, value, groups[value])
            total += value * groups[value]
            self._stages.append(_Stage(above, value - 1, total, made))
        self._ones = self._ones_for(made)

    def _with(self, made: int, value: int, count: int) -> int:
        """What can be made once `count` items of one more value may be used; sums beyond the width are left out."""
        width, bundle = self._width, 1
        while count:  # in bundles of 1, 2, 4, … and the rest, which make any number up to `count`
            n = min(bundle, count)
            room = width - n * value
            if room <= 0:
                break
            low = -1 if self.total < width else ((1 << room) - 1) * self._ones_for(made)
            made |= (made & low) << n * (width + value)
            count, bundle = count - n, 2 * bundle
        return made

    def _ones_for(self, made: int) -> int:
        """The lowest bit of each size that occurs in a number."""
        end = made.bit_length() // self._width + 1
        ones, sizes = 1, 1
        while sizes < end:
            ones |= ones << sizes * self._width
            sizes *= 2
        return ones & (1 << end * self._width) - 1


def _few(items: Sequence[Item], size: int, fits: int) -> dict[str, int]:
    """The same for up to two items: the first that will do, with another one of it, or the next that goes with it."""
    if not size:
        return {}
    for i, (item, value, count) in enumerate(items):
        left = fits >> value
        if size == 1:
            if left & 1:
                return {item: 1}
            continue
        if count > 1 and left >> value & 1:
            return {item: 2}
        for other, worth, _ in items[i + 1 :]:
            if left >> worth & 1:
                return {item: 1, other: 1}
    raise AssertionError("there is a payment of this size")
