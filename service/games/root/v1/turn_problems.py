"""Reasons why a turn cannot stand as it does: effects used, or crafting pieces activated, when they cannot be."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.frames import FINISHED, Ask
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.root.v1.components import faction_of, first_answer, no_crafting, player
from service.games.root.v1.crafting import Crafters, crafting_pieces
from service.games.root.v1.decisions import OCCASIONS
from service.games.root.v1.figures import SPIES, figures
from service.games.root.v1.state import Battle, Turn

# The last step at which a card cannot have been used yet: that of its window, or the one before its phase is played.
USED_AFTER = {
    "better-burrow-bank": "bank",
    "stand-and-deliver": "birdsong",
    "command-warren": "warren",
    "tax-collector": "daylight",
    "codebreakers": "daylight",
    "cobbler": "cobbler",
    **dict.fromkeys(SPIES, "daylight"),
}
MOST_ACTIVATED = 10


def turn_problems(t: Table, f: Turn, at: str) -> Iterator[Problem]:
    """Cards that cannot have been used yet, or must have been; pieces that cannot have been activated."""
    crafted = player(t, f.seat).crafted
    for i, card in enumerate(f.used):
        if card not in USED_AFTER or not (card in crafted or card in SPIES):
            message = say("{card} cannot have been used", card=card)
            yield Problem(f"{at}/used/{i}", message, "ROOT-FX-13")
        elif not (_is_past(t, f, USED_AFTER[card]) or _is_offered(t, f, card)):
            message, rule = say("{card} cannot have been used yet", card=card), OCCASIONS[_kind(card)]
            yield Problem(f"{at}/used/{i}", message, rule if isinstance(rule, str) else None)
    bank = "better-burrow-bank"
    if bank in crafted and bank not in f.used and _is_past(t, f, "bank") and not _is_past(t, f, "daylight"):
        yield Problem(f"{at}/used", say("{card} must have been used", card=bank), "ROOT-FX-8")
    warren = "command-warren"
    if warren not in f.used and any(isinstance(g, Battle) and t.below(g) is f for g in t.frames):
        yield Problem(f"{at}/used", say("{card} must have been used", card=warren), "ROOT-FX-10")
    if f.activated:
        yield from _activated(t, f, at)


def _kind(card: str) -> str:
    """The kind of action that uses a card."""
    return "use-spy" if card in SPIES else card


def _is_past(t: Table, f: Turn, step: str) -> bool:
    """Whether a turn has left this step behind; while what a step called is played, it stands at the next one."""
    index = t.rules.procedures[Turn].index
    return f.step == FINISHED or index.get(f.step, 0) > index[step]


def _is_offered(t: Table, f: Turn, card: str) -> bool:
    """Whether the window of another thing, which stays open, takes the card too (ROOT-GEN-3)."""
    for step in t.rules.procedures[Turn].steps:
        if isinstance(step, Ask) and step.name == f.step:
            return step.again and any(taken.kind == card for taken in step.takes)
    return False


def _activated(t: Table, f: Turn, at: str) -> Iterator[Problem]:
    """Crafting is for Daylight; what was activated is there, as long as nothing can have taken it away."""
    if not _is_past(t, f, "daylight"):
        yield Problem(f"{at}/activated", say("pieces are activated in Daylight"), "ROOT-CRAFT-2")
        return
    most = _crafters(t, f.seat)
    if (n := sum(f.activated.values())) > most:
        yield Problem(f"{at}/activated", say("no player has {n} crafting pieces", n=n), "ROOT-CRAFT-2")
    if not most or first_answer(t, "crafting-lasts", f.seat):
        here = crafting_pieces(t, f.seat)
        for suit, n in f.activated.items():
            if n > (there := here.get(suit, 0)):
                message = say("{n} crafting pieces activated of {there}", n=n, there=there)
                yield Problem(f"{at}/activated/{suit}", message, "ROOT-CRAFT-2")


def _crafters(t: Table, seat: str) -> int:
    """How many crafting pieces a player has in all, on the map and off it."""
    crafting = faction_of(t, seat).crafting
    if isinstance(crafting, Crafters):
        return sum(figures(t).pieces[piece].count for piece in crafting.pieces)
    return 0 if crafting is no_crafting else MOST_ACTIVATED
