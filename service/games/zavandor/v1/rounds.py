"""Chapter 3, the round: turn order, refill, income, and the frame of a whole round (ZAV-ROUND, -ORDER, -REFILL)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

from service.engine.action import ChanceAction
from service.engine.audience import Distinct, Public, SeatRef
from service.engine.control import DONE, END, Control, calls, goto
from service.engine.domain import Pick
from service.engine.frames import Ask, Each, Frame
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games.zavandor.v1.components import DrawEnergy, in_order, living, player
from service.games.zavandor.v1.figures import ARTIFACTS, figures
from service.games.zavandor.v1.hand_limit import HandLimit
from service.games.zavandor.v1.income import income_of
from service.games.zavandor.v1.scoring import end_of_game, score_all
from service.games.zavandor.v1.state import Player, Round, Turn


class TurnOrder(Frame, kw_only=True):
    """Phase 1: the position cards being dealt; `order`: those that have one, I first."""

    order: Annotated[Public[list[SeatRef]], Distinct("ZAV-ORDER-2")] = []


class Refill(Frame, kw_only=True):
    """Artifacts being turned up."""

    because: Public[str] = "ZAV-REFILL-1"


# -- phase 1 ----------------------------------------------------------------------------------------------------


def begin_round(t: Table, f: Round) -> Control:
    """A new round; first of all, energy under position cards goes to its owners (ZAV-ORDER-1)."""
    t.set("ZAV-ROUND-1", t.board.round + 1, "round")
    t.tell("round-begins", "ZAV-ROUND-1", {"round": t.board.round})
    for seat in living(t):
        p = player(t, seat)
        t.moved("ZAV-ORDER-1", p.waiting, ("seats", seat, "waiting"), ("seats", seat, "energy"))
        t.moved(
            "ZAV-ORDER-1", {"dust": p.waiting_dust}, ("seats", seat, "waiting_dust"), ("seats", seat, "dust")
        )
    return None


def fix_order(t: Table, f: Round) -> Control:
    """Phase 1 begins with the turn order (ZAV-ORDER-2)."""
    return TurnOrder()


def gem_vp(t: Table, p: Player) -> int:
    """Victory points from active gems (ZAV-SCORE-1)."""
    return sum(figures(t).gems[g].vp * n for g, n in p.active.items())


def first_group(t: Table, f: TurnOrder) -> list[str]:
    """Of the seats without a position card, those with the most VP, ties by VP from gems (ZAV-ORDER-2, -3)."""
    left = [s for s in living(t) if s not in f.order]
    rank = {s: (player(t, s).vp, gem_vp(t, player(t, s))) for s in left}
    return [s for s in left if rank[s] == max(rank.values())]


def place_the_untied(t: Table, f: TurnOrder) -> Control:
    """Hand out position cards as long as nobody is tied (ZAV-ORDER-2)."""
    while len(group := first_group(t, f)) == 1:
        f.order = [*f.order, group[0]]
    if group:
        return None
    t.set("ZAV-ORDER-2", f.order, "order")
    return DONE


class FirstOfTied(ChanceAction, kind="first-of-tied", rule="ZAV-ORDER-3"):
    """Which of the seats that are still tied comes first."""

    seat = Pick("ZAV-ORDER-3", lambda t, actor: t.seats)

    @classmethod
    def odds(cls, t: Table, frame: TurnOrder) -> Mapping[str, int]:
        """Each of the tied alike."""
        return dict.fromkeys(first_group(t, frame), 1)

    def resolve(self, t: Table) -> Control:
        """The next position card is his."""
        t.tell("tie-broken", "ZAV-ORDER-3", {"seat": self.seat})
        self.frame.order = [*self.frame.order, self.seat]
        return goto("place-the-untied")


def refill(t: Table, f: Round) -> Control:
    """As many artifacts face up as there are players (ZAV-REFILL-1)."""
    return Refill()


def enough_face_up(t: Table, f: Refill) -> Control:
    """Until there are enough, or the deck is empty; nothing is ever removed (ZAV-REFILL-1, ZAV-CURSE-6)."""
    if sum(t.board.display.values()) >= len(living(t)) or not t.board.deck.size:
        return DONE
    return None


class DrawArtifact(ChanceAction, kind="draw-artifact", rule="ZAV-SETUP-8"):
    """Which artifact is turned up."""

    card = Pick("ZAV-SETUP-8", ARTIFACTS)

    @classmethod
    def odds(cls, t: Table, frame: Refill) -> Mapping[str, int]:
        """The artifacts that may lie on top."""
        odds: Mapping[str, int] = t.board.deck.odds()
        return odds

    def resolve(self, t: Table) -> Control:
        """Face up on the display."""
        t.moved(self.frame.because, {self.card: 1}, ("deck",), ("display",))
        return goto("enough-face-up")


# -- phases 2 to 4 ----------------------------------------------------------------------------------------------


def begin_income(t: Table, f: Round) -> Control:
    """Phase 2 in position order (ZAV-INCOME-1)."""
    f.waiting = in_order(t)
    return None


def receive(t: Table, f: Round, seat: str) -> Control:
    """One player's income: dust and concentrated energy at once, then his cards, blue to red (ZAV-INCOME-10)."""
    cards = income_of(t, seat)
    return calls(*(DrawEnergy(seat=seat, colour=c, left=n, because="ZAV-INCOME-3") for c, n in cards.items()))


def begin_turns(t: Table, f: Round) -> Control:
    """Phase 3 in position order (ZAV-ACT-1)."""
    f.waiting = in_order(t)
    return None


def take_turn(t: Table, f: Round, seat: str) -> Control:
    """One player's whole turn; who is out of the game is skipped (ZAV-CURSE-4)."""
    if player(t, seat).out:
        return None
    t.tell("turn-begins", "ZAV-ACT-1", {"seat": seat})
    return Turn(seat=seat)


def check_hands(t: Table, f: Round) -> Control:
    """Phase 4 begins with the hand limit (ZAV-LIMIT-5)."""
    return HandLimit()


def score(t: Table, f: Round) -> Control:
    """New totals on the victory point track (ZAV-SCORE-2)."""
    score_all(t)
    return None


def check_end(t: Table, f: Round) -> Control:
    """Five sentinels sold: the game is over (ZAV-END-1); otherwise a new round begins."""
    return END if end_of_game(t) else DONE


def declare(rules: Ruleset) -> None:
    """Register the chapter."""
    rules.procedure(
        Round,
        begin_round,
        fix_order,
        refill,
        begin_income,
        Each("waiting", receive),
        begin_turns,
        Each("waiting", take_turn),
        check_hands,
        score,
        check_end,
        may_call={
            "fix-order": (TurnOrder,),
            "refill": (Refill,),
            "receive": (DrawEnergy,),
            "take-turn": (Turn,),
            "check-hands": (HandLimit,),
        },
    )
    rules.procedure(
        TurnOrder,
        place_the_untied,
        Ask("tie", lambda t, f: CHANCE, takes=(FirstOfTied,), rule="ZAV-ORDER-3"),
    )
    rules.procedure(
        Refill,
        enough_face_up,
        Ask("draw", lambda t, f: CHANCE, takes=(DrawArtifact,), rule="ZAV-SETUP-8"),
    )
