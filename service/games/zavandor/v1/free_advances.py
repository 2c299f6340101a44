"""Chapter 9, artifacts: the free advances of Runestone, Mask of Charisma and Talisman (ZAV-KNOW-10, -11)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from service.engine.action import Action
from service.engine.audience import Public, SeatRef
from service.engine.control import Control, calls
from service.engine.domain import Open
from service.engine.frames import Ask, Frame
from service.engine.rule import BROKEN_RULE, Violation
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.zavandor.v1.components import player
from service.games.zavandor.v1.figures import TOP, TRACKS, figures
from service.games.zavandor.v1.knowledge import Climb, SagesReward, may_advance, move_marker


class FreeAdvance(Frame, kw_only=True):
    """Runestone, Mask of Charisma: one free advance, now or never."""

    seat: Public[SeatRef]
    card: Public[str]

    def declined(self) -> str:
        """The clause by which it is let go."""
        return "ZAV-KNOW-10"


class FreeSteps(Frame, kw_only=True):
    """Talisman: two free advances."""

    seat: Public[SeatRef]
    card: Public[str]


FREE_ADVANCE = {
    "runestone": "ZAV-ART-RUNESTONE-1",
    "mask-of-charisma": "ZAV-ART-MASK-1",
    "talisman": "ZAV-ART-TALISMAN-1",
}


# -- free advances: Runestone, Mask of Charisma -------------------------------------------------------------------


def can_advance_freely(t: Table, f: FreeAdvance | FreeSteps) -> str | None:
    """The owner, if any of his markers or tokens can move."""
    return f.seat if any(may_advance(player(t, f.seat), track) for track in TRACKS) else None


class AdvanceFree(Climb, kind="advance-free"):
    """Use the free advance on a track (ZAV-KNOW-10, -11)."""

    def resolve(self, t: Table) -> Control:
        """It costs nothing and is not the paid advancement."""
        return move_marker(t, self.actor, self.track, FREE_ADVANCE[self.frame.card])


class Decline(Action, kind="decline"):
    """Let it go: a free advance cannot be kept for later (ZAV-KNOW-10), nor a free token (ZAV-ART-MIRROR-1)."""

    def resolve(self, t: Table) -> Control:
        """Nothing happens."""
        t.tell("declined", self.frame.declined(), {"seat": self.actor, "card": self.frame.card})
        return None


# -- Talisman ---------------------------------------------------------------------------------------------------


class Steps(Open):
    """None, one or two tracks in order, the same one twice if wished (ZAV-ART-TALISMAN-1)."""

    shape = list[str]

    def _most(self, t: Table, act: Any) -> int:
        return figures(t).artifacts[act.frame.card].free_advances

    def describe(self, t: Table, act: Any) -> dict[str, Any]:
        """`{"of": tracks that can move, "least", "most", "ordered"}`."""
        movable = [track for track in TRACKS if may_advance(player(t, act.actor), track)]
        return {"of": movable, "least": 0, "most": self._most(t, act), "ordered": True}

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """At most two steps, each possible after the one before."""
        if not isinstance(value, list) or any(
            not isinstance(track, str) or track not in TRACKS for track in value
        ):
            return self.unknown(value)
        refused = []
        if len(value) > self._most(t, act):
            refused.append(Violation(BROKEN_RULE, self.rule, (f"/{self.name}",), {"steps": len(value)}))
        p = player(t, act.actor)
        stages, bought = dict(p.tracks), p.bought
        for i, track in enumerate(value):
            about = (f"/{self.name}/{i}",)
            if track not in stages and not bought:
                refused.append(Violation(BROKEN_RULE, "ZAV-KNOW-4", about, {"track": track}))
            elif stages.get(track, 0) >= TOP:
                refused.append(Violation(BROKEN_RULE, "ZAV-KNOW-6", about, {"track": track, "stage": TOP}))
            else:
                bought -= track not in stages
                stages[track] = stages.get(track, 0) + 1
        return refused

    def example(self, t: Table, act: Any) -> Any:
        """As many steps as can be made, on the first track that can move."""
        return next((list(v) for v in reversed(self._values(t, act)) if not self.check(t, act, list(v))), [])

    def _values(self, t: Table, act: Any) -> list[tuple[str, ...]]:
        return [v for k in range(self._most(t, act) + 1) for v in product(TRACKS, repeat=k)]

    def sample(self, t: Table, act: Any, rng: random.Random) -> Any:
        """A random legal choice."""
        return list(rng.choice([v for v in self._values(t, act) if not self.check(t, act, list(v))]))

    def every(self, t: Table, act: Any) -> Iterator[Any] | None:
        """Every list of up to two tracks."""
        return (list(v) for v in self._values(t, act))


class TakeSteps(Action, kind="take-steps"):
    """Use none, one or both advances of the Talisman."""

    tracks = Steps("ZAV-ART-TALISMAN-1", limit_rules=("ZAV-KNOW-4", "ZAV-KNOW-6"))

    def resolve(self, t: Table) -> Control:
        """One step after the other; the Nine Sages reward each stage (ZAV-KNOW-SAGES-5)."""
        rewards = [move_marker(t, self.actor, track, "ZAV-ART-TALISMAN-1") for track in self.tracks]
        return calls(*(r for r in rewards if r is not None))


def declare(rules: Ruleset) -> None:
    """Register this part of the chapter."""
    rules.procedure(
        FreeAdvance,
        Ask(
            "advance",
            can_advance_freely,
            (AdvanceFree, Decline),
            rule="ZAV-KNOW-10",
            because=lambda t, f: FREE_ADVANCE[f.card],
            wrong="ZAV-AUC-14",
            skipped="ZAV-KNOW-10",
        ),
        may_call={"advance": (SagesReward,)},
    )
    rules.procedure(
        FreeSteps,
        Ask(
            "steps",
            can_advance_freely,
            (TakeSteps,),
            rule="ZAV-KNOW-10",
            because="ZAV-ART-TALISMAN-1",
            wrong="ZAV-AUC-14",
            skipped="ZAV-KNOW-10",
        ),
        may_call={"steps": (SagesReward,)},
    )
