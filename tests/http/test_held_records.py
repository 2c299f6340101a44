"""Whole games held in tokens, and the record that their players put together when they are over."""

from __future__ import annotations

import json
import random
from functools import cache
from typing import Any

import pytest
from flask import Flask

from service import recording
from service.engine.state import CHANCE
from service.engine.table import Table
from service.play import chosen
from service.sessions.keys import Keyring
from service.sessions.wrapping import Wrapping
from tests.http.conftest import KEY
from tests.http.kept import filled, kept_app
from tests.http.test_verifications import checked, without

GAMES = [
    ("harbour", "ann bob cyd"),
    ("zavandor", "ann bob cyd"),
    ("simurgh", "ann bob"),
    ("root", "ann bob cyd dan"),
]


@cache
def the_app() -> Flask:
    return kept_app()


@cache
def _played(game: str, seats: str, chance: str) -> str:
    """A record as the players of a token put it together: each tells what he did and what he saw happen when he did."""
    client, rng = the_app().test_client(), random.Random(4)
    rules = the_app().extensions["arbitr"].registry.get(game)
    wrapping = Wrapping(Keyring(lambda: [bytes.fromhex(KEY)]))
    setup = {"seats": [{"id": s} for s in seats.split()], "chance": json.loads(chance)}
    begun = client.post(f"/v1/games/{game}/states", json={**setup, "hold": "token"}).json
    told, actions, proposed = begun, list(begun["played"]), {}
    for _ in range(5_000):
        if told["outcome"] is not None:
            break
        state = rules.decoder.decode(wrapping.unwrap(game, told["token"])[1])
        actor = told["decisions"][0]["actor"]
        key = begun["keys"].get("dealer") if actor == CHANCE else begun["keys"]["seats"][actor]
        if actor == CHANCE and "seats" in told["decisions"][0]["answered_by"]:
            key = begun["keys"]["seats"][told["decisions"][0]["answered_by"]["seats"][0]]
        act = chosen(Table(rules, state), actor, "prudent" if actor != CHANCE else "random", rng).to_wire()
        proposed[actor] = act
        answer = client.post(
            f"/v1/games/{game}/adjudications", json={"token": told["token"], "key": key, "action": act}
        )
        assert answer.status_code == 200, answer.text
        told = answer.json
        for part in told["played"]:
            own = proposed.get(part["actor"], {})
            actions.append({**part, **own} if own and part.items() <= own.items() else part)
    assert told["outcome"] is not None
    record = {"schema": 1, "game": game, "ruleset": rules.version, "setup": setup, "actions": actions}
    ended = {"chance": without(told["chance"], "promise"), "complete": True}
    return json.dumps([{**record, **ended, **({"digest": told["digest"]} if "digest" in told else {})}, told])


def unseen(record: Any) -> list[int]:
    """The draws of which the record does not tell what came up."""
    return [
        a["draw"]
        for a in record["actions"]
        if a["actor"] == CHANCE and not a.keys() - {"kind", "actor", "draw"}
    ]


@pytest.mark.parametrize(("game", "seats"), GAMES)
def test_the_record_of_a_fair_game_that_its_players_put_together_verifies(game: str, seats: str) -> None:
    """What was dealt in secret, or drawn in somebody else's turn, nobody told: the seed does when the game is over."""
    client = the_app().test_client()
    record, _ = json.loads(_played(game, seats, "{}"))
    assert record["chance"]["fair"]
    asked = f"/v1/games/{game}/verifications"
    found = client.post(f"{asked}?odds=true", json={"record": record}).json
    assert (found["verdict"], found["draws"]) == ("valid", "match"), found
    assert found["digest"] == record["digest"]
    code, said = checked({**record, "odds": found["odds"]})
    assert code == 0
    assert (f"what {len(unseen(record))} of them" in said) == bool(unseen(record))
    assert unseen(record) or game == "harbour"


