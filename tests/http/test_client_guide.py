"""The client guide says what is so."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from schemas.batch import MOST_ITEMS
from schemas.record import MOST_PLIES
from service.config import Settings
from service.engine.state import MOST_FRAMES, MOST_SEATS
from service.http import limits, problems
from tests.http.conftest import begin

DEFAULTS = Settings.from_env({})
GUIDE = (Path(__file__).parents[2] / "docs" / "client-guide.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", GUIDE, re.DOTALL)


def test_its_json_is_json() -> None:
    assert len([json.loads(block) for block in blocks("json")]) == 11


def test_its_set_up_works_as_it_is_written(real: FlaskClient) -> None:
    (command,) = blocks("sh")
    path = re.search(r"http://127.0.0.1:8000(\S+)", command)
    body = re.search(r"-d '(.*)'", command, re.DOTALL)
    assert path
    assert body
    answer = real.post(path[1], data=body[1], content_type="application/json")
    assert answer.json["decisions"][0]["kinds"]


def test_its_refusal_is_the_one_that_is_answered(real: FlaskClient) -> None:
    asked, shown = json.loads(blocks("json")[2]), json.loads(blocks("json")[3])
    begun = begin(real, "zavandor", chance={"mode": "seeded", "seed": "7"})
    actor = begun["decisions"][0]["actor"]
    action: dict[str, Any] = {**asked["action"], "actor": actor}
    path = "/v1/games/zavandor/adjudications"
    answer = real.post(path, json={"state": begun["state"], "action": action}).json
    for found in (answer, shown):
        found.pop("judgement_id")
        for violation in found["violations"]:
            violation["facts"].pop("dust", None)
            violation["message"] = violation["message"].partition("dust")[0].removesuffix("and the ")
    assert answer == shown


def test_a_state_and_its_seal_are_posted_as_it_shows(real: FlaskClient) -> None:
    begun = begin(real, "zavandor", chance={"mode": "seeded", "seed": "7"})
    asked = next(b for b in map(json.loads, blocks("json")) if b.get("action", {}).get("kind") == "end-turn")
    action = {**asked["action"], "actor": begun["decisions"][0]["actor"]}
    sent = {name: begun.get(name, action) for name in asked}
    assert set(sent) == {"state", "seal", "action"}
    answer = real.post("/v1/games/zavandor/adjudications", json=sent).json
    assert answer["state"]["provenance"] == "issued"


def test_a_game_in_a_token_is_answered_and_asked_about_as_it_shows(real: FlaskClient) -> None:
    shown, asked = [b for b in map(json.loads, blocks("json")) if "token" in b]
    begun = begin(real, "zavandor", hold="token", chance={"mode": "seeded"})
    assert set(shown) == set(begun)
    assert set(shown["keys"]) == set(begun["keys"])
    assert set(shown["chance"]) == set(begun["chance"])
    actor = begun["decisions"][0]["actor"]
    sent = {"token": begun["token"], "key": begun["keys"]["seats"][actor]}
    assert set(asked) == {*sent, "action"}
    action = {**asked["action"], "actor": actor}
    answer = real.post("/v1/games/zavandor/adjudications", json={**sent, "action": action}).json
    assert {"token", "view", "events", "played"} <= set(answer)


def test_its_limits_are_ours() -> None:
    for said in (
        f"{problems.LARGEST_BODY:,} bytes",
        f"{problems.LARGEST_BATCH:,} bytes",
        f"{problems.MOST_VALUES:,} values",
        f"{problems.MOST_IN_BATCH:,} in all items together",
        f"{MOST_PLIES:,}\nactions",
        f"up to {MOST_ITEMS} items",
        f"at most {MOST_SEATS}\nseats and {MOST_FRAMES} frames",
        f"{DEFAULTS.rate} requests a second, and {DEFAULTS.rate * limits.WINDOW:,} at once",
        f"every {limits.WORK * 1000:g} ms of work",
        f"in time ({DEFAULTS.read_time} seconds)",
        f"worked on ({DEFAULTS.budget} seconds)",
    ):
        assert said in GUIDE, said


def test_its_batches_are_answered_in_order(real: FlaskClient) -> None:
    state = begin(real, "zavandor", chance={"mode": "seeded", "seed": "7"})["state"]
    independent, alternatives = (json.loads(block) for block in blocks("json") if '"items"' in block)
    for item in independent["items"]:
        item["state"] = state
    alternatives["state"] = state
    for body in (independent, alternatives):
        answer = real.post("/v1/games/zavandor/adjudications/batch", json=body)
        assert len(answer.json["judgements"]) == len(body["items"])
        assert all("verdict" in j for j in answer.json["judgements"])


def test_its_house_is_played_by(real: FlaskClient) -> None:
    (body,) = (json.loads(block) for block in blocks("json") if '"house"' in block)
    begun = real.post("/v1/games/zavandor/states", json=body).json
    assert begun["state"]["house"] == body["house"]
    actor = begun["decisions"][0]["actor"]
    asked = {"state": begun["state"], "actor": actor, "kinds": ["buy-gem"]}
    listed = real.post("/v1/games/zavandor/options", json=asked).json["options"]
    assert {o["open"]["payment"]["price"] for o in listed if o["gem"] == "opal"} <= {12}
    assert listed
    shown = real.post("/v1/games/zavandor/components", json={"house": body["house"]}).json["components"]
    opal = next(gem for gem in shown["gems"] if gem["id"] == "opal")
    assert (opal["price"], opal["certainty"]["price"]) == (12, "house")
