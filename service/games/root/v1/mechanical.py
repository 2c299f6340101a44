"""Chapter 19, the Mechanical Marquise: what is always on, its order row, its set-up (ROOT-BOT-1 to -10, ROOT-SETUP-15).

The rules alone play it. What it does in its turn stands in `mechanical_turn.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from service.engine.action import ChanceAction
from service.engine.aside import odds_of
from service.engine.audience import Public, SeatRef
from service.engine.control import AGAIN, DONE, Control
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset, SetupSeat
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.root.v1.cards import can_draw
from service.games.root.v1.components import Plugs, limited, player
from service.games.root.v1.figures import CARDS, CLEARINGS, CORNERS, PRINTED, figures
from service.games.root.v1.marquise import KEEP, WARRIOR
from service.games.root.v1.state import Battle, MechanicalMarquise
from service.games.root.v1.woodland import clearing_pick, place

MECHANICAL = "mechanical-marquise"
BOARD = "mechanical_marquise"
RANKED = tuple(sorted(CLEARINGS, key=lambda c: PRINTED.clearings[c].rank))  # ROOT-BOT-9


def is_mechanical(t: Table, seat: str) -> bool:
    """Whether a seat is the Mechanical Marquise."""
    return player(t, seat).faction == MECHANICAL


def who_is_mechanical(t: Table) -> str | None:
    """The seat of the Mechanical Marquise; None where it does not play."""
    for seat, p in t.board.seats.items():
        if p.faction == MECHANICAL:
            return str(seat)
    return None


def mechanical(t: Table, seat: str) -> MechanicalMarquise:
    """Its board."""
    found = player(t, seat).mechanical_marquise
    assert found is not None, f"{seat} does not play the {MECHANICAL}"
    return found


# -- standing rules -----------------------------------------------------------------------------------------------


def no_hand(t: Table, seat: str) -> str | None:
    """It has no hand: nothing is discarded, given or taken from it (ROOT-BOT-2)."""
    return "ROOT-BOT-2" if is_mechanical(t, seat) else None


def acts_by_itself(t: Table, seat: str) -> str | None:
    """Nobody decides for it (ROOT-BOT-8)."""
    return "ROOT-BOT-8" if is_mechanical(t, seat) else None


def hates_surprises(t: Table, f: Battle) -> str | None:
    """No ambush is played in a battle with it, on either side (ROOT-BOT-4)."""
    return "ROOT-BOT-4" if is_mechanical(t, f.attacker) or is_mechanical(t, f.defender) else None


# -- the order row (ROOT-SETUP-4, ROOT-BOT-27) --------------------------------------------------------------------


def row_of(seat: str) -> tuple[str, ...]:
    """Where its orders lie, the leftmost on top."""
    return ("seats", seat, BOARD, "row")


class OrderRow(Frame, kw_only=True):
    """Cards are laid face down at the right end of the order row until it is full."""

    seat: Public[SeatRef]
    because: Public[str]


def lay_orders(t: Table, f: OrderRow) -> Control:
    """One card after the other; nobody sees it, so nothing is drawn yet (ROOT-BOT-29, ROOT-INFO-7)."""
    missing = figures(t).table["orders"] - mechanical(t, f.seat).row.size
    if missing <= 0 or not can_draw(t, f.seat, missing):
        return DONE
    t.laid_aside(f.because, ("deck",), row_of(f.seat))
    return AGAIN


def orders_dealt(t: Table, seat: str) -> Frame | None:
    """It is dealt its orders instead of a hand (ROOT-SETUP-4)."""
    return OrderRow(seat=seat, because="ROOT-SETUP-4") if is_mechanical(t, seat) else None


class SeenOrder(ChanceAction):
    """What an order is that somebody looks at, at a place of the row (counted from 0).

    Chance is asked, with one possible answer, even where somebody has seen it before: that is no secret to those who
    sat at the table, but nothing of what lies there shows it.
    """

    card = Pick("ROOT-BOT-13", CARDS)

    @classmethod
    def place(cls, frame: Any) -> int:
        """Which order it is."""
        raise NotImplementedError

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[str, int]:
        """What it is, or every card alike that nobody has seen since the shuffle from which the order came."""
        seat = who_is_mechanical(t)
        return {} if seat is None else odds_of(t.board.deck, mechanical(t, seat).row, cls.place(frame))


def seen_by(t: Table, card: str, place: int, known_to: Sequence[str] | None) -> None:
    """It is decided that this order lies there, which these seats (None: all) see."""
    t.settled(card, row_of(str(who_is_mechanical(t))), place, ("deck",), known_to)


# -- set-up (ROOT-SETUP-6, ROOT-SETUP-15) -------------------------------------------------------------------------


class MechanicalSetup(Frame, kw_only=True):
    """The Mechanical Marquise is set up."""

    seat: Public[SeatRef]


def take_items(t: Table, f: MechanicalSetup) -> Control:
    """Items for sale, out of the supply (ROOT-SETUP-6, ROOT-BOT-7)."""
    bag = limited(items_for_sale(t), t.board.items)
    t.moved("ROOT-SETUP-6", bag, ("items",), ("seats", f.seat, "items"))
    return None


def items_for_sale(t: Table) -> dict[str, int]:
    """What it sells at the start."""
    return {i.id: i.for_sale for i in figures(t).items.values() if i.for_sale}


def has_items_at_setup(t: Table, seat: str, what: str) -> bool | None:
    """Its items for sale are there before play begins."""
    return True if what == "items" and is_mechanical(t, seat) else None


class DrawCorner(ChanceAction, kind="draw-corner", rule="ROOT-R-BOT-2"):
    """In which corner the keep stands."""

    corner = clearing_pick("ROOT-SETUP-15")

    @classmethod
    def odds(cls, t: Table, frame: Any) -> Mapping[str, int]:
        """All four alike."""
        return dict.fromkeys(CORNERS, 1)

    def resolve(self, t: Table) -> Control:
        """There it will stand."""
        t.set("ROOT-R-BOT-2", self.corner, "seats", self.frame.seat, BOARD, "keep")
        return None


def place_pieces(t: Table, f: MechanicalSetup) -> Control:
    """The keep, and a warrior in every clearing but the opposite corner."""
    keep = str(mechanical(t, f.seat).keep)
    place(t, "ROOT-SETUP-15", f.seat, {KEEP: 1}, keep)
    for clearing in CLEARINGS:
        if clearing != PRINTED.clearings[keep].opposite:
            place(t, "ROOT-SETUP-15", f.seat, {WARRIOR: 1}, clearing)
    return None


def refused_keeps(seats: Sequence[SetupSeat], position: Any) -> Iterable[Problem]:
    """The corner of the keep is named for the Mechanical Marquise alone; in a position it stands already."""
    return list(_refused_keeps(seats, position))


def _refused_keeps(seats: Sequence[SetupSeat], position: Any) -> Iterator[Problem]:
    for i, seat in enumerate(seats):
        keep = seat.choice.get("keep")
        if keep is None:
            continue
        if seat.choice.get("faction") != MECHANICAL:
            message = say("a corner is named for the keep of the Mechanical Marquise alone")
            yield Problem(f"/seats/{i}/keep", message, "ROOT-SETUP-15")
        there = position.seats.get(seat.id) if position is not None else None
        board = there.mechanical_marquise if there is not None else None
        if board is not None and board.keep != keep:
            message = say("in the position the keep of this seat does not begin in {keep}", keep=keep)
            yield Problem(f"/seats/{i}/keep", message, "ROOT-SETUP-15")


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.never_decides(acts_by_itself)
    rules.procedure(OrderRow, lay_orders)
    rules.procedure(
        MechanicalSetup,
        take_items,
        Ask(
            "corner",
            lambda t, f: CHANCE if mechanical(t, f.seat).keep is None else None,
            takes=(DrawCorner,),
            rule="ROOT-R-BOT-2",
        ),
        place_pieces,
    )
