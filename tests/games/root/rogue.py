"""A game of the Marquise, the Eyrie and a Vagabond, in whose turn a test begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.games.root.table import CAT, OWL, Game, game

FOX, ELK = "tod", "elk"  # no seat is called like a suit
CATS, OWLS, GREENS = "marquise-warrior", "eyrie-warrior", "alliance-warrior"


def rogue(
    map: Mapping[str, Any] | None = None,
    at: str = "daylight",
    *,
    cat: Mapping[str, Any] | None = None,
    owl: Mapping[str, Any] | None = None,
    others: Mapping[str, Any] | None = None,
    turn: str = FOX,
    quests: Any = None,
    buried: Any = None,
    unearthed: Any = None,
    scorched: Any = (),
    discard: Any = (),
    available: Any = (),
    ruins: Any = ("6", "10", "11", "12"),
    items: Any = None,
    house: Mapping[str, Any] | None = None,
    **held: Any,
) -> Game:
    """The Vagabond (`tod`: what he holds) beside `cat` and `owl`, and `others` by seat."""
    if items is not None:
        held["own"] = items
    seats = {
        CAT: {"faction": "marquise", **(cat or {})},
        OWL: {"faction": "eyrie", **(owl or {})},
        FOX: {"faction": "vagabond", **held},
        **(others or {}),
    }
    return game(
        seats,
        map,
        turn=turn,
        at=at,
        quests=quests,
        buried=buried,
        unearthed=unearthed,
        scorched=scorched,
        discard=discard,
        available=available,
        ruins=ruins,
        house=house,
    )


def items(g: Game, seat: str = FOX) -> dict[str, dict[str, int]]:
    """What a Vagabond has, by spot; empty ones left out."""
    return {spot: bag for spot, bag in g[seat].vagabond.items.items() if bag}


def up(*names: str) -> dict[str, Any]:
    """Items face up: `items=up("sword", "sword")`."""
    return {"satchel-up": list(names)}


def relation(g: Game, faction: str, seat: str = FOX) -> str:
    return str(g[seat].vagabond.relationships[faction])


def pawn(g: Game, seat: str = FOX) -> str:
    return str(g[seat].vagabond.pawn)


def no_cards(g: Game) -> Game:
    """Whoever may ambush or foil does not."""
    events = list(g.events)
    while g.kinds[:1] in (("play-ambush",), ("foil-ambush",)):
        g.play(g.asked[0], "pass")
        events += g.events
    g.events = events
    return g


def fought(g: Game, *dice: int, attacker: str = FOX, **wire: Any) -> Game:
    """A battle without cards, up to the first choice after the roll; all its events."""
    no_cards(g.play(attacker, "battle", **wire))
    events = list(g.events)
    g.roll(*dice)
    g.events = events + g.events
    return g
