"""Chapter 21, the campaign: what won games leave for those that follow (ROOT-CAMP-1 to ROOT-CAMP-6)."""

from __future__ import annotations

from typing import Annotated, Any

from service.engine.action import Action, no, requires
from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import Control
from service.engine.domain import Pick
from service.engine.frames import Ask, Frame
from service.engine.ruleset import Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs, in_turn_order, player
from service.games.root.v1.decisions import OCCASIONS
from service.games.root.v1.figures import PERSISTENT
from service.games.root.v1.modes import goes_on, humans, opponents, wins_of


def tell_start(t: Table) -> None:
    """Say what the games won before have left: points of the opponent, cards of the others (ROOT-CAMP-1, -3)."""
    if not wins_of(t):
        return
    for seat in opponents(t):
        t.tell("head-start", "ROOT-CAMP-1", {"seat": seat, "n": player(t, seat).score, "wins": wins_of(t)})
    for seat in humans(t):
        if kept := player(t, seat).kept:
            t.tell("kept-cards", "ROOT-CAMP-3", {"seat": seat, "what": dict.fromkeys(kept, 1)})


class Keeping(Frame, kw_only=True):
    """After a win each human may keep one crafted card more. `waiting`: who has not said which."""

    waiting: Annotated[Public[list[SeatRef]], Distinct("ROOT-CAMP-2")]


def new_cards(t: Table, seat: str) -> list[str]:
    """The cards of a play area that were not kept from games before (ROOT-CAMP-3)."""
    return [card for card in player(t, seat).crafted if card not in player(t, seat).kept]


def keepers(t: Table) -> list[str]:
    """Who may keep a card more, if the campaign goes on (ROOT-CAMP-4)."""
    return [s for s in in_turn_order(t) if s in humans(t) and new_cards(t, s)] if goes_on(t) else []


class KeepCard(Action, kind="keep-card"):
    """Keep a crafted card for the next game (ROOT-CAMP-3)."""

    card = Pick("ROOT-CAMP-3", lambda t, actor: sorted(player(t, actor).crafted), vocabulary=PERSISTENT)

    @requires("ROOT-CAMP-3", "card")
    def is_new(t: Table, act: Any) -> Any:
        """One besides those that were kept already."""
        return act.card not in player(t, act.actor).kept or no(card=act.card)

    def resolve(self, t: Table) -> Control:
        """It lies where it lies; the next game begins with it."""
        t.set("ROOT-CAMP-3", [*player(t, self.actor).kept, self.card], "seats", self.actor, "kept")
        return answered(self)


class KeepNone(Action, kind="pass"):
    """Keep no more than what was kept already."""

    def resolve(self, t: Table) -> Control:
        """The others may still answer."""
        return answered(self)


def answered(act: Action) -> Control:
    """A seat has said what it keeps."""
    frame: Keeping = act.frame
    frame.waiting = [s for s in frame.waiting if s != act.actor]
    return None


def has_answered(t: Table, frame: Keeping, seat: str) -> str:
    """What another breaks who wants to keep a card: each human keeps one (ROOT-CAMP-2)."""
    return "ROOT-CAMP-2" if seat in humans(t) else "ROOT-TURN-8"


def lost_when_discarded(t: Table, seat: str, card: str, place: tuple[str, ...]) -> None:
    """A kept card that leaves the play area is lost for the games that follow (ROOT-CAMP-4)."""
    kept = player(t, seat).kept
    if place == ("crafted",) and card in kept:
        t.set("ROOT-CAMP-4", [c for c in kept if c != card], "seats", seat, "kept")


def following(t: Table) -> dict[str, Any] | None:
    """The set-up of the next game after this win: one win more, and what everybody has kept (ROOT-CAMP-1, -2).

    None where no game follows. Factions, names, options and house are those of this game; who answers for chance, and
    for which seats the service plays, is to be wished for anew.
    """
    if not goes_on(t):
        return None
    wished: dict[str, Any] = {
        "seats": [_seat_of(t, i) for i in range(len(t.seats))],
        "options": {**t.options, "wins": wins_of(t) + 1},
    }
    return {**wished, "house": t.state.house} if t.state.house else wished


def _seat_of(t: Table, i: int) -> dict[str, Any]:
    seat = t.state.seats[i]
    p = player(t, seat.id)
    wished: dict[str, Any] = {"id": seat.id, "faction": p.faction}
    wished |= {"name": seat.name} if seat.name else {}
    return {**wished, "kept": list(p.kept)} if p.kept else wished


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.procedure(
        Keeping,
        Ask(
            "keep",
            lambda t, f: f.waiting,
            takes=(KeepCard, KeepNone),
            rule="ROOT-TURN-6",
            wrong=has_answered,
            again=True,
            because="ROOT-CAMP-3",
            also=OCCASIONS,
        ),
    )
