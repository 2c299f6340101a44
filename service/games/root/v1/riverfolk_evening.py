"""Chapter 18, the Riverfolk's Evening: the hand limit, then prices (ROOT-RIVER-40); how the faction plugs in."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.cards import HandLimit
from service.games.root.v1.components import Faction, Plugs
from service.games.root.v1.riverfolk import RIVERFOLK, RiverfolkSetup, prices_pick, prices_told, set_prices
from service.games.root.v1.riverfolk_turn import RiverfolkBirdsong, RiverfolkDaylight
from service.games.root.v1.turn import its_seat, prompt


class RiverfolkEvening(Frame, kw_only=True):
    """The Riverfolk's Evening: they draw nothing."""

    seat: Public[SeatRef]


def keep_five(t: Table, f: RiverfolkEvening) -> Control:
    """Down to the hand limit."""
    return HandLimit(seat=f.seat)


class SetPrices(Action, kind="set-prices"):
    """Say what services cost until the next Evening; whoever passes leaves all as they are (ROOT-DEC-25)."""

    prices = prices_pick("ROOT-RIVER-40")

    def resolve(self, t: Table) -> Control:
        """The markers move."""
        set_prices(t, "ROOT-RIVER-40", self.actor, self.prices)
        return None

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the prices."""
        return prices_told(self.prices)


FACTION = Faction(
    RIVERFOLK,
    setup=RiverfolkSetup,
    birdsong=RiverfolkBirdsong,
    daylight=RiverfolkDaylight,
    evening=RiverfolkEvening,
)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        RiverfolkEvening,
        keep_five,
        prompt("prices", its_seat, (SetPrices, Pass), "ROOT-RIVER-40"),
        may_call={"keep-five": (HandLimit,)},
    )
