"""Clock 1.1, beside 1.0: the printed rules let a player lay three pins, which 1.0 has overlooked.

The chapter that was wrong is written anew; all others are those of 1.0. Games of 1.0 go on by 1.0.
"""

from __future__ import annotations

from service.engine.domain import Pick
from tests.engine.games import clock


class Lay(clock.Lay, kind="lay"):
    pins = Pick("TOY-CLOCK-2", (1, 2, 3))


CLAUSES = {**clock.CLAUSES, "TOY-CLOCK-2": "Lay one, two or three pins."}
rules = clock.make("1.1", Lay, CLAUSES)
