"""Places and containers: a place is a path into the board; a bag `{what: n}` moves between two of them.

The board is a value: nothing is written in place, every change copies along its path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.engine.deck import Deck

Path = tuple[str, ...]
Bag = Mapping[str, int]


class MoveError(ValueError):
    """A move that the containers do not allow: a fault in the rules, never in an action."""


MISSING = object()  # what lies under a key that a mapping does not have


def at(board: Any, path: Path) -> Any:
    """What lies at `path`; KeyError or AttributeError if there is no such place."""
    for name in path:
        board = board[name] if isinstance(board, dict) else getattr(board, name)
    return board


def changed(board: Any, path: Path, change: Callable[[Any], Any]) -> Any:
    """The board with what lies at `path` replaced by `change` of it; everything else is shared.

    The last name may be a key that its mapping lacks: `change` then gets MISSING.
    """
    return change(board) if not path else _changed(board, path, 0, change)


def _changed(here: Any, path: Path, depth: int, change: Callable[[Any], Any]) -> Any:
    name, depth = path[depth], depth + 1
    if isinstance(here, dict):
        held = here.get(name, MISSING)
        fresh = here.copy()
        fresh[name] = change(held) if depth == len(path) else _changed(held, path, depth, change)
        return fresh
    if here is MISSING:
        raise MoveError(f"there is no place {path[depth - 2]}")
    held = getattr(here, name)
    twin = here.__copy__()
    setattr(twin, name, change(held) if depth == len(path) else _changed(held, path, depth, change))
    return twin


def with_heap(heaps: dict[str, Any], key: str, change: Callable[[Any], Any]) -> dict[str, Any]:
    """Heaps with the one at `key` changed, which is there only as long as it holds something; keys stay in order."""
    held = change(heaps.get(key, {}))
    if held and key in heaps:
        return {**heaps, key: held}
    rest = {k: heap for k, heap in heaps.items() if k != key}
    return dict(sorted({**rest, key: held}.items())) if held else rest


def put(container: Any, bag: Bag) -> Any:
    """The container with the bag added, by its kind: counter, number, list, slot or deck (on top)."""
    if isinstance(container, dict):
        return _counted(container, bag, 1)
    if isinstance(container, int):
        return container + sum(bag.values())
    if isinstance(container, list):
        return container + [what for what, n in bag.items() for _ in range(n)]
    if container is None and list(bag.values()) == [1]:
        return next(iter(bag))
    if isinstance(container, Deck):
        return container.put([what for what, n in bag.items() for _ in range(n)], None)
    raise MoveError(f"{dict(bag)} cannot be put into {_shown(container)}")


def take(container: Any, bag: Bag) -> Any:
    """The container without the bag; MoveError if it is not all there."""
    if isinstance(container, dict):
        return _counted(container, bag, -1)
    if isinstance(container, int):
        if container < (total := sum(bag.values())):
            raise MoveError(f"{total} of {container}")
        return container - total
    if isinstance(container, list):
        return _list_without(container, bag)
    if isinstance(container, Deck):
        return _drawn(container, bag)
    if isinstance(container, str) and dict(bag) == {container: 1}:
        return None
    raise MoveError(f"{dict(bag)} cannot be taken from {_shown(container)}")


def _shown(container: Any) -> str:
    return "a place that does not exist" if container is MISSING else repr(container)


def _drawn(deck: Deck, bag: Bag) -> Deck:
    try:
        for what, n in bag.items():
            for _ in range(n):
                deck = deck.take(what)
    except ValueError as impossible:
        raise MoveError(str(impossible)) from None
    return deck


def _counted(counter: dict[str, int], bag: Bag, sign: int) -> dict[str, int]:
    """The counter with the bag (1) or without it (-1); keys stay in order, so that equal boards are listed alike."""
    fresh = counter.copy()
    for what, n in bag.items():
        total = fresh.get(what, 0) + sign * n
        if total > 0:
            fresh[what] = total
        elif total:
            raise MoveError(f"{-sign * n} {what} of {fresh.get(what, 0)}")
        else:
            fresh.pop(what, None)
    return dict(sorted(fresh.items())) if len(fresh) > len(counter) else fresh


def _list_without(things: list[str], bag: Bag) -> list[str]:
    fresh = list(things)
    for what, n in bag.items():
        for _ in range(n):
            if what not in fresh:
                raise MoveError(f"{what} is not in the list")
            fresh.remove(what)
    return fresh


def contents(container: Any) -> Bag:
    """What a container holds, as a bag (a number holds nothing that has a name)."""
    if isinstance(container, dict):
        return container
    if isinstance(container, Deck):
        return container.cards()
    if isinstance(container, str):
        return {container: 1}
    bag: dict[str, int] = {}
    if isinstance(container, list):
        for what in container:
            bag[what] = bag.get(what, 0) + 1
    return bag
