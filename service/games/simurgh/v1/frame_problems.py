"""Reasons why the unfinished business of Simurgh cannot stand as it does."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from service.engine.action import No
from service.engine.frames import FINISHED, WAITING
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.simurgh.v1.components import DrawDragons, DrawObjectives, DrawTiles, TurnUp, on_space
from service.games.simurgh.v1.dealing_problems import dealing_problems
from service.games.simurgh.v1.drafts import ActionDraft, PowerDraft
from service.games.simurgh.v1.dragons import moves_again
from service.games.simurgh.v1.event_problems import kinds_of, occasion_problems
from service.games.simurgh.v1.figures import POWER, TYPES, figures
from service.games.simurgh.v1.gain_problems import (
    acquisition_problems,
    gain_problems,
    hatching_problems,
    impossible,
    markers_problems,
    share_problems,
    viewing_problems,
    wrong,
)
from service.games.simurgh.v1.gains import Gain, Hatching, Occasion, Share, Viewing
from service.games.simurgh.v1.markers import Markers
from service.games.simurgh.v1.moment import Moment, moment
from service.games.simurgh.v1.removal import Returning
from service.games.simurgh.v1.setup import Game
from service.games.simurgh.v1.state import Acquisition, Placement, Stride, TilePlacement, Turn
from service.games.simurgh.v1.turn_problems import turn_problems
from service.games.simurgh.v1.wayout import foretold

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
    found = [*dealing_problems(t, m), *_of_frames(t, m)]
    yield from found or _dead_end(t)


def _dead_end(t: Table) -> Iterator[Problem]:
    """What has begun can be brought to its end, or it would not have been begun (SIM-SCOUT-6, SIM-TILE-8)."""
    due = next((i for i, f in enumerate(t.frames) if isinstance(f, Placement | TilePlacement)), None)
    if due is None or t.outcome is not None or (told := foretold(t)):
        return
    rule = "SIM-SCOUT-6" if isinstance(t.frames[due], Placement) else "SIM-TILE-8"
    yield Problem(f"/stack/{due}", _lost(rule, told), rule)


def _lost(rule: str, told: bool | No) -> str:
    """That there is no way out, or that none was found."""
    if isinstance(told, No):
        return say("no way to bring this to its end was found among {looked_at} positions", **told.facts)
    if rule == "SIM-SCOUT-6":
        return say("no tile can be acquired any more")
    return say("no vassal can be placed on the new tile")


def _of_frames(t: Table, m: Moment) -> Iterator[Problem]:
    for i, frame in enumerate(t.frames):
        if frame.step == WAITING and not isinstance(frame, MAY_WAIT):
            yield Problem(f"/stack/{i}/step", say("this never waits for others"), "SIM-DEC-23")
        at, seat = f"/stack/{i}", getattr(frame, "seat", None)
        if m.turn is not None and seat is not None and seat != m.turn.seat:
            yield wrong(at, "seat", seat, m.turn.seat, "SIM-TURN-14")
        elif (check := CHECKS.get(type(frame))) is not None:
            yield from check(t, m, frame, at)


# -- the game and the turn --------------------------------------------------------------------------------------


def _game(t: Table, m: Moment, f: Game, at: str) -> Iterator[Problem]:
    wanted = None if m.turn is None else m.turn.seat
    if f.seat != wanted and m.stage != "position":
        yield wrong(at, "seat", f.seat, wanted, "SIM-SETUP-6")


def _laid(t: Table, m: Moment, f: TilePlacement, at: str) -> Iterator[Problem]:
    if f.tile not in t.board.wilds.values():
        yield Problem(f"{at}/tile", say("{tile} does not lie in the Wilds", tile=f.tile), "SIM-TILE-5")
    elif f.step != FINISHED and any(_stands(t, place) for place in figures(t).spaces_of[f.tile]):
        yield Problem(f"{at}/tile", say("somebody is on {tile} already", tile=f.tile), "SIM-TILE-7")
    yield from _only_one(t, f, at)
    yield from _used_by(t, f, at)


def _only_one(t: Table, f: TilePlacement, at: str) -> Iterator[Problem]:
    """One tile a turn."""
    first = next(i for i, x in enumerate(t.frames) if isinstance(x, TilePlacement))
    if at != f"/stack/{first}":
        yield Problem(f"{at}/tile", say("a tile has been placed already this turn"), "SIM-TURN-7")


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
    """What was paid is a way to pay for the space, and the vassal stands there, paying for nothing (SIM-PAY-4).

    A tile is not removed before that is done (SIM-REMOVE-3); a rider may have moved on.
    """
    fig = figures(t)
    turn = t.frame(Turn)
    moved = f.space in fig.levels and turn is not None and turn.moved
    if f.paid not in [kinds_of(way) for way in fig.effects[f.space].costs]:
        yield impossible(at, "paid", "SIM-EFF-4")
    elif not moved and not on_space(t.board.seats[f.seat], f.space):
        yield Problem(f"{at}/space", say("no vassal is there"), "SIM-TURN-2")


def _stride(t: Table, m: Moment, f: Stride, at: str) -> Iterator[Problem]:
    places = figures(t).spaces_of[f.tile]
    if f.tile not in figures(t).move_costs:
        yield Problem(f"{at}/tile", say("{tile} is no Exploration Tile", tile=f.tile), "SIM-EXPL-1")
    elif not 2 <= f.level <= len(places):
        yield Problem(f"{at}/level", say("nobody moves to level {level}", level=f.level), "SIM-EXPL-4")
    elif f.paid not in [kinds_of(way) for way in figures(t).move_costs[f.tile]]:
        yield impossible(at, "paid", "SIM-EXPL-9")
    else:
        yield from _riding(t, f, at, places)


def _riding(t: Table, f: Stride, at: str, places: Sequence[str]) -> Iterator[Problem]:
    """The rider stands where it has come, or has moved on by answers, and pays for nothing meanwhile (SIM-PAY-4).

    The first step that answers is one level further; by each answer that has been carried out it was one at least.
    """
    upper = next((x for x in t.frames[t.index(f) + 1 :] if isinstance(x, Stride) and x.tile == f.tile), None)
    laid = f.tile in t.board.wilds.values()
    event = next((x for x in t.frames if isinstance(x, Occasion) and t.below(x) is f), None)
    steps = sum(moves_again(t, a) for a in event.used) if event is not None else 0
    here = any(on_space(t.board.seats[f.seat], x) for x in places[f.level - 1 : None if steps else f.level])
    if laid and upper is None and not here:
        yield Problem(f"{at}/level", say("no rider is there"), "SIM-EXPL-4")
    if upper is not None and (upper.level < f.level + steps or (steps < 2 and upper.level != f.level + 1)):
        yield wrong(at, "level", f.level, upper.level - max(1, steps), "SIM-DRAGON-20")


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
            yield impossible(at, "of", "SIM-SETUP-8")
    yield from _fields(f, at, wanted)
    if m.turn is not None and f.because not in ("SIM-SCOUT-4", "SIM-DRAGON-24"):
        yield impossible(at, "because", "SIM-SCOUT-4")


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
    wanted = draft["first"] + (len(t.seats) - len(due)) * (draft["next"] - 1)
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
    Turn: turn_problems,
    TilePlacement: _laid,
    Placement: _placement,
    Stride: _stride,
    Acquisition: acquisition_problems,
    Gain: gain_problems,
    Share: share_problems,
    Markers: markers_problems,
    Hatching: hatching_problems,
    Viewing: viewing_problems,
    Occasion: occasion_problems,
    DrawTiles: _draw_tiles,
    DrawDragons: _draw_dragons,
    DrawObjectives: _draw_objectives,
    TurnUp: _turn_up,
    Returning: _returning,
    PowerDraft: _power_draft,
    ActionDraft: _action_draft,
}
