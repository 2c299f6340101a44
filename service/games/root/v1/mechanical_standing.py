"""Chapter 19, what the Mechanical Marquise is to the others (ROOT-BOT-2 to ROOT-BOT-7, ROOT-X-17, ROOT-X-18).

It has no hand: who takes a card from it draws one, and a card that comes to it is discarded for a point. All of it goes
in at named points, so that neither a card nor a faction knows of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.cards import Draw, discard_from
from service.games.root.v1.components import Plugs, everything, player
from service.games.root.v1.draw_problems import Due
from service.games.root.v1.figures import figures
from service.games.root.v1.marquise import WARRIOR
from service.games.root.v1.mechanical import is_mechanical, who_is_mechanical
from service.games.root.v1.victory import score
from service.games.root.v1.woodland import on_map

# What takes a card or gives one, and the clause by which that meets the Mechanical Marquise; all else is its own.
TAKING = {"ROOT-FX-6": "ROOT-X-17"}
GIVING = {"ROOT-VAG-27": "ROOT-VAG-28", "ROOT-FX-8": "ROOT-X-18"}


# -- cards that are taken from it (ROOT-BOT-2) --------------------------------------------------------------------


def taken_from_the_deck(t: Table, because: str, seat: str, source: str) -> Draw | None:
    """Who should take a card from its hand draws one from the deck instead."""
    if not is_mechanical(t, source):
        return None
    return Draw(seat=seat, left=1, because=TAKING.get(because, "ROOT-BOT-2"))


def draws_due(t: Table, cause: Any, draw: Any) -> list[Due]:
    """Where a random card of a hand may be due, so may this draw; never where it does not play."""
    plays = who_is_mechanical(t) is not None
    return [
        Due(TAKING.get(due.because, "ROOT-BOT-2"), due.seats if plays else (), card=due.card)
        for due in everything(t, "random-card-due", cause, draw)
    ]


# -- cards that are given to it (ROOT-BOT-3) ----------------------------------------------------------------------


def discarded_for_a_point(
    t: Table, because: str, card: str, source: tuple[str, ...], seat: str
) -> str | None:
    """A card that should come to it is discarded, and it scores a point."""
    if not is_mechanical(t, seat):
        return None
    clause = GIVING.get(because, "ROOT-BOT-3")
    discard_from(t, clause, card, *source)
    score(t, "ROOT-BOT-3", seat, figures(t).table["gift-points"])
    return clause


# -- services (ROOT-RIVER-21) -------------------------------------------------------------------------------------


def buys_nothing(t: Table, seat: str) -> tuple[str, ...] | None:
    """It never buys, and nobody buys for it."""
    return ("ROOT-RIVER-21",) if is_mechanical(t, seat) else None


# -- problems -----------------------------------------------------------------------------------------------------


def robbed(t: Table) -> Iterator[Problem]:
    """It has scored for a card that Stand and Deliver! takes from the deck in its stead (ROOT-X-17)."""
    seat = who_is_mechanical(t)
    if seat is None or player(t, seat).score:
        return
    for i, f in enumerate(t.frames):
        if isinstance(f, Draw) and f.because == "ROOT-X-17":
            message = say("{seat} has not scored for the card", seat=seat)
            yield Problem(f"/stack/{i}/because", message, "ROOT-X-17")


def paid(t: Table) -> Iterator[Problem]:
    """Its warriors pay for nothing and serve nobody: they are on the map or in its supply (ROOT-RIVER-21)."""
    seat, count = who_is_mechanical(t), figures(t).pieces[WARRIOR].count
    n = 0 if seat is None else player(t, seat).supply.get(WARRIOR, 0) + on_map(t, WARRIOR)
    if seat is not None and n != count:
        message = say("{n} of its warriors are on the map or in its supply; it has {count}", n=n, count=count)
        yield Problem(f"/table/seats/{seat}/supply", message, "ROOT-RIVER-21")


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the search."""
    rules.check(robbed)
    rules.check(paid)
