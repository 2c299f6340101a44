"""Reasons why the board and the unfinished business of the Eyrie cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from service.engine.frames import WAITING, Frame
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.alliance_reactions import Outrage
from service.games.root.v1.cards import Draw, hand_size
from service.games.root.v1.components import Plugs, first_answer, player, who_plays
from service.games.root.v1.decree import EyrieDaylight
from service.games.root.v1.draw_problems import Due, Dues
from service.games.root.v1.eyrie import (
    EYRIE,
    WARRIOR,
    EyrieBirdsong,
    EyrieEvening,
    EyrieSetup,
    corner_is_given,
    places_for_a_roost,
)
from service.games.root.v1.figures import BIRD, COLUMNS, CORNERS, LEADERS, SUITS, VIZIER, figures, suit_of
from service.games.root.v1.setup_problems import before_play, has_just_set_up
from service.games.root.v1.state import Battle, Eyrie, Turn
from service.games.root.v1.turmoil import Turmoil
from service.games.root.v1.woodland import bag_in, cards_uncovered, on_map

COMES_OF: Mapping[type[Frame], str] = {Battle: "battle", Outrage: "move"}
LOOKED_AT = (Draw, EyrieBirdsong, EyrieSetup, EyrieDaylight)


def eyrie_problems(t: Table) -> Iterator[Problem]:
    """The leader, the viziers, and what is left to resolve."""
    seat = who_plays(t, EYRIE)
    board = None if seat is None else player(t, seat).eyrie
    if seat is None or board is None:
        return
    at = f"/table/seats/{seat}/eyrie"
    yield from _leader(t, at, board, seat)
    yield from _decree(t, at, board)
    if before_play(t):
        yield from _before_play(t, at, board, seat)
    for i, frame in enumerate(t.frames):
        if type(frame) not in LOOKED_AT:
            continue
        if isinstance(frame, Draw) and frame.because == "ROOT-EYRIE-3" and hand_size(t, seat):
            message = say("with cards in hand the Eyrie draw none")
            yield Problem(f"/stack/{i}", message, "ROOT-EYRIE-3")
        elif isinstance(frame, EyrieBirdsong):
            yield from _added(t, frame, board, f"/stack/{i}")
            yield from _new_roost(t, frame, f"/stack/{i}")
        elif isinstance(frame, EyrieSetup) and (frame.step == "corner") == (corner_is_given(t) is not None):
            yield Problem(
                f"/stack/{i}/step", say("the corner follows from the keep, if there is one"), "ROOT-SETUP-10"
            )
        elif isinstance(frame, EyrieDaylight):
            yield from _resolving(t, frame, board, f"/stack/{i}")


def _leader(t: Table, at: str, board: Eyrie, seat: str) -> Iterator[Problem]:
    if board.leader is None:
        if t.outcome is not None or t.frame(Turn) is not None:
            yield Problem(f"{at}/leader", say("the Eyrie have no leader"), "ROOT-SETUP-10")
    elif board.leader in board.deposed and t.frame(Turmoil) is None:
        message = say("{leader} lies face down", leader=board.leader)
        yield Problem(f"{at}/leader", message, "ROOT-EYRIE-18")
    elif t.frame(EyrieSetup) is not None:
        yield Problem(f"{at}/leader", say("the first leader is still to be chosen"), "ROOT-SETUP-10")
    if len(board.deposed) >= len(LEADERS):
        yield Problem(f"{at}/deposed", say("one leader at least is face up"), "ROOT-EYRIE-18")


def _decree(t: Table, at: str, board: Eyrie) -> Iterator[Problem]:
    """Four columns; a vizier in each that the leader names, and cards only once play has begun."""
    for column in COLUMNS:
        if column not in board.decree:
            message = say("the Decree has a column {column}", column=column)
            yield Problem(f"{at}/decree", message, "ROOT-EYRIE-7")
            continue
        due = 0 if board.leader is None else figures(t).leaders[board.leader].viziers.count(column)
        here = board.decree[column].get(VIZIER, 0)
        if here != due:
            message = say("{n} viziers in this column; the leader puts {due} there", n=here, due=due)
            yield Problem(f"{at}/decree/{column}", message, "ROOT-EYRIE-2")


def _before_play(t: Table, at: str, board: Eyrie, seat: str) -> Iterator[Problem]:
    """No leader has fallen, no card has come to the Decree; a roost and its warriors stand in the corner."""
    if board.deposed:
        yield Problem(f"{at}/deposed", say("nobody is deposed before play begins"), "ROOT-SETUP-10")
    for column, cards in board.decree.items():
        if set(cards) - {VIZIER}:
            message = say("no card comes to the Decree before play begins")
            yield Problem(f"{at}/decree/{column}", message, "ROOT-SETUP-10")
    there = {clearing: bag for clearing in t.board.map if (bag := bag_in(t, seat, clearing))}
    if has_just_set_up(t, seat):
        yield from _garrison(t, there)
    elif t.frame(EyrieSetup) is not None:
        for clearing, bag in there.items():
            message = say("the Eyrie are still to set up")
            yield Problem(f"/table/map/{clearing}/{min(bag)}", message, "ROOT-SETUP-10")


def _garrison(t: Table, there: Mapping[str, Mapping[str, int]]) -> Iterator[Problem]:
    """Opposite the keep, or, without one, in any corner."""
    n, given = figures(t).table["eyrie-warriors"], corner_is_given(t)
    due = {"roost": 1, WARRIOR: n} if n else {"roost": 1}
    fine = list(there.values()) == [due] and next(iter(there)) in (CORNERS if given is None else [given])
    if not fine:
        message = say("the Eyrie begin with a roost and {n} warriors in their corner", n=n)
        yield Problem("/table/map", message, "ROOT-SETUP-10")


def _added(t: Table, f: EyrieBirdsong, board: Eyrie, at: str) -> Iterator[Problem]:
    """No more cards than may be added, at most one of them a bird; they lie in the Decree, where nothing leaves it."""
    fine = (
        len(f.added) <= figures(t).table["decree-cards-a-turn"]
        and f.added.count(BIRD) <= 1
        and set(f.added) <= set(SUITS)
    )
    if not fine:
        yield Problem(f"{at}/added", say("these cards cannot have been added in one turn"), "ROOT-EYRIE-4")
        return
    for suit in sorted(set(f.added)):
        if f.added.count(suit) > _lying(board, suit):
            message = say("no such card lies in the Decree: {suit}", suit=suit)
            yield Problem(f"{at}/added", message, "ROOT-EYRIE-4")


def _lying(board: Eyrie, suit: str) -> int:
    """How many cards of a suit lie in the Decree, viziers apart."""
    columns = board.decree.values()
    return sum(n for bag in columns for card, n in bag.items() if card != VIZIER and suit_of(card) == suit)


def _new_roost(t: Table, f: EyrieBirdsong, at: str) -> Iterator[Problem]:
    """They choose a place for a roost only where they have none on the map, and several are tied."""
    if f.step == "roost" and (on_map(t, "roost") or len(places_for_a_roost(t, f)) < 2):
        yield Problem(f"{at}/step", say("no place for a roost is to be chosen"), "ROOT-EYRIE-5")


def _resolving(t: Table, f: EyrieDaylight, board: Eyrie, at: str) -> Iterator[Problem]:
    """What is left is in the column that is being resolved, or, after turmoil, with the discarded cards."""
    resolving = f.step not in ("craft", "end-daylight")
    if resolving != (f.column is not None):
        yield Problem(f"{at}/column", say("no such column is being resolved now"), "ROOT-EYRIE-7")
        return
    here: dict[str, Any] = {} if f.column is None else board.decree.get(f.column, {})
    fallen = t.frame(Turmoil) is not None
    for card, n in f.left.items():
        if fallen and card != VIZIER:
            if n > t.at(*first_answer(t, "discard-to", card)).get(card, 0):
                message = say("{card} has not been discarded", card=card)
                yield Problem(f"{at}/left/{card}", message, "ROOT-EYRIE-17")
        elif n > here.get(card, 0):
            message = say("{card} does not lie in this column", card=card)
            yield Problem(f"{at}/left/{card}", message, "ROOT-EYRIE-17" if fallen else "ROOT-EYRIE-7")
    if f.failed and not fallen:
        yield Problem(f"{at}/failed", say("turmoil would follow at once"), "ROOT-EYRIE-13")
    yield from _brought_about(t, f, here, at)


def _brought_about(t: Table, f: EyrieDaylight, here: Mapping[str, int], at: str) -> Iterator[Problem]:
    """A battle, and Outrage for entering, come of a card of their own column, which is resolved by then."""
    above = next((g for g in t.frames[t.index(f) + 1 :] if g.step != WAITING), None)
    column = COMES_OF.get(type(above)) if above is not None else None
    if column is None:
        return
    if f.column != column:
        message = say("this comes of a card of the column {column}", column=column)
        yield Problem(f"{at}/column", message, "ROOT-EYRIE-7")
    elif sum(f.left.values()) >= sum(here.values()):
        yield Problem(f"{at}/left", say("no card of this column has been resolved"), "ROOT-EYRIE-7")


def crafting_lasts(t: Table, seat: str) -> bool | None:
    """Before the Decree is resolved no roost can have gone or come (ROOT-EYRIE-6)."""
    f: EyrieDaylight | None = t.frame(EyrieDaylight)
    return True if f is not None and f.step == "craft" else None


# -- draws --------------------------------------------------------------------------------------------------------


def _emergency(t: Table, f: EyrieBirdsong, draw: Draw) -> Due:
    return Due("ROOT-EYRIE-3", (f.seat,))


def _evening(t: Table, f: EyrieEvening, draw: Draw) -> Due:
    return Due("ROOT-EYRIE-21", (f.seat,), 1 + cards_uncovered(t, "roost"))


draws_due = Dues({EyrieBirdsong: _emergency, EyrieEvening: _evening})


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the checks."""
    rules.check(eyrie_problems)
