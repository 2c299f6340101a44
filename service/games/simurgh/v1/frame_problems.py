"""Reasons why the unfinished business of Simurgh cannot stand as it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from service.engine.frames import FINISHED, WAITING
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawDragons, DrawObjectives, DrawTiles, TurnUp, on_space
from service.games.simurgh.v1.dealing_problems import dealing_problems
from service.games.simurgh.v1.drafts import ActionDraft, PowerDraft
from service.games.simurgh.v1.dragons import moves_again
from service.games.simurgh.v1.effects import (
    KINDS,
    MARKER,
    TOKENS,
    Draw,
    One,
    Part,
    Special,
    Take,
    Total,
    every_part,
)
from service.games.simurgh.v1.exploration import Stride
from service.games.simurgh.v1.figures import POWER, TYPES, figures
from service.games.simurgh.v1.gains import Gain, Hatching, Markers, Occasion, Share, Viewing, clause_of
from service.games.simurgh.v1.moment import Moment, moment
from service.games.simurgh.v1.placing import Placement
from service.games.simurgh.v1.removal import Returning
from service.games.simurgh.v1.setup import Game
from service.games.simurgh.v1.state import Acquisition, TilePlacement, Turn

MAY_WAIT = (
    Occasion,
    Gain,
    TilePlacement,
    DrawTiles,
    DrawDragons,
)  # what is called together with others, after them
Check = Callable[[Table, Moment, Any, str], Iterator[Problem]]


def frame_problems(t: Table) -> Iterator[Problem]:
    """The frames' own fields: the seat whose turn it is, and what follows from the table and the figures."""
    m = moment(t)
    yield from dealing_problems(t, m)
    for i, frame in enumerate(t.frames):
        if frame.step == WAITING and not isinstance(frame, MAY_WAIT):
            yield Problem(f"/stack/{i}/step", say("this never waits for others"), "SIM-DEC-23")
        at, seat = f"/stack/{i}", getattr(frame, "seat", None)
        if m.turn is not None and seat is not None and seat != m.turn.seat:
            yield wrong(at, "seat", seat, m.turn.seat, "SIM-TURN-14")
        elif (check := CHECKS.get(type(frame))) is not None:
            yield from check(t, m, frame, at)


def wrong(at: str, field: str, given: Any, wanted: Any, rule: str | None) -> Problem:
    """A field of a frame that follows from the rest and is something else."""
    message = say("{field} is {given}; here it is {wanted}", field=field, given=given, wanted=wanted)
    return Problem(f"{at}/{field}", message, rule)


def _impossible(at: str, field: str, rule: str) -> Problem:
    return Problem(f"{at}/{field}", say("no effect of the game has this {field} here", field=field), rule)


# -- the game and the turn --------------------------------------------------------------------------------------


def _game(t: Table, m: Moment, f: Game, at: str) -> Iterator[Problem]:
    wanted = None if m.turn is None else m.turn.seat
    if f.seat != wanted and m.stage != "position":
        yield wrong(at, "seat", f.seat, wanted, "SIM-SETUP-6")


def _turn(t: Table, m: Moment, f: Turn, at: str) -> Iterator[Problem]:
    """Whoever stays at home this turn is at home, and came there from a tile."""
    for kind, n in f.resting.items():
        if n > t.board.seats[f.seat].available.get(kind, 0):
            message = say("more vassals have come home than are there")
            yield Problem(f"{at}/resting/{kind}", message, "SIM-PLACE-10")
    yield from _turn_step(t, f, at)
    if f.resting and not t.board.chronicle:
        yield Problem(f"{at}/resting", say("no tile has been removed yet"), "SIM-REMOVE-4")


def _turn_step(t: Table, f: Turn, at: str) -> Iterator[Problem]:
    """The Main Action is done once it has begun; what else is going on came freely, before its end."""
    above = t.frames[t.index(f) + 1 :]
    if any(isinstance(x, Placement | TilePlacement) for x in above) and f.step != "finish":
        yield Problem(f"{at}/step", say("the Main Action has begun"), "SIM-TURN-1")
    elif any(isinstance(x, Gain | Occasion | Stride) for x in above) and f.step not in ("act", "finish"):
        message = say("free actions come before or after the Main Action, not at the end of the turn")
        yield Problem(f"{at}/step", message, "SIM-TURN-6")


