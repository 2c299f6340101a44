"""What is said in many windows: no, and that a phase or a composite is at its end (ROOT-TURN-5)."""

from __future__ import annotations

from service.engine.action import Action
from service.engine.control import NEXT, Control
from service.engine.table import Table


class Pass(Action, kind="pass"):
    """Decline what is offered."""

    def resolve(self, t: Table) -> Control:
        """On to the next step."""
        return NEXT


class EndPhase(Action, kind="end-phase"):
    """Say that the phase is over."""

    def resolve(self, t: Table) -> Control:
        """On to the next step."""
        return NEXT


class Stop(Action, kind="stop"):
    """Make no more of the moves that were begun."""

    def resolve(self, t: Table) -> Control:
        """On to the next step."""
        return NEXT
