"""Chapter 15, the Alliance's Evening: military operations, then cards (ROOT-WA-22 to ROOT-WA-24)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control, calls
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.alliance import (
    ALLIANCE,
    BASES,
    SYMPATHY,
    WARRIOR,
    AllianceSetup,
    is_sympathetic,
    officers,
    spread_to,
)
from service.games.root.v1.alliance_turn import AllianceBirdsong, AllianceDaylight, Uprising
from service.games.root.v1.answers import EndPhase
from service.games.root.v1.battle import StartBattle
from service.games.root.v1.cards import Draw, HandLimit
from service.games.root.v1.components import Faction, Plugs, player
from service.games.root.v1.crafting import crafters
from service.games.root.v1.movement import Move
from service.games.root.v1.state import Amount, Battle, ClearingId, Removal
from service.games.root.v1.turn import prompt
from service.games.root.v1.woodland import (
    cards_uncovered,
    clearing_pick,
    count_in,
    open_to_place,
    place,
    warriors,
)


class AllianceEvening(Frame, kw_only=True):
    """The Alliance's Evening. `most`: the operations of this Evening; `left`: those still to be made."""

    seat: Public[SeatRef]
    most: Public[Amount] = 0
    left: Public[Amount] = 0


def count_officers(t: Table, f: AllianceEvening) -> Control:
    """One operation for each officer there is now (ROOT-WA-22)."""
    f.most = f.left = officers(t, f.seat)
    return None


def has_officers(t: Table, f: AllianceEvening) -> str | None:
    """The Alliance, if it had officers as the Evening began; it says itself when it is through."""
    return f.seat if f.most else None


# -- military operations (ROOT-WA-22) -----------------------------------------------------------------------------


def an_operation() -> Any:
    """The requirement that an operation is left."""

    @requires("ROOT-WA-22", about=("kind",))
    def has_an_operation(t: Table, act: Any) -> Any:
        """As many as there were officers."""
        return act.frame.left > 0 or no(most=act.frame.most)

    return has_an_operation


class OperationMove(Move, kind="move"):
    """A move."""

    because = "ROOT-WA-22"
    has_an_operation = an_operation()

    def resolve(self, t: Table) -> Control:
        """One operation less."""
        self.frame.left -= 1
        return super().resolve(t)


class OperationBattle(StartBattle, kind="battle"):
    """A battle."""

    has_an_operation = an_operation()

    def resolve(self, t: Table) -> Control:
        """One operation less."""
        self.frame.left -= 1
        return super().resolve(t)


class RecruitAtBase(Action, kind="recruit"):
    """A warrior at a base."""

    clearing = clearing_pick("ROOT-WA-22")
    has_an_operation = an_operation()
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-WA-22", "clearing")
    def has_a_base(t: Table, act: Any) -> Any:
        """A base stands there."""
        return count_in(t, act.actor, act.clearing, "building") > 0 or no(clearing=act.clearing)

    @requires("ROOT-WA-22", about=("kind",))
    def has_a_warrior(t: Table, act: Any) -> Any:
        """A warrior is left in the supply."""
        return WARRIOR in player(t, act.actor).supply or no(warriors=0)

    def resolve(self, t: Table) -> Control:
        """There it stands."""
        self.frame.left -= 1
        place(t, "ROOT-WA-22", self.actor, {WARRIOR: 1}, self.clearing)
        return None


class Organizing(Frame, kw_only=True):
    """A warrior has left a clearing; a sympathy token comes."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]


class Organize(Action, kind="organize"):
    """A warrior becomes a sympathy token; neither supporters nor Martial Law nor adjacency count (ROOT-WA-22)."""

    clearing = clearing_pick("ROOT-WA-22")
    has_an_operation = an_operation()
    not_at_the_keep = open_to_place("ROOT-MARQ-2")
    not_scorched = open_to_place("ROOT-MOVE-7")

    @requires("ROOT-WA-22", "clearing")
    def has_a_warrior_there(t: Table, act: Any) -> Any:
        """One of its warriors stands there."""
        return warriors(t, act.actor, act.clearing) > 0 or no(organize=act.clearing)

    @requires("ROOT-WA-3", "clearing")
    def has_no_sympathy_yet(t: Table, act: Any) -> Any:
        """One token a clearing at most."""
        return not is_sympathetic(t, act.clearing) or no(clearing=act.clearing)

    @requires("ROOT-WA-23", about=("kind",))
    def has_a_token(t: Table, act: Any) -> Any:
        """A token is left."""
        return SYMPATHY in player(t, act.actor).supply or no(tokens=0)

    def resolve(self, t: Table) -> Control:
        """The warrior is removed like any other; then comes the token."""
        self.frame.left -= 1
        losses = {self.actor: {self.clearing: {WARRIOR: 1}}}
        gone = Removal(losses=losses, because="ROOT-WA-22", scoring="ROOT-WA-22")
        return calls(gone, Organizing(seat=self.actor, clearing=self.clearing))


def organize(t: Table, f: Organizing) -> Control:
    """The token, and the points of its space."""
    spread_to(t, "ROOT-WA-22", f.seat, f.clearing)
    return None


# -- cards (ROOT-WA-24) -------------------------------------------------------------------------------------------


def draws(t: Table) -> int:
    """One card, and one more for each base on the map."""
    return 1 + sum(cards_uncovered(t, base) for base in BASES.values())


def draw_cards(t: Table, f: AllianceEvening) -> Control:
    """As many as its bases allow."""
    return Draw(seat=f.seat, left=draws(t), because="ROOT-WA-24")


def keep_five(t: Table, f: AllianceEvening) -> Control:
    """Down to the hand limit."""
    return HandLimit(seat=f.seat)


FACTION = Faction(
    ALLIANCE,
    setup=AllianceSetup,
    birdsong=AllianceBirdsong,
    daylight=AllianceDaylight,
    evening=AllianceEvening,
    more=(Uprising, Organizing),
    crafting=crafters(SYMPATHY),
)
OPERATIONS = (OperationMove, OperationBattle, RecruitAtBase, Organize)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        AllianceEvening,
        count_officers,
        prompt("operate", has_officers, (*OPERATIONS, EndPhase), "ROOT-WA-22", again=True),
        draw_cards,
        keep_five,
        may_call={
            "operate": (Battle, Removal, Organizing, *plugs.after_move),
            "draw-cards": (Draw,),
            "keep-five": (HandLimit,),
        },
    )
    rules.procedure(Organizing, organize)
