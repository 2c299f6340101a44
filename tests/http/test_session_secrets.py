"""Law 2 over sessions: what a seat cannot see changes no byte of any answer that it gets, ids and times aside."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from flask import Flask

from service.engine.disclosure import discloses
from service.engine.judge import judge
from service.engine.options import options
from service.engine.state import CHANCE
from service.engine.table import Table
from service.games import REGISTRY
from tests.conformance.hidden import variants
from tests.conformance.subjects import filled, given, spots_of, walk
from tests.conformance.toy import RULES as HARBOUR
from tests.http.kept import AT, Kept

SEEDS, SPOTS = (4, 5), 40
READS = ("", "/options", "/options?limit=2", "/events", "/events?after=1&limit=1", "/record")


def opened_from(app: Flask, rules: Any, state: Any) -> Kept:
    client = app.test_client()
    answer = client.post(AT, json={"game": rules.game, "state": msgspec.to_builtins(state)})
    assert answer.status_code == 201, answer.text
    return Kept(client, answer.json)


def told(kept: Kept, answer: Any) -> tuple[int, bytes, str]:
    """An answer without the id of its session and of its request."""
    headers = {k: v for k, v in answer.headers.items() if k != "X-Request-Id"}
    return (
        answer.status_code,
        answer.data.replace(kept.id.encode(), b"ID"),
        str(headers).replace(kept.id, "ID"),
    )


class Twins:
    """Two sessions that somebody cannot tell apart: whatever he asks, he is answered the same."""

    def __init__(self, app: Flask, rules: Any, state: Any, twin: Any, who: str) -> None:
        self.one, self.two, self.who = opened_from(app, rules, state), opened_from(app, rules, twin), who

    def same(self, call: str, *given: Any, **more: Any) -> None:
        answers = [told(kept, getattr(kept, call)(self.who, *given, **more)) for kept in (self.one, self.two)]
        assert answers[0] == answers[1], (self.who, call, given)

    def read(self) -> None:
        for path in READS:
            self.same("get", path)


def pairs(rules: Any, rng: random.Random) -> Iterator[tuple[str | None, Any, Any]]:
    """A seat, a state that was reached, and one that the seat cannot tell from it; the spectator is a seat here.

    Every kind of window has its turn.
    """
    for spot in spots_of([walk(rules, seed, "random") for seed in SEEDS], SPOTS, rng):
        state = given(spot.state)
        for seat in [*(s.id for s in state.seats), None]:
            for twin in variants(rules, state, seat, rng, 1):
                yield seat, state, twin


@pytest.mark.parametrize("rules", [HARBOUR, *REGISTRY], ids=lambda rules: rules.game)
def test_no_call_tells_a_seat_what_it_cannot_see(app: Flask, rules: Any) -> None:
    rng, compared, acted = random.Random(3), 0, 0
    for seat, state, twin in pairs(rules, rng):
        twins = Twins(app, rules, state, twin, seat or "spectator")
        twins.read()
        twins.same("post", "/undo", {}, 1)
        twins.same("post", "/rewind", {"to": 1}, 1)
        for action in _probes(rules, state, seat, rng):
            if _gives_away(rules, state, twin, action):
                continue
            twins.same("post", "/actions", {"action": action}, 1, Idempotency_Key="k")
            if twins.one.version == 2:
                acted += 1
                twins.read()
                twins.same("post", "/undo", {}, 2)
                break
        compared += 1
    assert compared > 20
    assert acted > 5


def _probes(rules: Any, state: Any, seat: str | None, rng: random.Random) -> list[dict[str, Any]]:
    """What the seat might send: others' actions, its own bent, and at the end a legal one."""
    t = Table(rules, state)
    every = [o for o in options(t) if o.act.actor != CHANCE]
    rng.shuffle(every)
    mine = [filled(t, o.act, rng) for o in every if o.act.actor == seat]
    others = [{**filled(t, o.act, rng), "actor": seat or "ann"} for o in every[:3] if o.act.actor != seat]
    return [*others[:2], *mine[:1]]


def _gives_away(rules: Any, state: Any, twin: Any, action: dict[str, Any]) -> bool:
    """Whether the action brings hidden things to light by a clause: after that the two games differ rightly."""
    events = [e for s in (state, twin) for e in judge(rules, s, action).events]
    return any(discloses(rules, e) for e in events)


def test_what_may_be_drawn_does_not_tell_what_others_hold(app: Flask) -> None:
    """Given chance: the list is every card that the seat does not see; a clash alone tells more, by design."""
    compared = 0
    for seed in (1, 2):
        for ply in walk(HARBOUR, seed, "random").plies:
            state = given(ply.state)
            if not any(d["actor"] == CHANCE for d in _decisions(state)):
                continue
            for seat in [s.id for s in state.seats]:
                for twin in variants(HARBOUR, state, seat, random.Random(seed), 1):
                    Twins(app, HARBOUR, state, twin, seat).same("get", "/options")
                    compared += 1
            if compared > 30:
                break
    assert compared > 10


def _decisions(state: Any) -> list[Any]:
    from service.engine.flow import decisions

    return [d.to_wire() for d in decisions(Table(HARBOUR, state))]
