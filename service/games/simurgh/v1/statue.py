"""Chapter 6.2, the Statue of the Dragonlord: looking at objectives and placing one (SIM-STATUE-1 to SIM-STATUE-5)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.control import Control, calls
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawObjectives, player
from service.games.simurgh.v1.figures import ABILITIES, OBJECTIVES, STATUE, figures
from service.games.simurgh.v1.gains import Occasion, Viewing, receive
from service.games.simurgh.v1.markers import own_abilities
from service.games.simurgh.v1.payment import Price, paid_facts
from service.games.simurgh.v1.placing import occasions
from service.games.simurgh.v1.purse import Busy
from service.games.simurgh.v1.removal import Returning
from service.games.simurgh.v1.spending import pay


def price(t: Table, act: Any) -> Any:
    """The ways to pay for an objective space."""
    return figures(t).prices[act.space]


class _Place(Action):
    """One of the objectives looked at, on an objective space (SIM-STATUE-2)."""

    objective = Pick("SIM-STATUE-2", lambda t, actor: sorted(player(t, actor).considered), OBJECTIVES)
    space = Pick("SIM-STATUE-2", STATUE)

    def resolve(self, t: Table) -> Control:
        """Cost, tile, points."""
        seat, space = self.actor, self.space
        then: list[Frame] = occasions(seat, pay(t, "SIM-STATUE-2", seat, self.cost))
        t.moved("SIM-STATUE-2", {self.objective: 1}, ("seats", seat, "considered"), ("statue", space))
        points = figures(t).statue[space].pp
        return calls(*then, *receive(t, "SIM-STATUE-2", seat, {"pp": points} if points else {}))

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: what is paid."""
        return paid_facts(self.cost)

    cost = Price("SIM-STATUE-2", price, "SIM-STATUE-2").given("space")


class PlaceObjective(_Place, kind="place-objective"):
    """On an empty space."""

    @requires("SIM-STATUE-2", "space")
    def is_empty(t: Table, act: Any) -> Any:
        """Objectives do not lie on each other."""
        return t.board.statue[act.space] is None or no(space=act.space)


class ReplaceObjective(_Place, kind="replace-objective"):
    """In place of one that lies there, by an ability (SIM-DRAGON-22)."""

    ability = Pick("SIM-DRAGON-22", own_abilities, ABILITIES)
    cost = Price("SIM-STATUE-2", price, "SIM-STATUE-2", lambda t, act: Busy(ability=act.ability)).given(
        "space", "ability"
    )

    @requires("SIM-DRAGON-22", "ability")
    def is_the_ability(t: Table, act: Any) -> Any:
        """Only what says so replaces."""
        trigger = figures(t).abilities[act.ability].trigger
        return (trigger is not None and trigger.on == "before-place-objective") or no(ability=act.ability)

    @requires("SIM-DRAGON-4", "ability")
    def has_a_marker(t: Table, act: Any) -> Any:
        """Without one an ability cannot be used."""
        return act.ability in player(t, act.actor).markers or no(ability=act.ability)

    @requires("SIM-DRAGON-22", "space")
    def is_taken(t: Table, act: Any) -> Any:
        """There is something to replace."""
        return t.board.statue[act.space] is not None or no(space=act.space)

    def resolve(self, t: Table) -> Control:
        """The old one joins those that go back (SIM-DRAGON-22)."""
        seat = self.actor
        t.moved("SIM-DRAGON-4", {self.ability: 1}, ("seats", seat, "markers"), None)
        old = t.board.statue[self.space]
        t.moved("SIM-DRAGON-22", {old: 1}, ("statue", self.space), ("seats", seat, "considered"))
        return super().resolve(t)


class PlaceNone(Action, kind="place-none"):
    """None of them (SIM-STATUE-3)."""

    def resolve(self, t: Table) -> Control:
        """Always allowed."""
        return None


def look(t: Table, f: Viewing) -> Control:
    """The top ones, or all that are left (SIM-STATUE-1)."""
    return DrawObjectives(seat=f.seat, left=f.n, because="SIM-STATUE-1")


def give_back(t: Table, f: Viewing) -> Control:
    """What was not placed (SIM-STATUE-4)."""
    return Returning(seat=f.seat, held="considered")


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Viewing,
        look,
        Ask(
            "place",
            lambda t, f: f.seat if player(t, f.seat).considered else None,
            takes=(PlaceObjective, ReplaceObjective, PlaceNone),
            rule="SIM-DEC-22",
            wrong="SIM-TURN-14",
            because="SIM-STATUE-2",
        ),
        give_back,
        may_call={"look": (DrawObjectives,), "place": (Occasion,), "give-back": (Returning,)},
    )
