"""Look-ahead: can what this action begins be resolved to its end? Only where a rule demands it (`must_finish`).

The search is over every choice that the windows on the way take, whoever is asked. It stops at chance (where the game
may say whether the end is assured all the same) and never consumes a draw, goes to no state twice, takes pure gains
without branching, and gives up what the game's own bound says is hopeless. Where it cannot tell (a choice with too many
values, too many states) the action is let through.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import msgspec

from service.engine.action import Action
from service.engine.budget import tick
from service.engine.flow import advance, take, window
from service.engine.state import CHANCE

if TYPE_CHECKING:
    from service.engine.table import Table

NODES = 5_000


def can_finish(t: Table, act: Action) -> bool:
    """Whether what the (otherwise legal) action begins can be resolved to its end from this table."""
    until = act.business(t)
    if until is None:
        return True
    floor = t.index(until) + 1
    todo: list[Table] = [tried(t, act, floor)]
    seen: set[bytes] = set()
    unsure = False
    while todo:
        tick()
        here = todo.pop()
        if _finished(here, floor):
            return True
        if _at_chance(here):
            if is_assured(here):
                return True
            continue
        if not _is_new(here, seen) or not may_still_finish(here):
            continue
        if len(seen) > NODES:
            return True
        ways = list(_ways(here, floor))
        unsure = unsure or None in ways
        todo += reversed(_narrowed(ways, seen))
    return unsure


def _finished(t: Table, floor: int) -> bool:
    """All that was called is left again."""
    return t.outcome is not None or len(t.frames) <= floor or window(t) is None


def _at_chance(t: Table) -> bool:
    """Whether only chance knows how it goes on."""
    w = window(t)
    return w is not None and CHANCE in w.actors


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


def is_assured(t: Table) -> bool:
    """Whether it can be finished whatever chance answers (hook `at-chance`); without a game's word, that is assumed."""
    return all(fn(t) for fn in t.rules.hooks.get("at-chance", ()))


def _ways(t: Table, floor: int) -> Iterator[tuple[type[Action], Table] | None]:
    """Every table that one more choice leads to; None for choices too many to try."""
    from service.engine.options import choices, takers

    for actor, cls, frame in takers(t):
        acts = choices(t, actor, cls, frame)
        if acts is None:
            yield None
        else:
            yield from ((cls, tried(t, act, floor)) for act in acts)


def _narrowed(ways: list[tuple[type[Action], Table] | None], seen: set[bytes]) -> list[Table]:
    """A pure gain that leads on makes every other way needless."""
    known = [way for way in ways if way is not None]
    gain = next((after for cls, after in known if cls.gain and _key(after) not in seen), None)
    return [gain] if gain is not None else [after for cls, after in known]


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
