"""Look-ahead: can what this action begins be resolved to its end? Only where a rule demands it (`must_finish`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from service.engine.action import Action
from service.engine.flow import advance, take, window
from service.engine.state import CHANCE

if TYPE_CHECKING:
    from service.engine.table import Table

NODES = 5_000


class _Search:
    """A depth-first search with a visited set; it stops at chance and never consumes a draw."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.visited: set[bytes] = set()

    def finishes(self, t: Table) -> bool:
        """Whether some line of choices from here leaves everything that was called."""
        if t.outcome is not None or len(t.frames) <= self.depth:
            return True
        w = window(t)
        if w is None or w.actors[0] == CHANCE:
            return True
        key = msgspec.json.encode((t.board, t.frames), order="sorted")
        if key in self.visited:
            return False
        self.visited.add(key)
        if len(self.visited) > NODES:
            return True
        if not may_still_finish(t):
            return False
        return any(self.finishes(after) for after in _followers(t))


def may_still_finish(t: Table) -> bool:
    """The game's own bound on what could still help (hook `may-finish`), where it has one."""
    return all(fn(t) for fn in t.rules.hooks.get("may-finish", ()))


def _followers(t: Table) -> list[Table]:
    from service.engine.options import choices, takers

    found: list[Table] = []
    for actor, cls, frame in takers(t):
        acts = choices(t, actor, cls, frame)
        if acts is None:
            return [t.fork()] if not found else found
        for act in acts:
            if cls.must_finish is not None and not can_finish(t, act):
                continue
            after = tried(t, act)
            if cls.gain:
                return [after]
            found.append(after)
    return found


def tried(t: Table, act: Action) -> Table:
    """A fork on which the action was played, up to the next window or chance; no draw is made."""
    after = t.fork()
    after.draws = None
    after.chance.mode = "given"
    twin = act.on(after, after.frames[next(i for i, f in enumerate(t.frames) if f is act.frame)])
    w = window(after)
    assert w is not None
    take(after, w, twin)
    advance(after)
    return after


def can_finish(t: Table, act: Action) -> bool:
    """Whether what `act` begins can be resolved to its end from this table."""
    depth = next(i for i, f in enumerate(t.frames) if f is act.frame) + 1
    return _Search(depth).finishes(tried(t, act))
