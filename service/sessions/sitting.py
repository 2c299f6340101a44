"""Sitting at a table: what somebody may do there, and be told of it, by his role and seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from service.engine import given
from service.engine import options as listing
from service.engine.flow import Decision, Window, decisions
from service.engine.options import Option
from service.engine.rule import CARD_ELSEWHERE, Violation
from service.engine.ruleset import Ruleset
from service.engine.state import CHANCE, AnyState
from service.engine.table import Table
from service.sessions.fairness import Fairness, promise
from service.sessions.tokens import DEALER, HOST, SEAT, Bearer
from service.sessions.visit import NotYours

REVEALED = ("game_id", "key_id", "commitment", "next_draw", "seed")  # when the game is over


class Sitting(Protocol):
    """Somebody at a table: in a session, or with a key to a token."""

    @property
    def rules(self) -> Ruleset:
        """The rules."""

    @property
    def bearer(self) -> Bearer:
        """Who it is."""

    @property
    def state(self) -> AnyState:
        """The state, of which he does not see everything."""

    @property
    def table(self) -> Table:
        """The table."""


def demand_own(at: Sitting, actor: Any) -> None:
    """The bearer acts for himself; for chance, where it is given, if it is his to answer. Raises NotYours."""
    if actor == CHANCE:
        w = given.asked_of_chance(at.table)
        if w is None or answers_chance(at, w):
            return
    elif at.bearer.role == SEAT and actor == at.bearer.seat:
        return
    raise NotYours(str(actor))


def answers_chance(at: Sitting, w: Window) -> bool:
    """Whether the bearer answers for chance here: what is public, host or dealer; what is hidden, who will see it."""
    who = given.answerers(at.table, w)
    if who is None:
        return at.bearer.role in (HOST, DEALER)
    return at.bearer.seat in who if who else at.bearer.role == DEALER


def told(at: Sitting, action: Mapping[str, Any], violations: Sequence[Violation]) -> Sequence[Violation]:
    """The violations as the bearer may know them: of what may have come up for all he sees, no more than that it lies
    elsewhere."""
    w = given.asked_of_chance(at.table)
    if w is None or action.get("actor") != CHANCE:
        return violations
    for possible in given.answers(at.table, w, at.bearer.seat):
        if possible.to_wire() == dict(action):
            name = possible.parameter()  # type: ignore[attr-defined]
            return [Violation(CARD_ELSEWHERE, v.rule, (f"/{name}",)) for v in violations]
    return violations


def deciding(at: Sitting) -> list[tuple[Decision, dict[str, list[str]] | None]]:
    """Who must decide, and for given chance who may answer: `{"seats"}` or `{"roles"}`."""
    w = given.asked_of_chance(at.table)
    by = None if w is None else _answered_by(given.answerers(at.table, w))
    return [(d, by if d.actor == CHANCE else None) for d in decisions(at.table)]


def _answered_by(seats: frozenset[str] | None) -> dict[str, list[str]]:
    if seats is None:
        return {"roles": [HOST, DEALER]}
    return {"seats": sorted(seats)} if seats else {"roles": [DEALER]}


def options(at: Sitting, tries: listing.Tries, kinds: Sequence[str] | None = None) -> Iterator[Option]:
    """Everything that the bearer may do now, of some kinds, where they are named; answers of chance too, where they
    are his to give. `tries`: what look-ahead has for them."""
    if at.bearer.seat is not None:
        yield from listing.options(at.table, at.bearer.seat, kinds, tries)
    w = given.asked_of_chance(at.table)
    if w is not None and answers_chance(at, w):
        every = (Option(act) for act in given.answers(at.table, w, at.bearer.seat))
        yield from (o for o in every if kinds is None or o.act.kind in kinds)


def promised(at: Sitting, fairness: Fairness) -> dict[str, Any]:
    """Who answers for chance, and, where it is drawn, what the seed must keep, which is told when the game is over."""
    chance = at.state.chance
    told: dict[str, Any] = {"mode": chance.mode, "fair": chance.fair}
    if chance.mode == "seeded":
        told |= {"client_seed": chance.client_seed, "promise": promise(chance)}
    if chance.mode == "seeded" and at.state.outcome is not None:
        revealed = fairness.revealed(at.state)
        told |= {name: revealed[name] for name in REVEALED if name in revealed}
    return told
