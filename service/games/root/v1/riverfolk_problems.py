"""Reasons why the board and the unfinished business of the Riverfolk Company cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from service.engine.frames import Frame
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.cards import Draw
from service.games.root.v1.components import Plugs, first_answer, player
from service.games.root.v1.draw_problems import Due, Dues
from service.games.root.v1.figures import CLEARING_SUITS, PRINTED, SERVICES, figures, suit_of_clearing
from service.games.root.v1.removal import lost
from service.games.root.v1.riverfolk import (
    HAND_CARD,
    MERCENARIES,
    RIVERFOLK,
    WARRIOR,
    RiverfolkSetup,
    company,
    funds,
    riverfolk,
)
from service.games.root.v1.riverfolk_evening import RiverfolkEvening
from service.games.root.v1.riverfolk_posts import POSTS, TradeDisruption, placed
from service.games.root.v1.riverfolk_services import WINDOWS, most_services, price, warrior_of
from service.games.root.v1.riverfolk_turn import RiverfolkDaylight
from service.games.root.v1.setup import Game
from service.games.root.v1.state import Battle, Removal, Riverfolk, Turn
from service.games.root.v1.woodland import bag_in, closed_by

Check = Callable[[Table, Any, str, str], Iterator[Problem]]
BEFORE_SERVICES = ("", "begin-turn", "check-dominance")
ALL_POSTS = frozenset(POSTS.values())
AT_SERVICES = tuple(window.name for window in WINDOWS)


def riverfolk_problems(t: Table) -> Iterator[Problem]:
    """Hand, boxes and prices, trade posts on the map, services bought, and the frames of the Riverfolk."""
    seat = company(t)
    for i, frame in enumerate(t.frames):
        at = f"/stack/{i}"
        if isinstance(frame, Turn):
            if frame.services:
                yield from _services(t, frame, at, seat)
        elif isinstance(frame, TradeDisruption) and seat is None:
            yield Problem(at, say("nobody plays the Riverfolk"), "ROOT-SETUP-1")
        elif (check := CHECKS.get(type(frame))) is not None and seat is not None:
            yield from check(t, frame, at, seat)
    board = None if seat is None else player(t, seat).riverfolk
    if seat is not None and board is not None:
        at = f"/table/seats/{seat}"
        yield from _hand(t, at, seat)
        yield from _boxes(t, f"{at}/riverfolk", board)
        yield from _prices(t, f"{at}/riverfolk", board, seat)
        yield from _map(t, seat)


# -- the board ----------------------------------------------------------------------------------------------------


def _hand(t: Table, at: str, seat: str) -> Iterator[Problem]:
    if player(t, seat).hand:
        yield Problem(f"{at}/hand", say("the hand of the Riverfolk lies open on their board"), "ROOT-RIVER-2")


def _boxes(t: Table, at: str, board: Riverfolk) -> Iterator[Problem]:
    """Warriors, and nothing else; on spaces no more than posts have left."""
    boxes = [("payments", board.payments), ("funds", board.funds), ("committed", board.committed)]
    boxes += [(f"spaces/{suit}", bag) for suit, bag in board.spaces.items() if bag]
    for name, bag in boxes:
        for piece in bag:
            if PRINTED.pieces[piece].kind != "warrior":
                message = say("{what} is no warrior", what=piece)
                yield Problem(f"{at}/{name}/{piece}", message, "ROOT-RIVER-3")
    for suit in CLEARING_SUITS:
        if suit not in board.spaces:
            yield Problem(f"{at}/spaces", say("the spaces of this suit are missing: {suit}", suit=suit))
        elif board.spaces[suit] and (n := sum(board.spaces[suit].values())) > (most := placed(t, suit)):
            message = say("{n} warriors on {most} spaces", n=n, most=most)
            yield Problem(f"{at}/spaces/{suit}", message, "ROOT-RIVER-35")


def _to_be_set_up(t: Table, seat: str) -> bool:
    """Whether they have not set up yet: factions, seats or hands are dealt, or others set up, or they are asked."""
    game = t.frames[0] if t.frames else None
    if not isinstance(game, Game):
        return False
    if game.step in ("deal", "seat", "deal-hands") or seat in game.waiting:
        return True
    return t.frame(RiverfolkSetup) is not None


def _prices(t: Table, at: str, board: Riverfolk, seat: str) -> Iterator[Problem]:
    """Before set-up there are none, and no warriors anywhere; later each service has one."""
    if _to_be_set_up(t, seat):
        spaces = any(board.spaces.values())
        if board.prices or board.payments or board.funds or board.committed or spaces:
            yield Problem(at, say("the Riverfolk are still to set up"), "ROOT-SETUP-14")
        if any(bag_in(t, seat, c) for c in t.board.map):
            yield Problem("/table/map", say("the Riverfolk are still to set up"), "ROOT-SETUP-14")
        return
    highest = figures(t).table["highest-price"]
    for service in SERVICES:
        if not 1 <= board.prices.get(service, 0) <= highest:
            message = say(
                "the price of this service is from 1 to {most}: {service}", most=highest, service=service
            )
            yield Problem(f"{at}/prices", message, "ROOT-RIVER-40")


def _map(t: Table, seat: str) -> Iterator[Problem]:
    """Posts stand in clearings of their suit, and were never placed at the keep."""
    for clearing, here in t.board.map.items():
        if ALL_POSTS.isdisjoint(here):
            continue
        for suit, post in POSTS.items():
            if post in here and suit_of_clearing(clearing) != suit:
                message = say("{what} stands in a clearing of its suit", what=post)
                yield Problem(f"/table/map/{clearing}/{post}", message, "ROOT-RIVER-37")
            elif post in here and closed_by(t, seat, clearing) == "ROOT-MARQ-2":
                message = say("{what} was never placed at the keep", what=post)
                yield Problem(f"/table/map/{clearing}/{post}", message, "ROOT-MARQ-2")


# -- services bought this turn ------------------------------------------------------------------------------------


def _services(t: Table, f: Turn, at: str, seat: str | None) -> Iterator[Problem]:
    """By another than the Riverfolk, within his limit, what lasts but once, and paid."""
    where = f"{at}/services"
    if seat in (None, f.seat) or f.step in BEFORE_SERVICES:
        yield Problem(where, say("no service can have been bought"), "ROOT-RIVER-10")
        return
    for service in SERVICES:
        if service != HAND_CARD and f.services.count(service) > 1:
            yield Problem(where, say("bought twice: {service}", service=service), "ROOT-RIVER-20")
    if len(f.services) > _most(t, f):
        message = say("{n} services cannot have been bought", n=len(f.services))
        yield Problem(where, message, "ROOT-RIVER-11")
    yield from _paid(t, f, where, str(seat))


def _most(t: Table, f: Turn) -> int:
    """How many can have been bought: as the map stands now, or, later in the turn, with every post there ever was."""
    posts = sum(placed(t, suit) for suit in POSTS)
    return most_services(t, f.seat) if f.step in AT_SERVICES else 1 + posts


def _paid(t: Table, f: Turn, where: str, seat: str) -> Iterator[Problem]:
    """What was paid this turn still lies in the Payments box; who pays with items hires nobody."""
    warrior, board = warrior_of(t, f.seat), player(t, seat).riverfolk
    if warrior is None and MERCENARIES in f.services:
        yield Problem(where, say("who has no warriors hires no mercenaries"), "ROOT-RIVER-17")
    if board is None:
        return
    due, held = sum(price(t, service) for service in f.services), board.payments.get(warrior or WARRIOR, 0)
    if warrior is None:
        yield from _paid_with_items(t, f, where, due)
    # of their own they put in as many as they have; while services are bought none come to their supply
    short = warrior is not None or (f.step in AT_SERVICES and WARRIOR in player(t, seat).supply)
    if held < due and short:
        message = say(
            "{due} warriors were paid this turn, {held} lie in the Payments box", due=due, held=held
        )
        yield Problem(where, message, "ROOT-RIVER-13" if warrior is None else "ROOT-RIVER-12")


def _paid_with_items(t: Table, f: Turn, where: str, due: int) -> Iterator[Problem]:
    """As long as services are bought nothing is refreshed: what was exhausted for them lies face down."""
    held = first_answer(t, "exhausted", f.seat, default=0)
    if f.step in AT_SERVICES and held < due:
        message = say("{due} items were exhausted for services, {held} lie face down", due=due, held=held)
        yield Problem(where, message, "ROOT-RIVER-13")


# -- frames -------------------------------------------------------------------------------------------------------


def _gathered(t: Table, f: Any, at: str, seat: str) -> Iterator[Problem]:
    """After their Birdsong only exports lie in the Payments box, until others pay again."""
    board = player(t, seat).riverfolk
    if board is not None and any(piece != WARRIOR for piece in board.payments):
        message = say("in their own turn the Riverfolk have gathered all payments")
        yield Problem(f"/table/seats/{seat}/riverfolk/payments", message, "ROOT-RIVER-32")


def _for_a_fund(t: Table, f: RiverfolkDaylight, draw: Draw) -> Due:
    """A card for a fund."""
    return Due("ROOT-RIVER-33", (f.seat,))


def _committed(t: Table, f: Any, at: str, seat: str) -> Iterator[Problem]:
    """For a battle or a draw of their Daylight a fund lies in the Committed box."""
    committing = isinstance(f, Battle) or f.because == "ROOT-RIVER-33"
    if committing and isinstance(t.below(f), RiverfolkDaylight) and not riverfolk(t, seat).committed:
        message = say("no fund has been committed")
        yield Problem(f"/table/seats/{seat}/riverfolk/committed", message, "ROOT-RIVER-33")


draws_due = Dues({RiverfolkDaylight: _for_a_fund})


def _disruption(t: Table, f: TradeDisruption, at: str, seat: str) -> Iterator[Problem]:
    """It befalls the Riverfolk, whose post was removed from this clearing, and costs half of the funds."""
    cause, post = t.below(f), POSTS[suit_of_clearing(f.clearing)]
    gone = lost(t, cause, post).get(f.clearing, 0) if isinstance(cause, Removal) else 0
    held = funds(t, seat)
    asked = f.step == "funds"
    half = (sum(held.values()) + 1) // 2
    if f.seat != seat:
        message = say("{seat} does not play {faction}", seat=f.seat, faction=RIVERFOLK)
        yield Problem(f"{at}/seat", message, "ROOT-RIVER-6")
    elif not gone or post in t.board.map[f.clearing] or not t.board.box.get(post):
        yield Problem(f"{at}/clearing", say("{what} was not removed", what=post), "ROOT-RIVER-6")
    elif sum(isinstance(g, TradeDisruption) and g.clearing == f.clearing for g in t.frames) > 1:
        message = say("trade is disrupted once for a post")
        yield Problem(f"{at}/clearing", message, "ROOT-RIVER-6")
    elif f.due != (half if asked else 0):
        yield Problem(f"{at}/due", say("{n} funds are to go", n=half if asked else 0), "ROOT-RIVER-6")
    elif asked and (len(held) < 2 or half == sum(held.values())):
        yield Problem(at, say("there is no choice of funds"), "ROOT-TURN-7")


CHECKS: Mapping[type[Frame], Check] = {
    RiverfolkDaylight: _gathered,
    RiverfolkEvening: _gathered,
    Battle: _committed,
    Draw: _committed,
    TradeDisruption: _disruption,
}


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the checks."""
    rules.check(riverfolk_problems)