def _laid(t: Table, m: Moment, f: TilePlacement, at: str) -> Iterator[Problem]:
    if f.tile not in t.board.wilds.values():
        yield Problem(f"{at}/tile", say("{tile} does not lie in the Wilds", tile=f.tile), "SIM-TILE-5")
    elif f.step != FINISHED and any(_stands(t, place) for place in figures(t).spaces_of[f.tile]):
        yield Problem(f"{at}/tile", say("somebody is on {tile} already", tile=f.tile), "SIM-TILE-7")
    yield from _used_by(t, f, at)


def _used_by(t: Table, f: TilePlacement, at: str) -> Iterator[Problem]:
    """The vassal that is being placed is on the new tile, and nothing else is waited for then."""
    placed = [x for x in t.frames if isinstance(x, Placement)]
    if placed and f.step != FINISHED:
        yield Problem(f"{at}/step", say("nothing has still to happen before it"), "SIM-TILE-7")
    for x in placed:
        if figures(t).tile_at.get(x.space) != f.tile:
            yield wrong(at, "tile", f.tile, figures(t).tile_at.get(x.space), "SIM-TILE-7")


def _stands(t: Table, place: str) -> bool:
    return any(on_space(p, place) for p in t.board.seats.values())


def _placement(t: Table, m: Moment, f: Placement, at: str) -> Iterator[Problem]:
    """What was paid is one of the ways to pay for the space."""
    ways = figures(t).effects[f.space].costs
    if f.paid not in [_kinds(way) for way in ways]:
        yield _impossible(at, "paid", "SIM-EFF-4")


def _kinds(way: Mapping[str, int]) -> list[str]:
    return [kind for kind in KINDS for _ in range(way.get(kind, 0))]


def _stride(t: Table, m: Moment, f: Stride, at: str) -> Iterator[Problem]:
    places = figures(t).spaces_of[f.tile]
    if f.tile not in figures(t).move_costs:
        yield Problem(f"{at}/tile", say("{tile} is no Exploration Tile", tile=f.tile), "SIM-EXPL-1")
    elif not 2 <= f.level <= len(places):
        yield Problem(f"{at}/level", say("nobody moves to level {level}", level=f.level), "SIM-EXPL-4")
    elif f.paid not in [_kinds(way) for way in figures(t).move_costs[f.tile]]:
        yield _impossible(at, "paid", "SIM-EXPL-9")
    else:
        yield from _riding(t, f, at, places)


def _riding(t: Table, f: Stride, at: str, places: Sequence[str]) -> Iterator[Problem]:
    """The rider stands where it has come, or has moved on by answers; each step on a step is one level further."""
    upper = [x for x in t.frames[t.index(f) + 1 :] if isinstance(x, Stride) and x.tile == f.tile]
    laid = f.tile in t.board.wilds.values()
    here = any(on_space(t.board.seats[f.seat], place) for place in places[f.level - 1 :])
    if laid and not upper and not here and not _gap_above(t, f):
        yield Problem(f"{at}/level", say("no rider is there"), "SIM-EXPL-4")
    if upper and upper[0].level != f.level + 1:
        yield wrong(at, "level", f.level, upper[0].level - 1, "SIM-DRAGON-20")


def _gap_above(t: Table, f: Stride) -> bool:
    """Whether free actions may have spent the rider: a choice that leaves a gap is open."""
    return any(getattr(x, "step", "") == "choose-later" for x in t.frames)


# -- gains ------------------------------------------------------------------------------------------------------


def _gain(t: Table, m: Moment, f: Gain, at: str) -> Iterator[Problem]:
    """A source of the game, a branch that it has, and a part of that."""
    f_ = figures(t)
    if f.source not in f_.effects or f.source in f_.wilds:
        yield _impossible(at, "source", "SIM-EFF-1")
        return
    parts = branch_of(f_.effects[f.source].gain, f.branch)
    if parts is None:
        yield _impossible(at, "branch", "SIM-EFF-3")
    elif f.part > len(parts):
        yield _impossible(at, "part", "SIM-EFF-8")
    else:
        yield from _gain_step(t, f, at, parts)
        yield from _source(t, f, at)


