"""`ARBITR_VALIDATE=plain` sends every body through the schemas, and answers the same, byte for byte."""

from __future__ import annotations

import random
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from tests.http.conftest import GAMES, every_game_in_turn, settings, toy_app
from tests.http.test_fuzz import mutated, seeds


@pytest.fixture(scope="module")
def plain_apps() -> dict[str, Flask]:
    every_game = create_app(settings(ARBITR_VALIDATE="plain"))
    return {**dict.fromkeys(GAMES, every_game), "toy": toy_app(ARBITR_VALIDATE="plain")}


@every_game_in_turn
def test_both_ways_answer_the_same(of_game: FlaskClient, plain_apps: dict[str, Flask], game: str) -> None:
    rng = random.Random(9)
    quick, plain = of_game, plain_apps[game].test_client()
    requests = seeds(quick, game, rng)
    for n in range(len(requests) + 150):
        call, request = requests[n] if n < len(requests) else rng.choice(requests)
        body = quick.application.json.dumps(request) if n < len(requests) else mutated(rng, request)
        path = f"/v1/games/{game}/{call}"
        first, second = (c.post(path, data=body, content_type="application/json") for c in (quick, plain))
        if not (call == "states" and is_fair(first) and is_fair(second)):
            assert (first.status_code, first.data) == (second.status_code, second.data)


def is_fair(answer: Any) -> bool:
    """Whether a set-up without a seed of its own was answered: it is another game every time."""
    return answer.status_code == 200 and answer.json["state"]["chance"]["fair"]
