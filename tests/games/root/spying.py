"""Spies in tests: a table with the Mechanical Marquise, somebody's Daylight, and looks at its orders."""

from __future__ import annotations

from typing import Any

from service.engine.aside import places
from service.engine.flow import advance
from service.engine.view import view
from service.games.root.v1.setup import Game as Root
from service.games.root.v1.state import Turn
from tests.games.root.robot import BOT, FOX, OWL, against
from tests.games.root.table import AT, Game, game

HOME = {"1": {"keep": 1, "marquise-warrior": 4}, "3": {"roost": 1, "eyrie-warrior": 4}}
SPIES = ("spy-fox", "spy-rabbit", "spy-mouse", "spy-bird")


def spying(
    *others: str, turn: str = OWL, at: str = "daylight", map: Any = None, more: Any = None, **held: Any
) -> Game:
    """The Daylight of the Eyrie (or of whoever is on turn) with the Alliance (or others) and the Mechanical Marquise.

    `held`: what who is on turn has; `more`: what others have, and what lies on the board.
    """
    more = dict(more or {})
    seats = {s: more.pop(s) for s in (BOT, OWL, FOX) if s in more}
    seats[turn] = {**seats.get(turn, {}), **held}
    return game(against(*(others or ("eyrie", "alliance")), **seats), map or HOME, turn=turn, at=at, **more)


def look(g: Game, spy: str, position: int, card: str, seat: str = OWL) -> Game:
    """A spy looks, and this is what the order is; the events are those of both."""
    g.play(seat, "use-spy", spy=spy, position=position)
    events = list(g.events)
    g.play("chance", "look-at-order", card=card)
    g.events = events + g.events
    return g


def turn_of(g: Game, seat: str, at: str = "daylight") -> Game:
    """The same table in a turn of this seat, at its beginning or in its Daylight."""
    t = g.table.fork()
    t.frames = [Root(step="play-turns", last=seat), Turn(seat=seat, step=AT[at])]
    advance(t)
    after = Game(t.to_state(g.state.turn))
    after.events = list(t.events)
    return after


def known(g: Game, seat: str | None) -> dict[int, str]:
    """The orders that a seat sees, by position."""
    shown = view(g.state, seat)["table"]["seats"][BOT]["mechanical_marquise"]["row"]
    runs = [{"above": 0, "cards": shown["top"]}, *shown.get("known", ())]
    return {r["above"] + n: card for r in runs for n, card in enumerate(r["cards"], 1)}


def lying(g: Game) -> list[str | None]:
    """What is decided of the orders, from the left."""
    return [card for card, _, _ in places(g[BOT].mechanical_marquise.row)]
