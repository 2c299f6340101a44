"""Chapter 11, Ability markers: where they may lie, and placing them (SIM-DRAGON-1 to SIM-DRAGON-3, SIM-DRAGON-6)."""

from __future__ import annotations

from typing import Any

from service.engine.action import no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control, goto
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1.components import player
from service.games.simurgh.v1.figures import ABILITIES, figures
from service.games.simurgh.v1.state import Amount
from service.games.simurgh.v1.unfinished import Endangered


class Markers(Frame, kw_only=True):
    """Ability markers still to be put on dragons (SIM-DRAGON-2)."""

    seat: Public[SeatRef]
    left: Public[Amount]


def free_ability(t: Table, seat: str, dragon: str) -> str | None:
    """The leftmost ability of a dragon without a marker; one-use abilities are passed over (SIM-DRAGON-2, -6)."""
    f = figures(t)
    markers = player(t, seat).markers
    return next((a for a in f.abilities_of[dragon] if a not in markers and not f.abilities[a].one_use), None)


def free_abilities(t: Table, seat: str) -> list[str]:
    """Where the next marker may go, one place a dragon at most."""
    places = [free_ability(t, seat, dragon) for dragon in player(t, seat).dragons]
    return [a for a in places if a is not None]


def place_or_lose(t: Table, f: Markers) -> Control:
    """One place takes the marker by itself; without a place what is left is lost (SIM-DRAGON-3)."""
    places = free_abilities(t, f.seat)
    if f.left and not places:
        t.tell("markers-lost", "SIM-DRAGON-3", {"seat": f.seat, "n": f.left})
    if not f.left or not places:
        return DONE
    if len(places) > 1:
        return None
    return put_marker(t, f, places[0])


def put_marker(t: Table, f: Markers, ability: str) -> Control:
    """A marker on an ability."""
    t.moved("SIM-DRAGON-2", {ability: 1}, None, ("seats", f.seat, "markers"))
    f.left -= 1
    return goto("place-or-lose")


def own_abilities(t: Table, actor: str) -> list[str]:
    """The abilities of one's own dragons."""
    f = figures(t)
    return [a for dragon in player(t, actor).dragons for a in f.abilities_of[dragon]]


class PlaceMarker(Endangered, kind="place-marker"):
    """On which ability the next marker goes."""

    ability = Pick("SIM-DRAGON-2", own_abilities, ABILITIES)

    @requires("SIM-DRAGON-1", "ability")
    def has_no_marker(t: Table, act: Any) -> Any:
        """At most one on an ability."""
        return act.ability not in player(t, act.actor).markers or no(ability=act.ability)

    @requires("SIM-DRAGON-6", "ability")
    def is_filled_again(t: Table, act: Any) -> Any:
        """One-use abilities are not."""
        return not figures(t).abilities[act.ability].one_use or no(ability=act.ability)

    @requires("SIM-DRAGON-2", "has_no_marker", "is_filled_again", about=("ability",))
    def is_the_leftmost(t: Table, act: Any) -> Any:
        """From the left."""
        first = free_ability(t, act.actor, figures(t).abilities[act.ability].dragon)
        return act.ability == first or no(ability=act.ability, first=first)

    def resolve(self, t: Table) -> Control:
        """It lies there."""
        return put_marker(t, self.frame, self.ability)


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Markers,
        place_or_lose,
        Ask(
            "place",
            lambda t, f: f.seat,
            takes=(PlaceMarker,),
            rule="SIM-TURN-11",
            wrong="SIM-TURN-14",
            because="SIM-DRAGON-2",
        ),
    )