def _gain_step(t: Table, f: Gain, at: str, parts: Sequence[Part]) -> Iterator[Problem]:
    """It waits only for what a payment for an ability brought about, and chooses only where there is a choice."""
    if f.step == WAITING and not isinstance(t.below(f), FREELY):
        yield Problem(f"{at}/step", say("nothing has still to happen before it"), "SIM-DEC-23")
    part = parts[f.part] if f.part < len(parts) else None
    later = {"choose": False, "choose-later": True}.get(f.step)
    if later is not None and (not isinstance(part, One) or later != (f.part > 0)):
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


FREELY = (Turn, Acquisition, Share)  # on what a gain stands that comes by a free action


def _source(t: Table, f: Gain, at: str) -> Iterator[Problem]:
    """What gives is what the frame below resolves."""
    below = t.below(f)
    wanted, quiet = f.source, f.quiet
    if isinstance(below, Placement):
        wanted, quiet = below.space, False
    elif isinstance(below, Stride):
        wanted, quiet = f"{below.tile}-{below.level}", False
    elif isinstance(below, Gain):
        wanted, quiet = below.source, below.quiet
    elif isinstance(below, Occasion):
        quiet = True
    elif isinstance(below, FREELY):
        quiet = False
    ability = figures(t).abilities.get(f.source)
    if f.source != wanted:
        yield wrong(at, "source", f.source, wanted, "SIM-PLACE-8")
    elif f.quiet != quiet:
        yield wrong(at, "quiet", f.quiet, quiet, "SIM-DRAGON-11")
    elif isinstance(below, (Occasion, *FREELY)) and _unfit(t, below, f.source, ability):
        yield _impossible(at, "source", "SIM-DRAGON-9")
    begun = [*below.branch, below.part - 1] if isinstance(below, Gain) else []
    if f.branch[:-1] != begun or (bool(f.branch) != isinstance(below, Gain)):
        yield _impossible(at, "branch", "SIM-EFF-3")


def _unfit(t: Table, below: Any, source: str, ability: Any) -> bool:
    """Whether the ability that gives cannot have been used there."""
    if ability is None or ability.dragon not in t.board.seats[below.seat].dragons:
        return True
    return source not in below.used if isinstance(below, Occasion) else ability.trigger is not None


def _parts_below(t: Table, f: Any) -> list[Part]:
    """The parts that may have begun this frame: of the gain below it, or of any effect."""
    below = t.below(f)
    f_ = figures(t)
    if isinstance(below, Gain) and below.source in f_.effects:
        parts = branch_of(f_.effects[below.source].gain, below.branch) or ()
        return list(parts[max(0, below.part - 1) : below.part])
    return [part for effect in f_.effects.values() for part in every_part(effect.gain)]


def _share(t: Table, m: Moment, f: Share, at: str) -> Iterator[Problem]:
    below = t.below(f)
    if isinstance(below, Occasion):
        yield from _one_more(t, f, below, at)
        return
    fits = [p for p in _parts_below(t, f) if isinstance(p, Total) and (p.n, list(p.of)) == (f.n, f.of)]
    if not fits:
        yield _impossible(at, "of", "SIM-EFF-2")
    if isinstance(below, Gain) and below.source in figures(t).effects:
        wanted = {"quiet": below.quiet, "later": below.part > 1, "because": clause_of(t, below.source)}
        for field, value in wanted.items():
            if getattr(f, field) != value:
                yield wrong(at, field, getattr(f, field), value, "SIM-EFF-2")


def _one_more(t: Table, f: Share, below: Occasion, at: str) -> Iterator[Problem]:
    wanted = {"quiet": True, "later": False, "because": "SIM-DRAGON-26"}
    for field, value in wanted.items():
        if getattr(f, field) != value:
            yield wrong(at, field, getattr(f, field), value, "SIM-DRAGON-26")
    more = [p for a in below.used for p in figures(t).effects[a].gain if isinstance(p, Special)]
    if not any(p.n == f.n and [k for k in p.of if k in below.of] == f.of for p in more):
        yield _impossible(at, "of", "SIM-DRAGON-26")


def _markers(t: Table, m: Moment, f: Markers, at: str) -> Iterator[Problem]:
    bags = [p.bag for p in _parts_below(t, f) if isinstance(p, Take)]
    most = max((bag.get(MARKER, 0) for bag in bags), default=0)
    if not 1 <= f.left <= most:
        yield _impossible(at, "left", "SIM-EFF-1")


