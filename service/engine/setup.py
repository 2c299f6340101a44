"""Set-up: from seats, options and chance to the first decision."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.engine.flow import advance, decisions, push
from service.engine.judge import Judgement
from service.engine.message import say
from service.engine.problems import board_problems
from service.engine.ruleset import Problem, Ruleset, SetupRefused, SetupSeat
from service.engine.state import CHANCE, SCHEMA, ChanceState, Seat, State
from service.engine.table import Draws, Table

SEAT_ID = re.compile(r"[a-z][a-z0-9-]{0,31}")


@dataclass(frozen=True)
class Setup:
    """What a game is set up with. `position`: a board of the ruleset's type, to start from the middle of a game."""

    seats: Sequence[SetupSeat]
    game_id: str
    chance: ChanceState
    options: Mapping[str, Any] = field(default_factory=dict)
    position: Any = None


class PositionRefused(SetupRefused):
    """A position that cannot exist: `problems`, with pointers below `/position`."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__(problems[0].pointer, problems[0].message, problems[0].rule)
        self.problems = tuple(problems)


def start(rules: Ruleset, setup: Setup, draws: Draws | None = None) -> Judgement:
    """The state before the first decision, with what happened on the way.

    SetupRefused if the set-up is not allowed; PositionRefused, which is one, if no game can stand like its position.
    """
    _check_seats(rules, setup.seats)
    options = _options(rules, setup.options)
    ids = [s.id for s in setup.seats]
    fresh = setup.position is None
    board = rules.board_for(setup.seats, options) if fresh else setup.position
    state: State[Any, Any] = State(
        game=rules.game,
        ruleset=rules.version,
        schema=SCHEMA,
        game_id=setup.game_id,
        seats=[Seat(s.id, s.name, s.automated) for s in setup.seats],
        chance=setup.chance,
        table=board,
        stack=[],
        options=options,
    )
    t = Table(rules, state, draws).fork()
    if fresh:
        assert rules.root is not None
        push(t, rules.root())
    else:
        _check_position(rules, state)
        push(t, *reversed(rules.stack_for(board, ids)))
    advance(t)
    return Judgement(True, (), [], t.to_state(0), t.events, t.played, decisions(t), t.outcome)


def _check_position(rules: Ruleset, state: State[Any, Any]) -> None:
    if not rules.resumes:
        raise SetupRefused("/position", "this game starts from its beginning alone")
    found = board_problems(rules, state)
    if found:
        moved = [Problem(re.sub("^/table", "/position", p.pointer), p.message, p.rule) for p in found]
        raise PositionRefused(moved)


def _check_seats(rules: Ruleset, seats: Sequence[SetupSeat]) -> None:
    if not rules.least_seats <= len(seats) <= rules.most_seats:
        facts = {"n": len(seats), "least": rules.least_seats, "most": rules.most_seats}
        raise SetupRefused("/seats", say("{n} seats; the game takes {least} to {most}", **facts))
    for i, seat in enumerate(seats):
        if not SEAT_ID.fullmatch(seat.id) or seat.id == CHANCE:
            raise SetupRefused(
                f"/seats/{i}/id", "a lower-case letter, then letters, digits and hyphens; chance is reserved"
            )
        if seat.id in [s.id for s in seats[:i]]:
            raise SetupRefused(f"/seats/{i}/id", say("{seat} sits here twice", seat=seat.id))
        if seat.automated and rules.prudent is None:
            raise SetupRefused(f"/seats/{i}/automated", "nobody can play this game for a seat")
        for name, value in seat.choice.items():
            if value not in rules.choices.get(name, ()):
                raise SetupRefused(
                    f"/seats/{i}/{name}", say("the game has no {name} {value}", name=name, value=value)
                )


def _options(rules: Ruleset, given: Mapping[str, Any]) -> dict[str, Any]:
    for name, value in given.items():
        option = rules.options.get(name)
        if option is None:
            raise SetupRefused(f"/options/{name}", "the game has no such option")
        if not option.takes(value):
            values = ", ".join(map(str, option.values))
            raise SetupRefused(
                f"/options/{name}", say("the option takes {values}", values=values), option.rule
            )
    return {name: given.get(name, option.default) for name, option in rules.options.items()}
