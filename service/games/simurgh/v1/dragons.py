"""Chapter 11, dragons: using abilities, answering events, keeping one of those drawn (SIM-DRAGON-1 to -28)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from service.engine.action import Action, derived, no, requires
from service.engine.control import NEXT, Control, calls
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.simurgh.v1 import main_action
from service.games.simurgh.v1.components import player
from service.games.simurgh.v1.effects import AGAIN, FETCH, ONE_MORE, TILE, Special
from service.games.simurgh.v1.exploration import (
    Move,
    keeps_a_main_action,
    leaving,
    level_below,
    missing_below,
    missing_below_with,
    moving,
    room_below,
)
from service.games.simurgh.v1.figures import ABILITIES, DISPLAY, figures
from service.games.simurgh.v1.gains import Gain, Occasion, Share, answers
from service.games.simurgh.v1.markers import own_abilities
from service.games.simurgh.v1.payment import Cost, Price, paid_facts
from service.games.simurgh.v1.placing import occasions
from service.games.simurgh.v1.purse import Busy
from service.games.simurgh.v1.receiving import dragons_are_there, missing_of, missing_with, vassals_are_there
from service.games.simurgh.v1.scouts import take_display_tile
from service.games.simurgh.v1.spending import pay
from service.games.simurgh.v1.state import Stride
from service.games.simurgh.v1.unfinished import Endangered


def costs(t: Table, act: Any) -> Any:
    """The ways to pay for an ability."""
    return figures(t).effects[act.ability].costs


def own_marker(t: Table, act: Any) -> Busy:
    """The marker of the ability in use is gone before its cost is paid (SIM-DRAGON-25)."""
    return Busy(ability=act.ability)


def use_marker(t: Table, seat: str, ability: str) -> None:
    """The marker leaves the ability (SIM-DRAGON-4)."""
    t.moved("SIM-DRAGON-4", {ability: 1}, ("seats", seat, "markers"), None)


class _Use(Endangered):
    """A free action by an ability."""

    ability = Pick("SIM-DRAGON-5", own_abilities, ABILITIES)

    @requires("SIM-DRAGON-5")
    def is_in_his_own_turn(t: Table, act: Any) -> Any:
        """Not in another player's."""
        return act.actor == act.frame.seat

    @requires("SIM-DRAGON-4", "ability")
    def has_a_marker(t: Table, act: Any) -> Any:
        """Without one an ability cannot be used."""
        return act.ability in player(t, act.actor).markers or no(ability=act.ability)

    @requires("SIM-DRAGON-10", "ability")
    def answers_no_event(t: Table, act: Any) -> Any:
        """Trigger abilities are used at their moment, never later."""
        return figures(t).abilities[act.ability].trigger is None or no(ability=act.ability)

    @derived
    def missing(t: Table, act: Any) -> tuple[str, ...]:
        """All that is not there of what it gives."""
        return missing_of(t, act.actor, act.ability)

    @requires("SIM-DRAGON-9", "ability")
    def can_be_resolved(t: Table, act: Any) -> Any:
        """What it gives is there."""
        return not act.missing or no(ability=act.ability)

    @requires("SIM-COMP-3", "ability")
    def keeps_to_the_pieces(t: Table, act: Any) -> Any:
        """Nobody has more of a kind in play than there are."""
        return vassals_are_there(act.missing, ability=act.ability)

    @requires("SIM-EFF-7", "ability")
    def has_dragons_to_draw(t: Table, act: Any) -> Any:
        """Without dragons in the deck none can be drawn."""
        return dragons_are_there(act.missing, ability=act.ability)

    @requires("SIM-DRAGON-24", "ability")
    def has_a_tile_to_draw(t: Table, act: Any) -> Any:
        """Without tiles in the action deck there is no top one."""
        return TILE not in act.missing or no(ability=act.ability)


def leaves_a_main_action(t: Table, act: Any, paid: main_action.Vassals) -> bool:
    """Whoever paid his last vassal that can be placed could not do what he must, unless one comes for it.

    A rider who has come to the end of his path goes home, and stays there for the turn.
    """
    return main_action.stays(t, act, paid, figures(t).effects[act.ability].gain, leaving(t))


