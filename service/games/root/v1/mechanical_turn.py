"""Chapter 19, the turn of the Mechanical Marquise: it scores, carries out its orders, and refills the row.

Every step happens by itself; the only windows are those of chance (ROOT-BOT-8, ROOT-BOT-11 to ROOT-BOT-30).
"""

from __future__ import annotations

from typing import Annotated

from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import DONE, Control, goto
from service.engine.frames import Ask, Each, Frame
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.root.v1.cards import discard_from
from service.games.root.v1.components import Faction, Plugs
from service.games.root.v1.decisions import OCCASIONS
from service.games.root.v1.figures import figures
from service.games.root.v1.mechanical import (
    BOARD,
    MECHANICAL,
    RANKED,
    MechanicalSetup,
    OrderRow,
    SeenOrder,
    mechanical,
    row_of,
    seen_by,
)
from service.games.root.v1.mechanical_orders import fight, march, place_recruits, selected
from service.games.root.v1.modes import humans, is_joint
from service.games.root.v1.rule import ruled_by, ruler
from service.games.root.v1.state import Battle, ClearingId
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import warriors

# -- Birdsong (ROOT-BOT-11) ---------------------------------------------------------------------------------------


class MechanicalBirdsong(Frame, kw_only=True):
    """It scores for the clearings that it holds strongly."""

    seat: Public[SeatRef]


def score_clearings(t: Table, f: MechanicalBirdsong) -> Control:
    """2 points for each clearing that it rules with three warriors or more (ROOT-BOT-11)."""
    least, points = (figures(t).table[f"strong-clearing-{figure}"] for figure in ("warriors", "points"))
    strong = [c for c in ruled_by(t, f.seat) if warriors(t, f.seat, c) >= least]
    t.explain(
        "strong-clearings",
        "ROOT-BOT-11",
        lambda: [
            {"value": c, "warriors": warriors(t, f.seat, c), "ruler": ruler(t, c), "chosen": c in strong}
            for c in RANKED
        ],
    )
    score(t, "ROOT-BOT-11", f.seat, points * len(strong))
    return None


def score_together(t: Table, f: MechanicalBirdsong) -> Control:
    """A point for each human who plays against it with the others (ROOT-BOT-12)."""
    if is_joint(t):
        score(t, "ROOT-BOT-12", f.seat, len(humans(t)))
    return None


# -- Daylight (ROOT-BOT-13 to ROOT-BOT-26) ------------------------------------------------------------------------


class MechanicalDaylight(Frame, kw_only=True):
    """It carries out its orders, one after the other (ROOT-BOT-30).

    `battles` and `moves`: the clearings whose turn to battle, or to be moved from, has not come.
    """

    seat: Public[SeatRef]
    battles: Annotated[Public[list[ClearingId]], Distinct("ROOT-BOT-17")] = []
    moves: Annotated[Public[list[ClearingId]], Distinct("ROOT-BOT-18")] = []


def next_order(t: Table, f: MechanicalDaylight) -> Control:
    """With no order left Daylight is over (ROOT-BOT-13)."""
    if mechanical(t, f.seat).row.size:
        return None
    t.tell("no-orders", "ROOT-BOT-13", {"seat": f.seat})
    return DONE


class TurnUpOrder(SeenOrder, kind="turn-up-order", rule="ROOT-BOT-13"):
    """The leftmost order is turned up."""

    @classmethod
    def place(cls, frame: MechanicalDaylight) -> int:
        """The leftmost."""
        return 0

    def resolve(self, t: Table) -> Control:
        """Everyone sees it."""
        seen_by(t, self.card, 0, None)
        return None


def turn_up(t: Table, f: MechanicalDaylight) -> Control:
    """It lies face up until it is carried out."""
    card = str(mechanical(t, f.seat).row.top)
    t.moved("ROOT-BOT-13", {card: 1}, row_of(f.seat), order_of(f.seat))
    f.battles = f.moves = selected(t, f.seat)
    return None


def order_of(seat: str) -> tuple[str, ...]:
    """Where the order lies that is turned up."""
    return ("seats", seat, BOARD, "order")


def battle(t: Table, f: MechanicalDaylight, clearing: str) -> Control:
    """Step 1, clearing by clearing."""
    return fight(t, f.seat, clearing)


def move(t: Table, f: MechanicalDaylight, clearing: str) -> Control:
    """Step 2, clearing by clearing."""
    return march(t, f.seat, clearing)


def recruit(t: Table, f: MechanicalDaylight) -> Control:
    """Step 3, all at once."""
    place_recruits(t, f.seat)
    return None


def discard_order(t: Table, f: MechanicalDaylight) -> Control:
    """It is discarded; if it had no cost the next one is turned up (ROOT-BOT-25, ROOT-BOT-28)."""
    card = str(mechanical(t, f.seat).order)
    discard_from(t, "ROOT-BOT-25", card, *order_of(f.seat))
    return DONE if figures(t).cards[card].cost else goto("next-order")


# -- Evening (ROOT-BOT-27) ----------------------------------------------------------------------------------------


class MechanicalEvening(Frame, kw_only=True):
    """The row is filled again."""

    seat: Public[SeatRef]


def fill_row(t: Table, f: MechanicalEvening) -> Control:
    """Up to five orders."""
    return OrderRow(seat=f.seat, because="ROOT-BOT-27")


FACTION = Faction(
    MECHANICAL,
    setup=MechanicalSetup,
    birdsong=MechanicalBirdsong,
    daylight=MechanicalDaylight,
    evening=MechanicalEvening,
)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(MechanicalBirdsong, score_clearings, score_together)
    rules.procedure(
        MechanicalDaylight,
        next_order,
        Ask("order", lambda t, f: CHANCE, takes=(TurnUpOrder,), rule="ROOT-BOT-13", also=OCCASIONS),
        turn_up,
        Each("battles", battle),
        Each("moves", move),
        recruit,
        discard_order,
        may_call={"battle": (Battle,), "move": plugs.after_move},
    )
    rules.procedure(MechanicalEvening, fill_row, may_call={"fill-row": (OrderRow,)})
