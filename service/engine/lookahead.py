"""Look-ahead: can what this action begins be resolved to its end? Only where a rule demands it (`must_finish`).

The search is over every choice that the windows on the way take, whoever is asked. It stops at chance (where the game
may say whether the end is assured all the same) and never consumes a draw, goes to no state twice, takes pure gains
without branching, and gives up what the game's own bound says is hopeless. Where it cannot tell (a choice with too many
values, too many states) the action is let through. A game that knows a shorter way to the answer is asked first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from service.engine.action import Action, No
from service.engine.budget import tick
from service.engine.flow import advance, take, window
from service.engine.state import CHANCE

if TYPE_CHECKING:
    from service.engine.table import Table

NODES = 5_000
Way: TypeAlias = "tuple[type[Action], Table]"  # what was chosen, and the table that it leads to


def can_finish(t: Table, act: Action) -> bool | No:
    """Whether what the (otherwise legal) action begins can be resolved to its end from this table.

    The game's own answer may come with facts: a refusal may be of what was not found as far as was looked.
    """
    until = act.business(t)
    if until is None:
        return True
    floor = t.index(until) + 1
    first = tried(t, act, floor)
    if (told := foretold(first)) is not None:
        return told
    todo: list[Table] = [first]
    seen: set[bytes] = set()
    while todo:
        tick()
        here = todo.pop()
        ends = _ends(here, floor)
        if ends:
            return True
        if ends is False or not _is_new(here, seen) or not may_still_finish(here):
            continue
        if len(seen) > NODES:
            return True
        ways: list[Way] = []
        for way in _ways(here, floor):
            if way is None or _ends(way[1], floor):
                return True
            ways.append(way)
        todo += reversed(_narrowed(ways, seen))
    return False


def _ends(t: Table, floor: int) -> bool | None:
    """Whether all that was called is left again, or surely will be; False where only chance knows, None: not yet."""
    if t.outcome is not None or len(t.frames) <= floor or (w := window(t)) is None:
        return True
    return is_assured(t) if CHANCE in w.actors else None


def _key(t: Table) -> bytes:
    return msgspec.json.encode((t.board, t.frames), order="sorted")


def _is_new(t: Table, seen: set[bytes]) -> bool:
    key = _key(t)
    if key in seen:
        return False
    seen.add(key)
    return True


def may_still_finish(t: Table) -> bool:
    """The game's own bound on what could still help (hook `may-finish`), where it has one."""
    return all(fn(t) for fn in t.rules.hooks.get("may-finish", ()))


def foretold(t: Table) -> bool | No | None:
    """What the game itself knows of the end (hook `foretold`), where it has a shorter way to find out; None without."""
    return next((told for fn in t.rules.hooks.get("foretold", ()) if (told := fn(t)) is not None), None)


def is_assured(t: Table) -> bool:
    """Whether it can be finished whatever chance answers (hook `at-chance`); without a game's word, that is assumed."""
    return all(fn(t) for fn in t.rules.hooks.get("at-chance", ()))


def _ways(t: Table, floor: int) -> Iterator[Way | None]:
    """Every table that one more choice leads to; None for choices too many to try."""
    from service.engine.options import choices, takers

    for actor, cls, frame in takers(t):
        for act in choices(t, actor, cls, frame):
            yield None if act is None else (cls, tried(t, act, floor))


def _narrowed(ways: list[Way], seen: set[bytes]) -> list[Table]:
    """A pure gain that leads on makes every other way needless."""
    gain = next((after for cls, after in ways if cls.gain and _key(after) not in seen), None)
    return [gain] if gain is not None else [after for cls, after in ways]


def tried(t: Table, act: Any, floor: int = 0) -> Table:
    """A fork on which the action was played, up to the next window or chance; no draw is made.

    It also stops as soon as no more than `floor` frames are left.
    """
    after = t.trial()
    twin = act.on(after, t.twin(act.frame, after))
    w = window(after)
    assert w is not None
    take(after, w, twin)
    advance(after, floor)
    return after
