"""No input may cause a 500: mutations of real requests, in structure and in bytes."""

from __future__ import annotations

import json
import random
from collections import Counter
from copy import deepcopy
from time import process_time
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.battery.games import NOT_PARAMETERS
from service.http.problems import table
from tests.http.conftest import every_game_in_turn
from tests.schemas.mutations import ODD, at, paths

CALLS = ("states", "adjudications", "options", "views", "problems")
GOOD = {200, 400, 413, 422}


def seeds(client: FlaskClient, game: str, rng: random.Random) -> list[tuple[str, Any]]:
    """Real requests about states along a random game."""
    setup = {"seats": [{"id": "ann"}, {"id": "bob"}], "chance": {"mode": "seeded", "seed": "fuzz"}}
    begun = client.post(f"/v1/games/{game}/states", json=setup).json
    state, seal = begun["state"], begun["seal"]
    found: list[tuple[str, Any]] = [("states", setup), ("states", {**setup, "position": state["table"]})]
    for _ in range(12):
        options = client.post(f"/v1/games/{game}/options", json={"state": state, "limit": 40}).json["options"]
        if not options:
            break
        action = filled(rng.choice(options))
        found += [
            ("adjudications", {"state": state, "action": action}),
            ("adjudications", {"state": state, "actions": [action, action]}),
            ("adjudications", {"state": state, "seal": seal, "action": action}),
            ("options", {"state": state, "actor": "ann", "kinds": [action["kind"]], "limit": 5}),
            ("views", {"state": state, "seat": "ann"}),
            ("problems", {"state": state}),
        ]
        played = client.post(f"/v1/games/{game}/adjudications", json={"state": state, "action": action}).json
        state, seal = played["state"], played["seal"]
    return found


def filled(option: Any) -> Any:
    action = {k: v for k, v in option.items() if k not in NOT_PARAMETERS}
    return action | {name: d["example"] for name, d in option.get("open", {}).items()}


