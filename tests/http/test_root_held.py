"""A whole solo game of Root against the Mechanical Marquise, under seals and in tokens, and the record of each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from schemas.held import HeldJudgementSchema
from tests import records

NAME, HUMAN = "mechanical-solo", "bob"
(KEPT,) = (p for p in records.kept("root") if p.stem == NAME)


@pytest.fixture
def record() -> Any:
    return json.loads(KEPT.read_text(encoding="utf-8"))


def asked(real: FlaskClient, call: str, body: Mapping[str, Any]) -> Any:
    answer = real.post(f"/v1/games/root/{call}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json


def verified(real: FlaskClient, record: Any, actions: list[Any], told: Any, chance: Any) -> None:
    """What was answered, put together to a record, is valid, and drawn from the seed that was told."""
    head = {name: record[name] for name in ("schema", "game", "ruleset", "setup")}
    whole = {**head, "actions": actions, "digest": told["digest"], "chance": chance}
    found = asked(real, "verifications", {"record": whole})
    assert (found["verdict"], found["draws"]) == ("valid", "match")
    assert found["digest"] == told["digest"] == record["digest"]
    assert found["outcome"] == told["outcome"]
    assert told["outcome"]["next"], "a campaign goes on"


@pytest.mark.rule("ROOT-SOLO-1", "ROOT-CAMP-1")
def test_a_solo_game_under_seals_has_a_record_that_verifies(real: FlaskClient, record: Any) -> None:
    told = asked(real, "states", record["setup"])
    played = list(told["played"])
    for action in record["actions"]:
        if action["actor"] == HUMAN:
            told = asked(
                real, "adjudications", {"state": told["state"], "seal": told["seal"], "action": action}
            )
            assert told["state"]["provenance"] == "issued"
            played += told["played"]
    assert played == record["actions"]
    verified(real, record, played, told, told["chance"])


@pytest.mark.rule("ROOT-SOLO-1", "ROOT-CAMP-1", "ROOT-BOT-8")
def test_a_solo_game_in_tokens_is_the_same_and_its_record_verifies(real: FlaskClient, record: Any) -> None:
    """At every step: what the seat sees is its view of the state, what it saw played is its part of what was played,
    and what the rules chose for the bot is explained."""
    plain = asked(real, "states", record["setup"])
    held = asked(real, "states", {**record["setup"], "hold": "token"})
    key, promised, explained = held["keys"]["seats"][HUMAN], held["chance"], set()
    played, seen = list(plain["played"]), list(held["played"])
    for action in [a for a in record["actions"] if a["actor"] == HUMAN]:
        assert "digest" not in held
        assert held["chance"] == promised
        sent = {"state": plain["state"], "seal": plain["seal"], "action": action}
        plain = asked(real, "adjudications?explain=true", sent)
        held = asked(
            real, "adjudications?explain=true", {"token": held["token"], "key": key, "action": action}
        )
        assert HeldJudgementSchema().validate(held) == {}
        whole = asked(real, "views", {"state": plain["state"], "seal": plain["seal"], "seat": HUMAN})
        assert (held["view"], held["decisions"]) == (whole["view"], whole["decisions"])
        assert (held["outcome"], held["explained"]) == (plain["outcome"], plain["explained"])
        explained |= {reasoned["because"] for reasoned in held["explained"]}
        played += plain["played"]
        seen += held["played"]
    assert len(explained) > 3
    assert promised.items() <= held["chance"].items()
    assert all(part.items() <= action.items() for part, action in zip(seen, played, strict=True))
    secret = [a["kind"] for part, a in zip(seen, played, strict=True) if part != a]
    assert secret == ["draw-card"] * 3, "only what was dealt before the seat had its key"
    chance = {name: value for name, value in held["chance"].items() if name != "promise"}
    assert chance["seed"] == record["chance"]["seed"]
    verified(real, record, played, held, {"game_id": held["view"]["game_id"], **chance})
