"""Chapter 13, the Marquise's turn: wood, crafting, actions, drawing (ROOT-MARQ-10 to ROOT-MARQ-20)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import DONE, Control
from service.engine.domain import Split
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import EndPhase, Stop
from service.games.root.v1.battle import StartBattle
from service.games.root.v1.cards import Draw, HandLimit, hand_pick, is_a_bird, spend
from service.games.root.v1.components import Faction, Plugs
from service.games.root.v1.crafting import Craft, crafters
from service.games.root.v1.marquise import (
    MARQUISE,
    WARRIOR,
    MarquiseDaylight,
    MarquiseSetup,
    act_once,
    an_action,
    count_actions,
    in_supply,
)
from service.games.root.v1.marquise_building import Build, Overwork
from service.games.root.v1.movement import Move, can_move
from service.games.root.v1.state import Battle, Removal
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.woodland import (
    cards_uncovered,
    on_map,
    place,
    where_open,
)

# -- Birdsong (ROOT-MARQ-10) --------------------------------------------------------------------------------------


class MarquiseBirdsong(Frame, kw_only=True):
    """The Marquise's Birdsong: wood."""

    seat: Public[SeatRef]


def short_of_wood(t: Table, f: MarquiseBirdsong) -> str | None:
    """The Marquise, where there is some wood, but not enough for every sawmill."""
    return (
        f.seat if 0 < in_supply(t, f.seat, "wood") < sum(where_open(t, f.seat, "sawmill").values()) else None
    )


def place_wood(t: Table, f: MarquiseBirdsong) -> Control:
    """One wood at each sawmill, where that needs no choice (ROOT-TURN-7)."""
    if short_of_wood(t, f) is not None:
        return None
    if in_supply(t, f.seat, "wood"):
        put_at_each(t, "ROOT-MARQ-10", f.seat, "wood", where_open(t, f.seat, "sawmill"))
    return DONE


def put_at_each(t: Table, because: str, seat: str, piece: str, clearings: dict[str, int]) -> None:
    """Pieces to several clearings."""
    for clearing in sorted(clearings, key=int):
        place(t, because, seat, {piece: clearings[clearing]}, clearing)


class PlaceWood(Action, kind="place-wood"):
    """Choose the sawmills that get wood, where it is short."""

    clearings = Split(
        "ROOT-MARQ-10",
        lambda t, act: in_supply(t, act.actor, "wood"),
        lambda t, act: where_open(t, act.actor, "sawmill"),
    )

    def resolve(self, t: Table) -> Control:
        """One token each."""
        put_at_each(t, "ROOT-MARQ-10", self.actor, "wood", self.clearings)
        return None


# -- Daylight -----------------------------------------------------------------------------------------------------


class MarquiseCraft(Craft, kind="craft"):
    """Craft with workshops, before the first action (ROOT-MARQ-1, ROOT-MARQ-11)."""

    @requires("ROOT-MARQ-11", about=("kind",))
    def before_any_action(t: Table, act: Any) -> Any:
        """After the first action no more crafting this turn."""
        return not act.frame.acting


class SpendBird(Action, kind="spend-bird"):
    """Spend a bird card for one more action (ROOT-MARQ-12)."""

    card = hand_pick("ROOT-MARQ-12")

    @requires("ROOT-MARQ-12", "card")
    def is_a_bird(t: Table, act: Any) -> Any:
        """Only bird cards do."""
        return is_a_bird(t, act)

    def resolve(self, t: Table) -> Control:
        """One more action; this is the acting part of Daylight."""
        f: MarquiseDaylight = self.frame
        spend(t, "ROOT-MARQ-12", self.actor, self.card)
        f.left, f.acting = f.left + 1, True
        t.tell("more-actions", "ROOT-MARQ-12", {"seat": self.actor, "left": f.left})
        return None


class MarquiseBattle(StartBattle, kind="battle"):
    """A battle (ROOT-MARQ-13)."""

    has_an_action = an_action()

    def resolve(self, t: Table) -> Control:
        """It costs an action."""
        act_once(self.frame)
        return super().resolve(t)


class March(Frame, kw_only=True):
    """One or two moves, one after the other (ROOT-MARQ-14)."""

    seat: Public[SeatRef]


class MarchMove(Move, kind="move"):
    """A move of a march."""

    because = "ROOT-MARQ-14"


