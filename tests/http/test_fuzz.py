"""No input may cause a 500: mutations of real requests, in structure and in bytes."""

from __future__ import annotations

import json
import random
from collections import Counter
from copy import deepcopy
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.http.problems import table
from tests.schemas.mutations import ODD, at, paths

CALLS = ("states", "adjudications", "options", "views", "problems")
GOOD = {200, 400, 413, 422}


def seeds(client: FlaskClient, game: str, rng: random.Random) -> list[tuple[str, Any]]:
    """Real requests about states along a random game."""
    setup = {"seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"mode": "seeded", "seed": "fuzz"}}
    state = client.post(f"/v1/games/{game}/states", json=setup).json["state"]
    found: list[tuple[str, Any]] = [("states", setup), ("states", {**setup, "position": state["table"]})]
    for _ in range(12):
        options = client.post(f"/v1/games/{game}/options", json={"state": state, "limit": 40}).json["options"]
        if not options:
            break
        action = filled(rng.choice(options))
        found += [
            ("adjudications", {"state": state, "action": action}),
            ("adjudications", {"state": state, "actions": [action, action]}),
            ("options", {"state": state, "actor": "ann", "kinds": [action["kind"]], "limit": 5}),
            ("views", {"state": state, "seat": "ann"}),
            ("problems", {"state": state}),
        ]
        state = client.post(f"/v1/games/{game}/adjudications", json={"state": state, "action": action}).json[
            "state"
        ]
    return found


def filled(option: Any) -> Any:
    action = {k: v for k, v in option.items() if k not in ("open", "text", "notes")}
    return action | {name: d["example"] for name, d in option.get("open", {}).items()}


def mutated(rng: random.Random, request: Any) -> bytes:
    document = deepcopy(request)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        _mutate(rng, document)
    body = json.dumps(document, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    return _damaged(rng, body) if rng.random() < 0.2 else body


def _mutate(rng: random.Random, document: Any) -> None:
    places = [p for p in paths(document) if p]
    if not places:
        return
    path = rng.choice(places)
    parent, key = at(document, path[:-1]), path[-1]
    what = rng.choice(("drop", "odd", "odd", "near", "near", "copy", "add", "double", "empty"))
    if what == "drop":
        del parent[key]
    elif what == "odd":
        parent[key] = deepcopy(rng.choice(ODD))
    elif what == "near" and isinstance(parent[key], int):
        parent[key] += rng.choice((-1, 1, 10))
    elif what == "near" and isinstance(parent[key], str):
        same = [at(document, p) for p in places if isinstance(at(document, p), str)]
        parent[key] = rng.choice(same)
    elif what == "copy":
        parent[key] = deepcopy(at(document, rng.choice(places)))
    elif what == "add" and isinstance(parent, dict):
        parent[rng.choice(("extra", "_schema", "ann", "opal", "plum"))] = deepcopy(parent[key])
    elif what == "double" and isinstance(parent, list):
        parent.append(deepcopy(parent[key]))
    elif what == "empty":
        parent[key] = type(parent[key])() if isinstance(parent[key], dict | list) else parent[key]


def _damaged(rng: random.Random, body: bytes) -> bytes:
    at_byte = rng.randrange(len(body))
    return rng.choice(
        (
            body[:at_byte],
            body[:at_byte] + bytes([rng.randrange(256)]) + body[at_byte + 1 :],
            body[:at_byte] + body[at_byte + 1 :],
            body[:at_byte] + body[at_byte:] * 2,
            body[:at_byte]
            + rng.choice((b"NaN", b'"', b"{", b"]", b"\\ud800", b"\x00", b"1" * 400))
            + body[at_byte:],
        )
    )


def attack(client: FlaskClient, game: str, times: int, seed: int) -> Counter[str]:
    """Send mutations; count the answers by name, and fail at one that is not a clear one."""
    rng = random.Random(seed)
    requests = seeds(client, game, rng)
    found: Counter[str] = Counter()
    for _ in range(times):
        call, request = rng.choice(requests)
        body = mutated(rng, request)
        query = "?explain=true" if call == "adjudications" and rng.random() < 0.3 else ""
        answer = client.post(f"/v1/games/{game}/{call}{query}", data=body, content_type="application/json")
        assert answer.status_code in GOOD, (answer.status_code, call, body)
        name = "fine" if answer.status_code == 200 else answer.json["type"].rpartition("/")[2]
        assert name == "fine" or name in table()
        if name == "off-schema":
            assert all(isinstance(e["pointer"], str) and e["message"] for e in answer.json["errors"])
        if name == "impossible-state":
            assert all(p["message"] for p in answer.json["problems"])
        found[name] += 1
    return found


@pytest.mark.parametrize("game", ["toy", "zavandor"])
def test_no_mutation_of_a_real_request_is_a_fault_of_ours(
    client: FlaskClient, real: FlaskClient, game: str
) -> None:
    found = attack(client if game == "toy" else real, game, 600, 7)
    assert found["unplayable-state"] == 0, found
    assert {"fine", "off-schema", "not-json", "impossible-state"} <= set(found)


@pytest.mark.long
@pytest.mark.parametrize("game", ["toy", "zavandor"])
def test_no_mutation_of_20000_is_a_fault_of_ours(client: FlaskClient, real: FlaskClient, game: str) -> None:
    found = attack(client if game == "toy" else real, game, 20_000, 8)
    print(f"{game}: seed 8, {dict(found)}")
    assert found["unplayable-state"] == 0, found
