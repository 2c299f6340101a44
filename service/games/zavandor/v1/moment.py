"""When in the game a state stands: its phase and the frames that say so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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


@dataclass(frozen=True, slots=True)
class Moment:
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
        return n > 1 or (n == 1 and self.phase in ("between", "over"))

    def rounds(self, t: Table) -> int:
        """In how many rounds a player can have acted."""
        n: int = t.board.round
        return n - 1 if self.before_turns else n


def moment(t: Table) -> Moment:
    """When this is."""
    if t.outcome is not None:
        return Moment("over")
    if not t.frames:
        return Moment("position" if t.board.order else "between")
    rnd = next((f for f in t.frames if isinstance(f, Round)), None)
    if rnd is None:
        dealing = isinstance(t.frames[0], Game) and t.frames[0].step == "deal"
        return Moment("deal" if dealing else "set-up")
    return Moment(
        PHASES.get(rnd.step, "turns"), rnd, next((f for f in t.frames if isinstance(f, Turn)), None)
    )
