"""How the prudent player plays the Alliance: revolts first, sympathy where it is cheap, officers, then organizing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from service.engine.action import Action
from service.engine.table import Table
from service.games.root.v1.alliance import (
    SYMPATHY,
    bases_on_map,
    is_full,
    is_sympathetic,
    next_token,
    officers,
    stack_size,
    supporters,
    sympathetic,
)
from service.games.root.v1.alliance_evening import OperationMove, Organize, RecruitAtBase
from service.games.root.v1.alliance_reactions import DiscardSupporters, PayOutrage, too_many
from service.games.root.v1.alliance_turn import Mobilize, Revolt, Spread, Train
from service.games.root.v1.components import player
from service.games.root.v1.crafting import enemy_pieces
from service.games.root.v1.figures import BIRD, PRINTED, figures, matches, suit_of, suit_of_clearing
from service.games.root.v1.woodland import closed_by, count_in, warriors

NEVER = -1
ENOUGH_OFFICERS = 4
ENOUGH_SUPPORTERS = 8


def card_worth(t: Table, card: str) -> int:
    """What a card is worth in the hand: points, then lasting effects, then that a bird is every suit."""
    printed = figures(t).cards[card]
    return 3 * printed.points + 2 * (printed.kind != "item") + 2 * (suit_of(card) == BIRD)


# -- Birdsong -----------------------------------------------------------------------------------------------------


def worth_of_revolt(t: Table, act: Any) -> int:
    """Always worth it: most where many buildings and tokens fall and many warriors come."""
    swept = enemy_pieces(t, act.actor, act.clearing)
    fallen = sum(n for piece, n in swept.items() if PRINTED.pieces[piece].kind != "warrior")
    return 100 + 10 * fallen + 3 * len(sympathetic(t, suit_of_clearing(act.clearing)))


def worth_of_spread(t: Table, act: Any) -> int:
    """Points of the space against supporters; better where a base could follow."""
    points = figures(t).pieces[SYMPATHY].points[next_token(t) - 1]
    base_to_come = suit_of_clearing(act.clearing) not in bases_on_map(t)
    return 12 + 10 * points - 6 * int(act.cost) + 3 * base_to_come


# -- Daylight -----------------------------------------------------------------------------------------------------


def worth_of_mobilizing(t: Table, act: Any) -> int:
    """As long as supporters are wanted, the cards that are worth least in the hand."""
    if is_full(t, act.actor) or stack_size(t, act.actor) >= ENOUGH_SUPPORTERS:
        return NEVER
    return 12 - card_worth(t, act.card)


def worth_of_training(t: Table, act: Any) -> int:
    """A few officers, for cards that are worth little."""
    return 20 - card_worth(t, act.card) if officers(t, act.actor) < ENOUGH_OFFICERS else NEVER


# -- Evening ------------------------------------------------------------------------------------------------------


def is_garrison(t: Table, seat: str, clearing: str) -> bool:
    """Whether the only warrior of a base stands there."""
    return count_in(t, seat, clearing, "building") > 0 and warriors(t, seat, clearing) == 1


def worth_of_organizing(t: Table, act: Any) -> int:
    """The points of the space, unless a base would stand alone."""
    points = figures(t).pieces[SYMPATHY].points[next_token(t) - 1]
    return NEVER if is_garrison(t, act.actor, act.clearing) else 5 + 10 * points


def worth_of_recruiting(t: Table, act: Any) -> int:
    """Where fewest stand."""
    return max(1, 4 - warriors(t, act.actor, act.clearing))


def could_organize(t: Table, seat: str, clearing: str) -> bool:
    """Whether a warrior there could become sympathy."""
    left = SYMPATHY in player(t, seat).supply
    return left and not is_sympathetic(t, clearing) and closed_by(t, seat, clearing) is None


def worth_of_moving(t: Table, act: Any) -> int:
    """From where a warrior can be spared to where it can organize with the next operation."""
    spare = not is_garrison(t, act.actor, act.from_) and not could_organize(t, act.actor, act.from_)
    return 6 if spare and act.frame.left > 1 and could_organize(t, act.actor, act.to) else NEVER


WORTH: Mapping[type[Action], Callable[[Table, Any], int]] = {
    Revolt: worth_of_revolt,
    Spread: worth_of_spread,
    Mobilize: worth_of_mobilizing,
    Train: worth_of_training,
    Organize: worth_of_organizing,
    RecruitAtBase: worth_of_recruiting,
    OperationMove: worth_of_moving,
    PayOutrage: lambda t, act: 100 - card_worth(t, act.card),  # whoever pays it
}


def worth(t: Table, act: Action) -> int | None:
    """The worth of an action of the Alliance, or of one that it makes others take."""
    fn = WORTH.get(type(act))
    return None if fn is None else fn(t, act)


# -- which supporters ---------------------------------------------------------------------------------------------


def least_wanted(t: Table, seat: str, suit: str | None, n: int) -> dict[str, int]:
    """So many supporters (of a suit), birds last."""
    held = supporters(t, seat)
    cards = [c for c in sorted(held) for _ in range(held[c]) if suit is None or matches(c, suit)]
    chosen: dict[str, int] = {}
    for card in sorted(cards, key=lambda c: suit_of(c) == BIRD)[:n]:
        chosen[card] = chosen.get(card, 0) + 1
    return chosen


def filled_in(t: Table, act: Any) -> Action | None:
    """Supporters are chosen so that birds remain; one warrior is enough to organize."""
    if isinstance(act, Revolt | Spread):
        suit = suit_of_clearing(act.clearing)
        n = figures(t).table["revolt-supporters"] if isinstance(act, Revolt) else act.cost
        return act.extended("supporters", least_wanted(t, act.actor, suit, n))
    if isinstance(act, DiscardSupporters):
        return act.extended("cards", least_wanted(t, act.actor, None, too_many(t, act.actor)))
    return act.extended("warriors", 1) if isinstance(act, OperationMove) else None
