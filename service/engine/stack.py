"""The stack of a posted state: one that the procedures can reach, and whose top waits for somebody."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.engine.action import ChanceAction
from service.engine.flow import Window, window
from service.engine.frames import FINISHED, WAITING, Ask, Frame, SealedFrame, asked
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table


def stack_problems(rules: Ruleset, t: Table) -> Iterator[Problem]:
    """Why no game can stand like this; the seats that the frames name are known to be there."""
    shape = shape_problems(rules, t)
    yield from shape
    if not shape and t.frames:
        yield from _answers(t)
        yield from _top(t)


def shape_problems(rules: Ruleset, t: Table) -> list[Problem]:
    """Every frame stands at a step that it has, on a frame that can have called it there."""
    if t.outcome is not None:
        left = say("the game is over, yet there is unfinished business")
        return [Problem("/stack", left)] if t.frames else []
    if not t.frames:
        return [Problem("/stack", say("nothing is left to do, yet the game is not over"))]
    return list(_shape(rules, t.frames))


def _shape(rules: Ruleset, frames: list[Any]) -> Iterator[Problem]:
    if rules.root is not None and type(frames[0]) is not rules.root:
        yield Problem("/stack/0/frame", say("a game begins with {frame}", frame=_tag(rules.root)))
    begun: list[Frame] = []  # the frames below that are not themselves waiting for their turn
    together: set[type[Frame]] = set()  # the types of those that stand right above the last of them
    for i, frame in enumerate(frames):
        if not _has_step(rules, frame, top=i + 1 == len(frames), bottom=i == 0):
            facts = {"frame": _tag(type(frame)), "step": frame.step}
            yield Problem(f"/stack/{i}/step", say("{frame} cannot stand at the step '{step}' here", **facts))
        together.add(type(frame))
        if i and not _called(rules, begun, together):
            yield _misplaced(rules, begun[-1] if begun else frames[i - 1], frame, i)
        if frame.step != WAITING:
            begun.append(frame)
            together = set()


def _misplaced(rules: Ruleset, below: Frame, frame: Frame, i: int) -> Problem:
    facts = {"frame": _tag(type(frame)), "below": _tag(type(below)), "step": below.step}
    if type(frame) in rules.procedures[type(below)].may_call:
        message = say("{frame} cannot stand on {below} while that is at the step '{step}'", **facts)
    else:
        message = say("{frame} cannot stand on {below}", **facts)
    return Problem(f"/stack/{i}/frame", message)


def _has_step(rules: Ruleset, frame: Frame, top: bool, bottom: bool) -> bool:
    if frame.step == WAITING:
        return not top and not bottom
    if (
        frame.step == FINISHED
    ):  # it goes when those above are gone; the first never does, the game ends before
        return not top and not bottom
    return frame.step in rules.procedures[type(frame)].index


def _called(rules: Ruleset, begun: list[Frame], kinds: set[type[Frame]]) -> bool:
    """Whether what stands below can have called such frames together: the nearest that is not itself waiting.

    Where that one asks with a gap, also the free actions of the frames below it.
    """
    if not begun:
        return False
    if rules.procedures[type(begun[-1])].carries(begun[-1].step, kinds):
        return True
    if not _asks_with_gap(rules, begun[-1]):
        return False
    return any(rules.procedures[type(f)].carries_freely(kinds) for f in begun)


def _asks_with_gap(rules: Ruleset, frame: Frame) -> bool:
    procedure = rules.procedures[type(frame)]
    step = procedure.steps[procedure.index[frame.step]] if frame.step in procedure.index else None
    return isinstance(step, Ask) and step.gap


def _top(t: Table) -> list[Problem]:
    """Somebody has to decide, and chance only where it has something to say and is not the service's to draw."""
    at = f"/stack/{len(t.frames) - 1}"
    w = window(t)
    if w is None:
        return [Problem(f"{at}/step", say("the top of the stack waits for nobody"))]
    if not w.actors:
        return [Problem(at, say("nobody has to decide here"))]
    strangers = [a for a in w.actors if a != CHANCE and a not in t.seats]
    if strangers:
        message = say(
            "{seat} would have to decide, and nobody of this name sits at the table", seat=strangers[0]
        )
        return [Problem(at, message)]
    return _chance(t, w, at) if CHANCE in w.actors else []


def _chance(t: Table, w: Window, at: str) -> list[Problem]:
    if t.chance.mode == "seeded":
        return [Problem(at, say("chance is asked, which the service would have drawn at once"))]
    cls = w.ask.takes[0]
    if issubclass(cls, ChanceAction) and not any(n > 0 for n in cls.odds(t, w.frame).values()):
        return [Problem(at, say("chance is asked, and nothing can come up"))]
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
        yield Problem(at, say("no sealed answers are due here"))
        return
    due = asked(step.who(t, frame))
    for seat, wire in frame.sealed.items():
        kind = wire.get("kind") if isinstance(wire, dict) and "actor" not in wire else None
        cls = next((c for c in step.takes if c.kind == kind), None)
        if cls is None or seat not in due or examine(t, cls, frame, seat, wire)[1]:
            yield Problem(f"{at}/{seat}", say("this answer could not have been given"))


def _tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)
