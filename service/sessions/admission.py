"""Admission: whether anything is judged on a posted state, and what is known of where it comes from."""

from __future__ import annotations

from dataclasses import dataclass

from service.engine.ruleset import Ruleset
from service.engine.state import AnyState
from service.sessions import referee
from service.sessions.fairness import Fairness
from service.sessions.seals import Seals


class ForeignState(Exception):
    """A state that no server with these keys has issued, where only such states are judged."""


@dataclass(frozen=True)
class Gate:
    """What posted states pass. `strict`: no foreign state does."""

    seals: Seals
    fairness: Fairness
    strict: bool = False

    def admit(self, rules: Ruleset, state: AnyState, canonical: bytes, seal: str | None) -> AnyState:
        """The state. Under a seal that holds it is what it says; without one it is searched, and foreign from then on.

        `canonical`: its canonical JSON. Raises BrokenSeal, ForeignState, ImpossibleState.
        """
        if seal is not None:
            self.seals.demand(state, canonical, seal)
            self.demand_issued(state)
            return state
        if self.strict:
            raise ForeignState
        return referee.admit(rules, state, self.fairness)

    def demand_issued(self, state: AnyState) -> None:
        """Raises ForeignState where that matters and the state has been foreign somewhere on its way here."""
        if self.strict and state.provenance != "issued":
            raise ForeignState
