"""House figures: which effects, paths and spaces can be played, and which do not go together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from service.engine.houses import Unsound
from service.engine.message import say
from service.games.simurgh.v1.effects import (
    KINDS,
    ONE_MORE,
    PURCHASE,
    Draw,
    Effect,
    One,
    Part,
    Special,
    Take,
    Total,
    every_part,
    every_row,
    is_certain,
)
from service.games.simurgh.v1.figures import EXPLORATION, PRINTED, Ability, Figures, Trigger

BEFORE = "before-place-objective"
MOST_PARTS = 16


def paths(f: Figures) -> Iterator[Unsound]:
    """Exploration Tiles, and no others, have a price of a step."""
    for tile in f.tiles.values():
        if (tile.move_cost is not None) != (tile.type == EXPLORATION):
            message = say("Exploration Tiles have a price of a step, and no others")
            yield Unsound(("tiles", tile.id, "move_cost"), message, "SIM-EXPL-9")


def effects(f: Figures) -> Iterator[Unsound]:
    """What has clauses of its own stays where it is printed, and no effect is endless."""
    for source, effect in f.effects.items():
        path, parts = _place(f, source), list(every_part(effect.gain))
        printed = [p.name for p in every_part(PRINTED.effects[source].gain) if isinstance(p, Special)]
        named = [p.name for p in parts if isinstance(p, Special)]
        if named != printed:
            message = say("what has clauses of its own stays where it is printed")
            yield Unsound(path, message, "SIM-EFF-1")
        elif len(parts) > MOST_PARTS:
            yield Unsound(path, say("{n} parts; at most {most}", n=len(parts), most=MOST_PARTS), "SIM-EFF-8")
        elif any(_may_have_no_branch(row) for row in every_row(effect.gain)):
            message = say("a choice that comes after something else has a branch that is always there")
            yield Unsound(path, message, "SIM-EFF-3")


def _may_have_no_branch(row: Sequence[Part]) -> bool:
    """Whether a choice is looked at when an effect begins, and what its branches need may be gone before it comes.

    The first part of a row comes at once; before later ones dragons have been drawn, or free actions were possible.
    """
    return any(isinstance(part, One) and not is_certain(part) for part in row[1:])


def vassals(f: Figures) -> Iterator[Unsound]:
    """Vassals come where it is looked whether there are any: not for a tile, not in answer, each kind once a use."""
    for source, effect in f.effects.items():
        often = max(_times(effect.gain, kind) for kind in KINDS)
        answers = source in f.abilities and f.abilities[source].trigger is not None
        if often and answers:
            message, also = say("no vassals come in answer to an event"), (("abilities", source, "trigger"),)
            yield Unsound(_place(f, source), message, "SIM-PLACE-5", also)
        elif often and source in f.wilds:
            yield Unsound(_place(f, source), say("no vassals come for a tile that is laid"), "SIM-PLACE-5")
        elif often > 1:
            yield Unsound(_place(f, source), say("vassals of a kind come at most once"), "SIM-PLACE-5")
        elif any(_late_vassals(effect.gain)):
            message = say("vassals come before free actions are possible, which could take the last of them")
            yield Unsound(_place(f, source), message, "SIM-PLACE-5")


def _times(parts: Sequence[Part], kind: str) -> int:
    """How often vassals of a kind come at most: of a choice one branch does (SIM-EFF-3)."""
    takes = sum(kind in part.bag for part in parts if isinstance(part, Take))
    ones = (part for part in parts if isinstance(part, One))
    return takes + sum(max((_times(branch, kind) for branch in one.branches), default=0) for one in ones)


def _late_vassals(parts: Sequence[Part], late: bool = False) -> Iterator[bool]:
    """For each part whether vassals come in it after a gap: a choice that is not the first part, or the Scouts."""
    for i, part in enumerate(parts):
        if isinstance(part, Take):
            yield late and any(kind in part.bag for kind in KINDS)
        for branch in part.branches if isinstance(part, One) else ():
            yield from _late_vassals(branch, late)
        late = late or (i > 0 and isinstance(part, One | Total)) or _has_a_gap(part)


def _has_a_gap(part: Part) -> bool:
    if isinstance(part, One):
        return any(
            _has_a_gap(x) or (i > 0 and isinstance(x, One | Total))
            for b in part.branches
            for i, x in enumerate(b)
        )
    return isinstance(part, Special) and part.name == PURCHASE


def _place(f: Figures, source: str) -> tuple[str, str, str]:
    kinds: dict[str, Mapping[str, Any]] = {"spaces": f.spaces, "levels": f.levels, "abilities": f.abilities}
    kind = next((k for k, known in kinds.items() if source in known), "wilds")
    return kind, source, "income" if kind == "wilds" else "effect"


def abilities(f: Figures) -> Iterator[Unsound]:
    """What answers an event costs nothing; procedures stand alone, at the moment for which they are made.

    No dragons come in answer to an event: whether business can come to its end is looked at as far as chance.
    """
    for a in f.abilities.values():
        path, also = ("abilities", a.id, "effect"), (("abilities", a.id, "trigger"),)
        if a.trigger is not None and not f.effects[a.id].free:
            yield Unsound(path, say("what answers an event costs nothing"), "SIM-DRAGON-10", also)
        elif a.trigger is not None and any(isinstance(x, Draw) for x in every_part(f.effects[a.id].gain)):
            yield Unsound(path, say("no dragons come in answer to an event"), "SIM-DRAGON-10", also)
        elif not _fits(a, f.effects[a.id], PRINTED.abilities[a.id].trigger):
            yield Unsound(path, say("the ability does not fit its moment"), "SIM-DRAGON-10", also)


def _fits(a: Ability, effect: Effect, printed: Trigger | None) -> bool:
    """Whether an effect fits its moment."""
    on, special = a.trigger and a.trigger.on, next((p for p in effect.gain if isinstance(p, Special)), None)
    if special is None:
        return on != BEFORE
    alone = len(effect.gain) == 1 and on == (printed and printed.on)
    if special.name == ONE_MORE and a.trigger is not None:
        return alone and bool(a.trigger.of) and set(a.trigger.of) <= set(special.of)
    return alone


def room_for_all(f: Figures) -> Iterator[Unsound]:
    """Any vassal can always be placed somewhere: on a space of the City for any number, which asks for nothing."""
    if any(_is_room(f, place) for place in f.city):
        return
    message = say("no space of the City can always be used by everybody for nothing")
    spoilt = [(place, x) for place in f.city if _is_room(PRINTED, place) for x in _spoiling(f, place)]
    paths: list[tuple[str, ...]] = [("spaces", place, figure) for place, figure in spoilt]
    for path in paths or [("spaces",)]:
        yield Unsound(path, message, "SIM-TURN-12")


def _is_room(f: Figures, place: str) -> bool:
    return not list(_spoiling(f, place))


def _spoiling(f: Figures, place: str) -> Iterator[str]:
    """The figures for which not everybody can always use a space for nothing; what has clauses of its own asks more."""
    space, effect = f.spaces[place], f.effects[place]
    if space.slots != "multi":
        yield "slots"
    if space.who != "vassal":
        yield "who"
    if f.specials[place] or not effect.free or not all(map(is_certain, effect.gain)):
        yield "effect"
