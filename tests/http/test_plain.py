"""`ARBITR_VALIDATE=plain` sends every body through the schemas, and answers the same, byte for byte."""

from __future__ import annotations

import random

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from tests.http.conftest import settings, toy_app
from tests.http.test_fuzz import mutated, seeds


@pytest.fixture(scope="module")
def plain_apps() -> dict[str, Flask]:
    return {
        "toy": toy_app(ARBITR_VALIDATE="plain"),
        "zavandor": create_app(settings(ARBITR_VALIDATE="plain")),
    }


@pytest.mark.parametrize("game", ["toy", "zavandor"])
def test_both_ways_answer_the_same(
    client: FlaskClient, real: FlaskClient, plain_apps: dict[str, Flask], game: str
) -> None:
    rng = random.Random(9)
    quick, plain = client if game == "toy" else real, plain_apps[game].test_client()
    requests = seeds(quick, game, rng)
    for n in range(len(requests) + 150):
        call, request = requests[n] if n < len(requests) else rng.choice(requests)
        body = quick.application.json.dumps(request) if n < len(requests) else mutated(rng, request)
        path = f"/v1/games/{game}/{call}"
        first, second = (c.post(path, data=body, content_type="application/json") for c in (quick, plain))
        assert (first.status_code, first.data) == (second.status_code, second.data)