def _hatching(t: Table, m: Moment, f: Hatching, at: str) -> Iterator[Problem]:
    if not any(isinstance(p, Draw) and (p.n, p.markers) == (f.n, f.markers) for p in _parts_below(t, f)):
        yield _impossible(at, "n", "SIM-EFF-6")


def _viewing(t: Table, m: Moment, f: Viewing, at: str) -> Iterator[Problem]:
    if not any(isinstance(p, Special) and p.n == f.n for p in _parts_below(t, f)):
        yield _impossible(at, "n", "SIM-STATUE-1")


def _occasion(t: Table, m: Moment, f: Occasion, at: str) -> Iterator[Problem]:
    """An event of the game; what has answered it fits it and has no marker left (SIM-DRAGON-10)."""
    known = {"take": TOKENS, "pay-vassal": KINDS, "move-rider": ()}[f.event]
    fine = f.of == sorted(set(f.of)) and set(f.of) <= set(known) and bool(f.of) == (f.event != "move-rider")
    if not fine or (f.event == "pay-vassal" and len(f.of) > 1):
        yield _impossible(at, "of", "SIM-DRAGON-10")
    below = t.below(f)
    wanted = below.tile if isinstance(below, Stride) and f.event == "move-rider" else ""
    if f.tile != wanted:
        yield wrong(at, "tile", f.tile, wanted, "SIM-DRAGON-20")
    yield from _used(t, f, at)


def _used(t: Table, f: Occasion, at: str) -> Iterator[Problem]:
    p = t.board.seats[f.seat]
    for i, ability in enumerate(f.used):
        known = figures(t).abilities[ability]
        fits = known.trigger is not None and known.trigger.on == f.event
        fits = fits and (not known.trigger.of or bool(set(known.trigger.of) & set(f.of)))  # type: ignore[union-attr]
        if known.dragon not in p.dragons or not fits:
            message = say("{ability} cannot have answered this", ability=ability)
            yield Problem(f"{at}/used/{i}", message, "SIM-DRAGON-10")
        elif ability in p.markers and not _refilled(t, f):
            message = say("{ability} has its marker still", ability=ability)
            yield Problem(f"{at}/used/{i}", message, "SIM-DRAGON-4")


def _refilled(t: Table, f: Occasion) -> bool:
    """Whether markers may have come since: one more step has been taken for this event."""
    return any(moves_again(t, a) for a in f.used)


# -- draws ------------------------------------------------------------------------------------------------------


def _draw_tiles(t: Table, m: Moment, f: DrawTiles, at: str) -> Iterator[Problem]:
    fig = figures(t)
    if m.turn is not None:
        wanted = {"pile": "tiles", "of": "", "to": "hand", "left": 1}
    elif isinstance(t.below(f), PowerDraft):
        wanted = {"pile": "power", "of": "", "to": "offered", "because": "SIM-DL-2"}
    elif m.stage == "deal-power":
        wanted = {
            "pile": "power",
            "of": "",
            "to": "hand",
            "because": "SIM-SETUP-7",
            "left": fig.table["power-deal"],
        }
    else:
        wanted = {"pile": "tiles", "to": "hand", "because": "SIM-SETUP-8"}
        if f.of not in TYPES or f.of == POWER:
            yield _impossible(at, "of", "SIM-SETUP-8")
    yield from _fields(f, at, wanted)
    if m.turn is not None and f.because not in ("SIM-SCOUT-4", "SIM-DRAGON-24"):
        yield _impossible(at, "because", "SIM-SCOUT-4")


def _fields(f: Any, at: str, wanted: Mapping[str, Any]) -> Iterator[Problem]:
    for field, value in wanted.items():
        if getattr(f, field) != value:
            yield wrong(at, field, getattr(f, field), value, None)


