"""Reasons why the unfinished business of Root cannot stand as it does; factions add their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from service.engine.frames import Frame
from service.engine.message import say
from service.engine.ruleset import Problem
from service.engine.table import Table
from service.games.root.v1.battle_problems import battle_problems, hits_problems
from service.games.root.v1.campaign import Keeping
from service.games.root.v1.cards import Draw, HandLimit, TakeRandomCard, excess
from service.games.root.v1.components import (
    Plugs,
    faction_of,
    in_turn_order,
    player,
)
from service.games.root.v1.draw_problems import draw_problems, random_card_problems
from service.games.root.v1.figures import PRINTED
from service.games.root.v1.hits import Hits
from service.games.root.v1.removal_problems import removal_problems
from service.games.root.v1.state import Battle, Game, Removal, Turn
from service.games.root.v1.turn import Birdsong, Daylight
from service.games.root.v1.turn_problems import turn_problems

Check = Callable[[Table, Any, str], Iterator[Problem]]


def beyond(t: Table, *steps: str) -> bool:
    """Whether set-up is past these first steps of the game."""
    game = t.frames[0] if t.frames else None
    return not isinstance(game, Game) or game.step not in steps


def frame_problems(plugs: Plugs) -> Callable[[Table], Iterator[Problem]]:
    """The search through the frames' own fields, with those of these factions."""
    own = {
        frame: f.id for f in plugs.factions for frame in (f.setup, f.birdsong, f.daylight, f.evening, *f.more)
    }
    evenings = {f.evening for f in plugs.factions}

    def search(t: Table) -> Iterator[Problem]:
        for i, frame in enumerate(t.frames):
            at = f"/stack/{i}"
            kind: type[Frame] = type(frame)
            if cited := _citing(kind):
                yield from _clauses(t, frame, at, cited)
            if kind in own:
                yield from _its_faction(t, frame, at, own[kind])
                if kind in evenings and frame is t.frames[-1]:
                    yield from _limit_kept(t, frame, at)
            if (check := CHECKS.get(kind)) is not None:
                yield from check(t, frame, at)

    return search


@cache
def _citing(kind: Any) -> tuple[str, ...]:
    """The fields of a frame that cite a clause."""
    return tuple(name for name in ("because", "scoring") if name in kind.__struct_fields__)


def _clauses(t: Table, frame: Any, at: str, cited: Sequence[str]) -> Iterator[Problem]:
    """What a frame cites is in the book."""
    for field in cited:
        clause = getattr(frame, field)
        if clause is not None and clause not in t.rules.book.rules:
            yield Problem(f"{at}/{field}", say("the rulebook has no clause {clause}", clause=clause))


def _its_faction(t: Table, frame: Any, at: str, faction: str) -> Iterator[Problem]:
    """A faction's frames belong to who plays it, and, after set-up, to the turn player."""
    if player(t, frame.seat).faction != faction:
        message = say("{seat} does not play {faction}", seat=frame.seat, faction=faction)
        yield Problem(f"{at}/seat", message, "ROOT-SETUP-1")
    elif (turn := t.frame(Turn)) is not None and turn.seat != frame.seat:
        message = say("it is the turn of {seat}", seat=turn.seat)
        yield Problem(f"{at}/seat", message, "ROOT-GEN-9")


def _game(t: Table, f: Game, at: str) -> Iterator[Problem]:
    turn = t.frame(Turn)
    if turn is not None and f.last != turn.seat:
        yield Problem(f"{at}/last", say("it is the turn of {seat}", seat=turn.seat), "ROOT-GEN-9")
    if turn is None and f.last is not None and t.frame(Keeping) is None:
        yield Problem(f"{at}/last", say("nobody has had a turn yet"), "ROOT-GEN-9")
    yield from _waiting(t, f, at)


def _waiting(t: Table, f: Game, at: str) -> Iterator[Problem]:
    """Who is still to set up: all in their order while hands are dealt, then those after the one who does.

    Of two of one kind (Vagabonds) either may come first.
    """
    now: Any = t.frames[1] if len(t.frames) > 1 else None
    due: list[str] = []
    twins: list[str] = []
    if f.step == "set-up" and now is not None:
        letters = {s: PRINTED.factions[str(player(t, s).faction)].setup for s in t.seats}
        first = "" if getattr(now, "because", None) == "ROOT-SETUP-4" else letters[now.seat]
        due = sorted((s for s in in_turn_order(t) if letters[s] > first), key=lambda s: letters[s])
        twins = [s for s in t.seats if letters[s] == first and s != now.seat]
    if [s for s in f.waiting if s not in twins] != due:
        message = say("still to set up: {seats}", seats=", ".join(due) or "nobody")
        yield Problem(f"{at}/waiting", message, "ROOT-SETUP-7")


def _phase(t: Table, f: Any, at: str) -> Iterator[Problem]:
    turn = t.frame(Turn)
    if turn is not None and turn.seat != f.seat:
        yield Problem(f"{at}/seat", say("it is the turn of {seat}", seat=turn.seat), "ROOT-GEN-9")


def _its_evening(t: Table, f: HandLimit, at: str) -> Iterator[Problem]:
    """In an Evening its player discards."""
    below = t.below(f)
    in_evening = hasattr(below, "seat") and type(below) is faction_of(t, below.seat).evening
    if in_evening and below.seat != f.seat:
        yield Problem(f"{at}/seat", say("it is the turn of {seat}", seat=below.seat), "ROOT-GEN-9")


def _limit_kept(t: Table, f: Any, at: str) -> Iterator[Problem]:
    """What an Evening asks after the hand limit, it asks of a player with no more than five cards (ROOT-CARD-8)."""
    index = t.rules.procedures[type(f)].index
    if index.get(f.step, -1) > index.get("keep-five", len(index)) and (n := excess(t, f.seat)):
        message = say("{seat} has still to discard cards: {n}", seat=f.seat, n=n)
        yield Problem(f"{at}/step", message, "ROOT-CARD-8")


CHECKS: dict[type[Frame], Check] = {
    Game: _game,
    Turn: turn_problems,
    Birdsong: _phase,
    Daylight: _phase,
    Draw: draw_problems,
    HandLimit: _its_evening,
    TakeRandomCard: random_card_problems,
    Battle: battle_problems,
    Hits: hits_problems,
    Removal: removal_problems,
}
