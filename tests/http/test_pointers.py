"""Whatever is wrong with a body is told where it lies in that very body.

Every pointer of `errors` leads into the body that was posted, and so do those of `problems` of a set-up's position;
those of a state's lead into the state.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.http.kept import AT, kept_app

SEATS = [{"id": "ann"}, {"id": "bob"}]
WRONG: tuple[Any, ...] = (None, 7, -1, "zz", [], {}, [7], {"zz": 7})


@cache
def the_app() -> Flask:
    return kept_app()


@pytest.fixture
def client() -> FlaskClient:
    return the_app().test_client()


@cache
def begun(game: str) -> Any:
    setup = {"seats": SEATS, "chance": {"seed": "7"}}
    return the_app().test_client().post(f"/v1/games/{game}/states", json=setup).json


def setups(game: str) -> Iterator[Any]:
    """What a game may be set up with: a position where it takes one, options, wishes, and a house."""
    setup = {"seats": SEATS, "chance": {"seed": "7"}}
    if game in ("toy", "zavandor"):
        yield {**setup, "position": begun(game)["state"]["table"]}
    if game == "zavandor":
        yield {**setup, "house": {"gems": {"opal": {"price": 12}}}}
    if game == "simurgh":
        yield {**setup, "options": {"variant": "dragonlord", "length": "short"}}
    if game == "root":
        factions = {"ann": {"faction": "alliance"}, "bob": {"faction": "marquise", "automated": False}}
        yield {**setup, "seats": [{"id": seat, "name": seat, **wish} for seat, wish in factions.items()]}


def begins(game: str) -> Iterator[tuple[str, Any]]:
    """What begins a game at each call that does."""
    at = f"/v1/games/{game}"
    for setup in setups(game):
        yield f"{at}/states", setup
        yield f"{at}/states", {**setup, "hold": "token"}
        yield AT, {"game": game, **setup, "clock": {"per": "turn", "seconds": 60}}
        yield (
            f"{at}/verifications",
            {"record": {"game": game, "ruleset": "1.0", "actions": [], "setup": setup}},
        )


def asks(game: str) -> Iterator[tuple[str, Any]]:
    """What asks each call about a state."""
    at, state = f"/v1/games/{game}", begun(game)["state"]
    actor = begun(game)["decisions"][0]["actor"]
    action = {"kind": "end-turn", "actor": actor}
    yield AT, {"game": game, "state": state}
    yield (
        f"{at}/verifications",
        {"record": {"game": game, "ruleset": "1.0", "actions": [action], "state": state}},
    )
    yield f"{at}/adjudications", {"state": state, "action": action}
    yield f"{at}/adjudications/batch", {"items": [{"state": state, "action": action}]}
    yield f"{at}/adjudications/batch", {"state": state, "items": [{"action": action}]}
    yield f"{at}/options", {"state": state, "actor": actor}
    yield f"{at}/views", {"state": state, "seat": actor}
    yield f"{at}/problems", {"state": state}


def places(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to everything in a body."""
    if way:
        yield way
    children = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, child in children:
        yield from places(child, (*way, key))


def spoilt(body: Any) -> Iterator[Any]:
    """The body with something else in each place, or with nothing there, or with what it has twice."""
    for *way, last in places(body):
        for value in (*WRONG, places):
            twin = deepcopy(body)
            holder = twin
            for key in way:
                holder = holder[key]
            if value is not places:
                holder[last] = value
            elif isinstance(holder, list):
                holder.append(deepcopy(holder[last]))
            else:
                del holder[last]
            yield twin


def leads(body: Any, pointer: str) -> bool:
    """Whether a JSON Pointer leads to something in a body, or to a member that an object there lacks."""
    if pointer and not pointer.startswith("/"):
        return False
    at, keys = body, [k.replace("~1", "/").replace("~0", "~") for k in pointer.split("/")[1:]]
    for n, key in enumerate(keys):
        if isinstance(at, dict) and key in at:
            at = at[key]
        elif isinstance(at, list) and key.isdigit() and int(key) < len(at):
            at = at[int(key)]
        else:
            return isinstance(at, dict) and n == len(keys) - 1
    return True


def state_of(body: Any) -> Any:
    """The state in a body; where there is none, what is posted is a set-up, into which it leads itself."""
    item = body["items"][0] if "state" not in body and body.get("items") else body
    return item.get("state", item.get("record", {}).get("state", body))


def demand_led(body: Any, answer: Any) -> set[str]:
    """Every pointer of an answer leads into the body. Which names of problems there were."""
    told = answer.json
    assert answer.status_code < 500, answer.text
    parts = [told, *told.get("judgements", ())]
    for part in parts:
        for error in part.get("errors", ()):
            assert leads(body, error["pointer"]), (error, body)
        for found in part.get("problems", ()):
            assert leads(state_of(body), found["pointer"]), (found, body)
        if "pointer" in part:
            assert leads(body, part["pointer"]), (part, body)
    return {part["type"].rpartition("/")[2] for part in parts if "type" in part}


BEGINS = [case for game in ("toy", "zavandor", "simurgh", "root") for case in begins(game)]
ASKS = [case for game in ("toy", "zavandor") for case in asks(game)]


def answered(client: FlaskClient, path: str, body: Any, step: int) -> set[str]:
    """The names of the problems of a body that is spoilt in every `step`-th way."""
    assert client.post(path, json=body).status_code in (200, 201)
    names: set[str] = set()
    for twin in list(spoilt(body))[::step]:
        names |= demand_led(twin, client.post(path, json=twin))
    return names


@pytest.mark.parametrize(("path", "body"), BEGINS, ids=range(len(BEGINS)))
def test_what_is_wrong_with_a_set_up_is_told_where_it_lies(client: FlaskClient, path: str, body: Any) -> None:
    names = answered(client, path, body, 1 if len(str(body)) < 1_000 else 7)
    refused = "impossible-state" if "position" in str(body) else "setup-refused"
    assert {"off-schema", refused} <= names


@pytest.mark.parametrize(("path", "body"), ASKS, ids=range(len(ASKS)))
def test_what_is_wrong_with_a_state_is_told_where_it_lies(client: FlaskClient, path: str, body: Any) -> None:
    names = answered(client, path, body, 7)
    assert "off-schema" in names
