"""The best payment for a price, found exactly: one number holds which sums so many items can make, for all prices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from service.games.zavandor.v1.handful import Handful, Item, is_handful, lossy_sums

NOTHING: Sequence[Mapping[str, int]] = ({},)
ROOMY = 128  # sums below this are all kept; of a richer purse only those that the price at hand can need

Rank: TypeAlias = "tuple[tuple[str, int], ...]"
Best: TypeAlias = "tuple[tuple[bool, int, int, Rank], dict[str, int]]"


def rank_of(bag: Mapping[str, int]) -> Rank:
    """Bags of equal size compare by their lowest ids: more of the lowest id is lower."""
    return tuple([(i, -bag[i]) for i in sorted(bag)])


def _rank(best: Best) -> tuple[bool, int, int, Rank]:
    return best[0]


class Purse:
    """What somebody can pay with, items in the order of their ids, and dust; it remembers what it was asked."""

    __slots__ = ("_cards", "_found", "_plain", "_sums", "_worth", "dust", "gems", "items", "total")

    def __init__(self, items: Sequence[Item], dust: int) -> None:
        self.items, self.dust = items, dust
        self.total = dust + sum([value * n for _, value, n in items])  # all that there is
        gems = [i for i in items if i[0].startswith("gem:")]
        self.gems = {item: n for item, _, n in gems}
        self._worth = {item: value for item, value, _ in gems}
        self._cards = _best_of([i for i in items if i[1] and i[0] not in self._worth], dust)
        self._sums: dict[Rank, Handful | Sums] = {}
        self._found: dict[tuple[int, Rank], Best | None] = {}
        self._plain: dict[int, Any] = {}

    def paid(self, price: int, written: Callable[[Mapping[str, int]], Any]) -> Any:
        """The best payment where no gem has to be sold, as it is `written`; None if there is none."""
        if price not in self._plain:
            bag = self._with_any(price)
            self._plain[price] = None if bag is None else written(bag)
        return self._plain[price]

    def _with_any(self, price: int) -> Mapping[str, int] | None:
        """Dust alone if it does without a loss, else cards if they do, else gems too."""
        left = self.dust - price
        if not price or (left >= 0 and left not in (1, 3)):
            return {}
        found = self._cards.best(price, None) or self._with_gems((), {}).best(price, None)
        return None if found is None else found[1]

    def best(self, price: int, forced: Sequence[Mapping[str, int]]) -> dict[str, int] | None:
        """The best payment of those that contain one of these bags of gems; None if there is none."""
        if len(forced) > 1 and self._needs_more_gems(price, forced):
            forced = NOTHING
        if len(forced) == 1:
            only = self.cheapest(price, forced[0])
            return None if only is None else only[1]
        found: list[Best] = []
        later = []
        for gems in forced:
            alone = self._alone(price, gems)
            if alone is None:
                later.append(gems)
            else:
                found += alone
        least = min(found, key=_rank, default=None)
        for gems in later:
            # with anything more it is no better than this, without a loss and without selling a further gem
            if least is None or least[0] > (False, 0, sum(gems.values()) + 1):
                more = self.cheapest(price, gems)
                least = more if least is None or (more is not None and more[0] < least[0]) else least
        return None if least is None else least[1]

    def _needs_more_gems(self, price: int, forced: Sequence[Mapping[str, int]]) -> bool:
        """Whether one gem of whatever kind is asked for, and the price takes more gems than that anyway.

        Then every payment contains what is asked for, and the best of all is the best of these.
        """
        if len(forced) < len(self.gems) or any(sum(gems.values()) > 1 for gems in forced):
            return False
        return self._cards.total + self.dust + max(self._worth.values()) < price

    def cheapest(self, price: int, forced: Mapping[str, int]) -> Best | None:
        """The best payment that contains these gems: its rank (a further gem sold, value lost, items, ids) and the bag.

        No single item of it is superfluous (ZAV-PAY-4); what it lacks must be there as dust (ZAV-PAY-3).
        """
        must = rank_of(forced) if forced else ()
        asked = (price, must)
        if asked not in self._found:
            alone = self._alone(price, forced)
            self._found[asked] = (
                self._with_more(price, forced, must) if alone is None else next(iter(alone), None)
            )
        return self._found[asked]

    def _alone(self, price: int, forced: Mapping[str, int]) -> Sequence[Best] | None:
        """The payment with nothing but these gems, where there can be no better one with more; None: there can."""
        left = price - self._worth_of(forced) if forced else price
        if left <= 0:
            # they cover the price by themselves; anything more would be superfluous
            if forced and -left >= self._least_of(forced):
                return ()
            loss = int(-left in (1, 3))
        elif self.dust >= left and self.dust - left not in (1, 3):
            loss = 0
        else:
            return None
        return (((False, loss, sum(forced.values()), rank_of(forced)), dict(forced)),)

    def _worth_of(self, gems: Mapping[str, int]) -> int:
        return sum([self._worth[i] * n for i, n in gems.items()])

    def _least_of(self, gems: Mapping[str, int]) -> int:
        return min([self._worth[i] for i in gems])

    def _with_more(self, price: int, forced: Mapping[str, int], must: Rank) -> Best | None:
        """The best payment where these gems do not do: with cards if it can be, else with further gems."""
        left, floor = (price - self._worth_of(forced), self._least_of(forced)) if forced else (price, None)
        found, sold = self._cards.best(left, floor), False
        if found is None:
            found, sold = self._with_gems(must, forced).best(left, floor), True
        if found is None:
            return None
        loss, bag = found
        if forced:
            sold = sold and not self._worth.keys().isdisjoint(bag)
            bag = {**bag, **{i: bag.get(i, 0) + n for i, n in forced.items()}}
        return (sold, loss, sum(bag.values()), rank_of(bag)), bag

    def _with_gems(self, must: Rank, forced: Mapping[str, int]) -> Handful | Sums:
        """What can be added to the forced gems."""
        sums = self._sums.get(must)
        if sums is None:
            kept = [Item(i.id, i.value, i.count - forced.get(i.id, 0)) for i in self.items if i.value]
            sums = self._sums[must] = _best_of([item for item in kept if item.count > 0], self.dust)
        return sums


def _best_of(items: Sequence[Item], dust: int) -> Handful | Sums:
    """What finds the best payment from these items in the least time."""
    return Handful(items, dust) if is_handful(items) else Sums(items, dust)


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
