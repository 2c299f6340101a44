"""Chapter 13, the Marquise de Cat: the keep, Field Hospitals, set-up (ROOT-MARQ-1 to -7, ROOT-SETUP-9)."""

from __future__ import annotations

from typing import Any

from service.engine.action import Action, no, requires
from service.engine.audience import Public, SeatRef
from service.engine.control import Control
from service.engine.frames import Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.answers import Pass
from service.games.root.v1.cards import hand_pick, hand_size, spend
from service.games.root.v1.components import Plugs, owner, player, who_plays
from service.games.root.v1.figures import CLEARINGS, CORNERS, PRINTED, figures, matches, suit_of_clearing
from service.games.root.v1.removal import lost
from service.games.root.v1.state import Amount, ClearingId, Positive, Removal
from service.games.root.v1.turn import its_seat, prompt
from service.games.root.v1.woodland import clearing_pick, may_place, neighbours, open_slots, place, where

MARQUISE = "marquise"
WARRIOR = "marquise-warrior"
KEEP = "keep"
BUILDINGS = ("sawmill", "workshop", "recruiter")


def keep_clearing(t: Table) -> str | None:
    """Where the keep stands; None once it is gone (ROOT-MARQ-4)."""
    return next(iter(where(t, KEEP)), None)


# -- always on ----------------------------------------------------------------------------------------------------


def only_she_places_at_the_keep(t: Table, seat: str, clearing: str) -> str | None:
    """Nobody else places pieces in the keep clearing (ROOT-MARQ-2, ROOT-MARQ-3)."""
    if KEEP not in t.board.map.get(clearing, ()) or clearing != keep_clearing(t):
        return None
    return "ROOT-MARQ-2" if seat != owner(t, KEEP) else None


def her_corner(t: Table) -> list[str]:
    """The corner in which she began, as long as the keep is there."""
    return [clearing for clearing in [keep_clearing(t)] if clearing is not None]


class FieldHospitals(Frame, kw_only=True):
    """Marquise warriors were removed from a clearing by one event; they may be saved (ROOT-MARQ-5)."""

    seat: Public[SeatRef]
    clearing: Public[ClearingId]
    warriors: Public[Positive]


def field_hospitals(t: Table, f: Removal) -> list[Frame]:
    """One chance a clearing, as long as the keep stands after the event (ROOT-MARQ-5 to ROOT-MARQ-7)."""
    seat, keep = who_plays(t, MARQUISE), keep_clearing(t)
    if seat is None or keep is None or not may_place(t, seat, keep):
        return []
    removed = lost(t, f, WARRIOR)
    return [FieldHospitals(seat=seat, clearing=c, warriors=removed[c]) for c in CLEARINGS if c in removed]


class SpendForHospitals(Action, kind="field-hospitals"):
    """Spend a matching card: the warriors go to the keep instead of the supply."""

    card = hand_pick("ROOT-MARQ-5")

    @requires("ROOT-MARQ-5", "card")
    def matches_the_clearing(t: Table, act: Any) -> Any:
        """It matches the clearing that they were removed from."""
        suit = suit_of_clearing(act.frame.clearing)
        return matches(act.card, suit) or no(card=act.card, clearing=act.frame.clearing, suit=suit)

    def resolve(self, t: Table) -> Control:
        """All of them, at once (ROOT-MARQ-6)."""
        f: FieldHospitals = self.frame
        spend(t, "ROOT-MARQ-5", self.actor, self.card)
        place(t, "ROOT-MARQ-5", self.actor, {WARRIOR: f.warriors}, str(keep_clearing(t)))
        return None


# -- set-up (ROOT-SETUP-9) ----------------------------------------------------------------------------------------


class MarquiseSetup(Frame, kw_only=True):
    """The Marquise sets up."""

    seat: Public[SeatRef]


