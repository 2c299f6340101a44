"""Chapter 16, how the pawn goes about: slip, move, and with allied warriors (ROOT-VAG-11, ROOT-VAG-21 to -24)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import NEXT, Control
from service.engine.domain import Amount, AtLeast, AtMost, Pick, Statement
from service.engine.options import legal_acts
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.components import first_answer
from service.games.root.v1.effects import crafted, has, use
from service.games.root.v1.figures import CLEARINGS, FORESTS, PRINTED
from service.games.root.v1.movement import may_move_between, move
from service.games.root.v1.turn import prompt
from service.games.root.v1.vagabond import ALLIED, is_hostile_ground, pawn_is_there, pawn_of, reach, relation
from service.games.root.v1.vagabond_items import (
    READY,
    count_kind,
    exhaust,
    has_ready,
    is_vagabond,
)
from service.games.root.v1.woodland import neighbours, warriors

PLACES = (*CLEARINGS, *FORESTS)


def go(t: Table, because: str, seat: str, to: str) -> None:
    """The pawn goes; a pawn alone brings nothing about (ROOT-WA-11)."""
    t.set(because, to, "seats", seat, "vagabond", "pawn")


class Slip(Action, kind="slip"):
    """A free move to an adjacent clearing or forest, even among enemies (ROOT-VAG-11)."""

    to = Pick("ROOT-VAG-11", PLACES)

    @requires("ROOT-VAG-11", "to")
    def is_adjacent(t: Table, act: Any) -> Any:
        """Adjacent to where the pawn stands."""
        return act.to in reach(t, act.actor) or no(origin=pawn_of(t, act.actor), to=act.to)

    @requires("ROOT-MOVE-7", "to")
    def is_open(t: Table, act: Any) -> Any:
        """Nothing bars the destination."""
        return is_open(t, act)

    def resolve(self, t: Table) -> Control:
        """Once: it ends the window."""
        go(t, "ROOT-VAG-11", self.actor, self.to)
        return NEXT


def is_open(t: Table, act: Any) -> Any:
    """No rule bars the destination."""
    barred = act.to in PRINTED.clearings and first_answer(t, "may-not-enter", act.actor, act.to) is not None
    return not barred or no(to=act.to)


class PawnMove(Action):
    """The pawn to an adjacent clearing; each kind of move is a subclass. `boots`: how many it takes."""

    because = "ROOT-VAG-21"
    boots = 1
    to = Pick("ROOT-VAG-21", PLACES)

    @requires("ROOT-VAG-21", "to")
    def is_a_clearing(t: Table, act: Any) -> Any:
        """Forests are entered by slipping alone."""
        return act.to in PRINTED.clearings or no(forest=act.to)

    @requires("ROOT-VAG-21", "to")
    def is_adjacent(t: Table, act: Any) -> Any:
        """Adjacent to where the pawn stands."""
        return act.to in reach(t, act.actor) or no(origin=pawn_of(t, act.actor), to=act.to)

    @requires("ROOT-MOVE-7", "to")
    def is_open(t: Table, act: Any) -> Any:
        """Nothing bars the destination."""
        return is_open(t, act)

    @requires("ROOT-VAG-22", "to", "is_a_clearing")
    def has_boots_for_enemies(t: Table, act: Any) -> Any:
        """One more where a warrior of a Hostile faction stands."""
        ready, n = count_kind(t, act.actor, "boots", *READY), price(t, act)
        return n == act.boots or ready >= n or no(to=act.to, ready=ready, n=n)

    def resolve(self, t: Table) -> Control:
        """Boots, then the way."""
        exhaust(t, self.because, self.actor, "boots", price(t, self))
        go(t, self.because, self.actor, self.to)
        return None


def price(t: Table, act: Any) -> int:
    """How many boots a move takes (ROOT-VAG-21, ROOT-VAG-22)."""
    return int(act.boots) + is_hostile_ground(t, act.actor, act.to)


class VagabondMove(PawnMove, kind="move"):
    """A boot for a move (ROOT-VAG-21)."""

    has_boots = has_ready("boots")


class MoveWithAlly(PawnMove, kind="move-with-ally"):
    """The same, with warriors of an Allied faction (ROOT-VAG-23)."""

    ally = Pick("ROOT-VAG-23", lambda t, actor: t.seats)
    warriors = Amount(
        "ROOT-VAG-23", lambda t, act: allies_there(t, act), limit_rules=("ROOT-VAG-23",), most=30
    ).given("ally", "has_warriors_there")
    has_boots = has_ready("boots")

    @requires("ROOT-VAG-23", "ally")
    def is_allied(t: Table, act: Any) -> Any:
        """The faction is Allied."""
        return is_ally(t, act.actor, act.ally) or no(player=act.ally)

    @requires("ROOT-VAG-23", "ally", "is_allied")
    def has_warriors_there(t: Table, act: Any) -> Any:
        """They stand where the pawn does."""
        return followers(t, act) > 0 or no(player=act.ally, clearing=pawn_of(t, act.actor))

    @requires("ROOT-VAG-23", "ally", "has_warriors_there", "to", "is_a_clearing")
    def they_may_go(t: Table, act: Any) -> Any:
        """By their own rules of movement: they know the way, and rule an end of it."""
        here = pawn_of(t, act.actor)
        way = act.to in neighbours(t, act.ally, here) and may_move_between(t, act.ally, here, act.to)
        return way or no(player=act.ally, origin=here, to=act.to)

    def resolve(self, t: Table) -> Control:
        """Both go; Outrage is the Vagabond's (ROOT-VAG-24)."""
        origin = pawn_of(t, self.actor)
        super().resolve(t)
        return move(t, "ROOT-VAG-23", self.actor, origin, self.to, self.warriors, of=self.ally)


