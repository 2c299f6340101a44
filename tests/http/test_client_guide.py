"""The client guide says what is so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from service.http import problems
from tests.http.conftest import begin

GUIDE = (Path(__file__).parents[2] / "docs" / "client-guide.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", GUIDE, re.DOTALL)


def test_its_json_is_json() -> None:
    assert len([json.loads(block) for block in blocks("json")]) == 4


def test_its_set_up_works_as_it_is_written(real: FlaskClient) -> None:
    (command,) = blocks("sh")
    path = re.search(r"http://127.0.0.1:8000(\S+)", command)
    body = re.search(r"-d '(.*)'", command, re.DOTALL)
    assert path
    assert body
    answer = real.post(path[1], data=body[1], content_type="application/json")
    assert answer.json["decisions"][0]["kinds"]


def test_its_refusal_is_the_one_that_is_answered(real: FlaskClient) -> None:
    asked, shown = json.loads(blocks("json")[1]), json.loads(blocks("json")[2])
    begun = begin(real, "zavandor", chance={"mode": "seeded", "seed": "7"})
    actor = begun["decisions"][0]["actor"]
    action: dict[str, Any] = {**asked["action"], "actor": actor}
    path = "/v1/games/zavandor/adjudications"
    answer = real.post(path, json={"state": begun["state"], "action": action}).json
    for found in (answer, shown):
        found.pop("judgement_id")
        for violation in found["violations"]:
            violation["facts"].pop("dust", None)
            violation["message"] = violation["message"].partition(", and the dust")[0]
    assert answer == shown


def test_its_limits_are_ours() -> None:
    assert f"{problems.LARGEST_BODY:,} bytes" in GUIDE
