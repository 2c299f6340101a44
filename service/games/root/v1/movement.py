"""Chapter 6, movement (ROOT-MOVE-1 to ROOT-MOVE-7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control
from service.engine.domain import Amount, AtLeast, AtMost, Statement
from service.engine.frames import Frame
from service.engine.options import legal_acts
from service.engine.table import Table
from service.games.root.v1.components import called, everything, first_answer, own_warrior
from service.games.root.v1.rule import rules
from service.games.root.v1.woodland import clearing_pick, lent_to, neighbours, warriors


def own_warriors_there(t: Table, act: Any) -> Iterable[Statement]:
    """One or more, and no more than are there (ROOT-MOVE-1)."""
    n = warriors(t, act.actor, act.from_)
    return [AtLeast("ROOT-MOVE-1", 1, facts={"least": 1}), AtMost("ROOT-MOVE-1", n, facts={"held": n})]


def may_move_between(t: Table, seat: str, origin: str, to: str) -> bool:
    """The mover rules the origin or the destination (ROOT-MOVE-2), unless a rule lifts that (ROOT-MOVE-3)."""
    return (
        rules(t, seat, origin) or rules(t, seat, to) or any(everything(t, "moves-freely", seat, origin, to))
    )


class Move(Action):
    """Some of one's own warriors from a clearing to an adjacent one; each kind of move is a subclass."""

    from_ = clearing_pick("ROOT-MOVE-1")
    to = clearing_pick("ROOT-MOVE-1")
    warriors = Amount("ROOT-MOVE-1", own_warriors_there, most=30).given("from", "has_warriors_there")

    @requires("ROOT-MOVE-1", "from")
    def has_warriors_there(t: Table, act: Any) -> Any:
        """There is somebody to move."""
        return warriors(t, act.actor, act.from_) > 0 or no(clearing=act.from_)

    @requires("ROOT-RIVER-17", "from")
    def not_with_others(t: Table, act: Any) -> Any:
        """Those who only fight as his own do not move for him."""
        alone = warriors(t, act.actor, act.from_) == 0 and lent_to(t, act.actor, act.from_)
        return not alone or no(clearing=act.from_)

    @requires("ROOT-MAP-2", "from", "to")
    def is_adjacent(t: Table, act: Any) -> Any:
        """The two clearings are adjacent for the mover."""
        return act.to in neighbours(t, act.actor, act.from_) or no(origin=act.from_, to=act.to)

    @requires("ROOT-MOVE-2", "from", "to")
    def rules_an_end(t: Table, act: Any) -> Any:
        """He rules the origin, the destination, or both."""
        return may_move_between(t, act.actor, act.from_, act.to) or no(origin=act.from_, to=act.to)

    @requires("ROOT-MOVE-7", "to")
    def is_open(t: Table, act: Any) -> Any:
        """Nothing bars the destination."""
        return first_answer(t, "may-not-enter", act.actor, act.to) is None or no(to=act.to)

    because = "ROOT-MOVE-1"

    def resolve(self, t: Table) -> Control:
        """They move; what their coming brings about follows."""
        return move(t, self.because, self.actor, self.from_, self.to, self.warriors)


def move(t: Table, because: str, seat: str, origin: str, to: str, n: int, of: str | None = None) -> Control:
    """Warriors move, those `of` another player if one is named.

    What follows is called: Outrage, for one (ROOT-MOVE-6).
    """
    return called(relocate(t, because, seat, origin, to, n, of))


def relocate(
    t: Table, because: str, seat: str, origin: str, to: str, n: int, of: str | None = None
) -> list[Frame]:
    """Warriors move; the answer is what their coming brings about."""
    t.moved(because, {own_warrior(t, of or seat): n}, ("map", origin), ("map", to))
    return list(everything(t, "after-move", seat, origin, to))


def can_move(t: Table, cls: type[Move], frame: Any, seat: str) -> bool:
    """Whether any such move is possible."""
    return next(legal_acts(t, cls, frame, seat), None) is not None