def is_ally(t: Table, seat: str, other: str) -> bool:
    """Whether another player's faction is Allied to a Vagabond."""
    return other != seat and relation(t, seat, other) == ALLIED


def comes_with_allies(t: Table, seat: str, clearing: str) -> bool:
    """Whether a Vagabond stands in a clearing with warriors of an Allied faction, whom he can have brought there."""
    return pawn_is_there(t, seat, clearing) and any(
        is_ally(t, seat, s) and warriors(t, s, clearing) for s in t.seats
    )


def followers(t: Table, act: Any) -> int:
    """The ally's warriors where the pawn stands; none in a forest (ROOT-MAP-6)."""
    here = pawn_of(t, act.actor)
    return warriors(t, act.ally, here) if here in PRINTED.clearings else 0


def allies_there(t: Table, act: Any) -> Iterable[Statement]:
    """One or more, and no more than stand there."""
    n = followers(t, act)
    return [AtLeast("ROOT-VAG-23", 1, facts={"least": 1}), AtMost("ROOT-VAG-23", n, facts={"held": n})]


# -- Cobbler (ROOT-FX-9, ROOT-FX-16) ------------------------------------------------------------------------------


class PawnCobbler(PawnMove, kind="cobbler"):
    """A move at the start of Evening without a boot, save the one among enemies (ROOT-R-FX-3)."""

    because = "ROOT-FX-9"
    boots = 0
    is_crafted = crafted("cobbler", "ROOT-FX-9")

    def resolve(self, t: Table) -> Control:
        """Once a turn."""
        use(t, "cobbler")
        return super().resolve(t)


def may_cobble(t: Table, f: Any) -> str | None:
    """A Vagabond with an unused Cobbler who can go somewhere."""
    owns = is_vagabond(t, f.seat) and has(t, f.seat, "cobbler")
    return f.seat if owns and next(legal_acts(t, PawnCobbler, f, f.seat), None) is not None else None


COBBLER = prompt("pawn-cobbler", may_cobble, (PawnCobbler, Pass), "ROOT-FX-9")
