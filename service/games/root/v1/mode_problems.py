"""Reasons why a table cannot be as it is in the mode that is played, or in a campaign (chapter 21)."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.message import say
from service.engine.ruleset import Problem, Ruleset
from service.engine.table import Table
from service.games.root.v1.campaign import Keeping, keepers
from service.games.root.v1.components import Plugs
from service.games.root.v1.figures import figures
from service.games.root.v1.modes import (
    goes_on,
    head_start,
    humans,
    is_campaign,
    is_human,
    is_joint,
    mismatched,
    opponents,
    wins_of,
)
from service.games.root.v1.state import Player
from service.games.root.v1.victory import have_won


def mode_problems(t: Table) -> Iterator[Problem]:
    """Options that do not go together, who has reached 30, and what has been kept."""
    for name, message, rule in mismatched(t.options, [p.faction for p in t.board.seats.values()], figures(t)):
        yield Problem("/seats" if name == "seats" else f"/options/{name}", message, rule)
    played_together = is_joint(t)
    for seat, p in t.board.seats.items():
        if p.reached or played_together:
            yield from _reached(t, seat, p, f"/table/seats/{seat}")
        if p.kept:
            yield from _kept(t, seat, p, f"/table/seats/{seat}")
    for seat in opponents(t):
        yield from _start(t, seat)
    yield from _closing(t)


def plays_on(t: Table, seat: str) -> bool:
    """Whether a seat may have points that win, and the game is not over.

    Humans do who play together (ROOT-COOP-3), and of both sides at the same moment the one that has lost
    (ROOT-COOP-5), while cards are kept.
    """
    return is_joint(t) and (is_human(t, seat) or is_closing(t))


def is_closing(t: Table) -> bool:
    """Whether a won game is at its end but for the cards that are kept."""
    return t.frame(Keeping) is not None


def _reached(t: Table, seat: str, p: Player, at: str) -> Iterator[Problem]:
    """Who has reached 30 points: humans who play together, as soon as they have them (ROOT-COOP-3)."""
    least = figures(t).table["points-to-win"]
    if p.reached and not (is_joint(t) and is_human(t, seat)):
        message = say("only who plays together with others goes on after {n} points", n=least)
        yield Problem(f"{at}/reached", message, "ROOT-COOP-3")
    elif is_joint(t) and is_human(t, seat) and not p.reached and (p.score or 0) >= least:
        yield Problem(
            f"{at}/reached", say("{seat} has {points} points", seat=seat, points=p.score), "ROOT-COOP-3"
        )


def _kept(t: Table, seat: str, p: Player, at: str) -> Iterator[Problem]:
    """Kept cards lie in the play area of a human, one for each game that was won (ROOT-CAMP-2 to ROOT-CAMP-4)."""
    if not (is_campaign(t) and is_human(t, seat)):
        yield Problem(f"{at}/kept", say("cards are kept by humans, in a campaign"), "ROOT-CAMP-2")
        return
    wins = wins_of(t) + has_chosen(t, seat)
    if len(p.kept) > wins:
        yield Problem(
            f"{at}/kept", say("{n} kept cards after {wins} wins", n=len(p.kept), wins=wins), "ROOT-CAMP-2"
        )
    for i, card in enumerate(p.kept):
        if card not in p.crafted:
            message = say("{card} does not lie in the play area", card=card)
            yield Problem(f"{at}/kept/{i}", message, "ROOT-CAMP-4")


def has_chosen(t: Table, seat: str) -> bool:
    """Whether a seat can have kept a card of this very game: it is won, and nobody waits for this seat's answer."""
    if t.outcome is not None:
        return goes_on(t) and t.outcome.winners == humans(t)
    closing = t.frame(Keeping)
    return closing is not None and seat not in closing.waiting


def _start(t: Table, seat: str) -> Iterator[Problem]:
    """The opponent's start in a campaign (ROOT-CAMP-1); it never loses a point."""
    p = t.board.seats[seat]
    start = head_start(figures(t), t.options, p.faction)
    if p.score is not None and p.score < start:
        message = say("{seat} begins with {n} points", seat=seat, n=start)
        yield Problem(f"/table/seats/{seat}/score", message, "ROOT-CAMP-1")


def _closing(t: Table) -> Iterator[Problem]:
    """Once all have reached 30 nothing is left to do but to keep cards (ROOT-COOP-2, ROOT-CAMP-2)."""
    closing = t.frame(Keeping)
    if closing is None:
        if have_won(t) and t.outcome is None:
            yield Problem("/table/seats", say("all have reached the points that win"), "ROOT-COOP-2")
        return
    at = f"/stack/{t.index(closing)}"
    if not have_won(t) or not goes_on(t):
        yield Problem(at, say("cards are kept after a win in a campaign that goes on"), "ROOT-CAMP-2")
        return
    for i, seat in enumerate(closing.waiting):
        if seat not in keepers(t):
            yield Problem(f"{at}/waiting/{i}", say("{seat} has no card to keep", seat=seat), "ROOT-CAMP-3")


def declare(rules: Ruleset, plugs: Plugs) -> None:
    """Register the search."""
    rules.check(mode_problems)
