"""The best payment for a price, found exactly: bit sets of the sums that so many items can make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """Things of one id: what each is worth, and how many there are."""

    id: str
    value: int
    count: int


def lost(price: int, value: int, dust: int) -> int:
    """What a payment of `value` loses, because there is no unit of 1: change of 1 or 3, or dust of 1 or 3 left."""
    left = value - price if value >= price else dust - (price - value)
    return 1 if left in (1, 3) else 0


def cheapest(
    price: int, items: Sequence[Item], dust: int, forced: Mapping[str, int]
) -> tuple[tuple[bool, int, int, tuple[tuple[str, int], ...]], dict[str, int]] | None:
    """The best payment that contains `forced`: its rank (a further gem sold, value lost, items, ids) and the bag.

    No single item of it is superfluous (ZAV-PAY-4); what it lacks must be there as dust (ZAV-PAY-3).
    """
    values = {item.id: item.value for item in items}
    base = sum(values[i] * n for i, n in forced.items())
    floor = min((values[i] for i in forced), default=None)
    for with_gems in (False, True):
        usable = [
            Item(i.id, i.value, i.count - forced.get(i.id, 0))
            for i in items
            if i.count > forced.get(i.id, 0) and i.value > 0 and (with_gems or not i.id.startswith("gem:"))
        ]
        found = _best(price - base, usable, dust, floor)
        if found is not None:
            loss, bag = found
            whole = {**bag, **{i: bag.get(i, 0) + n for i, n in forced.items()}}
            sold = any(i.startswith("gem:") for i in bag)
            return (sold, loss, sum(whole.values()), _rank(whole)), whole
    return None


def _rank(bag: Mapping[str, int]) -> tuple[tuple[str, int], ...]:
    """Bags of equal size compare by their lowest ids: more of the lowest id is lower."""
    return tuple((i, -bag[i]) for i in sorted(bag))


def _best(
    price: int, items: Sequence[Item], dust: int, floor: int | None
) -> tuple[int, dict[str, int]] | None:
    """The least loss, then the fewest items, then the lowest ids, for what is left of the price."""
    targets = list(_targets(price, items, dust, floor))
    if not targets:
        return None
    least = min((loss, size) for loss, size, _, _ in targets)
    bags = []
    for loss, size, value, above in targets:
        if (loss, size) == least:
            usable = sorted((i for i in items if i.value > above), key=lambda i: i.id)
            bag = _lowest(usable, size, value)
            bags.append((_rank(bag), bag))
    return least[0], min(bags, key=lambda b: b[0])[1]


def _targets(
    price: int, items: Sequence[Item], dust: int, floor: int | None
) -> Iterator[tuple[int, int, int, int]]:
    """Every sum that would pay: loss, fewest items, sum, and the value above which all its items must lie."""
    if price <= 0:
        # what is forced covers the price by itself; anything more would be superfluous
        if floor is None or -price < floor:
            yield lost(0, -price, dust), 0, 0, 0
        return
    groups: dict[int, int] = {}
    for item in items:
        groups[item.value] = groups.get(item.value, 0) + item.count
    most = max(groups, default=0)
    limit = price + most
    mask = (1 << limit) - 1
    reach = [1]
    over = limit - 1 - price
    for value in sorted(groups, reverse=True):
        # so far only items of a greater value have been used: an overpayment of this value or more (but less than
        # the next greater value) is made of them alone
        yield from _overpaid(reach, price, value, over, dust, floor)
        over = min(over, value - 1)
        reach = _with_group(reach, value, groups[value], mask)
    yield from _overpaid(reach, price, 0, over, dust, floor)
    for value in range(max(0, price - dust), price):
        size = _fewest(reach, value)
        if size is not None:
            yield lost(price, value, dust), size, value, 0


def _overpaid(
    reach: Sequence[int], price: int, above: int, over: int, dust: int, floor: int | None
) -> Iterator[tuple[int, int, int, int]]:
    for c in range(above, over + 1):
        size = _fewest(reach, price + c)
        if size is not None and (floor is None or c < floor):
            yield lost(price, price + c, dust), size, price + c, c


def _fewest(reach: Sequence[int], value: int) -> int | None:
    return next((size for size, sums in enumerate(reach) if sums >> value & 1), None)


def _with_group(reach: Sequence[int], value: int, count: int, mask: int) -> list[int]:
    """The sums of so many items once `count` items of one more value may be used."""
    fresh = list(reach) + [0] * count
    for size, sums in enumerate(reach):
        for k in range(1, count + 1):
            sums = sums << value & mask
            if not sums:
                break
            fresh[size + k] |= sums
    while len(fresh) > 1 and not fresh[-1]:
        fresh.pop()
    return fresh


def _lowest(items: Sequence[Item], size: int, value: int) -> dict[str, int]:
    """The bag of `size` items that makes `value` with the lowest ids; one exists."""
    mask = (2 << value) - 1
    # the sums, by number of items, that the items from each one to the last can make
    after: list[Sequence[int]] = [[1]]
    for item in reversed(items):
        after.append(_with_group(after[-1], item.value, min(item.count, size), mask)[: size + 1])
    after.reverse()
    bag: dict[str, int] = {}
    for item, rest in zip(items, after[1:], strict=True):
        n = next(
            n
            for n in range(min(item.count, size, value // item.value), -1, -1)
            if size - n < len(rest) and rest[size - n] >> (value - n * item.value) & 1
        )
        size, value = size - n, value - n * item.value
        if n:
            bag[item.id] = n
    return bag
