"""Chapter 21, who plays against whom: what other chapters ask of the mode (ROOT-COOP-1, ROOT-SOLO-1).

In a joint game, cooperative or solo, all humans play against the faction that acts by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.engine.message import say
from service.engine.ruleset import Option, Problem, Ruleset
from service.engine.table import Table
from service.engine.wishes import Wished
from service.games.root.v1.components import Plugs, player
from service.games.root.v1.figures import (
    COMPETITIVE,
    COOPERATIVE,
    PERSISTENT,
    PRINTED,
    SOLO,
    Figures,
    figures,
)

OFF, ON = "off", "on"
MOST_HUMANS = 4  # ROOT-COOP-1
MOST_WINS = 9  # after ten the opponent would begin with the points that win (ROOT-CAMP-1)
AUTOMATIC = frozenset(f.id for f in PRINTED.factions.values() if f.automatic)

OPTIONS = (
    Option("mode", COMPETITIVE, (COMPETITIVE, COOPERATIVE, SOLO), "ROOT-COOP-1"),
    Option("campaign", OFF, (OFF, ON), "ROOT-CAMP-1"),
    Option("wins", 0, tuple(range(MOST_WINS + 1)), "ROOT-CAMP-1"),
)
LISTS = {"kept": PERSISTENT}  # the crafted cards that a seat has kept from games won before (ROOT-CAMP-2)


# -- questions ----------------------------------------------------------------------------------------------------


def joint(options: Mapping[str, Any]) -> bool:
    """Whether these are the options of a cooperative or a solo game."""
    return options["mode"] != COMPETITIVE


def is_joint(t: Table) -> bool:
    """Whether all humans play together."""
    return joint(t.options)


def is_campaign(t: Table) -> bool:
    """Whether this game is one of a campaign (ROOT-CAMP-1)."""
    return bool(t.options["campaign"] == ON)


def is_human(t: Table, seat: str) -> bool:
    """Whether somebody decides for this seat; a faction that acts by itself is nobody's (ROOT-BOT-8)."""
    return player(t, seat).faction not in AUTOMATIC


def humans(t: Table) -> list[str]:
    """The seats of humans, in the order of the table."""
    return [s for s in t.seats if is_human(t, s)]


def opponents(t: Table) -> list[str]:
    """The seats that act by themselves; in a joint game there is one."""
    return [s for s in t.seats if not is_human(t, s)]


def head_start(f: Figures, options: Mapping[str, Any], faction: str | None) -> int:
    """The points with which a seat begins: the opponent's for each game that was won before (ROOT-CAMP-1)."""
    return int(options["wins"] * f.table["points-per-win"]) if faction in AUTOMATIC else 0


# -- what goes together -------------------------------------------------------------------------------------------


def mismatched(
    options: Mapping[str, Any], factions: Sequence[str | None], f: Figures
) -> Iterator[tuple[str, Any, str]]:
    """What of mode, campaign and seats does not go together: the option (or `seats`), why, and the clause."""
    n = len([faction for faction in factions if faction not in AUTOMATIC])
    if joint(options) and n == len(factions):
        yield "mode", say("nobody plays the opponent that acts by itself"), "ROOT-COOP-1"
    if options["mode"] == COOPERATIVE and n > MOST_HUMANS:
        yield (
            "seats",
            say("{n} play together; there are {most} at most", n=n, most=MOST_HUMANS),
            "ROOT-COOP-1",
        )
    if options["mode"] == SOLO and n != 1:
        yield "mode", say("{n} seats of humans; alone there is one", n=n), "ROOT-SOLO-1"
    if options["campaign"] == ON and not joint(options):
        yield "campaign", say("a campaign is played together"), "ROOT-CAMP-1"
    if options["wins"] and options["campaign"] != ON:
        yield "wins", say("wins are counted in a campaign"), "ROOT-CAMP-1"
    elif (start := options["wins"] * f.table["points-per-win"]) >= f.table["points-to-win"]:
        yield "wins", say("the opponent would begin with {n} points, and has won", n=start), "ROOT-CAMP-1"


def refused_modes(wished: Wished) -> Iterator[Problem]:
    """Modes and campaigns that cannot be set up, and cards that nobody can have kept (ROOT-CAMP-2, ROOT-CAMP-3)."""
    factions = [seat.choice.get("faction") for seat in wished.seats]
    for name, message, rule in mismatched(wished.options, factions, wished.figures):
        yield Problem("/seats" if name == "seats" else f"/options/{name}", message, rule)
    taken: dict[str, int] = {}
    for i, seat in enumerate(wished.seats):
        kept = seat.choice.get("kept", [])
        at = f"/seats/{i}/kept"
        yield from _too_many(at, kept, wished.options, seat.choice.get("faction"))
        for j, card in enumerate(kept):
            taken[card] = taken.get(card, 0) + 1
            there = wished.figures.cards[card].count if card in PERSISTENT else taken[card]
            if taken[card] > there:
                message = say("the game has {n} of {card}", n=there, card=card)
                yield Problem(f"{at}/{j}", message, "ROOT-CAMP-3")
        resumed = wished.position.seats.get(seat.id) if wished.position is not None else None
        if kept and resumed is not None and list(kept) != resumed.kept:
            yield Problem(at, say("in the position this seat has kept other cards"), "ROOT-CAMP-3")


def _too_many(
    at: str, kept: Sequence[str], options: Mapping[str, Any], faction: str | None
) -> Iterator[Problem]:
    if kept and options["campaign"] != ON:
        yield Problem(at, say("cards are kept in a campaign"), "ROOT-CAMP-2")
    elif kept and faction in AUTOMATIC:
        yield Problem(at, say("only humans keep cards"), "ROOT-CAMP-2")
    elif len(kept) > (wins := options["wins"]):
        yield Problem(at, say("{n} kept cards after {wins} wins", n=len(kept), wins=wins), "ROOT-CAMP-2")


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the chapter."""
    rules.wishes(refused_modes)


def wins_of(t: Table) -> int:
    """How many games of the campaign were won before this one."""
    return int(t.options["wins"])


def goes_on(t: Table) -> bool:
    """Whether after a win there can be another game of the campaign: one that is not lost before it begins."""
    start = (wins_of(t) + 1) * figures(t).table["points-per-win"]
    return is_campaign(t) and wins_of(t) < MOST_WINS and start < figures(t).table["points-to-win"]