class StartMarch(Action, kind="march"):
    """Begin a march."""

    has_an_action = an_action()

    @requires("ROOT-MARQ-14", about=("kind",))
    def can_move_at_all(t: Table, act: Any) -> Any:
        """There is a move to make."""
        return can_move(t, MarchMove, March(seat=act.actor), act.actor)

    def resolve(self, t: Table) -> Control:
        """The moves follow."""
        act_once(self.frame)
        return March(seat=self.actor)


class Recruit(Action, kind="recruit"):
    """A warrior at each recruiter, once a turn (ROOT-MARQ-15)."""

    has_an_action = an_action()

    @requires("ROOT-MARQ-15", about=("kind",))
    def not_yet(t: Table, act: Any) -> Any:
        """Once a turn."""
        return not act.frame.recruited or no(times=1)

    @requires("ROOT-MARQ-15", about=("kind",))
    def has_a_recruiter(t: Table, act: Any) -> Any:
        """There is a recruiter on the map."""
        return on_map(t, "recruiter") > 0 or no(recruiters=0)

    def resolve(self, t: Table) -> Control:
        """Where there are too few warriors she chooses the recruiters."""
        f: MarquiseDaylight = self.frame
        act_once(f)
        f.recruited = True
        return Recruiting(seat=self.actor)


class Recruiting(Frame, kw_only=True):
    """Warriors come to the recruiters."""

    seat: Public[SeatRef]


def short_of_warriors(t: Table, f: Recruiting) -> str | None:
    """The Marquise, where there are some warriors, but not enough for every recruiter."""
    return (
        f.seat
        if 0 < in_supply(t, f.seat, WARRIOR) < sum(where_open(t, f.seat, "recruiter").values())
        else None
    )


def recruit_everywhere(t: Table, f: Recruiting) -> Control:
    """A warrior at each recruiter, where that needs no choice."""
    if short_of_warriors(t, f) is not None:
        return None
    if in_supply(t, f.seat, WARRIOR):
        put_at_each(t, "ROOT-MARQ-15", f.seat, WARRIOR, where_open(t, f.seat, "recruiter"))
    return DONE


class PlaceRecruits(Action, kind="place-recruits"):
    """Choose the recruiters that get a warrior, where these are short."""

    recruiters = Split(
        "ROOT-DEC-14",
        lambda t, act: in_supply(t, act.actor, WARRIOR),
        lambda t, act: where_open(t, act.actor, "recruiter"),
    )

    def resolve(self, t: Table) -> Control:
        """One warrior each."""
        put_at_each(t, "ROOT-MARQ-15", self.actor, WARRIOR, self.recruiters)
        return None


# -- Evening (ROOT-MARQ-20) ---------------------------------------------------------------------------------------


class MarquiseEvening(Frame, kw_only=True):
    """The Marquise's Evening: she draws and discards."""

    seat: Public[SeatRef]


def draw_cards(t: Table, f: MarquiseEvening) -> Control:
    """One card, and the bonus of the recruiter track."""
    return Draw(seat=f.seat, left=1 + cards_uncovered(t, "recruiter"), because="ROOT-MARQ-20")


def keep_five(t: Table, f: MarquiseEvening) -> Control:
    """Down to the hand limit."""
    return HandLimit(seat=f.seat)


FACTION = Faction(
    MARQUISE,
    setup=MarquiseSetup,
    birdsong=MarquiseBirdsong,
    daylight=MarquiseDaylight,
    evening=MarquiseEvening,
    crafting=crafters("workshop"),
    more=(March, Recruiting),
)
ACTIONS = (MarquiseCraft, MarquiseBattle, StartMarch, Recruit, Build, Overwork, SpendBird, EndPhase)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        MarquiseBirdsong,
        place_wood,
        prompt("wood", short_of_wood, (PlaceWood,), "ROOT-MARQ-10"),
    )
    rules.procedure(
        MarquiseDaylight,
        count_actions,
        prompt("act", its_seat, ACTIONS, "ROOT-MARQ-12", again=True, gap=True),
        may_call={"act": (Battle, March, Recruiting, Removal)},
    )
    rules.procedure(
        March,
        prompt("first-move", its_seat, (MarchMove,), "ROOT-MARQ-14"),
        prompt("second-move", its_seat, (MarchMove, Stop), "ROOT-MARQ-14"),
        may_call={"first-move": plugs.after_move, "second-move": plugs.after_move},
    )
    rules.procedure(
        Recruiting,
        recruit_everywhere,
        prompt("recruits", short_of_warriors, (PlaceRecruits,), "ROOT-MARQ-15"),
    )
    rules.procedure(
        MarquiseEvening,
        draw_cards,
        keep_five,
        may_call={"draw-cards": (Draw,), "keep-five": (HandLimit,)},
    )