def mutated(rng: random.Random, request: Any, kinds: Counter[str] | None = None) -> bytes:
    document = deepcopy(request)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        kind = rng.choice(list(MUTATIONS))
        places = [p for p in paths(document) if p]
        if places and MUTATIONS[kind](rng, document, places) is not False and kinds is not None:
            kinds[kind] += 1
    body = json.dumps(document, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")
    if rng.random() >= 0.2:
        return body
    if kinds is not None:
        kinds["damaged bytes"] += 1
    return _damaged(rng, body)


Places = list[Any]


def _place(rng: random.Random, document: Any, places: Places) -> tuple[Any, Any]:
    path = rng.choice(places)
    return at(document, path[:-1]), path[-1]


def _drop(rng: random.Random, document: Any, places: Places) -> None:
    parent, key = _place(rng, document, places)
    del parent[key]


def _odd(rng: random.Random, document: Any, places: Places) -> None:
    parent, key = _place(rng, document, places)
    parent[key] = deepcopy(rng.choice(ODD))


def _near(rng: random.Random, document: Any, places: Places) -> None:
    """A number beside the right one, or another text of the same document."""
    parent, key = _place(rng, document, places)
    if isinstance(parent[key], int):
        parent[key] += rng.choice((-1, 1, 10))
    elif isinstance(parent[key], str):
        parent[key] = rng.choice([v for p in places if isinstance(v := at(document, p), str)])


def _copy(rng: random.Random, document: Any, places: Places) -> None:
    parent, key = _place(rng, document, places)
    parent[key] = deepcopy(at(document, rng.choice(places)))


def _swap(rng: random.Random, document: Any, places: Places) -> Any:
    """Two pieces change places."""
    (one, key), (other, name) = (_place(rng, document, places) for _ in range(2))
    first, second = deepcopy(one[key]), deepcopy(other[name])
    one[key], other[name] = second, first


def _add(rng: random.Random, document: Any, places: Places) -> Any:
    parent, key = _place(rng, document, places)
    if not isinstance(parent, dict):
        return False
    parent[rng.choice(("extra", "_schema", "ann", "opal", "plum"))] = deepcopy(parent[key])
    return True


def _double(rng: random.Random, document: Any, places: Places) -> Any:
    lists = [v for p in places if isinstance(v := at(document, p), list) and v]
    if not lists:
        return False
    found = rng.choice(lists)
    found.insert(rng.randrange(len(found) + 1), deepcopy(rng.choice(found)))
    return True


def _empty(rng: random.Random, document: Any, places: Places) -> Any:
    parent, key = _place(rng, document, places)
    if not isinstance(parent[key], dict | list):
        return False
    parent[key] = type(parent[key])()
    return True


def _retype(rng: random.Random, document: Any, places: Places) -> None:
    """The same value in another type."""
    parent, key = _place(rng, document, places)
    value = parent[key]
    forms: list[Any] = [[value], {"value": value}, str(value), json.dumps(value), bool(value)]
    if isinstance(value, int):
        forms += [float(value), value + 0.5, -value, value * 10**30]
    parent[key] = rng.choice(forms)


def _stack(rng: random.Random, document: Any, places: Places) -> Any:
    """A stack that is not what it was: frames dropped, doubled, in another order, at another step."""
    stack = document.get("state", {}).get("stack") if isinstance(document.get("state"), dict) else None
    if not isinstance(stack, list) or not stack:
        return False
    what = rng.randrange(5)
    if what == 0:
        del stack[rng.randrange(len(stack))]
    elif what == 1:
        stack.append(deepcopy(rng.choice(stack)))
    elif what == 2:
        rng.shuffle(stack)
    elif what == 3:
        stack[:] = stack * rng.choice((2, 20, 60))
    elif isinstance(frame := rng.choice(stack), dict):
        frame["step"] = rng.choice(
            [
                "waiting",
                "finished",
                "nowhere",
                *(f["step"] for f in stack if isinstance(f, dict) and "step" in f),
            ]
        )
    return True


def _pool(rng: random.Random, document: Any, places: Places) -> Any:
    """A deck that is not what it was: a stratum of another size, other members, cards known to others."""
    keys = ("size", "members", "strata", "known_to", "cards", "segments")
    found = [p for p in places if p[-1] in keys]
    if not found:
        return False
    path = rng.choice(found)
    parent, key = at(document, path[:-1]), path[-1]
    value = parent[key]
    if isinstance(value, int):
        parent[key] = value + rng.choice((-1, 1, -value, 99))
    elif isinstance(value, dict) and value:
        name = rng.choice(list(value))
        value[name] = rng.choice((0, -1, 1, 99, value[name]))
        value[rng.choice(("opal", "plum", "ann", name))] = 1
    elif isinstance(value, list):
        value += deepcopy(value[:1]) or [{}]
        rng.shuffle(value)
    return True


MUTATIONS: dict[str, Any] = {
    "dropped": _drop,
    "odd": _odd,
    "near": _near,
    "copied": _copy,
    "swapped": _swap,
    "added": _add,
    "doubled": _double,
    "emptied": _empty,
    "retyped": _retype,
    "corrupted stack": _stack,
    "corrupted pool": _pool,
}


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


def attack(
    client: FlaskClient, game: str, times: int, seed: int, kinds: Counter[str] | None = None
) -> Counter[str]:
    """Send mutations; count the answers by name, and fail at one that is not a clear one, or takes a second."""
    rng = random.Random(seed)
    requests = seeds(client, game, rng)
    control = [client.post(f"/v1/games/{game}/{call}", json=request).data for call, request in requests]
    found: Counter[str] = Counter()
    for _ in range(times):
        call, request = rng.choice(requests)
        body = mutated(rng, request, kinds)
        query = "?explain=true" if call == "adjudications" and rng.random() < 0.3 else ""
        began = process_time()
        answer = client.post(f"/v1/games/{game}/{call}{query}", data=body, content_type="application/json")
        assert process_time() - began < 1, (call, body)
        assert answer.status_code in GOOD, (answer.status_code, call, body)
        name = "fine" if answer.status_code == 200 else answer.json["type"].rpartition("/")[2]
        assert name == "fine" or name in table()
        if name == "off-schema":
            assert all(isinstance(e["pointer"], str) and e["message"] for e in answer.json["errors"])
        if name == "impossible-state":
            assert all(p["message"] for p in answer.json["problems"])
        found[name] += 1
    after = [client.post(f"/v1/games/{game}/{call}", json=request).data for call, request in requests]
    assert after == control, "nothing of all this has changed anything"
    return found


@every_game_in_turn
def test_no_mutation_of_a_real_request_is_a_fault_of_ours(of_game: FlaskClient, game: str) -> None:
    found = attack(of_game, game, 600, 7)
    assert found["unplayable-state"] == 0, found
    assert {"fine", "off-schema", "not-json", "impossible-state"} <= set(found)


@pytest.mark.long
@every_game_in_turn
def test_no_mutation_of_20000_is_a_fault_of_ours(of_game: FlaskClient, game: str) -> None:
    kinds: Counter[str] = Counter()
    found = attack(of_game, game, 20_000, 8, kinds)
    print(f"{game}: seed 8, mutations {dict(kinds)}, answers {dict(found)}")
    assert found["unplayable-state"] == 0, found
    assert min(kinds.values()) > 500
    assert set(kinds) == {*MUTATIONS, "damaged bytes"}