def _draw_dragons(t: Table, m: Moment, f: DrawDragons, at: str) -> Iterator[Problem]:
    fig, below = figures(t), t.below(f)
    if isinstance(below, Hatching):
        most, wanted = below.n, {"to": "looked_at", "because": "SIM-EFF-6"}
    elif t.options["variant"] == "dragonlord":
        most, wanted = fig.table["dragon-draft"], {"to": "looked_at", "because": "SIM-DL-6"}
    else:
        most, wanted = 1, {"to": "dragons", "because": "SIM-SETUP-12"}
    yield from _fields(f, at, wanted)
    have = len(getattr(t.board.seats[f.seat], f.to))
    if f.left + have != most:
        yield wrong(at, "left", f.left, most - have, "SIM-EFF-6")


def _draw_objectives(t: Table, m: Moment, f: DrawObjectives, at: str) -> Iterator[Problem]:
    below = t.below(f)
    yield from _fields(f, at, {"because": "SIM-STATUE-1"})
    have = len(t.board.seats[f.seat].considered)
    if isinstance(below, Viewing) and f.left + have != below.n:
        yield wrong(at, "left", f.left, below.n - have, "SIM-STATUE-1")


def _turn_up(t: Table, m: Moment, f: TurnUp, at: str) -> Iterator[Problem]:
    drafting = isinstance(t.below(f), ActionDraft)
    because = "SIM-DL-4" if drafting else "SIM-SETUP-10" if m.turn is None else "SIM-SCOUT-7"
    yield from _fields(f, at, {"to": "row" if drafting else "display", "because": because})
    wanted = figures(t).table["action-draft"]["face-up"] - len(t.board.row) if drafting else 0
    if f.left != wanted:
        yield wrong(at, "left", f.left, wanted, because)


# -- choosing ---------------------------------------------------------------------------------------------------


def _returning(t: Table, m: Moment, f: Returning, at: str) -> Iterator[Problem]:
    wanted = "looked_at" if isinstance(t.below(f), Hatching) else "considered"
    yield from _fields(f, at, {"held": wanted})


def _power_draft(t: Table, m: Moment, f: PowerDraft, at: str) -> Iterator[Problem]:
    """From the last player to the first, those who have no Power Tile yet (SIM-DL-3)."""
    due = [seat for seat in reversed(t.seats) if not t.board.seats[seat].hand]
    if f.waiting != due:
        yield wrong(at, "waiting", f.waiting, due, "SIM-DL-3")
        return
    draft = figures(t).table["power-draft"]
    drawing = sum(x.left for x in t.frames if isinstance(x, DrawTiles))
    wanted = draft["first"] if len(due) == len(t.seats) else draft["first"] - 1 + draft["next"]
    have = len(t.board.seats[due[0]].offered) if due else 0
    if due and have + drawing != wanted:
        yield wrong(f"/table/seats/{due[0]}", "offered", have, wanted - drawing, "SIM-DL-2")
    for seat in t.seats:
        if seat not in due[:1] and t.board.seats[seat].offered:
            at_hand = f"/table/seats/{seat}/offered"
            yield Problem(at_hand, say("it is not the turn of {seat} to choose", seat=seat), "SIM-DL-3")


def _action_draft(t: Table, m: Moment, f: ActionDraft, at: str) -> Iterator[Problem]:
    """The picks still due, in turn order (SIM-DL-4)."""
    draft = figures(t).table["action-draft"]
    every = list(t.seats) * draft["picks"]
    have = sum(len(p.hand) - 1 for p in t.board.seats.values())
    if f.waiting != (due := every[have:]):
        yield wrong(at, "waiting", f.waiting, due, "SIM-DL-4")
    if any(isinstance(x, TurnUp) for x in t.frames):
        return
    if len(t.board.row) != draft["face-up"]:
        message = say("{n} tiles lie face up; it is {wanted}", n=len(t.board.row), wanted=draft["face-up"])
        yield Problem("/table/row", message, "SIM-DL-4")


CHECKS: Mapping[type[Any], Check] = {
    Game: _game,
    Turn: _turn,
    TilePlacement: _laid,
    Placement: _placement,
    Stride: _stride,
    Gain: _gain,
    Share: _share,
    Markers: _markers,
    Hatching: _hatching,
    Viewing: _viewing,
    Occasion: _occasion,
    DrawTiles: _draw_tiles,
    DrawDragons: _draw_dragons,
    DrawObjectives: _draw_objectives,
    TurnUp: _turn_up,
    Returning: _returning,
    PowerDraft: _power_draft,
    ActionDraft: _action_draft,
}
