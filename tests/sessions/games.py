"""Whole games played in sessions, without HTTP."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from service.engine.options import options
from service.engine.registry import Registry
from service.engine.ruleset import Ruleset, SetupSeat
from service.engine.state import CHANCE
from service.engine.table import Table
from service.sessions import acting, opening, referee
from service.sessions.acting import Made, Proposal
from service.sessions.clocks import Clock
from service.sessions.fairness import Fairness
from service.sessions.opening import Wishes
from service.sessions.visit import Desk, Visit, enter
from tests.conformance.subjects import filled
from tests.sessions.stores import imitation

KEY = b"\x5a" * 32


def desk_of(*rules: Ruleset) -> Desk:
    """A desk with these games, over a store in memory, at a time that stands still."""
    registry = Registry()
    for each in rules:
        registry.add(each)
    return Desk(imitation(), registry, Fairness(lambda: KEY), lambda: 1_900_000_000)


@dataclass
class Kept:
    """A session and everybody's tokens; `made`: what each accepted request led to."""

    desk: Desk
    rules: Ruleset
    opened: opening.Opened
    made: list[Made] = field(default_factory=list)

    @property
    def id(self) -> str:
        return self.opened.visit.session

    def visit(self, who: str, key: str | None = None) -> Visit:
        """The visit of a seat, else of a role."""
        tokens = self.opened.tokens
        token = tokens.seats.get(who) or getattr(tokens, who)
        return enter(self.desk, self.id, token, key=key)

    def act(self, action: dict[str, Any], who: str | None = None, version: int | None = None) -> bytes:
        visit = self.visit(who or action["actor"])
        at = visit.version if version is None else version
        return acting.act(visit, action, Proposal((at,), b"asked"), self._tell)

    def _tell(self, made: Made) -> bytes:
        self.made.append(made)
        return b"%d" % made.visit.version


def begin(
    desk: Desk,
    rules: Ruleset,
    seed: str | None = "a test",
    mode: str = "seeded",
    seats: Sequence[str] = ("ann", "bob", "cyd"),
    automated: Sequence[str] = (),
    clock: Clock | None = None,
) -> Kept:
    places = [SetupSeat(s, automated=s in automated) for s in seats]
    defaults = {o.name: o.default for o in rules.options.values()}
    wish = referee.Wish(places, defaults, mode, seed if mode == "seeded" else None)
    begun = referee.set_up(rules, wish, desk.fairness)
    setup = {
        "seats": [{"id": s, **({"automated": True} if s in automated else {})} for s in seats],
        "options": defaults,
        "chance": {"mode": mode, **({"seed": seed} if mode == "seeded" else {})},
    }
    assert begun.state is not None
    made = opening.open_session(
        desk, rules, begun.state, Wishes(3600, clock=clock), setup, begun.events, begun.played
    )
    return Kept(desk, rules, made)


def plays(kept: Kept, rng: random.Random, most: int = 200) -> Iterator[dict[str, Any]]:
    """Play at random, everybody for himself; each action is yielded after it was accepted."""
    for _ in range(most):
        state = kept.visit("spectator").state
        if state.outcome is not None:
            return
        table = Table(kept.rules, state)
        found = [o for o in options(table) if o.act.actor != CHANCE]
        if not found:
            return
        action = filled(table, rng.choice(found).act, rng)
        kept.act(action)
        yield action
