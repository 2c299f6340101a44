"""Chapter 5, drawing dragons: looking at some and keeping one (SIM-EFF-6, SIM-EFF-7, SIM-DRAGON-7, SIM-DRAGON-8)."""

from __future__ import annotations

from collections.abc import Mapping

from service.engine.action import Action
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.frames import Ask
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawDragons, player
from service.games.simurgh.v1.figures import DRAGONS, figures
from service.games.simurgh.v1.gains import Hatching
from service.games.simurgh.v1.removal import Returning


def draw_to_choose(t: Table, f: Hatching) -> Control:
    """Those on top, or all that are left (SIM-EFF-7)."""
    return DrawDragons(seat=f.seat, left=f.n, because="SIM-EFF-6")


class KeepDragon(Action, kind="keep-dragon"):
    """Exactly one of those drawn (SIM-EFF-6)."""

    dragon = Pick("SIM-EFF-6", lambda t, actor: sorted(player(t, actor).looked_at), DRAGONS)

    def resolve(self, t: Table) -> Control:
        """Face up, with its markers."""
        keep(t, "SIM-EFF-6", self.actor, self.dragon, self.frame.markers)
        return None


def only_one(t: Table, f: Hatching) -> Control:
    """One alone leaves nothing to choose."""
    drawn = player(t, f.seat).looked_at
    if len(drawn) == 1:
        keep(t, "SIM-EFF-6", f.seat, drawn[0], f.markers)
    return None


def keep(t: Table, because: str, seat: str, dragon: str, markers: int) -> None:
    """A dragon face up, its markers on the first abilities (SIM-DRAGON-7)."""
    t.moved(because, {dragon: 1}, ("seats", seat, "looked_at"), ("seats", seat, "dragons"))
    put_first_markers(t, seat, dragon, markers)


def put_first_markers(t: Table, seat: str, dragon: str, markers: int) -> None:
    """On abilities 1, 2, 3: the one moment at which a one-use ability gets its marker (SIM-DRAGON-6, SIM-DRAGON-7)."""
    row: Mapping[str, int] = dict.fromkeys(figures(t).abilities_of[dragon][:markers], 1)
    t.moved("SIM-DRAGON-7", row, None, ("seats", seat, "markers"))


def give_back_dragons(t: Table, f: Hatching) -> Control:
    """What was not kept (SIM-EFF-6, SIM-RETURN-1)."""
    return Returning(seat=f.seat, held="looked_at")


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Hatching,
        draw_to_choose,
        only_one,
        Ask(
            "keep",
            lambda t, f: f.seat if player(t, f.seat).looked_at else None,
            takes=(KeepDragon,),
            rule="SIM-DEC-22",
            wrong="SIM-TURN-14",
            because="SIM-EFF-6",
        ),
        give_back_dragons,
        may_call={"draw-to-choose": (DrawDragons,), "give-back-dragons": (Returning,)},
    )
