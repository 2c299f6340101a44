"""Frames are unfinished business as data: small typed records on a stack, each run by its procedure.

A procedure is a tuple of named steps in the order of the rulebook: a function, an `Each` that eats a list of
the frame, or an `Ask`, the window that waits for actors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from service.engine.audience import Own, Public, Seats  # noqa: F401  (frames declare audiences with these)

if TYPE_CHECKING:
    from service.engine.action import Action
    from service.engine.control import Control
    from service.engine.table import Table

FINISHED = "end"
WAITING = ""  # the step of a frame that was called together with others and whose turn has not come


def kebab(name: str) -> str:
    """`FreeAdvance` is `free-advance` on the wire."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", name).lower()


class Frame(Struct, kw_only=True, tag_field="frame", tag=kebab, forbid_unknown_fields=True):
    """One entry of the stack. Its fields are values: replace them, never change a list or dict in place."""

    step: Public[str] = WAITING


class SealedFrame(Frame, kw_only=True):
    """A frame with a simultaneous window: the answers given so far, each known to its seat alone."""

    sealed: Seats[dict[str, Any]] = {}


def asked(who: str | Iterable[str] | None) -> tuple[str, ...]:
    """The answer of a `who` function as a tuple; TypeError for a set, whose order would be chance."""
    if who is None:
        return ()
    if isinstance(who, str):
        return (who,)
    if isinstance(who, set | frozenset):
        raise TypeError("who must decide is told in an order")
    return tuple(who)


Who = Callable[["Table", Any], "str | Iterable[str] | None"]
StepFunction = Callable[["Table", Any], "Control"]


@dataclass(frozen=True)
class Ask:
    """A window.

    `who` says who must answer: one, or several of whom any may go first, or nobody: then the window is passed by, and
    the rule `skipped`, if named, says so as an event. `takes` are the action classes; `rule` is broken by another
    kind, `wrong` by another actor (an id, or a function of table, frame and seat); `again`: ask until nobody is left
    or an answer says NEXT; `together`: answers are sealed until the last is in (`who` names all, also those who have
    answered); `gap`: free actions of the frames below are open meanwhile; `also`: clauses that particular other kinds
    break besides `rule` (an id, or a function of table, frame and seat that may answer none); `because`: the clause
    that opens the window, which decisions name, where it is not `rule` (an id, or a function of table and frame).
    """

    name: str
    who: Who
    takes: tuple[type[Action], ...]
    rule: str
    wrong: str | Callable[[Table, Any, str], str] | None = None
    again: bool = False
    together: bool = False
    skipped: str | None = None
    gap: bool = False
    also: Mapping[str, str | Callable[[Table, Any, str], str | Sequence[str] | None]] = field(
        default_factory=dict
    )
    because: str | Callable[[Table, Any], str] | None = None

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that it takes."""
        return tuple(c.kind for c in self.takes)

    def opened_by(self, t: Table, frame: Frame) -> str:
        """The clause that opens the window."""
        if self.because is None:
            return self.rule
        return self.because if isinstance(self.because, str) else self.because(t, frame)

    def broken_by(self, t: Table, frame: Frame, seat: str, kind: Any) -> list[str]:
        """The clauses that an action of another kind breaks."""
        more = self.also.get(kind) if isinstance(kind, str) else None
        if callable(more) and seat not in t.seats:
            more = None  # what seats do is not defined for chance
        found = more(t, frame, seat) if callable(more) else more
        rules = [found] if isinstance(found, str) else found or ()
        return [self.rule, *(rule for rule in rules if rule != self.rule)]

    def actors(self, t: Table, frame: Frame) -> tuple[str, ...]:
        """Who has still to answer, in order."""
        who = asked(self.who(t, frame))
        if not self.together:
            return who
        answered = getattr(frame, "sealed", {})
        return tuple(a for a in who if a not in answered)

    def wrong_actor(self, t: Table, frame: Frame, seat: str) -> str:
        """The clause that an action by somebody else breaks: first of all that by which a seat never decides."""
        if (idle := t.rules.idle(t, seat)) is not None:
            return idle
        if self.wrong is None:
            return self.rule
        return self.wrong if isinstance(self.wrong, str) else self.wrong(t, frame, seat)

    def rules(self) -> list[str]:
        """The clause ids that are known without a table."""
        named = (self.rule, self.wrong, self.skipped, self.because, *self.also.values())
        return [r for r in named if isinstance(r, str)]


@dataclass(frozen=True)
class Each:
    """A step that takes the first entry of the frame's list `field` and runs `fn` with it, until none is left."""

    field: str
    fn: Callable[[Table, Any, Any], Control]

    @cached_property
    def name(self) -> str:
        """The step's name on the wire."""
        return step_name(self.fn)


