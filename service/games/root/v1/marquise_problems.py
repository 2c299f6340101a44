"""Reasons why the unfinished business of the Marquise cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs, player
from service.games.root.v1.figures import BIRD, figures
from service.games.root.v1.marquise import (
    MARQUISE,
    WARRIOR,
    FieldHospitals,
    MarquiseDaylight,
    MarquiseSetup,
    in_supply,
    keep_clearing,
)
from service.games.root.v1.removal import lost
from service.games.root.v1.state import Removal
from service.games.root.v1.woodland import bag_in


def marquise_problems(t: Table) -> Iterator[Problem]:
    """Actions left, hospitals that are due, a set-up on an empty map."""
    for i, frame in enumerate(t.frames):
        at = f"/stack/{i}"
        if isinstance(frame, MarquiseDaylight):
            yield from _actions(t, frame, at)
        elif isinstance(frame, FieldHospitals):
            yield from _hospitals(t, frame, at)
        elif isinstance(frame, MarquiseSetup) and any(bag_in(t, frame.seat, c) for c in t.board.map):
            yield Problem("/table/map", say("the Marquise is still to set up"), "ROOT-SETUP-9")


def birds(t: Table) -> int:
    """How many bird cards could ever be spent in one turn."""
    return sum(card.count for card in figures(t).cards.values() if card.suit == BIRD)


def _actions(t: Table, f: MarquiseDaylight, at: str) -> Iterator[Problem]:
    at_first = 0 if f.step == "count-actions" else figures(t).table["marquise-actions"]
    if not 0 <= f.left <= at_first + birds(t):
        yield Problem(f"{at}/left", say("she cannot have {n} actions", n=f.left), "ROOT-MARQ-12")
    elif not f.acting and f.left != at_first:
        message = say("before her first action she has {n}", n=at_first)
        yield Problem(f"{at}/left", message, "ROOT-MARQ-12")
    if f.recruited and not f.acting:
        yield Problem(f"{at}/recruited", say("she has not acted yet"), "ROOT-MARQ-15")


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


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the checks."""
    rules.check(marquise_problems)
