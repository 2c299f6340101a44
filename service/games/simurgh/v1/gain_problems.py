"""Reasons why a gain that is under way cannot stand as it does: its source, its part, what answers it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from service.engine.frames import FINISHED, WAITING
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawObjectives
from service.games.simurgh.v1.effects import (
    KINDS,
    MARKER,
    PURCHASE,
    Draw,
    One,
    Part,
    Special,
    Take,
    Total,
    every_part,
)
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.gains import Gain, Hatching, Occasion, Share, Viewing, clause_of, is_gap
from service.games.simurgh.v1.markers import Markers
from service.games.simurgh.v1.moment import Moment
from service.games.simurgh.v1.removal import PILES, wilds_of
from service.games.simurgh.v1.state import Acquisition, Placement, Stride, TilePlacement, Turn


def wrong(at: str, field: str, given: Any, wanted: Any, rule: str | None) -> Problem:
    """A field of a frame that follows from the rest and is something else."""
    message = say("{field} is {given}; here it is {wanted}", field=field, given=given, wanted=wanted)
    return Problem(f"{at}/{field}", message, rule)


def impossible(at: str, field: str, rule: str) -> Problem:
    """A field of a frame that no effect of the game brings about."""
    return Problem(f"{at}/{field}", say("no effect of the game has this {field} here", field=field), rule)


def gain_problems(t: Table, m: Moment, f: Gain, at: str) -> Iterator[Problem]:
    """A source of the game, a branch that it has, and a part of that."""
    f_ = figures(t)
    if f.source not in f_.effects:
        yield impossible(at, "source", "SIM-EFF-1")
        return
    parts = branch_of(f_.effects[f.source].gain, f.branch)
    if parts is None:
        yield impossible(at, "branch", "SIM-EFF-3")
    elif f.part > len(parts):
        yield impossible(at, "part", "SIM-EFF-8")
    else:
        yield from _gain_step(t, f, at, parts)
        yield from (_income if f.source in f_.wilds else _source)(t, f, at)


def _income(t: Table, f: Gain, at: str) -> Iterator[Problem]:
    """The income of a laid tile waits only where a vassal was paid for its space (SIM-TILE-2, SIM-DRAGON-27)."""
    fig, laid = figures(t), t.frames[t.index(f) - 1]
    paid = any(kind in fig.table["removal-price"] for kind in KINDS)
    if not paid or not isinstance(laid, TilePlacement) or wilds_of(t, laid.tile) != f.source:
        yield impossible(at, "source", "SIM-TILE-6")
    elif laid.step != WAITING or not isinstance(t.below(f), Turn):
        yield impossible(at, "frame", "SIM-TILE-6")
    elif f.quiet:
        yield wrong(at, "quiet", f.quiet, False, "SIM-DRAGON-11")
    elif isinstance(fig.effects[f.source].gain[0], One) != bool(f.branch):
        yield impossible(at, "branch", "SIM-TILE-6")


def _gain_step(t: Table, f: Gain, at: str, parts: Sequence[Part]) -> Iterator[Problem]:
    """It waits only for what a payment for an ability brought about, and chooses only where there is a choice."""
    above = t.frames[t.index(f) + 1 : t.index(f) + 2]
    due = bool(above) and isinstance(above[0], Occasion) and above[0].event == "pay-vassal"
    if f.step == WAITING and (f.part or not due or not comes_freely(t.below(f))):
        yield Problem(f"{at}/step", say("nothing has still to happen before it"), "SIM-DEC-23")
    if f.step == "next-part" and not f.part:
        yield Problem(f"{at}/step", say("nothing of it has begun"), "SIM-DEC-23")
    part = parts[f.part] if f.part < len(parts) else None
    later = {"choose": False, "choose-later": True}.get(f.step)
    if later is not None and (not isinstance(part, One) or later != is_gap(t, f)):
        yield Problem(f"{at}/step", say("nothing is to be chosen at this step"), "SIM-EFF-3")


def branch_of(parts: Sequence[Part], branch: Sequence[int]) -> Sequence[Part] | None:
    """The parts of a branch; None if there is no such branch."""
    if len(branch) % 2:
        return None
    for part, chosen in zip(branch[::2], branch[1::2], strict=True):
        one = parts[part] if part < len(parts) else None
        if not isinstance(one, One) or chosen >= len(one.branches):
            return None
        parts = one.branches[chosen]
    return parts


def comes_freely(below: Any) -> bool:
    """Whether a gain on this frame comes by a free action: in the turn, or in a gap before a later choice."""
    if isinstance(below, Gain):
        return below.step == "choose-later"  # the gain of a branch stands on the next part
    return isinstance(below, Turn | Acquisition | Share)


def _source(t: Table, f: Gain, at: str) -> Iterator[Problem]:
    """What gives is what the frame below resolves."""
    below = t.below(f)
    freely = comes_freely(below)
    wanted, quiet = f.source, f.quiet
    if freely:
        quiet = False
    elif isinstance(below, Placement):
        wanted, quiet = below.space, False
    elif isinstance(below, Stride):
        wanted, quiet = f"{below.tile}-{below.level}", False
    elif isinstance(below, Gain):
        wanted, quiet = below.source, below.quiet
    elif isinstance(below, Occasion):
        quiet = True
    ability = figures(t).abilities.get(f.source)
    if f.source != wanted:
        yield wrong(at, "source", f.source, wanted, "SIM-PLACE-8")
    elif f.quiet != quiet:
        yield wrong(at, "quiet", f.quiet, quiet, "SIM-DRAGON-11")
    elif (freely or isinstance(below, Occasion)) and _unfit(t, below, f.source, ability):
        yield impossible(at, "source", "SIM-DRAGON-9")
    of_branch = isinstance(below, Gain) and not freely
    begun = [*below.branch, below.part - 1] if of_branch else []
    if f.branch[:-1] != begun or bool(f.branch) != of_branch:
        yield impossible(at, "branch", "SIM-EFF-3")


def _unfit(t: Table, below: Any, source: str, ability: Any) -> bool:
    """Whether the ability that gives cannot have been used there."""
    if ability is None or ability.dragon not in t.board.seats[below.seat].dragons:
        return True
    return source not in below.used if isinstance(below, Occasion) else ability.trigger is not None


def parts_below(t: Table, f: Any) -> list[Part]:
    """The parts that may have begun this frame: of the gain below it, or of any effect."""
    below = t.below(f)
    f_ = figures(t)
    if isinstance(below, Gain) and below.source in f_.effects:
        parts = branch_of(f_.effects[below.source].gain, below.branch) or ()
        return list(parts[max(0, below.part - 1) : below.part])
    return [part for effect in f_.effects.values() for part in every_part(effect.gain)]


def acquisition_problems(t: Table, m: Moment, f: Acquisition, at: str) -> Iterator[Problem]:
    """The Scouts are at work where a gain sends them."""
    if not any(isinstance(p, Special) and p.name == PURCHASE for p in parts_below(t, f)):
        yield impossible(at, "frame", "SIM-SCOUT-2")


def share_problems(t: Table, m: Moment, f: Share, at: str) -> Iterator[Problem]:
    """What is divided is what the gain below says (SIM-EFF-2)."""
    below = t.below(f)
    yield from _share_step(t, f, at)
    if isinstance(below, Occasion):
        yield from _one_more(t, f, below, at)
        return
    fits = [p for p in parts_below(t, f) if isinstance(p, Total) and (p.n, list(p.of)) == (f.n, f.of)]
    if not fits:
        yield impossible(at, "of", "SIM-EFF-2")
    if isinstance(below, Gain) and below.source in figures(t).effects:
        wanted = {"quiet": below.quiet, "later": below.part > 1, "because": clause_of(t, below.source)}
        for field, value in wanted.items():
            if getattr(f, field) != value:
                yield wrong(at, field, getattr(f, field), value, "SIM-EFF-2")


def _share_step(t: Table, f: Share, at: str) -> Iterator[Problem]:
    """It asks once; what the choice brings about comes after it, what comes freely before."""
    above = t.frames[t.index(f) + 1 :]
    own = (
        bool(above)
        and isinstance(above[0], Markers | Occasion)
        and getattr(above[0], "event", "take") == "take"
    )
    wanted = "choose-later" if is_gap(t, f) else "choose"
    if own:
        wanted = "end" if is_gap(t, f) or len(f.of) == 1 else "choose-later"
    if f.step != wanted:
        yield wrong(at, "step", f.step, wanted, "SIM-EFF-2")


def _one_more(t: Table, f: Share, below: Occasion, at: str) -> Iterator[Problem]:
    wanted = {"quiet": True, "later": False, "because": "SIM-DRAGON-26"}
    for field, value in wanted.items():
        if getattr(f, field) != value:
            yield wrong(at, field, getattr(f, field), value, "SIM-DRAGON-26")
    more = [p for a in below.used for p in figures(t).effects[a].gain if isinstance(p, Special)]
    if not any(p.n == f.n and [k for k in p.of if k in below.of] == f.of for p in more):
        yield impossible(at, "of", "SIM-DRAGON-26")


def markers_problems(t: Table, m: Moment, f: Markers, at: str) -> Iterator[Problem]:
    """No more markers than an effect gives at once."""
    bags = [p.bag for p in parts_below(t, f) if isinstance(p, Take)]
    most = max((bag.get(MARKER, 0) for bag in bags), default=0)
    if not 1 <= f.left <= most:
        yield impossible(at, "left", "SIM-EFF-1")


def hatching_problems(t: Table, m: Moment, f: Hatching, at: str) -> Iterator[Problem]:
    """As many dragons, and markers, as an effect says; of those drawn one is kept."""
    if not any(isinstance(p, Draw) and (p.n, p.markers) == (f.n, f.markers) for p in parts_below(t, f)):
        yield impossible(at, "n", "SIM-EFF-6")
    elif f.step in ("keep", FINISHED):
        kept = int(f.step == FINISHED)
        yield from _drawn(t, f, "looked_at", (f.n - kept, f.n - kept), "SIM-EFF-6")


def viewing_problems(t: Table, m: Moment, f: Viewing, at: str) -> Iterator[Problem]:
    """As many objectives as the Statue says; of those drawn one may be placed, and another one come for it."""
    if not any(isinstance(p, Special) and p.n == f.n for p in parts_below(t, f)):
        yield impossible(at, "n", "SIM-STATUE-1")
    elif not any(isinstance(x, DrawObjectives) for x in t.frames):
        yield from _drawn(t, f, "considered", (f.n - (f.step != "place"), f.n), "SIM-STATUE-1")


def _drawn(t: Table, f: Any, field: str, wanted: tuple[int, int], rule: str) -> Iterator[Problem]:
    """So many tiles are with him who chooses; fewer only where the deck had no more (SIM-EFF-7, SIM-STATUE-1)."""
    n, (least, most) = len(getattr(t.board.seats[f.seat], field)), wanted
    least = least if getattr(t.board, PILES[field]).size else min(least, 0)
    if not least <= n <= most:
        message = say("{n} drawn tiles are here; it is {least} to {most}", n=n, least=least, most=most)
        yield Problem(f"/table/seats/{f.seat}/{field}", message, rule)
