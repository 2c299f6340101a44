"""Reasons why a table cannot be as it is while the factions set up (ROOT-SETUP-3 to -8); factions add their own.

Nothing has been scored, crafted, discarded or explored by then, and each has the pieces that its set-up placed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.root.v1.cards import Draw, hand_size, has_no_hand
from service.games.root.v1.components import first_answer, in_turn_order
from service.games.root.v1.figures import PRINTED, figures, pieces_of
from service.games.root.v1.modes import head_start
from service.games.root.v1.state import Game, Player

RUINS = frozenset(c.id for c in PRINTED.clearings.values() if c.ruin)
BEFORE_PLAY = ("deal", "seat", "deal-hands", "set-up")


def before_play(t: Table) -> bool:
    """Whether the first turn is still to come."""
    game = t.frames[0] if t.frames else None
    return isinstance(game, Game) and game.step in BEFORE_PLAY


def is_to_set_up(t: Table, seat: str) -> bool:
    """Whether a seat's turn to set up has not come: factions, seats or hands are dealt, or others set up."""
    game = t.frames[0] if t.frames else None
    return isinstance(game, Game) and (game.step in BEFORE_PLAY[:3] or seat in game.waiting)


def has_just_set_up(t: Table, seat: str) -> bool:
    """Whether a seat has set up, and others do so still: what its set-up placed is all there is of it."""
    setting_up = len(t.frames) > 1 and getattr(t.frames[1], "seat", None) == seat
    return before_play(t) and not is_to_set_up(t, seat) and not setting_up


def setup_problems(t: Table) -> Iterator[Problem]:
    """What there is of players and piles before play."""
    if not before_play(t):
        return
    for seat, p in t.board.seats.items():
        yield from _nothing_yet(t, seat, p)
        yield from _pieces(t, seat, p)
    yield from _hands(t)
    for pile, rule in (
        ("discard", "ROOT-SETUP-4"),
        ("available", "ROOT-SETUP-4"),
        ("item_box", "ROOT-SETUP-6"),
        ("unearthed", "ROOT-SETUP-12"),
        ("scorched", "ROOT-SETUP-12"),
    ):
        if getattr(t.board, pile):
            yield Problem(f"/table/{pile}", say("nothing lies here before play begins"), rule)
    if not RUINS.issubset(t.board.ruins):
        yield Problem("/table/ruins", say("all ruins stand until play begins"), "ROOT-SETUP-5")


def _nothing_yet(t: Table, seat: str, p: Player) -> Iterator[Problem]:
    """No points, nothing crafted, no dominance; no items but those that a faction has from its set-up.

    A campaign begins with more (ROOT-CAMP-1, ROOT-CAMP-3).
    """
    at = f"/table/seats/{seat}"
    if p.score and p.score != head_start(figures(t), t.options, p.faction):
        yield Problem(f"{at}/score", say("nobody has points before play begins"), "ROOT-SETUP-3")
    if p.crafted != p.kept:
        message = say("nothing lies here before play begins but what was kept")
        yield Problem(f"{at}/crafted", message, "ROOT-CAMP-3" if p.kept else "ROOT-SETUP-4")
    for place, rule in (
        ("reached", "ROOT-COOP-3"),
        ("dominance", "ROOT-SETUP-4"),
        ("spies", "ROOT-SETUP-4"),
        ("items", "ROOT-SETUP-6"),
    ):
        if getattr(p, place) and first_answer(t, "has-at-setup", seat, place) is None:
            yield Problem(f"{at}/{place}", say("nothing lies here before play begins"), rule)


def _pieces(t: Table, seat: str, p: Player) -> Iterator[Problem]:
    """Who has still to set up has no piece on the map."""
    if p.faction is None or not is_to_set_up(t, seat):
        return
    own = pieces_of(p.faction)
    for clearing, here in t.board.map.items():
        for piece in own:
            if piece in here:
                message = say("{seat} is still to set up", seat=seat)
                yield Problem(f"/table/map/{clearing}/{piece}", message, "ROOT-SETUP-7")


def _hands(t: Table) -> Iterator[Problem]:
    """Everybody's hand is what has been dealt of it; nobody has played a card (ROOT-SETUP-4, ROOT-SETUP-8)."""
    deals: list[Any] = [f for f in t.frames if getattr(f, "because", None) == "ROOT-SETUP-4"]
    for f, seat in zip(deals, reversed(in_turn_order(t)), strict=False):  # who is dealt last stands lowest
        if f.seat != seat:
            at = f"/stack/{t.index(f)}/seat"
            yield Problem(at, say("hands are dealt in turn order"), "ROOT-SETUP-4")
    dealt = t.frames[0].step == "set-up"
    left = {f.seat: f.left for f in deals if isinstance(f, Draw)}
    for seat in t.seats:
        due = (
            figures(t).table["starting-hand"] - left.get(seat, 0) if dealt and not has_no_hand(t, seat) else 0
        )
        n = hand_size(t, seat)
        if n != due and (n > due or t.board.deck.size):
            message = say("{seat} has {n} cards in hand; {due} are dealt", seat=seat, n=n, due=due)
            yield Problem(f"/table/seats/{seat}/hand", message, "ROOT-SETUP-4")
