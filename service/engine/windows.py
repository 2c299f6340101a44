"""Windows: who must decide now, what the window takes, and which free actions are open meanwhile."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from service.engine.action import Action
from service.engine.frames import WAITING, Ask, Free, asked
from service.engine.table import Table


class Window(Struct, frozen=True):
    """The window that waits: its frame, the `Ask`, and who must answer."""

    frame: Any
    ask: Ask
    actors: tuple[str, ...]


class Decision(Struct, frozen=True):
    """Who must (or, for free actions, may) decide, which kinds the window takes, and the clause of the window."""

    actor: str
    kinds: tuple[str, ...]
    because: str

    def to_wire(self) -> dict[str, Any]:
        """`{"actor", "kinds", "because"}`."""
        return {"actor": self.actor, "kinds": list(self.kinds), "because": self.because}


def window(t: Table) -> Window | None:
    """The open window on top of the stack; None when the game is over or the stack is not at rest."""
    resting = at_rest(t)
    return None if resting is None else Window(*resting, resting[1].actors(t, resting[0]))


def at_rest(t: Table) -> tuple[Any, Ask] | None:
    """The top of the stack and its `Ask`, whoever must answer (which may take proof); None as for `window`."""
    if t.outcome is not None or not t.frames:
        return None
    frame = t.frames[-1]
    procedure = t.rules.procedures[type(frame)]
    step = procedure.steps[procedure.index[frame.step]] if frame.step in procedure.index else None
    return (frame, step) if isinstance(step, Ask) else None


def free_offers(t: Table) -> list[tuple[Any, tuple[str, ...], tuple[type[Action], ...], str]]:
    """The free actions open now: frame, who, classes, clause.

    Frames above hide those of the frames below, unless the window that asks says `gap`.
    """
    w = window(t)
    return [] if w is None else offers_in(t, w)


def offers_in(t: Table, w: Window) -> list[tuple[Any, tuple[str, ...], tuple[type[Action], ...], str]]:
    """The free actions open to anybody while this window asks, those of the uppermost frame first."""
    found = [(frame, asked(f.who(t, frame)), f.takes, f.rule) for frame, f in _free_below(t, w)]
    return [offer for offer in found if offer[1]]


def _free_below(t: Table, w: Window) -> list[tuple[Any, Free]]:
    """The frames that offer something while this window asks, the uppermost first, with what they offer."""
    found = []
    for frame in reversed(t.frames if w.ask.gap else t.frames[-1:]):
        free = t.rules.procedures[type(frame)].free
        if free is not None and frame.step != WAITING:
            found.append((frame, free))
    return found


def decisions(t: Table) -> list[Decision]:
    """Who must decide now, and what the windows take."""
    return decisions_in(t, window(t))


def decisions_in(t: Table, w: Window | None) -> list[Decision]:
    """The same, where the window is known already."""
    if w is None:
        return []
    kinds, because = w.ask.kinds, w.ask.opened_by(t, w.frame)
    found = [Decision(actor, kinds, because) for actor in w.actors]
    for frame, free in _free_below(t, w):
        found += [Decision(actor, free.kinds, free.rule) for actor in asked(free.who(t, frame))]
    return found
