"""Chapter 5, cards that change hands: what is given to a player, and what is taken from one (ROOT-BOT-2, ROOT-BOT-3).

Where a player has no hand other rules say what becomes of it, at the points `received` and `taken`.
"""

from __future__ import annotations

from service.engine.frames import Frame
from service.engine.table import Table
from service.games.root.v1.cards import TakeRandomCard, hand_at, hand_size, has_no_hand, is_received
from service.games.root.v1.components import first_answer


def give(t: Table, because: str, card: str, source: tuple[str, ...], seat: str) -> None:
    """A card is given to a player: it comes into his hand, unless a rule says what becomes of it."""
    if not is_received(t, because, card, source, seat):
        t.moved(because, {card: 1}, source, hand_at(t, seat))


def gives_a_card(t: Table, seat: str) -> bool:
    """Whether a card can be taken from a player, as everyone sees: he holds one, or has no hand at all (ROOT-BOT-2)."""
    return hand_size(t, seat) > 0 or has_no_hand(t, seat)


def take_a_card(t: Table, because: str, seat: str, source: str) -> Frame:
    """A player takes a random card from another's hand, unless a rule says what he takes instead (hook `taken`)."""
    instead: Frame | None = first_answer(t, "taken", because, seat, source)
    return instead or TakeRandomCard(seat=seat, source=source, because=because)
