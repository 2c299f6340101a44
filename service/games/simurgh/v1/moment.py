"""When in the game a state stands, as the frames say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from service.engine.frames import Frame
from service.engine.table import Table
from service.games.simurgh.v1.setup import Game
from service.games.simurgh.v1.state import Turn

ORDER = ("deal-power", "deal-tiles", "lay-display", "deal-dragons", "mark-dragons", "play-turns")


@dataclass(frozen=True, slots=True)
class Moment:
    """`stage`: what is being done at set-up, turns, over, or position, where there are no frames yet.

    A frame that waits for those above it stands at the step after the one that called them.
    """

    stage: str
    turn: Turn | None = None
    top: Frame | None = None

    def before(self, step: str) -> bool:
        """Whether set-up has not come to this step yet, or is in the midst of it."""
        return self.stage in ORDER and ORDER.index(self.stage) <= ORDER.index(step)

    @property
    def playing(self) -> bool:
        """Whether set-up is done."""
        return self.stage not in ORDER


def moment(t: Table) -> Moment:
    """When this is."""
    if t.outcome is not None:
        return Moment("over")
    if not t.frames:
        return Moment("position")
    game: Any = t.frames[0]
    turn = t.frame(Turn)
    if turn is not None or not isinstance(game, Game) or (game.step == "play-turns" and len(t.frames) == 1):
        return Moment("turns", turn, t.frames[-1])
    at = ORDER.index(game.step) if game.step in ORDER else 0
    return Moment(ORDER[max(0, at - 1)], None, t.frames[-1])
