"""Reasons why the board and the unfinished business of the Woodland Alliance cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from service.engine.frames import Frame
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.alliance import (
    ALLIANCE,
    BASES,
    SYMPATHY,
    WARRIOR,
    AllianceSetup,
    is_sympathetic,
    officers,
    stack_size,
    supporters,
    sympathetic,
)
from service.games.root.v1.alliance_evening import AllianceEvening, Organizing, draws
from service.games.root.v1.alliance_reactions import BaseLoss, Outrage, too_many
from service.games.root.v1.alliance_turn import (
    AllianceBirdsong,
    AllianceDaylight,
    Uprising,
    base_of,
    room_after_revolt,
)
from service.games.root.v1.cards import Draw, has_no_hand
from service.games.root.v1.components import Plugs, everything, player, who_plays
from service.games.root.v1.draw_problems import Due, Dues
from service.games.root.v1.figures import figures, matches, suit_of_clearing
from service.games.root.v1.removal import lost
from service.games.root.v1.setup_problems import before_play, has_just_set_up, is_to_set_up
from service.games.root.v1.state import Alliance, Removal, Turn
from service.games.root.v1.woodland import bag_in, closed_by, on_map, warriors

ALL_BASES = frozenset(BASES.values())
Check = Callable[[Table, Any, str, str], Iterator[Problem]]


def alliance_problems(t: Table) -> Iterator[Problem]:
    """Supporters and officers, what stands on the map, and the frames of the Alliance."""
    seat = who_plays(t, ALLIANCE)
    for i, frame in enumerate(t.frames):
        if (check := CHECKS.get(type(frame))) is None:
            continue
        if seat is not None:
            yield from check(t, frame, f"/stack/{i}", seat)
        elif isinstance(frame, (BaseLoss, Outrage)):
            yield Problem(f"/stack/{i}", say("nobody plays the Alliance"), "ROOT-SETUP-1")
    board = None if seat is None else player(t, seat).alliance
    if seat is not None and board is not None:
        yield from _board(t, f"/table/seats/{seat}/alliance", board, seat)
        yield from _map(t)


# -- the board ----------------------------------------------------------------------------------------------------


def _board(t: Table, at: str, board: Alliance, seat: str) -> Iterator[Problem]:
    for piece in board.officers:
        if piece != WARRIOR:
            yield Problem(
                f"{at}/officers/{piece}", say("officers are warriors of the Alliance"), "ROOT-WA-14"
            )
    if too_many(t, seat) and t.frame(BaseLoss) is None and t.outcome is None:  # the end cuts the loss short
        most = figures(t).table["supporters-without-base"]
        message = say("without a base there are {n} supporters at most", n=most)
        yield Problem(f"{at}/supporters", message, "ROOT-WA-2")
    if before_play(t):
        yield from _before_play(t, at, board, seat)


def _before_play(t: Table, at: str, board: Alliance, seat: str) -> Iterator[Problem]:
    """Nothing until it sets up; then its first supporters, and no officers and nothing on the map."""
    if is_to_set_up(t, seat) and board.supporters:
        yield Problem(at, say("the Alliance is still to set up"), "ROOT-SETUP-11")
    due, n = figures(t).table["supporters-at-setup"], stack_size(t, seat)
    if has_just_set_up(t, seat) and n != due and (n > due or t.board.deck.size):
        yield Problem(f"{at}/supporters", say("the Alliance draws {n} supporters", n=due), "ROOT-SETUP-11")
    if board.officers:
        yield Problem(f"{at}/officers", say("the Alliance begins without officers"), "ROOT-SETUP-11")
    if any(bag_in(t, seat, c) for c in t.board.map):
        message = say("the Alliance begins without pieces on the map")
        yield Problem("/table/map", message, "ROOT-SETUP-11")


def _map(t: Table) -> Iterator[Problem]:
    """Bases stand in clearings of their suit."""
    for clearing, here in t.board.map.items():
        if ALL_BASES.isdisjoint(here):
            continue
        for suit, base in BASES.items():
            if base in here and suit_of_clearing(clearing) != suit:
                message = say("{what} stands in a clearing of its suit", what=base)
                yield Problem(f"/table/map/{clearing}/{base}", message, "ROOT-WA-14")


# -- frames -------------------------------------------------------------------------------------------------------


def _set_up(t: Table, f: AllianceSetup, at: str, seat: str) -> Iterator[Problem]:
    """Drawn and still to be drawn, there are three supporters."""
    drawing = t.frame(Draw)
    due = figures(t).table["supporters-at-setup"]
    if stack_size(t, seat) + (drawing.left if drawing is not None else 0) != due:
        yield Problem(at, say("the Alliance draws {n} supporters", n=due), "ROOT-SETUP-11")


def _birdsong(t: Table, f: AllianceBirdsong, at: str, seat: str) -> Iterator[Problem]:
    """Who has spread sympathy has some on the map, and no revolt in progress."""
    if f.spreading and not sympathetic(t):
        yield Problem(f"{at}/spreading", say("no sympathy was spread"), "ROOT-WA-20")
    elif f.spreading and t.frame(Uprising) is not None:
        yield Problem(f"{at}/spreading", say("revolts come before spreading"), "ROOT-WA-20")


def _uprising(t: Table, f: Uprising, at: str, seat: str) -> Iterator[Problem]:
    """The clearing is one in which a revolt can have begun."""
    can = (
        is_sympathetic(t, f.clearing)
        and not on_map(t, base_of(f.clearing))
        and room_after_revolt(t, seat, f.clearing) > 0
    )
    if not can:
        yield Problem(f"{at}/clearing", say("no revolt can have begun here"), "ROOT-WA-13")


def _evening(t: Table, f: AllianceEvening, at: str, seat: str) -> Iterator[Problem]:
    """No more operations than there can have been officers."""
    if not 0 <= f.most <= figures(t).pieces[WARRIOR].count:
        yield Problem(f"{at}/most", say("{n} officers cannot be", n=f.most), "ROOT-WA-22")
    elif not 0 <= f.left <= f.most:
        message = say("of {n} operations {left} cannot be left", n=f.most, left=f.left)
        yield Problem(f"{at}/left", message, "ROOT-WA-22")
    elif f.step != "count-officers" and f.most < (n := officers(t, seat)):
        message = say("there are {n} officers, and none come in the Evening", n=n)
        yield Problem(f"{at}/most", message, "ROOT-WA-22")
    elif f.step == "count-officers" and f.most:
        yield Problem(f"{at}/most", say("the officers are still to be counted"), "ROOT-WA-22")
    else:
        yield from _operations(t, f, at, seat)


def _operations(t: Table, f: AllianceEvening, at: str, seat: str) -> Iterator[Problem]:
    """What is played was an operation; officers go by bases lost in battle, half of them with each (ROOT-WA-4)."""
    made, now = f.most - f.left, officers(t, seat)
    if f.step == "operate" and f is not t.frames[-1] and not made:
        yield Problem(f"{at}/left", say("an operation is being made"), "ROOT-WA-22")
    elif now not in {f.most >> lost_bases for lost_bases in range(min(made, len(BASES)) + 1)}:
        message = say("{n} operations cannot have been due", n=f.most)
        yield Problem(f"{at}/most", message, "ROOT-WA-22")


def _organizing(t: Table, f: Organizing, at: str, seat: str) -> Iterator[Problem]:
    """A token can come to this clearing."""
    left = player(t, seat).supply.get(SYMPATHY, 0)
    if is_sympathetic(t, f.clearing) or not left or closed_by(t, seat, f.clearing) is not None:
        yield Problem(f"{at}/clearing", say("no sympathy can be organized here"), "ROOT-WA-22")


def _base_loss(t: Table, f: BaseLoss, at: str, seat: str) -> Iterator[Problem]:
    """It befalls the Alliance, whose base was removed and is off the map."""
    cause = t.below(f)
    if f.seat != seat:
        message = say("{seat} does not play {faction}", seat=f.seat, faction=ALLIANCE)
        yield Problem(f"{at}/seat", message, "ROOT-WA-4")
    elif (
        on_map(t, BASES[f.suit])
        or not (isinstance(cause, Removal) and lost(t, cause, BASES[f.suit]))
        or sum(isinstance(g, BaseLoss) and g.suit == f.suit for g in t.frames) > 1
    ):
        message = say("{what} was not removed", what=BASES[f.suit])
        yield Problem(f"{at}/suit", message, "ROOT-WA-4")
    elif f.step == "discard" and (left := next(_lost_with(t, f), None)):
        message = say("{card} has been discarded with the base", card=left)
        yield Problem(f"/table/seats/{seat}/alliance/supporters", message, "ROOT-WA-4")


def _lost_with(t: Table, f: BaseLoss) -> Iterator[str]:
    """The supporters that go with the base."""
    return (card for card in sorted(supporters(t, f.seat)) if matches(card, f.suit))


def _outrage(t: Table, f: Outrage, at: str, seat: str) -> Iterator[Problem]:
    """Another player owes it, who entered a sympathetic clearing, or removed the token."""
    cause = t.below(f)
    removed = isinstance(cause, Removal)
    taken = cause.losses.get(f.seat, {}).get(f.clearing, {}).get(SYMPATHY, 0) if removed else 0
    if f.seat == seat:
        yield Problem(f"{at}/seat", say("the Alliance owes nobody Outrage"), "ROOT-WA-11")
    elif (
        removed != bool(taken)
        or is_sympathetic(t, f.clearing) == removed
        or sum(isinstance(g, Outrage) and g.clearing == f.clearing for g in t.frames) > 1
    ):
        yield Problem(f"{at}/clearing", say("nothing here has caused Outrage"), "ROOT-WA-11")
    elif not removed and not has_entered(t, f.seat, f.clearing):
        message = say("{seat} has moved no warriors to {clearing}", seat=f.seat, clearing=f.clearing)
        yield Problem(f"{at}/clearing", message, "ROOT-WA-11")
    elif isinstance(cause, Turn) and "cobbler" not in cause.used:
        yield Problem(
            f"/stack/{t.index(cause)}/used", say("{card} must have been used", card="cobbler"), "ROOT-FX-9"
        )


def has_entered(t: Table, seat: str, clearing: str) -> bool:
    """Whether the turn player can have moved warriors there: his own, or those of an ally with a pawn beside."""
    turn: Turn | None = t.frame(Turn)
    if turn is not None and turn.seat != seat:
        return False
    return warriors(t, seat, clearing) > 0 or any(everything(t, "has-brought", seat, clearing))


def crafting_lasts(t: Table, seat: str) -> bool | None:
    """In its Daylight nothing takes or places sympathy (ROOT-WA-21)."""
    return True if t.frame(AllianceDaylight) is not None else None


def _first_supporters(t: Table, f: AllianceSetup, draw: Draw) -> Due:
    return Due("ROOT-SETUP-11", (f.seat,), figures(t).table["supporters-at-setup"], "supporters")


def _for_outrage(t: Table, f: Outrage, draw: Draw) -> Due:
    because = "ROOT-WA-12" if has_no_hand(t, f.seat) else "ROOT-WA-10"
    return Due(because, (str(who_plays(t, ALLIANCE)),), 1, "supporters")


def _drawn_in_the_evening(t: Table, f: AllianceEvening, draw: Draw) -> Due:
    return Due("ROOT-WA-24", (f.seat,), draws(t))


draws_due = Dues(
    {AllianceSetup: _first_supporters, Outrage: _for_outrage, AllianceEvening: _drawn_in_the_evening}
)

CHECKS: Mapping[type[Frame], Check] = {
    AllianceSetup: _set_up,
    AllianceBirdsong: _birdsong,
    Uprising: _uprising,
    AllianceEvening: _evening,
    Organizing: _organizing,
    BaseLoss: _base_loss,
    Outrage: _outrage,
}


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the checks."""
    rules.check(alliance_problems)
