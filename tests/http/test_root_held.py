"""A whole solo game of Root against the Mechanical Marquise, under seals and in tokens, and the record of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from schemas.held import HeldJudgementSchema
from service.engine.state import encode
from service.engine.table import Table
from service.games.root.v1 import RULES
from tests.http.test_root_campaign import HOUSE

BOT, HUMAN, SEED = "bot", "owl", "0"
SETUP = {
    "seats": [{"id": BOT, "faction": "mechanical-marquise"}, {"id": HUMAN, "faction": "eyrie"}],
    "options": {"mode": "solo", "campaign": "on"},
    "house": HOUSE,
    "chance": {"seed": SEED},
}


def asked(real: FlaskClient, call: str, body: Mapping[str, Any]) -> Any:
    answer = real.post(f"/v1/games/root/{call}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json


def prudent(state: Any) -> Any:
    """What the prudent player does."""
    return RULES.prudent(Table(RULES, RULES.decode(encode(state))), HUMAN).to_wire()


@pytest.mark.rule("ROOT-SOLO-1", "ROOT-CAMP-1", "ROOT-BOT-8")
def test_a_solo_game_in_tokens_is_that_under_seals_and_both_records_verify(real: FlaskClient) -> None:
    """At every step: what the seat sees is its view of the state, what it saw played is its part of what was played,
    and what the rules chose for the bot is explained. At the end: the seed, the digest, and the next game's set-up."""
    plain = asked(real, "states", SETUP)
    held = asked(real, "states", {**SETUP, "hold": "token"})
    key, promised, explained = held["keys"]["seats"][HUMAN], held["chance"], set()
    played, seen = list(plain["played"]), list(held["played"])
    while plain["outcome"] is None:
        assert not {"digest"} & (held.keys() | plain.keys())
        assert held["chance"] == promised
        sealed, action = {"state": plain["state"], "seal": plain["seal"]}, prudent(plain["state"])
        plain = asked(real, "adjudications?explain=true", {**sealed, "action": action})
        held = asked(
            real, "adjudications?explain=true", {"token": held["token"], "key": key, "action": action}
        )
        assert HeldJudgementSchema().validate(held) == {}
        sealed = {"state": plain["state"], "seal": plain["seal"], "seat": HUMAN}
        assert plain["state"]["provenance"] == "issued"
        whole = asked(real, "views", sealed)
        assert (held["view"], held["decisions"]) == (whole["view"], whole["decisions"])
        assert (held["outcome"], held["explained"]) == (plain["outcome"], plain["explained"])
        explained |= {reasoned["because"] for reasoned in held["explained"]}
        played += plain["played"]
        seen += held["played"]
    assert len(explained) > 3
    assert plain["outcome"]["winners"] == [HUMAN]
    assert plain["outcome"]["next"]["options"]["wins"] == 1
    assert all(part.items() <= action.items() for part, action in zip(seen, played, strict=True))
    secret = [a["kind"] for part, a in zip(seen, played, strict=True) if part != a]
    assert secret == ["draw-card"] * 3, "only what was dealt before the seat had its key"
    told = {name: value for name, value in held["chance"].items() if name != "promise"}
    assert told["game_id"] == plain["chance"]["game_id"] != held["view"]["game_id"]
    for setup, last, chance in ((SETUP, plain, plain["chance"]), ({**SETUP, "hold": "token"}, held, told)):
        assert chance["seed"] == plain["chance"]["seed"]
        record = {"schema": 1, "game": "root", "ruleset": "1.0", "setup": setup, "actions": played}
        record |= {"digest": last["digest"], "chance": chance}
        found = asked(real, "verifications", {"record": record})
        assert (found["verdict"], found["draws"]) == ("valid", "match")
        assert (found["digest"], found["outcome"]) == (plain["digest"], plain["outcome"])
        spoiled = {**record, "actions": played[:-1]}
        assert asked(real, "verifications", {"record": spoiled})["reason"] == "wrong-digest"
