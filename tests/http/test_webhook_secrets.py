"""Law 2 over webhooks: what a seat cannot see changes no byte of what it is sent, nor whether it is sent anything."""

from __future__ import annotations

import json
import random
from itertools import islice
from typing import Any

import pytest
from flask import Flask

from service.games import REGISTRY
from service.webhooks.rounds import Rounds
from service.webhooks.targets import Targets
from tests.conformance.toy import RULES as HARBOUR
from tests.http.kept import NOW, Kept, kept_app
from tests.http.test_session_secrets import Twins, _gives_away, _probes, pairs

URL = "https://player.example.org/arbitr"
MOST = 60  # pairs of each game
FIELDS = {"type", "session", "game", "version", "seat", "links"}


@pytest.fixture(scope="module")
def app() -> Flask:
    app = kept_app()
    app.extensions["arbitr"].targets = Targets(resolve=lambda _: ["8.8.8.8"])
    return app


def sent(app: Flask, kept: Kept) -> list[str]:
    """The bodies that go out now, without the id of their session; all of them arrive."""
    held = app.extensions["arbitr"]
    found: list[str] = []
    rounds = Rounds(held.store, held.keys, lambda: NOW * 1000)
    for id_ in rounds.of(kept.id):
        while (job := rounds.take(kept.id, id_)) is not None:
            assert set(json.loads(job.body)) == FIELDS
            found.append(job.body.decode().replace(kept.id, "ID"))
            rounds.answered(job, 204)
    return sorted(found)


@pytest.mark.parametrize("rules", [HARBOUR, *REGISTRY], ids=lambda rules: rules.game)
def test_no_message_tells_a_seat_what_it_cannot_see(app: Flask, rules: Any) -> None:
    """The host's messages too: they are about nothing but who must decide, which the seat sees as well."""
    rng, messages, acted = random.Random(5), 0, 0
    for seat, state, twin in islice(pairs(rules, rng), MOST):
        twins = Twins(app, rules, state, twin, seat or "spectator")
        for kept in (twins.one, twins.two):
            for who in {seat or "role:host", "role:host"}:
                at, headers = f"/v1/sessions/{kept.id}/webhook", kept.headers(who)
                assert kept.client.put(at, json={"url": URL}, headers=headers).status_code == 201
        first = sent(app, twins.one)
        assert first == sent(app, twins.two)
        messages += len(first)
        for action in _probes(rules, state, seat, rng):
            if not _gives_away(rules, state, twin, action):
                twins.same("post", "/actions", {"action": action}, 1)
                found = sent(app, twins.one)
                assert found == sent(app, twins.two)
                acted += bool(found)
    assert messages > 20
    assert acted
