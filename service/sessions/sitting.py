"""Sitting at a table: what somebody may do there, and be told of it, by his role and seat."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
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
from service.sessions.tokens import AUTOMATED, DEALER, HOST, SEAT, Bearer
from service.sessions.visit import NotYours, Visit

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

    @property
    def stopped(self) -> bool:
        """Whether nobody may do anything any more, though the game is not over."""

    def absent(self, seats: Collection[str]) -> bool:
        """Whether nobody sits at any of these seats, so that the dealer answers what they would see."""


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
    """Whether the bearer answers for chance here: what is public, host or dealer; what is hidden, who will see it; and
    the dealer, where no seat will, or nobody sits there."""
    who = given.answerers(at.table, w)
    if who is None:
        return at.bearer.role in (HOST, DEALER)
    return at.bearer.seat in who or (at.bearer.role == DEALER and at.absent(who))


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
    if at.stopped:
        return []
    w = given.asked_of_chance(at.table)
    by = None if w is None else _answered_by(at, given.answerers(at.table, w))
    return [(d, by if d.actor == CHANCE else None) for d in decisions(at.table)]


def _answered_by(at: Sitting, seats: frozenset[str] | None) -> dict[str, list[str]]:
    if seats is None:
        return {"roles": [HOST, DEALER]}
    sitting = {"seats": sorted(seats)} if seats else {}
    return {**sitting, "roles": [DEALER]} if at.absent(seats) else sitting


def awaited(visit: Visit) -> list[str]:
    """The names of the bearers for whom the game waits, of whom everybody is told; none when it is over."""
    w = visit.window
    if w is None:
        return []
    automated = visit.about.automated()  # nobody waits there, but the game is not over
    roles = {actor: AUTOMATED if actor in automated else SEAT for actor in w.actors if actor != CHANCE}
    found = [Bearer(role, actor).name for actor, role in roles.items()]
    if CHANCE in w.actors:
        by = next(answered_by for _, answered_by in deciding(visit) if answered_by is not None)
        found += [Bearer(SEAT, seat).name for seat in by.get("seats", ())] + by.get("roles", [])
    return found


def options(at: Sitting, tries: listing.Tries, kinds: Sequence[str] | None = None) -> Iterator[Option]:
    """Everything that the bearer may do now, of some kinds, where they are named; answers of chance too, where they
    are his to give. `tries`: what look-ahead has for them."""
    if at.stopped:
        return
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
    if at.state.outcome is not None or at.stopped:
        revealed, names = fairness.revealed(at.state), REVEALED if chance.mode == "seeded" else REVEALED[:1]
        told |= {name: revealed[name] for name in names if name in revealed}
    return told