class AbilityCost(Cost):
    """What an ability costs."""

    def __init__(self) -> None:
        super().__init__(
            "SIM-DRAGON-9",
            costs,
            "SIM-DRAGON-9",
            own_marker,
            leaves_a_main_action,
            lambda t, act, way: missing_with(t, act.actor, act.ability, way),
        )


class UseAbility(_Use, kind="use-ability"):
    """Gains and exchanges (SIM-DRAGON-9)."""

    cost = AbilityCost().given("ability")

    @requires("SIM-DRAGON-23", "ability")
    def names_no_tile(t: Table, act: Any) -> Any:
        """An ability that takes a face-up tile says which."""
        return FETCH not in figures(t).specials[act.ability] or no(ability=act.ability)

    def resolve(self, t: Table) -> Control:
        """The marker, the cost, the gain."""
        use_marker(t, self.actor, self.ability)
        paid = pay(t, "SIM-DRAGON-9", self.actor, self.cost)
        return calls(*occasions(self.actor, paid), Gain(seat=self.actor, source=self.ability))

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: what is paid."""
        return paid_facts(self.cost)


class FetchTile(_Use, kind="fetch-tile"):
    """A face-up tile for neither price nor points (SIM-DRAGON-23)."""

    place = Pick("SIM-DRAGON-23", DISPLAY)
    cost = AbilityCost().given("ability")

    @requires("SIM-DRAGON-23", "ability")
    def takes_a_tile(t: Table, act: Any) -> Any:
        """Only what says so takes tiles."""
        return FETCH in figures(t).specials[act.ability] or no(ability=act.ability)

    @requires("SIM-DRAGON-23", "place")
    def lies_there(t: Table, act: Any) -> Any:
        """A tile lies there."""
        return t.board.display[act.place] is not None or no(place=act.place)

    def resolve(self, t: Table) -> Control:
        """The marker, the cost, the tile."""
        use_marker(t, self.actor, self.ability)
        paid = pay(t, "SIM-DRAGON-9", self.actor, self.cost)
        take_display_tile(t, "SIM-DRAGON-23", self.actor, self.place)
        return calls(*occasions(self.actor, paid))

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: the tile, and what is paid."""
        lies = t.board.display[self.place]
        return {**paid_facts(self.cost), **({"tile": lies} if lies else {})}


# -- answering events -------------------------------------------------------------------------------------------


def moves_again(t: Table, ability: str) -> bool:
    """Whether an ability lets the same rider move once more (SIM-DRAGON-20)."""
    return AGAIN in figures(t).specials[ability]


def can_move_again(t: Table, f: Occasion, ability: str) -> bool:
    """Whether the rider could take one more step now by this ability, whose marker pays for nothing then."""
    act = MoveAgain(t, f, f.seat, {"ability": ability})
    cost: Any = act.params["cost"]
    fine = room_below(t, f.seat, f.tile) and not missing_below(t, f.seat, f.tile)
    return bool(fine) and keeps_a_main_action(t, act, f.tile) and cost.can_pay(t, act)


def may_answer(t: Table, f: Occasion) -> str | None:
    """The player, as long as a fitting marker lies there that could do something: all of it is public."""
    fitting = [a for a in sorted(player(t, f.seat).markers) if answers(t, f, a)]
    able = any(not moves_again(t, a) or can_move_again(t, f, a) for a in fitting)
    return f.seat if able else None


class _Answer(Endangered):
    """An ability at its moment."""

    ability = Pick("SIM-DRAGON-5", own_abilities, ABILITIES)

    @requires("SIM-DRAGON-4", "ability")
    def has_a_marker(t: Table, act: Any) -> Any:
        """Without one an ability cannot be used."""
        return act.ability in player(t, act.actor).markers or no(ability=act.ability)

    @requires("SIM-DRAGON-10", "ability")
    def fits_the_event(t: Table, act: Any) -> Any:
        """It answers this event, and once only."""
        return answers(t, act.frame, act.ability) or no(ability=act.ability)

    def used(self, t: Table) -> None:
        """The marker leaves, and does not answer again."""
        f: Occasion = self.frame
        use_marker(t, self.actor, self.ability)
        f.used = [*f.used, self.ability]


