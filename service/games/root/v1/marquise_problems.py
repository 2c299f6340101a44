"""Reasons why the unfinished business of the Marquise cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from service.engine.frames import Frame
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.cards import Draw
from service.games.root.v1.components import Plugs, deck_cards, player, who_plays
from service.games.root.v1.draw_problems import Due, Dues
from service.games.root.v1.figures import BIRD, CLEARINGS, CORNERS, PRINTED, figures, suit_of
from service.games.root.v1.marquise import (
    BUILDINGS,
    KEEP,
    MARQUISE,
    WARRIOR,
    FieldHospitals,
    MarquiseDaylight,
    MarquiseSetup,
    in_supply,
    keep_clearing,
    near_the_keep,
)
from service.games.root.v1.marquise_turn import March, MarquiseEvening, Recruiting
from service.games.root.v1.removal import lost
from service.games.root.v1.setup_problems import before_play, has_just_set_up
from service.games.root.v1.state import Battle, Removal
from service.games.root.v1.woodland import bag_in, cards_uncovered, count_in, on_map, where

HERS = (MarquiseDaylight, FieldHospitals, MarquiseSetup)


def marquise_problems(t: Table) -> Iterator[Problem]:
    """Actions left, hospitals that are due, a set-up on an empty map, and what it has placed."""
    seat = who_plays(t, MARQUISE)
    if seat is None:
        return
    yield from keep_problems(t, seat)
    if has_just_set_up(t, seat):
        yield from _set_up(t, seat)
    for i, frame in enumerate(t.frames):
        if type(frame) not in HERS:
            continue
        at = f"/stack/{i}"
        if isinstance(frame, MarquiseDaylight):
            yield from _actions(t, frame, at, t.frames[i + 1 :])
        elif isinstance(frame, FieldHospitals):
            yield from _hospitals(t, frame, at)
        elif isinstance(frame, MarquiseSetup) and any(bag_in(t, frame.seat, c) for c in t.board.map):
            yield Problem("/table/map", say("the Marquise is still to set up"), "ROOT-SETUP-9")


def keep_problems(t: Table, seat: str) -> Iterator[Problem]:
    """In a corner, or gone; what does not move came there only if it is hers (ROOT-MARQ-2)."""
    if KEEP in player(t, seat).supply and not before_play(t):
        yield Problem(
            f"/table/seats/{seat}/supply/{KEEP}", say("a removed keep has left the game"), "ROOT-COMP-4"
        )
    for clearing in where(t, KEEP):
        if clearing not in CORNERS:
            yield Problem(f"/table/map/{clearing}/{KEEP}", say("the keep stands in a corner"), "ROOT-SETUP-9")
        for piece in t.board.map[clearing]:
            printed = PRINTED.pieces[piece]
            if printed.faction != MARQUISE and printed.kind != "warrior":
                message = say("{what} was never placed at the keep", what=piece)
                yield Problem(f"/table/map/{clearing}/{piece}", message, "ROOT-MARQ-2")


def _set_up(t: Table, seat: str) -> Iterator[Problem]:
    """The keep, one building of each kind in its clearing or next to it, a warrior in all but the opposite corner."""
    keep, at = keep_clearing(t), "/table/map"
    if keep is None:
        yield Problem(at, say("the keep is placed at set-up"), "ROOT-SETUP-9")
        return
    for building in BUILDINGS:
        stands = where(t, building)
        if sum(stands.values()) != 1:
            yield Problem(at, say("one {what} is placed at set-up", what=building), "ROOT-SETUP-9")
        for clearing in stands:
            if clearing not in near_the_keep(t, seat, keep):
                message = say("{what} is placed in the keep's clearing or next to it", what=building)
                yield Problem(f"{at}/{clearing}/{building}", message, "ROOT-SETUP-9")
    if on_map(t, "wood"):
        yield Problem(at, say("there is no wood before her first Birdsong"), "ROOT-SETUP-9")
    for clearing in CLEARINGS:
        due = int(clearing != PRINTED.clearings[keep].opposite)
        if count_in(t, seat, clearing, "warrior") != due:
            message = say("set-up places this many warriors here: {n}", n=due)
            yield Problem(f"{at}/{clearing}", message, "ROOT-SETUP-9")


def birds(t: Table, seat: str) -> int:
    """How many bird cards she can have spent this turn: those that nobody else holds or has crafted."""
    printed = sum(n for card, n in deck_cards(figures(t), len(t.seats)).items() if suit_of(card) == BIRD)
    for other, p in t.board.seats.items():
        held = {} if other == seat else p.hand
        printed -= sum(n for card, n in held.items() if suit_of(card) == BIRD)
        printed -= sum(suit_of(card) == BIRD for card in p.crafted)
    return printed


def _actions(t: Table, f: MarquiseDaylight, at: str, above: Sequence[Frame]) -> Iterator[Problem]:
    """Actions left: those she begins with and one a bird, less those taken (ROOT-MARQ-12)."""
    at_first = 0 if f.step == "count-actions" else figures(t).table["marquise-actions"]
    in_action = any(isinstance(g, March | Recruiting | Battle) for g in above)
    yield from _flags(f, at, above, in_action)
    spent = f.left - at_first + (f.recruited or in_action)  # so many birds at least
    if f.left < 0 or (spent > 0 and spent > birds(t, f.seat)):
        yield Problem(f"{at}/left", say("she cannot have {n} actions", n=f.left), "ROOT-MARQ-12")
    elif not f.acting and f.left != at_first:
        message = say("before her first action she has {n}", n=at_first)
        yield Problem(f"{at}/left", message, "ROOT-MARQ-12")


def _flags(f: MarquiseDaylight, at: str, above: Sequence[Frame], in_action: bool) -> Iterator[Problem]:
    """Who acts has begun to act, and who places recruits has recruited."""
    if in_action and not f.acting:
        yield Problem(f"{at}/acting", say("she is in the middle of an action"), "ROOT-MARQ-11")
    if f.acting and f.step == "count-actions":
        yield Problem(f"{at}/acting", say("she has not acted yet"), "ROOT-MARQ-12")
    if f.recruited and not f.acting:
        yield Problem(f"{at}/recruited", say("she has not acted yet"), "ROOT-MARQ-15")
    if not f.recruited and any(isinstance(g, Recruiting) for g in above):
        yield Problem(f"{at}/recruited", say("she is recruiting"), "ROOT-MARQ-15")


def crafting_lasts(t: Table, seat: str) -> bool | None:
    """Before her first action no workshop can have gone or come (ROOT-MARQ-11)."""
    f: MarquiseDaylight | None = t.frame(MarquiseDaylight)
    return True if f is not None and not f.acting else None


def _hospitals(t: Table, f: FieldHospitals, at: str) -> Iterator[Problem]:
    if player(t, f.seat).faction != MARQUISE:
        message = say("{seat} does not play {faction}", seat=f.seat, faction=MARQUISE)
        yield Problem(f"{at}/seat", message, "ROOT-MARQ-5")
    elif keep_clearing(t) is None:
        yield Problem(at, say("without the keep there are no hospitals"), "ROOT-MARQ-4")
    elif (gone := _removed(t, f)) != f.warriors or f.warriors > in_supply(t, f.seat, WARRIOR):
        message = say("removed from {clearing}: {n}", clearing=f.clearing, n=gone)
        yield Problem(f"{at}/warriors", message, "ROOT-MARQ-5")


def _removed(t: Table, f: FieldHospitals) -> int:
    """How many warriors the removal that brought the hospitals about has taken there."""
    removal: Removal | None = t.frame(Removal)
    return 0 if removal is None else lost(t, removal, WARRIOR).get(f.clearing, 0)


def _evening(t: Table, f: MarquiseEvening, draw: Draw) -> Due:
    return Due("ROOT-MARQ-20", (f.seat,), 1 + cards_uncovered(t, "recruiter"))


draws_due = Dues({MarquiseEvening: _evening})


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the checks."""
    rules.check(marquise_problems)