@dataclass(frozen=True)
class Step:
    """A plain step: a function of table and frame."""

    fn: StepFunction

    @cached_property
    def name(self) -> str:
        """The step's name on the wire."""
        return step_name(self.fn)


@dataclass(frozen=True)
class Free:
    """Actions open to `who` at any moment of the frame's own windows, and in the gaps of windows above it."""

    takes: tuple[type[Action], ...]
    who: Who
    rule: str

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds that it takes."""
        return tuple(c.kind for c in self.takes)


@dataclass(frozen=True)
class Again:
    """What a plain step calls to stay at it: `calls(..., again=True)`."""

    frames: tuple[type[Frame], ...]


ANYWHERE = ""  # the key of what free actions call, at whatever step the frame stands
Called = Mapping[str, "tuple[type[Frame], ...] | Again"]


@dataclass(frozen=True)
class Procedure:
    """The steps of a frame type, its free actions, and the frame types that may stand right above it.

    `by_step` says which step calls which of them; without it, any may stand there at any step.
    """

    frame: type[Frame]
    steps: tuple[Ask | Each | Step, ...]
    free: Free | None = None
    may_call: tuple[type[Frame], ...] = ()
    by_step: Called | None = None
    index: dict[str, int] = field(default_factory=dict)
    following: dict[str, str] = field(default_factory=dict)
    above: dict[str, list[frozenset[type[Frame]]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the steps by name; a name may stand once, and none is called like the end of a procedure."""
        for i, step in enumerate(self.steps):
            if step.name in (FINISHED, WAITING):
                raise ValueError(f"{self.frame.__name__}: no step can be called '{step.name}'")
            if step.name in self.index:
                raise ValueError(f"{self.frame.__name__} has two steps named {step.name}")
            self.index[step.name] = i
        names = [step.name for step in self.steps]
        self.following.update(zip(names, [*names[1:], FINISHED], strict=True))
        for name, called in (self.by_step or {}).items():
            frames = _frames(called)
            for rest in self._stands(name, isinstance(called, Again)):
                self.above.setdefault(rest, []).append(frozenset(frames))

    def _stands(self, name: str, again: bool) -> tuple[str, ...]:
        """Where the frame stands while what this step called is above it."""
        if name == ANYWHERE:
            return (*self.index, FINISHED)
        if name not in self.index:
            raise ValueError(f"{self.frame.__name__} has no step {name} to call from")
        step = self.steps[self.index[name]]
        if isinstance(step, Ask) and step.together:
            return name, self.after(name)
        stays = isinstance(step, Each) or (isinstance(step, Ask) and step.again) or again
        return (name,) if stays else (self.after(name),)

    def carries(self, step: str, kinds: set[type[Frame]]) -> bool:
        """Whether frames of these types, called together, may stand right above while this one stands at the step."""
        if self.by_step is None:
            return kinds <= set(self.may_call)
        return any(map(kinds.issubset, self.above.get(step, ())))

    def carries_freely(self, kinds: set[type[Frame]]) -> bool:
        """Whether a free action, taken in a gap of a window above, can have called frames of these types together."""
        if self.free is None:
            return False
        return kinds <= set(
            self.may_call if self.by_step is None else _frames(self.by_step.get(ANYWHERE, ()))
        )

    @cached_property
    def first(self) -> str:
        """The name of the first step."""
        return self.steps[0].name

    def after(self, name: str) -> str:
        """The name of the step after this one."""
        return self.following[name]

    def at(self, frame: Frame) -> Ask | Each | Step:
        """The step that the frame stands at."""
        return self.steps[self.index[frame.step]]


def _frames(called: tuple[type[Frame], ...] | Again) -> tuple[type[Frame], ...]:
    return called.frames if isinstance(called, Again) else called


def step_name(fn: Callable[..., Any]) -> str:
    """`fix_price` is `fix-price` on the wire."""
    return fn.__name__.strip("_").replace("_", "-")
