"""Reasons why pieces cannot have left the map as a removal says (ROOT-GEN-5, ROOT-BATTLE-17 to -22)."""

from __future__ import annotations

from collections.abc import Iterator

from service.engine.frames import Frame
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.root.v1.cards import Draw
from service.games.root.v1.components import first_answer, owner, turn_player, who_plays
from service.games.root.v1.figures import PRINTED, figures, suit_of_clearing
from service.games.root.v1.hits import Hits, other_side
from service.games.root.v1.removal import lost_by
from service.games.root.v1.state import Battle, Removal
from service.games.root.v1.woodland import count_in, fighters, on_map


def removal_problems(t: Table, f: Removal, at: str) -> Iterator[Problem]:
    """What has been removed lies in supplies, on boards, or out of the game; warriors may have been saved since."""
    yield from _off_the_map(t, f, at)
    below = t.frames[t.index(f) - 1]
    if f.in_battle != isinstance(below, Hits):
        yield Problem(
            f"{at}/in_battle", say("pieces leave in a battle by hits, and only by hits"), "ROOT-BATTLE-22"
        )
    elif isinstance(below, Hits):
        yield from _by_hits(t, f, below, at)
    else:
        yield from _by_an_effect(t, f, below, at)


def _off_the_map(t: Table, f: Removal, at: str) -> Iterator[Problem]:
    """Something has gone, and no more of it than can be gone."""
    if not f.losses or not all(clearings and all(clearings.values()) for clearings in f.losses.values()):
        yield Problem(f"{at}/losses", say("nothing has been removed"), f.because)
    for remover, clearings in f.losses.items():
        for clearing, bag in clearings.items():
            for piece, n in bag.items():
                printed = figures(t).pieces[piece]
                there = 0 if printed.kind == "warrior" else on_map(t, piece)
                if owner(t, piece) is None or n > printed.count - there:
                    where = f"{at}/losses/{remover}/{clearing}/{piece}"
                    message = say("{what}: {n} cannot have been removed", n=n, what=piece)
                    yield Problem(where, message, f.because)
                elif printed.suit not in (None, suit_of_clearing(clearing)):
                    where = f"{at}/losses/{remover}/{clearing}/{piece}"
                    message = say("{what} stands in a clearing of its suit", what=piece)
                    yield Problem(where, message, f.because)


# -- by an effect -------------------------------------------------------------------------------------------------


def _by_an_effect(t: Table, f: Removal, below: Frame, at: str) -> Iterator[Problem]:
    """The turn player removes them, and scores by the same clause; a Favor sweeps one suit (ROOT-FX-12)."""
    if f.scoring != f.because:
        message = say("what an effect removes is scored by its own clause")
        yield Problem(f"{at}/scoring", message, f.because)
    for remover, clearings in f.losses.items():
        if remover != turn_player(t):
            message = say("it is the turn of {seat}", seat=turn_player(t))
            yield Problem(f"{at}/losses/{remover}", message, "ROOT-GEN-9")
        if len({suit_of_clearing(c) for c in clearings}) > 1 or (
            len(clearings) > 1 and f.because != "ROOT-FX-12"
        ):
            message = say("an effect removes pieces of one clearing, a Favor those of one suit")
            yield Problem(f"{at}/losses/{remover}", message, f.because)
    if f.because == "ROOT-FX-7" and not (isinstance(below, Draw) and below.because == f.because):
        yield Problem(at, say("a warrior is removed for a card that is drawn"), "ROOT-FX-7")


# -- by hits ------------------------------------------------------------------------------------------------------


def _by_hits(t: Table, f: Removal, hits: Hits, at: str) -> Iterator[Problem]:
    """What hits remove: in the clearing of battle, by the clause of the hits, no more and no less than they take."""
    battle: Battle | None = t.frame(Battle)
    if battle is None:
        return
    for field, value, due in (
        ("because", f.because, hits.because),
        ("scoring", f.scoring, "ROOT-BATTLE-20"),
    ):
        if value != due:
            message = say("hits remove pieces by {clause}", clause=due)
            yield Problem(f"{at}/{field}", message, due)
    gone: dict[str | None, int] = {}
    for remover, clearings in f.losses.items():
        for clearing, bag in clearings.items():
            if clearing != battle.clearing:
                message = say("the battle is fought in {clearing}", clearing=battle.clearing)
                yield Problem(f"{at}/losses/{remover}/{clearing}", message, "ROOT-BATTLE-17")
            for piece, n in bag.items():
                side = _side(t, f, battle, piece)
                gone[side] = gone.get(side, 0) + n
                if side is not None and remover != (due := first_answer(t, "removes-for", battle, side)):
                    message = say("{what} is removed by {seat}", what=piece, seat=due)
                    yield Problem(f"{at}/losses/{remover}/{clearing}/{piece}", message, "ROOT-BATTLE-17")
    yield from _warriors_first(t, f, battle, at)
    for side, n in gone.items():
        most = hits.hits.get(str(side), 0)
        stuck = side is not None and count_in(t, side, battle.clearing, "building", "token")
        if n > most or (n < most and stuck):
            message = say("{n} pieces removed by {most} hits", n=n, most=most)
            yield Problem(f"{at}/losses", message, "ROOT-BATTLE-17")


def _side(t: Table, f: Removal, battle: Battle, piece: str) -> str | None:
    """The side that loses a piece: what falls of an ally, falls for the attacker."""
    seat = who_plays(t, lost_by(t, f, piece))
    return battle.attacker if seat is not None and seat == battle.ally else seat


def _warriors_first(t: Table, f: Removal, battle: Battle, at: str) -> Iterator[Problem]:
    """A building or token goes when no warrior stands any more for its side (ROOT-BATTLE-18).

    Where Field Hospitals bring warriors back to the clearing of battle, nobody is asked any more before it goes on.
    """
    fallen = {piece for clearings in f.losses.values() for bag in clearings.values() for piece in bag}
    for side in (battle.attacker, battle.defender):
        fell = [p for p in fallen if PRINTED.pieces[p].kind != "warrior" and _side(t, f, battle, p) == side]
        if fell and fighters(t, side, battle.clearing, other_side(t, battle, side)):
            message = say("{what} goes after all warriors of {seat}", what=min(fell), seat=side)
            yield Problem(f"{at}/losses", message, "ROOT-BATTLE-18")
