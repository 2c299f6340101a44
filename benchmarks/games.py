"""Games to measure on: prudent players play whole games, the same in every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from service.engine.judge import judge
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.state import State, encode
from service.engine.table import Draws, Table
from service.engine.windows import window
from service.games import REGISTRY
from service.sessions import referee
from service.sessions.fairness import Fairness

SEATS = ("ann", "bob", "cyd", "dan", "eve", "fay")
WIRE = msgspec.json.Encoder(order="deterministic")


@dataclass(frozen=True)
class Ply:
    """A state and the action that was played on it."""

    state: State[Any, Any]
    action: dict[str, Any]

    @property
    def kind(self) -> str:
        return self.action["kind"]

    def body(self, **more: str) -> bytes:
        """What a client posts that sends back the state as it got it."""
        return WIRE.encode({"state": msgspec.Raw(encode(self.state)), "action": self.action, **more})


@dataclass(frozen=True)
class Game:
    """A whole game; `draws` answers its chance again."""

    rules: Ruleset
    plies: list[Ply]
    last: State[Any, Any]
    draws: Draws

    def middle(self, n: int) -> list[Ply]:
        """`n` plies in a row around the middle of the game."""
        first = (len(self.plies) - n) // 2
        return self.plies[first : first + n]


def play(
    seed: int,
    seats: int,
    game: str = "zavandor",
    options: Mapping[str, Any] | None = None,
    choices: Sequence[Mapping[str, Any]] = (),
) -> Game:
    """A game of prudent players, from an open seed; `choices`: what the first seats wish for."""
    rules, fairness = REGISTRY.get(game), Fairness(lambda: b"")
    chosen = {o.name: o.default for o in rules.options.values()} | dict(options or {})
    wished = [*choices, *({} for _ in range(seats - len(choices)))]
    sitting = [SetupSeat(s, choice=c) for s, c in zip(SEATS, wished, strict=False)]
    wish = referee.Wish(sitting, chosen, seed=f"benchmark {seed}")
    state = referee.set_up(rules, wish, fairness).state
    assert state is not None
    assert rules.prudent is not None
    draws, plies = fairness.draws(state.game_id), []
    while (asked := window(table := Table(rules, state, draws))) is not None:
        act = rules.prudent(table, asked.actors[0])
        assert act is not None
        plies.append(Ply(state, act.to_wire()))
        state = judge(rules, state, plies[-1].action, draws).state
        assert state is not None
    return Game(rules, plies, state, draws)
