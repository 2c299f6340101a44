"""Chapter 3.1, the drafts of the Dragonlord variant (SIM-DL-2 to SIM-DL-6)."""

from __future__ import annotations

from typing import Annotated

from service.engine.action import Action
from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame, SealedFrame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawDragons, DrawTiles, TurnUp, player
from service.games.simurgh.v1.figures import DRAGONS, TILES, figures
from service.games.simurgh.v1.hatchery import keep


class PowerDraft(Frame, kw_only=True):
    """Power Tiles go round from the last player to the first; `waiting`: who has still to choose (SIM-DL-2, -3)."""

    waiting: Annotated[Public[list[SeatRef]], Distinct("SIM-DL-2")] = []


class ActionDraft(Frame, kw_only=True):
    """Face-up tiles are chosen in turn order, twice; `waiting`: the picks that are still to come (SIM-DL-4)."""

    waiting: Public[list[SeatRef]] = []


class DragonDraft(SealedFrame, kw_only=True):
    """Everybody chooses a dragon in secret (SIM-DL-6)."""


# -- Power Tiles ------------------------------------------------------------------------------------------------


def begin_power_draft(t: Table, f: PowerDraft) -> Control:
    """The last player draws first, and more (SIM-DL-2)."""
    f.waiting = list(reversed(t.seats))
    n = figures(t).table["power-draft"]["first"]
    return DrawTiles(seat=f.waiting[0], left=n, pile="power", to="offered", because="SIM-DL-2")


class KeepTile(Action, kind="keep-tile"):
    """One of the Power Tiles offered (SIM-DL-2)."""

    tile = Pick("SIM-DL-2", lambda t, actor: sorted(player(t, actor).offered), TILES)

    def sight(self, t: Table) -> frozenset[str] | None:
        """A hand is secret (SIM-INFO-2)."""
        return frozenset([self.actor])

    def resolve(self, t: Table) -> Control:
        """Into the hand; the others go to the next player, who draws one more, or leave the game."""
        f: PowerDraft = self.frame
        t.moved("SIM-DL-2", {self.tile: 1}, ("seats", self.actor, "offered"), ("seats", self.actor, "hand"))
        f.waiting = f.waiting[1:]
        left = dict.fromkeys(player(t, self.actor).offered, 1)
        if not f.waiting:
            t.shuffled("SIM-DL-2", ("seats", self.actor, "offered"), ("power",))
            return None
        right = f.waiting[0]
        t.moved("SIM-DL-2", left, ("seats", self.actor, "offered"), ("seats", right, "offered"))
        n = figures(t).table["power-draft"]["next"]
        return DrawTiles(seat=right, left=n, pile="power", to="offered", because="SIM-DL-2")


# -- Action Tiles -----------------------------------------------------------------------------------------------


def begin_action_draft(t: Table, f: ActionDraft) -> Control:
    """A face-up row (SIM-DL-4)."""
    draft = figures(t).table["action-draft"]
    f.waiting = list(t.seats) * draft["picks"]
    return TurnUp(to="row", left=draft["face-up"], because="SIM-DL-4")


class TakeTile(Action, kind="take-tile"):
    """One of the face-up tiles (SIM-DL-4)."""

    tile = Pick("SIM-DL-4", lambda t, actor: t.board.row, TILES)

    def resolve(self, t: Table) -> Control:
        """Into the hand; the row is filled at once."""
        f: ActionDraft = self.frame
        t.moved("SIM-DL-4", {self.tile: 1}, ("row",), ("seats", self.actor, "hand"))
        f.waiting = f.waiting[1:]
        return TurnUp(to="row", left=1, because="SIM-DL-4")


def put_row_back(t: Table, f: ActionDraft) -> Control:
    """What still lies face up is shuffled in again (SIM-DL-5)."""
    t.shuffled("SIM-DL-5", ("row",), ("tiles",))
    return None


# -- dragons ----------------------------------------------------------------------------------------------------


def deal_dragons_to_choose(t: Table, f: DragonDraft) -> Control:
    """Each player looks at some (SIM-DL-6)."""
    n = figures(t).table["dragon-draft"]
    return calls(*(DrawDragons(seat=seat, left=n, because="SIM-DL-6") for seat in t.seats))


class ChooseDragon(Action, kind="choose-dragon"):
    """One of the dragons dealt, in secret (SIM-DL-6)."""

    dragon = Pick("SIM-DL-6", lambda t, actor: sorted(player(t, actor).looked_at), DRAGONS)

    def resolve(self, t: Table) -> Control:
        """All reveal together; the others go back into the deck, which is shuffled (SIM-SETUP-13)."""
        keep(t, "SIM-DL-6", self.actor, self.dragon, figures(t).table["start-markers"])
        t.shuffled("SIM-SETUP-13", ("seats", self.actor, "looked_at"), ("dragons",))
        return None


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        PowerDraft,
        begin_power_draft,
        Ask(
            "keep",
            lambda t, f: f.waiting[0] if f.waiting else None,
            takes=(KeepTile,),
            rule="SIM-DL-2",
            again=True,
        ),
        may_call={"begin-power-draft": (DrawTiles,), "keep": (DrawTiles,)},
    )
    rules.procedure(
        ActionDraft,
        begin_action_draft,
        Ask(
            "take",
            lambda t, f: f.waiting[0] if f.waiting else None,
            takes=(TakeTile,),
            rule="SIM-DL-4",
            again=True,
        ),
        put_row_back,
        may_call={"begin-action-draft": (TurnUp,), "take": (TurnUp,)},
    )
    rules.procedure(
        DragonDraft,
        deal_dragons_to_choose,
        Ask("choose", lambda t, f: t.seats, takes=(ChooseDragon,), rule="SIM-DL-6", together=True),
        may_call={"deal-dragons-to-choose": (DrawDragons,)},
    )
