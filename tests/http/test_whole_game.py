"""A whole game over HTTP, played as a client would: options, an action, the next state."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.engine.ruleset import SetupSeat
from service.engine.setup import Setup
from service.engine.state import ChanceState
from service.engine.table import Table
from service.engine.windows import window
from service.games import REGISTRY
from tests.conformance.subjects import settled
from tests.http.kept import AT, Kept, filled


def play(client: FlaskClient, app: Flask, game: str, seats: list[str]) -> Any:
    """Let prudent players play a game by posting what they choose; the last judgement."""
    rules = app.extensions["arbitr"].registry.get(game)
    setup = {"seats": [{"id": s} for s in seats], "chance": {"mode": "seeded", "seed": "whole"}}
    judgement = client.post(f"/v1/games/{game}/states", json=setup).json
    for _ in range(5000):
        if judgement["outcome"] is not None:
            return judgement
        table = Table(rules, rules.decode(app.json.dumps(judgement["state"])))
        asked = window(table)
        assert asked is not None
        action = rules.prudent(table, asked.actors[0]).to_wire()
        answer = client.post(
            f"/v1/games/{game}/adjudications", json={"state": judgement["state"], "action": action}
        )
        judgement = answer.json
        assert judgement["verdict"] == "legal", answer.text
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seats", [["ann", "bob"], ["ann", "bob", "cyd", "dan"]])
def test_a_game_is_judged_from_set_up_to_final_score(
    real: FlaskClient, every_game: Flask, seats: list[str]
) -> None:
    for rules in every_game.extensions["arbitr"].registry:
        last = play(real, every_game, rules.game, seats)
        assert {s["seat"] for s in last["outcome"]["standings"]} == set(seats)
        assert set(last["outcome"]["winners"]) <= set(seats)
        assert last["decisions"] == []
        for call in ("options", "problems"):
            answer = real.post(f"/v1/games/{rules.game}/{call}", json={"state": last["state"]}).json
            assert answer.get("options", []) == answer.get("problems", []) == []


def options_of(rules: Any, n: int) -> dict[str, Any]:
    """One value of each set-up option, as far as they go together."""
    chosen = {name: option.values[n % len(option.values)] for name, option in rules.options.items()}
    return dict(
        settled(rules, Setup([SetupSeat("ann"), SetupSeat("bob")], "", ChanceState(), chosen)).options
    )


@pytest.mark.parametrize("n", [0, 1])
@pytest.mark.parametrize("rules", list(REGISTRY), ids=lambda rules: rules.game)
def test_a_session_is_played_from_set_up_to_final_score(real: FlaskClient, rules: Any, n: int) -> None:
    """Two people choose among what is listed for them, the third seat plays by itself."""
    rng = random.Random(n)
    seats = [{"id": "ann"}, {"id": "bob"}, {"id": "cyd", "automated": True}]
    setup = {"game": rules.game, "seats": seats, "options": options_of(rules, n), "chance": {"seed": "whole"}}
    kept = Kept(real, real.post(AT, json=setup).json)
    for _ in range(5000):
        told = kept.get("spectator").json
        if told["outcome"] is not None:
            break
        who = told["decisions"][0]["actor"]
        kept.done(filled(rng.choice(kept.options(who))))
    assert {s["seat"] for s in told["outcome"]["standings"]} == {"ann", "bob", "cyd"}
    record = kept.get("host", "/record").json
    assert record["complete"]
    assert len(record["log"]) == kept.version
