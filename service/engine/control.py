"""Control flow is returned: what a step or `resolve` may answer, and nothing runs after a call."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from service.engine.frames import Frame


class Calls(Struct, frozen=True):
    """Run these frames, in this order, then go on after the step."""

    frames: tuple[Frame, ...]
    again: bool = False


class Goto(Struct, frozen=True):
    """Go on with another step of the same procedure (a loop)."""

    step: str


class Done(Struct, frozen=True):
    """Leave this procedure now; `value` goes to the caller's field `result`, where it has one.

    Without a value (None) the field keeps what it held.
    """

    value: Any = None


class Unwind(Struct, frozen=True):
    """Drop all above the nearest frame of type `to`, because of a rule; that frame goes on where it stands."""

    to: type[Frame]
    because: str


class Marker(Struct, frozen=True):
    """A bare word of control flow."""

    name: str


AGAIN = Marker("again")  # stay at this step
NEXT = Marker("next")  # leave a window that would ask again
DONE = Done()  # leave this procedure
END = Marker("end")  # the game is over; `Table.finish` has said how

Control: TypeAlias = "Frame | Calls | Goto | Done | Unwind | Marker | None"


def calls(*frames: Frame, again: bool = False) -> Calls:
    """Call several frames one after another; `again` stays at the calling step."""
    return Calls(frames, again)


def goto(step: str) -> Goto:
    """Go on with the named step of this procedure."""
    return Goto(step)


def done(value: Any = None) -> Done:
    """Leave this procedure (and all above it) and hand a result to the caller."""
    return Done(value)


def unwind(to: type[Frame], because: str) -> Unwind:
    """End everything above the nearest frame of type `to`."""
    return Unwind(to, because)
