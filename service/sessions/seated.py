"""Judging for whoever holds a key to a token: no more than his own to do, nothing told that he may not know."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from service.engine.event import Event, Played
from service.engine.explained import Reasoned
from service.engine.judge import Judgement
from service.engine.ruleset import Ruleset
from service.engine.state import AnyState
from service.engine.table import Table
from service.sessions import referee, seatkeys, sitting
from service.sessions.fairness import Fairness
from service.sessions.keys import Keyring
from service.sessions.tokens import Bearer
from service.sessions.wrapping import Origin


@dataclass(frozen=True)
class Seated:
    """Somebody at the table of a token."""

    rules: Ruleset
    state: AnyState
    bearer: Bearer

    @cached_property
    def table(self) -> Table:
        """The table."""
        return Table(self.rules, self.state)

    @property
    def stopped(self) -> bool:
        """A game in a token goes on until its rules end it."""
        return False

    def absent(self, seats: Collection[str]) -> bool:
        """Whoever has a seat's key sits there; where the prudent player does, the dealer answers as well."""
        return all(seat.automated for seat in self.state.seats if seat.id in seats)


def sit(ring: Keyring, rules: Ruleset, origin: Origin, state: AnyState, key: str) -> Seated:
    """Whoever has this key. Raises WrongKey."""
    return Seated(rules, state, seatkeys.bearer(ring, origin, tuple(s.id for s in state.seats), key))


def adjudicate(
    at: Seated, actions: Sequence[Mapping[str, Any]], fairness: Fairness, explain: bool = False
) -> Judgement:
    """The judgement of one action, or of a line of play: each action must be the bearer's when its turn comes.

    Raises NotYours, ChanceRefused.
    """
    events: list[Event] = []
    played: list[Played] = []
    explained: list[Reasoned] = []
    found: Judgement | None = None
    for i, action in enumerate(actions):
        sitting.demand_own(at, action.get("actor"))
        found = referee.adjudicate(at.rules, at.state, [action], fairness, explain)
        if not found.legal or found.state is None:
            found.violations = sitting.told(at, action, found.violations)
            found.at = i if len(actions) > 1 else None
            return found
        at = replace(at, state=found.state)
        events += found.events
        played += found.played
        explained += found.explained
    assert found is not None
    found.events, found.played, found.explained = events, played, explained
    return found
