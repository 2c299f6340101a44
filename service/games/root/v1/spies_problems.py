"""Reasons why spies cannot lie, or have been used, as a table shows them; and who can know an order."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.aside import places
from service.engine.frames import WAITING
from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.components import Plugs, player
from service.games.root.v1.figures import SPIES, suit_of
from service.games.root.v1.mechanical import is_mechanical, row_of, who_is_mechanical
from service.games.root.v1.spies import Spying, gives_away, order_row, used
from service.games.root.v1.state import Turn


def of_the_spies(t: Table) -> Iterator[Problem]:
    """Who plays spies, and what lies with them."""
    for seat, p in t.board.seats.items():
        for i, card in enumerate(p.spies):
            at = f"/table/seats/{seat}/spies/{i}"
            if card not in SPIES:
                yield Problem(at, say("{card} is no spy", card=card), "ROOT-SPY-2")
            elif is_mechanical(t, seat):
                yield Problem(at, say("{seat} plays no cards", seat=seat), "ROOT-BOT-1")


def of_used_spies(t: Table, turn: Turn) -> Iterator[Problem]:
    """A spy that was used this turn came out of a hand: it is neither in the deck nor an order."""
    used = [(i, card) for i, card in enumerate(turn.used) if card in SPIES]
    if not used:
        return
    unseen = t.board.deck.cards()
    orders = [card for card, _, _ in places(order_row(t))]
    for i, card in used:
        if card in unseen or card in orders:
            message = say("{card} cannot have been used", card=card)
            yield Problem(f"/stack/{t.index(turn)}/used/{i}", message, "ROOT-SPY-5")


def of_the_orders(t: Table) -> Iterator[Problem]:
    """What an order is is decided when somebody sees it, and not before (ROOT-INFO-7)."""
    bot = who_is_mechanical(t)
    for n, (card, _, known_to) in enumerate(places(order_row(t)), 1):
        if card is not None and known_to is not None and not known_to:
            message = say("nobody knows order {n}, so nothing has decided what it is", n=n)
            yield Problem("/table/" + "/".join(row_of(str(bot))), message, "ROOT-INFO-7")


def of_spying(t: Table) -> Iterator[Problem]:
    """A look is that of a spy in play, used for it, at an order that is there; what it saw is known to its owner."""
    for i, f in enumerate(t.frames):
        if isinstance(f, Spying) and f.step != WAITING:
            yield from _spying(t, f, f"/stack/{i}")


def _spying(t: Table, f: Spying, at: str) -> Iterator[Problem]:
    turn: Turn | None = t.frame(Turn)
    if turn is not None and turn.seat != f.seat:
        yield Problem(f"{at}/seat", say("it is the turn of {seat}", seat=turn.seat), "ROOT-GEN-9")
    if f.spy not in player(t, f.seat).spies:
        message = say("{seat} has no such spy in play: {card}", seat=f.seat, card=f.spy)
        yield Problem(f"{at}/spy", message, "ROOT-SPY-5")
    if f.spy not in used(t):
        yield Problem(f"{at}/spy", say("{card} has not been used this turn", card=f.spy), "ROOT-SPY-5")
    if f.position > (n := order_row(t).size):
        yield Problem(f"{at}/position", say("there are {n} orders", n=n), "ROOT-SPY-5")
    elif f.step == "swap":
        yield from _seen(t, f, at)


def _seen(t: Table, f: Spying, at: str) -> Iterator[Problem]:
    """He has seen the order, and it is not of the suit that would have cost him the spy."""
    card, _, known_to = places(order_row(t))[f.position - 1]
    if card is None or f.seat not in (known_to or ()):
        yield Problem(
            f"{at}/position", say("{seat} does not know order {n}", seat=f.seat, n=f.position), "ROOT-SPY-5"
        )
    elif gives_away(f.spy, card):
        message = say(
            "the order has the suit of the spy, which would have been discarded: {suit}", suit=suit_of(card)
        )
        yield Problem(f"{at}/spy", message, "ROOT-SPY-6")


def spies_problems(t: Table) -> Iterator[Problem]:
    """Spies in play areas, spies used this turn, orders, and looks at orders."""
    yield from of_the_spies(t)
    turn: Turn | None = t.frame(Turn)
    if turn is not None and turn.used:
        yield from of_used_spies(t, turn)
    if order_row(t).segments:
        yield from of_the_orders(t)
    if t.frame(Spying) is not None:
        yield from of_spying(t)


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the search."""
    rules.check(spies_problems)