def test_what_nobody_saw_is_written_down_when_a_record_is_completed() -> None:
    rules = the_app().extensions["arbitr"].registry.get("zavandor")
    record, _ = json.loads(_played("zavandor", "ann bob cyd", "{}"))
    whole = recording.completed(rules, record)
    assert len(unseen(record)) > 3
    assert not unseen(whole)
    assert [a for n, a in enumerate(whole["actions"]) if a != record["actions"][n]] == [
        a for a in whole["actions"] if a.get("draw") in unseen(record)
    ]
    assert checked(whole) == (0, f"match: {record['chance']['next_draw']} draws are what the seed says\n")


@pytest.mark.parametrize("change", [{"seed": "11" * 32}, {"commitment": "0" * 64}, {"key_id": ""}])
def test_without_the_seed_that_was_promised_a_draw_that_nobody_saw_is_an_action_that_lacks_something(
    change: dict[str, str],
) -> None:
    record, _ = json.loads(_played("zavandor", "ann bob cyd", "{}"))
    record["chance"] |= change
    answer = the_app().test_client().post("/v1/games/zavandor/verifications", json={"record": record})
    found = answer.json
    assert (found["verdict"], found["reason"]) == ("invalid", "illegal-action")
    assert record["actions"][found["at"]]["draw"] == unseen(record)[0]


def test_where_people_drew_no_digest_is_told_that_hands_could_be_tried_on() -> None:
    record, told = json.loads(_played("zavandor", "ann bob", '{"mode": "given"}'))
    assert told["outcome"]["winners"]
    assert "digest" not in told
    assert "digest" not in record
    record, told = json.loads(_played("zavandor", "ann bob cyd", "{}"))
    assert (len(told["digest"]), len(told["chance"]["seed"])) == (32, 64)


@pytest.mark.parametrize(("game", "seats"), [("harbour", "ann bob cyd"), ("zavandor", "ann bob")])
def test_the_record_of_a_game_in_which_people_drew_verifies_as_its_players_put_it_together(
    game: str, seats: str
) -> None:
    client = the_app().test_client()
    record, told = json.loads(_played(game, seats, '{"mode": "given"}'))
    assert record["chance"] == {"mode": "given", "fair": False, "game_id": told["view"]["game_id"]}
    answer = client.post(f"/v1/games/{game}/verifications", json={"record": record})
    assert answer.status_code == 200, answer.text
    assert (answer.json["verdict"], answer.json["draws"]) == ("valid", "unknown")
    assert checked(record) == (2, "unknown: people drew\n")


def test_what_an_automated_seat_chose_in_secret_is_told_to_nobody_and_not_guessed() -> None:
    """Such an action lacks what was chosen, and the record is refused with a pointer to it."""
    client, seats = the_app().test_client(), [{"id": "ann"}, {"id": "bob", "automated": True}]
    setup = {"seats": seats, "options": {"variant": "dragonlord"}}
    begun = client.post("/v1/games/simurgh/states", json={**setup, "hold": "token"}).json
    told, actions, key = begun, list(begun["played"]), begun["keys"]["seats"]["ann"]
    for _ in range(60):
        if any(a["actor"] == "bob" and a.keys() == {"kind", "actor"} for a in actions):
            break
        asked = {"token": told["token"], "key": key}
        option = client.post("/v1/games/simurgh/options", json=asked).json["options"][0]
        told = client.post("/v1/games/simurgh/adjudications", json={**asked, "action": filled(option)}).json
        actions += told["played"]
    masked = [n for n, a in enumerate(actions) if a["actor"] == "bob" and a.keys() == {"kind", "actor"}]
    assert masked
    record = {"game": "simurgh", "ruleset": "1.0", "setup": setup, "actions": actions}
    answer = client.post("/v1/games/simurgh/verifications", json={"record": record})
    assert answer.status_code == 400
    assert any(e["pointer"].startswith(f"/record/actions/{masked[0]}/") for e in answer.json["errors"])
