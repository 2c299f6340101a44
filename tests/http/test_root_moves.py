"""A move of nobody breaks a rule and not the form of a request: what is refused names the clause."""

from __future__ import annotations

import json

import pytest
from flask import Flask

from service.engine.state import encode
from tests.games.root.rogue import CATS, FOX, rogue
from tests.games.root.table import CAT, game
from tests.http.conftest import post

MARCH = {"kind": "move", "actor": CAT, "from": "1", "to": "5", "warriors": 0}
ALONG = {"kind": "move-with-ally", "actor": FOX, "to": "5", "ally": CAT, "warriors": 0}
ALLIED = {"marquise": "allied"}


@pytest.mark.parametrize(
    ("kind", "clause"),
    [
        pytest.param("march", "ROOT-MOVE-1", marks=pytest.mark.refusal("ROOT-MOVE-1")),
        pytest.param("ally", "ROOT-VAG-23", marks=pytest.mark.refusal("ROOT-VAG-23")),
    ],
)
def test_a_move_of_nobody_names_its_clause(every_game: Flask, kind: str, clause: str) -> None:
    if kind == "march":
        state, action = game({}, {"1": {CATS: 3}}).play(CAT, "march").state, MARCH
    else:
        state, action = rogue({"1": {CATS: 3}}, relationships=ALLIED).state, ALONG
    wire = json.loads(encode(state))
    wire["chance"]["fair"] = False  # the client answers for chance
    body = json.dumps({"state": wire, "action": action})
    answer = post(every_game.test_client(), "/v1/games/root/adjudications", body)
    assert answer.status_code == 200, answer.json
    assert answer.json["verdict"] == "illegal"
    (violation,) = answer.json["violations"]
    assert (violation["rule"], violation["about"]) == (clause, ["/warriors"])