class SetupMarquise(Action, kind="setup-marquise"):
    """Choose the corner of the keep, and where the first three buildings stand."""

    keep = clearing_pick("ROOT-SETUP-9")
    sawmill = clearing_pick("ROOT-SETUP-9")
    workshop = clearing_pick("ROOT-SETUP-9")
    recruiter = clearing_pick("ROOT-SETUP-9")

    @requires("ROOT-SETUP-9", "keep")
    def is_a_corner(t: Table, act: Any) -> Any:
        """One of the four corners."""
        return act.keep in CORNERS or no(clearing=act.keep)

    @requires("ROOT-SETUP-9", "keep", "sawmill")
    def sawmill_near(t: Table, act: Any) -> Any:
        """In the keep clearing or next to it."""
        return near(t, act, act.sawmill)

    @requires("ROOT-SETUP-9", "keep", "workshop")
    def workshop_near(t: Table, act: Any) -> Any:
        """In the keep clearing or next to it."""
        return near(t, act, act.workshop)

    @requires("ROOT-SETUP-9", "keep", "recruiter")
    def recruiter_near(t: Table, act: Any) -> Any:
        """In the keep clearing or next to it."""
        return near(t, act, act.recruiter)

    @requires("ROOT-MAP-7", "sawmill", "workshop", "recruiter")
    def slots_for_all(t: Table, act: Any) -> Any:
        """Each has an open slot."""
        chosen = [act.sawmill, act.workshop, act.recruiter]
        full = next((c for c in chosen if chosen.count(c) > open_slots(t, c)), None)
        return full is None or no(clearing=full)

    def resolve(self, t: Table) -> Control:
        """The keep, the buildings, and a warrior in every clearing but the opposite corner."""
        place(t, "ROOT-SETUP-9", self.actor, {KEEP: 1}, self.keep)
        for building in BUILDINGS:
            place(t, "ROOT-SETUP-9", self.actor, {building: 1}, getattr(self, building))
        for clearing in CLEARINGS:
            if clearing != PRINTED.clearings[self.keep].opposite:
                place(t, "ROOT-SETUP-9", self.actor, {WARRIOR: 1}, clearing)
        return None


def near(t: Table, act: Any, clearing: str) -> Any:
    """Whether a clearing is that of the keep or next to it."""
    return clearing in near_the_keep(t, act.actor, act.keep) or no(clearing=clearing)


def near_the_keep(t: Table, seat: str, keep: str) -> tuple[str, ...]:
    """The keep's clearing and those next to it."""
    return (keep, *neighbours(t, seat, keep))


# -- her Daylight --------------------------------------------------------------------------------------------------


class MarquiseDaylight(Frame, kw_only=True):
    """The Marquise's Daylight. `left`: actions left; `acting`: crafting is over; `recruited`: done once a turn."""

    seat: Public[SeatRef]
    left: Public[Amount] = 0
    acting: Public[bool] = False
    recruited: Public[bool] = False


def count_actions(t: Table, f: MarquiseDaylight) -> Control:
    """So many actions before any bird is spent (ROOT-MARQ-12)."""
    f.left = figures(t).table["marquise-actions"]
    return None


def in_supply(t: Table, seat: str, piece: str) -> int:
    """How many of her pieces are off the map."""
    return player(t, seat).supply.get(piece, 0)


def an_action() -> Any:
    """The requirement that an action is left (ROOT-MARQ-12)."""

    @requires("ROOT-MARQ-12", about=("kind",))
    def has_an_action(t: Table, act: Any) -> Any:
        """Three, and one more for each bird spent."""
        return act.frame.left > 0 or no(left=act.frame.left)

    return has_an_action


def act_once(f: MarquiseDaylight) -> None:
    """One action less; crafting is over (ROOT-MARQ-11)."""
    f.left, f.acting = f.left - 1, True


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        FieldHospitals,
        prompt(
            "hospitals",
            lambda t, f: f.seat if hand_size(t, f.seat) else None,
            (SpendForHospitals, Pass),
            "ROOT-MARQ-5",
            skipped="ROOT-MARQ-5",
        ),
    )
    rules.procedure(MarquiseSetup, prompt("set-up", its_seat, (SetupMarquise,), "ROOT-SETUP-9"))
