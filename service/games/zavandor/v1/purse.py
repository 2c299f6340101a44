"""The best payment for a price, found exactly: from cards if they do, else with gems, those that must be sold first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from service.games.zavandor.v1.handful import Handful, Item, is_handful
from service.games.zavandor.v1.sums import Rank, Sums, rank_of

NOTHING: Sequence[Mapping[str, int]] = ({},)

Best: TypeAlias = "tuple[tuple[bool, int, int, Rank], dict[str, int]]"


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
