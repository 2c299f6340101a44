"""How the prudent player uses spies: he plays them, looks at what comes next, and puts off what would hurt him most."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from service.engine.table import Table
from service.games.root.v1.figures import BIRD, CLEARINGS, SUITS, suit_of, suit_of_clearing
from service.games.root.v1.mechanical import who_is_mechanical
from service.games.root.v1.prudent import Worth
from service.games.root.v1.spies import order_row
from service.games.root.v1.woodland import count_in, warriors

NEXT_ORDER = 1


def known(t: Table, seat: str) -> dict[int, str]:
    """The orders that a player knows, by position."""
    return {
        above + n: card
        for above, cards in order_row(t).runs_known_by(seat)
        for n, card in enumerate(cards, 1)
    }


def harm(t: Table, seat: str, suit: str) -> float:
    """How much an order of a suit would hurt: a player's pieces where it would have its warriors fight."""
    bot = str(who_is_mechanical(t))
    named = [c for c in CLEARINGS if suit in (BIRD, suit_of_clearing(c))]
    return float(sum(count_in(t, seat, c) for c in named if warriors(t, bot, c)))


def harm_at(t: Table, seat: str, position: int) -> float:
    """The same of the order at a position; of one that he does not know, what is to be expected."""
    card = known(t, seat).get(position)
    suits = SUITS if card is None else (suit_of(card),)
    return sum(harm(t, seat, suit) for suit in suits) / len(suits)


def worth_of_look(t: Table, act: Any) -> float:
    """The sooner an order comes the better, and each but once."""
    return -1 if act.position in known(t, act.actor) else 3 - act.position / 10


def worth_of_swap(t: Table, act: Any) -> float:
    """What comes next is to hurt less."""
    if NEXT_ORDER not in (act.i, act.j):
        return -1
    later = act.j if act.i == NEXT_ORDER else act.i
    return harm_at(t, act.actor, NEXT_ORDER) - harm_at(t, act.actor, later)


WORTH: Mapping[str, Worth] = {
    "play-spy": lambda t, act: 15.0,
    "use-spy": worth_of_look,
    "swap": worth_of_swap,
}


def worth(t: Table, act: Any) -> float | None:
    """The worth of an action of these kinds; None for all others."""
    found = WORTH.get(act.kind)
    return None if found is None else found(t, act)
