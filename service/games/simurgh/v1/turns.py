"""Chapter 4, the turn: one Main Action, free actions around it, and its end (SIM-TURN-1 to SIM-TURN-14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from service.engine.action import Action
from service.engine.control import Control
from service.engine.domain import AtLeast, Subset
from service.engine.frames import ANYWHERE, Ask, Free
from service.engine.rule import BROKEN_RULE, Violation
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import TurnUp, player
from service.games.simurgh.v1.dragons import BEGUN, FREE
from service.games.simurgh.v1.exploration import MoveRider
from service.games.simurgh.v1.limits import Limits
from service.games.simurgh.v1.placing import PlaceVassal
from service.games.simurgh.v1.purse import HOME
from service.games.simurgh.v1.removal import remove_empty
from service.games.simurgh.v1.scoring import check_for_the_end
from service.games.simurgh.v1.scouts import slide
from service.games.simurgh.v1.state import Placement, Stride, Turn
from service.games.simurgh.v1.tiles import LAID, PlaceTile, ReplaceTile


class Assigned(Subset):
    """Some of one's own assigned vassals of a kind, by where they stand."""

    def __init__(self, kind: str, **more: Any) -> None:
        def there(t: Table, act: Any) -> Mapping[str, int]:
            spaces = player(t, act.actor).assigned
            return {space: n for space, held in spaces.items() if (n := held.get(kind, 0))}

        super().__init__("SIM-TURN-3", there, **more)

    def check(self, t: Table, act: Any, value: Any) -> list[Violation]:
        """Inactive vassals cannot be retrieved, and those at home are there already (SIM-TURN-4)."""
        refused = super().check(t, act, value)
        if refused and isinstance(value, dict) and set(value) & {"inactive", HOME}:
            return [Violation(BROKEN_RULE, "SIM-TURN-4", (f"/{self.name}",), {})]
        return refused

    def rules(self) -> list[str]:
        """Its clauses."""
        return [*super().rules(), "SIM-TURN-4"]


def at_least_one(t: Table, act: Any) -> Iterable[AtLeast]:
    """One vassal in all (SIM-TURN-3)."""
    return [AtLeast("SIM-TURN-3", 0 if act.spearmen else 1)]


class Retrieve(Action, kind="retrieve-vassals"):
    """Take back any number of one's own assigned vassals, at least one (SIM-TURN-3)."""

    spearmen = Assigned("spearman").given()
    dragonriders = Assigned("dragonrider", limits=at_least_one, limit_rules=("SIM-TURN-3",)).given(
        "spearmen", depends_on=("spearmen",)
    )

    def resolve(self, t: Table) -> Control:
        """They are available; tiles that they leave empty are removed (SIM-REMOVE-1)."""
        for kind, chosen in (("spearman", self.spearmen), ("dragonrider", self.dragonriders)):
            for space, n in sorted(chosen.items()):
                source = ("seats", self.actor, "assigned", space)
                t.moved("SIM-TURN-3", {kind: n}, source, ("seats", self.actor, "available"))
        remove_empty(t)
        return None


class EndTurn(Action, kind="end-turn"):
    """The turn is over (SIM-TURN-13)."""

    def resolve(self, t: Table) -> Control:
        """There is no way back."""
        return None


def check_limits(t: Table, f: Turn) -> Control:
    """Hand first, then resources (SIM-TURN-13)."""
    return Limits(seat=f.seat)


def refill_display(t: Table, f: Turn) -> Control:
    """Slide and fill (SIM-SCOUT-7)."""
    slide(t)
    return TurnUp(to="display", because="SIM-SCOUT-7")


def look_for_the_end(t: Table, f: Turn) -> Control:
    """The end may have been triggered (SIM-END-1, SIM-END-2)."""
    check_for_the_end(t, f.seat)
    return None


MAIN = ("place-vassal", "retrieve-vassals")
NOT_NOW = {"acquire-tile": "SIM-SCOUT-2", "answer": "SIM-DRAGON-10", "move-again": "SIM-DRAGON-10"}


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Turn,
        Ask(
            "act",
            lambda t, f: f.seat,
            takes=(PlaceVassal, PlaceTile, ReplaceTile, Retrieve),
            rule="SIM-TURN-1",
            wrong="SIM-TURN-13",
            also=NOT_NOW,
        ),
        Ask(
            "finish",
            lambda t, f: f.seat,
            takes=(EndTurn,),
            rule="SIM-TURN-1",
            wrong="SIM-TURN-13",
            because="SIM-TURN-13",
            also={**NOT_NOW, "place-tile": "SIM-TURN-7", "replace-tile": "SIM-TURN-7"},
        ),
        check_limits,
        refill_display,
        look_for_the_end,
        free=Free((*FREE, MoveRider), who=in_turn, rule="SIM-TURN-6"),
        may_call={
            "act": (Placement, *LAID),
            ANYWHERE: (*BEGUN, Stride),
            "check-limits": (Limits,),
            "refill-display": (TurnUp,),
        },
    )


def in_turn(t: Table, f: Turn) -> str | None:
    """Free actions are for the player whose turn it is, before, during and after the Main Action (SIM-TURN-6)."""
    return f.seat if f.step in ("act", "finish") else None