class Answer(_Answer, kind="answer"):
    """Use an ability that answers the event."""

    @requires("SIM-DRAGON-20", "ability")
    def is_no_step(t: Table, act: Any) -> Any:
        """One more step has a cost of its own."""
        return not moves_again(t, act.ability) or no(ability=act.ability)

    def resolve(self, t: Table) -> Control:
        """What it gives is no new event (SIM-DRAGON-11)."""
        self.used(t)
        more = next((p for p in figures(t).effects[self.ability].gain if isinstance(p, Special)), None)
        if more is None:
            return Gain(seat=self.actor, source=self.ability, quiet=True)
        assert more.name == ONE_MORE
        kinds = [what for what in more.of if what in self.frame.of]
        return Share(seat=self.actor, n=more.n, of=kinds, quiet=True, because="SIM-DRAGON-26")


class MoveAgain(_Answer, Move, kind="move-again"):
    """The same rider at once one more level down, at full cost (SIM-DRAGON-20)."""

    cost = Price(
        "SIM-DRAGON-20",
        lambda t, act: figures(t).move_costs.get(act.frame.tile, ()),
        "SIM-EXPL-4",
        lambda t, act: replace(moving(t, act.frame.tile), ability=act.ability),
        lambda t, act, paid: keeps_a_main_action(t, act, act.frame.tile, paid),
        lambda t, act, way: missing_below_with(t, act.actor, act.frame.tile, way),
    ).given("ability", "fits_the_event", "is_a_step")

    @requires("SIM-DRAGON-20", "ability")
    def is_a_step(t: Table, act: Any) -> Any:
        """Only what says so moves riders, and only after a move."""
        return (moves_again(t, act.ability) and act.frame.event == "move-rider") or no(ability=act.ability)

    @requires("SIM-EXPL-5", "is_a_step", about=())
    def has_room_below(t: Table, act: Any) -> Any:
        """An empty space in the row below; nobody moves beyond the last."""
        return room_below(t, act.actor, act.frame.tile)

    @derived
    def missing(t: Table, act: Any) -> tuple[str, ...]:
        """All that is not there of the reward."""
        return missing_below(t, act.actor, act.frame.tile)

    @requires("SIM-EFF-7", "is_a_step", about=())
    def can_take_the_reward(t: Table, act: Any) -> Any:
        """A level is resolved in full."""
        return dragons_are_there(act.missing, tile=act.frame.tile)

    @requires("SIM-PLACE-5", "is_a_step", about=())
    def can_gain_it_all(t: Table, act: Any) -> Any:
        """An inactive vassal for one to come."""
        return vassals_are_there(act.missing, space=level_below(t, act.actor, act.frame.tile))

    @requires("SIM-COMP-3", "is_a_step", about=())
    def keeps_to_the_pieces(t: Table, act: Any) -> Any:
        """Nobody has more of a kind in play than there are."""
        return vassals_are_there(act.missing, tile=act.frame.tile)

    @requires("SIM-TURN-12", "has_room_below", about=())
    def leaves_a_main_action(t: Table, act: Any) -> Any:
        """Whoever takes the last rider home before the Main Action could neither place nor retrieve."""
        return keeps_a_main_action(t, act, act.frame.tile)

    def resolve(self, t: Table) -> Control:
        """A step like any other."""
        self.used(t)
        return self.step_down(t, self.frame.tile, self.cost)

    def facts(self, t: Table) -> dict[str, Any]:
        """For texts: what is paid."""
        return paid_facts(self.cost)


class Decline(Endangered, kind="decline"):
    """Leave the event unanswered: using an ability is always optional (SIM-DRAGON-12)."""

    def resolve(self, t: Table) -> Control:
        """The moment is over."""
        return NEXT


FREE: tuple[type[Action], ...] = (UseAbility, FetchTile)
BEGUN: tuple[type[Frame], ...] = (Occasion, Gain)


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Occasion,
        Ask(
            "answer",
            may_answer,
            takes=(Answer, MoveAgain, Decline),
            rule="SIM-TURN-11",
            wrong="SIM-TURN-14",
            because="SIM-DRAGON-10",
            again=True,
        ),
        may_call={"answer": (Gain, Share, Stride)},
    )
