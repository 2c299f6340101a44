"""Re-judging: the state that a line of play leads to, every answer of chance taken from the record."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import msgspec

from service.engine.judge import judge
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.setup import Setup, start
from service.engine.state import AnyState, ChanceState, encode

GIVEN = ChanceState("given", False)


class Broken(Exception):
    """An action of a record that the rules refuse; `at`: which."""

    def __init__(self, at: int) -> None:
        super().__init__(at)
        self.at = at


def by_hand(state: AnyState) -> AnyState:
    """The same table where nobody acts by himself, neither chance nor a seat: the record says what they did."""
    plain = copy(state)
    plain.chance = GIVEN
    plain.seats = [copy(seat) for seat in state.seats]
    for seat in plain.seats:
        seat.automated = False
    return plain


def replayed(rules: Ruleset, state: AnyState, actions: Sequence[Mapping[str, Any]]) -> AnyState:
    """The state after these actions, seats and chance as `state` has them. Raises Broken.

    Its `turn` counts the actions, those of chance and automated seats too.
    """
    after = by_hand(state)
    for at, action in enumerate(actions):
        judged = judge(rules, after, action)
        if not judged.legal or judged.state is None:
            raise Broken(at)
        after = judged.state
    after = copy(after)
    after.chance, after.seats = state.chance, state.seats
    return after


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
