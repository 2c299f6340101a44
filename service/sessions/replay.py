"""Re-judging: the state that a line of play leads to, every answer of chance taken from the record."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

import msgspec

from service.engine import given
from service.engine.flow import possible
from service.engine.judge import Judgement, judge
from service.engine.rule import Violation
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import CHANCE, AnyState, ChanceState, encode
from service.engine.table import Table

GIVEN = ChanceState("given", False)
DRAW = "draw"  # the number of the draw, in an answer of chance that the service drew
Action = Mapping[str, Any]
Drawing = Callable[[int, Mapping[Any, int]], Any]  # what a draw of this number brings, of these odds


class Broken(Exception):
    """An action of a record that the rules refuse; `at`: which."""

    def __init__(self, at: int, violations: Sequence[Violation] = ()) -> None:
        super().__init__(at)
        self.at, self.violations = at, violations


@dataclass(frozen=True)
class Drawn:
    """An answer of chance: which action of the line, the number of its draw, what could come up, and what did."""

    at: int
    number: int | None
    odds: Mapping[Any, int]
    value: Any


@dataclass
class Line:
    """A line of play that is judged action by action. `state`: the last one reached; `drawn`: what chance answered.

    `drawing` says what came up where a numbered answer of chance does not, because nobody who wrote it down saw it.
    `actions`: all that were judged, with that in them.
    """

    rules: Ruleset
    state: AnyState
    drawing: Drawing | None = None
    drawn: list[Drawn] = field(default_factory=list)
    actions: list[Action] = field(default_factory=list)

    def play(self, action: Action) -> Judgement:
        """Judge the next action. Raises Broken."""
        bare = {name: value for name, value in action.items() if name != DRAW}
        drawn = self._drawn(bare, action.get(DRAW)) if action.get("actor") == CHANCE else None
        judged = judge(self.rules, self.state, bare)
        if not judged.legal or judged.state is None:
            raise Broken(len(self.actions), judged.violations)
        self.state = judged.state
        self.actions.append({**action, **bare})
        if drawn is not None:
            self.drawn.append(drawn)
        return judged

    def _drawn(self, bare: dict[str, Any], number: int | None) -> Drawn | None:
        """What could come up, where chance is asked for anything; what did is put into `bare`, where it is not."""
        table = Table(self.rules, self.state)
        w = given.asked_of_chance(table)
        if w is None:
            return None
        cls: Any = w.ask.takes[0]
        name, odds = cls.parameter(), possible(cls.odds(table, w.frame))
        if name not in bare and number is not None and self.drawing is not None:
            bare[name] = self.drawing(number, odds)
        return Drawn(len(self.actions), number, odds, bare.get(name))


def by_hand(state: AnyState) -> AnyState:
    """The same table where nobody acts by himself, neither chance nor a seat: the record says what they did."""
    plain = copy(state)
    plain.chance = GIVEN
    plain.seats = [copy(seat) for seat in state.seats]
    for seat in plain.seats:
        seat.automated = False
    return plain


def replayed(rules: Ruleset, state: AnyState, actions: Iterable[Action]) -> AnyState:
    """The state after these actions, seats and chance as `state` has them. Raises Broken.

    Its `turn` counts the actions, those of chance and automated seats too.
    """
    line = Line(rules, by_hand(state))
    for action in actions:
        line.play(action)
    after = copy(line.state)
    after.chance, after.seats = state.chance, state.seats
    return after


def every_draw(
    rules: Ruleset,
    state: AnyState,
    log: Iterable[tuple[int, int, Sequence[Action]]],
    drawing: Drawing | None = None,
) -> Iterator[Drawn]:
    """Every answer of chance in a log of versions, those that were taken back too, in the order of their draws.

    A version is its number, to which version it goes back (0: it goes on from the last), and its actions. `at` counts
    within the version. Raises Broken for an action that is refused, for a way back to no version, and for one when the
    game is over.
    """
    states, over = {0: by_hand(state)}, False
    for version, to, actions in log:
        before = to or version - 1
        if before not in states or (over and to):
            raise Broken(0)
        line = Line(rules, states[before], drawing)
        for action in actions:
            line.play(action)
        states[version], over = line.state, over or line.state.outcome is not None
        yield from line.drawn


def begun(rules: Ruleset, setup: Mapping[str, Any]) -> AnyState:
    """The state that a set-up leads to before anything was played; chance is asked, not drawn."""
    seats = [_seat(s) for s in setup["seats"]]
    position = setup.get("position")
    board = None if position is None else msgspec.convert(position, rules.board)
    made = start(rules, Setup(seats, "", GIVEN, setup.get("options", {}), board, setup.get("house", {})))
    assert made.state is not None
    return made.state


def _seat(asked: Mapping[str, Any]) -> SetupSeat:
    choice = {k: v for k, v in asked.items() if k not in ("id", "name", "automated")}
    return SetupSeat(asked["id"], asked.get("name", ""), False, choice)


def digest(state: AnyState) -> str:
    """A digest of what the rules decide: table, stack and outcome."""
    decided = {"table": state.table, "stack": state.stack, "outcome": state.outcome}
    return hashlib.sha256(b"arbitr record\n" + encode(decided)).hexdigest()[:32]
