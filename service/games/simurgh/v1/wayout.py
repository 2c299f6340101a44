"""Is there a way out: can the tile be acquired, or used, that must be (SIM-SCOUT-2, SIM-TILE-7)?"""

from __future__ import annotations

from service.engine.action import No
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.courses import Courses
from service.games.simurgh.v1.prospects import prospect
from service.games.simurgh.v1.state import Turn


def is_found(t: Table) -> bool | No:
    """Whether what must be acquired or used surely can be; what chance may bring counts for nothing.

    First straight on, as the plan says; then along one course after the other (`courses.py`), or, where abilities of a
    house bring markers, anywhere. Beyond the cap the answer is a `No` that says how many prospects were looked at:
    there may be a way out all the same. What is refused leaves the player other actions, a dead end leaves him none.
    The order of the search follows from the prospect and no prospect is looked at twice on one course, so that after
    each step of a way that was found there is less to look at.
    """
    search = Courses(t, prospect(t))
    told = search.straight_on()
    if told is not None:
        return told
    return search.anywhere() if search.brings_markers else search.along_courses()


def foretold(t: Table) -> bool | No:
    """The answer of the search; where no turn goes on nothing is due."""
    return t.frame(Turn) is None or is_found(t)


def declare(rules: Ruleset) -> None:
    """Look-ahead asks here."""
    rules.hook("foretold", foretold)
