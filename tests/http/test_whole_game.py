"""A whole game over HTTP, played as a client would: options, an action, the next state."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.engine.table import Table
from service.engine.windows import window


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
