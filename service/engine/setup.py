"""Set-up: from seats, options and chance to the first decision."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.engine.flow import advance, decisions, push
from service.engine.judge import Judgement
from service.engine.message import say
from service.engine.problems import board_problems
from service.engine.ruleset import Problem, Ruleset, SetupRefused, SetupSeat
from service.engine.shapes import settled
from service.engine.state import CHANCE, SCHEMA, ChanceState, Seat, State
from service.engine.table import Draws, Table
from service.engine.wishes import Wished

SEAT_ID = re.compile(r"[a-z][a-z0-9-]{0,31}")


@dataclass(frozen=True)
class Setup:
    """What a game is set up with.

    `position`: a board of the ruleset's type, to start from the middle of a game. `house`: the figures that hold in
    the place of printed ones, `{kind: {id: {figure: value}}}`.
    """

    seats: Sequence[SetupSeat]
    game_id: str
    chance: ChanceState
    options: Mapping[str, Any] = field(default_factory=dict)
    position: Any = None
    house: Mapping[str, Any] = field(default_factory=dict)


class PositionRefused(SetupRefused):
    """A position that cannot exist: its problems, with pointers below `/position`."""


def start(rules: Ruleset, setup: Setup, draws: Draws | None = None) -> Judgement:
    """The state before the first decision, with what happened on the way.

    SetupRefused if the set-up is not allowed; PositionRefused, which is one, if no game can stand like its position.
    """
    refused = list(_refusals(rules, setup))
    if refused:
        raise SetupRefused(refused)
    options = {name: setup.options.get(name, option.default) for name, option in rules.options.items()}
    ids = [s.id for s in setup.seats]
    house, fresh = settled(dict(setup.house)), setup.position is None
    board = rules.board_for(setup.seats, options, house) if fresh else setup.position
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
        house=house,
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
    found = board_problems(rules, state)
    if found:
        raise PositionRefused(map(of_position, found))


def of_position(problem: Problem) -> Problem:
    """A problem of a state that began with a position, as one of its set-up: what points into the table points into the
    position."""
    return problem.moved("/table", "/position")


def _refusals(rules: Ruleset, setup: Setup) -> Iterator[Problem]:
    """Every reason why such a game cannot be set up, but for what is wrong with the position itself."""
    yield from _seats(rules, setup.seats)
    yield from _options(rules, setup.options)
    unknown = list(rules.house_problems(setup.house))
    yield from unknown
    figures = rules.figures_of({} if unknown else settled(dict(setup.house)))
    yield from rules.refused_wishes(Wished(setup.seats, _taken(rules, setup), figures, setup.position))
    if setup.position is not None and not rules.resumes:
        yield Problem("/position", say("this game starts from its beginning alone"))


def _taken(rules: Ruleset, setup: Setup) -> Mapping[str, Any]:
    """Every option with its value, or its default where it takes no such value."""
    given = {name: setup.options.get(name, option.default) for name, option in rules.options.items()}
    return {n: v if rules.options[n].takes(v) else rules.options[n].default for n, v in given.items()}


def _seats(rules: Ruleset, seats: Sequence[SetupSeat]) -> Iterator[Problem]:
    if not rules.least_seats <= len(seats) <= rules.most_seats:
        facts = {"n": len(seats), "least": rules.least_seats, "most": rules.most_seats}
        yield Problem("/seats", say("{n} seats; the game takes {least} to {most}", **facts))
    known: set[str] = set()
    for i, seat in enumerate(seats):
        if not SEAT_ID.fullmatch(seat.id) or seat.id == CHANCE:
            yield Problem(
                f"/seats/{i}/id",
                say("a lower-case letter, then letters, digits and hyphens; chance is reserved"),
            )
        if seat.id in known:
            yield Problem(f"/seats/{i}/id", say("{seat} sits here twice", seat=seat.id))
        known.add(seat.id)
        if seat.automated and rules.prudent is None:
            yield Problem(f"/seats/{i}/automated", say("nobody can play this game for a seat"))
        for name, value in seat.choice.items():
            yield from _choice(rules, f"/seats/{i}/{name}", name, value)


def _choice(rules: Ruleset, at: str, name: str, value: Any) -> Iterator[Problem]:
    """A seat's wish, or each of several, is one that the game knows, and none is named twice."""
    if name not in rules.lists:
        if value not in rules.choices.get(name, ()):
            yield Problem(at, say("the game has no {name} {value}", name=name, value=value))
        return
    for i, one in enumerate(value):
        if one not in rules.lists[name]:
            yield Problem(f"{at}/{i}", say("the game has no {name} {value}", name=name, value=one))
        elif one in value[:i]:
            yield Problem(f"{at}/{i}", say("{what} stands here twice", what=one))


def _options(rules: Ruleset, given: Mapping[str, Any]) -> Iterator[Problem]:
    for name, value in given.items():
        option = rules.options.get(name)
        if option is None:
            yield Problem(f"/options/{name}", say("the game has no such option"))
        elif not option.takes(value):
            values = ", ".join(map(str, option.values))
            yield Problem(f"/options/{name}", say("the option takes {values}", values=values), option.rule)
