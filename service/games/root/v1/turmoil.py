"""Chapter 14, turmoil: humiliate, purge, depose, rest (ROOT-EYRIE-16 to ROOT-EYRIE-19)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.cards import discard_from
from service.games.root.v1.components import Plugs
from service.games.root.v1.eyrie import appoint, decree_path, eyrie
from service.games.root.v1.figures import BIRD, COLUMNS, LEADERS, VIZIER, suit_of
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.victory import lose


class Turmoil(Frame, kw_only=True):
    """The government falls."""

    seat: Public[SeatRef]


def humiliate(t: Table, f: Turmoil) -> Control:
    """A point lost for each bird card of the Decree, viziers included (ROOT-EYRIE-16)."""
    decree = eyrie(t, f.seat).decree
    birds = sum(n for column in decree.values() for card, n in column.items() if suit_of(card) == BIRD)
    lose(t, "ROOT-EYRIE-16", f.seat, birds)
    return None


def purge(t: Table, f: Turmoil) -> Control:
    """Every card but the viziers is discarded (ROOT-EYRIE-17)."""
    for column in COLUMNS:
        for card, n in sorted(eyrie(t, f.seat).decree[column].items()):
            for _ in range(n if card != VIZIER else 0):
                discard_from(t, "ROOT-EYRIE-17", card, *decree_path(f.seat, column))
    return None


def depose(t: Table, f: Turmoil) -> Control:
    """The leader goes face down; with none left all four are face up again (ROOT-EYRIE-18)."""
    board = eyrie(t, f.seat)
    deposed = [*board.deposed, str(board.leader)]
    t.tell("deposed", "ROOT-EYRIE-18", {"seat": f.seat, "leader": board.leader})
    if len(deposed) == len(LEADERS):
        deposed = []
    t.set("ROOT-EYRIE-18", deposed, "seats", f.seat, "eyrie", "deposed")
    return None


class ChooseLeader(Action, kind="choose-leader"):
    """Choose a new leader among those face up (ROOT-EYRIE-18)."""

    leader = Pick("ROOT-EYRIE-18", LEADERS)

    @requires("ROOT-EYRIE-18", "leader")
    def is_face_up(t: Table, act: Any) -> Any:
        """It has not been deposed."""
        return act.leader not in eyrie(t, act.frame.seat).deposed or no(leader=act.leader)

    def resolve(self, t: Table) -> Control:
        """The viziers go to its columns."""
        appoint(t, "ROOT-EYRIE-18", self.actor, self.leader)
        return None


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Turmoil, humiliate, purge, depose, prompt("leader", its_seat, (ChooseLeader,), "ROOT-EYRIE-18")
    )
