"""Flow: runs the stack of frames until somebody must decide or the game is over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.action import Action, ChanceAction
from service.engine.budget import tick
from service.engine.control import AGAIN, END, NEXT, Calls, Control, Done, Goto, Marker, Unwind
from service.engine.event import Played
from service.engine.frames import FINISHED, WAITING, Ask, Each, Frame, SealedFrame, Step, asked
from service.engine.state import CHANCE
from service.engine.table import Table
from service.engine.windows import Decision, Window, decisions, free_offers, offers_in, window

__all__ = [
    "FUSE",
    "Decision",
    "RulesFault",
    "Runaway",
    "Window",
    "advance",
    "decisions",
    "free_offers",
    "hit",
    "offers_in",
    "possible",
    "push",
    "take",
    "window",
]

FUSE = 20_000
CALLING = (Frame, Calls)  # what calls frames, or is one


class RulesFault(Exception):
    """A ruleset that does what it must not: never the fault of an action."""


class Runaway(RulesFault):
    """The procedures did not come to rest."""


# -- running ------------------------------------------------------------------------------------------------------


def push(t: Table, *frames: Frame) -> None:
    """Put frames on the stack, the first to run on top; the others wait for their turn."""
    t.frames += reversed(frames)
    _begin(t)


def _begin(t: Table) -> None:
    """The frame that has come to the top begins, if it was waiting."""
    if t.frames and (frame := t.frames[-1]).step == WAITING:
        frame.step = t.rules.procedures[type(frame)].first


def advance(t: Table, floor: int = 0) -> Window | None:
    """Run until somebody must answer (that window), the game is over, or no more than `floor` frames are left.

    A seeded chance and automated seats answer by themselves. Runaway if it does not come to rest.
    """
    for _ in range(FUSE):
        left = run(t, floor)
        if left is None or not answered_by_service(t, *left):
            return None if left is None else Window(*left)
    raise Runaway(f"{t.rules.name}: chance and automated seats go on for ever")


def run(t: Table, floor: int) -> tuple[Any, Ask, tuple[str, ...]] | None:
    """Run procedures up to the next window that asks somebody; None when there is none."""
    procedures = t.rules.procedures
    for _ in range(FUSE):
        tick()
        if t.outcome is not None:
            t.frames = []
        if len(t.frames) <= floor:
            _check_end(t)
            return None
        frame = t.frames[-1]
        if frame.step == FINISHED:
            _drop(t, len(t.frames) - 1)
            continue
        procedure = procedures[type(frame)]
        step = procedure.steps[procedure.index[frame.step]]
        if not isinstance(step, Ask):
            run_step(t, frame, step)
            if t.rules.watches:
                watch(t)
        elif actors := step.actors(t, frame):
            return frame, step, actors
        else:
            _leave(t, frame, step)
    raise Runaway(f"{t.rules.name}: {[type(f).__name__ for f in t.frames[:20]]}")


def _check_end(t: Table) -> None:
    if not t.frames and t.outcome is None:
        raise RulesFault(f"{t.rules.name}: nothing is left to do, yet the game has no outcome")


def _drop(t: Table, height: int) -> None:
    """Take frames off until only `height` are left; who is on top then, and was waiting, begins."""
    del t.frames[height:]
    _begin(t)


def run_step(t: Table, frame: Any, step: Each | Step) -> None:
    """One plain step, or one entry of an `Each`."""
    if isinstance(step, Step):
        control = step.fn(t, frame)
        if control is None:
            _next_step(t, frame)  # what most steps answer
        else:
            follow(t, frame, control, stay=False)
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
    frame.step = t.rules.procedures[type(frame)].following[frame.step]
    if frame.step == FINISHED and frame is t.frames[0]:
        raise RulesFault(f"{t.rules.name}: the first frame comes to its end, yet nothing has ended the game")


# -- control flow -------------------------------------------------------------------------------------------------


def follow(t: Table, frame: Any, control: Control, stay: bool) -> None:
    """Carry out what a step or `resolve` answered; `stay`: by default the step is not left."""
    if control is None or isinstance(control, CALLING):
        if not stay and not (isinstance(control, Calls) and control.again):
            _next_step(t, frame)
        if called := _called(control):
            push(t, *called)
    elif isinstance(control, Done):
        _finish_frame(t, frame, control.value)
    elif isinstance(control, Unwind):
        _unwind(t, control)
    elif isinstance(control, Goto):
        _goto(t, frame, control.step)
    else:
        _mark(t, frame, control)


def _called(control: Frame | Calls | None) -> tuple[Frame, ...]:
    return () if control is None else control.frames if isinstance(control, Calls) else (control,)


def _mark(t: Table, frame: Any, control: Marker) -> None:
    if control is END:
        if t.outcome is None:
            raise RulesFault("the end of the game was answered before Table.finish said how it ended")
        t.frames = []
    elif control is NEXT:
        if frame is not t.frames[-1]:
            raise RulesFault("a free action in a gap never moves the frame it belongs to on")
        _next_step(t, frame)
    elif control is not AGAIN:
        raise RulesFault(f"{control!r} is no control flow")


def _finish_frame(t: Table, frame: Any, value: Any) -> None:
    """Leave a procedure with all that stands above it; a value goes to the frame that called it."""
    caller = t.below(frame)
    _drop(t, t.index(frame))
    if value is not None and caller is not None and "result" in type(caller).__struct_fields__:
        caller.result = value


def _goto(t: Table, frame: Any, step: str) -> None:
    if step not in t.rules.procedures[type(frame)].index:
        raise RulesFault(f"{type(frame).__name__} has no step {step}")
    del t.frames[t.index(frame) + 1 :]
    frame.step = step


def _unwind(t: Table, control: Unwind) -> None:
    """Drop what stands above the frame; nothing to drop is no event."""
    heights = [i for i, f in enumerate(t.frames, 1) if isinstance(f, control.to) and f.step != WAITING]
    if not heights:
        raise RulesFault(f"nothing on the stack is a {control.to.__name__}")
    if heights[-1] < len(t.frames):
        _drop(t, heights[-1])
        t.tell("unwound", control.because, {"to": str(control.to.__struct_config__.tag)})


def watch(t: Table) -> None:
    """Let the watches look: what ends things early at any moment.

    Where all of them have found that the board gives them nothing to say, they look again once it has changed.
    """
    if t.calm is t.board:
        return
    calm = True
    for look, concerned in t.rules.watches:
        if t.outcome is not None or not t.frames:
            return
        if concerned is not None and not concerned(t):
            continue
        calm = False
        control = look(t)
        if control is not None:
            follow(t, t.frames[-1], control, stay=True)
    if calm:
        t.calm = t.board


# -- answers ------------------------------------------------------------------------------------------------------


def answered_by_service(t: Table, frame: Any, ask: Ask, actors: tuple[str, ...]) -> bool:
    """Let the service draw, or the prudent player act, where that is who must answer."""
    if t.tried:
        return False
    if CHANCE in actors:
        return t.chance.mode == "seeded" and _draw(t, Window(frame, ask, actors))
    return t.rules.prudent is not None and _automated(t, Window(frame, ask, actors))


def _draw(t: Table, w: Window) -> bool:
    cls: type[ChanceAction] = w.ask.takes[0]  # type: ignore[assignment]
    odds = possible(cls.odds(t, w.frame))
    if not odds:
        raise RulesFault(f"{cls.__name__}: chance is asked, and nothing can come up")
    number = t.chance.next_draw
    value = hit(odds, t.draw(sum(odds.values())))
    take(t, w, cls(t, w.frame, CHANCE, {cls.parameter(): value}), number)
    return True


def possible(odds: Mapping[Any, int]) -> dict[Any, int]:
    """What can come up, in the order in which a draw counts it off: numbers by size, ids by their letters."""
    return {value: weight for value, weight in sorted(odds.items()) if weight > 0}


def hit(odds: Mapping[Any, int], at: int) -> Any:
    """What number `at` of so many as the odds have in all brings."""
    for value, weight in odds.items():
        at -= weight
        if at < 0:
            return value
    raise RulesFault("a draw beyond the odds")


def _automated(t: Table, w: Window) -> bool:
    """The first automated seat that is asked acts; what it does is judged like everything else."""
    seat = next((s.id for s in t.state.seats if s.automated and s.id in w.actors), None)
    if seat is None or t.rules.prudent is None:
        return False
    act = t.rules.prudent(t, seat)
    if act is None:
        return False
    from service.engine.judge import proposal

    judged, violations = proposal(t, act.to_wire())
    if violations or judged is None:
        raise RulesFault(f"the prudent player may not do this: {act.to_wire()}: {violations}")
    take(t, w, judged)
    return True


def take(t: Table, w: Window, act: Action, draw: int | None = None) -> None:
    """Play an action that has been judged legal: resolve it and follow its answer (no further than that).

    `draw`: the number of the draw that brought it.
    """
    answers = act.frame is w.frame and type(act) in w.ask.takes
    if answers and w.ask.together:
        _seal(t, w, act)
    else:
        _record(t, act, draw)
        follow(t, act.frame, act.resolve(t), stay=w.ask.again or not answers)
    watch(t)


def _record(t: Table, act: Action, draw: int | None = None) -> None:
    whole = act.sight(t)
    t.played.append(Played(act.to_wire(), whole, act.open_part() if whole is not None else {}, draw))


def _seal(t: Table, w: Window, act: Action) -> None:
    """Keep a simultaneous answer; the last one opens them all: only then is anything played and told."""
    frame: SealedFrame = w.frame
    frame.sealed = {**frame.sealed, act.actor: act.part_wire()}
    if w.ask.actors(t, frame):
        return
    answers, frame.sealed = frame.sealed, {}
    acts = [_opened(t, w, seat, answers[seat]) for seat in asked(w.ask.who(t, frame))]
    for opened in acts:
        _record(t, opened)
    called: list[Frame] = []
    on = not w.ask.again
    for opened in acts:
        control = opened.resolve(t)
        if control is NEXT:
            on = True
        elif control is None or isinstance(control, CALLING):
            called += _called(control)
        else:
            raise RulesFault(
                f"{type(opened).__name__}: simultaneous answers only call; the next step decides"
            )
    if on:
        _next_step(t, frame)
    push(t, *called)


def _opened(t: Table, w: Window, seat: str, wire: Mapping[str, Any]) -> Action:
    cls = next(c for c in w.ask.takes if c.kind == wire["kind"])
    return cls.bind(t, w.frame, seat, wire)
