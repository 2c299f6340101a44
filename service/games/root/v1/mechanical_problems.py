"""Reasons why the board and the unfinished business of the Mechanical Marquise cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.engine.deck import Run
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.battle_problems import untouched
from service.games.root.v1.components import Plugs, player
from service.games.root.v1.figures import CLEARINGS, CORNERS, PRINTED, figures
from service.games.root.v1.frame_problems import beyond
from service.games.root.v1.marquise import KEEP
from service.games.root.v1.marquise_problems import keep_problems
from service.games.root.v1.mechanical import (
    BOARD,
    MECHANICAL,
    MechanicalSetup,
    OrderRow,
    is_mechanical,
    items_for_sale,
    mechanical,
    who_is_mechanical,
)
from service.games.root.v1.mechanical_orders import opponents_in, selected, target
from service.games.root.v1.mechanical_turn import MechanicalDaylight
from service.games.root.v1.setup_problems import before_play, has_just_set_up, is_to_set_up
from service.games.root.v1.state import Battle, MechanicalMarquise, Turn
from service.games.root.v1.woodland import bag_in, count_in, neighbours, where

CARRIED_OUT = ("battle", "move")  # the steps at which an order lies face up


ITS_OWN = (OrderRow, MechanicalDaylight, MechanicalSetup)


def mechanical_problems(t: Table) -> Iterator[Problem]:
    """Its board, its pieces, and its frames."""
    seat = who_is_mechanical(t)
    for i, frame in enumerate(t.frames):
        if type(frame) not in ITS_OWN:
            continue
        if isinstance(frame, OrderRow):
            yield from _order_row(t, frame, f"/stack/{i}")
        elif isinstance(frame, MechanicalDaylight) and is_mechanical(t, frame.seat):
            yield from _daylight(t, frame, f"/stack/{i}", t.frames[i + 1 :])
        elif isinstance(frame, MechanicalSetup) and is_mechanical(t, frame.seat):
            yield from _setting_up(t, frame)
    board = None if seat is None else player(t, seat).mechanical_marquise
    if seat is None or board is None:
        return
    yield from _no_cards(t, seat)
    yield from _row(t, f"/table/seats/{seat}/{BOARD}/row", seat, board)
    yield from _order(t, f"/table/seats/{seat}/{BOARD}/order", board)
    yield from _items(t, seat)
    yield from _keep(t, seat, board)
    if has_just_set_up(t, seat):
        yield from _set_up(t, seat, board)


# -- its board ----------------------------------------------------------------------------------------------------


def _no_cards(t: Table, seat: str) -> Iterator[Problem]:
    """No hand, nothing crafted, no services (ROOT-BOT-1, ROOT-BOT-2, ROOT-RIVER-21)."""
    p = player(t, seat)
    for place, rule in (("hand", "ROOT-BOT-2"), ("crafted", "ROOT-BOT-1"), ("dominance", "ROOT-BOT-1")):
        if getattr(p, place):
            yield Problem(f"/table/seats/{seat}/{place}", say("{seat} has no such cards", seat=seat), rule)
    turn: Turn | None = t.frame(Turn)
    if turn is not None and turn.seat == seat and turn.services:
        message = say("{seat} buys no services", seat=seat)
        yield Problem(f"/stack/{t.index(turn)}/services", message, "ROOT-RIVER-21")


def _row(t: Table, at: str, seat: str, board: MechanicalMarquise) -> Iterator[Problem]:
    """No more orders than there are, and whole when play begins; those of a run are known to who looked at them."""
    most, n = figures(t).table["orders"], board.row.size
    dealing = any(isinstance(f, OrderRow) for f in t.frames) or not beyond(t, "deal", "seat", "deal-hands")
    due = 0 if dealing else most
    if n > most or (before_play(t) and n != due and (n > due or t.board.deck.size)):
        message = say("{n} orders lie here; {due} are due", n=n, due=due)
        yield Problem(at, message, "ROOT-BOT-27" if n > most else "ROOT-SETUP-4")
    for i, segment in enumerate(board.row.segments):
        if not isinstance(segment, Run):
            continue
        if segment.known_to is None or seat in segment.known_to or before_play(t):
            message = say("an order in the row is known to those who have looked at it")
            yield Problem(f"{at}/segments/{i}", message, "ROOT-INFO-7")


def _order(t: Table, at: str, board: MechanicalMarquise) -> Iterator[Problem]:
    """One is face up while it is carried out, and none else (ROOT-BOT-13, ROOT-BOT-25)."""
    f: MechanicalDaylight | None = t.frame(MechanicalDaylight)
    carried_out = f is not None and f.step in CARRIED_OUT
    if t.outcome is None and carried_out != (board.order is not None):
        yield Problem(at, say("an order is face up while it is carried out"), "ROOT-BOT-13")


def _items(t: Table, seat: str) -> Iterator[Problem]:
    """It has what it sells, and gets nothing more (ROOT-BOT-7)."""
    sold = items_for_sale(t)
    for item, n in player(t, seat).items.items():
        if n > sold.get(item, 0):
            message = say("{n} of {what}; for sale were {due}", n=n, what=item, due=sold.get(item, 0))
            yield Problem(f"/table/seats/{seat}/items/{item}", message, "ROOT-BOT-7")


def _keep(t: Table, seat: str, board: MechanicalMarquise) -> Iterator[Problem]:
    """In its corner, or gone."""
    at = f"/table/seats/{seat}/{BOARD}/keep"
    if board.keep is None:
        if beyond(t, "deal", "seat", "deal-hands") and not is_to_set_up(t, seat) and not _sets_up(t):
            yield Problem(at, say("the keep has a corner"), "ROOT-SETUP-15")
    elif board.keep not in CORNERS:
        yield Problem(at, say("the keep stands in a corner"), "ROOT-SETUP-15")
    for clearing in where(t, KEEP):
        if board.keep is not None and clearing != board.keep:
            message = say("the keep is placed in {clearing}", clearing=board.keep)
            yield Problem(f"/table/map/{clearing}/{KEEP}", message, "ROOT-SETUP-15")
    yield from keep_problems(t, seat)


def _sets_up(t: Table) -> bool:
    return any(isinstance(f, MechanicalSetup) for f in t.frames)


def _set_up(t: Table, seat: str, board: MechanicalMarquise) -> Iterator[Problem]:
    """The keep, a warrior in all clearings but the opposite corner, all that is for sale (ROOT-SETUP-15, -6)."""
    if board.keep is None:
        return
    if where(t, KEEP) != {board.keep: 1}:
        yield Problem("/table/map", say("the keep is placed at set-up"), "ROOT-SETUP-15")
    for clearing in CLEARINGS:
        due = int(clearing != PRINTED.clearings[board.keep].opposite)
        if count_in(t, seat, clearing, "warrior") != due:
            message = say("set-up places this many warriors here: {n}", n=due)
            yield Problem(f"/table/map/{clearing}", message, "ROOT-SETUP-15")
    yield from _all_for_sale(t, seat)


def _all_for_sale(t: Table, seat: str) -> Iterator[Problem]:
    had = {i.id: min(i.for_sale, i.supply) for i in figures(t).items.values() if min(i.for_sale, i.supply)}
    if dict(player(t, seat).items) != had:
        yield Problem(f"/table/seats/{seat}/items", say("nothing has been sold yet"), "ROOT-SETUP-6")


# -- its frames ---------------------------------------------------------------------------------------------------


def _order_row(t: Table, f: OrderRow, at: str) -> Iterator[Problem]:
    """Orders are laid for who has a row, by what calls for them."""
    if not is_mechanical(t, f.seat):
        message = say("{seat} does not play {faction}", seat=f.seat, faction=MECHANICAL)
        yield Problem(f"{at}/seat", message, "ROOT-SETUP-1")
    due = "ROOT-SETUP-4" if before_play(t) else "ROOT-BOT-27"
    if f.because != due:
        yield Problem(f"{at}/because", say("orders are laid here by {clause}", clause=due), due)


def _setting_up(t: Table, f: MechanicalSetup) -> Iterator[Problem]:
    """While a corner is drawn it has its items, and nothing on the map."""
    board = mechanical(t, f.seat)
    if board.keep is not None:
        message = say("the corner is known")
        yield Problem(f"/table/seats/{f.seat}/{BOARD}/keep", message, "ROOT-SETUP-15")
    if any(bag_in(t, f.seat, c) for c in t.board.map):
        yield Problem("/table/map", say("{seat} is still to set up", seat=f.seat), "ROOT-SETUP-15")
    yield from _all_for_sale(t, f.seat)


def _daylight(t: Table, f: MechanicalDaylight, at: str, above: Sequence[Any]) -> Iterator[Problem]:
    """The clearings that are left are the last of those of the order, and what is played is of the one before them."""
    board = mechanical(t, f.seat)
    if f.step not in CARRIED_OUT or board.order is None:
        for left in ("battles", "moves"):
            if getattr(f, left):
                yield Problem(f"{at}/{left}", say("no order is carried out"), "ROOT-BOT-14")
        return
    due = selected(t, f.seat)
    battles, moves = f.battles, f.moves
    now = due[len(due) - len(battles if f.step == "battle" else moves) - 1 :][:1]
    whole: Mapping[str, list[str]] = {"battles": due if f.step == "battle" else [], "moves": due}
    for left, clearings in (("battles", battles), ("moves", moves)):
        current = left == ("battles" if f.step == "battle" else "moves")
        fine = clearings == due[len(due) - len(clearings) :] and len(clearings) < len(due)
        if not (fine if current else clearings == whole[left]):
            message = say("the clearings of the order are taken by rank: {listed}", listed=", ".join(due))
            yield Problem(f"{at}/{left}", message, "ROOT-BOT-15" if left == "battles" else "ROOT-BOT-18")
            return
    yield from _played(t, f, now[0], above)


def _played(t: Table, f: MechanicalDaylight, clearing: str, above: Sequence[Any]) -> Iterator[Problem]:
    """A battle in this clearing with whom it turns against, or what moving from there has brought about."""
    for i, frame in enumerate(above, len(t.frames) - len(above)):
        there = getattr(frame, "clearing", None)
        if isinstance(frame, Battle):
            if there != clearing:
                message = say("the order is carried out in {clearing}", clearing=clearing)
                yield Problem(f"/stack/{i}/clearing", message, "ROOT-BOT-15")
            elif untouched(t, frame) and frame.enlisted is None:
                yield from _target(t, f, frame, f"/stack/{i}/defender")
        elif f.step == "move" and there is not None and there not in neighbours(t, f.seat, clearing):
            message = say("nobody moves from {clearing} to {to}", clearing=clearing, to=there)
            yield Problem(f"/stack/{i}/clearing", message, "ROOT-BOT-19")


def _target(t: Table, f: MechanicalDaylight, battle: Battle, at: str) -> Iterator[Problem]:
    others = opponents_in(t, f.seat, battle.clearing)
    if others and battle.defender != (due := target(t, others)):
        message = say("{seat} turns against {player}", seat=f.seat, player=due)
        yield Problem(at, message, "ROOT-BOT-16")


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the checks."""
    rules.check(mechanical_problems)
