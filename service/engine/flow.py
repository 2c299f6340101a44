"""Flow: runs the stack of frames until somebody must decide or the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.engine.action import Action, ChanceAction
from service.engine.control import END, Calls, Control, Done, Goto, Marker, Unwind
from service.engine.event import Played
from service.engine.frames import FINISHED, Ask, Each, Frame, SealedFrame, Step
from service.engine.state import CHANCE
from service.engine.table import Table

FUSE = 20_000


class Runaway(Exception):
    """The procedures did not come to rest: a fault in the rules."""


@dataclass(frozen=True, slots=True)
class Window:
    """The window that waits: its frame, the `Ask` (or None for free actions alone) and who must answer."""

    frame: Any
    ask: Ask
    actors: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """Who must (or, for free actions, may) decide, which kinds the window takes, and the clause of the window."""

    actor: str
    kinds: tuple[str, ...]
    because: str

    def to_wire(self) -> dict[str, Any]:
        """`{"actor", "kinds", "because"}`."""
        return {"actor": self.actor, "kinds": list(self.kinds), "because": self.because}


def window(t: Table) -> Window | None:
    """The open window on top of the stack; None when the game is over or the stack is not at rest."""
    if t.outcome is not None or not t.frames:
        return None
    frame = t.frames[-1]
    procedure = t.rules.procedures[type(frame)]
    step = procedure.steps[procedure.index[frame.step]] if frame.step in procedure.index else None
    if not isinstance(step, Ask):
        return None
    return Window(frame, step, step.actors(t, frame))


def free_offers(t: Table) -> list[tuple[Any, tuple[str, ...], tuple[type[Action], ...], str]]:
    """The free actions open now: frame, who, classes, clause. Frames above hide them unless the window says `gap`."""
    w = window(t)
    if w is None:
        return []
    offers = []
    for frame in reversed(t.frames if w.ask.gap else t.frames[-1:]):
        free = t.rules.procedures[type(frame)].free
        if free is not None:
            who = free.who(t, frame)
            actors = () if who is None else (who,) if isinstance(who, str) else tuple(who)
            offers.append((frame, actors, free.takes, free.rule))
    return offers


def decisions(t: Table) -> list[Decision]:
    """Who must decide now, and what the windows take."""
    w = window(t)
    if w is None:
        return []
    kinds = tuple(c.kind for c in w.ask.takes)
    found = [Decision(actor, kinds, w.ask.rule) for actor in w.actors]
    for _, actors, takes, rule in free_offers(t):
        found += [Decision(actor, tuple(c.kind for c in takes), rule) for actor in actors]
    return found


def push(t: Table, *frames: Frame) -> None:
    """Put frames on the stack, the first to run on top."""
    for frame in reversed(frames):
        frame.step = frame.step or t.rules.procedures[type(frame)].first
        t.frames.append(frame)


def advance(t: Table) -> None:
    """Run until a seat (or a `given` chance) must answer, or the game is over."""
    for _ in range(FUSE):
        if t.outcome is not None or not t.frames:
            t.frames = []
            return
        frame = t.frames[-1]
        if frame.step == FINISHED:
            t.frames.pop()
            continue
        step = t.rules.procedures[type(frame)].at(frame)
        if isinstance(step, Ask):
            actors = step.actors(t, frame)
            if not actors:
                _leave(t, frame, step)
            elif not answered_by_service(t, frame, step, actors):
                return
        else:
            run_step(t, frame, step)
            watch(t)
    raise Runaway(f"{t.rules.name}: {[type(f).__name__ for f in t.frames]}")


def run_step(t: Table, frame: Any, step: Each | Step) -> None:
    """One plain step, or one entry of an `Each`."""
    if isinstance(step, Step):
        follow(t, frame, step.fn(t, frame), stay=False)
        return
    left = getattr(frame, step.field)
    if not left:
        _next_step(t, frame)
        return
    setattr(frame, step.field, left[1:])
    follow(t, frame, step.fn(t, frame, left[0]), stay=True)


def _leave(t: Table, frame: Any, ask: Ask) -> None:
    if ask.skipped is not None:
        t.tell("skipped", ask.skipped, {"window": ask.name})
    _next_step(t, frame)


def _next_step(t: Table, frame: Frame) -> None:
    frame.step = t.rules.procedures[type(frame)].after(frame.step)


def follow(t: Table, frame: Any, control: Control, stay: bool) -> None:
    """Carry out what a step or `resolve` answered; `stay`: by default the step is not left."""
    if isinstance(control, Done):
        _finish_frame(t, frame, control.value)
    elif isinstance(control, Unwind):
        _unwind(t, control)
    elif isinstance(control, Goto):
        frame.step = control.step
    elif control is END:
        t.frames = []
    elif isinstance(control, Marker):
        if control.name == "next":
            _next_step(t, frame)
    else:
        called = () if control is None else control.frames if isinstance(control, Calls) else (control,)
        if not stay and not (isinstance(control, Calls) and control.again):
            _next_step(t, frame)
        push(t, *called)  # type: ignore[arg-type]


def _finish_frame(t: Table, frame: Any, value: Any) -> None:
    i = next(i for i, f in enumerate(t.frames) if f is frame)
    del t.frames[i:]
    if value is not None and t.frames and "result" in type(t.frames[-1]).__struct_fields__:
        t.frames[-1].result = value


def _unwind(t: Table, control: Unwind) -> None:
    while t.frames and not isinstance(t.frames[-1], control.to):
        t.frames.pop()
    t.tell("unwound", control.because, {"to": _tag(control.to)})


def _tag(kind: type[Frame]) -> str:
    return str(kind.__struct_config__.tag)


def watch(t: Table) -> None:
    """Let the watches look: what ends things early at any moment."""
    for look in t.rules.watches:
        if t.outcome is not None or not t.frames:
            return
        control = look(t)
        if control is not None:
            follow(t, t.frames[-1], control, stay=True)


def answered_by_service(t: Table, frame: Any, ask: Ask, actors: tuple[str, ...]) -> bool:
    """Let the service draw, or the prudent player act, where that is who must answer."""
    if actors[0] == CHANCE:
        return t.chance.mode == "seeded" and _draw(t, frame, ask)
    if t.rules.prudent is None or not t.draws:
        return False
    automated = next((s.id for s in t.state.seats if s.automated and s.id in actors), None)
    if automated is None:
        return False
    act = t.rules.prudent(t, automated)
    if act is None:
        return False
    take(t, Window(frame, ask, actors), act)
    return True


def _draw(t: Table, frame: Any, ask: Ask) -> bool:
    kind: type[ChanceAction] = ask.takes[0]  # type: ignore[assignment]
    odds = kind.odds(t, frame)
    at = t.draw(sum(odds.values()))
    for value, weight in odds.items():
        at -= weight
        if at < 0:
            break
    take(t, Window(frame, ask, (CHANCE,)), kind(t, frame, CHANCE, {kind.parameter(): value}))
    return True


def take(t: Table, w: Window, act: Action) -> None:
    """Play an action that has been judged legal: resolve it and follow its answer (no further than that)."""
    _record(t, act, sealed=w.ask.together)
    if w.ask.together and any(isinstance(act, c) for c in w.ask.takes):
        _seal(t, w, act)
    else:
        free = act.frame is not w.frame or type(act) not in w.ask.takes
        follow(t, act.frame, act.resolve(t), stay=free or w.ask.again)
    watch(t)


def _record(t: Table, act: Action, sealed: bool) -> None:
    whole = frozenset([act.actor]) if sealed else act.sight(t)
    t.played.append(Played(act.to_wire(), whole, act.open_part() if whole is not None else {}))


def _seal(t: Table, w: Window, act: Action) -> None:
    frame: SealedFrame = w.frame
    frame.sealed = {**frame.sealed, act.actor: act.part_wire()}
    if w.ask.actors(t, frame):
        return
    answers, frame.sealed = frame.sealed, {}
    who = w.ask.who(t, frame)
    order = [who] if isinstance(who, str) else list(who or ())
    called: list[Frame] = []
    _next_step(t, frame)
    for seat in order:
        control = _answer(t, w, seat, answers[seat]).resolve(t)
        if control is not None:
            called += control.frames if isinstance(control, Calls) else [control]  # type: ignore[list-item]
    push(t, *called)


def _answer(t: Table, w: Window, seat: str, wire: Mapping[str, Any]) -> Action:
    kind = next(c for c in w.ask.takes if c.kind == wire["kind"])
    return kind.bind(t, w.frame, seat, wire)
