"""The best payment for a price, found exactly: one number holds which sums so many items can make, for all prices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

ROOMY = 1024  # sums below this are all kept; of a richer purse only those that the price at hand can need
NO_SUCH = 0b1010  # there is no unit of 1: change of 1 or 3, or dust of 1 or 3 left, loses 1

Rank: TypeAlias = "tuple[tuple[str, int], ...]"
Best: TypeAlias = "tuple[tuple[bool, int, int, Rank], dict[str, int]]"


@dataclass(frozen=True, slots=True)
class Item:
    """Things of one id: what each is worth, and how many there are."""

    id: str
    value: int
    count: int


def rank_of(bag: Mapping[str, int]) -> Rank:
    """Bags of equal size compare by their lowest ids: more of the lowest id is lower."""
    return tuple([(i, -bag[i]) for i in sorted(bag)])


class Purse:
    """What somebody can pay with, items in the order of their ids, and dust; it remembers what it was asked."""

    __slots__ = ("_found", "_sums", "dust", "items")

    def __init__(self, items: Sequence[Item], dust: int) -> None:
        self.items, self.dust = items, dust
        self._sums: dict[Rank | None, Sums] = {}
        self._found: dict[tuple[int, Rank], Best | None] = {}

    def cheapest(self, price: int, forced: Mapping[str, int]) -> Best | None:
        """The best payment that contains these gems: its rank (a further gem sold, value lost, items, ids) and the bag.

        No single item of it is superfluous (ZAV-PAY-4); what it lacks must be there as dust (ZAV-PAY-3).
        """
        must = rank_of(forced) if forced else ()
        asked = (price, must)
        if asked not in self._found:
            self._found[asked] = self._cheapest(price, forced, must)
        return self._found[asked]

    def _cheapest(self, price: int, forced: Mapping[str, int], must: Rank) -> Best | None:
        left, floor, size = price, None, 0
        if forced:
            worth = [item.value for item in self.items if item.id in forced]
            left -= sum([item.value * forced[item.id] for item in self.items if item.id in forced])
            floor, size = min(worth), sum(forced.values())
        if left <= 0:
            # what is forced covers the price by itself; anything more would be superfluous
            fine = floor is None or -left < floor
            return ((False, int(-left in (1, 3)), size, must), dict(forced)) if fine else None
        if self.dust >= left and self.dust - left not in (1, 3):
            return (False, 0, size, must), dict(forced)
        for sums in (self._sums_of(None, {}), self._sums_of(must, forced)):
            found = sums.best(left, floor)
            if found is not None:
                loss, bag = found
                sold = any([i.startswith("gem:") for i in bag])
                whole = {**bag, **{i: bag.get(i, 0) + n for i, n in forced.items()}} if forced else bag
                return (sold, loss, sum(whole.values()), rank_of(whole)), whole
        return None

    def _sums_of(self, must: Rank | None, forced: Mapping[str, int]) -> Sums:
        """What can be added to the forced gems; None: without selling more of them."""
        sums = self._sums.get(must)
        if sums is None:
            kept = [
                (i.id, i.value, n)
                for i in self.items
                if i.value > 0 and (n := i.count - forced.get(i.id, 0)) > 0
                if must is not None or not i.id.startswith("gem:")
            ]
            sums = self._sums[must] = Sums(kept, self.dust)
        return sums


@dataclass(frozen=True, slots=True)
class _Stage:
    """The items worth `above + 1` or more, in the order of their ids, and what they can make.

    They, and no fewer, may be used for an overpayment of `above` to `most`: each item of it is worth more than that.
    `after[i]`: what the items from the i-th on can make.
    """

    above: int
    most: int
    items: Sequence[tuple[str, int, int]]
    after: list[int]


class Sums:
    """What some items can make: bit `size * width + sum` of a number is set where so many of them make that sum."""

    __slots__ = ("_ones", "_stages", "_width", "dust", "items", "total")

    def __init__(self, items: Sequence[tuple[str, int, int]], dust: int) -> None:
        self.items, self.dust = items, dust
        self.total = sum([value * n for _, value, n in items])
        self._width = 0
        self._ones = 0
        self._stages: list[_Stage] = []

    def best(self, price: int, floor: int | None) -> tuple[int, dict[str, int]] | None:
        """The least loss, then the fewest items, then the lowest ids; no overpayment of `floor` or more."""
        lack = price - self.dust
        if self.total < lack:
            return None
        self._prepare(price)
        short = NO_SUCH << lack if lack > 0 else NO_SUCH >> -lack
        lossy = NO_SUCH << price | short & (1 << price) - 1
        return self._least(0, price, floor, ~lossy) or self._least(1, price, floor, lossy)

    def _least(
        self, loss: int, price: int, floor: int | None, among: int
    ) -> tuple[int, dict[str, int]] | None:
        """The fewest items, then the lowest ids, that pay by one of the sums in the bit set `among`."""
        fewest, ways = -1, list[tuple[_Stage, int]]()
        for stage in self._stages:
            most = stage.most if floor is None else min(stage.most, floor - 1)
            # with all items the rest may be dust; with the greater ones alone, only an overpayment is of their own
            first = price + stage.above if stage.above else max(0, price - self.dust)
            fits = (1 << price + most + 1) - (1 << first) & among if price + most >= first else 0
            fits &= (1 << self._width) - 1
            made = stage.after[0] & fits * self._ones if fits else 0
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
        width = self._width
        bag: dict[str, int] = {}
        for i, (item, value, count) in enumerate(stage.items):
            if not size:
                break
            rest = self._after(stage, i + 1)
            for n in range(min(count, size), -1, -1):
                if rest >> (size - n) * width & fits >> n * value:
                    break
            if n:
                bag[item] = n
                size, fits = size - n, fits >> n * value
        return bag

    def _after(self, stage: _Stage, i: int) -> int:
        """What the items of a stage from the i-th on can make; worked out when it is first asked for."""
        if len(stage.after) == 1:
            made = [1]
            for _, value, count in reversed(stage.items[1:]):
                made.append(self._with(made[-1], value, count))
            stage.after.extend(reversed(made))
        return stage.after[i]

    def _prepare(self, price: int) -> None:
        """Work the sums out, as far as this price can need them."""
        groups: dict[int, int] = {}
        for _, value, count in self.items:
            groups[value] = groups.get(value, 0) + count
        values = sorted(groups, reverse=True)
        wide = min(self.total + 1, max(price + values[0], ROOMY)) if values else 1
        if wide <= self._width:
            return
        self._width, self._ones = wide, 1
        self._stages = [] if values else [_Stage(0, -1, (), [1])]
        made = 1
        for value, above in zip(values, [*values[1:], 0], strict=False):
            made = self._with(made, value, groups[value])
            usable = [x for x in self.items if x[1] > above] if above else self.items
            self._stages.append(_Stage(above, value - 1, usable, [made]))
        self._ones = self._ones_for(made)

    def _with(self, made: int, value: int, count: int) -> int:
        """What can be made once `count` items of one more value may be used; sums beyond the width are left out."""
        width = self._width
        low = -1
        for _ in range(count):
            if self.total >= width:
                low = ((1 << max(0, width - value)) - 1) * self._ones_for(made)
            more = made | (made & low) << width + value
            if more == made:
                break
            made = more
        return made

    def _ones_for(self, made: int) -> int:
        """The lowest bit of each size that occurs in a number."""
        ones = 1
        for size in range(1, made.bit_length() // self._width + 1):
            ones |= 1 << size * self._width
        return ones

