"""Chapter 6.1, the Scouts' Quarter: acquiring an Action Tile, and the display (SIM-SCOUT-1 to SIM-SCOUT-10)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawTiles, gaps
from service.games.simurgh.v1.figures import DISPLAY, SHELVES, figures
from service.games.simurgh.v1.gains import Occasion, receive
from service.games.simurgh.v1.markers import Markers
from service.games.simurgh.v1.payment import Price, paid_facts
from service.games.simurgh.v1.placing import occasions
from service.games.simurgh.v1.spending import pay
from service.games.simurgh.v1.state import Acquisition
from service.games.simurgh.v1.unfinished import on_offer


def price_of(t: Table, act: Any) -> str:
    """The clause of the price: of a display space, or of the deck."""
    return "SIM-SCOUT-3" if figures(t).display[act.place].number else "SIM-SCOUT-4"


class TilePrice(Price):
    """What a tile costs."""

    def clause(self, t: Table, act: Any) -> str:
        """The clause of the price."""
        return price_of(t, act)

    def rules(self) -> list[str]:
        """Its clauses."""
        return [*super().rules(), "SIM-SCOUT-4"]


class AcquireTile(Action, kind="acquire-tile"):
    """A face-up tile, or the top one of the deck (SIM-SCOUT-2)."""

    place = Pick("SIM-SCOUT-2", SHELVES)
    cost = TilePrice("SIM-SCOUT-3", lambda t, act: figures(t).prices[act.place], "SIM-SCOUT-3").given("place")

    @requires("SIM-SCOUT-8", "place")
    def has_a_tile(t: Table, act: Any) -> Any:
        """Gaps are only filled from a deck."""
        return act.place in on_offer(t) or no(place=act.place)

    def resolve(self, t: Table) -> Control:
        """Price, tile, points (SIM-SCOUT-3 to SIM-SCOUT-5)."""
        shelf = figures(t).display[self.place]
        because = price_of(t, self)
        then: list[Frame] = occasions(self.actor, pay(t, because, self.actor, self.cost))
        if shelf.number:
            take_display_tile(t, "SIM-SCOUT-3", self.actor, self.place)
        else:
            then.append(DrawTiles(seat=self.actor, left=1, because="SIM-SCOUT-4"))
        return calls(*then, *receive(t, because, self.actor, {"pp": shelf.pp} if shelf.pp else {}))

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: what is paid."""
        return paid_facts(self.cost)


def take_display_tile(t: Table, because: str, seat: str, place: str) -> None:
    """A face-up tile into the hand (SIM-SCOUT-5)."""
    t.moved(because, {t.board.display[place]: 1}, ("display", place), ("seats", seat, "hand"))


def slide(t: Table) -> None:
    """Tiles above a gap slide to the lowest free number, order kept (SIM-SCOUT-7)."""
    for place in DISPLAY:
        lower = [gap for gap in gaps(t) if DISPLAY.index(gap) < DISPLAY.index(place)]
        tile = t.board.display[place]
        if tile is not None and lower:
            t.moved("SIM-SCOUT-7", {tile: 1}, ("display", place), ("display", lower[0]))


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Acquisition,
        Ask(
            "acquire",
            lambda t, f: f.seat,
            takes=(AcquireTile,),
            rule="SIM-SCOUT-2",
            wrong="SIM-TURN-14",
            gap=True,
        ),
        may_call={"acquire": (DrawTiles, Markers, Occasion)},
    )
