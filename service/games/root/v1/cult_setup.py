"""Chapter 17, the Cult's set-up: a corner, a garden, warriors, and the first Outcast (ROOT-SETUP-13, ROOT-DEC-4)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs, everything
from service.games.root.v1.cult import CULT, WARRIOR, cult, garden_of
from service.games.root.v1.figures import CLEARING_SUITS, CORNERS, PRINTED, figures
from service.games.root.v1.turn import prompt
from service.games.root.v1.woodland import clearing_pick, may_place, neighbours, place


class CultSetup(Frame, kw_only=True):
    """The Cult sets up."""

    seat: Public[SeatRef]


def corners(t: Table) -> list[str]:
    """Where it may begin: opposite a corner in which others began, else in any that nobody has taken."""
    taken = list(everything(t, "corners-taken"))
    free = [c for c in CORNERS if c not in taken]
    return [c for c in free if PRINTED.clearings[c].opposite in taken] or free


class CultStart(Action):
    """Choose the first Outcast."""

    outcast = Pick("ROOT-SETUP-13", CLEARING_SUITS)

    def settle(self, t: Table, corner: str) -> Control:
        """A garden and warriors in the corner, warriors around it; the Outcast is not hated."""
        seat, printed = self.actor, figures(t).table
        place(
            t, "ROOT-SETUP-13", seat, {garden_of(corner): 1, WARRIOR: int(printed["cult-warriors"])}, corner
        )
        for clearing in neighbours(t, seat, corner):
            if may_place(t, seat, clearing):
                place(t, "ROOT-SETUP-13", seat, {WARRIOR: printed["cult-warriors-nearby"]}, clearing)
        t.set("ROOT-SETUP-13", self.outcast, "seats", seat, CULT, "outcast")
        return None


class SetupCult(CultStart, kind="setup-cult"):
    """Choose the first Outcast; the corner follows from those who set up before."""

    def resolve(self, t: Table) -> Control:
        """Opposite."""
        return self.settle(t, corners(t)[0])


class SetupCultInACorner(CultStart, kind="setup-cult"):
    """Choose the first Outcast and, where there is a choice, the corner."""

    corner = clearing_pick("ROOT-SETUP-13")

    @requires("ROOT-SETUP-13", "corner")
    def is_open_to_it(t: Table, act: Any) -> Any:
        """One of the corners where it may begin."""
        return act.corner in corners(t) or no(clearing=act.corner)

    def resolve(self, t: Table) -> Control:
        """Where it likes."""
        return self.settle(t, self.corner)


def has_no_choice(t: Table) -> bool:
    """Whether the corner is given."""
    return len(corners(t)) == 1


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        CultSetup,
        prompt("outcast", lambda t, f: f.seat if has_no_choice(t) else None, (SetupCult,), "ROOT-SETUP-13"),
        prompt(
            "corner",
            lambda t, f: f.seat if cult(t, f.seat).outcast is None else None,
            (SetupCultInACorner,),
            "ROOT-SETUP-13",
        ),
    )
