"""Reasons why a deal at set-up cannot stand as it does: who is due, in which order, and what the others have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawDragons, DrawTiles, variant
from service.games.simurgh.v1.drafts import DragonDraft
from service.games.simurgh.v1.figures import figures
from service.games.simurgh.v1.moment import Moment

Due = tuple[str, str, int]  # seat, type of tile, how many


def due_in(t: Table, m: Moment) -> list[Due]:
    """Who is dealt what in this stage, in order; nothing where a draft is going on instead."""
    f = figures(t)
    drafting = variant(t) == "dragonlord"
    if m.stage == "deal-power" and not drafting:
        return [(s, "", f.table["power-deal"]) for s in t.seats]
    if m.stage == "deal-tiles" and not drafting:
        return [(s, x, n) for s in t.seats for x, n in f.table["hand-deal"].items()]
    if m.stage == "deal-dragons":
        return [(s, "", f.table["dragon-draft"] if drafting else 1) for s in t.seats]
    return []


def dealing_problems(t: Table, m: Moment) -> Iterator[Problem]:
    """The draws on the stack are the last of those due, the next on top, and only the next can have begun."""
    queue = [(i, x) for i, x in enumerate(t.frames) if isinstance(x, DrawTiles | DrawDragons)][::-1]
    due = due_in(t, m)
    if not due or (not queue and not any(isinstance(x, DragonDraft) for x in t.frames)):
        return
    if len(queue) > len(due):
        yield Problem(f"/stack/{queue[-1][0]}", say("more draws than are due"), "SIM-SETUP-2")
        return
    for n, ((i, frame), wanted) in enumerate(zip(queue, due[len(due) - len(queue) :], strict=True)):
        yield from _draw(f"/stack/{i}", frame, wanted, begun=n == 0)
    yield from _hands(t, due[: len(due) - len(queue)], m)


def _draw(at: str, frame: Any, wanted: Due, begun: bool) -> Iterator[Problem]:
    seat, of, n = wanted
    facts = (("seat", frame.seat, seat), ("of", getattr(frame, "of", ""), of))
    for field, given, right in facts:
        if given != right:
            message = say("{field} is {given}; here it is {wanted}", field=field, given=given, wanted=right)
            yield Problem(f"{at}/{field}", message, "SIM-SETUP-2")
    if frame.left != n and not (begun and 0 < frame.left < n):
        message = say("{field} is {given}; here it is {wanted}", field="left", given=frame.left, wanted=n)
        yield Problem(f"{at}/left", message, "SIM-SETUP-2")


def _hands(t: Table, done: list[Due], m: Moment) -> Iterator[Problem]:
    """Whoever has been dealt something has it."""
    field = "hand" if m.stage != "deal-dragons" else "looked_at" if variant(t) == "dragonlord" else "dragons"
    for seat in t.seats:
        mine = sum(n for s, _, n in done if s == seat)
        before = figures(t).table["power-deal"] if m.stage == "deal-tiles" else 0
        drawing = any(getattr(x, "seat", "") == seat and x is m.top for x in t.frames)
        have = len(getattr(t.board.seats[seat], field))
        if have != mine + before and not drawing:
            facts = {"n": have, "wanted": mine + before}
            message = say("{n} are here; dealt were {wanted}", **facts)
            yield Problem(f"/table/seats/{seat}/{field}", message, "SIM-SETUP-2")
