"""Chapter 16, a Vagabond's turn: refresh and slip, actions, rest and drawing (ROOT-VAG-10, -20, -70 to -72)."""

from __future__ import annotations

from service.engine.action import Action
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.domain import Split
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import EndPhase, Pass
from service.games.root.v1.cards import Draw, HandLimit
from service.games.root.v1.components import Faction, Plugs
from service.games.root.v1.figures import PRINTED, REFERENCES, figures, kind_of
from service.games.root.v1.state import Amount, Battle, FactionId
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.vagabond import pawn_of
from service.games.root.v1.vagabond_aid import Aid, Gift
from service.games.root.v1.vagabond_battle import VagabondBattle
from service.games.root.v1.vagabond_coalition import FormCoalition
from service.games.root.v1.vagabond_deeds import CALLED as DEEDS_CALL
from service.games.root.v1.vagabond_deeds import DoQuest, Repair, Strike, VagabondCraft
from service.games.root.v1.vagabond_items import (
    EXHAUSTED,
    VAGABOND,
    at_spot,
    count_kind,
    each,
    items_in,
    place_for,
    references_in,
    refresh,
    room_on_track,
    shift,
    up_to_all,
)
from service.games.root.v1.vagabond_move import MoveWithAlly, Slip, VagabondMove
from service.games.root.v1.vagabond_ruins import Explore, Exploring
from service.games.root.v1.vagabond_setup import VagabondSetup
from service.games.root.v1.vagabond_specials import CALLED as SPECIALS_CALL
from service.games.root.v1.vagabond_specials import SPECIALS

LIMITED = ("satchel-up", "satchel-down", "damaged-up", "damaged-down")  # what the limit of items counts

# -- Birdsong (ROOT-VAG-10, ROOT-VAG-11) --------------------------------------------------------------------------


class VagabondBirdsong(Frame, kw_only=True):
    """A Vagabond's Birdsong. `refreshes`: how many items he may refresh, by the tea on its track."""

    seat: Public[SeatRef]
    refreshes: Public[Amount] = 0


def count_tea(t: Table, f: VagabondBirdsong) -> Control:
    """Three, and two more for each tea on its track (ROOT-VAG-10, ROOT-VAG-4); without a choice it is done at once."""
    tea = count_kind(t, f.seat, "tea", "track")
    f.refreshes = figures(t).table["refresh"] + figures(t).table["refresh-per-tea"] * tea
    exhausted = references_in(t, f.seat, *EXHAUSTED)
    if sum(exhausted.values()) <= f.refreshes or (len(exhausted) < 2 and not has_tea_to_lay(t, f.seat)):
        some = list(each(exhausted))[: f.refreshes]
        for ref in some:
            refresh(t, "ROOT-VAG-10", f.seat, ref)
        f.refreshes = 0
    return None


def has_tea_to_lay(t: Table, seat: str) -> bool:
    """Whether he could put tea on its track first, and refresh more (ROOT-VAG-3)."""
    ready = items_in(t, seat, "satchel-up")
    return any(kind_of(item) == "tea" and room_on_track(t, seat, item) for item in ready)


def count_again(t: Table, seat: str) -> None:
    """Tea that comes to its track, or leaves it, before he refreshes counts as it lies then."""
    f: VagabondBirdsong | None = t.frame(VagabondBirdsong)
    if f is not None and f.refreshes:
        count_tea(t, f)


class Refresh(Action, kind="refresh"):
    """Choose which exhausted items turn face up; damaged ones may (ROOT-R-VAG-1)."""

    items = Split(
        "ROOT-VAG-10",
        up_to_all(lambda t, act: int(act.frame.refreshes), *EXHAUSTED),
        lambda t, act: references_in(t, act.actor, *EXHAUSTED),
    )

    def resolve(self, t: Table) -> Control:
        """Face up again."""
        for ref in each(self.items):
            refresh(t, "ROOT-VAG-10", self.actor, ref)
        self.frame.refreshes = 0
        return None


