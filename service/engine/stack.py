"""The stack of a posted state: one that the procedures can reach, and whose top waits for somebody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.engine.action import ChanceAction
from service.engine.flow import Window, window
from service.engine.frames import FINISHED, WAITING, Ask, Frame, SealedFrame, asked
from service.engine.ruleset import Problem, Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table


def stack_problems(rules: Ruleset, t: Table) -> list[Problem]:
    """Why no game can stand like this; the board has been looked at before."""
    if t.outcome is not None:
        left = "the game is over, yet there is unfinished business"
        return [Problem("/stack", left)] if t.frames else []
    if not t.frames:
        return [Problem("/stack", "nothing is left to do, yet the game is not over")]
    return list(_shape(rules, t)) or _answers(t) or _top(t)


def _shape(rules: Ruleset, t: Table) -> Iterator[Problem]:
    """Every frame stands at a step that it has, on a frame that can have called it."""
    if rules.root is not None and type(t.frames[0]) is not rules.root:
        yield Problem("/stack/0/frame", f"a game begins with {_tag(rules.root)}")
    for i, frame in enumerate(t.frames):
        if not _has_step(rules, frame, top=i + 1 == len(t.frames), bottom=i == 0):
            yield Problem(f"/stack/{i}/step", f"{_tag(type(frame))} has no step {frame.step}")
        if i and not any(_calls(rules, caller, frame) for caller in _callers(rules, t.frames[:i])):
            below = _tag(type(t.frames[i - 1]))
            yield Problem(f"/stack/{i}/frame", f"{_tag(type(frame))} cannot stand on {below}")


def _has_step(rules: Ruleset, frame: Frame, top: bool, bottom: bool) -> bool:
    if frame.step == WAITING:
        return not top and not bottom
    if (
        frame.step == FINISHED
    ):  # it goes when those above are gone; the first never does, the game ends before
        return not top and not bottom
    return frame.step in rules.procedures[type(frame)].index


def _calls(rules: Ruleset, caller: Frame, frame: Frame) -> bool:
    return type(frame) in rules.procedures[type(caller)].may_call


def _callers(rules: Ruleset, below: list[Any]) -> Iterator[Frame]:
    """Who can have called the frame on top of these: the nearest that is not itself waiting.

    Where that one asks with a gap, also the frames below it with free actions.
    """
    begun = [f for f in reversed(below) if f.step != WAITING]
    yield from begun[:1]
    if begun and _asks_with_gap(rules, begun[0]):
        yield from (f for f in begun[1:] if rules.procedures[type(f)].free is not None)


def _asks_with_gap(rules: Ruleset, frame: Frame) -> bool:
    procedure = rules.procedures[type(frame)]
    step = procedure.steps[procedure.index[frame.step]] if frame.step in procedure.index else None
    return isinstance(step, Ask) and step.gap


def _top(t: Table) -> list[Problem]:
    """Somebody has to decide, and chance only where it has something to say and is not the service's to draw."""
    at = f"/stack/{len(t.frames) - 1}"
    w = window(t)
    if w is None:
        return [Problem(f"{at}/step", "the top of the stack waits for nobody")]
    if not w.actors:
        return [Problem(at, "nobody has to decide here")]
    strangers = [a for a in w.actors if a != CHANCE and a not in t.seats]
    if strangers:
        return [
            Problem(at, f"{strangers[0]} would have to decide, and nobody of this name sits at the table")
        ]
    return _chance(t, w, at) if CHANCE in w.actors else []


def _chance(t: Table, w: Window, at: str) -> list[Problem]:
    if t.chance.mode == "seeded":
        return [Problem(at, "chance is asked, which the service would have drawn at once")]
    cls = w.ask.takes[0]
    if issubclass(cls, ChanceAction) and not any(n > 0 for n in cls.odds(t, w.frame).values()):
        return [Problem(at, "chance is asked, and nothing can come up")]
    return []


def _answers(t: Table) -> list[Problem]:
    """Sealed answers lie only in simultaneous windows, and each could have been given."""
    found: list[Problem] = []
    for i, frame in enumerate(t.frames):
        if isinstance(frame, SealedFrame) and frame.sealed:
            found += _sealed(t, frame, f"/stack/{i}/sealed")
    return found


def _sealed(t: Table, frame: SealedFrame, at: str) -> Iterator[Problem]:
    from service.engine.judge import examine

    procedure = t.rules.procedures[type(frame)]
    step = procedure.steps[procedure.index[frame.step]] if frame.step in procedure.index else None
    if not isinstance(step, Ask) or not step.together:
        yield Problem(at, "no sealed answers are due here")
        return
    due = asked(step.who(t, frame))
    for seat, wire in frame.sealed.items():
        kind = wire.get("kind") if isinstance(wire, dict) and "actor" not in wire else None
        cls = next((c for c in step.takes if c.kind == kind), None)
        if cls is None or seat not in due or examine(t, cls, frame, seat, wire)[1]:
            yield Problem(f"{at}/{seat}", "this answer could not have been given")


def _tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)
