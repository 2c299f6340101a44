"""When in the game a state stands: its phase and the frames that say so."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from service.engine.table import Table
from service.games.zavandor.v1.setup import Game
from service.games.zavandor.v1.state import Round, Turn

PHASES = {
    "refill": "order",
    "begin-income": "refill",
    "receive": "income",
    "take-turn": "turns",
    "score": "hands",
}


class Moment(Struct, frozen=True):
    """`phase`: deal, set-up, order, refill, income, turns, hands, over; of a position, which has no frames yet,
    position where it goes on with turns, between where it goes on with a new round.
    """

    phase: str
    round: Any = None
    turn: Any = None

    @property
    def before_play(self) -> bool:
        """Whether the game is still being set up."""
        return self.phase in ("deal", "set-up")

    @property
    def before_turns(self) -> bool:
        """Whether a round has begun, and nobody can have acted in it yet."""
        return self.phase in ("order", "refill", "income")

    @property
    def just_scored(self) -> bool:
        """Whether nobody can have acted since the last scoring."""
        return self.before_turns or self.phase == "between"

    def scored(self, t: Table) -> bool:
        """Whether a round has been scored (ZAV-SCORE-3)."""
        n: int = t.board.round
        if n != 1:
            return n > 1
        # who wins alone ends a round before its scoring (ZAV-CURSE-4)
        return self.phase == "between" or (t.outcome is not None and t.outcome.because != "ZAV-CURSE-4")

    def hand_is_checked(self, t: Table, seat: str) -> bool:
        """Whether a seat has received nothing since phase 4 of a round but what lay under its position card."""
        if t.outcome is not None:
            return t.outcome.because != "ZAV-CURSE-4"
        if not self.just_scored or not self.scored(t):
            return False
        return self.phase != "income" or seat in self.round.waiting

    def may_still_advance(self, seat: str) -> bool:
        """Whether the paid advancement of this round is still to come for a seat (ZAV-KNOW-2)."""
        if self.phase != "turns":
            return self.before_turns or self.phase == "position"
        if self.turn is not None and self.turn.seat == seat:
            return not self.turn.advanced
        return seat in self.round.waiting


def moment(t: Table) -> Moment:
    """When this is."""
    if t.outcome is not None:
        return Moment("over")
    if not t.frames:
        return Moment("position" if t.board.order else "between")
    rnd = turn = None
    for frame in t.frames:
        if isinstance(frame, Round):
            rnd = rnd or frame
        elif isinstance(frame, Turn):
            turn = turn or frame
    if rnd is None:
        dealing = isinstance(t.frames[0], Game) and t.frames[0].step == "deal"
        return Moment("deal" if dealing else "set-up")
    return Moment(PHASES.get(rnd.step, "turns"), rnd, turn)