# -- Daylight (ROOT-VAG-20) ---------------------------------------------------------------------------------------


class VagabondDaylight(Frame, kw_only=True):
    """A Vagabond's Daylight. `aids`: how often each faction was aided this turn towards the next step (ROOT-VAG-51)."""

    seat: Public[SeatRef]
    aids: Public[dict[FactionId, Amount]] = {}


ACTIONS = (
    VagabondMove, MoveWithAlly, VagabondBattle, Explore, Aid, DoQuest, Strike, Repair, VagabondCraft, *SPECIALS,
    FormCoalition, EndPhase,
)  # fmt: skip


# -- Evening ------------------------------------------------------------------------------------------------------


class VagabondEvening(Frame, kw_only=True):
    """A Vagabond's Evening: he rests, draws, and keeps what he can carry."""

    seat: Public[SeatRef]


def rest(t: Table, f: VagabondEvening) -> Control:
    """In a forest all damaged items are repaired and turned face up (ROOT-VAG-70)."""
    if pawn_of(t, f.seat) not in PRINTED.forests:
        return None
    for ref in each(references_in(t, f.seat, "damaged-up", "damaged-down")):
        spot, item = REFERENCES[ref]
        shift(t, "ROOT-VAG-70", f.seat, item, spot, place_for(t, f.seat, item))
    return None


def draw_cards(t: Table, f: VagabondEvening) -> Control:
    """One card, and one for each coin on its track (ROOT-VAG-71)."""
    return Draw(seat=f.seat, left=1 + count_kind(t, f.seat, "coin", "track"), because="ROOT-VAG-71")


def keep_five(t: Table, f: VagabondEvening) -> Control:
    """Down to the hand limit (ROOT-VAG-71)."""
    return HandLimit(seat=f.seat)


def too_many(t: Table, seat: str) -> int:
    """How many items in satchel and damaged box are above the limit: six, and two for each bag on its track."""
    bags = count_kind(t, seat, "bag", "track")
    limit = figures(t).table["item-limit"] + figures(t).table["item-limit-per-bag"] * bags
    return max(0, sum(references_in(t, seat, *LIMITED).values()) - int(limit))


class DiscardItems(Action, kind="discard-items"):
    """Choose which items leave the game (ROOT-VAG-72)."""

    items = Split(
        "ROOT-VAG-72",
        lambda t, act: too_many(t, act.actor),
        lambda t, act: references_in(t, act.actor, *LIMITED),
    )

    def resolve(self, t: Table) -> Control:
        """They do not come back."""
        for ref in each(self.items):
            spot, item = REFERENCES[ref]
            t.moved("ROOT-VAG-72", {item: 1}, at_spot(self.actor, spot), ("item_box",))
        return None


FACTION = Faction(
    VAGABOND,
    setup=VagabondSetup,
    birdsong=VagabondBirdsong,
    daylight=VagabondDaylight,
    evening=VagabondEvening,
    more=(Exploring, Gift),
)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        VagabondBirdsong,
        count_tea,
        prompt("refresh", lambda t, f: f.seat if f.refreshes else None, (Refresh,), "ROOT-VAG-10", gap=True),
        prompt("slip", its_seat, (Slip, Pass), "ROOT-VAG-11", again=True, gap=True),
    )
    rules.procedure(
        VagabondDaylight,
        prompt("act", its_seat, ACTIONS, "ROOT-VAG-20", again=True, gap=True),
        may_call={"act": (Battle, Exploring, Gift, *DEEDS_CALL, *SPECIALS_CALL, *plugs.after_move)},
    )
    rules.procedure(
        VagabondEvening,
        rest,
        draw_cards,
        keep_five,
        prompt(
            "items",
            lambda t, f: f.seat if too_many(t, f.seat) else None,
            (DiscardItems,),
            "ROOT-VAG-72",
            again=True,
            gap=True,
        ),
        may_call={"draw-cards": (Draw,), "keep-five": (HandLimit,)},
    )
